"""Backtracking: if no digit is certain, guess one, and take the guess back if it fails.

If cells with two candidates are left, the guess is made in one of these cells. It is the cell whose digits
would remove the most candidates from other cells.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

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
"""By default, a search gives up after this many guesses for each wanted solution. So many guesses take about
a second. All known classic puzzles with one solution need less than a twentieth of this limit."""
PROBE_AT = 100  # after this many guesses without a solution, every candidate of the board is tried once
PAIR_WEIGHT = 3  # extra weight of a removed candidate if its cell has two, because the cell is then decided

State: TypeAlias = tuple[int, int]  # two sets of bits: all candidates that are left, and the placed ones


@dataclass(frozen=True)
class Statistics:
    """The work that the search for the solutions of a board took.

    ``backtracks``: the number of guesses that led to a dead end. ``depth``: the largest number of guesses
    that were open (not yet taken back) at the same time. ``work``: the whole effort under any rules. A guess
    in the classic game counts as 1.
    """

    guesses: int = 0
    backtracks: int = 0
    depth: int = 0
    work: int = 0


class Found(NamedTuple):
    """The *solutions* that a search found, each with 81 digits; *finished*: False if it gave up."""

    solutions: tuple[tuple[int, ...], ...]
    finished: bool
    statistics: Statistics


Search: TypeAlias = Callable[..., Found]
"""A function with the arguments and the result of :func:`search`, for boards under certain rules."""


def search(values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values*, 0 for blank; give up after *max_guesses* guesses.

    By default, :data:`MAX_GUESSES` guesses are allowed for each wanted solution. A board that takes many
    guesses without a solution is *probed*: every candidate is tried once, and the candidates that lead to a
    dead end are removed. Then the search begins again. Without probing, guesses in one part of the board
    might lead again and again to the same dead end in another part.
    """
    left, placed = ALL, 0
    for cell, digit in enumerate(values):
        if digit:
            candidate = 81 * digit - 81 + cell
            left &= KEPT[candidate]
            placed |= 1 << candidate
    if left & placed != placed:
        return Found((), True, Statistics())
    start = left, placed
    solutions: list[tuple[int, ...]] = []
    open_boards = [start]
    most = MAX_GUESSES * limit if max_guesses is None else max_guesses
    guesses = backtracks = depth = 0
    finished = True
    while finished and open_boards and len(solutions) < limit:
        left, placed = propagate(*open_boards.pop())
        if not left:
            backtracks += 1
        elif left == placed:
            solutions.append(digits_of(left))
        elif guesses >= most:
            finished = False
        else:
            guesses += 1
            if guesses == PROBE_AT and not solutions:
                open_boards = [_probe(*start)]
                continue
            open_boards += _ways(left, placed)
            depth = max(depth, len(open_boards) - 1)
    return Found(tuple(solutions), finished, Statistics(guesses, backtracks, depth, guesses))


def _probe(left: int, placed: int) -> State:
    """Return a board without those candidates that lead to a dead end at once if they are placed."""
    left, placed = propagate(left, placed)
    trials = left ^ placed
    while trials and left:
        trial = trials.bit_length() - 1
        trials ^= 1 << trial
        if not propagate(left & KEPT[trial], placed | 1 << trial)[0]:
            left, placed = propagate(left ^ 1 << trial, placed)
            trials &= left & ~placed
    return left, placed


def _ways(left: int, placed: int) -> Sequence[State]:
    """Choose the next cell to guess in, and return the two boards between which the guess decides.

    If there are cells with two candidates, the best of them is chosen, and each board has one of the
    candidates. Otherwise the cell with the fewest candidates is chosen. The first board lacks one of its
    candidates, and in the second board this candidate is placed. The second board is examined first.
    """
    pairs = _pairs(left)
    if not pairs:
        undecided = left ^ placed
        cells = (undecided & mates for mates in MATES)
        guess = min(filter(None, cells), key=int.bit_count).bit_length() - 1
        return (left ^ 1 << guess, placed), (left & KEPT[guess], placed | 1 << guess)
    one, other = _best_pair(left, pairs)
    return (left & KEPT[other], placed | 1 << other), (left & KEPT[one], placed | 1 << one)


def _best_pair(left: int, pairs: int) -> tuple[int, int]:
    """Return the two candidates of the best cell in *pairs* (81 bits): they would remove the most others."""
    paired = left & pairs * EVERY_DIGIT
    best, choice = -1, (0, 0)
    while pairs:
        cell = pairs.bit_length() - 1
        pairs ^= 1 << cell
        mates = paired & MATES[cell]
        one = mates.bit_length() - 1
        other = (mates ^ 1 << one).bit_length() - 1
        struck = left & (STRUCK[one] | STRUCK[other])
        weight = struck.bit_count() + PAIR_WEIGHT * (struck & paired).bit_count()
        if weight > best:
            best, choice = weight, (one, other)
    return choice


def _pairs(left: int) -> int:
    """Return the set of cells (81 bits) that have exactly two candidates."""
    one = two = more = 0
    for _ in range(9):
        plane = left & CELLS
        more |= two & plane
        two |= one & plane
        one |= plane
        left >>= 81
    return two & ~more
