"""Where a reading is not sure, the cells to look at are named, with what they may hold."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_decode import PUZZLES, SOLUTIONS, clean, clues, doubtful, scores, with_another_answer

from sudoku_vision.results import GridResult, Lattice, Reading
from sudoku_vision.vision.decode import decode, grid_status
from sudoku_vision.vision.decode.overrides import apply_overrides, parse_overrides, settling
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS

LATTICE = Lattice(np.stack(np.meshgrid(np.arange(10.0), np.arange(10.0)), axis=-1).astype(np.float32))


def result(reading: Reading) -> GridResult:
    return GridResult(grid_status(reading), LATTICE, reading)


@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_the_cell_in_doubt_is_named_first_with_its_digits(number: int) -> None:
    puzzle, ink = PUZZLES[number], clean(PUZZLES[number])
    cell, digit = with_another_answer(number)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.61, f"d{digit}": 0.39})
    grid = result(decode(scores(ink)))
    assert grid.status == "uncertain"
    first = grid.doubts[0]
    assert (first.cell, first.digits[:2]) == (cell, (puzzle[cell], digit))
    assert first.probabilities[:2] == pytest.approx((0.61, 0.39), abs=0.02)
    assert first.probabilities[0] == pytest.approx(grid.confidence, abs=0.02)


def test_all_doubts_are_named_most_doubtful_first_and_plain_json() -> None:
    puzzle, solution = PUZZLES[1], SOLUTIONS[1]
    ink = clean(puzzle)
    cell, digit = with_another_answer(1)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.6, f"d{digit}": 0.4})
    blanks = [number for number in range(81) if not puzzle[number]][:16]
    for place, blank in enumerate(blanks):
        doubtful(ink, blank, **{"d0": 0.7 + 0.01 * place, f"d{solution[blank]}": 0.25 - 0.01 * place})
    doubts = result(decode(scores(ink))).doubts
    assert [doubt.cell for doubt in doubts] == [cell, *blanks]
    assert [doubt.kind for doubt in doubts] == ["clue"] + ["role"] * len(blanks)
    likeliest = [doubt.probabilities[0] for doubt in doubts]
    assert likeliest == sorted(likeliest)
    for doubt in doubts:
        assert 2 <= len(doubt.digits) <= MAX_OPTIONS
        assert list(doubt.probabilities) == sorted(doubt.probabilities, reverse=True)
        assert sum(doubt.probabilities) <= 1 + 1e-9
        assert json.loads(json.dumps(doubt.to_dict())) == doubt.to_dict()


def test_a_repaired_cell_of_an_uncertain_reading_is_named() -> None:
    puzzle = PUZZLES[3]
    ink = clean(puzzle)
    for cell in clues(puzzle)[:5]:
        doubtful(ink, cell, **{f"d{puzzle[cell] % 9 + 1}": 0.6, f"d{puzzle[cell]}": 0.4})
    grid = result(decode(scores(ink)))
    named = {doubt.cell for doubt in grid.doubts}
    assert grid.status != "solved"
    assert set(grid.reading.repaired) <= named


@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_the_line_about_all_doubts_settles_all_of_them(number: int) -> None:
    """However many they are, be they plain or each so small that only together they matter."""
    puzzle, solution = PUZZLES[number], SOLUTIONS[number]
    ink = clean(puzzle)
    cell, other = with_another_answer(number)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.992, f"d{other}": 0.008})
    for blank in [blank for blank in range(81) if not puzzle[blank]][:14]:
        doubtful(ink, blank, **{"d0": 0.9, f"d{solution[blank] % 9 + 1}": 0.1})
    before = decode(scores(ink))
    assert grid_status(before) != "solved"
    (said,) = parse_overrides(settling(before.doubts)).values()
    after = apply_overrides(scores(ink), said, before.puzzle)
    assert grid_status(after) == "solved"
    assert tuple(after.puzzle.ravel()) == tuple(before.puzzle.ravel())
    assert after.doubts == ()
