"""Killers: cages and sums are read from pictures of many designs, and what can't be read is never sure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn.pages import draw_page

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.regions import BORDERS
from sudoku_vision.sudoku.rules import Cage
from sudoku_vision.values import Image
from sudoku_vision.vision.cages import likely_divisions, likely_sums
from sudoku_vision.vision.results import Photo
from workshop import Kind
from workshop.rendering import Drawing, random_conditions
from workshop.rendering.boards import random_killer
from workshop.rendering.kinds import killer_conditions
from workshop.rendering.typefaces import plain_typeface
from workshop.rendering.writing import Writing


def draw_killer(
    design: str, kind: Kind = "screenshot_light", clues: int = 0, cages: tuple[Cage, ...] = ()
) -> Drawing:
    """Draw a killer without entries; if *cages* are given, it has these and no clues."""
    rng = np.random.default_rng(1)
    conditions = killer_conditions(rng, random_conditions(rng, kind), design, plain_typeface())
    conditions = replace(conditions, clues=clues, writing=Writing())
    blank = [np.zeros((9, 9), np.int8)] if cages else []
    return draw_page(rng, conditions, puzzles=blank, cages=[cages] if cages else [])


def read(pixels: Image) -> Page:
    return read_page(Photo(np.ascontiguousarray(pixels)))


def assert_read(page: Page, drawing: Drawing) -> None:
    (truth,) = drawing.grids
    (grid,) = page.grids
    assert grid.rules.cages == truth.cages
    assert (grid.puzzle == truth.puzzle).all()
    assert (page.status, page.other) == ("solved", "")
    assert grid.solution is not None
    assert (grid.solution == truth.solution).all()


@pytest.mark.parametrize("design", ["dashed", "dotted", "plain", "thick", "tinted", "like apps"])
def test_cages_of_many_designs_are_read_from_screenshots(design: str) -> None:
    drawing = draw_killer(design)
    assert_read(read(drawing.pixels), drawing)


@pytest.mark.parametrize("kind", ["screenshot_dark", "sheet"])
def test_a_killer_is_read_in_a_dark_theme_and_from_a_photo(kind: Kind) -> None:
    drawing = draw_killer("dashed", kind)
    assert_read(read(drawing.pixels), drawing)


def test_clues_beside_the_sums_are_read() -> None:
    drawing = draw_killer("dashed", clues=12)
    assert_read(read(drawing.pixels), drawing)


def test_a_killer_on_its_side_is_turned_upright() -> None:
    drawing = draw_killer("dashed")
    assert_read(read(np.rot90(drawing.pixels)), drawing)


def test_a_killer_with_a_covered_sum_is_never_sure() -> None:
    drawing = draw_killer("tinted")
    (truth,) = drawing.grids
    cell = truth.lattice.cell(*divmod(truth.cages[5].cells[0], 9))
    left, top = (cell.min(axis=0) + 0.06 * truth.lattice.cell_size).astype(int)
    side = int(0.4 * truth.lattice.cell_size)
    pixels = drawing.pixels.copy()
    pixels[top : top + side, left : left + side] = pixels[top + side + 2, left + side + 2]
    assert read(pixels).status != "solved"


def test_a_killer_with_a_wrong_sum_has_no_answer() -> None:
    *_, cages = random_killer(np.random.default_rng(1))
    place = next(place for place, cage in enumerate(cages) if len(cage.cells) == 3 and cage.sum < 23)
    wrong = (*cages[:place], cages[place]._replace(sum=cages[place].sum + 1), *cages[place + 1 :])
    page = read(draw_killer("dashed", cages=wrong).pixels)
    assert page.status != "solved"
    assert page.other == "killer" or page.status == "uncertain"


def test_sums_that_make_405_are_found_likeliest_first() -> None:
    costs = [np.full(46, np.inf) for _ in range(9)]
    for own in costs:
        own[[44, 45]] = 1.0, 0.0
    costs[3][[44, 45]] = 0.0, 2.0
    assert list(likely_sums(costs)) == [(2.0, (45,) * 9)]


def test_a_doubtful_border_is_changed_if_then_every_cage_has_one_sum() -> None:
    columns = BORDERS % 9
    weights = np.where(columns[:, 0] == columns[:, 1], -5.0, 5.0)  # each column is a cage
    (_, cages), *_ = likely_divisions(np.where(np.arange(144) == 72, -0.5, weights), set(range(9)))
    assert cages == [list(range(column, 81, 9)) for column in range(9)]
