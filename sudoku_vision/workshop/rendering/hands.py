"""Who writes by hand: a typeface that looks written, digits of a database, a hand that draws with a pen.

Databases of handwriting come from few countries; with the pen, the one with a flag, the crossed seven, the
open four and the straight nine are drawn as well. A :class:`Hand` is one person's habits: one hand writes a
page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.canvas import digit_mask
from sudoku_vision.output.drawing.typefaces import Mask, Typeface
from sudoku_vision.results import Image
from sudoku_vision.workshop.rendering.ink_masks import scaled_ink, tight_ink

_ENLARGED = 112  # pixels: a digit of a database is drawn four times its size before its edge is found
_EDGE_BLUR = 2.0  # pixels there: the steps of the small picture go, the stroke stays
_EDGE_LEVEL, _EDGE_STEEPNESS = 110.0, 8.0  # grey level of the edge of a stroke, and how sharp it becomes
_LEVEL_A_WIDTH = 40.0  # grey levels by which the edge moves for a pen one standard deviation bolder
_EDGE_LEVELS = (40.0, 190.0)  # beyond these a stroke fills its loops, or breaks


class Writer(Protocol):
    """Whoever writes digits by hand."""

    def glyph(self, digit: int, height: float, rng: np.random.Generator) -> Mask:
        """Return the ink (H, W) uint8 of *digit*, about *height* pixels tall."""
        ...


@dataclass(frozen=True)
class TypefaceWriter:
    """Writes in a typeface, every digit alike."""

    face: Typeface

    def glyph(self, digit: int, height: float, rng: np.random.Generator) -> Mask:  # noqa: ARG002
        """Return the ink of *digit* whose 8 would be *height* pixels tall."""
        return digit_mask(str(digit), round(height, 1), self.face)[0]


@dataclass(frozen=True, eq=False)
class DatabaseWriter:
    """Writes with the digits of a database of handwriting, each time another person's.

    ``images`` (N, 28, 28) uint8, white on black, sorted by digit; ``starts`` (11,): the digit d stands at
    ``starts[d]`` up to ``starts[d + 1]``. ``boldness``: of the pen on this page, in standard deviations.
    """

    images: Image
    starts: NDArray[np.intp]
    boldness: float = 0.0

    @classmethod
    def of(cls, images: Image, labels: NDArray[np.integer], boldness: float = 0.0) -> DatabaseWriter:
        """Sort a database: *images* (N, 28, 28) uint8 and *labels* (N,), 0 to 9."""
        order = np.argsort(labels, kind="stable")
        return cls(images[order], np.searchsorted(labels[order], np.arange(11)), boldness)

    def glyph(self, digit: int, height: float, rng: np.random.Generator) -> Mask:
        """Return the ink of one of the digits of the database, in the page's pen."""
        image = self.images[int(rng.integers(self.starts[digit], self.starts[digit + 1]))]
        return scaled_ink(tight_ink(_redrawn(image, self.boldness + rng.normal(0, 0.3))), height)


def _redrawn(image: Image, boldness: float) -> Mask:
    """A handwritten 28x28 digit enlarged, its strokes thinner (*boldness* < 0) or bolder."""
    large = cv2.resize(image, (_ENLARGED, _ENLARGED), interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), _EDGE_BLUR)
    level = float(np.clip(_EDGE_LEVEL - _LEVEL_A_WIDTH * boldness, *_EDGE_LEVELS))
    solid = (large.astype(np.float32) - level) * _EDGE_STEEPNESS + 128
    return np.asarray(np.clip(solid, 0, 255), np.uint8)


_TALL = 88  # pixels from top to bottom of a digit drawn with a pen
_PAD = 24

FORMS = {
    1: (
        "30,0 30,50 30,100",
        "5,32 20,18 36,0 | 36,0 35,50 34,100",
        "0,45 20,25 38,0 | 38,0 35,50 30,100",
        "10,20 32,0 | 32,0 32,100 | 8,100 56,100",
        "-14,58 14,48 36,0 | 36,0 34,50 32,100",
        "0,92 20,42 38,0 | 38,0 37,50 36,100",
        "-8,52 16,36 34,0 | 34,0 33,50 32,98 | 4,100 60,97",
    ),
    2: (
        "5,25 15,5 35,0 55,12 52,35 30,65 2,100 | 2,100 30,98 60,97",
        "5,25 20,3 45,3 55,25 40,60 15,92 5,85 15,75 35,90 60,98",
        "4,24 24,0 50,14 42,48 12,90 0,84 10,68 34,88 64,92",
        "2,14 30,0 52,20 36,62 6,98 | 6,98 20,90 40,100 64,92",
    ),
    3: (
        "5,12 25,0 50,8 50,30 25,46 | 25,46 50,52 58,75 40,97 15,100 0,88",
        "5,2 50,0 | 50,0 25,40 | 25,40 55,50 58,80 35,100 2,90",
    ),
    4: (
        "15,0 8,30 2,58 | 2,58 60,55 | 42,20 40,100",
        "40,0 0,62 | 0,62 60,62 | 42,0 42,100",
        "25,0 12,30 5,50 20,55 60,48 | 50,15 42,60 30,100",
        "30,0 15,30 0,60 | 0,60 65,56 | 45,35 36,100",
        "8,0 2,34 12,52 50,46 | 52,4 50,50 46,100",
        "12,4 6,46 | 6,46 60,44 | 50,0 46,100",
        "40,100 46,50 48,0 | 48,0 24,30 0,62 | 0,62 64,58",
    ),
    5: (
        "15,3 10,42 | 10,42 35,36 57,55 52,85 25,100 0,90 | 15,3 55,0",
        "58,0 20,2 12,35 40,42 56,68 35,96 0,95",
    ),
    6: (
        "45,0 20,20 3,55 6,88 30,100 52,85 50,60 28,50 6,68",
        "20,0 8,35 3,70 12,95 35,100 50,82 38,64 15,68 5,82",
        "55,2 30,10 8,45 5,80 25,100 48,88 45,66 25,60 12,75 14,82",
    ),
    7: (
        "2,3 55,2 | 55,2 35,45 22,100",
        "2,3 55,2 | 55,2 35,45 22,100 | 15,50 52,47",
        "0,18 3,3 30,6 58,0 | 58,0 42,45 32,100 | 8,66 56,60",
        "0,20 4,2 55,2 | 55,2 40,100",
        "-4,26 2,2 26,14 58,2 | 58,2 42,50 34,100 | 10,64 66,54",
        "-2,22 2,4 56,8 | 56,8 40,55 38,100 | 8,58 64,56",
        "2,3 58,0 | 58,0 34,50 8,100 | 10,48 56,44",
        "2,8 26,2 54,0 | 54,0 46,50 36,100 | 12,70 64,64",
        "-2,0 8,22 50,6 | 50,6 44,50 36,100 | 14,76 70,68",
    ),
    8: (
        "50,15 30,0 10,12 15,33 40,52 55,77 35,100 10,90 8,70 30,48 50,28 50,13",
        "30,46 10,30 15,6 35,0 50,20 40,42 30,46 | 30,46 5,62 8,90 32,100 55,85 50,58 30,46",
    ),
    9: (
        "50,20 30,2 6,15 8,40 30,50 50,30 52,10 | 52,10 50,55 42,100",
        "52,15 30,0 5,20 12,45 38,46 52,12 | 52,12 55,60 40,95 10,96",
        "48,12 25,0 5,18 15,42 40,38 52,18 53,55 42,88 20,100 2,90",
        "48,10 24,0 4,18 14,42 38,42 50,16 | 50,4 54,58 48,92 24,102 0,90",
        "54,2 22,2 2,22 18,46 50,32 | 54,2 52,58 40,100",
        "50,6 18,2 0,24 14,46 46,36 54,4 | 54,4 52,60 44,98 4,98",
        "16,2 2,18 14,40 40,34 52,4 | 52,4 54,56 44,94 10,100",
    ),
}
"""How each digit is formed, in several ways: strokes, points (x, y) in hundredths, y from 0 (top) to 100."""


@dataclass(frozen=True, eq=False)
class Hand:
    """One person's habits: the way each digit is formed (by index into FORMS), slant, width and shake."""

    ways: tuple[int, ...]
    habits: dict[int, NDArray[np.float64]]
    slant: float
    wide: float
    pen: float
    shake: float

    def glyph(self, digit: int, height: float, rng: np.random.Generator) -> Mask:
        """Return the ink (H, W) uint8 of *digit*, *height* pixels tall, written anew each time."""
        return scaled_ink(tight_ink(pen_mask(self, digit, rng)), height)


@dataclass(frozen=True)
class ManyHands:
    """Writes with one pen, as thick as ``pen`` of a digit's height, each digit as another person does."""

    pen: float

    def glyph(self, digit: int, height: float, rng: np.random.Generator) -> Mask:
        """Return the ink (H, W) uint8 of *digit*, *height* pixels tall, by a hand made up for it."""
        return replace(new_hand(rng), pen=self.pen).glyph(digit, height, rng)


def strokes(digit: int, way: int) -> list[NDArray[np.float64]]:
    """Return the strokes of a digit formed that *way*: the points (N, 2) of each, y from 0 (top) to 1."""
    written = FORMS[digit][way].split(" | ")
    return [np.array([point.split(",") for point in stroke.split()], np.float64) / 100 for stroke in written]


def new_hand(rng: np.random.Generator) -> Hand:
    """Make up a person: how each digit is formed, slant, width, pen and shake."""
    ways = tuple(int(rng.integers(len(FORMS[digit]))) for digit in range(1, 10))
    habits = {
        digit: rng.normal(0, 0.05, (sum(map(len, strokes(digit, ways[digit - 1]))), 2))
        for digit in range(1, 10)
    }
    return Hand(
        ways,
        habits,
        slant=rng.normal(0.08, 0.14),
        wide=rng.uniform(0.65, 1.3),
        pen=float(np.exp(rng.uniform(np.log(0.045), np.log(0.16)))),
        shake=rng.uniform(0.005, 0.035),
    )


def pen_mask(hand: Hand, digit: int, rng: np.random.Generator) -> Image:
    """Return the ink (H, W) uint8 of one digit by one hand, not cut to its box."""
    canvas = np.zeros((_TALL + 2 * _PAD, _TALL + 4 * _PAD), np.uint8)
    thickness = max(2, round(hand.pen * _TALL * rng.uniform(0.85, 1.15)))
    start = 0
    for stroke in strokes(digit, hand.ways[digit - 1]):
        points = stroke + hand.habits[digit][start : start + len(stroke)]
        start += len(stroke)
        points = points + rng.normal(0, hand.shake, points.shape)
        x = (points[:, 0] - 0.3) * hand.wide - hand.slant * (points[:, 1] - 0.5)
        draw_stroke(
            canvas,
            np.stack([x * _TALL + canvas.shape[1] / 2, points[:, 1] * _TALL + _PAD], axis=1),
            thickness,
        )
    return canvas


def draw_stroke(canvas: Image, points: NDArray[np.float64], thickness: int) -> None:
    """Draw a smooth stroke through *points* (N, 2), x and y in pixels, into *canvas* (H, W) uint8."""
    line = (16 * _curve(points)).round().astype(np.int32)
    cv2.polylines(canvas, [line], False, 255, thickness, cv2.LINE_AA, 4)


def _curve(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """A smooth curve through points (N, 2): Catmull-Rom, the ends doubled."""
    if len(points) < 3:
        return points
    around = np.concatenate([points[:1], points, points[-1:]])
    at = np.linspace(0, 1, 8, endpoint=False)[:, None]
    pieces = []
    for before, first, second, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        pieces.append(
            first
            + at * (second - before) / 2
            + at**2 * (before - 2.5 * first + 2 * second - after / 2)
            + at**3 * (1.5 * (first - second) + (after - before) / 2)
        )
    return np.concatenate([*pieces, points[-1:]])
