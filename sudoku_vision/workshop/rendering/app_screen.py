"""Lay out the screen of a sudoku app: status bar, title, grid, tools, number pad."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour, brightened
from sudoku_vision.output.drawing.grid import PrintedGrid
from sudoku_vision.workshop.rendering.conditions import Conditions
from sudoku_vision.workshop.rendering.page import LEVELS, Area, Content, Fonts, Page, put_grid

_PHONE_ASPECT = 2.05


def lay_out_app(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """Lay out the screen of a sudoku app: status bar, title, grid, tools, number pad."""
    side = 9 * cell
    margin = max(conditions.surround * side, 0.12 * cell)
    width = side + 2 * margin
    aspect = conditions.size[1] / conditions.size[0] if conditions.screenshot else _PHONE_ASPECT
    wide = aspect < 1.2
    total = width * (1.55 if wide else 1.0)
    canvas = Canvas.blank(round(total), round(total * aspect), conditions.paper)
    ink: Colour = (225, 225, 225) if conditions.dark else (60, 55, 50)
    top = (canvas.height - side) * float(rng.uniform(0.45, 0.75) if wide else rng.uniform(0.2, 0.42))
    if not wide:
        _status_bar(canvas, cell, fonts, ink, rng)
    level = LEVELS[int(rng.integers(len(LEVELS)))]
    canvas.text(level, margin, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    clock = f"0{int(rng.integers(1, 9))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, margin + side - 1.4 * cell, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    grid = put_grid(canvas, conditions, contents[0], (margin, top), cell, fonts, rng)
    pad = Area(margin, top + side + 0.6 * cell, margin + side, canvas.height - 0.4 * cell)
    if wide:
        pad = Area(width + margin, top, total - margin, top + side)
    _number_pad(canvas, pad, cell, conditions, fonts, rng)
    return Page(canvas, (grid,)) if conditions.screenshot else _in_a_phone(canvas, grid)


def _in_a_phone(canvas: Canvas, grid: PrintedGrid) -> Page:
    """The screen within the black rim of a phone."""
    rim, ends = round(0.22 * grid.cell), round(0.55 * grid.cell)
    pixels = cv2.copyMakeBorder(
        canvas.pixels, ends, ends, rim, rim, cv2.BORDER_CONSTANT, value=(22.0, 20.0, 20.0)
    )
    moved = replace(grid, left=grid.left + rim, top=grid.top + ends)
    return Page(Canvas(np.asarray(pixels, np.uint8)), (moved,))


def _status_bar(canvas: Canvas, cell: float, fonts: Fonts, ink: Colour, rng: np.random.Generator) -> None:
    """Clock and battery of a phone."""
    clock = f"{int(rng.integers(7, 23))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, 0.5 * cell, 0.2 * cell, 0.36 * cell, fonts.text, ink)
    right = canvas.width - 0.5 * cell
    canvas.frame(right - 0.5 * cell, 0.2 * cell, right, 0.44 * cell, max(1.0, 0.03 * cell), ink)
    canvas.rectangle(right - 0.48 * cell, 0.22 * cell, right - 0.16 * cell, 0.42 * cell, ink)


def _number_pad(
    canvas: Canvas, area: Area, cell: float, conditions: Conditions, fonts: Fonts, rng: np.random.Generator
) -> None:
    """Nine keys, in a row below the grid or in a square beside it."""
    columns = 3 if area.width < 0.75 * area.height else 9
    key = min(area.width / columns, area.height / (9 // columns))
    if key < 4:
        return
    face_colour = brightened(conditions.paper, 25 if conditions.dark else -18)
    boxed = rng.random() < 0.5
    ink = conditions.writing.colour if rng.random() < 0.6 else conditions.grid.digit_colour
    top = area.top if columns == 3 else min(area.top + 1.6 * cell, area.bottom - key)
    for digit in range(1, 10):
        row, column = divmod(digit - 1, columns)
        x, y = area.left + column * area.width / columns, top + row * key
        if boxed:
            canvas.rectangle(
                x + 0.06 * key, y, x + area.width / columns - 0.06 * key, y + 0.9 * key, face_colour
            )
        canvas.glyph(str(digit), x + area.width / columns / 2, y + key * 0.45, key * 0.45, fonts.digits, ink)
    if columns == 9 and area.top + 1.4 * cell < top + 1:
        for number, name in enumerate(("Undo", "Erase", "Notes", "Hint")):
            x = area.left + (number + 0.5) * area.width / 4
            canvas.text(name, x, area.top + 0.3 * cell, 0.36 * cell, fonts.text, ink, centred=True)
