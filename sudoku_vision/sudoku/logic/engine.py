"""The engine: try the techniques, easiest first, and take one step after the other."""

from collections.abc import Iterator, Sequence

from sudoku_vision.sudoku.logic.candidates import Candidates, sight
from sudoku_vision.sudoku.logic.steps import Candidate, Step, Technique


def next_step(board: Candidates, allowed: Sequence[Technique]) -> Step | None:
    """Find the easiest step on *board* of the techniques *allowed*, easiest first; None if there is none."""
    for technique in allowed:
        step = technique.find(board)
        if step is not None:
            return step
    return None


def take(board: Candidates, step: Step) -> None:
    """Do on *board* what *step* says."""
    for cell, digit in step.placements:
        board.place(cell, digit)
    for cell, digit in step.eliminations:
        board.remove(cell, digit)


def walk(board: Candidates, allowed: Sequence[Technique]) -> Iterator[Step]:
    """Take steps on *board* as far as *allowed* techniques lead, giving each before it is taken."""
    while board.blank:
        step = next_step(board, allowed)
        if step is None:
            return
        yield step
        take(board, step)


def needed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Select those of *steps* that the last one may rest on, directly or by way of others.

    A step rests on an earlier one that struck out a candidate of its pattern's cells, or one of its digits
    in a unit that the pattern is seen in; every step may rest on more than it would have to, never on less.
    """
    kept: list[Step] = []
    for step in reversed(steps):
        if not kept or any(_rests_on(later, gone) for later in kept for gone in step.eliminations):
            kept.append(step)
    return tuple(reversed(kept))


def _rests_on(step: Step, gone: Candidate) -> bool:
    if step.branches or step.trial:
        return True
    cell, digit = gone
    return cell in step.cells or (
        digit in step.digits and any(sight(step.rules).units[unit] >> cell & 1 for unit in step.units)
    )
