"""The rules of a puzzle.

Every row, every column and each of nine regions of nine cells holds each digit once. In the classic game the
regions are boxes; in a jigsaw they have any shape. The two main diagonals may be units as well. In a killer,
cells are grouped in cages: the digits of a cage differ, and their sum is given.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from operator import index
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import BoardError, RulesError, named
from sudoku_vision.sudoku.board import cells_in
from sudoku_vision.texts import FIRST_UNIT, Sentence
from sudoku_vision.values import brief

BOXES = "".join(str(row // 3 * 3 + column // 3 + 1) for row in range(9) for column in range(9))
"""For each of the 81 cells, the number 1..9 of its box."""
MIN_CLUES = 17
"""A classic puzzle with one solution has at least this many clues (G. McGuire, "There is no 16-clue Sudoku",
2012)."""
MIN_CLUES_OF_ANY = 8
"""A puzzle without cages and with one solution has at least this many clues. With fewer clues, two digits
would have no clue, and could be swapped in the solution."""

_REGIONS_REMEDY = (
    "Give 81 cells in reading order, each the number 1 to 9 of its region, nine cells to a region."
)
_CAGES_REMEDY = (
    "Give each cage as its sum and its cells: one to nine cells (0 to 80), none of them in another cage."
)


class Cage(NamedTuple):
    """A cage of a killer: the digits of its ``cells`` (0..80, ascending) differ, and add up to ``sum``."""

    sum: int
    cells: tuple[int, ...]

    @property
    def digit_sets(self) -> tuple[frozenset[int], ...]:
        """The sets of different digits that add up to the sum."""
        return digit_sets(self.sum, len(self.cells))

    def to_dict(self) -> dict[str, Any]:
        """Return the cage for JSON, ``{"sum": 12, "cells": [0, 1, 9]}``."""
        return {"sum": self.sum, "cells": list(self.cells)}


@lru_cache(maxsize=9 * 46)
def digit_sets(total: int, count: int) -> tuple[frozenset[int], ...]:
    """Return the sets of *count* different digits that add up to *total*.

    >>> digit_sets(4, 2)
    (frozenset({1, 3}),)
    """
    return tuple(frozenset(digits) for digits in combinations(range(1, 10), count) if sum(digits) == total)


CageLike: TypeAlias = Cage | tuple[int, Sequence[int]] | Mapping[str, Any]
"""A :class:`Cage`, a pair of its sum and cells (0..80), or ``{"sum": 12, "cells": [0, 1, 9]}``."""


@dataclass(frozen=True, init=False, repr=False)
class Rules:
    """The units of a puzzle (nine cells with nine different digits) and its cages.

    Rows and columns are always units. ``regions``: for each cell the number 1..9 of its region, as text, rows
    of text, lists or an array. The regions are stored as 81 characters, and numbered again in the order in
    which they appear. ``diagonal``: whether both main diagonals are units. ``cages``: the cages of a killer.
    They are stored in the order of their first cells. Raises :class:`~sudoku_vision.errors.RulesError` unless
    there are nine regions of nine cells. It is also raised for cages that overlap or can't have their sum.

    >>> Rules(diagonal=True).name
    'diagonal'
    """

    regions: str = BOXES
    diagonal: bool = False
    cages: tuple[Cage, ...] = ()

    __repr__ = brief

    def __init__(
        self,
        regions: str | Sequence[Any] | NDArray[Any] = BOXES,
        diagonal: bool = False,
        cages: Iterable[CageLike] = (),
    ) -> None:
        try:
            cells = [str(cell) for cell in cells_in(regions)]
        except BoardError:
            what = f"Regions are given for 81 cells, this is {named(regions)}."
            raise RulesError(what, _REGIONS_REMEDY) from None
        kinds = list(dict.fromkeys(cells))
        if len(cells) != 81:
            raise RulesError(f"Regions are given for 81 cells, these are {len(cells)}.", _REGIONS_REMEDY)
        uneven = next((kind for kind in kinds if cells.count(kind) != 9), None)
        if uneven is not None:
            count = cells.count(uneven)
            raise RulesError(f"A region has nine cells, region {uneven} has {count}.", _REGIONS_REMEDY)
        numbered = "".join(str(kinds.index(cell) + 1) for cell in cells)
        vars(self).update(regions=numbered, diagonal=bool(diagonal), cages=_checked_cages(cages))

    @property
    def name(self) -> str:
        """The name of the game: classic, or one or several of diagonal, jigsaw and killer."""
        kinds = ["diagonal"] * self.diagonal + ["jigsaw"] * self.is_jigsaw + ["killer"] * bool(self.cages)
        return " ".join(kinds) or "classic"

    @property
    def kinds(self) -> Sentence:
        """The kinds of groups whose digits differ, as a sentence such as "row, column or box"."""
        kinds = ["row", "column", "region" if self.is_jigsaw else "box"]
        kinds += ["diagonal"] * self.diagonal + ["cage"] * bool(self.cages)
        return Sentence("kinds", {"kinds": [Sentence(f"kind.{kind}") for kind in kinds]})

    @property
    def is_jigsaw(self) -> bool:
        """Whether at least one region is not a box."""
        return self.regions != BOXES

    @cached_property
    def units(self) -> Mapping[int, tuple[int, ...]]:
        """The nine cells (0..80) of each unit, by the unit's number; :data:`FIRST_UNIT` has the numbers."""
        first = FIRST_UNIT["region" if self.is_jigsaw else "box"]
        units = {row: tuple(range(9 * row, 9 * row + 9)) for row in range(9)}
        units |= {FIRST_UNIT["column"] + column: tuple(range(column, 81, 9)) for column in range(9)}
        units |= {
            first + region: tuple(cell for cell in range(81) if self.regions[cell] == str(region + 1))
            for region in range(9)
        }
        return units | dict(enumerate(self.diagonals, start=FIRST_UNIT["diagonal"]))

    @property
    def diagonals(self) -> tuple[tuple[int, ...], ...]:
        """The cells of both diagonals; () if they are not units."""
        return (tuple(range(0, 81, 10)), tuple(range(8, 80, 8))) if self.diagonal else ()

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """The peers of each cell: the other cells of its units and its cage, 20 in the classic game."""
        groups = [*self.units.values(), *(cage.cells for cage in self.cages)]
        return tuple(
            tuple(sorted({peer for group in groups if cell in group for peer in group} - {cell}))
            for cell in range(81)
        )

    @property
    def min_clues(self) -> int:
        """A puzzle with fewer clues than this can't have exactly one solution."""
        return MIN_CLUES if self == CLASSIC else 0 if self.cages else MIN_CLUES_OF_ANY

    def turned(self, quarter_turns: int) -> "Rules":
        """Return the rules of the board turned counter-clockwise by *quarter_turns* times 90 degrees."""
        if not (quarter_turns % 4 and (self.is_jigsaw or self.cages)):
            return self
        source = np.rot90(np.arange(81).reshape(9, 9), quarter_turns).ravel()
        regions, place = "".join(self.regions[cell] for cell in source), np.argsort(source).tolist()
        cages = [(cage.sum, [place[cell] for cell in cage.cells]) for cage in self.cages]
        return Rules(regions, self.diagonal, cages)

    def find_clashes(self, values: Sequence[int]) -> tuple[int, ...]:
        """Return the cells (0..80), in ascending order, whose digit breaks a rule.

        A digit breaks a rule if it stands twice in a unit or cage, or if its cage can't be completed to its
        sum. *values*: 81 digits, 0 for blank.
        """
        clashing: set[int] = set()
        for group in [*self.units.values(), *(cage.cells for cage in self.cages)]:
            clues = [values[cell] for cell in group if values[cell]]
            if len(set(clues)) < len(clues):
                clashing.update(cell for cell in group if values[cell] and clues.count(values[cell]) > 1)
        for cage in self.cages:
            filled = {cell: values[cell] for cell in cage.cells if values[cell]}
            if not any(digits.issuperset(filled.values()) for digits in cage.digit_sets):
                clashing.update(filled)
        return tuple(sorted(clashing))

    def to_dict(self) -> dict[str, Any]:
        """Return the rules for JSON, ``{"rules": {"name": ..., "regions": ..., "cages": ...}}``.

        Only a jigsaw has ``regions``, only a killer has ``cages``, and classic rules are ``{}``.
        """
        if self == CLASSIC:
            return {}
        rules: dict[str, Any] = {"name": self.name}
        rules |= {"regions": self.regions} if self.is_jigsaw else {}
        rules |= {"cages": [cage.to_dict() for cage in self.cages]} if self.cages else {}
        return {"rules": rules}


def _checked_cages(cages: Iterable[CageLike]) -> tuple[Cage, ...]:
    checked, taken = [], set[int]()
    for given in cages:
        try:
            total, cells = (given["sum"], given["cells"]) if isinstance(given, Mapping) else given
            cage = Cage(index(total), tuple(sorted(index(cell) for cell in cells)))
        except (KeyError, TypeError, ValueError):
            raise RulesError(
                f"A cage is a sum and its cells, this is {named(given)}.", _CAGES_REMEDY
            ) from None
        own = {*cage.cells}
        if not own or len(own) < len(cage.cells) or min(own) < 0 or max(own) > 80 or taken & own:
            raise RulesError(f"These cells can't be a cage: {list(cage.cells)}.", _CAGES_REMEDY)
        if not cage.digit_sets:
            what = f"{len(cage.cells)} different digits can't add up to {cage.sum}."
            raise RulesError(f"Cage {list(cage.cells)}: {what}", "Compare the sum with its source.")
        taken |= own
        checked.append(cage)
    return tuple(sorted(checked, key=lambda cage: cage.cells))


CLASSIC = Rules()
UNITS = tuple(CLASSIC.units.values())
"""The nine cells (0..80) of each row, column and box, in this order."""
PEERS = CLASSIC.peers


RulesLike: TypeAlias = Rules | str | None
"""A :class:`Rules`, a name such as ``"diagonal"``, the 81 characters of the regions, or None."""


def rules_for(rules: RulesLike, board: object = None) -> Rules:
    """Return the rules that *rules* describes. For None, return the rules of *board*, or else classic rules.

    Raises :class:`~sudoku_vision.errors.RulesError` if *rules* describes no known rules.
    """
    given = getattr(board, "rules", CLASSIC) if rules is None else rules
    if isinstance(given, Rules):
        return given
    is_name = isinstance(given, str) and len("".join(given.split())) < 81
    return rules_from(given) if is_name else Rules(given)


def rules_from(name: str = "", regions: str = "", cages: Iterable[CageLike] = ()) -> Rules:
    """Return the rules with a *name* such as ``"diagonal jigsaw"``, *regions* and *cages*; all may be empty.

    Raises :class:`~sudoku_vision.errors.RulesError` for an unknown name, a jigsaw without regions, and a
    killer without cages.
    """
    kinds, cages = name.lower().split(), tuple(cages)
    if set(kinds) - {"classic", "diagonal", "jigsaw", "killer"}:
        raise RulesError(f"There are no rules {name!r}.", "Choose classic, diagonal, jigsaw or killer.")
    if "jigsaw" in kinds and not regions:
        raise RulesError("A jigsaw needs its regions.", _REGIONS_REMEDY)
    if "killer" in kinds and not cages:
        raise RulesError("A killer needs its cages.", _CAGES_REMEDY)
    return Rules(regions or BOXES, "diagonal" in kinds, cages)
