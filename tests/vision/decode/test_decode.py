"""The decoder changes only what the ink leaves open, invents nothing, and knows how sure it is."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
from examples import PROPER
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, draw_puzzle
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_array, board_text, parse_board
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.sudoku.solver import backtracking, is_unique, solve
from sudoku_vision.sudoku.solver.backtracking import search
from sudoku_vision.vision.decode import MIN_SUPPORT, SURE, boards, decode, decode_turns, grid_status
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import DigitScores, Lattice, Reading
from sudoku_vision.vision.status import GIVEN_UP, message_of
from sudoku_vision.vision.verdicts import check

PUZZLES = tuple(map(parse_board, PROPER))
SOLUTIONS = tuple(parse_board(str(solve(list(puzzle)))) for puzzle in PUZZLES)
PRINTED = 0.02  # probability of handwriting of a printed digit

HARDEST = {
    "Platinum Blonde": "000000012000000003002300400001800005060070800000009000008500000900040500470006000",
    "Golden Nugget": "000000039000010005003005800008009006070020000100400000009008050020000600400700000",
}
"""Well-known puzzles, made public by their authors, that take the solver more than 100 guesses."""

Doubles = NDArray[np.float64]
which = st.integers(0, len(PUZZLES) - 1)


def clean(values: tuple[int, ...], doubt: float = 1e-5) -> Doubles:
    """Probabilities (81, 10) that leave all other readings of a cell *doubt* together."""
    ink = np.full((81, 10), doubt / 9)
    ink[np.arange(81), values] = 1 - doubt
    return ink


def doubtful(ink: Doubles, cell: int, **likely: float) -> None:
    """Give one cell new probabilities: ``d5=0.8, d0=0.2``."""
    ink[cell] = 1e-5
    for name, probability in likely.items():
        ink[cell, int(name[1])] = probability
    ink[cell] /= ink[cell].sum()


def misread(ink: Doubles, values: tuple[int, ...], cell: int, truth: float) -> int:
    """Make a wrong digit the likeliest of a cell, its true one second with probability *truth*."""
    wrong = values[cell] % 9 + 1
    doubtful(ink, cell, **{f"d{wrong}": 1 - truth, f"d{values[cell]}": truth})
    return wrong


def with_another_answer(number: int) -> tuple[int, int]:
    """A clue of a puzzle, and a digit in its place that makes a puzzle with one, but another, solution."""
    puzzle = PUZZLES[number]
    for cell in clues(puzzle):
        for digit in set(range(1, 10)) - {puzzle[cell]}:
            if is_unique((*puzzle[:cell], digit, *puzzle[cell + 1 :])):
                return cell, digit
    raise AssertionError("no clue of this puzzle can be another digit")


def scores(ink: Doubles, written: dict[int, float] | None = None) -> DigitScores:
    """Scores of cells whose ink is printed, except those in *written* with their probabilities."""
    by_hand = np.full(81, PRINTED, np.float32)
    for cell, probability in (written or {}).items():
        by_hand[cell] = probability
    return DigitScores(np.log(ink).astype(np.float32), by_hand)


def read(reading: Reading) -> tuple[int, ...]:
    return parse_board(reading.puzzle)


def clues(values: tuple[int, ...]) -> list[int]:
    return [cell for cell in range(81) if values[cell]]


@pytest.mark.parametrize("puzzle", PUZZLES)
@pytest.mark.parametrize("doubt", [1e-5, 0.0])
def test_clean_ink_is_read_as_it_stands_and_solved(puzzle: tuple[int, ...], doubt: float) -> None:
    with np.errstate(divide="ignore"):
        reading = decode(scores(clean(puzzle, doubt)))
    assert read(reading) == puzzle
    assert (reading.solutions, reading.repaired, grid_status(reading)) == (1, (), "solved")
    assert reading.confidence > SURE
    assert not reading.written.any()
    assert reading.log_probability == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("name", HARDEST)
def test_a_puzzle_however_hard_is_solved(name: str) -> None:
    puzzle = parse_board(HARDEST[name])
    assert grid_status(decode(scores(clean(puzzle)))) == "solved"
    (grid,) = read_page(draw_puzzle(PrintablePuzzle(board_array(puzzle)))).grids
    assert (grid.status, board_text(grid.puzzle)) == ("solved", HARDEST[name])


def test_a_search_given_up_is_neither_many_solutions_nor_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "RIVAL_GUESSES", 10)
    monkeypatch.setattr(backtracking, "MAX_GUESSES", 50)
    for puzzle in map(parse_board, HARDEST.values()):
        reading = decode(scores(clean(puzzle)))
        assert (reading.solution, grid_status(reading)) == (None, "uncertain")
        grid = Grid("uncertain", Lattice(np.zeros((10, 10, 2), np.float32)), reading)
        assert message_of("uncertain", [grid]) == GIVEN_UP
        assert check(grid).status == "uncertain"


def test_a_minimal_diagonal_jigsaw_is_solved_as_the_same_board_is_as_text() -> None:
    """It takes more guesses than any puzzle with one of these rules alone."""
    regions = "112334444122334344122333344122225555116666555711689955766689999768888899777777889"
    rules = Rules(regions, diagonal=True)
    puzzle = parse_board("008000007030000000000000053700000000000000900000000000000000006000100000000400000")
    assert solve(puzzle, rules=rules).statistics.backtracks > 2 * boards.RIVAL_GUESSES
    assert grid_status(decode(replace(scores(clean(puzzle)), rules=rules))) == "solved"


def test_a_turn_in_which_digits_look_hidden_is_no_likelier() -> None:
    few = (*PUZZLES[0][:30], *[0] * 51)
    upright, inverted = scores(clean(few)), scores(clean(few[::-1]))
    hidden = np.where(np.array(few[::-1]) > 0, 0.9, 0).astype(np.float32)
    logs = np.where(hidden[:, None] > 0, np.log(0.1), inverted.log_probs).astype(np.float32)
    inverted = replace(inverted, log_probs=logs, hidden=hidden)
    assert decode_turns({2: inverted, 0: upright})[0] == 0


def test_a_rival_that_is_too_hard_to_solve_counts_against_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "RIVAL_GUESSES", 10)
    puzzle = parse_board(HARDEST["Platinum Blonde"])
    ink = clean(puzzle)
    doubtful(ink, 7, d1=0.6, d5=0.4)
    assert grid_status(decode(scores(ink))) == "uncertain"


@settings(max_examples=30)
@given(number=which, data=st.data())
def test_one_misread_digit_is_overruled(number: int, data: st.DataObject) -> None:
    puzzle = PUZZLES[number]
    cell = data.draw(st.sampled_from(clues(puzzle)))
    ink = clean(puzzle)
    wrong = misread(ink, puzzle, cell, truth=0.2)
    reading = decode(scores(ink))
    as_read = (*puzzle[:cell], wrong, *puzzle[cell + 1 :])
    if solve(list(as_read)).status == "one":
        assert read(reading) == as_read  # The rules have nothing against the misreading:
        assert reading.confidence < 0.9  # so it can only be doubted.
    else:
        assert read(reading) == puzzle
        assert reading.repaired == (cell,)
        assert grid_status(reading) == "solved"


@settings(max_examples=30)
@given(number=which, data=st.data())
def test_a_solution_keeps_every_clue_of_its_puzzle(number: int, data: st.DataObject) -> None:
    puzzle = PUZZLES[number]
    ink = clean(puzzle)
    for cell in data.draw(st.lists(st.integers(0, 80), max_size=6, unique=True)):
        ink[cell] = data.draw(st.integers(0, 2**32).map(noise))
    reading = decode(scores(ink))
    assert 0.0 <= reading.confidence <= 1.0
    assert not (reading.puzzle.astype(bool) & reading.written.astype(bool)).any()
    if reading.solution is not None:
        given_ = reading.puzzle > 0
        assert (reading.solution[given_] == reading.puzzle[given_]).all()
        assert solve(reading.solution).status == "one"
    outcome = solve(reading.puzzle)
    assert reading.solutions == {"one": 1, "many": 2}.get(outcome.status, 0)


def noise(seed: int) -> Doubles:
    return np.random.default_rng(seed).dirichlet(np.full(10, 0.5)) + 1e-6


@settings(max_examples=30)
@given(number=which, data=st.data())
def test_a_cell_only_changes_as_far_as_its_ink_supports(number: int, data: st.DataObject) -> None:
    puzzle = PUZZLES[number]
    ink = clean(puzzle)
    for cell in data.draw(st.lists(st.sampled_from(clues(puzzle)), min_size=1, max_size=3, unique=True)):
        misread(ink, puzzle, cell, truth=data.draw(st.sampled_from([1e-5, 3e-4, 0.05, 0.3])))
    reading = decode(scores(ink))
    values = read(reading)
    for cell in range(81):
        support = ink[cell, values[cell]] / ink[cell].max()
        assert support == 1.0 or (support >= MIN_SUPPORT and cell in reading.repaired)


def test_the_confidence_of_a_full_board_by_one_hand_is_finite() -> None:
    """If it were print mixed with handwriting, all 81 clues might be entries, with huge ratios."""
    by_hand = dict.fromkeys(range(81), 0.9999)
    with np.errstate(all="raise", under="ignore"):
        reading = decode(scores(clean(SOLUTIONS[0]), by_hand))
    assert 0.99 < reading.confidence <= 1


def test_a_misprint_in_clear_ink_is_read_as_it_stands() -> None:
    values = list(PUZZLES[3])
    values[1] = values[0]
    reading = decode(scores(clean(tuple(values))))
    assert read(reading) == tuple(values)
    assert reading.repaired == ()
    assert grid_status(reading) == "no_solution"
    assert {0, 1} <= set(reading.clashes)
    hidden = np.zeros(81, np.float32)
    hidden[80] = 0.9
    assert grid_status(decode(replace(scores(clean(tuple(values))), hidden=hidden))) == "uncertain"


@pytest.mark.parametrize("digits", [(0,) * 81, (1,) * 81])
def test_the_solver_is_hardly_used_if_no_likely_board_can_be_proper(
    digits: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = Mock(side_effect=search)
    monkeypatch.setattr(boards, "searcher", lambda _: solver)
    reading = decode(scores(clean(digits, 0.4)))
    assert solver.call_count <= 3
    assert grid_status(reading) == "unreadable"


@pytest.mark.parametrize("count", [1, 7, 12])
def test_a_board_of_few_clues_has_many_solutions_and_is_read_as_it_stands(count: int) -> None:
    kept = clues(PUZZLES[0])[:count]
    values = tuple(value if cell in kept else 0 for cell, value in enumerate(PUZZLES[0]))
    reading = decode(scores(clean(values, 1e-4)))
    assert read(reading) == values
    assert reading.solution is not None
    assert grid_status(reading) == "many_solutions"


def test_a_needed_faint_clue_is_found_and_a_speck_that_contradicts_the_clues_is_left_out() -> None:
    puzzle, solution = PUZZLES[2], SOLUTIONS[2]
    needed, blank = clues(puzzle)[5], puzzle.index(0)
    for cell, likely in (
        (needed, {"d0": 0.9, f"d{puzzle[needed]}": 0.1}),
        (blank, {"d0": 0.3, f"d{solution[blank] % 9 + 1}": 0.7}),
    ):
        ink = clean(puzzle)
        doubtful(ink, cell, **likely)
        reading = decode(scores(ink))
        assert read(reading) == puzzle
        assert reading.repaired == (cell,)
        assert not reading.written.any()


@pytest.mark.parametrize("number", range(len(PUZZLES)))
@pytest.mark.parametrize("seen", [0.1, 0.45, 0.9])
def test_a_digit_that_agrees_with_the_solution_leaves_the_answer_sure(number: int, seen: float) -> None:
    """It may be a clue, an entry or a speck: the answer is the same."""
    puzzle, solution, ink = PUZZLES[number], SOLUTIONS[number], clean(PUZZLES[number])
    for blank in [cell for cell in range(81) if not puzzle[cell]][:3]:
        doubtful(ink, blank, d0=1 - seen, **{f"d{solution[blank]}": seen})
    reading = decode(scores(ink))
    assert reading.confidence > SURE
    assert tuple(reading.solution.ravel()) == solution if reading.solution is not None else False


@pytest.mark.parametrize("number", range(len(PUZZLES)))
@pytest.mark.parametrize("written", [0.02, 0.3, 0.6])
def test_a_wrong_entry_that_looks_printed_makes_no_other_answer_sure(number: int, written: float) -> None:
    """Four entries, the last one wrong, in a hand that looks nearly like print."""
    inked, answers = with_answers(number, wrong=True)
    reading = decode(scores(clean(inked), dict.fromkeys(answers, written)))
    right = reading.solution is not None and tuple(reading.solution.ravel()) == SOLUTIONS[number]
    assert right or grid_status(reading) != "solved"


def with_answers(number: int, wrong: bool = False) -> tuple[tuple[int, ...], dict[int, int]]:
    """A puzzle with four answers written in, the last of them wrong if asked for."""
    puzzle, solution = PUZZLES[number], SOLUTIONS[number]
    answers = {cell: solution[cell] for cell in [c for c in range(81) if not puzzle[c]][:4]}
    if wrong:
        last = max(answers)
        answers[last] = answers[last] % 9 + 1
    return tuple(answers.get(cell, value) for cell, value in enumerate(puzzle)), answers


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_entries_are_separated_from_the_clues_right_or_wrong(number: int, wrong: bool) -> None:
    inked, answers = with_answers(number, wrong)
    reading = decode(scores(clean(inked), dict.fromkeys(answers, 0.99)))
    assert read(reading) == PUZZLES[number]
    assert parse_board(reading.written) == tuple(answers.get(cell, 0) for cell in range(81))
    assert (reading.repaired, grid_status(reading)) == ((), "solved")


def test_a_doubtful_written_digit_is_read_as_what_is_likeliest_and_stays_unclear() -> None:
    inked, answers = with_answers(1, wrong=True)
    ink, last = clean(inked), max(answers)
    doubtful(ink, last, **{f"d{answers[last]}": 0.6, f"d{SOLUTIONS[1][last]}": 0.4})
    reading = decode(scores(ink, dict.fromkeys(answers, 0.97)))
    assert int(reading.written.reshape(81)[last]) == SOLUTIONS[1][last]
    assert reading.repaired == reading.unclear == (last,)


def test_a_needed_clue_that_looks_handwritten_is_a_clue_among_entries() -> None:
    inked, answers = with_answers(2)
    needed = clues(PUZZLES[2])[5]
    reading = decode(scores(clean(inked), {**dict.fromkeys(answers, 0.99), needed: 0.7}))
    assert read(reading) == PUZZLES[2]
    assert set(np.flatnonzero(reading.written)) == set(answers)


@pytest.mark.parametrize(
    "by_hand", [dict.fromkeys(range(81), 0.6), dict.fromkeys(range(81), 0.95), {clues(PUZZLES[0])[3]: 0.55}]
)
def test_a_page_that_looks_handwritten_all_over_or_in_one_cell_is_a_puzzle(by_hand: dict[int, float]) -> None:
    reading = decode(scores(clean(PUZZLES[0]), by_hand))
    assert read(reading) == PUZZLES[0]
    assert not reading.written.any()


def test_noise_emptiness_and_vague_readings_are_unreadable() -> None:
    noisy = decode(scores(np.random.default_rng(5).dirichlet(np.full(10, 0.6), 81) + 1e-6))
    assert grid_status(noisy) == "unreadable"
    assert grid_status(decode(scores(clean((0,) * 81)))) == "unreadable"
    reading = decode(scores(clean(PUZZLES[0])))
    vague = replace(reading, solutions=2, confidence=0.001, log_probability=-8.0)
    assert grid_status(vague) == "unreadable"
    assert grid_status(replace(vague, log_probability=-2.0)) == "many_solutions"


def noisy_scores(values: tuple[int, ...], spread: float, rng: np.random.Generator) -> DigitScores:
    """Scores from a known world: each reading leaves a mark at one, Gaussian noise of *spread* on all ten.

    By Bayes' rule the probabilities are then exactly calibrated.
    """
    seen = np.eye(10)[list(values)] + rng.normal(0, spread, (81, 10))
    logs = np.log([0.65] + [0.35 / 9] * 9) + seen / spread**2
    logs -= np.logaddexp.reduce(logs, axis=1, keepdims=True)
    return DigitScores(logs.astype(np.float32), np.full(81, PRINTED, np.float32))


def test_confidence_is_how_often_answers_are_right() -> None:
    rng = np.random.default_rng(11)
    confidence, right, sure = [], [], []
    for trial in range(320):
        puzzle = PUZZLES[trial % len(PUZZLES)]
        reading = decode(noisy_scores(puzzle, rng.choice([0.2, 0.22, 0.25, 0.28]), rng))
        confidence.append(reading.confidence)
        answer = reading.solution
        right.append(answer is not None and tuple(answer.ravel()) == SOLUTIONS[trial % len(PUZZLES)])
        sure.append(grid_status(reading) == "solved")
    stated, was, solved = np.array(confidence), np.array(right), np.array(sure)
    for low, high in ((0.4, 0.8), (0.8, 0.97), (0.97, 1.01)):
        among = (stated >= low) & (stated < high)
        assert among.sum() > 20
        assert abs(stated[among].mean() - was[among].mean()) < 3 * np.sqrt(0.25 / among.sum())
    assert was[solved].mean() >= SURE
    assert solved.mean() > 0.3
