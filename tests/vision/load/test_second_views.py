"""Second views: pages in poor light or under bands are read once more; black pages are called too dark."""

import numpy as np
import pytest
from conftest import PUZZLE

from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.load.light import Light
from sudoku_vision.vision.load.moire import without_bands
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import MESSAGES, TOO_DARK
from workshop.rendering import Drawing


def lit(pixels: Image | Floats, light: Floats | float, noise: float = 1.0) -> Photo:
    """Return what a phone sees of a picture under a *light*, a share of the full one."""
    grain = np.random.default_rng(1).normal(0, noise, pixels.shape)
    return Photo(np.clip(pixels * light + grain + 0.5, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("light", [(0.06, 0.06), (1, 0.08)], ids=["dark", "hard shadow on the right"])
def test_a_page_in_poor_light_is_solved_at_its_place(drawing: Drawing, light: tuple[float, float]) -> None:
    photo = lit(drawing.pixels, np.repeat(light, 240)[:, None])
    page = read_page(photo)
    (grid,) = page.grids
    assert (page.status, board_text(grid.puzzle)) == ("solved", PUZZLE)
    assert np.abs(grid.lattice.corners - drawing.grids[0].lattice.corners).max() < 3


def test_an_overexposed_page_is_solved_by_the_rest_of_its_ink(drawing: Drawing) -> None:
    photo = lit(262 - 0.05 * (255.0 - drawing.pixels), 1)  # the darkest ink is six grey levels below white
    page = read_page(photo)
    assert (page.status, board_text(page.grids[0].puzzle)) == ("solved", PUZZLE)


def test_a_page_in_usual_light_is_read_once(drawing: Drawing) -> None:
    light = Light(lit(drawing.pixels, 0.85))
    assert not list(light.second_views()) and not light.is_too_dark


def test_a_picture_without_light_is_called_too_dark(no_sudoku: Drawing) -> None:
    for photo in (lit(no_sudoku.pixels, 0.01), Photo(np.zeros((3, 2, 3), np.uint8))):
        page = read_page(photo)
        assert (page.status, page.message) == ("no_grid", TOO_DARK)
    assert read_page(Photo(no_sudoku.pixels)).message == MESSAGES["no_grid"]


def test_a_large_photo_is_lit_on_a_smaller_copy() -> None:
    (light,) = Light(Photo(np.full((30, 6100, 3), 20, np.uint8))).second_views()
    assert light.factor == 4 and light.pixels.shape == (7, 1525, 3)
    assert np.median(light.pixels) > 200


def banded(pixels: Image, period: float, angle: float) -> Image:
    """Return grey pixels of a picture under bands, which take up to half of the light."""
    down, across = (np.arange(side) for side in pixels.shape[:2])
    along = np.cos(angle) * across + np.sin(angle) * down[:, None]
    light = 0.75 + 0.25 * np.sin(2 * np.pi * along / period)
    return np.asarray(0.9 * pixels * light[..., None], np.uint8)


@pytest.mark.parametrize(("period", "angle"), [(9.0, 0.5), (17.0, 2.2), (30.0, 1.2)])
def test_a_page_under_bands_is_solved(drawing: Drawing, period: float, angle: float) -> None:
    pixels = banded(drawing.pixels, period, angle)
    clean = without_bands(pixels)
    assert clean is not None
    plain = 0.675 * drawing.pixels
    assert np.abs(clean - plain).mean() < 0.3 * np.abs(pixels - plain).mean()
    page = read_page(Photo(pixels))
    assert (page.status, board_text(page.grids[0].puzzle)) == ("solved", PUZZLE)


def test_a_page_without_bands_has_none(drawing: Drawing, no_sudoku: Drawing) -> None:
    assert without_bands(drawing.pixels) is None
    assert without_bands(no_sudoku.pixels) is None
    assert without_bands(np.zeros((1, 1, 3), np.uint8)) is None
