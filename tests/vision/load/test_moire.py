"""Moire: bands over a page are removed in a second try; a page without bands stays as it is."""

import numpy as np
import pytest
from conftest import PUZZLE

from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.values import Image
from sudoku_vision.vision.load.moire import without_bands
from sudoku_vision.vision.results import Photo
from workshop.rendering import Drawing


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
