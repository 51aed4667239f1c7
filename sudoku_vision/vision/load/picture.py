"""Turn Pillow images, arrays and picture files into BGR pixels. Other modules unpack PDF and plain JPEG.

Pillow unpacks the files, because it can read all other kinds of pictures. OpenCV could read PNG, too, but its
libpng writes warnings about colour profiles to standard error.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import math
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import (
    OpenError,
    PixelsError,
    checked_choice,
    explained_memory,
    import_extra,
    missing_extra,
)
from sudoku_vision.values import Image
from sudoku_vision.vision.load import guard
from sudoku_vision.vision.load.jpeg import MAX_SCANS, has_too_many_scans, read_header, unpack_jpeg
from sudoku_vision.vision.results import Photo

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

Channels = Literal["bgr", "rgb"]
"""The order of the colours in an array: OpenCV uses ``bgr``, most other programs use ``rgb``."""

MAX_DOCUMENT_PIXELS_PER_BYTE = 1000
"""A TIFF may have at most this many pixels, on all pages together, for each byte of its file. One page of the
largest allowed size is added to this limit, so that a short document is never refused.

The best compressed scans have 200 pixels for each byte. Blank pages have up to 8,000 pixels for each byte.
"""
_END_OF_PNG = b"IEND"
_SHAPES = (
    "Arrays are (H, W) or (H, W, 1) for grey, (H, W, 3) for colour, or (H, W, 4) with opacity: one picture "
    "at a time. Move colours that come first to the end with array.transpose(1, 2, 0), and hand over the "
    "bytes of a file as array.tobytes()."
)
_DEPTHS = (
    "Pixels are uint8, uint16, bool, other whole numbers from 0 to 255, or floats from 0 to 1. Convert "
    "floats up to 255 with array.astype('uint8')."
)


def read_picture(data: bytes, kind: str, name: str, max_megapixels: float) -> Photo:
    """Return the photo in a file with the bytes *data*. *kind*: the result of :func:`.files.kind_of`.

    From an animation, the first frame is read. From a burst of photos, the main picture is read. Raises
    :class:`OpenError` if the picture can't be read.
    """
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
    data: bytes, name: str, max_megapixels: float, max_pages: int, only: int | None
) -> Iterator[Photo | OpenError]:
    """Yield the photo of each page of a TIFF. If a page can't be read, yield an error with the reason.

    A page is unpacked only when it is asked for.
    """
    pages = count_directories(data, max(max_pages, only or 0) + 1)
    picture = _open(data, "Tiff", name)
    exif = _exif_of(picture)  # the EXIF block of the first page is used for all pages
    room = max_megapixels * 1e6 + MAX_DOCUMENT_PIXELS_PER_BYTE * len(data)
    for page in guard.wanted_pages(name, pages, max_pages, only):
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
    if only is None and pages > max_pages:
        yield guard.too_many_pages(name, max_pages)


def count_directories(data: bytes, limit: int) -> int:
    """Return the number of pages of a TIFF or BigTIFF, at least 1 and at most *limit*.

    Each page has a directory, and each directory ends with the position of the next one. Counting stops at a
    position that was met before, or that lies beyond the end of the file. Pillow's own count would already
    stop at a page that Pillow can't read.
    """
    order = "<" if data.startswith(b"II") else ">"
    is_big = data[2:4] in {b"+\0", b"\0+"}
    start, count, entry_bytes, offset = (8, "Q", 20, "Q") if is_big else (4, "H", 12, "I")
    seen: set[int] = set()
    with contextlib.suppress(struct.error, OverflowError):  # raised by a position beyond the file's end
        (at,) = struct.unpack_from(order + offset, data, start)
        while at and at not in seen and len(seen) < limit:
            seen.add(at)
            (entries,) = struct.unpack_from(order + count, data, at)
            at += struct.calcsize(order + count) + entries * entry_bytes
            (at,) = struct.unpack_from(order + offset, data, at)
    return max(1, len(seen))


def photo_of(picture: PillowImage, name: str) -> Photo:
    """Return the photo of an opened *picture*; raises :class:`OpenError` if its pixels can't be read.

    If *picture* is not upright, this object itself is turned upright.
    """
    exif = _exif_of(picture)  # read first, because turning the picture changes its EXIF block
    return Photo(_unpack(picture, name), name, exif=exif)


def _open(data: bytes, kind: str, name: str) -> PillowImage:
    """Open a picture with Pillow's plug-in for its *kind*. Pillow's own limit of pixels isn't applied."""
    from PIL import Image as Pillow

    if kind == "Heif":
        import_extra("pillow_heif", "formats", f"{name}: reading HEIC pictures needs pillow-heif")
        factory: Any = importlib.import_module("pillow_heif.as_plugin").HeifImageFile
    else:
        try:
            importlib.import_module(f"PIL.{kind}ImagePlugin")
            factory, accept = Pillow.OPEN["JPEG2000" if kind == "Jpeg2K" else kind.upper()]
            if accept is not None and accept(data[:16]) is not True:
                raise KeyError(kind)
        except (ImportError, KeyError):
            what = f"{name}: reading {kind.upper()} pictures needs Pillow 11.3 or newer."
            raise missing_extra(what, "formats") from None
    with guard.plain_errors(name):
        picture: PillowImage = factory(io.BytesIO(data), name)
        return picture


def _exif_of(picture: PillowImage) -> bytes:
    """Return the EXIF block of a picture as it is stored in the file; empty if there is none."""
    with contextlib.suppress(Exception):  # a damaged block raises errors of many kinds
        if picture.format == "TIFF":
            return picture.getexif().tobytes()
        block = picture.info.get("exif", b"")
        return block if isinstance(block, bytes) else b""
    return b""


def _unpack(picture: PillowImage, name: str) -> Image:
    """Unpack a *picture* with Pillow and return its upright pixels (H, W, 3) uint8 BGR.

    *picture* itself is turned upright, too.
    """
    from PIL import ImageOps

    with guard.plain_errors(name):
        picture.load()
        with contextlib.suppress(Exception):  # the EXIF block may be damaged in a sound picture
            ImageOps.exif_transpose(picture, in_place=True)
        return opaque_bgr(picture)


def opaque_bgr(picture: PillowImage) -> Image:
    """Return a loaded picture of any mode as BGR (H, W, 3) uint8; transparent parts become white."""
    from PIL import Image as Pillow

    if picture.mode == "F" or picture.mode.startswith("I"):
        picture = Pillow.fromarray(_to_eight_bits(np.asarray(picture)))
    if "transparency" in picture.info or picture.mode in {"LA", "PA", "La", "RGBA", "RGBa"}:
        coloured = picture.convert("RGBA")
        picture = Pillow.new("RGB", coloured.size, "white")
        picture.paste(coloured, mask=coloured.getchannel("A"))
    # Pillow's convert() makes a copy even if the mode is RGB already.
    rgb = np.asarray(picture if picture.mode == "RGB" else picture.convert("RGB"), np.uint8)
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8)


def _to_eight_bits(values: NDArray[Any]) -> Image:
    """Return grey values of more than 8 bits, scaled to 0..255.

    One value, called white, becomes 255. For whole numbers, white is 65535. For floats, white is 1 if no
    value exceeds 1, otherwise 255 if no value exceeds 255, otherwise 65535. If any value exceeds 65535,
    white is the largest value.
    """
    floats = np.nan_to_num(values.astype(np.float32))
    top = float(floats.max(initial=0.0))
    limits = (65535.0,) if np.issubdtype(values.dtype, np.integer) else (1.0, 255.0, 65535.0)
    white = next((limit for limit in limits if top <= limit), top)
    return np.asarray(np.clip(np.rint(floats * (255.0 / white)), 0, 255), np.uint8)


def checked_channels(channels: str) -> Channels:
    """Return *channels*, the order of colours; raises :class:`UsageError` if it is not ``bgr`` or ``rgb``."""
    return checked_choice(channels, "order of channels", get_args(Channels))


def in_channels(pixels: Image, channels: Channels) -> Image:
    """Return BGR *pixels* with their colours in the order *channels*. A wrong order is a UsageError."""
    if checked_channels(channels) == "bgr":
        return pixels
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)


def array_pixels(array: NDArray[Any], channels: Channels, name: str, max_megapixels: float) -> Image:
    """Return the pixels in *array* as a new contiguous array (H, W, 3) uint8 BGR.

    *channels* is the order of the colours in *array*. ``_SHAPES`` and ``_DEPTHS`` say which shapes and dtypes
    are allowed. Values of 16 bits are scaled to 8 bits, and transparent parts become white. Raises
    :class:`PixelsError` for other shapes and dtypes. Raises :class:`TooLargeError` if the array is too large;
    then it isn't copied.
    """
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)):
        raise PixelsError(f"{name}: an array of shape {array.shape} is no picture.", _SHAPES)
    if array.size == 0:
        raise PixelsError(f"{name}: an array of shape {array.shape} holds no pixels.", _SHAPES)
    guard.check_size((array.shape[1], array.shape[0]), name, max_megapixels)
    with explained_memory(name):
        eight = _as_eight_bits(array, name)
        if eight.ndim == 2 or eight.shape[2] == 1:
            return np.asarray(cv2.cvtColor(np.ascontiguousarray(eight), cv2.COLOR_GRAY2BGR), np.uint8)
        if channels == "rgb":
            eight = eight[..., [2, 1, 0, *range(3, eight.shape[2])]]
        if eight.shape[2] == 4 and eight[..., 3].min() < 255:
            from PIL import Image as Pillow

            rgba = cv2.cvtColor(np.ascontiguousarray(eight), cv2.COLOR_BGRA2RGBA)
            return opaque_bgr(Pillow.fromarray(np.asarray(rgba, np.uint8)))
        return np.array(eight[..., :3], order="C")


def _as_eight_bits(array: NDArray[Any], name: str) -> Image:
    """Return the values of an array as uint8, 0..255. An array that is uint8 already is not copied."""
    kind = array.dtype.kind
    if array.dtype == np.uint8:
        return array
    if kind == "b":
        return array.astype(np.uint8) * np.uint8(255)
    if kind == "u" and array.dtype.itemsize == 2:
        return _scaled(array, 65535.0)
    if kind in "iu" and array.min() >= 0 and array.max() <= 255:
        return array.astype(np.uint8)
    if kind == "f" and array.min() >= 0 and array.max() <= 1:  # false if a value is NaN
        return _scaled(array, 1.0)
    values = f", from {array.min()} to {array.max()}" if kind in "iuf" else ""
    raise PixelsError(f"{name}: it is not clear what pixels of {array.dtype}{values} mean.", _DEPTHS)


def _scaled(array: NDArray[Any], white: float) -> Image:
    """Return the values 0..*white* of an array, scaled to 0..255, as uint8.

    The rows are scaled one after another. Scaling all rows at once would need eight times as much memory.
    """
    eight = np.empty(array.shape, np.uint8)
    for row, values in zip(eight, array, strict=True):
        row[...] = np.rint(values.astype(np.float32) * np.float32(255.0 / white))
    return eight
