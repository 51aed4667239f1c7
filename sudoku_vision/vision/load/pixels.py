"""Pixels: arrays and PIL images as programs have them become BGR pixels of our own, upright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import PixelsError, UsageError, explained_memory
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import check_size
from sudoku_vision.vision.load.picture import opaque_bgr, unpack

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

Channels = Literal["bgr", "rgb"]
"""The order of the colours in an array: that of OpenCV, or that of all others."""

_SHAPES = "Arrays are (H, W) or (H, W, 1) for grey, (H, W, 3) for colour, or (H, W, 4) with opacity."
_DEPTHS = "Pixels are uint8, uint16, bool, other whole numbers from 0 to 255, or floats from 0 to 1."


def check_channels(channels: str) -> None:
    """Raise :class:`UsageError` for an order of colours that there isn't."""
    if channels not in ("bgr", "rgb"):
        raise UsageError(f"There are no channels {channels!r}.", 'They are "bgr" or "rgb".')


def pillow_pixels(picture: PillowImage, name: str, max_megapixels: float) -> Image:
    """Return a PIL image as BGR pixels (H, W, 3) uint8, as its file would give them: upright, on white."""
    check_size(picture.size, name, max_megapixels)
    if 0 in picture.size:
        raise PixelsError(f"{name}: there are no pixels in it.", "Hand over a picture.")
    return unpack(picture, name)


def array_pixels(array: NDArray[Any], channels: Channels, name: str, max_megapixels: float) -> Image:
    """Return an array of pixels as BGR (H, W, 3) uint8, contiguous, a copy always.

    Shapes and dtypes as in the sentences above; *channels* says the order of three or four. 16 bits are
    scaled to 8; what is transparent shows white. Raises :class:`PixelsError` for all others, and
    :class:`TooLargeError` before anything is copied.
    """
    plain = np.asarray(array)
    if plain.ndim not in (2, 3) or (plain.ndim == 3 and plain.shape[2] not in (1, 3, 4)):
        raise PixelsError(f"{name}: an array of shape {plain.shape} is no picture.", _shape_remedy(plain))
    if plain.size == 0:
        raise PixelsError(f"{name}: an array of shape {plain.shape} holds no pixels.", _SHAPES)
    check_size((plain.shape[1], plain.shape[0]), name, max_megapixels)
    with explained_memory(name):
        eight = np.ascontiguousarray(_eight_bits(plain, name))
        return _bgr(eight, channels)


def _shape_remedy(array: NDArray[Any]) -> str:
    """Say what becomes of arrays that people often have."""
    if array.ndim == 3 and array.shape[0] in (1, 3, 4):
        return f"{_SHAPES} Move the colours to the end: array.transpose(1, 2, 0)."
    if array.ndim == 4:
        return f"{_SHAPES} Hand over one picture at a time."
    if array.ndim == 1 and array.dtype == np.uint8:
        return f"{_SHAPES} Where these are the bytes of a file, hand over array.tobytes()."
    return _SHAPES


def _eight_bits(array: NDArray[Any], name: str) -> Image:
    """Return values as uint8; the array itself where they are."""
    kind = array.dtype.kind
    if array.dtype == np.uint8:
        return array
    if kind == "b":
        return array.astype(np.uint8) * np.uint8(255)
    if kind == "u" and array.dtype.itemsize == 2:
        return _scaled(array, 65535.0)
    if kind in "iu" and array.min() >= 0 and array.max() <= 255:
        return array.astype(np.uint8)
    if kind == "f" and array.min() >= 0 and array.max() <= 1:  # NaN is neither
        return _scaled(array, 1.0)
    values = f", from {array.min()} to {array.max()}" if kind in "iuf" else ""
    raise PixelsError(f"{name}: pixels of {array.dtype}{values} have no plain meaning.", _DEPTHS)


def _scaled(array: NDArray[Any], white: float) -> Image:
    """Scale values of 0..*white* to 0..255, row by row so as not to need the memory of eight copies."""
    eight = np.empty(array.shape, np.uint8)
    for row, values in zip(eight, array, strict=True):
        row[...] = np.rint(values.astype(np.float32) * np.float32(255.0 / white))
    return eight


def _bgr(eight: Image, channels: Channels) -> Image:
    """Return contiguous uint8 pixels of one, three or four channels as new BGR pixels."""
    count = 1 if eight.ndim == 2 else eight.shape[2]
    if count == 4 and eight[..., 3].min() < 255:
        return _on_white(eight, channels)
    if count == 3 and channels == "bgr":
        return eight.copy()
    codes = {
        (1, "bgr"): cv2.COLOR_GRAY2BGR,
        (1, "rgb"): cv2.COLOR_GRAY2BGR,
        (3, "rgb"): cv2.COLOR_RGB2BGR,
        (4, "bgr"): cv2.COLOR_BGRA2BGR,
        (4, "rgb"): cv2.COLOR_RGBA2BGR,
    }
    return np.asarray(cv2.cvtColor(eight, codes[count, channels]), np.uint8)


def _on_white(eight: Image, channels: Channels) -> Image:
    """Return pixels with opacity on white, as those of a file are."""
    from PIL import Image as Pillow

    rgba = eight if channels == "rgb" else cv2.cvtColor(eight, cv2.COLOR_BGRA2RGBA)
    return opaque_bgr(Pillow.fromarray(np.asarray(rgba, np.uint8)))


def in_channels(pixels: Image, channels: Channels) -> Image:
    """Return BGR pixels with their colours in the order of *channels*."""
    return pixels if channels == "bgr" else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)
