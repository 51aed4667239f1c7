"""Compare the four turns in which a grid may lie: the upright one makes most sense, cell by cell.

What gives the probabilities of 81 cells may be any :class:`CellClassifier`: whatever fulfils it can be handed
to :func:`~sudoku_vision.pipeline.read_photo` as its ``model``, and to the live tracker. The one that comes
with the package is :class:`~sudoku_vision.vision.digits.cascade.DigitModel`.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sudoku_vision.results import DigitScores, Floats

TURNS = (0, 1, 2, 3)  # the turns of a grid, in quarter turns counter-clockwise

CLEAR_TURN = 12.0
"""Log-probability by which one turn of the grid must beat the others to be taken without decoding both."""

FEWEST_DIGITS = 8
"""Digits of a page below which it is no puzzle, whichever way up, and marks stand beside no clues."""

MOST_TURNS = 2
"""Turns that are decoded at most: of 604 grids on photos that were read, all lay as the best one has it."""

# How little the other turns can make of a grid that is read well as it lies: turned, a 3, 4 or 7 is no digit.
_ONE_WAY_UP = (3, 4, 7)
_SURE = 0.9  # probability from which such a digit counts
_LOSS = 1.8  # of log-probability that each takes at least from the total of any other turn, on most pages 2.5


@dataclass(frozen=True, eq=False)
class TurnScores:
    """What a classifier says of 81 cells in the turns in which their grid may lie.

    ``by_turn``: the scores in the reading order of the grid turned counter-clockwise by so many quarter
    turns; of all four turns, or of one alone where it is known or plain to see. ``likely``: the turns that
    may be upright, best first; the others need not have been looked at closely.
    """

    by_turn: Mapping[int, DigitScores]
    likely: tuple[int, ...]

    @property
    def likely_scores(self) -> dict[int, DigitScores]:
        """The scores of the likely turns alone, best first."""
        return {turn: self.by_turn[turn] for turn in self.likely}


def turned_cells(cells: Floats, quarter_turns: int) -> Floats:
    """Return cells (81, S, S) as they come from their grid turned counter-clockwise by quarter turns."""
    board = np.rot90(cells.reshape(9, 9, *cells.shape[1:]), quarter_turns, axes=(0, 1))
    return np.ascontiguousarray(np.rot90(board, quarter_turns, axes=(2, 3))).reshape(cells.shape)


def in_turn(values: Floats, quarter_turns: int) -> Floats:
    """Return *values* (81, ...) in the reading order of the grid turned counter-clockwise."""
    return values[np.rot90(np.arange(81).reshape(9, 9), quarter_turns).ravel()]


def total_log_probability(scores: DigitScores) -> float:
    """Return the log-probability of the likeliest reading of every cell: the upright turn has the highest."""
    return float(np.max(scores.log_probs, axis=1).sum())


def shows_digits(scores: DigitScores) -> bool:
    """Tell whether a page in one turn has so many digits that it may be a puzzle at all."""
    return int(np.count_nonzero(scores.log_probs.argmax(axis=1))) >= FEWEST_DIGITS


def is_plainly_upright(scores: DigitScores) -> bool:
    """Tell from the scores of a grid in one turn alone that no other comes close to it (CLEAR_TURN).

    Told so are 96 of 100 photographed grids, and 89 of 100 drawn ones: no other turn of any of these came
    closer than 14.9, and none was told to be upright as it was not. The rest has few clues, or is hard to
    read.
    """
    sure = int((scores.log_probs[:, _ONE_WAY_UP] > np.log(_SURE)).sum())
    return total_log_probability(scores) + _LOSS * sure > CLEAR_TURN


def likely_turns(by_turn: Mapping[int, DigitScores]) -> tuple[int, ...]:
    """Return the turns whose total log-probability comes close to the best one (CLEAR_TURN), best first.

    Of a page that shows next to no digits it is the best one alone: it makes sense in no turn.
    """
    totals = {turn: total_log_probability(scores) for turn, scores in by_turn.items()}
    if not any(map(shows_digits, by_turn.values())):
        return (max(totals, key=lambda turn: totals[turn]),)
    least = max(totals.values()) - CLEAR_TURN
    best = sorted((turn for turn in totals if totals[turn] > least), key=lambda turn: -totals[turn])
    return tuple(best[:MOST_TURNS])


class CellClassifier(Protocol):
    """Gives probabilities for the 81 cells of a grid.

    Write :meth:`classify` in a subclass, and it is complete; :meth:`classify_turns` is for classifiers that
    can tell the upright turn with less work than by classifying all four.
    """

    @abstractmethod
    def classify(self, cells: Floats) -> DigitScores:
        """Return calibrated scores of the cells of one grid, taken as upright.

        *cells*: (81, S, S) float32 in reading order, 0 for paper and about 1 for the full ink of the page,
        as :func:`~sudoku_vision.vision.rectify.rectify` hands them over. They are not to be changed.
        """

    def classify_turns(self, cells: Floats) -> TurnScores:
        """Return the scores of the same cells in the turns of their grid, and which of them may be upright.

        Turns may be left out that surely are not.
        """
        by_turn = {turn: self.classify(turned_cells(cells, turn)) for turn in TURNS}
        return TurnScores(by_turn, likely_turns(by_turn))
