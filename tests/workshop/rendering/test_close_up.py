"""Close-ups: one grid fills the picture, whatever the kind, and paper is spoilt as asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudoku_vision.workshop.rendering import KINDS, Conditions, Kind, Pose, draw, random_conditions
from sudoku_vision.workshop.rendering.close_up import closer, random_close_up


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(3))
def test_the_grid_fills_a_close_up_and_lies_upright(seed: int) -> None:
    conditions = random_close_up(_rng(seed))
    drawing = draw(_rng(seed), conditions)
    (grid,) = drawing.grids
    assert max(drawing.pixels.shape) < 640
    corners = grid.lattice.corners
    assert (corners[1:3, 0] > corners[[0, 3], 0]).all() and (corners[2:, 1] > corners[:2, 1]).all()
    assert 9 * grid.lattice.cell_size > 0.7 * min(conditions.size)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_any_kind_seen_closer_keeps_its_print(kind: Kind) -> None:
    conditions = random_conditions(_rng(3), kind)
    close = closer(conditions)
    assert (close.grid, close.writing, close.paper, close.light) == (
        conditions.grid,
        conditions.writing,
        conditions.paper,
        conditions.light,
    )
    assert close.layout == "close_up" and close.puzzles == 1
    assert len(draw(_rng(1), close).grids) == 1


PLAIN = Conditions(size=(420, 420), layout="close_up", surround=0.08, pose=Pose(fill=0.85))


def test_specks_lie_in_blank_cells_alone() -> None:
    clean, dirty = (draw(_rng(5), replace(PLAIN, specks=share)) for share in (0.0, 1.0))
    (grid,) = clean.grids
    cells = (grid.lattice.crossings[:-1, :-1] + grid.lattice.crossings[1:, 1:]) / 2
    changed = (clean.pixels != dirty.pixels).any(axis=2)
    blank = 0
    for (row, column), value in np.ndenumerate(grid.puzzle):
        x, y = cells[row, column].astype(int)
        blank += value == 0 and bool(changed[y - 18 : y + 19, x - 18 : x + 19].any())
    assert blank > 40
    assert changed.mean() < 0.05
