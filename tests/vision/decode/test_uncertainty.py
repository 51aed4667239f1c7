"""An uncertain reading names the cells to look at, also hidden ones, and the answers that are sure."""

import json
from dataclasses import replace

import numpy as np
import pytest
from test_decode import PUZZLES, SOLUTIONS, clean, clues, doubtful, read, scores, with_another_answer

from sudoku_vision.sudoku.board import area_names
from sudoku_vision.sudoku.solver import is_unique, solve
from sudoku_vision.vision.decode import SURE, decode, grid_status
from sudoku_vision.vision.decode.boards import with_changes
from sudoku_vision.vision.decode.overrides import (
    CellOverrides,
    apply_overrides,
    confirming_overrides,
    parse_overrides,
)
from sudoku_vision.vision.decode.uncertainty import MAX_OPTIONS, agreed_cells
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import DigitScores, Doubt, Reading
from sudoku_vision.vision.status import message_of

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


PUZZLE, SOLUTION = PUZZLES[0], SOLUTIONS[0]
NEEDED = next(cell for cell in clues(PUZZLE) if not is_unique((*PUZZLE[:cell], 0, *PUZZLE[cell + 1 :])))
WITH_EXTRA = (*SOLUTION[:9], *PUZZLE[9:])
"""The puzzle with clues that it could do without."""


def without(values: tuple[int, ...], *cells: int) -> tuple[int, ...]:
    return tuple(0 if cell in cells else value for cell, value in enumerate(values))


def covered(values: tuple[int, ...], hidden: dict[int, float]) -> DigitScores:
    """The scores of a clean board with the probabilities that some cells are hidden."""
    chances = np.zeros(81, np.float32)
    for cell, chance in hidden.items():
        chances[cell] = chance
    return replace(scores(clean(values)), hidden=chances)


def grid(reading: Reading) -> Grid:
    return Grid(grid_status(reading), NO_PLACE, reading)


def test_a_clue_that_a_cover_hides_makes_the_grid_uncertain_and_is_named() -> None:
    reading = decode(covered(without(PUZZLE, NEEDED), {NEEDED: 0.7}))
    assert reading.solutions == 2
    found = grid(reading)
    assert (found.status, found.hidden) == ("uncertain", (NEEDED,))
    assert area_names([NEEDED]) in message_of("uncertain", [found])
    seen = decode(covered(without(PUZZLE, NEEDED), {}))
    assert (grid_status(seen), seen.hidden) == ("many_solutions", ())
    overrides: CellOverrides = {NEEDED: PUZZLE[NEEDED]}
    overruled = apply_overrides(covered(without(PUZZLE, NEEDED), {NEEDED: 0.7}), overrides, reading.puzzle)
    assert grid_status(overruled) == "solved"


def test_a_cover_over_cells_that_the_answer_does_not_need_leaves_it_sure() -> None:
    reading = decode(covered(without(WITH_EXTRA, 0, 1), {0: 0.9, 1: 0.9}))
    assert grid_status(reading) == "solved"
    assert reading.confidence > SURE
    found = grid(reading)
    assert found.hidden == ()
    named = [(doubt.cell, doubt.digits, doubt.kind) for doubt in found.doubts]
    assert named == [(cell, (SOLUTION[cell], 0), "role") for cell in (0, 1)]


def test_the_rules_choose_no_digit_against_its_ink_while_a_clue_is_hidden() -> None:
    """A smudged clue could be another digit that leaves one solution, but that solution would be wrong."""
    board = without(PUZZLE, NEEDED)
    changes = [(cell, digit) for cell in clues(board) for digit in range(1, 10) if digit != board[cell]]
    cell, digit = next(change for change in changes if is_unique(with_changes(board, [change])))
    ink = clean(board)
    doubtful(ink, cell, **{f"d{board[cell]}": 0.97, f"d{digit}": 0.03})
    hidden = covered(board, {NEEDED: 0.7}).hidden
    assert grid_status(decode(replace(scores(ink), hidden=hidden))) == "uncertain"


def test_a_hidden_digit_that_the_rules_contradict_gives_way() -> None:
    """A stroke makes a clue look like another one, which leaves no solution."""
    reading = decode(covered((WITH_EXTRA[1], *WITH_EXTRA[1:]), {0: 0.8}))
    assert read(reading)[0] in (0, WITH_EXTRA[0])
    assert reading.solution is not None
    assert tuple(reading.solution.ravel().tolist()) == SOLUTION


def test_areas_are_named_by_their_first_and_last_cell() -> None:
    names = {(): "", (0,): "r1c1", (0, 80): "r1c1, r9c9", (30, 31, 39, 40): "r4c4-r5c5", (8, 9): "r1c9, r2c1"}
    assert {cells: area_names(cells) for cells in names} == names
