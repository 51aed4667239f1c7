"""Many frames are read together: what a person writes meanwhile, and when an answer may be shown."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from drawn.film import Film, Frame, Moment

from sudoku_vision.live.accumulation import (
    MANY_FRAMES,
    AccumulatedReading,
    AccumulatedScores,
    confirmed_changes,
    has_same_answer,
    read_frame,
)
from sudoku_vision.live.draw import AnnotationOptions, Annotator
from sudoku_vision.live.tracker import CONFIRM_PAUSE, VERIFY_PAUSE, TrackedGrid, Tracker
from sudoku_vision.sudoku.board import NO_MARKS, Board
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.values import Image
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.digits import CellClassifier, likely_turns, load_model
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import DigitScores, Doubt, Reading, RoleHypothesis
from sudoku_vision.vision.verdicts import check
from workshop.rendering import Conditions, Drawing, Optics, Pose, Writing

BLANK = np.zeros((9, 9), np.int8)


def reading(puzzle: Board, solution: Board, entries: dict[int, int], marks: dict[int, set[int]]) -> Reading:
    written = BLANK.copy()
    written.flat[list(entries)] = list(entries.values())
    sets = tuple(frozenset(marks.get(cell, ())) for cell in range(81))
    sure = np.where(written.ravel() > 0, 0.97, 0).astype(np.float32)
    return Reading(puzzle, written, solution, 1, 0.999, marks=sets, entry_confidence=sure)


def test_a_change_counts_when_two_readings_in_a_row_agree(puzzle: Board, solution: Board) -> None:
    held = reading(puzzle, solution, {1: 3}, {2: {4}})
    one = reading(puzzle, solution, {1: 3, 3: 7, 10: 8}, {4: {1, 2}})
    other = replace(reading(puzzle, solution, {3: 7, 10: 2}, {4: {1, 2}}), unclear=(3,))
    assert confirmed_changes(held, one, None) is held
    now = confirmed_changes(held, other, one)
    assert {cell: int(now.written.flat[cell]) for cell in np.flatnonzero(now.written)} == {1: 3, 3: 7}
    assert [cell for cell, marks in enumerate(now.marks) if marks] == [4]
    assert now.unclear == (3,) and now.entry_confidence[3] == np.float32(0.97)


def test_doubts_about_entries_go_with_them(puzzle: Board, solution: Board) -> None:
    doubt = Doubt(1, (3, 5), (0.6, 0.4), entry=3, kind="entry")
    held = replace(reading(puzzle, solution, {1: 3}, {}), doubts=(doubt,))
    clear = reading(puzzle, solution, {1: 3}, {})
    assert confirmed_changes(held, clear, clear).doubts == ()
    assert confirmed_changes(clear, held, held).doubts == (doubt,)


def test_a_clue_stays_a_clue_though_one_frame_takes_it_for_an_entry(puzzle: Board, solution: Board) -> None:
    held = reading(puzzle, solution, {}, {})
    fewer = puzzle.copy()
    fewer[0, 0] = 0
    other = reading(fewer, solution, {0: int(puzzle[0, 0])}, {})
    assert has_same_answer(held, other)
    now = confirmed_changes(held, other, other)
    assert np.array_equal(now.puzzle, puzzle) and not now.written.any() and now.marks == NO_MARKS
    assert not has_same_answer(held, reading(np.rot90(puzzle).copy(), solution, {}, {}))


Played = list[tuple[Frame, TrackedGrid]]


@pytest.fixture(scope="module")
def played(puzzle: Board, solution: Board) -> Played:
    """What is seen of a sheet that is held still and filled in: a right digit, then a wrong one, by hand."""
    first, second = BLANK.copy(), BLANK.copy()
    first[0, 1] = second[0, 1] = solution[0, 1]
    second[4, 4] = solution[4, 4] % 9 + 1 if not puzzle[4, 4] else 0
    second[4, 3] = 0 if second[4, 4] else solution[4, 3] % 9 + 1
    wait = VERIFY_PAUSE + 2 * CONFIRM_PAUSE
    held = Pose(fill=0.85)
    moments = [
        Moment(0, held),
        Moment(0.6, held, hand=0.9, page=1),
        Moment(1.2, held, page=1),
        Moment(1.2 + wait, held, page=2),
        Moment(1.4 + 2 * wait, held, page=2),
    ]
    conditions = Conditions(size=(480, 400), optics=Optics(noise=2), writing=Writing(share=1.0, strength=1.0))
    film = Film(moments, [[puzzle]] * 3, conditions, rate=10, written=[[BLANK], [first], [second]])
    tracker = Tracker(load_model())
    return [(frame, tracker.update(frame.pixels, frame.time)[0]) for frame in film.frames()]


@pytest.mark.usefixtures("easily_sure")
def test_what_is_written_while_the_page_is_held_is_read(played: Played) -> None:
    last, seen = played[-1]
    assert seen.result is not None
    assert {one.number for _, one in played} == {1}
    assert {one.state for _, one in played} == {"sure"}
    assert np.array_equal(seen.result.written, last.grids[0].written)
    checked = check(seen.result)
    assert (len(checked.right), len(checked.wrong)) == (1, 1)
    for frame, one in played:
        assert one.result is not None
        entries = one.result.written
        assert ((entries == 0) | (entries == frame.grids[0].written)).all(), "nothing that isn't there"


@pytest.mark.usefixtures("easily_sure")
def test_what_is_written_is_checked_live(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def write(picture: Image, lines: Sequence[str], *, bottom: bool = True) -> Image:
        said.extend(lines)
        return picture

    monkeypatch.setattr("sudoku_vision.live.draw.write_lines", write)
    for frame, one in (played[0], played[-1]):
        picture = Annotator().annotate(frame.pixels, [one], AnnotationOptions(check=True))
    left = int((frame.grids[0].puzzle == 0).sum())
    assert said == [f"0 right, 0 wrong, {left} left", f"1 right, 1 wrong, {left - 2} left"]
    assert (picture != frame.pixels).any()


@pytest.mark.usefixtures("easily_sure")
def test_a_hint_moves_on_as_a_person_writes(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(
        "sudoku_vision.live.draw.hint", lambda board, *_, **__: asked.append(int(np.count_nonzero(board)))
    )
    annotator = Annotator()
    for frame, one in played:
        annotator.annotate(frame.pixels, [one], AnnotationOptions(hint=True))
    assert len(asked) == 2 and asked[1] == asked[0] + 1, "once again, for the right entry alone"


# What many frames say together of one grid's digits, and when its answer may be shown.


scores_of_frame = partial(AccumulatedScores.of_frame, rules={CLASSIC: (1, 1.0)})


def scores(favoured: int, log_odds: float, written: float = 0.2) -> dict[int, DigitScores]:
    logs = np.zeros((81, 10))
    logs[:, favoured] = log_odds
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    one = DigitScores(logs.astype(np.float32), np.full(81, written, np.float32))
    return dict.fromkeys(range(4), one)


def probability(by_turn: dict[int, DigitScores], digit: int) -> float:
    return float(np.exp(by_turn[0].log_probs[0, digit]))


def test_a_frame_gives_no_digits_for_turns_that_it_did_not_read() -> None:
    torn, plain = scores(5, 4.0), {1: scores(5, 4.0)[1]}
    assert likely_turns(scores_of_frame(plain).by_turn) == (1,)
    assert len(likely_turns(scores_of_frame(torn).by_turn)) > 1
    together = scores_of_frame(torn) + scores_of_frame(plain)
    assert likely_turns(together.by_turn) == (1,)


def test_frames_that_agree_are_surer_but_not_as_independent_ones_would_be() -> None:
    one = scores_of_frame(scores(5, 1.0))
    four = one + one + one + one
    single, together = probability(one.by_turn, 5), probability(four.by_turn, 5)
    independent = np.exp(4.0) / (np.exp(4.0) + 9)
    assert four.frames == 4
    assert single < together < independent
    assert together == pytest.approx(np.exp(2.0) / (np.exp(2.0) + 9), abs=1e-5), "four count as two"


def test_in_each_frame_the_rules_decide_which_digits_are_clues(puzzle: Board, solution: Board) -> None:
    given = puzzle.reshape(81) > 0
    logs = np.log(np.eye(10, dtype=np.float32)[solution.reshape(81)] + np.float32(1e-5))
    roles = RoleHypothesis(3.0, given.astype(np.float32)), RoleHypothesis(0.0, (~given).astype(np.float32))
    frame = DigitScores(logs, given.astype(np.float32), roles=roles)
    together = scores_of_frame(dict.fromkeys(range(4), frame)).by_turn
    assert np.array_equal(together[0].written > 0.9, ~given)


def reading_of(result: Grid | None, frames: int) -> AccumulatedReading:
    one = scores_of_frame(scores(5, 1.0))
    return AccumulatedReading(replace(one, frames=frames), result)


def result_of(puzzle: Board, solution: Board | None, solutions: int) -> Grid:
    reading = Reading(puzzle, BLANK, solution, solutions, 0.99999)
    return Grid(grid_status(reading), NO_PLACE, reading)


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
