"""Thresholds: separate ink from paper by comparing each pixel with its surroundings."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.values import Image

SMOOTHED = 3  # side, in pixels, of the smoothing before a threshold: single noisy pixels are no ink

NARROW = 11  # width of the widest lines, in pixels
HALFWAY = 8  # grey levels: a line of this depth becomes half black
_SHADES = np.rint(255 * HALFWAY / (HALFWAY + np.arange(256))).astype(np.uint8)


@dataclass(frozen=True)
class Threshold:
    """One way to separate ink from paper.

    ``window`` is the side of a pixel's surroundings, as a share of the picture's longer side. ``offset`` is
    the number of grey levels by which ink differs from them. Gaps of up to ``close`` pixels are closed, since
    lines may be dotted.
    """

    window: float
    offset: int
    light_on_dark: bool = False
    close: int = 0

    @property
    def sign(self) -> int:
        """The sign of its lines: 1 if they are darker than the paper, -1 if they are lighter."""
        return -1 if self.light_on_dark else 1


THRESHOLDS = (
    Threshold(1 / 20, 7),
    Threshold(1 / 45, 4),
    Threshold(1 / 10, 12),
    Threshold(1 / 20, 8, light_on_dark=True),
    Threshold(1 / 45, 4, light_on_dark=True),
    Threshold(1 / 25, 5, close=9),
)
"""The most promising first: usual print, faint or small print, uneven paper, dark screens, dotted lines."""


def ink_mask(grey: Image, threshold: Threshold) -> Image:
    """Return a mask of ink (H, W) uint8: 255 where a pixel is darker (or lighter) than its surroundings."""
    smooth = cv2.GaussianBlur(grey, (SMOOTHED, SMOOTHED), 0)
    side = max(3, round(threshold.window * max(grey.shape))) | 1
    around = cv2.boxFilter(smooth, -1, (side, side), borderType=cv2.BORDER_REPLICATE)
    # This is cv2.adaptiveThreshold, which takes twice as long because it looks each pixel up in a table.
    depth = cv2.subtract(smooth, around) if threshold.light_on_dark else cv2.subtract(around, smooth)
    _, mask = cv2.threshold(depth, threshold.offset - 1, 255, cv2.THRESH_BINARY)
    if threshold.close:
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((threshold.close, threshold.close), np.uint8))
    return np.asarray(mask, np.uint8)


def lines_alone(grey: Image) -> Iterator[Image]:
    """Yield the narrow dark parts, then the narrow light parts of a picture (H, W) uint8, black on white.

    Even faint lines become visible; but so does grain, which is narrow, too.
    """
    for hat in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        depth = cv2.morphologyEx(grey, hat, np.ones((NARROW, NARROW), np.uint8))
        yield np.asarray(cv2.LUT(depth, _SHADES), np.uint8)
