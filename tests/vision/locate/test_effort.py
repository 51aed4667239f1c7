"""Effort: however busy a picture is, only so many places are judged and only so many pieces looked at."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from sudoku_vision.geometry import UNIT_SQUARE, homography_of_grid
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.candidate import Proposal
from sudoku_vision.vision.locate.contours import MAX_PIECES, has_too_many_pieces, outer_hulls
from sudoku_vision.vision.locate.flatten import CELL, MARGIN, SIDE
from sudoku_vision.vision.locate.profiles import line_profiles
from sudoku_vision.vision.locate.search import proposals_at, search
from sudoku_vision.vision.locate.stretch import best_comb
from sudoku_vision.vision.locate.threshold import THRESHOLDS
from sudoku_vision.workshop.rendering import Conditions, draw

BLANK: Image = np.full((600, 600), 230, np.uint8)


def square(x: float, y: float, side: float = 90.0, sign: int = 1) -> Proposal:
    return Proposal(homography_of_grid(side * UNIT_SQUARE + np.array([x, y])), sign)


def test_a_search_ends_when_so_many_proposals_led_to_no_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []

    def proposals(*_: object, **__: object) -> Iterator[Proposal]:
        for place in range(100):
            judged.append(place)
            yield square(5 * place, 50 * len(judged) // 100)

    module = sys.modules[search.__module__]
    monkeypatch.setattr(module, "proposals_at", proposals)
    assert search(BLANK, THRESHOLDS, 30) == ([], 0)
    assert len(judged) == 30


@pytest.mark.parametrize("step", [2, 3])
def test_fine_dots_are_texture_and_not_a_hundred_thousand_pieces(step: int) -> None:
    """Contours of all of them, and of what lies in which hole, would take a minute."""
    dots: Image = np.zeros((1500, 2000), np.uint8)
    dots[::step, ::step] = 255
    assert has_too_many_pieces(dots)
    assert outer_hulls(dots) == []
    assert len(outer_hulls(np.asarray(~dots, np.uint8))) <= 1


def test_coarse_pieces_are_found_among_fine_dots() -> None:
    mask: Image = np.zeros((1000, 1000), np.uint8)
    mask[::3, ::3] = 255
    mask[300:700, 300:700] = 255
    assert MAX_PIECES < (1000 / 3) ** 2
    (hull,) = outer_hulls(mask)
    low, high = hull.reshape(-1, 2).min(axis=0), hull.reshape(-1, 2).max(axis=0)
    assert np.abs([*(low - 300), *(high - 699)]).max() <= 3


def test_pieces_count_and_their_holes_do_not() -> None:
    mask: Image = np.zeros((60, 60), np.uint8)
    mask[10:50, 10:50] = 255
    mask[20:40, 20:40] = 0
    mask[28:32, 28:32] = 255
    assert sorted(len(hull) for hull in outer_hulls(mask)) == [4, 4]


def test_ten_even_lines_stand_out_and_noise_does_not() -> None:
    view = np.random.default_rng(1).normal(190, 20, (SIDE, SIDE)).clip(125, 255).astype(np.uint8)
    assert sum(best_comb(line_profiles(view)).contrast) < 2.8
    for line in range(10):
        at = MARGIN + CELL * line + 4
        view[at] -= 60
        view[:, at] -= 60
    comb = best_comb(line_profiles(view))
    assert min(comb.contrast) > 2
    assert comb.moves
    assert np.allclose(comb.stretching[:2, 2], 4 / CELL, atol=0.1)


def test_a_larger_copy_is_searched_for_outlines_alone() -> None:
    grid = draw(np.random.default_rng(1), Conditions(size=(600, 600))).pixels
    grey = np.asarray(cv2.cvtColor(grid, cv2.COLOR_BGR2GRAY), np.uint8)
    outlined, both = (list(proposals_at(grey, THRESHOLDS[0], outlines_only=alone)) for alone in (True, False))
    assert 0 < len(outlined) < len(both)
