"""The unique rectangle: four cells that could swap two digits would make a second solution.

Holds only where the puzzle has exactly one solution.
"""

from __future__ import annotations

from sudoku_vision.board import cell_name
from sudoku_vision.logic.candidates import DIGITS_OF, UNIT_SETS, UNITS_OF, Candidates, cells_of
from sudoku_vision.logic.steps import Step, Technique
from sudoku_vision.logic.words import name_cells, strike


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

TECHNIQUES = (UNIQUE_RECTANGLE,)
