"""Orientation: which way up a picture is, as its EXIF says, and how it is set upright."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sudoku_vision.results import Image

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

UPRIGHT = 1
"""The orientation of a picture that is stored as it is seen."""

_TAG = 0x0112

_TURNS: dict[int, tuple[int | None, int | None]] = {
    2: (1, None),
    3: (None, cv2.ROTATE_180),
    4: (0, None),
    5: (1, cv2.ROTATE_90_COUNTERCLOCKWISE),
    6: (None, cv2.ROTATE_90_CLOCKWISE),
    7: (1, cv2.ROTATE_90_CLOCKWISE),
    8: (None, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""EXIF orientation -> (flip code or None, then rotation or None) that shows the picture upright."""

_LYING = {5, 6, 7, 8}
"""Orientations in which width and height change places."""


def orientation_of(picture: PillowImage) -> int:
    """Read the EXIF orientation 1..8, 1 if there is none or it makes no sense."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = picture.getexif().get(_TAG, UPRIGHT)
    except Exception:
        # Damaged EXIF raises errors of many kinds; the picture itself may well be sound.
        return UPRIGHT
    return value if is_orientation(value) else UPRIGHT


def is_orientation(value: object) -> bool:
    """Tell whether *value* is one of the orientations of EXIF."""
    return value == UPRIGHT or value in _TURNS


def upright(pixels: Image, orientation: int) -> Image:
    """Flip and turn (H, W, 3) pixels as an EXIF *orientation* says."""
    flip, turn = _TURNS.get(orientation, (None, None))
    if flip is not None:
        pixels = np.asarray(cv2.flip(pixels, flip), np.uint8)
    if turn is not None:
        pixels = np.asarray(cv2.rotate(pixels, turn), np.uint8)
    return pixels


def upright_size(size: tuple[int, int], orientation: int) -> tuple[int, int]:
    """Return the (width, height) of a picture set upright from those in which it is stored."""
    return size[::-1] if orientation in _LYING else size


def starts_reversed(orientation: int) -> tuple[bool, bool]:
    """Tell whether the left and the top of the picture set upright were stored last, as (left, top)."""
    places = np.arange(4, dtype=np.uint8).reshape(2, 2, 1).repeat(3, axis=2)
    row, column = divmod(int(upright(places, orientation)[0, 0, 0]), 2)
    return (bool(row), bool(column)) if orientation in _LYING else (bool(column), bool(row))
