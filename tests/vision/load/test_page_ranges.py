"""Ranges of pages: told by their numbers, opened once, and counted without unpacking any."""

from __future__ import annotations

import pytest
from conftest import packed
from PIL import Image as Pillow
from test_picture_formats import PAINT, pdf

from sudoku_vision.errors import OpenError
from sudoku_vision.results import Photo
from sudoku_vision.vision.load import iter_pages, page_count


def tiff(pages: int) -> bytes:
    """A TIFF whose pages are 21, 22, ... pixels wide."""
    pictures = [Pillow.new("L", (21 + page, 9), "white") for page in range(pages)]
    return packed(pictures[0], "TIFF", save_all=True, append_images=pictures[1:])


def document(kind: str) -> bytes:
    if kind == "TIFF":
        return tiff(5)
    pytest.importorskip("pypdfium2", reason="pypdfium2 (extra formats) is not installed")
    return pdf([PAINT] * 5)


@pytest.mark.parametrize("kind", ["TIFF", "PDF"])
def test_a_range_gives_its_pages_under_their_numbers_and_ends_with_the_last(kind: str) -> None:
    data = document(kind)
    assert page_count(data) == 5
    for only, numbers in ((range(2, 4), [2, 3]), (range(4, 99), [4, 5]), (range(1, 2), [1])):
        pages = list(iter_pages(data, only=only, max_pages=1))
        assert [page.page for page in pages if isinstance(page, Photo)] == numbers
        assert len(pages) == len(numbers)
    (error,) = iter_pages(data, name="book", only=range(6, 9))
    assert isinstance(error, OpenError)
    assert "there is no page 6, pages here: 5" in error.message


def test_what_is_no_document_has_one_page() -> None:
    assert page_count(packed(Pillow.new("L", (9, 9)), "PNG")) == 1
    with pytest.raises(OpenError, match="not a picture"):
        page_count(b"words", name="words")
