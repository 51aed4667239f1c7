"""A board is known again by its template, however it is turned, and whatever light falls on it."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.live.template import SIDE, Template, best_turn, cell_similarities, similarity
from sudoku_vision.live.tracking import TrackingFrame, start_track
from sudoku_vision.results import Board, Image
from sudoku_vision.workshop.rendering import Conditions, Drawing, draw


def template_of(drawing: Drawing, pixels: Image | None = None, turn: int = 0) -> Template:
    frame = TrackingFrame.of(drawing.pixels if pixels is None else pixels)
    track = start_track(frame, drawing.grids[0].lattice.turned(turn))
    assert track is not None
    return track.template


def test_a_template_is_straight_and_knows_its_inked_cells(drawing: Drawing) -> None:
    template = template_of(drawing)
    assert template.image.shape == (SIDE, SIDE)
    assert (template.inked == (drawing.grids[0].puzzle.reshape(81) > 0)).all()


@pytest.mark.parametrize("turn", range(4))
def test_a_board_is_the_same_in_every_turn(drawing: Drawing, turn: int) -> None:
    found, alike = best_turn(template_of(drawing, turn=turn), template_of(drawing))
    assert (found + turn) % 4 == 0
    assert alike > 0.95


def test_another_puzzle_looks_like_none_of_the_turns(drawing: Drawing, puzzle: Board) -> None:
    other = draw(np.random.default_rng(1), Conditions(size=(480, 480)), puzzles=[puzzle[:, ::-1].copy()])
    assert best_turn(template_of(other), template_of(drawing))[1] < 0.3


def test_a_shadow_changes_little(drawing: Drawing) -> None:
    light = np.linspace(1.0, 0.4, drawing.pixels.shape[1])[None, :, None]
    shaded = template_of(drawing, (drawing.pixels * light).astype(np.uint8))
    template = template_of(drawing)
    assert similarity(shaded.image, template.image) > 0.9
    assert np.median(cell_similarities(shaded.image, template.image)) > 0.9


def test_blank_cells_are_alike_and_a_digit_is_not_like_a_blank(drawing: Drawing) -> None:
    template = template_of(drawing)
    blank = np.full_like(template.image, 128)
    alike = cell_similarities(template.image, blank)
    assert (alike[~template.inked] == 1).all() and (alike[template.inked] < 0.3).all()


def test_a_blurred_board_is_less_sharp(drawing: Drawing) -> None:
    blurred = drawing.pixels.astype(float)
    blurred = (blurred + np.roll(blurred, 6, axis=0) + np.roll(blurred, 6, axis=1)) / 3
    assert template_of(drawing, blurred.astype(np.uint8)).sharpness < 0.9 * template_of(drawing).sharpness
