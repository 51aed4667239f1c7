"""Make puzzles with exactly one solution, and with a wanted difficulty, number of clues or symmetry.

The generator begins with a full board. It removes a clue if exactly one solution is left without it. If the
puzzle does not meet the :mod:`constraints`, it is improved by hill climbing. In each step, a few clues are
put back and others are removed. The new puzzle is kept unless it is further from the constraints than the
old one. In this way the generator reaches 19 clues, symmetric minimal puzzles, and the highest difficulties.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np

from sudoku_vision.errors import GenerateError, checked_number
from sudoku_vision.sudoku.board import Board, board_array, board_text
from sudoku_vision.sudoku.generator.boards import (
    count_clues,
    count_spare_clues,
    is_proper,
    made_proper,
    random_full_board,
    take_away,
    with_random_cages,
)
from sudoku_vision.sudoku.generator.constraints import Constraints, Symmetry, orbits
from sudoku_vision.sudoku.logic import Rating, rate
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Difficulty
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, technique_named
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.sudoku.rules import CLASSIC, Rules, RulesLike, rules_from
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.sudoku.solver.backtracking import Search
from sudoku_vision.texts import listed
from sudoku_vision.values import Value

MAX_TRIES = 4000  # maximum number of puzzles that are examined to find one; this takes about twenty seconds
_PATIENCE = 30  # after this many puzzles without progress, the search restarts from another full board
_PATIENCE_FOR_CLUES = 500  # replaces _PATIENCE if the wanted number of clues is rare or not reached yet
_FEW_CLUES = 22  # puzzles with fewer clues than this are rare
_PUT_BACK, _PUT_BACK_OF_QUARTERS = 2, 3
"""One step of hill climbing puts back the clues of this many orbits (groups of cells that change places in a
symmetry). The second number is for quarter turns. With larger numbers, 20 clues are seldom reached."""
_USUALLY_LEFT = 24, 27  # usual minimum and maximum number of clues that are left when no more can be removed
_USUAL_CLUES: dict[Difficulty | None, tuple[int, int]] = {"easy": (32, 36), "medium": (27, 31)}
"""The minimum and maximum number of clues that printed puzzles of a difficulty usually have. Harder puzzles
have as few clues as possible."""
_HALF_SCORE = 1000
"""In hill climbing, a puzzle with this score counts as half a difficulty harder than one with score 0."""


@dataclass(frozen=True, eq=False, repr=False)
class Puzzle(Value):
    """A puzzle with exactly one solution: ``board`` and ``solution`` are (9, 9) int8, 0 for blank.

    ``number``: the number of the puzzle, from 1, among the puzzles of ``seed``. ``seed`` is None if the
    puzzle was made without a seed. ``rules``: the rules of the puzzle. ``str()`` returns the board as 81
    digits, 0 for blank.
    """

    board: Board
    solution: Board
    constraints: Constraints
    rating: Rating = field(hash=False)
    seed: int | None = None
    number: int = 1
    rules: Rules = CLASSIC

    @property
    def puzzle(self) -> Board:
        """The clues, (9, 9) int8, the same as ``board``. A :class:`Grid` also has a property of this name."""
        return self.board

    @property
    def clues(self) -> int:
        """The number of clues."""
        return int(np.count_nonzero(self.board))

    def __str__(self) -> str:
        return board_text(self.board)

    def to_dict(self) -> dict[str, Any]:
        """Return the puzzle as a dict for JSON."""
        return {
            "puzzle": board_text(self.board),
            "solution": board_text(self.solution),
            "difficulty": self.rating.name,
            "score": self.rating.score,
            "clues": self.clues,
            "symmetry": self.constraints.symmetry,
            "seed": self.seed,
            "number": self.number,
        } | self.rules.to_dict()


def generate(
    *,
    difficulty: Difficulty | None = None,
    clues: int | None = None,
    symmetry: Symmetry = "point",
    minimal: bool = False,
    rules: RulesLike = None,
    technique: str | None = None,
    seed: int | np.random.Generator | None = None,
    advance: Callable[[int], object] | None = None,
) -> Puzzle:
    """Make a puzzle.

    *difficulty*: easy, medium, hard, expert or extreme; None: any. *clues*: the exact number of clues. With
    None, easy and medium puzzles have about as many clues as printed puzzles, and other puzzles 22 to 32.
    *symmetry*: how the places of the clues are symmetric. *minimal*: whether every clue must be needed. A
    clue is needed if the puzzle has several solutions after this clue is removed. *rules*: as in
    :func:`solve`. ``"jigsaw"`` means random regions. ``"killer"`` means random cages, and by default no
    clues. *technique*: the name of the hardest technique that the puzzle needs; the puzzle has the difficulty
    of this technique.

    *seed*: a whole number from 0, or a random generator. The same number always gives the same puzzle. With
    None, each call makes a different puzzle. *advance* is called with the number of puzzles that were
    examined since its last call. Raises :class:`~sudoku_vision.errors.UsageError` for properties that no
    puzzle can have, and :class:`~sudoku_vision.errors.GenerateError` if no such puzzle is found within
    :data:`MAX_TRIES` tries.

    >>> generate(clues=30, seed=1).clues
    30
    """
    constraints = Constraints(difficulty, clues, symmetry, minimal, rules, technique)
    seed = np.random.default_rng() if seed is None else seed
    if isinstance(seed, np.random.Generator):
        return _find_puzzle(constraints, seed, advance)
    return next(series(constraints, seed, advance=advance))


def series(
    constraints: Constraints, seed: int, *, advance: Callable[[int], object] | None = None
) -> Iterator[Puzzle]:
    """Yield the puzzles of a *seed* one by one, without end. The errors are those of :func:`generate`."""
    seed = checked_number(seed, "The seed", 0)
    for number in count(1):
        yield numbered_puzzle(constraints, seed, number, advance)


def numbered_puzzle(
    constraints: Constraints, seed: int, number: int, advance: Callable[[int], object] | None = None
) -> Puzzle:
    """Make the puzzle with this *number* (from 1) of a *seed* (from 0). The puzzles before it aren't made."""
    # With one seed, puzzles of different difficulties have different solutions. So a book of hard puzzles
    # doesn't reveal the solutions of a book of easy puzzles.
    level = [] if constraints.difficulty is None else [1 + DIFFICULTIES.index(constraints.difficulty)]
    if constraints.technique is not None:
        level.append(TECHNIQUES.index(technique_named(constraints.technique)))
    puzzle = _find_puzzle(constraints, np.random.default_rng([seed, number, *level]), advance)
    return replace(puzzle, seed=seed, number=number)


def _find_puzzle(
    constraints: Constraints, rng: np.random.Generator, advance: Callable[[int], object] | None
) -> Puzzle:
    """Find a puzzle by hill climbing; raises GenerateError after :data:`MAX_TRIES` puzzles."""
    few = constraints.clues is not None and constraints.clues < _FEW_CLUES
    tries = 0
    while tries < MAX_TRIES:
        rules, solution = _solved_board(constraints, rng)
        find = searcher(rules)
        full = solution.reshape(81).tolist()
        least = _least_clues(constraints, rng)
        values, missing, idle = full, (math.inf,) * 3, 0
        no_clues = bool(rules.cages) and not constraints.clues and is_proper([0] * 81, find)
        while idle < (_PATIENCE_FOR_CLUES if few or missing[0] else _PATIENCE) and tries < MAX_TRIES:
            other = [0] * 81 if no_clues else _neighbour(values, full, constraints, least, rng, find)
            gaps = _gaps(other, constraints, rules, find)
            tries += 1
            idle = 0 if gaps < missing else idle + 1
            if gaps <= missing:
                values, missing = other, gaps
            if advance is not None:
                advance(1)
            if not any(missing):
                board = board_array(values)
                return Puzzle(board, solution, constraints, rate(board, rules=rules), rules=rules)
            if no_clues:  # there are no clues to change, so other cages are needed
                break
    raise _not_found(constraints)


def _solved_board(constraints: Constraints, rng: np.random.Generator) -> tuple[Rules, Board]:
    """Return the wanted rules, and a random full board under these rules.

    If the rules are given by name, the regions of a jigsaw and the cages of a killer are random. If no clues
    are wanted, the cages allow exactly one solution. Raises GenerateError if given rules allow no full board.
    """
    asked = constraints.rules
    kinds = set[str]() if isinstance(asked, Rules) else set(str(asked).split())
    while True:
        if isinstance(asked, Rules):
            rules = asked
        else:
            rules = rules_from(" ".join(kinds - {"killer"}), random_regions(rng) if "jigsaw" in kinds else "")
        if rules != CLASSIC and not searcher(rules)([0] * 81, 1).solutions:
            if isinstance(asked, Rules):
                raise GenerateError(
                    "No full board was found for these regions or cages.", "Give others, or a seed alone."
                )
            continue
        solution = random_full_board(rng, rules)
        if "killer" not in kinds:
            return rules, solution
        caged = with_random_cages(rules, solution, rng)
        killer = caged if constraints.clues else made_proper(caged, solution, rng)
        if killer is not None:
            return killer, solution


def _not_found(constraints: Constraints) -> GenerateError:
    """Return the error for a failed search. Its remedy names those *constraints* that make a search hard."""
    few = constraints.clues is not None and constraints.clues < _USUALLY_LEFT[0]
    many = constraints.clues is not None and constraints.clues > _USUALLY_LEFT[1]
    remedies = {
        "another seed": True,
        "more clues": few,
        "fewer clues": many and (constraints.minimal or constraints.difficulty not in (None, "easy")),
        "any difficulty": constraints.difficulty is not None,
        "no symmetry": constraints.symmetry != "none",
        "a puzzle that need not be minimal": constraints.minimal,
    }
    what = f"Looked at {MAX_TRIES} puzzles without meeting {constraints}."
    return GenerateError(what, f"Try {listed([words for words, helps in remedies.items() if helps], 'or')}.")


def _neighbour(
    values: Sequence[int],
    full: Sequence[int],
    constraints: Constraints,
    least: int,
    rng: np.random.Generator,
    find: Search,
) -> list[int]:
    """Return a variant of *values*: fill some blank cells from the board *full*, then remove clues.

    Removing the new clues is tried last. A clue is removed only if exactly one solution and at least *least*
    clues are left.
    """
    groups = orbits(constraints.symmetry)
    order = [groups[place] for place in rng.permutation(len(groups)).tolist()]
    clues = [orbit for orbit in order if values[orbit[0]]]
    most = _PUT_BACK_OF_QUARTERS if constraints.symmetry == "rotate" else _PUT_BACK
    back = [orbit for orbit in order if not values[orbit[0]]][:most]
    other = list(values)
    for orbit in back:
        for cell in orbit:
            other[cell] = full[cell]
    left = count_clues(other)
    for orbit in (*clues, *back):
        if left - len(orbit) >= least and take_away(other, orbit, find):
            left -= len(orbit)
    return other


def _least_clues(constraints: Constraints, rng: np.random.Generator) -> int:
    """Return the minimum number of clues that must be left when clues are removed; 0 for no limit."""
    if constraints.minimal:
        return 0
    if constraints.clues is not None:
        return constraints.clues
    fewest, most = _USUAL_CLUES.get(constraints.difficulty, (0, 0))
    return int(rng.integers(fewest, most + 1))


def _gaps(
    values: Sequence[int], constraints: Constraints, rules: Rules, find: Search
) -> tuple[float, float, float]:
    """Return three numbers: how far a puzzle is from what is wanted.

    The first is the difference from the wanted number of clues. The second is the number of clues that could
    be removed from a puzzle that should be minimal. The third is the distance from the wanted difficulty or
    technique. If a number is not 0, the numbers after it aren't computed, to save time: they are infinite.
    """
    clues = 0 if constraints.clues is None else abs(count_clues(values) - constraints.clues)
    if clues:
        return clues, math.inf, math.inf
    # Without a symmetry, removing clues always ends with a minimal puzzle, so spare clues aren't counted.
    climbs = constraints.minimal and constraints.symmetry != "none"
    spare = count_spare_clues(values, find) if climbs else 0
    if spare:
        return 0, spare, math.inf
    if constraints.technique is not None:
        return 0, 0, _off_technique(constraints.technique, values, rules)
    level = constraints.difficulty
    return 0, 0, 0 if level is None else _off_difficulty(level, values, rules)


def _off_technique(name: str, values: Sequence[int], rules: Rules) -> float:
    """Return how much easier a puzzle's hardest technique is than the technique *name*; 1 if it is harder.

    This is the distance between the two techniques in TECHNIQUES, divided by the length of TECHNIQUES.
    """
    rating = rate(values, limit=technique_named(name).difficulty, rules=rules)
    wanted = TECHNIQUES.index(technique_named(name))
    found = -1 if rating.hardest is None else TECHNIQUES.index(rating.hardest)
    return 1.0 if not rating.finished or found > wanted else (wanted - found) / len(TECHNIQUES)


def _off_difficulty(name: Difficulty, values: Sequence[int], rules: Rules) -> float:
    """Return by how many levels a puzzle is easier than the difficulty *name*; 1 if the puzzle is too hard.

    Among the easier puzzles of one level, those with a higher score are nearer, by less than one level
    (:data:`_HALF_SCORE`). If a puzzle is too hard, the distance isn't measured: that would take long, and
    hill climbing soon finds an easier puzzle.
    """
    rating = rate(values, limit=name, rules=rules)
    if not rating.finished:
        return 1.0
    steps = DIFFICULTIES.index(name) - DIFFICULTIES.index(rating.name)
    return steps - rating.score / (rating.score + _HALF_SCORE) if steps else 0.0
