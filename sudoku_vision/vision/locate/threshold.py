"""Separate ink from paper: compare the grey level of each pixel with the mean of its surroundings."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.values import Image
from sudoku_vision.vision.load.light import GRAIN

NARROW = 11  # a line is narrow if its width is less than this, in pixels
HALFWAY = 8
"""In the pictures of :func:`lines_alone`, a line with this contrast (in grey levels) is mid grey. A line with
a higher contrast is darker."""
_SHADES = np.rint(255 * HALFWAY / (HALFWAY + np.arange(256))).astype(np.uint8)
"""The grey level of a line in the pictures of :func:`lines_alone`, for each contrast 0, 1, ..., 255."""


@dataclass(frozen=True)
class Threshold:
    """One way to separate ink from paper.

    A pixel is ink if it is darker than the mean of its surroundings by at least ``offset`` grey levels. If
    ``light_on_dark`` is true, ink must be lighter, not darker. The surroundings are a square around the
    pixel. ``window`` is the side of this square, as a share of the picture's longer side. Gaps of up to
    ``close`` pixels in the ink are closed, because lines may be dotted.
    """

    window: float
    offset: int
    light_on_dark: bool = False
    close: int = 0

    @property
    def sign(self) -> int:
        """The sign of the lines that this threshold finds: 1 for dark lines on light paper, otherwise -1."""
        return -1 if self.light_on_dark else 1


THRESHOLDS = (
    Threshold(1 / 20, 7),
    Threshold(1 / 45, 4),
    Threshold(1 / 10, 12),
    Threshold(1 / 20, 8, light_on_dark=True),
    Threshold(1 / 45, 4, light_on_dark=True),
    Threshold(1 / 25, 5, close=9),
)
"""The thresholds that are tried, in this order. The first one finds the most grids.

They are for usual print, for faint or small print, for uneven paper, for dark screens (two thresholds), and
for dotted lines.
"""


def ink_mask(grey: Image, threshold: Threshold) -> Image:
    """Return a mask (H, W) uint8 of a *grey* picture: 255 where *threshold* finds ink, 0 elsewhere."""
    smooth = cv2.GaussianBlur(grey, (GRAIN, GRAIN), 0)
    side = max(3, round(threshold.window * max(grey.shape))) | 1
    around = cv2.boxFilter(smooth, -1, (side, side), borderType=cv2.BORDER_REPLICATE)
    # cv2.adaptiveThreshold does the same, but takes twice as long: it looks each pixel up in a table.
    depth = cv2.subtract(smooth, around) if threshold.light_on_dark else cv2.subtract(around, smooth)
    _, mask = cv2.threshold(depth, threshold.offset - 1, 255, cv2.THRESH_BINARY)
    if threshold.close:
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((threshold.close, threshold.close), np.uint8))
    return np.asarray(mask, np.uint8)


def lines_alone(grey: Image) -> Iterator[Image]:
    """Yield two pictures (H, W) uint8: first the narrow dark lines of a *grey* picture, then its light ones.

    Both pictures show the lines dark on white. Even faint lines are clear there. But the grain of paper or
    film is clear, too, because it is as narrow as lines are.
    """
    for hat in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        depth = cv2.morphologyEx(grey, hat, np.ones((NARROW, NARROW), np.uint8))
        yield np.asarray(cv2.LUT(depth, _SHADES), np.uint8)


def colour_edges(colours: Image) -> Image:
    """Return a picture (H, W) uint8 of the edges in *colours* (H, W, 3) uint8, dark on white.

    Dark lines and light lines are edges. The border between two cells of different colours is an edge, too,
    even if no line is drawn there.
    """
    smooth = cv2.GaussianBlur(colours, (GRAIN, GRAIN), 0)
    steps = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.LUT(steps.max(axis=2), _SHADES), np.uint8)
