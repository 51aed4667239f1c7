"""Light on the scene: slopes of brightness, shadows, the relief of the paper, the glare of a lamp."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image
from sudoku_vision.workshop.rendering.conditions import Light

_COARSE = 8  # light is computed on a raster this many pixels wide and interpolated


def light_field(
    size: tuple[int, int], light: Light, slopes: NDArray[np.float64] | None, rng: np.random.Generator
) -> Floats:
    """Return how much blue, green and red reaches each place of a coarse raster, (h, w, 3) float32.

    *slopes* (h, w, 2): how the paper rises there, None for a screen or a scanner.
    """
    shape = (-(-size[1] // _COARSE) + 1, -(-size[0] // _COARSE) + 1)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    x, y = x / max(shape) - shape[1] / max(shape) / 2, y / max(shape) - shape[0] / max(shape) / 2
    angle = rng.uniform(0, 2 * np.pi)
    toward = np.cos(angle) * x + np.sin(angle) * y
    field = 1 - light.gradient * (toward + 0.5).clip(0, 1)
    field *= 1 - light.vignette * 2 * (x**2 + y**2)
    if light.shadow > 0:
        field *= _shadow(x, y, light, rng)
    if slopes is not None and light.relief > 0:
        lit = -(
            slopes[: shape[0], : shape[1], 0] * np.cos(angle)
            + slopes[: shape[0], : shape[1], 1] * np.sin(angle)
        )
        field *= np.clip(1 + 0.55 * light.relief * lit - 0.12 * np.abs(slopes).max(axis=-1), 0.15, 1.2)
    colour = light.exposure * np.asarray(light.colour, np.float32)
    return np.asarray(field[:, :, None] * colour, np.float32)


def _shadow(x: Floats, y: Floats, light: Light, rng: np.random.Generator) -> Floats:
    """The shadow of a hand or a phone: beyond a curved edge, or within a round blot."""
    angle, bow = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.8)
    along = np.cos(angle) * x + np.sin(angle) * y
    across = -np.sin(angle) * x + np.cos(angle) * y
    distance = along - rng.uniform(-0.25, 0.3) + bow * across**2 + 0.03 * np.sin(9 * across + angle)
    inside = 1 / (1 + np.exp(-np.clip(distance / light.shadow_softness, -30, 30)))
    return np.asarray(1 - light.shadow * inside, np.float32)


def lit(pixels: Image, field: Floats, light: Light, rng: np.random.Generator) -> Floats:
    """Return the picture under the light: (H, W, 3) float32, not yet clipped; a lamp's glare is added."""
    height, width = pixels.shape[:2]
    full = cv2.resize(
        field, (field.shape[1] * _COARSE, field.shape[0] * _COARSE), interpolation=cv2.INTER_LINEAR
    )
    bright = cv2.multiply(pixels, full[:height, :width], dtype=cv2.CV_32F)
    if light.glare > 0:
        y, x = np.mgrid[0 : field.shape[0], 0 : field.shape[1]].astype(np.float32)
        middle = rng.uniform(0.2, 0.8, 2) * field.shape[:2]
        spread = max(field.shape[:2]) * rng.uniform(0.08, 0.2)
        glow = 255 * light.glare * np.exp(-((y - middle[0]) ** 2 + (x - middle[1]) ** 2) / (2 * spread**2))
        bright += cv2.resize(glow, (width, height), interpolation=cv2.INTER_LINEAR)[:, :, None]
    return np.asarray(bright, np.float32)
