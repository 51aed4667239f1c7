"""Overlay: answers on photos and paper can be read, and are never mistaken for sure when they are not."""

import itertools
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from drawn_grids import BLANK, VIEWS, cell_of, changed_cells, draw_killer, grid_of

from sudoku_vision.output.drawing.figure import BLACK, Figure, Line, Text
from sudoku_vision.output.drawing.puzzle_figure import (
    ANSWER,
    PICTURE_DPI,
    PrintablePuzzle,
    draw_puzzle,
    puzzle_lattice,
)
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.overlay.answer_drawing import answer_colour, check_shapes, grid_shapes
from sudoku_vision.output.overlay.background_fill import cover_ink
from sudoku_vision.output.overlay.flatten import points_in_photo
from sudoku_vision.output.overlay.print_style import (
    SURE_COLOURS,
    UNSURE_COLOURS,
    VISIONS,
    PrintStyle,
    choose_colour,
    grid_print,
    lab_of,
)
from sudoku_vision.output.overlay.printed_answers import answer_figure, answer_pages, page_stamp
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import DrawnDigit, Fade, frame
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import NO_MARKS, Board, board_text
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import Doubt, GridStatus, Lattice, Photo, Reading
from sudoku_vision.vision.verdicts import check
from workshop.rendering import MARK_LAYOUTS, Conditions, Drawing, MarkStyle, Writing, draw

SAMPLES = Path(__file__).parents[3] / "sample_images"


@pytest.mark.parametrize("view", VIEWS)
def test_the_answers_can_be_read_off_the_picture_and_all_else_is_untouched(
    view: str, puzzle: Board, solution: Board
) -> None:
    """The program reads again what the overlay wrote."""
    drawing = draw(np.random.default_rng(3), VIEWS[view], puzzles=[puzzle])
    lattice, before = drawing.grids[0].lattice, drawing.pixels.copy()
    after = overlay(Photo(drawing.pixels), [grid_of(drawing)])
    scores = load_model().classify(rectify(Photo(after), lattice))
    assert (scores.log_probs.argmax(axis=1).reshape(9, 9) == solution).sum() >= 79
    assert np.array_equal(before, drawing.pixels)
    assert np.array_equal(changed_cells(before, after, lattice), puzzle == 0)
    outside = np.ones(before.shape[:2], np.uint8)
    cv2.fillPoly(outside, [np.rint(points_in_photo(lattice, frame(BLACK).points)).astype(np.int32)], 0)
    assert np.array_equal(before[outside > 0], after[outside > 0])


def test_a_wrong_entry_is_struck_out_and_the_right_digit_stands_beside_it(drawing: Drawing) -> None:
    written = BLANK.copy()
    written[0, 1] = drawing.grids[0].solution[0, 1] % 9 + 1
    grid = grid_of(drawing, written=written)

    def red_and_blue(one: Grid) -> tuple[int, int]:
        colours = cell_of(overlay(drawing.pixels, [one]), one.lattice, 1).astype(int)
        red = (colours[..., 2] - colours[..., 0] > 80).sum()
        return int(red), int((colours[..., 0] - colours[..., 2] > 80).sum())

    red, blue = red_and_blue(grid)
    assert red > 20 and blue > 20
    unclear = replace(grid, reading=replace(grid.reading, unclear=(1,)))
    red, blue = red_and_blue(unclear)
    assert red == 0 and blue > 20, "what is not clear is not struck out"
    assert red_and_blue(replace(unclear, status="uncertain"))[1] == 0, "nothing looks sure that is not"


@pytest.mark.parametrize("seed", range(3))
def test_answers_over_pencil_marks_can_be_read(seed: int, puzzle: Board, solution: Board) -> None:
    """The program reads again what the overlay wrote over marks of all layouts and sizes."""
    layout = MARK_LAYOUTS[2 * seed]
    marks = MarkStyle(share=1.0, most=6, height=0.26, layout=layout, sensible=True, strength=1.0)
    conditions = Conditions(size=(640, 640), writing=Writing(share=0.0, marks=marks))
    drawing = draw(np.random.default_rng(seed), conditions, puzzles=[puzzle])
    plain = grid_of(drawing)
    marked = replace(plain, reading=replace(plain.reading, marks=drawing.grids[0].marks))

    def read(one: Grid) -> int:
        scores = load_model().classify(rectify(Photo(overlay(drawing.pixels, [one])), plain.lattice))
        return int((scores.log_probs.argmax(axis=1).reshape(9, 9) == solution).sum())

    assert read(marked) >= 79
    assert read(marked) >= read(plain)


@pytest.mark.parametrize("name", ["half_solved.jpg", "app_dark.png", "pencil.jpg"])
def test_pencil_marks_below_an_answer_are_covered_by_the_paper_of_their_cell(name: str) -> None:
    """Nothing is left of the ink, and the lines are whole."""
    photo = load_photo(SAMPLES / name)
    (grid,) = read_page(photo).grids
    lattice, marked = grid.lattice, [cell for cell, marks in enumerate(grid.marks) if marks]
    shapes = grid_shapes(grid, grid_print(photo.pixels, grid))
    assert {shape.cell for shape in shapes if isinstance(shape, Fade) and shape.strength == 1} == set(marked)
    covered = photo.pixels.copy()
    draw_shapes(covered, lattice, [shape for shape in shapes if isinstance(shape, Fade)])

    def spread(picture: Image) -> float:
        """How far the darkest ink of a cell lies from its paper, in the median of the marked cells."""
        cells = [cell_of(picture, lattice, cell)[3:-3, 3:-3].astype(int) for cell in marked]
        offsets = [np.abs(one - np.median(one, axis=(0, 1))).max(axis=2) for one in cells]
        return float(np.median([np.percentile(one, 99.5) for one in offsets]))

    assert len(marked) > 5
    assert spread(photo.pixels) > 40 and spread(covered) < 12
    lines = np.rint((lattice.crossings[:-1] + lattice.crossings[1:]) / 2).astype(int).reshape(-1, 2)
    assert np.array_equal(covered[lines[:, 1], lines[:, 0]], photo.pixels[lines[:, 1], lines[:, 0]])


def test_a_cover_of_pencil_marks_leaves_the_lines_and_sums_of_cages() -> None:
    killer = Rules(cages=[(28, [10, 11, 19, 20]), (17, [30, 31])])
    marks = tuple(frozenset({1, 2, 6, 9} if cell in (10, 11, 20, 30) else ()) for cell in range(81))
    item = PrintablePuzzle(BLANK, entries=BLANK, rules=killer)
    picture = draw_puzzle(replace(item, marks=marks))
    draw_shapes(picture, puzzle_lattice(), [Fade(cell, 1, killer) for cell in (10, 11, 20, 30)])
    assert np.abs(picture.astype(int) - draw_puzzle(item)).max() < 25


def test_a_cover_has_the_light_of_its_place() -> None:
    """On paper that darkens to one side, with grain: nothing shows where the ink was."""
    rng = np.random.default_rng(0)
    ramp = np.linspace(230, 150, 90)[None, :, None] + rng.normal(0, 2, (90, 90, 3))
    paper = np.clip(ramp, 0, 255).astype(np.uint8)
    inked = paper.copy()
    cv2.putText(inked, "27", (12, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (90, 90, 90), 2, cv2.LINE_AA)
    quad = np.array([[0, 0], [89, 0], [89, 89], [0, 89]], np.float32)
    covered = inked.copy()
    cover_ink(covered, quad, 1.0)
    assert np.abs(inked.astype(int) - paper).max() > 60
    assert np.abs(covered.astype(int) - paper).max() < 15
    untouched = cv2.dilate((inked != paper).any(axis=2).astype(np.uint8), np.ones((15, 15))) == 0
    assert np.array_equal(covered[untouched], inked[untouched])
    paled = inked.copy()
    cover_ink(paled, quad, 0.5)
    assert 40 < np.abs(paled.astype(int) - paper).max() < 80


@pytest.mark.parametrize("name", ["app_dark.png", "app_light.png", "handwriting.jpg", "phone_on_table.jpg"])
def test_answers_are_not_taken_for_what_somebody_wrote(name: str) -> None:
    """In hue, or by far in lightness."""
    photo = load_photo(SAMPLES / name)
    (grid,) = read_page(photo).grids
    style = grid_print(photo.pixels, grid)
    assert style.entry_ink is not None
    three = np.array([[answer_colour(grid, style), style.entry_ink, style.paper]], np.float32) / 255
    answer, entry, paper = cv2.cvtColor(three, cv2.COLOR_BGR2LAB)[0]
    assert np.linalg.norm(answer - entry) > 55
    assert abs(answer[0] - paper[0]) > 22


def test_answers_of_a_killer_leave_room_for_its_sums() -> None:
    drawing = draw_killer("tinted")
    grid = grid_of(drawing)
    killer = replace(grid, reading=replace(grid.reading, rules=Rules(cages=drawing.grids[0].cages)))
    for pixels in (drawing.pixels, np.full_like(drawing.pixels, 255)):
        style = grid_print(pixels, killer)
        assert style.middle[1] - style.height / 2 > 0.3


@pytest.mark.parametrize("marks", [False, True])
def test_the_right_digit_beside_a_wrong_one_stands_clear_of_its_ring(drawing: Drawing, marks: bool) -> None:
    """Rings of wrong entries, and boxes of marks that have lost the right digit, leave a corner to it."""
    grid, written = grid_of(drawing), BLANK.copy()
    wrong = int(drawing.grids[0].solution[0, 1]) % 9 + 1
    if marks:
        reading = replace(grid.reading, marks=(frozenset(), frozenset({wrong}), *NO_MARKS[2:]))
    else:
        written[0, 1] = wrong
        reading = replace(grid.reading, written=written)
    checked = check(replace(grid, reading=reading))
    shapes = check_shapes(checked, PrintStyle(), answers=True, marks=True)
    (line,) = (shape for shape in shapes if isinstance(shape, Line))
    (right,) = (shape for shape in shapes if isinstance(shape, DrawnDigit))
    assert not line.closed
    flat = Lattice((100 * np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1)).astype(np.float32))
    ring, digit = np.zeros((2, 900, 900, 3), np.uint8)
    draw_shapes(ring, flat, [line])
    draw_shapes(digit, flat, [replace(right, halo=False, colour=(255, 255, 255))])
    away = cv2.distanceTransform((ring.max(axis=2) == 0).astype(np.uint8), cv2.DIST_L2, 5)
    assert away[digit.max(axis=2) > 127].min() >= 3
    assert digit[:, :100].max() == digit[:, 200:].max() == digit[100:].max() == 0


@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ((30, 30, 30), (235, 240, 245)),
        ((190, 70, 20), (230, 235, 240)),
        ((230, 230, 230), (30, 25, 25)),
        ((40, 40, 40), (160, 170, 175)),
        ((30, 30, 200), (250, 250, 250)),
    ],
)
def test_colours_differ_from_paper_and_ink(ink: tuple[int, ...], paper: tuple[int, ...]) -> None:
    print_style = PrintStyle(ink=(ink[0], ink[1], ink[2]), paper=(paper[0], paper[1], paper[2]))
    for colours in (SURE_COLOURS, UNSURE_COLOURS):
        three = np.array([[choose_colour(colours, print_style), ink, paper]], np.float32) / 255
        colour, dark, light = cv2.cvtColor(three, cv2.COLOR_BGR2LAB)[0]
        assert abs(colour[0] - light[0]) > 22
        assert np.linalg.norm(colour - dark) > 22


def test_colour_blind_people_can_tell_answers_from_blue_clues_and_pens() -> None:
    """Violet answers could not be told from either."""
    blues = ((205, 90, 20), (160, 70, 40), (220, 110, 30))
    for ink, pen, paper in itertools.product(
        blues, (None, *blues, (60, 60, 60)), ((235, 240, 245), (160, 170, 175))
    ):
        style = PrintStyle(ink=ink, paper=paper, entry_ink=pen)
        both = np.array([choose_colour(SURE_COLOURS, style, entries=True), ink], np.float32)
        assert min(np.linalg.norm(np.diff(lab_of(both, vision), axis=0)) for vision in VISIONS) > 40


def test_a_grid_that_reaches_beyond_the_picture_is_drawn_as_far_as_it_goes(drawing: Drawing) -> None:
    grid = grid_of(drawing)
    part = np.ascontiguousarray(drawing.pixels[:240, 200:])
    moved = Lattice(grid.lattice.crossings - np.array([200, 0], np.float32))
    after = overlay(part, [replace(grid, lattice=moved)])
    whole = overlay(drawing.pixels, [grid])[:240, 200:]
    # Size and weight are measured from fewer clues here, so edges may differ a little.
    assert np.abs(after.astype(int) - whole).mean() < 3
    assert (after != part).any(axis=2).mean() > 0.02


def test_a_lattice_folded_over_does_no_harm(drawing: Drawing) -> None:
    for crossings in (np.zeros((10, 10, 2)), np.full((10, 10, 2), np.nan), np.full((10, 10, 2), 1e9)):
        broken = replace(grid_of(drawing, "uncertain"), lattice=Lattice(crossings.astype(np.float32)))
        assert overlay(drawing.pixels, [broken]).shape == drawing.pixels.shape


def _grid(status: str = "solved", written: str = "0" * 81, **more: object) -> Grid:
    solution = None if status in ("many_solutions", "no_solution") else board(SOLUTION)
    reading = Reading(board(PUZZLE), board(written), solution, 1, 1.0)
    return Grid(status, NO_PLACE, replace(reading, **more))  # type: ignore[arg-type]


def _texts(figure: Figure) -> list[Text]:
    return [element for element in figure.elements if isinstance(element, Text)]


def test_clues_are_black_and_answers_grey() -> None:
    texts = _texts(answer_figure(_grid()))
    assert len(texts) == 81
    assert {text.words for text in texts} == set("123456789")
    assert sum(text.colour == (0, 0, 0) and text.bold for text in texts) == 81 - PUZZLE.count("0")
    assert sum(text.colour == ANSWER and not text.bold for text in texts) == PUZZLE.count("0")


def test_what_is_printed_is_read_as_it_was_solved() -> None:
    grids = [_grid(), _grid()]
    (page,) = answer_pages(grids)
    for pixels in (raster(answer_figure(grids[0]), PICTURE_DPI), raster(page, 150)):
        for grid in read_page(Photo(pixels)).grids:
            assert board_text(grid.puzzle) == PUZZLE
            assert board_text(grid.puzzle + grid.written) == SOLUTION


def test_a_wrong_entry_is_struck_out_with_the_right_digit_beside_it() -> None:
    figure = answer_figure(_grid(written="0" * 80 + "1"))  # the last cell holds a 3
    texts = _texts(figure)
    plain = max(text.size for text in texts if text.colour == ANSWER)
    assert sorted(text.words for text in texts if text.size < 0.9 * plain and text.colour == ANSWER) == ["3"]
    assert any(isinstance(element, Line) and element.colour[2] > 200 for element in figure.elements)
    entry, answer = (text for text in texts if min(text.place) > 8.75 / 10.5 * figure.width)
    right, left = (text_width(text.words, text.size) / 2 for text in (entry, answer))
    assert (entry.words, answer.words) == ("1", "3") and entry.place[0] + right < answer.place[0] - left


@pytest.mark.parametrize("marked", [True, False])
def test_marks_stand_only_where_no_answer_does(marked: bool) -> None:
    marks = (*NO_MARKS[:1], frozenset({1, 6}), *NO_MARKS[2:]) if marked else NO_MARKS
    assert len(_texts(answer_figure(_grid(marks=marks)))) == 81
    assert len(_texts(answer_figure(_grid("many_solutions", marks=marks)))) == 17 + 1 + 2 * marked


def test_what_is_not_sure_never_looks_sure() -> None:
    doubts = (Doubt(8, (5, 6), (0.6, 0.4)),)
    figure = answer_figure(_grid("uncertain", doubts=doubts))
    words = [text.words for text in _texts(figure) if len(text.words) > 1]
    assert words == ["please check"]
    assert not any(text.colour == ANSWER for text in _texts(figure))
    warm = [element for element in figure.elements if isinstance(element, Line) and element.colour[2] > 150]
    assert len(warm) > 40  # a frame, a question mark, and the edges of hollow digits
    assert [text.words for text in _texts(answer_figure(_grid("no_solution"))) if len(text.words) > 1] == [
        "no solution"
    ]


def test_more_grids_than_a_page_holds_go_on_the_next() -> None:
    pages = answer_pages([_grid("many_solutions")] * 14)
    assert len(pages) == 2
    assert [text.words for text in _texts(pages[1])][:1] == ["2 / 2"]


@pytest.mark.parametrize("turns", [0, 1])
@pytest.mark.parametrize("status", ["solved", "uncertain"])
def test_a_stamp_covers_what_the_answers_cover_in_the_picture(turns: int, status: GridStatus) -> None:
    pixels: Image = np.ascontiguousarray(np.rot90(draw_puzzle(PrintablePuzzle(board(PUZZLE))), turns))
    (grid,) = read_page(Photo(pixels)).grids
    if status == "uncertain":
        reading = replace(grid.reading, doubts=(Doubt(8, (5, 6), (0.6, 0.4)),))
        grid = replace(grid, status=status, reading=reading)
    stamp = page_stamp(Photo(pixels), [grid])
    drawn = raster(stamp, 200)
    assert drawn.shape == pixels.shape
    words = [element.words for element in stamp.elements if isinstance(element, Text)]
    assert words == ([] if status == "solved" else ["please check"])
    inside = (slice(72, -72), slice(72, -72))  # the word of a frame stands beside the grid
    picture = overlay(pixels, [grid])[inside]
    changed = (picture != pixels[inside]).any(axis=2) & (picture < 150).any(axis=2)
    stamped = (drawn[inside] < 150).any(axis=2)
    assert np.count_nonzero(stamped) > 10_000
    both = np.count_nonzero(changed & stamped)  # the edges of hollow digits are thin
    assert both > 0.75 * max(np.count_nonzero(changed), np.count_nonzero(stamped))
