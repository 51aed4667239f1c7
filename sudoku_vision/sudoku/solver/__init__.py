"""The solver: solve boards, and count their solutions.

A *unit* is a row, column or box. A *peer* of a cell shares a unit with it. A *candidate* is a digit that a
cell can still hold. :mod:`backtracking` fills in what is certain, and guesses when nothing is certain.

Under rules that aren't classic, a SAT solver searches. It makes variables true or false so that all clauses
hold. A *literal* is a variable or, with a minus sign, its negation. In each clause, at least one literal must
be true. There is a variable for each candidate, and for each set of digits that makes the sum of a cage. The
rules are written as clauses. The clues of a board are only assumptions, so the solver can still use what it
has learned from other boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal

from sudoku_vision.errors import BoardError, ImproperError, checked_number
from sudoku_vision.sudoku.board import Board, BoardLike, board_array, board_text, cell_name, parse_board
from sudoku_vision.sudoku.rules import CLASSIC, Rules, RulesLike, rules_for
from sudoku_vision.sudoku.solver.backtracking import MAX_GUESSES, Found, Search, Statistics, search
from sudoku_vision.texts import Said, Sentence, say
from sudoku_vision.values import Value

Clause = list[int]

DIGITS = range(1, 10)
CALL_WORK = 20  # one call of the SAT solver takes as long as this many guesses in the classic game


def searcher(rules: Rules) -> Search:
    """Return a function like :func:`search` for boards under *rules*. Keep it: making it takes 8 ms."""
    return search if rules == CLASSIC else _SatSearch(rules)


@lru_cache(maxsize=8)
def _found(rules: Rules, values: tuple[int, ...], max_guesses: int | None) -> Found:
    """Search for up to two solutions: two are enough to know that the status is ``many``.

    The results are kept in memory, because one request about a puzzle solves the same boards several times.
    Making a SAT solver takes 8 ms.
    """
    return searcher(rules)(values, 2, max_guesses)


class _SatSearch:
    """Solves boards under the given rules with a SAT solver. Only one thread at a time may use it."""

    def __init__(self, rules: Rules) -> None:
        from pysat.solvers import Glucose4

        self._solver = Glucose4(bootstrap_with=clauses(rules))
        sets = sum(len(cage.digit_sets) for cage in rules.cages)
        self._variables = 729 + sets  # number of the last variable

    def __call__(self, values: Sequence[int], limit: int = 2, max_guesses: int | None = None) -> Found:
        """Find up to *limit* solutions of 81 *values*. *max_guesses*: maximum number of guesses that fail."""
        # A found solution is excluded by a clause that only counts while this new variable is assumed to be
        # true. So later calls can find the solution again.
        self._variables += 1
        assumed = [candidate(cell, digit) for cell, digit in enumerate(values) if digit] + [self._variables]
        most = MAX_GUESSES * limit if max_guesses is None else max_guesses
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
        work = sat_work(len(solutions) + 1, conflicts)
        return Found(tuple(solutions), answer is not None, Statistics(decisions, conflicts, 0, work))


def sat_work(calls: int, conflicts: int) -> int:
    """Return the work of a SAT solver, in guesses of the classic game, from its *calls* and *conflicts*."""
    return CALL_WORK * calls + conflicts // 2  # a conflict takes half as long as a guess


def candidate(cell: int, digit: int) -> int:
    """Return the variable for a *digit* in a *cell*, 1 to 729."""
    return 9 * cell + digit


def clauses(rules: Rules) -> Iterator[Clause]:
    """Yield the clauses of *rules*. The variables 1 to 729 are the candidates: see :func:`candidate`."""
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
    """Yield the clauses of a cage: if a variable in *sets* is true, the *cells* hold its set of digits."""
    for variable, digits in sets.items():
        for digit in DIGITS:
            places = [candidate(cell, digit) for cell in cells]
            yield from [[-variable, *places]] if digit in digits else ([-variable, -one] for one in places)


SolutionStatus = Literal["one", "many", "none", "clash", "malformed", "gave_up"]


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Value):
    """The result of solving a board.

    * ``status``: ``one``: the board has exactly one solution. ``many``: it has several, and ``solution`` and
      ``second`` are two of them. ``none``: it has no solution. ``clash``: digits break a rule, for example
      because a digit is twice in a unit; ``clashes`` are the cells (0..80) of these digits.
      ``malformed``: the input is not a board. ``gave_up``: the search reached its limit of guesses;
      ``solution`` is a solution that it found before, or None.
    * ``solution`` and ``second``: (9, 9) int8 or None.
    * ``message``: what is wrong and what to do; empty if there is exactly one solution.

    ``str()`` returns the solution as 81 digits, or an empty text if there is no solution.
    """

    status: SolutionStatus
    solution: Board | None = None
    second: Board | None = None
    clashes: tuple[int, ...] = ()
    message: str = ""
    statistics: Statistics = field(default_factory=Statistics)

    def __str__(self) -> str:
        return "" if self.solution is None else board_text(self.solution)


MESSAGES: dict[SolutionStatus, str] = {
    "one": "",
    "many": Said(Sentence("message.many")),
    "none": Said(Sentence("message.none")),
    "gave_up": Said(Sentence("message.guesses")),
}


def solve(board: BoardLike, *, max_guesses: int | None = None, rules: RulesLike = None) -> Solution:
    """Solve a board, and find out whether its solution is the only one.

    *board*: 81 characters (``0 . _ * x X -`` for blank); a (9, 9) array or nested list, 0 for blank; a
    :class:`Grid`; or a result of :func:`generate`. For anything else the status is ``malformed``. *rules*:
    for example ``Rules(diagonal=True)`` or ``"diagonal"``; None means the rules of the board if it has rules
    of its own, and otherwise the classic rules. The search stops after *max_guesses* guesses, by default
    after about a second (:data:`MAX_GUESSES`); the status is then ``gave_up``. Raises
    :class:`~sudoku_vision.errors.UsageError` for wrong options.

    >>> solve("8" + "." * 80).status
    'many'
    """
    rules = rules_for(rules, board)
    try:
        values = parse_board(board)
    except BoardError as error:
        return Solution("malformed", message=str(error))
    found = _found(rules, values, _checked(max_guesses))
    if not (found.solutions or found.statistics.backtracks) and (clashes := rules.find_clashes(values)):
        cells = ", ".join(f"{values[cell]} in {cell_name(cell)}" for cell in clashes)
        clash = "Digits clash" if rules.cages else "The same digit stands twice"
        what = f"{clash} in a {say(rules.kinds)}: {cells}. Correct these cells."
        return Solution("clash", clashes=clashes, message=what)
    status: SolutionStatus = "one" if found.solutions else "none"
    if len(found.solutions) > 1:
        status = "many"
    elif not found.finished:
        status = "gave_up"
    boards = [board_array(digits) for digits in found.solutions]
    first, second = [*boards, None, None][:2]
    return Solution(status, first, second, (), MESSAGES[status], found.statistics)


def count_solutions(
    board: BoardLike, limit: int = 2, *, max_guesses: int | None = None, rules: RulesLike = None
) -> int:
    """Count the solutions of a board up to *limit*; after *max_guesses* guesses, return the number so far.

    Raises :class:`~sudoku_vision.errors.BoardError` if *board* is not a board, and
    :class:`~sudoku_vision.errors.ImproperError` if *max_guesses* is None and the search gives up.
    """
    limit = checked_number(limit, "The limit of solutions", 0)
    found = searcher(rules_for(rules, board))(parse_board(board), limit, _checked(max_guesses))
    if not found.finished and max_guesses is None:
        raise ImproperError(MESSAGES["gave_up"], status="gave_up")
    return len(found.solutions)


def is_unique(board: BoardLike, *, rules: RulesLike = None) -> bool:
    """Return whether a board has exactly one solution; the errors are those of :func:`count_solutions`."""
    return count_solutions(board, rules=rules) == 1


def _checked(max_guesses: int | None) -> int | None:
    return None if max_guesses is None else checked_number(max_guesses, "The limit of guesses", 0)
