"""PDF pages, rendered with pypdfium2 one at a time."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from sudoku_vision.errors import OpenError
from sudoku_vision.load.guard import AGAIN, extra, page_name, plain_errors, too_many_pages, wanted_pages
from sudoku_vision.results import Image

DPI = 200.0
"""Resolution of a rendered page: a grid of 5 cm gets 44 pixels a cell, an A4 page 4 megapixels."""

SHORTEST, LONGEST = 1600, 4000
"""Bounds in pixels for the longer side of a rendered page. Scanning programs write pages of any size, some
one point a pixel: neither a stamp nor a poster of theirs is rendered as small or as large as it claims."""

_POINTS_PER_INCH = 72.0

_PDFIUM = threading.RLock()
"""PDFium allows one call at a time in a process, even for different documents."""


def pdf_pages(
    data: bytes, name: str, max_megapixels: float, max_pages: int, only: int | None = None
) -> Iterator[Image | OpenError]:
    """Render the pages of a PDF, each when it is asked for: pixels (H, W, 3) uint8 BGR, or what is wrong.

    About :data:`DPI` dots per inch, within :data:`SHORTEST`, :data:`LONGEST` and *max_megapixels*; turned as
    the page says, with its filled form fields. With *only*, that page
    alone. Raises :class:`OpenError` if the document or that page can't be opened.
    """
    pdfium = extra("pypdfium2", "pypdfium2", "PDF documents", name)
    with _opened(pdfium, data, name) as document:
        with _PDFIUM:
            pages = len(document)
        if not pages:
            raise OpenError(f"{name}: the PDF has no pages that can be read.", AGAIN)
        for page in wanted_pages(name, pages, max_pages, only):
            title = page_name(name, page + 1, pages)
            result: Image | OpenError
            try:
                with _PDFIUM, plain_errors(title, "page"):
                    result = _render(document, page, max_megapixels)
            except OpenError as error:
                result = error
            yield result
        if only is None and pages > max_pages:
            yield too_many_pages(name, max_pages)


@contextlib.contextmanager
def _opened(pdfium: Any, data: bytes, name: str) -> Iterator[Any]:
    """Open a document and close it in any case."""
    with _PDFIUM, plain_errors(name, "PDF"):
        try:
            document = pdfium.PdfDocument(data)
        except pdfium.PdfiumError as error:
            if "password" in str(error).lower():
                raise OpenError(
                    f"{name}: the PDF is locked with a password.",
                    "Save a copy of it without the password first.",
                ) from None
            raise
        # A form that is broken must not hide the page below it.
        with contextlib.suppress(pdfium.PdfiumError):
            document.init_forms()
    try:
        yield document
    finally:
        with _PDFIUM:
            document.close()


def _render(document: Any, number: int, max_megapixels: float) -> Image:
    """Render one page, counted from 0."""
    page = document[number]
    try:
        bitmap = page.render(scale=_scale(page.get_size(), max_megapixels))
        try:
            return np.array(bitmap.to_numpy()[..., :3], np.uint8)
        finally:
            bitmap.close()
    finally:
        page.close()


def _scale(size: tuple[float, float], max_megapixels: float) -> float:
    """Return the pixels a point for a page of *size* (width, height) in points."""
    width, height = size
    longest = max(width, height)
    if not (math.isfinite(longest) and min(width, height) > 0):
        raise ValueError(f"page size must be positive, got {size}")
    scale = min(max(DPI / _POINTS_PER_INCH, SHORTEST / longest), LONGEST / longest)
    scale = min(scale, math.sqrt(max_megapixels * 1e6 / (width * height)))
    # Sides are rounded up, which must not lead above the limit.
    while scale > 1 / longest and math.ceil(width * scale) * math.ceil(height * scale) > max_megapixels * 1e6:
        scale *= 0.99
    return scale
