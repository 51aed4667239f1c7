"""HEIC and HEIF pictures, with pillow-heif.

Where such a picture is turned or mirrored, the container itself says so (its boxes ``irot`` and ``imir``),
and libheif does it while it unpacks. The orientation in the EXIF of the same file repeats that for
information (ISO/IEC 23008-12; ISO/IEC 23000-22, 7.3.10.1: it is not to express a turn of its own), so it is
not looked at: a phone's picture, which has both, is turned once.

Pillow is left as it is: no opener is registered with it.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from sudoku_vision.errors import OpenError
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import check_packing, check_size, extra, plain_errors
from sudoku_vision.vision.load.picture import opaque_bgr


def heif_pages(data: bytes, name: str, max_megapixels: float) -> Iterator[Image]:
    """Unpack the main picture of a HEIF file; raises :class:`~sudoku_vision.errors.OpenError`."""
    pillow_heif = extra("pillow_heif", "pillow-heif", "HEIC pictures", name)
    with plain_errors(name):
        picture = pillow_heif.open_heif(data, convert_hdr_to_8bit=True)
        size = picture.size
    check_size(size, name, max_megapixels)
    check_packing(math.prod(size), len(data), name)
    with plain_errors(name):
        pixels = _bgr(picture)
        del picture  # its own pixels, before the page is read
    yield pixels


def heif_exif(data: bytes) -> bytes:
    """Return the EXIF block of a HEIF file; empty where there is none, or it can't be read."""
    with contextlib.suppress(OpenError):
        pillow_heif = extra("pillow_heif", "pillow-heif", "HEIC pictures", "")
        with plain_errors(""):
            found = pillow_heif.open_heif(data).info.get("exif")
            return found if isinstance(found, bytes) else b""
    return b""


def _bgr(picture: Any) -> Image:
    """Return the pixels of an opened picture, without a copy for Pillow where they are plain colours."""
    if picture.mode != "RGB":
        return opaque_bgr(picture.to_pillow())
    return np.asarray(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR), np.uint8)
