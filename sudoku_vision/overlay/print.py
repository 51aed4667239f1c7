"""How a grid is printed: size, weight and colours of its clues, measured in the photo."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.geometry import homography_of_square
from sudoku_vision.results import Board, Floats, Image, Lattice

MEASURED_CLUES = 9
"""So many clues are measured at most: their median hardly changes with more."""

_PATCH = 32
"""Side in pixels of the patch on which a printed cell is measured."""

_INNER = 0.1
"""Part of a cell left out at each side when its print is measured: grid lines end there."""


@dataclass(frozen=True)
class PrintStyle:
    """How a grid is printed; lengths in cells.

    ``height`` of the digits, ``weight`` of their strokes, ``middle`` (x, y) of a digit within its cell, and
    the colours of ``ink`` and ``paper`` in BGR.
    """

    height: float = 0.56
    weight: float = 0.08
    middle: tuple[float, float] = (0.5, 0.5)
    ink: tuple[float, float, float] = (40.0, 40.0, 40.0)
    paper: tuple[float, float, float] = (220.0, 220.0, 220.0)


def measure_print(pixels: Image, lattice: Lattice, puzzle: Board) -> PrintStyle:
    """Measure how the clues of *puzzle* are printed in the cells of *lattice*."""
    clues = []
    cells = np.argwhere(puzzle)
    for row, column in cells[:: 1 + len(cells) // MEASURED_CLUES]:
        quad = lattice.cell(row, column)
        inside = (quad >= 0).all() and (quad < pixels.shape[1::-1]).all()
        measured = _measure_cell(pixels, quad) if inside else None
        if measured is not None:
            clues.append(measured)
    if len(clues) < 3:
        return PrintStyle()
    height, weight, x, y, *colours = np.median(np.array(clues), axis=0)
    return PrintStyle(
        height=float(np.clip(height, 0.4, 0.72)),
        weight=float(np.clip(weight, 0.055, 0.12)),
        middle=(float(np.clip(x, 0.42, 0.58)), float(np.clip(y, 0.42, 0.58))),
        ink=(float(colours[0]), float(colours[1]), float(colours[2])),
        paper=(float(colours[3]), float(colours[4]), float(colours[5])),
    )


def _measure_cell(pixels: Image, quad: Floats) -> list[float] | None:
    """Height, weight, middle x and y of one printed digit, then ink and paper; None if it can't be seen."""
    side = (1 - 2 * _INNER) / (_PATCH - 1)
    inner = np.array([[side, 0, _INNER], [0, side, _INNER], [0, 0, 1]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = homography_of_square(quad) @ inner
    patch = cv2.warpPerspective(
        pixels, matrix, (_PATCH, _PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    offset = np.abs(grey - np.median(grey))
    strength = float(np.percentile(offset, 97))
    if strength < 12:
        return None
    mask = (offset > strength / 2).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    left, top, width, height = (int(value) for value in stats[largest, :4])
    digit = (labels == largest).astype(np.uint8)
    # Across a stroke of w pixels the distances from its edges have the mean w / 4 + 1 / 2.
    depth = cv2.distanceTransform(digit, cv2.DIST_L2, 3)
    weight = 4 * float(depth[digit > 0].mean()) - 2
    middle_x, middle_y = left + (width - 1) / 2, top + (height - 1) / 2
    ink = patch[offset > 0.75 * strength].mean(axis=0)
    paper = patch[mask == 0].mean(axis=0)
    at = [_INNER + middle_x * side, _INNER + middle_y * side]
    return [height * side, weight * side, *at, *ink.tolist(), *paper.tolist()]
