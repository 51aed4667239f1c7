"""A cell that could not be seen is not blank: an answer that depends on it is not sure, and it is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_decode import PUZZLES, SOLUTIONS, clean, clues, doubtful, read, scores

from sudoku_vision.pipeline import message_of
from sudoku_vision.results import DigitScores, GridResult, Lattice, Reading
from sudoku_vision.sudoku.board import area_names, board_array
from sudoku_vision.sudoku.solver import is_unique
from sudoku_vision.vision.decode import SURE, decode, grid_status
from sudoku_vision.vision.decode.overrides import apply_overrides

PUZZLE, SOLUTION = PUZZLES[0], SOLUTIONS[0]
NEEDED = next(cell for cell in clues(PUZZLE) if not is_unique((*PUZZLE[:cell], 0, *PUZZLE[cell + 1 :])))
WITH_EXTRA = (*SOLUTION[:9], *PUZZLE[9:])
"""The puzzle with clues that it could do without."""


def without(values: tuple[int, ...], *cells: int) -> tuple[int, ...]:
    """A board with some cells blank."""
    return tuple(0 if cell in cells else value for cell, value in enumerate(values))


def covered(values: tuple[int, ...], hidden: dict[int, float]) -> DigitScores:
    """The scores of a clean board of which some cells are hidden with a probability."""
    chances = np.zeros(81, np.float32)
    for cell, chance in hidden.items():
        chances[cell] = chance
    return replace(scores(clean(values)), hidden=chances)


def grid(reading: Reading) -> GridResult:
    return GridResult(grid_status(reading), Lattice(np.zeros((10, 10, 2), np.float32)), reading)


def test_a_clue_that_is_lost_under_a_cover_makes_the_grid_uncertain_and_is_named() -> None:
    reading = decode(covered(without(PUZZLE, NEEDED), {NEEDED: 0.7}))
    assert reading.solutions == 2
    found = grid(reading)
    assert found.status == "uncertain"
    assert found.hidden == (NEEDED,)
    assert area_names([NEEDED]) in message_of("uncertain", [found])


def test_the_same_page_has_many_solutions_where_every_blank_was_seen() -> None:
    reading = decode(covered(without(PUZZLE, NEEDED), {}))
    assert grid_status(reading) == "many_solutions"
    assert reading.hidden == ()


def test_a_cover_over_what_the_answer_does_not_need_leaves_it_sure() -> None:
    reading = decode(covered(without(WITH_EXTRA, 0, 1), {0: 0.9, 1: 0.9}))
    assert grid_status(reading) == "solved"
    assert reading.confidence > SURE
    assert grid(reading).hidden == ()


def test_a_digit_is_not_chosen_against_its_ink_since_a_hidden_clue_is_missing() -> None:
    """Another clue, smudged, could be a digit that leaves one solution: that solution would be wrong."""
    board, other = without(PUZZLE, NEEDED), None
    for cell in clues(board):
        for digit in set(range(1, 10)) - {board[cell]}:
            if is_unique((*board[:cell], digit, *board[cell + 1 :])):
                other = cell, digit
    assert other is not None
    cell, digit = other
    ink = clean(board)
    doubtful(ink, cell, **{f"d{board[cell]}": 0.97, f"d{digit}": 0.03})
    smudged = scores(ink)
    seen = grid_status(decode(replace(smudged, hidden=covered(board, {NEEDED: 0.7}).hidden)))
    assert seen == "uncertain"


def test_a_hidden_digit_that_the_rules_contradict_gives_way() -> None:
    """A stroke makes a clue look like another one, which leaves no solution."""
    wrong = next(
        digit
        for digit in range(1, 10)
        if digit != WITH_EXTRA[0] and any(digit == WITH_EXTRA[cell] for cell in range(1, 9))
    )
    ink = clean((wrong, *WITH_EXTRA[1:]))
    chances = np.zeros(81, np.float32)
    chances[0] = 0.8
    reading = decode(replace(scores(ink), hidden=chances))
    assert read(reading)[0] in (0, WITH_EXTRA[0])
    assert reading.solution is not None
    assert tuple(reading.solution.ravel().tolist()) == SOLUTION


def test_what_a_person_says_of_a_hidden_cell_settles_it() -> None:
    board = without(PUZZLE, NEEDED)
    told = apply_overrides(covered(board, {NEEDED: 0.7}), {NEEDED: PUZZLE[NEEDED]}, board_array(board))
    assert grid_status(told) == "solved"


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        ((), ""),
        ((0,), "r1c1"),
        ((0, 80), "r1c1, r9c9"),
        ((30, 31, 39, 40), "r4c4-r5c5"),
        ((8, 9), "r1c9, r2c1"),
    ],
)
def test_areas_are_named_by_their_first_and_last_cell(cells: tuple[int, ...], names: str) -> None:
    assert area_names(cells) == names
