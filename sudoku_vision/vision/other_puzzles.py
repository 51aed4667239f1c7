"""Recognise pages that show something else than a sudoku of 9 x 9 cells.

This module is used only if no puzzle with exactly one solution was read. It prevents the advice to take a
better photo of a puzzle that this program can't solve. If a whole grid is visible, its cells are counted. The
grid is called a sudoku of another size if the lines between its boxes are wider than its other lines, because
tables and crosswords have no boxes.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array, Homography, Points, project
from sudoku_vision.ranks import quantile
from sudoku_vision.values import Bools, Floats, Image
from sudoku_vision.vision.digits.turns import TURNS
from sudoku_vision.vision.load.moire import WORKING_SIDE
from sudoku_vision.vision.locate import CLOSER, scale_to, working_copy
from sudoku_vision.vision.locate.cells import find_cells, fit_window, link_cells, number_cells
from sudoku_vision.vision.locate.score import MOST
from sudoku_vision.vision.locate.threshold import THRESHOLDS, ink_mask
from sudoku_vision.vision.results import Photo

CLOSER_THRESHOLDS = (*THRESHOLDS[:2], *THRESHOLDS[4:])
"""The thresholds for the larger copy.

The two other thresholds aren't needed: only 1 of 524 drawn puzzles of other sizes is found by them alone.
"""
BEYOND = 0.15  # lines must have ended at this distance beyond the sides of a grid, in ninths of a side
MAX_BEYOND = 0.5
"""Limit for the share of lines that go on beyond a side of a grid, among the lines seen there."""

SAMURAI: Bools = np.zeros((21, 21), np.bool_)
"""For each cell of a square of 21 x 21 cells, whether it belongs to a samurai sudoku.

A samurai has five grids. Each corner box of the middle grid is also a box of one of the other four grids.
"""
for _row, _column in ((0, 0), (0, 12), (12, 0), (12, 12), (6, 6)):
    SAMURAI[_row : _row + 9, _column : _column + 9] = True

CORNER = slice(4, 11)
"""Range of rows and columns of a small sum in a cell of 40 x 40 pixels; hardly any other digit reaches it."""
INKED = 0.12  # a cell has a sum if more than this share of the square CORNER is ink; even a thin 1 has more
FULL_INK = 0.995
"""Quantile of the ink of the given cells that is taken as the strength of full ink.

It is so high because sums fill little more than 1 % of the pixels.
"""
MIN_SUMS, MAX_SUMS = 12, 45
"""Limits for the number of small sums in a killer sudoku; each of its cages has one sum.

A cage has two to six cells on average.
"""
FEW_SUMS = 8
"""A grid that isn't solved is read as a killer if it has at least this number of small sums.

Each of 130 drawn killers that were read had at least 12. In grids of blank cells, noise looks like at most 5.
"""
MAX_ELSEWHERE = 0.2
"""Limit for the number of cells with ink in another corner, as a share of the cells with a sum.

Such ink comes from the lines of cages, or from noise.
"""


def has_small_sums(sums: Sequence[Bools], digits: NDArray[np.int8] | None = None) -> bool:
    """Return whether many cells have a small sum in the same corner, as in a killer sudoku.

    *sums* are those of :func:`sums_by_turn`. The result is false for all of 266 grids that are no killers. It
    is true for 112 of 123 drawn killers, and for 43 of 54 killers full of entries.

    If the *digits* (81,) of the cells are given, 0 for none, some of the digits must have a sum beside them:
    candidates stand in corners, too, but only in cells without a digit. In 96 drawn killers with 20 to 60
    digits, 1 to 25 digits have a sum beside them. On 17 pages of candidates, no digit has a sum beside it.
    """
    *_, second, most = sorted(sums, key=np.count_nonzero)
    count = np.count_nonzero(most)
    if not MIN_SUMS <= count <= MAX_SUMS or np.count_nonzero(second) > MAX_ELSEWHERE * count:
        return False
    return digits is None or not digits.any() or bool(most[digits > 0].any())


def sums_by_turn(cells: Floats) -> list[Bools]:
    """Return for each of the four turns which cells have a small sum at the top left, (81,) bool.

    *cells* (81, 40, 40) are the clean ink of the cells of a grid, which may also have digits.
    """
    ink = cells > quantile(cells, FULL_INK) / 2
    corners = (np.rot90(ink, turn, axes=(1, 2))[:, CORNER, CORNER] for turn in TURNS)
    return [corner.mean(axis=(1, 2)) > INKED for corner in corners]


def count_cells(photo: Photo) -> str:
    """Return which other puzzle the cells of a photo make: "samurai", a size such as "6x6", or ""."""
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
        if has_boxes(_line_widths(places, cells.centres[some], cells.sides[some])) and any(
            _ends(ink, fitted, across) for fitted in fit_window(places, cells.centres[some], across)
        ):
            return f"{across}x{across}"
    return ""


def has_boxes(widths: Array) -> bool:
    """Return whether the inner lines of a grid of N x N cells divide it into boxes of N cells.

    *widths* (2, N - 1) are the widths of the lines between columns, and of the lines between rows. Every line
    between boxes must be wider than every other line. This is true for 31 of 32 drawn sudokus with 4 to 16
    cells a side, by a factor of 1.1 to 2.2, and for none of 270 other pages.
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
    """Return the widths of the lines between columns and of those between rows, (2, N - 1), in cells.

    The width of a line is the gap between the cells on both sides of the line. *places* (M, 2) are the
    columns and rows of the cells, *centres* (M, 2) their centres, and *sides* (M, 2, 2) their two sides as
    vectors.
    """
    across = int(places.max()) + 1
    grid = np.full((across, across, 3, 2), np.nan)  # by column and row: the centre and both sides
    grid[tuple(places.T)] = np.concatenate([centres[:, None], sides], axis=1)
    widths = []
    for cells in (grid, grid.swapaxes(0, 1)):
        before, after = cells[:-1], cells[1:]
        step = after[:, :, 0] - before[:, :, 0]
        halves = (np.abs(cell[:, :, 1:] @ step[..., None]).max(axis=(2, 3)) / 2 for cell in (before, after))
        widths.append(np.nanmedian(1 - sum(halves) / (step**2).sum(axis=2), axis=1))
    return np.array(widths)


def _is_filled(places: NDArray[np.int64], whole: Bools) -> bool:
    """Return whether cells fill most of a grid, and no cell lies outside the grid.

    *places* (N, 2) are the columns and rows of the cells. *whole* (M, M) is true for all cells of the grid.
    """
    within = whole[places[:, 1], places[:, 0]]
    return bool(within.all() and len(within) > MOST * np.count_nonzero(whole))


def _ends(ink: Image, homography: Homography, across: int) -> bool:
    """Return whether the lines of a grid of *across* x *across* cells end at the sides of the grid.

    *ink* (H, W) is the mask of ink of the picture. The *homography* maps a grid whose sides are 9 units long
    to the pixels of the picture.
    """
    lines = np.arange(1, across) * 9 / across
    before, after = np.full_like(lines, -BEYOND), np.full_like(lines, 9 + BEYOND)
    sides = np.array([(lines, before), (lines, after), (before, lines), (after, lines)])
    x, y = np.rint(project(sides.transpose(0, 2, 1).reshape(-1, 2), homography)).astype(int).T
    height, width = ink.shape
    unseen = (x < 0) | (x >= width) | (y < 0) | (y >= height)
    goes_on = ~unseen & (ink[y.clip(0, height - 1), x.clip(0, width - 1)] > 0)
    seen = np.maximum((~unseen).reshape(4, -1).sum(axis=1), 1)
    return bool((goes_on.reshape(4, -1).sum(axis=1) / seen).max() < MAX_BEYOND)
