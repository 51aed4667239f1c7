"""Backtracking under any rules: one whole number holds all conditions of the game, to examine them at once.

Solving a board is an exact cover problem (D. Knuth, "Dancing Links", 2000). Its *conditions* are that each
cell holds one digit, and that each unit has each digit in one place. A candidate, which is a digit in a cell,
meets several conditions. Each condition is stored as nine bits, one for each candidate that meets it. All
conditions are *folded* at once: bits are combined in threes, and the results are combined in threes again.
This finds the conditions with one candidate left (naked and hidden singles), and the conditions with none
(dead ends).

The search prefers to guess in conditions that caused dead ends before (F. Boussemart and others, "Boosting
systematic search by weighting constraints", 2004), and from time to time it begins again with what it has
learned. So it soon works on the hard part of a board, even if its first guesses were in other parts.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import backtracking
from sudoku_vision.sudoku.solver.backtracking import Found, Search, State

_WIDTH = 16  # bits from one condition to the next; NumPy reads each as a 16-bit number
_COUNTS = np.array([bits.bit_count() for bits in range(512)])
_PROBE_WORK = 81 * 9 // 2  # estimate of the boards that a probe examines: half the candidates


class _Cover(NamedTuple):
    """Rules as an exact cover problem. Candidate ``9 * cell + digit`` is the digit 0..8 in the cell 0..80."""

    firsts: int
    """A number in which the first bit of each condition is set."""
    candidate_at: dict[int, int]
    """The candidate that each bit stands for, by the position of the bit."""
    bits: tuple[int, ...]
    """For each candidate, its bits: one bit in each condition that it meets."""
    kept: tuple[int, ...]
    """For each candidate, the bits that stay when it is placed. In the conditions that it meets, the bits of
    all other candidates are removed."""


@lru_cache(maxsize=8)  # a cover takes 3 ms to compute, and a megabyte of memory
def _cover(rules: Rules) -> _Cover:
    cells = [[9 * cell + digit for digit in range(9)] for cell in range(81)]
    places = [[9 * cell + digit for cell in unit] for unit in rules.units.values() for digit in range(9)]
    conditions = cells + places
    firsts = sum(1 << _WIDTH * number for number in range(len(conditions)))
    candidate_at: dict[int, int] = {}
    bits, kept = [0] * 729, [511 * firsts] * 729
    for number, candidates in enumerate(conditions):
        for bit, candidate in enumerate(candidates, start=_WIDTH * number):
            candidate_at[bit] = candidate
            bits[candidate] |= 1 << bit
    for candidates in conditions:
        together = sum(bits[candidate] for candidate in candidates)
        for candidate in candidates:
            kept[candidate] &= ~(together ^ bits[candidate])
    return _Cover(firsts, candidate_at, tuple(bits), tuple(kept))


def searcher(rules: Rules) -> Callable[..., Found]:
    """Return the function that searches for solutions under *rules*; the classic game has a faster one.

    The function has the arguments and the result of :func:`~sudoku_vision.sudoku.solver.search`.
    """
    if rules == CLASSIC:
        return backtracking.search
    return lambda values, *limits: _CoverSearch(rules, values).run(*limits)


class _CoverSearch(Search):
    probe_at, probe_again = 50, 2

    def __init__(self, rules: Rules, values: Sequence[int]) -> None:
        self._cover = _cover(rules)
        self._weights = np.ones(self._cover.firsts.bit_count())
        """For each condition, 1 plus the number of dead ends that it has caused."""
        self._boards = 0  # number of boards that were examined so far
        state = 511 * self._cover.firsts, 0
        for cell, digit in enumerate(values):
            if digit:
                state = self._placed(*state, 9 * cell + digit - 1)
        super().__init__(state)

    def _placed(self, left: int, placed: int, candidate: int) -> State:
        return left & self._cover.kept[candidate], placed | self._cover.bits[candidate]

    def propagate(self, left: int, placed: int) -> State:
        self._boards += 1
        left, placed = self._propagated(left, placed)
        if not left:
            self._weights[placed] += 1
        return left, placed

    def _propagated(self, left: int, placed: int) -> State:
        """Place all singles, and return the board after them.

        At a dead end, return 0 and the number of a condition that has no candidate left.
        """
        firsts, candidate_at, bits, kept = self._cover
        thirds = firsts * 0b1001001
        while True:
            second, third = left >> 1, left >> 2
            either = left | second
            some = (either | third) & thirds
            several = (left & second | either & third) & thirds
            second, third = some >> 3, some >> 6
            either = some | second
            if dead := (either | third) & firsts ^ firsts:
                return 0, dead.bit_length() // _WIDTH
            several |= some & second | either & third | several >> 3 | several >> 6
            singles = left & (firsts & ~several) * 511
            singles ^= singles & placed
            if not singles:
                return left, placed
            while singles:
                candidate = candidate_at[singles.bit_length() - 1]
                left &= kept[candidate]
                placed |= bits[candidate]
                singles &= ~bits[candidate]

    def probe(self, left: int, placed: int) -> State:
        self._boards += _PROBE_WORK
        left, placed = self._propagated(left, placed)
        for candidate, own in enumerate(self._cover.bits):
            if left & own & ~placed and not self._propagated(*self._placed(left, placed, candidate))[0]:
                left, placed = self._propagated(left & ~own, placed)
        return left, placed

    def ways(self, left: int, placed: int) -> Sequence[State]:
        """Choose a condition, and return for each of its candidates the board with this candidate placed.

        The chosen condition has few candidates and has caused many dead ends.
        """
        count = len(self._weights)
        conditions = np.frombuffer(left.to_bytes(count * _WIDTH // 8, "little"), "<u2")
        counts = _COUNTS[conditions]
        number = int(np.where(counts > 1, counts / self._weights, np.inf).argmin())
        bits = int(conditions[number])
        candidates = [self._cover.candidate_at[_WIDTH * number + bit] for bit in range(9) if bits >> bit & 1]
        return [self._placed(left, placed, candidate) for candidate in candidates]

    def digits(self, left: int) -> tuple[int, ...]:
        return tuple((left >> _WIDTH * cell & 511).bit_length() for cell in range(81))

    def work(self, guesses: int) -> int:  # noqa: ARG002 (only the classic game uses it)
        return self._boards
