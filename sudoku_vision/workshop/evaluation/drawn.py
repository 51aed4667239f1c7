"""Drawn pictures with their labels: as many as wanted, of every kind of the renderer, the truth known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudoku_vision.output.drawing.typefaces import Typeface
from sudoku_vision.results import Photo
from sudoku_vision.workshop.evaluation.labels import Label, LabelledPicture
from sudoku_vision.workshop.rendering import (
    HALF_SOLVED_KINDS,
    KINDS,
    ROLE_KINDS,
    Drawing,
    HalfSolvedKind,
    Kind,
    RoleKind,
    draw,
    draw_role,
    half_solved_conditions,
    random_conditions,
)

DrawnKind = Kind | HalfSolvedKind | RoleKind

HARD_KINDS: tuple[DrawnKind, ...] = (*HALF_SOLVED_KINDS, *ROLE_KINDS)
"""Half-solved pages, and boards on which clues and entries are hard to tell apart."""


@dataclass(frozen=True)
class Recipe:
    """What a picture is drawn from: picture *number* of a *seed*, of a *kind*."""

    number: int
    kind: DrawnKind
    seed: int = 0
    typefaces: tuple[Typeface, ...] = ()

    def draw(self) -> LabelledPicture:
        """Draw the picture, always the same, with its labels."""
        rng = np.random.default_rng([self.seed, self.number])
        drawing = _drawing(rng, self.kind, self.typefaces)
        return labelled_drawing(drawing, f"drawn/{self.kind}-{self.number:04d}", self.kind)


def recipes(
    count: int, *, seed: int = 0, typefaces: Sequence[Typeface] = (), kinds: Sequence[DrawnKind] = KINDS
) -> list[Recipe]:
    """Return what *count* pictures are drawn from, each of the *kinds* in turn.

    The same *seed* gives the same pictures, and a greater *count* only adds to them. *typefaces* are for the
    kinds that do not name their own.
    """
    return [Recipe(number, kinds[number % len(kinds)], seed, tuple(typefaces)) for number in range(count)]


def drawn_pictures(
    count: int, *, seed: int = 0, typefaces: Sequence[Typeface] = (), kinds: Sequence[DrawnKind] = KINDS
) -> Iterator[LabelledPicture]:
    """Draw the pictures of :func:`recipes`, each when it is asked for."""
    for recipe in recipes(count, seed=seed, typefaces=typefaces, kinds=kinds):
        yield recipe.draw()


def _drawing(rng: np.random.Generator, kind: DrawnKind, typefaces: Sequence[Typeface]) -> Drawing:
    """One picture of *kind*."""
    for role in ROLE_KINDS:
        if kind == role:
            return draw_role(rng, role)
    for half_solved in HALF_SOLVED_KINDS:
        if kind == half_solved:
            return draw(rng, half_solved_conditions(rng, half_solved), typefaces=typefaces)
    usual = next(one for one in KINDS if one == kind)
    return draw(rng, random_conditions(rng, usual), typefaces=typefaces)


def labelled_drawing(drawing: Drawing, name: str, kind: str) -> LabelledPicture:
    """Return a drawing with its labels, also of grids cut off by its edge: they too may be read rightly."""
    labels = tuple(
        Label(
            grid.puzzle,
            np.where(grid.puzzle > 0, grid.puzzle, grid.written).astype(np.int8),
            {cell: digits for cell, digits in enumerate(grid.marks) if digits},
        )
        for grid in (*drawing.grids, *drawing.cut)
    )
    return LabelledPicture(Path(name), ("drawn", kind), labels, photo=Photo(drawing.pixels, name))
