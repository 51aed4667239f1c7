"""Rules: regions and diagonals as pages show them, and none on pages of classic sudokus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn.other_rules import OtherRules, other_conditions

from sudoku_vision.results import Lattice, Photo
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.rectify import coarse_view, straighten
from sudoku_vision.vision.rules import RulesEvidence, read_rules
from sudoku_vision.workshop.rendering import (
    KINDS,
    Conditions,
    GridStyle,
    Kind,
    draw,
    random_conditions,
)


def rules_at(photo: Photo, lattice: Lattice) -> RulesEvidence:
    straight = straighten(photo, lattice)
    return read_rules(straight, coarse_view(straight))


def rules_of(conditions: Conditions, rng: np.random.Generator) -> RulesEvidence:
    drawing = draw(rng, conditions)
    return rules_at(Photo(drawing.pixels, "drawn"), drawing.grids[0].lattice)


def drawn(rules: OtherRules, count: int) -> Iterator[tuple[GridStyle, RulesEvidence]]:
    for seed in range(count):
        rng = np.random.default_rng(seed)
        conditions = other_conditions(rng, rules)
        yield conditions.grid, rules_of(conditions, rng)


def test_regions_are_read_from_lines_and_colours_of_drawn_pages() -> None:
    read = [(style.regions, evidence) for style, evidence in drawn("jigsaw", 12)]
    right = [evidence.rules == Rules(regions) for regions, evidence in read]
    assert sum(right) >= 11
    sure = [evidence.probability > 0.9 and evidence.rules != CLASSIC for _, evidence in read]
    assert not [one for one, is_right in zip(sure, right, strict=True) if one and not is_right]


def test_diagonals_are_told_by_lines_dots_and_shades() -> None:
    read = drawn("diagonal", 10)
    found = [(style.diagonals, one.rules.diagonal and one.probability > 0.9) for style, one in read]
    assert sum(is_found for _, is_found in found) >= 9
    assert {marks for marks, is_found in found if is_found} == {"line", "dotted", "shaded"}


@pytest.mark.parametrize("kind", KINDS)
def test_no_other_rules_are_seen_on_pages_of_classic_sudokus(kind: Kind) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        base = random_conditions(rng, kind)
        shaded = replace(base.grid, shaded=(0, 2, 4, 6, 8), highlight=30)
        unruled = replace(base.grid, thick=base.grid.thin, border=base.grid.thin)
        style = (base.grid, shaded, unruled)[seed]
        evidence = rules_of(replace(base, grid=style, puzzles=1), rng)
        assert evidence.rules == CLASSIC and evidence.probability > 0.9


def test_a_grid_of_which_nothing_is_seen_shows_no_rules() -> None:
    chequer = np.where(np.arange(81) % 2, 100, 200).astype(np.uint8)
    for shade in (np.full(81, 90, np.uint8), np.zeros(81, np.uint8), chequer):
        straight = np.broadcast_to(shade[:, None, None, None], (81, 40, 40, 3)).copy()
        assert read_rules(straight, coarse_view(straight)).rules == CLASSIC


def test_evidence_turns_with_its_lattice() -> None:
    conditions = other_conditions(np.random.default_rng(6), "jigsaw")
    drawing = draw(np.random.default_rng(6), conditions)
    photo, lattice = Photo(drawing.pixels, "drawn"), drawing.grids[0].lattice
    upright, turned = rules_at(photo, lattice), rules_at(photo, lattice.turned(1))
    assert turned.rules == upright.rules.turned(1)
    assert upright.rules == Rules(conditions.grid.regions)


def labelled_rules(path: Path) -> Rules:
    """The rules of a label: nine rows of regions follow those of the digits."""
    return Rules("".join(path.read_text().split()[81:162]))


def test_regions_of_real_photos_are_read_right(shared_data: Path) -> None:
    for path in sorted((shared_data / "jigsaw").glob("*.jpg")):
        photo = load_photo(path)
        (lattice,) = locate(photo)
        evidence = rules_at(photo, lattice)
        assert evidence.rules == labelled_rules(path.with_suffix(".dat")), path.name
        assert evidence.probability > 0.99


def test_a_jigsaw_whose_lines_between_cells_are_faint_is_found_at_its_place(shared_data: Path) -> None:
    photo = load_photo(shared_data / "wild" / "images" / "w047.png")
    (lattice,) = locate(photo)
    assert rules_at(photo, lattice).rules.regions == (
        "111112233411522223414522333414552333444456666777855696777885696788885996778899999"
    )


def test_real_photos_of_classic_sudokus_show_no_other_rules(shared_data: Path) -> None:
    for path in sorted((shared_data / "wichtounet" / "photos").glob("*.jpg"))[::8]:
        photo = load_photo(path)
        for lattice in locate(photo):
            evidence = rules_at(photo, lattice)
            assert evidence.rules == CLASSIC and evidence.probability > 0.99, path.name
