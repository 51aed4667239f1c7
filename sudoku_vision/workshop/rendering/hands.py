"""Who writes by hand: a typeface that looks written, digits of a database, a hand that draws with a pen.

Databases of handwriting come from few countries; with the pen, the one with a flag, the crossed seven, the
open four and the straight nine are drawn as well. A :class:`Hand` is one person's habits: one hand writes a
page.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

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


Writer: TypeAlias = Callable[[int, float, np.random.Generator], Mask]
"""Whoever writes digits by hand: gives the ink (H, W) uint8 of a digit, about so many pixels tall."""


def in_typeface(face: Typeface) -> Writer:
    """Return who writes in a typeface, every digit alike: each so tall that an 8 is as tall as is asked."""
    return lambda digit, height, _: digit_mask(str(digit), round(height, 1), face)[0]


def of_database(images: Image, labels: NDArray[np.integer], boldness: float = 0.0) -> Writer:
    """Return who writes with the digits of a database of handwriting, each time another person's.

    *images* (N, 28, 28) uint8, white on black, and *labels* (N,), 0 to 9. *boldness*: of the pen on this
    page, in standard deviations.
    """
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(11))

    def write(digit: int, height: float, rng: np.random.Generator) -> Mask:
        image = images[order[int(rng.integers(starts[digit], starts[digit + 1]))]]
        return scaled_ink(tight_ink(_redrawn(image, boldness + rng.normal(0, 0.3))), height)

    return write


def many_hands(pen: float) -> Writer:
    """Return who writes with one pen, as thick as *pen* of a digit's height, each digit as another person."""
    return lambda digit, height, rng: replace(new_hand(rng), pen=pen)(digit, height, rng)


def _redrawn(image: Image, boldness: float) -> Mask:
    """A handwritten 28x28 digit enlarged, its strokes thinner (*boldness* < 0) or bolder."""
    large = cv2.resize(image, (_ENLARGED, _ENLARGED), interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), _EDGE_BLUR)
    level = float(np.clip(_EDGE_LEVEL - _LEVEL_A_WIDTH * boldness, *_EDGE_LEVELS))
    solid = (large.astype(np.float32) - level) * _EDGE_STEEPNESS + 128
    return np.asarray(np.clip(solid, 0, 255), np.uint8)


_TALL = 88  # pixels from top to bottom of a digit drawn with a pen
_PAD = 24


def _read_forms() -> dict[int, list[str]]:
    forms: dict[int, list[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="ascii").splitlines():
        forms.setdefault(int(line[0]), []).append(line[1:].strip())
    return forms


FORMS = _read_forms()
"""How each digit is formed, in several ways, a line of ``hands.txt`` each: the digit, then its strokes, whose
points (x, y) are in hundredths, y from 0 (top) to 100."""


@dataclass(frozen=True, eq=False)
class Hand:
    """One person's habits: the way each digit is formed (by index into FORMS), slant, width and shake."""

    ways: tuple[int, ...]
    habits: dict[int, NDArray[np.float64]]
    slant: float
    wide: float
    pen: float
    shake: float

    def __call__(self, digit: int, height: float, rng: np.random.Generator) -> Mask:
        """Return the ink (H, W) uint8 of *digit*, *height* pixels tall, written anew each time."""
        return scaled_ink(tight_ink(pen_mask(self, digit, rng)), height)


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
