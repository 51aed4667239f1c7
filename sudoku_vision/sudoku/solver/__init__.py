"""The solver: solve boards, and count their solutions.

A *unit* is a row, column or box. A *peer* of a cell shares a unit with it. A *candidate* is a digit that a
cell can still hold. :mod:`propagation` fills in what is certain. :mod:`backtracking` guesses when nothing is
certain. :mod:`any_rules` solves boards under rules that aren't classic.
"""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.errors import BoardError, ImproperError, checked_number
from sudoku_vision.sudoku.board import Board, BoardLike, board_array, board_text, cell_name, parse_board
from sudoku_vision.sudoku.rules import RulesLike, rules_for
from sudoku_vision.sudoku.solver.any_rules import searcher
from sudoku_vision.sudoku.solver.backtracking import MAX_GUESSES, PROBE_AT, Found, Search, Statistics, search
from sudoku_vision.texts import Said, Sentence, say
from sudoku_vision.values import Value

__all__ = [
    "MAX_GUESSES",
    "MESSAGES",
    "PROBE_AT",
    "Found",
    "Search",
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

    * ``status``: ``one``: the board has exactly one solution. ``many``: it has several, and ``solution`` and
      ``second`` are two of them. ``none``: it has no solution. ``clash``: a digit is twice in a unit, and
      ``clashes`` are the cells (0..80) of all such digits. ``malformed``: the input is not a board.
      ``gave_up``: the search ran out of guesses; ``solution`` may be one that was found before.
    * ``solution`` and ``second``: (9, 9) int8 or None.
    * ``message``: what is wrong and what to do; empty if there is exactly one solution.

    ``str()`` returns the solution as 81 digits; it is empty if there is none.
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
    found = searcher(rules)(values, 2, _checked(max_guesses))  # two are enough for ``many``
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
    """Count the solutions of a board up to *limit*; after *max_guesses* guesses, return those found so far.

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
