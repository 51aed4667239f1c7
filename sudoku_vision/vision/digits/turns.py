"""Compare the four turns in which a grid may lie: in the upright one the cells are likeliest to be digits.

The classifier of the cells may be any :class:`CellClassifier`. Programs can pass their own as ``model`` to
:func:`~sudoku_vision.pipeline.read_page` and to the live tracker. The one of the package is
:class:`~sudoku_vision.vision.digits.cascade.DigitModel`.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from sudoku_vision.values import Floats
from sudoku_vision.vision.results import DigitScores

TURNS = (0, 1, 2, 3)  # the turns of a grid, in quarter turns counter-clockwise

CLEAR_TURN = 12.0
"""Difference in log-probability at which the best turn is clear, so that the others aren't decoded."""

MIN_DIGITS = 8  # a page with fewer digits is no puzzle in any turn

MAX_TURNS = 2  # turns that are decoded; for all of 604 grids of photos the best one was right

# A grid that is read well as it lies is unlikely in other turns, because a turned 3, 4 or 7 is no digit.
_ONE_WAY_UP = (3, 4, 7)
_SURE = 0.9  # such a digit counts from this probability on
_LOSS = 1.8  # log-probability that each of them takes from any other turn, at least; mostly it is 2.5


@dataclass(frozen=True, eq=False)
class TurnScores:
    """The scores of 81 cells in the turns in which their grid may lie.

    ``by_turn``: the scores by quarter turns counter-clockwise, each in the reading order of the turned grid:
    for all four turns, or for one if it is known or clear. ``likely``: the turns that may be upright, best
    first; the scores of the others may be those of the first stage alone.
    """

    by_turn: Mapping[int, DigitScores]
    likely: tuple[int, ...]

    def revised(self, revise: Callable[[int, DigitScores], DigitScores]) -> "TurnScores":
        """Return the scores with those of each likely turn replaced by ``revise(turn, scores)``."""
        changed = {turn: revise(turn, scores) for turn, scores in self.likely_scores.items()}
        return replace(self, by_turn={**self.by_turn, **changed})

    @property
    def likely_scores(self) -> dict[int, DigitScores]:
        """The scores of the likely turns alone, best first."""
        return {turn: self.by_turn[turn] for turn in self.likely}


def turned_cells(cells: Floats, quarter_turns: int) -> Floats:
    """Return the *cells* (81, S, S) of a grid after it is turned counter-clockwise by quarter turns."""
    board = np.rot90(cells.reshape(9, 9, *cells.shape[1:]), quarter_turns, axes=(0, 1))
    return np.ascontiguousarray(np.rot90(board, quarter_turns, axes=(2, 3))).reshape(cells.shape)


def in_turn(values: Floats, quarter_turns: int) -> Floats:
    """Return *values* (81, ...) in the reading order of the grid turned counter-clockwise."""
    return values[np.rot90(np.arange(81).reshape(9, 9), quarter_turns).ravel()]


def total_log_probability(scores: DigitScores) -> float:
    """Return the log-probability of the likeliest content of all cells; it is highest in the upright turn."""
    return float(np.max(scores.log_probs, axis=1).sum())


def shows_digits(scores: DigitScores) -> bool:
    """Return whether a page in one turn has enough digits for a puzzle."""
    return int(np.count_nonzero(scores.log_probs.argmax(axis=1))) >= MIN_DIGITS


def is_plainly_upright(scores: DigitScores) -> bool:
    """Return whether no other turn can come near this one (:data:`CLEAR_TURN`), by its scores alone.

    This holds for 96 of 100 photographed grids, and 89 of 100 drawn ones. None of them was upright in another
    turn, and the next turn was 14.9 away or more. The other grids have few clues, or are hard to read.
    """
    sure = int((scores.log_probs[:, _ONE_WAY_UP] > np.log(_SURE)).sum())
    return total_log_probability(scores) + _LOSS * sure > CLEAR_TURN


def likely_turns(by_turn: Mapping[int, DigitScores]) -> tuple[int, ...]:
    """Return the turns whose total log-probability is near the best one (:data:`CLEAR_TURN`), best first.

    A page with hardly any digits has one likely turn, since it makes no sense in any.
    """
    totals = {turn: total_log_probability(scores) for turn, scores in by_turn.items()}
    if not any(map(shows_digits, by_turn.values())):
        return (max(totals, key=lambda turn: totals[turn]),)
    limit = max(totals.values()) - CLEAR_TURN
    best = sorted((turn for turn in totals if totals[turn] > limit), key=lambda turn: -totals[turn])
    return tuple(best[:MAX_TURNS])


class CellClassifier(Protocol):
    """Gives probabilities for the 81 cells of a grid.

    A subclass must have :meth:`classify`. It may have :meth:`classify_turns`, if it can find the upright turn
    with less work than by classifying all four.
    """

    @abstractmethod
    def classify(self, cells: Floats) -> DigitScores:
        """Return calibrated scores of the cells of one grid, taken as upright.

        *cells*: (81, S, S) float32 in reading order, 0 for paper and about 1 for the full ink of the page,
        as :func:`~sudoku_vision.vision.rectify.rectify` returns them. They must not be changed.
        """

    def classify_turns(self, cells: Floats) -> TurnScores:
        """Return the scores of the same cells in the turns of their grid, and the turns that may be upright.

        Turns that surely are not upright may be left out.
        """
        by_turn = {turn: self.classify(turned_cells(cells, turn)) for turn in TURNS}
        return TurnScores(by_turn, likely_turns(by_turn))
