"""Who writes by hand: a typeface that looks written, a hand drawn with a pen, digits of a database."""

from __future__ import annotations

from dataclasses import dataclass
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
