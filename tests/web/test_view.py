"""A view has all that a browser needs to draw a grid over its picture."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest
from handler_samples import KEY, SAMPLES, sample, solved, state_of

from sudoku_vision import read_photo
from sudoku_vision.api.board_pages import NO_PLACE
from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.overlay.answer_drawing import grid_shapes
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.results import NO_MARKS, Board, DigitScores, board_text
from sudoku_vision.sudoku.logic import explain
from sudoku_vision.vision.load import load_photo
from sudoku_vision.web.state import GridState, InkContent, StateCodec
from sudoku_vision.web.view import PREVIEW_SIDE, grid_view, preview_of, step_shapes


def test_the_view_lies_on_the_upright_picture() -> None:
    told = solved("exif_turned.jpg")
    page, photo = read_photo(SAMPLES / "exif_turned.jpg"), load_photo(sample("exif_turned.jpg"))
    assert told["view"]["size"] == [photo.pixels.shape[1], photo.pixels.shape[0]]
    (view,), (grid,) = told["view"]["grids"], page.grids
    assert np.abs(np.array(view["crossings"]) - grid.lattice.crossings).max() < 0.01
    assert grid.answers is not None and view["answers"] == board_text(grid.answers)
    assert not view["clues_by_hand"] and view["unclear"] == []
    look = view["look"]
    assert 0.4 <= look["height"] <= 0.72 and look["colour"].startswith("#") and not look["hollow"]


@pytest.mark.parametrize("by_hand", [True, False])
def test_handwritten_clues_are_told(puzzle: Board, by_hand: bool) -> None:
    log_probs = np.log(np.full((81, 10), 1e-4, np.float32))
    log_probs[np.arange(81), puzzle.ravel()] = np.log(0.999)
    scores = DigitScores(log_probs, np.full(81, float(by_hand), np.float32))
    kept = GridState(InkContent(scores, puzzle), NO_PLACE, PrintStyle(), (9, 9))
    assert grid_view(kept.grid(), kept, "")["clues_by_hand"] == by_hand


def test_the_shapes_are_what_the_command_line_draws() -> None:
    photo = load_photo(sample("half_solved.jpg"))
    kept = StateCodec(KEY).unpack(state_of("half_solved.jpg"))
    grid = kept.grid()
    drawn = photo.pixels.copy()
    draw_shapes(drawn, grid.lattice, grid_shapes(grid, kept.print_style))
    assert np.array_equal(drawn, overlay(photo, [grid]))


def test_a_preview_is_a_jpeg_of_bounded_size() -> None:
    pixels = np.zeros((1000, 2 * PREVIEW_SIDE, 3), np.uint8)
    head, _, data = preview_of(pixels).partition(",")
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert head == "data:image/jpeg;base64" and picture is not None
    assert picture.shape[:2] == (500, PREVIEW_SIDE)


def test_steps_are_drawn_one_after_the_other(puzzle: Board) -> None:
    kept = StateCodec(KEY).unpack(state_of("newspaper.jpg"))
    found = explain(puzzle)
    told = step_shapes(kept.grid(), puzzle, found.steps, PrintStyle(), NO_MARKS)
    boards = [before for before, _ in told]
    assert np.array_equal(boards[0], puzzle) and len(told) == len(found.steps)
    filled = [int((board > 0).sum()) for board in boards]
    placed = [len(step.placements) for step in found.steps]
    assert all(now + new == after for now, new, after in zip(filled, placed, filled[1:], strict=False))
    assert all(shapes for _, shapes in told)
