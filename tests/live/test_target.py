"""A grid that is detected where one is tracked: whether it is the same, and which of the two is right."""

from dataclasses import replace

import numpy as np
import pytest

from sudoku_vision.live.accumulation import AccumulatedReading
from sudoku_vision.live.target import SAME_SIMILARITY, Target, is_replaced
from sudoku_vision.live.template import best_turn
from sudoku_vision.live.tracking import Track, TrackingFrame, start_track
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.results import Lattice
from workshop.rendering import Conditions, Drawing, draw


def drawn(puzzle: Board) -> Drawing:
    return draw(np.random.default_rng(1), Conditions(size=(360, 360)), puzzles=[puzzle])


@pytest.fixture(scope="module")
def sharp(puzzle: Board) -> Drawing:
    return drawn(puzzle)


def track_of(drawing: Drawing, lattice: Lattice | None = None) -> Track:
    track = start_track(TrackingFrame.of(drawing.pixels), lattice or drawing.grids[0].lattice)
    assert track is not None
    return track


def target_of(track: Track) -> Target:
    return Target(1, track, AccumulatedReading(), 0.9, 0.0, track.lattice.crossings)


def coasting(track: Track) -> Track:
    return replace(track, keypoint_share=0.0)


def replaced(target: Target, detected: Track, line_score: float = 0.9) -> bool:
    _, similarity = best_turn(detected.template, target.track.template)
    return is_replaced(target, detected, similarity, line_score)


@pytest.mark.parametrize("turn", range(4))
def test_the_same_grid_is_kept_however_it_was_detected(sharp: Drawing, turn: int) -> None:
    track, detected = track_of(sharp), track_of(sharp, sharp.grids[0].lattice.turned(turn))
    assert not replaced(target_of(track), detected)
    assert not replaced(target_of(coasting(track)), detected)
    back, similarity = best_turn(detected.template, track.template)
    assert (turn + back) % 4 == 0 and similarity > SAME_SIMILARITY


def test_another_puzzle_takes_the_place_of_a_coasting_one(sharp: Drawing, puzzle: Board) -> None:
    other = track_of(drawn(np.rot90(puzzle, 1)[:, ::-1].copy()))
    assert replaced(target_of(coasting(track_of(sharp))), other)


@pytest.mark.parametrize(("line_score", "given_up"), [(0.95, True), (0.5, False)])
def test_of_two_lattices_that_contradict_the_better_seen_one_is_right(
    sharp: Drawing, line_score: float, given_up: bool
) -> None:
    lattice = sharp.grids[0].lattice
    aside = Lattice(lattice.crossings + np.float32(0.5 * lattice.cell_size))
    assert replaced(target_of(track_of(sharp, aside)), track_of(sharp), line_score) is given_up


def test_a_board_lies_on_another_if_its_middle_does(sharp: Drawing) -> None:
    track, lattice = track_of(sharp), sharp.grids[0].lattice
    near, far = (
        track_of(sharp, Lattice(lattice.crossings + np.float32(cells * lattice.cell_size)))
        for cells in (1, 6)
    )
    assert near.lies_on(track) and not far.lies_on(track)
