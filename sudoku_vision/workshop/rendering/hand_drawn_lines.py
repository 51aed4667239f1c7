"""The lines of a grid that somebody drew by hand: each a little slanted and bent, some a little too long."""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.grid import GridStyle, PrintedGrid

_BENDS = 5  # places along a line at which the hand corrects itself
_OVERSHOOT = 0.15  # cells by which a line runs on at most
_FINER = 4  # bits of a fraction of a pixel that OpenCV draws with


def draw_lines(
    canvas: Canvas,
    grid: PrintedGrid,
    style: GridStyle,
    colour: Colour,
    shake: float,
    rng: np.random.Generator,
) -> None:
    """Draw the twenty lines of *grid* as a hand does, about *shake* cells off where they belong."""
    mask = np.zeros(canvas.pixels.shape[:2], np.uint8)
    for line in range(10):
        width = (style.thick if line % 3 == 0 else style.thin) * grid.cell
        for upright in (False, True):
            along = np.linspace(-rng.uniform(0, _OVERSHOOT), 9 + rng.uniform(0, _OVERSHOOT), _BENDS)
            across = line + rng.normal(0, shake, _BENDS)
            x, y = (across, along) if upright else (along, across)
            points = np.stack([grid.left + x * grid.cell, grid.top + y * grid.cell], axis=1) - 0.5
            fixed = np.round(points * 2**_FINER).astype(np.int32)
            cv2.polylines(mask, [fixed], False, 255, max(1, round(width)), cv2.LINE_AA, _FINER)
    canvas.ink(mask, 0, 0, colour)
