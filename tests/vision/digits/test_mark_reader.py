"""Pencil marks are recognised, cut into pieces and read; their places on the page tell their digits."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from candidates import draw_screen, typefaces
from numpy.typing import NDArray

from sudoku_vision import solve_photo
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Doubles
from sudoku_vision.vision.digits import load_model, read_cells
from sudoku_vision.vision.digits.mark_places import fit_places
from sudoku_vision.vision.digits.mark_reader import Contents, is_plainly_unmarked, marks_on_page
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL, cut_pieces
from sudoku_vision.vision.digits.model_files import MARK_READERS
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import DigitScores, Photo
from workshop.rendering import Conditions, Drawing, GridStyle, MarkLayout, MarkStyle, Writing, draw
from workshop.rendering.hands import new_hand
from workshop.rendering.typefaces import plain_typeface


def marked_page(
    puzzle: Board,
    layout: MarkLayout,
    *,
    typed: bool,
    seed: int = 3,
    digit_height: float = 0.6,
    strength: float = 1.0,
) -> Drawing:
    rng = np.random.default_rng(seed)
    marks = MarkStyle(share=0.6, most=3, height=0.25, layout=layout, sensible=True, strength=strength)
    writing = Writing(typed=typed, marks=marks, writer=None if typed else new_hand(rng))
    grid = GridStyle(digit_height=digit_height)
    return draw(rng, Conditions(size=(900, 900), grid=grid, writing=writing), puzzles=[puzzle])


def scores_of(drawing: Drawing) -> DigitScores:
    readings = read_cells(Photo(drawing.pixels), drawing.grids[0].lattice, load_model(), turn=0)
    return readings.turns.likely_scores[0]


@pytest.mark.parametrize(
    ("layout", "typed"), [("square", True), ("corners", True), ("row", False), ("two_rows", False)]
)
def test_marks_are_found_and_read_in_each_layout(puzzle: Board, layout: MarkLayout, *, typed: bool) -> None:
    drawing = marked_page(puzzle, layout, typed=typed)
    truth, scores = drawing.grids[0].marks, scores_of(drawing)
    marked = [cell for cell in range(81) if truth[cell]]
    found = [cell for cell in marked if scores.marks[cell] > 0.5]
    assert len(found) >= 0.95 * len(marked)
    read = [
        (cell, frozenset((1 + np.flatnonzero(scores.mark_digits[cell] > 0.5)).tolist())) for cell in found
    ]
    right = sum(len(digits & truth[cell]) for cell, digits in read)
    assert right >= 0.85 * sum(len(truth[cell]) for cell in marked)
    clues = drawing.grids[0].puzzle.ravel() > 0
    assert not (scores.marks[clues] > 0.5).any()


@pytest.mark.parametrize("digit_height", [0.4, 0.48])
def test_small_clues_among_candidates_in_all_blank_cells_are_digits(
    puzzle: Board, digit_height: float
) -> None:
    blank = puzzle.ravel() == 0
    every = frozenset(range(1, 10))
    marks = tuple(every if one else frozenset() for one in blank.tolist())
    grid = GridStyle(digit_height=digit_height, typeface=plain_typeface())
    writing = Writing(typed=True, marks=MarkStyle(height=0.24, layout="square"))
    conditions = Conditions(size=(900, 900), grid=grid, writing=writing)
    drawing = draw(np.random.default_rng(1), conditions, puzzles=[puzzle], marks=[marks])
    scores = scores_of(drawing)
    assert np.array_equal(scores.log_probs.argmax(axis=1), puzzle.ravel())
    assert scores.marks[~blank].max() < 0.05
    assert (scores.marks[blank] > 0.95).all()
    assert (scores.mark_digits[blank] > 0.5).mean() > 0.99
    assert scores.hidden.max() < 0.05, "candidates near the lines cover nothing"


def test_candidates_darken_their_paper_but_give_clues_no_ground_of_their_own() -> None:
    """Else the clues in the lit row, column and box would be entries."""
    drawing = draw_screen(41, 0, "square", typefaces(None)).drawing
    (grid,) = solve_photo(Photo(drawing.pixels)).grids
    assert np.array_equal(grid.puzzle, drawing.grids[0].puzzle)


def test_a_page_of_small_clues_has_no_marks(puzzle: Board) -> None:
    plain = GridStyle(digit_height=0.3)
    drawing = draw(np.random.default_rng(1), Conditions(size=(700, 700), grid=plain), puzzles=[puzzle])
    scores = scores_of(drawing)
    assert scores.marks.max() < 0.2
    assert np.array_equal(scores.log_probs.argmax(axis=1), puzzle.ravel())


def test_a_page_of_print_is_plainly_unmarked_unless_it_has_a_spot_or_a_doubtful_cell(puzzle: Board) -> None:
    drawing = draw(np.random.default_rng(1), Conditions(size=(480, 480)), puzzles=[puzzle])
    cells = rectify(Photo(drawing.pixels), drawing.grids[0].lattice)
    scores = load_model().classify(cells)
    assert is_plainly_unmarked(cells, scores)
    blank, clue = int(np.flatnonzero(puzzle.ravel() == 0)[0]), int(np.flatnonzero(puzzle.ravel())[0])
    spotted = cells.copy()
    spotted[blank, 5:9, 5:9] = 0.2
    assert not is_plainly_unmarked(spotted, scores)
    for written in (0.2, 0.9):
        by_hand = scores.written.copy()
        by_hand[clue] = written
        assert not is_plainly_unmarked(cells, replace(scores, written=by_hand))
    half_blank = scores.log_probs.copy()
    half_blank[clue, [0, int(puzzle.flat[clue])]] = np.log(0.5)
    assert not is_plainly_unmarked(cells, replace(scores, log_probs=half_blank))


def test_a_page_of_scribbles_is_not_read(puzzle: Board) -> None:
    drawing = marked_page(puzzle, "square", typed=True)
    readings = read_cells(Photo(drawing.pixels), drawing.grids[0].lattice, load_model(), turn=0)
    scores = load_model().classify(readings.cells)
    stripes = np.zeros((81, MARK_CELL, MARK_CELL), np.float32)
    stripes[:, 10:30, 4:76:5] = stripes[:, 10:30, 5:76:5] = 1.0
    stripes[:, 40:60, 4:76:5] = stripes[:, 40:60, 5:76:5] = 1.0
    assert MARK_READERS.load().read(readings.cells, scores, lambda: stripes) is scores


Kinds = tuple[float, float, float]
SURE_DIGIT, SURE_MARKS = (1e-3, 0.999, 1e-4), (1e-3, 1e-4, 0.999)


@pytest.mark.parametrize(
    ("cells", "kinds", "others", "pieces", "legible", "marked"),
    [
        (slice(5, 6), (0.01, 0.5, 0.49), SURE_DIGIT, 2, 3.0, False),
        (slice(5, 6), (0.01, 0.5, 0.49), SURE_MARKS, 2, 3.0, True),
        (slice(20, 60), (0.3, 0.1, 0.6), SURE_DIGIT, 2, 3.0, True),
        (slice(20, 60), (0.3, 0.1, 0.6), SURE_DIGIT, 2, -4.0, False),
        (slice(20, 81), (1e-3, 0.6, 0.4), SURE_DIGIT, 2, 5.0, True),
        (slice(20, 81), (1e-3, 0.6, 0.4), SURE_DIGIT, 1, 5.0, False),
    ],
    ids=[
        *("doubtful among digits", "doubtful among marks", "small digits", "illegible creases"),
        *("two small ones in every cell", "one small entry in every cell"),
    ],
)
def test_whether_cells_hold_marks_depends_on_their_pieces_and_on_the_page(
    cells: slice, kinds: Kinds, others: Kinds, pieces: int, legible: float, marked: bool
) -> None:
    page = np.tile(SURE_DIGIT, (81, 1))
    page[20:60] = others
    page[cells] = kinds
    contents = Contents(np.zeros((81, 9), np.float32), np.full(81, pieces), np.full(81, legible))
    found = marks_on_page(page, contents, np.ones(81, bool), 0.3)[cells]
    assert found.min() > 0.5 if marked else found.max() < 0.1


def test_cells_full_of_scribbles_take_limited_work() -> None:
    rng = np.random.default_rng(0)
    ink = rng.random((81, MARK_CELL, MARK_CELL)).astype(np.float32)
    blurred = np.stack([cv2.GaussianBlur(cell, (0, 0), 1.5) for cell in ink])
    assert len(cut_pieces(blurred / blurred.max(), list(range(81)))) < 81 * 150


SHIFT, STEP = np.array([0.47, 0.54]), np.array([0.28, 0.25])


def marks_of(
    rng: np.random.Generator, count: int = 60, sure: float = 0.9
) -> tuple[NDArray[np.intp], Doubles]:
    """The digits 0..8 of *count* marks, and their probabilities by shape; one in ten is misread."""
    digits = rng.integers(0, 9, count)
    seen = np.where(rng.random(count) < 0.1, (digits + 3) % 9, digits)
    shapes = np.full((count, 9), 0.1 / 8)
    shapes[np.arange(count), seen] = 0.9
    return digits, shapes


def test_the_place_of_a_mark_tells_its_digit_a_second_time() -> None:
    rng = np.random.default_rng(0)
    digits, shapes = marks_of(rng)
    keypad = np.stack([digits % 3 - 1, digits // 3 - 1], axis=1)
    middles = SHIFT + STEP * keypad + rng.normal(0, 0.02, (len(digits), 2))
    places = fit_places(middles, shapes)
    assert np.allclose(places.origin, SHIFT, atol=0.02)
    assert np.allclose(places.step, STEP, atol=0.02)
    read = (np.log(shapes) + places.evidence(middles)).argmax(axis=1)
    assert (read == digits).all()


def test_marks_sorted_into_corners_are_left_to_their_shapes() -> None:
    """They stand on places, but of other digits."""
    rng = np.random.default_rng(0)
    cells = [np.sort(rng.choice(9, 4, replace=False)) for _ in range(30)]
    corners = np.array([(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)] * len(cells))
    middles = corners + rng.normal(0, 0.02, corners.shape)
    shapes = np.full((len(middles), 9), 0.4 / 8)
    shapes[np.arange(len(middles)), np.concatenate(cells)] = 0.6
    read = (np.log(shapes) + fit_places(middles, shapes).evidence(middles)).argmax(axis=1)
    assert (read == np.concatenate(cells)).all()


def test_marks_in_no_order_are_left_to_their_shapes() -> None:
    rng = np.random.default_rng(0)
    _, shapes = marks_of(rng)
    middles = rng.uniform(0.1, 0.9, (len(shapes), 2))
    evidence = fit_places(middles, shapes).evidence(middles)
    changed = (np.log(shapes) + evidence).argmax(axis=1) != shapes.argmax(axis=1)
    assert changed.mean() < 0.05
    assert fit_places(np.zeros((0, 2)), np.zeros((0, 9))).evidence(middles).shape == (60, 9)
