"""What the logic says: a step, the technique it is an instance of, and the parts that a picture of it needs.

Cells are 0..80 in reading order, digits 1..9, units 0..26 (rows, columns, boxes, each from the top left); a
*candidate* is a pair (cell, digit).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeAlias

Candidate: TypeAlias = tuple[int, int]
"""A cell (0..80) and a digit (1..9)."""


class Technique(str, Enum):
    """The techniques, in the order in which they are tried: easiest to see first."""

    FULL_HOUSE = "full house"
    HIDDEN_SINGLE = "hidden single"
    NAKED_SINGLE = "naked single"
    POINTING = "pointing candidates"
    CLAIMING = "claiming candidates"
    NAKED_PAIR = "naked pair"
    HIDDEN_PAIR = "hidden pair"
    NAKED_TRIPLE = "naked triple"
    HIDDEN_TRIPLE = "hidden triple"
    X_WING = "X-wing"
    NAKED_QUAD = "naked quad"
    HIDDEN_QUAD = "hidden quad"
    SKYSCRAPER = "skyscraper"
    TWO_STRING_KITE = "two-string kite"
    UNIQUE_RECTANGLE = "unique rectangle"
    XY_WING = "XY-wing"
    XYZ_WING = "XYZ-wing"
    W_WING = "W-wing"
    SWORDFISH = "swordfish"
    SIMPLE_COLOURING = "simple colouring"
    JELLYFISH = "jellyfish"
    XY_CHAIN = "XY-chain"
    ALTERNATING_CHAIN = "alternating inference chain"
    GROUPED_CHAIN = "grouped inference chain"
    TRIAL = "trial"

    @property
    def rank(self) -> int:
        """Its place in the order, 0 for the easiest."""
        return _RANKS[self]

    def __str__(self) -> str:
        return self.value


_RANKS = {technique: rank for rank, technique in enumerate(Technique)}


@dataclass(frozen=True)
class Node:
    """The end of a link, "*digit* stands in one of *cells*": one cell, or two or three of a box and line."""

    cells: tuple[int, ...]
    digit: int


@dataclass(frozen=True)
class Link:
    """One inference of a chain. Strong: if ``start`` is false, ``end`` is true; weak: if true, then false."""

    start: Node
    end: Node
    strong: bool


@dataclass(frozen=True)
class Trial:
    """What follows when a digit is assumed, by singles alone.

    ``outcome``: a ``contradiction``, or the ``solution``. ``follows``: the digits that the assumption fills
    in, in order; of a refutation only those that it needs. At a contradiction, either ``dead_cell`` names the
    cell that no digit is left for, or ``dead_digit`` has no place left in the unit ``dead_unit``.
    ``guesses``: assumptions within the assumption that the refutation needs; 0 where singles suffice.
    """

    outcome: Literal["contradiction", "solution"]
    follows: tuple[Candidate, ...] = ()
    dead_cell: int | None = None
    dead_unit: int | None = None
    dead_digit: int | None = None
    guesses: int = 0


@dataclass(frozen=True)
class Step:
    """One step of a solution that a person can follow.

    * ``technique``: what it is an instance of.
    * ``cells``: the cells of the pattern; the pivot of a wing first, the cells of a chain in its order.
    * ``digits``: the digits concerned.
    * ``units``: where the pattern lies (0..26); ``covers``: the units that it clears, where those are others
      (the lines across a fish, the line or box of locked candidates).
    * ``colours``: for colouring, the two groups of cells of which one is all true and the other all false.
    * ``links``: the inferences of a chain, in order.
    * ``placements``: candidates to fill in; ``eliminations``: candidates to strike out. Never both.
    * ``trial``: what a trial found.

    ``text`` says it in words.
    """

    technique: Technique
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    units: tuple[int, ...] = ()
    covers: tuple[int, ...] = ()
    colours: tuple[tuple[int, ...], ...] = ()
    links: tuple[Link, ...] = ()
    placements: tuple[Candidate, ...] = ()
    eliminations: tuple[Candidate, ...] = ()
    trial: Trial | None = None

    @property
    def text(self) -> str:
        """The step in plain words: what is seen, and what follows."""
        from sudoku_vision.logic.words import sentence

        return sentence(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The step for JSON: cells as 0..80, units as 0..26, candidates as ``[cell, digit]``."""
        return {
            "technique": self.technique.value,
            "cells": list(self.cells),
            "digits": list(self.digits),
            "units": list(self.units),
            "covers": list(self.covers),
            "colours": [list(group) for group in self.colours],
            "links": [
                {
                    "start": {"cells": list(link.start.cells), "digit": link.start.digit},
                    "end": {"cells": list(link.end.cells), "digit": link.end.digit},
                    "strong": link.strong,
                }
                for link in self.links
            ],
            "placements": [list(candidate) for candidate in self.placements],
            "eliminations": [list(candidate) for candidate in self.eliminations],
            "text": self.text,
        }
