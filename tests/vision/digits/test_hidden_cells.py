"""Cells that something covers are found, in each turn of the page."""

import numpy as np
import pytest
from drawn_grids import laid_over

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import read_cells
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.results import Lattice, Photo
from workshop.rendering import Drawing


def hidden(photo: Photo, lattice: Lattice) -> Floats:
    return read_cells(photo, lattice, load_model(), 0).turns.by_turn[0].hidden


@pytest.mark.parametrize("kind", ["finger", "thing"])
def test_covered_cells_are_found_and_no_others(drawing: Drawing, kind: str) -> None:
    lattice = drawing.grids[0].lattice
    assert hidden(Photo(drawing.pixels), lattice).max() < 0.02
    cell = 20  # a blank one: what hides it may hide a clue
    spoilt, share = laid_over(drawing, kind, cell)
    found = hidden(Photo(spoilt), lattice)
    assert found[cell] > 0.05
    far = share < 0.01
    assert found[far].max() < 0.2


@pytest.mark.parametrize("side", range(4))
def test_cells_that_the_edge_of_the_picture_cuts_off_are_hidden(drawing: Drawing, side: int) -> None:
    lattice = drawing.grids[0].lattice
    cut = round(float(lattice.crossings[0, 0, 0] + 0.8 * lattice.cell_size))
    pixels = np.ascontiguousarray(np.rot90(np.rot90(drawing.pixels, side)[:, cut:], -side))
    moved = lattice.crossings - np.array([cut if side == 0 else 0, cut if side == 1 else 0], np.float32)
    found = hidden(Photo(pixels), Lattice(moved)).reshape(9, 9)
    first = np.rot90(found, side)
    assert first[:, 0].min() > 0.6
    assert first[:, 1:].max() < 0.05


def test_scores_carry_what_is_hidden_in_each_likely_turn(drawing: Drawing) -> None:
    photo, lattice = Photo(drawing.pixels), drawing.grids[0].lattice
    upright = hidden(photo, lattice)
    lying = read_cells(photo, lattice.turned(1), load_model(), turn=3).turns.by_turn[3].hidden
    assert lying == pytest.approx(upright, abs=0.02)
