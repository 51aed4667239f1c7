"""Logic that a person can follow: hints, all steps to a solution, and the difficulty of a puzzle.

>>> from sudoku_vision.sudoku.logic import hint
>>> str(hint("53467891267219534819834256785976142342685379171392485696153728428741963534528617."))
'In box 9, r9c9 is the last empty cell, and 9 is the only digit missing: it goes there.'

:mod:`techniques` has a record for each technique, with a function that finds a :class:`Step`. :mod:`engine`
applies the easiest step again and again. :mod:`methods` has other orders in which steps can be applied.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sudoku_vision.errors import ImproperError, checked_choice
from sudoku_vision.sudoku.board import (
    Board,
    BoardLike,
    MarksLike,
    board_array,
    board_text,
    parse_board,
    parse_marks,
)
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import needed_steps, next_step, take, walk
from sudoku_vision.sudoku.logic.methods import METHODS
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty, Step, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, allowed_techniques
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers
from sudoku_vision.sudoku.rules import CLASSIC, Rules, RulesLike, rules_for
from sudoku_vision.sudoku.solver import Solution, SolutionStatus, solve
from sudoku_vision.texts import ENGLISH, Sentence, say
from sudoku_vision.values import Value


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Value):
    """The steps from a board to its solution.

    ``puzzle`` and ``solution``: (9, 9) int8, 0 for blank. If the board doesn't have exactly one solution,
    ``message`` says what is wrong, ``solution`` is None, and ``steps`` end where nothing more is certain.
    ``headings[index]``: the heading of the part of the solution that begins with the step of this index.
    """

    status: SolutionStatus
    puzzle: Board
    solution: Board | None = None
    steps: tuple[Step, ...] = ()
    message: str = ""
    clashes: tuple[int, ...] = ()
    method: str = "easiest"
    headings: Mapping[int, str] = field(default_factory=dict, hash=False)
    language: str = ENGLISH
    rules: Rules = CLASSIC

    @property
    def by_logic(self) -> bool:
        """Whether the steps reach the only solution without trying a digit."""
        return self.status == "one" and all(step.trial is None for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as a dict for JSON."""
        return {
            "status": self.status,
            "message": self.message,
            "puzzle": board_text(self.puzzle),
            "solution": None if self.solution is None else board_text(self.solution),
            "method": self.method,
            "headings": [[place, words] for place, words in self.headings.items()],
            "steps": [step.to_dict(self.language) for step in self.steps],
        }


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    ``name``: the difficulty of the ``hardest`` technique that the puzzle needs; easy for a full board.
    ``score``: the sum of the scores of all steps. ``counts``: the number of steps for each technique, easiest
    first. ``finished``: False if the rating stopped because the puzzle is harder than the *limit* of
    :func:`rate`. Then the true values may be higher.
    """

    name: Difficulty
    score: int
    hardest: Technique | None
    counts: Mapping[Technique, int] = field(hash=False)
    finished: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the rating as a dict for JSON."""
        return {
            "difficulty": self.name,
            "score": self.score,
            "hardest": None if self.hardest is None else self.hardest.name,
            "counts": {technique.name: count for technique, count in self.counts.items()},
        }


def hint(
    board: BoardLike, marks: MarksLike = None, clues: BoardLike | None = None, *, rules: RulesLike = None
) -> Step | None:
    """Find the easiest next step, or None; :func:`sudoku_vision.hint` explains the arguments and errors."""
    return next(iter(hints(board, marks, clues, rules=rules)), None)


def hints(
    board: BoardLike, marks: MarksLike = None, clues: BoardLike | None = None, *, rules: RulesLike = None
) -> tuple[Step, ...]:
    """Find the steps that are needed to fill in the next digit; arguments and errors are those of hint."""
    return _towards_digit(*_begin(board, marks, clues, rules))


def next_steps(
    board: BoardLike,
    count: int,
    marks: MarksLike = None,
    clues: BoardLike | None = None,
    *,
    rules: RulesLike = None,
) -> tuple[Step, ...]:
    """Find the next *count* steps, or fewer if nothing more is certain; the arguments are those of hint."""
    candidates, allowed = _begin(board, marks, clues, rules)
    steps: list[Step] = []
    while len(steps) < count:
        found = _towards_digit(candidates, allowed)
        for step in found:
            take(candidates, step)
        steps += found
        if not found:
            break
    return tuple(steps[:count])


def _begin(
    board: BoardLike, marks: MarksLike, clues: BoardLike | None, rules: RulesLike
) -> tuple[Candidates, tuple[Technique, ...]]:
    """Return a board with candidates, and the techniques that are valid for the board.

    Raise ImproperError unless the board has one solution, or has several solutions and a next step.
    """
    values, rules = parse_board(board), rules_for(rules, board)
    solved = solve(board_array(values), rules=rules)
    allowed = allowed_techniques(unique=solved.status == "one")
    answers = solved.solution.flat if solved.status == "one" and solved.solution is not None else ()
    kept = zip(parse_marks(marks), answers, strict=False)
    held = [one if answer in one else frozenset[int]() for one, answer in kept]
    candidates = Candidates(values, _proper(clues, values, rules), rules, held)
    certain = solved.status == "one" or (solved.status == "many" and next_step(candidates, allowed))
    if not certain:
        raise ImproperError(improper_message(solved, rules=rules), status=solved.status)
    return candidates, allowed


def _proper(clues: BoardLike | None, values: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    """Return *clues* as 81 values, or () if they can't be the printed clues of a board with 81 *values*.

    They can be if *values* have all these clues and further digits, and the clues have exactly one solution.
    """
    printed = values if clues is None else parse_board(clues)
    among = all(clue in (0, digit) for clue, digit in zip(printed, values, strict=True))
    proper = among and printed != values and solve(board_array(printed), rules=rules).status == "one"
    return printed if proper else ()


def _towards_digit(board: Candidates, allowed: Sequence[Technique]) -> tuple[Step, ...]:
    """Return the steps that are needed to fill in the next digit; all steps if no digit can be filled in."""
    board = board.copy()
    steps: list[Step] = []
    for step in walk(board, allowed):
        steps.append(with_blockers(board, step))
        if step.placements:
            return needed_steps(steps)
    return tuple(steps)


def explain(
    board: BoardLike, *, method: str = "easiest", language: str = ENGLISH, rules: RulesLike = None
) -> Explanation:
    """Return all steps from a board to its solution; *method* is easiest, rows or crook (:mod:`methods`).

    *board* and *rules* are those of :func:`solve`. *language* is a code such as ``"en"``; an unknown code
    stands for English. Raises :class:`~sudoku_vision.errors.BoardError` if *board* is not a board, and
    :class:`~sudoku_vision.errors.UsageError` for an unknown method.
    """
    method = checked_choice(method, "method", METHODS)
    values, rules = parse_board(board), rules_for(rules, board)
    puzzle = board_array(values)
    solved = solve(puzzle, rules=rules)
    message = improper_message(solved, language, rules)
    if solved.status not in ("one", "many"):
        return Explanation(solved.status, puzzle, message=message, clashes=solved.clashes, method=method)
    candidates = Candidates(values, rules=rules)
    way = [
        (heading, with_blockers(candidates, step))
        for heading, step in METHODS[method](candidates, solved.status == "one")
    ]
    headings = [None, *(heading for heading, _ in way)]
    return Explanation(
        solved.status,
        puzzle,
        solved.solution if solved.status == "one" else None,
        tuple(step for _, step in way),
        message,
        method=method,
        headings={
            place: say(heading, language)
            for place, (last, heading) in enumerate(pairwise(headings))
            if heading is not None and heading != last
        },
        language=language,
        rules=rules,
    )


def rate(board: BoardLike, *, limit: Difficulty | None = None, rules: RulesLike = None) -> Rating:
    """Rate the difficulty of a puzzle by the steps of :func:`explain`.

    *board* and *rules* are those of :func:`solve`. For a :class:`Grid`, only its printed clues are rated.
    ``grid.board`` also has the digits that a person entered: rate ``grid.board`` to learn how hard the rest
    is. With *limit*, rating stops as soon as the puzzle is known to be harder than *limit*. Raises
    :class:`~sudoku_vision.errors.BoardError` if *board* is not a board, and
    :class:`~sudoku_vision.errors.ImproperError` unless it has exactly one solution.
    """
    limit = None if limit is None else checked_choice(limit, "difficulty", DIFFICULTIES)
    values, rules = parse_board(board), rules_for(rules, board)
    solved = solve(board_array(values), rules=rules)
    if solved.status != "one":
        raise ImproperError(improper_message(solved, rules=rules), status=solved.status)
    candidates = Candidates(values, rules=rules)
    allowed = allowed_techniques(hardest=limit or DIFFICULTIES[-1])
    counts = Counter(step.technique for step in walk(candidates, allowed))
    return rating_of(counts, passed=limit if candidates.blank else None)


def rating_of(counts: Mapping[Technique, int], *, passed: Difficulty | None = None) -> Rating:
    """Return the rating of a puzzle from the number of steps for each technique.

    *passed*: the *limit* of :func:`rate` if the rating stopped because the puzzle is harder; otherwise None.
    """
    ordered = {technique: counts[technique] for technique in TECHNIQUES if counts.get(technique)}
    hardest = list(ordered)[-1] if ordered else None
    score = sum(technique.score * count for technique, count in ordered.items())
    if passed is not None:
        name = DIFFICULTIES[DIFFICULTIES.index(passed) + 1]
        return Rating(name, score, hardest, ordered, finished=False)
    return Rating(hardest.difficulty if hardest else DIFFICULTIES[0], score, hardest, ordered)


def improper_message(found: Solution, language: str = ENGLISH, rules: Rules = CLASSIC) -> str:
    """Return a sentence that says why a board doesn't have exactly one solution; "" if it has exactly one."""
    if found.status == "one":
        return ""
    return say(Sentence(f"improper.{found.status}", {"cells": found.clashes, "kinds": rules.kinds}), language)
