"""Unique rectangles: four cells that could swap two digits would make a second solution.

They lie in two rows, two columns and two boxes. Cells of it that hold other candidates, too, are its *roof*,
those that don't its *floor*; the types are numbered as everywhere. All hold only where the puzzle has exactly
one solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import (
    DIGITS_OF,
    PEER_SETS,
    UNIT_SETS,
    UNITS_OF,
    Candidates,
    cell_set,
    cells_of,
    seen_by_all,
)
from sudoku_vision.sudoku.logic.steps import Step, Technique
from sudoku_vision.sudoku.logic.words import listed, name_cells, name_units, strike, unit_name

RECTANGLES = tuple(
    (9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right)
    for top, bottom in combinations(range(9), 2)
    for left, right in combinations(range(9), 2)
    if (top // 3 == bottom // 3) != (left // 3 == right // 3)
)
"""Four cells in two rows, two columns and two boxes, in reading order."""


class _Rectangle(NamedTuple):
    """*cells* that all hold the *pair* (a mask); those of the *floor* nothing else, of the *roof* more."""

    cells: tuple[int, ...]
    pair: int
    floor: tuple[int, ...]
    roof: tuple[int, ...]

    def in_line(self) -> bool:
        """Whether the roof is two cells side by side."""
        return len(self.roof) == 2 and bool(PEER_SETS[self.roof[0]] >> self.roof[1] & 1)

    def in_corners(self) -> bool:
        """Whether the roof is two cells across from each other."""
        return len(self.roof) == 2 and not self.in_line()


def _rectangles(board: Candidates) -> tuple[_Rectangle, ...]:
    """List the rectangles that have a floor and more than one cell of roof."""
    return tuple(_every_rectangle(board))


def _every_rectangle(board: Candidates) -> Iterator[_Rectangle]:
    masks, pairs = board.masks, board.with_count(2)
    for cells in RECTANGLES:
        common = masks[cells[0]] & masks[cells[1]] & masks[cells[2]] & masks[cells[3]]
        if common & common - 1:
            for pair in {masks[cell] for cell in cells if pairs >> cell & 1}:
                if pair & common == pair:
                    floor = tuple(cell for cell in cells if masks[cell] == pair)
                    roof = tuple(cell for cell in cells if masks[cell] != pair)
                    if len(roof) > 1:
                        yield _Rectangle(cells, pair, floor, roof)


def unique_rectangle(board: Candidates) -> Step | None:
    """Find four cells in two rows, columns and boxes, three of which hold the same two digits (type 1).

    The fourth can hold neither of them.
    """
    masks, pairs = board.masks, board.with_count(2)
    for corner in cells_of(pairs):
        mask = masks[corner]
        row, column, box = UNITS_OF[corner]
        along = [c for c in cells_of(pairs & UNIT_SETS[row]) if c != corner and masks[c] == mask]
        down = [c for c in cells_of(pairs & UNIT_SETS[column]) if c != corner and masks[c] == mask]
        for beside in along:
            for below in down:
                fourth = below // 9 * 9 + beside % 9
                two_boxes = (UNITS_OF[beside][2] == box) != (UNITS_OF[below][2] == box)
                if two_boxes and masks[fourth] & mask == mask:
                    digits = DIGITS_OF[mask]
                    return Step(
                        UNIQUE_RECTANGLE,
                        (fourth, *sorted((corner, beside, below))),
                        digits,
                        eliminations=tuple((fourth, digit) for digit in digits),
                    )
    return None


def rectangle_with_one_more(board: Candidates) -> Step | None:
    """Find a roof with the same one digit more in all of its cells: one of them holds it.

    Two cells side by side are type 2. Two across or three are type 5, which goes by the same name here: it
    is only seen where something has been struck out before.
    """
    for found in board.derived(_rectangles):
        more = {board.masks[cell] & ~found.pair for cell in found.roof}
        digits = DIGITS_OF[more.pop()]
        if not more and len(digits) == 1:
            gone = seen_by_all(found.roof) & board.planes[digits[0]]
            if gone:
                return _step(
                    UNIQUE_RECTANGLE_2, found, digits, [(cell, digits[0]) for cell in cells_of(gone)]
                )
    return None


def _step(
    technique: Technique,
    found: _Rectangle,
    more: tuple[int, ...],
    gone: list[tuple[int, int]],
    units: tuple[int, ...] = (),
    subset: tuple[int, ...] = (),
) -> Step:
    """Return a step: the roof first, then the floor, then the cells that make a *subset* with the roof."""
    return Step(
        technique,
        (*found.roof, *found.floor, *subset),
        (*DIGITS_OF[found.pair], *more),
        units,
        colours=(found.roof, found.floor),
        eliminations=tuple(sorted(gone)),
    )


def rectangle_with_subset(board: Candidates) -> Step | None:
    """Find a roof side by side whose other digits make a naked subset with cells of a unit (type 3)."""
    for found in board.derived(_rectangles):
        if found.in_line():
            for unit, members in enumerate(UNIT_SETS):
                if not cell_set(found.roof) & ~members:
                    step = _with_subset(board, found, unit)
                    if step is not None:
                        return step
    return None


def _with_subset(board: Candidates, found: _Rectangle, unit: int) -> Step | None:
    more = (board.masks[found.roof[0]] | board.masks[found.roof[1]]) & ~found.pair
    others = cells_of(board.blank & UNIT_SETS[unit] & ~cell_set(found.roof))
    for count in range(1, 4):
        for subset in combinations(others, count):
            mask = more
            for cell in subset:
                mask |= board.masks[cell]
            if mask.bit_count() == count + 1 and not mask & found.pair:
                rest = (cell for cell in others if cell not in subset)
                gone = [(cell, digit) for cell in rest for digit in DIGITS_OF[board.masks[cell] & mask]]
                if gone:
                    return _step(UNIQUE_RECTANGLE_3, found, DIGITS_OF[mask], gone, (unit,), subset)
    return None


def rectangle_with_strong_pair(board: Candidates) -> Step | None:
    """Find a roof side by side that is all places of one digit in a unit: neither has the other (type 4)."""
    for found in board.derived(_rectangles):
        if found.in_line():
            roof = cell_set(found.roof)
            for unit, members in enumerate(UNIT_SETS):
                for digit in DIGITS_OF[found.pair]:
                    if not roof & ~members and board.planes[digit] & members == roof:
                        (other,) = DIGITS_OF[found.pair ^ 1 << digit]
                        gone = [(cell, other) for cell in found.roof]
                        return _step(UNIQUE_RECTANGLE_4, found, (), gone, (unit,))
    return None


def rectangle_with_x_wing(board: Candidates) -> Step | None:
    """Find a roof across whose rectangle is an X-wing of one digit: neither of the roof holds it (type 6)."""
    for found in board.derived(_rectangles):
        if found.in_corners():
            corners = cell_set(found.cells)
            for digit in DIGITS_OF[found.pair]:
                for kind in (0, 1):
                    units = tuple({UNITS_OF[cell][kind]: None for cell in found.cells})
                    places = [board.planes[digit] & UNIT_SETS[unit] for unit in units]
                    if not any(here & ~corners for here in places):
                        gone = [(cell, digit) for cell in found.roof]
                        return _step(UNIQUE_RECTANGLE_6, found, (), gone, units)
    return None


def hidden_rectangle(board: Candidates) -> Step | None:
    """Find a corner whose row and column hold one of the two digits in the rectangle alone.

    If that corner, across from a cell of the floor, held the other digit, the first would stand beside and
    below it, and the floor would hold the other: two that could be swapped.
    """
    for found in board.derived(_rectangles):
        for floor in found.floor:
            corner = next(cell for cell in found.cells if not PEER_SETS[floor] >> cell & 1 and cell != floor)
            row, column, _ = UNITS_OF[corner]
            corners = cell_set(found.cells)
            for digit in DIGITS_OF[found.pair]:
                if not board.planes[digit] & (UNIT_SETS[row] | UNIT_SETS[column]) & ~corners:
                    (other,) = DIGITS_OF[found.pair ^ 1 << digit]
                    cells = (corner, *(cell for cell in found.cells if cell not in (corner, floor)), floor)
                    return Step(
                        HIDDEN_RECTANGLE,
                        cells,
                        (digit, other),
                        (row, column),
                        eliminations=((corner, other),),
                    )
    return None


def _swap(step: Step) -> str:
    """Say what may not be."""
    one, two = step.digits[:2]
    return (
        f"If {name_cells(sorted(step.cells[:4]))} held nothing but {one} and {two}, these two could be "
        "swapped there, and the puzzle would have two solutions."
    )


def _one_more_sentence(step: Step) -> str:
    roof, more = name_cells(step.colours[0]), step.digits[2]
    return (
        f"{_swap(step)} It has one, so {more} is in one of {roof}, which alone can hold something else, and "
        f"what sees all of them can't hold it: {strike(step.eliminations)}."
    )


def _subset_sentence(step: Step) -> str:
    roof, subset = name_cells(step.colours[0]), step.cells[4:]
    return (
        f"{_swap(step)} It has one, so {roof} hold one of {listed(step.digits[2:])}. In "
        f"{unit_name(step.units[0])}, {name_cells(subset)} hold{'s' * (len(subset) == 1)} nothing but these "
        f"either, so they are used up there: {strike(step.eliminations)}."
    )


def _strong_pair_sentence(step: Step) -> str:
    gone = step.eliminations[0][1]
    other = next(digit for digit in step.digits if digit != gone)
    return (
        f"{_swap(step)} In {unit_name(step.units[0])}, {other} fits only in {name_cells(step.colours[0])}, "
        f"so one of these holds it. If the other held {gone}, it would come to that. The puzzle has one "
        f"solution, so {strike(step.eliminations)}."
    )


def _x_wing_sentence(step: Step) -> str:
    gone = step.eliminations[0][1]
    return (
        f"{_swap(step)} In {name_units(step.units)}, {gone} fits only in these cells, so it stands in two "
        f"that lie across from each other. If those were {name_cells(step.colours[0])}, it would come to "
        f"that. The puzzle has one solution, so {strike(step.eliminations)}."
    )


def _hidden_sentence(step: Step) -> str:
    corner, beside, below, floor = map(cell_name, step.cells)
    digit, other = step.digits
    return (
        f"In {name_units(step.units)}, {digit} fits only in {corner}, {beside} and {below}. If {corner} held "
        f"{other}, {beside} and {below} would hold {digit} and {floor} {other}: these two could be swapped, "
        f"and the puzzle would have two solutions. It has one, so {strike(step.eliminations)}."
    )


def _sentence(step: Step) -> str:
    one, two = step.digits
    fourth, *floor = step.cells
    return (
        f"{name_cells(floor)} hold nothing but {one} and {two}. If {cell_name(fourth)} held {one} or {two} "
        f"as well, these two could be swapped in the four cells, and the puzzle would have two solutions. It "
        f"has one, so {strike(step.eliminations)}."
    )


UNIQUE_RECTANGLE = Technique(
    "unique rectangle",
    order=1500,
    difficulty="hard",
    score=100,
    find=unique_rectangle,
    sentence=_sentence,
    example="405036021601402003023100046004361257516927438237584619752619384349000162168243005",
    needs_unique=True,
)


UNIQUE_RECTANGLE_2 = Technique(
    "unique rectangle type 2",
    order=1520,
    difficulty="hard",
    score=100,
    find=rectangle_with_one_more,
    sentence=_one_more_sentence,
    example="047002003850037412203004000082340000475810320360270040000423587528761934734598261",
    needs_unique=True,
)

UNIQUE_RECTANGLE_3 = Technique(
    "unique rectangle type 3",
    order=1530,
    difficulty="hard",
    score=100,
    find=rectangle_with_subset,
    sentence=_subset_sentence,
    example="002010034400300012193245867051020703730050426624703105040032670387560240216000350",
    needs_unique=True,
)

UNIQUE_RECTANGLE_4 = Technique(
    "unique rectangle type 4",
    order=1540,
    difficulty="hard",
    score=100,
    find=rectangle_with_strong_pair,
    sentence=_strong_pair_sentence,
    example="051092043040530012203164700000213564365040271124675030512480390036051420470320100",
    needs_unique=True,
)

UNIQUE_RECTANGLE_6 = Technique(
    "unique rectangle type 6",
    order=1560,
    difficulty="hard",
    score=100,
    find=rectangle_with_x_wing,
    sentence=_x_wing_sentence,
    example="060871043040369012103245700030584120851926437420713005000137654374658291615492378",
    needs_unique=True,
)

HIDDEN_RECTANGLE = Technique(
    "hidden rectangle",
    order=1570,
    difficulty="hard",
    score=100,
    find=hidden_rectangle,
    sentence=_hidden_sentence,
    example="400050009003400800085109000000004000000080290150690070806000040500000003009040780",
    needs_unique=True,
)

TECHNIQUES = (
    UNIQUE_RECTANGLE,
    UNIQUE_RECTANGLE_2,
    UNIQUE_RECTANGLE_3,
    UNIQUE_RECTANGLE_4,
    UNIQUE_RECTANGLE_6,
    HIDDEN_RECTANGLE,
)
