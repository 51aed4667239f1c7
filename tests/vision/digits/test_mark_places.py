"""The places of pencil marks are found on the page, and tell their digits."""

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.vision.digits.mark_places import fit_places
from sudoku_vision.vision.digits.mixture import Doubles

SHIFT, STEP = np.array([0.47, 0.54]), np.array([0.28, 0.25])


def marks_of(
    rng: np.random.Generator, count: int = 60, sure: float = 0.9
) -> tuple[NDArray[np.intp], Doubles]:
    """The digits 0..8 of *count* marks, and their probabilities by shape; one in ten is misread."""
    digits = rng.integers(0, 9, count)
    seen = np.where(rng.random(count) < 0.1, (digits + 3) % 9, digits)
    shapes = np.full((count, 9), 0.1 / 8)
    shapes[np.arange(count), seen] = 0.9
    return digits, shapes


def test_the_place_of_a_mark_tells_its_digit_a_second_time() -> None:
    rng = np.random.default_rng(0)
    digits, shapes = marks_of(rng)
    keypad = np.stack([digits % 3 - 1, digits // 3 - 1], axis=1)
    middles = SHIFT + STEP * keypad + rng.normal(0, 0.02, (len(digits), 2))
    places = fit_places(middles, shapes)
    assert np.allclose(places.origin, SHIFT, atol=0.02)
    assert np.allclose(places.step, STEP, atol=0.02)
    read = (np.log(shapes) + places.evidence(middles)).argmax(axis=1)
    assert (read == digits).all()


def test_marks_sorted_into_corners_are_left_to_their_shapes() -> None:
    """They stand on places, but of other digits."""
    rng = np.random.default_rng(0)
    cells = [np.sort(rng.choice(9, 4, replace=False)) for _ in range(30)]
    corners = np.array([(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)] * len(cells))
    middles = corners + rng.normal(0, 0.02, corners.shape)
    shapes = np.full((len(middles), 9), 0.4 / 8)
    shapes[np.arange(len(middles)), np.concatenate(cells)] = 0.6
    read = (np.log(shapes) + fit_places(middles, shapes).evidence(middles)).argmax(axis=1)
    assert (read == np.concatenate(cells)).all()


def test_marks_in_no_order_are_left_to_their_shapes() -> None:
    rng = np.random.default_rng(0)
    _, shapes = marks_of(rng)
    middles = rng.uniform(0.1, 0.9, (len(shapes), 2))
    evidence = fit_places(middles, shapes).evidence(middles)
    changed = (np.log(shapes) + evidence).argmax(axis=1) != shapes.argmax(axis=1)
    assert changed.mean() < 0.05
    assert fit_places(np.zeros((0, 2)), np.zeros((0, 9))).evidence(middles).shape == (60, 9)
