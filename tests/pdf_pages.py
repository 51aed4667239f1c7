"""Small PDF files, and the pages of any: their sizes, their pixels and their words."""

from collections.abc import Sequence
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


PAINT = "0 0 0 rg 0 0 144 108 re f 0.98 0.08 0.12 rg 0 54 72 54 re f 0.04 0.94 0.24 rg 72 0 72 54 re f"
"""Red at the top left, green at the bottom right, else black; PDF draws from the bottom left."""


def stream(head: str, data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return f"<< {head} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def pdf(
    pages: Sequence[str | None],
    size: tuple[float, float] = (144, 108),
    more: str = "",
    *,
    extra: Sequence[bytes] = (),
    catalog: str = "",
) -> bytes:
    """A PDF with one content stream a page, None for a broken page.

    *more* goes into each page. Objects *extra* have the numbers from 3 + 2 * len(pages) on.
    """
    pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode(),
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
    ]
    for number, content in enumerate(pages):
        box = f"/MediaBox [0 0 {size[0]} {size[1]}]"
        page = f"<< /Type /Page /Parent 2 0 R {box} /Contents {4 + 2 * number} 0 R {more} >>"
        objects += [b"null" if content is None else page.encode(), stream("", content or "")]
    data, places = b"%PDF-1.7\n", []
    for number, item in enumerate([*objects, *extra], start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, item)
    count = len(places) + 1
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n"
    return data + f"{end}startxref\n{len(data)}\n%%EOF\n".encode()
