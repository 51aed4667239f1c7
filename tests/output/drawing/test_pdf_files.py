"""Stamps on the pages of a PDF: where they belong however a page is turned, and what was there stays."""

import io
from pathlib import Path

import numpy as np
import pytest
from pdf_pages import pdf_pages

from sudoku_vision.errors import SaveError
from sudoku_vision.output.drawing import pdf_files
from sudoku_vision.output.drawing.figure import Area, Figure, Text, box
from sudoku_vision.output.drawing.pdf_files import _stamped, pdf, stamp_pdf
from sudoku_vision.values import Image

pypdfium2 = pytest.importorskip("pypdfium2")

RED = (0.0, 0.0, 255.0)
STAMP = pdf([Figure(50, 100, [Area([box(5, 10, 20, 40)], RED)])])
"""Red in a tenth to four tenths of the width and of the height, of a page that is half as wide as tall."""

UNBALANCED = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Contents 4 0 R>>endobj
4 0 obj<</Length 46>>stream
q 0.3 0 0 0.5 40 90 cm 0 1 0 rg 0 0 20 20 re f
endstream endobj
trailer<</Root 1 0 R>>
"""


def _document(turn: int = 0, crop: tuple[float, float, float, float] | None = None) -> bytes:
    """Three pages with words on them, 100 by 200 points or a part of those."""
    width, height = 100 / 72 * 25.4, 200 / 72 * 25.4
    pages = [Figure(width, height, [Text(f"Page {number}", (8, 60), 4)]) for number in (1, 2, 3)]
    document = pypdfium2.PdfDocument(pdf(pages))
    for page in document:
        page.set_rotation(turn)
        if crop:
            page.set_cropbox(*crop)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _red(pixels: Image) -> tuple[float, float, float, float]:
    """Where red is: left, top, right, bottom as shares of the page."""
    rows, columns = np.nonzero((pixels == RED).all(axis=2))
    height, width = pixels.shape[:2]
    return columns.min() / width, rows.min() / height, columns.max() / width, rows.max() / height


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (20.0, 30.0, 90.0, 170.0)])
def test_a_stamp_lies_over_the_page_as_it_is_seen(
    tmp_path: Path, turn: int, crop: tuple[float, float, float, float] | None
) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(_document(turn, crop))
    before, after = pdf_pages(path.read_bytes()), pdf_pages(_stamped(str(path), {2: STAMP}))
    assert _red(after[1].pixels) == pytest.approx((0.1, 0.1, 0.4, 0.4), abs=0.03)
    for place in (0, 2):
        assert (after[place].pixels == before[place].pixels).all()
    assert [page.words for page in after] == [page.words for page in before]
    height, width = after[1].pixels.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width]
    beside = (columns > 0.42 * width) | (rows > 0.42 * height)
    assert (after[1].pixels[beside] == before[1].pixels[beside]).all()


def test_an_unbalanced_page_does_not_move_its_stamp(tmp_path: Path) -> None:
    path = tmp_path / "open.pdf"
    path.write_bytes(UNBALANCED)
    ((_, before, _),) = pdf_pages(UNBALANCED)
    ((_, after, _),) = pdf_pages(stamp_pdf(path, {1: STAMP}, "open.pdf"))
    assert _red(after) == pytest.approx((0.1, 0.1, 0.4, 0.4), abs=0.03)
    green = (before == (0, 255, 0)).all(axis=2)
    assert green.any() and (after[green] == (0, 255, 0)).all()


def test_documents_that_cannot_be_stamped_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(b"%PDF-1.4 and nothing more")
    with pytest.raises(SaveError, match=r"book\.pdf: its pages can't be written into.* Name a folder"):
        stamp_pdf(path, {1: STAMP}, "book.pdf")
    path.write_bytes(_document())
    monkeypatch.setattr(pdf_files, "_ROOM_SECONDS", 1e-6)
    monkeypatch.setattr(pdf_files, "_PAGE_SECONDS", 0)
    with pytest.raises(SaveError, match="given up"):
        stamp_pdf(path, {1: STAMP}, "book.pdf")


def test_a_document_that_lost_pages_is_not_returned() -> None:
    sizes = [(100.0, 200.0)] * 3
    pdf_files._check(_document(), sizes)
    for wrong in (sizes[:2], [*sizes[:2], (100.0, 250.0)]):
        with pytest.raises(ValueError, match="not those that were read"):
            pdf_files._check(_document(), wrong)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_a_damaged_document_comes_back_whole_or_not_at_all(tmp_path: Path, share: float) -> None:
    whole = _document()
    path = tmp_path / "cut.pdf"
    path.write_bytes(whole[: int(share * len(whole))])
    try:
        data = stamp_pdf(path, {1: STAMP}, "cut.pdf")
    except SaveError as error:
        assert "the PDF is damaged" in str(error)
    else:
        assert len(pdf_pages(data)) == len(pdf_pages(path.read_bytes()))
