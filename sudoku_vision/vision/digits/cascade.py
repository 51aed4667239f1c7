"""Classify cells by a cascade of two stages: every glyph quickly, and possible handwriting more closely.

* The *first stage* is an ensemble of small multi-layer perceptrons over the features of a glyph
  (:mod:`~sudoku_vision.vision.digits.features`). It classifies every cell in all four turns of the grid, or
  in one if that is plainly the upright one.
* The *second stage* is a perceptron over finer features (:mod:`~sudoku_vision.vision.digits.strokes`). People
  write digits in very different ways, so this pays where handwriting is likely. It classifies only the likely
  turns, and only glyphs that may be handwritten.

Both were trained with scikit-learn, and are stored as plain arrays; a run is a few matrix products.

The classes are the blank cell, the printed digits 1..9, the handwritten digits 1..9, and *junk*: a glyph that
is no upright digit, for example one that lies on its side. Junk is spread evenly over the ten answers of a
cell, so a board in the wrong turn loses in total log-probability.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import median
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import turns
from sudoku_vision.vision.digits.features import describe, describe_turns
from sudoku_vision.vision.digits.glyphs import Glyphs, cut_glyphs
from sudoku_vision.vision.digits.mixture import share_on_page
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.strokes import StrokeDictionary, describe_shapes, set_upright
from sudoku_vision.vision.results import DigitScores

CLASSES = ("blank", *(f"printed {d}" for d in range(1, 10)), *(f"written {d}" for d in range(1, 10)), "junk")
"""The classes of the model, in the order of its outputs."""
BLANK, PRINTED, WRITTEN, JUNK = slice(0, 1), slice(1, 10), slice(10, 19), slice(19, 20)  # their columns

SECOND_STAGE_FROM = 0.02  # the second stage classifies glyphs with at least this probability of handwriting
FIRST_STAGE_TRUST = 0.5  # weight of the first stage for the digit of a glyph that is surely handwritten
MIN_PROBABILITY = 1e-6  # of each answer of a cell, because even the labels of the training may be wrong

CORRECTED = (6.76, 0.48, 5.24, -2.78)
"""Weights of the log-odds that an entry was corrected, so that its ink is not that of one digit.

The weights are for the logarithm of its ink relative to the entries of the page, the logarithm of its
probability to be junk, and the entropy of the second stage. The last number is a constant: it makes 2 entries
in 100 corrected. The weights come from a logistic regression on 11,600 entries of newspapers and calendars,
and on 1,480 made of two of them: one over the other or beside it, and scribbled out. On pages held out, one
in five of these 1,480 was surely read as a wrong digit without the weights, and one in thirty with them.
"""
_MIN_INK, _MIN_SHARE = 1e-3, 1e-4  # added to inks and to probabilities before logarithms or ratios are taken

_EXTENTS = (0.002, 0.05, 0.2, 0.4, 0.6, 0.8, 0.998)  # shares of the ink of a page that may be handwriting
_EXTENT_PRIOR = (0.6, 0.08, 0.08, 0.08, 0.08, 0.04, 0.04)  # prior probability of each


@dataclass(frozen=True, eq=False)
class HandwritingClassifier:
    """The second stage: a network over the features that are made with its dictionary of strokes."""

    dictionary: StrokeDictionary
    layers: Layers
    temperature: float = 1.0

    def log_probabilities(self, images: Floats) -> Floats:
        """Return log-probabilities (N, 9) of the digits 1..9, given that glyphs (N, 28, 28) are digits."""
        return log_softmax(self.outputs(images) / self.temperature)

    def outputs(self, images: Floats) -> Floats:
        """Return the outputs (N, 9) of the network for glyphs (N, 28, 28), before temperature and softmax."""
        return forward(self.layers, describe_shapes(set_upright(images), self.dictionary))


@dataclass(frozen=True, eq=False)
class DigitModel(turns.CellClassifier):
    """A trained cascade.

    ``layers`` holds the networks of the first stage; the first layer of each includes the scaling of the
    features. ``temperature`` divides the logarithms of their mean probabilities, to calibrate them.
    ``header`` is that of the model file, with the ``written_share`` of handwritten digits in the training.
    ``handwriting`` is the second stage; during the training there may be none.
    """

    layers: tuple[Layers, ...]
    temperature: float = 1.0
    header: Mapping[str, Any] = field(default_factory=dict)
    handwriting: HandwritingClassifier | None = None

    def classify(self, cells: Floats) -> DigitScores:
        """Return the scores of the cells (81, S, S) float32 of one grid, taken as upright."""
        glyphs = cut_glyphs(cells)
        return self._closer_scores(self._first_stage_of(glyphs), glyphs)

    def classify_turns(self, cells: Floats) -> turns.TurnScores:
        """Return the scores of the cells (81, S, S) in all turns; those of both stages in the likely ones.

        If the grid is plainly upright as it lies, it is the only turn. Glyphs of other likely turns are cut
        out again, since pixels don't turn exactly.
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
            elif may_be_handwritten(first).any():
                by_turn[turn] = self._closer_scores(first, glyphs)
        return turns.TurnScores(by_turn, likely)

    def first_stage(self, features: Floats) -> Floats:
        """Return the probabilities (N, 20) of the classes for feature vectors (N, FEATURES)."""
        total = np.zeros((len(features), len(CLASSES)), np.float32)
        for member in self.layers:
            total += log_softmax(forward(member, features))
        probabilities: Floats = np.exp(log_softmax(total / (len(self.layers) * self.temperature)))
        return probabilities

    def both_stages(self, first: Floats, images: Floats) -> tuple[Floats, Floats]:
        """Return the probabilities (N, 20) after both stages, and the entropy (N,) of the second alone.

        *first* (N, 20) are the probabilities of the first stage, *images* (N, 28, 28) the glyphs. The second
        stage decides which digit a handwritten glyph is. It doesn't change whether there is a digit, or
        whether it is handwritten.
        """
        asked = may_be_handwritten(first)
        result, entropy = first.copy(), np.zeros(len(first), np.float32)
        if self.handwriting is not None and asked.any():
            second = self.handwriting.log_probabilities(images[asked])
            result[asked] = join_stages(first[asked], second)
            entropy[asked] = -(np.exp(second) * second).sum(axis=1)
        return result, entropy

    def _closer_scores(self, first: Floats, glyphs: Glyphs) -> DigitScores:
        """Return the scores of a page after both stages."""
        both, entropy = self.both_stages(first, glyphs.images)
        return replace(self._page_scores(both), corrected=corrected(both, entropy, glyphs.area))

    def _first_stage_of(self, glyphs: Glyphs) -> Floats:
        """Return the classes (N, 20) of glyphs as they stand; a cell without a glyph is blank."""
        result = np.zeros((len(glyphs.found), len(CLASSES)), np.float32)
        result[:, BLANK] = 1
        result[glyphs.found] = self.first_stage(describe(glyphs.select(glyphs.found)))
        return result

    def _first_stage_in_turns(self, glyphs: Glyphs, upright: Floats) -> dict[int, Floats]:
        """Return the classes (81, 20) in all turns but the first, in the reading order of each.

        *upright* (81, 20) are those in the first; cells without ink are the same in all.
        """
        inked = np.flatnonzero(glyphs.found)
        described = describe_turns(glyphs.select(inked), turns.TURNS[1:])
        found = np.split(self.first_stage(np.concatenate(list(described.values()))), len(described))
        by_turn = {}
        for turn, probabilities in zip(described, found, strict=True):
            page = upright.copy()
            page[inked] = probabilities
            by_turn[turn] = turns.in_turn(page, turn)
        return by_turn

    def _page_scores(self, probabilities: Floats) -> DigitScores:
        return page_scores(probabilities, float(self.header["written_share"]))


def may_be_handwritten(first: Floats) -> NDArray[np.bool_]:
    """Return which glyphs (N,) the second stage classifies, by the probabilities (N, 20) of the first."""
    return np.asarray(first[:, WRITTEN].sum(axis=1) >= SECOND_STAGE_FROM)


def corrected(both: Floats, entropy: Floats, area: Floats) -> Floats:
    """Return the probability (N,) that each entry of a page was corrected: its ink is not that of one digit.

    *both*: the probabilities (N, 20) after both stages; *entropy* (N,) is that of the second; *area* (N,):
    the share of the cell that is ink.
    """
    ink = np.log(area + _MIN_INK)
    by_hand = both[:, WRITTEN].sum(axis=1) > 0.5
    if not by_hand.any():
        return np.zeros_like(ink)
    of_ink, of_junk, of_entropy, constant = CORRECTED
    odds = of_ink * (ink - median(ink[by_hand])) + constant + of_entropy * entropy
    odds += of_junk * np.log(both[:, JUNK][:, 0] + _MIN_SHARE)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def join_stages(first: Floats, second: Floats) -> Floats:
    """Return the probabilities (N, 20) of both stages together.

    *first*: the probabilities (N, 20) of the classes; *second*: log-probabilities (N, 9) of the digits 1..9.
    The totals of blank, print, handwriting and junk stay as they are in the first stage.
    """
    written = first[:, WRITTEN].sum(axis=1, keepdims=True)
    digit = written + first[:, PRINTED].sum(axis=1, keepdims=True)
    share = written / digit
    logs = np.log(np.maximum((first[:, PRINTED] + first[:, WRITTEN]) / digit, MIN_PROBABILITY))
    answer = np.exp(log_softmax((1 - share * (1 - FIRST_STAGE_TRUST)) * logs + share * second))
    result = first.copy()
    result[:, PRINTED] = answer * (digit - written)
    result[:, WRITTEN] = answer * written
    return result


def page_scores(probabilities: Floats, written_share: float) -> DigitScores:
    """Return the scores of 81 cells by their classes (81, 20), in view of the whole page.

    The classes of a single cell include the *written_share* of handwritten digits in the training as a prior.
    It is replaced by the share on this page: on a page of print, a smudge is no faint handwriting.
    """
    printed, written = probabilities[:, PRINTED], probabilities[:, WRITTEN]
    by_hand, extent = handwriting_on_page(printed.sum(axis=1), written.sum(axis=1), written_share)
    digits = printed * np.float32((1 - extent) / (1 - written_share))
    digits = digits + written * np.float32(extent / written_share)
    answers = np.concatenate([probabilities[:, BLANK], digits], axis=1)
    answers += probabilities[:, JUNK] / 10
    answers /= answers.sum(axis=1, keepdims=True)
    answers = (answers + MIN_PROBABILITY) / (1 + 10 * MIN_PROBABILITY)
    return DigitScores(np.log(answers).astype(np.float32), by_hand)


def handwriting_on_page(printed: Floats, written: Floats, prior: float) -> tuple[Floats, float]:
    """Return the probability (81,) of handwriting in each cell in view of the page, and its mean share.

    *printed* and *written* (81,) are the probabilities of each cell on its own; *prior* is the share of
    handwritten digits in the training.
    """
    ratio = ((written + _MIN_SHARE) / (printed + _MIN_SHARE)) * ((1 - prior) / prior)
    by_hand, extent = share_on_page(np.log(ratio), printed + written, _EXTENTS, _EXTENT_PRIOR)
    return by_hand.astype(np.float32), extent
