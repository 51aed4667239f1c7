"""Shapes say what is drawn without a pixel; drawn into a picture they lie where the lattice has them."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_grids import grid_of

from sudoku_vision.output.overlay.answer_drawing import TAG_WORDS, check_shapes, grid_shapes
from sudoku_vision.output.overlay.flatten import points_in_photo
from sudoku_vision.output.overlay.hint_drawing import hint_shapes
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import (
    DrawnDigit,
    DrawnLine,
    Shapes,
    Tag,
    frame,
)
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.logic import Link, Node, Step, technique_named
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.solver import is_unique
from sudoku_vision.vision.decode.uncertainty import agreed_cells
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, GridStatus
from sudoku_vision.vision.verdicts import check
from workshop.rendering import Drawing


def result(drawing: Drawing, status: GridStatus = "solved") -> Grid:
    """The grid of a drawing, with its solution and a cell in doubt."""
    doubts = (Doubt(0, (5, 6), (0.6, 0.4)),)
    return grid_of(drawing, status, solution=drawing.grids[0].solution, doubts=doubts)


def cells_of(shapes: Shapes) -> dict[int, int]:
    """The digits that are drawn, by cell."""
    return {shape.cell: shape.digit for shape in shapes if isinstance(shape, DrawnDigit)}


@pytest.mark.parametrize("status", ["solved", "uncertain"])
def test_the_answers_are_known_without_a_picture(drawing: Drawing, status: GridStatus) -> None:
    grid = result(drawing, status)
    shapes = grid_shapes(grid, PrintStyle())
    assert grid.answers is not None
    blanks = np.flatnonzero(grid.answers)
    assert cells_of(shapes) == {int(cell): int(grid.answers.flat[cell]) for cell in blanks}
    if status == "solved":
        assert not any(shape.hollow for shape in shapes if isinstance(shape, DrawnDigit))
    assert any(isinstance(shape, DrawnLine) for shape in shapes) == (status != "solved")


def test_answers_are_hollow_only_where_they_hang_on_a_doubt(drawing: Drawing) -> None:
    """A clue may be none: what follows without it is drawn full."""
    plain = result(drawing, "uncertain")
    clue = next(
        int(cell)
        for cell in np.flatnonzero(plain.puzzle)
        if not is_unique(np.where(np.arange(81).reshape(9, 9) == cell, 0, plain.puzzle))
    )
    doubt = Doubt(clue, (int(plain.puzzle.flat[clue]), 0), (0.6, 0.4))
    grid = replace(plain, reading=replace(plain.reading, doubts=(doubt,)))
    full = agreed_cells(grid.reading)
    digits = [shape for shape in grid_shapes(grid, PrintStyle()) if isinstance(shape, DrawnDigit)]
    assert {shape.cell for shape in digits if not shape.hollow} == full
    assert 0 < len(full) < len(digits)
    assert {
        shape.hollow
        for shape in grid_shapes(replace(grid, status="solved"), PrintStyle())
        if isinstance(shape, DrawnDigit)
    } == {False}


@pytest.mark.parametrize("status", ["uncertain", "many_solutions", "no_solution", "unreadable"])
def test_a_frame_says_what_it_means(drawing: Drawing, status: GridStatus) -> None:
    grid = result(drawing, status)
    for shapes in (grid_shapes(grid, PrintStyle()), check_shapes(check(grid), PrintStyle())):
        (tag,) = [shape for shape in shapes if isinstance(shape, Tag)]
        assert (tag.status, tag.words) == (status, TAG_WORDS[status])
        assert any(isinstance(shape, DrawnLine) and shape.colour == tag.colour for shape in shapes)
    assert not any(
        isinstance(shape, Tag) for shape in grid_shapes(replace(grid, status="solved"), PrintStyle())
    )


def test_links_run_from_candidate_to_candidate_in_lattice_units(drawing: Drawing, puzzle: Board) -> None:
    strong = Link(Node((1,), 5), Node((73,), 5), strong=True)
    weak = Link(Node((73,), 5), Node((80,), 5), strong=False)

    def lines(*links: Link) -> list[DrawnLine]:
        step = Step(technique_named("alternating inference chain"), (), (5,), links=links)
        shapes = hint_shapes(result(drawing), Candidates(puzzle.ravel().tolist()), step, PrintStyle())
        return [shape for shape in shapes if isinstance(shape, DrawnLine)]

    full, arrowhead, *dashes = (line.points for line in lines(strong, weak))
    (start, end), (one, tip, two) = full, arrowhead
    assert start[0] == end[0] == 1.5 and 0.5 < start[1] < 0.8 and 8.2 < end[1] < 8.5
    assert tip == end and one[1] < end[1] > two[1]
    assert len(dashes) > 5 and all(v == 8.5 for dash in dashes[:-1] for _, v in dash)
    assert [line.points for line in lines(strong)] == [full], "a pair leads nowhere"


def test_places_lie_where_the_lattice_bends(drawing: Drawing) -> None:
    rng = np.random.default_rng(5)
    lattice = drawing.grids[0].lattice
    crossings = (lattice.crossings + rng.normal(0, 2, lattice.crossings.shape)).astype(np.float32)
    bent = replace(lattice, crossings=crossings)
    border = points_in_photo(bent, frame((0, 0, 0)).points)
    assert len(border) == 36 and np.array_equal(border[9], bent.crossings[0, 9])
    near = points_in_photo(bent, [(9.0, 2.999999), (8.5, 3.5), (2.000001, 7.0)])
    assert np.allclose(near[[0, 2]], bent.crossings[[3, 7], [9, 2]], atol=0.01)
    assert (near[1] > bent.cell(3, 8).min(axis=0)).all() and (near[1] < bent.cell(3, 8).max(axis=0)).all()
