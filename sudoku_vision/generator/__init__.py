"""Generate: new puzzles with exactly one solution, as hard, as sparse and as symmetric as asked for.

Words: a puzzle is *proper* if it has exactly one solution, and *minimal* if it is proper and no clue at all
can be taken away without a second solution. An *orbit* is a group of cells that a symmetry carries into each
other (see :mod:`~sudoku_vision.generator.symmetry`), and that are all clues or all blank.

A full board is thinned out orbit by orbit, each taken away if the puzzle stays proper. What that doesn't meet
is climbed to: a few orbits are put back, others taken away in their place, and the new puzzle is kept if it
is no further from what is asked for. So 19 and 20 clues come within reach, symmetric puzzles that are
minimal, and the hardest ones.

All chance comes from a :class:`numpy.random.Generator`. Puzzle *n* of a seed has a stream of its own, so it
is the same however many are made before or after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sudoku_vision.board import BoardLike, board_array, parse_board
from sudoku_vision.errors import GenerateError, UsageError
from sudoku_vision.generator.symmetry import SYMMETRIES, Orbit, Symmetry, clue_numbers, orbits
from sudoku_vision.logic import DIFFICULTIES, Difficulty, Rating, rate
from sudoku_vision.results import Board, board_text
from sudoku_vision.solver import find_clashes, search

FEWEST_CLUES = 17
"""No puzzle with fewer is proper (G. McGuire, B. Tugemann, G. Civario: "There is no 16-clue Sudoku")."""

MOST_CLUES = 80
"""With one more there is nothing left to solve."""

MOST_MINIMAL_CLUES = 40
"""No minimal puzzle with more is known."""

MAX_TRIES = 4000
"""Puzzles looked at before giving up: some twenty seconds."""

_PATIENCE, _PATIENCE_FOR_CLUES = 30, 500
"""Puzzles in a row no nearer to what is asked for, after which a new full board is begun. The way down to few
clues is long; else it is soon plain that a board doesn't lend itself."""

_FEW_CLUES = 22
"""Fewer are worth staying with once they are found."""

_PUT_BACK, _PUT_BACK_OF_QUARTERS = 2, 3
"""Orbits put back at a step: with more, steps are longer and seldom lead down to 20 clues."""

_USUALLY_LEFT = 24, 27
"""Clues that thinning out leaves most often."""

_USUAL_CLUES: dict[Difficulty | None, tuple[int, int]] = {"easy": (32, 36), "medium": (27, 31)}
"""How many clues puzzles in print have, about; harder ones have as few as can be."""


class _Measure(NamedTuple):
    """How far a puzzle is from a constraint, 0 if met, and how long to climb on the same board for it."""

    gap: Callable[[Sequence[int]], float]
    patience: int


@dataclass(frozen=True)
class Constraints:
    """What a puzzle must be.

    *difficulty*: one of :data:`~sudoku_vision.logic.DIFFICULTIES`, as
    :func:`~sudoku_vision.logic.rate` has them; None: any. *clues*: exactly so many; None: for easier puzzles
    about as many as are usual in print, else as few as thinning out leaves, which is 22 to 32. *symmetry*:
    see :data:`Symmetry`. *minimal*: no clue at all can be taken away, not even one that its symmetry would
    then be lost with. Raises :class:`~sudoku_vision.errors.UsageError` for what no puzzle can be.
    """

    difficulty: Difficulty | None = None
    clues: int | None = None
    symmetry: Symmetry = "point"
    minimal: bool = False

    def __post_init__(self) -> None:
        """Refuse what can't be had."""
        if self.difficulty is not None and self.difficulty not in DIFFICULTIES:
            what = f"There is no difficulty {self.difficulty!r}."
            raise UsageError(what, f"Choose {_either(DIFFICULTIES)}.")
        if self.symmetry not in SYMMETRIES:
            raise UsageError(f"There is no symmetry {self.symmetry!r}.", f"Choose {_either(SYMMETRIES)}.")
        if self.clues is not None:
            _check_clues(self.clues, self.symmetry, self.minimal)

    def __str__(self) -> str:
        """The constraints in words: ``a minimal hard puzzle with 20 clues``."""
        article = "an" if not self.minimal and self.difficulty in ("easy", "expert", "extreme") else "a"
        words = [article, "minimal" if self.minimal else "", self.difficulty or "", "puzzle"]
        words += [] if self.clues is None else [f"with {self.clues} clues"]
        words += [] if self.symmetry == "none" else [f"of symmetry {self.symmetry!r}"]
        return " ".join(filter(None, words))


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A proper puzzle: ``board`` and its only ``solution``, both (9, 9) int8, 0 for blank.

    It is puzzle ``number`` (from 1) of ``seed``, which is None where a generator was passed in. ``str()`` is
    the board as 81 digits.
    """

    board: Board
    solution: Board
    constraints: Constraints
    rating: Rating
    seed: int | None = None
    number: int = 1

    @property
    def clues(self) -> int:
        """The number of clues."""
        return int(np.count_nonzero(self.board))

    def __str__(self) -> str:
        return board_text(self.board)

    def to_dict(self) -> dict[str, Any]:
        """The puzzle for JSON."""
        return {
            "puzzle": board_text(self.board),
            "solution": board_text(self.solution),
            "difficulty": self.rating.name,
            "score": self.rating.score,
            "clues": self.clues,
            "symmetry": self.constraints.symmetry,
            "seed": self.seed,
            "number": self.number,
        }


def generate(
    *,
    difficulty: Difficulty | None = None,
    clues: int | None = None,
    symmetry: Symmetry = "point",
    minimal: bool = False,
    seed: int | np.random.Generator | None = None,
    on_try: Callable[[], Any] = lambda: None,
) -> Puzzle:
    """Make a puzzle; the constraints are those of :class:`Constraints`.

    *seed*: a whole number from 0, of which this is the first puzzle, or the generator that all chance comes
    from; None makes another puzzle each time. *on_try* is called after each puzzle that was looked at.

    Raises :class:`~sudoku_vision.errors.UsageError` for what no puzzle can be, and
    :class:`~sudoku_vision.errors.GenerateError` if none was found in :data:`MAX_TRIES` tries.

    >>> generate(clues=30, seed=1).clues
    30
    """
    constraints = Constraints(difficulty=difficulty, clues=clues, symmetry=symmetry, minimal=minimal)
    seed = np.random.default_rng() if seed is None else seed
    if isinstance(seed, np.random.Generator):
        board, solution = _find(constraints, seed, on_try)
        return Puzzle(board, solution, constraints, rate(board))
    return next(series(constraints, seed, on_try=on_try))


def series(
    constraints: Constraints, seed: int, *, start: int = 1, on_try: Callable[[], Any] = lambda: None
) -> Iterator[Puzzle]:
    """The puzzles of a *seed*, without end, from number *start*; errors are those of :func:`generate`."""
    if seed < 0 or start < 1:
        what = f"Seed {seed} has no puzzle {start}." if seed >= 0 else f"There is no seed {seed}."
        raise UsageError(what, "Seeds count from 0, puzzles from 1.")
    number = start
    while True:
        board, solution = _find(constraints, np.random.default_rng([seed, number]), on_try)
        yield Puzzle(board, solution, constraints, rate(board), seed, number)
        number += 1


def is_minimal(board: BoardLike) -> bool:
    """Whether *board* has exactly one solution, and several without any one of its clues.

    Raises :class:`~sudoku_vision.errors.BoardError` if it is no board.
    """
    values = list(parse_board(board))
    return not find_clashes(values) and _is_proper(values) and not _spare_clues(values)


def random_solution(rng: np.random.Generator) -> Board:
    """A full board, (9, 9) int8: the cyclic pattern with digits, rows, columns, bands and stacks shuffled.

    Quick, but all of one kind; puzzles for people come from :func:`random_full_board`.
    """
    rows, columns = _shuffled_lines(rng), _shuffled_lines(rng)
    pattern = (3 * (rows % 3) + rows // 3)[:, None] + columns[None, :]
    board: Board = (rng.permutation(9)[pattern % 9] + 1).astype(np.int8)
    return board.T.copy() if rng.random() < 0.5 else board


def random_puzzle(rng: np.random.Generator, clues: int = 30) -> tuple[Board, Board]:
    """A puzzle and its only solution, both (9, 9) int8: about *clues* clues, point symmetric as in print.

    The quick way, for drawings: 24 clues are seldom reached, and how hard it is to solve is left to chance.
    """
    solution = random_solution(rng)
    values = solution.reshape(81).tolist()
    for place in rng.permutation(41).tolist():
        _take_away(values, orbits("point")[place])
        if _count(values) <= clues:
            break
    return board_array(values), solution


def random_full_board(rng: np.random.Generator) -> Board:
    """A full board, (9, 9) int8, of any kind.

    The three boxes on the diagonal are filled by chance; then digits by chance go into cells by chance, each
    such that some solution is left, until there is only one.
    """
    values = [0] * 81
    for corner in (0, 30, 60):
        for place, digit in enumerate(rng.permutation(9).tolist()):
            values[corner + 9 * (place // 3) + place % 3] = digit + 1
    for cell in rng.permutation(81).tolist():
        if values[cell]:
            continue
        solutions = search(values, 2).solutions
        if len(solutions) == 1:
            return board_array(solutions[0])
        for digit in rng.permutation(9).tolist():
            values[cell] = digit + 1
            if search(values, 1).solutions:
                break
    return board_array(values)


def _check_clues(clues: int, symmetry: Symmetry, minimal: bool) -> None:
    """Raise UsageError if no puzzle can have so many clues."""
    if clues < FEWEST_CLUES:
        what = f"No puzzle with {clues} clues has only one solution: {FEWEST_CLUES} is the fewest."
        raise UsageError(what, f"Ask for {FEWEST_CLUES} to {MOST_CLUES}; below 20 the search is long.")
    if clues > MOST_CLUES:
        raise UsageError(f"{clues} clues leave nothing to solve.", f"Ask for at most {MOST_CLUES}.")
    if minimal and clues > MOST_MINIMAL_CLUES:
        what = f"No minimal puzzle with more than {MOST_MINIMAL_CLUES} clues is known."
        raise UsageError(what, "Ask for 22 to 27, or leave out minimal.")
    numbers = clue_numbers(symmetry)
    if clues not in numbers:
        what = f"With symmetry {symmetry!r} clues come in groups, and never to {clues}."
        below, above = max(n for n in numbers if n < clues), min(n for n in numbers if n > clues)
        raise UsageError(what, f"Ask for {below} or {above}, or for another symmetry.")


def _find(
    constraints: Constraints, rng: np.random.Generator, on_try: Callable[[], Any]
) -> tuple[Board, Board]:
    """Climb to a puzzle that meets all constraints; it and its solution. Raises GenerateError."""
    measures = _measures(constraints)
    tries = 0
    while tries < MAX_TRIES:
        solution = random_full_board(rng)
        full = solution.reshape(81).tolist()
        least = _least_clues(constraints, rng)
        values, missing, idle = full, (math.inf,) * len(measures), 0
        while idle < _patience(missing, measures) and tries < MAX_TRIES:
            other = _neighbour(values, full, constraints, least, rng)
            gaps = _shortfall(other, measures)
            tries += 1
            idle = 0 if gaps < missing else idle + 1
            if gaps <= missing:
                values, missing = other, gaps
            on_try()
            if not any(missing):
                return board_array(values), solution
    raise _not_found(constraints)


def _not_found(constraints: Constraints) -> GenerateError:
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
    return GenerateError(what, f"Try {_either([words for words, helps in remedies.items() if helps])}.")


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _neighbour(
    values: Sequence[int], full: Sequence[int], constraints: Constraints, least: int, rng: np.random.Generator
) -> list[int]:
    """Put some orbits back into a puzzle and take others away; from a *full* board, thin that out.

    At *least* so many clues are left.
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
    left = _count(other)
    for orbit in (*clues, *back):
        if left - len(orbit) >= least and _take_away(other, orbit):
            left -= len(orbit)
    return other


def _least_clues(constraints: Constraints, rng: np.random.Generator) -> int:
    """With how many clues to stop thinning out."""
    if constraints.minimal:  # every clue is needed, so none may be left standing for the sake of their number
        return 0
    if constraints.clues is not None:
        return constraints.clues
    fewest, most = _USUAL_CLUES.get(constraints.difficulty, (0, 0))
    return int(rng.integers(fewest, most + 1))


def _measures(constraints: Constraints) -> list[_Measure]:
    """What is measured for *constraints*, the quickest first."""
    measures: list[_Measure] = []
    if constraints.clues is not None:
        clues = constraints.clues
        measures.append(_Measure(lambda values: abs(_count(values) - clues), _PATIENCE_FOR_CLUES))
    few = constraints.clues is not None and constraints.clues < _FEW_CLUES
    patience = _PATIENCE_FOR_CLUES if few else _PATIENCE
    if constraints.minimal and constraints.symmetry != "none":  # without, thinning out leaves no spare clue
        measures.append(_Measure(_spare_clues, patience))
    if constraints.difficulty is not None:
        measures.append(_Measure(partial(_off_difficulty, constraints.difficulty), patience))
    return measures


def _shortfall(values: Sequence[int], measures: Sequence[_Measure]) -> tuple[float, ...]:
    """How far a puzzle is from each constraint; beyond the first that isn't met, none is measured."""
    gaps: list[float] = []
    for measure in measures:
        gaps.append(math.inf if any(gaps) else measure.gap(values))
    return tuple(gaps)


def _patience(missing: tuple[float, ...], measures: Sequence[_Measure]) -> int:
    """That for the first constraint which isn't met; some for a board not thinned out yet."""
    return next((measure.patience for gap, measure in zip(missing, measures, strict=True) if gap), _PATIENCE)


def _off_difficulty(name: Difficulty, values: Sequence[int]) -> float:
    """How far a proper puzzle is from a difficulty, 0 if it has it.

    Among those that are too easy, the one that takes more is nearer. How much too hard one is, is not asked:
    it would take long to tell, and some neighbour is easier soon.
    """
    rating = rate(values, limit=name)
    if not rating.finished:
        return 1.0
    steps = DIFFICULTIES.index(name) - DIFFICULTIES.index(rating.name)
    return steps - rating.score / (rating.score + 1000) if steps else 0.0


def _spare_clues(values: Sequence[int]) -> int:
    """How many clues of a proper puzzle can each be taken away alone."""
    rest = list(values)
    spare = 0
    for cell in range(81):
        if rest[cell] and _take_away(rest, (cell,)):
            rest[cell] = values[cell]
            spare += 1
    return spare


def _take_away(values: list[int], orbit: Orbit) -> bool:
    """Blank the cells of *orbit* in place if the puzzle stays proper without them; says whether it does."""
    kept = [values[cell] for cell in orbit]
    for cell in orbit:
        values[cell] = 0
    if _is_proper(values):
        return True
    for cell, digit in zip(orbit, kept, strict=True):
        values[cell] = digit
    return False


def _is_proper(values: Sequence[int]) -> bool:
    return len(search(values, 2).solutions) == 1


def _count(values: Sequence[int]) -> int:
    return 81 - values.count(0)


def _shuffled_lines(rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The lines 0..8 in an order that keeps bands of three together, (9,)."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
