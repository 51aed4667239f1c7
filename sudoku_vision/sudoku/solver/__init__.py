"""The solver: backtracking over boards whose candidates are all examined at once.

Words: a *unit* is a row, column or box; a *peer* of a cell shares a unit with it; a *candidate* is a digit
that a cell may still take; a *clue* is a given digit.

:mod:`propagation` draws what follows for certain, :mod:`backtracking` guesses if nothing follows, and
:mod:`any_rules` does both for rules that aren't classic. This module answers what people ask of a board.
"""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.errors import BoardError, ImproperError, checked_number
from sudoku_vision.sudoku.board import Board, BoardLike, board_array, board_text, cell_name, parse_board
from sudoku_vision.sudoku.rules import RulesLike, rules_for
from sudoku_vision.sudoku.solver.any_rules import searcher
from sudoku_vision.sudoku.solver.backtracking import MAX_GUESSES, PROBE_AT, Found, Statistics, search
from sudoku_vision.texts import say
from sudoku_vision.values import Value

__all__ = [
    "MAX_GUESSES",
    "MESSAGES",
    "PROBE_AT",
    "Found",
    "Solution",
    "SolutionStatus",
    "Statistics",
    "count_solutions",
    "is_unique",
    "search",
    "searcher",
    "solve",
]

SolutionStatus = Literal["one", "many", "none", "clash", "malformed", "gave_up"]


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Value):
    """The result of solving a board.

    ``status``: ``one`` solution; ``many`` (``solution`` and ``second`` are two of them); ``none``; ``clash``
    (``clashes`` are the cells, 0..80, whose digits stand twice in a unit); ``malformed`` (no board at all);
    ``gave_up`` (the allowed guesses ran out before the answer was known; one solution may have been found).

    ``solution`` and ``second`` are (9, 9) int8 or None. ``message`` explains what is wrong and what to do; it
    is empty if there is one solution. ``str()`` is the solution as 81 digits, empty if there is none.
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
    "many": "There are several solutions. Clues are missing: compare the board with its source.",
    "none": "No solution fits the clues. At least one clue is wrong: compare the board with its source.",
    "gave_up": "The search was given up: to find out how many solutions there are takes too many guesses. "
    "More clues make it quicker.",
}
"""The messages of a solution that don't depend on the board."""


def solve(board: BoardLike, *, max_guesses: int | None = None, rules: RulesLike = None) -> Solution:
    """Solve a board, and find out whether its solution is the only one.

    *board*: 81 characters (blanks ``0 . _ * x X -``), a (9, 9) array or nested list, 0 for blank, a
    :class:`Grid`, or a result of :func:`generate`. Anything else has the status ``malformed``. *rules*, as
    ``Rules(diagonal=True)`` or ``"diagonal"``: None for those that the board has, mostly the classic ones.
    The search stops after *max_guesses*, by default after about a second (:data:`MAX_GUESSES`), and then has
    the status ``gave_up``. Raises :class:`~sudoku_vision.errors.UsageError` for wrong options.

    >>> solve("8" + "." * 80).status
    'many'
    """
    rules = rules_for(rules, board)
    try:
        values = parse_board(board)
    except BoardError as error:
        return Solution("malformed", message=str(error))
    found = searcher(rules)(values, 2, _checked(max_guesses))  # two solutions already mean *many*
    if not (found.solutions or found.statistics.backtracks) and (clashes := rules.find_clashes(values)):
        cells = ", ".join(f"{values[cell]} in {cell_name(cell)}" for cell in clashes)
        what = f"The same digit stands twice in a {say(rules.kinds)}: {cells}. Correct these cells."
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
    """Count the solutions of a board, up to *limit*, as far as *max_guesses* reach.

    Raises :class:`~sudoku_vision.errors.BoardError` if it is no board, and
    :class:`~sudoku_vision.errors.ImproperError` if the search gives up without *max_guesses*.
    """
    limit = checked_number(limit, "The limit of solutions", 0)
    found = searcher(rules_for(rules, board))(parse_board(board), limit, _checked(max_guesses))
    if not found.finished and max_guesses is None:
        raise ImproperError(MESSAGES["gave_up"], status="gave_up")
    return len(found.solutions)


def is_unique(board: BoardLike, *, rules: RulesLike = None) -> bool:
    """Return whether a board has exactly one solution; errors as for :func:`count_solutions`."""
    return count_solutions(board, rules=rules) == 1


def _checked(max_guesses: int | None) -> int | None:
    return None if max_guesses is None else checked_number(max_guesses, "The limit of guesses", 0)
