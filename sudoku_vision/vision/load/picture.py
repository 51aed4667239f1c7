"""Picture: files of every kind but plain JPEG and PDF, unpacked by Pillow, which knows them all.

PNG is left to Pillow, too: the libpng within OpenCV writes what it thinks of a colour profile straight to
standard error.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import math
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import OpenError, import_extra, missing_extra
from sudoku_vision.results import Image, Photo
from sudoku_vision.vision.load import guard
from sudoku_vision.vision.load.jpeg import MAX_SCANS, has_too_many_scans, read_header, unpack_jpeg

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

MAX_DOCUMENT_PIXELS_PER_BYTE = 1000
"""Pixels of all pages together that a byte of a document may stand for, besides those of one page at the
limit: scanned print comes to 200 where it is packed best, pages without a mark to 8,000."""
_END_OF_PNG = b"IEND"


def read_picture(data: bytes, kind: str, name: str, max_megapixels: float) -> Photo:
    """Unpack a file of one picture, of an animation or a burst the main one; raises :class:`OpenError`."""
    if kind == "Jpeg":
        header = read_header(data)
        if header is None:
            raise guard.truncated(name)
        if has_too_many_scans(data, header):
            raise OpenError(f"{name}: it has more than {MAX_SCANS} scans.", guard.CONVERT)
        if header.is_plain:
            guard.check_size(header.size, name, max_megapixels)
            return unpack_jpeg(data, header, name, lambda: _unpack(_open(data, kind, name), name))
    picture = _open(data, kind, name)
    guard.check_size(picture.size, name, max_megapixels)
    if kind == "Png" and _END_OF_PNG not in data:
        raise guard.truncated(name)
    return photo_of(picture, name)


def read_tiff(
    data: bytes, name: str, max_megapixels: float, max_pages: int, wanted: range | None
) -> Iterator[Photo | OpenError]:
    """Unpack the pages of a TIFF, each when it is asked for: its photo, or what is wrong with it."""
    pages = count_directories(data, max(max_pages + 1, wanted.stop if wanted else 0))
    picture = _open(data, "Tiff", name)
    exif = _exif_of(picture)  # what the first page says counts for all
    room = max_megapixels * 1e6 + MAX_DOCUMENT_PIXELS_PER_BYTE * len(data)
    for page in guard.wanted_pages(name, pages, max_pages, wanted):
        title = guard.page_name(name, page + 1, pages)
        result: Photo | OpenError
        try:
            with guard.plain_errors(title):
                picture.seek(page)
            guard.check_size(picture.size, title, max_megapixels)
            if math.prod(picture.size) * pages > room:
                what = f"{title}: {pages} pages like this are too many pixels for {len(data):,} bytes."
                raise OpenError(what, "Split the document.")
            result = Photo(_unpack(picture, title), name, page + 1, exif)
        except OpenError as error:
            result = error
        yield result
    if wanted is None and pages > max_pages:
        yield guard.too_many_pages(name, max_pages)


def count_directories(data: bytes, most: int) -> int:
    """Count the page directories in a TIFF or BigTIFF, at least 1 and at most *most*.

    Each directory ends with the place of the next; one that is visited twice, or lies past the end, is the
    last. Pillow's own count stops at a page that it can't read.
    """
    order = "<" if data.startswith(b"II") else ">"
    is_big = data[2:4] in {b"+\0", b"\0+"}
    start, count, entry_bytes, offset = (8, "Q", 20, "Q") if is_big else (4, "H", 12, "I")
    seen: set[int] = set()
    with contextlib.suppress(struct.error, OverflowError):  # past the end, or past all ends
        (at,) = struct.unpack_from(order + offset, data, start)
        while at and at not in seen and len(seen) < most:
            seen.add(at)
            (entries,) = struct.unpack_from(order + count, data, at)
            at += struct.calcsize(order + count) + entries * entry_bytes
            (at,) = struct.unpack_from(order + offset, data, at)
    return max(1, len(seen))


def photo_of(picture: PillowImage, name: str) -> Photo:
    """Return the photo of an opened picture, which is turned upright itself; raises :class:`OpenError`."""
    exif = _exif_of(picture)  # before it is turned
    return Photo(_unpack(picture, name), name, exif=exif)


def _open(data: bytes, kind: str, name: str) -> PillowImage:
    """Read a picture's header with the Pillow plug-in of its *kind*, without Pillow's own limit of pixels."""
    from PIL import Image as Pillow

    if kind == "Heif":
        import_extra("pillow_heif", "formats", f"{name}: reading HEIC pictures needs pillow-heif")
        factory: Any = importlib.import_module("pillow_heif.as_plugin").HeifImageFile
    else:
        try:
            importlib.import_module(f"PIL.{kind}ImagePlugin")
            factory, accept = Pillow.OPEN[kind.upper()]
            if accept is not None and accept(data[:16]) is not True:
                raise KeyError(kind)
        except (ImportError, KeyError):
            what = f"{name}: reading {kind.upper()} pictures needs Pillow 11.3 or newer."
            raise missing_extra(what, "formats") from None
    with guard.plain_errors(name):
        picture: PillowImage = factory(io.BytesIO(data), name)
        return picture


def _exif_of(picture: PillowImage) -> bytes:
    """Return the EXIF block of a picture as its file has it, empty where there is none."""
    with contextlib.suppress(Exception):  # a damaged one raises errors of many kinds
        if picture.format == "TIFF":
            return picture.getexif().tobytes()
        block = picture.info.get("exif", b"")
        return block if isinstance(block, bytes) else b""
    return b""


def _unpack(picture: PillowImage, name: str) -> Image:
    """Unpack with Pillow, turned upright in its place, as BGR (H, W, 3) uint8 on white."""
    from PIL import ImageOps

    with guard.plain_errors(name):
        picture.load()
        with contextlib.suppress(Exception):  # EXIF may be damaged where the picture is sound
            ImageOps.exif_transpose(picture, in_place=True)
        return opaque_bgr(picture)


def opaque_bgr(picture: PillowImage) -> Image:
    """Return a loaded picture of any mode as BGR (H, W, 3) uint8 on white."""
    from PIL import Image as Pillow

    if picture.mode == "F" or picture.mode.startswith("I"):
        picture = Pillow.fromarray(_eight_bits(np.asarray(picture)))
    if "transparency" in picture.info or picture.mode in {"LA", "PA", "La", "RGBA", "RGBa"}:
        coloured = picture.convert("RGBA")
        picture = Pillow.new("RGB", coloured.size, "white")
        picture.paste(coloured, mask=coloured.getchannel("A"))
    # Asked for its own mode, Pillow would make a copy.
    rgb = np.asarray(picture if picture.mode == "RGB" else picture.convert("RGB"), np.uint8)
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)


def _eight_bits(values: NDArray[Any]) -> Image:
    """Scale grey values of more than 8 bits to 0..255, by the range usual for their type."""
    floats = np.nan_to_num(values.astype(np.float32))
    top = float(floats.max(initial=0.0))
    limits = (65535.0,) if np.issubdtype(values.dtype, np.integer) else (1.0, 255.0, 65535.0)
    white = next((limit for limit in limits if top <= limit), top)
    return np.asarray(np.clip(np.rint(floats * (255.0 / white)), 0, 255), np.uint8)
