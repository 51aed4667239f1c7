"""Stamps: as a figure the answers cover what they cover in the picture of the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import PUZZLE, board

from sudoku_vision.output.drawing.figure import Text
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, draw_puzzle
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.overlay import overlay
from sudoku_vision.output.overlay.printed_answers import page_stamp
from sudoku_vision.pipeline import read_photo
from sudoku_vision.results import Doubt, GridStatus, Image, Photo


@pytest.mark.parametrize("turns", [0, 1])
@pytest.mark.parametrize("status", ["solved", "uncertain"])
def test_a_stamp_covers_what_the_answers_cover_in_the_picture(turns: int, status: GridStatus) -> None:
    pixels: Image = np.ascontiguousarray(np.rot90(draw_puzzle(PrintablePuzzle(board(PUZZLE))), turns))
    (grid,) = read_photo(Photo(pixels)).grids
    if status == "uncertain":
        reading = replace(grid.reading, doubts=(Doubt(8, (5, 6), (0.6, 0.4)),))
        grid = replace(grid, status=status, reading=reading)
    stamp = page_stamp(Photo(pixels), [grid])
    drawn = raster(stamp, 200)
    assert drawn.shape == pixels.shape
    words = [element.words for element in stamp.elements if isinstance(element, Text)]
    assert words == ([] if status == "solved" else ["please check"])
    inside = (slice(72, -72), slice(72, -72))  # the word of a frame stands beside the grid
    picture = overlay(pixels, [grid])[inside]
    changed = (picture != pixels[inside]).any(axis=2) & (picture < 150).any(axis=2)
    stamped = (drawn[inside] < 150).any(axis=2)
    assert np.count_nonzero(stamped) > 10_000
    both = np.count_nonzero(changed & stamped)  # the edges of hollow digits are thin
    assert both > 0.75 * max(np.count_nonzero(changed), np.count_nonzero(stamped))
