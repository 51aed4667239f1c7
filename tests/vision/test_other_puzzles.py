"""Other puzzles: killers, samurais and grids of other sizes are named, and nothing else is called one."""

from __future__ import annotations

import numpy as np
import pytest
from drawn.negatives import NegativeKind, draw_negative

from sudoku_vision.pipeline import read_page, read_photo
from sudoku_vision.results import Photo
from sudoku_vision.workshop.rendering import Conditions, MarkStyle, Writing, draw


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("sudoku6", "This grid has 6 x 6 cells: only sudokus of 9 x 9 cells can be solved."),
        ("sudoku16", "This grid has 16 x 16 cells: only sudokus of 9 x 9 cells can be solved."),
        ("killer", "Small sums stand in the corners of cells: this looks like a killer sudoku"),
        ("samurai", "Five grids overlap: this looks like a samurai sudoku"),
    ],
)
@pytest.mark.parametrize("seed", [0, 3])  # the first lies on its side
def test_what_another_puzzle_is_is_said_and_not_to_come_closer(
    kind: NegativeKind, said: str, seed: int
) -> None:
    page = read_photo(Photo(draw_negative(np.random.default_rng(seed), kind).pixels))
    assert page.status not in ("solved", "uncertain")
    assert page.message.startswith(said)
    assert page.to_dict()["other"] == page.other


@pytest.mark.parametrize("kind", ["text", "table", "crossword", "chessboard", "kakuro", "calendar", "tiles"])
def test_what_is_no_sudoku_is_called_none(kind: NegativeKind) -> None:
    for seed in range(2):
        page = read_photo(Photo(draw_negative(np.random.default_rng(seed), kind).pixels))
        assert (page.status, page.other) == ("no_grid", ""), seed


def test_pencil_marks_in_corners_make_no_killer() -> None:
    """Nor where so few clues stand that the puzzle has many solutions."""
    writing = Writing(marks=MarkStyle(share=0.6, most=2))
    puzzle = np.zeros((9, 9), np.int8)
    puzzle[[0, 2, 3, 5, 7, 8], [1, 6, 4, 7, 0, 2]] = [3, 7, 8, 5, 1, 6]
    page = read_page(
        Photo(draw(np.random.default_rng(2), Conditions(writing=writing), puzzles=[puzzle]).pixels)
    )
    assert page.status == "many_solutions"
    assert page.other == ""
