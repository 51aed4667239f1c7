"""Figures: their three backends draw the same, and a PDF's text can be taken out again."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import BLACK, BLUE, GREEN, RED
from sudoku_vision.output.drawing.figure import (
    Area,
    Element,
    Figure,
    Line,
    Picture,
    Squares,
    Text,
    box,
    runs_of,
)
from sudoku_vision.output.drawing.pdf import pdf
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.svg import svg
from sudoku_vision.results import Image

DPI = 144
PIXEL = 25.4 / DPI
SIDE = 240 * PIXEL  # so that both have whole pixels at the same places
SVG = "{http://www.w3.org/2000/svg}"

ELEMENTS: dict[str, Element] = {
    "upright line": Line([(5, 10.3), (35, 10.3)], 0.6),
    "slanted line": Line([(5, 5), (35, 31)], 1.5, RED),
    "corners": Line([(5, 30), (12, 8), (20, 30), (35, 30)], 2, BLUE),
    "pen": Line([(5, 30), (12, 8), (20, 30), (35, 28)], 3, BLUE, round=True),
    "frame": Line(box(6, 6, 33, 34), 1.2, closed=True),
    "triangle": Area([(5, 35), (20, 5), (35, 35)], GREEN),
    "wash": Area(box(4, 4, 30, 20), BLUE, 0.3),
    "words": Text("Sudoku 258", (4, 22), 6),
    "bold words": Text("AV 40 &<>", (36, 22), 6, RED, bold=True, anchor="end"),
    "digit": Text("8", (20, 30), 24, anchor="middle"),
    "squares": Squares(np.random.default_rng(1).random((21, 21)) < 0.5, (45 * PIXEL, 45 * PIXEL), 63 * PIXEL),
    "picture": Picture(
        np.full((6, 8, 3), (40, 90, 200), np.uint8), (57 * PIXEL, 68 * PIXEL), 120 * PIXEL, 90 * PIXEL
    ),
}


def _rendered(data: bytes, page: int = 0) -> Image:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(data)
    pixels: Image = document[page].render(scale=DPI / 72, may_draw_forms=False).to_numpy()[:, :, :3].copy()
    document.close()
    return pixels


def _words(data: bytes) -> str:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(data)
    words = "\n".join(str(page.get_textpage().get_text_bounded()) for page in document)
    document.close()
    return words


@pytest.mark.parametrize("name", ELEMENTS)
def test_pixels_and_pdf_show_the_same(name: str) -> None:
    figure = Figure(SIDE, SIDE, [ELEMENTS[name]])
    own, other = raster(figure, DPI), _rendered(pdf([figure]))
    apart = np.abs(own.astype(int) - other)
    inked = int((own < 200).any(axis=2).sum())
    assert inked > 100
    assert (apart > 128).any(axis=2).sum() <= 0.02 * inked  # pixels on an edge may be half covered
    assert abs(own.mean() - other.mean()) < 0.04 * (255 - own.mean())  # nor does either draw bolder


def test_later_elements_lie_over_earlier_ones() -> None:
    figure = Figure(10, 10, [Area(box(0, 0, 10, 10), RED), Area(box(2, 2, 8, 8), GREEN)])
    assert raster(figure, 254)[50, 50].tolist() == list(GREEN)
    assert raster(figure, 254)[5, 5].tolist() == list(RED)


def test_lines_that_leave_the_sheet_end_at_its_edge() -> None:
    figure = Figure(10, 10, [Line([(-5, -9), (30, 22)], 2), ELEMENTS["picture"], Text("88888", (-3, 12), 9)])
    assert raster(figure, 100).shape == (39, 39, 3)


def test_svg_says_every_element_in_millimetres() -> None:
    figure = Figure(40, 40.5, list(ELEMENTS.values()))
    root = ElementTree.fromstring(svg(figure, title="One & two"))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("40mm", "40.5mm", "0 0 40 40.5")
    assert root.findtext(f"{SVG}title") == "One & two"
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words == ["Sudoku 258", "AV 40 &<>", "8"]
    paths = [path.attrib for path in root.iter(f"{SVG}path")]
    assert paths[0] == {"d": "M5 10.3L35 10.3", "fill": "none", "stroke": "#000000", "stroke-width": "0.6"}
    assert paths[3]["stroke-linecap"] == paths[3]["stroke-linejoin"] == "round"
    assert paths[4]["d"] == "M6 6L33 6L33 34L6 34z"
    assert paths[6]["fill-opacity"] == "0.3"
    assert len(list(root.iter(f"{SVG}image"))) == 1


def test_controls_in_words_are_written_out_in_svg() -> None:
    root = ElementTree.fromstring(svg(Figure(9, 9, [Text("a\x00b", (1, 1), 3)])))
    assert root.findtext(f"{SVG}text") == "a\\x00b"


def test_text_of_a_pdf_can_be_taken_out_in_every_script(few_fonts: Path) -> None:
    figure = Figure(
        80, 30, [Text("Sudoku \u6570\u72ec 2026", (5, 10), 6), Text("fi \u2026 \xe9", (5, 20), 6, bold=True)]
    )
    words = _words(pdf([figure]))
    assert "Sudoku \u6570\u72ec 2026" in words
    assert "fi \u2026 \xe9" in words


def test_postscript_fonts_are_drawn_as_they_are(few_fonts: Path) -> None:
    figure = Figure(40, 20, [Text("\u6570\u72ec", (4, 14), 14)])
    own, other = raster(figure, DPI), _rendered(pdf([figure]))
    sides = tuple(slice(0, min(a, b)) for a, b in zip(own.shape[:2], other.shape[:2], strict=True))
    assert (own < 128).sum() > 1000
    assert (np.abs(own[sides].astype(int) - other[sides]) > 128).sum() < 0.03 * (own < 128).sum()


def test_fonts_come_with_what_is_used_of_them_alone() -> None:
    def size(words: str) -> int:
        return len(pdf([Figure(200, 20, [Text(words, (5, 10), 4)])]))

    assert size("1") < size("123456789") < size("123456789 abcdefghijklmnopqrstuvwxyz") < 16_000


def test_a_pdf_says_what_it_is_and_equal_figures_make_equal_files() -> None:
    figures = [Figure(148, 210, [Text("1", (5, 10), 4)]), Figure(210, 297)]
    seen: list[None] = []
    data = pdf(figures, title="A <title>", on_page=lambda: seen.append(None))
    assert len(seen) == 2
    assert data == pdf(figures, title="A <title>")
    assert b"<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U" in data
    assert b"A &lt;title&gt;" in data
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(data)
    assert document.get_metadata_dict()["Title"] == "A <title>"
    assert [tuple(map(round, page.get_size())) for page in document] == [(420, 595), (595, 842)]
    document.close()


def test_black_is_printed_as_black_alone() -> None:
    page = _content(pdf([Figure(20, 20, [Text("1", (5, 10), 4), Line([(1, 1), (9, 9)], 1, BLACK)])]))
    assert b"0 g" in page and b"0 G" in page and b"rg" not in page.lower()


def _content(data: bytes) -> bytes:
    """All streams of a document, unpacked."""
    import re
    import zlib

    parts = []
    for found in re.finditer(rb"stream\n", data):
        try:
            parts.append(zlib.decompressobj().decompress(data[found.end() :]))
        except zlib.error:
            continue
    return b"\n".join(part for part in parts if b"BT" in part)


def test_runs_are_the_unbroken_ones() -> None:
    dark: NDArray[np.bool_] = np.array([[1, 1, 0, 1], [0, 0, 0, 0], [0, 1, 1, 1]], np.bool_)
    assert runs_of(dark) == [(0, 0, 2), (0, 3, 1), (2, 1, 3)]


def test_a_picture_keeps_its_colours_in_every_backend() -> None:
    pixels = cv2.resize(
        np.array([[[0, 0, 255], [255, 0, 0]]], np.uint8), (40, 20), interpolation=cv2.INTER_NEAREST
    )
    figure = Figure(40, 20, [Picture(np.asarray(pixels, np.uint8), (0, 0), 40, 20)])
    for drawn in (raster(figure, DPI), _rendered(pdf([figure]))):
        assert np.abs(drawn[50, 30].astype(int) - (0, 0, 255)).max() < 8
        assert np.abs(drawn[50, -30].astype(int) - (255, 0, 0)).max() < 8
    root = ElementTree.fromstring(svg(figure))
    (image,) = root.iter(f"{SVG}image")
    import base64

    from PIL import Image as Pillow

    data = base64.b64decode(image.attrib["href"].split(",")[1])
    assert Pillow.open(io.BytesIO(data)).convert("RGB").getpixel((3, 3)) == (255, 0, 0)
