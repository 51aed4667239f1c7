"""Describe glyphs by feature vectors for the classifier.

The features are the pixels of a glyph; histograms of its edge directions over a grid of overlapping windows
(after N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", 2005); a coarse view of
its cell; and its size and strength, alone and relative to the other glyphs of the page.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.glyphs import COARSE, GLYPH, STRENGTHS, Glyphs
from sudoku_vision.vision.digits.turns import TURNS

VERSION = 5  # raised whenever the same cells give other features, so that older models are refused

# The digit model was trained with the numbers of this module: if one changes, VERSION must be raised.
_POOLED = 14  # side of the glyph as pixels: half its size, which still separates the strokes
_ORIENTATIONS = 8  # directions of edges; dark to light and light to dark are two
_WINDOWS = 5  # edge windows on each side of the glyph
SHAPE = _ORIENTATIONS * _WINDOWS**2 + _POOLED**2
"""Number of features of the shape, the first of a feature vector; they are 0 if there is no ink."""
FEATURES = SHAPE + COARSE**2 + 4 + 3 + STRENGTHS  # length of a feature vector

# Features are scaled to a spread of about one, so that training starts well.
_LENGTH_SCALE = 2  # of lengths in cells, and of logarithms of their ratios
_HISTOGRAM_SCALE = 10  # of the shares of edges of all windows and directions together
_SOBEL = 0.25  # of the sums over Sobel's masks: a change by 1 from one pixel to the next counts twice
_MIN_EDGES = 1e-3  # with less edge there is no glyph, and its histogram stays near zero
_MIN_LENGTH = 0.05  # cells added to lengths before their ratio is taken, so that a speck has a finite one


class Shapes(NamedTuple):
    """The features of the shapes of N glyphs: ``edges`` (N, 8, 5, 5) and ``pixels`` (N, 14, 14)."""

    edges: Floats
    pixels: Floats

    def turned(self, quarter_turns: int) -> "Shapes":
        """Return the features of the same shapes, turned counter-clockwise by quarter turns.

        Windows and pixels change places, and each direction becomes the next but one: nothing is measured
        again.
        """
        across = -(_ORIENTATIONS // len(TURNS)) * quarter_turns
        edges = np.rot90(np.roll(self.edges, across, axis=1), quarter_turns, axes=(2, 3))
        return Shapes(edges, np.rot90(self.pixels, quarter_turns, axes=(1, 2)))


def describe(glyphs: Glyphs) -> Floats:
    """Return the feature vectors (N, FEATURES) float32 of glyphs, without turning them."""
    return _described(glyphs, _shapes(glyphs))


def describe_turns(glyphs: Glyphs, turns: Sequence[int] = TURNS) -> dict[int, Floats]:
    """Return the feature vectors (N, FEATURES) of glyphs in *turns*, by quarter turns counter-clockwise."""
    shapes = _shapes(glyphs)
    return {turn: _described(glyphs.turned(turn), shapes.turned(turn)) for turn in turns}


def _shapes(glyphs: Glyphs) -> Shapes:
    """Describe the shapes of glyphs; those without ink have zeros."""
    count, found = len(glyphs.images), glyphs.images[glyphs.found]
    edges = np.zeros((count, _ORIENTATIONS, _WINDOWS, _WINDOWS), np.float32)
    pixels = np.zeros((count, _POOLED, _POOLED), np.float32)
    edges[glyphs.found] = edge_histograms(found, _WINDOWS).reshape(-1, *edges.shape[1:])
    pixels[glyphs.found] = pooled_pixels(found).reshape(-1, *pixels.shape[1:])
    return Shapes(edges, pixels)


def _described(glyphs: Glyphs, shapes: Shapes) -> Floats:
    """Return the feature vectors (N, FEATURES) float32 of glyphs with described *shapes*."""
    count = len(glyphs.images)
    return np.concatenate(
        [
            shapes.edges.reshape(count, _ORIENTATIONS * _WINDOWS**2),
            shapes.pixels.reshape(count, _POOLED**2),
            _beside_shape(glyphs),
        ],
        axis=1,
    )


def _beside_shape(glyphs: Glyphs) -> Floats:
    """Return the features (N, FEATURES - SHAPE) float32 of glyphs besides their shapes."""
    left, top, right, bottom = glyphs.box.T
    place = np.stack([right - left, bottom - top, (left + right) / 2 - 0.5, (top + bottom) / 2 - 0.5], axis=1)
    page = _relative_to_page(bottom - top, right - left, glyphs.typical)
    return np.concatenate(
        [glyphs.coarse.reshape(len(glyphs.coarse), COARSE**2), _LENGTH_SCALE * place, page, glyphs.strength],
        axis=1,
    ).astype(np.float32)


def _relative_to_page(height: Floats, width: Floats, typical: Floats) -> Floats:
    """Return sizes of glyphs relative to the page, (N, 3): height, and ratios of height and longer side."""
    longer, page = np.maximum(height, width), np.maximum(typical[:, 0], typical[:, 1])
    ratios = [
        (height + _MIN_LENGTH) / (typical[:, 1] + _MIN_LENGTH),
        (longer + _MIN_LENGTH) / (page + _MIN_LENGTH),
    ]
    logs = [_LENGTH_SCALE * np.log(ratio) for ratio in ratios]
    return np.stack([_LENGTH_SCALE * (height - typical[:, 1]), *logs], axis=1)


def pooled_pixels(images: Floats) -> Floats:
    """Return glyphs (N, 28, 28) at half their size, as vectors (N, 196)."""
    rows = images[:, ::2] + images[:, 1::2]
    means = (rows[:, :, ::2] + rows[:, :, 1::2]) * np.float32(0.25)
    return np.asarray(means.reshape(len(images), _POOLED**2), np.float32)


@lru_cache(maxsize=4)
def _windows(number: int) -> Floats:
    """Return triangular windows (number, 30) along one side of the glyph that overlap by half.

    They leave out the empty pixel on either side of the glyph.
    """
    centres = (np.arange(number) + 0.5) * GLYPH / number
    width = GLYPH / number
    place = np.arange(GLYPH) + 0.5
    inside = np.maximum(0, 1 - np.abs(place - centres[:, None]) / width).astype(np.float32)
    return np.pad(inside, ((0, 0), (1, 1)))


def edge_histograms(images: Floats, number: int) -> Floats:
    """Return edge histograms of *number* x *number* windows, (N, 8 number^2), root-normalised."""
    count, windows = len(images), _windows(number)
    if not count:
        return np.zeros((0, _ORIENTATIONS * number**2), np.float32)
    down = windows @ _edges(images)
    sums = (down.reshape(-1, windows.shape[1]) @ windows.T).reshape(_ORIENTATIONS, number, count, number)
    sums[1::2] *= np.float32(np.sqrt(2))  # the diagonals
    flat = sums.transpose(2, 0, 1, 3).reshape(count, -1)
    norm = flat.sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(flat / np.maximum(norm, _MIN_EDGES) * _HISTOGRAM_SCALE), np.float32)


def _edges(images: Floats) -> Floats:
    """Return the length of edges in each direction, (8, 30, 30 N); diagonals are divided by sqrt(2).

    Each gradient is divided between its two nearest directions. If ink changes by *a* across and *d* down,
    the share of the direction to the right is a - |d|, and that of the lower right is (a + d - |a - d|) /
    sqrt(2) = sqrt(2) min(a, d).
    """
    across, down = _gradients(images)
    back, up = -across, -down
    edges = np.empty((_ORIENTATIONS, *across.shape), np.float32)
    for index, (one, other) in enumerate(pairwise((across, down, back, up, across))):
        np.subtract(one, np.abs(other), out=edges[2 * index])
        np.minimum(one, other, out=edges[2 * index + 1])
    flat = edges.reshape(-1, edges.shape[2])
    cv2.threshold(flat, 0, 0, cv2.THRESH_TOZERO, dst=flat)  # NumPy's maximum takes four times as long
    return edges


def _gradients(images: Floats) -> tuple[Floats, Floats]:
    """Return the gradients of ink rightwards and downwards by Sobel's masks, (30, 30 N) each.

    The glyphs (N, 28, 28) lie side by side, with an empty pixel around each.
    """
    strip = np.zeros((GLYPH + 2, len(images), GLYPH + 2), np.float32)
    strip[1:-1, :, 1:-1] = images.transpose(1, 0, 2)
    rows = strip.reshape(GLYPH + 2, -1)
    across = cv2.Sobel(rows, cv2.CV_32F, 1, 0, scale=_SOBEL)
    down = cv2.Sobel(rows, cv2.CV_32F, 0, 1, scale=_SOBEL)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)
