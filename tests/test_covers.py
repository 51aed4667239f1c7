"""A covered clue makes the grid uncertain; text, JSON and picture say which cells can't be seen."""

from pathlib import Path

import numpy as np
import pytest
from conftest import SOLUTION, Run
from covered_drawings import laid_over

from sudoku_vision import solve_photo
from sudoku_vision.output.save import save
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.vision.load import load_photo
from workshop.rendering import Conditions, Drawing, draw
from workshop.rendering.covers import covered, random_cover

CLUE = 36 + 4  # r5c5, without which the puzzle has many solutions


@pytest.mark.parametrize("kind", ["finger", "glare"])
def test_a_covered_clue_is_not_a_blank_one(drawing: Drawing, kind: str) -> None:
    page = solve_photo(laid_over(drawing, kind, CLUE)[0])
    (grid,) = page.grids
    assert grid.status == "uncertain"
    assert CLUE in grid.hidden
    assert "can't be seen" in page.message


def test_text_json_and_picture_say_which_cells_cannot_be_seen(
    drawing: Drawing, tmp_path: Path, run: Run
) -> None:
    photo, out = tmp_path / "photo.png", tmp_path / "solved.png"
    save(photo, laid_over(drawing, "finger", CLUE)[0])
    told = run("solve", photo, "-o", out)
    assert told.status == 1
    assert "can't be seen" in told.out
    (grid,) = run("solve", photo, "--json").pages[0]["grids"]
    assert grid["status"] == "uncertain"
    assert CLUE in grid["hidden"]
    x, y = drawing.grids[0].lattice.cell(*divmod(CLUE, 9)).mean(axis=0).astype(int)
    around = np.s_[y - 20 : y + 20, x - 20 : x + 20]
    before, after = (load_photo(one).pixels for one in (photo, out))
    assert (before[around] != after[around]).any()


def test_a_cover_that_hides_nothing_that_is_needed_leaves_the_answer_sure(tmp_path: Path) -> None:
    clues = np.array([int(digit) for digit in SOLUTION], np.int8)
    clues[[0, 1, 9, 10, 40, 70, 80]] = 0
    drawing = draw(np.random.default_rng(1), Conditions(size=(480, 480)), puzzles=[clues.reshape(9, 9)])
    (grid,) = solve_photo(laid_over(drawing, "finger", 0)[0]).grids
    assert grid.status == "solved"
    assert grid.solution is not None and board_text(grid.solution) == SOLUTION


def test_the_edge_of_glare_is_not_the_border_of_a_region(shared_data: Path) -> None:
    photo = load_photo(shared_data / "wichtounet" / "photos" / "image198.jpg")
    (grid,) = solve_photo(photo).grids
    rng = np.random.default_rng([1, 2385933831, 3, 0])
    cover = random_cover("glare", grid.lattice, np.flatnonzero(grid.puzzle).tolist(), photo.pixels, rng)
    (spoilt,) = solve_photo(covered(photo.pixels, cover)).grids
    assert grid.status == "solved"
    assert spoilt.status == "uncertain" and spoilt.rules == CLASSIC
