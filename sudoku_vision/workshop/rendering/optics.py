"""Lens, sensor and file: what a camera makes of the light that reaches it."""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.results import Floats, Image
from sudoku_vision.workshop.rendering.conditions import Optics

_NOISE_TILE = 256  # pixels: noise is drawn once in a tile of this side and laid again and again
_PLAIN_GRAIN = 0.8  # pixels: blur of the coarse part of the noise


def exposed(picture: Floats, optics: Optics, rng: np.random.Generator) -> Image:
    """Return what a camera makes of a picture (H, W, 3): blurred, noisy, sharpened, coarse, a JPEG; uint8."""
    height, width = picture.shape[:2]
    if optics.haze > 0 or optics.gamma != 1:
        picture = _toned(picture, optics)
    if optics.moire > 0:
        picture = picture * _moire(height, width, optics.moire, rng)
    if optics.detail < 1:
        small = (max(8, round(width * optics.detail)), max(8, round(height * optics.detail)))
        picture = np.asarray(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), np.float32)
    if optics.blur > 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), optics.blur), np.float32)
    if optics.motion > 1:
        picture = np.asarray(
            cv2.filter2D(picture, -1, _streak(optics.motion, optics.motion_angle)), np.float32
        )
    size = picture.shape[0], picture.shape[1]
    if optics.noise > 0:
        picture = picture + optics.noise * _noise(size, 3, optics.noise_grain, rng)
    if optics.grey_noise > 0:
        picture = picture + optics.grey_noise * _noise(size, 1, optics.noise_grain, rng)
    if optics.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), optics.sharpen_radius)
        picture = picture + optics.sharpen * (picture - soft)
    pixels = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
    if optics.detail < 1:
        pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    return compressed(pixels, optics.jpeg)


def compressed(pixels: Image, quality: int) -> Image:
    """Return the picture after a round through JPEG of *quality* 1 to 100; 0 leaves it alone."""
    if quality <= 0:
        return pixels
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR) if done else None
    return pixels if decoded is None else np.asarray(decoded, np.uint8)


def _toned(picture: Floats, optics: Optics) -> Floats:
    """Stray light added, and the camera's tone curve."""
    hazy = 255 * optics.haze + (1 - optics.haze) * picture
    if optics.gamma == 1:
        return np.asarray(hazy, np.float32)
    return np.asarray(255 * np.clip(hazy / 255, 0, 1) ** np.float32(optics.gamma), np.float32)


def _noise(size: tuple[int, int], channels: int, grain: float, rng: np.random.Generator) -> Floats:
    """Grain of a sensor (H, W, channels): one tile, laid again and again with chance offsets.

    Its variance is about one for a *grain* of 0.8 pixels, and kept so for a coarser one.
    """
    tile = rng.standard_normal((_NOISE_TILE, _NOISE_TILE, channels), np.float32)
    soft = cv2.GaussianBlur(tile, (0, 0), grain).reshape(tile.shape)
    tile = 0.5 * tile + (0.9 * max(1.0, grain / _PLAIN_GRAIN)) * soft
    height, width = size
    noise = np.empty((height, width, channels), np.float32)
    for top in range(0, height, _NOISE_TILE):
        for left in range(0, width, _NOISE_TILE):
            part = noise[top : top + _NOISE_TILE, left : left + _NOISE_TILE]
            moved = np.roll(tile, rng.integers(0, _NOISE_TILE, 2).tolist(), axis=(0, 1))
            part[:] = moved[: part.shape[0], : part.shape[1]]
    return noise


def _streak(length: float, angle: float) -> Floats:
    """The kernel of a hand that shook: a line of *length* pixels at *angle* degrees."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side, side), np.float32)
    middle, reach = (side - 1) / 2, length / 2
    step = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))]) * reach
    ends = [tuple(round(float(middle + sign * part) * 16) for part in step) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _moire(height: int, width: int, strength: float, rng: np.random.Generator) -> Floats:
    """Faint bands where the raster of a screen meets that of the sensor, (H, W, 1)."""
    angle, period = rng.uniform(0, np.pi), rng.uniform(6, 40)
    y = np.arange(height, dtype=np.float32)[:, None] * np.float32(np.sin(angle) / period * 2 * np.pi)
    x = np.arange(width, dtype=np.float32)[None, :] * np.float32(np.cos(angle) / period * 2 * np.pi)
    return np.asarray(1 + strength * np.sin(x + y), np.float32)[:, :, None]
