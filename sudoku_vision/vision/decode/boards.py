"""Check boards against the rules, and search for the likeliest ones that a page supports, best first.

A printed puzzle is *proper*: it has exactly one solution. Other boards get printed, too, but any single one
of them is far less likely (:data:`PRIOR`). The board that the ink speaks for is searched to its end, however
hard it is; its rivals only so far (:data:`RIVAL_GUESSES`), and one that takes more stays *open*.

Of two digits that clash one must change, so only these are changed; a board without clash that is not proper
may change anywhere. Only what the ink leaves open changes (:data:`MIN_SUPPORT`): nothing is made up.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import eq
from typing import Literal, NamedTuple

import numpy as np

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import Found, searcher
from sudoku_vision.vision.decode.hypotheses import CELLS, Hypothesis, Values

Kind = Literal["proper", "open", "many", "none", "clash"]

PRIOR: dict[Kind, float] = {"proper": 1.0, "open": 0.04, "many": 1e-4, "none": 1e-5, "clash": 1e-6}
"""How likely one board of a kind is to be printed, against one proper board.

About 3 in 100 boards on paper are ill-posed, but ill-posed boards are so much more numerous near any reading
(among puzzles with one digit misread, a few in a hundred are proper) that each one counts for little. An open
one counts for as much as it is likely to be proper.
"""
MAX_WORK = 1500  # guesses of the solver for one grid at most, or what takes as long: 30 us each
BOARD_WORK = 6  # what looking at a board costs, and solving it besides its guesses
RIVAL_GUESSES = 500
"""Guesses for a board that others are likelier than; of the 375 hardest puzzles known none takes more."""
MIN_SUPPORT = 1e-3  # A cell may change to a reading that is at least this likely, against its likeliest one
MIN_RIVAL = 3e-4  # A rival board below this share of the best one is estimated, not tested

Changes = dict[int, list[tuple[float, int]]]
"""What cells may hold instead, (cost, digit) of each cell, likeliest first.

The cost is how much less likely the cell is so, as a natural logarithm.
"""

_MOST_UNITS = 38  # numbers that units may have


@lru_cache(maxsize=64)
def _units_of(rules: Rules) -> tuple[int, ...]:
    """Return the units of each cell, as bits."""
    return tuple(sum(1 << unit for unit, cells in rules.units.items() if cell in cells) for cell in range(81))


class Checked(NamedTuple):
    """What the rules say of a board; ``solution`` is one of its solutions, if there is any."""

    kind: Kind
    solution: Values | None


@dataclass
class SolverCheck:
    """Checks boards under *rules*, remembers what was found, and adds up the work that it took."""

    rules: Rules = CLASSIC
    lost: float = 0.0
    work: int = 0
    most_work: int = MAX_WORK
    known: dict[Values, Checked] = field(default_factory=dict)
    settled: set[Values] = field(default_factory=set)

    @property
    def exhausted(self) -> bool:
        """Whether no further board is solved: they stay open."""
        return self.work >= self.most_work

    def check(self, values: Values) -> Checked:
        """Check a board: recall what is known of it, or look for a clash, then solve it."""
        if values not in self.known:
            if first_clash(values, self.rules):
                return Checked("clash", None)
            if self.exhausted:
                return Checked("open", None)
            found = searcher(self.rules)(values, 2, RIVAL_GUESSES)
            self.work += BOARD_WORK + found.statistics.work
            self.known[values] = _checked(found)
        return self.known[values]

    def settle(self, values: Values) -> Checked:
        """Check a board, and search it as far as one that is given as text."""
        if values not in self.settled and self.check(values).kind == "open":
            self.known[values] = _checked(searcher(self.rules)(values, 2))
        self.settled.add(values)
        return self.check(values)

    @property
    def several(self) -> float:
        """How likely one board is to be seen that has several solutions: printed so, or for a lost clue."""
        return PRIOR["many"] + self.lost

    def prior(self, values: Values) -> float:
        """Return how likely such a board is to be seen, against a proper one."""
        kind = self.check(values).kind
        return self.several if kind == "many" else PRIOR[kind]

    def is_proper(self, values: Values) -> bool:
        """Tell whether a board is known to have exactly one solution."""
        return self.check(values).kind == "proper"

    def may_be_proper(self, values: Values) -> bool:
        """Tell whether a board has exactly one solution, or may have."""
        return self.check(values).kind in ("proper", "open")

    @property
    def possible_boards(self) -> list[Values]:
        """Those of the boards checked so far that are or may be proper, in that order."""
        return [board for board in self.known if self.may_be_proper(board)]


def _checked(found: Found) -> Checked:
    """Return what a search for two solutions says of a board."""
    if not found.finished:
        return Checked("open", None)
    kinds: tuple[Kind, ...] = ("none", "proper", "many")
    return Checked(kinds[len(found.solutions)], next(iter(found.solutions), None))


def first_clash(values: Values, rules: Rules = CLASSIC) -> tuple[int, ...]:
    """Return two cells of one unit with the same digit, or nothing."""
    taken, units_of = 0, _units_of(rules)
    for cell, digit in enumerate(values):  # a fifth of the time that finding the cells takes
        places = units_of[cell] << _MOST_UNITS * digit if digit else 0
        if taken & places:
            break
        taken |= places
    else:
        return ()
    return next(_clashes(values, rules))


def _clashes(values: Values, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield the first cell of a unit with a digit, and each other one there with the same."""
    for unit in rules.units.values():
        first: dict[int, int] = {}
        for cell in unit:
            digit = values[cell]
            if digit and first.setdefault(digit, cell) != cell:
                yield first[digit], cell


def with_changes(values: Values, changes: Iterable[tuple[int, int]]) -> Values:
    """Return the board with other digits in some cells: *changes* are (cell, digit)."""
    board = list(values)
    for cell, digit in changes:
        board[cell] = digit
    return tuple(board)


def agrees(board: Values, solution: Values) -> bool:
    """Tell whether every clue of a board is the solution's, which has no blank cell."""
    return bool(sum(map(eq, board, solution)) == len(board) - board.count(0))


def likely_boards(hypothesis: Hypothesis, solver: SolverCheck) -> list[Values]:
    """Return the likeliest board of a hypothesis, and those of the next likeliest that may be proper.

    They are searched best first, as far as one may still count: by what a board costs, and by what must at
    least be changed besides until it is proper (:func:`_least_cost`; P. Hart, N. Nilsson and B. Raphael, "A
    formal basis for the heuristic determination of minimum cost paths", 1968).
    """
    likeliest: Values = tuple(hypothesis.logs.argmax(axis=1).tolist())
    found = [likeliest]
    kind = solver.settle(likeliest).kind
    if kind == "proper":
        return found
    changes = _supported_changes(hypothesis, likeliest)
    horizon = -np.log(solver.prior(likeliest))  # the cost beyond which no board matters
    start: tuple[tuple[int, int], ...] = ()  # changes to the likeliest board, (cell, digit) by cell
    heap, seen = [(0.0, start)], {start}
    while heap and heap[0][0] <= horizon and not solver.exhausted:
        cost, changed = heapq.heappop(heap)
        board = with_changes(likeliest, changed)
        settled = {cell for cell, _ in changed}
        open_changes = {cell: options for cell, options in changes.items() if cell not in settled}
        solver.work += BOARD_WORK
        if cost + _least_cost(board, open_changes, solver.rules) > horizon:
            continue
        kind = solver.check(board).kind
        if kind in ("proper", "open"):
            found.append(board)
        if kind == "proper":
            horizon = min(horizon, cost - np.log(MIN_RIVAL))
            continue
        for cell in first_clash(board, solver.rules) if kind == "clash" else open_changes:
            # Where no digit fits, no more of them help; where several do, no fewer.
            if kind == "none" and not board[cell]:
                continue
            for more, digit in open_changes.get(cell, ()):
                if cost + more > horizon:
                    break
                child = tuple(sorted((*changed, (cell, digit))))
                if (digit or kind != "many") and child not in seen:
                    seen.add(child)
                    heapq.heappush(heap, (cost + more, child))
    return found


def _least_cost(board: Values, changes: Changes, rules: Rules) -> float:
    """Return what changing a board until it is proper costs at least.

    Of two digits that clash one must change, and blank cells take up what clues are missing.
    """
    added = sorted(options[0][0] for cell, options in changes.items() if not board[cell])
    missing = max(0, rules.fewest_clues - 81 + board.count(0))
    if missing > len(added):
        return np.inf
    cost = sum(added[:missing])
    met: set[int] = set()
    for clash in _clashes(board, rules):
        if met.isdisjoint(clash):
            met.update(clash)
            cost += min(changes[cell][0][0] if cell in changes else np.inf for cell in clash)
    return cost


def _supported_changes(hypothesis: Hypothesis, likeliest: Values) -> Changes:
    """Return all changes to the likeliest board that the ink supports."""
    logs, fixed = hypothesis.logs, hypothesis.fixed
    costs = logs[CELLS, likeliest][:, None] - logs
    supported = costs <= -np.log(MIN_SUPPORT)
    supported[CELLS, likeliest] = False
    supported[fixed, 1:] &= logs[fixed, 1:] == logs[fixed, 1:].max(axis=1, keepdims=True)
    changes: Changes = {}
    for cell, digit in np.argwhere(supported).tolist():
        changes.setdefault(cell, []).append((float(costs[cell, digit]), digit))
    return {cell: sorted(options) for cell, options in changes.items()}
