"""Pages to print: everything on them, in its order, and read again by the project's own eyes."""

from __future__ import annotations

from itertools import islice

import pytest

from sudoku_vision.drawing.pages import (
    PAPERS,
    PER_PAGE,
    PageStyle,
    PaperName,
    count_pages,
    draw_pages,
)
from sudoku_vision.drawing.puzzle import PrintablePuzzle
from sudoku_vision.errors import UsageError
from sudoku_vision.generator import Constraints, series
from sudoku_vision.pipeline import read_photo
from sudoku_vision.results import Image, Photo, board_text


@pytest.fixture(scope="module")
def items() -> list[PrintablePuzzle]:
    """Seven puzzles."""
    puzzles = islice(series(Constraints(clues=30), 1), 7)
    return [PrintablePuzzle(puzzle.board, puzzle.solution, str(puzzle.number), "easy") for puzzle in puzzles]


def _read(pixels: Image) -> list[str]:
    page = read_photo(Photo(pixels))
    assert {grid.status for grid in page.grids} <= {"solved"}
    return [board_text(grid.puzzle) for grid in page.grids]


def _text(item: PrintablePuzzle) -> str:
    return board_text(item.puzzle)


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_every_puzzle_is_on_the_pages_in_order_whatever_fits_on_one(
    items: list[PrintablePuzzle], per_page: int
) -> None:
    style = PageStyle(per_page=per_page, dpi=150)
    pages = list(draw_pages(items, style))
    assert len(pages) == count_pages(len(items), style) == -(-7 // per_page)
    assert [text for page in pages for text in _read(page)] == [_text(item) for item in items]


def test_solutions_are_on_the_last_pages(items: list[PrintablePuzzle]) -> None:
    style = PageStyle(per_page=2, dpi=150)
    pages = list(draw_pages(items, style, solutions=True))
    assert len(pages) == count_pages(7, style, solutions=True) == 4 + 2
    solved = [board_text(item.solution) for item in items]
    grids = [grid for page in pages[4:] for grid in read_photo(Photo(page)).grids]
    # Answers are printed lighter, and read as what was entered.
    assert [board_text(grid.puzzle + grid.written) for grid in grids] == solved
    assert [board_text(grid.puzzle) for grid in grids] == [_text(item) for item in items]


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_the_paper(items: list[PrintablePuzzle], paper: PaperName) -> None:
    (page,) = draw_pages(items[:1], PageStyle(paper=paper, dpi=100))
    width, height = PAPERS[paper]
    assert page.shape == (round(height / 0.254), round(width / 0.254), 3)


def test_margins_stay_white_however_long_the_words(items: list[PrintablePuzzle]) -> None:
    style = PageStyle(per_page=6, title="A very long title " * 9, foot="very small print " * 20, dpi=100)
    for page in draw_pages(items, style, solutions=True):
        margin = round(14 / 0.254)
        assert page[:, -margin:].min() == 255
        assert page[:, :margin].min() == 255
        assert page[:margin].min() == 255
        assert page[-margin:].min() == 255


def test_titles_that_the_typeface_lacks_letters_for_are_refused() -> None:
    with pytest.raises(UsageError, match="'数'"):
        PageStyle(title="数独")


def test_styles_that_no_page_can_have_are_refused() -> None:
    with pytest.raises(UsageError, match="1, 2, 4, 6"):
        PageStyle(per_page=3)
    with pytest.raises(UsageError, match="a4 or letter"):
        PageStyle(paper="a0")  # type: ignore[arg-type]
