"""Almost locked sets: cells of a unit with one digit more than there are cells.

If one of its digits stands elsewhere, the others are locked in the set: each of them stands in one of its
cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.solver import UNITS

MOST_CELLS = 5
"""Cells of the largest set that is looked for. In a unit with n blank cells, one of more than n / 2 says the
same as some hidden digits in the few cells beside it; none of six or more ever made a difference."""


class AlmostLockedSet(NamedTuple):
    """*cells* (a set of 81 bits) of a unit, and the *mask* of all digits that they may hold."""

    cells: int
    mask: int


def almost_locked_sets(board: Candidates) -> tuple[AlmostLockedSet, ...]:
    """List all almost locked sets of up to five cells, small ones first; a cell of two candidates is one."""
    return _sets(board, 1)


def doubly_open_sets(board: Candidates) -> tuple[AlmostLockedSet, ...]:
    """List the sets of two to four cells with two digits more than cells: of any three, one stands in it."""
    return tuple(found for found in _sets(board, 2) if 1 < found.cells.bit_count() < MOST_CELLS)


def _sets(board: Candidates, spare: int) -> tuple[AlmostLockedSet, ...]:
    """List the sets with *spare* digits more than cells, each once, though it may lie in two units."""
    found: dict[int, int] = {}
    for members in UNITS:
        blank = [(1 << cell, board.masks[cell]) for cell in members if board.masks[cell]]
        found.update(_grown(blank, 0, 0, 0, spare, 0))
    sets = (AlmostLockedSet(cells, mask) for cells, mask in found.items())
    return tuple(sorted(sets, key=lambda one: (one.cells.bit_count(), one.cells)))


def _grown(
    blank: list[tuple[int, int]], first: int, cells: int, mask: int, spare: int, size: int
) -> Iterator[tuple[int, int]]:
    """Yield the sets that a set of *size* cells grows to by blank cells from the *first* on."""
    for place in range(first, len(blank)):
        cell, digits = blank[place]
        grown = mask | digits
        count = grown.bit_count()
        if count <= MOST_CELLS + spare:
            if count == size + 1 + spare:
                yield cells | cell, grown
            if size + 1 < MOST_CELLS:
                yield from _grown(blank, place + 1, cells | cell, grown, spare, size + 1)
