"""Telling pencil marks from digits and reading them, on drawn pages of which all is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sudoku_vision.results import Board, DigitScores, Photo
from sudoku_vision.vision.digits import load_model, read_cells
from sudoku_vision.vision.digits.mark_features import is_plainly_unmarked
from sudoku_vision.vision.digits.mark_reader import (
    Contents,
    on_page,
)
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL
from sudoku_vision.vision.digits.model import load_mark_reader
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.workshop.rendering import (
    Conditions,
    Drawing,
    GridStyle,
    MarkLayout,
    MarkStyle,
    Writing,
    draw,
)
from sudoku_vision.workshop.rendering.hands import new_hand


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


def test_a_page_of_small_clues_bears_no_marks(puzzle: Board) -> None:
    plain = GridStyle(digit_height=0.3)
    drawing = draw(np.random.default_rng(1), Conditions(size=(700, 700), grid=plain), puzzles=[puzzle])
    scores = scores_of(drawing)
    assert scores.marks.max() < 0.2
    assert np.array_equal(scores.log_probs.argmax(axis=1), puzzle.ravel())


def test_a_page_of_print_is_plainly_unmarked_until_a_spot_or_a_doubt_comes(puzzle: Board) -> None:
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


def test_a_page_of_scribbles_is_not_read_piece_by_piece(puzzle: Board) -> None:
    drawing = marked_page(puzzle, "square", typed=True)
    readings = read_cells(Photo(drawing.pixels), drawing.grids[0].lattice, load_model(), turn=0)
    scores = load_model().classify(readings.cells)
    comb = np.zeros((81, MARK_CELL, MARK_CELL), np.float32)
    comb[:, 10:30, 4:76:4] = comb[:, 10:30, 5:76:4] = 1.0
    comb[:, 40:60, 4:76:4] = comb[:, 40:60, 5:76:4] = 1.0
    assert load_mark_reader().read(readings.cells, scores, lambda: comb) is scores


def contents_of(count: int, legible: float) -> Contents:
    return Contents(np.zeros((81, 9), np.float32), np.full(81, count), np.full(81, legible))


def test_a_lone_doubtful_cell_is_silenced_by_its_page_and_one_among_many_is_not() -> None:
    found = np.ones(81, bool)
    alone = np.tile([1e-3, 0.999, 1e-4], (81, 1))
    alone[5] = [0.01, 0.5, 0.49]
    among = alone.copy()
    among[20:60] = [1e-3, 1e-4, 0.999]
    assert on_page(alone, contents_of(2, 3.0), found, 0.3)[5] < 0.1
    assert on_page(among, contents_of(2, 3.0), found, 0.3)[5] > 0.5


def test_creases_that_look_like_no_digits_are_no_marks() -> None:
    found = np.ones(81, bool)
    kinds = np.tile([1e-3, 0.999, 1e-4], (81, 1))
    kinds[20:60] = [0.3, 0.1, 0.6]
    assert (on_page(kinds, contents_of(2, 3.0), found, 0.3)[20:60] > 0.8).all()
    assert (on_page(kinds, contents_of(2, -4.0), found, 0.3)[20:60] < 0.1).all()


def test_one_small_digit_in_every_cell_is_an_entry_and_no_mark() -> None:
    found = np.ones(81, bool)
    kinds = np.tile([1e-3, 0.999, 1e-4], (81, 1))
    kinds[20:] = [1e-3, 0.6, 0.4]
    assert (on_page(kinds, contents_of(1, 5.0), found, 0.3) < 0.1).all()
    assert (on_page(kinds, contents_of(2, 5.0), found, 0.3)[20:] > 0.8).all()
