"""The rules of a puzzle: they say which cells form a unit. So they decide which digits of a board clash.

Every row and every column holds each digit once, and so does each of nine regions of nine cells. In the
classic game the regions are boxes; in a jigsaw they have any shape. The two main diagonals may be units as
well.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from numpy.typing import NDArray

from sudoku_vision.errors import BoardError, RulesError, named
from sudoku_vision.sudoku.board import cells_in
from sudoku_vision.texts import FIRST_UNIT, Sentence
from sudoku_vision.values import brief

BOXES = "".join(str(row // 3 * 3 + column // 3 + 1) for row in range(9) for column in range(9))
"""The boxes of the classic game, in the form of :attr:`Rules.regions`."""
MIN_CLUES = 17
"""Least number of clues of a classic puzzle that has exactly one solution.

Source: G. McGuire and others, "There is no 16-clue Sudoku", 2012.
"""
MIN_CLUES_OF_ANY = 8
"""Least number of clues of a puzzle that has exactly one solution, whatever its rules are.

With fewer clues, at least two digits have no clue. Exchanging these two digits in a solution gives another
solution.
"""

_REGIONS_REMEDY = (
    "Give 81 cells in reading order, each the number 1 to 9 of its region, nine cells to a region."
)


@dataclass(frozen=True, init=False, repr=False)
class Rules:
    """The units of a puzzle besides rows and columns.

    ``regions``: for each cell the number 1..9 of its region, as text, rows of text, lists or an array. They
    are stored as a text of 81 characters. Regions are numbered anew in the order in which they appear, so
    that equal regions have equal texts. ``diagonal``: whether both main diagonals are units. Raises
    :class:`~sudoku_vision.errors.RulesError` unless there are nine regions of nine cells.

    >>> Rules(diagonal=True).name
    'diagonal'
    """

    regions: str = BOXES
    diagonal: bool = False

    __repr__ = brief

    def __init__(self, regions: str | Sequence[Any] | NDArray[Any] = BOXES, diagonal: bool = False) -> None:
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
        vars(self).update(regions=numbered, diagonal=bool(diagonal))

    @property
    def name(self) -> str:
        """The name of the game: classic, diagonal, jigsaw or diagonal jigsaw."""
        kinds = ["diagonal"] * self.diagonal + ["jigsaw"] * self.is_jigsaw
        return " ".join(kinds) or "classic"

    @property
    def kinds(self) -> Sentence:
        """The kinds of units in words, for example "row, column or box"."""
        return Sentence(f"kinds.{self.name}")

    @property
    def is_jigsaw(self) -> bool:
        """Whether at least one region is not a box."""
        return self.regions != BOXES

    @cached_property
    def units(self) -> Mapping[int, tuple[int, ...]]:
        """For the number of each unit, its nine cells (0..80); :data:`FIRST_UNIT` explains the numbers."""
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
        """The cells of the diagonals, from the top left and from the top right; () if these are not units."""
        return (tuple(range(0, 81, 10)), tuple(range(8, 80, 8))) if self.diagonal else ()

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """The peers of each cell: the other cells of its units, 20 cells in the classic game."""
        units = self.units.values()
        return tuple(
            tuple(sorted({peer for unit in units if cell in unit for peer in unit} - {cell}))
            for cell in range(81)
        )

    @property
    def min_clues(self) -> int:
        """A puzzle with fewer clues than this can't have exactly one solution."""
        return MIN_CLUES if self == CLASSIC else MIN_CLUES_OF_ANY

    def turned(self, quarter_turns: int) -> "Rules":
        """Return the rules of the board turned counter-clockwise by *quarter_turns* times 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4 if self.is_jigsaw else 0):
            cells = (turned.regions[9 * column + 8 - row] for row in range(9) for column in range(9))
            turned = replace(turned, regions="".join(cells))
        return turned

    def find_clashes(self, values: Sequence[int]) -> tuple[int, ...]:
        """Return the cells (0..80), in order, whose digit stands twice in a unit.

        *values* are 81 digits, 0 for blank.
        """
        clashing: set[int] = set()
        for unit in self.units.values():
            clues = [values[cell] for cell in unit if values[cell]]
            if len(set(clues)) < len(clues):
                clashing.update(cell for cell in unit if values[cell] and clues.count(values[cell]) > 1)
        return tuple(sorted(clashing))

    def borders(self) -> Iterable[tuple[int, int]]:
        """Yield the pairs of neighbouring cells (0..80) that lie in different regions."""
        for cell in range(81):
            for other, inside in ((cell + 1, cell % 9 < 8), (cell + 9, cell < 72)):
                if inside and self.regions[cell] != self.regions[other]:
                    yield cell, other

    def to_dict(self) -> dict[str, Any]:
        """Return the rules for JSON, ``{"rules": {"name": ..., "regions": ...}}``; {} for classic rules.

        Only a jigsaw has ``regions``.
        """
        if self == CLASSIC:
            return {}
        return {"rules": {"name": self.name} | ({"regions": self.regions} if self.is_jigsaw else {})}


CLASSIC = Rules()  # the rules of the classic game: its units are rows, columns and boxes
UNITS = tuple(CLASSIC.units.values())
"""The 27 units of the classic game, each nine cells (0..80): rows, columns, boxes."""
PEERS = CLASSIC.peers  # the 20 peers of each cell in the classic game


RulesLike: TypeAlias = Rules | str | None
"""Rules: a :class:`Rules`, a name such as ``"diagonal"``, the 81 characters of the regions, or None."""


def rules_for(rules: RulesLike, board: object = None) -> Rules:
    """Return the rules that the argument *rules* of a public function stands for.

    None means the rules of *board* if it has rules, and otherwise the classic rules. Raises
    :class:`~sudoku_vision.errors.RulesError` if *rules* can't be read as rules.
    """
    given = getattr(board, "rules", CLASSIC) if rules is None else rules
    if isinstance(given, Rules):
        return given
    is_name = isinstance(given, str) and len("".join(given.split())) < 81
    return rules_from(given) if is_name else Rules(given)


def rules_from(name: str = "", regions: str = "") -> Rules:
    """Return the rules with a *name* as in :attr:`Rules.name`, and with the text of their *regions*.

    An empty name, or empty regions, means those of the classic game.

    Raises :class:`~sudoku_vision.errors.RulesError` for an unknown name and for a jigsaw without regions.
    """
    kinds = name.lower().split()
    if set(kinds) - {"classic", "diagonal", "jigsaw"}:
        raise RulesError(f"There are no rules {name!r}.", "Choose classic, diagonal or jigsaw.")
    if "jigsaw" in kinds and not regions:
        raise RulesError("A jigsaw needs its regions.", _REGIONS_REMEDY)
    return Rules(regions or BOXES, "diagonal" in kinds)
