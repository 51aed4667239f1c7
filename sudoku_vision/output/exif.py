"""EXIF: how much of what a photo says of itself goes over into the pictures that are made from it.

Kept are date, camera, lens, exposure, names and descriptions. All else is left out, above all

* the place where the photo was taken: nobody who passes on a solved puzzle means to tell where they live;
* a camera maker's own notes and other blocks within the block (XMP, IPTC), which may hold the place as well;
* the orientation and the layout of the pixels, as these are upright now, and packed anew;
* the thumbnail, which shows the puzzle unsolved.
"""

from __future__ import annotations

import contextlib
import warnings

MOST_BYTES = 60_000
"""Of a block that is kept: a segment of JPEG holds 65,535; of a camera's a thousand or two are kept."""

_KEPT = (0x010E, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x8298)
"""Description, maker and model of the camera, its software, date, artist and copyright (CIPA DC-008)."""

_DETAILS = 0x8769
"""The tag that leads to the details of the exposure, ..."""
_LEFT_OUT = {0x927C, 0xA005, 0x8825}
"""... of which all are kept but the maker's notes, and what would lead to other directories."""

_WIDTH, _HEIGHT = 0xA002, 0xA003
"""What the details say of the size of the picture, in pixels."""

_HEAD = b"Exif\0\0"


def kept_exif(block: bytes, size: tuple[int, int]) -> bytes:
    """Return what is kept of an EXIF *block*, for a picture of *size* (width, height).

    It begins as a TIFF. Empty where there is nothing to keep, or the block is damaged.
    """
    if not block:
        return b""
    from PIL.Image import Exif

    packed = b""
    # A damaged block raises errors of many kinds; the picture itself may well be sound.
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, kept = Exif(), Exif()
        found.load(block)
        for tag in _KEPT:
            if tag in found:
                text = found[tag]  # Pillow writes letters beyond ASCII as question marks
                kept[tag] = text.encode("latin-1") if isinstance(text, str) else text
        if details := {tag: value for tag, value in found.get_ifd(_DETAILS).items() if tag not in _LEFT_OUT}:
            kept[_DETAILS] = {**details, _WIDTH: size[0], _HEIGHT: size[1]}
        packed = kept.tobytes().removeprefix(_HEAD) if len(kept) else b""
    return packed if len(packed) <= MOST_BYTES else b""
