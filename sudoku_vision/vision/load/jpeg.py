"""JPEG: unpacked by OpenCV, at a reduced size first where a photo is larger than reading needs.

Half the time that unpacking takes goes into pixels that no reading looks at. The format can be unpacked at
half its size right away, and the whole of it is unpacked only when somebody asks for it, as to draw into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import OpenError
from sudoku_vision.results import Image, Photo, ReducedCopy
from sudoku_vision.vision.load.guard import CONVERT, truncated
from sudoku_vision.vision.load.jpeg_header import JpegHeader
from sudoku_vision.vision.load.orientation import starts_reversed, upright, upright_size

REDUCED_SIDE = 2000
"""Pixels that the longer side of a reduced copy has at least: no larger copy is ever searched for grids, so
that none is found on the photo that isn't found on this one."""

MAX_SCANS = 100
"""Passes over the pixels of a progressive JPEG: cameras and programs make 10, each costs as much as all of a
picture, and a file of 22 kB may hold 2,000."""

_FACTORS = {8: cv2.IMREAD_REDUCED_COLOR_8, 4: cv2.IMREAD_REDUCED_COLOR_4, 2: cv2.IMREAD_REDUCED_COLOR_2}
"""How many pixels become one, each way -> how OpenCV is told."""

_START_OF_SCAN = b"\xff\xda"
_END = b"\xff\xd9"


class PackedPhoto(Photo):
    """A photo whose ``pixels`` are unpacked when they are first asked for; its ``reduced`` copy is there."""

    def __init__(self, packed: PackedPicture, source: str, page: int, exif: bytes = b"") -> None:
        """Hold a *packed* picture under the name of its *source*."""
        vars(self).update(source=source, page=page, exif=exif, _packed=packed)

    @cached_property
    def pixels(self) -> Image:
        """Return the pixels (H, W, 3) uint8 BGR, upright; raises :class:`OpenError`."""
        return self._packed.unpack()

    def __reduce__(self) -> tuple[type[Photo], tuple[Image, str, int, bytes]]:
        """Be pickled and copied as a plain photo, with all its pixels: what unpacks them stays behind."""
        return Photo, (self.pixels, self.source, self.page, self.exif)

    def named(self, source: str) -> PackedPhoto:
        """Return the same photo under another name."""
        return PackedPhoto(self._packed, source, self.page, self.exif)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._packed.size

    @property
    def reduced(self) -> ReducedCopy:
        """Return the copy that was unpacked at a reduced size."""
        return self._packed.reduced

    @property
    def _packed(self) -> PackedPicture:
        packed: PackedPicture = vars(self)["_packed"]
        return packed


@dataclass(frozen=True, eq=False)
class PackedPicture:
    """A picture that has been unpacked at a reduced size alone.

    ``size`` is its width and height, upright; ``unpack`` gives its pixels at full size.
    """

    reduced: ReducedCopy
    size: tuple[int, int]
    unpack: Callable[[], Image]


def unpack_jpeg(data: bytes, header: JpegHeader, otherwise: Callable[[], Image]) -> Image | PackedPicture:
    """Unpack a JPEG of 8 bits, grey or colour; a large one at a reduced size.

    *otherwise* unpacks what OpenCV can't. Pixels are (H, W, 3) uint8 BGR, upright.
    """
    orientation = header.orientation
    factor = next((one for one in _FACTORS if max(header.size) >= one * REDUCED_SIDE), 1)

    def unpack() -> Image:
        pixels = _unpacked(data, cv2.IMREAD_COLOR, header.size)
        return otherwise() if pixels is None else upright(pixels, orientation)

    if factor == 1:
        return unpack()
    reduced_size = (-(-header.size[0] // factor), -(-header.size[1] // factor))
    pixels = _unpacked(data, _FACTORS[factor], reduced_size)
    if pixels is None:
        return unpack()
    size = upright_size(header.size, orientation)
    reduced = upright(pixels, orientation)
    return PackedPicture(
        ReducedCopy(reduced, factor, _offset(reduced, factor, size, orientation)), size, unpack
    )


def _unpacked(data: bytes, flags: int, size: tuple[int, int]) -> Image | None:
    """Unpack with OpenCV to *size* as it is stored, or give None; releases differ in when they turn it."""
    try:
        pixels: NDArray[Any] | None = cv2.imdecode(
            np.frombuffer(data, np.uint8), flags | cv2.IMREAD_IGNORE_ORIENTATION
        )
    except cv2.error:
        return None
    if pixels is None or pixels.shape[1::-1] != size:
        return None
    return np.asarray(pixels, np.uint8)


def _offset(reduced: Image, factor: int, size: tuple[int, int], orientation: int) -> tuple[int, int]:
    """Return where in the photo, of *size*, a *reduced* copy of it begins, as (x, y): at most 0.

    Its last pixels in the file's order may stand for fewer; turned upright, they may come first.
    """
    rest = size[0] - factor * reduced.shape[1], size[1] - factor * reduced.shape[0]
    left, top = starts_reversed(orientation)
    return rest[0] if left else 0, rest[1] if top else 0


def check_jpeg(data: bytes, name: str, *, ends: bool = True) -> None:
    """Raise :class:`OpenError` for a JPEG of more scans than any program writes, and for one without its end.

    *ends*: whether the mark at its end is looked for; OpenCV would fill what is missing with grey, and say
    nothing.
    """
    start = _scan_start(data)
    scans = data.count(_START_OF_SCAN, start)
    if scans > MAX_SCANS:
        raise OpenError(f"{name}: it has {scans:,} scans, the limit is {MAX_SCANS}.", CONVERT)
    if ends and data.rfind(_END) < start:
        raise truncated(name)


def _scan_start(data: bytes) -> int:
    """Find where the pixels of a JPEG begin, past its header and the thumbnails in it."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xDA:
            return at
        if data[at + 1] == 0xFF:
            at += 1
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at
