"""Handwriting: who writes a digit, and how the ink of a digit varies from one time to the next.

A writer is a typeface that looks written, the digits of a database, or a hand that draws with a pen.
Databases of handwriting come from few countries. So the pen also draws forms that these databases lack: a 1
with a flag, a crossed 7, an open 4 and a straight 9.
"""

from collections.abc import Callable
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
"""Called with a digit, a height in pixels and a random generator; returns ink (H, W) uint8 of that height."""

SOFTENED = 0.35  # blur before ink is made small, in pixels of the result; without it, fine strokes break up
_MIN_INK = 40  # least grey level of ink; paler pixels are the soft rim of a stroke
_PRESSURE_FIELD = 4  # the pressure of a pen is random at 4x4 places of a digit, and smooth between them
_WEAKEST = (0.2, 0.9)  # range of the weakest pressure of a digit: on paper that takes ink badly, and well

_ENLARGED = 112  # side in pixels of a digit of a database, enlarged four times to find the edges of strokes
_EDGE_BLUR = 2.0  # blur of the enlarged digit in pixels, which removes the steps of the small picture
_EDGE_LEVEL, _EDGE_STEEPNESS = 110.0, 8.0  # grey level at the edge of a stroke, factor that sharpens the edge
_LEVEL_A_WIDTH = 40.0  # grey levels by which the edge level falls for a pen one standard deviation bolder
_EDGE_LEVELS = (40.0, 190.0)  # range of the edge level: lower levels fill loops, higher levels break strokes
_TALL, _PAD = 88, 24  # height of a digit that is drawn with a pen, and the margin round it, in pixels


def _read_forms() -> dict[int, list[list[Points]]]:
    forms: dict[int, list[list[Points]]] = {digit: [] for digit in range(1, 10)}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="ascii").splitlines():
        strokes = [[point.split(",") for point in stroke.split()] for stroke in line[1:].split(" | ")]
        forms[int(line[0])].append([np.array(stroke, np.float64) / 100 for stroke in strokes])
    return forms


FORMS = _read_forms()
"""The forms of each digit. A form is a list of strokes: points (N, 2) with y from 0 (top) to 1 (bottom).

The forms are read from ``hands.txt``. Each line is a form: the digit, then its strokes, in hundredths.
"""


def in_typeface(face: Typeface) -> Writer:
    """Return a writer in a typeface, whose digits never vary; the given height is the height of an 8."""
    return lambda digit, height, _: digit_mask(str(digit), round(height, 1), face)[0]


def of_database(images: Image, labels: NDArray[np.integer], boldness: float = 0.0) -> Writer:
    """Return a writer that takes each digit from a random picture of a database, so from many persons.

    *images* (N, 28, 28) uint8 are the digits, white on black, and *labels* (N,) say which, 0 to 9.
    *boldness*: how bold the pen of this page is, in standard deviations from the usual pen.
    """
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(11))

    def write(digit: int, height: float, rng: Generator) -> Mask:
        image = images[order[int(rng.integers(starts[digit], starts[digit + 1]))]]
        return scaled_ink(tight_ink(_redrawn(image, boldness + rng.normal(0, 0.3))), height)

    return write


def many_hands(pen: float) -> Writer:
    """Return a writer that writes each digit as a new person; *pen* is pen width / digit height."""
    return lambda digit, height, rng: replace(new_hand(rng), pen=pen)(digit, height, rng)


def _redrawn(image: Image, boldness: float) -> Mask:
    """Return a digit (28, 28) enlarged to (112, 112), with thinner (*boldness* < 0) or bolder strokes."""
    large = cv2.resize(image, (_ENLARGED, _ENLARGED), interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), _EDGE_BLUR)
    level = float(np.clip(_EDGE_LEVEL - _LEVEL_A_WIDTH * boldness, *_EDGE_LEVELS))
    solid = (large.astype(np.float32) - level) * _EDGE_STEEPNESS + 128
    return np.asarray(np.clip(solid, 0, 255), np.uint8)


@dataclass(frozen=True, eq=False)
class Hand:
    """The habits of one person, who writes a page: the form of each digit, slant, width, pen and shake.

    ``ways`` has, for each digit 1..9, the index of its form in :data:`FORMS`. ``habits`` has, for each digit,
    how far its points are moved from this form. ``pen`` is a share of the digit's height.
    """

    ways: tuple[int, ...]
    habits: dict[int, Points]
    slant: float
    wide: float
    pen: float
    shake: float

    def __call__(self, digit: int, height: float, rng: Generator) -> Mask:
        """Return the ink (H, W) uint8 of *digit*, *height* pixels tall, each time a little different."""
        canvas = np.zeros((_TALL + 2 * _PAD, _TALL + 4 * _PAD), np.uint8)
        thickness = max(2, round(self.pen * _TALL * rng.uniform(0.85, 1.15)))
        start = 0
        for stroke in FORMS[digit][self.ways[digit - 1]]:
            points = stroke + self.habits[digit][start : start + len(stroke)]
            start += len(stroke)
            points = points + rng.normal(0, self.shake, points.shape)
            x = (points[:, 0] - 0.3) * self.wide - self.slant * (points[:, 1] - 0.5)
            x, y = x * _TALL + canvas.shape[1] / 2, points[:, 1] * _TALL + _PAD
            draw_stroke(canvas, np.stack([x, y], axis=1), thickness)
        return scaled_ink(tight_ink(canvas), height)


def new_hand(rng: Generator) -> Hand:
    """Return a hand with random habits: a new person."""
    ways = tuple(int(rng.integers(len(FORMS[digit]))) for digit in range(1, 10))
    points = {digit: sum(map(len, FORMS[digit][ways[digit - 1]])) for digit in range(1, 10)}
    return Hand(
        ways,
        {digit: rng.normal(0, 0.05, (count, 2)) for digit, count in points.items()},
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
    """Return a smooth curve (N, 2) from the second to the last but one of *knots* (K, 2).

    Between two knots, it has *steps* points. The method is from E. Catmull and R. Rom, "A class of local
    interpolating splines", 1974.
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
    """Return the part of a mask (H, W) uint8 that holds its ink; a mask without ink comes back whole."""
    left, top, width, height = ink_box(mask)
    return np.ascontiguousarray(mask[top : top + height, left : left + width])


def ink_box(mask: Mask) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the ink in a mask (H, W) uint8; of all of it if it has no ink."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > _MIN_INK), np.flatnonzero(mask.max(axis=0) > _MIN_INK)
    if not len(rows) or not len(columns):
        return 0, 0, mask.shape[1], mask.shape[0]
    return int(columns[0]), int(rows[0]), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def scaled_ink(mask: Mask, height: float) -> Mask:
    """Return a mask scaled to *height* pixels.

    The mask is blurred before it shrinks, so that strokes don't break up.
    """
    scale = height / mask.shape[0]
    size = max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale))
    if scale < 1:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), SOFTENED / scale), np.uint8)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def unevenly_pressed(mask: Mask, rng: Generator) -> Mask:
    """Return a mask whose ink is pale in some places, because the pencil was pressed unevenly."""
    pressure = rng.uniform(rng.uniform(*_WEAKEST), 1.0, (_PRESSURE_FIELD, _PRESSURE_FIELD))
    field = cv2.resize(pressure.astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(mask * field, 0, 255), np.uint8)


def rotation(angle: float) -> Points:
    """Return the matrix (2, 2) that turns points (x, y) by *angle* radians."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def jittered(mask: Mask, rng: Generator, amount: float = 1.0) -> Mask:
    """Return a glyph as the same hand could write it the next time: turned, slanted, stretched, or thicker.

    *amount* is how unsteady the hand is: 1 is a steady hand, 2 a hasty one.
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
