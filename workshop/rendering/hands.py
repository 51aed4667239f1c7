"""Draw handwritten digits, each time a little different.

A *writer* is a function that draws digits: with a typeface that looks written, with the pictures of a
database, or as strokes of a pen (:class:`Hand`). A hand also draws forms that databases lack: a 1 with a
flag, a crossed 7, an open 4 and a straight 9.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.values import Image
from workshop.rendering.canvas import digit_mask
from workshop.rendering.typefaces import Mask, Typeface

Points = NDArray[np.float64]
Writer: TypeAlias = Callable[[int, float, Generator], Mask]
"""A function of a digit, a height in pixels and a random generator. It returns the ink of the digit: a mask
(H, W) uint8 of about this height."""

SOFTENED = 0.35  # blur before ink is scaled down, in pixels of the scaled ink: without blur, strokes break up
_MIN_INK = 40  # a pixel of a mask is ink if its value is above this
_PRESSURE_FIELD = 4  # the pressure of the pen is random at 4x4 points of a digit, and interpolated elsewhere
_WEAKEST = (0.2, 0.9)  # range of the weakest pressure in a digit; 1 leaves ink unchanged

_ENLARGED = 112  # side to which a digit of 28 pixels is enlarged, in pixels
_EDGE_BLUR = 2.0  # blur of the enlarged digit, in pixels
_EDGE_LEVEL, _EDGE_STEEPNESS = 110.0, 8.0
"""Grey level of blurred ink that becomes the edge of a stroke, and factor for the contrast at this edge."""
_LEVEL_A_WIDTH = 40.0  # if ``boldness`` grows by 1, the grey level of the edge falls by this number
_EDGE_LEVELS = (40.0, 190.0)  # range of the edge level; lower levels fill loops, higher levels break strokes
_TALL, _PAD = 88, 24  # height of the digit that a hand draws, and width of the margin around it, in pixels


def _read_forms() -> dict[int, list[list[Points]]]:
    forms: dict[int, list[list[Points]]] = {digit: [] for digit in range(1, 10)}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="ascii").splitlines():
        strokes = [[point.split(",") for point in stroke.split()] for stroke in line[1:].split(" | ")]
        forms[int(line[0])].append([np.array(stroke, np.float64) / 100 for stroke in strokes])
    return forms


FORMS = _read_forms()
"""The forms of each digit in ``hands.txt``. A form is a list of strokes (N, 2) of points
(x, y), with y from 0 (top) to 1."""


def in_typeface(face: Typeface) -> Writer:
    """Return a writer whose digits are always those of a typeface."""
    return lambda digit, height, _: digit_mask(str(digit), round(height, 1), face)[0]


def of_database(images: Image, labels: NDArray[np.integer], boldness: float = 0.0) -> Writer:
    """Return a writer that takes each digit from a random picture of a database.

    *images* (N, 28, 28) uint8: digits, white on black. *labels* (N,): which digits they are, 0 to 9.
    *boldness*: width of the pen, in standard deviations above (or below) the usual width.
    """
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(11))

    def write(digit: int, height: float, rng: Generator) -> Mask:
        image = images[order[int(rng.integers(starts[digit], starts[digit + 1]))]]
        return scaled_ink(tight_ink(_redrawn(image, boldness + rng.normal(0, 0.3))), height)

    return write


def many_hands(pen: float) -> Writer:
    """Return a writer that draws each digit with a new random hand. *pen*: pen width / digit height."""
    return lambda digit, height, rng: replace(new_hand(rng), pen=pen)(digit, height, rng)


def _redrawn(image: Image, boldness: float) -> Mask:
    """Return a digit (28, 28), enlarged to (112, 112). A larger *boldness* makes its strokes wider."""
    large = cv2.resize(image, (_ENLARGED, _ENLARGED), interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), _EDGE_BLUR)
    level = float(np.clip(_EDGE_LEVEL - _LEVEL_A_WIDTH * boldness, *_EDGE_LEVELS))
    solid = (large.astype(np.float32) - level) * _EDGE_STEEPNESS + 128
    return np.asarray(np.clip(solid, 0, 255), np.uint8)


@dataclass(frozen=True, eq=False)
class Hand:
    """The habits of a person who writes a page. A hand can be called as a :data:`Writer`."""

    forms: Mapping[int, Sequence[Points]]  # for each digit 1..9, the strokes (N, 2) of its form as in FORMS
    slant: float  # shift of the top to the right, as a share of the digit's height
    wide: float  # factor for the width
    pen: float  # width of strokes, as a share of the digit's height
    shake: float  # standard deviation of random offsets of points, as a share of the digit's height

    def __call__(self, digit: int, height: float, rng: Generator) -> Mask:
        """Return the ink (H, W) uint8 of *digit*. The ink differs a little each time."""
        canvas = np.zeros((_TALL + 2 * _PAD, _TALL + 4 * _PAD), np.uint8)
        thickness = max(2, round(self.pen * _TALL * rng.uniform(0.85, 1.15)))
        for stroke in self.forms[digit]:
            points = stroke + rng.normal(0, self.shake, stroke.shape)
            x = (points[:, 0] - 0.3) * self.wide - self.slant * (points[:, 1] - 0.5)
            x, y = x * _TALL + canvas.shape[1] / 2, points[:, 1] * _TALL + _PAD
            draw_stroke(canvas, np.stack([x, y], axis=1), thickness)
        return scaled_ink(tight_ink(canvas), height)


def new_hand(rng: Generator) -> Hand:
    """Return a hand with random habits."""
    chosen = {digit: forms[int(rng.integers(len(forms)))] for digit, forms in FORMS.items()}
    return Hand(
        {
            digit: [stroke + rng.normal(0, 0.05, stroke.shape) for stroke in form]
            for digit, form in chosen.items()
        },
        slant=rng.normal(0.08, 0.14),
        wide=rng.uniform(0.65, 1.3),
        pen=float(np.exp(rng.uniform(np.log(0.045), np.log(0.16)))),
        shake=rng.uniform(0.005, 0.035),
    )


def draw_stroke(canvas: Image, points: Points, thickness: int) -> None:
    """Draw a smooth stroke through *points* (N, 2), x and y in pixels, into *canvas* (H, W) uint8."""
    curve = points if len(points) < 3 else smooth_curve(np.concatenate([points[:1], points, points[-1:]]), 8)
    line = (16 * curve).round().astype(np.int32)
    cv2.polylines(canvas, [line], False, 255, thickness, cv2.LINE_AA, 4)


def smooth_curve(knots: Points, steps: int) -> Points:
    """Return a smooth curve (N, 2) through the *knots* (K, 2), without the first and the last knot.

    Those two only set the directions of the curve at its ends. There are *steps* points from knot to knot (E.
    Catmull and R. Rom, "A class of local interpolating splines", 1974).
    """
    at = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = [
        first
        + at * (second - before) / 2
        + at**2 * (before - 2.5 * first + 2 * second - after / 2)
        + at**3 * (1.5 * (first - second) + (after - before) / 2)
        for before, first, second, after in zip(knots, knots[1:], knots[2:], knots[3:], strict=False)
    ]
    return np.concatenate([*pieces, knots[-2:-1]])


def tight_ink(mask: Mask) -> Mask:
    """Return a mask (H, W) uint8 without its empty margins."""
    left, top, width, height = ink_box(mask)
    return np.ascontiguousarray(mask[top : top + height, left : left + width])


def ink_box(mask: Mask) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the box around a mask's ink; without ink, of the whole mask."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > _MIN_INK), np.flatnonzero(mask.max(axis=0) > _MIN_INK)
    if not len(rows) or not len(columns):
        return 0, 0, mask.shape[1], mask.shape[0]
    return int(columns[0]), int(rows[0]), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def scaled_ink(mask: Mask, height: float) -> Mask:
    """Return a mask scaled to *height* pixels."""
    scale = height / mask.shape[0]
    size = max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale))
    if scale < 1:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), SOFTENED / scale), np.uint8)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def unevenly_pressed(mask: Mask, rng: Generator) -> Mask:
    """Return a mask with paler ink in some places."""
    pressure = rng.uniform(rng.uniform(*_WEAKEST), 1.0, (_PRESSURE_FIELD, _PRESSURE_FIELD))
    field = cv2.resize(pressure.astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(mask * field, 0, 255), np.uint8)


def rotation(angle: float) -> Points:
    """Return the matrix (2, 2) that rotates points (x, y) by *angle* radians."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def jittered(mask: Mask, rng: Generator, amount: float = 1.0) -> Mask:
    """Return a random variation of a glyph: rotated, slanted, stretched, and sometimes thicker.

    *amount*: strength of the changes; 1 for a steady hand, 2 for a hasty hand.
    """
    height, width = mask.shape
    turn, slant = np.deg2rad(rng.normal(0, 6 * amount)), rng.normal(0.0, 0.12 * amount)
    stretch = np.diag(np.exp(rng.normal(0, 0.1 * amount, 2)))
    matrix = rotation(turn) @ np.array([[1.0, slant], [0.0, 1.0]]) @ stretch
    side = round(1.5 * max(height, width)) + 4
    middle = np.array([side / 2, side / 2]) - matrix @ np.array([width / 2, height / 2])
    moved = cv2.warpAffine(mask, np.c_[matrix, middle], (side, side), flags=cv2.INTER_AREA)
    if rng.random() < 0.4 * amount:
        moved = cv2.dilate(moved, np.ones((2, 2), np.uint8))
    return np.asarray(moved, np.uint8)
