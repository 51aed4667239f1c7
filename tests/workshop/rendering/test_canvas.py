"""Canvas: ink lands where it is asked to, edges between pixels cover them in part."""

import numpy as np
import pytest

from sudoku_vision.output.drawing.figure import BLACK, WHITE
from workshop.rendering.canvas import Canvas
from workshop.rendering.typefaces import plain_typeface


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
