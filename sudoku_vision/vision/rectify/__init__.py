"""Straighten a grid and even out its light: a photo and a lattice become 81 cells with clean ink.

There are three stages; each can be used alone:

* :func:`straighten` samples the photo through the lattice (:mod:`.sampling`);
* :func:`even` removes the paper of each cell and keeps its ink, in any colour (:mod:`.illumination`);
* :func:`remove_lines` removes the grid lines.
"""

import numpy as np

from sudoku_vision.values import Bools, Floats
from sudoku_vision.vision.rectify.illumination import RIM, coarse_view, even
from sudoku_vision.vision.rectify.sampling import CELL, share_outside, straighten
from sudoku_vision.vision.results import Lattice, Photo

__all__ = [
    "CELL",
    "RIM",
    "coarse_view",
    "even",
    "rectify",
    "remove_lines",
    "share_outside",
    "straighten",
    "without_print",
]


_LINE_BAND = 0.24  # width of the band at a cell's edge that lines may reach into, as a share of the cell
_WHOLE_LOW = 0.3
"""Share of the pixels in a row along a side that may be blank although a (dotted) line lies there."""
_NEAR_BAND = 0.14
"""Width of the band at a cell's edge that is cleaned once more in pieces, as a share of the cell."""
PIECES = 3
"""Number of pieces of a side of a cell; more follow oblique lines better, fewer keep more ink at the edge."""
_PIECE_LOW = 0.4
"""Share of the pixels in a row of a piece that may be blank although an oblique line lies there."""
_CORNER = 2  # number of pixels at both ends of a side that are ignored, because other lines cross there
_FADE = (0.0, 0.5)  # factors for the ink of a cell's outermost and next pixels, which hold remains of lines


def rectify(photo: Photo, lattice: Lattice) -> Floats:
    """Return the cells of one grid of a photo, straightened, with even light and without grid lines.

    The result is (81, CELL, CELL) float32, in the reading order of the lattice. The values are 0 for paper,
    and about 1 for the full ink of this page. Paper that is lighter than its surroundings is slightly
    negative.
    """
    return remove_lines(even(straighten(photo, lattice)))


def without_print(ink: Floats, other: Bools | None) -> Floats:
    """Return ink (81, S, S) without the print in the part *other* (81, K, K) of the cells, if it is given."""
    if other is None:
        return ink
    places = np.arange(ink.shape[1]) * other.shape[1] // ink.shape[1]
    return np.where(other[:, places[:, None], places], np.float32(0), ink)


def remove_lines(cells: Floats, pieces: int = PIECES) -> Floats:
    """Return evened cells (81, S, S) float32 without the grid lines at their edges.

    A line runs along the whole side of a cell, but a digit doesn't. So in each row of pixels along the side,
    a low quantile is taken for the ink of a line, and is subtracted. Close to the edge, the side is also
    divided into *pieces* parts, and the same is done in each part, to follow oblique lines. If pencil marks
    in a corner must be kept, *pieces* must be at most 2.
    """
    ink = cells.copy()
    size = cells.shape[1]
    for turn in range(4):
        band = np.rot90(ink, turn, axes=(1, 2))[:, : round(_LINE_BAND * size)]  # a view: changes go into ink
        band[:] = _without_top_line(np.ascontiguousarray(band), pieces)
    fade = np.ones(size, np.float32)
    fade[[0, -1]], fade[[1, -2]] = _FADE
    ink *= fade[:, None] * fade
    return ink


def _without_top_line(band: Floats, pieces: int) -> Floats:
    """Return the upper *band* (81, R, S) of each cell without the line along its top; *band* is changed.

    Near the edge, the side is divided into *pieces* parts, and the line is also subtracted in each part.
    Paper that is lighter than its surroundings stays as it is.
    """
    size = band.shape[2]
    near = round(_NEAR_BAND * size)
    whole = _low(band[:, :, _CORNER:-_CORNER], _WHOLE_LOW)[:, :, None]
    band -= whole
    length = size // pieces + 1
    for start in (*range(0, length * (pieces - 1), length), size - length):
        piece = band[:, :near, start : start + length]
        piece -= _low(piece, _PIECE_LOW)[:, :, None]
    return np.asarray(np.maximum(band, np.minimum(band + whole, 0)))


def _low(band: Floats, share: float) -> Floats:
    """Return the quantile *share* (0..1) of each row of *band* (81, R, C), or 0 if it is less, as (81, R)."""
    place = int(share * band.shape[2])
    return np.maximum(np.partition(band, place, axis=2)[..., place], 0)
