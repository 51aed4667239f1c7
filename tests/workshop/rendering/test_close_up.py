"""Close-ups: one grid fills the picture, whatever the kind, and paper is spoilt as asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudoku_vision.output.drawing.grid import GridStyle
from sudoku_vision.output.drawing.typefaces import bundled_typefaces
from sudoku_vision.workshop.rendering import KINDS, Conditions, Kind, Optics, Pose, draw, random_conditions
from sudoku_vision.workshop.rendering.close_up import closer, random_close_up
from sudoku_vision.workshop.rendering.conditions import UnevenPrint


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(6))
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


def test_the_same_seed_draws_the_same_close_up() -> None:
    one, same = (draw(_rng(4), random_close_up(_rng(2))) for _ in range(2))
    assert np.array_equal(one.pixels, same.pixels)


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


def test_crumples_shade_the_paper_and_leave_the_truth() -> None:
    paper = replace(PLAIN, paper=(190.0, 200.0, 205.0))
    flat, crumpled = (draw(_rng(5), replace(paper, crumpled=strength)) for strength in (0.0, 0.5))
    difference = np.abs(flat.pixels.astype(int) - crumpled.pixels)
    assert (difference > 5).mean() > 0.05
    assert difference.max() < 0.7 * 205
    assert np.array_equal(flat.grids[0].lattice.crossings, crumpled.grids[0].lattice.crossings)


def test_haze_lifts_black_and_gamma_bends_the_tones() -> None:
    plain, hazy, dark = (
        draw(_rng(5), replace(PLAIN, optics=optics)).pixels
        for optics in (Optics(), Optics(haze=0.2), Optics(gamma=1.6))
    )
    assert plain.min() < 10 and hazy.min() >= 45
    assert dark.mean() < plain.mean()


def test_grey_noise_is_alike_in_all_colours() -> None:
    grey, coloured = (
        draw(_rng(5), replace(PLAIN, paper=(120.0, 120.0, 120.0), optics=optics)).pixels.astype(float)
        for optics in (Optics(grey_noise=8), Optics(noise=8))
    )
    assert np.ptp(grey, axis=2).mean() < 1 < np.ptp(coloured, axis=2).mean()


def test_uneven_print_stays_in_its_cells_and_uses_both_typefaces() -> None:
    sans, *_, serif = bundled_typefaces()
    style = GridStyle(typeface=sans, thin_lines="none", border=0.0, thick=0.0)
    even, tilted, mixed = (
        draw(_rng(5), replace(PLAIN, grid=style, uneven=uneven)).pixels
        for uneven in (
            UnevenPrint(tilt=0, slip=0, palest=1),
            UnevenPrint(tilt=8, slip=0, palest=1),
            UnevenPrint(tilt=0, slip=0, palest=1, typeface=serif, share=1.0),
        )
    )
    grid = draw(_rng(5), replace(PLAIN, grid=style)).grids[0]
    cells = (grid.lattice.crossings[:-1, :-1] + grid.lattice.crossings[1:, 1:]) / 2
    for (row, column), value in np.ndenumerate(grid.puzzle):
        x, y = cells[row, column].astype(int)
        parts = [picture[y - 14 : y + 15, x - 14 : x + 15] for picture in (even, tilted, mixed)]
        assert all((part.min() < 120) == (value > 0) for part in parts)
        assert value in (0, 1) or not np.array_equal(parts[0], parts[1])
        assert value == 0 or not np.array_equal(parts[0], parts[2])
