"""The benchmark of covers counts what becomes of a puzzle under each kind of cover."""

from dataclasses import replace
from pathlib import Path

import covers
import numpy as np
from conftest import PUZZLE

from sudoku_vision.output.save import save
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.results import Lattice, Photo
from workshop.evaluation.labels import find_labels
from workshop.rendering import Drawing


def test_each_cover_of_a_solved_picture_is_counted_once(tmp_path: Path, drawing: Drawing) -> None:
    save(tmp_path / "page.png", drawing.pixels)
    rows = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
    (tmp_path / "page.dat").write_text("\n".join(["x", "x", *rows]))
    (picture,) = find_labels(tmp_path)
    counts = covers.read_covered(["stain", "stroke"], 2, 1, None, picture)
    assert sum(counts.values()) == 4
    assert {kind for kind, _ in counts} == {"stain", "stroke"}
    assert {outcome for _, outcome in counts} <= set(covers.OUTCOMES)
    assert "stain" in covers.table(counts, ["stain"])


def test_what_became_of_a_grid_is_told_by_place_and_solution(drawing: Drawing) -> None:
    (grid,) = read_page(Photo(drawing.pixels)).grids
    assert covers.outcome_of(grid, [grid]) == "solved"
    assert grid.solution is not None
    other = replace(grid, reading=replace(grid.reading, solution=np.roll(grid.solution, 1)))
    assert covers.outcome_of(grid, [other]) == "wrong"
    assert covers.outcome_of(grid, [replace(grid, status="uncertain")]) == "uncertain"
    far = replace(grid, lattice=Lattice(grid.lattice.crossings + 500))
    assert covers.outcome_of(grid, [far]) == "not found"
