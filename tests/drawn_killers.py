"""Drawn killers, also with a sum that can't be read."""

from dataclasses import replace

import numpy as np
from drawn.pages import draw_page

from sudoku_vision.sudoku.rules import Cage
from sudoku_vision.values import Image
from workshop import Kind
from workshop.rendering import Drawing, random_conditions
from workshop.rendering.kinds import killer_conditions
from workshop.rendering.typefaces import plain_typeface
from workshop.rendering.writing import Writing


def draw_killer(
    design: str,
    kind: Kind = "screenshot_light",
    clues: int = 0,
    cages: tuple[Cage, ...] = (),
    *,
    only_sums: bool = False,
) -> Drawing:
    """Draw a killer without entries; if *cages* are given, it has these and no clues.

    If *only_sums* is true, its sums are drawn without its cages.
    """
    rng = np.random.default_rng(1)
    conditions = killer_conditions(rng, random_conditions(rng, kind), design, plain_typeface())
    style = conditions.grid.cages
    if only_sums and style is not None:
        style = replace(style, lines="none", tints=())
    grid = replace(conditions.grid, cages=style)
    conditions = replace(conditions, clues=clues, grid=grid, writing=Writing())
    blank = [np.zeros((9, 9), np.int8)] if cages else []
    return draw_page(rng, conditions, puzzles=blank, cages=[cages] if cages else [])


def with_covered_sum(drawing: Drawing, number: int) -> Image:
    """Return the pixels of a killer with the sum of one of its cages painted over."""
    (truth,) = drawing.grids
    cell = truth.lattice.cell(*divmod(truth.cages[number].cells[0], 9))
    left, top = (cell.min(axis=0) + 0.06 * truth.lattice.cell_size).astype(int)
    side = int(0.4 * truth.lattice.cell_size)
    pixels = drawing.pixels.copy()
    pixels[top : top + side, left : left + side] = pixels[top + side + 2, left + side + 2]
    return pixels
