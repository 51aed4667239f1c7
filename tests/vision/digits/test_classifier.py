"""Another classifier: whatever gives probabilities for 81 cells can read photos in place of the model."""

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from examples import EASY

from sudoku_vision import solve_photo
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import CellClassifier, load_model, read_cells
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import DigitScores, Photo
from workshop.rendering import Conditions, Drawing, draw


def scores_of(answers: Floats) -> DigitScores:
    """Print alone, with these probabilities (81, 10), as they come out of a classifier."""
    shares = answers / answers.sum(axis=1, keepdims=True)
    return DigitScores(np.log(shares).astype(np.float32), np.full(81, 0.01, np.float32))


class TemplateMatcher(CellClassifier):
    """Compares each glyph with the mean shape of each digit in a board that is known."""

    def __init__(self, known: Drawing) -> None:
        glyphs = cut_glyphs(rectify(Photo(known.pixels), known.grids[0].lattice))
        digits = known.grids[0].puzzle.ravel()
        self.templates = np.stack([glyphs.images[digits == digit].mean(axis=0) for digit in range(1, 10)])

    def classify(self, cells: Floats) -> DigitScores:
        glyphs = cut_glyphs(cells)
        off = glyphs.images[:, None] - self.templates
        likeness = np.exp(-0.5 * (off**2).sum(axis=(2, 3)))
        blank = np.where(glyphs.found, 1e-6, 1.0)
        return scores_of(np.column_stack([blank, np.where(glyphs.found[:, None], likeness, 0) + 1e-6]))


@pytest.fixture(scope="module")
def matcher() -> TemplateMatcher:
    conditions = Conditions(size=(480, 480))
    return TemplateMatcher(draw(np.random.default_rng(1), conditions, puzzles=[board(EASY)]))


def test_template_matching_reads_a_drawn_photo(drawing: Drawing, matcher: TemplateMatcher) -> None:
    (grid,) = solve_photo(Photo(drawing.pixels), model=matcher).grids
    assert board_text(grid.puzzle) == PUZZLE
    assert grid.solution is not None
    assert board_text(grid.solution) == SOLUTION


@pytest.mark.parametrize("turn", [1, 2])
def test_a_classifier_that_reads_upright_cells_reads_turned_grids(
    drawing: Drawing, matcher: TemplateMatcher, turn: int
) -> None:
    pixels = np.ascontiguousarray(np.rot90(drawing.pixels, turn))
    (grid,) = solve_photo(Photo(pixels), model=matcher).grids
    assert board_text(grid.puzzle) == PUZZLE


def test_where_the_turn_is_known_no_other_is_classified(drawing: Drawing) -> None:
    lattice = drawing.grids[0].lattice
    upright = read_cells(Photo(drawing.pixels), lattice, load_model())
    known = read_cells(Photo(drawing.pixels), lattice.turned(1), load_model(), turn=3)
    assert (known.turns.likely, list(known.turns.by_turn)) == ((3,), [3])
    read = known.turns.likely_scores[3].log_probs.argmax(axis=1)
    assert np.array_equal(read, upright.turns.likely_scores[0].log_probs.argmax(axis=1))
