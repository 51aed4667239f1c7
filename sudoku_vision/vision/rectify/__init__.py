"""Straighten a grid and even out its light: photo and lattice in, 81 cells of clean ink out.

The stages, each usable alone:

* :func:`straighten` samples the photo through the lattice (:mod:`.sampling`);
* :func:`even` removes the paper of each cell and keeps its ink, in any colour (:mod:`.illumination`);
* :func:`remove_lines` removes the grid lines.
"""

import numpy as np

from sudoku_vision.values import Floats
from sudoku_vision.vision.rectify.illumination import RIM, coarse_view, even
from sudoku_vision.vision.rectify.sampling import CELL, straighten
from sudoku_vision.vision.results import Lattice, Photo

__all__ = ["CELL", "RIM", "coarse_view", "even", "rectify", "remove_lines", "straighten"]


_LINE_BAND = 0.24  # share of a cell from its edge up to which a line may reach
_WHOLE_LOW = 0.3  # share of the pixels along a whole side that may be blank in a line: it may be dotted
_NEAR_BAND = 0.14  # share of a cell from its edge in which lines along a piece of a side are removed, too
PIECES = 3  # pieces of a side: many follow an oblique line better, few leave small ink near the edge as it is
_PIECE_LOW = (
    0.4  # share of the pixels that may be blank in such a piece: an oblique line leaves a row of them
)
_CORNER = 2  # pixels at either end of a side that don't count, because other lines cross there
_FADE = (0.0, 0.5)  # factors for the outermost pixels of a cell and the next ones: they hold remains of lines


def rectify(photo: Photo, lattice: Lattice, size: int = CELL, pieces: int = PIECES) -> Floats:
    """Return the cells of one grid of a photo, straightened, with even light and without grid lines.

    They are (81, size, size) float32 in reading order of the lattice: 0 for paper, about 1 for full ink of
    this page, slightly negative for paper that is lighter than its surroundings. *pieces* as for
    :func:`remove_lines`.
    """
    return remove_lines(even(straighten(photo, lattice, size)), pieces)


def remove_lines(cells: Floats, pieces: int = PIECES) -> Floats:
    """Return evened cells, (81, S, S) float32, without the grid lines at their edges.

    A line runs along the whole side of a cell, a digit doesn't. So a low quantile along the side is the line,
    and is subtracted. Close to the edge the same is done for each of so many *pieces* of the side, to follow
    oblique lines. Pencil marks in a corner need two pieces at most.
    """
    ink = cells.copy()
    size = cells.shape[1]
    for turn in range(4):
        band = np.rot90(ink, turn, axes=(1, 2))[:, : round(_LINE_BAND * size)]  # a view: ink itself changes
        band[:] = _without_top_line(np.ascontiguousarray(band), pieces)
    fade = np.ones(size, np.float32)
    fade[[0, -1]], fade[[1, -2]] = _FADE
    ink *= fade[:, None] * fade
    return ink


def _without_top_line(band: Floats, pieces: int) -> Floats:
    """Subtract the line along the top of each cell from its upper *band* (81, R, S), which is changed.

    Near the edge this is done in so many *pieces*. Paper that is lighter than its surroundings stays as it
    is.
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
    """Return the quantile *share* along each row of (81, R, C), at least zero: (81, R)."""
    place = int(share * band.shape[2])
    low: Floats = np.maximum(np.partition(band, place, axis=2)[..., place], 0)
    return low
