"""Shapes say what is drawn without a pixel: answers, hints, and the word of a frame."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_grids import BLANK, changed_cells, grid_of
from examples import candidates_of, example_of, step_of

from sudoku_vision.output.drawing.figure import Colour, Line, hex_colour
from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.flatten import MIN_TAG_HEIGHT, letter_colour, place_tag, points_in_photo
from sudoku_vision.output.overlay.hint_drawing import overlay_steps, step_shapes, step_style
from sudoku_vision.output.overlay.print_style import (
    FRAME_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    PrintStyle,
    lab_of,
)
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import DrawnDigit, Shapes, Tag, Wash, frame
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.logic import hint
from sudoku_vision.sudoku.logic.bits import DIGITS_OF
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Candidate, Link, Node, Step, Technique, Trial
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, technique_named
from sudoku_vision.sudoku.rules import PEERS, UNITS
from sudoku_vision.sudoku.solver import is_unique
from sudoku_vision.texts import Sentence, say
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.decode.uncertainty import agreed_cells
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, GridStatus, Lattice
from sudoku_vision.vision.verdicts import check
from workshop.rendering import Conditions, Drawing, draw


def result(drawing: Drawing, status: GridStatus = "solved") -> Grid:
    """The grid of a drawing, with its solution and a cell in doubt."""
    doubts = (Doubt(0, (5, 6), (0.6, 0.4)),)
    return grid_of(drawing, status, solution=drawing.grids[0].solution, doubts=doubts)


def digits_of(shapes: Shapes) -> list[DrawnDigit]:
    return [shape for shape in shapes if isinstance(shape, DrawnDigit)]


def lines_of(shapes: Shapes) -> list[Line]:
    return [shape for shape in shapes if isinstance(shape, Line)]


def cells_of(shapes: Shapes) -> dict[int, int]:
    """The digits that are drawn, by cell."""
    return {shape.cell: shape.digit for shape in digits_of(shapes)}


@pytest.mark.parametrize(("status", "colours"), [("solved", SURE_COLOURS), ("uncertain", UNSURE_COLOURS)])
def test_sure_answers_are_full_and_cool_others_hollow_and_warm(
    drawing: Drawing, status: GridStatus, colours: tuple[Colour, ...]
) -> None:
    grid = result(drawing, status)
    shapes = grid_shapes(grid, PrintStyle())
    assert grid.answers is not None
    blanks = np.flatnonzero(grid.answers)
    assert cells_of(shapes) == {int(cell): int(grid.answers.flat[cell]) for cell in blanks}
    digits = digits_of(shapes)
    assert {shape.colour for shape in digits} <= set(colours)
    assert any(shape.hollow for shape in digits) == (status != "solved")


def test_answers_are_hollow_only_where_they_depend_on_a_doubt(drawing: Drawing) -> None:
    """One clue may not be a clue: answers that follow without it are drawn full."""
    plain = result(drawing, "uncertain")
    clue = next(
        int(cell)
        for cell in np.flatnonzero(plain.puzzle)
        if not is_unique(np.where(np.arange(81).reshape(9, 9) == cell, 0, plain.puzzle))
    )
    doubt = Doubt(clue, (int(plain.puzzle.flat[clue]), 0), (0.6, 0.4))
    grid = replace(plain, reading=replace(plain.reading, doubts=(doubt,)))
    full = agreed_cells(grid.reading)
    digits = digits_of(grid_shapes(grid, PrintStyle()))
    assert {shape.cell for shape in digits if not shape.hollow} == full
    assert 0 < len(full) < len(digits)
    sure = digits_of(grid_shapes(replace(grid, status="solved"), PrintStyle()))
    assert not any(shape.hollow for shape in sure)


@pytest.mark.parametrize("status", ["uncertain", "many_solutions", "no_solution", "unreadable"])
def test_a_frame_says_what_it_means(drawing: Drawing, status: GridStatus) -> None:
    grid = result(drawing, status)
    for shapes in (grid_shapes(grid, PrintStyle()), check_shapes(check(grid), PrintStyle())):
        (tag,) = [shape for shape in shapes if isinstance(shape, Tag)]
        assert (tag.status, tag.words) == (status, say(Sentence(f"tag.{status}")))
        around, *signs = lines_of(shapes)
        assert around == frame(tag.colour)
        marked = {int(v) * 9 + int(u) for sign in signs for u, v in sign.points}
        assert marked == {doubt.cell for doubt in grid.doubts}
        assert not cells_of(shapes) or status == "uncertain"
    sure = grid_shapes(replace(grid, status="solved"), PrintStyle())
    assert not any(isinstance(shape, Tag | Line) for shape in sure)


def test_links_run_from_candidate_to_candidate_in_lattice_units(drawing: Drawing, puzzle: Board) -> None:
    strong = Link(Node((1,), 5), Node((73,), 5), strong=True)
    weak = Link(Node((73,), 5), Node((80,), 5), strong=False)

    def lines(*links: Link) -> list[Line]:
        step = Step(technique_named("alternating inference chain"), (), (5,), links=links)
        style = step_style(result(drawing), PrintStyle())
        shapes = step_shapes(Candidates(puzzle.ravel().tolist()), step, style)
        return lines_of(shapes)

    full, arrowhead, *looks_weak = (line.points for line in lines(strong, weak))
    (start, end), (one, tip, two) = full, arrowhead
    assert start[0] == end[0] == 1.5 and 0.5 < start[1] < 0.8 and 8.2 < end[1] < 8.5
    assert tip == end and one[1] < end[1] > two[1]
    looks_strong = [line.points for line in lines(strong, replace(weak, strong=True))]
    assert len(looks_strong) == 2 and looks_weak and looks_strong[1] not in looks_weak
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


TAG = Tag("many_solutions", "several solutions", (190, 40, 160))


def lattice(*corners: tuple[float, float]) -> Lattice:
    """The lattice of a flat grid with these corners, clockwise from the puzzle's top left."""
    square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(corners, np.float32))
    u, v = np.meshgrid(np.arange(10.0), np.arange(10.0))
    points = np.stack([u, v], axis=-1).reshape(-1, 1, 2)
    return Lattice(cv2.perspectiveTransform(points, matrix).reshape(10, 10, 2).astype(np.float32))


GRIDS = {
    "roomy": (lattice((100, 100), (460, 100), (460, 460), (100, 460)), (600, 600)),
    "room only below": (lattice((20, 3), (380, 3), (380, 363), (20, 363)), (400, 420)),
    "lying on its side": (lattice((100, 460), (100, 100), (460, 100), (460, 460)), (600, 600)),
    "upside down": (lattice((460, 460), (100, 460), (100, 100), (460, 100)), (600, 600)),
    "steep": (lattice((250, 150), (520, 120), (640, 420), (90, 470)), (700, 600)),
    "filling the picture": (lattice((1, 1), (358, 1), (358, 358), (1, 358)), (360, 360)),
    "small": (lattice((10, 20), (110, 20), (110, 120), (10, 120)), (140, 140)),
    "tiny": (lattice((2, 2), (62, 2), (62, 62), (2, 62)), (64, 64)),
    "beyond the picture": (lattice((-50, -60), (300, -60), (300, 290), (-50, 290)), (320, 300)),
}


@pytest.mark.parametrize("name", GRIDS)
def test_a_tag_lies_within_the_picture_upright_as_the_puzzle_is(name: str) -> None:
    """Where there is room, it hides nothing of the grid."""
    grid, (width, height) = GRIDS[name]
    place = place_tag(TAG, grid, (width, height))
    assert place is not None and (name == "tiny" or place.height >= MIN_TAG_HEIGHT)
    assert (place.corners >= 0).all() and (place.corners <= np.array([width, height]) - 0.99).all()
    top = grid.corners[1] - grid.corners[0]
    assert np.dot(place.along, top / np.linalg.norm(top)) > 0.95
    assert np.linalg.det(np.stack([place.along, place.down])) == pytest.approx(1)
    if name in ("roomy", "room only below", "lying on its side", "upside down", "steep"):
        assert place.height > 0.5 * grid.cell_size
        outline = grid.corners.reshape(-1, 1, 2)
        assert all(cv2.pointPolygonTest(outline, tuple(map(float, one)), True) < 0 for one in place.corners)


def test_where_there_is_none_it_keeps_off_the_digits() -> None:
    grid, size = GRIDS["filling the picture"]
    place = place_tag(TAG, grid, size)
    assert place is not None
    ends = sorted(place.corners[:, 1])
    assert ends[-1] < 1 + 0.35 * grid.cell_size or ends[0] > 358 - 0.35 * grid.cell_size


@pytest.mark.parametrize("paper", [15, 130, 250], ids=["dark", "grey", "white"])
@pytest.mark.parametrize("colour", [*FRAME_COLOURS.values(), *UNSURE_COLOURS], ids=hex_colour)
def test_words_stand_out_from_their_tag_and_the_tag_from_the_picture(
    colour: tuple[float, float, float], paper: int
) -> None:
    """By 3 to 1, as WCAG asks of large letters; its rim stands out where the tag itself doesn't."""
    before = np.full((600, 600, 3), paper, np.uint8)
    after = before.copy()
    grid, size = GRIDS["roomy"]
    draw_shapes(after, grid, [replace(TAG, colour=colour)])
    letters = luminance(letter_colour(colour))
    assert contrast(letters, luminance(colour)) > 3
    assert (
        max(contrast(luminance(one), luminance((paper,) * 3)) for one in (colour, letter_colour(colour))) > 3
    )
    touched = (after != before).any(axis=2)
    place = place_tag(TAG, grid, size)
    assert place is not None and touched.sum() > 0.6 * place.height**2
    inked = after[touched].astype(float)
    for wanted in (colour, letter_colour(colour)):
        assert (np.abs(inked - wanted).max(axis=1) < 30).mean() > 0.08


def luminance(colour: tuple[float, ...]) -> float:
    """Relative luminance of a colour, blue, green, red, as WCAG 2 defines it."""
    blue, green, red = (
        c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("value", [0.0, np.nan, 1e9])
def test_a_grid_that_lies_nowhere_has_no_tag(value: float) -> None:
    crossings: Floats = np.full((10, 10, 2), value, np.float32)
    before: Image = np.full((50, 50, 3), 200, np.uint8)
    after = before.copy()
    draw_shapes(after, Lattice(crossings), [Tag("no_solution", "no solution", (0, 0, 255))])
    assert np.array_equal(before, after)


# A hint drawn into a photo shows its cells and digits, and gives nothing else away.


def shapes_of(
    drawing: Drawing, board: Board, step: Step, marks: Marks = NO_MARKS, noted: Sequence[int] = ()
) -> Shapes:
    candidates = Candidates(board.ravel().tolist(), rules=step.rules, marks=marks)
    return step_shapes(candidates, step, step_style(grid_of(drawing), PrintStyle(), noted))


def digits_in(shapes: Shapes) -> set[Candidate]:
    return {(shape.cell, shape.digit) for shape in digits_of(shapes)}


def washed(shapes: Shapes, cell: int) -> tuple[Colour, float]:
    """The colour of the highlighter on a cell, and how strongly it is laid on."""
    (wash,) = (shape for shape in shapes if isinstance(shape, Wash) and cell in shape.cells)
    return wash.colour, wash.strength


def crossed(shapes: Shapes) -> set[int]:
    """The cells in whose middle two lines cross."""
    middles = Counter(tuple(np.mean(shape.points, axis=0)) for shape in lines_of(shapes))
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
    for line in lines_of(
        shapes_of(drawing, puzzle, step, noted=range(81))
    ):  # no cross stands on a note of a 5
        assert np.abs(np.mean(line.points, axis=0) % 1 - 0.5).max() > 0.25


def test_a_trial_shows_what_follows_and_the_dead_cell_or_unit_that_it_ends_in(drawing: Drawing) -> None:
    trial = technique_named("trial")
    refuted = Trial("contradiction", ((10, 4), (20, 6)), dead_cell=40)
    step = Step(trial, (0,), (3,), eliminations=((0, 3),), trial=refuted)
    shapes = shapes_of(drawing, BLANK, step)
    assert digits_in(shapes) == {(0, 3), (10, 4), (20, 6)}
    assert crossed(shapes) == {40}
    heights = {shape.cell: shape.style.height for shape in digits_of(shapes)}
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
        min(shape.style.height for shape in digits_of(shapes_of(drawing, BLANK, step)))
        for step in (pair, column)
    )
    assert large >= 0.36 > small


def test_a_link_is_bent_round_a_candidate_that_it_would_pass(drawing: Drawing) -> None:
    ends, between = (Node((0,), 5), Node((8,), 5)), Node((4,), 5)
    straight = Step(technique_named("skyscraper"), (), (5,), links=(Link(*ends, True),))
    bent = replace(straight, links=(*straight.links, Link(between, Node((40,), 5), False)))

    def nearest(step: Step) -> float:
        link = lines_of(shapes_of(drawing, BLANK, step))[0]
        return min(float(np.hypot(u - 4.5, v - 0.5)) for u, v in link.points)

    assert len(lines_of(shapes_of(drawing, BLANK, straight))[0].points) == 2
    assert nearest(bent) > 0.22
    close = replace(straight, links=(Link(Node((0,), 3), Node((1,), 1), True),))
    assert not lines_of(shapes_of(drawing, BLANK, close)), "between neighbours there is no room for a line"


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
    (frame,) = lines_of(shapes)
    ((cell, digit),) = step.placements
    (found,) = (one for one in digits_of(shapes) if (one.cell, one.digit) == (cell, digit))
    middle = np.add(divmod(cell, 9)[::-1], found.style.middle)
    assert frame.closed and np.allclose(np.mean(frame.points, axis=0), middle)
    assert frame.colour == found.colour != digits_of(shapes)[0].colour


def test_candidates_are_seen_on_their_paper_whatever_ink_is_beside_them(drawing: Drawing) -> None:
    """To some people, brown looks green; a light green that differs from it is lost on cream."""
    cream = PrintStyle(ink=(40, 95, 115), paper=(235, 248, 250))
    step = Step(technique_named("naked pair"), (0, 1), (1, 9), units=(0,))
    shapes = step_shapes(Candidates([0] * 81), step, step_style(grid_of(drawing), cream))
    colours = {shape.colour for shape in digits_of(shapes)}
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
    colours = {(shape.cell, shape.digit): shape.colour for shape in digits_of(shapes)}
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
    assert [shape.hollow for shape in digits_of((*sure, *doubtful))] == [False, True]
    assert len(doubtful) == len(sure) + 1 and isinstance(doubtful[-1], Line) and doubtful[-1].closed
