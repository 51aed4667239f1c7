"""Backtracking under any rules: the same conclusions as :mod:`propagation` draws, unit by unit.

For each digit the cells that may take it are a set, a whole number of 81 bits. What all places of a digit in
a unit see can't hold the digit: with one place that is a single, with more it is what locked candidates are
in the classic game, wherever units cross.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial, reduce
from operator import and_
from typing import NamedTuple, TypeAlias

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import backtracking
from sudoku_vision.sudoku.solver.backtracking import Found, Statistics

Planes: TypeAlias = list[int]
"""For each digit 1..9, from 0: the cells that may still take it, or hold it."""

_ALL = (1 << 81) - 1


class _Masks(NamedTuple):
    """What rules say, as sets of cells: the units, and the peers of each cell."""

    units: tuple[int, ...]
    peers: tuple[int, ...]
    seen: dict[int, int]
    """What all cells of a set see, as far as it was asked for."""


@cache
def _masks(rules: Rules) -> _Masks:
    units, peers = (
        tuple(sum(1 << cell for cell in cells) for cells in of) for of in (rules.units.values(), rules.peers)
    )
    return _Masks(units, peers, {})


def searcher(rules: Rules) -> Callable[..., Found]:
    """Return the search for boards under *rules*: the fast one of the classic game, or that of any rules.

    Its arguments are those of :func:`~sudoku_vision.sudoku.solver.search`.
    """
    return backtracking.search if rules == CLASSIC else partial(search, rules)


def search(rules: Rules, values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values* (0 for blank), making at most *max_guesses* guesses."""
    if rules.find_clashes(values):
        return Found((), True, Statistics())
    masks = _masks(rules)
    planes = [_ALL] * 9
    for cell, digit in enumerate(values):
        if digit:
            planes = _placed(planes, cell, digit - 1)
    solutions: list[tuple[int, ...]] = []
    open_boards = [planes]
    guesses = backtracks = depth = 0
    while open_boards and len(solutions) < limit:
        left = _propagated(masks, open_boards.pop())
        if left is None:
            backtracks += 1
            continue
        choice = _choice(left)
        if not choice:
            solutions.append(_digits(left))
        elif guesses == max_guesses:
            return Found(tuple(solutions), False, Statistics(guesses, backtracks, depth))
        else:
            guesses += 1
            open_boards += [_placed(left, cell, digit) for cell, digit in reversed(choice)]
            depth = max(depth, len(open_boards) - 1)
    return Found(tuple(solutions), True, Statistics(guesses, backtracks, depth))


def _placed(planes: Planes, cell: int, digit: int) -> Planes:
    """Return the planes with a digit (0..8) alone in a cell; what follows for others isn't drawn yet."""
    return [plane if other == digit else plane & ~(1 << cell) for other, plane in enumerate(planes)]


def _propagated(masks: _Masks, planes: Planes) -> Planes | None:
    """Draw all conclusions; None at a dead end."""
    before: Planes = [0] * 9
    while planes != before:
        alone, pairs_or_more = _counted(planes)
        if alone | pairs_or_more != _ALL:
            return None
        before, planes = planes, planes[:]
        for digit in range(9):
            left = _cleared(masks, planes[digit], planes[digit] & alone)
            if left is None:
                return None
            planes[digit], singles = left
            for other in range(9) if singles else ():
                planes[other] &= ~singles if other != digit else _ALL
    return planes


def _counted(planes: Planes) -> tuple[int, int]:
    """Return the cells that have one candidate, and those that have several."""
    some = several = 0
    for plane in planes:
        several |= some & plane
        some |= plane
    return some & ~several, several


def _cleared(masks: _Masks, plane: int, alone: int) -> tuple[int, int] | None:
    """Return the places of a digit that it is not kept from, and those that are the only ones of a unit.

    *alone* are the cells that can hold nothing else. None at a dead end.
    """
    while alone:
        cell = alone.bit_length() - 1
        alone ^= 1 << cell
        plane &= ~masks.peers[cell]
    singles = 0
    for unit in masks.units:
        places = plane & unit
        if not places:
            return None
        if not places & places - 1:
            singles |= places
        plane &= ~_seen_by_all(masks, places)
    return plane, singles


def _seen_by_all(masks: _Masks, cells: int) -> int:
    """Return the cells that share a unit with each of some *cells*."""
    if cells not in masks.seen:
        masks.seen[cells] = reduce(and_, (masks.peers[cell] for cell in range(81) if cells >> cell & 1))
    return masks.seen[cells]


def _choice(planes: Planes) -> list[tuple[int, int]]:
    """Return the (cell, digit) of which one must be true, as few as there are; none on a full board."""
    several = _counted(planes)[1]
    cells = [cell for cell in range(81) if several >> cell & 1]
    options = ([(cell, digit) for digit in range(9) if planes[digit] >> cell & 1] for cell in cells)
    return min(options, key=len, default=[])


def _digits(planes: Planes) -> tuple[int, ...]:
    """Return the 81 digits of a board that has one candidate in each cell."""
    return tuple(sum(digit for digit in range(1, 10) if planes[digit - 1] >> cell & 1) for cell in range(81))
