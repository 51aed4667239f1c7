"""Straighten a grid and even out its light: photo and lattice in, 81 cells of clean ink out.

The stages, each usable alone:

* :func:`straighten` samples the photo through the lattice (:mod:`.sampling`);
* :func:`even` divides out the paper of each cell and keeps its ink, in any colour (:mod:`.illumination`);
* :func:`remove_lines` takes away what belongs to the lattice.
"""

import numpy as np

from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.vision.rectify.illumination import coarse_view, even
from sudoku_vision.vision.rectify.sampling import CELL, straighten

__all__ = ["CELL", "coarse_view", "even", "rectify", "remove_lines", "straighten"]


_LINE_BAND = 0.24  # depth from the cell's edge to which a line may reach
_WHOLE_LOW = 0.3
"""Of the pixels along a whole side, the share that may be blank where a line runs: it may be dotted."""
_NEAR_BAND = 0.14  # depth in which even a line along a piece of the side is taken away
PIECES = 3  # pieces of a side: many follow a line that lies askew, few leave small ink near the edge alone
_PIECE_LOW = 0.4  # the share that may be blank in such a piece: a line that lies askew leaves a row within it
_CORNER = 2  # pixels at either end of a side that don't tell its line: there it crosses others
_FADE = (0.0, 0.5)
"""What is kept of the outermost pixels of a cell, and of those next to them: remainders of lines."""


def rectify(photo: Photo, lattice: Lattice, size: int = CELL, pieces: int = PIECES) -> Floats:
    """Cut the cells of one grid out of a photo, straightened, evened out and freed of grid lines.

    *pieces* as for :func:`remove_lines`.

    Returns (81, size, size) float32 in reading order of the lattice: 0 for paper, about 1 for the full ink of
    this page, slightly negative where the paper is lighter than its surroundings.
    """
    return remove_lines(even(straighten(photo, lattice, size)), pieces)


def remove_lines(cells: Floats, pieces: int = PIECES) -> Floats:
    """Take the grid lines at the edges away from evened cells, (81, S, S) float32; returns a new array.

    A line runs along the whole side of the cell, a digit that comes near does not: what a low percentile
    along the side still shows is the line, and it is subtracted. Close to the edge the same is done for each
    of so many *pieces* of the side, which follows lines that lie askew. Pencil marks in a corner call for no
    more than two.
    """
    ink = cells.copy()
    size = cells.shape[1]
    for turn in range(4):
        band = np.rot90(ink, turn, axes=(1, 2))[:, : round(_LINE_BAND * size)]  # a view of the ink itself
        band[:] = _without_top_line(np.ascontiguousarray(band), pieces)
    fade = np.ones(size, np.float32)
    fade[[0, -1]], fade[[1, -2]] = _FADE
    ink *= fade[:, None] * fade
    return ink


def _without_top_line(band: Floats, pieces: int) -> Floats:
    """Subtract the line along the top of each cell from its upper *band* (81, R, S), which may be changed.

    Near the edge the same is done in so many *pieces*. Where paper is lighter than its surroundings it stays
    so, no more and no less.
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
    """Return the quantile *share* along each row of (81, R, C), not below zero: (81, R)."""
    place = int(share * band.shape[2])
    low: Floats = np.maximum(np.partition(band, place, axis=2)[..., place], 0)
    return low
