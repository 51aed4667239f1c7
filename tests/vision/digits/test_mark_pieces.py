"""Cutting a cell of pencil marks into rows and into pieces that may be one mark each."""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL, cut_pieces


def page_with(*strokes: tuple[int, int, int, int], cell: int = 40) -> Floats:
    """Clean ink (81, S, S) with filled rectangles (left, top, right, bottom) in one cell."""
    ink = np.zeros((81, MARK_CELL, MARK_CELL), np.float32)
    for left, top, right, bottom in strokes:
        ink[cell, top:bottom, left:right] = 1
    return ink


def test_marks_that_touch_are_cut_where_the_ink_is_least() -> None:
    ink = page_with()
    for x in (20, 40):
        cv2.circle(ink[40], (x, 25), 10, 1.0, 4)
    pieces = cut_pieces(ink, [40])
    widths = np.round(MARK_CELL * (pieces.boxes[:, 2] - pieces.boxes[:, 0])).astype(int)
    assert any(abs(width - 22) <= 3 for width in widths.tolist())
    assert widths.max() > 30


def test_what_a_grid_line_has_left_at_the_edge_is_no_mark() -> None:
    assert len(cut_pieces(page_with((1, 2, 4, 70), (10, 76, 78, 79)), [40])) == 0


def test_cells_full_of_scribbles_take_bounded_work() -> None:
    rng = np.random.default_rng(0)
    ink = rng.random((81, MARK_CELL, MARK_CELL)).astype(np.float32)
    blurred = np.stack([cv2.GaussianBlur(cell, (0, 0), 1.5) for cell in ink])
    assert len(cut_pieces(blurred / blurred.max(), list(range(81)))) < 81 * 150
