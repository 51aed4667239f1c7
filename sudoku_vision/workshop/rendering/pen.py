"""Digits as a pen draws them: strokes through a few points, in the several ways people form each digit.

Databases of handwriting come from few countries; here the one with a flag, the crossed seven, the open four
and the straight nine are drawn as well. A :class:`Hand` is one person's habits: one hand writes a page.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.typefaces import Mask
from sudoku_vision.results import Image
from sudoku_vision.workshop.rendering.ink_masks import scaled_ink, tight_ink

Stroke = tuple[tuple[float, float], ...]

_TALL = 88  # pixels from top to bottom of a drawn digit
_PAD = 24

FORMS: dict[int, tuple[tuple[Stroke, ...], ...]] = {
    1: (
        (((0.3, 0), (0.3, 0.5), (0.3, 1)),),
        (((0.05, 0.32), (0.2, 0.18), (0.36, 0)), ((0.36, 0), (0.35, 0.5), (0.34, 1))),
        (((0.0, 0.45), (0.2, 0.25), (0.38, 0)), ((0.38, 0), (0.35, 0.5), (0.3, 1))),
        (((0.1, 0.2), (0.32, 0)), ((0.32, 0), (0.32, 1)), ((0.08, 1), (0.56, 1))),
    ),
    2: (
        (
            ((0.05, 0.25), (0.15, 0.05), (0.35, 0), (0.55, 0.12), (0.52, 0.35), (0.3, 0.65), (0.02, 1)),
            ((0.02, 1), (0.3, 0.98), (0.6, 0.97)),
        ),
        (
            (
                (0.05, 0.25), (0.2, 0.03), (0.45, 0.03), (0.55, 0.25), (0.4, 0.6), (0.15, 0.92),
                (0.05, 0.85), (0.15, 0.75), (0.35, 0.9), (0.6, 0.98),
            ),
        ),
    ),
    3: (
        (
            ((0.05, 0.12), (0.25, 0), (0.5, 0.08), (0.5, 0.3), (0.25, 0.46)),
            ((0.25, 0.46), (0.5, 0.52), (0.58, 0.75), (0.4, 0.97), (0.15, 1), (0, 0.88)),
        ),
        (
            ((0.05, 0.02), (0.5, 0.0)),
            ((0.5, 0), (0.25, 0.4)),
            ((0.25, 0.4), (0.55, 0.5), (0.58, 0.8), (0.35, 1), (0.02, 0.9)),
        ),
    ),
    4: (
        (((0.15, 0), (0.08, 0.3), (0.02, 0.58)), ((0.02, 0.58), (0.6, 0.55)), ((0.42, 0.2), (0.4, 1))),
        (((0.4, 0), (0.0, 0.62)), ((0, 0.62), (0.6, 0.62)), ((0.42, 0), (0.42, 1))),
        (
            ((0.25, 0), (0.12, 0.3), (0.05, 0.5), (0.2, 0.55), (0.6, 0.48)),
            ((0.5, 0.15), (0.42, 0.6), (0.3, 1)),
        ),
        (((0.3, 0), (0.15, 0.3), (0.0, 0.6)), ((0, 0.6), (0.65, 0.56)), ((0.45, 0.35), (0.36, 1))),
    ),
    5: (
        (
            ((0.15, 0.03), (0.1, 0.42)),
            ((0.1, 0.42), (0.35, 0.36), (0.57, 0.55), (0.52, 0.85), (0.25, 1), (0.0, 0.9)),
            ((0.15, 0.03), (0.55, 0.0)),
        ),
        (((0.58, 0), (0.2, 0.02), (0.12, 0.35), (0.4, 0.42), (0.56, 0.68), (0.35, 0.96), (0.0, 0.95)),),
    ),
    6: (
        (
            (
                (0.45, 0), (0.2, 0.2), (0.03, 0.55), (0.06, 0.88), (0.3, 1),
                (0.52, 0.85), (0.5, 0.6), (0.28, 0.5), (0.06, 0.68),
            ),
        ),
        (
            (
                (0.2, 0), (0.08, 0.35), (0.03, 0.7), (0.12, 0.95), (0.35, 1),
                (0.5, 0.82), (0.38, 0.64), (0.15, 0.68), (0.05, 0.82),
            ),
        ),
        (
            (
                (0.55, 0.02), (0.3, 0.1), (0.08, 0.45), (0.05, 0.8), (0.25, 1),
                (0.48, 0.88), (0.45, 0.66), (0.25, 0.6), (0.12, 0.75), (0.14, 0.82),
            ),
        ),
    ),
    7: (
        (((0.02, 0.03), (0.55, 0.02)), ((0.55, 0.02), (0.35, 0.45), (0.22, 1))),
        (((0.02, 0.03), (0.55, 0.02)), ((0.55, 0.02), (0.35, 0.45), (0.22, 1)), ((0.15, 0.5), (0.52, 0.47))),
        (
            ((0.0, 0.18), (0.03, 0.03), (0.3, 0.06), (0.58, 0)),
            ((0.58, 0), (0.36, 0.4), (0.25, 1)),
            ((0.12, 0.52), (0.56, 0.45)),
        ),
        (((0.0, 0.2), (0.04, 0.02), (0.55, 0.02)), ((0.55, 0.02), (0.4, 1))),
    ),
    8: (
        (
            (
                (0.5, 0.15), (0.3, 0), (0.1, 0.12), (0.15, 0.33), (0.4, 0.52), (0.55, 0.77), (0.35, 1),
                (0.1, 0.9), (0.08, 0.7), (0.3, 0.48), (0.5, 0.28), (0.5, 0.13),
            ),
        ),
        (
            ((0.3, 0.46), (0.1, 0.3), (0.15, 0.06), (0.35, 0), (0.5, 0.2), (0.4, 0.42), (0.3, 0.46)),
            ((0.3, 0.46), (0.05, 0.62), (0.08, 0.9), (0.32, 1), (0.55, 0.85), (0.5, 0.58), (0.3, 0.46)),
        ),
    ),
    9: (
        (
            ((0.5, 0.2), (0.3, 0.02), (0.06, 0.15), (0.08, 0.4), (0.3, 0.5), (0.5, 0.3), (0.52, 0.1)),
            ((0.52, 0.1), (0.5, 0.55), (0.42, 1)),
        ),
        (
            ((0.52, 0.15), (0.3, 0.0), (0.05, 0.2), (0.12, 0.45), (0.38, 0.46), (0.52, 0.12)),
            ((0.52, 0.12), (0.55, 0.6), (0.4, 0.95), (0.1, 0.96)),
        ),
        (
            (
                (0.48, 0.12), (0.25, 0.0), (0.05, 0.18), (0.15, 0.42), (0.4, 0.38), (0.52, 0.18),
                (0.53, 0.55), (0.42, 0.88), (0.2, 1), (0.02, 0.9),
            ),
        ),
    ),
}  # fmt: skip
"""How each digit is formed: ways, strokes of each, points (x, y) of each, y from 0 (top) to 1 (bottom)."""


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


def new_hand(rng: np.random.Generator) -> Hand:
    """Make up a person: how each digit is formed, slant, width, pen and shake."""
    ways = tuple(int(rng.integers(len(FORMS[digit]))) for digit in range(1, 10))
    habits = {
        digit: rng.normal(0, 0.035, (sum(map(len, FORMS[digit][ways[digit - 1]])), 2))
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
    for stroke in FORMS[digit][hand.ways[digit - 1]]:
        points = np.array(stroke, np.float64) + hand.habits[digit][start : start + len(stroke)]
        start += len(stroke)
        points = points + rng.normal(0, hand.shake, points.shape)
        x = (points[:, 0] - 0.3) * hand.wide - hand.slant * (points[:, 1] - 0.5)
        line = _curve(np.stack([x * _TALL + canvas.shape[1] / 2, points[:, 1] * _TALL + _PAD], axis=1))
        cv2.polylines(canvas, [(line * 16).round().astype(np.int32)], False, 255, thickness, cv2.LINE_AA, 4)
    return canvas


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
