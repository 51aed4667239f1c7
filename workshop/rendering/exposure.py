"""Put light on a drawn picture, and add the effects of lens, sensor and compressed file."""

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.values import Floats, Image
from workshop.rendering.conditions import Light, Optics

_NOISE_TILE = 256  # side of the square of noise that fills a picture by repetition, in pixels
_PLAIN_GRAIN = 0.8  # usual blur of the coarse part of the noise, in pixels (standard deviation)
_COARSE = 8  # distance, in pixels, of the points at which light is computed; elsewhere, it is interpolated


def light_field(
    size: tuple[int, int], light: Light, slopes: NDArray[np.float64] | None, rng: Generator
) -> Floats:
    """Return the factors (h, w, 3) float32 for blue, green and red light at points of a coarse grid.

    *size*: width and height of the picture in pixels. *slopes* (h, w, 2): the slopes of the paper at these
    points, to the right and down; None for a plane.
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
        lit = -(slopes[..., 0] * np.cos(angle) + slopes[..., 1] * np.sin(angle))
        field *= np.clip(1 + 0.55 * light.relief * lit - 0.12 * np.abs(slopes).max(axis=-1), 0.15, 1.2)
    colour = light.exposure * np.asarray(light.colour, np.float32)
    return np.asarray(field[:, :, None] * colour, np.float32)


def _shadow(x: Floats, y: Floats, light: Light, rng: Generator) -> Floats:
    """Return the share of light (h, w) that the shadow of a hand or a phone leaves.

    *x* and *y* (h, w): positions, as shares of the picture's longer side.
    """
    angle, bow = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.8)
    along = np.cos(angle) * x + np.sin(angle) * y
    across = -np.sin(angle) * x + np.cos(angle) * y
    distance = along - rng.uniform(-0.25, 0.3) + bow * across**2 + 0.03 * np.sin(9 * across + angle)
    inside = 1 / (1 + np.exp(-np.clip(distance / light.shadow_softness, -30, 30)))
    return np.asarray(1 - light.shadow * inside, np.float32)


def lit(pixels: Image, field: Floats, light: Light, rng: Generator) -> Floats:
    """Return the picture (H, W, 3) float32 times the light factors in *field*, with the glare of a lamp.

    Values can be above 255.
    """
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


def exposed(picture: Floats, optics: Optics, rng: Generator) -> Image:
    """Return a picture (H, W, 3) uint8 as a camera saves it: blurred, noisy, sharpened, as JPEG."""
    height, width = picture.shape[:2]
    if optics.haze > 0 or optics.gamma != 1:
        picture = 255 * optics.haze + (1 - optics.haze) * picture
    if optics.gamma != 1:
        picture = np.asarray(255 * np.clip(picture / 255, 0, 1) ** np.float32(optics.gamma), np.float32)
    if optics.moire > 0:
        picture = picture * _moire(height, width, optics.moire, rng)
    if optics.blur > 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), optics.blur), np.float32)
    if optics.motion > 1:
        streak = _streak(optics.motion, optics.motion_angle)
        picture = np.asarray(cv2.filter2D(picture, -1, streak), np.float32)
    for strength, channels in ((optics.noise, 3), (optics.grey_noise, 1)):
        if strength > 0:
            picture = picture + strength * _noise(height, width, channels, optics.noise_grain, rng)
    if optics.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), optics.sharpen_radius)
        picture = picture + optics.sharpen * (picture - soft)
    return compressed(np.clip(picture + 0.5, 0, 255).astype(np.uint8), optics.jpeg)


def compressed(pixels: Image, quality: int) -> Image:
    """Return the picture after saving it as a JPEG of *quality* 1 to 100; 0 changes nothing."""
    if quality <= 0:
        return pixels
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR) if done else None
    return pixels if decoded is None else np.asarray(decoded, np.uint8)


def _noise(height: int, width: int, channels: int, grain: float, rng: Generator) -> Floats:
    """Return a sensor's noise (height, width, channels) float32. *grain*: blur of the noise in pixels."""
    tile = rng.standard_normal((_NOISE_TILE, _NOISE_TILE, channels), np.float32)
    soft = cv2.GaussianBlur(tile, (0, 0), grain).reshape(tile.shape)
    tile = 0.5 * tile + (0.9 * max(1.0, grain / _PLAIN_GRAIN)) * soft
    noise = np.empty((height, width, channels), np.float32)
    for top in range(0, height, _NOISE_TILE):
        for left in range(0, width, _NOISE_TILE):
            part = noise[top : top + _NOISE_TILE, left : left + _NOISE_TILE]
            moved = np.roll(tile, rng.integers(0, _NOISE_TILE, 2).tolist(), axis=(0, 1))
            part[:] = moved[: part.shape[0], : part.shape[1]]
    return noise


def _streak(length: float, angle: float) -> Floats:
    """Return a kernel for the blur of a moving camera: a line of *length* pixels at an *angle* in degrees."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side, side), np.float32)
    middle, reach = (side - 1) / 2, length / 2
    step = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))]) * reach
    ends = [tuple(round(float(middle + sign * part) * 16) for part in step) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _moire(height: int, width: int, strength: float, rng: Generator) -> Floats:
    """Return factors (H, W, 1) for the brightness: faint bands, as in photos of screens (moiré)."""
    angle, period = rng.uniform(0, np.pi), rng.uniform(6, 40)
    y = np.arange(height, dtype=np.float32)[:, None] * np.float32(np.sin(angle) / period * 2 * np.pi)
    x = np.arange(width, dtype=np.float32)[None, :] * np.float32(np.cos(angle) / period * 2 * np.pi)
    return np.asarray(1 + strength * np.sin(x + y), np.float32)[:, :, None]
