"""An uncertain reading names the cells to look at, with their digits, and the answers that are sure
anyway."""

import json
from dataclasses import replace

import numpy as np
import pytest
from test_decode import PUZZLES, SOLUTIONS, clean, clues, doubtful, scores, with_another_answer

from sudoku_vision.sudoku.solver import solve
from sudoku_vision.vision.decode import decode, grid_status
from sudoku_vision.vision.decode.boards import with_changes
from sudoku_vision.vision.decode.overrides import apply_overrides, confirming_overrides, parse_overrides
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS, agreed_cells
from sudoku_vision.vision.results import Doubt, Reading

EACH = pytest.mark.parametrize("number", range(len(PUZZLES)))


def in_doubt(number: int, share: float = 0.61) -> tuple[Reading, int, int]:
    """A puzzle with a clue that may as well be another digit; its cell, and that digit."""
    puzzle, ink = PUZZLES[number], clean(PUZZLES[number])
    cell, digit = with_another_answer(number)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": share, f"d{digit}": 1 - share})
    return decode(scores(ink)), cell, digit


@EACH
@pytest.mark.parametrize("share", [0.61, 0.8])
def test_the_cell_in_doubt_is_named_first_with_its_digits_and_as_doubtful_as_its_ink(
    number: int, share: float
) -> None:
    reading, cell, digit = in_doubt(number, share)
    assert tuple(reading.puzzle.ravel()) == PUZZLES[number]
    assert grid_status(reading) == "uncertain"
    assert reading.confidence == pytest.approx(share, abs=0.02)
    first = reading.doubts[0]
    assert (first.cell, first.digits[:2]) == (cell, (PUZZLES[number][cell], digit))
    assert first.probabilities[:2] == pytest.approx((share, 1 - share), abs=0.02)


def test_all_doubts_are_named_most_doubtful_first_and_plain_json() -> None:
    puzzle, solution = PUZZLES[1], SOLUTIONS[1]
    ink = clean(puzzle)
    cell, digit = with_another_answer(1)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.6, f"d{digit}": 0.4})
    blanks = [number for number in range(81) if not puzzle[number]][:16]
    for place, blank in enumerate(blanks):
        doubtful(ink, blank, **{"d0": 0.7 + 0.01 * place, f"d{solution[blank]}": 0.25 - 0.01 * place})
    doubts = decode(scores(ink)).doubts
    assert [doubt.cell for doubt in doubts] == [cell, *blanks]
    assert [doubt.kind for doubt in doubts] == ["clue"] + ["role"] * len(blanks)
    likeliest = [doubt.probabilities[0] for doubt in doubts]
    assert likeliest == sorted(likeliest)
    for doubt in doubts:
        assert 2 <= len(doubt.digits) <= MAX_OPTIONS
        assert list(doubt.probabilities) == sorted(doubt.probabilities, reverse=True)
        assert sum(doubt.probabilities) <= 1 + 1e-9
        assert json.loads(json.dumps(doubt.to_dict())) == doubt.to_dict()


def test_a_cell_that_the_rules_overruled_is_named_in_an_uncertain_reading() -> None:
    puzzle = PUZZLES[3]
    ink = clean(puzzle)
    for cell in clues(puzzle)[:5]:
        doubtful(ink, cell, **{f"d{puzzle[cell] % 9 + 1}": 0.6, f"d{puzzle[cell]}": 0.4})
    reading = decode(scores(ink))
    assert grid_status(reading) != "solved"
    assert set(reading.repaired) <= {doubt.cell for doubt in reading.doubts}


@EACH
def test_confirming_all_doubts_makes_the_reading_sure(number: int) -> None:
    """There may be many, and they may be so small that only all of them together matter."""
    puzzle, solution = PUZZLES[number], SOLUTIONS[number]
    ink = clean(puzzle)
    cell, other = with_another_answer(number)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.992, f"d{other}": 0.008})
    for blank in [blank for blank in range(81) if not puzzle[blank]][:14]:
        doubtful(ink, blank, **{"d0": 0.9, f"d{solution[blank] % 9 + 1}": 0.1})
    before = decode(scores(ink))
    assert grid_status(before) != "solved"
    (overrides,) = parse_overrides(confirming_overrides(before.doubts)).values()
    after = apply_overrides(scores(ink), overrides, before.puzzle)
    assert grid_status(after) == "solved"
    assert np.array_equal(after.puzzle, before.puzzle)
    assert after.doubts == ()


@EACH
def test_the_answers_that_both_readings_share_are_agreed(number: int) -> None:
    reading, cell, digit = in_doubt(number)
    other = solve(with_changes(PUZZLES[number], [(cell, digit)])).solution
    assert other is not None
    shared = {at for at in range(81) if not PUZZLES[number][at] and SOLUTIONS[number][at] == other.flat[at]}
    assert agreed_cells(reading) == shared


def test_nothing_is_agreed_if_the_doubts_explain_nothing() -> None:
    reading, cell, _ = in_doubt(0)
    own, row = PUZZLES[0][cell], PUZZLES[0][cell // 9 * 9 : cell // 9 * 9 + 9]
    clash = Doubt(cell, (own, next(digit for digit in row if digit not in (0, own))), (0.6, 0.4))
    assert agreed_cells(reading)
    for change in ({"doubts": ()}, {"solution": None}, {"confidence": 0.001}, {"doubts": (clash,)}):
        assert not agreed_cells(replace(reading, **change))


def test_many_doubts_take_little_time() -> None:
    """There are more boards than are tried one by one, so each cell in doubt may be anything."""
    reading = decode(scores(clean(PUZZLES[0])))
    cells = clues(PUZZLES[0])[:9]
    doubts = tuple(Doubt(cell, (PUZZLES[0][cell], PUZZLES[0][cell] % 9 + 1), (0.6, 0.4)) for cell in cells)
    agreed = agreed_cells(replace(reading, confidence=0.5, doubts=doubts))
    assert agreed.isdisjoint(cells) and len(agreed) < 81 - len(cells)
