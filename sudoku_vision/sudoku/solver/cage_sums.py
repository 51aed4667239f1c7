"""Find likely sums for the cages of a killer, such that the killer has a solution.

The sums of a killer are read from a photo one by one, and several may be unclear. But hardly any combination
of sums has a solution. So the right combination can be found although single sums are unclear.

This is a best-first search. The cages get their sums one after another, the cage with the surest sum first.
All sums add up to 405. So the total of the sums that are not chosen yet is known. For each total, the highest
joint probability of these sums is computed in advance. This gives an upper limit for the probability of an
unfinished combination. The combination with the highest limit is continued first. The SAT solver refuses sums
without a solution, and names the sums that contradict one another. The search never tries these sums together
again.
"""

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_vision.sudoku.rules import CLASSIC, Rules, digit_sets
from sudoku_vision.sudoku.solver import cage_clauses, clauses, sat_work
from sudoku_vision.values import Doubles

Cells = tuple[int, ...]

WHOLE = 405  # the sum of all cells
MISREAD = 0.001
"""Probability that a sum is misread although it seems sure.

The exact probability hardly matters. It was tested on 106 photos that a program drew. With probabilities
from 0.0002 to 0.001, the right sums of these photos come out equally probable.
"""
CLEAR = 7.0  # a combination of sums is left out if another one is exp(CLEAR) times as likely
MAX_WORK = 25_000
"""Maximum work of the SAT solver for all combinations of sums, in guesses of the classic game.

A program drew 82 photos of killers, and they were solved. The work was less than 2,000 for 65 photos. It
reached the limit for 5 of the 82 photos.
"""
MAX_CONFLICTS = 1000  # a call of the SAT solver gives up after this many dead ends


class _Division(NamedTuple):
    """The cages of a grid, with the probabilities of their sums. The cage with the surest sum is the first.

    ``shares`` has for each cage the probabilities (46,) of the sums 0 to 45. ``best`` and ``mass`` have for
    each cage an array (406,) about this cage and all cages after it. The index in the array is the total of
    the sums of these cages. ``best`` holds the highest joint probability of sums with this total, and
    ``mass`` the probability of the total.
    """

    cages: list[Cells]
    shares: list[Doubles]
    best: list[Doubles]
    mass: list[Doubles]


class _Consistency:
    """Finds out whether a killer with given sums has a solution. The SAT solver learns from each answer."""

    def __init__(self) -> None:
        from pysat.solvers import Glucose4

        self._calls = 0
        self._solver = Glucose4(bootstrap_with=clauses(CLASSIC))
        self._free = 730  # the first unused variable
        self._variables: dict[tuple[Cells, int], int] = {}
        self._contradictions: dict[int, list[set[int]]] = {}

    @property
    def work(self) -> int:
        """The work of all calls of the SAT solver so far (:func:`sat_work`)."""
        return sat_work(self._calls, self._solver.accum_stats()["conflicts"])

    def holds(self, sums: Sequence[tuple[Cells, int]]) -> bool | None:
        """Return whether there is a solution with these *sums* of cages; None if the search gives up."""
        assumed = [self._variable(cells, total) for cells, total in sums]
        known = set(assumed)
        if any(one <= known for variable in assumed for one in self._contradictions.get(variable, ())):
            return False
        self._solver.conf_budget(MAX_CONFLICTS)
        answer: bool | None = self._solver.solve_limited(assumed)
        self._calls += 1
        if answer is False:
            core = set(self._solver.get_core())
            self._contradictions.setdefault(max(core, default=0), []).append(core)
        return answer

    def _variable(self, cells: Cells, total: int) -> int:
        """Return the variable that means: the digits in *cells* add up to *total*."""
        if (cells, total) not in self._variables:
            sets = dict(enumerate(digit_sets(total, len(cells)), start=self._free + 1))
            self._variables[cells, total] = self._free
            self._solver.append_formula([[-self._free, *sets], *cage_clauses(cells, sets)])
            self._free += 1 + len(sets)
        return self._variables[cells, total]


def likely_rules(
    divisions: Iterable[tuple[float, Sequence[Sequence[int]]]],
    found: Mapping[int, Mapping[int, float]],
    said: Mapping[int, int] | None = None,
) -> dict[Rules, float]:
    """Return the likely rules of a killer that have a solution, with their probabilities, likeliest first.

    *divisions*: possible divisions of the 81 cells into cages, each with its cost, a negative
    log-probability. *found*: for the first cell of a cage, the sums that were read there, with their
    probabilities. *said*: the sums that a person gave; the key of a sum is any cell of its cage. The
    probabilities in the result add up to less than 1 if the search left out sums that could have a solution.
    """
    known = [_division(cost, cages, found, said or {}) for cost, cages in divisions]
    whole = sum(float(one.mass[0][WHOLE]) for one in known)
    start: Cells = ()
    heap = [(-float(one.best[0][WHOLE]), 0, number, 1.0, WHOLE, start) for number, one in enumerate(known)]
    heap = [node for node in heap if node[0] < 0]
    if not heap:
        return {}
    heapq.heapify(heap)
    consistency, rules, least = _Consistency(), dict[Rules, float](), 0.0
    while heap and -heap[0][0] >= least and consistency.work < MAX_WORK:
        _, depth, number, share, rest, sums = heapq.heappop(heap)
        cages, shares, best, mass = known[number]
        answer = consistency.holds(list(zip(cages, sums, strict=False)))
        if answer is False:
            whole -= share * float(mass[-depth][rest])
        elif len(sums) == len(cages):
            if answer:
                rules[Rules(cages=list(zip(sums, cages, strict=True)))] = share
                least = max(least, share * math.exp(-CLEAR))
        else:
            own = shares[-depth][: rest + 1]
            bounds = share * own * best[1 - depth][rest - np.arange(len(own))]
            for total in np.flatnonzero(bounds > least).tolist():
                node = depth - 1, number, share * float(own[total]), rest - total, (*sums, total)
                heapq.heappush(heap, (-float(bounds[total]), *node))
    whole = max(whole, sum(rules.values()))
    return {one: share / whole for one, share in sorted(rules.items(), key=lambda item: -item[1])}


def _division(
    cost: float,
    cages: Sequence[Sequence[int]],
    found: Mapping[int, Mapping[int, float]],
    said: Mapping[int, int],
) -> _Division:
    """Return the division into *cages*. For the first cage, the probabilities are scaled by exp(-*cost*)."""
    known = [
        (
            tuple(cage),
            _shares(len(cage), found.get(cage[0], {}), {said[cell] for cell in cage if cell in said}),
        )
        for cage in cages
    ]
    known.sort(key=lambda one: -float(one[1].max()))
    known[0][1][:] *= math.exp(-cost)
    best, mass = [np.zeros(WHOLE + 1)], [np.zeros(WHOLE + 1)]
    best[0][0] = mass[0][0] = 1.0
    for _, own in reversed(known):
        highest, together = np.zeros(WHOLE + 1), np.zeros(WHOLE + 1)
        for total in np.flatnonzero(own).tolist():
            rest = slice(None, WHOLE + 1 - total)
            np.maximum(highest[total:], own[total] * best[0][rest], out=highest[total:])
            together[total:] += own[total] * mass[0][rest]
        best.insert(0, highest)
        mass.insert(0, together)
    return _Division([cells for cells, _ in known], [own for _, own in known], best, mass)


def _shares(count: int, found: Mapping[int, float], said: set[int]) -> Doubles:
    """Return the probabilities (46,) of the sums 0 to 45 of a cage with *count* cells.

    Each possible sum has a probability above 0, because a sum may be misread. But if *said* has a sum, which
    a person gave, all other sums are impossible.
    """
    possible = [total for total in range(46) if digit_sets(total, count)]
    shares = np.zeros(46)
    for total in set(possible).intersection(found):
        shares[total] = (1 - MISREAD) * found[total]
    unread = max(0.0, 1 - sum(found.values()))
    shares[possible] += (MISREAD + unread) / max(1, len(possible))
    if said:
        shares[[total for total in range(46) if said != {total}]] = 0.0
    return shares
