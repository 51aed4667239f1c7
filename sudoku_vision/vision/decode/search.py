"""Search for the likeliest boards: best first over changes to what each cell alone would be read as.

Of two digits that clash one must change, so only these are changed; a board without clash that is not proper
may change anywhere. Only what the ink leaves open changes (:data:`MIN_SUPPORT`): nothing is made up.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sudoku_vision.vision.decode.hypotheses import CELLS, Hypothesis, Values
from sudoku_vision.vision.decode.solver_check import SolverCheck, first_clash, with_changes

MIN_SUPPORT = 1e-3
"""A cell may change to a reading that is at least this likely, against its likeliest one."""
MAX_BOARDS = 600
"""Boards looked at in one search at most, most of which clash and are not solved."""
MIN_RIVAL = 3e-4
"""A rival board below this share of the best one is estimated, not tested."""


class _Change(NamedTuple):
    """A cell read otherwise, and how much less likely (natural logarithm, at least 0) that is."""

    cost: float
    cell: int
    digit: int


_Changed = tuple[tuple[int, int], ...]
"""Changes to a board as (cell, digit), in the order of the cells."""


@dataclass
class _Frontier:
    """Boards to look at, by their changes to the likeliest one: the cheapest comes first, and none twice.

    ``horizon`` is the cost beyond which no board matters.
    """

    horizon: float
    heap: list[tuple[float, _Changed]] = field(default_factory=lambda: [(0.0, ())])
    seen: set[_Changed] = field(default_factory=lambda: {()})

    def add_children(self, cost: float, changed: _Changed, options: Sequence[_Change]) -> None:
        """Add the boards that differ from one by one more change."""
        taken = {cell for cell, _ in changed}
        for change in options:
            if change.cell in taken or cost + change.cost > self.horizon:
                continue
            child = tuple(sorted((*changed, (change.cell, change.digit))))
            if child not in self.seen:
                self.seen.add(child)
                heapq.heappush(self.heap, (cost + change.cost, child))


def likely_boards(hypothesis: Hypothesis, solver: SolverCheck) -> list[Values]:
    """Return the likeliest board of a hypothesis, and the proper ones among the next likeliest."""
    likeliest: Values = tuple(hypothesis.logs.argmax(axis=1).tolist())
    found = [likeliest]
    checked = solver.check(likeliest)
    if checked.kind == "proper":
        return found
    changes = supported_changes(hypothesis, likeliest)
    by_cell = _by_cell(changes)
    frontier = _Frontier(horizon=-np.log(checked.prior))
    for _ in range(MAX_BOARDS):
        if not frontier.heap or solver.exhausted:
            break
        cost, changed = heapq.heappop(frontier.heap)
        if cost > frontier.horizon:
            break
        board = with_changes(likeliest, changed)
        clash = first_clash(board)
        if not clash and solver.solved(board).kind == "proper":
            found.append(board)
            frontier.horizon = min(frontier.horizon, cost - np.log(MIN_RIVAL))
            continue
        options = [change for cell in clash for change in by_cell.get(cell, ())] if clash else changes
        frontier.add_children(cost, changed, options)
    return found


def supported_changes(hypothesis: Hypothesis, likeliest: Values) -> list[_Change]:
    """Return all changes to the likeliest board that the ink supports, likeliest first."""
    logs, fixed = hypothesis.logs, hypothesis.fixed
    costs = logs[CELLS, likeliest][:, None] - logs
    supported = costs <= -np.log(MIN_SUPPORT)
    supported[CELLS, likeliest] = False
    supported[fixed, 1:] &= logs[fixed, 1:] == logs[fixed, 1:].max(axis=1, keepdims=True)
    return sorted(
        _Change(float(costs[cell, digit]), int(cell), int(digit)) for cell, digit in np.argwhere(supported)
    )


def _by_cell(changes: Sequence[_Change]) -> Mapping[int, Sequence[_Change]]:
    by_cell: dict[int, list[_Change]] = {}
    for change in changes:
        by_cell.setdefault(change.cell, []).append(change)
    return by_cell
