"""What is seen live: answers where they belong, and nothing that could be taken for one."""

from concurrent.futures import Future
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
from drawn_grids import changed_cells, grid_of

from sudoku_vision.live.accumulation import TrackState
from sudoku_vision.live.draw import STATE_COLOURS, AnnotationOptions, Annotator, write_lines
from sudoku_vision.live.tracker import TrackedGrid
from sudoku_vision.output.overlay.print_style import SURE_COLOURS, choose_colour, grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import board_shapes, frame
from sudoku_vision.vision.results import Doubt, GridStatus
from workshop.rendering import Drawing


def seen(
    drawing: Drawing, state: TrackState = "sure", status: GridStatus = "solved", number: int = 1
) -> TrackedGrid:
    return TrackedGrid(number, state, drawing.grids[0].lattice, grid_of(drawing, status))


def test_answers_go_into_the_blank_cells_of_a_copy(drawing: Drawing) -> None:
    grid, before = drawing.grids[0], drawing.pixels.copy()
    picture = Annotator().annotate(drawing.pixels, [seen(drawing)])
    assert (changed_cells(drawing.pixels, picture, grid.lattice, 0.0) == (grid.puzzle == 0)).all()
    Annotator().annotate(drawing.pixels, [seen(drawing)], AnnotationOptions(hint=True, debug=True))
    assert (drawing.pixels == before).all()


@pytest.mark.parametrize(
    ("state", "status"),
    [("reading", "uncertain"), ("reading", "solved"), ("unsolvable", "no_solution")],
)
def test_no_answer_is_drawn_before_it_is_sure(
    drawing: Drawing, state: TrackState, status: GridStatus
) -> None:
    for options in (AnnotationOptions(), AnnotationOptions(hint=True)):
        picture = Annotator().annotate(drawing.pixels, [seen(drawing, state, status)], options)
        assert not changed_cells(drawing.pixels, picture, drawing.grids[0].lattice, 0.0).any()


@pytest.mark.parametrize("state", ["reading", "sure", "unsolvable"])
def test_the_outline_shows_the_state(drawing: Drawing, state: TrackState) -> None:
    picture = Annotator().annotate(drawing.pixels, [seen(drawing, state)])
    x, y = drawing.grids[0].lattice.crossings[5, 9].tolist()
    assert picture[round(y) + 6, round(x)].tolist() == list(STATE_COLOURS[state])


def test_without_a_grid_the_picture_shows_where_to_hold_one(no_sudoku: Drawing) -> None:
    picture = Annotator().annotate(no_sudoku.pixels, [])
    assert (picture != no_sudoku.pixels).any()
    middle = (slice(100, 140), slice(130, 190))
    assert (picture[middle] == no_sudoku.pixels[middle]).all()


def test_a_puzzle_looks_the_same_in_all_frames(drawing: Drawing) -> None:
    """However light and focus change, the size, weight and colour of its answers don't."""
    sure, annotator = seen(drawing), Annotator()
    annotator.annotate(drawing.pixels, [sure])
    glare = np.full_like(drawing.pixels, 250)
    assert sure.result is not None
    print_style = grid_print(drawing.pixels, sure.result)
    expected = glare.copy()
    answers = np.where(drawing.grids[0].puzzle == 0, drawing.grids[0].solution, 0).astype(np.int8)
    digits = board_shapes(answers, print_style, choose_colour(SURE_COLOURS, print_style))
    draw_shapes(expected, sure.lattice, (*digits, frame(STATE_COLOURS["sure"])))
    assert (annotator.annotate(glare, [sure]) == expected).all()


@pytest.mark.parametrize("found", [True, False])
def test_a_hint_is_one_step_and_its_words_once_it_is_found(drawing: Drawing, found: bool) -> None:
    annotator = Annotator() if found else Annotator(Mock(submit=Mock(return_value=Future())))
    picture = annotator.annotate(drawing.pixels, [seen(drawing)], AnnotationOptions(hint=True))
    cells = int(changed_cells(drawing.pixels, picture, drawing.grids[0].lattice, 0.0).sum())
    assert 0 < cells <= 21 if found else cells == 0
    assert (picture[0] != drawing.pixels[0]).any(axis=1).mean() > 0.95, "a strip of words at the upper edge"


def test_the_debug_view_shows_what_is_read_and_what_is_in_doubt(drawing: Drawing) -> None:
    reading = seen(drawing, "reading", "uncertain")
    assert reading.result is not None
    blank = int(np.flatnonzero(reading.result.puzzle == 0)[0])
    doubts = (Doubt(blank, (0, 7), (0.6, 0.4)),)
    doubtful = replace(
        reading, result=replace(reading.result, reading=replace(reading.result.reading, doubts=doubts))
    )
    picture = Annotator().annotate(drawing.pixels, [doubtful], AnnotationOptions(debug=True))
    cells = changed_cells(drawing.pixels, picture, reading.lattice, 0.0)
    assert cells.flat[blank]
    cells.flat[blank] = False
    assert (cells == (reading.result.puzzle > 0)).all()


def test_a_long_run_does_not_grow(drawing: Drawing) -> None:
    annotator = Annotator()
    small = np.zeros((32, 32, 3), np.uint8)
    for number in range(80):
        annotator.annotate(small, [seen(drawing, number=number)])
    assert len(annotator._styles) <= 64


@pytest.mark.parametrize("size", [(720, 1280), (120, 160), (1, 1)])
def test_words_fit_into_any_picture(size: tuple[int, int]) -> None:
    picture = np.full((*size, 3), 200, np.uint8)
    lines = ["a long line of words that goes on and on " * 6, "Unbroken" * 60, "naïve – ✓"]
    assert write_lines(picture, lines).shape == (*size, 3)
