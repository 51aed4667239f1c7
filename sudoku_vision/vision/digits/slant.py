"""Set written digits upright, and widen narrow ones, as far as the moments of their ink tell.

Hands slant and squeeze digits, each in its own way; what is left when that is undone is their shape (after
C.-L. Liu, K. Nakashima, H. Sako, H. Fujisawa, "Handwritten digit recognition: investigation of normalization
and feature extraction techniques", Pattern Recognition 37, 2004: slant from moments, and a width that adapts
to the aspect ratio).
"""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.results import Floats

# The numbers in this module were there when the digit model was trained: who changes one trains anew.
_MOST_SLANT = 0.6  # pixels to the side for one down: beyond it, a stroke of the digit itself is slanted
_MOST_WIDENED = 1.8  # a 1 stays a narrow digit
_NARROWEST = 0.05  # ratio of width to height below which none can be told
_LEAST_SPREAD = 0.5  # square pixels: spread of the thinnest stroke
_LEAST_HEIGHT = 1.0  # square pixels: spread down below which a glyph has no slant
_BATCH = 1000  # glyphs moved at once: OpenCV takes pictures of 32,766 rows at most


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
