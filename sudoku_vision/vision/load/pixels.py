"""Pixels: arrays as programs have them become BGR pixels of our own."""

from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import PixelsError, UsageError, explained_memory
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import check_size
from sudoku_vision.vision.load.picture import opaque_bgr

Channels = Literal["bgr", "rgb"]
"""The order of the colours in an array: that of OpenCV, or that of all others."""

_SHAPES = (
    "Arrays are (H, W) or (H, W, 1) for grey, (H, W, 3) for colour, or (H, W, 4) with opacity: one picture "
    "at a time. Move colours that come first to the end with array.transpose(1, 2, 0), and hand over the "
    "bytes of a file as array.tobytes()."
)
_DEPTHS = "Pixels are uint8, uint16, bool, other whole numbers from 0 to 255, or floats from 0 to 1."


def check_channels(channels: str) -> None:
    """Raise :class:`UsageError` for an order of colours that there isn't."""
    if channels not in ("bgr", "rgb"):
        raise UsageError(f"There are no channels {channels!r}.", 'They are "bgr" or "rgb".')


def array_pixels(array: NDArray[Any], channels: Channels, name: str, max_megapixels: float) -> Image:
    """Return an array of pixels as BGR (H, W, 3) uint8, contiguous, a copy always.

    Shapes and dtypes as in the sentences above; *channels* says the order of three or four. 16 bits are
    scaled to 8; what is transparent shows white. Raises :class:`PixelsError` for all others, and
    :class:`TooLargeError` before anything is copied.
    """
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)):
        raise PixelsError(f"{name}: an array of shape {array.shape} is no picture.", _SHAPES)
    if array.size == 0:
        raise PixelsError(f"{name}: an array of shape {array.shape} holds no pixels.", _SHAPES)
    check_size((array.shape[1], array.shape[0]), name, max_megapixels)
    with explained_memory(name):
        eight = _eight_bits(array, name)
        if eight.ndim == 2 or eight.shape[2] == 1:
            return np.asarray(cv2.cvtColor(np.ascontiguousarray(eight), cv2.COLOR_GRAY2BGR), np.uint8)
        if channels == "rgb":
            eight = eight[..., [2, 1, 0, *range(3, eight.shape[2])]]
        if eight.shape[2] == 4 and eight[..., 3].min() < 255:
            return _on_white(eight)
        return np.array(eight[..., :3], order="C")


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


def _on_white(bgra: Image) -> Image:
    """Return pixels with opacity on white, as those of a file are."""
    from PIL import Image as Pillow

    rgba = cv2.cvtColor(np.ascontiguousarray(bgra), cv2.COLOR_BGRA2RGBA)
    return opaque_bgr(Pillow.fromarray(np.asarray(rgba, np.uint8)))


def in_channels(pixels: Image, channels: Channels) -> Image:
    """Return BGR pixels with their colours in the order of *channels*; raises :class:`UsageError`."""
    check_channels(channels)
    return pixels if channels == "bgr" else np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)
