"""Debug pictures: a drawn board shows each cell at its place."""

import numpy as np

from sudoku_vision.output.debug import TILE, draw_board
from sudoku_vision.output.save import reduced


def test_a_drawn_board_shows_ink_where_its_cells_have_it() -> None:
    cells = np.zeros((81, 16, 16), np.float32)
    cells[12] = 1
    pixels = draw_board(cells)
    assert pixels.shape == (9 * TILE, 9 * TILE, 3)
    middles = pixels[TILE // 2 :: TILE, TILE // 2 :: TILE, 0]
    assert np.argwhere(middles < 128).tolist() == [[1, 3]]


def test_only_large_pictures_are_reduced() -> None:
    picture = np.zeros((100, 400, 3), np.uint8)
    small, scale = reduced(picture, 200)
    assert (small.shape, scale) == ((50, 200, 3), 0.5)
    assert reduced(picture, 400)[0] is picture
