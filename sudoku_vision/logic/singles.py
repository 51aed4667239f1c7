"""Singles: a cell with one digit left, or a digit with one cell left."""

from __future__ import annotations

from sudoku_vision.logic.candidates import DIGITS, DIGITS_OF, UNIT_SETS, Candidates
from sudoku_vision.logic.steps import Step, Technique

_BOXES_FIRST = (*range(18, 27), *range(18))
"""A digit's last place is easier to see in a box than along a line."""


def full_house(board: Candidates) -> Step | None:
    """The last blank cell of a unit."""
    blank = board.blank
    for unit in _BOXES_FIRST:
        left = blank & UNIT_SETS[unit]
        if left and not left & left - 1:
            cell = left.bit_length() - 1
            return _fill(Technique.FULL_HOUSE, cell, DIGITS_OF[board.masks[cell]][0], unit)
    return None


def hidden_single(board: Candidates) -> Step | None:
    """A digit that has but one place left in a unit; boxes are looked at first."""
    for unit in _BOXES_FIRST:
        cells = UNIT_SETS[unit]
        for digit in DIGITS:
            places = board.planes[digit] & cells
            if places and not places & places - 1:
                return _fill(Technique.HIDDEN_SINGLE, places.bit_length() - 1, digit, unit)
    return None


def naked_single(board: Candidates) -> Step | None:
    """A cell that has but one candidate left."""
    singles = board.with_count(1)
    if not singles:
        return None
    cell = (singles & -singles).bit_length() - 1
    return _fill(Technique.NAKED_SINGLE, cell, DIGITS_OF[board.masks[cell]][0])


def _fill(technique: Technique, cell: int, digit: int, *units: int) -> Step:
    return Step(technique, (cell,), (digit,), units, placements=((cell, digit),))
