"""Tiles: a drawn board shows each cell at its place, titles and labels fit."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.output.drawing.colours import RED
from sudoku_vision.output.drawing.tiles import (
    TILE,
    board_lattice,
    draw_board,
    draw_empty_board,
    label_tile,
    reduced,
    titled,
)


def test_a_drawn_board_shows_ink_where_its_cells_have_it() -> None:
    cells = np.zeros((81, 16, 16), np.float32)
    cells[12] = 1
    pixels = draw_board(cells)
    assert pixels.shape == (9 * TILE, 9 * TILE, 3)
    middles = pixels[TILE // 2 :: TILE, TILE // 2 :: TILE, 0]
    assert np.argwhere(middles < 128).tolist() == [[1, 3]]
    assert board_lattice().crossings[1, 3].tolist() == [3 * TILE, TILE]


@pytest.mark.parametrize("words", ["short", "a very long line of words " * 20])
def test_a_title_fits_above_a_picture_that_stays_as_it_is(words: str) -> None:
    picture = np.full((50, 300, 3), 90, np.uint8)
    pixels = titled(picture, words)
    assert np.array_equal(pixels[-50:], picture)
    assert pixels[:-50].min() < 128
    assert pixels[:-50, -4:].min() == 255  # nothing runs over the edge


@pytest.mark.parametrize("words", ["7:99", "7:51 1:49 w and more"])
def test_a_label_stays_within_its_cell(words: str) -> None:
    pixels, empty = draw_empty_board(), draw_empty_board()
    label_tile(pixels, 40, words, RED)
    changed = np.argwhere((pixels != empty).any(axis=2))
    assert len(changed)
    assert (changed // TILE == 4).all()


def test_only_large_pictures_are_reduced() -> None:
    picture = np.zeros((100, 400, 3), np.uint8)
    small, scale = reduced(picture, 200)
    assert (small.shape, scale) == ((50, 200, 3), 0.5)
    assert reduced(picture, 400)[0] is picture
