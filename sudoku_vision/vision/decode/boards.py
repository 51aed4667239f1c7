"""Check boards against the rules, and search for the likeliest boards that the ink allows, best first.

A printed puzzle is usually *proper*: it has exactly one solution. Boards that are not proper get printed,
too, but each of them is far less likely (:data:`PRIOR`). The board that the ink most likely shows is solved
to the end, however hard it is. For other boards the solver may make :data:`RIVAL_GUESSES` guesses. A board
that needs more guesses stays *open*: it is not known whether it is proper.

If two digits clash, one of them must be wrong, so only these two cells are changed. If a board has no clash
but is not proper, all cells may be changed into digits that the ink allows (:data:`MIN_SUPPORT`).
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import eq
from typing import Literal, NamedTuple

import numpy as np

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.sudoku.solver.backtracking import Found, Search
from sudoku_vision.vision.decode.hypotheses import CELLS, MIN_RIVAL, Hypothesis, Values

Kind = Literal["proper", "open", "many", "none", "clash"]

PRIOR: dict[Kind, float] = {"proper": 1.0, "open": 0.04, "many": 1e-4, "none": 1e-5, "clash": 1e-6}
"""Prior probability of one printed board of each kind, relative to one proper board.

About 3 in 100 boards on paper are ill-posed. But there are very many ill-posed boards, so each single one is
unlikely: if one clue of a proper puzzle is changed, the puzzle stays proper in only 1 to 5 of 100 cases. For
an open board, the value is the probability that it is proper.
"""
MAX_WORK = 1500  # limit for the work on one grid, in guesses of the solver; a guess takes 30 microseconds
BOARD_WORK = 6
"""Work of looking at a board, in guesses; solving it costs the same again, plus its guesses."""
RIVAL_GUESSES = 500
"""Limit for the guesses on a board that is not the likeliest; the 375 hardest known puzzles need no more."""
MIN_SUPPORT = 1e-3
"""A cell may be changed to a digit if its likelihood, relative to the likeliest digit, is at least this."""

Changes = dict[int, list[tuple[float, int]]]
"""For each cell (0..80), the other digits that it may hold: pairs (cost, digit), the likeliest first.

The likelihood of the cell is divided by exp(cost) if the cell gets this digit.
"""


@lru_cache(maxsize=64)
def _units_of(rules: Rules) -> tuple[int, ...]:
    """Return an integer for each of the 81 cells; a bit of it is set for each unit of the cell."""
    units = rules.units.values()
    return tuple(sum(1 << unit for unit, cells in enumerate(units) if cell in cells) for cell in range(81))


class Checked(NamedTuple):
    """The ``kind`` of a board by the rules, and a ``solution`` of the board, or None if none is known."""

    kind: Kind
    solution: Values | None


@dataclass
class SolverCheck:
    """Finds the kind of boards under ``rules``, remembers the results, and adds up its ``work``.

    The work is counted in guesses of the solver. When it reaches ``max_work``, no further board is solved:
    boards whose kind is not known yet are taken for open. ``lost`` is the probability that a clue of the page
    was missed.
    """

    rules: Rules = CLASSIC
    lost: float = 0.0
    work: int = 0
    max_work: int = MAX_WORK
    known: dict[Values, Checked] = field(default_factory=dict)
    fully_checked: set[Values] = field(default_factory=set)

    @cached_property
    def _search(self) -> Search:
        return searcher(self.rules)

    def check(self, values: Values) -> Checked:
        """Return the kind of a board, and a solution if there is one; known boards aren't solved again."""
        if values not in self.known:
            if first_clash(values, self.rules):
                return Checked("clash", None)
            if self.work >= self.max_work:
                return Checked("open", None)
            found = self._search(values, 2, RIVAL_GUESSES)
            self.work += BOARD_WORK + found.statistics.work
            self.known[values] = _checked(found)
        return self.known[values]

    def check_fully(self, values: Values) -> Checked:
        """Return the kind of a board; an open board is solved again, with the solver's own larger limit."""
        if values not in self.fully_checked and self.check(values).kind == "open":
            self.known[values] = _checked(self._search(values, 2))
        self.fully_checked.add(values)
        return self.check(values)

    @property
    def several(self) -> float:
        """The prior probability of a board with several solutions, relative to a proper board.

        Either the board was printed like this, or a clue was missed.
        """
        return PRIOR["many"] + self.lost

    def prior(self, values: Values) -> float:
        """Return the prior probability of a board by its kind, relative to a proper board."""
        kind = self.check(values).kind
        return self.several if kind == "many" else PRIOR[kind]

    def is_proper(self, values: Values) -> bool:
        """Return whether a board is known to have exactly one solution."""
        return self.check(values).kind == "proper"

    def may_be_proper(self, values: Values) -> bool:
        """Return whether a board has exactly one solution, or is open and so may have one."""
        return self.check(values).kind in ("proper", "open")

    @property
    def possible_boards(self) -> list[Values]:
        """All boards checked so far that are proper or may be proper, in the order of the checks."""
        return [board for board in self.known if self.may_be_proper(board)]


def _checked(found: Found) -> Checked:
    """Return the kind of a board and a solution; *found* is the result of a search for two solutions."""
    if not found.finished:
        return Checked("open", None)
    kinds: tuple[Kind, ...] = ("none", "proper", "many")
    return Checked(kinds[len(found.solutions)], next(iter(found.solutions), None))


def first_clash(values: Values, rules: Rules = CLASSIC) -> tuple[int, ...]:
    """Return two cells of one unit with the same digit, or an empty tuple if no digits clash."""
    taken, units_of, bits = 0, _units_of(rules), len(rules.units)
    for cell, digit in enumerate(values):  # only finds whether digits clash: five times as fast as _clashes
        places = units_of[cell] << bits * digit if digit else 0
        if taken & places:
            break
        taken |= places
    else:
        return ()
    return next(_clashes(values, rules))


def _clashes(values: Values, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield pairs of cells with the same digit: the first such cell of a unit, and another of its cells."""
    for unit in rules.units.values():
        first: dict[int, int] = {}
        for cell in unit:
            digit = values[cell]
            if digit and first.setdefault(digit, cell) != cell:
                yield first[digit], cell


def with_changes(values: Values, changes: Iterable[tuple[int, int]]) -> Values:
    """Return the board with other digits in some cells; *changes* are pairs (cell, digit)."""
    board = list(values)
    for cell, digit in changes:
        board[cell] = digit
    return tuple(board)


def agrees(board: Values, solution: Values) -> bool:
    """Return whether every clue of a board equals the digit in the same cell of the full *solution*."""
    return bool(sum(map(eq, board, solution)) == len(board) - board.count(0))


def likely_boards(hypothesis: Hypothesis, solver: SolverCheck) -> list[Values]:
    """Return the likeliest board of a hypothesis, and the next likeliest boards that may be proper.

    Proper means: with exactly one solution. This is an A* search over changes of single cells. A board is
    rated by the cost of its changes so far, plus a lower bound for the changes that it still needs to become
    proper (:func:`_min_cost`; P. Hart, N. Nilsson and B. Raphael, "A formal basis for the heuristic
    determination of minimum cost paths", 1968).
    """
    likeliest: Values = tuple(hypothesis.logs.argmax(axis=1).tolist())
    found = [likeliest]
    kind = solver.check_fully(likeliest).kind
    if kind == "proper":
        return found
    changes = _supported_changes(hypothesis, likeliest)
    # A board that costs more than this is less likely than the likeliest board, even if it is proper.
    horizon = -np.log(solver.prior(likeliest))
    start: tuple[tuple[int, int], ...] = ()  # changes of the likeliest board: sorted pairs (cell, digit)
    heap, seen = [(0.0, start)], {start}
    while heap and heap[0][0] <= horizon and solver.work < solver.max_work:
        cost, changed = heapq.heappop(heap)
        board = with_changes(likeliest, changed)
        done = {cell for cell, _ in changed}
        open_changes = {cell: options for cell, options in changes.items() if cell not in done}
        solver.work += BOARD_WORK
        if cost + _min_cost(board, open_changes, solver.rules) > horizon:
            continue
        kind = solver.check(board).kind
        if kind in ("proper", "open"):
            found.append(board)
        if kind == "proper":
            horizon = min(horizon, cost - np.log(MIN_RIVAL))
            continue
        for cell in first_clash(board, solver.rules) if kind == "clash" else open_changes:
            # If a board has no solution, more clues don't help. If it has several, it needs more clues.
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


def _min_cost(board: Values, changes: Changes, rules: Rules) -> float:
    """Return a lower bound for the cost of changing a board until it is proper.

    Of two digits that clash, at least one must change. A board with too few clues for a single solution needs
    more clues.
    """
    added = sorted(options[0][0] for cell, options in changes.items() if not board[cell])
    missing = max(0, rules.min_clues - 81 + board.count(0))
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
    """Return all changes of single cells of the *likeliest* board that the ink allows."""
    logs, fixed = hypothesis.logs, hypothesis.fixed
    costs = logs[CELLS, likeliest][:, None] - logs
    supported = costs <= -np.log(MIN_SUPPORT)
    supported[CELLS, likeliest] = False
    supported[fixed, 1:] &= logs[fixed, 1:] == logs[fixed, 1:].max(axis=1, keepdims=True)
    changes: Changes = {}
    for cell, digit in np.argwhere(supported).tolist():
        changes.setdefault(cell, []).append((float(costs[cell, digit]), digit))
    return {cell: sorted(options) for cell, options in changes.items()}
