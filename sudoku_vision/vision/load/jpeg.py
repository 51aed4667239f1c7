"""JPEG: unpacked by OpenCV, at a reduced size first where a photo is larger than reading needs.

Half the time that unpacking takes goes into pixels that no reading looks at: the whole is unpacked only when
it is asked for, as to draw into it. Pillow, which is slow to load, does only what OpenCV can't.
"""

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Image, Photo, ReducedCopy
from sudoku_vision.vision.load.guard import truncated

REDUCED_SIDE = 2000
"""Pixels that the longer side of a reduced copy has at least: no larger copy is ever searched for grids, so
that none is found on the photo that isn't found on this one."""

MAX_SCANS = 100
"""Passes over the pixels of a progressive JPEG: cameras and programs make 10, each costs as much as all of a
picture, and a file of 22 kB may hold 2,000."""
_MOST_SEGMENTS = 10 * MAX_SCANS
"""Segments that are looked at, before the first scan and from there on: cameras and programs make dozens."""

_FACTORS = {
    8: cv2.IMREAD_REDUCED_COLOR_8,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    1: cv2.IMREAD_COLOR,
}
"""How many pixels become one, each way -> how OpenCV is told. It sets the picture upright in each."""

_START_OF_SCAN, _END = 0xDA, b"\xff\xd9"
_MARKER = re.compile(rb"\xff([\xc0-\xcf\xd9-\xfe])")
"""What begins a segment with a length, or ends the picture; all other markers stand alone."""
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_PLAIN_FRAMES = {0xC0, 0xC1, 0xC2}
"""Frames with a baseline, an extended and a progressive Huffman code: all that cameras and programs write."""
_APP1, _EXIF_HEAD = 0xE1, b"Exif\0\0"


@dataclass(frozen=True)
class JpegHeader:
    """What stands before the pixels of a JPEG: its (width, height) as it is stored, and its EXIF block.

    ``is_plain``: whether it has 8 bits, grey or three colours, and is packed as usual. ``end``: where the
    header ends, past the thumbnails in it.
    """

    size: tuple[int, int]
    is_plain: bool
    exif: bytes
    end: int


def _segments(data: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield the mark of each segment from *at* to the end of the picture, where it begins, and where it ends.

    What stands between them is passed over, as by libjpeg. Past the end, phones put a film or a picture more.
    """
    for _ in range(_MOST_SEGMENTS):
        found = _MARKER.search(data, at)
        if found is None or found[0] == _END:
            return
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")
        yield found[1][0], found.start(), at


def read_header(data: bytes) -> JpegHeader | None:
    """Read what stands before the first scan of a JPEG (ITU-T T.81, annex B); None where there is no scan."""
    size, is_plain, exif = (0, 0), False, b""
    for mark, start, end in _segments(data, 2):
        if mark == _START_OF_SCAN:
            return JpegHeader(size, is_plain, exif, start)
        if mark in _FRAMES and 10 <= end - start <= len(data) - start:
            bits, height, width, colours = struct.unpack_from(">BHHB", data, start + 4)
            is_plain = mark in _PLAIN_FRAMES and bits == 8 and colours in (1, 3) and size == (0, 0)
            size = width, height
        elif mark == _APP1 and not exif and data[start + 4 : start + 10] == _EXIF_HEAD:
            exif = data[start + 10 : end]
    return None


def has_too_many_scans(data: bytes, header: JpegHeader) -> bool:
    """Tell whether a JPEG has more than :data:`MAX_SCANS`, or so many segments that they may lie behind."""
    if data.count(bytes([0xFF, _START_OF_SCAN]), header.end) <= MAX_SCANS:
        return False
    marks = [mark for mark, _, _ in _segments(data, header.end)]
    return marks.count(_START_OF_SCAN) > MAX_SCANS or len(marks) == _MOST_SEGMENTS


class PackedPhoto(Photo):
    """A photo whose ``pixels`` are unpacked when they are first asked for; its ``reduced`` copy is there."""

    _reduced: ReducedCopy
    _size: tuple[int, int]
    _unpack: Callable[[], Image]

    def __init__(
        self,
        reduced: ReducedCopy,
        size: tuple[int, int],
        unpack: Callable[[], Image],
        source: str,
        exif: bytes,
    ) -> None:
        """Hold a *reduced* copy of a photo of *size*, which *unpack* gives; both are upright."""
        vars(self).update(source=source, page=1, exif=exif, _reduced=reduced, _size=size, _unpack=unpack)

    @cached_property
    def pixels(self) -> Image:
        """Return the pixels (H, W, 3) uint8 BGR, upright; raises :class:`OpenError`."""
        pixels = self._unpack().view()
        pixels.flags.writeable = False
        return pixels

    def __reduce__(self) -> tuple[type[Photo], tuple[Image, str, int, bytes]]:
        """Be pickled and copied as a plain photo, with all its pixels: what unpacks them stays behind."""
        return Photo, (self.pixels, self.source, self.page, self.exif)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._size

    @property
    def reduced(self) -> ReducedCopy:
        """Return the copy that was unpacked at a reduced size."""
        return self._reduced


def unpack_jpeg(data: bytes, header: JpegHeader, name: str, otherwise: Callable[[], Image]) -> Photo:
    """Unpack a plain JPEG, a large one at a reduced size; raises :class:`OpenError`.

    *otherwise* unpacks what OpenCV can't. Pixels are (H, W, 3) uint8 BGR, upright.
    """
    if data.rfind(_END) < header.end:  # OpenCV would fill what is missing with grey, and say nothing
        raise truncated(name)

    def unpack() -> Image:
        pixels = _unpacked(data, header.size, 1)
        return otherwise() if pixels is None else pixels

    factor = next(factor for factor in _FACTORS if factor == 1 or max(header.size) >= factor * REDUCED_SIDE)
    pixels = _unpacked(data, header.size, factor) if factor > 1 else None
    if pixels is None:
        return Photo(unpack(), name, exif=header.exif)
    is_lying = pixels.shape[1::-1] != tuple(-(-side // factor) for side in header.size)
    size = header.size[::-1] if is_lying else header.size
    return PackedPhoto(ReducedCopy(pixels, factor), size, unpack, name, header.exif)


def _unpacked(data: bytes, size: tuple[int, int], factor: int) -> Image | None:
    """Unpack with OpenCV at a *factor*-th of a stored *size*, set upright; None where it can't."""
    try:
        pixels: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), _FACTORS[factor])
    except cv2.error:
        return None
    sides = sorted(-(-side // factor) for side in size)
    if pixels is None or sorted(pixels.shape[:2]) != sides:
        return None
    return np.asarray(pixels, np.uint8)
