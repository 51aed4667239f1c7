"""What comes of a board: its solution, whether it is the only one, or what is wrong."""

from dataclasses import dataclass, field
from typing import Literal

from sudoku_vision.errors import BoardError, ImproperError
from sudoku_vision.results import Board, Value, board_text, brief
from sudoku_vision.sudoku.board import BoardLike, board_array, cell_name, parse_board
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver.any_rules import searcher
from sudoku_vision.sudoku.solver.backtracking import Statistics
from sudoku_vision.texts import say

SolutionStatus = Literal["one", "many", "none", "clash", "malformed", "gave_up"]

ENOUGH_TO_TELL = 2  # solutions that are looked for: with a second one, a board has many


@dataclass(frozen=True, eq=False)
class Solution(Value):
    """What became of a board.

    ``status``: ``one`` solution; ``many`` (``solution`` and ``second`` show two of them); ``none``; ``clash``
    (``clashes`` names the cells, 0..80, whose digits stand twice in a unit); ``malformed`` (no board at all);
    ``gave_up`` (the guesses allowed ran out before that was settled; ``solution`` is one if any was found).

    ``solution`` and ``second`` are (9, 9) int8 or None. ``message`` says what is wrong and what to do, empty
    where there is one solution. ``str()`` is the solution as 81 digits, empty if there is none.
    """

    status: SolutionStatus
    solution: Board | None = None
    second: Board | None = None
    clashes: tuple[int, ...] = ()
    message: str = ""
    statistics: Statistics = field(default_factory=Statistics)

    __repr__ = brief

    def __str__(self) -> str:
        return "" if self.solution is None else board_text(self.solution)


MESSAGES: dict[SolutionStatus, str] = {
    "one": "",
    "many": "There are several solutions. Clues are missing: compare the board with its source.",
    "none": "No solution fits the clues. At least one clue is wrong: compare the board with its source.",
    "gave_up": "The search was given up: to tell how many solutions there are takes too many guesses. "
    "More clues make it quicker.",
}
"""What a solution says of itself where that doesn't depend on the board."""


def solve(board: BoardLike, *, max_guesses: int | None = None, rules: Rules = CLASSIC) -> Solution:
    """Solve a board under *rules*, and say whether its solution is the only one.

    *board*: 81 characters (blanks ``0 . _ * x X -``), a (9, 9) array or nested list, 0 for blank. What is no
    board has the status ``malformed``. The search stops after *max_guesses*, or where it takes about a second
    (:data:`~sudoku_vision.sudoku.solver.MAX_GUESSES`), and says ``gave_up``.

    >>> solve("8" + "." * 80).status
    'many'
    """
    try:
        values = parse_board(board)
    except BoardError as error:
        return Solution("malformed", message=str(error))
    found = searcher(rules)(values, ENOUGH_TO_TELL, max_guesses)
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
    board: BoardLike, limit: int = ENOUGH_TO_TELL, *, max_guesses: int | None = None, rules: Rules = CLASSIC
) -> int:
    """Count the solutions of a board, up to *limit*; those found so far if *max_guesses* don't suffice.

    Raises :class:`~sudoku_vision.errors.BoardError` for what is no board, and
    :class:`~sudoku_vision.errors.ImproperError` where the search gives up though no *max_guesses* are said.
    """
    found = searcher(rules)(parse_board(board), limit, max_guesses)
    if not found.finished and max_guesses is None:
        raise ImproperError(MESSAGES["gave_up"], status="gave_up")
    return len(found.solutions)


def is_unique(board: BoardLike, *, rules: Rules = CLASSIC) -> bool:
    """Say whether a board has exactly one solution; errors as for :func:`count_solutions`."""
    return count_solutions(board, rules=rules) == 1
