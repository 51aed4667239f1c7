"""Roles: boards as apps and magazines show them, from their ink and the rules together."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_roles import black_pencil, hand_like_print
from ink_pages import (
    BLACK,
    BLUE,
    RED,
    WHITE,
    Bools,
    Colour,
    cells_of,
    coloured,
    inks_of,
    picture,
    read,
)
from numpy.typing import NDArray

from sudoku_vision.results import Board, Floats, Photo, Reading
from sudoku_vision.vision.decode import SURE, decode
from sudoku_vision.vision.digits.print_vs_handwriting import refine_written

PURPLE: Colour = (170, 50, 130)
SOFT: Colour = (75, 75, 75)


def shown(
    board: Board,
    colours: dict[int, Colour],
    widths: dict[int, int] | None = None,
    written: Floats | float = 1e-4,
) -> Reading:
    """What is made of a drawn board by a classifier that is sure of the digits."""
    photo, lattice = picture(board, colours, WHITE, widths=widths)
    return decode(refine_written(inks_of(photo, lattice), read(board, written), cells_of(photo, lattice)))


def half_filled(puzzle: Board, solution: Board, entries: int, seed: int = 1) -> tuple[Board, Bools, Bools]:
    """A puzzle with right *entries* in it: the board, and where clues and entries stand, (81,)."""
    blank = np.flatnonzero(puzzle.reshape(81) == 0)
    entered = np.zeros(81, bool)
    entered[np.random.default_rng(seed).permutation(blank)[:entries]] = True
    board = np.where(entered.reshape(9, 9), solution, puzzle).astype(np.int8)
    return board, puzzle.reshape(81) > 0, entered


def assert_roles(reading: Reading, board: Board, given: NDArray[np.bool_]) -> None:
    """Check that the given digits, and only those, were taken for clues, the others for entries."""
    assert np.array_equal(reading.puzzle, np.where(given.reshape(9, 9), board, 0))
    assert np.array_equal(reading.written, np.where(given.reshape(9, 9), 0, board))


@pytest.mark.parametrize("entries", [12, 30])
def test_thin_grey_digits_beside_bold_dark_ones_were_entered(
    puzzle: Board, solution: Board, entries: int
) -> None:
    board, given, entered = half_filled(puzzle, solution, entries)
    widths = dict.fromkeys(map(int, np.flatnonzero(entered)), 1)
    assert_roles(shown(board, coloured(given, entered, BLACK, SOFT), widths), board, given)


def test_two_black_digits_on_a_board_full_of_blue_ones_are_given(solution: Board) -> None:
    given = np.isin(np.arange(81), [38, 51])
    assert_roles(shown(solution, coloured(given, ~given, BLACK, BLUE)), solution, given)


@pytest.mark.parametrize("wrong_in", [RED, BLUE, PURPLE])
def test_wrong_entries_in_a_colour_of_their_own_are_no_clues(
    puzzle: Board, solution: Board, wrong_in: Colour
) -> None:
    board, given, entered = half_filled(puzzle, solution, 5)
    wrong = (solution % 9 + 1).astype(np.int8)
    board = np.where(entered.reshape(9, 9), wrong, board).astype(np.int8)
    assert_roles(shown(board, coloured(given, entered, BLACK, wrong_in)), board, given)


def test_a_digit_that_an_app_highlights_stays_given(puzzle: Board) -> None:
    given = puzzle.reshape(81) > 0
    eights = puzzle.reshape(81) == 8
    assert_roles(shown(puzzle, coloured(given & ~eights, eights, BLACK, BLUE)), puzzle, given)


@pytest.mark.parametrize("lit_in", [RED, PURPLE, BLUE])
def test_a_digit_lit_among_clues_and_entries_leaves_the_answer(
    puzzle: Board, solution: Board, lit_in: Colour
) -> None:
    """Nobody can tell which of the lit ones were given, even less in the entries' own blue."""
    board, given, entered = half_filled(puzzle, solution, 30)
    given[np.flatnonzero(entered)[::2]] = True
    entered &= ~given
    lit = board.reshape(81) == 4
    colours = coloured(given & ~lit, entered & ~lit, BLACK, BLUE)
    reading = shown(board, {**colours, **dict.fromkeys(map(int, np.flatnonzero(lit)), lit_in)})
    assert reading.solution is not None and np.array_equal(reading.solution, solution)
    others = (board.reshape(81) > 0) & ~lit
    assert np.array_equal(reading.puzzle.reshape(81)[others] > 0, given[others])


def test_a_lone_wrong_digit_in_a_colour_of_its_own_does_not_make_the_clues_doubtful(
    puzzle: Board, solution: Board
) -> None:
    board, given, entered = half_filled(puzzle, solution, 22)
    given |= entered
    wrong = int(np.flatnonzero(~given)[0])
    board.flat[wrong] = next(d for d in range(1, 10) if d in board[wrong // 9] and d != solution.flat[wrong])
    reading = shown(board, coloured(given, np.arange(81) == wrong, BLACK, RED))
    assert reading.confidence > SURE
    assert np.array_equal(reading.puzzle.ravel() > 0, given)
    assert reading.written.flat[wrong] == board.flat[wrong]


@pytest.mark.parametrize("seed", [(0, 11), (5, 35)])
def test_a_few_digits_in_black_pencil_among_black_print_were_entered(seed: tuple[int, int]) -> None:
    """Their shapes leave it open who wrote them, but no other digit of the page is like them."""
    drawing = black_pencil(np.random.default_rng(seed))
    grid, photo = drawing.grids[0], Photo(drawing.pixels)
    looks = np.where(grid.written.ravel() > 0, 0.3, 0.01).astype(np.float32)
    scores = read((grid.puzzle + grid.written).astype(np.int8), looks)
    reading = decode(refine_written(inks_of(photo, grid.lattice), scores, cells_of(photo, grid.lattice)))
    assert grid.written.any()
    assert np.array_equal(reading.puzzle, grid.puzzle)
    assert np.array_equal(reading.written, grid.written)


@pytest.mark.parametrize("seed", [(0, 14), (0, 26), (5, 146)])
def test_print_that_looks_written_may_have_a_hand_beside_it(seed: tuple[int, int]) -> None:
    """All digits look written; only those repeat that were printed."""
    drawing = hand_like_print(np.random.default_rng(seed))
    grid, photo = drawing.grids[0], Photo(drawing.pixels)
    scores = read((grid.puzzle + grid.written).astype(np.int8), 0.97)
    reading = decode(refine_written(inks_of(photo, grid.lattice), scores, cells_of(photo, grid.lattice)))
    assert np.array_equal(reading.puzzle, grid.puzzle)
    assert np.array_equal(reading.written, grid.written)


def test_print_that_looks_written_in_some_digits_is_print_for_it_repeats_itself(
    puzzle: Board, solution: Board
) -> None:
    board, given, entered = half_filled(puzzle, solution, 13)
    printed = given | entered
    looks = np.where(np.isin(board.reshape(81), [3, 5, 8]), 0.97, 0.02).astype(np.float32)
    assert_roles(shown(board, coloured(printed, ~printed, BLACK, BLACK), written=looks), board, printed)
