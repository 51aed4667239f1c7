"""Picture: what Pillow and OpenCV unpack, upright as its orientation says.

The size and the orientation of a picture are read from its header before any pixel is unpacked. JPEG of the
usual kind is unpacked by OpenCV (:mod:`.jpeg`), which is fast, every other kind by Pillow, which knows them
all. PNG is left to Pillow, too: the libpng within OpenCV writes what it thinks of a picture's colour profile
straight to standard error, past all log levels, and that is nothing that a person asked for.
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

from sudoku_vision.errors import MissingExtraError, OpenError
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import (
    CONVERT,
    INSTALL,
    Wanted,
    check_packing,
    check_size,
    page_name,
    plain_errors,
    too_many_pages,
    truncated,
    wanted_pages,
)
from sudoku_vision.vision.load.jpeg import PackedPicture, check_jpeg, unpack_jpeg
from sudoku_vision.vision.load.jpeg_header import JpegHeader, header_of
from sudoku_vision.vision.load.orientation import orientation_of, upright

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage


def picture_pages(
    data: bytes, plugin: str, name: str, max_megapixels: float
) -> Iterator[Image | PackedPicture]:
    """Unpack a file of one picture with OpenCV or the Pillow *plugin*; raises :class:`OpenError`."""
    header = header_of(data) if plugin == "Jpeg" else None
    if header is not None:
        check_size(header.size, name, max_megapixels)
        yield _unpack_plain_jpeg(data, header, name)
        return
    picture = _open_header(data, plugin, name)
    check_size(picture.size, name, max_megapixels)
    if plugin in _PACKED_WITHOUT_END:
        check_packing(math.prod(picture.size), len(data), name)
    if plugin == "Png" and _is_plain(picture) and _END_OF_PNG not in data:
        raise truncated(name)
    if plugin == "Jpeg" and _is_plain(picture):
        yield _unpack_plain_jpeg(data, JpegHeader(picture.size, orientation_of(picture)), name)
    else:
        if plugin == "Jpeg":
            check_jpeg(data, name, ends=False)
        yield unpack(picture, name)


def _unpack_plain_jpeg(data: bytes, header: JpegHeader, name: str) -> Image | PackedPicture:
    """Unpack a JPEG of 8 bits, grey or colour: what OpenCV can't, with Pillow."""
    check_jpeg(data, name)
    return unpack_jpeg(data, header, lambda: unpack(_open_header(data, "Jpeg", name), name))


def tiff_pages(
    data: bytes, name: str, max_megapixels: float, max_pages: int, only: Wanted = None
) -> Iterator[Image | OpenError]:
    """Unpack the pages of a TIFF, each when it is asked for: pixels (H, W, 3) uint8 BGR, or what is wrong.

    The directories of the pages are counted first: Pillow's own count stops at a page that it can't read.
    """
    pages = count_directories(data, max(max_pages + 1, only.stop if isinstance(only, range) else only or 0))
    picture: PillowImage | None = None
    wanted = wanted_pages(name, pages, max_pages, only)
    room = max_megapixels * 1e6 + MAX_DOCUMENT_PIXELS_PER_BYTE * len(data)
    room -= _pixels_before(wanted.start, data) if isinstance(only, range) else 0
    for page in wanted:
        title = page_name(name, page + 1, pages)
        result: Image | OpenError
        try:
            if picture is None:
                picture = _open_header(data, "Tiff", title)
            with plain_errors(title):
                picture.seek(page)
            check_size(picture.size, title, max_megapixels)
            room -= math.prod(picture.size)
            if room < 0:
                raise _too_much_unpacked(title, len(data))
            result = unpack(picture, title)
        except OpenError as error:
            result, picture = error, None
        yield result
        if room < 0:
            return
    if only is None and pages > max_pages:
        yield too_many_pages(name, max_pages)


MAX_DOCUMENT_PIXELS_PER_BYTE = 1000
"""Pixels of all pages together that a byte of a document may stand for, besides those of one page at the
limit: scanned print comes to 200 where it is packed best, pages without a mark to 8,000."""


def _pixels_before(page: int, data: bytes) -> int:
    """Return the pixels that a TIFF has before *page* (from 0) by its headers, as far as they can be read."""
    pixels = 0
    with contextlib.suppress(OpenError):
        picture = _open_header(data, "Tiff", "")
        for number in range(page):
            with plain_errors(""):
                picture.seek(number)
            pixels += math.prod(picture.size)
    return pixels


def _too_much_unpacked(name: str, packed: int) -> OpenError:
    return OpenError(
        f"{name}: so far its pages are too many pixels for a file of {packed:,} bytes, the rest is left out.",
        "Name a later page with --page, or split the document.",
    )


def count_directories(data: bytes, most: int) -> int:
    """Count the page directories in a TIFF or BigTIFF, at least 1 and at most *most*.

    Each directory ends with the place of the next; one that is visited twice, or lies past the end, is the
    last.
    """
    order = "<" if data.startswith(b"II") else ">"
    large = data[2:4] in {b"+\0", b"\0+"}
    start, count, entry_bytes, offset = (8, "Q", 20, "Q") if large else (4, "H", 12, "I")
    seen: set[int] = set()
    at = start
    try:
        (at,) = struct.unpack_from(order + offset, data, start)
        while at and at not in seen and len(seen) < most:
            seen.add(at)
            (entries,) = struct.unpack_from(order + count, data, at)
            at += struct.calcsize(order + count) + entries * entry_bytes
            (at,) = struct.unpack_from(order + offset, data, at)
    except (struct.error, OverflowError):  # past the end, or past all ends
        pass
    return max(1, len(seen))


def _open_header(data: bytes, plugin: str, name: str) -> PillowImage:
    """Read a picture's header with one Pillow plug-in, pixels left packed.

    Calling the plug-in itself leaves out the pixel limit of ``PIL.Image.open``, which is global to the
    process; :func:`check_size` has our own.
    """
    from PIL import Image as Pillow

    try:
        importlib.import_module(f"PIL.{plugin}ImagePlugin")
        factory, accept = Pillow.OPEN[plugin.upper()]
        if accept is not None and accept(data[:16]) is not True:
            raise KeyError(plugin)
    except (ImportError, KeyError):
        raise _no_plugin(plugin, name) from None
    with plain_errors(name):
        return factory(io.BytesIO(data), name)


def _no_plugin(plugin: str, name: str) -> OpenError:
    if plugin == "Avif":
        return MissingExtraError(f"{name}: reading AVIF pictures needs Pillow 11.3 or newer.", INSTALL)
    return OpenError(f"{name}: {plugin.upper()} pictures are not supported here.", CONVERT)


_END_OF_PNG = b"IEND"

_PACKED_WITHOUT_END = {"Avif", "WebP"}
"""Kinds of which a few bytes may stand for any number of pixels; a byte of PNG never does for over 8,300."""


def _is_plain(picture: PillowImage) -> bool:
    """Tell whether a picture has 8 bits, grey or colour, and nothing transparent."""
    return "transparency" not in picture.info and picture.mode in {"L", "RGB"}


def unpack(picture: PillowImage, name: str) -> Image:
    """Unpack with Pillow, turn upright, and say it plainly where that fails; raises :class:`OpenError`."""
    with plain_errors(name):
        picture.load()
        pixels = opaque_bgr(picture)
    # Asked for after unpacking: Pillow turns a TIFF itself and then forgets the tag.
    return upright(pixels, orientation_of(picture))


def opaque_bgr(picture: PillowImage) -> Image:
    """Turn a loaded picture of any mode into BGR (H, W, 3) uint8 on white.

    A large one is turned band by band, as Pillow's own copies of it would take a gigabyte more.
    """
    from PIL import Image as Pillow

    if picture.mode == "F" or picture.mode.startswith("I"):
        picture = Pillow.fromarray(_eight_bits(np.asarray(picture)))
    width, height = picture.size
    rows = max(1, _BAND_PIXELS // max(1, width))
    if rows >= height:
        return _opaque_band(picture)
    pixels = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, rows):
        bottom = min(height, top + rows)
        pixels[top:bottom] = _opaque_band(picture.crop((0, top, width, bottom)))
    return pixels


_BAND_PIXELS = 4_000_000
"""Pixels of a picture that are turned into colours at once: 50 MB with Pillow's copies of them."""


def _opaque_band(picture: PillowImage) -> Image:
    """Turn a picture of 8 bits into BGR (H, W, 3) uint8 on white."""
    from PIL import Image as Pillow

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
    white = next((limit for limit in (1.0, 255.0, 65535.0) if top <= limit), top)
    if np.issubdtype(values.dtype, np.integer):
        white = 65535.0 if top <= 65535.0 else top
    return np.asarray(np.clip(np.rint(floats * (255.0 / white)), 0, 255), np.uint8)
