"""Paint shapes into a photo, in perspective and with smooth edges."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.geometry import Homography, Points
from sudoku_vision.output.drawing.figure import Area, Colour, Figure, Line, Text, box
from sudoku_vision.output.overlay.background_fill import FAR, SHIFT, cover_ink, covered_patch, paper_colour
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

_Box = tuple[int, int, int, int]  # left, top, right and bottom of the pixels of a digit
_FIELD = np.array([[FIELD_STEP, 0, -MARGIN], [0, FIELD_STEP, -MARGIN], [0, 0, 1]])
"""Matrix that maps (column, row) in a distance field to (x, y) in the box of the pen's path."""
_BOX = np.array([(0, 0, 1), (WIDTH, 0, 1), (WIDTH, 1, 1), (0, 1, 1)])  # corners of a pen's box, (x, y, 1)
_OUTWARDS = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])  # directions from the corners outwards
_SHEET_STEP = 64  # sides of one-coloured sheets are multiples of this: digits of similar size share a sheet


def draw_shapes(pixels: Image, lattice: Lattice, shapes: Iterable[Shape], language: str = ENGLISH) -> None:
    """Draw *shapes* on the grid at *lattice* into *pixels* (H, W, 3) uint8 BGR, in place.

    *language*: language code of words.
    """
    room = pixels.shape[1], pixels.shape[0]
    primitives = flatten(shapes, lattice, pixel=1.0, room=room, language=language)
    digits = [one for one in primitives if isinstance(one, PenDigit)]
    places = iter(_places(digits, pixels.shape))
    for one in primitives:
        match one:
            case PenDigit():
                if (place := next(places)) is not None:
                    _write_digit(pixels, one, *place)
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
        patch, mask = covered
        light = patch / 255
        laid = 1 - (1 - light) * (1 - colour) if area.blend == "screen" else light * colour
        patch[:] = np.rint(255 * (light + mask[:, :, None] / 255 * (laid - light))).astype(np.uint8)


def _write_digit(pixels: Image, digit: PenDigit, box: _Box, matrix: Homography) -> None:
    """Write a *digit* into the part *box* of a photo; *matrix* maps the distance field to the box."""
    left, top, right, bottom = box
    patch = pixels[top:bottom, left:right]
    distances = cv2.warpPerspective(  # of each pixel to the path of the pen, in heights of the pen's box
        distance_field(digit.shape.digit),
        matrix,
        (right - left, bottom - top),
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
    """Return a picture of one *colour*, with *rows* x *columns* squares of _SHEET_STEP pixels."""
    return np.full((rows * _SHEET_STEP, columns * _SHEET_STEP, 3), colour, np.uint8)


def _places(digits: Sequence[PenDigit], photo: tuple[int, ...]) -> list[tuple[_Box, Homography] | None]:
    """Return each digit's box of pixels, and the matrix from its distance field to the box.

    A digit outside of the photo gives None.
    """
    if not digits:
        return []
    reach = np.array([min(MARGIN, one.strokes[0].width / 2 + 1 / one.size) for one in digits])
    matrices = np.stack([one.matrix for one in digits])
    corners = _BOX + reach[:, None, None] * _OUTWARDS
    with np.errstate(all="ignore"):  # a digit that is not in the photo may give NaN
        seen = corners @ matrices.transpose(0, 2, 1)
        depth = seen[..., 2]
        there = np.isfinite(seen).all(axis=(1, 2)) & (depth * depth[:, :1] > 0).all(axis=1)
        points = np.where(there[:, None, None], seen[..., :2] / depth[..., None], -1.0)
        fields = matrices @ _FIELD
        limit = np.array([photo[1], photo[0]])
        starts = np.floor(np.clip(points.min(axis=1), 0, limit)).astype(int)
        ends = np.minimum(np.ceil(np.clip(points.max(axis=1), -1, limit)) + 1, limit).astype(int)
        fields[:, :2] -= starts[:, :, None] * fields[:, 2:]
    return [
        ((left, top, right, bottom), field) if good and left < right and top < bottom else None
        for good, (left, top), (right, bottom), field in zip(
            there, starts.tolist(), ends.tolist(), fields, strict=True
        )
    ]


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
    corner = label.corner - rim * (label.along + label.down)
    _lay_sheet(pixels, sheet, replace(label, corner=corner, width=width, height=height))


def _lay_sheet(pixels: Image, sheet: Image, label: Label) -> None:
    corners = label.corners
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, pixels.shape[1::-1])
    if (low >= high).any():
        return
    matrix = np.column_stack([label.along, label.down, label.corner - low])
    layers = np.dstack([sheet, np.full(sheet.shape[:2], 255, np.uint8)])
    laid = cv2.warpAffine(layers, matrix, (int(high[0] - low[0]), int(high[1] - low[1])))
    patch = pixels[low[1] : high[1], low[0] : high[0]]
    patch[:] = np.rint(laid[:, :, :3] + patch * (1 - laid[:, :, 3:] / 255)).clip(0, 255).astype(np.uint8)
