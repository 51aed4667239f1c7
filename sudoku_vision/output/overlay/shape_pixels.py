"""Paint shapes into a photo, in perspective and with smooth edges."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.geometry import UNIT_SQUARE, Points, is_in_front, project
from sudoku_vision.output.drawing.figure import Area, Colour, Figure, Line, Text, box
from sudoku_vision.output.overlay.background_fill import (
    FAR,
    SHIFT,
    cover_ink,
    covered_patch,
    paper_colour,
    patch_around,
)
from sudoku_vision.output.overlay.flatten import (
    LETTERS,
    RIM,
    Cover,
    Label,
    PenDigit,
    flatten,
    laid_colour,
    letter_colour,
)
from sudoku_vision.output.overlay.shapes import Shape
from sudoku_vision.output.overlay.stroke_font import FIELD_STEP, MARGIN, WIDTH, distance_field
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.results import Lattice

_FIELD = np.array([[FIELD_STEP, 0, -MARGIN], [0, FIELD_STEP, -MARGIN], [0, 0, 1]])
"""Matrix that maps (column, row) in a distance field to (x, y) in the box of the pen's path."""
_BOX = UNIT_SQUARE * (WIDTH, 1)  # corners of the box of the pen's path, (x, y)
_OUTWARDS = 2 * UNIT_SQUARE - 1  # directions from these corners outwards
_SHEET_STEP = 64
"""The sides of a one-coloured picture (:func:`_sheet`) are multiples of this, in pixels. So digits of similar
size share one such picture."""


def draw_shapes(pixels: Image, lattice: Lattice, shapes: Iterable[Shape], language: str = ENGLISH) -> None:
    """Draw *shapes* on the grid at *lattice* into *pixels* (H, W, 3) uint8 BGR, in place."""
    room = pixels.shape[1], pixels.shape[0]
    for one in flatten(shapes, lattice, pixel=1.0, room=room, language=language):
        match one:
            case PenDigit():
                _write_digit(pixels, one)
            case Line(points, width, colour, closed):
                draw_path(pixels, np.asarray(points), colour, width, closed=closed)
            case Area():
                _lay_colour(pixels, one)
            case Cover(_, corners, strength):
                cover_ink(pixels, corners, strength)
            case Label():
                _lay_label(pixels, one)


def draw_path(
    pixels: Image, points: Floats | Points, colour: Colour, width: float, *, closed: bool = False
) -> None:
    """Draw a line through *points* (N, 2), in place; *width* is in pixels."""
    if not np.isfinite(points).all() or np.abs(points).max(initial=0) > FAR:
        return
    path = np.rint(points * (1 << SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    # OpenCV's thickness 1 gives a line 1.4 pixels wide, 2 gives 3.4, 3 and 4 give 5.4, 5 and 6 give 7.4.
    steps = max(0, math.ceil((width - 1.4) / 2 - 0.35))
    thickness = steps + 1 if steps < 2 else 2 * steps - 1
    cv2.polylines(pixels, [path], closed, colour, thickness, cv2.LINE_AA, SHIFT)


def _lay_colour(pixels: Image, area: Area) -> None:
    colour = np.array(laid_colour(area)) / 255
    for quad in area.polygons:
        covered = covered_patch(pixels, np.asarray(quad))
        if covered is None:
            continue
        patch, mask, _ = covered
        light = patch / 255
        laid = 1 - (1 - light) * (1 - colour) if area.blend == "screen" else light * colour
        patch[:] = np.rint(255 * (light + mask[:, :, None] / 255 * (laid - light))).astype(np.uint8)


def _write_digit(pixels: Image, digit: PenDigit) -> None:
    reach = min(MARGIN, digit.strokes[0].width / 2 + 1 / digit.size)
    corners = _BOX + reach * _OUTWARDS
    found = None
    if is_in_front(corners, digit.matrix):
        found = patch_around(pixels, project(corners, digit.matrix))
    if found is None:
        return
    patch, corner = found
    field = digit.matrix @ _FIELD
    field[:2] -= np.array(corner)[:, None] * field[2]
    # The distance of each pixel from the path of the pen. The unit is the height of the path's box.
    distances = cv2.warpPerspective(
        distance_field(digit.shape.digit),
        field,
        patch.shape[1::-1],
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1.0,
    )
    for stroke in digit.strokes:
        radius = min(stroke.width / 2, MARGIN - 1 / digit.size)
        reach = 0.5 + radius * digit.size
        cover: Floats = np.clip(reach - distances * digit.size, 0, 1, dtype=np.float32)
        cover *= np.float32(stroke.strength)
        height, width = cover.shape
        colour = stroke.colour or paper_colour(patch)
        sheet = _sheet(colour, -(-height // _SHEET_STEP), -(-width // _SHEET_STEP))
        patch[:] = cv2.blendLinear(sheet[:height, :width], patch, cover, 1 - cover)


@lru_cache(maxsize=8)
def _sheet(colour: Colour, rows: int, columns: int) -> Image:
    """Return a picture of one *colour*: *rows* x *columns* squares with a side of _SHEET_STEP pixels."""
    return np.full((rows * _SHEET_STEP, columns * _SHEET_STEP, 3), colour, np.uint8)


def _lay_label(pixels: Image, label: Label) -> None:
    from sudoku_vision.output.drawing.raster import raster
    from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT

    ink, words = letter_colour(label.tag.colour), label.tag.words
    rim, em = RIM * label.height, LETTERS * label.height
    width, height = round(label.width + 2 * rim), round(label.height + 2 * rim)
    middle = (width / 2, (height + CAP_HEIGHT * em) / 2)
    elements = (
        Area([box(0, 0, width, height)], ink),
        Area([box(rim, rim, width - rim, height - rim)], label.tag.colour),
        Text(words, middle, em, ink, bold=True, anchor="middle"),
    )
    sheet = raster(Figure(width, height, elements))
    start = label.corner - rim * (label.along + label.down)
    found = patch_around(pixels, replace(label, corner=start, width=width, height=height).corners)
    if found is None:
        return
    patch, corner = found
    matrix = np.column_stack([label.along, label.down, start - corner])
    layers = np.dstack([sheet, np.full(sheet.shape[:2], 255, np.uint8)])
    laid = cv2.warpAffine(layers, matrix, patch.shape[1::-1])
    patch[:] = np.rint(laid[:, :, :3] + patch * (1 - laid[:, :, 3:] / 255)).clip(0, 255).astype(np.uint8)
