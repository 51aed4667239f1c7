"""Corners that a person pointed out: bent along the lines near them, and refused where no grid can be."""

from typing import Any

import cv2
import numpy as np
import pytest

from sudoku_vision.errors import UsageError
from sudoku_vision.geometry import UNIT_SQUARE
from sudoku_vision.values import Image
from sudoku_vision.vision.locate import locate_at
from sudoku_vision.vision.results import Photo
from workshop.rendering import Bend, Conditions, Pose, draw

VIEWS = {
    "straight on": Conditions(size=(480, 480)),
    "steep": Conditions(size=(640, 480), pose=Pose(pitch=25, yaw=15, fill=0.9)),
    "bent": Conditions(size=(600, 600), bend=Bend(arch=0.1)),
    "dark screen": Conditions(size=(480, 640), dark=True, screenshot=True),
}


@pytest.mark.parametrize("view", VIEWS)
def test_corners_pointed_out_are_refined_along_the_lines(view: str) -> None:
    drawing = draw(np.random.default_rng(5), VIEWS[view])
    truth = drawing.grids[0].lattice
    shaken = truth.corners + np.random.default_rng(6).uniform(-0.12, 0.12, (4, 2)) * truth.cell_size
    found = locate_at(Photo(drawing.pixels), shaken)
    assert np.abs(found.crossings - truth.crossings).max() < 0.1 * truth.cell_size
    assert found.score > 0.9


def test_corners_without_lines_are_taken_as_they_are() -> None:
    pixels = np.full((300, 400, 3), 230, np.uint8)
    corners = [[20, 20], [290, 30], [280, 280], [10, 270]]
    found = locate_at(Photo(pixels), corners)
    assert np.allclose(found.corners, corners, atol=0.01)
    assert found.score < 0.5


@pytest.mark.parametrize(("pale", "blur"), [(222, 1.5), (228, 4.0)])
def test_corners_are_trusted_where_faint_lines_stand_beside_a_strong_frame(pale: int, blur: float) -> None:
    """As on a blurred picture of a tablet, whose frame lies nearly half a cell outside the grid."""
    cell, left, top = 36, 90, 60
    picture: Image = np.full((484, 514, 3), 235, np.uint8)
    corners = np.array([left, top]) + 9 * cell * UNIT_SQUARE
    for line in range(10):
        picture[top + cell * line, left : left + 9 * cell] = pale
        picture[top : top + 9 * cell, left + cell * line] = pale
    frame = np.rint(corners[[0, 2]] + 0.4 * cell * np.array([[-1], [1]])).astype(int).tolist()
    cv2.rectangle(picture, frame[0], frame[1], (40, 40, 40), 8)
    for row, column in np.argwhere(np.random.default_rng(2).random((9, 9)) < 0.4).tolist():
        at = (left + cell * column + cell // 3, top + cell * row + 3 * cell // 4)
        cv2.putText(picture, str(1 + (row + column) % 9), at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (60, 60, 60), 2)
    blurred = cv2.GaussianBlur(picture, (0, 0), blur) + np.random.default_rng(2).normal(0, 2, picture.shape)
    found = locate_at(Photo(np.clip(blurred, 0, 255).astype(np.uint8)), corners)
    assert np.abs(found.corners - corners).max() < 0.2 * cell


BLANK: Image = np.full((480, 480, 3), 230, np.uint8)


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([[0, 0], [0, 100], [100, 100], [100, 0]], "anti-clockwise"),
        ([[0, 0], [100, 100], [100, 0], [0, 100]], "four-sided"),
        ([[0, 0], [5, 0], [5, 5], [0, 5]], "so close"),
        ([[0, 0], [4000, 0], [4000, 4000], [0, 4000]], "outside the picture of 480 x 480"),
        ([[0, 0], [100, 0], [100, 100]], r"\(3, 2\)"),
    ],
)
def test_corners_that_can_not_be_are_wrong_usage(corners: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        locate_at(Photo(BLANK), corners)
