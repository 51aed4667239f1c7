"""Measure the sizes and colours of a grid's print in the photo, and the ink of its entries."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.geometry import homography_of_square, sampled
from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.ranks import median, medians, quantile
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice

MAX_MEASURED = 9  # number of clues and of entries that are measured in a grid, roughly
_PATCH = 32  # side of the small picture of a cell in which its digit is measured, in pixels
_INNER = 0.1  # share of a cell's side that is left out at each edge, because grid lines reach into it
_PIXEL = (1 - 2 * _INNER) / (_PATCH - 1)  # distance of neighbouring pixels of the small picture, in cells
_MIN_CLUES = 3  # if fewer clues were measured, the usual style of print is taken

_MIN_CONTRAST = 12.0  # minimum contrast of ink and paper, in grey levels: less may be the grain of paper
_INK_QUANTILE = 0.97  # the contrast of full ink is this quantile of the differences of all pixels from paper
_FULL_INK = 0.75  # share of the contrast of full ink above which a pixel is ink, not a smooth edge
_HEIGHTS, _WEIGHTS, _MIDDLES = (0.4, 0.72), (0.055, 0.12), (0.42, 0.58)
"""Bounds for the height, the stroke width and the middle of answers, in cells."""


@dataclass(frozen=True)
class PrintStyle:
    """How a grid is printed. Lengths are in cells, colours are BGR.

    ``weight``: width of the strokes of a digit. ``middle`` (x, y): centre of a digit within the cell.
    ``entry_ink``: colour of a person's entries; None without entries.
    """

    height: float = 0.56
    weight: float = 0.08
    middle: tuple[float, float] = (0.5, 0.5)
    ink: tuple[float, float, float] = (40.0, 40.0, 40.0)
    paper: tuple[float, float, float] = (220.0, 220.0, 220.0)
    entry_ink: Colour | None = None


def grid_print(pixels: Image, grid: Grid) -> PrintStyle:
    """Measure the style of the clues of a *grid*, and the ink of its entries, in a photo (H, W, 3) BGR."""
    clues = _measured(pixels, grid.lattice, grid.puzzle)
    entries = _measured(pixels, grid.lattice, grid.written)
    entry_ink = _colour(medians(np.array(entries)[:, 4:7].T)) if entries else None
    if len(clues) < _MIN_CLUES:
        return PrintStyle(entry_ink=entry_ink)
    height, weight, x, y, *colours = medians(np.array(clues).T)
    return PrintStyle(
        height=float(np.clip(height, *_HEIGHTS)),
        weight=float(np.clip(weight, *_WEIGHTS)),
        middle=(float(np.clip(x, *_MIDDLES)), float(np.clip(y, *_MIDDLES))),
        ink=_colour(colours[:3]),
        paper=_colour(colours[3:]),
        entry_ink=entry_ink,
    )


def _measured(pixels: Image, lattice: Lattice, board: Board) -> list[list[float]]:
    found = []
    cells = np.argwhere(board)
    for row, column in cells[:: 1 + len(cells) // MAX_MEASURED]:
        quad = lattice.cell(row, column)
        inside = (quad >= 0).all() and (quad < pixels.shape[1::-1]).all()
        measured = _measure_digit(pixels, quad) if inside else None
        if measured is not None:
            found.append(measured)
    return found


def _colour(channels: Iterable[float]) -> Colour:
    blue, green, red = (float(channel) for channel in channels)
    return blue, green, red


def _measure_digit(pixels: Image, quad: Floats) -> list[float] | None:
    """Measure the digit in the cell *quad* (4, 2); None if it can't be seen.

    Returns height, width of the strokes, x and y of the middle, in cells; colours (B, G, R) of ink and paper.
    """
    inner = np.array([[_PIXEL, 0, _INNER], [0, _PIXEL, _INNER], [0, 0, 1]], np.float64)
    patch = sampled(pixels, homography_of_square(quad) @ inner, (_PATCH, _PATCH))
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    offset = np.abs(grey - median(grey))
    strength = quantile(offset, _INK_QUANTILE)
    if strength < _MIN_CONTRAST:
        return None
    mask = (offset > strength / 2).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    left, top, width, height = (int(value) for value in stats[largest, :4])
    # In a stroke that is w pixels wide, the mean distance of ink from the nearest paper is w / 4 + 1 / 2.
    depth = cv2.distanceTransform((labels == largest).astype(np.uint8), cv2.DIST_L2, 3)
    weight = 4 * float(depth[labels == largest].mean()) - 2
    middle_x, middle_y = left + (width - 1) / 2, top + (height - 1) / 2
    ink = patch[offset > _FULL_INK * strength].mean(axis=0)
    paper = patch[mask == 0].mean(axis=0)
    at = [_INNER + middle_x * _PIXEL, _INNER + middle_y * _PIXEL]
    return [height * _PIXEL, weight * _PIXEL, *at, *ink.tolist(), *paper.tolist()]
