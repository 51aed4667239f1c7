"""Recognise pages that show a puzzle other than a sudoku of 9 x 9 cells.

Otherwise the user would be told to take a better photo, although the program can't solve such a puzzle. In
each grid of 9 x 9 cells, the small sums of a killer are looked for. If the status of the page is neither
solved nor uncertain, and a whole grid is visible, its cells are counted. The grid is taken for a sudoku of
another size only if the lines between boxes are wider than all other lines. Tables and crosswords have no
boxes, so they don't pass this test.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array, Points
from sudoku_vision.ranks import quantile
from sudoku_vision.values import Bools, Floats, Image
from sudoku_vision.vision.digits.turns import TURNS
from sudoku_vision.vision.load.moire import WORKING_SIDE
from sudoku_vision.vision.locate import CLOSER, scale_to, working_copy
from sudoku_vision.vision.locate.cells import find_cells, link_cells, number_cells
from sudoku_vision.vision.locate.score import MOST
from sudoku_vision.vision.locate.threshold import THRESHOLDS, ink_mask
from sudoku_vision.vision.results import Photo

CLOSER_THRESHOLDS = (*THRESHOLDS[:2], *THRESHOLDS[4:])
"""The thresholds for masks of ink in the larger copy of the photo.

The other two values of :data:`THRESHOLDS` aren't needed there. Without them, only 1 of 524 drawn puzzles that
don't have 9 x 9 cells is missed.
"""

SAMURAI: Bools = np.zeros((21, 21), np.bool_)
"""The shape of a samurai sudoku: a mask of a square of 21 x 21 cells, true for the cells of the puzzle.

A samurai has five grids. Each corner box of the middle grid is also a box of one of the four outer grids.
"""
for _row, _column in ((0, 0), (0, 12), (12, 0), (12, 12), (6, 6)):
    SAMURAI[_row : _row + 9, _column : _column + 9] = True

CORNER = slice(4, 11)
"""Range of the pixel rows, and of the pixel columns, of the square in which the small sum of a killer stands.
A cell has 40 x 40 pixels. Hardly any other digit reaches into this square."""
INKED = 0.12  # a cell has a sum if more than this share of the square CORNER is ink; even a thin 1 has more
FULL_INK = 0.995
"""Quantile of the darkness of all cells' pixels. A pixel is ink if it is darker than half of the quantile.

In a killer without clues, the sums fill little more than 1 % of the pixels. So a lower quantile might be the
darkness of blank paper.
"""
MIN_SUMS, MAX_SUMS = 12, 45
"""A killer sudoku has MIN_SUMS to MAX_SUMS small sums: one sum for each cage.

The cages of a puzzle have two to six cells on average.
"""
FEW_SUMS = 8
"""A grid that isn't solved is read as a killer if sums seem to be printed in at least this many cells.

130 drawn killers were read, and each had at least 12 sums. In grids of blank cells, noise looks like at most
5 sums.
"""
MAX_ELSEWHERE = 0.2
"""The sums of a killer stand in one corner of the cells. A grid is no killer if too many cells have ink in
another corner: more than this share of the number of cells with a sum.

Ink in another corner comes from the lines of cages, or from noise.
"""


def has_small_sums(sums: Sequence[Bools], digits: NDArray[np.int8] | None = None) -> bool:
    """Return whether many cells have a small sum in the same corner, as in a killer sudoku.

    *sums* is the result of :func:`sums_by_turn`. The answer is false for all of 266 grids that are no
    killers. It is true for 112 of 123 drawn killers, and for 43 of 54 killers full of entries.

    *digits* (81,), if given, are the digits of the cells, 0 for none. If there are any digits, at least one
    must share its cell with a sum. Small candidates stand in corners, too, but only in cells without a digit.
    In each of 96 drawn killers with 20 to 60 digits, 1 to 25 digits share a cell with a sum. On 17 pages with
    candidates, no digit shares a cell with a candidate that looks like a sum.
    """
    *_, second, most = sorted(sums, key=np.count_nonzero)
    count = np.count_nonzero(most)
    if not MIN_SUMS <= count <= MAX_SUMS or np.count_nonzero(second) > MAX_ELSEWHERE * count:
        return False
    return digits is None or not digits.any() or bool(most[digits > 0].any())


def sums_by_turn(cells: Floats) -> list[Bools]:
    """Return a mask (81,) for each of the four turns of a grid: the cells with a small sum at their top left.

    *cells* (81, 40, 40): the ink of each cell, without grid lines. The cells may also have digits.
    """
    ink = cells > quantile(cells, FULL_INK) / 2
    corners = (np.rot90(ink, turn, axes=(1, 2))[:, CORNER, CORNER] for turn in TURNS)
    return [corner.mean(axis=(1, 2)) > INKED for corner in corners]


def count_cells(photo: Photo) -> str:
    """Find and count the cells of a grid in a photo. Return "samurai", a size such as "6x6", or ""."""
    for closer, thresholds in ((1, THRESHOLDS), (CLOSER, CLOSER_THRESHOLDS)):
        grey = working_copy(photo.pixels, closer * scale_to(WORKING_SIDE, photo))
        for threshold in thresholds:
            if counted := _count(ink_mask(grey, threshold)):
                return counted
    return ""


def _count(ink: Image) -> str:
    cells = find_cells(np.asarray(~ink, np.uint8))
    for group in number_cells(link_cells(cells)):
        places = np.array(list(group))
        places -= places.min(axis=0)
        across, down = (places.max(axis=0) + 1).tolist()
        if across == down == len(SAMURAI) and _is_filled(places, SAMURAI):
            return "samurai"
        whole = np.ones((across, across), np.bool_)
        if across != down or across == 9 or not _is_filled(places, whole):
            continue
        some = list(group.values())
        if has_boxes(_line_widths(places, cells.centres[some], cells.sides[some])):
            return f"{across}x{across}"
    return ""


def has_boxes(widths: Array) -> bool:
    """Return whether wide lines divide a grid of N x N cells into boxes of N cells.

    *widths* (2, N - 1) are the widths of the inner lines: between columns, and between rows. Every line
    between boxes must be wider than every other line. In 31 of 32 drawn sudokus of 4 x 4 to 16 x 16 cells,
    these lines are wider by a factor of 1.1 to 2.2. None of 270 other pages has such lines.
    """
    across = widths.shape[1] + 1
    lines = np.arange(1, across)
    for height in range(2, across // 2 + 1):
        between = [lines % (across // height) == 0, lines % height == 0]
        if across % height == 0 and all(
            line[bold].min() > line[~bold].max() for line, bold in zip(widths, between, strict=True)
        ):
            return True
    return False


def _line_widths(places: NDArray[np.int64], centres: Points, sides: Points) -> Array:
    """Return the widths (2, N - 1) of the lines between columns and of the lines between rows, in cells.

    The width of a line is the gap between the cells on both sides of the line. *places* (M, 2) are the
    columns and rows of M cells. *centres* (M, 2) are the centres of the cells. *sides* (M, 2, 2) are two
    sides of each cell, as vectors.
    """
    across = int(places.max()) + 1
    grid = np.full((across, across, 3, 2), np.nan)  # [column, row] is the centre and two sides of a cell
    grid[tuple(places.T)] = np.concatenate([centres[:, None], sides], axis=1)
    widths = []
    for cells in (grid, grid.swapaxes(0, 1)):
        before, after = cells[:-1], cells[1:]
        step = after[:, :, 0] - before[:, :, 0]
        halves = (np.abs(cell[:, :, 1:] @ step[..., None]).max(axis=(2, 3)) / 2 for cell in (before, after))
        widths.append(np.nanmedian(1 - sum(halves) / (step**2).sum(axis=2), axis=1))
    return np.array(widths)


def _is_filled(places: NDArray[np.int64], whole: Bools) -> bool:
    """Return whether the cells that were found fill most of a grid, and no cell lies outside the grid.

    *places* (N, 2): the column and the row of each cell that was found. *whole* (M, M): the mask of the
    grid, true for all its cells.
    """
    within = whole[places[:, 1], places[:, 0]]
    return bool(within.all() and len(within) > MOST * np.count_nonzero(whole))
