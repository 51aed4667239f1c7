"""Other puzzles: recognise pages with something else than a sudoku of 9 x 9 cells.

It is used only if no proper puzzle was read. Then nobody is advised to take a better photo of a puzzle that
this program does not solve. The cells of a grid are counted if the whole grid is visible. It is a sudoku if
the lines between its boxes are the widest: tables and crosswords have no boxes.
"""

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array, Homography, Points, project
from sudoku_vision.ranks import quantile
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.locate import CLOSER, WORKING_SIDE, scale_to, working_copy
from sudoku_vision.vision.locate.cells import find_cells, fit_window, link_cells, number_cells, sized_pieces
from sudoku_vision.vision.locate.threshold import THRESHOLDS, ink_mask
from sudoku_vision.vision.results import Photo

Bools = NDArray[np.bool_]

FILLED = 0.7  # share of the cells of a grid that must be seen
BEYOND = 0.15  # ninths of a grid beyond its sides at which its lines must have ended
MAX_BEYOND = 0.5  # share of the lines of a side, as far as they are in the picture, that may go on

SAMURAI: Bools = np.zeros((21, 21), np.bool_)
"""The cells of a samurai: five grids; the middle one shares its corner boxes."""
for _row, _column in ((0, 0), (0, 12), (12, 0), (12, 12), (6, 6)):
    SAMURAI[_row : _row + 9, _column : _column + 9] = True

CORNER, REST = slice(4, 14), slice(18, 36)
"""Pixels, of 40, across the place of a small sum in the corner of a cell, and across its other content."""
INKED = 0.08  # share of such a place that ink must fill: a thin 1 does
FULL_INK = 0.995  # quantile of the ink of a page that is full ink: sums fill little more than a hundredth
MIN_SUMS, MAX_SUMS = 12, 45  # cages of a killer: they have two to six cells on the average
MAX_ELSEWHERE = 0.2
"""Cells with ink in another corner, from cages or noise, as a share of those with a sum."""


def has_small_sums(cells: Floats) -> bool:
    """Return whether many *cells* (N, 40, 40) of ink, all without a digit, have a small sum in one corner."""
    if len(cells) < MIN_SUMS:
        return False
    ink = cells > quantile(cells, FULL_INK) / 2
    turns = (np.rot90(ink, turn, axes=(1, 2)) for turn in range(4))
    corners = [_inked(turned, CORNER) & ~_inked(turned, REST) for turned in turns]
    *_, second, most = sorted(int(np.count_nonzero(corner)) for corner in corners)
    return MIN_SUMS <= most <= MAX_SUMS and second <= MAX_ELSEWHERE * most


def _inked(ink: Bools, part: slice) -> Bools:
    """Return which cells (N, S, S) have ink in a *part* of their diagonal, (N,)."""
    return np.asarray(ink[:, part, part].mean(axis=(1, 2)) > INKED)


def count_cells(photo: Photo) -> str:
    """Return the puzzle that the cells of a picture make: "samurai", "6x6" and so on, or "" for none."""
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
    """Return whether the inner lines (2, N - 1) of N x N cells divide them into boxes of N cells.

    *widths*: those of the lines between columns, and between rows. The lines between boxes are wider than
    all others: 1.1 to 2.2 times on 31 of 32 drawn sudokus of 4 to 16 cells, and on none of 270 other pages.
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
    """Return the widths of the lines between columns and between rows, (2, N - 1), in cells.

    *places* (M, 2), *centres* (M, 2) and *sides* (M, 2, 2) of the cells: neighbours lie apart by a line.
    """
    across = int(places.max()) + 1
    grid = np.full((across, across, 3, 2), np.nan)  # by column and row: centre, sides; NaN if missing
    grid[tuple(places.T)] = np.concatenate([centres[:, None], sides], axis=1)
    widths = []
    for cells in (grid, grid.swapaxes(0, 1)):
        before, after = cells[:-1], cells[1:]
        step = after[:, :, 0] - before[:, :, 0]
        halves = (np.abs(cell[:, :, 1:] @ step[..., None]).max(axis=(2, 3)) / 2 for cell in (before, after))
        widths.append(np.nanmedian(1 - sum(halves) / (step**2).sum(axis=2), axis=1))
    return np.array(widths)


def _is_filled(places: NDArray[np.int64], whole: Bools) -> bool:
    """Return whether cells at *places* (N, 2) fill most of a *whole* grid, and none lies outside it."""
    within = whole[places[:, 1], places[:, 0]]
    return bool(within.all() and len(within) > FILLED * np.count_nonzero(whole))


def _ends(ink: Image, homography: Homography, across: int) -> bool:
    """Return whether the lines of a grid end at its sides, by the mask of *ink* (H, W) of the picture."""
    lines = np.arange(1, across) * 9 / across
    before, after = np.full_like(lines, -BEYOND), np.full_like(lines, 9 + BEYOND)
    sides = np.array([(lines, before), (lines, after), (before, lines), (after, lines)])
    x, y = np.rint(project(sides.transpose(0, 2, 1).reshape(-1, 2), homography)).astype(int).T
    height, width = ink.shape
    unseen = (x < 0) | (x >= width) | (y < 0) | (y >= height)
    goes_on = ~unseen & (ink[y.clip(0, height - 1), x.clip(0, width - 1)] > 0)
    seen = np.maximum((~unseen).reshape(4, -1).sum(axis=1), 1)
    return bool((goes_on.reshape(4, -1).sum(axis=1) / seen).max() < MAX_BEYOND)
