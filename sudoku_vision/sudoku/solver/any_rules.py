"""The search for boards under any rules: the rules become clauses, and a SAT solver searches.

A literal is a variable or, with a minus sign, its negation. In each clause, at least one literal must be
true. There is a variable for each candidate, and for each set of digits that makes the sum of a cage. The
clues of a board are assumptions, so the solver can use what it has learned from other boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import backtracking
from sudoku_vision.sudoku.solver.backtracking import Found, Search, Statistics

Clause = list[int]

DIGITS = range(1, 10)
CALL_WORK = 20  # a call of the SAT solver takes as long as this many guesses in the classic game


def searcher(rules: Rules) -> Search:
    """Return the search for boards under *rules*, like :func:`search`; making one takes 5 ms, so keep it."""
    return backtracking.search if rules == CLASSIC else _SatSearch(rules)


class _SatSearch:
    """The search for boards under some rules. Only one thread at a time may use it."""

    def __init__(self, rules: Rules) -> None:
        from pysat.solvers import Glucose4

        self._solver = Glucose4(bootstrap_with=clauses(rules))
        sets = sum(len(cage.digit_sets) for cage in rules.cages)
        self._variables = 729 + sets  # number of the last variable

    def __call__(self, values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
        """Find up to *limit* solutions of 81 *values*; only guesses that lead to a dead end count."""
        self._variables += 1  # a new variable switches the clauses on that exclude the solutions found here
        assumed = [candidate(cell, digit) for cell, digit in enumerate(values) if digit] + [self._variables]
        most = backtracking.MAX_GUESSES * limit if max_guesses is None else max_guesses
        before = self._solver.accum_stats()
        solutions: list[tuple[int, ...]] = []
        decisions = conflicts = 0
        answer: bool | None = True
        while answer and len(solutions) < limit:
            self._solver.conf_budget(most - conflicts + 1)
            answer = self._solver.solve_limited(assumed)
            if answer:
                found = [literal for literal in self._solver.get_model()[:729] if literal > 0]
                solutions.append(tuple((variable - 1) % 9 + 1 for variable in found))
                self._solver.add_clause([-self._variables, *(-variable for variable in found)])
            after = self._solver.accum_stats()
            decisions, conflicts = (after[key] - before[key] for key in ("decisions", "conflicts"))
        self._solver.add_clause([-self._variables])
        work = CALL_WORK * (len(solutions) + 1) + conflicts // 2  # a dead end takes 12 us
        return Found(tuple(solutions), answer is not None, Statistics(decisions, conflicts, 0, work))


def candidate(cell: int, digit: int) -> int:
    """Return the variable for a *digit* in a *cell*, 1 to 729."""
    return 9 * cell + digit


def clauses(rules: Rules) -> Iterator[Clause]:
    """Yield the clauses of *rules*. The variables 1 to 729 are the candidates, in the order of the cells."""
    for cell, peers in enumerate(rules.peers):
        own = [candidate(cell, digit) for digit in DIGITS]
        yield own
        yield from ([-one, -other] for one, other in combinations(own, 2))
        later = [peer for peer in peers if peer > cell]
        yield from ([-candidate(cell, digit), -candidate(peer, digit)] for peer in later for digit in DIGITS)
    for unit in rules.units.values():
        yield from ([candidate(cell, digit) for cell in unit] for digit in DIGITS)
    free = 730  # the first unused variable
    for cage in rules.cages:
        sets = dict(enumerate(cage.digit_sets, start=free))
        free += len(sets)
        yield list(sets)
        yield from cage_clauses(cage.cells, sets)


def cage_clauses(cells: Sequence[int], sets: Mapping[int, frozenset[int]]) -> Iterator[Clause]:
    """Yield clauses for a cage: if the variable of a set of digits is true, its *cells* hold this set."""
    for variable, digits in sets.items():
        for digit in DIGITS:
            places = [candidate(cell, digit) for cell in cells]
            yield from [[-variable, *places]] if digit in digits else ([-variable, -one] for one in places)
