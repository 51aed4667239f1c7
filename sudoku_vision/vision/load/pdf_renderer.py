"""PDF renderer: one document at a time, opened and rendered page by page with pypdfium2.

PDFium may abort its process over a page, run without end, or take any memory, and there is no way to stop it
from within. So this runs in a worker process (:mod:`.pdf` hands it the pages), and answers in bytes.
"""

from __future__ import annotations

import contextlib
import math
import threading
from typing import Any

import numpy as np

from sudoku_vision.errors import OpenError
from sudoku_vision.results import Image
from sudoku_vision.vision.load.guard import extra, plain_errors
from sudoku_vision.vision.load.pdf_scan import Scan, scan_of

DPI = 200.0
"""Resolution of a rendered page: a grid of 5 cm gets 44 pixels a cell, an A4 page 4 megapixels."""

SHORTEST, LONGEST = 1600, 4000
"""Bounds in pixels for the longer side of a rendered page. Scanning programs write pages of any size, some
one point a pixel: neither a stamp nor a poster of theirs is rendered as small or as large as it claims."""

LONGEST_SCAN = 7200
"""The same for a page that is a scan: 600 dots per inch of A4, 36 megapixels."""

PAGES_HELD = 50
"""Pages after which a document is opened anew: PDFium keeps what it has read of it, a scan a page."""

_POINTS_PER_INCH = 72.0

_PDFIUM = threading.RLock()
"""PDFium allows one call at a time in a process, even for different documents."""

_SIZE_BYTES = 4
"""Bytes of a height and of a width before the pixels of a page."""


class PdfRenderer:
    """Opens a document and renders its pages: the object whose methods are the jobs of the worker."""

    def __init__(self) -> None:
        """Hold no document yet."""
        self._document: Any = None
        self._from: tuple[bytes | str, str] = b"", ""
        self._rendered = 0

    def open(self, document: bytes | str, name: str) -> bytes:
        """Open a document in place of the one before, and return how many pages it has, as a decimal number.

        *document* is its bytes, or the path of its file, which is read as far as its pages ask for. Raises
        :class:`~sudoku_vision.errors.OpenError`, also for a document that is locked.
        """
        self.close()
        pdfium = extra("pypdfium2", "pypdfium2", "PDF documents", name)
        with _PDFIUM, plain_errors(name, "PDF"):
            try:
                self._document = pdfium.PdfDocument(document)
            except pdfium.PdfiumError as error:
                if "password" in str(error).lower():
                    raise OpenError(
                        f"{name}: the PDF is locked with a password.",
                        "Save a copy of it without the password first.",
                    ) from None
                raise
            # A form that is broken must not hide the page below it.
            with contextlib.suppress(pdfium.PdfiumError):
                self._document.init_forms()
            self._from, self._rendered = (document, name), 0
            return b"%d" % len(self._document)

    def render(self, number: int, title: str, max_megapixels: float) -> bytes:
        """Render a page, counted from 0: height and width, then its pixels, (H, W, 3) uint8 BGR.

        Raises :class:`~sudoku_vision.errors.OpenError`, which calls the page *title*.
        """
        if self._rendered >= PAGES_HELD:
            self.open(*self._from)
        self._rendered += 1
        with _PDFIUM, plain_errors(title, "page"):
            pixels = _render(self._document, number, max_megapixels)
        sizes = (side.to_bytes(_SIZE_BYTES, "big") for side in pixels.shape[:2])
        return b"".join([*sizes, pixels.data])

    def close(self) -> bytes:
        """Close the document, if one is open."""
        document, self._document = self._document, None
        if document is not None:
            with _PDFIUM:
                document.close()
        return b""


def pixels_of(answer: bytes) -> Image:
    """Return the pixels (H, W, 3) uint8 BGR that :meth:`PdfRenderer.render` has rendered."""
    height, width = (int.from_bytes(answer[at : at + _SIZE_BYTES], "big") for at in (0, _SIZE_BYTES))
    return np.frombuffer(answer, np.uint8, offset=2 * _SIZE_BYTES).reshape(height, width, 3).copy()


def _render(document: Any, number: int, max_megapixels: float) -> Image:
    """Render one page, counted from 0."""
    page = document[number]
    try:
        bitmap = page.render(scale=_scale(page.get_size(), max_megapixels, scan_of(page)))
        try:
            return np.array(bitmap.to_numpy()[..., :3], np.uint8, order="C")
        finally:
            bitmap.close()
    finally:
        page.close()


def _scale(size: tuple[float, float], max_megapixels: float, scan: Scan | None = None) -> float:
    """Return the pixels a point for a page of *size* (width, height) in points; *scan* where it is one."""
    width, height = size
    longest = max(width, height)
    if not (math.isfinite(longest) and min(width, height) > 0):
        raise ValueError(f"page size must be positive, got {size}")
    scale = min(max(DPI / _POINTS_PER_INCH, SHORTEST / longest), LONGEST / longest)
    if scan is not None:
        # A trifle less, as sides are rounded up: its pixels must come out one by one.
        own = min(scan.resolution * (1 - _TRIFLE), LONGEST_SCAN / longest)
        scale = own if scan.alone else max(scale, own)
    scale = min(scale, math.sqrt(max_megapixels * 1e6 / (width * height)))
    # Sides are rounded up, which must not lead above the limit.
    while scale > 1 / longest and math.ceil(width * scale) * math.ceil(height * scale) > max_megapixels * 1e6:
        scale *= 0.99
    return scale


_TRIFLE = 1e-5
"""Share of a side, less than a tenth of a pixel: what sizes in points are rounded by."""
