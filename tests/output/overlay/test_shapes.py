"""Shapes say what is drawn without a pixel, and lie where the lattice has them, as the word of a frame."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_grids import grid_of

from sudoku_vision.output.drawing.figure import Colour, Line, hex_colour
from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.flatten import MIN_TAG_HEIGHT, letter_colour, place_tag, points_in_photo
from sudoku_vision.output.overlay.hint_drawing import step_shapes, step_style
from sudoku_vision.output.overlay.print_style import FRAME_COLOURS, SURE_COLOURS, UNSURE_COLOURS, PrintStyle
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import DrawnDigit, Shapes, Tag, frame
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Link, Node, Step
from sudoku_vision.sudoku.logic.techniques import technique_named
from sudoku_vision.sudoku.solver import is_unique
from sudoku_vision.texts import Sentence, say
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.decode.uncertainty import agreed_cells
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, GridStatus, Lattice
from sudoku_vision.vision.verdicts import check
from workshop.rendering import Drawing


def result(drawing: Drawing, status: GridStatus = "solved") -> Grid:
    """The grid of a drawing, with its solution and a cell in doubt."""
    doubts = (Doubt(0, (5, 6), (0.6, 0.4)),)
    return grid_of(drawing, status, solution=drawing.grids[0].solution, doubts=doubts)


def cells_of(shapes: Shapes) -> dict[int, int]:
    """The digits that are drawn, by cell."""
    return {shape.cell: shape.digit for shape in shapes if isinstance(shape, DrawnDigit)}


@pytest.mark.parametrize(("status", "colours"), [("solved", SURE_COLOURS), ("uncertain", UNSURE_COLOURS)])
def test_sure_answers_are_full_and_cool_others_hollow_and_warm(
    drawing: Drawing, status: GridStatus, colours: tuple[Colour, ...]
) -> None:
    grid = result(drawing, status)
    shapes = grid_shapes(grid, PrintStyle())
    assert grid.answers is not None
    blanks = np.flatnonzero(grid.answers)
    assert cells_of(shapes) == {int(cell): int(grid.answers.flat[cell]) for cell in blanks}
    digits = [shape for shape in shapes if isinstance(shape, DrawnDigit)]
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
        assert (tag.status, tag.words) == (status, say(Sentence(f"tag.{status}")))
        around, *signs = (shape for shape in shapes if isinstance(shape, Line))
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
        return [shape for shape in shapes if isinstance(shape, Line)]

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
