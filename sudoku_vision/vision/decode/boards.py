"""Search for the likeliest boards that the ink allows, best first, and solve them.

A printed puzzle is usually *proper*: it has exactly one solution. Boards that are not proper are printed,
too, but each of them is far less likely (:data:`PRIOR`). The board that the ink most likely shows is solved
to the end, however hard it is. For any other board, the solver makes at most :data:`RIVAL_GUESSES` guesses. A
board that needs more guesses stays *open*: it is not known whether it is proper.

The search changes cells of the likeliest board to other digits that the ink allows (:data:`MIN_SUPPORT`). If
two digits clash (a row, column or region has the same digit twice), one of them must be wrong. So only these
two cells are changed. If a board has no clash but isn't proper, any cell may be changed.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from operator import eq
from typing import Literal, NamedTuple

import numpy as np

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.sudoku.solver.backtracking import Found, Search
from sudoku_vision.vision.decode.hypotheses import CELLS, MIN_RIVAL, Hypothesis, Values

Kind = Literal["proper", "open", "many", "none", "clash"]

PRIOR: dict[Kind, float] = {"proper": 1.0, "open": 0.04, "many": 1e-4, "none": 1e-5, "clash": 1e-6}
"""Prior probability of a single printed board of each kind, relative to that of a single proper board.

A proper board has one solution. *open*: the solver gave up, so the kind is not known. *many*: the board has
several solutions. *none*: it has no solution. *clash*: two equal digits clash. About 3 in 100 printed boards
are not proper. But nearly all possible boards are not proper: if one clue of a proper puzzle is changed, only
1 to 5 of 100 results are proper. So a single board that is not proper is very unlikely. The value of *open*
is the probability that such a board is proper.
"""
MAX_WORK = 1500  # limit for the work on one grid, in guesses of the solver; a guess takes 30 microseconds
BOARD_WORK = 6
"""The search counts this work for each board that it examines. The unit is one guess of the solver.

If the solver is run on the board, BOARD_WORK is counted once more, plus the guesses of the solver.
"""
RIVAL_GUESSES = 500
"""After this number of guesses, the solver gives up a board, unless it is the likeliest board.

The 375 hardest known puzzles don't need more guesses.
"""
MIN_SUPPORT = 1e-3
"""The ink of a cell allows a digit if the likelihood of the digit is at least this share of the likelihood of
the cell's likeliest digit."""

Changes = dict[int, list[tuple[float, int]]]
"""For each cell (0..80), the other digits that it may hold: pairs (cost, digit), the likeliest first.

If the cell gets the digit, the likelihood of the board is divided by exp(cost).
"""


class Checked(NamedTuple):
    """The ``kind`` of a board (a key of :data:`PRIOR`), and a ``solution``, or None if none is known."""

    kind: Kind
    solution: Values | None


@dataclass
class SolverCheck:
    """Solves boards under ``rules`` to find their kind, and remembers the results in ``known``.

    ``work`` is the work so far, in guesses of the solver. When it reaches ``max_work``, no further board is
    solved: boards whose kind is not known yet are taken for open. ``fully_checked`` are boards that were
    solved to the end. ``lost`` is the probability that a clue of the page was missed.
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
        """Return the kind of a board and a solution, if there is one. Results in ``known`` are used again."""
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
        """Return the kind of a board and a solution; an open board is solved again, with a higher limit."""
        if values not in self.fully_checked and self.check(values).kind == "open":
            self.known[values] = _checked(self._search(values, 2))
        self.fully_checked.add(values)
        return self.check(values)

    @property
    def several(self) -> float:
        """The prior probability of a board with several solutions, divided by that of a proper board.

        Such a board either was printed like this, or one of its clues was missed.
        """
        return PRIOR["many"] + self.lost

    def prior(self, values: Values) -> float:
        """Return the prior probability of a board, divided by that of a board with exactly one solution."""
        kind = self.check(values).kind
        return self.several if kind == "many" else PRIOR[kind]

    def is_proper(self, values: Values) -> bool:
        """Return whether a board is known to have exactly one solution."""
        return self.check(values).kind == "proper"

    def may_be_proper(self, values: Values) -> bool:
        """Return whether a board has, or may have, exactly one solution (*proper* or *open* in ``PRIOR``)."""
        return self.check(values).kind in ("proper", "open")

    @property
    def possible_boards(self) -> list[Values]:
        """All checked boards that have, or may have, exactly one solution, in the order of the checks."""
        return [board for board in self.known if self.may_be_proper(board)]


def _checked(found: Found) -> Checked:
    """Return the kind of a board, and a solution if there is one, from the result *found* of a search."""
    if not found.finished:
        return Checked("open", None)
    kinds: tuple[Kind, ...] = ("none", "proper", "many")
    return Checked(kinds[len(found.solutions)], next(iter(found.solutions), None))


def first_clash(values: Values, rules: Rules = CLASSIC) -> tuple[int, ...]:
    """Return two cells with the same digit in one unit (row, column, region), or () if there are none."""
    return next(_clashes(values, rules), ())


def _clashes(values: Values, rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield pairs of cells with the same digit in one unit: the first such cell, and each later one."""
    for unit in rules.units.values():
        first: dict[int, int] = {}
        for cell in unit:
            digit = values[cell]
            if digit and first.setdefault(digit, cell) != cell:
                yield first[digit], cell


def with_changes(values: Values, changes: Iterable[tuple[int, int]]) -> Values:
    """Return the board *values* with other digits in some cells; *changes* are pairs (cell, digit)."""
    board = list(values)
    for cell, digit in changes:
        board[cell] = digit
    return tuple(board)


def agrees(board: Values, solution: Values) -> bool:
    """Return whether every clue of a board equals the digit in the same cell of the full *solution*."""
    return bool(sum(map(eq, board, solution)) == len(board) - board.count(0))


def likely_boards(hypothesis: Hypothesis, solver: SolverCheck) -> list[Values]:
    """Return the likeliest board of a hypothesis. If it isn't proper, return other likely boards, too.

    The other boards are proper (one solution) or open (the solver gave up). They are found by an A* search
    (P. Hart, N. Nilsson and B. Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968). Each step changes a single cell. A board is rated by the cost of its changes so far, plus a
    lower bound for the cost of the changes that make it proper (:func:`_min_cost`).
    """
    likeliest: Values = tuple(hypothesis.logs.argmax(axis=1).tolist())
    found = [likeliest]
    kind = solver.check_fully(likeliest).kind
    if kind == "proper":
        return found
    changes = _supported_changes(hypothesis, likeliest)
    # If the cost of a board is higher than this, the board is less likely than *likeliest*, even if the board
    # is proper.
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
            # A board without a solution doesn't get more clues, because they don't give it a solution.
            # Likewise, a board with several solutions doesn't lose clues.
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
    """Return a lower bound for the cost of the changes that make a board proper.

    Of two digits that clash, at least one must change. A board with fewer clues than the rules need for a
    single solution must get more clues.
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
