"""A tracker soon gives the right answer, never a wrong one; grids are followed to the pixel."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import islice
from unittest.mock import Mock

import numpy as np
import pytest
from drawn.film import Film, Frame, Moment
from drawn.films import STORIES, story

from sudoku_vision.live import tracker as tracker_module
from sudoku_vision.live.accumulation import AccumulatedReading
from sudoku_vision.live.tracker import SAME_SIMILARITY, Target, TrackedGrid, Tracker, is_replaced
from sudoku_vision.live.tracking import Track, TrackingFrame, best_turn, continue_track, start_track
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.digits import CellClassifier
from sudoku_vision.vision.results import Lattice
from workshop.rendering import Conditions, Drawing, Optics, Pose, draw

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


# A grid is followed to the pixel, known to be lost when it is, and compared with what is detected.


STILL = Pose(fill=0.7)


def film(*moments: Moment, puzzle: Board) -> list[Frame]:
    conditions = Conditions(size=(480, 360), optics=Optics(noise=4))
    return list(Film(moments, [[puzzle]], conditions, rate=20, seed=2).frames())


def truth(frame: Frame) -> Lattice:
    return (frame.grids + frame.cut)[0].lattice


def followed(frames: list[Frame]) -> list[Track | None]:
    """The tracks of all frames after the first; what is lost is looked for from where it was seen last."""
    track = start_track(TrackingFrame.of(frames[0].pixels), truth(frames[0]))
    assert track is not None
    tracks: list[Track | None] = []
    for frame in frames[1:]:
        found = continue_track(track, TrackingFrame.of(frame.pixels))
        tracks.append(found)
        track = found or track
    return tracks


def errors(frames: list[Frame], tracks: list[Track | None]) -> list[float]:
    """How far the crossings are off, in pixels, in the mean of each frame."""
    return [
        float(np.linalg.norm(track.lattice.crossings - truth(frame).crossings, axis=2).mean())
        for frame, track in zip(frames[1:], tracks, strict=True)
        if track is not None
    ]


MOTIONS = {
    "across": (Moment(0, STILL), Moment(0.6, replace(STILL, shift=(0.12, 0.05)))),
    "turning": (Moment(0, STILL), Moment(0.8, replace(STILL, roll=35))),
    "tilting": (Moment(0, STILL), Moment(0.8, replace(STILL, pitch=30, yaw=-20))),
    "nearer": (Moment(0, replace(STILL, fill=0.45)), Moment(0.8, replace(STILL, fill=0.9))),
    "out of focus": (Moment(0, STILL), Moment(0.4, STILL, blur=3), Moment(0.8, STILL)),
    "in changing light": (
        Moment(0, STILL),
        Moment(0.4, STILL, exposure=0.4),
        Moment(0.8, STILL, exposure=1.3),
    ),
    "under a hand": (Moment(0, STILL), Moment(0.4, STILL, hand=1), Moment(0.8, STILL)),
}


@pytest.mark.parametrize("motion", MOTIONS)
def test_the_grid_is_followed_to_the_pixel(motion: str, puzzle: Board) -> None:
    frames = film(*MOTIONS[motion], puzzle=puzzle)
    tracks = followed(frames)
    assert all(tracks)
    off = errors(frames, tracks)
    assert np.median(off) < 0.4 and max(off) < 1.5


def test_it_does_not_drift_away(puzzle: Board) -> None:
    sway = [Moment(0.4 * number, replace(STILL, shift=(0.04 * (-1) ** number, 0))) for number in range(4)]
    frames = film(*sway, puzzle=puzzle)
    off = errors(frames, followed(frames))
    assert max(off[-10:]) < 0.5


def test_a_grid_that_left_is_lost_and_found_when_it_is_back(puzzle: Board) -> None:
    away = replace(STILL, shift=(1.5, 0))
    poses = {0: STILL, 0.2: STILL, 0.3: away, 0.5: away, 0.55: STILL, 0.8: STILL}
    frames = film(*(Moment(time, pose) for time, pose in poses.items()), puzzle=puzzle)
    tracks = followed(frames)
    gone = [track for frame, track in zip(frames[1:], tracks, strict=True) if 0.3 <= frame.time <= 0.5]
    assert gone and not any(gone)
    assert tracks[-1] is not None and errors(frames, tracks)[-1] < 0.5


def test_there_must_be_something_to_hold_on_to(puzzle: Board) -> None:
    frame = film(Moment(0, STILL), puzzle=puzzle)[0]
    blank = TrackingFrame.of(np.full_like(frame.pixels, 200))
    assert start_track(blank, truth(frame)) is None
    track = start_track(TrackingFrame.of(frame.pixels), truth(frame))
    assert track is not None and continue_track(track, blank) is None


@pytest.fixture(scope="module")
def sharp(puzzle: Board) -> Drawing:
    return draw(np.random.default_rng(1), Conditions(size=(360, 360)), puzzles=[puzzle])


def track_of(drawing: Drawing, lattice: Lattice | None = None) -> Track:
    track = start_track(TrackingFrame.of(drawing.pixels), lattice or drawing.grids[0].lattice)
    assert track is not None
    return track


def target_of(track: Track, coasting: bool = False) -> Target:
    track = replace(track, keypoint_share=0.0) if coasting else track
    return Target(1, track, AccumulatedReading(), 0.9, 0.0, track.lattice.crossings)


def replaced(target: Target, detected: Track, line_score: float = 0.9) -> bool:
    _, similarity = best_turn(detected.template, target.track.template)
    return is_replaced(target, detected, similarity, line_score)


@pytest.mark.parametrize("turn", range(4))
def test_the_same_grid_is_kept_however_it_was_detected(sharp: Drawing, turn: int) -> None:
    track, detected = track_of(sharp), track_of(sharp, sharp.grids[0].lattice.turned(turn))
    assert not replaced(target_of(track), detected)
    assert not replaced(target_of(track, coasting=True), detected)
    back, similarity = best_turn(detected.template, track.template)
    assert (turn + back) % 4 == 0 and similarity > SAME_SIMILARITY


def test_another_puzzle_takes_the_place_of_a_coasting_one(sharp: Drawing, puzzle: Board) -> None:
    mirrored = np.rot90(puzzle, 1)[:, ::-1].copy()
    other = draw(np.random.default_rng(1), Conditions(size=(360, 360)), puzzles=[mirrored])
    assert replaced(target_of(track_of(sharp), coasting=True), track_of(other))


@pytest.mark.parametrize(("line_score", "given_up"), [(0.95, True), (0.5, False)])
def test_of_two_lattices_that_contradict_the_better_seen_one_is_right(
    sharp: Drawing, line_score: float, given_up: bool
) -> None:
    lattice = sharp.grids[0].lattice
    aside = Lattice(lattice.crossings + np.float32(0.5 * lattice.cell_size))
    assert replaced(target_of(track_of(sharp, aside)), track_of(sharp), line_score) is given_up
