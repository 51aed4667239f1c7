"""Search: proposals are bent onto their grids by the lines that are seen, with a limited effort."""

import sys
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from sudoku_vision.geometry import GRID_CORNERS, UNIT_SQUARE, homography_of_grid, project
from sudoku_vision.values import Image
from sudoku_vision.vision.locate import fit, locate, proposed, quick_locate, search
from sudoku_vision.vision.locate.candidate import Proposal
from sudoku_vision.vision.locate.cells import cell_proposals
from sudoku_vision.vision.locate.fit import score_proposal
from sudoku_vision.vision.locate.outline import (
    has_too_many_pieces,
    outer_hulls,
    outline_proposals,
    upright,
)
from sudoku_vision.vision.locate.surface import CROSSINGS, Pyramid, flat_surface
from sudoku_vision.vision.locate.threshold import THRESHOLDS, Threshold, ink_mask
from sudoku_vision.vision.results import Photo
from workshop.rendering import Conditions, Optics, draw


@pytest.mark.parametrize("number", [0, 2])
def test_a_quick_search_finds_the_same_grid_as_the_full_one(number: int) -> None:
    photo = Photo(draw(np.random.default_rng(1), Conditions(size=(640, 480))).pixels)
    (quick,), (full,) = quick_locate(photo, number), locate(photo)
    assert np.abs(quick.crossings - full.crossings).max() < 0.1 * full.cell_size


def test_the_first_proposals_include_the_grid() -> None:
    drawing = draw(np.random.default_rng(1), Conditions(size=(640, 480)))
    true = drawing.grids[0].lattice
    off = [np.abs(corners - true.corners).max() for corners in proposed(Photo(drawing.pixels))]
    assert min(off) < 0.5 * true.cell_size


def test_proposals_are_not_mirrored() -> None:
    corners = np.array([[10.0, 10], [10, 190], [190, 190], [190, 10]])  # counter-clockwise in the picture
    homography = upright(homography_of_grid(corners))
    origin, right, down = (
        cv2.perspectiveTransform(np.array([[p]], float), homography)[0, 0] for p in ((0, 0), (9, 0), (0, 9))
    )
    assert np.allclose(origin, (10, 10))
    assert np.allclose(right, (190, 10))
    assert np.allclose(down, (10, 190))


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


BLANK: Image = np.full((600, 600), 230, np.uint8)


def square(x: float, y: float, side: float = 90.0, sign: int = 1) -> Proposal:
    return Proposal(flat_surface(homography_of_grid(side * UNIT_SQUARE + np.array([x, y]))), sign)


def test_a_search_ends_after_a_number_of_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    squares = (square(5 * place, place // 2) for place in range(100))
    monkeypatch.setattr(sys.modules[search.__module__], "proposals_at", lambda *_, **__: squares)
    assert search(Pyramid(BLANK), THRESHOLDS, 30) == ([], 0)
    assert len(list(squares)) == 70


def crossword(side: int, across: int) -> Image:
    """Return a clean crossword of so many cells *across*, (side, side, 3); a fifth of them are black."""
    pixels = np.full((side, side, 3), 255, np.uint8)
    black = np.random.default_rng(across).random((across, across)) < 0.2
    cell = (side - 100) // across
    for row, column in np.ndindex(across, across):
        x, y = 50 + cell * column, 50 + cell * row
        width = -1 if black[row, column] else 1
        cv2.rectangle(pixels, (x, y), (x + cell, y + cell), (0, 0, 0), width)
    return pixels


def test_a_crossword_beside_a_clean_grid_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    score = Mock(side_effect=score_proposal)
    monkeypatch.setattr(fit, "score_proposal", score)
    clean = Conditions(size=(900, 900), optics=Optics(blur=0, noise=0, jpeg=0))
    drawing = draw(np.random.default_rng(1), clean)
    found = locate(Photo(np.hstack([drawing.pixels, crossword(900, 13)])))
    assert len(found) == len(drawing.grids)
    assert np.abs(found[0].corners - drawing.grids[0].lattice.corners).max() < 3
    assert score.call_count < 60


@pytest.mark.parametrize("step", [2, 3])
def test_fine_dots_are_texture_and_not_a_hundred_thousand_pieces(step: int) -> None:
    """The contours of all of them, with the tree of holes, would take a minute."""
    dots: Image = np.zeros((1500, 2000), np.uint8)
    dots[::step, ::step] = 255
    assert has_too_many_pieces(dots)
    assert outer_hulls(dots) == []
    assert len(outer_hulls(np.asarray(~dots, np.uint8))) <= 1
    dots[300:700, 300:700] = 255
    (hull,) = outer_hulls(dots)  # a coarse piece among them
    low, high = hull.reshape(-1, 2).min(axis=0), hull.reshape(-1, 2).max(axis=0)
    assert np.abs([*(low - 300), *(high - 699)]).max() <= 3
