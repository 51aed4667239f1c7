"""A grid is followed to the pixel, known to be lost when it is, and compared with what is detected."""

from dataclasses import replace

import numpy as np
import pytest
from drawn.film import Film, Frame, Moment

from sudoku_vision.live.accumulation import AccumulatedReading
from sudoku_vision.live.tracker import SAME_SIMILARITY, Target, is_replaced
from sudoku_vision.live.tracking import Track, TrackingFrame, best_turn, continue_track, start_track
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.results import Lattice
from workshop.rendering import Conditions, Drawing, Optics, Pose, draw

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
