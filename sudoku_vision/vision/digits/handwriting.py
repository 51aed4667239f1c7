"""Classify handwritten digits: the second stage of the cascade, which looks closer at the shape of a glyph.

The first stage (``cascade``) reads cells in every turn, so it has to be quick.
Whoever writes by hand forms digits so differently that it pays to look closer where handwriting is likely. A
glyph is set upright and narrow ones widened, by the moments of their ink (after C.-L. Liu et al.,
"Handwritten digit recognition: investigation of normalization and feature extraction techniques", Pattern
Recognition 37, 2004), and described by finer edge histograms, by its
pixels, and by a code of its small patches over a learned dictionary of strokes, pooled over a grid (after A.
Coates, H. Lee, A. Ng, "An analysis of single-layer networks in unsupervised feature learning", 2011). One
multi-layer perceptron makes nine probabilities of that.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.features import edge_histograms, pooled_pixels
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax

PATCH = 7  # side of a patch in pixels of the normalised glyph

# The numbers in this module were there when the digit model was trained: who changes one trains anew.
_WINDOWS = 7  # edge windows on each side of the glyph: finer than the first stage's
_STEP = 2  # pixels from one patch to the next
_POOLS = 4  # the codes are averaged over a grid of so many fields on each side
_LEAST_CONTRAST = 0.15  # a patch with less between its lightest and darkest pixel holds no stroke
_SOFTENING = 0.02  # added to the variance of a patch before it is divided out
_BATCH = 512  # glyphs at once, to bound the memory; OpenCV takes pictures of 32,766 rows at most
_MOST_SLANT = 0.6  # pixels to the side for one down: beyond it, a stroke of the digit itself is slanted
_MOST_WIDENED = 1.8  # a 1 stays a narrow digit
_NARROWEST = 0.05  # ratio of width to height below which none can be told
_LEAST_SPREAD = 0.5  # square pixels: spread of the thinnest stroke
_LEAST_HEIGHT = 1.0  # square pixels: spread down below which a glyph has no slant


@dataclass(frozen=True, eq=False)
class StrokeDictionary:
    """What patches are compared with.

    ``mean`` (49,) and ``whitening`` (49, 49) float32 make the pixels of a normalised patch alike in spread
    and uncorrelated; ``centres`` (K, 49) float32 are typical pieces of strokes, so whitened.
    """

    mean: Floats
    whitening: Floats
    centres: Floats

    @property
    def features(self) -> int:
        """The length of the description of a glyph that :func:`describe_shapes` makes with it."""
        return int(describe_shapes(np.zeros((1, 28, 28), np.float32), self).shape[1])

    def codes(self, images: Floats) -> Floats:
        """Return codes (N, 16 K) float32 of glyphs (N, 28, 28): how near patches come to each centre."""
        parts = [self._coded(images[start : start + _BATCH]) for start in range(0, len(images), _BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, _POOLS**2 * len(self.centres)), np.float32)

    def _coded(self, images: Floats) -> Floats:
        found = patches(images)
        count, side = found.shape[:2]
        white = normalised(found.reshape(-1, PATCH**2)) @ self.whitening
        white -= self.mean @ self.whitening
        distance = self._distances(white)
        near = _positive(_row_means(distance) - distance)
        near *= (contrasts(images) > _LEAST_CONTRAST).astype(np.float32).reshape(-1, 1)
        pooling = _pooling(side)
        rows = pooling @ near.reshape(count, side, -1)
        pooled = pooling @ rows.reshape(count, _POOLS, side, -1)
        return np.asarray(np.sqrt(pooled.reshape(count, -1)), np.float32)

    def _distances(self, white: Floats) -> Floats:
        """Return how far patches (M, 49), whitened, lie from each centre, (M, K)."""
        square: Floats = white @ (np.float32(-2) * self.centres.T)
        square += np.einsum("np,np->n", white, white)[:, None]
        square += (self.centres**2).sum(axis=1)
        return np.sqrt(_positive(square), out=square)


@dataclass(frozen=True, eq=False)
class HandwritingClassifier:
    """A trained classifier of written digits: its dictionary, its network, and its temperature."""

    dictionary: StrokeDictionary
    layers: Layers
    temperature: float = 1.0

    def log_probabilities(self, images: Floats) -> Floats:
        """Return log-probabilities (N, 9) of the digits 1..9, given that glyphs (N, 28, 28) are digits."""
        return log_softmax(self.outputs(images) / self.temperature)

    def outputs(self, images: Floats) -> Floats:
        """Return the outputs (N, 9) of the network for glyphs (N, 28, 28), before temperature and softmax."""
        return forward(self.layers, describe_shapes(set_upright(images), self.dictionary))


def describe_shapes(images: Floats, dictionary: StrokeDictionary) -> Floats:
    """Return feature vectors (N, F) float32 of the shapes of glyphs (N, 28, 28) float32 in 0..1."""
    parts = [edge_histograms(images, _WINDOWS), pooled_pixels(images), dictionary.codes(images)]
    return np.concatenate(parts, axis=1)


def patches(images: Floats) -> Floats:
    """Return the patches of glyphs (N, 28, 28), every second pixel each way: (N, 11, 11, 49)."""
    views = np.lib.stride_tricks.sliding_window_view(images, (PATCH, PATCH), axis=(1, 2))
    views = views[:, ::_STEP, ::_STEP]
    return views.reshape(*views.shape[:3], PATCH * PATCH)


def contrasts(images: Floats) -> Floats:
    """Return what lies between the lightest and the darkest pixel of each patch, (N, 11, 11)."""
    count, side = images.shape[:2]
    window = np.ones((PATCH, PATCH), np.uint8)
    between = cv2.morphologyEx(images.reshape(count * side, side), cv2.MORPH_GRADIENT, window)
    middle = slice(PATCH // 2, side - PATCH // 2, _STEP)
    return np.asarray(between, np.float32).reshape(images.shape)[:, middle, middle]


def normalised(found: Floats) -> Floats:
    """Return patches (M, 49) freed of their mean and brought to one contrast."""
    scaled: Floats = found - _row_means(found)
    variance = np.einsum("np,np->n", scaled, scaled) / np.float32(found.shape[1])
    scaled /= np.sqrt(variance + np.float32(_SOFTENING))[:, None]
    return scaled


def _row_means(values: Floats) -> Floats:
    """Return the means (N, 1) of the rows of *values* (N, K): as a product, in a fifth of NumPy's time."""
    count = values.shape[1]
    means: Floats = values @ np.full((count, 1), 1 / count, np.float32)
    return means


def _positive(values: Floats) -> Floats:
    """Set what is negative of *values* (N, K) to 0, in place: in a fourth of the time of NumPy's maximum."""
    cv2.threshold(values, 0, 0, cv2.THRESH_TOZERO, dst=values)
    return values


def _pooling(side: int) -> Floats:
    """Return weights (4, side) that average neighbours along one side of the grid of patches."""
    edges = np.linspace(0, side, _POOLS + 1).round().astype(int)
    place = np.arange(side)
    inside = (place >= edges[:-1, None]) & (place < edges[1:, None])
    return np.asarray(inside / inside.sum(axis=1, keepdims=True), np.float32)


def set_upright(images: Floats) -> Floats:
    """Return glyphs (N, 28, 28) float32 with their slant taken out, the narrow ones widened.

    The middle of the ink goes to the middle of the picture; heights stay as they are.
    """
    parts = [_set_upright(images[start : start + _BATCH]) for start in range(0, len(images), _BATCH)]
    return np.concatenate(parts) if parts else images


def _set_upright(images: Floats) -> Floats:
    count, side = images.shape[:2]
    place = np.arange(side, dtype=np.float32)
    mass = images.sum(axis=(1, 2)) + np.float32(1e-3)
    across, down = images.sum(axis=1), images.sum(axis=2)
    middle_x, middle_y = (across @ place) / mass, (down @ place) / mass
    x, y = place - middle_x[:, None], place - middle_y[:, None]
    spread_x, spread_y = (across * x**2).sum(axis=1) / mass, (down * y**2).sum(axis=1) / mass
    mixed = np.einsum("nyx,nx,ny->n", images, x, y) / mass
    slant = np.clip(mixed / np.maximum(spread_y, _LEAST_HEIGHT), -_MOST_SLANT, _MOST_SLANT)
    upright = np.maximum(spread_x - 2 * slant * mixed + slant**2 * spread_y, _LEAST_SPREAD)
    widened = _widened(np.sqrt(upright / np.maximum(spread_y, _LEAST_SPREAD)))
    off = place - np.float32((side - 1) / 2)
    from_x = (middle_x[:, None] + slant[:, None] * off)[:, :, None] + (off / widened[:, None])[:, None, :]
    from_y = np.broadcast_to((middle_y[:, None] + off)[:, :, None], from_x.shape)
    return _moved(np.ascontiguousarray(images).reshape(count * side, side), from_x, from_y)


def _widened(ratio: Floats) -> Floats:
    """Return by how much to widen glyphs of these ratios of width to height (N,)."""
    wanted = np.sqrt(np.sin(np.pi / 2 * np.minimum(ratio, 1)))
    factor = np.minimum(wanted / np.maximum(ratio, _NARROWEST), _MOST_WIDENED)
    return np.where(ratio < 1, factor, 1).astype(np.float32)


def _moved(strip: Floats, from_x: Floats, from_y: Floats) -> Floats:
    """Return pictures (N, S, S) sampled from a *strip* (N S, S) of pictures, each at places of its own."""
    count, side = from_x.shape[:2]
    outside = (np.abs(from_x - (side - 1) / 2) > side / 2) | (np.abs(from_y - (side - 1) / 2) > side / 2)
    rows = np.clip(from_y, 0, side - 1) + side * np.arange(count)[:, None, None]
    moved = cv2.remap(
        strip,
        np.clip(from_x, 0, side - 1).astype(np.float32).reshape(-1, side),
        rows.astype(np.float32).reshape(-1, side),
        cv2.INTER_LINEAR,
    )
    result = np.asarray(moved, np.float32).reshape(count, side, side)
    result[outside] = 0
    return result
