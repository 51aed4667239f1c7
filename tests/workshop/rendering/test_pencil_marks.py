"""Pencil marks and corrections: in their cells, of the digits that the truth tells, in every layout."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.results import NO_MARKS, Image
from sudoku_vision.sudoku.rules import PEERS
from sudoku_vision.workshop.rendering import (
    HALF_SOLVED_KINDS,
    MARK_LAYOUTS,
    Conditions,
    Corrections,
    DrawnGrid,
    HalfSolvedKind,
    MarkLayout,
    MarkStyle,
    Writing,
    draw,
    half_solved_conditions,
    random_puzzle,
)
from sudoku_vision.workshop.rendering.pencil_marks import choose_marks, mark_places
from sudoku_vision.workshop.rendering.printed_grid import PrintedGrid

BLANK = np.zeros((9, 9), np.int8)
EMPTY = Conditions(size=(560, 560))


def inked(pixels: Image, grid: DrawnGrid, rim: float = 0.1) -> np.ndarray:
    """The share of dark pixels of each of the 81 cells, but for a rim round them."""
    first, last = grid.lattice.crossings[:-1, :-1], grid.lattice.crossings[1:, 1:]
    edge = rim * grid.lattice.cell_size
    shares = []
    for (left, top), (right, bottom) in zip(first.reshape(-1, 2), last.reshape(-1, 2), strict=True):
        part = pixels[int(top + edge) : int(bottom - edge), int(left + edge) : int(right - edge)]
        shares.append(float((part.min(axis=2) < 150).mean()))
    return np.array(shares)


@pytest.mark.parametrize("layout", MARK_LAYOUTS)
@pytest.mark.parametrize("count", [1, 4, 9])
@pytest.mark.parametrize("height", [0.14, 0.25, 0.45])
def test_marks_stand_inside_their_cell_and_not_on_one_another(
    layout: MarkLayout, count: int, height: float
) -> None:
    places, tall = mark_places(layout, list(range(1, count + 1)), height)
    assert len(set(places)) == count
    assert 0.08 < tall <= height
    reach = np.abs(places).max(axis=0) + np.array([0.29 * tall, tall / 2])
    assert (reach <= 0.5).all()
    apart = [max(abs(x - u) / 0.5, abs(y - v)) for i, (x, y) in enumerate(places) for u, v in places[:i]]
    assert min(apart, default=1.0) > 0.9 * tall


def test_the_truth_has_the_marks_that_were_drawn_and_they_hide_no_digit() -> None:
    puzzle, solution = random_puzzle(np.random.default_rng(2))
    marks = list(NO_MARKS)
    blank = np.flatnonzero(puzzle == 0)
    for cell in blank[:9].tolist():
        marks[cell] = frozenset({2, 8})
    drawing = draw(np.random.default_rng(1), EMPTY, puzzles=[puzzle], written=[BLANK], marks=[tuple(marks)])
    (grid,) = drawing.grids
    assert grid.marks == tuple(marks)
    seen = inked(drawing.pixels, grid, 0.06) > 0.003
    assert np.array_equal(seen, (puzzle.ravel() > 0) | np.array([bool(one) for one in marks]))
    assert np.array_equal(solution[puzzle > 0], puzzle[puzzle > 0])


def test_sensible_marks_are_candidates_with_the_right_one_among_them() -> None:
    puzzle, solution = random_puzzle(np.random.default_rng(3))
    grid = PrintedGrid(0, 0, 40, puzzle, BLANK, solution)
    marks = choose_marks(grid, MarkStyle(1.0, most=3, sensible=True), np.random.default_rng(4))
    for cell, digits in enumerate(marks):
        assert bool(digits) == (puzzle.flat[cell] == 0)
        assert len(digits) <= 3
        assert not digits & {int(puzzle.flat[peer]) for peer in PEERS[cell]}
        assert not digits or solution.flat[cell] in digits


@pytest.mark.parametrize("kind", ["overwritten", "crossed_out"])
def test_a_corrected_entry_counts_as_its_last_digit(kind: str) -> None:
    puzzle, _ = random_puzzle(np.random.default_rng(6))
    drawings = [
        draw(
            np.random.default_rng(1),
            Conditions(size=(560, 560), writing=Writing(share=1.0, corrections=corrections)),
            puzzles=[puzzle],
        )
        for corrections in (Corrections(), Corrections(**{kind: 1.0}))
    ]
    plain, corrected = (drawing.grids[0] for drawing in drawings)
    assert np.array_equal(corrected.written + puzzle, corrected.solution)
    assert np.array_equal(plain.written, corrected.written)
    more = inked(drawings[1].pixels, corrected) - inked(drawings[0].pixels, plain)
    assert np.median(more[corrected.written.ravel() > 0]) > 0.01


@pytest.mark.parametrize("kind", HALF_SOLVED_KINDS)
def test_half_solved_pages_bear_entries_and_candidates(kind: HalfSolvedKind) -> None:
    drawing = draw(np.random.default_rng(5), half_solved_conditions(np.random.default_rng(5), kind))
    (grid,) = drawing.grids
    assert np.count_nonzero(grid.written) > 0
    assert grid.marks != NO_MARKS
    for cell, digits in enumerate(grid.marks):
        assert not digits or grid.puzzle.flat[cell] == grid.written.flat[cell] == 0
        assert not digits or int(grid.solution.flat[cell]) in digits
