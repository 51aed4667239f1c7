"""A hint drawn into a photo shows its cells and digits, and gives nothing else away."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_grids import BLANK, changed_cells, grid_of
from examples import candidates_of, example_of, step_of

from sudoku_vision.output.drawing.figure import Colour, Line
from sudoku_vision.output.overlay.hint_drawing import overlay_steps, step_shapes, step_style
from sudoku_vision.output.overlay.print_style import PrintStyle, lab_of
from sudoku_vision.output.overlay.shapes import DrawnDigit, Shapes, Wash
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.logic import hint
from sudoku_vision.sudoku.logic.bits import DIGITS_OF
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Candidate, Link, Node, Step, Technique, Trial
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, technique_named
from sudoku_vision.sudoku.rules import PEERS, UNITS
from workshop.rendering import Conditions, Drawing, draw


def shapes_of(
    drawing: Drawing, board: Board, step: Step, marks: Marks = NO_MARKS, noted: Sequence[int] = ()
) -> Shapes:
    candidates = Candidates(board.ravel().tolist(), rules=step.rules, marks=marks)
    return step_shapes(candidates, step, step_style(grid_of(drawing), PrintStyle(), noted))


def digits_in(shapes: Shapes) -> set[Candidate]:
    return {(shape.cell, shape.digit) for shape in shapes if isinstance(shape, DrawnDigit)}


def washed(shapes: Shapes, cell: int) -> tuple[Colour, float]:
    """The colour of the highlighter on a cell, and how strongly it is laid on."""
    (wash,) = (shape for shape in shapes if isinstance(shape, Wash) and cell in shape.cells)
    return wash.colour, wash.strength


def crossed(shapes: Shapes) -> set[int]:
    """The cells in whose middle two lines cross."""
    middles = Counter(tuple(np.mean(shape.points, axis=0)) for shape in shapes if isinstance(shape, Line))
    return {int(v) * 9 + int(u) for (u, v), count in middles.items() if count == 2}


def test_a_hidden_single_shows_the_digits_that_block_the_other_places(
    drawing: Drawing, puzzle: Board
) -> None:
    step = hint(puzzle)
    assert step is not None and step.technique == technique_named("hidden single") and step.blockers
    shapes = shapes_of(drawing, puzzle, step)
    (cell,), (unit,) = step.cells, step.units
    assert all(puzzle.flat[one] == digit == step.digits[0] for one, digit in step.blockers)
    assert {washed(shapes, one) for one, _ in step.blockers} != {washed(shapes, cell)}
    assert crossed(shapes) == {one for one in UNITS[unit] if not puzzle.flat[one]} - {cell}
    for one in crossed(shapes):
        assert any(one in PEERS[blocker] for blocker, _ in step.blockers)
    for shape in shapes_of(drawing, puzzle, step, noted=range(81)):  # no cross stands on a note of a 5
        if isinstance(shape, Line):
            assert np.abs(np.mean(shape.points, axis=0) % 1 - 0.5).max() > 0.25


def test_a_trial_shows_what_follows_and_the_dead_cell_or_unit_that_it_ends_in(drawing: Drawing) -> None:
    trial = technique_named("trial")
    refuted = Trial("contradiction", ((10, 4), (20, 6)), dead_cell=40)
    step = Step(trial, (0,), (3,), eliminations=((0, 3),), trial=refuted)
    shapes = shapes_of(drawing, BLANK, step)
    assert digits_in(shapes) == {(0, 3), (10, 4), (20, 6)}
    assert crossed(shapes) == {40}
    heights = {shape.cell: shape.style.height for shape in shapes if isinstance(shape, DrawnDigit)}
    assert heights[0] > heights[10] == heights[20]
    dead = replace(refuted, dead_cell=None, dead_unit=0, dead_digit=7)
    shapes = shapes_of(drawing, BLANK, replace(step, trial=dead))
    assert {cell for cell, digit in digits_in(shapes) if digit == 7} == set(range(1, 9))
    assert washed(shapes, 8)[0] == washed(shapes_of(drawing, BLANK, step), 40)[0]


def test_candidates_are_large_where_nothing_stands_above_or_below(drawing: Drawing) -> None:
    """A phone shows a grid 360 pixels wide: cells of some 37 pixels, where 0.25 of one can hardly be read."""
    pair = Step(technique_named("naked pair"), (0, 1), (1, 9), units=(0,), eliminations=((5, 1), (5, 9)))
    column = replace(pair, digits=(1, 4), eliminations=((5, 1), (5, 4)))
    large, small = (
        min(shape.style.height for shape in shapes_of(drawing, BLANK, step) if isinstance(shape, DrawnDigit))
        for step in (pair, column)
    )
    assert large >= 0.36 > small


def test_a_link_is_bent_round_a_candidate_that_it_would_pass(drawing: Drawing) -> None:
    ends, between = (Node((0,), 5), Node((8,), 5)), Node((4,), 5)
    straight = Step(technique_named("skyscraper"), (), (5,), links=(Link(*ends, True),))
    bent = replace(straight, links=(*straight.links, Link(between, Node((40,), 5), False)))

    def nearest(step: Step) -> float:
        link = next(shape for shape in shapes_of(drawing, BLANK, step) if isinstance(shape, Line))
        return min(float(np.hypot(u - 4.5, v - 0.5)) for u, v in link.points)

    assert len(next(s for s in shapes_of(drawing, BLANK, straight) if isinstance(s, Line)).points) == 2
    assert nearest(bent) > 0.22


def test_nothing_changes_beyond_the_cells_of_the_step(drawing: Drawing, puzzle: Board) -> None:
    blanks = np.flatnonzero(puzzle.reshape(81) == 0).tolist()
    pair, struck = tuple(blanks[:2]), blanks[20]
    step = Step(technique_named("naked pair"), pair, (1, 2), eliminations=((struck, 1),))
    grid = grid_of(drawing)
    before = drawing.pixels.copy()
    (picture,) = overlay_steps([drawing.pixels], grid, puzzle, [step])
    changed = changed_cells(drawing.pixels, picture, grid.lattice)
    assert set(np.flatnonzero(changed).tolist()) == {*pair, struck}
    assert np.array_equal(drawing.pixels, before), "the photo itself must stay as it was"


def grid_slice(drawing: Drawing, cell: int) -> tuple[slice, slice]:
    """The pixels of a cell of a straight grid."""
    quad = np.rint(drawing.grids[0].lattice.cell(*divmod(cell, 9))).astype(int)
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    return slice(top, bottom), slice(left, right)


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_printed_shows_through(dark: bool, puzzle: Board) -> None:
    drawing = draw(np.random.default_rng(3), Conditions(size=(480, 480), dark=dark), puzzles=[puzzle])
    grid = grid_of(drawing)
    row = next(row for row in range(9) if puzzle[row].any())
    step = Step(technique_named("hidden single"), (), (1,), units=(row,))
    (picture,) = overlay_steps([drawing.pixels], grid, puzzle, [step])
    cell = 9 * row + int(np.flatnonzero(puzzle[row])[0])
    patch = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[grid_slice(drawing, cell)]
    before = cv2.cvtColor(drawing.pixels, cv2.COLOR_BGR2GRAY)[grid_slice(drawing, cell)]
    assert np.ptp(patch) > 0.6 * np.ptp(before)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_every_technique_can_be_drawn(technique: Technique, drawing: Drawing) -> None:
    board, step = example_of(technique), step_of(technique)
    drawn = digits_in(shapes_of(drawing, board.digits, step, board.marks))
    assert {*step.placements, *step.eliminations} <= drawn
    masks = candidates_of(technique).masks
    locked = {cell for link in step.links for cell in link.locked}  # as many digits as cells, and one more
    assert {(cell, digit) for cell in locked for digit in DIGITS_OF[masks[cell]]} <= drawn


def test_bug_plus_one_shows_all_that_it_rests_on(drawing: Drawing) -> None:
    bug = technique_named("BUG+1")
    board, masks, step = example_of(bug), candidates_of(bug).masks, step_of(bug)
    shapes = shapes_of(drawing, board.digits, step, board.marks)
    assert digits_in(shapes) == {(cell, digit) for cell in range(81) for digit in DIGITS_OF[masks[cell]]}
    (frame,) = (shape for shape in shapes if isinstance(shape, Line))
    ((cell, digit),) = step.placements
    (found,) = (s for s in shapes if isinstance(s, DrawnDigit) and (s.cell, s.digit) == (cell, digit))
    middle = np.add(divmod(cell, 9)[::-1], found.style.middle)
    assert frame.closed and np.allclose(np.mean(frame.points, axis=0), middle)
    assert frame.colour == found.colour != next(s for s in shapes if isinstance(s, DrawnDigit)).colour


def test_candidates_are_seen_on_their_paper_whatever_ink_is_beside_them(drawing: Drawing) -> None:
    """To some people, brown looks green; a light green that differs from it is lost on cream."""
    cream = PrintStyle(ink=(40, 95, 115), paper=(235, 248, 250))
    step = Step(technique_named("naked pair"), (0, 1), (1, 9), units=(0,))
    shapes = step_shapes(Candidates([0] * 81), step, step_style(grid_of(drawing), cream))
    colours = {shape.colour for shape in shapes if isinstance(shape, DrawnDigit)}
    paper, *inks = lab_of(np.array([cream.paper, *colours], np.float32))[:, 0]
    assert all(paper - ink > 40 for ink in inks)


def test_a_struck_candidate_lies_over_the_line_that_strikes_it(drawing: Drawing) -> None:
    step = Step(technique_named("naked pair"), (0, 1), (1, 9), units=(0,), eliminations=((5, 1),))
    *_, line, digit = (
        shape for shape in shapes_of(drawing, BLANK, step) if isinstance(shape, Line | DrawnDigit)
    )
    assert isinstance(line, Line) and isinstance(digit, DrawnDigit)
    assert (digit.cell, digit.digit) == (5, 1) and line.colour != digit.colour


def test_what_a_net_follows_is_drawn_beside_the_candidates_that_it_begins_with(drawing: Drawing) -> None:
    net = technique_named("forcing net")
    step = step_of(net)
    assert step.branches
    shapes = shapes_of(drawing, example_of(net).digits, step)
    colours = {(shape.cell, shape.digit): shape.colour for shape in shapes if isinstance(shape, DrawnDigit)}
    starts = {branch.start for branch in step.branches}
    nodes = [node for branch in step.branches for node in branch.follows]
    follows = {(cell, node.digit) for node in nodes for cell in node.cells} - starts
    assert follows and not {colours[one] for one in starts} & {colours[one] for one in follows}


def test_a_doubtful_grid_is_framed_and_its_digit_hollow(drawing: Drawing, puzzle: Board) -> None:
    step = hint(puzzle)
    assert step is not None
    sure = shapes_of(drawing, puzzle, step)
    board = Candidates(puzzle.ravel().tolist())
    doubtful = step_shapes(board, step, step_style(grid_of(drawing, "uncertain"), PrintStyle()))
    assert [shape.hollow for shape in (*sure, *doubtful) if isinstance(shape, DrawnDigit)] == [False, True]
    assert len(doubtful) == len(sure) + 1 and isinstance(doubtful[-1], Line) and doubtful[-1].closed
