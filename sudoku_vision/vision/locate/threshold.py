"""Separate ink from paper by comparing each pixel with its surroundings."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.values import Image
from sudoku_vision.vision.load.light import GRAIN

NARROW = 11  # largest width of a narrow line, in pixels
HALFWAY = 8
"""Contrast, in grey levels, of a line that is drawn in mid grey; stronger lines are drawn darker."""
_SHADES = np.rint(255 * HALFWAY / (HALFWAY + np.arange(256))).astype(np.uint8)
"""For each contrast of a line, 0..255 grey levels, the grey level in which this line is drawn."""


@dataclass(frozen=True)
class Threshold:
    """One way to separate ink from paper.

    The surroundings of a pixel are a square around it. ``window`` is the side of this square, as a share of
    the picture's longer side. A pixel is ink if it is darker than the mean of its surroundings by at least
    ``offset`` grey levels. If ``light_on_dark`` is true, it must be lighter instead of darker. Gaps of up to
    ``close`` pixels are closed, because lines may be dotted.
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
"""The thresholds that are tried; the threshold that finds most grids comes first.

In this order, they are for usual print, for faint or small print, for uneven paper, for dark screens (two
thresholds), and for dotted lines.
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
    """Yield the narrow dark parts of a *grey* picture (H, W) uint8, then its narrow light parts.

    Both results are pictures (H, W) uint8 that show these parts black on white. Even faint lines are easy to
    see in them. But the grain of paper or film is easy to see, too, because it is narrow.
    """
    for hat in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        depth = cv2.morphologyEx(grey, hat, np.ones((NARROW, NARROW), np.uint8))
        yield np.asarray(cv2.LUT(depth, _SHADES), np.uint8)


def colour_edges(colours: Image) -> Image:
    """Return the edges between the *colours* (H, W, 3) uint8 of a picture, dark on white: (H, W) uint8.

    A line is an edge, whether it is darker or lighter than its surroundings. The border between two
    cells of different colours is an edge, too, even if no line is drawn there.
    """
    smooth = cv2.GaussianBlur(colours, (GRAIN, GRAIN), 0)
    steps = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.LUT(steps.max(axis=2), _SHADES), np.uint8)
