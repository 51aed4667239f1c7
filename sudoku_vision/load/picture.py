"""Picture: what Pillow and OpenCV unpack, upright as its orientation says.

The size and the orientation of a picture are read from its header before any pixel is unpacked. JPEG of the
usual kind is unpacked by OpenCV, which is fast, every other kind by Pillow, which knows them all. PNG is left
to Pillow, too: the libpng within OpenCV writes what it thinks of a picture's colour profile straight to
standard error, past all log levels, and that is nothing that a person asked for.
"""

from __future__ import annotations

import importlib
import io
import math
import struct
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import MissingExtraError, OpenError
from sudoku_vision.load.guard import (
    CONVERT,
    INSTALL,
    check_packing,
    check_size,
    page_name,
    plain_errors,
    too_many_pages,
    truncated,
    wanted_pages,
)
from sudoku_vision.results import Image

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

_ORIENTATION_TAG = 0x0112

_TURNS: dict[int, tuple[int | None, int | None]] = {
    2: (1, None),
    3: (None, cv2.ROTATE_180),
    4: (0, None),
    5: (1, cv2.ROTATE_90_COUNTERCLOCKWISE),
    6: (None, cv2.ROTATE_90_CLOCKWISE),
    7: (1, cv2.ROTATE_90_CLOCKWISE),
    8: (None, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""EXIF orientation -> (flip code or None, then rotation or None) that shows the picture upright."""


def picture_pages(data: bytes, plugin: str, name: str, max_megapixels: float) -> Iterator[Image]:
    """Unpack a file of one picture with OpenCV or the Pillow *plugin*; raises :class:`OpenError`."""
    picture = _open_header(data, plugin, name)
    check_size(picture.size, name, max_megapixels)
    if plugin in _PACKED_WITHOUT_END:
        check_packing(math.prod(picture.size), len(data), name)
    if plugin == "Jpeg":
        _check_scans(data, name)
    pixels = None
    if plugin in _LAST_MARK and _is_plain(picture):
        _check_complete(data, plugin, name)
        pixels = _unpack_jpeg(data, picture) if plugin == "Jpeg" else None
    yield unpack(picture, name) if pixels is None else pixels


def tiff_pages(
    data: bytes, name: str, max_megapixels: float, max_pages: int, only: int | None = None
) -> Iterator[Image | OpenError]:
    """Unpack the pages of a TIFF, each when it is asked for: pixels (H, W, 3) uint8 BGR, or what is wrong.

    The directories of the pages are counted first: Pillow's own count stops at a page that it can't read.
    """
    pages = _count_directories(data, max(max_pages + 1, only or 0))
    picture: PillowImage | None = None
    room = max_megapixels * 1e6 + MAX_DOCUMENT_PIXELS_PER_BYTE * len(data)
    for page in wanted_pages(name, pages, max_pages, only):
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


def _too_much_unpacked(name: str, packed: int) -> OpenError:
    return OpenError(
        f"{name}: so far its pages are too many pixels for a file of {packed:,} bytes, the rest is left out.",
        "Name a later page with --page, or split the document.",
    )


def _count_directories(data: bytes, most: int) -> int:
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


_LAST_MARK = {"Jpeg": b"\xff\xd9", "Png": b"IEND"}
"""What a complete picture ends with."""


_PACKED_WITHOUT_END = {"Avif", "WebP"}
"""Kinds of which a few bytes may stand for any number of pixels; a byte of PNG never does for over 8,300."""

MAX_SCANS = 100
"""Passes over the pixels of a progressive JPEG: cameras and programs make 10, each costs as much as all of a
picture, and a file of 22 kB may hold 2,000."""


def _check_scans(data: bytes, name: str) -> None:
    """Raise :class:`OpenError` for a JPEG of more scans than any program writes."""
    scans = data.count(_START_OF_SCAN, _scan_start(data))
    if scans > MAX_SCANS:
        raise OpenError(f"{name}: it has {scans:,} scans, the limit is {MAX_SCANS}.", CONVERT)


_START_OF_SCAN = b"\xff\xda"


def _is_plain(picture: PillowImage) -> bool:
    """Tell whether a picture has 8 bits, grey or colour, and nothing transparent."""
    return "transparency" not in picture.info and picture.mode in {"L", "RGB"}


def _check_complete(data: bytes, plugin: str, name: str) -> None:
    """Look for the mark at a picture's end: OpenCV would fill what is missing with grey, and say nothing."""
    start = _scan_start(data) if plugin == "Jpeg" else 0
    if data.rfind(_LAST_MARK[plugin]) < start:
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


def _unpack_jpeg(data: bytes, picture: PillowImage) -> Image | None:
    """Unpack with OpenCV, or give None; turned upright by us, as its releases differ in when they do it."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        pixels: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    if pixels is None or pixels.shape[1::-1] != picture.size:
        return None
    return _upright(np.asarray(pixels, np.uint8), _orientation(picture))


def _orientation(picture: PillowImage) -> int:
    """Read the EXIF orientation 1..8, 1 if there is none or it makes no sense."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = picture.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:
        # Damaged EXIF raises errors of many kinds; the picture itself may well be sound.
        return 1
    return value if value in _TURNS else 1


def _upright(pixels: Image, orientation: int) -> Image:
    """Flip and turn (H, W, 3) pixels as an EXIF orientation says."""
    flip, turn = _TURNS.get(orientation, (None, None))
    if flip is not None:
        pixels = np.asarray(cv2.flip(pixels, flip), np.uint8)
    if turn is not None:
        pixels = np.asarray(cv2.rotate(pixels, turn), np.uint8)
    return pixels


def unpack(picture: PillowImage, name: str) -> Image:
    """Unpack with Pillow, turn upright, and say it plainly where that fails; raises :class:`OpenError`."""
    with plain_errors(name):
        picture.load()
        pixels = opaque_bgr(picture)
    # Asked for after unpacking: Pillow turns a TIFF itself and then forgets the tag.
    return _upright(pixels, _orientation(picture))


def opaque_bgr(picture: PillowImage) -> Image:
    """Turn a loaded picture of any mode into BGR (H, W, 3) uint8 on white."""
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
    white = next((limit for limit in (1.0, 255.0, 65535.0) if top <= limit), top)
    if np.issubdtype(values.dtype, np.integer):
        white = 65535.0 if top <= 65535.0 else top
    return np.asarray(np.clip(np.rint(floats * (255.0 / white)), 0, 255), np.uint8)
