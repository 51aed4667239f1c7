"""Pictures with a cover over a cell, as tests want them."""

import numpy as np

from sudoku_vision.values import Floats, Image
from workshop.rendering import Drawing
from workshop.rendering.covers import covered, hidden_share, random_cover

_HIDDEN, _AREA = 0.85, 40  # share of the cell that the cover must hide; cells that it may hide at most


def laid_over(drawing: Drawing, kind: str, cell: int) -> tuple[Image, Floats]:
    """Lay a cover of a *kind* over a *cell*, and few others; return the picture and what it hides (81,)."""
    lattice = drawing.grids[0].lattice
    for seed in range(200):
        cover = random_cover(kind, lattice, [cell], drawing.pixels, np.random.default_rng(seed))
        share = hidden_share(drawing.pixels, cover, lattice).mean(axis=(1, 2))
        if share[cell] > _HIDDEN and share.sum() < _AREA:
            return covered(drawing.pixels, cover), share
    raise AssertionError(f"no {kind} lies over this cell")
