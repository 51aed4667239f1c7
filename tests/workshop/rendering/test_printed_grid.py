"""What is printed: ink lands where it is asked to, grids have their style, typefaces their licences."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from sudoku_vision.output.drawing.figure import BLACK, WHITE
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.values import Image
from workshop.rendering.canvas import Canvas
from workshop.rendering.printed_grid import Diagonals, GridStyle, PrintedGrid, print_grid
from workshop.rendering.typefaces import (
    BUNDLED_FOLDERS,
    is_handwriting,
    plain_typeface,
)

EMPTY = np.zeros((9, 9), np.int8)
STYLE = GridStyle(thin=0.05, thick=0.15, border=0.15)
GRID = PrintedGrid(20, 20, 40, EMPTY, EMPTY, EMPTY)


def printed(grid: PrintedGrid, style: GridStyle) -> Image:
    canvas = Canvas.blank(400, 400, WHITE)
    print_grid(canvas, grid, style, plain_typeface(), WHITE, 1.0)
    return canvas.pixels[:, :, 0]


def test_shaded_boxes_and_a_lit_cell_colour_what_they_should() -> None:
    style = replace(STYLE, shaded=(4,), shade=(200, 200, 200), highlight=8, highlight_colour=(150, 150, 150))
    middles = printed(GRID, style)[40:380:40, 40:380:40]
    assert (middles[3:6, 3:6] == 200).all()
    assert (middles[0] == 150).all() and (middles[:, 8] == 150).all() and (middles[:3, 6:] == 150).all()
    assert (middles[6:, :8] == 255).all()


def test_dotted_lines_leave_paper_between_their_dots_and_none_leaves_all() -> None:
    dotted, none = (printed(GRID, replace(STYLE, thin_lines=kind)) for kind in ("dotted", "none"))
    line = slice(30, 50), 60  # of the thin line between the first two columns
    assert 0.3 < (dotted[line] < 128).mean() < 0.7
    assert (none[line] == 255).all()


def test_thick_lines_run_between_regions_and_nowhere_else() -> None:
    text = random_regions(np.random.default_rng(1))
    regions = np.array([int(region) for region in text])
    colours = tuple((100.0 + 10 * number,) * 3 for number in range(9))
    pixels = printed(GRID, replace(STYLE, regions=text, region_colours=colours))
    assert (pixels[30:380:40, 30:380:40].ravel() == 90 + 10 * regions).all()
    across = np.stack([pixels[32 + 40 * row, 17 + 40 : 23 + 40] for row in range(9)])  # the first column line
    is_thick = (across == 0).all(axis=1)
    assert (is_thick == (regions.reshape(9, 9)[:, 0] != regions.reshape(9, 9)[:, 1])).all()
    assert (across[:, 2:4] == 0).all()


def test_diagonals_run_from_corner_to_corner() -> None:
    for diagonals in get_args(Diagonals):
        pixels = printed(GRID, replace(STYLE, diagonals=diagonals))
        marked = pixels[20:380, 20:380].reshape(9, 40, 9, 40)[:, 12:-12, :, 12:-12].min(axis=(1, 3)) < 255
        assert (marked == ((np.eye(9) + np.eye(9)[::-1] > 0) & (diagonals != "none"))).all()


def test_an_edge_within_a_pixel_covers_it_in_part() -> None:
    canvas = Canvas.blank(6, 4, WHITE)
    canvas.rectangle(1.5, 1, 4, 3, BLACK)
    assert canvas.pixels[1, :, 0].tolist() == [255, 128, 0, 0, 255, 255]
    assert canvas.pixels[0].min() == canvas.pixels[3].min() == 255


def test_what_lies_beyond_the_sheet_is_left_out() -> None:
    canvas = Canvas.blank(5, 5, WHITE)
    canvas.rectangle(-9, -9, -1, 99, BLACK)
    canvas.ink(np.full((9, 9), 255, np.uint8), 7, 7, BLACK)
    assert canvas.pixels.min() == 255
    canvas.ink(np.full((9, 9), 255, np.uint8), 3, -4, BLACK)
    assert (canvas.pixels[:, 3:] == 0).all()
    assert (canvas.pixels[:, :3] == 255).all()


@pytest.mark.parametrize("digit", "1234567890")
def test_a_digit_stands_centred_and_as_tall_as_asked(digit: str) -> None:
    canvas = Canvas.blank(100, 100, WHITE)
    canvas.glyph(digit, 50, 50, 60, plain_typeface(), BLACK)
    rows, columns = (np.flatnonzero((canvas.pixels[:, :, 0] < 128).any(axis=axis)) for axis in (1, 0))
    assert len(rows) == pytest.approx(60, abs=3)
    assert (rows[0] + rows[-1]) / 2 == pytest.approx(49.5, abs=2)
    assert (columns[0] + columns[-1]) / 2 == pytest.approx(49.5, abs=2)


def test_every_bundled_font_comes_with_its_licence() -> None:
    fonts = [font for folder in BUNDLED_FOLDERS for font in folder.glob("*-normal.*")]
    assert len(fonts) == 8
    for font in fonts:
        family = font.name.split("-latin-")[0]
        assert "Open Font License" in font.with_name(f"{family}-LICENSE.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("family", "written"),
    [("Caveat Brush", True), ("Gochi Hand", True), ("DkgHandwriting", True), ("Liberation Sans", False)],
)
def test_handwriting_is_known_by_the_family_name(family: str, written: bool) -> None:
    assert is_handwriting(family) is written
