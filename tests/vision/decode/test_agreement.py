"""Of an uncertain reading, the answers that are the same whatever its doubts hold are told apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_decode import PUZZLES, SOLUTIONS, clean, doubtful, scores, with_another_answer

from sudoku_vision.results import Doubt, Reading
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.vision.decode import decode
from sudoku_vision.vision.decode.boards import with_changes
from sudoku_vision.vision.decode.uncertainty import agreed_cells


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
