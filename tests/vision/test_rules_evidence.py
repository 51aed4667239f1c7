"""Rules: regions and diagonals as pages show them, and none on pages of classic sudokus."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_vision.output.drawing.figure import BLACK, WHITE, Colour, mixed
from sudoku_vision.sudoku.regions import BORDERS, random_regions
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.values import Image
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.locate.fit import DOUBTFUL_SCORE
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.vision.results import Lattice, Photo
from sudoku_vision.vision.rules_evidence import read_rules
from workshop.rendering import HALF_SOLVED_KINDS, KINDS, Conditions, GridStyle, Kind, draw, random_conditions
from workshop.rendering.kinds import closer, one_of
from workshop.rendering.printed_grid import Diagonals

HUES: list[Colour] = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (200, 200, 0), (200, 0, 200), (0, 200, 200)]


def other_conditions(rng: np.random.Generator, look: str) -> Conditions:
    """Return conditions of a page with other rules, as it is printed or shown, some of them half solved.

    *look*: of diagonals, or how regions are told: by thick lines, colours or greys, or lines and colours.
    """
    if rng.random() < 0.3:
        base = random_conditions(rng, one_of(rng, HALF_SOLVED_KINDS))
    else:
        base = random_conditions(rng, one_of(rng, KINDS))
    style = replace(base.grid, shaded=(), thin_lines="plain", highlight=None)
    paper = style.cell_colour or base.paper
    strength = float(rng.uniform(0.1, 0.3))
    if look in get_args(Diagonals):
        shade = mixed(paper, WHITE if base.dark else BLACK, strength)
        style = replace(style, diagonals=cast(Diagonals, look), shade=shade)
        return replace(base, puzzles=1, grid=style)
    regions, colours = random_regions(rng), list[Colour]()
    if look != "lines":
        ends = [mixed(paper, BLACK, step / 6) for step in range(6)] if look == "greys" else HUES
        tints = [mixed(paper, end, strength) for end in ends]
        colours = [tints[place] for place in _coloured(regions, len(tints), rng)]
    thick = style.thin if look == "colours" else max(style.thick, 2 * style.thin)
    border = max(style.border, style.thin)
    style = replace(style, regions=regions, region_colours=tuple(colours), thick=thick, border=border)
    return replace(base, puzzles=1, grid=style)


def _coloured(regions: str, count: int, rng: np.random.Generator) -> list[int]:
    """Return a number below *count* for each of nine regions: neighbours differ, where so few suffice."""
    beside = {(int(regions[one]), int(regions[other])) for one, other in BORDERS}
    chosen: dict[int, int] = {}
    for region in range(1, 10):
        taken = {chosen.get(other) for pair in beside if region in pair for other in pair}
        free = [number for number in range(count) if number not in taken]
        chosen[region] = one_of(rng, free or range(count))
    return [chosen[region] for region in range(1, 10)]


def likeliest(straight: Image, hidden: NDArray[np.bool_] | None = None) -> tuple[Rules, float]:
    return next(iter(read_rules(straight, hidden).items()))


def rules_at(photo: Photo, lattice: Lattice) -> tuple[Rules, float]:
    return likeliest(straighten(photo, lattice))


def rules_of(conditions: Conditions, rng: np.random.Generator) -> tuple[Rules, float]:
    drawing = draw(rng, closer(conditions))
    return rules_at(Photo(drawing.pixels, "drawn"), drawing.grids[0].lattice)


def drawn(*looks: str) -> Iterator[tuple[GridStyle, Rules, float]]:
    """The style of two pages with each look, and the rules that are read from it."""
    for seed, look in enumerate(2 * looks):
        rng = np.random.default_rng(seed)
        conditions = other_conditions(rng, look)
        yield conditions.grid, *rules_of(conditions, rng)


def test_regions_of_drawn_pages_are_read_from_lines_and_colours() -> None:
    pages = drawn("lines", "colours", "both", "greys")
    read = [(Rules(style.regions), rules, sure) for style, rules, sure in pages]
    assert sum(rules == truth for truth, rules, _ in read) >= 7
    assert not [rules for truth, rules, sure in read if sure > 0.9 and rules not in (CLASSIC, truth)]


def test_diagonals_are_found_by_lines_dots_and_shades() -> None:
    read = drawn("line", "dotted", "shaded")
    found = [style.diagonals for style, rules, sure in read if rules.diagonal and sure > 0.9]
    assert len(found) >= 5
    assert set(found) == {"line", "dotted", "shaded"}


@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_classic_sudokus_show_no_other_rules(kind: Kind) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        base = random_conditions(rng, kind)
        shaded = replace(base.grid, shaded=(0, 2, 4, 6, 8), highlight=30)
        unruled = replace(base.grid, thick=base.grid.thin, border=base.grid.thin)
        style = (base.grid, shaded, unruled)[seed]
        rules, sure = rules_of(replace(base, grid=style, puzzles=1), rng)
        assert rules == CLASSIC and sure > 0.9


def test_a_grid_without_visible_lines_shows_no_rules() -> None:
    chequer = np.where(np.arange(81) % 2, 100, 200).astype(np.uint8)
    for shade in (np.full(81, 90, np.uint8), np.zeros(81, np.uint8), chequer):
        straight = np.broadcast_to(shade[:, None, None, None], (81, 40, 40, 3)).copy()
        assert likeliest(straight)[0] == CLASSIC


@pytest.fixture(scope="module")
def jigsaw() -> tuple[str, Photo, Lattice]:
    """The regions of a drawn jigsaw, its picture, and its place there."""
    conditions = other_conditions(np.random.default_rng(6), "both")
    drawing = draw(np.random.default_rng(6), closer(conditions))
    return conditions.grid.regions, Photo(drawing.pixels, "drawn"), drawing.grids[0].lattice


def test_hidden_cells_show_no_rules(jigsaw: tuple[str, Photo, Lattice]) -> None:
    straight = straighten(*jigsaw[1:])
    hidden = np.isin(np.arange(81), [40, 41, 42, 49, 50, 51])
    covered = [np.where(hidden[:, None, None, None], shade, straight) for shade in (0, 90, 255)]
    assert len({likeliest(cells.astype(np.uint8), hidden)[0] for cells in covered}) == 1
    assert likeliest(straight, np.ones(81, bool))[0] == CLASSIC


def test_the_rules_turn_with_the_lattice(jigsaw: tuple[str, Photo, Lattice]) -> None:
    regions, photo, lattice = jigsaw
    assert rules_at(photo, lattice)[0] == Rules(regions)
    assert rules_at(photo, lattice.turned(1))[0] == Rules(regions).turned(1)


def labelled_rules(path: Path) -> Rules:
    return Rules("".join(path.read_text().split()[81:162]))


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_regions_of_real_photos_are_read_right(shared_data: Path, half: int) -> None:
    for path in sorted((shared_data / "jigsaw").glob("*.jpg"))[half::2]:
        photo = load_photo(path)
        (lattice,) = locate(photo)
        rules, sure = rules_at(photo, lattice)
        assert rules == labelled_rules(path.with_suffix(".dat")), path.name
        assert sure > 0.99


def test_a_jigsaw_with_faint_lines_between_cells_is_found_at_its_place(shared_data: Path) -> None:
    photo = load_photo(shared_data / "wild" / "images" / "w047.png")
    (lattice,) = (one for one in locate(photo) if one.score > DOUBTFUL_SCORE)
    assert rules_at(photo, lattice)[0].regions == (
        "111112233411522223414522333414552333444456666777855696777885696788885996778899999"
    )


def test_real_photos_of_classic_sudokus_show_no_other_rules(shared_data: Path) -> None:
    for path in sorted((shared_data / "wichtounet" / "photos").glob("*.jpg"))[::16]:
        photo = load_photo(path)
        for lattice in locate(photo):
            rules, sure = rules_at(photo, lattice)
            assert rules == CLASSIC and sure > 0.99, path.name
