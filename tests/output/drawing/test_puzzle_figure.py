"""Puzzles alone in a picture: read again as what they are, answers told from clues."""

import numpy as np
import pytest

from sudoku_vision.output.drawing.figure import Line, Point, Text
from sudoku_vision.output.drawing.puzzle_figure import (
    PrintablePuzzle,
    draw_puzzle,
    puzzle_elements,
    puzzle_lattice,
)
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width
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


CAGED = Rules(cages=[(45, [10, 11, 12, 19, 21, 28, 29, 30, 39]), (14, [20, 40]), (3, [80])])
"""A ring with a hole, cells that touch at a corner, and a cage of one cell."""


def test_dashes_lie_inside_the_borders_of_cages_and_none_within_a_cage() -> None:
    grey = draw_puzzle(PrintablePuzzle(np.zeros((9, 9), np.int8), rules=CAGED))[..., 0] < 128
    grey = grey[72:-72, 72:-72]  # cells of 96 pixels
    owner = {cell: cage for cage in CAGED.cages for cell in cage.cells}
    for cell in range(81):
        own = grey[cell // 9 * 96 :, cell % 9 * 96 :][:96, :96]
        sides = {-9: own[5:9, 45:85], 9: own[87:91, 10:85], -1: own[45:85, 5:9], 1: own[10:85, 87:91]}
        for step, side in sides.items():
            other = cell + step if step % 9 == 0 or (cell + step) // 9 == cell // 9 else -1
            dashed = cell in owner and owner.get(other) != owner[cell]
            ink = side.mean()
            assert 0.2 < ink < 0.6 if dashed else ink == 0, (cell, step)


def test_sums_stand_clear_of_lines_marks_and_digits() -> None:
    entries, marks = np.zeros((9, 9), np.int8), [frozenset(range(1, 10))] * 81
    entries.flat[20], marks[20] = 7, frozenset()
    item = PrintablePuzzle(np.zeros_like(entries), entries=entries, marks=tuple(marks), rules=CAGED)

    def box_of(text: Text) -> tuple[Point, Point]:
        (x, y), width = text.place, text_width(text.words, text.size)
        left = x - width / 2 if text.anchor == "middle" else x
        return (left, y - CAP_HEIGHT * text.size), (left + width, y)

    elements = puzzle_elements(item, 9.0)  # a cell is one millimetre wide
    texts = [element for element in elements if isinstance(element, Text)]
    sums = [box_of(text) for text in texts if text.anchor == "start"]
    others = [box_of(text) for text in texts if text.anchor == "middle"]
    others += [(min(one.points), max(one.points)) for one in elements if isinstance(one, Line) and one.dashes]
    assert [text.words for text in texts if text.anchor == "start"] == ["45", "14", "3"]
    for (left, top), (right, bottom) in sums:
        for low, high in others:
            assert high[0] < left or low[0] > right or high[1] < top or low[1] > bottom
