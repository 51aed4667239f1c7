"""Puzzles alone in a picture: read again as what they are, answers told from clues."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, draw_puzzle, puzzle_lattice
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.generator import Constraints, series
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.results import Photo


@pytest.fixture(scope="module")
def item() -> PrintablePuzzle:
    """A puzzle."""
    puzzle = next(series(Constraints(clues=30), 1))
    return PrintablePuzzle(puzzle.board, puzzle.solution)


def test_a_solved_picture_holds_clues_and_answers(item: PrintablePuzzle) -> None:
    plain, solved = draw_puzzle(item), draw_puzzle(item, solved=True)
    cells = np.abs(plain.astype(int) - solved).max(axis=2)[72:-72, 72:-72].reshape(9, 96, 9, 96)
    # Where the answers are, and the clues bolder, there is more ink; clues stay darker than answers.
    assert (cells.max(axis=(1, 3)) > 100).all()
    darkest = solved.max(axis=2)[72:-72, 72:-72].reshape(9, 96, 9, 96)[:, 10:-10, :, 10:-10].min(axis=(1, 3))
    assert darkest[item.puzzle > 0].max() < darkest[item.puzzle == 0].min()


def test_the_grid_lies_where_its_lattice_says(item: PrintablePuzzle) -> None:
    (grid,) = read_page(Photo(draw_puzzle(item))).grids
    assert np.abs(grid.lattice.crossings - puzzle_lattice().crossings).max() < 2  # pixels of 96 a cell


def test_thick_lines_lie_between_regions() -> None:
    jigsaw = Rules("111111222113334442513333342555555342665654442766664882777688882777689889779999999")
    grey = draw_puzzle(PrintablePuzzle(np.zeros((9, 9), np.int8), rules=jigsaw))[..., 0]
    pitch = puzzle_lattice().cell_size
    places = puzzle_lattice().crossings
    widths = {}
    for cell in range(81):
        row, column = divmod(cell, 9)
        x, y = places[row, column] + pitch / 2
        if column < 8:
            widths[cell, cell + 1] = (grey[round(y), round(x) : round(x + pitch)] < 128).sum()
        if row < 8:
            widths[cell, cell + 9] = (grey[round(y) : round(y + pitch), round(x)] < 128).sum()
    assert {pair for pair, width in widths.items() if width > 2} == set(jigsaw.borders())
