"""Describe glyphs by what the classifier sees of them.

A glyph is described by its pixels and by histograms of the direction of its edges over a grid of overlapping
windows (after N. Dalal, B. Triggs, "Histograms of oriented gradients for human detection", 2005), by a coarse
view of its whole cell, and by its size and strength, alone and against the other glyphs of the page.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.glyphs import COARSE, GLYPH, STRENGTHS, Glyphs
from sudoku_vision.vision.digits.turns import TURNS

VERSION = 5  # raised whenever the same cells give other features, so that a model of another age is refused

# The numbers in this module were there when the digit model was trained: who changes one raises VERSION.
_POOLED = 14  # side of the glyph as pixels: half its size, which keeps the strokes apart
_ORIENTATIONS = 8  # directions of edges that are told apart, dark to light and light to dark being two
_WINDOWS = 5  # edge windows on each side of the glyph
SHAPE = _ORIENTATIONS * _WINDOWS**2 + _POOLED**2
"""Numbers that say what shape a glyph has, the first of a feature vector: 0 where there is no ink."""
FEATURES = SHAPE + COARSE**2 + 4 + 3 + STRENGTHS  # length of a feature vector

# Features are brought to a spread of about one, so that training starts well.
_LENGTH_SCALE = 2  # of lengths in cells, and of logarithms of their ratios
_HISTOGRAM_SCALE = 10  # of the shares of edges that all windows and directions have together
_SOBEL = 0.25  # of the sums over Sobel's masks: a change by 1 from one pixel to the next counts twice
_LEAST_EDGES = 1e-3  # below so much edge there is no glyph, and its histogram is left near zero
_LEAST_LENGTH = 0.05  # cells added to lengths before their ratio is taken: a speck is no infinite ratio


class Shapes(NamedTuple):
    """What the shapes of N glyphs are described by: ``edges`` (N, 8, 5, 5) and ``pixels`` (N, 14, 14)."""

    edges: Floats
    pixels: Floats

    def turned(self, quarter_turns: int) -> "Shapes":
        """Return the description of the same shapes, turned counter-clockwise by quarter turns.

        Windows and pixels change places, and each direction becomes the one a quarter turn further: nothing
        has to be measured anew.
        """
        across = -(_ORIENTATIONS // len(TURNS)) * quarter_turns
        edges = np.rot90(np.roll(self.edges, across, axis=1), quarter_turns, axes=(2, 3))
        return Shapes(edges, np.rot90(self.pixels, quarter_turns, axes=(1, 2)))


def describe(glyphs: Glyphs) -> Floats:
    """Return feature vectors (N, FEATURES) float32 of glyphs as they stand."""
    return _described(glyphs, _shapes(glyphs))


def describe_turns(glyphs: Glyphs, turns: Sequence[int] = TURNS) -> dict[int, Floats]:
    """Return feature vectors (N, FEATURES) of glyphs in *turns*, by quarter turns counter-clockwise."""
    shapes = _shapes(glyphs)
    return {turn: _described(glyphs.turned(turn), shapes.turned(turn)) for turn in turns}


def _shapes(glyphs: Glyphs) -> Shapes:
    """Describe the shapes of glyphs; where there is no ink there is nothing to measure."""
    count, found = len(glyphs.images), glyphs.images[glyphs.found]
    edges = np.zeros((count, _ORIENTATIONS, _WINDOWS, _WINDOWS), np.float32)
    pixels = np.zeros((count, _POOLED, _POOLED), np.float32)
    edges[glyphs.found] = edge_histograms(found, _WINDOWS).reshape(-1, *edges.shape[1:])
    pixels[glyphs.found] = pooled_pixels(found).reshape(-1, *pixels.shape[1:])
    return Shapes(edges, pixels)


def _described(glyphs: Glyphs, shapes: Shapes) -> Floats:
    """Return feature vectors (N, FEATURES) float32 of glyphs, their *shapes* being described."""
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
    """Return the features (N, FEATURES - SHAPE) float32 that say nothing of the shape of glyphs."""
    left, top, right, bottom = glyphs.box.T
    place = np.stack([right - left, bottom - top, (left + right) / 2 - 0.5, (top + bottom) / 2 - 0.5], axis=1)
    page = _against_page(bottom - top, right - left, glyphs.typical)
    return np.concatenate(
        [glyphs.coarse.reshape(len(glyphs.coarse), COARSE**2), _LENGTH_SCALE * place, page, glyphs.strength],
        axis=1,
    ).astype(np.float32)


def _against_page(height: Floats, width: Floats, typical: Floats) -> Floats:
    """Compare glyphs with those of the page, (N, 3): heights, and ratios of height and of longer side."""
    longer, page = np.maximum(height, width), np.maximum(typical[:, 0], typical[:, 1])
    ratios = [
        (height + _LEAST_LENGTH) / (typical[:, 1] + _LEAST_LENGTH),
        (longer + _LEAST_LENGTH) / (page + _LEAST_LENGTH),
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
    """Return so many triangular windows (number, 30) along one side of the glyph, overlapping by half.

    They leave out the empty pixel on either side of the glyph.
    """
    centres = (np.arange(number) + 0.5) * GLYPH / number
    width = GLYPH / number
    place = np.arange(GLYPH) + 0.5
    inside = np.maximum(0, 1 - np.abs(place - centres[:, None]) / width).astype(np.float32)
    return np.pad(inside, ((0, 0), (1, 1)))


def edge_histograms(images: Floats, number: int) -> Floats:
    """Return histograms of edge direction in number x number windows, (N, 8 number^2), root-normalised."""
    count, windows = len(images), _windows(number)
    if not count:
        return np.zeros((0, _ORIENTATIONS * number**2), np.float32)
    down = windows @ _edges(images)
    sums = (down.reshape(-1, windows.shape[1]) @ windows.T).reshape(_ORIENTATIONS, number, count, number)
    sums[1::2] *= np.float32(np.sqrt(2))  # of diagonals
    flat = sums.transpose(2, 0, 1, 3).reshape(count, -1)
    norm = flat.sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(flat / np.maximum(norm, _LEAST_EDGES) * _HISTOGRAM_SCALE), np.float32)


def _edges(images: Floats) -> Floats:
    """Return how long the edges of each direction are, (8, 30, 30 N), in diagonals divided by sqrt(2).

    It is the length along a direction beyond what belongs to its two neighbours. Where ink changes by *a*
    across and *d* down, that is a - |d| to the right, and (a + d - |a - d|) / sqrt(2), which is
    sqrt(2) min(a, d), to the lower right.
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
    """Return how ink changes from left to right and from top to bottom, (30, 30 N) each (Sobel's masks).

    The glyphs (N, 28, 28) are laid side by side, with an empty pixel around each.
    """
    strip = np.zeros((GLYPH + 2, len(images), GLYPH + 2), np.float32)
    strip[1:-1, :, 1:-1] = images.transpose(1, 0, 2)
    rows = strip.reshape(GLYPH + 2, -1)
    across = cv2.Sobel(rows, cv2.CV_32F, 1, 0, scale=_SOBEL)
    down = cv2.Sobel(rows, cv2.CV_32F, 0, 1, scale=_SOBEL)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)
