"""Pages to print: everything is on them, in its order, and the project can read it again."""

from dataclasses import replace
from itertools import islice

import cv2
import numpy as np
import pytest
from conftest import board
from examples import JIGSAW, REGIONS
from pdf_pages import pdf_pages

from sudoku_vision.errors import UsageError
from sudoku_vision.output.drawing.figure import Area, Figure, Line, Point, Text
from sudoku_vision.output.drawing.pdf_files import check_title, pdf
from sudoku_vision.output.drawing.puzzle_figure import (
    PrintablePuzzle,
    draw_puzzle,
    puzzle_elements,
    puzzle_lattice,
)
from sudoku_vision.output.drawing.puzzle_pages import PAPERS, PER_PAGE, PageStyle, PaperName, page_figures
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.formats import NamedBoard, link
from sudoku_vision.sudoku.generator import series
from sudoku_vision.sudoku.generator.constraints import Constraints
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.values import Image
from sudoku_vision.vision.results import Photo

DPI = 150


@pytest.fixture(scope="module")
def items() -> list[PrintablePuzzle]:
    puzzles = islice(series(Constraints(clues=30), 1), 10)
    return [PrintablePuzzle(puzzle.board, puzzle.solution, str(puzzle.number), "easy") for puzzle in puzzles]


def _read(pixels: Image) -> list[str]:
    page = read_page(Photo(pixels))
    assert {grid.status for grid in page.grids} <= {"solved"}
    return [board_text(grid.puzzle) for grid in page.grids]


def _words(figure: Figure) -> list[Text]:
    return [element for element in figure.elements if isinstance(element, Text)]


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_every_puzzle_is_on_the_pages_in_order_whatever_fits_on_one(
    items: list[PrintablePuzzle], per_page: int
) -> None:
    style = PageStyle(per_page=per_page)
    some = items[: per_page + 1]  # only the first place of the second page
    pages = page_figures(some, style)
    assert len(pages) == 2
    read = [text for page in pages for text in _read(raster(page, DPI))]
    assert read == [board_text(item.puzzle) for item in some]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_pdf_is_read_as_what_was_printed(items: list[PrintablePuzzle], paper: PaperName) -> None:
    pages = pdf_pages(pdf(page_figures(items, PageStyle(paper, per_page=6))), 200)
    sizes = [tuple(round(side * 25.4 / 72) for side in page.size) for page in pages]
    assert sizes == [tuple(map(round, PAPERS[paper]))] * 2
    assert [text for page in pages for text in _read(page.pixels)] == [
        board_text(item.puzzle) for item in items
    ]


@pytest.mark.parametrize("dpi", [48, 72, 96])
def test_lines_of_boxes_differ_from_those_of_cells_on_a_small_screen(
    items: list[PrintablePuzzle], dpi: int
) -> None:
    """A viewer draws each line at least one pixel wide: by their width alone they would all be the same."""
    (figure,) = page_figures(items[:6], PageStyle(per_page=6))
    ink, dots = 255 - pdf_pages(pdf([figure]), dpi)[0].pixels[:, :, 0].astype(float), dpi / 25.4
    widest: dict[Point, Line] = {}  # by their place, as thick ones lie on thin ones
    for line in figure.elements:
        if isinstance(line, Line) and line.points[0][0] == line.points[1][0]:
            widest[line.points[0]] = line
    seen: dict[float, list[float]] = {}
    for line in widest.values():
        (x, top), (_, bottom) = np.round(np.multiply(line.points, dots)).astype(int)
        across = ink[top:bottom, x - 2 : x + 3].sum(axis=1)
        seen.setdefault(line.width, []).append(float(np.median(across)))
    thin, thick = (seen[width] for width in sorted(seen))
    assert max(thin) < 0.75 * min(thick)


@pytest.mark.parametrize(
    ("paper", "per_page"), [*(("a5", count) for count in PER_PAGE), ("a4", 6), ("letter", 9)]
)
def test_grids_fill_the_page_and_its_margins_stay_white(
    items: list[PrintablePuzzle], paper: PaperName, per_page: int
) -> None:
    long = [replace(item, name="A very long name " * 3, note="extreme, 24 clues") for item in items]
    style = PageStyle(paper, per_page, title="A very long title " * 9)
    width, height = PAPERS[paper]
    for page in page_figures(long[:per_page], style, solutions=True):
        pixels = raster(page, 100)
        assert pixels.shape == (round(height / 0.254), round(width / 0.254), 3)
        margin = round((style.margin - 1) / 0.254)
        inside = pixels[margin:-margin, margin:-margin]
        assert np.count_nonzero(pixels < 255) == np.count_nonzero(inside < 255)
        # In one of both directions hardly anything is left, the number of the page left out.
        down, across = (np.unique(np.nonzero(inside[: -round(12 / 0.254)] < 255)[axis]) for axis in (0, 1))
        assert max(down.max() / inside.shape[0], np.ptp(across) / inside.shape[1]) > 0.85


def test_captions_stay_over_their_own_grid(items: list[PrintablePuzzle]) -> None:
    long = [replace(item, name="Weekend " * 9, note="expert, 24 clues") for item in items[:9]]
    (page,) = page_figures(long, PageStyle("a5", 9))
    names, notes = (
        [text for text in _words(page) if text.words.startswith(word)] for word in ("Weekend", "expert")
    )
    assert len(names) == len(notes) == 9
    for name, note in zip(names, notes, strict=True):
        end = name.place[0] + text_width(name.words, name.size, bold=True)
        assert end < note.place[0] - text_width(note.words, note.size)


def test_pages_are_numbered_where_there_are_several(items: list[PrintablePuzzle]) -> None:
    def foot(count: int) -> list[str]:
        pages = page_figures(items[:count], PageStyle(per_page=4))
        return [text.words for page in pages for text in _words(page) if "/" in text.words]

    assert foot(4) == []
    assert foot(10) == ["1 / 3", "2 / 3", "3 / 3"]


def _codes(figure: Figure) -> list[Area]:
    return [one for one in figure.elements if isinstance(one, Area) and len(one.polygons) > 50]


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_codes_lead_to_their_puzzles(items: list[PrintablePuzzle], per_page: int) -> None:
    pytest.importorskip("segno")
    linked = [replace(item, link=link(item.puzzle, "sudoku.coach")) for item in items[: min(per_page, 2)]]
    page, solutions = page_figures(linked, PageStyle(per_page=per_page), solutions=True)
    assert not _codes(solutions)
    pixels = raster(page, 2 * DPI)
    for item, code in zip(linked, _codes(page), strict=True):
        corners = np.array(code.polygons).reshape(-1, 2)
        left, top = ((corners.min(axis=0) - 2) / 25.4 * 2 * DPI).astype(int)
        right, bottom = ((corners.max(axis=0) + 2) / 25.4 * 2 * DPI).astype(int)
        around = cv2.resize(pixels[top:bottom, left:right], None, fx=2, fy=2)
        assert cv2.QRCodeDetector().detectAndDecode(around)[0] == item.link
    assert _read(raster(page, DPI)) == [board_text(item.puzzle) for item in linked]


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_codes_with_regions_are_large_enough_for_phones(per_page: int) -> None:
    segno = pytest.importorskip("segno")
    address = link(NamedBoard(JIGSAW, rules=Rules(REGIONS)), "sudokupad.app")
    item = PrintablePuzzle(board(JIGSAW), rules=Rules(REGIONS), link=address)
    (page,) = page_figures([item], PageStyle("a5", per_page))
    modules = len(segno.make(address, error="l", boost_error=False, micro=False).matrix)
    (code,) = _codes(page)
    corners = np.array(code.polygons).reshape(-1, 2)
    assert np.ptp(corners, axis=0).min() / modules >= 0.2499
    assert corners.min() > 0 and (corners.max(axis=0) < (page.width, page.height)).all()


def test_titles_are_written_in_any_script_that_a_font_here_has(few_fonts: None) -> None:
    check_title("Sudoku \u6570\u72ec \u0633\u0648\u062f\u0648\u0643\u0648")
    with pytest.raises(UsageError, match=r"no font here has '\u5b57'.* Install a font"):
        check_title("\u5b57")


# Puzzles alone in a picture.


def test_the_grid_lies_where_its_lattice_says(items: list[PrintablePuzzle]) -> None:
    (grid,) = read_page(Photo(draw_puzzle(items[0]))).grids
    assert np.abs(grid.lattice.crossings - puzzle_lattice().crossings).max() < 2  # pixels of 96 a cell


def test_the_thick_lines_of_a_jigsaw_are_read_as_its_regions() -> None:
    (grid,) = read_page(Photo(draw_puzzle(PrintablePuzzle(board(JIGSAW), rules=Rules(REGIONS))))).grids
    assert grid.rules == Rules(REGIONS)


CAGED = Rules(cages=[(45, [10, 11, 12, 19, 21, 28, 29, 30, 39]), (14, [20, 40]), (3, [80])])
"""A ring with a hole, cells that touch at a corner, and a cage of one cell."""


def test_dashes_lie_inside_the_borders_of_cages_and_none_within_a_cage() -> None:
    grey = draw_puzzle(PrintablePuzzle(np.zeros((9, 9), np.int8), rules=CAGED))[..., 0] < 128
    grey = grey[72:-72, 72:-72]  # cells of 96 pixels
    owner = {cell: cage for cage in CAGED.cages for cell in cage.cells}
    for cell in range(81):
        own = grey[cell // 9 * 96 :, cell % 9 * 96 :][:96, :96]
        sides = {-9: own[5:9, 45:85], 9: own[87:91, 10:85], -1: own[45:85, 5:9], 1: own[10:85, 87:91]}
        for step, side in sides.items():
            other = cell + step if step % 9 == 0 or (cell + step) // 9 == cell // 9 else -1
            dashed = cell in owner and owner.get(other) != owner[cell]
            ink = side.mean()
            assert 0.2 < ink < 0.6 if dashed else ink == 0, (cell, step)


def test_sums_stand_clear_of_lines_marks_and_digits() -> None:
    entries, marks = np.zeros((9, 9), np.int8), [frozenset(range(1, 10))] * 81
    entries.flat[20], marks[20] = 7, frozenset()
    item = PrintablePuzzle(np.zeros_like(entries), entries=entries, marks=tuple(marks), rules=CAGED)

    def box_of(text: Text) -> tuple[Point, Point]:
        (x, y), width = text.place, text_width(text.words, text.size)
        left = x - width / 2 if text.anchor == "middle" else x
        return (left, y - CAP_HEIGHT * text.size), (left + width, y)

    elements = puzzle_elements(item, 9.0)  # a cell is one millimetre wide
    texts = [element for element in elements if isinstance(element, Text)]
    sums = [box_of(text) for text in texts if text.anchor == "start"]
    others = [box_of(text) for text in texts if text.anchor == "middle"]
    others += [(min(one.points), max(one.points)) for one in elements if isinstance(one, Line) and one.dashes]
    assert [text.words for text in texts if text.anchor == "start"] == ["45", "14", "3"]
    for (left, top), (right, bottom) in sums:
        for low, high in others:
            assert high[0] < left or low[0] > right or high[1] < top or low[1] > bottom
