"""The header of a JPEG: its size and its orientation, read without a library that takes longer to load.

Only what is entirely usual is told. Of anything else nothing is, and the file is left to Pillow.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from sudoku_vision.vision.containers import JPEG_APP1, jpeg_segments
from sudoku_vision.vision.load.orientation import UPRIGHT, is_orientation

_FRAMES = {0xC0, 0xC1, 0xC2}
"""Frames with a baseline, an extended and a progressive Huffman code: all that cameras and programs write."""
_OTHER_FRAMES = {0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}
_EXIF_HEAD, _XMP_ORIENTATION = b"Exif\0\0", b"tiff:Orientation"
_ORIENTATION, _SHORT = 0x0112, 3


@dataclass(frozen=True)
class JpegHeader:
    """What a JPEG of 8 bits, grey or of three colours, says of itself; ``size`` as it is stored."""

    size: tuple[int, int]
    orientation: int


def header_of(data: bytes) -> JpegHeader | None:
    """Read the header of a JPEG; None where anything in it is unusual."""
    size: tuple[int, int] | None = None
    exif: list[bytes] = []
    in_xmp = False
    try:
        for mark, start, end in jpeg_segments(data):
            if mark in _OTHER_FRAMES or (mark in _FRAMES and size is not None):
                return None
            if mark in _FRAMES:
                bits, height, width, colours = struct.unpack_from(">BHHB", data, start)
                if bits != 8 or colours not in (1, 3) or not (width and height):
                    return None
                size = width, height
            elif mark == JPEG_APP1:
                in_xmp |= _XMP_ORIENTATION in data[start:end]
                if data[start : start + len(_EXIF_HEAD)] == _EXIF_HEAD:
                    exif.append(data[start + len(_EXIF_HEAD) : end])
        orientation = _orientation(exif[0]) if exif else None
    except (struct.error, IndexError):
        return None
    if orientation is None:  # XMP counts where EXIF says nothing, and is left to Pillow
        orientation = 0 if in_xmp else UPRIGHT
    return JpegHeader(size, orientation) if size and orientation and len(exif) < 2 else None


def _orientation(exif: bytes) -> int | None:
    """Read the orientation 1..8 in the first directory of *exif*: None if there is none, 0 for an odd one."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    if order is None:
        return 0
    (at,) = struct.unpack_from(order + "I", exif, 4)
    (count,) = struct.unpack_from(order + "H", exif, at)
    for number in range(count):
        tag, kind, values, value = struct.unpack_from(order + "HHIH", exif, at + 2 + 12 * number)
        if tag == _ORIENTATION:
            if (kind, values) != (_SHORT, 1):
                return 0
            return value if is_orientation(value) else UPRIGHT
    return None
