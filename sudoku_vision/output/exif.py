"""EXIF: date, camera and lens of a photo go over into the pictures that are made from it, and nothing else.

So nobody who passes on a solved puzzle tells where they live, who they are or whose camera it is: no place,
wherever it stands, no names, comments, serial numbers, maker's notes, other blocks or thumbnail go over.
The pixels are upright, which needs no word.
"""

import contextlib
import warnings

MOST_BYTES = 2_000  # of a block that is kept: of a camera's a hundred or two are

_KEPT = (0x010F, 0x0110, 0x0132)
"""Maker and model of the camera, and the date (CIPA DC-008); ..."""
_DETAILS, _KEPT_DETAILS = 0x8769, (0x9003, 0x9004, 0xA432, 0xA433, 0xA434)
"""... the tag that leads to more, of which the dates and the lens are kept: its lengths, maker and model."""

_HEAD = b"Exif\0\0"


def kept_exif(block: bytes) -> bytes:
    """Return what is kept of an EXIF *block*.

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
        details = found.get_ifd(_DETAILS)
        if more := {tag: details[tag] for tag in _KEPT_DETAILS if tag in details}:
            kept[_DETAILS] = more
        packed = kept.tobytes().removeprefix(_HEAD) if len(kept) else b""
    return packed if len(packed) <= MOST_BYTES else b""
