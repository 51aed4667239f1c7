"""Classify cells by a cascade of two stages: every glyph quickly, and closer what looks written.

* The *first stage* is an ensemble of small multi-layer perceptrons over the features of a glyph
  (:mod:`~sudoku_vision.vision.digits.features`). It sees every cell, in every turn of the grid unless that in
  which it lies is plainly the upright one.
* The *second stage* is a classifier of handwriting (``handwriting``). It is asked
  in the likely turns only, and only about glyphs that may be written.

Both were trained with scikit-learn and are stored as plain arrays (``model``); the
forward pass is a few matrix products.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.digits import classes, turns
from sudoku_vision.vision.digits.features import describe, describe_turns
from sudoku_vision.vision.digits.glyphs import Glyphs, cut_glyphs
from sudoku_vision.vision.digits.handwriting import HandwritingClassifier
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.ranks import median

SECOND_STAGE_FROM = 0.02  # probability of handwriting from which a glyph is looked at again
FIRST_STAGE_TRUST = 0.5  # exponent of what the first stage says of a digit that is written, beside the second
CORRECTED = (6.76, 0.48, 5.24, -2.78)
"""How far the ink of an entry against that of the page (its logarithm), the logarithm of its probability to
be junk, and the entropy of what the second stage says go for its having been corrected; and a constant, by
which two entries in a hundred are.

By logistic regression on 11,600 entries of newspapers and calendars, and on 1,480 made of two of them, one
over the other or beside it, scribbled out. Of these, one in five was surely read as a wrong digit without it,
and one in thirty with it, on pages held out.
"""
_LEAST_INK, _LEAST_JUNK = 1e-3, 1e-4  # added before logarithms are taken
USUAL_WRITTEN_SHARE = 0.4
"""Share of written digits among those of the training, for models whose header doesn't say."""


@dataclass(frozen=True, eq=False)
class DigitModel(turns.CellClassifier):
    """A trained cascade.

    ``layers`` holds the networks of the first stage, the scaling of the features folded into the first layer
    of each; ``temperature`` divides the logarithms of their mean probabilities, so that they are calibrated;
    ``header`` is what the model file says of how it was made; ``handwriting`` is the second stage, if any.
    """

    layers: tuple[Layers, ...]
    temperature: float = 1.0
    header: Mapping[str, Any] = field(default_factory=dict)
    handwriting: HandwritingClassifier | None = None

    @property
    def written_share(self) -> float:
        """The share of written digits among those of the training."""
        return float(self.header.get("written_share", USUAL_WRITTEN_SHARE))

    def classify(self, cells: Floats) -> DigitScores:
        """Return the scores of the cells (81, S, S) float32 of one grid, taken as upright."""
        glyphs = cut_glyphs(cells)
        return self._closer_scores(self._first_stage_of(glyphs), glyphs)

    def classify_turns(self, cells: Floats) -> turns.TurnScores:
        """Return the scores of the cells (81, S, S) in all turns: of both stages in the likely ones.

        Where the grid is plainly upright as it lies, no other turn is looked at. Likely turns other than the
        present one are cut out anew, since pixels don't turn exactly.
        """
        glyphs = cut_glyphs(cells)
        first = self._first_stage_of(glyphs)
        by_turn = {0: self._page_scores(first)}
        if not turns.is_plainly_upright(by_turn[0]):
            others = self._first_stage_in_turns(glyphs, first)
            by_turn |= {turn: self._page_scores(probabilities) for turn, probabilities in others.items()}
        likely = turns.likely_turns(by_turn)
        for turn in likely:
            if turn:
                by_turn[turn] = self.classify(turns.turned_cells(cells, turn))
            elif asks_second_stage(first).any():
                by_turn[turn] = self._closer_scores(first, glyphs)
        return turns.TurnScores(by_turn, likely)

    def class_probabilities(self, features: Floats, images: Floats) -> Floats:
        """Return the probabilities (N, 20) of the classes after both stages, each glyph on its own.

        *features* (N, FEATURES) and *images* (N, 28, 28) float32 are of the same glyphs.
        """
        return self.second_stage(self.first_stage(features), images)

    def first_stage(self, features: Floats) -> Floats:
        """Return the probabilities (N, 20) of the classes for feature vectors (N, FEATURES)."""
        total = np.zeros((len(features), len(classes.CLASSES)), np.float32)
        for member in self.layers:
            total += log_softmax(forward(member, features))
        probabilities: Floats = np.exp(log_softmax(total / (len(self.layers) * self.temperature)))
        return probabilities

    def second_stage(self, first: Floats, images: Floats) -> Floats:
        """Return the probabilities (N, 20) of the first stage, once the second has seen glyphs (N, 28, 28).

        The second stage tells which digit it is, the more so the more the ink looks written; whether there is
        one, and by whose hand, is left as it was.
        """
        return self._both_stages(first, images)[0]

    def _both_stages(self, first: Floats, images: Floats) -> tuple[Floats, Floats]:
        """Return what :meth:`second_stage` does, and the entropy (N,) of what the second stage says."""
        asked = asks_second_stage(first)
        result, entropy = first.copy(), np.zeros(len(first), np.float32)
        if self.handwriting is not None and asked.any():
            second = self.handwriting.log_probabilities(images[asked])
            result[asked] = join_stages(first[asked], second)
            entropy[asked] = -(np.exp(second) * second).sum(axis=1)
        return result, entropy

    def _closer_scores(self, first: Floats, glyphs: Glyphs) -> DigitScores:
        """Return the scores of a page after both stages."""
        both, entropy = self._both_stages(first, glyphs.images)
        return replace(self._page_scores(both), corrected=corrected(both, entropy, glyphs.area))

    def _first_stage_of(self, glyphs: Glyphs) -> Floats:
        """Return the classes (N, 20) of glyphs as they stand; where none is found, the cell is blank."""
        result = np.zeros((len(glyphs.found), len(classes.CLASSES)), np.float32)
        result[:, classes.BLANK] = 1
        result[glyphs.found] = self.first_stage(describe(glyphs.select(glyphs.found)))
        return result

    def _first_stage_in_turns(self, glyphs: Glyphs, upright: Floats) -> dict[int, Floats]:
        """Return the classes (81, 20) by all turns but the first, in the reading order of each.

        *upright* (81, 20) are those in the first; cells without ink are the same in all.
        """
        inked = np.flatnonzero(glyphs.found)
        order = np.arange(81).reshape(9, 9)
        described = describe_turns(glyphs.select(inked), turns.TURNS[1:])
        found = np.split(self.first_stage(np.concatenate(list(described.values()))), len(described))
        by_turn = {}
        for turn, probabilities in zip(described, found, strict=True):
            page = upright.copy()
            page[inked] = probabilities
            by_turn[turn] = page[np.rot90(order, turn).ravel()]
        return by_turn

    def _page_scores(self, probabilities: Floats) -> DigitScores:
        return classes.page_scores(probabilities, self.written_share)


def asks_second_stage(first: Floats) -> NDArray[np.bool_]:
    """Tell which glyphs (N,) look so much like handwriting that the second stage is asked about them.

    *first*: the probabilities (N, 20) of the first stage.
    """
    return np.asarray(first[:, classes.WRITTEN].sum(axis=1) >= SECOND_STAGE_FROM)


def corrected(both: Floats, entropy: Floats, area: Floats) -> Floats:
    """Return how likely each cell (N,) of a page, if it is written, bears more than one digit.

    *both*: the probabilities (N, 20) after both stages; *entropy* (N,) is that of the second; *area* (N,):
    the share of the cell that is ink.
    """
    ink = np.log(area + _LEAST_INK)
    by_hand = both[:, classes.WRITTEN].sum(axis=1) > 0.5
    if not by_hand.any():
        return np.zeros_like(ink)
    of_ink, of_junk, of_entropy, constant = CORRECTED
    odds = of_ink * (ink - median(ink[by_hand])) + constant + of_entropy * entropy
    odds += of_junk * np.log(both[:, classes.JUNK][:, 0] + _LEAST_JUNK)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def join_stages(first: Floats, second: Floats) -> Floats:
    """Return the probabilities (N, 20) of both stages together.

    *first*: the probabilities (N, 20) of the classes; *second*: log-probabilities (N, 9) of the digits 1..9.
    The classes sum up to what they did for blank, print, handwriting and junk.
    """
    written = first[:, classes.WRITTEN].sum(axis=1, keepdims=True)
    digit = written + first[:, classes.PRINTED].sum(axis=1, keepdims=True)
    share = written / digit
    logs = np.log(
        np.maximum((first[:, classes.PRINTED] + first[:, classes.WRITTEN]) / digit, classes.LEAST_PROBABILITY)
    )
    answer = np.exp(log_softmax((1 - share * (1 - FIRST_STAGE_TRUST)) * logs + share * second))
    result = first.copy()
    result[:, classes.PRINTED] = answer * (digit - written)
    result[:, classes.WRITTEN] = answer * written
    return result
