"""Cutting a cell of pencil marks into rows and into pieces that may be one mark each."""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.glyphs import GLYPH
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL, cut_pieces, rows_of


def page_with(*strokes: tuple[int, int, int, int], cell: int = 40) -> Floats:
    """Clean ink (81, S, S) with filled rectangles (left, top, right, bottom) in one cell."""
    ink = np.zeros((81, MARK_CELL, MARK_CELL), np.float32)
    for left, top, right, bottom in strokes:
        ink[cell, top:bottom, left:right] = 1
    return ink


def test_marks_side_by_side_stand_in_one_row_and_those_below_in_another() -> None:
    ink = page_with((8, 8, 14, 30), (22, 10, 28, 32), (10, 48, 16, 70))
    rows = rows_of(ink[40], 1.0)
    assert [int(np.flatnonzero(row.mask.any(axis=1))[0]) for row in rows] == [8, 48]


def test_each_mark_is_a_piece_and_so_are_neighbours_together() -> None:
    pieces = cut_pieces(page_with((8, 8, 14, 30), (22, 8, 28, 30)), [40])
    spans = {tuple(np.round(MARK_CELL * box[[0, 2]]).astype(int).tolist()) for box in pieces.boxes}
    assert {(8, 14), (22, 28), (8, 28)} <= spans
    together = np.flatnonzero(np.isclose(pieces.boxes[:, 2] - pieces.boxes[:, 0], 20 / MARK_CELL))
    assert (pieces.gaps[together] > 0.2).all()
    assert pieces.images.shape[1:] == (GLYPH, GLYPH)
    assert set(pieces.cells.tolist()) == {40}


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
