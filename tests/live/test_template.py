"""A board is known again by its template, however it is turned, and whatever light falls on it."""

from __future__ import annotations

import numpy as np

from sudoku_vision.live.template import SIDE, Template, cell_similarities, similarity
from sudoku_vision.live.tracking import TrackingFrame, start_track
from sudoku_vision.results import Image
from sudoku_vision.workshop.rendering import Drawing


def template_of(drawing: Drawing, pixels: Image | None = None, turn: int = 0) -> Template:
    frame = TrackingFrame.of(drawing.pixels if pixels is None else pixels)
    track = start_track(frame, drawing.grids[0].lattice.turned(turn))
    assert track is not None
    return track.template


def test_a_template_is_straight_and_knows_its_inked_cells(drawing: Drawing) -> None:
    template = template_of(drawing)
    assert template.image.shape == (SIDE, SIDE)
    assert (template.inked == (drawing.grids[0].puzzle.reshape(81) > 0)).all()


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
