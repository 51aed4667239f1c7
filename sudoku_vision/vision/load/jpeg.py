"""Unpack JPEG with OpenCV. A large photo is first unpacked at a reduced size.

Reading the digits never uses all pixels of a large photo. Unpacking all pixels would take half of the reading
time. So all pixels are unpacked only if they are needed, for example to draw into the photo. Pillow is only
used for files that OpenCV can't read, because importing Pillow is slow.
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

from sudoku_vision.values import Image
from sudoku_vision.vision.load.guard import truncated
from sudoku_vision.vision.results import Photo, ReducedCopy

REDUCED_SIDE = 2000
"""The longer side of a reduced copy has at least this many pixels.

The search for grids works on a copy whose longer side never has more pixels than this. So it finds the same
grids as in the full photo.
"""
MAX_SCANS = 100
"""A progressive JPEG with more scans than this is refused. A scan is one pass over all pixels of the picture.

Cameras and programs write 10 scans. Each scan takes as long as unpacking a whole picture, and a file of 22 kB
can hold 2,000 scans.
"""
_MAX_SEGMENTS = 10 * MAX_SCANS
"""At most this many segments of a JPEG are examined before its first scan, and at most as many from the first
scan to the end.

Usual files have dozens of segments.
"""

_FACTORS = {
    8: cv2.IMREAD_REDUCED_COLOR_8,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    1: cv2.IMREAD_COLOR,
}
"""OpenCV's flags for unpacking. The key is the factor by which a flag divides width and height. All flags
turn pictures upright."""

_START_OF_SCAN, _END = 0xDA, b"\xff\xd9"
_MARKER = re.compile(rb"\xff([\xc0-\xcf\xd9-\xfe])")
"""The marker of a segment that has a length, or the marker of the picture's end. Other markers have no
content, so they are skipped."""
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_PLAIN_FRAMES = {0xC0, 0xC1, 0xC2}
"""Markers of baseline, extended and progressive frames with Huffman codes. Cameras and programs write no
other kinds of frames."""
_APP1, _EXIF_HEAD = 0xE1, b"Exif\0\0"


@dataclass(frozen=True)
class JpegHeader:
    """The header of a JPEG.

    ``size`` is the stored (width, height), before the picture is turned upright. ``is_plain`` says whether
    the JPEG has 8 bits a colour, one or three colours, and a usual kind of frame. ``exif`` is the EXIF block.
    ``end`` is the position in the file where the header ends and the first scan begins.
    """

    size: tuple[int, int]
    is_plain: bool
    exif: bytes
    end: int


def _segments(data: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield the marker, the start and the end of each segment from the position *at* to the picture's end.

    Bytes between segments are skipped, because libjpeg skips them, too. Bytes after the end of the picture
    are ignored, because phones store films or other pictures there.
    """
    for _ in range(_MAX_SEGMENTS):
        found = _MARKER.search(data, at)
        if found is None or found[0] == _END:
            return
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")
        yield found[1][0], found.start(), at


def read_header(data: bytes) -> JpegHeader | None:
    """Return the header of a JPEG (ITU-T T.81, annex B), or None if there is no scan after the header."""
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
    """Return whether a JPEG has more than :data:`MAX_SCANS` scans, or too many segments to count scans."""
    if data.count(bytes([0xFF, _START_OF_SCAN]), header.end) <= MAX_SCANS:
        return False
    marks = [mark for mark, _, _ in _segments(data, header.end)]
    return marks.count(_START_OF_SCAN) > MAX_SCANS or len(marks) == _MAX_SEGMENTS


class PackedPhoto(Photo):
    """A photo with a ``reduced`` copy. The full ``pixels`` are unpacked only when they are first used."""

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
        """Make a photo of *size* (width, height) with its *reduced* copy.

        *unpack* returns all upright pixels. It is called when they are needed for the first time.
        """
        vars(self).update(source=source, page=1, exif=exif, _reduced=reduced, _size=size, _unpack=unpack)

    @cached_property
    def pixels(self) -> Image:
        """The upright pixels (H, W, 3) uint8 BGR; raises :class:`OpenError` if they can't be unpacked."""
        pixels = self._unpack().view()
        pixels.flags.writeable = False
        return pixels

    def __reduce__(self) -> tuple[type[Photo], tuple[Image, str, int, bytes]]:
        """Pickle and copy this photo as a plain :class:`Photo`, because *unpack* can't be pickled."""
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
    """Return the photo in a plain JPEG. A large JPEG is first unpacked at a reduced size only.

    If OpenCV can't read the file, *otherwise* is called to unpack it. *otherwise* must return the upright
    pixels (H, W, 3) uint8 BGR. Raises :class:`OpenError` if the file is truncated or damaged.
    """
    if data.rfind(_END) < header.end:  # OpenCV would fill the missing part with grey, without any error
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
    """Return the upright pixels (H, W, 3) uint8 BGR of a JPEG, or None if OpenCV can't unpack them.

    *size* is the stored (width, height). The width and height of the result are divided by *factor*.
    """
    try:
        pixels: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), _FACTORS[factor])
    except cv2.error:
        return None
    sides = sorted(-(-side // factor) for side in size)
    if pixels is None or sorted(pixels.shape[:2]) != sides:
        return None
    return np.asarray(pixels, np.uint8)
