"""Films: smooth, reproducible, and true about where the grid lies in every frame."""

from dataclasses import replace

import numpy as np
from drawn.film import Film, Moment

from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.results import Photo
from workshop.rendering import Conditions, Pose

SIZE = (320, 240)
STILL = Pose(fill=0.8)


def film(puzzle: Board, *moments: Moment, pages: int = 1) -> Film:
    boards = [np.roll(puzzle, page, axis=0) for page in range(pages)]
    return Film(moments, [[board] for board in boards], Conditions(size=SIZE), rate=10, seed=3)


def test_every_frame_knows_where_its_grid_lies(puzzle: Board) -> None:
    turned = replace(STILL, fill=0.65, roll=12, pitch=15, shift=(0.1, 0.0))
    frames = list(film(puzzle, Moment(0, STILL), Moment(1, turned)).frames())
    assert len(frames) == 11
    for frame in (frames[0], frames[-1]):
        (found,) = locate(Photo(frame.pixels))
        (truth,) = frame.grids
        assert np.abs(found.crossings - truth.lattice.crossings).mean() < 1
    starts = [frame.grids[0].lattice.crossings[0, 0] for frame in frames]
    steps = np.linalg.norm(np.diff(starts, axis=0), axis=1)
    assert steps.max() > 3 * steps[0], "a movement starts gently"


def test_a_grid_that_leaves_the_picture_is_no_longer_whole(puzzle: Board) -> None:
    away = replace(STILL, shift=(0.9, 0.0))
    frames = list(film(puzzle, Moment(0, STILL), Moment(1, away)).frames())
    assert frames[0].grids and not frames[0].cut
    assert frames[-1].cut and not frames[-1].grids


def test_a_hand_covers_part_of_the_page_and_leaves_again(puzzle: Board) -> None:
    frames = list(film(puzzle, Moment(0, STILL), Moment(0.5, STILL, hand=1), Moment(1, STILL)).frames())
    covered = [(frame.pixels != frames[0].pixels).any(axis=2).mean() for frame in frames]
    assert covered[5] > 0.1
    assert covered[-1] < 0.01
    assert frames[5].hand == 1 and frames[-1].hand == 0


def test_a_puzzle_is_swapped_for_another_from_one_frame_to_the_next(puzzle: Board) -> None:
    swapped = film(puzzle, Moment(0, STILL), Moment(0.5, STILL, page=1), Moment(1, STILL, page=1), pages=2)
    boards = [frame.grids[0].puzzle for frame in swapped.frames()]
    assert all(np.array_equal(board, puzzle) for board in boards[:5])
    assert all(np.array_equal(board, np.roll(puzzle, 1, axis=0)) for board in boards[5:])
