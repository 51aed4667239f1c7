"""Ink on the photo: shapes drawn on a lattice, in perspective, with smooth edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.geometry import homography_of_square, project
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.overlay.background_fill import cover_ink, covered_patch, paper_colour
from sudoku_vision.output.overlay.digit_placing import PlacedDigit, place_digits
from sudoku_vision.output.overlay.shapes import DrawnDigit, DrawnLine, Place, Shape, Tag, Wash
from sudoku_vision.output.overlay.tag import draw_tag
from sudoku_vision.results import Floats, Image, Lattice

DARK_STRENGTH = 0.4
"""How much of a wash's colour dark paper takes on: light on it shows far more than a shade does on white."""

_SHIFT = 4
"""Binary places of the coordinates that OpenCV draws with: a sixteenth of a pixel."""


def draw_shapes(pixels: Image, lattice: Lattice, shapes: Iterable[Shape]) -> None:
    """Draw *shapes* on the grid at *lattice* into (H, W, 3) uint8 BGR, in place, one after another."""
    cell_size = lattice.cell_size
    shapes = tuple(shapes)
    digits = [shape for shape in shapes if isinstance(shape, DrawnDigit)]
    placed = iter(place_digits(lattice, digits, pixels.shape[:2]))
    for shape in shapes:
        if isinstance(shape, DrawnDigit):
            _draw_digit(pixels, next(placed))
        elif isinstance(shape, DrawnLine):
            points = points_in_photo(lattice, shape.points)
            draw_path(pixels, points, shape.colour, shape.width * cell_size, closed=shape.closed)
        elif isinstance(shape, Wash):
            for cell in shape.cells:
                _lay_wash(pixels, lattice.cell(*divmod(cell, 9)), shape)
        elif isinstance(shape, Tag):
            draw_tag(pixels, lattice, shape)
        else:
            cover_ink(pixels, lattice.cell(*divmod(shape.cell, 9)), shape.strength)


def points_in_photo(lattice: Lattice, places: Sequence[Place]) -> Floats:
    """Return where *places*, in lattice units, lie in the photo, (N, 2) float32.

    Each is seen in the perspective of its own cell; what lies on a crossing is where that is.
    """
    units = np.array(places, np.float64).reshape(-1, 2)
    if (units == np.rint(units)).all():
        columns, rows = units.astype(int).T
        return np.asarray(lattice.crossings[rows, columns], np.float32)
    cells = np.clip(np.floor(units), 0, 8).astype(int)
    points = np.empty(units.shape, np.float32)
    for column, row in set(map(tuple, cells.tolist())):
        here = (cells == (column, row)).all(axis=1)
        within = (units[here] - (column, row)).astype(np.float32)
        points[here] = project(within, homography_of_square(lattice.cell(row, column)))
    return points


def _draw_digit(pixels: Image, placed: PlacedDigit | None) -> None:
    """Write one digit where it is *placed*, in place, stroke over stroke."""
    if placed is None:
        return
    patch, distance = placed.patch_of(pixels), placed.distance
    for width, colour, strength in placed.strokes:
        _blend(patch, colour or paper_colour(patch), np.float32(strength) * placed.cover(distance, width))


def _lay_wash(pixels: Image, quad: Floats, wash: Wash) -> None:
    """Lay a transparent colour on the cell with corners *quad*: light paper darkens, dark paper lightens."""
    covered = covered_patch(pixels, quad)
    if covered is None:
        return
    patch, mask = covered
    share = (wash.strength / 255 * mask)[:, :, None]
    tint = np.array(wash.colour) / 255
    light = patch / 255.0
    laid = 1 - (1 - light) * (1 - DARK_STRENGTH * tint) if wash.dark else light * tint
    patch[:] = np.rint(255 * (light + share * (laid - light))).astype(np.uint8)


def draw_path(pixels: Image, points: Floats, colour: Colour, width: float, *, closed: bool = False) -> None:
    """Draw a smooth line through *points* (N, 2), in place; *width* in pixels."""
    if not np.isfinite(points).all() or np.abs(points).max(initial=0) > _FAR:
        return
    path = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(pixels, [path], closed, colour, _thickness(width), cv2.LINE_AA, _SHIFT)


def _thickness(width: float) -> int:
    """Return what to ask of OpenCV for a smooth line about *width* pixels wide.

    It draws 1.4 for a thickness of 1, 3.4 for 2, 5.4 for 3 and 4, 7.4 for 5 and 6, and so on.
    """
    steps = max(0, math.ceil((width - 1.4) / 2 - 0.35))
    return steps + 1 if steps < 2 else 2 * steps - 1


_FAR = 1e6
"""Points beyond this, in pixels, are no points of a photo."""


def _blend(patch: Image, colour: Colour, cover: Floats) -> None:
    """Lay *colour* on a patch (H, W, 3), as much of it as *cover* (H, W) says."""
    height, width = cover.shape
    sheet = _sheet(colour, -(-height // _SHEET_STEP), -(-width // _SHEET_STEP))
    patch[:] = cv2.blendLinear(sheet[:height, :width], patch, cover, 1 - cover)


_SHEET_STEP = 64
"""Sheets of one colour come in sides of so many pixels, so that one serves all digits of a grid."""


@lru_cache(maxsize=8)
def _sheet(colour: Colour, rows: int, columns: int) -> Image:
    return np.full((rows * _SHEET_STEP, columns * _SHEET_STEP, 3), colour, np.uint8)
