"""Print that strays: digits a little tilted, off their place, paler, some in another typeface.

Cheap presses print so. A classifier that has met nothing but even print takes what strays for handwriting.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.grid import GridStyle, PrintedGrid
from sudoku_vision.output.drawing.typefaces import Mask, Typeface, glyph_mask
from sudoku_vision.workshop.rendering.ink_masks import SOFTENED

_EM = 72  # pixels: digits are drawn once at this size, then brought to theirs, so no hinting bends them
_WIDEST = 0.9  # cells: a wider digit is made smaller
_FINE = 0.6  # scale below which a digit is softened before it is made so small


@dataclass(frozen=True)
class UnevenPrint:
    """How print strays.

    ``tilt`` is the spread of the angle of digits in degrees, ``slip`` that of their place in cells;
    ``palest`` is the least share of the ink that reaches the paper. A ``share`` of the digits is in
    another ``typeface``.
    """

    tilt: float = 0.7
    slip: float = 0.01
    palest: float = 0.9
    typeface: Typeface | None = None
    share: float = 0.5


def print_unevenly(
    canvas: Canvas,
    grid: PrintedGrid,
    style: GridStyle,
    face: Typeface,
    colour: Colour,
    uneven: UnevenPrint,
    rng: np.random.Generator,
) -> None:
    """Print the clues of *grid*, every digit ``style.digit_height`` tall, in place."""
    for row, column in np.argwhere(grid.puzzle > 0):
        off = np.add(style.digit_offset, rng.normal(0, uneven.slip, 2))
        x, y = grid.middle(int(row), int(column), (float(off[0]), float(off[1])))
        used = uneven.typeface if uneven.typeface is not None and rng.random() < uneven.share else face
        master = _master(used, int(grid.puzzle[row, column]))
        height = min(style.digit_height, _WIDEST * master.shape[0] / master.shape[1]) * grid.cell
        mask, left, top = _placed(master, x, y, height, float(rng.normal(0, uneven.tilt)))
        canvas.ink(mask, left, top, colour, float(rng.uniform(uneven.palest, 1)))


@lru_cache(maxsize=32768)
def _master(face: Typeface, digit: int) -> Mask:
    """The ink of a digit at its first size, cut to its box."""
    mask = glyph_mask(face, str(digit), _EM)
    return mask if mask.size else np.full((_EM // 2, _EM // 8), 255, np.uint8)


def _placed(master: Mask, x: float, y: float, height: float, angle: float) -> tuple[Mask, int, int]:
    """A digit *height* pixels tall, turned by *angle* degrees about (x, y): its ink, and where that goes."""
    scale = height / master.shape[0]
    if scale < _FINE:
        master = np.asarray(cv2.GaussianBlur(master, (0, 0), SOFTENED / scale), np.uint8)
    turn = np.deg2rad(angle)
    matrix = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    reach = int(np.ceil(0.6 * np.hypot(height, scale * master.shape[1]))) + 2
    left, top = int(np.floor(x)) - reach, int(np.floor(y)) - reach
    middle = np.array([x - left - 0.5, y - top - 0.5]) - matrix @ ((np.array(master.shape[::-1]) - 1) / 2)
    side = (2 * reach + 1, 2 * reach + 1)
    mask = cv2.warpAffine(master, np.c_[matrix, middle], side, flags=cv2.INTER_LINEAR)
    return np.asarray(mask, np.uint8), left, top
