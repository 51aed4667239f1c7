"""The pages of a PDF: their sizes, their pixels and their words."""

from typing import NamedTuple

import pytest

from sudoku_vision.values import Image


class PdfPage(NamedTuple):
    """The ``size`` of a page in points, its ``pixels`` (H, W, 3) uint8 BGR, and its ``words``."""

    size: tuple[float, float]
    pixels: Image
    words: str


def pdf_pages(data: bytes, dpi: float = 144) -> list[PdfPage]:
    """Return the pages of a PDF, drawn with *dpi* pixels to the inch; skip the test without pypdfium2."""
    pypdfium2 = pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")
    document = pypdfium2.PdfDocument(data)
    pages = [
        PdfPage(
            page.get_size(),
            page.render(scale=dpi / 72, may_draw_forms=False).to_numpy()[:, :, :3].copy(),
            page.get_textpage().get_text_bounded().strip(),
        )
        for page in document
    ]
    document.close()
    return pages
