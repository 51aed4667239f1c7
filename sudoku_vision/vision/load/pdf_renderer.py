"""PDF renderer: opens a document and renders a page of it with pypdfium2.

It runs in a worker process, to which :mod:`.pdf` hands the pages. A document is opened anew for each page:
that takes milliseconds, and PDFium would keep what it has read of it.
"""

import contextlib
import math
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from sudoku_vision.errors import OpenError, import_extra
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import plain_errors

PDF_NEEDS = "reading PDF documents needs pypdfium2"

DPI = 200.0  # resolution of a rendered page: a grid of 5 cm gets 44 pixels a cell, an A4 page 4 megapixels

SHORTEST, LONGEST = 1600, 4000
"""Bounds in pixels for the longer side of a rendered page. Scanning programs write pages of any size, some
one point a pixel: neither a stamp nor a poster of theirs is rendered as small or as large as it claims."""

LONGEST_SCAN = 7200  # the same for a page that is a scan: 600 dots per inch of A4, 36 megapixels

SCAN_SHARE = 0.9
"""Share of a page that pictures must cover for it to count as scanned: a scan may leave out white margins."""
LEAST_SHARE = 0.05
"""Share of a page that a picture must cover for its resolution to count: scans come whole or in strips, and a
stamp or a signature is no scan."""
MOST_PICTURES = 1000  # pictures of a page that are looked at: strips of a scan are some hundred
_PDFIUM = threading.RLock()  # PDFium allows one call at a time in a process, even for different documents


def count_pages(document: bytes | str, name: str) -> int:
    """Return how many pages a document has; raises :class:`OpenError`.

    *document* is the bytes of a PDF or the path of its file, which is read as far as a page asks for.
    """
    with _opened(document, name) as pdf:
        return len(pdf)


def render_page(document: bytes | str, name: str, number: int, title: str, max_megapixels: float) -> Image:
    """Return a page, counted from 0, as pixels (H, W, 3) uint8 BGR.

    Raises :class:`~sudoku_vision.errors.OpenError`, which calls the page *title*.
    """
    with _opened(document, name) as pdf, plain_errors(title, "page"):
        page = pdf[number]
        scale = _scale(page.get_size(), max_megapixels, _scan_resolution(page))
        return np.array(page.render(scale=scale).to_numpy()[..., :3], np.uint8, order="C")


@contextlib.contextmanager
def _opened(document: bytes | str, name: str) -> Iterator[Any]:
    """Open a document with its form, and close it; raises :class:`OpenError`, also for one that is locked."""
    pdfium = import_extra("pypdfium2", "formats", f"{name}: {PDF_NEEDS}")
    with _PDFIUM:
        with plain_errors(name, "PDF"):
            try:
                pdf = pdfium.PdfDocument(document)
            except pdfium.PdfiumError as error:
                if "password" not in str(error).lower():
                    raise
                what = f"{name}: the PDF is locked with a password."
                raise OpenError(what, "Save a copy of it without the password first.") from None
        try:
            with contextlib.suppress(pdfium.PdfiumError):  # a broken form must not hide the page below it
                pdf.init_forms()
            yield pdf
        finally:
            pdf.close()


def _scan_resolution(page: Any) -> float:
    """Return the pixels a point of the picture that a scanned page is, 0 where it is none.

    Such a page is rendered so that each pixel of the picture comes out as one, and nothing is lost of a fine
    scan. Of several pictures the finest counts.
    """
    room, covered, finest = math.prod(page.get_size()), 0.0, 0.0
    raw = import_extra("pypdfium2.raw", "formats", PDF_NEEDS)
    for picture in islice(page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=1), MOST_PICTURES):
        left, bottom, right, top = picture.get_bounds()
        sides = sorted((right - left, top - bottom))
        covered += math.prod(sides)
        if math.prod(sides) >= LEAST_SHARE * room > 0:
            pixels = sorted(picture.get_px_size())
            finest = max(finest, min(pixels[0] / sides[0], pixels[1] / sides[1]))
    return finest if covered >= SCAN_SHARE * room else 0.0


def _scale(size: tuple[float, float], max_megapixels: float, scan: float) -> float:
    """Return the pixels a point for a page of *size* (width, height) in points, a *scan* at its own."""
    width, height = size
    longest = max(width, height)
    if not (math.isfinite(longest) and min(width, height) > 0):
        raise ValueError(f"page size must be positive, got {size}")
    scale = min(max(DPI / 72, SHORTEST / longest), LONGEST / longest)
    # A trifle less, by which sizes in points are rounded: its pixels must come out one by one.
    scale = max(scale, min(scan * (1 - 1e-5), LONGEST_SCAN / longest))
    scale = min(scale, math.sqrt(max_megapixels * 1e6 / (width * height)))
    # Sides are rounded up, which must not lead above the limit.
    while scale > 1 / longest and math.ceil(width * scale) * math.ceil(height * scale) > max_megapixels * 1e6:
        scale *= 0.99
    return scale
