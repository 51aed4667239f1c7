"""Backtracking: a guess where nothing follows any more, taken back if it fails.

Of the cells with two candidates, that one is guessed whose two digits strike most others. A board that takes
long without any solution is probed (:data:`PROBE_AT`), so that a corner which can't be filled is found before
guesses elsewhere run into it again and again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sudoku_vision.sudoku.solver.propagation import (
    ALL,
    CELLS,
    EVERY_DIGIT,
    KEPT,
    MATES,
    STRUCK,
    digits_of,
    propagate,
)

MAX_GUESSES = 10_000
"""Guesses for each solution that is looked for, after which a search gives up where its caller sets no other
bound: about a second. Of proper classic puzzles none is known that takes a twentieth of them."""
PROBE_AT = 100  # guesses without any solution after which the board is probed and begun anew
PAIR_WEIGHT = 3
"""How much more a struck candidate counts in a cell with two: striking it decides the cell. Tried: 0 to 5."""


@dataclass(frozen=True)
class Statistics:
    """How much backtracking a board took.

    ``guesses``: cells at which two ways had to be tried. ``backtracks``: ways that ended dead. ``depth``: the
    most guesses that stood at the same time. ``work``: what all of it took, in guesses of the classic game,
    30 us each, under whatever rules.
    """

    guesses: int = 0
    backtracks: int = 0
    depth: int = 0
    work: int = 0


class Found(NamedTuple):
    """Solutions found by :func:`search`, each 81 digits; ``finished`` is False where the guesses ran out."""

    solutions: tuple[tuple[int, ...], ...]
    finished: bool
    statistics: Statistics


def search(values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values* (0 for blank), making at most *max_guesses* guesses.

    Without such a bound, it is :data:`MAX_GUESSES` for each solution.
    """
    candidates, placed = ALL, 0
    for cell, digit in enumerate(values):
        if digit:
            index = 81 * digit - 81 + cell
            candidates &= KEPT[index]
            placed |= 1 << index
    if candidates & placed != placed:
        return Found((), True, Statistics())
    solutions: list[tuple[int, ...]] = []
    start = candidates, placed
    open_boards = [start]
    most = MAX_GUESSES * limit if max_guesses is None else max_guesses
    guesses = backtracks = depth = 0
    while open_boards and len(solutions) < limit:
        candidates, placed, undecided = propagate(*open_boards.pop())
        if not candidates:
            backtracks += 1
        elif not undecided:
            solutions.append(digits_of(candidates))
        elif guesses >= most:
            return Found(tuple(solutions), False, Statistics(guesses, backtracks, depth, guesses))
        else:
            guesses += 1
            if guesses == PROBE_AT and not solutions:
                open_boards = [_probe(*propagate(*start))]
                continue
            open_boards += _guess(candidates, placed, undecided)
            depth = max(depth, len(open_boards) - 1)
    return Found(tuple(solutions), True, Statistics(guesses, backtracks, depth, guesses))


def _probe(candidates: int, placed: int, undecided: int) -> tuple[int, int]:
    """Try every candidate of the undecided cells once, and take away those that lead to a dead end.

    Finds the corner of a board that can't be filled, which guesses elsewhere would run into again and again.
    """
    trials = candidates & undecided * EVERY_DIGIT
    while trials and candidates:
        trial = trials.bit_length() - 1
        trials ^= 1 << trial
        if not propagate(candidates & KEPT[trial], placed | 1 << trial)[0]:
            candidates, placed, undecided = propagate(candidates ^ 1 << trial, placed)
            trials &= candidates & undecided * EVERY_DIGIT
    return candidates, placed


def _guess(candidates: int, placed: int, undecided: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return two ways to go on: a candidate of some cell taken away, and, to be tried first, placed."""
    pairs = _pairs(candidates)
    if not pairs:
        cells = [cell for cell in range(81) if undecided >> cell & 1]
        guess = min((candidates & MATES[cell] for cell in cells), key=int.bit_count).bit_length() - 1
        return (candidates ^ 1 << guess, placed), (candidates & KEPT[guess], placed | 1 << guess)
    one, other = _best_pair(candidates, pairs)
    return (candidates & KEPT[other], placed | 1 << other), (candidates & KEPT[one], placed | 1 << one)


def _best_pair(candidates: int, pairs: int) -> tuple[int, int]:
    """Choose the two candidates of a cell, among *pairs* (81 bits), that strike most others when placed."""
    paired = candidates & pairs * EVERY_DIGIT
    best, choice = -1, (0, 0)
    while pairs:
        cell = pairs.bit_length() - 1
        pairs ^= 1 << cell
        mates = paired & MATES[cell]
        one = mates.bit_length() - 1
        other = (mates ^ 1 << one).bit_length() - 1
        struck = candidates & (STRUCK[one] | STRUCK[other])
        weight = struck.bit_count() + PAIR_WEIGHT * (struck & paired).bit_count()
        if weight > best:
            best, choice = weight, (one, other)
    return choice


def _pairs(candidates: int) -> int:
    """Return the cells (81 bits) that have exactly two candidates."""
    one = two = more = 0
    for _ in range(9):
        plane = candidates & CELLS
        more |= two & plane
        two |= one & plane
        one |= plane
        candidates >>= 81
    return two & ~more
