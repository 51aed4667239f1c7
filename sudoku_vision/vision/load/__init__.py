"""Load: whatever holds a picture becomes upright photos, page by page.

What a file is, its content says, never its name. The size of a picture or a page is known before any pixel
of it is unpacked, so one above the limit costs nothing, and one page is in memory at a time.

::

    source       what programs may hand over: paths, bytes, open files, arrays, PIL images
    pixels       arrays and PIL images -> BGR pixels
    paths        a folder -> paths; a path -> bytes
    sniff        the first bytes -> what kind of file this is
    picture      PNG, WebP, GIF, BMP, PPM, AVIF; the pages of a TIFF
    jpeg         JPEG, by its jpeg_header; of a large one the whole only when it is asked for
    heif         HEIC and HEIF, with the extra ``formats``
    pdf          the pages of a PDF, with the extra ``formats``: in a process of its own, by pdf_renderer
    pdf_scan     the resolution of the picture that a page of a PDF is
    orientation  which way up a picture is
    guard        what goes wrong in them, said plainly
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np

from sudoku_vision.errors import OpenError, UsageError
from sudoku_vision.results import Image, Photo
from sudoku_vision.vision.exif import find_exif, kept_exif
from sudoku_vision.vision.load.guard import Wanted, first_of, plain_errors, wanted_pages
from sudoku_vision.vision.load.jpeg import PackedPhoto, PackedPicture
from sudoku_vision.vision.load.paths import PICTURE_ENDINGS, STDIN, opened, pictures_in
from sudoku_vision.vision.load.picture import count_directories, picture_pages, tiff_pages
from sudoku_vision.vision.load.pixels import Channels, array_pixels, check_channels, pillow_pixels
from sudoku_vision.vision.load.sniff import SNIFFED_BYTES, kind_of
from sudoku_vision.vision.load.source import PixelSource, Source, is_pillow, is_pixels, name_of, packed

__all__ = [
    "MAX_MEGAPIXELS",
    "MAX_PAGES",
    "PICTURE_ENDINGS",
    "STDIN",
    "Channels",
    "Source",
    "iter_pages",
    "load",
    "load_photo",
    "page_count",
    "photo_from",
    "photos_from",
    "pictures_in",
]

MAX_MEGAPIXELS = 100.0
"""Limit above which a picture is refused: twice the largest common phone camera, about 300 MB unpacked."""

MAX_PAGES = 2000
"""Pages of one document that are read: twice a thick puzzle book. One is in memory at a time."""


def iter_pages(
    source: str | Path | bytes,
    *,
    name: str = "",
    max_megapixels: float = MAX_MEGAPIXELS,
    max_pages: int = MAX_PAGES,
    only: Wanted = None,
) -> Iterator[Photo | OpenError]:
    """Open *source* and yield one thing a page: its photo, or the error that says why there is none.

    The n-th thing belongs to page n, counted from 1, so a broken page never stops those after it. What can't
    be opened at all yields one error; what has more than *max_pages* pages ends with an error that says so.
    With *only*, the page of that number alone is opened, wherever it stands, or those of a range of numbers,
    which ends with the last page at the latest.
    The rest is as for :func:`load`; no :class:`OpenError` is raised.
    """
    name = name or ("<bytes>" if isinstance(source, bytes) else str(source))
    try:
        with plain_errors(name):
            data = opened(source)
            pages = _pages(data, name, max_megapixels, max_pages, only)
            exif = _exif_of(data, name)
        for number in count(first_of(only)):
            with plain_errors(name):
                page = next(pages, None)
            if page is None:
                return
            yield page if isinstance(page, OpenError) else _photo(page, name, number, exif)
    except OpenError as error:
        yield error


def load(
    source: str | Path | bytes,
    *,
    name: str = "",
    max_megapixels: float = MAX_MEGAPIXELS,
    max_pages: int = MAX_PAGES,
) -> Iterator[Photo]:
    """Open *source* and yield its photos, upright as its orientation says, one after another.

    *source* is a path, ``"-"`` for standard input, or the bytes of a picture file. A file holds one photo,
    except a TIFF or PDF of several pages; of an animation the first frame is taken, of a burst the main
    picture. Transparent pixels show white. *name* replaces the source's own name in results and messages.

    Yields :class:`Photo`, pixels (H, W, 3) uint8 BGR, ``page`` counted from 1. Raises :class:`OpenError` at
    the first page that is missing, empty, truncated or no picture (:func:`iter_pages` goes on after it),
    :class:`TooLargeError` if that has more than *max_megapixels* million pixels,
    :class:`OutOfMemoryError` if there is not the memory for them, and
    :class:`MissingExtraError` if its format needs a package that is not installed. A PDF is rendered so that
    it keeps to *max_megapixels*.
    """
    for page in iter_pages(source, name=name, max_megapixels=max_megapixels, max_pages=max_pages):
        if isinstance(page, OpenError):
            raise page
        yield page


def load_photo(
    source: str | Path | bytes, *, name: str = "", max_megapixels: float = MAX_MEGAPIXELS
) -> Photo:
    """Open the first photo of *source*; see :func:`load`."""
    return next(load(source, name=name, max_megapixels=max_megapixels))


def photo_from(
    source: Source,
    *,
    channels: Channels = "bgr",
    page: int | None = None,
    name: str = "",
    max_megapixels: float = MAX_MEGAPIXELS,
) -> Photo:
    """Return the photo that *source* is or holds: of a document that *page*, by default the first.

    Pixels of arrays and images are copied; a :class:`Photo` is returned as it is. Arguments and errors as for
    :func:`photos_from`; raises :class:`OpenError` where there is no such photo, too.
    """
    only = 1 if page is None else page
    photos = photos_from(
        source, channels=channels, name=name, max_megapixels=max_megapixels, max_pages=only, only=only
    )
    photo = next(photos)
    if isinstance(photo, OpenError):
        raise photo
    return photo


def photos_from(
    source: Source,
    *,
    channels: Channels = "bgr",
    name: str = "",
    max_megapixels: float = MAX_MEGAPIXELS,
    max_pages: int = MAX_PAGES,
    only: int | None = None,
) -> Iterator[Photo | OpenError]:
    """Return one thing a page of whatever holds pictures: its photo, or what is wrong with it.

    *source* is a path, the bytes of a picture file, a binary file object (read from where it is), a NumPy
    array whose colours are in the order of *channels* (grey, with opacity, of 16 bits: see
    ``array_pixels``), a PIL image, or a :class:`Photo`. The rest is as for
    :func:`iter_pages`. Raises :class:`SourceError` for an object of another type, :class:`PixelsError` for an
    array that is no picture, :class:`OpenError` for an open file that can't be read and :class:`UsageError`
    for an option that can't be.
    """
    check_channels(channels)
    if only is not None and (isinstance(only, bool) or not isinstance(only, int)):
        raise UsageError(f"A page has a number, this is {only!r}.", "Count pages from 1.")
    name = name or name_of(source)
    if is_pixels(source):
        return iter([_photo_of_pixels(source, channels, name, max_megapixels, only)])
    data = packed(source, name)
    return iter_pages(data, name=name, max_megapixels=max_megapixels, max_pages=max_pages, only=only)


def _photo_of_pixels(
    source: PixelSource, channels: Channels, name: str, max_megapixels: float, only: int | None
) -> Photo | OpenError:
    """Return the photo of pixels in memory, the only page of their source."""
    try:
        if isinstance(source, Photo):
            return source if name == source.source else source.named(name)
        wanted_pages(name, 1, 1, only)
        if is_pillow(source):
            exif = source.info.get("exif", b"")
            kept = kept_exif(exif) if isinstance(exif, bytes) else b""
            return Photo(pillow_pixels(source, name, max_megapixels), name, exif=kept)
        return Photo(array_pixels(np.asarray(source), channels, name, max_megapixels), name)
    except OpenError as error:
        return error


def _photo(page: Image | PackedPicture, name: str, number: int, exif: bytes) -> Photo:
    if isinstance(page, PackedPicture):
        return PackedPhoto(page, name, number, exif)
    return Photo(page, name, number, exif)


def _exif_of(data: bytes | Path, name: str) -> bytes:
    """Return what is kept of the EXIF of a file; of a TIFF, what its first page says counts for all."""
    kind = _kind_of(data, name)
    if isinstance(data, Path) or kind == "Pdf":
        return b""
    if kind == "Heif":
        from sudoku_vision.vision.load.heif import heif_exif

        return kept_exif(heif_exif(data))
    return kept_exif(find_exif(data, kind))


def page_count(source: str | Path | bytes, *, name: str = "") -> int:
    """Return the number of pages of a document, 1 for any other picture; nothing of them is unpacked.

    Raises :class:`OpenError` for what can't be opened.
    """
    name = name or ("<bytes>" if isinstance(source, bytes) else str(source))
    with plain_errors(name):
        data = opened(source)
        kind = _kind_of(data, name)
        if kind == "Pdf":
            from sudoku_vision.vision.load.pdf import pdf_page_count

            return pdf_page_count(data, name)
        return count_directories(data, MOST_COUNTED) if isinstance(data, bytes) and kind == "Tiff" else 1


MOST_COUNTED = 100_000
"""Pages up to which those of a TIFF are counted."""


def _pages(
    data: bytes | Path, name: str, max_megapixels: float, max_pages: int, only: Wanted
) -> Iterator[Image | PackedPicture | OpenError]:
    """Yield the pages of a file by what it is; raises :class:`OpenError` where no further page can be had."""
    kind = _kind_of(data, name)
    if kind == "Pdf":
        from sudoku_vision.vision.load.pdf import pdf_pages

        return pdf_pages(data, name, max_megapixels, max_pages, only)
    assert isinstance(data, bytes)
    if kind == "Tiff":
        return tiff_pages(data, name, max_megapixels, max_pages, only)
    wanted_pages(name, 1, 1, only)
    if kind == "Heif":
        from sudoku_vision.vision.load.heif import heif_pages

        return heif_pages(data, name, max_megapixels)
    return picture_pages(data, kind, name, max_megapixels)


def _kind_of(data: bytes | Path, name: str) -> str:
    return "Pdf" if isinstance(data, Path) else kind_of(data[:SNIFFED_BYTES], name)
