"""Straighten a grid and even out its light: make 81 square pictures of ink from a photo and a lattice.

There are three stages; each can be used alone:

* :func:`straighten` makes a square picture of each cell; the lattice gives the corners (:mod:`.sampling`);
* :func:`even` removes the paper of each cell, and keeps ink of any colour (:mod:`.illumination`);
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


_LINE_BAND = 0.24  # lines are removed in a band of this width at each edge of a cell, as a share of the cell
_WHOLE_LOW = 0.3
"""In each row of pixels along an edge, this quantile of the ink is taken for the ink of a line. So a line can
be dotted: up to this share of its pixels in the row can be blank."""
_NEAR_BAND = 0.14
"""Lines are removed once more in a narrower band at each edge. The band has this width, as a share of the
cell's side. Each piece of the edge is then treated by itself (see ``PIECES``)."""
PIECES = 3
"""An edge of a cell is divided into this many pieces. The grid line is removed from each piece alone, too.
With more pieces, a grid line that lies aslant is removed better. With fewer, more ink of digits is kept."""
_PIECE_LOW = 0.4
"""In a piece of an edge, this quantile replaces ``_WHOLE_LOW``. It is higher, because an oblique line leaves
more pixels of a row blank than a line along the row."""
_CORNER = 2  # number of pixels at each end of an edge that are not measured, because other lines cross them
_FADE = (0.0, 0.5)
"""The ink in a cell's outermost pixels is multiplied by the first factor, and the ink in the pixels beside
them by the second factor. The reason is that remains of lines can lie there."""


def rectify(photo: Photo, lattice: Lattice) -> Floats:
    """Return the ink in the cells of a grid, straightened, with even light and without grid lines.

    The result is (81, CELL, CELL) float32; the cells are in the order of the lattice, row by row. The values
    are 0 for paper, and about 1 for the full ink of this page. Pixels of paper that are lighter than the
    paper around them are slightly negative.
    """
    return remove_lines(even(straighten(photo, lattice)))


def without_print(ink: Floats, other: Bools | None) -> Floats:
    """Return *ink* (81, S, S) with 0 in the parts of the cells where the mask *other* (81, K, K) is true.

    These parts hold print that is no digit of a cell, such as the lines and sums of cages. If *other* is
    None, nothing is removed.
    """
    if other is None:
        return ink
    places = np.arange(ink.shape[1]) * other.shape[1] // ink.shape[1]
    return np.where(other[:, places[:, None], places], np.float32(0), ink)


def remove_lines(cells: Floats, pieces: int = PIECES) -> Floats:
    """Return the ink of *cells* (81, S, S) float32 without the grid lines at their edges.

    A line runs along the whole edge of a cell, but a digit doesn't. So in each row of pixels along the edge,
    a low quantile of the ink is the ink of a line. This quantile is subtracted from the whole row. Then the
    rows closest to the edge are divided into parts of equal length; *pieces* is the number of parts. From
    each row of each part, a low quantile is subtracted again. This removes oblique lines. To keep pencil
    marks in the corners of cells, use at most 2 parts.
    """
    ink = cells.copy()
    size = cells.shape[1]
    for turn in range(4):
        band = np.rot90(ink, turn, axes=(1, 2))[:, : round(_LINE_BAND * size)]  # a view, so ink changes, too
        band[:] = _without_top_line(np.ascontiguousarray(band), pieces)
    fade = np.ones(size, np.float32)
    fade[[0, -1]], fade[[1, -2]] = _FADE
    ink *= fade[:, None] * fade
    return ink


def _without_top_line(band: Floats, pieces: int) -> Floats:
    """Return *band* (81, R, S), the upper band of each cell, without the line along its top edge.

    The ink of the line is subtracted from whole rows first. Then the rows closest to the edge are divided
    into parts, and the line is subtracted again in each part; *pieces* is the number of parts. Pixels that
    are lighter than the paper keep their values. *band* itself is changed, too.
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
    """Return the quantile *share* (0..1) of each row of *band* (81, R, C); negative quantiles become 0."""
    place = int(share * band.shape[2])
    return np.maximum(np.partition(band, place, axis=2)[..., place], 0)
