"""Entries: what a person writes into a puzzle while it is held before the camera.

The clues of a puzzle that is sure are held; entries and pencil marks change, and are read again and again. A
hand, a shadow or a blur makes single frames say what isn't there, so a change counts once two readings in a
row tell the same of a cell.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sudoku_vision.results import Board, Reading

_Content = tuple[int, frozenset[int]]
"""What is entered in a cell: a digit, 0 for none, or pencil marks."""


def has_same_answer(one: Reading, other: Reading) -> bool:
    """Tell whether two readings are of one puzzle: each has a solution that the other's clues agree with.

    A digit that counts as a clue in one of them and as an entry in the other makes no difference.
    """
    if one.solution is None or other.solution is None:
        return False
    return _agree(one.puzzle, other.solution) and _agree(other.puzzle, one.solution)


def _agree(clues: Board, solution: Board) -> bool:
    return bool(((clues == 0) | (clues == solution)).all())


def confirmed_changes(held: Reading, newest: Reading, before: Reading | None) -> Reading:
    """Return the *held* reading with what two readings of single frames say alike of its entries and marks.

    *newest* is that of the last frame, *before* that of the frame read before it, if it told of changes.
    """
    if before is None:
        return held
    told = [one == other for one, other in zip(contents(newest, held), contents(before, held), strict=True)]
    return _with_cells(held, newest, told)


def contents(reading: Reading, held: Reading) -> list[_Content]:
    """Return what is entered in each of the 81 cells, by a *reading*; nothing in the clues of *held*."""
    digits = np.where(held.puzzle > 0, 0, reading.puzzle + reading.written).ravel().tolist()
    clues = held.puzzle.ravel().tolist()
    return [
        (digit, frozenset() if clue else marks)
        for digit, clue, marks in zip(digits, clues, reading.marks, strict=True)
    ]


def _with_cells(held: Reading, newest: Reading, told: list[bool]) -> Reading:
    """Return the *held* reading with what *newest* tells of the entries and marks of some cells, (81,)."""
    entered = contents(newest, held)
    kept = contents(held, held)
    chosen = [new if take else old for new, old, take in zip(entered, kept, told, strict=True)]
    both = zip(newest.possible_marks, held.possible_marks, told, strict=True)
    unclear = set(held.unclear) - set(np.flatnonzero(told).tolist())
    unclear |= {cell for cell in newest.unclear if told[cell]}
    doubts = [doubt for doubt in held.doubts if doubt.kind != "entry" or not told[doubt.cell]]
    doubts += [doubt for doubt in newest.doubts if doubt.kind == "entry" and told[doubt.cell]]
    return replace(
        held,
        written=np.array([digit for digit, _ in chosen], np.int8).reshape(9, 9),
        marks=tuple(marks for _, marks in chosen),
        possible_marks=tuple(new if take else old for new, old, take in both),
        unclear=tuple(sorted(unclear)),
        doubts=tuple(doubts),
        entry_confidence=np.where(told, newest.entry_confidence, held.entry_confidence).astype(np.float32),
    )
