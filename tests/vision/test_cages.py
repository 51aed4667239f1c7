"""Killers: cages and sums are read from pictures of many designs, and what can't be read is never sure."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drawn_grids import draw_killer, with_covered_sum

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.regions import BORDERS
from sudoku_vision.values import Image
from sudoku_vision.vision.cages import Hypothesis, agreement, centred, flat, likeliest, likely_divisions
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL
from sudoku_vision.vision.digits.sum_reader import (
    HEIGHT,
    SUMS,
    SumReader,
    find_sums,
    plain_ink,
    possible_sums,
    sum_pictures,
)
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.vision.results import Photo
from workshop.rendering import Drawing
from workshop.rendering.boards import random_killer
from workshop.rendering.writing import Writing


def read(pixels: Image) -> Page:
    return read_page(Photo(np.ascontiguousarray(pixels)))


def assert_read(page: Page, drawing: Drawing) -> None:
    (truth,) = drawing.grids
    (grid,) = page.grids
    assert grid.rules.cages == truth.cages
    assert (grid.puzzle == truth.puzzle).all() and (grid.written == truth.written).all()
    assert (page.status, page.other) == ("solved", "")
    assert grid.solution is not None
    assert (grid.solution == truth.solution).all()


def typed(share: float) -> Writing:
    return Writing(share, typed=True, colour=(220, 110, 40), height=0.45, strength=1.0, jitter=0.0)


READ: dict[str, dict[str, Any]] = {
    "dots": {"design": "dotted"},
    "lines": {"design": "plain"},
    "colours": {"design": "tinted"},
    "like apps": {"design": "like apps"},
    "a photo": {"design": "dashed", "kind": "sheet"},
    "clues beside the sums": {"design": "dashed", "clues": 12},
    "clues that make a proper classic puzzle, too": {"design": "thick", "clues": 81},
    "colours that are no covers": {"design": "tinted and dashed", "kind": "screenshot_dark", "clues": 40},
    "few entries in another ink than few clues": {"design": "dotted", "clues": 6, "writing": typed(0.3)},
    "many entries in another ink than few clues": {"design": "plain", "clues": 6, "writing": typed(0.6)},
}


@pytest.mark.parametrize("what", READ)
def test_killers_of_many_looks_are_read(what: str) -> None:
    drawing = draw_killer(**READ[what])
    assert_read(read(drawing.pixels), drawing)


@pytest.mark.parametrize("design", ["dashed", "plain"])
def test_a_lattice_that_was_bent_towards_the_lines_of_cages_is_moved_back(design: str) -> None:
    drawing = draw_killer(design)
    truth = drawing.grids[0].lattice
    aside = 0.08 * truth.cell_size * (1 - (np.arange(10) / 4.5 - 1) ** 2)
    bent = replace(truth, crossings=truth.crossings + np.float32(aside[:, None, None]))
    found = centred(bent, straighten(Photo(drawing.pixels), bent, MARK_CELL))
    assert np.abs(found.crossings - truth.crossings).max() < 0.02 * truth.cell_size


def test_a_lattice_that_was_bent_in_many_ways_is_flat_on_a_screen() -> None:
    drawing = draw_killer("dashed")
    truth = drawing.grids[0].lattice
    aside = np.random.default_rng(2).normal(0, 0.07 * truth.cell_size, (10, 10, 2))
    bent = replace(truth, crossings=truth.crossings + aside.astype(np.float32))
    photo = Photo(drawing.pixels)
    errors = [
        np.abs(centred(start, straighten(photo, start, MARK_CELL)).crossings - truth.crossings).max()
        for start in (flat(bent), bent)
    ]
    assert errors[0] < 0.03 * truth.cell_size < errors[1]


def test_a_full_board_with_sums_is_no_sure_classic_puzzle_if_no_cages_are_seen() -> None:
    page = read(draw_killer("tinted", clues=60, only_sums=True).pixels)
    assert page.status == "uncertain"


def test_a_killer_on_its_side_is_turned_upright() -> None:
    drawing = draw_killer("dashed")
    assert_read(read(np.rot90(drawing.pixels)), drawing)


def test_a_killer_with_a_covered_sum_is_never_sure() -> None:
    drawing = draw_killer("tinted")
    page = read(with_covered_sum(drawing, 5))
    assert page.status == "uncertain"
    (doubt,) = page.grids[0].doubts
    assert doubt.cages == (drawing.grids[0].cages[5],)
    assert_read(page.with_overrides({doubt: doubt.cages[0]}), drawing)


@pytest.mark.slow
def test_a_killer_with_a_wrong_sum_has_no_answer() -> None:
    *_, cages = random_killer(np.random.default_rng(3))
    wrong = next(cage for cage in cages if len(cage.cells) == 3 and cage.sum < 23)
    cages = tuple(cage._replace(sum=cage.sum + (cage is wrong)) for cage in cages)
    page = read(draw_killer("dashed", cages=cages).pixels)
    assert page.status != "solved"
    assert page.other == "killer" or page.status == "uncertain"


def test_a_doubtful_border_is_changed_if_then_every_cage_has_one_sum() -> None:
    columns = BORDERS % 9
    weights = np.where(columns[:, 0] == columns[:, 1], -5.0, 5.0)  # each column is a cage
    odds = np.where(np.arange(81) < 9, 5.0, -5.0)
    (_, cages), *_ = likely_divisions(np.where(np.arange(144) == 72, -0.5, weights), odds)
    assert cages == [list(range(column, 81, 9)) for column in range(9)]


def test_lines_across_may_be_seen_in_another_way_than_lines_down() -> None:
    """Motion blur makes the lines of cages wider in one direction alone."""
    cages = np.arange(81) // 27 * 3 + np.arange(81) % 9 // 3  # the boxes
    cut = cages[BORDERS[:, 0]] != cages[BORDERS[:, 1]]
    odds = np.where(np.isin(np.arange(81), np.unique(cages, return_index=True)[1]), 5.0, -5.0)
    weights, blurred = np.where(cut, 5.0, -5.0), np.arange(144) < 72
    ways = [Hypothesis(None, 0.0, np.where(part, -weights, weights)) for part in (blurred, ~blurred)]
    assert ((likeliest(ways, odds).weights > 0) == cut).all()
    assert agreement(cut, odds).cost == 0
    assert agreement(cut, odds).right == 1


def test_a_way_is_only_mixed_with_another_one_if_the_sums_are_clearly_likelier_then() -> None:
    weights = np.where(np.arange(144) < 72, -5.0, 5.0)  # each column is a cage
    other = np.where(np.arange(144) == 0, 5.0, -5.0)  # one column is cut, but columns are connected
    odds = np.where(np.arange(81) < 9, 5.0, -5.0)
    ways = [Hypothesis(None, 0.0, weights), Hypothesis(None, 0.0, other)]
    for odds[9], mixed in ((0.1, False), (5.0, True)):  # the sum below the cut
        assert (likeliest(ways, odds).weights[0] > 0) == mixed


@pytest.mark.parametrize(("count", "joined"), [(20, True), (3, False)])
def test_digits_that_stand_far_apart_are_one_sum_if_many_sums_look_so(count: int, joined: bool) -> None:
    ink = np.zeros((81, 80, 80), np.float32)
    ink[:20, 10:26, 8:16] = 1  # the first digit of each sum
    ink[:count, 10:26, 40:48] = 1
    sums = find_sums(ink)
    assert len(sums.cells) == 20
    assert (sums.boxes[0, 2] > 0.5) == joined
    picture = sum_pictures(sums)[0]
    columns = np.flatnonzero(picture.max(axis=0) > 0.5)
    assert (columns[-1] - columns[0] < 1.5 * HEIGHT) == joined


def test_sums_are_found_although_more_cells_have_dashes_at_one_place() -> None:
    ink = np.zeros((81, 80, 80), np.float32)
    ink[:20, 6:24, 8:18] = 1  # sums
    ink[10:40, 26:36, 12:16] = 1  # dashes
    found = [sums.cells.tolist() for sums in possible_sums(ink, 0.35)]
    assert found == [list(range(10, 40)), list(range(20))]


@pytest.mark.parametrize("dark", [False, True])
def test_few_and_small_sums_show_whether_ink_is_darker_than_paper(dark: bool) -> None:
    grey = np.full((81, 80, 80), 120, np.uint8)
    grey[:, ::2] += 1  # noise
    grey[:12, 12:24, 12:16] = 0 if dark else 240
    straight = np.repeat(grey[..., None], 3, axis=3)
    ink = plain_ink(straight)
    assert ink[0, 18, 14] > 0.9
    assert np.abs(ink[20]).max() < 0.1


def test_the_sums_of_a_clear_page_are_surer() -> None:
    reader = SumReader(((np.eye(SUMS, dtype=np.float32), np.zeros(SUMS, np.float32)),), 1.0, 0.2)
    firm = []
    for clear in (3.0, 9.0):
        page = np.zeros((81, SUMS), np.float32)
        page[:, 12] = clear
        page[0, 12:14] = 3.0, 1.0  # the same digits on both pages
        read = reader.classify(page)
        firm.append(read[0, 12] / read[0, 13])
    assert firm[1] > 2 * firm[0]
