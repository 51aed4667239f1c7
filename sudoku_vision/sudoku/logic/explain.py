"""What people ask: a hint, the whole way to the solution, and how hard the puzzle is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sudoku_vision.errors import ImproperError
from sudoku_vision.results import NO_MARKS, Board, Marks, board_text
from sudoku_vision.sudoku.board import BoardLike, board_array, cell_name, parse_board
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import needed, next_step, take, walk
from sudoku_vision.sudoku.logic.methods import method_named
from sudoku_vision.sudoku.logic.rating import Rating, rating_of
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty, Step, Technique
from sudoku_vision.sudoku.logic.techniques import allowed_techniques
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers
from sudoku_vision.sudoku.solver import Solution, SolutionStatus, solve

Status = SolutionStatus


@dataclass(frozen=True, eq=False)
class Explanation:
    """The way to the solution of a board.

    ``status``: ``one`` solution, ``many``, ``none`` or ``clash``; ``message`` says in a sentence what is
    wrong with a board that has not exactly one. ``puzzle`` is (9, 9) int8; ``solution`` too, or None.
    ``steps`` end in the solution where there is one; of a board with many they go as far as they hold for
    all of its solutions. ``method`` is that by which they were taken, ``headings`` are the words that it puts
    before some of them, by their place from 0.
    """

    status: Status
    puzzle: Board
    solution: Board | None = None
    steps: tuple[Step, ...] = ()
    message: str = ""
    clashes: tuple[int, ...] = ()
    method: str = "easiest"
    headings: Mapping[int, str] = field(default_factory=dict)

    @property
    def by_logic(self) -> bool:
        """Whether the steps lead to the solution without a trial."""
        return self.status == "one" and all(step.trial is None for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation for JSON."""
        return {
            "status": self.status,
            "message": self.message,
            "puzzle": board_text(self.puzzle),
            "solution": None if self.solution is None else board_text(self.solution),
            "method": self.method,
            "headings": [[place, words] for place, words in self.headings.items()],
            "steps": [step.to_dict() for step in self.steps],
        }


def hint(board: BoardLike, marks: Marks = NO_MARKS) -> Step | None:
    """Find the easiest next step on a board; None if it is full.

    *board*: 81 characters, a (9, 9) array or nested list, 0 for blank. *marks*: 81 sets of digits, the pencil
    marks of a person who goes on from them: they are the candidates of their cells, but for sets that have
    lost the right digit, which would mislead. Of a board with many solutions only what holds for all of them
    is told, without any marks. Raises :class:`~sudoku_vision.errors.BoardError` if it is no board,
    and :class:`~sudoku_vision.errors.ImproperError` if it clashes, has no solution, or so many that nothing
    follows.
    """
    return next(iter(hints(board, marks)), None)


def hints(board: BoardLike, marks: Marks = NO_MARKS) -> tuple[Step, ...]:
    """Find the easiest steps up to the next digit that can be filled in, without those that it doesn't need.

    The first of them is what :func:`hint` gives; the last one places a digit, unless the board has many
    solutions and none is certain. Empty if the board is full. Arguments and errors as for :func:`hint`.
    """
    candidates, allowed = _begin(board, marks)
    return _towards_digit(candidates, allowed)


def next_steps(board: BoardLike, count: int, marks: Marks = NO_MARKS) -> tuple[Step, ...]:
    """Find the next *count* steps: what :func:`hint` gives, if each is done before the next is asked for.

    Fewer where the board is full before, or nothing more is certain. Arguments and errors as for
    :func:`hint`.
    """
    candidates, allowed = _begin(board, marks)
    steps: list[Step] = []
    while len(steps) < count:
        found = _towards_digit(candidates, allowed)
        for step in found:
            take(candidates, step)
        steps += found
        if not found:
            break
    return tuple(steps[:count])


def _begin(board: BoardLike, marks: Marks) -> tuple[Candidates, tuple[Technique, ...]]:
    """Return what hints begin with: the candidates, and the techniques that hold.

    Raises :class:`~sudoku_vision.errors.ImproperError` where there is nothing to be told.
    """
    values = parse_board(board)
    solved = solve(board_array(values))
    allowed = allowed_techniques(unique=solved.status == "one")
    candidates = Candidates.marked(values, _kept_marks(marks, solved))
    certain = solved.status == "one" or (solved.status == "many" and next_step(candidates, allowed))
    if not certain:
        raise ImproperError(improper_message(solved), status=solved.status)
    return candidates, allowed


def _towards_digit(board: Candidates, allowed: Sequence[Technique]) -> tuple[Step, ...]:
    """Return the steps from *board*, which stays as it is, that the next digit needs."""
    board = board.copy()
    steps: list[Step] = []
    for step in walk(board, allowed):
        steps.append(with_blockers(board, step))
        if step.placements:
            return needed(steps)
    return tuple(steps)


def _kept_marks(marks: Marks, solved: Solution) -> Marks:
    """Return the pencil marks that still hold the right digit, where there is one."""
    if solved.status != "one" or solved.solution is None:
        return NO_MARKS
    answers = solved.solution.ravel().tolist()
    return tuple(one if answer in one else frozenset() for one, answer in zip(marks, answers, strict=True))


def explain(board: BoardLike, *, method: str = "easiest") -> Explanation:
    """Return all steps from a board to its solution, in the order of a *method*.

    *method*: ``easiest``, at every place the easiest step; ``rows``, row by row as a beginner works; or
    ``crook``, by pencil and paper (``methods``). *board* as for :func:`hint`; raises
    :class:`~sudoku_vision.errors.BoardError` if it is no board, and
    :class:`~sudoku_vision.errors.UsageError` for any other method.
    """
    chosen = method_named(method)
    values = parse_board(board)
    puzzle = board_array(values)
    solved = solve(puzzle)
    message = improper_message(solved)
    if solved.status not in ("one", "many"):
        return Explanation(solved.status, puzzle, message=message, clashes=solved.clashes, method=method)
    candidates = Candidates(values)
    way = [
        (heading, with_blockers(candidates, step))
        for heading, step in chosen.way(candidates, solved.status == "one")
    ]
    headings = ["", *(heading for heading, _ in way)]
    return Explanation(
        solved.status,
        puzzle,
        solved.solution if solved.status == "one" else None,
        tuple(step for _, step in way),
        message,
        method=method,
        headings={
            place: heading for place, (last, heading) in enumerate(pairwise(headings)) if heading != last
        },
    )


def rate(board: BoardLike, *, limit: Difficulty | None = None) -> Rating:
    """Say how hard a puzzle is: a name and a number, from the steps that :func:`explain` takes.

    With *limit*, a puzzle harder than that name is left as soon as this shows (:attr:`Rating.finished` is
    then False), which takes a fraction of the time. *board* as for :func:`hint`; raises
    :class:`~sudoku_vision.errors.BoardError` if it is no board, and
    :class:`~sudoku_vision.errors.ImproperError` if it hasn't exactly one solution.
    """
    values = parse_board(board)
    solved = solve(board_array(values))
    if solved.status != "one":
        raise ImproperError(improper_message(solved), status=solved.status)
    candidates = Candidates(values)
    allowed = allowed_techniques(hardest=limit or DIFFICULTIES[-1])
    counts = Counter(step.technique for step in walk(candidates, allowed))
    return rating_of(counts, passed=limit if candidates.blank else None)


def improper_message(solved: Solution) -> str:
    """Say what is wrong with a board that hasn't exactly one solution, in a sentence; empty if nothing is."""
    if solved.status == "clash":
        cells = ", ".join(cell_name(cell) for cell in solved.clashes)
        return f"The board clashes: the same digit stands twice in a row, column or box ({cells})."
    return _MESSAGES[solved.status]


_MESSAGES: dict[str, str] = {
    "one": "",
    "many": "The board has several solutions, so not all of it can be found by logic; is a clue missing?",
    "none": "The board has no solution; is one of its digits wrong?",
    "gave_up": "No solution was found in the steps allowed.",
}
