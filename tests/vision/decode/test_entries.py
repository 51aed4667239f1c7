"""Roles and entries: the rules choose where ink leaves a role open; each entry has its own confidence."""

from dataclasses import replace

import numpy as np
import pytest
from examples import Bools, half_filled
from test_decode import PUZZLES, SOLUTIONS, Doubles, clean, doubtful, scores

from sudoku_vision.sudoku.board import Board, parse_board
from sudoku_vision.vision.decode import CLEAR, decode, grid_status
from sudoku_vision.vision.decode.entries import weigh_entries
from sudoku_vision.vision.decode.hypotheses import CELLS
from sudoku_vision.vision.decode.overrides import apply_overrides, confirming_overrides
from sudoku_vision.vision.decode.roles import resolve_roles
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import DigitScores, Reading, RoleHypothesis, Written
from sudoku_vision.vision.verdicts import check

PUZZLE, SOLUTION = PUZZLES[1], SOLUTIONS[1]
BLANKS = [cell for cell in range(81) if not PUZZLE[cell]]
FIRST, SECOND, THIRD = BLANKS[:3]


def entered(**cells: dict[str, float]) -> Doubles:
    """The puzzle's clear ink, with likely digits in blank cells: ``first``, ``second``, ``third``."""
    ink = clean(PUZZLE)
    for name, likely in cells.items():
        doubtful(ink, {"first": FIRST, "second": SECOND, "third": THIRD}[name], **likely)
    return ink


def reading_of(ink: Doubles) -> Reading:
    return decode(scores(ink, dict.fromkeys((FIRST, SECOND, THIRD), 0.999)))


def other(cell: int, steps: int = 1) -> int:
    """A digit that the solution doesn't have in a cell."""
    return (SOLUTION[cell] - 1 + steps) % 9 + 1


def test_clear_entries_are_sure_right_or_wrong_and_other_cells_have_no_confidence() -> None:
    ink = entered(first={f"d{SOLUTION[FIRST]}": 0.999}, second={f"d{other(SECOND)}": 0.999})
    reading = reading_of(ink)
    assert reading.entry_confidence[[FIRST, SECOND]] == pytest.approx(1.0, abs=0.01)
    assert np.count_nonzero(reading.entry_confidence) == 2
    assert (reading.unclear, reading.doubts) == ((), ())


def test_a_doubtful_digit_is_sure_if_it_is_that_of_the_solution_and_unclear_if_not() -> None:
    right, wrong = SOLUTION[FIRST], other(SECOND)
    ink = entered(
        first={f"d{right}": 0.8, f"d{other(FIRST)}": 0.2},
        second={f"d{wrong}": 0.8, f"d{SOLUTION[SECOND]}": 0.2},
        third={f"d{other(THIRD)}": 0.8, f"d{other(THIRD, 2)}": 0.2},
    )
    reading = reading_of(ink)
    assert reading.written.ravel()[[FIRST, SECOND, THIRD]].tolist() == [right, SOLUTION[SECOND], other(THIRD)]
    assert reading.entry_confidence[FIRST] > 0.99
    assert reading.entry_confidence[SECOND] > CLEAR, "likelier the answer, but it looks like another digit"
    assert reading.entry_confidence[THIRD] == pytest.approx(0.8, abs=0.01)
    assert reading.unclear == (SECOND, THIRD)
    assert grid_status(reading) == "solved"


def test_a_corrected_entry_is_never_clear_if_it_looks_wrong() -> None:
    ink = entered(first={f"d{SOLUTION[FIRST]}": 0.999}, second={f"d{other(SECOND)}": 0.999})
    both = np.isin(np.arange(81), [FIRST, SECOND])
    clear = scores(ink, dict.fromkeys((FIRST, SECOND), 0.999))
    reading = decode(replace(clear, corrected=np.where(both, 0.9, 0).astype(np.float32)))
    assert reading.unclear == (SECOND,)
    assert reading.doubts[0].entry == other(SECOND)
    assert grid_status(reading) == "solved"


def test_ink_that_is_likelier_no_digit_is_no_entry() -> None:
    ink = np.full((81, 10), 1e-9)
    ink[CELLS, 0] = 1.0
    ink[FIRST, [0, other(FIRST)]] = 0.4, 0.6
    digits = [0] * 81
    digits[FIRST] = other(FIRST)
    entries = weigh_entries(np.array(digits) > 0, ink, SOLUTION, 1.0)
    assert entries.digits == (0,) * 81
    assert entries.unclear == ()
    assert weigh_entries(np.array(digits) > 0, ink, None, 1.0).digits == tuple(digits)


def test_an_unclear_entry_is_named_with_its_likeliest_digit_and_that_of_its_ink() -> None:
    wrong, answer = other(FIRST), SOLUTION[FIRST]
    reading = reading_of(entered(first={f"d{wrong}": 0.9, f"d{answer}": 0.1}))
    (doubt,) = reading.doubts
    assert (doubt.kind, doubt.cell, doubt.digits[:2]) == ("entry", FIRST, (answer, wrong))
    assert (doubt.entry, int(reading.written.flat[FIRST])) == (wrong, answer)
    assert doubt.probabilities[0] == pytest.approx(float(reading.entry_confidence[FIRST]))
    verdict = check(Grid("solved", NO_PLACE, reading))
    assert (verdict.right, verdict.wrong, verdict.unclear) == ((), (), (FIRST,))


def test_a_page_on_which_most_is_wrong_is_not_expected_to_be_right() -> None:
    """1s that look a little like 4s don't become 4s because the answer is 4."""
    cells = np.array(BLANKS)
    ink = clean(PUZZLE)
    for cell in BLANKS:
        doubtful(ink, cell, **{f"d{other(cell)}": 0.97, f"d{SOLUTION[cell]}": 0.03})
    entries = weigh_entries(np.array(PUZZLE) == 0, ink, SOLUTION, 1.0)
    assert [entries.digits[cell] for cell in BLANKS] == [other(cell) for cell in BLANKS]
    assert entries.confidence[cells].min() > CLEAR


def test_an_override_makes_an_entry_sure_and_leaves_the_clues() -> None:
    wrong, answer = other(FIRST), SOLUTION[FIRST]
    ink = scores(entered(first={f"d{wrong}": 0.9, f"d{answer}": 0.1}), {FIRST: 0.999})
    before = decode(ink)
    assert confirming_overrides(before.doubts) == f"r{FIRST // 9 + 1}c{FIRST % 9 + 1}=w{answer}"
    for digit in (wrong, answer):
        after = apply_overrides(ink, {FIRST: Written(digit)}, before.puzzle)
        assert after.written.flat[FIRST] == digit
        assert after.entry_confidence[FIRST] == pytest.approx(1.0, abs=1e-6)
        assert (after.unclear, after.doubts) == ((), ())
        assert tuple(after.puzzle.ravel()) == PUZZLE


def test_a_digit_that_may_be_a_clue_or_an_entry_is_a_doubt_about_its_role() -> None:
    ink = entered(first={f"d{SOLUTION[FIRST]}": 0.9999})
    reading = decode(scores(ink, {FIRST: 0.8}))
    (doubt,) = reading.doubts
    assert (doubt.kind, doubt.cell, set(doubt.digits)) == ("role", FIRST, {0, SOLUTION[FIRST]})
    assert doubt.entry == SOLUTION[FIRST]
    assert grid_status(reading) == "solved"


def in_two_roles(board: Board, weight: float, entered: Bools) -> DigitScores:
    """Sure digits of a *board*: all are clues, or those *entered* are not, at a log-weight beside that."""
    roles = ((0.0, np.zeros(81, np.float32)), (weight, entered.astype(np.float32)))
    ink = scores(clean(parse_board(board)), dict.fromkeys(range(81), 0.5))
    return replace(ink, roles=tuple(RoleHypothesis(*role) for role in roles))


@pytest.mark.parametrize(
    ("count", "wrong", "weight"), [(15, False, -4.0), (6, True, -6.0)], ids=["right entries", "wrong entries"]
)
def test_clues_that_make_a_puzzle_outweigh_a_doubt_of_the_ink(
    puzzle: Board, solution: Board, count: int, wrong: bool, weight: float
) -> None:
    board, _, entered = half_filled(puzzle, solution % 9 + 1 if wrong else solution, count)
    resolved = resolve_roles(in_two_roles(board, weight, entered))
    assert np.array_equal(resolved.written > 0.9, entered)
    assert resolved.roles == ()


def test_an_override_of_one_cell_leaves_the_roles_of_the_others(puzzle: Board, solution: Board) -> None:
    board, _, entered = half_filled(puzzle, solution, 15)
    rivals = in_two_roles(board, -4.0, entered)
    blank = int(np.flatnonzero(board.reshape(81) == 0)[0])
    digit = int(solution.reshape(81)[blank])
    overruled = apply_overrides(rivals, {blank: digit}, decode(rivals).puzzle)
    expected = puzzle.copy()
    expected.reshape(81)[blank] = digit
    assert np.array_equal(overruled.puzzle, expected)
