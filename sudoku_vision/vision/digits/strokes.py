"""Describe the strokes of glyphs closely, to read handwritten digits and pencil marks.

A glyph is the picture of a digit, cut out of its cell.

* First a glyph is normalised: its slant is removed, and a narrow glyph is widened. Slant and width are
  computed from the moments of the ink (after C.-L. Liu et al., "Handwritten digit recognition: investigation
  of normalization and feature extraction techniques", Pattern Recognition 37, 2004).
* Then a glyph is described by fine edge histograms, by its pixels, and by a code of its patches (squares of 7
  x 7 pixels). The code says how similar the patches are to the pieces of strokes in a learned dictionary. The
  glyph is divided into 4 x 4 fields, and the code is averaged within each field (after A. Coates, H. Lee, A.
  Ng, "An analysis of single-layer networks in unsupervised feature learning", 2011).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.features import edge_histograms, pooled_pixels

PATCH = 7  # side of a patch, in pixels of the normalised glyph

# The models were trained with the numbers of this module. If a number changes, the models must be trained
# again.
_WINDOWS = 7
"""Number of windows along each side of a glyph, for edge histograms. The module ``features`` uses fewer."""
_STEP = 2  # distance from one patch to the next, in pixels
_POOLS = 4
"""Number of fields along each side of a glyph. The codes of patches are averaged within each field."""
_MIN_CONTRAST = 0.15
"""A patch holds a stroke if the difference between its lightest and its darkest pixel is above this."""
_SOFTENING = 0.02  # added to the variance of a patch, so that no patch is divided by nearly zero
_BATCH = 512
"""At most this number of glyphs are processed at once.

This limits the memory. It also keeps pictures within 32,766 rows, the most that OpenCV accepts.
"""
_MAX_SLANT = 0.6
"""Largest slant that is removed, in pixels to the side for each pixel down.

No whole digit slants more than this. A single stroke, such as that of a 7, can slant more.
"""
_MAX_WIDENED = 1.8
"""A glyph is widened at most by this factor, because a 1 must stay a narrow digit."""
_MIN_SPREAD = 0.5
"""Lower limit for the variance of a glyph's ink in x and in y, in square pixels.

The ink of a thin vertical stroke has this variance in x.
"""


@dataclass(frozen=True, eq=False)
class StrokeDictionary:
    """K typical pieces of strokes. The patches of a glyph (7 x 7 pixels) are compared with these pieces.

    First patches are whitened: ``mean`` (49,) float32 is subtracted, and the result is multiplied by the
    matrix ``whitening`` (49, 49) float32. After this, the 49 pixels have the same variance over all patches,
    and aren't correlated. ``centres`` (K, 49) float32 are the typical pieces, whitened in the same way.
    """

    mean: Floats
    whitening: Floats
    centres: Floats

    @property
    def features(self) -> int:
        """The number of features that :func:`describe_shapes` returns with this dictionary."""
        return int(describe_shapes(np.zeros((1, 28, 28), np.float32), self).shape[1])

    def codes(self, images: Floats) -> Floats:
        """Return the codes (N, 16 K) float32 of glyphs (N, 28, 28).

        A glyph is divided into 16 fields. For each field, the code of the glyph holds K numbers. They say how
        near the patches in this field are to each of the K ``centres``.
        """
        parts = [self._coded(images[start : start + _BATCH]) for start in range(0, len(images), _BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, _POOLS**2 * len(self.centres)), np.float32)

    def _coded(self, images: Floats) -> Floats:
        found = patches(images)
        count, side = found.shape[:2]
        white = normalised(found.reshape(-1, PATCH**2)) @ self.whitening
        white -= self.mean @ self.whitening
        distance = self._distances(white)
        near = _positive(_row_means(distance) - distance)
        near *= (contrasts(images) > _MIN_CONTRAST).astype(np.float32).reshape(-1, 1)
        pooling = _pooling(side)
        rows = pooling @ near.reshape(count, side, -1)
        pooled = pooling @ rows.reshape(count, _POOLS, side, -1)
        return np.asarray(np.sqrt(pooled.reshape(count, -1)), np.float32)

    def _distances(self, white: Floats) -> Floats:
        """Return the distances (M, K) of whitened patches, *white* (M, 49), from each of the K centres."""
        square: Floats = white @ (np.float32(-2) * self.centres.T)
        square += np.einsum("np,np->n", white, white)[:, None]
        square += (self.centres**2).sum(axis=1)
        return np.sqrt(_positive(square), out=square)


def describe_shapes(images: Floats, dictionary: StrokeDictionary) -> Floats:
    """Return feature vectors (N, F) float32 of the shapes of glyphs (N, 28, 28) float32 in 0..1."""
    parts = [edge_histograms(images, _WINDOWS), pooled_pixels(images), dictionary.codes(images)]
    return np.concatenate(parts, axis=1)


def patches(images: Floats) -> Floats:
    """Return the patches (N, 11, 11, 49) of glyphs (N, 28, 28).

    A patch has 7 x 7 pixels. Patches start at every second row and column.
    """
    views = np.lib.stride_tricks.sliding_window_view(images, (PATCH, PATCH), axis=(1, 2))
    views = views[:, ::_STEP, ::_STEP]
    return views.reshape(*views.shape[:3], PATCH * PATCH)


def contrasts(images: Floats) -> Floats:
    """Return the difference (N, 11, 11) between the lightest and the darkest pixel of each 7 x 7 patch."""
    count, side = images.shape[:2]
    window = np.ones((PATCH, PATCH), np.uint8)
    between = cv2.morphologyEx(images.reshape(count * side, side), cv2.MORPH_GRADIENT, window)
    middle = slice(PATCH // 2, side - PATCH // 2, _STEP)
    return np.asarray(between, np.float32).reshape(images.shape)[:, middle, middle]


def normalised(found: Floats) -> Floats:
    """Return the patches *found* (M, 49) with mean 0, each divided by its standard deviation.

    In this way all patches with strokes get nearly the same contrast.
    """
    scaled: Floats = found - _row_means(found)
    variance = np.einsum("np,np->n", scaled, scaled) / np.float32(found.shape[1])
    scaled /= np.sqrt(variance + np.float32(_SOFTENING))[:, None]
    return scaled


def _row_means(values: Floats) -> Floats:
    """Return the means (N, 1) of the rows of *values* (N, K); NumPy's own mean takes five times as long."""
    count = values.shape[1]
    return values @ np.full((count, 1), 1 / count, np.float32)


def _positive(values: Floats) -> Floats:
    """Set negative numbers in *values* (N, K) to 0 in place, and return *values*.

    NumPy's function ``maximum`` takes four times as long.
    """
    cv2.threshold(values, 0, 0, cv2.THRESH_TOZERO, dst=values)
    return values


def _pooling(side: int) -> Floats:
    """Return the weights (4, side) that average a row of *side* numbers within each quarter of the row."""
    edges = np.linspace(0, side, _POOLS + 1).round().astype(int)
    place = np.arange(side)
    inside = (place >= edges[:-1, None]) & (place < edges[1:, None])
    return np.asarray(inside / inside.sum(axis=1, keepdims=True), np.float32)


def set_upright(images: Floats) -> Floats:
    """Remove the slant of glyphs (N, 28, 28), and widen narrow glyphs; return the new glyphs, float32.

    The centre of the ink moves to the middle of the picture. The height of a glyph doesn't change.
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
    height = np.maximum(spread_y, _MIN_SPREAD)
    slant = np.clip(mixed / height, -_MAX_SLANT, _MAX_SLANT)
    upright = np.maximum(spread_x - 2 * slant * mixed + slant**2 * spread_y, _MIN_SPREAD)
    widened = _widened(np.sqrt(upright / height))
    off = place - np.float32((side - 1) / 2)
    from_x = (middle_x[:, None] + slant[:, None] * off)[:, :, None] + (off / widened[:, None])[:, None, :]
    from_y = np.broadcast_to((middle_y[:, None] + off)[:, :, None], from_x.shape)
    return _moved(np.ascontiguousarray(images).reshape(count * side, side), from_x, from_y)


def _widened(ratio: Floats) -> Floats:
    """Return the factors (N,) by which glyphs are widened; *ratio* (N,) is width divided by height."""
    wanted = np.sqrt(np.sin(np.pi / 2 * np.minimum(ratio, 1)))
    factor = np.minimum(wanted / ratio, _MAX_WIDENED)
    return np.where(ratio < 1, factor, 1).astype(np.float32)


def _moved(strip: Floats, from_x: Floats, from_y: Floats) -> Floats:
    """Return new pictures (N, S, S), sampled from N old pictures.

    *strip* (N S, S) holds the old pictures, one below another. *from_x* and *from_y* (N, S, S) hold the place
    of each new pixel in its old picture. If this place is outside the old picture, the new pixel is 0.
    """
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
