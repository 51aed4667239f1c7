"""Stains, creases and shadows are no digits: the page tells by the depth of its ink, and by what is plain."""

from __future__ import annotations

import numpy as np
from conftest import PUZZLE, board

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.digits.faint_ink import with_faint_ink_doubted, with_half_written_cells_doubted
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements

CLUES = board(PUZZLE).ravel()
STAIN, OTHER = (int(cell) for cell in np.flatnonzero(CLUES == 0)[:2])


def page(stained: dict[int, float], written: float = 0.02) -> DigitScores:
    """The puzzle in plain print; each *stained* cell is a 7 with so much probability, *written* by hand."""
    probabilities = np.full((81, 10), 1e-6)
    probabilities[np.arange(81), CLUES] = 1.0
    for cell, probability in stained.items():
        probabilities[cell, [0, 7]] = 1 - probability, probability
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    by_hand = np.full(81, 0.02, np.float32)
    by_hand[list(stained)] = written
    return DigitScores(np.log(probabilities).astype(np.float32), by_hand)


def inks(depths: dict[int, float]) -> InkMeasurements:
    """Ink of an even log-depth of -0.4, but in the cells of *depths*."""
    values = np.zeros((81, 4), np.float32)
    values[:, 2] = -0.4
    for cell, depth in depths.items():
        values[cell, 2] = depth
    return InkMeasurements(values, np.ones_like(values), np.full(81, 5, np.float32))


def inked(scores: DigitScores) -> Floats:
    probabilities = np.exp(scores.log_probs)
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-3)
    return np.asarray(1 - probabilities[:, 0])


def test_a_stain_much_fainter_than_the_print_is_hardly_a_digit() -> None:
    before = page({STAIN: 0.5})
    after = inked(with_faint_ink_doubted(before, inks({STAIN: -2.4})))
    assert after[STAIN] < 0.01
    clues = CLUES > 0
    assert np.allclose(after[clues], inked(before)[clues], atol=1e-3)


def test_ink_as_deep_as_the_faintest_digits_is_left_as_it_is() -> None:
    pencil = {int(cell): -1.4 for cell in np.flatnonzero(CLUES)[:6]}
    before = page({STAIN: 0.5})
    for depths in ({STAIN: -0.4}, {STAIN: 0.2}, {**pencil, STAIN: -1.6}):
        after = with_faint_ink_doubted(before, inks(depths))
        assert np.allclose(after.log_probs, before.log_probs, atol=1e-4)


def test_a_page_with_few_digits_does_not_tell_how_deep_ink_is() -> None:
    before = page({int(cell): 0.5 for cell in np.flatnonzero(CLUES)[5:]})
    assert with_faint_ink_doubted(before, inks({STAIN: -2.4})) is before


def test_where_several_cells_look_half_written_and_none_plainly_nobody_wrote() -> None:
    creases = dict.fromkeys(np.flatnonzero(CLUES == 0)[:4].tolist(), 0.7)
    after = inked(with_half_written_cells_doubted(page(creases, written=0.9)))
    assert (after[list(creases)] < 0.2).all()
    plain = page({**creases, STAIN: 0.999}, written=0.9)
    lone = page({STAIN: 0.7}, written=0.9)
    printed = page(creases, written=0.1)
    for untouched in (plain, lone, printed):
        assert with_half_written_cells_doubted(untouched) is untouched
