"""A tracker gives the right answer soon, never a wrong one, and keeps and drops answers as it should."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice
from unittest.mock import Mock

import numpy as np
import pytest
from drawn.film import Frame
from drawn.films import STORIES, story

from sudoku_vision.live import tracker as tracker_module
from sudoku_vision.live.tracker import TrackedGrid, Tracker
from sudoku_vision.vision.digits import CellClassifier

SIZE, RATE = (640, 360), 20.0
"""A small webcam in a dim room: at 30 frames a second less would move from one to the next."""


Played = list[tuple[Frame, tuple[TrackedGrid, ...]]]
Play = Callable[[str], Played]


@pytest.fixture(scope="module")
def played(model: CellClassifier) -> Play:
    """What is seen in every frame of a story."""

    @cache
    def play(name: str) -> Played:
        tracker = Tracker(model)
        film = story(name, size=SIZE, rate=RATE)
        return [(frame, tracker.update(frame.pixels, frame.time)) for frame in film.frames()]

    return play


@pytest.fixture(scope="module")
def still() -> list[Frame]:
    """Two frames of a page that lies still."""
    return list(islice(story("still", size=SIZE, rate=RATE).frames(), 2))


def is_right(frame: Frame, seen: TrackedGrid) -> bool:
    """Whether a sure answer is that of a puzzle in the picture."""
    assert seen.result is not None and seen.result.solution is not None
    solution = seen.result.solution
    return any(np.array_equal(solution, grid.solution) for grid in frame.grids + frame.cut)


def sure(seen: tuple[TrackedGrid, ...]) -> list[TrackedGrid]:
    return [one for one in seen if one.state == "sure"]


AT_ONCE = ("back turned", "hand", "several", "swap")
"""Stories that always run; all others run only before a release."""


@pytest.mark.parametrize(
    "name", [name if name in AT_ONCE else pytest.param(name, marks=pytest.mark.slow) for name in STORIES]
)
def test_no_wrong_answer_is_shown_and_the_right_one_is_in_the_end(played: Play, name: str) -> None:
    frames = played(name)
    assert all(is_right(frame, one) for frame, seen in frames for one in sure(seen))
    assert len(sure(frames[-1][1])) == len(frames[-1][0].grids + frames[-1][0].cut)


@pytest.mark.slow  # that a grid is followed to the pixel is tested without a tracker, too
@pytest.mark.parametrize("name", ["turning", "bent"])
def test_the_lattice_lies_on_its_lines_while_it_moves(played: Play, name: str) -> None:
    off = [
        np.linalg.norm(one.lattice.crossings - (frame.grids + frame.cut)[0].lattice.crossings, axis=2).mean()
        for frame, seen in played(name)
        for one in sure(seen)
    ]
    assert np.median(off) < 0.75


@pytest.mark.parametrize("name", ["hand", pytest.param("focus", marks=pytest.mark.slow)])
def test_an_answer_is_held_while_its_grid_is_tracked(played: Play, name: str) -> None:
    frames = played(name)
    first = next(place for place, (_, seen) in enumerate(frames) if sure(seen))
    assert first <= 1
    assert all([one.number for one in sure(seen)] == [1] for _, seen in frames[first:])


def test_a_puzzle_that_was_away_is_recognised_even_if_it_was_turned(played: Play) -> None:
    frames = played("back turned")
    assert any(not seen for _, seen in frames), "it was away"
    assert {one.number for _, seen in frames for one in seen} == {1}


def test_what_was_found_before_a_swap_does_not_bring_the_old_answer_back(
    played: Play, model: CellClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracker_module, "SEARCH_PAUSE", 0.0)  # so that a search is under way at the swap
    with ThreadPoolExecutor(1) as jobs:
        tracker = Tracker(model, jobs)
        for frame, _ in played("swap"):
            assert all(is_right(frame, one) for one in sure(tracker.update(frame.pixels, frame.time)))
            jobs.submit(lambda: None).result()


def test_a_camera_of_another_size_begins_afresh(still: list[Frame], model: CellClassifier) -> None:
    tracker = Tracker(model)
    large = next(story("still", size=(800, 600)).frames())
    for frame in (still[0], large):
        (seen,) = tracker.update(frame.pixels, frame.time)
        off = seen.lattice.crossings - frame.grids[0].lattice.crossings
        assert np.abs(off).max() < 2


def test_an_error_of_a_job_is_raised_once(
    still: list[Frame], model: CellClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker, (first, second) = Tracker(model), still
    with monkeypatch.context() as patch:
        patch.setattr(tracker_module, "read_frame", Mock(side_effect=ArithmeticError("no reading today")))
        with pytest.raises(ArithmeticError):
            tracker.update(first.pixels, first.time)
    assert sure(tracker.update(second.pixels, second.time))
