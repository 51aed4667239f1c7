"""BUG+1: but for one candidate, every cell would have two and every digit two places in each of its units.

Such a board, a *bivalue universal grave* (BUG), has two solutions or none. Holds only where the puzzle has
exactly one solution.
"""

from __future__ import annotations

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.candidates import DIGITS, DIGITS_OF, UNIT_SETS, Candidates, cells_of
from sudoku_vision.sudoku.logic.steps import Step, Technique


def bug_plus_one(board: Candidates) -> Step | None:
    """Find the cell with three candidates among others with two; the one to spare is the digit."""
    wide = board.blank & ~board.with_count(2)
    if not wide or wide & wide - 1:
        return None
    (cell,) = cells_of(wide)
    if board.masks[cell].bit_count() != 3:
        return None
    for digit in DIGITS_OF[board.masks[cell]]:
        if _is_grave(board, digit, wide):
            others = cells_of(board.blank ^ wide)  # the step rests on the candidates of all of them
            return Step(BUG_PLUS_ONE, (cell, *others), (digit,), placements=((cell, digit),))
    return None


def _is_grave(board: Candidates, spare: int, wide: int) -> bool:
    """Say whether every digit has two places or none in each unit, without *spare* in the cell *wide*."""
    for digit in DIGITS:
        plane = board.planes[digit] & ~(wide if digit == spare else 0)
        if any((plane & unit).bit_count() not in (0, 2) for unit in UNIT_SETS):
            return False
    return True


def _sentence(step: Step) -> str:
    ((cell, digit),) = step.placements
    name = cell_name(cell)
    return (
        f"All blank cells have two candidates left, only {name} three. If {name} were not {digit}, every "
        "digit would have two places wherever it is missing: then all cells could be swapped for a second "
        f"solution, or there were none. The puzzle has one, so {name} is {digit}."
    )


BUG_PLUS_ONE = Technique(
    "BUG+1",
    order=1250,
    difficulty="hard",
    score=100,
    find=bug_plus_one,
    sentence=_sentence,
    example="752981643846050912193264700389145276027830401014020830961578324205490100408012500",
    needs_unique=True,
)

TECHNIQUES = (BUG_PLUS_ONE,)
