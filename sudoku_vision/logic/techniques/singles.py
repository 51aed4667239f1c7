"""Singles: a cell with one digit left, or a digit with one cell left."""

from __future__ import annotations

from sudoku_vision.board import cell_name
from sudoku_vision.logic.candidates import DIGITS, DIGITS_OF, UNIT_SETS, Candidates
from sudoku_vision.logic.steps import Step, Technique
from sudoku_vision.logic.words import unit_name

_BOXES_FIRST = (*range(18, 27), *range(18))
"""A digit's last place is easier to see in a box than along a line."""


def full_house(board: Candidates) -> Step | None:
    """Find the last blank cell of a unit."""
    blank = board.blank
    for unit in _BOXES_FIRST:
        left = blank & UNIT_SETS[unit]
        if left and not left & left - 1:
            cell = left.bit_length() - 1
            return _fill(FULL_HOUSE, cell, DIGITS_OF[board.masks[cell]][0], unit)
    return None


def hidden_single(board: Candidates) -> Step | None:
    """Find a digit that has but one place left in a unit; boxes are looked at first."""
    for unit in _BOXES_FIRST:
        cells = UNIT_SETS[unit]
        for digit in DIGITS:
            places = board.planes[digit] & cells
            if places and not places & places - 1:
                return _fill(HIDDEN_SINGLE, places.bit_length() - 1, digit, unit)
    return None


def naked_single(board: Candidates) -> Step | None:
    """Find a cell that has but one candidate left."""
    singles = board.with_count(1)
    if not singles:
        return None
    cell = (singles & -singles).bit_length() - 1
    return _fill(NAKED_SINGLE, cell, DIGITS_OF[board.masks[cell]][0])


def _fill(technique: Technique, cell: int, digit: int, *units: int) -> Step:
    return Step(technique, (cell,), (digit,), units, placements=((cell, digit),))


def _full_house(step: Step) -> str:
    unit, cell, digit = unit_name(step.units[0]), cell_name(step.cells[0]), step.digits[0]
    return f"In {unit}, {cell} is the last blank cell: {digit} is the digit that is missing."


def _hidden_single(step: Step) -> str:
    return (
        f"In {unit_name(step.units[0])}, the digit {step.digits[0]} fits only in {cell_name(step.cells[0])}."
    )


def _naked_single(step: Step) -> str:
    return f"In {cell_name(step.cells[0])}, no digit but {step.digits[0]} is possible any more."


FULL_HOUSE = Technique(
    "full house",
    order=100,
    difficulty="easy",
    score=4,
    find=full_house,
    sentence=_full_house,
    example="963872541758416923124935786612758439845369217379124658431597862287643195596281370",
)

HIDDEN_SINGLE = Technique(
    "hidden single",
    order=200,
    difficulty="easy",
    score=14,
    find=hidden_single,
    sentence=_hidden_single,
    example="963872541758416923124935786612758439845369217379124658431597862287603190596201370",
)

NAKED_SINGLE = Technique(
    "naked single",
    order=300,
    difficulty="easy",
    score=4,
    find=naked_single,
    sentence=_naked_single,
    example="821653974695471832734000156473000569916345728258000341382000495167594283549832617",
)

TECHNIQUES = (FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE)
