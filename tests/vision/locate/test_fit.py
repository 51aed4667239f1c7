"""Fit: a guess is bent onto its grid, and a part of a grid leads to the whole."""

from __future__ import annotations

import cv2
import numpy as np

from sudoku_vision.geometry import homography_of_grid
from sudoku_vision.results import Floats
from sudoku_vision.vision.locate.candidate import GridCandidate, Proposal
from sudoku_vision.vision.locate.fit import score_proposal, shift_to_best
from sudoku_vision.vision.locate.flatten import Pyramid
from sudoku_vision.vision.locate.surface import CROSSINGS, flat_surface
from sudoku_vision.workshop.rendering import Bend, Conditions, Drawing, draw


def seeded(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def pyramid_of(drawing: Drawing) -> Pyramid:
    return Pyramid(np.asarray(cv2.cvtColor(drawing.pixels, cv2.COLOR_BGR2GRAY), np.uint8))


def farthest(candidate: GridCandidate, truth: Floats) -> float:
    """How far the farthest crossing lies off, in pixels."""
    found = candidate.surface(CROSSINGS).reshape(10, 10, 2)
    return float(np.linalg.norm(found - truth, axis=2).max())


def test_a_guess_is_bent_along_the_lines_of_a_bowed_page() -> None:
    drawing = draw(seeded(), Conditions(bend=Bend(arch=0.1)))
    true = drawing.grids[0].lattice
    guess = Proposal(homography_of_grid(true.corners))
    assert farthest(GridCandidate(flat_surface(guess.homography), 0.0), true.crossings) > 0.2 * true.cell_size
    fitted = score_proposal(pyramid_of(drawing), guess)
    assert farthest(fitted, true.crossings) < 0.08 * true.cell_size
    assert fitted.score > 0.95


def test_a_guess_one_cell_off_is_shifted_to_the_grid() -> None:
    drawing = draw(seeded(), Conditions())
    true = drawing.grids[0].lattice
    place = GridCandidate(flat_surface(homography_of_grid(true.corners)), 0.0)
    pyramid = pyramid_of(drawing)
    wrong = score_proposal(pyramid, place.shifted(1, 0))
    assert wrong.score < 0.9
    assert farthest(shift_to_best(pyramid, wrong), true.crossings) < 0.08 * true.cell_size


def test_dark_lines_are_no_grid_of_light_ones() -> None:
    drawing = draw(seeded(), Conditions())
    homography = homography_of_grid(drawing.grids[0].lattice.corners)
    assert score_proposal(pyramid_of(drawing), Proposal(homography, sign=-1)).score < 0.5
