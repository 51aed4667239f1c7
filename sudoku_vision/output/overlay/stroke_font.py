"""A font of strokes: each digit is the path of a pen in a box, 1 high and 0.56 wide.

Digits are drawn from a *distance field*: a small picture whose pixels hold their distance from the path of
the pen. The field can be mapped to any size and perspective. It gives strokes of any width with smooth edges
(C. Green, "Improved alpha-tested magnification", SIGGRAPH 2007).
"""

import math
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np

from sudoku_vision.values import Floats

Path2D = list[tuple[float, float]]

FIELD_STEP = 1 / 48  # spacing of samples of a distance field, in digit heights: 1/3 of the thinnest stroke
MARGIN = 0.25  # margin of a distance field around a path's box, in digit heights; wider than any stroke
WIDTH = 0.56  # width of the box of the pen's path, in digit heights

_ARC_STEP = 10  # largest angle between neighbouring points of an arc, in degrees
_CURVE_STEPS = 12  # number of straight pieces of a Bezier curve
_SHORTEST = np.float32(1e-12)  # replaces 0 as a divisor, for a straight piece of length 0


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> Path2D:
    """Return points on an ellipse with the centre (x, y) and the half axes *rx* and *ry*.

    The points run clockwise from *start* to *end*, in degrees. 0 degrees is at the right.
    """
    turns = np.radians(np.linspace(start, end, 1 + max(2, math.ceil(abs(end - start) / _ARC_STEP))))
    return [(x + rx * math.cos(turn), y + ry * math.sin(turn)) for turn in turns]


def _curve(*control: tuple[float, float]) -> Path2D:
    """Return points on the Bezier curve with four *control* points."""
    t = np.linspace(0, 1, _CURVE_STEPS + 1)
    weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3], axis=-1)
    return [(x, y) for x, y in (weights @ np.array(control)).tolist()]


_SIX = [*_curve((0.44, 0.0), (0.16, 0.16), (0.0, 0.42), (0.0, 0.69)), *arc(0.28, 0.69, 0.28, 0.31, 180, 540)]

PEN_PATHS: dict[int, list[Path2D]] = {
    1: [[(0.1, 0.2), (0.34, 0.0), (0.34, 1.0)]],
    2: [[*arc(0.275, 0.275, 0.265, 0.275, 192, 398), (0.0, 1.0), (0.56, 1.0)]],
    3: [
        [
            *arc(0.265, 0.24, 0.245, 0.24, 202, 450),
            (0.2, 0.48),
            (0.265, 0.48),
            *arc(0.265, 0.74, 0.285, 0.26, 270, 520),
        ]
    ],
    4: [[(0.42, 1.0), (0.42, 0.0), (0.0, 0.7), (0.57, 0.7)]],
    5: [[(0.5, 0.0), (0.1, 0.0), (0.06, 0.45), *arc(0.265, 0.67, 0.29, 0.33, 226, 510)]],
    6: [_SIX],
    7: [[(0.0, 0.0), (0.56, 0.0), (0.17, 1.0)]],
    8: [[*arc(0.28, 0.235, 0.235, 0.235, 90, 450), *arc(0.28, 0.735, 0.28, 0.265, 270, 630)]],
    9: [[(WIDTH - x, 1 - y) for x, y in _SIX]],
}
"""For each digit, the lines of the pen's path. A line is a list of points (x, y), in digit heights."""


@lru_cache(maxsize=32)
def distance_field(digit: int) -> Floats:
    """Return the distance of each sample from the path of a *digit*: (72, 51) float32, in digit heights.

    Sample (row, column) lies at x = column * FIELD_STEP - MARGIN, y = row * FIELD_STEP - MARGIN.
    """
    rows = round((1 + 2 * MARGIN) / FIELD_STEP)
    columns = round((WIDTH + 2 * MARGIN) / FIELD_STEP)
    y, x = (np.arange(count, dtype=np.float32) * FIELD_STEP - MARGIN for count in (rows, columns))
    squares = np.full((rows, columns), np.inf, np.float32)
    for start, end in chain.from_iterable(pairwise(np.array(line, np.float32)) for line in PEN_PATHS[digit]):
        np.minimum(squares, _squared_distance(x, y[:, None], start, end), out=squares)
    return np.sqrt(squares)


def _squared_distance(x: Floats, y: Floats, start: Floats, end: Floats) -> Floats:
    """Return the squared distances (H, W) of the points from the line segment between *start* and *end*.

    *x* (W,), *y* (H, 1): the coordinates of the points.
    """
    along = end - start
    right, down = x - start[0], y - start[1]
    share = np.clip((right * along[0] + down * along[1]) / max(along @ along, _SHORTEST), 0, 1)
    return np.asarray((right - share * along[0]) ** 2 + (down - share * along[1]) ** 2)
