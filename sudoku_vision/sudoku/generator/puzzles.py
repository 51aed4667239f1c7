"""Puzzles by the seed: one, or a series without end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from sudoku_vision.errors import UsageError
from sudoku_vision.results import Board, board_text
from sudoku_vision.sudoku.generator.constraints import Constraints, Symmetry
from sudoku_vision.sudoku.generator.hill_climbing import find_puzzle
from sudoku_vision.sudoku.logic import Difficulty, Rating, rate


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
        """Return the puzzle for JSON."""
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
    advance: Callable[[int], object] = lambda _: None,
) -> Puzzle:
    """Make a puzzle; the constraints are those of :class:`Constraints`.

    *seed*: a whole number from 0, of which this is the first puzzle, or the generator that all chance comes
    from; None makes another puzzle each time. *advance* is called with the number of puzzles that were looked
    at since the last call.

    Raises :class:`~sudoku_vision.errors.UsageError` for what no puzzle can be, and
    :class:`~sudoku_vision.errors.GenerateError` if none was found within the tries that
    :mod:`~sudoku_vision.sudoku.generator.hill_climbing` allows itself.

    >>> generate(clues=30, seed=1).clues
    30
    """
    constraints = Constraints(difficulty=difficulty, clues=clues, symmetry=symmetry, minimal=minimal)
    seed = np.random.default_rng() if seed is None else seed
    if isinstance(seed, np.random.Generator):
        board, solution = find_puzzle(constraints, seed, advance)
        return Puzzle(board, solution, constraints, rate(board))
    return next(series(constraints, seed, advance=advance))


def series(
    constraints: Constraints, seed: int, *, start: int = 1, advance: Callable[[int], object] = lambda _: None
) -> Iterator[Puzzle]:
    """Yield the puzzles of a *seed*, without end, from number *start*; errors as for :func:`generate`."""
    if seed < 0 or start < 1:
        what = f"Seed {seed} has no puzzle {start}." if seed >= 0 else f"There is no seed {seed}."
        raise UsageError(what, "Seeds count from 0, puzzles from 1.")
    for number in count(start):
        yield numbered_puzzle(constraints, seed, number, advance)


def numbered_puzzle(
    constraints: Constraints, seed: int, number: int, advance: Callable[[int], object] = lambda _: None
) -> Puzzle:
    """Make puzzle *number*, from 1, of a *seed* from 0: the same, whatever else is made; a task to share out.

    Raises :class:`~sudoku_vision.errors.GenerateError` as :func:`generate` does.
    """
    board, solution = find_puzzle(constraints, np.random.default_rng([seed, number]), advance)
    return Puzzle(board, solution, constraints, rate(board), seed, number)
