"""Locate: the crossings are found in all kinds of pictures, and only those of sudokus."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from candidates import draw_screen, typefaces
from drawn.negatives import draw_negative
from drawn.pages import draw_page
from drawn_grids import VIEWS
from examples import EASY

from sudoku_vision.errors import UsageError
from sudoku_vision.geometry import UNIT_SQUARE
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.locate import locate, locate_at
from sudoku_vision.vision.results import Lattice, Photo
from workshop.rendering import (
    Bend,
    Conditions,
    GridStyle,
    Light,
    Optics,
    Pose,
    Writing,
    draw,
    random_conditions,
)
from workshop.rendering.canvas import Canvas
from workshop.rendering.typefaces import plain_typeface

VGA = (640, 480)
LINED = GridStyle(thin=0.03, thick=0.06)


def offset(found: Lattice, true: Lattice) -> float:
    """The largest error of a crossing, in cells, in the best of the four turns of the grid."""
    return min(
        float(np.linalg.norm(found.turned(turn).crossings - true.crossings, axis=2).max()) / true.cell_size
        for turn in range(4)
    )


def check(conditions: Conditions) -> None:
    """Every drawn grid is found once, and nothing else."""
    drawing = draw_page(np.random.default_rng(1), conditions)
    found = locate(Photo(drawing.pixels))
    assert len(found) == len(drawing.grids)
    for grid in drawing.grids:
        assert min(offset(lattice, grid.lattice) for lattice in found) < 0.08


@pytest.mark.parametrize(
    "conditions",
    [
        pytest.param(Conditions(size=(320, 240)), id="small picture"),
        pytest.param(Conditions(size=VGA, pose=Pose(fill=0.28)), id="grid of 130 px"),
        pytest.param(Conditions(pose=Pose(fill=0.98)), id="close to the edge"),
        pytest.param(Conditions(pose=Pose(roll=33)), id="at an angle"),
        pytest.param(Conditions(pose=Pose(roll=45)), id="on its corner"),
        pytest.param(Conditions(pose=Pose(pitch=48, yaw=20, fill=0.7)), id="steep"),
        pytest.param(Conditions(bend=Bend(arch=0.12)), id="bowed page"),
        pytest.param(Conditions(size=VGA, layout="newspaper"), id="print all round"),
        pytest.param(Conditions(grid=replace(LINED, border=0.0)), id="no border"),
        pytest.param(Conditions(grid=replace(LINED, border=0.14)), id="heavy border"),
        pytest.param(Conditions(grid=replace(LINED, thin_lines="dotted")), id="dotted"),
        pytest.param(Conditions(grid=replace(LINED, thin_strength=0.2)), id="faint"),
        pytest.param(
            Conditions(grid=replace(LINED, line_colour=(243.0, 243.0, 243.0))), id="all lines faint"
        ),
        pytest.param(random_conditions(np.random.default_rng(3), "screenshot_dark"), id="dark app"),
        pytest.param(random_conditions(np.random.default_rng(3), "screenshot_light"), id="light app"),
        pytest.param(Conditions(size=VGA, optics=Optics(blur=2.5, noise=6.0)), id="blur and noise"),
        pytest.param(Conditions(light=Light(gradient=0.6, shadow=0.5)), id="shadow"),
        pytest.param(Conditions(writing=Writing(share=1.0)), id="filled in"),
    ],
)
def test_finds_the_crossings(conditions: Conditions) -> None:
    check(conditions)


@pytest.mark.parametrize(
    "pose",
    [
        Pose(roll=10, pitch=15, fill=0.4),
        Pose(roll=10, pitch=-30, fill=0.6),
        Pose(roll=20, pitch=30, fill=0.6),
    ],
)
def test_without_a_border_print_beside_the_grid_is_no_row_of_cells(pose: Pose) -> None:
    """Lines of text look like a border, so that the grid may seem to begin one cell beside its place."""
    style = GridStyle(thin=0.02, thick=0.03, border=0.0)
    check(Conditions(size=VGA, layout="newspaper", grid=style, pose=pose, optics=Optics(blur=0.8, noise=3.0)))


def screenshot(
    contrast: int, cell: int, box: int, frame: str, border: str, theme: str
) -> tuple[Image, Floats]:
    """Return the picture (H, W, 3) of a puzzle as in an app, and its crossings (10, 10, 2) in pixels.

    *contrast*: that of the lines between cells, in per cent; at 0, only boxes have lines.
    *cell* and *box*: side of a cell and width of the lines round boxes, in pixels.
    """
    paper, full = (250, -250) if theme == "light" else (24, 231)

    def shade(share: float) -> tuple[float, float, float]:
        return (paper + share * full,) * 3

    side, start, band = 9 * cell, 2 * cell, cell // 2
    canvas = Canvas.blank(side + 2 * start, side + 4 * start, shade(0))
    surround = {"none": 0.0, "pale": 0.12, "dark": 0.85}[frame]
    ends = (start - band, start - band, start + side + band, start + side + band)
    canvas.rectangle(*ends, shade(surround))
    canvas.rectangle(start, start, start + side, start + side, shade(0))
    places = [start + cell * line for line in range(10)]
    for width, lines, share in ((1, places[1:-1], contrast / 100), (box, places[3:9:3], 1.0)):
        for at in lines:
            low = at - width // 2
            canvas.rectangle(low, start, low + width, start + side, shade(share))
            canvas.rectangle(start, low, start + side, low + width, shade(share))
    if border == "drawn":
        half = box // 2
        for at in (start, start + side):
            canvas.rectangle(at - half, start - half, at - half + box, start + side + box - half, shade(1))
            canvas.rectangle(start - half, at - half, start + side + box - half, at - half + box, shade(1))
    face = plain_typeface()
    for number, digit in enumerate(EASY):
        if digit != "0":
            x, y = (start + cell * (place + 0.5) for place in (number % 9, number // 9))
            canvas.glyph(digit, x, y, 0.55 * cell, face, shade(0.95))
    crossings = np.stack(np.meshgrid(places, places), axis=-1).astype(np.float32)
    return canvas.pixels, crossings


@pytest.mark.parametrize("contrast", [0, 2, 13, 80])
@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param((50, 5, "dark", "drawn", "light"), id="dark frame"),
        pytest.param((36, 6, "pale", "missing", "dark"), id="no border, pale frame, dark theme"),
        pytest.param((110, 3, "none", "missing", "light"), id="no border, no frame"),
    ],
)
def test_a_clean_screenshot_is_found_however_faint_its_cell_lines(
    contrast: int, drawn: tuple[int, int, str, str, str]
) -> None:
    pixels, crossings = screenshot(contrast, *drawn)
    (found,) = locate(Photo(pixels))
    assert np.abs(found.crossings - crossings).max() < max(1.5, 0.1 * drawn[0])


@pytest.mark.parametrize(("number", "seed"), [(5, 0), (54, 0), (36, 3), (43, 3)])
def test_columns_of_candidates_are_not_taken_for_lines(number: int, seed: int) -> None:
    drawing = draw_screen(number, seed, "square", typefaces(None)).drawing
    (found,) = locate(Photo(drawing.pixels))
    assert offset(found, drawing.grids[0].lattice) < 0.1


def test_finds_every_grid_of_a_page_in_reading_order() -> None:
    page = Conditions(size=(900, 1300), layout="newspaper", puzzles=2, pose=Pose(fill=0.36, shift=(0, -0.2)))
    drawing = draw_page(np.random.default_rng(1), page)
    found = locate(Photo(drawing.pixels))
    assert len(found) == len(drawing.grids) == 2
    centres = [tuple(lattice.crossings.mean(axis=(0, 1))) for lattice in found]
    assert centres == sorted(centres, key=lambda c: (round(float(c[1]) / 200), float(c[0])))


def test_a_grid_cut_off_by_the_edge_is_not_found() -> None:
    drawing = draw_page(np.random.default_rng(1), Conditions())
    for cut in (130, 400):
        assert locate(Photo(np.ascontiguousarray(drawing.pixels[:, cut:]))) == []
        assert locate(Photo(np.ascontiguousarray(drawing.pixels[:-cut]))) == []


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("cut", [0.25, 0.42])
def test_a_grid_that_lies_beyond_the_edge_by_less_than_half_a_cell_is_found(side: str, cut: float) -> None:
    """It is rotated, so that one corner is farther off than the other."""
    pose = Pose(pitch=6, roll=2, fill=0.7)
    drawing = draw_page(np.random.default_rng(1), Conditions(size=(900, 900), layout="newspaper", pose=pose))
    true = drawing.grids[0].lattice
    picture, origin = cropped(drawing.pixels, true, side, cut)
    found = locate(Photo(picture))
    assert min(offset(lattice, Lattice(true.crossings - origin)) for lattice in found) < 0.08


def cropped(pixels: Image, lattice: Lattice, side: str, cut: float) -> tuple[Image, Floats]:
    """A picture that ends *cut* cells within a side of its grid, and the place of its first pixel."""
    crossings, step = lattice.crossings, cut * lattice.cell_size
    height, width = pixels.shape[:2]
    left = round(crossings[:, 0, 0].mean() + step) if side == "left" else 0
    right = round(crossings[:, -1, 0].mean() - step) if side == "right" else width
    top = round(crossings[0, :, 1].mean() + step) if side == "top" else 0
    bottom = round(crossings[-1, :, 1].mean() - step) if side == "bottom" else height
    return np.ascontiguousarray(pixels[top:bottom, left:right]), np.array([left, top], np.float32)


def squared_paper(step: int) -> Image:
    pixels: Image = np.full((480, 640, 3), 255, np.uint8)
    pixels[::step] = pixels[:, ::step] = 0
    return pixels


def coloured_cells_alone() -> Image:
    picture: Image = np.full((700, 700, 3), 255, np.uint8)
    chequer = np.indices((9, 9)).sum(axis=0) % 2 * 165
    picture[50:626, 50:626] = 255 - np.kron(chequer, np.ones((64, 64)))[..., None]
    return picture


NO_GRIDS = {
    f"noise {seed}": np.random.default_rng(seed).integers(0, 256, (480, 640, 3), np.uint8) for seed in (1, 3)
}
NO_GRIDS |= {f"paper with squares of {step} pixels": squared_paper(step) for step in (8, 16, 32)}
NO_GRIDS["coloured cells"] = coloured_cells_alone()


@pytest.mark.parametrize("what", NO_GRIDS)
def test_what_is_no_grid_is_not_found(what: str) -> None:
    assert locate(Photo(NO_GRIDS[what])) == []


def test_a_part_of_a_larger_square_is_not_found_if_glare_fades_its_lines() -> None:
    """It has sixteen rows and columns; those at one side are washed out."""
    light = Light(glare=0.6)
    for seed in range(4):
        pixels = draw_negative(
            np.random.default_rng(seed), "sudoku16", Conditions(size=(600, 600), light=light)
        ).pixels
        assert locate(Photo(pixels)) == []


PINK, VIOLET = (170, 120, 210), (200, 160, 120)


def coloured_cells(lines: int) -> tuple[Image, Lattice]:
    """A grid of white and coloured cells, with lines of one pixel of the grey *lines*, its boxes in black.

    One cell has 64 pixels, so that such a line is lost where the picture is seen smaller.
    """
    cell, start = 64, 50
    picture: Image = np.full((700, 700, 3), 255, np.uint8)
    colours = np.random.default_rng(4).choice(3, (9, 9), p=[0.4, 0.3, 0.3])
    for (row, column), colour in np.ndenumerate(colours):
        top, left = start + cell * row, start + cell * column
        picture[top : top + cell, left : left + cell] = [(255, 255, 255), PINK, VIOLET][colour]
    for line in range(10):
        at, width = start + cell * line, 4 if line % 3 == 0 else 1
        value = 0 if line % 3 == 0 else lines
        picture[at : at + width, start : start + 9 * cell] = value
        picture[start : start + 9 * cell, at : at + width] = value
    crossings = np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1) * cell + start
    return picture, Lattice(crossings.astype(np.float32))


def test_coloured_cells_are_found_even_if_some_lines_between_them_are_lost() -> None:
    picture, true = coloured_cells(lines=60)
    (found,) = locate(Photo(picture))
    assert offset(found, true) < 0.1


@pytest.mark.parametrize("cell", [36, 110])
@pytest.mark.parametrize("boxes", [216, 90])
def test_pale_lines_of_one_pixel_are_found_within_a_strong_frame(cell: int, boxes: int) -> None:
    """As apps draw them, with buttons below."""
    top, left = 3 * cell, cell // 2
    picture: Image = np.full((16 * cell, 10 * cell, 3), 255, np.uint8)
    for line in range(10):
        value = boxes if line % 3 == 0 else 216
        picture[top + cell * line, left : left + 9 * cell] = value
        picture[top : top + 9 * cell, left + cell * line] = value
    cv2.rectangle(picture, (left, top), (left + 9 * cell, top + 9 * cell), (0, 0, 0), 4)
    for row, column in np.argwhere(np.random.default_rng(1).random((9, 9)) < 0.35).tolist():
        at = (left + cell * column + cell // 3, top + cell * row + 3 * cell // 4)
        font, size, width = cv2.FONT_HERSHEY_SIMPLEX, cell / 52, max(1, cell // 20)
        cv2.putText(picture, str(1 + (row + column) % 9), at, font, size, (40, 40, 40), width)
    for button in range(4):
        start = left + round(2.3 * cell * button)
        cv2.rectangle(picture, (start, 13 * cell), (start + 2 * cell, 14 * cell), (220, 180, 160), -1)
    crossings = np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1) * cell + np.array([left, top])
    (found,) = locate(Photo(picture))
    assert offset(found, Lattice(crossings.astype(np.float32))) < 0.08


# Corners that a person pointed out.


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
