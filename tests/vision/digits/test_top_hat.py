"""The paper of a cell is levelled: shadows and slopes go, strokes stay, however bold or faint."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.glyphs import cut_glyphs, levelled

SLOPE = np.broadcast_to(np.linspace(-0.2, 0.2, 40, dtype=np.float32), (40, 40))
SHADOW = np.clip(2 * SLOPE, 0.0, 0.3)  # with a soft edge


def level(cell: Floats) -> Floats:
    """One cell of 40 pixels with its paper levelled."""
    cells = np.stack([cell, cell]).astype(np.float32)
    coarse = np.stack([cv2.resize(one, (10, 10), interpolation=cv2.INTER_AREA) for one in cells])
    result: Floats = levelled(cells, coarse)[0]
    return result


@pytest.mark.parametrize("paper", [SLOPE, SHADOW], ids=["slope", "shadow"])
def test_uneven_paper_becomes_even(paper: Floats) -> None:
    assert np.ptp(level(paper)[4:-4, 4:-4]) < 0.6 * np.ptp(paper)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_strokes_keep_their_strength(width: int) -> None:
    cell = np.zeros((40, 40), np.float32)
    cell[6:34, 18 : 18 + width] = 1.0
    cell[6 : 6 + width, 8:32] = 1.0
    assert level(cell)[cell > 0] == pytest.approx(1.0, abs=0.05)


def test_a_faint_stroke_on_sloping_paper_is_cut_out_whole() -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[:40, 8:32, 18:22] = 1.0  # the print of the page
    cells[40] = SLOPE
    for left in (10, 26):  # an H in pencil
        cells[40, 8:32, left : left + 3] += 0.25
    cells[40, 19:22, 10:29] += 0.25
    left, _, right, _ = cut_glyphs(cells).box[40]
    assert 40 * left == pytest.approx(10, abs=2)
    assert 40 * right == pytest.approx(29, abs=2)
