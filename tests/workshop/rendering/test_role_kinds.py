"""Boards on which print and entries are hard to tell apart, and half-solved pages: drawn as they say."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.results import NO_MARKS
from sudoku_vision.workshop.rendering import (
    HALF_SOLVED_KINDS,
    ROLE_KINDS,
    Conditions,
    GridStyle,
    HalfSolvedKind,
    RoleKind,
    Writing,
    draw,
    draw_role,
    half_solved_conditions,
)


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", ROLE_KINDS)
def test_every_kind_has_clues_and_the_entries_that_it_promises(kind: RoleKind) -> None:
    drawing = draw_role(_rng(3), kind)
    grid, *_ = (*drawing.grids, *drawing.cut)
    assert not np.any((grid.puzzle > 0) & (grid.written > 0))
    clues, entries = int(np.count_nonzero(grid.puzzle)), int(np.count_nonzero(grid.written))
    if kind == "two_givens":
        assert (clues, entries) == (2, 79)
    else:
        assert clues >= 17
    if kind == "solution_in_grey":
        assert clues + entries == 81
    wrong = (grid.written > 0) & (grid.written != grid.solution)
    assert wrong.any() == (kind == "coloured_mistakes")
    assert np.array_equal(draw_role(_rng(3), kind).pixels, drawing.pixels)


@pytest.mark.parametrize("kind", HALF_SOLVED_KINDS)
def test_half_solved_pages_bear_entries_and_candidates(kind: HalfSolvedKind) -> None:
    drawing = draw(_rng(5), half_solved_conditions(_rng(5), kind))
    (grid,) = drawing.grids
    assert np.count_nonzero(grid.written) > 0
    assert grid.marks != NO_MARKS
    for cell, digits in enumerate(grid.marks):
        assert not digits or grid.puzzle.flat[cell] == grid.written.flat[cell] == 0
        assert not digits or int(grid.solution.flat[cell]) in digits


def _colours(conditions: Conditions, digit: int, *, written: bool) -> set[str]:
    """The names of the strongest channels of the ink of all cells with *digit*."""
    drawing = draw(_rng(4), conditions)
    (grid,) = drawing.grids
    found = set()
    for row, column in np.argwhere((grid.written if written else grid.puzzle) == digit):
        left, top = grid.lattice.crossings[row, column] + 6
        right, bottom = grid.lattice.crossings[row + 1, column + 1] - 6
        ink = drawing.pixels[int(top) : int(bottom), int(left) : int(right)].reshape(-1, 3).astype(int)
        darkest = ink[ink.sum(axis=1).argmin()]
        found.add("grey" if np.ptp(darkest) < 30 else "bgr"[int(darkest.argmax())])
    return found


def test_a_lit_digit_and_a_mistake_stand_in_colours_of_their_own() -> None:
    lit = GridStyle(lit_digit=1, lit_colour=(30.0, 30.0, 220.0))
    pen = Writing(share=0.5, typed=True, jitter=0.0, strength=1.0, colour=(200.0, 60.0, 20.0))
    conditions = Conditions(size=(560, 560), grid=lit, writing=pen)
    assert _colours(conditions, 1, written=False) == {"r"} == _colours(conditions, 1, written=True)
    assert _colours(conditions, 2, written=False) == {"grey"}
    assert _colours(conditions, 2, written=True) == {"b"}


def test_lines_drawn_by_hand_run_near_where_they_belong() -> None:
    plain, shaken = (draw(_rng(2), Conditions(size=(560, 560), line_shake=shake)) for shake in (0.0, 0.04))
    assert np.array_equal(plain.grids[0].lattice.crossings, shaken.grids[0].lattice.crossings)
    dark = shaken.pixels.min(axis=2) < 128
    for x, y in shaken.grids[0].lattice.crossings.reshape(-1, 2).round().astype(int):
        assert dark[max(y - 9, 0) : y + 10, max(x - 9, 0) : x + 10].any()
    assert (plain.pixels != shaken.pixels).any()
