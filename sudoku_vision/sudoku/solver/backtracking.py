"""Backtracking: if no digit is certain, guess one, and take the guess back if it fails.

Under the classic rules, the search guesses in a cell with two candidates, if there is one. Of all these
cells, it takes the cell whose two digits would remove the most candidates elsewhere. For other rules see
:mod:`any_rules`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

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
"""Most guesses of a search for each wanted solution, if its caller sets no other limit. So many guesses take
about a second. All known classic puzzles with one solution need less than a twentieth of this number."""
PROBE_AT = 100  # guesses without a solution after which a classic board is probed (see Search)
PAIR_WEIGHT = 3
"""Additional weight of a candidate that a guess removes from a cell with two candidates, because this decides
the cell. A removed candidate counts 1 by itself. It was chosen after the additional weights 0 to 5 were
tried."""

State: TypeAlias = tuple[int, int]
"""A board as two sets of candidates, each the bits of a whole number: the candidates that are left, and the
placed candidates, which are in the first set, too."""


@dataclass(frozen=True)
class Statistics:
    """How much work the search for the solutions of a board took.

    ``guesses``: how often the search had to choose between two or more candidates. ``backtracks``: the number
    of boards that turned out to be dead ends. ``depth``: the largest number of boards that were waiting to be
    tried at the same time; in the classic game, this is the number of open guesses. ``work``: the whole
    effort under any rules, measured in guesses of the classic game, which take 30 us each.
    """

    guesses: int = 0
    backtracks: int = 0
    depth: int = 0
    work: int = 0


class Found(NamedTuple):
    """The *solutions* that a search found, each with 81 digits, and the *statistics* of the search.

    *finished* is False if the search ran out of guesses.
    """

    solutions: tuple[tuple[int, ...], ...]
    finished: bool
    statistics: Statistics


class Search(ABC):
    """The search for the solutions of one board.

    A board that takes many guesses without a solution is *probed*: every candidate is tried once, and the
    candidates that lead to a dead end are removed. Then the search begins again. If a part of the board can't
    be filled, a probe shows it. Without a probe, the search would guess in other parts, and would reach the
    same dead end in this part again and again.
    """

    probe_at: ClassVar[int]
    """Number of guesses without a solution after which the board is probed."""
    probe_again: ClassVar[int]
    """Factor by which :attr:`probe_at` grows after each probe; 0 if the board is probed only once."""

    def __init__(self, start: State) -> None:
        """Store the board *start*, on which all clues are placed."""
        self._start = start

    @abstractmethod
    def propagate(self, left: int, placed: int) -> State:
        """Draw all conclusions that are certain on a board, and return the board after them.

        If no candidates are left, the board is a dead end. If all candidates that are left are placed, it is
        solved.
        """

    @abstractmethod
    def probe(self, left: int, placed: int) -> State:
        """Try every candidate once; return the board without the candidates that lead to a dead end."""

    @abstractmethod
    def ways(self, left: int, placed: int) -> Sequence[State]:
        """Return the boards after each possible guess; together they have all solutions of this board.

        The last board is tried first.
        """

    @abstractmethod
    def digits(self, left: int) -> tuple[int, ...]:
        """Return the 81 digits of a solved board."""

    def work(self, guesses: int) -> int:
        """Return the work of a search that took *guesses* guesses, in the unit of :attr:`Statistics.work`."""
        return guesses

    def run(self, limit: int = 2, max_guesses: int | None = None) -> Found:
        """Find up to *limit* solutions with at most *max_guesses* guesses.

        If *max_guesses* is None, the limit is :data:`MAX_GUESSES` for each of the *limit* solutions.
        """
        left, placed = self._start
        if left & placed != placed:
            return Found((), True, Statistics())
        solutions: list[tuple[int, ...]] = []
        open_boards = [self._start]
        most = MAX_GUESSES * limit if max_guesses is None else max_guesses
        guesses = backtracks = depth = 0
        probe_at, finished = self.probe_at, True
        while finished and open_boards and len(solutions) < limit:
            left, placed = self.propagate(*open_boards.pop())
            if not left:
                backtracks += 1
            elif left == placed:
                solutions.append(self.digits(left))
            elif guesses >= most:
                finished = False
            else:
                guesses += 1
                if guesses == probe_at and not solutions:
                    self._start = self.probe(*self._start)
                    open_boards, probe_at = [self._start], self.probe_again * probe_at
                    continue
                open_boards += self.ways(left, placed)
                depth = max(depth, len(open_boards) - 1)
        statistics = Statistics(guesses, backtracks, depth, self.work(guesses))
        return Found(tuple(solutions), finished, statistics)


def search(values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
    """Find up to *limit* solutions of 81 *values* (0 for blank) in the classic game.

    :meth:`Search.run` explains *max_guesses*.
    """
    return _ClassicSearch(values).run(limit, max_guesses)


class _ClassicSearch(Search):
    probe_at, probe_again = PROBE_AT, 0
    propagate = staticmethod(propagate)
    digits = staticmethod(digits_of)

    def __init__(self, values: Sequence[int]) -> None:
        left, placed = ALL, 0
        for cell, digit in enumerate(values):
            if digit:
                candidate = 81 * digit - 81 + cell
                left &= KEPT[candidate]
                placed |= 1 << candidate
        super().__init__((left, placed))

    def probe(self, left: int, placed: int) -> State:
        left, placed = propagate(left, placed)
        trials = left ^ placed
        while trials and left:
            trial = trials.bit_length() - 1
            trials ^= 1 << trial
            if not propagate(left & KEPT[trial], placed | 1 << trial)[0]:
                left, placed = propagate(left ^ 1 << trial, placed)
                trials &= left & ~placed
        return left, placed

    def ways(self, left: int, placed: int) -> Sequence[State]:
        pairs = _pairs(left)
        if not pairs:
            undecided = left ^ placed
            cells = (undecided & mates for mates in MATES)
            guess = min(filter(None, cells), key=int.bit_count).bit_length() - 1
            return (left ^ 1 << guess, placed), (left & KEPT[guess], placed | 1 << guess)
        one, other = _best_pair(left, pairs)
        return (left & KEPT[other], placed | 1 << other), (left & KEPT[one], placed | 1 << one)


def _best_pair(left: int, pairs: int) -> tuple[int, int]:
    """Choose the cell of *pairs* (81 bits) whose two candidates would remove the most other candidates.

    Returns the two candidates of this cell.
    """
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
