"""What many frames say together of one grid's digits, and when its answer may be shown."""

from dataclasses import replace

import numpy as np
import pytest

from sudoku_vision.live.accumulation import MANY_FRAMES, AccumulatedReading, AccumulatedScores, read_frame
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.digits import CellClassifier, likely_turns
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import DigitScores, Lattice, Reading, RoleHypothesis
from workshop.rendering import Drawing


def scores(favoured: int, log_odds: float, written: float = 0.2) -> dict[int, DigitScores]:
    """Four turns in whose cells one digit is favoured."""
    logs = np.zeros((81, 10))
    logs[:, favoured] = log_odds
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    one = DigitScores(logs.astype(np.float32), np.full(81, written, np.float32))
    return dict.fromkeys(range(4), one)


def probability(by_turn: dict[int, DigitScores], digit: int) -> float:
    return float(np.exp(by_turn[0].log_probs[0, digit]))


def test_turns_that_a_frame_did_not_look_at_make_no_sense_in_it() -> None:
    torn, plain = scores(5, 4.0), {1: scores(5, 4.0)[1]}
    assert likely_turns(AccumulatedScores.of_frame(plain).by_turn) == (1,)
    assert len(likely_turns(AccumulatedScores.of_frame(torn).by_turn)) > 1
    together = AccumulatedScores.of_frame(torn) + AccumulatedScores.of_frame(plain)
    assert likely_turns(together.by_turn) == (1,)


def test_frames_that_agree_are_surer_but_not_as_independent_ones_would_be() -> None:
    one = AccumulatedScores.of_frame(scores(5, 1.0))
    four = one + one + one + one
    single, together = probability(one.by_turn, 5), probability(four.by_turn, 5)
    independent = np.exp(4.0) / (np.exp(4.0) + 9)
    assert four.frames == 4
    assert single < together < independent
    assert together == pytest.approx(np.exp(2.0) / (np.exp(2.0) + 9), abs=1e-5), "four count as two"


def test_the_rules_say_of_each_frame_which_digits_are_given(puzzle: Board, solution: Board) -> None:
    given = puzzle.reshape(81) > 0
    logs = np.full((81, 10), 1e-5)
    logs[np.arange(81), solution.reshape(81)] = 1.0
    roles = tuple(
        RoleHypothesis(weight, part.astype(np.float32)) for weight, part in ((3.0, given), (0.0, ~given))
    )
    frame = DigitScores(np.log(logs).astype(np.float32), given.astype(np.float32), roles=roles)
    together = AccumulatedScores.of_frame(dict.fromkeys(range(4), frame)).by_turn
    assert np.array_equal(together[0].written > 0.9, ~given)


def reading_of(result: Grid | None, frames: int) -> AccumulatedReading:
    one = AccumulatedScores.of_frame(scores(5, 1.0))
    return AccumulatedReading(replace(one, frames=frames), result)


def result_of(puzzle: Board, solution: Board | None, solutions: int) -> Grid:
    reading = Reading(puzzle, np.zeros_like(puzzle), solution, solutions, 0.99999)
    return Grid(grid_status(reading), Lattice(np.zeros((10, 10, 2), np.float32)), reading)


def test_only_many_frames_call_a_puzzle_unsolvable(puzzle: Board, solution: Board) -> None:
    contradictory = result_of(puzzle, None, 0)
    assert AccumulatedReading().state == "reading"
    assert reading_of(contradictory, MANY_FRAMES - 1).state == "reading"
    assert reading_of(contradictory, MANY_FRAMES).state == "unsolvable"
    assert reading_of(result_of(puzzle, solution, 1), 1).state == "sure"


@pytest.mark.usefixtures("easily_sure")
def test_a_sure_reading_is_held_until_a_frame_surely_contradicts_it(
    drawing: Drawing, model: CellClassifier, puzzle: Board, solution: Board
) -> None:
    lattice = drawing.grids[0].lattice
    first = read_frame(drawing.pixels, lattice, AccumulatedReading(), model)
    assert first.sure and first.frames == 1
    assert read_frame(drawing.pixels, lattice, first, model) is first, "a frame that agrees changes nothing"
    grey = np.full_like(drawing.pixels, 128)
    assert read_frame(grey, lattice, first, model) is first, "nor does one in which nothing can be read"
    wrong = AccumulatedReading(first.scores, result_of(np.rot90(puzzle).copy(), solution, 1))
    doubted = read_frame(drawing.pixels, lattice, wrong, model)
    assert doubted.state == "reading" and doubted.result is None
