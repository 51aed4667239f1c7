"""Geometry: maps of the plane take places where they must, and outlines are measured as one would by hand."""

import cv2
import numpy as np

from sudoku_vision import geometry
from sudoku_vision.geometry import (
    CROSSINGS,
    GRID_CORNERS,
    UNIT_SQUARE,
    Points,
    fit_homography,
    fit_homography_robustly,
    homography_of_grid,
    project,
)

STEEP: Points = np.array([[120.0, 80.0], [610.0, 40.0], [700.0, 520.0], [60.0, 470.0]])
FLAT: Points = 90 * UNIT_SQUARE + 10


def test_corners_go_to_corners_and_places_between_them_as_a_camera_sees_them() -> None:
    homography = homography_of_grid(STEEP)
    assert np.allclose(project(GRID_CORNERS, homography), STEEP, atol=1e-3)
    expected = cv2.perspectiveTransform(CROSSINGS[None], homography)[0]
    assert np.allclose(project(CROSSINGS, homography), expected, atol=1e-9)


def test_a_homography_is_fitted_to_points_and_outliers_are_left_out() -> None:
    homography = homography_of_grid(STEEP)
    target = project(CROSSINGS, homography)
    fitted = fit_homography(CROSSINGS, target)
    assert fitted is not None
    assert np.abs(project(CROSSINGS, fitted) - target).max() < 0.01
    target[:20] += 200
    robust = fit_homography_robustly(CROSSINGS, target, stray=1.0)
    assert robust is not None
    assert robust[1].tolist() == [False] * 20 + [True] * 80
    assert np.abs(project(CROSSINGS[20:], robust[0]) - target[20:]).max() < 0.01


def test_an_outline_turns_clockwise_at_each_corner_or_is_not_convex() -> None:
    assert (geometry.corner_turns(STEEP) > 0).all()
    assert (geometry.corner_turns(STEEP[::-1]) < 0).all()
    crossed = STEEP[[0, 2, 1, 3]]
    assert len(set(np.sign(geometry.corner_turns(crossed)))) == 2
    assert geometry.is_convex(STEEP)
    assert not geometry.is_convex(crossed)
    assert geometry.is_clockwise(STEEP)
    assert not geometry.is_clockwise(STEEP[::-1])
