"""Figures: their three painters draw the same, the text of a PDF can be extracted, and lines break."""

import contextlib
import itertools
import re
import sys
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest
from pdf_pages import pdf_pages

from sudoku_vision.errors import MissingExtraError
from sudoku_vision.output.drawing.figure import (
    BLACK,
    BLUE,
    GREEN,
    RED,
    Area,
    Element,
    Figure,
    Line,
    Text,
    box,
)
from sudoku_vision.output.drawing.pdf_files import pdf
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.svg import svg
from sudoku_vision.output.drawing.text_metrics import text_width, wrapped_words

DPI = 144
PIXEL = 25.4 / DPI
SIDE = 240 * PIXEL  # so that both have whole pixels at the same places
SVG = "{http://www.w3.org/2000/svg}"

ELEMENTS: dict[str, Element] = {
    "upright line": Line([(5, 10.3), (35, 10.3)], 0.6),
    "slanted line": Line([(5, 5), (35, 31)], 1.5, RED),
    "pen": Line([(5, 30), (12, 8), (20, 30), (35, 28)], 3, BLUE),
    "frame": Line(box(6, 6, 33, 34), 1.2, closed=True),
    "dashes": Line([(5, 8), (33, 30)], 1, dashes=(2, 3.5)),
    "triangle": Area([[(5, 35), (20, 5), (35, 35)]], GREEN),
    "wash": Area([box(4, 4, 30, 20), box(4, 20, 15, 30)], BLUE, 0.3),
    "words": Text("Sudoku 258", (4, 22), 6),
    "bold words": Text("HN 40 &<>", (36, 22), 6, RED, bold=True, anchor="end"),
    "digit": Text("8", (20, 30), 24, anchor="middle"),
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_pixels_and_pdf_show_the_same(name: str) -> None:
    figure = Figure(SIDE, SIDE, [ELEMENTS[name]])
    own, other = raster(figure, DPI), pdf_pages(pdf([figure]), DPI)[0].pixels
    apart = np.abs(own.astype(int) - other)
    inked = int((own < 200).any(axis=2).sum())
    assert inked > 100
    assert (apart > 128).any(axis=2).sum() <= 0.03 * inked  # pixels on an edge may be half covered
    assert abs(own.mean() - other.mean()) < 0.04 * (255 - own.mean())  # nor does either draw bolder


def test_later_elements_lie_over_earlier_ones() -> None:
    figure = Figure(10, 10, [Area([box(0, 0, 10, 10)], RED), Area([box(2, 2, 8, 8)], GREEN)])
    assert raster(figure, 254)[50, 50].tolist() == list(GREEN)
    assert raster(figure, 254)[5, 5].tolist() == list(RED)


def test_lines_that_leave_the_sheet_end_at_its_edge() -> None:
    figure = Figure(10, 10, [Line([(-5, -9), (30, 22)], 2), Text("88888", (-3, 12), 9)])
    assert raster(figure, 100).shape == (39, 39, 3)


def test_svg_has_every_element_in_millimetres() -> None:
    figure = Figure(40, 40.5, list(ELEMENTS.values()))
    root = ElementTree.fromstring(svg(figure, title="One & two"))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("40mm", "40.5mm", "0 0 40 40.5")
    assert root.findtext(f"{SVG}title") == "One & two"
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words == ["Sudoku 258", "HN 40 &<>", "8"]
    paths = [path.attrib for path in root.iter(f"{SVG}path")]
    assert paths[0] == {"d": "M5 10.3L35 10.3", "stroke": "#000000", "stroke-width": "0.6"}
    assert paths[3]["d"] == "M6 6L33 6L33 34L6 34z"
    assert paths[4]["stroke-dasharray"] == "2 3.5"
    assert paths[6]["fill-opacity"] == "0.3"


def test_controls_in_words_are_written_out_in_svg() -> None:
    root = ElementTree.fromstring(svg(Figure(9, 9, [Text("a\x00b", (1, 1), 3)])))
    assert root.findtext(f"{SVG}text") == "a\\x00b"


def test_text_of_every_script_can_be_extracted_from_a_pdf(few_fonts: None) -> None:
    figure = Figure(
        80, 30, [Text("Sudoku \u6570\u72ec 2026", (5, 10), 6), Text("fi \u2026 \xe9", (5, 20), 6, bold=True)]
    )
    words = pdf_pages(pdf([figure]))[0].words
    assert "Sudoku \u6570\u72ec 2026" in words
    assert "fi \u2026 \xe9" in words


def test_only_the_used_letters_of_fonts_are_embedded() -> None:
    def size(words: str) -> int:
        return len(pdf([Figure(200, 20, [Text(words, (5, 10), 4)])]))

    assert size("1") < size("123456789") < size("123456789 abcdefghijklmnopqrstuvwxyz") < 16_000


def test_a_pdf_says_what_it_is_and_equal_figures_make_equal_files() -> None:
    figures = [Figure(148, 210, [Text("1", (5, 10), 4)]), Figure(210, 297)]
    data = pdf(figures, title="A <title>")
    assert data == pdf(figures, title="A <title>")
    assert [tuple(map(round, page.size)) for page in pdf_pages(data)] == [(420, 595), (595, 842)]
    document = pytest.importorskip("pypdfium2").PdfDocument(data)
    told = document.get_metadata_dict()
    assert (told["Title"], told["CreationDate"]) == ("A <title>", "")
    document.close()


def test_black_is_printed_as_black_alone() -> None:
    data = pdf([Figure(20, 20, [Text("1", (5, 10), 4), Line([(1, 1), (9, 9)], 1, BLACK)])])
    parts = [part for found in data.split(b"stream\n")[1:] if b"BT" in (part := _unpacked(found))]
    assert len(parts) == 1 and b"rg" not in parts[0].lower()
    assert set(re.findall(rb"([\d. ]+) scn", parts[0].lower())) == {b" 0"}  # one number: a grey


def _unpacked(data: bytes) -> bytes:
    with contextlib.suppress(zlib.error):
        return zlib.decompressobj().decompress(data)
    return b""


def test_pages_need_the_extra_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingExtraError, match=r"need the library typst.*pip install .\.\[print\]"):
        pdf([Figure(9, 9)])


def test_all_digits_are_equally_wide_and_bold_words_wider() -> None:
    assert len({text_width(digit, 10) for digit in "0123456789"}) == 1
    assert text_width("Sudoku", 10) < text_width("Sudoku", 10, bold=True)
    assert text_width("", 10) == 0


@pytest.mark.parametrize("width", [8.0, 15.0, 30.0, 200.0])
def test_words_are_wrapped_into_lines_that_fit_and_none_is_lost(width: float) -> None:
    words = "Look at row 3: a digit that stands in oneandonlyonecell must stand there."
    lines = wrapped_words(words, width, 4)
    assert all(text_width(line, 4) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    for line, following in itertools.pairwise(lines):  # no line ends before it must
        assert text_width(f"{line} {following.split()[0]}", 4) > width or " " not in words
