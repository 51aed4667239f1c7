"""A board with the candidates of its blank cells: the digits that each cell can still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from typing import TypeVar, cast

from sudoku_vision.sudoku.logic.bits import DIGITS_OF, EVERY_CELL, cell_set, cells_of
from sudoku_vision.sudoku.rules import CLASSIC, Rules

Found = TypeVar("Found")


class Sight:
    """Units and peers of cells under the given rules. Cells *see* each other if they share a unit or cage.

    A unit is given by its number (:data:`~sudoku_vision.texts.FIRST_UNIT`), a group of cells by a set of 81
    bits.

    * ``units``: the cells of each unit. ``regions_first``: pairs (unit, cells of the unit); boxes or regions
      come first.
    * ``peers``: for each cell, the cells that it sees. ``units_of``: for each cell, its units: row, column,
      box or region, then diagonals.
    * ``regions``: the boxes or regions. ``lines``: all other units.
    * ``crossings``: a triple (region, line, common cells) for each region and line that have common cells.
      ``region_to_line``: pairs (region, line), sorted by region. ``line_to_region``: pairs (line, region),
      sorted by line.
    * ``cages``: pairs of the cells of a cage as a set, and the :class:`~sudoku_vision.sudoku.rules.Cage`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.units = {number: cell_set(cells) for number, cells in rules.units.items()}
        self.peers = tuple(cell_set(peers) for peers in rules.peers)
        self.regions = tuple(self.units)[18:27]
        self.units_of = tuple(
            tuple(number for number, cells in self.units.items() if cells >> cell & 1) for cell in range(81)
        )
        self.lines = tuple(number for number in self.units if number not in self.regions)
        self.regions_first = tuple((number, self.units[number]) for number in (*self.regions, *self.lines))
        self.cages = tuple((cell_set(cage.cells), cage) for cage in rules.cages)
        self.crossings = tuple(
            (region, line, crossing)
            for region in self.regions
            for line in self.lines
            if (crossing := self.units[region] & self.units[line])
        )
        self.region_to_line = tuple((region, line) for region, line, _ in self.crossings)
        self.line_to_region = tuple(sorted((line, region) for region, line in self.region_to_line))

    def units_around(self, cells: int) -> list[int]:
        """Return the units that hold all *cells*, a set of 81 bits."""
        return [unit for unit, members in self.units.items() if not cells & ~members]

    def seen_by_all(self, cells: Iterable[int]) -> int:
        """Return the cells that see all *cells* (0..80), as a set of 81 bits."""
        seen = EVERY_CELL
        for cell in cells:
            seen &= self.peers[cell]
        return seen


@lru_cache(maxsize=64)  # limited, because callers may use any number of different regions
def sight(rules: Rules) -> Sight:
    """Return the :class:`Sight` of some rules; it is computed only once for equal rules."""
    return Sight(rules)


class Candidates:
    """A board that is being solved: filled cells, and the candidates of all blank cells.

    ``values``: 81 digits, 0 for blank. All other attributes are sets, stored as bits. ``blank``: the blank
    cells. ``clues``: the cells of printed clues. ``standing[digit]``: the cells filled with the digit.
    ``masks[cell]``: the candidates of the cell. ``planes[digit]``: the cells that have the digit as a
    candidate. Only :meth:`place` and :meth:`remove` change a board.
    """

    __slots__ = ("_derived", "blank", "clues", "masks", "planes", "sight", "standing", "values")

    def __init__(
        self,
        values: Sequence[int],
        clues: Sequence[int] = (),
        rules: Rules = CLASSIC,
        marks: Iterable[Set[int]] = (),
    ) -> None:
        """Make a board of 81 *values*, 0 for blank. The values must not break a rule.

        *clues*: 81 values, the digits of printed clues and 0 in all other cells; by default all *values* are
        clues. *marks*: for each cell, a set of pencil marks. If the set is not empty, only its digits are
        candidates of the cell.
        """
        self._derived: dict[object, object] = {}
        self.sight = sight(rules)
        self.values = [0] * 81
        self.blank = EVERY_CELL
        self.planes = [0, *[EVERY_CELL] * 9]
        self.standing = [0] * 10
        self.masks = [0b11_1111_1110] * 81
        for cell, digit in enumerate(values):
            if digit:
                self.place(cell, digit)
        self.clues = cell_set(cell for cell, clue in enumerate(clues) if clue) or EVERY_CELL ^ self.blank
        for cell, digits in enumerate(marks):
            if digits:
                for digit in DIGITS_OF[self.masks[cell]]:
                    if digit not in digits:
                        self.remove(cell, digit)

    def copy(self) -> Candidates:
        """Return a copy of the board."""
        other = Candidates.__new__(Candidates)
        other._derived, other.sight = {}, self.sight
        other.values, other.blank, other.clues = self.values[:], self.blank, self.clues
        other.planes, other.masks = self.planes[:], self.masks[:]
        other.standing = self.standing[:]
        return other

    def place(self, cell: int, digit: int) -> None:
        """Fill *digit* into *cell*, and remove *digit* from the candidates of all cells that *cell* sees."""
        self._derived.clear()
        elsewhere = ~(1 << cell)
        for other in DIGITS_OF[self.masks[cell]]:
            self.planes[other] &= elsewhere
        self.values[cell], self.masks[cell] = digit, 0
        self.standing[digit] |= 1 << cell
        self.blank &= elsewhere
        for peer in cells_of(self.planes[digit] & self.sight.peers[cell]):
            self.masks[peer] ^= 1 << digit
        self.planes[digit] &= ~self.sight.peers[cell]

    def remove(self, cell: int, digit: int) -> None:
        """Remove *digit* from the candidates of *cell*."""
        self._derived.clear()
        self.masks[cell] &= ~(1 << digit)
        self.planes[digit] &= ~(1 << cell)

    def derived(self, find: Callable[[Candidates], Found]) -> Found:
        """Return ``find(board)`` for this board; the result is stored until the board changes."""
        if find not in self._derived:
            self._derived[find] = find(self)
        return cast(Found, self._derived[find])

    def has(self, cell: int, digit: int) -> bool:
        """Return whether *digit* is a candidate of *cell*."""
        return bool(self.planes[digit] >> cell & 1)

    def with_count(self, count: int) -> int:
        """Return the set of cells that have exactly *count* candidates. *count* must be 1 or 2."""
        one = two = more = 0
        for plane in self.planes:
            more |= two & plane
            two |= one & plane
            one |= plane
        return (one & ~two, two & ~more)[count - 1]
