"""Uniqueness: a puzzle with only one solution can't have a pattern that would give it a second solution.

A *unique rectangle* is four cells in two rows, two columns and two boxes. If these cells held only two
digits, the digits could be swapped, and there would be a second solution. The cells with further candidates
are the *roof* of the rectangle, the cells with only the two digits are its *floor*. The types of rectangles
have the numbers that players use. An *avoidable rectangle* has no clue, and its floor is filled in. A
*bivalue universal grave* (BUG) is a board with two candidates in every blank cell and two places for every
missing digit in each unit. Such a board has two solutions or none. All these techniques are valid only for
puzzles with exactly one solution.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

from sudoku_vision.sudoku.logic.bits import DIGITS, DIGITS_OF, candidates_at, cell_set, cells_of, united
from sudoku_vision.sudoku.logic.candidates import Candidates, Sight
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique, new_step
from sudoku_vision.texts import Sentence


@cache
def rectangles(sight: Sight) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return all rectangles whose digits could be swapped: four cells in reading order, and their set."""
    corners = (
        (9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right)
        for top, bottom in combinations(range(9), 2)
        for left, right in combinations(range(9), 2)
    )
    return tuple((cells, cell_set(cells)) for cells in corners if _can_swap(sight, *cells))


def _can_swap(sight: Sight, a: int, b: int, c: int, d: int) -> bool:
    """Return whether all units keep their digits if the digit of a and d is swapped with that of b and c."""
    apart = not sight.peers[a] >> d & 1 and not sight.peers[b] >> c & 1
    return apart and all(
        (unit & (1 << a | 1 << d)).bit_count() == (unit & (1 << b | 1 << c)).bit_count()
        for unit in sight.units.values()
    )


class _Rectangle(NamedTuple):
    """Four cells in which two digits could be swapped. *pair*: the two digits (a mask).

    *floor*: the cells that have only these two candidates, or are filled with one of the two digits. *roof*:
    the other cells.
    """

    cells: tuple[int, ...]
    pair: int
    floor: tuple[int, ...]
    roof: tuple[int, ...]

    def roof_sees_itself(self, board: Candidates) -> bool:
        """Return whether the roof consists of two cells that see each other."""
        return len(self.roof) == 2 and bool(board.sight.peers[self.roof[0]] >> self.roof[1] & 1)


_Type: TypeAlias = Callable[[Candidates, _Rectangle], Step | None]
_Rectangles: TypeAlias = Callable[[Candidates], list[_Rectangle]]


def rectangle(board: Candidates, *, of_type: _Type, among: _Rectangles, key: str) -> Step | None:
    """Return the first step that a rectangle of a board gives.

    *among*: returns the rectangles of a board. *of_type*: returns the step that one rectangle gives, or None.
    """
    steps = (of_type(board, found) for found in board.derived(among))
    step = next((step for step in steps if step is not None), None)
    return step and replace(step, words=Sentence(f"step.{key}", step.words.values))


def _rectangles(board: Candidates) -> list[_Rectangle]:
    """Return the unique rectangles of a board that have both a floor and a roof."""
    masks, pairs = board.masks, board.with_count(2)
    found: list[_Rectangle] = []
    for cells, _ in rectangles(board.sight):
        common = masks[cells[0]] & masks[cells[1]] & masks[cells[2]] & masks[cells[3]]
        if common & common - 1:
            for pair in {masks[cell] for cell in cells if pairs >> cell & 1}:
                if pair & common == pair:
                    floor = tuple(cell for cell in cells if masks[cell] == pair)
                    roof = tuple(cell for cell in cells if masks[cell] != pair)
                    if roof:
                        found.append(_Rectangle(cells, pair, floor, roof))
    return found


def _avoidable(board: Candidates) -> list[_Rectangle]:
    """Return the rectangles that have no clue, and whose floor is filled in with two different digits."""
    found: list[_Rectangle] = []
    entered = united(board.standing) & ~board.clues
    for cells, own in rectangles(board.sight) if entered else ():
        floor, roof = own & entered, own & board.blank
        if roof and own == floor | roof:
            pair = united([1 << board.values[cell] for cell in cells_of(floor)])
            if pair.bit_count() == 2 and all(board.masks[cell] & pair for cell in cells_of(roof)):
                found.append(_Rectangle(cells, pair, cells_of(floor), cells_of(roof)))
    return found


def _one_corner(board: Candidates, found: _Rectangle) -> Step | None:
    """Rectangle of type 1: three cells have only the digits x and y, so the fourth cell can't hold x or y."""
    if len(found.roof) != 1:
        return None
    (corner,) = found.roof
    gone = tuple((corner, digit) for digit in DIGITS_OF[board.masks[corner] & found.pair])
    return _step(found, gone)


def _one_more(board: Candidates, found: _Rectangle, *, across: bool = False) -> Step | None:
    """Type 2 or 5: all cells of the roof have the same further candidate, so one of these cells holds it.

    In type 2 (*across* is False), the roof is two cells that see each other. In type 5, the roof is two cells
    that don't see each other, or three cells.
    """
    if found.roof_sees_itself(board) == across:
        return None
    more = {board.masks[cell] & ~found.pair for cell in found.roof}
    digits = DIGITS_OF[more.pop()]
    if len(found.roof) < 2 or more or len(digits) != 1:
        return None
    gone = board.sight.seen_by_all(found.roof) & board.planes[digits[0]]
    return _step(found, candidates_at(gone, digits[0]), more=digits) if gone else None


def _step(
    found: _Rectangle,
    gone: tuple[Candidate, ...],
    units: tuple[int, ...] = (),
    more: tuple[int, ...] = (),
    subset: tuple[int, ...] = (),
) -> Step:
    """Return a step that strikes out *gone*. The step's cells are roof, floor and *subset*, in this order."""
    (x, y), digit = DIGITS_OF[found.pair], gone[0][1]
    values = {
        "corners": sorted(found.cells),
        "roof": found.roof,
        "floor": found.floor,
        "subset": subset,
        "x": x,
        "y": y,
        "digits": more,
        "digit": digit,
        "other": x + y - digit,
    }
    return new_step(
        (*found.roof, *found.floor, *subset),
        (x, y, *more),
        units,
        colours=(found.roof, found.floor),
        eliminations=tuple(sorted(gone)),
        words=Sentence("", values),
    )


def _with_subset(board: Candidates, found: _Rectangle) -> Step | None:
    """Rectangle of type 3: the further digits of the roof form a naked subset with other cells of a unit.

    One of the two cells of the roof holds a further digit, so both together act like one cell of the subset.
    """
    if not found.roof_sees_itself(board):
        return None
    more = united(board.masks[cell] for cell in found.roof) & ~found.pair
    roof = cell_set(found.roof)
    for unit in board.sight.units_around(roof):
        others = cells_of(board.blank & board.sight.units[unit] & ~roof)
        for count in range(1, 4):
            for subset in combinations(others, count):
                mask = more | united(board.masks[cell] for cell in subset)
                if mask.bit_count() == count + 1 and not mask & found.pair:
                    rest = (cell for cell in others if cell not in subset)
                    gone = tuple((cell, d) for cell in rest for d in DIGITS_OF[board.masks[cell] & mask])
                    if gone:
                        return _step(found, gone, (unit,), DIGITS_OF[mask], subset)
    return None


def _with_strong_pair(board: Candidates, found: _Rectangle) -> Step | None:
    """Rectangle of type 4: in a unit, one of the two digits has all its places in the roof.

    So one cell of the roof holds this digit. If the other cell held the second digit, the two digits could be
    swapped. So the second digit is ruled out in the roof.
    """
    if found.roof_sees_itself(board):
        roof = cell_set(found.roof)
        for unit in board.sight.units_around(roof):
            for digit in DIGITS_OF[found.pair]:
                if board.planes[digit] & board.sight.units[unit] == roof:
                    (other,) = DIGITS_OF[found.pair ^ 1 << digit]
                    return _step(found, candidates_at(roof, other), (unit,))
    return None


def _with_x_wing(board: Candidates, found: _Rectangle) -> Step | None:
    """Rectangle of type 6: one of the two digits forms an X-wing, and the roof is two opposite corners.

    So the digit is in both cells of the roof, or in both cells of the floor. In the first case the digits
    could be swapped. So the digit is ruled out in the roof.
    """
    if len(found.roof) == 2 and not found.roof_sees_itself(board):
        corners = cell_set(found.cells)
        for digit in DIGITS_OF[found.pair]:
            for kind in (0, 1):
                units = tuple({board.sight.units_of[cell][kind]: None for cell in found.cells})
                if not board.planes[digit] & united(board.sight.units[unit] for unit in units) & ~corners:
                    return _step(found, candidates_at(cell_set(found.roof), digit), units)
    return None


def _hidden(board: Candidates, found: _Rectangle) -> Step | None:
    """Hidden rectangle: in the row and column of a corner, a digit x has places only in the rectangle.

    The opposite corner is in the floor. Suppose that the first corner holds the other digit y. Then the two
    remaining corners must hold x, and the opposite corner must hold y. So x and y could be swapped. Therefore
    y is ruled out in the first corner.
    """
    if len(found.roof) < 2:
        return None
    corners = cell_set(found.cells)
    for floor in found.floor:
        corner = next(
            cell for cell in found.cells if not board.sight.peers[floor] >> cell & 1 and cell != floor
        )
        row, column = board.sight.units_of[corner][:2]
        for digit in DIGITS_OF[found.pair]:
            if not board.planes[digit] & (board.sight.units[row] | board.sight.units[column]) & ~corners:
                (other,) = DIGITS_OF[found.pair ^ 1 << digit]
                beside, below = (cell for cell in found.cells if cell not in (corner, floor))
                names = {"corner": corner, "beside": beside, "below": below, "floor": floor, "other": other}
                return new_step(
                    (corner, beside, below, floor),
                    (digit, other),
                    (row, column),
                    eliminations=((corner, other),),
                    words=Sentence("", names),
                )
    return None


def bug_plus_one(board: Candidates) -> Step | None:
    """Find the only cell with three candidates. Place the digit without which the board would be a BUG."""
    wide = board.blank & ~board.with_count(2)
    if not wide or wide & wide - 1:
        return None
    (cell,) = cells_of(wide)
    if board.masks[cell].bit_count() != 3:
        return None
    for digit in DIGITS_OF[board.masks[cell]]:
        if _is_grave(board, digit, wide):
            others = cells_of(board.blank ^ wide)
            found = ((cell, digit),)
            return new_step((cell, *others), (digit,), placements=found, words=Sentence("step.bug"))
    return None


def _is_grave(board: Candidates, spare: int, wide: int) -> bool:
    """Return whether the board would be a BUG if one cell lost the candidate *spare*.

    *wide*: this cell alone, as a set of 81 bits.
    """
    for digit in DIGITS:
        plane = board.planes[digit] & ~(wide if digit == spare else 0)
        if any((plane & unit).bit_count() not in (0, 2) for unit in board.sight.units.values()):
            return False
    return True


def _type(
    name: str, order: int, of_type: _Type, key: str = "", among: _Rectangles = _rectangles
) -> Technique:
    finder = partial(rectangle, of_type=of_type, among=among, key=key or name.replace(" ", "_"))
    return Technique(name, order, "hard", 100, finder, needs_unique=True, swaps=True)


TECHNIQUES = (
    Technique("BUG+1", 1250, "hard", 100, bug_plus_one, needs_unique=True, swaps=True),
    _type("unique rectangle", 1500, _one_corner, "rectangle"),
    _type("unique rectangle type 2", 1520, _one_more),
    _type("unique rectangle type 3", 1530, _with_subset),
    _type("unique rectangle type 4", 1540, _with_strong_pair),
    _type("unique rectangle type 5", 1550, partial(_one_more, across=True), "unique_rectangle_type_2"),
    _type("unique rectangle type 6", 1560, _with_x_wing),
    _type("hidden rectangle", 1570, _hidden),
    _type("avoidable rectangle type 1", 1580, _one_corner, among=_avoidable),
    _type("avoidable rectangle type 2", 1590, _one_more, among=_avoidable),
)
