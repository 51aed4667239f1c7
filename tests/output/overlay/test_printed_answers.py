"""Answers on paper: sure ones grey, doubtful ones hollow with their signs, and read again; stamps, too."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board

from sudoku_vision.output.drawing.figure import Figure, Line, Text
from sudoku_vision.output.drawing.puzzle_figure import ANSWER, PICTURE_DPI, PrintablePuzzle, draw_puzzle
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.overlay.printed_answers import answer_figure, answer_pages, page_stamp
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import NO_MARKS, board_text
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import Doubt, GridStatus, Photo, Reading

BLANK = np.zeros((9, 9), np.int8)


def _grid(status: str = "solved", written: str = "0" * 81, **more: object) -> Grid:
    solution = None if status in ("many_solutions", "no_solution") else board(SOLUTION)
    reading = Reading(board(PUZZLE), board(written), solution, 1, 1.0)
    return Grid(status, NO_PLACE, replace(reading, **more))  # type: ignore[arg-type]


def _texts(figure: Figure) -> list[Text]:
    return [element for element in figure.elements if isinstance(element, Text)]


def test_clues_are_black_and_answers_grey() -> None:
    texts = _texts(answer_figure(_grid()))
    assert len(texts) == 81
    assert {text.words for text in texts} == set("123456789")
    assert sum(text.colour == (0, 0, 0) and text.bold for text in texts) == 81 - PUZZLE.count("0")
    assert sum(text.colour == ANSWER and not text.bold for text in texts) == PUZZLE.count("0")


def test_what_is_printed_is_read_as_it_was_solved() -> None:
    grids = [_grid(), _grid()]
    (page,) = answer_pages(grids)
    for pixels in (raster(answer_figure(grids[0]), PICTURE_DPI), raster(page, 150)):
        for grid in read_page(Photo(pixels)).grids:
            assert board_text(grid.puzzle) == PUZZLE
            assert board_text(grid.puzzle + grid.written) == SOLUTION


def test_a_wrong_entry_is_struck_out_with_the_right_digit_beside_it() -> None:
    figure = answer_figure(_grid(written="0" * 80 + "1"))  # the last cell holds a 3
    texts = _texts(figure)
    plain = max(text.size for text in texts if text.colour == ANSWER)
    assert sorted(text.words for text in texts if text.size < 0.9 * plain and text.colour == ANSWER) == ["3"]
    assert any(isinstance(element, Line) and element.colour[2] > 200 for element in figure.elements)
    entry, answer = (text for text in texts if min(text.place) > 8.75 / 10.5 * figure.width)
    right, left = (text_width(text.words, text.size) / 2 for text in (entry, answer))
    assert (entry.words, answer.words) == ("1", "3") and entry.place[0] + right < answer.place[0] - left


@pytest.mark.parametrize("marked", [True, False])
def test_marks_stand_only_where_no_answer_does(marked: bool) -> None:
    marks = (*NO_MARKS[:1], frozenset({1, 6}), *NO_MARKS[2:]) if marked else NO_MARKS
    assert len(_texts(answer_figure(_grid(marks=marks)))) == 81
    assert len(_texts(answer_figure(_grid("many_solutions", marks=marks)))) == 17 + 1 + 2 * marked


def test_what_is_not_sure_never_looks_sure() -> None:
    doubts = (Doubt(8, (5, 6), (0.6, 0.4)),)
    figure = answer_figure(_grid("uncertain", doubts=doubts))
    words = [text.words for text in _texts(figure) if len(text.words) > 1]
    assert words == ["please check"]
    assert not any(text.colour == ANSWER for text in _texts(figure))
    warm = [element for element in figure.elements if isinstance(element, Line) and element.colour[2] > 150]
    assert len(warm) > 40  # a frame, a question mark, and the edges of hollow digits
    assert [text.words for text in _texts(answer_figure(_grid("no_solution"))) if len(text.words) > 1] == [
        "no solution"
    ]


def test_more_grids_than_a_page_holds_go_on_the_next() -> None:
    pages = answer_pages([_grid("many_solutions")] * 14)
    assert len(pages) == 2
    assert [text.words for text in _texts(pages[1])][:1] == ["2 / 2"]


@pytest.mark.parametrize("turns", [0, 1])
@pytest.mark.parametrize("status", ["solved", "uncertain"])
def test_a_stamp_covers_what_the_answers_cover_in_the_picture(turns: int, status: GridStatus) -> None:
    pixels: Image = np.ascontiguousarray(np.rot90(draw_puzzle(PrintablePuzzle(board(PUZZLE))), turns))
    (grid,) = read_page(Photo(pixels)).grids
    if status == "uncertain":
        reading = replace(grid.reading, doubts=(Doubt(8, (5, 6), (0.6, 0.4)),))
        grid = replace(grid, status=status, reading=reading)
    stamp = page_stamp(Photo(pixels), [grid])
    drawn = raster(stamp, 200)
    assert drawn.shape == pixels.shape
    words = [element.words for element in stamp.elements if isinstance(element, Text)]
    assert words == ([] if status == "solved" else ["please check"])
    inside = (slice(72, -72), slice(72, -72))  # the word of a frame stands beside the grid
    picture = overlay(pixels, [grid])[inside]
    changed = (picture != pixels[inside]).any(axis=2) & (picture < 150).any(axis=2)
    stamped = (drawn[inside] < 150).any(axis=2)
    assert np.count_nonzero(stamped) > 10_000
    both = np.count_nonzero(changed & stamped)  # the edges of hollow digits are thin
    assert both > 0.75 * max(np.count_nonzero(changed), np.count_nonzero(stamped))
