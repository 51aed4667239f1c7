"""Glare: white paper alone is no glare; where ink fades to white, blank cells may hold digits."""

from __future__ import annotations

import numpy as np

from sudoku_vision.results import DigitScores, Image
from sudoku_vision.vision.decode import MIN_SUPPORT, decode
from sudoku_vision.vision.digits.glare import burnt_out, with_hidden_digits


def page(light: np.ndarray) -> Image:
    """Cells (81, 40, 40, 3), a dark bar in every second one, under so much additional light (81,)."""
    cells = np.full((81, 40, 40, 3), 200.0)
    cells[::2, 12:28, 16:24] = 40
    return np.asarray(np.clip(cells + light[:, None, None, None], 0, 255), np.uint8)


def test_a_white_page_with_dark_ink_has_no_glare() -> None:
    assert not burnt_out(page(np.full(81, 60.0))).any()
    assert not burnt_out(page(np.zeros(81))).any()


def test_blank_cells_in_glare_that_fades_the_ink_may_have_lost_a_digit() -> None:
    light = np.zeros(81)
    light[30:50] = np.linspace(120, 240, 20)
    burnt = burnt_out(page(light))
    assert burnt[49] and burnt[48]
    assert not burnt[:30].any()
    assert not burnt[50:].any()


def test_a_burnt_out_blank_cell_may_hold_any_digit_and_the_others_stay() -> None:
    sure = np.full((81, 10), 1e-6)
    sure[:, 0] = 1 - 9e-6
    scores = DigitScores(np.log(sure).astype(np.float32), np.zeros(81, np.float32))
    burnt = np.arange(81) == 7
    found = np.exp(with_hidden_digits(scores, burnt).log_probs)
    assert 1e-4 < found[7, 1] / found[7, 0] < MIN_SUPPORT
    assert decode(with_hidden_digits(scores, ~burnt)).puzzle.any() == 0
    assert np.ptp(found[7, 1:]) < 1e-6
    assert np.array_equal(found[:7], np.exp(scores.log_probs)[:7])
