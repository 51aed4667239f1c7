"""Conditions of pages with other rules: jigsaws, told by lines, colours or both, and marked diagonals."""

from dataclasses import replace
from typing import Literal

import numpy as np

from sudoku_vision.output.drawing.figure import BLACK, WHITE, Colour, mixed
from sudoku_vision.sudoku.regions import BORDERS, random_regions
from workshop.rendering import HALF_SOLVED_KINDS, KINDS, Conditions, GridStyle, random_conditions
from workshop.rendering.kinds import one_of, triple
from workshop.rendering.printed_grid import Diagonals

OtherRules = Literal["jigsaw", "diagonal"]
_MARKED_DIAGONALS: tuple[Diagonals, ...] = ("line", "shaded", "dotted")


def other_conditions(rng: np.random.Generator, rules: OtherRules) -> Conditions:
    """Return conditions of a page with other *rules*, as it is printed or shown, some of them half solved."""
    half_solved = rng.random() < 0.3
    if half_solved:
        base = random_conditions(rng, one_of(rng, HALF_SOLVED_KINDS))
    else:
        base = random_conditions(rng, one_of(rng, KINDS))
    style = replace(base.grid, shaded=(), thin_lines="plain")
    paper = style.cell_colour or base.paper
    if rules == "jigsaw":
        style = jigsaw_style(rng, style, paper)
    else:
        shade = mixed(paper, WHITE if base.dark else BLACK, float(rng.uniform(0.1, 0.25)))
        style = replace(style, diagonals=one_of(rng, _MARKED_DIAGONALS), shade=shade, highlight=None)
    return replace(base, puzzles=1, grid=style)


def jigsaw_style(rng: np.random.Generator, style: GridStyle, paper: Colour) -> GridStyle:
    """Return a *style* with regions of its own, told by thick lines, colours on the *paper*, or both."""
    regions = random_regions(rng)
    look = one_of(rng, ("lines", "lines", "colours", "both", "both", "greys"))
    colours: tuple[Colour, ...] = ()
    if look != "lines":
        count = int(rng.integers(6, 10)) if look == "colours" else int(rng.integers(3, 6))
        tints = _tints(rng, count, paper, grey=look == "greys")
        colours = tuple(tints[place] for place in _coloured(regions, count, rng))
    thick = style.thin if look == "colours" else max(style.thick, 2 * style.thin)
    border = max(style.border, style.thin)
    return replace(
        style,
        regions=regions,
        region_colours=colours,
        thick=thick,
        border=border,
        highlight=None,
    )


def _tints(rng: np.random.Generator, count: int, paper: Colour, *, grey: bool) -> list[Colour]:
    """Return *count* tints of *paper*: pastels of even hues, or greys."""
    strength, dark = float(rng.uniform(0.1, 0.3)), sum(paper) < 300
    tints = []
    for step in range(count):
        angle = 2 * np.pi * (step / count + np.array([0, 1 / 3, 2 / 3]))
        share = np.full(3, step / count) if grey else (1 - np.cos(angle)) / 2
        light = np.array(paper) * (1 - strength * share)
        tints.append(triple(np.array(paper) + 128 * strength * share if dark else light))
    return tints


def _coloured(regions: str, count: int, rng: np.random.Generator) -> list[int]:
    """Return a number below *count* for each of nine regions: neighbours differ, where so few suffice."""
    beside = {(int(regions[one]), int(regions[other])) for one, other in BORDERS}
    chosen: dict[int, int] = {}
    for region in range(1, 10):
        taken = {chosen.get(other) for pair in beside if region in pair for other in pair}
        free = [number for number in range(count) if number not in taken]
        chosen[region] = one_of(rng, free or range(count))
    return [chosen[region] for region in range(1, 10)]
