"""Load pictures of any source as upright photos, page by page.

The kind of a file is recognised by its content, never by its name. The size of a picture is checked before
any pixel is unpacked, so a picture that is too large takes hardly any time or memory. Only one page is in
memory at a time.

::

    files    the sources that programs may pass; reads files, and recognises their kind by their first bytes
    jpeg     reads JPEG with OpenCV; a large picture is first unpacked at a reduced size
    picture  reads arrays, and with Pillow PNG, WebP, GIF, BMP, PPM, AVIF, HEIC and the pages of a TIFF
    pdf      renders the pages of a PDF in a separate process; needs the extra ``formats``
    light    makes a copy of a dark or badly lit picture, and corrects the light in this copy
    moire    removes the bands in a photo of a screen
    guard    checks limits, and turns all failures in these modules into errors that a user understands
"""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sudoku_vision.errors import OpenError, PixelsError, checked_number
from sudoku_vision.values import Image
from sudoku_vision.vision.load.files import (
    PICTURE_ENDINGS,
    SNIFFED_BYTES,
    STDIN,
    PixelSource,
    Source,
    is_pillow,
    is_pixels,
    kind_of,
    name_of,
    opened,
)
from sudoku_vision.vision.load.guard import check_size, plain_errors, wanted_pages
from sudoku_vision.vision.load.picture import (
    Channels,
    array_pixels,
    checked_channels,
    count_directories,
    in_channels,
    photo_of,
    read_picture,
    read_tiff,
)
from sudoku_vision.vision.results import Photo

__all__ = [
    "MAX_MEGAPIXELS",
    "MAX_PAGES",
    "PICTURE_ENDINGS",
    "STDIN",
    "Channels",
    "Source",
    "frame_pixels",
    "in_channels",
    "iter_pages",
    "load_photo",
    "page_count",
]

MAX_MEGAPIXELS = 100.0
"""A picture with more megapixels than this is refused.

The largest pictures of common phone cameras have 50 megapixels. Unpacked, 100 megapixels take about 300 MB.
"""
MAX_PAGES = 2000  # at most this many pages of a document are read; a thick puzzle book has half as many


def iter_pages(
    source: Source,
    *,
    channels: Channels = "bgr",
    name: str = "",
    max_megapixels: float = MAX_MEGAPIXELS,
    max_pages: int = MAX_PAGES,
    only: int | None = None,
) -> Iterator[Photo | OpenError]:
    """Open *source* and yield a photo for each page, or the error that says why there is no photo.

    *source* is any source that :func:`sudoku_vision.solve_photo` takes. Only a TIFF or PDF has several pages.
    From an animation, the first frame is read. From a burst of photos, the main picture is read. Pixels are
    upright, (H, W, 3) uint8 BGR. *name* replaces the source's own name in results and messages.

    If *only* is None, all pages are read, and the n-th result belongs to page n, counted from 1. For a broken
    page, an error is yielded, and the next pages are still read. If the source can't be opened, one error is
    yielded. If a document has more than *max_pages* pages, the last result is an error.

    If *only* is a number, only the page with this number is read. Raises :class:`SourceError`,
    :class:`PixelsError` or :class:`UsageError` for wrong sources and options.
    """
    channels = checked_channels(channels)
    max_megapixels = checked_number(max_megapixels, "The limit of megapixels", 0, whole=False)
    max_pages = checked_number(max_pages, "The limit of pages", 1)
    if only is not None:
        only = checked_number(only, "The number of a page", -math.inf)
    name = name or name_of(source)
    try:
        if is_pixels(source):
            yield _photo_of_pixels(source, channels, name, max_megapixels, only)
            return
        with plain_errors(name):
            pages = _read_pages(opened(source, name), name, max_megapixels, max_pages, only)
        while True:
            with plain_errors(name):
                page = next(pages, None)
            if page is None:
                return
            yield page
    except OpenError as error:
        yield error


def load_photo(
    source: Source,
    *,
    channels: Channels = "bgr",
    page: int | None = None,
    name: str = "",
    max_megapixels: float = MAX_MEGAPIXELS,
) -> Photo:
    """Return the photo of *source*. If *source* is a document, return its page number *page*, by default 1.

    The pixels of arrays and images are copied. A :class:`Photo` is returned unchanged. The other arguments
    mean the same as in :func:`iter_pages`. Raises all errors that :func:`iter_pages` raises or yields.
    """
    only = 1 if page is None else page
    photo = next(iter_pages(source, channels=channels, name=name, max_megapixels=max_megapixels, only=only))
    if isinstance(photo, OpenError):
        raise photo
    return photo


def frame_pixels(frame: Source) -> Image:
    """Return the pixels (H, W, 3) uint8 BGR of a frame of a film.

    An array that already has this form is returned without a copy. Any other frame is loaded like a photo.
    """
    if isinstance(frame, np.ndarray) and frame.dtype == np.uint8 and frame.size and frame.shape[2:] == (3,):
        return frame
    return load_photo(frame, name="<frame>").pixels


def page_count(source: str | Path | bytes, *, name: str = "") -> int:
    """Return the number of pages of a document, or 1 for any other picture.

    No page is unpacked. Raises :class:`OpenError` if *source* can't be opened.
    """
    name = name or name_of(source)
    with plain_errors(name):
        data = opened(source, name)
        kind = _kind_of(data, name)
        if kind == "Pdf":
            from sudoku_vision.vision.load.pdf import pdf_page_count

            return pdf_page_count(data, name)
        return count_directories(data, 100_000) if isinstance(data, bytes) and kind == "Tiff" else 1


def _photo_of_pixels(
    source: PixelSource, channels: Channels, name: str, max_megapixels: float, only: int | None
) -> Photo:
    """Return the photo of a source that has its pixels in memory.

    The source has only page 1. *only* is the number of the page to read, or None for all pages. Raises
    :class:`NoPageError` if *only* is a number other than 1.
    """
    if isinstance(source, Photo):
        return source
    wanted_pages(name, 1, 1, only)
    if is_pillow(source):
        check_size(source.size, name, max_megapixels)
        try:
            return photo_of(source.copy(), name)
        except (AssertionError, ValueError):  # Pillow raises these if the file is closed
            what = f"{name}: this image is closed."
            raise PixelsError(what, "Hand it over before it is closed, or hand over its file.") from None
    return Photo(array_pixels(np.asarray(source), channels, name, max_megapixels), name)


def _read_pages(
    data: bytes | Path, name: str, max_megapixels: float, max_pages: int, only: int | None
) -> Iterator[Photo | OpenError]:
    """Return an iterator over the pages of a file. *data*: the bytes of the file, or the path of a PDF.

    *only*: the number of the only page to read, or None for all. Raises :class:`OpenError` if the file can't
    be read at all.
    """
    kind = _kind_of(data, name)
    if kind == "Pdf":
        from sudoku_vision.vision.load.pdf import read_pdf

        return read_pdf(data, name, max_megapixels, max_pages, only)
    assert isinstance(data, bytes)
    if kind == "Tiff":
        return read_tiff(data, name, max_megapixels, max_pages, only)
    wanted_pages(name, 1, 1, only)
    return iter([read_picture(data, kind, name, max_megapixels)])


def _kind_of(data: bytes | Path, name: str) -> str:
    return "Pdf" if isinstance(data, Path) else kind_of(data[:SNIFFED_BYTES], name)
