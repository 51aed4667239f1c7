"""Of an uncertain reading, the answers that are the same whatever its doubts hold are told apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_decode import PUZZLES, SOLUTIONS, clean, doubtful, scores, with_another_answer

from sudoku_vision.results import Doubt, Reading
from sudoku_vision.sudoku.solver import count_solutions, solve
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.decode.agreement import agreed_cells
from sudoku_vision.vision.decode.boards import with_changes


def in_doubt(number: int, cell: int, digit: int) -> Reading:
    """A puzzle of which one clue may as well be another digit, or 0 for none."""
    puzzle, ink = PUZZLES[number], clean(PUZZLES[number])
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.61, f"d{digit}": 0.39})
    return decode(scores(ink))


@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_just_the_answers_that_both_readings_share_are_agreed(number: int) -> None:
    cell, digit = with_another_answer(number)
    other = solve(np.array(with_changes(PUZZLES[number], [(cell, digit)]), np.int8).reshape(9, 9)).solution
    assert other is not None
    shared = {at for at in range(81) if not PUZZLES[number][at] and SOLUTIONS[number][at] == other.flat[at]}
    assert agreed_cells(in_doubt(number, cell, digit)) == shared


def test_a_clue_that_may_be_none_leaves_what_follows_from_the_others() -> None:
    """Each agreed answer: with any other digit there, what is left of the clues can't be solved."""
    puzzle = PUZZLES[0]
    cell = next(at for at in range(81) if puzzle[at] and count_solutions(_without(puzzle, at)) > 1)
    reading = decode(scores(clean(puzzle)))
    doubted = replace(reading, confidence=0.6, doubts=(Doubt(cell, (puzzle[cell], 0), (0.6, 0.4)),))
    agreed, rest = agreed_cells(doubted), _without(puzzle, cell)
    blank = [at for at in range(81) if not puzzle[at]]
    assert 0 < len(agreed) < len(blank)
    for at in blank:
        others = (with_changes(rest, [(at, digit)]) for digit in range(1, 10) if digit != SOLUTIONS[0][at])
        may_differ = any(count_solutions(np.array(one, np.int8).reshape(9, 9), 1) for one in others)
        assert (at in agreed) == (not may_differ)


def _without(puzzle: tuple[int, ...], cell: int) -> tuple[int, ...]:
    return with_changes(puzzle, [(cell, 0)])


def test_where_the_doubts_explain_nothing_nothing_is_agreed() -> None:
    cell, digit = with_another_answer(0)
    reading = in_doubt(0, cell, digit)
    assert agreed_cells(reading)
    assert not agreed_cells(replace(reading, doubts=()))
    assert not agreed_cells(replace(reading, solution=None))
    assert not agreed_cells(replace(reading, confidence=0.001))
    clash = next(
        d
        for d in range(1, 10)
        if d != PUZZLES[0][cell] and d in PUZZLES[0][cell // 9 * 9 : cell // 9 * 9 + 9]
    )
    alone = Doubt(cell, (PUZZLES[0][cell], clash), (0.6, 0.4))
    assert not agreed_cells(replace(reading, doubts=(alone,)))


def test_many_doubts_are_told_in_time() -> None:
    """More ways to settle them than are tried one by one: each may be anything then."""
    reading = decode(scores(clean(PUZZLES[0])))
    clues = [cell for cell in range(81) if PUZZLES[0][cell]][:9]
    doubts = tuple(Doubt(cell, (PUZZLES[0][cell], PUZZLES[0][cell] % 9 + 1), (0.6, 0.4)) for cell in clues)
    agreed = agreed_cells(replace(reading, confidence=0.5, doubts=doubts))
    assert agreed.isdisjoint(clues) and len(agreed) < 81 - len(clues)
