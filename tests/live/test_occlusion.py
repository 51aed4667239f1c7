"""What lies over a page that is filmed is noticed cell by cell, and nothing is drawn over it."""

from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from drawn.film import Frame, with_hand
from drawn.films import story
from numpy.typing import NDArray

from sudoku_vision.live.draw import Annotator
from sudoku_vision.live.occlusion import board_colours, occluded_cells, with_cells
from sudoku_vision.live.tracker import TrackedGrid, Tracker
from sudoku_vision.output.drawing.figure import Line
from sudoku_vision.output.overlay.shapes import frame, uncovered
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import load_model

SIZE = (640, 480)
Mask = NDArray[np.bool_]


@lru_cache(maxsize=2)
def played(name: str) -> list[tuple[Frame, TrackedGrid, Image]]:
    """The frames of a story in which its puzzle is sure, what is known of it, and what is drawn."""
    tracker, annotator = Tracker(load_model()), Annotator()
    told = []
    for one in story(name, size=SIZE, seed=3).frames():
        sure = [grid for grid in tracker.update(one.pixels, one.time) if grid.state == "sure"]
        told += [(one, grid, annotator.annotate(one.pixels, [grid])) for grid in sure]
    assert len(told) > 20
    return told


def hand_of(one: Frame) -> Mask:
    """Where the hand is in a frame, its soft edge left out."""
    alone = with_hand(np.zeros_like(one.pixels), one.hand)
    return np.asarray(cv2.erode((alone.max(axis=2) > 100).astype(np.uint8), np.ones((5, 5))) > 0)


def share_under(hand: Mask, grid: TrackedGrid) -> NDArray[np.float64]:
    """How much of each cell (81,) lies under the hand."""
    cells = np.zeros(hand.shape, np.uint8)
    for cell in range(81):
        cv2.fillConvexPoly(cells, np.rint(grid.lattice.cell(*divmod(cell, 9))).astype(np.int32), cell + 1)
    count, under = (np.bincount(numbers.ravel(), minlength=82)[1:] for numbers in (cells, cells[hand]))
    return np.asarray(under / np.maximum(count, 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hand", "covered"])
def test_nothing_is_drawn_over_a_hand(name: str) -> None:
    """But in the cells that a finger just touches; beside the hand all answers stand."""
    hands = [(hand_of(one), one, grid, drawn) for one, grid, drawn in played(name)]
    with_it = [found for found in hands if found[0].any()]
    assert len(with_it) > 10
    hidden = drawn_over = 0
    for hand, one, grid, drawn in with_it:
        ink = (drawn != one.pixels).any(axis=2)
        shares = share_under(hand, grid)
        assert {int(cell) for cell in np.flatnonzero(shares > 0.4)} <= grid.occluded
        if name == "hand":
            assert not grid.occluded & {int(cell) for cell in np.flatnonzero(shares == 0)} - near(shares)
        hidden += int((ink & hand).sum())
        plain = Annotator().annotate(one.pixels, [TrackedGrid(1, "sure", grid.lattice, grid.result)])
        drawn_over += int(((plain != one.pixels).any(axis=2) & hand).sum())
    assert hidden < 0.06 * drawn_over


def near(shares: NDArray[np.float64]) -> set[int]:
    """The cells beside those that a hand touches: its edge is soft, and it throws a shadow."""
    touched = (shares.reshape(9, 9) > 0).astype(np.uint8)
    return {int(cell) for cell in np.flatnonzero(cv2.dilate(touched, np.ones((3, 3))))}


@pytest.mark.parametrize(
    "name", ["in a shadow", *(pytest.param(name, marks=pytest.mark.slow) for name in ("exposure", "tilting"))]
)
def test_light_and_motion_cover_nothing(name: str) -> None:
    assert not any(grid.occluded for _, grid, _ in played(name))


def test_a_cell_is_not_covered_by_what_is_written_into_it() -> None:
    """A broad blue pen changes a cell as a finger would, until it is read."""
    blank: Image = np.full((300, 300, 3), 220, np.uint8)
    inked = blank.copy()
    cv2.line(inked, (22, 22), (42, 42), (180, 60, 30), 7, cv2.LINE_AA)
    to_frame = np.eye(3)
    known, seen = board_colours(blank, to_frame), board_colours(inked, to_frame)
    covered, after = occluded_cells(seen, known)
    assert np.flatnonzero(covered).tolist() == [0]
    covered, _ = occluded_cells(seen, with_cells(after, covered, seen))
    assert not covered.any()


def test_a_hand_over_most_of_the_page_is_not_taken_for_a_change_of_light() -> None:
    page: Image = np.full((300, 300, 3), 220, np.uint8)
    known = board_colours(page, np.eye(3))
    page[80:] = (110, 150, 200)
    covered, known = occluded_cells(board_colours(page, np.eye(3)), known)
    assert not covered[:18].any() and covered[27:].all()
    dim = np.full_like(page, 90)
    assert not occluded_cells(board_colours(dim, np.eye(3)), known)[0].any()


def test_a_frame_is_drawn_round_what_is_not_covered() -> None:
    """Its sides at a covered corner are left out, all else is one line, or two."""
    whole = frame((0, 0, 0))
    assert uncovered([whole], {40}) == (whole,), "nothing of it lies in the middle"
    pieces = uncovered([whole], {80})
    assert all(isinstance(piece, Line) and not piece.closed for piece in pieces)
    sides = [pair for piece in pieces if isinstance(piece, Line) for pair in pairwise(piece.points)]
    assert len(sides) == 34
    assert not {(9.0, 9.0)} & {point for pair in sides for point in pair}
