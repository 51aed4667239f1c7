"""Other puzzles: what a page shows that is no sudoku of 9 x 9 cells alone, by its cells and small sums.

It is asked where no proper puzzle was read, so that nobody is told to take a better photo of what can't be
solved. A grid is counted where it is seen whole, and doesn't go on beyond its sides.
"""

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Homography, project
from sudoku_vision.results import Floats, Image, Photo
from sudoku_vision.vision.locate import CLOSER, WORKING_SIDE, scale_to, working_copy
from sudoku_vision.vision.locate.cells import find_cells, fit_window, link_cells, number_cells, sized_pieces
from sudoku_vision.vision.locate.threshold import THRESHOLDS, ink_mask
from sudoku_vision.vision.ranks import quantile

Bools = NDArray[np.bool_]

SIZES = (6, 12, 16)
"""Cells across that sudokus have besides nine. Not told of are eight and ten, which may be nine miscounted,
and four, as many as there are boxes across sixteen cells."""
FILLED = 0.7  # share of the cells of a grid that must be seen
BEYOND = 0.15  # ninths of a grid beyond its sides at which its lines must have ended
MOST = 0.5  # share of the lines of a side that may run on, or be beyond the picture, at most

CORNER, REST = slice(4, 14), slice(18, 36)
"""Pixels, of 40, across the place of a small sum in the corner of a cell, and that of what else it holds."""
INKED = 0.08  # share of such a place that ink fills at least: that of a slim 1
FULL_INK = 0.995  # quantile of the ink of a page: sums fill little more than a hundredth
FEWEST_SUMS, MOST_SUMS = 12, 45  # as many as there are cages: of two to six cells on the average
MOST_ELSEWHERE = 0.2  # ink in another corner of cells, as a share of those with sums: of cages, or noise


def has_small_sums(cells: Floats) -> bool:
    """Tell whether small sums stand in one and the same corner of many of 81 *cells* (81, 40, 40) of ink."""
    ink = cells > quantile(cells, FULL_INK) / 2
    corners = [_inked(turned, CORNER) & ~_inked(turned, REST) for turned in _turns(ink)]
    *_, second, most = sorted(int(np.count_nonzero(corner)) for corner in corners)
    return FEWEST_SUMS <= most <= MOST_SUMS and second <= MOST_ELSEWHERE * most


def _turns(ink: Bools) -> list[Bools]:
    return [np.rot90(ink, turn, axes=(1, 2)) for turn in range(4)]


def _inked(ink: Bools, part: slice) -> Bools:
    """Tell in which cells (N, S, S) a *part* of their diagonal holds ink, (N,)."""
    return np.asarray(ink[:, part, part].mean(axis=(1, 2)) > INKED)


def count_cells(photo: Photo) -> str:
    """Return what the cells of a picture make: "samurai", or "6x6" and the like, or "" for none of these."""
    for closer in (1, CLOSER):
        grey = working_copy(photo.pixels, closer * scale_to(WORKING_SIDE, photo))
        for threshold in THRESHOLDS:
            if counted := _count(ink_mask(grey, threshold)):
                return counted
    return ""


def _count(ink: Image) -> str:
    cells = find_cells(sized_pieces(np.asarray(~ink, np.uint8)))
    for group in number_cells(link_cells(cells)):
        places = np.array(list(group))
        places -= places.min(axis=0)
        across, down = (places.max(axis=0) + 1).tolist()
        if across == down == len(SAMURAI) and _is_filled(places, SAMURAI):
            return "samurai"
        if across == down and across in SIZES and _is_filled(places, np.ones((across, across), np.bool_)):
            centres = cells.centres[list(group.values())]
            if any(_ends(ink, fitted, across) for fitted in fit_window(places, centres, across)):
                return f"{across}x{across}"
    return ""


def _samurai() -> Bools:
    """Where the cells of five grids lie of which the middle one shares its corner boxes, (21, 21)."""
    cells = np.zeros((21, 21), np.bool_)
    for row, column in ((0, 0), (0, 12), (12, 0), (12, 12), (6, 6)):
        cells[row : row + 9, column : column + 9] = True
    return cells


SAMURAI = _samurai()


def _is_filled(places: NDArray[np.int64], whole: Bools) -> bool:
    """Tell whether cells at *places* (N, 2) are most of those of a *whole* grid, and no others."""
    within = whole[places[:, 1], places[:, 0]]
    return bool(within.all() and len(within) > FILLED * np.count_nonzero(whole))


def _ends(ink: Image, homography: Homography, across: int) -> bool:
    """Tell whether the lines of a grid end at its sides, where *ink* (H, W) shows what lies beyond."""
    lines = np.arange(1, across) * 9 / across
    before, after = np.full_like(lines, -BEYOND), np.full_like(lines, 9 + BEYOND)
    sides = np.array([(lines, before), (lines, after), (before, lines), (after, lines)])
    x, y = np.rint(project(sides.transpose(0, 2, 1).reshape(-1, 2), homography)).astype(int).T
    height, width = ink.shape
    unseen = (x < 0) | (x >= width) | (y < 0) | (y >= height)
    runs_on = unseen | (ink[y.clip(0, height - 1), x.clip(0, width - 1)] > 0)
    return bool(runs_on.reshape(4, -1).mean(axis=1).max() < MOST)
