"""What hints go on from: the clues and what is rightly filled in; what is wrong is left out and said."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board

from sudoku_vision.api.answers import request_of_grid
from sudoku_vision.errors import ImproperError
from sudoku_vision.output.drawing.puzzle_figure import draw_grid
from sudoku_vision.page import board_of, solved_board
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import GridStatus, Reading


def written(*entries: tuple[int, int]) -> Board:
    """A board with digits in some cells (0..80)."""
    filled = np.zeros((9, 9), np.int8)
    for cell, digit in entries:
        filled.flat[cell] = digit
    return filled


def read(status: GridStatus, entries: Board) -> Grid:
    """A grid of a picture."""
    return Grid(status, NO_PLACE, Reading(board(PUZZLE), entries, board(SOLUTION), 1, 0.99))


def test_wrong_entries_are_left_out_and_named() -> None:
    asked = request_of_grid(read("solved", written((1, 1), (2, 9))))
    assert asked.board.flat[1] == 1 and asked.board.flat[2] == 0
    assert asked.warnings() == ("What is filled in at r1c3 is wrong, and left out here.",)
    unsure = request_of_grid(read("uncertain", written((2, 9))))
    assert "please check" in unsure.warnings()[0] and "probably wrong" in unsure.warnings()[1]


@pytest.mark.parametrize(
    ("status", "word"),
    [("many_solutions", "many"), ("no_solution", "none"), ("unreadable", "unreadable")],
)
def test_nothing_can_be_asked_without_a_single_solution(status: GridStatus, word: str) -> None:
    with pytest.raises(ImproperError) as error:
        request_of_grid(read(status, written()))
    assert error.value.status == word


def test_of_a_board_in_text_the_placed_digits_may_settle_what_clues_leave_open() -> None:
    clues = "0" + PUZZLE[1:]
    one = NamedBoard(clues, written((0, 4)))
    asked = request_of_grid(solved_board(one, "board").grids[0], in_text=True)
    assert asked.board.flat[0] == 4 and asked.cautions == ()


def test_a_board_in_text_lies_in_the_drawing_of_it(puzzle: Board) -> None:
    page = solved_board(NamedBoard(puzzle, uncertain=True), "board", 3)
    assert (page.status, page.page, page.grids[0].confidence) == ("uncertain", 3, 1.0)
    pixels, grid = draw_grid(page.grids[0])
    ink = [pixels[tuple(np.rint(point[::-1]).astype(int))].max() for point in grid.lattice.corners]
    assert max(ink) < 80, "its corners lie on its lines"
    assert board_of(replace(grid, status="solved")) == NamedBoard(puzzle)
