"""Describe glyphs by feature vectors for the classifier.

The features of a glyph are:

* its pixels;
* histograms of its edge directions, in a grid of overlapping windows (after N. Dalal, B. Triggs, "Histograms
  of oriented gradients for human detection", 2005);
* a small copy of its cell (10 x 10 pixels);
* its size and the strength of its ink, as they are, and compared with the other glyphs of the page.
"""

from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from sudoku_vision.geometry import TINY
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.glyphs import GLYPH, STRENGTHS, Glyphs
from sudoku_vision.vision.rectify.illumination import COARSE

VERSION = 6
"""Version number of the features. A model file is refused if it was trained with another version.

The number is raised whenever a change of the code gives other features for the same cells.
"""

# The digit model was trained with the numbers of this module. If a number changes, VERSION must be raised.
_ORIENTATIONS = 8
"""Number of edge directions. Dark to light and light to dark count as two opposite directions."""
_WINDOWS = 5  # a glyph has this many rows and columns of windows; each window has an edge histogram
FEATURES = _ORIENTATIONS * _WINDOWS**2 + (GLYPH // 2) ** 2 + COARSE**2 + 4 + 3 + STRENGTHS
"""Length of a feature vector."""

_HISTOGRAM_SCALE = 10
"""All histograms of a glyph are scaled so that their total sum is this. Then square roots are taken."""
MIN_LENGTH = 0.05
"""This is added to lengths (shares of a cell's side), so that their ratios and logarithms are finite."""


def describe(glyphs: Glyphs) -> Floats:
    """Return the feature vectors (N, FEATURES) float32 of glyphs.

    A feature vector holds the edge histograms and the pixels of the glyph, a small copy of its cell, its size
    and place in the cell, its size compared with other glyphs of the page, and measures of its ink.
    """
    left, top, right, bottom = glyphs.box.T
    place = np.stack([right - left, bottom - top, (left + right) / 2 - 0.5, (top + bottom) / 2 - 0.5], axis=1)
    page = _relative_to_page(bottom - top, right - left, glyphs.typical)
    edges, pixels = edge_histograms(glyphs.images, _WINDOWS), pooled_pixels(glyphs.images)
    coarse = glyphs.coarse.reshape(len(place), COARSE**2)
    parts = [edges, pixels, coarse, place, page, glyphs.strength]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _relative_to_page(height: Floats, width: Floats, typical: Floats) -> Floats:
    """Return three numbers (N, 3) that compare the size of each glyph with the page's typical size.

    The numbers are the difference in height, the logarithm of the ratio of the heights, and the logarithm of
    the ratio of the longer sides. *height* and *width* (N,) are the sizes of the glyphs. In *typical* (N, 2),
    each row holds the width and height of the typical glyph.
    """
    longer, page = np.maximum(height, width), np.maximum(typical[:, 0], typical[:, 1])
    by_height = np.log((height + MIN_LENGTH) / (typical[:, 1] + MIN_LENGTH))
    by_side = np.log((longer + MIN_LENGTH) / (page + MIN_LENGTH))
    return np.stack([height - typical[:, 1], by_height, by_side], axis=1)


def pooled_pixels(images: Floats) -> Floats:
    """Return glyphs (N, 28, 28) at half their size, as vectors (N, 196)."""
    rows = images[:, ::2] + images[:, 1::2]
    means = (rows[:, :, ::2] + rows[:, :, 1::2]) * np.float32(0.25)
    return np.asarray(means.reshape(len(images), (GLYPH // 2) ** 2), np.float32)


@lru_cache(maxsize=4)
def _windows(number: int) -> Floats:
    """Return the weights (number, 30) of *number* triangular windows along one side of a glyph.

    A row holds the weight of each pixel in one window. There are 30 pixels: an empty pixel, the 28 pixels of
    the side, and another empty pixel. Both empty pixels have the weight 0. Neighbouring windows overlap by
    half.
    """
    centres = (np.arange(number) + 0.5) * GLYPH / number
    width = GLYPH / number
    place = np.arange(GLYPH) + 0.5
    inside = np.maximum(0, 1 - np.abs(place - centres[:, None]) / width).astype(np.float32)
    return np.pad(inside, ((0, 0), (1, 1)))


def edge_histograms(images: Floats, number: int) -> Floats:
    """Return the edge histograms (N, 8 number^2) of each glyph in *number* x *number* windows.

    A histogram holds the strength of the edges in eight directions. All histograms of a glyph are divided by
    their total sum, and multiplied by a constant. Then the square root of each number is taken.
    """
    count, windows = len(images), _windows(number)
    if not count:
        return np.zeros((0, _ORIENTATIONS * number**2), np.float32)
    down = windows @ _edges(images)
    sums = (down.reshape(-1, windows.shape[1]) @ windows.T).reshape(_ORIENTATIONS, number, count, number)
    sums[1::2] *= np.float32(np.sqrt(2))  # diagonal directions: _edges leaves this factor out
    flat = sums.transpose(2, 0, 1, 3).reshape(count, -1)
    norm = flat.sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(flat / np.maximum(norm, TINY) * _HISTOGRAM_SCALE), np.float32)


def _edges(images: Floats) -> Floats:
    """Return the strengths (8, 30, 30 N) of the edges in each direction at each pixel.

    The glyphs lie side by side, each with a rim of one empty pixel. Each gradient is divided between the two
    directions nearest to it. Say the ink changes by *a* to the right and by *d* downwards. Then the part in
    the direction right is a - |d|. The part in the direction lower right is sqrt(2) min(a, d). A negative
    part is 0. The result holds min(a, d): :func:`edge_histograms` multiplies by sqrt(2) later.
    """
    across, down = _gradients(images)
    back, up = -across, -down
    edges = np.empty((_ORIENTATIONS, *across.shape), np.float32)
    for index, (one, other) in enumerate(pairwise((across, down, back, up, across))):
        np.subtract(one, np.abs(other), out=edges[2 * index])
        np.minimum(one, other, out=edges[2 * index + 1])
    flat = edges.reshape(-1, edges.shape[2])
    # Negative strengths become 0. NumPy's maximum would take four times as long.
    cv2.threshold(flat, 0, 0, cv2.THRESH_TOZERO, dst=flat)
    return edges


def _gradients(images: Floats) -> tuple[Floats, Floats]:
    """Return the gradients of the ink to the right and downwards, as two arrays (30, 30 N).

    They are computed with Sobel's masks. In both arrays the glyphs (N, 28, 28) lie side by side, each with a
    rim of one empty pixel.
    """
    strip = np.zeros((GLYPH + 2, len(images), GLYPH + 2), np.float32)
    strip[1:-1, :, 1:-1] = images.transpose(1, 0, 2)
    rows = strip.reshape(GLYPH + 2, -1)
    across = cv2.Sobel(rows, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(rows, cv2.CV_32F, 0, 1)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)
