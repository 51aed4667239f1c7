"""Compare the four turns in which a grid may lie: in the upright turn its cells look most like digits.

The classifier of the cells may be any :class:`CellClassifier`. Programs can pass their own classifier as
``model`` to :func:`~sudoku_vision.pipeline.read_page` and to the live tracker. The package's own classifier
is :class:`~sudoku_vision.vision.digits.cascade.DigitModel`.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.values import Floats
from sudoku_vision.vision.results import DigitScores

T = TypeVar("T", bound=np.generic)

TURNS = (0, 1, 2, 3)  # the turns of a grid, in quarter turns counter-clockwise

CLEAR_LEAD = 12.0
"""An explanation is given up if its log-probability is lower than that of the best one by this or more.

Explanations are the turns of a grid, and the hypotheses about its inks.
"""

MIN_DIGITS = 8  # a page with fewer digits is no puzzle in any turn

MAX_TURNS = 2
"""Highest number of turns that are decoded. The best turn was the right one for all of 604 grids of photos.

With all four turns, a grid full of scribbles takes twice as long, and nothing else changes on 800 pictures.
"""

CERTAIN = 0.99
"""A cell is certain if its likeliest content has at least this probability in one of the turns.

If there are enough certain cells, turns are compared by these cells alone. The reason is that a row of pencil
marks may look more like a digit when it lies on its side than when it is upright. On 500 grids of photos, the
certain cells give the same turn as all cells. Of 72 drawn screens with rows of candidates in the middle of
cells, 59 are solved with certain cells, and 55 with all cells.
"""

# If many digits 3, 4 and 7 of a grid are surely read in one turn, other turns are unlikely, because a turned
# 3, 4 or 7 is no digit.
_ONE_WAY_UP = (3, 4, 7)
_LOSS = 1.8
"""Each 3, 4 or 7 that is surely read lowers the log-probability of other turns by at least this.

Mostly it lowers the log-probability by 2.5.
"""


@dataclass(frozen=True, eq=False)
class TurnScores:
    """The scores of 81 cells in the turns in which their grid may lie.

    A turn is a number of quarter turns counter-clockwise. ``by_turn`` maps a turn to the scores in the
    reading order of the grid after this turn. It has all four turns, or only one turn if the upright turn is
    known or clear. ``likely`` are the turns that may be upright, the best first. The scores of all other
    turns may come from the first stage of the classifier alone.
    """

    by_turn: Mapping[int, DigitScores]
    likely: tuple[int, ...]

    def revised(self, revise: Callable[[int, DigitScores], DigitScores]) -> "TurnScores":
        """Replace the scores of each likely turn by ``revise(turn, scores)``; return the result."""
        changed = {turn: revise(turn, scores) for turn, scores in self.likely_scores.items()}
        return replace(self, by_turn={**self.by_turn, **changed})

    @property
    def likely_scores(self) -> dict[int, DigitScores]:
        """The scores of the likely turns, with the turns as keys, the best turn first."""
        return {turn: self.by_turn[turn] for turn in self.likely}


def turned_cells(cells: NDArray[T], quarter_turns: int) -> NDArray[T]:
    """Return the *cells* (81, S, S, ...) of a grid after it is turned counter-clockwise by quarter turns.

    Each cell is turned, and the cells are in the reading order of the turned grid.
    """
    board = np.rot90(cells.reshape(9, 9, *cells.shape[1:]), quarter_turns, axes=(0, 1))
    return np.ascontiguousarray(np.rot90(board, quarter_turns, axes=(2, 3))).reshape(cells.shape)


def in_turn(values: Floats, quarter_turns: int) -> Floats:
    """Return the *values* (81, ...) of cells in the reading order of the grid after it is turned.

    The grid is turned counter-clockwise by quarter turns; a negative number turns it clockwise.
    """
    return values[np.rot90(np.arange(81).reshape(9, 9), quarter_turns).ravel()]


def total_log_probability(scores: DigitScores) -> float:
    """Return the sum over all cells of the log-probability of the likeliest content.

    This sum is highest in the upright turn.
    """
    return float(np.max(scores.log_probs, axis=1).sum())


def shows_digits(scores: DigitScores) -> bool:
    """Return whether the scores of a grid in one turn have enough digits for a puzzle."""
    return int(np.count_nonzero(scores.log_probs.argmax(axis=1))) >= MIN_DIGITS


def is_plainly_upright(scores: DigitScores) -> bool:
    """Return whether the *scores* of one turn alone show that this turn is upright.

    This is true if the log-probability of any other turn must be lower by more than :data:`CLEAR_LEAD`. It is
    true for 96 of 100 photographed grids and for 89 of 100 drawn grids. None of these was upright in another
    turn. The log-probability of the next turn was lower by 14.9 or more. The remaining grids have few clues,
    or are hard to read.
    """
    sure = int((scores.log_probs[:, _ONE_WAY_UP] > np.log(CERTAIN)).sum())
    return total_log_probability(scores) + _LOSS * sure > CLEAR_LEAD


def likely_turns(by_turn: Mapping[int, DigitScores]) -> tuple[int, ...]:
    """Return the turns whose total log-probability is near that of the best turn, the best turn first.

    Only certain cells are used (:data:`CERTAIN`). Near means that the difference is less than
    :data:`CLEAR_LEAD`. If a page has hardly any digits in each turn, only the best turn is returned, because
    the page is no puzzle in any turn.
    """
    in_place = np.stack([in_turn(one.log_probs.max(axis=1), -turn) for turn, one in by_turn.items()])
    certain = in_place.max(axis=0) > np.log(CERTAIN)
    if np.count_nonzero(certain) >= MIN_DIGITS:
        in_place = in_place[:, certain]
    totals = dict(zip(by_turn, in_place.sum(axis=1).tolist(), strict=True))
    if not any(map(shows_digits, by_turn.values())):
        return (max(totals, key=lambda turn: totals[turn]),)
    limit = max(totals.values()) - CLEAR_LEAD
    best = sorted((turn for turn in totals if totals[turn] > limit), key=lambda turn: -totals[turn])
    return tuple(best[:MAX_TURNS])


class CellClassifier(Protocol):
    """Gives probabilities for the 81 cells of a grid.

    A subclass must have :meth:`classify`. It may also have its own :meth:`classify_turns`, if it can find the
    upright turn with less work than by classifying the cells in all four turns.
    """

    @abstractmethod
    def classify(self, cells: Floats) -> DigitScores:
        """Return calibrated scores of the cells of one grid, which is assumed to be upright.

        *cells* (81, S, S) float32 are the cells in reading order, 0 for paper and about 1 for the full ink of
        the page, as :func:`~sudoku_vision.vision.rectify.rectify` returns them. This method must not change
        the array.
        """

    def classify_turns(self, cells: Floats) -> TurnScores:
        """Return the scores of the cells in the four turns of their grid, and which turns may be upright.

        *cells* have the same form as in :meth:`classify`. Turns that surely aren't upright may be left out.
        """
        by_turn = {turn: self.classify(turned_cells(cells, turn)) for turn in TURNS}
        return TurnScores(by_turn, likely_turns(by_turn))
