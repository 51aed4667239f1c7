"""Proposals: cells alone and outlines alone each lead to the grid."""

import cv2
import numpy as np
import pytest

from sudoku_vision.geometry import GRID_CORNERS, Points, homography_of_grid, project
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.locate.cells import cell_proposals
from sudoku_vision.vision.locate.outline import outline_proposals, upright
from sudoku_vision.vision.locate.surface import CROSSINGS
from sudoku_vision.vision.locate.threshold import Threshold, ink_mask

UNIT_CORNERS: Points = np.array([[0.0, 0], [9, 0], [0, 9]])


def test_proposals_are_not_mirrored() -> None:
    corners = np.array([[10.0, 10], [10, 190], [190, 190], [190, 10]])  # counter-clockwise in the picture
    homography = upright(homography_of_grid(corners))
    origin, right, down = (cv2.perspectiveTransform(np.array([[p]]), homography)[0, 0] for p in UNIT_CORNERS)
    assert np.allclose(origin, (10, 10))
    assert np.allclose(right, (190, 10))
    assert np.allclose(down, (10, 190))


def test_cells_alone_propose_the_grid() -> None:
    """A mask of 81 separate squares, without any line, is numbered and fitted."""
    paper = np.zeros((300, 300), np.uint8)
    for row in range(9):
        for column in range(9):
            paper[22 + 30 * row : 48 + 30 * row, 12 + 30 * column : 38 + 30 * column] = 255
    first = next(cell_proposals(paper)).homography
    points: Floats = cv2.perspectiveTransform(UNIT_CORNERS[None], first)[0]
    assert np.allclose(points, [[9.5, 19.5], [279.5, 19.5], [9.5, 289.5]], atol=1.0)


@pytest.mark.parametrize("turn", range(4))
def test_cells_squeezed_into_a_spine_propose_a_bent_grid(turn: int) -> None:
    """The last columns become narrower, down to two fifths, and the page rises towards them."""
    lines = np.cumsum([15, 40, 40, 40, 40, 39, 37, 32, 25, 16])
    paper = np.zeros((400, 400), np.uint8)
    for row, column in np.ndindex(9, 9):
        top = 15 + 40 * row - max(0, column - 5) ** 2
        paper[top + 2 : top + 38, lines[column] + 2 : lines[column + 1] - 1] = 255
    turned = np.ascontiguousarray(np.rot90(paper, turn))
    pieces = cv2.connectedComponents(turned)[1]
    middles = []
    for surface in cell_proposals(turned):
        points = surface(CROSSINGS).reshape(10, 10, 2)
        middles.append(np.rint((points[:-1, :-1] + points[1:, 1:]) / 2).astype(int).reshape(-1, 2))
    most = max(len(set(pieces[y.clip(0, 399), x.clip(0, 399)]) - {0}) for x, y in (m.T for m in middles))
    assert most == 81


def test_ink_within_a_dark_frame_proposes_a_grid() -> None:
    """A page on a dark table, a telephone: the frame hangs together all round, and the grid stands in it."""
    ink = np.zeros((400, 300), np.uint8)
    cv2.rectangle(ink, (5, 5), (294, 394), 255, 20)
    cv2.rectangle(ink, (60, 90), (240, 270), 255, 2)
    corners = [project(GRID_CORNERS, h) for h in outline_proposals(ink, min_side=24)]
    target = np.array([[60, 90], [240, 90], [240, 270], [60, 270]])
    assert any(np.abs(found - target).max() < 5 for found in corners)


def test_lines_between_boxes_alone_propose_the_grid_askew() -> None:
    """A screen seen at an angle: there is no border, and the lines between cells are lost."""
    target = np.array([[70.0, 60], [300, 90], [340, 330], [40, 280]])
    ends = np.array([[[3.0, 0], [3, 9]], [[6, 0], [6, 9]], [[0, 3], [9, 3]], [[0, 6], [9, 6]]])
    ink = np.zeros((400, 400), np.uint8)
    for start, end in np.rint(project(ends, homography_of_grid(target))).astype(int).tolist():
        cv2.line(ink, start, end, 255, 3)
    corners = [project(GRID_CORNERS, h) for h in outline_proposals(ink, min_side=24)]
    assert any(np.abs(found - target).max() < 8 for found in corners)


@pytest.mark.parametrize("light_on_dark", [False, True])
def test_ink_is_what_differs_from_its_surroundings(light_on_dark: bool) -> None:
    """Paper that darkens to one side is no ink, a stroke on it is."""
    picture: Image = np.tile(np.linspace(90, 200, 200).astype(np.uint8), (200, 1))
    stroke = picture[100:102, 20:180]
    stroke[:] = stroke + np.uint8(40) if light_on_dark else stroke - np.uint8(40)
    mask = ink_mask(picture, Threshold(1 / 10, 10, light_on_dark=light_on_dark))
    assert (mask[100, 30:170] == 255).all()
    assert not mask[:90].any()
    assert not mask[112:].any()
    kind, offset = (cv2.THRESH_BINARY, -9) if light_on_dark else (cv2.THRESH_BINARY_INV, 10)
    smooth = cv2.GaussianBlur(picture, (3, 3), 0)
    assert (mask == cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, 21, offset)).all()
