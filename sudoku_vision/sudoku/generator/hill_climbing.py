"""Hill climbing to a puzzle that meets all constraints.

A full board is thinned out orbit by orbit, each taken away if the puzzle stays proper. What that doesn't meet
is climbed to: a few orbits are put back, others taken away in their place, and the new puzzle is kept if it
is no further from what is asked for. So 19 and 20 clues come within reach, symmetric puzzles that are
minimal, and the hardest ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from sudoku_vision.errors import GenerateError
from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import board_array
from sudoku_vision.sudoku.generator.constraints import Constraints, orbits
from sudoku_vision.sudoku.generator.thinning import (
    count_clues,
    count_spare_clues,
    random_full_board,
    take_away,
)
from sudoku_vision.sudoku.logic import DIFFICULTIES, Difficulty, rate
from sudoku_vision.sudoku.logic.words import listed

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

_HALF_SCORE = 1000
"""Score of a puzzle that is too easy at which it counts as half a difficulty nearer to what is asked for."""


class _Measure(NamedTuple):
    """How far a puzzle is from a constraint, 0 if met, and how long to climb on the same board for it."""

    gap: Callable[[Sequence[int]], float]
    patience: int


def find_puzzle(
    constraints: Constraints, rng: np.random.Generator, advance: Callable[[int], object]
) -> tuple[Board, Board]:
    """Climb to a puzzle that meets all *constraints*; returns it and its solution, both (9, 9) int8.

    *advance* is called with the number of puzzles that were looked at since the last call. Raises
    :class:`~sudoku_vision.errors.GenerateError` if :data:`MAX_TRIES` of them did not suffice.
    """
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
            advance(1)
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
    return GenerateError(what, f"Try {listed([words for words, helps in remedies.items() if helps], 'or')}.")


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
    left = count_clues(other)
    for orbit in (*clues, *back):
        if left - len(orbit) >= least and take_away(other, orbit):
            left -= len(orbit)
    return other


def _least_clues(constraints: Constraints, rng: np.random.Generator) -> int:
    """Choose with how many clues to stop thinning out."""
    if constraints.minimal:  # every clue is needed, so none may be left standing for the sake of their number
        return 0
    if constraints.clues is not None:
        return constraints.clues
    fewest, most = _USUAL_CLUES.get(constraints.difficulty, (0, 0))
    return int(rng.integers(fewest, most + 1))


def _measures(constraints: Constraints) -> list[_Measure]:
    """List what is measured for *constraints*, the quickest first."""
    measures: list[_Measure] = []
    if constraints.clues is not None:
        clues = constraints.clues
        measures.append(_Measure(lambda values: abs(count_clues(values) - clues), _PATIENCE_FOR_CLUES))
    few = constraints.clues is not None and constraints.clues < _FEW_CLUES
    patience = _PATIENCE_FOR_CLUES if few else _PATIENCE
    if constraints.minimal and constraints.symmetry != "none":  # without, thinning out leaves no spare clue
        measures.append(_Measure(count_spare_clues, patience))
    if constraints.difficulty is not None:
        measures.append(_Measure(partial(_off_difficulty, constraints.difficulty), patience))
    return measures


def _shortfall(values: Sequence[int], measures: Sequence[_Measure]) -> tuple[float, ...]:
    """Say how far a puzzle is from each constraint; beyond the first that isn't met, none is measured."""
    gaps: list[float] = []
    for measure in measures:
        gaps.append(math.inf if any(gaps) else measure.gap(values))
    return tuple(gaps)


def _patience(missing: tuple[float, ...], measures: Sequence[_Measure]) -> int:
    """Return that for the first constraint which isn't met; some for a board not thinned out yet."""
    return next((measure.patience for gap, measure in zip(missing, measures, strict=True) if gap), _PATIENCE)


def _off_difficulty(name: Difficulty, values: Sequence[int]) -> float:
    """Say how far a proper puzzle is from a difficulty, 0 if it has it.

    Among those that are too easy, the one that takes more is nearer. How much too hard one is, is not asked:
    it would take long to tell, and some neighbour is easier soon.
    """
    rating = rate(values, limit=name)
    if not rating.finished:
        return 1.0
    steps = DIFFICULTIES.index(name) - DIFFICULTIES.index(rating.name)
    return steps - rating.score / (rating.score + _HALF_SCORE) if steps else 0.0
