"""Cells that something covers are found, in each turn of the page; a damaged model file is refused."""

from __future__ import annotations

import numpy as np
import pytest
from covered_drawings import laid_over

from sudoku_vision.errors import ModelError
from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.vision.digits.archive import packed, shipped, unpacked
from sudoku_vision.vision.digits.model import (
    OCCLUSION_KIND,
    default_path,
    load_model,
    load_occlusion_model,
    occlusion_model_from_bytes,
    occlusion_model_to_bytes,
)
from sudoku_vision.vision.digits.occlusion import FEATURES, OcclusionModel, describe_cells
from sudoku_vision.vision.digits.read import read_cells
from sudoku_vision.vision.digits.turns import in_turn
from sudoku_vision.workshop.rendering import Drawing


def small_model() -> OcclusionModel:
    weights = np.random.default_rng(0).normal(size=(FEATURES, 3)).astype(np.float32)
    return OcclusionModel(((weights, np.zeros(3, np.float32)),), (0.2, 0.7, 0.1), {"seed": 4})


def hidden(photo: Photo, lattice: Lattice) -> Floats:
    return read_cells(photo, lattice, load_model(), 0).turns.by_turn[0].hidden


def test_the_model_of_the_package_is_small_and_says_how_it_was_made() -> None:
    assert shipped("occlusion.npz").stat().st_size <= 20_000
    assert {"command", "date", "seed", "data", "hash"} <= set(load_occlusion_model().header)


def test_a_model_survives_its_file() -> None:
    model = small_model()
    back = occlusion_model_from_bytes(occlusion_model_to_bytes(model))
    features = np.random.default_rng(1).normal(size=(5, FEATURES)).astype(np.float32)
    assert back.probabilities(features) == pytest.approx(model.probabilities(features), abs=2e-2)
    assert (back.shares, back.header["seed"]) == (model.shares, 4)


def test_what_is_no_such_model_gives_one_clear_error() -> None:
    arrays, header = unpacked(occlusion_model_to_bytes(small_model()), OCCLUSION_KIND, "small")
    older = packed(arrays, {**header, "features": 0})
    shareless = packed(arrays, {key: value for key, value in header.items() if key != "clean_share"})
    for data in (b"", b"no model", older, shareless, default_path().read_bytes()):
        with pytest.raises(ModelError):
            occlusion_model_from_bytes(data)


def test_the_features_of_a_cell_are_the_same_in_each_turn(drawing: Drawing) -> None:
    cells = read_cells(Photo(drawing.pixels), drawing.grids[0].lattice, load_model(), 0)
    upright = describe_cells(cells.straight, cells.coarse, cells.cells)

    def turned(images: np.ndarray) -> np.ndarray:
        board = np.rot90(images.reshape(9, 9, *images.shape[1:]))
        return np.ascontiguousarray(np.rot90(board, axes=(2, 3)).reshape(images.shape))

    features = describe_cells(turned(cells.straight), turned(cells.coarse), turned(cells.cells))
    assert features == pytest.approx(in_turn(upright, 1), abs=0.1)


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


def test_scores_carry_what_is_hidden_in_each_likely_turn(drawing: Drawing) -> None:
    photo, lattice = Photo(drawing.pixels), drawing.grids[0].lattice
    upright = hidden(photo, lattice)
    lying = read_cells(photo, lattice.turned(1), load_model(), turn=3).turns.by_turn[3].hidden
    assert lying == pytest.approx(upright, abs=0.02)
