"""The seam for classifiers: what the program asks of anything that gives probabilities for 81 cells.

Whatever fulfils :class:`CellClassifier` can be handed to :func:`~sudoku_vision.pipeline.read_photo` as its
``model``, and to the live tracker. The one that comes with the package is
:class:`~sudoku_vision.vision.digits.cascade.DigitModel`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.digits.turns import TURNS, TurnScores, likely_turns, turned_cells


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
