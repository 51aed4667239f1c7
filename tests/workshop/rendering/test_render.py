"""The renderer: truth that fits the pixels, repeatable, and every kind of picture it promises."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn.negatives import NEGATIVE_KINDS, NegativeKind, draw_negative

from sudoku_vision.results import Image
from sudoku_vision.sudoku.solver import count_solutions
from sudoku_vision.workshop.rendering import (
    KINDS,
    Bend,
    Conditions,
    GridStyle,
    Kind,
    Light,
    Optics,
    Pose,
    draw,
    random_conditions,
    random_puzzle,
)


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _sub_pixel_crossings(pixels: Image, guesses: np.ndarray) -> np.ndarray:
    """Where the dark cross nearest each guess (N, 2) really is, by the centroid of dark rows and columns."""
    dark = 255.0 - cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    found = []
    for x, y in guesses:
        column, row = round(float(x)), round(float(y))
        part = dark[row - 8 : row + 9, column - 8 : column + 9] ** 2
        steps = np.arange(-8, 9)
        # Away from the crossing itself each line is alone: its own rows (columns) at the patch's edges.
        across = part[[0, 1, -2, -1]].sum(axis=0)
        down = part[:, [0, 1, -2, -1]].sum(axis=1)
        found.append((column + across @ steps / across.sum(), row + down @ steps / down.sum()))
    return np.array(found)


POSES = {
    "straight on": (Pose(), Bend()),
    "steep": (Pose(pitch=25, yaw=-15, fill=0.8), Bend()),
    "on its side": (Pose(quarter_turns=1, roll=2, fill=0.8), Bend()),
    "bow": (Pose(fill=0.8, pitch=10), Bend(arch=0.1, direction=0)),
    "creased and wavy": (Pose(fill=0.8), Bend(waves=0.004, creases=2)),
}


@pytest.mark.parametrize("name", POSES)
def test_truth_lies_on_the_drawn_crossings(name: str) -> None:
    pose, bend = POSES[name]
    conditions = Conditions(
        size=(900, 900),
        grid=GridStyle(thin=0.06, thick=0.06, digit_height=0.3),
        pose=pose,
        bend=bend,
        light=Light(relief=0),
    )
    drawing = draw(_rng(5), conditions)
    inner = drawing.grids[0].lattice.crossings[1:-1, 1:-1].reshape(-1, 2)
    found = _sub_pixel_crossings(drawing.pixels, inner)
    # The patches cut slanted lines symmetrically, so their centroid is the crossing up to the slant's noise.
    assert np.abs(np.median(found - inner, axis=0)).max() < 0.15
    assert np.linalg.norm(found - inner, axis=1).max() < 1.2


def test_the_same_seed_draws_the_same_picture() -> None:
    conditions = random_conditions(_rng(3), "newspaper_phone")
    one, other = draw(_rng(8), conditions), draw(_rng(8), conditions)
    assert np.array_equal(one.pixels, other.pixels)
    assert not np.array_equal(one.pixels, draw(_rng(9), conditions).pixels)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_with_whole_grids_of_well_posed_puzzles(kind: Kind) -> None:
    conditions = random_conditions(_rng(1), kind)
    drawing = draw(_rng(1), conditions)
    assert drawing.pixels.shape == (conditions.size[1], conditions.size[0], 3)
    assert drawing.grids
    for grid in drawing.grids:
        assert count_solutions(grid.puzzle) == 1
        assert not np.any((grid.puzzle > 0) & (grid.written > 0))
        assert np.all(grid.lattice.crossings >= 0)
        assert np.all(grid.lattice.crossings <= np.array(conditions.size) - 1)
        across = grid.lattice.crossings[:, 1:] - grid.lattice.crossings[:, :-1]
        down = grid.lattice.crossings[1:] - grid.lattice.crossings[:-1]
        turn = across[:9, :, 0] * down[:, :9, 1] - across[:9, :, 1] * down[:, :9, 0]
        assert np.all(turn > 0), "a lattice is never mirrored nor folded"


def test_a_picture_on_its_side_keeps_the_puzzles_own_top() -> None:
    drawing = draw(_rng(2), Conditions(pose=Pose(quarter_turns=1)))
    corners = drawing.grids[0].lattice.corners
    assert corners[0, 0] > corners[3, 0]  # the puzzle's left side runs from right to left
    assert corners[0, 1] < corners[1, 1]


def test_a_given_puzzle_is_drawn_and_clues_are_darker_than_blanks() -> None:
    puzzle, solution = random_puzzle(_rng(4))
    drawing = draw(_rng(1), Conditions(), puzzles=[puzzle])
    grid = drawing.grids[0]
    assert np.array_equal(grid.puzzle, puzzle)
    assert np.array_equal(grid.solution, solution)
    centres = (grid.lattice.crossings[:-1, :-1] + grid.lattice.crossings[1:, 1:]) / 2
    for (row, column), value in np.ndenumerate(puzzle):
        x, y = centres[row, column].astype(int)
        darkest = drawing.pixels[y - 12 : y + 13, x - 12 : x + 13].min()
        assert (darkest < 80) == (value > 0)


def test_a_grid_that_is_cut_off_is_told_apart() -> None:
    drawing = draw(_rng(3), Conditions(puzzles=2, pose=Pose(fill=0.9)))
    assert (len(drawing.grids), len(drawing.cut)) == (1, 1)


def test_light_and_optics_do_what_they_say() -> None:
    plain = draw(_rng(1), Conditions())
    dim = draw(_rng(1), Conditions(light=Light(exposure=0.4)))
    soft = draw(_rng(1), Conditions(optics=Optics(blur=3)))
    assert dim.pixels.mean() < 0.5 * plain.pixels.mean()
    assert cv2.Laplacian(soft.pixels, cv2.CV_64F).var() < 0.2 * cv2.Laplacian(plain.pixels, cv2.CV_64F).var()
    assert np.array_equal(plain.grids[0].lattice.crossings, soft.grids[0].lattice.crossings)


@pytest.mark.parametrize("kind", NEGATIVE_KINDS)
def test_negatives_are_pictures_without_grids(kind: NegativeKind) -> None:
    drawing = draw_negative(_rng(1), kind)
    assert drawing.grids == ()
    assert drawing.pixels.std() > 5
