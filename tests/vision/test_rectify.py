"""Rectify: whatever the light, the ink and the view, cells come out alike."""

import cv2
import numpy as np
import pytest
from drawn_grids import LATTICE, Colour, flat_board

from sudoku_vision.geometry import project
from sudoku_vision.values import Floats
from sudoku_vision.vision.rectify import CELL, rectify, remove_lines
from sudoku_vision.vision.rectify.illumination import SIDE as MEDIAN_SIDE
from sudoku_vision.vision.rectify.illumination import WINDOW, running_median
from sudoku_vision.vision.results import Lattice, Photo

PAPER, INK = (235, 240, 240), (30, 30, 30)


def drawn(
    digits: dict[int, str],
    paper: Colour = PAPER,
    ink: Colour = INK,
    line: Colour = INK,
    shades: dict[int, Colour] | None = None,
) -> tuple[Photo, Lattice]:
    return Photo(flat_board(digits, dict.fromkeys(digits, ink), paper, line, shades)), LATTICE


def puzzle(seed: int = 0) -> dict[int, str]:
    rng = np.random.default_rng(seed)
    return {int(cell): str(rng.integers(1, 10)) for cell in rng.choice(81, 28, replace=False)}


def inked(cells: Floats) -> Floats:
    """How much ink each cell holds, (81,), in shares of its area."""
    share: Floats = np.clip(cells, 0, 1).mean(axis=(1, 2))
    return share


def assert_digits_stand_out(cells: Floats, digits: dict[int, str]) -> None:
    ink = inked(cells)
    filled = np.zeros(81, bool)
    filled[list(digits)] = True
    assert ink[filled].min() > 2 * max(0.006, float(ink[~filled].max()))
    assert np.median(cells[filled].max(axis=(1, 2))) == pytest.approx(1.0, abs=0.35)


LOOKS: dict[str, tuple[Colour, Colour, Colour]] = {
    "dark on light": (PAPER, INK, INK),
    "light on dark": ((30, 28, 25), (230, 230, 235), (110, 110, 110)),
    "red print": ((225, 230, 230), (90, 80, 215), (90, 90, 90)),
    "blue on dark": ((40, 30, 30), (240, 150, 90), (90, 90, 90)),
    "faint": ((200, 200, 200), (160, 160, 160), (150, 150, 150)),
}


@pytest.mark.parametrize("look", LOOKS)
def test_ink_of_any_colour_becomes_positive_and_of_full_strength(look: str) -> None:
    digits = puzzle()
    cells = rectify(*drawn(digits, *LOOKS[look]))
    assert cells.shape == (81, CELL, CELL)
    assert cells.dtype == np.float32
    assert_digits_stand_out(cells, digits)


def test_shaded_cells_and_their_edges_and_paper_beyond_the_picture_leave_no_ink() -> None:
    digits = puzzle(1)
    shades: dict[int, Colour] = {
        cell: (200, 160, 140) if cell % 2 else (90, 200, 120) for cell in range(0, 81, 3)
    }
    photo, lattice = drawn(digits, shades=shades)
    inside = Photo(photo.pixels[25:375, 25:375].copy()), Lattice(lattice.crossings - 25)
    for shown in ((photo, lattice), inside):
        assert_digits_stand_out(rectify(*shown), digits)


def test_a_dark_and_a_light_cell_on_one_page_each_keep_their_own_polarity() -> None:
    photo, lattice = drawn({40: "8", **puzzle(2)})
    image = photo.pixels.copy()
    image[22:58, 22:58] = (90, 60, 40)
    cv2.putText(image, "5", (31, 50), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (250, 250, 250), 2, cv2.LINE_AA)
    cells = rectify(Photo(image), lattice)
    assert cells[0].max() > 0.6
    assert inked(cells)[0] == pytest.approx(inked(cells)[40], rel=0.6)


def test_uneven_light_and_a_shadow_change_little() -> None:
    digits = puzzle(3)
    photo, lattice = drawn(digits)
    y, x = np.mgrid[0 : photo.pixels.shape[0], 0 : photo.pixels.shape[1]] / photo.pixels.shape[0]
    light = (0.95 - 0.5 * x) * np.where(x + y > 1.1, 0.6, 1.0)
    light = cv2.GaussianBlur(light, (0, 0), 6)
    lit = Photo((photo.pixels * light[:, :, None]).astype(np.uint8))
    assert_digits_stand_out(rectify(lit, lattice), digits)


def test_lines_are_removed_even_if_the_lattice_is_off_by_four_hundredths_of_a_cell() -> None:
    digits = puzzle(4)
    photo, lattice = drawn(digits)
    for shift in ((1.6, 1.6), (-1.6, 1.0)):
        moved = Lattice(lattice.crossings + np.array(shift, np.float32))
        assert_digits_stand_out(rectify(photo, moved), digits)


def test_a_digit_that_touches_its_line_stays_whole() -> None:
    cells = np.zeros((81, CELL, CELL), np.float32)
    cells[:, :3] = 1
    cells[5, 2:30, 15:20] = 1  # a one that hangs from the line
    clean = remove_lines(cells)
    assert clean[4].max() == 0
    assert clean[5, 6:30, 15:20].min() == 1


def test_a_steep_view_gives_the_same_cells_as_a_flat_one() -> None:
    photo, lattice = drawn(puzzle(5))
    corners = np.array([[0, 0], [400, 0], [400, 400], [0, 400]], np.float32)
    target = np.array([[180, 60], [760, 20], [900, 780], [20, 690]], np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(corners, target), np.float64)
    steep = cv2.warpPerspective(photo.pixels, matrix, (920, 800), borderMode=cv2.BORDER_REPLICATE)
    there = Lattice(project(lattice.crossings, matrix).astype(np.float32))
    assert np.abs(rectify(photo, lattice) - rectify(Photo(np.asarray(steep)), there)).mean() < 0.03


def test_a_bent_page_is_straightened_along_its_lines() -> None:
    photo, lattice = drawn(puzzle(6))
    side = photo.pixels.shape[0]
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    bend = 12 * np.sin(np.pi * x / side).astype(np.float32)
    bent = Photo(
        np.asarray(cv2.remap(photo.pixels, x, y - bend, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    )
    crossings = lattice.crossings.copy()
    crossings[..., 1] += 12 * np.sin(np.pi * crossings[..., 0] / side)
    assert np.abs(rectify(photo, lattice) - rectify(bent, Lattice(crossings))).mean() < 0.03


def test_a_large_photo_gives_the_same_cells_as_a_small_one() -> None:
    photo, lattice = drawn(puzzle(7))
    for factor in (3, 6):
        large = cv2.resize(photo.pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        moved = Lattice((lattice.crossings + 0.5) * factor - 0.5)
        assert np.abs(rectify(photo, lattice) - rectify(Photo(np.asarray(large)), moved)).mean() < 0.03


@pytest.mark.parametrize("values", [256, 8, 2, 1])
def test_the_running_median_is_that_of_reflected_squares(values: int) -> None:
    rng = np.random.default_rng(values)
    squares = (rng.integers(0, values, (60, MEDIAN_SIDE, MEDIAN_SIDE)) * (255 // values)).astype(np.uint8)
    squares[:20].sort(axis=1)  # shadows that grow downwards
    reach = WINDOW // 2
    reflected = np.pad(squares, ((0, 0), (reach, reach), (reach, reach)), mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(reflected, (WINDOW, WINDOW), axis=(1, 2))
    expected = np.median(windows, axis=(3, 4)).astype(np.uint8)
    assert np.array_equal(running_median(squares.reshape(60, -1)), expected.reshape(60, -1))


@pytest.mark.parametrize("grain", [4, 20])
@pytest.mark.parametrize("digits", [{}, {40: "5"}], ids=["blank", "one digit"])
def test_the_grain_of_blank_paper_is_no_ink(grain: float, digits: dict[int, str]) -> None:
    photo, lattice = drawn(digits, paper=(180, 180, 180))
    noise = np.random.default_rng(0).normal(0, grain, photo.pixels.shape)
    grainy = np.clip(photo.pixels + noise, 0, 255).astype(np.uint8)
    assert rectify(Photo(grainy), lattice).any() == bool(digits)
