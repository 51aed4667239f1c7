"""Classify cells in two stages: every glyph quickly, and possible handwriting more closely.

A glyph is the picture of the digit in a cell, cut out and scaled to one size.

* The *first stage* is an ensemble of small multi-layer perceptrons. Their inputs are the features of a glyph
  (:mod:`~sudoku_vision.vision.digits.features`).
* The *second stage* is a perceptron with finer features (:mod:`~sudoku_vision.vision.digits.strokes`).
  Handwriting needs them, because people write digits in very different ways. But finer features take more
  time. So this stage classifies only glyphs that may be handwritten.

If the grid is plainly upright in the photo, its cells are classified as they are. Otherwise they are
classified in all four turns of the grid.

The classes are the blank cell, the printed digits 1..9, the handwritten digits 1..9, and *junk*: a glyph that
is no upright digit, for example a digit that lies on its side. The probability of junk is divided evenly
among the ten answers of a cell (blank, 1..9). So a grid in a wrong turn has a lower total log-probability.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from sudoku_vision.ranks import median
from sudoku_vision.values import Bools, Floats
from sudoku_vision.vision.digits import turns
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.mixture import share_on_page
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.strokes import StrokeDictionary, describe_shapes, set_upright
from sudoku_vision.vision.results import DigitScores

CLASSES = ("blank", *(f"printed {d}" for d in range(1, 10)), *(f"written {d}" for d in range(1, 10)), "junk")
"""What a cell may contain, in the order of the model's outputs. *junk* is ink that is no upright digit."""
_FIRST = ("blank", "printed 1", "written 1", "junk")  # the first class of each group
BLANK, PRINTED, WRITTEN, JUNK = (
    slice(*ends) for ends in pairwise([*map(CLASSES.index, _FIRST), len(CLASSES)])
)
"""The columns of the model's outputs that belong to blank cells, to print, to handwriting and to junk."""

SECOND_STAGE_FROM = 0.02
"""The second stage classifies a glyph if the first stage's probability of handwriting is at least this."""
FIRST_STAGE_TRUST = 0.5
"""Weight of the first stage's log-probabilities of the digits if a glyph is surely handwritten.

The weight of the second stage is then 1. The less likely handwriting is, the more the first stage counts.
"""
MIN_PROBABILITY = 1e-6
"""Lowest probability that is given to a blank, to a digit, to print or to handwriting.

It is above 0, because no answer is certain: even a label of the training data may be wrong.
"""

CORRECTED = (6.76, 0.48, 5.24, -2.78)
"""Weights for the log-odds that a person corrected an entry: wrote over it, or scribbled it out.

An entry is a digit that a person wrote. The first three numbers are the weights of three measures of the
entry. The first measure is the logarithm of the amount of its ink, relative to the median entry of the page.
The second is the logarithm of its probability of junk (no digit). The third is the entropy of the second
stage. The fourth number is a constant that is added. It is set for pages with 2 corrected entries in 100.

The weights come from a logistic regression on 11,600 entries of newspapers and calendars, and on 1,480
corrected entries. Each corrected entry was made from two entries: the second was drawn over the first or
beside it, or the first was scribbled out. The weights were tested on pages that the regression didn't use.
Without the weights, one in five of these corrected entries was read as a wrong digit with certainty. With
the weights, this happened to one in thirty.
"""
_MIN_SHARE = 1e-4
"""This is added to probabilities and to shares of ink, so that their logarithms and ratios are finite."""

EXTENTS = (0.002, 0.05, 0.2, 0.4, 0.6, 0.8, 0.998)  # possible shares of handwriting among a page's digits


@dataclass(frozen=True, eq=False)
class HandwritingClassifier:
    """The second stage of the classifier.

    * ``layers``: the network.
    * ``dictionary``: the pieces of strokes with which the input of the network is computed.
    * ``temperature``: the outputs of the network are divided by this, to calibrate the probabilities.
    """

    dictionary: StrokeDictionary
    layers: Layers
    temperature: float = 1.0

    def log_probabilities(self, images: Floats) -> Floats:
        """Return log-probabilities (N, 9) of the digits 1..9 for glyphs (N, 28, 28) that are all digits."""
        return log_softmax(self.outputs(images) / self.temperature)

    def outputs(self, images: Floats) -> Floats:
        """Return the network's outputs (N, 9) for glyphs (N, 28, 28), not yet divided by the temperature."""
        return forward(self.layers, describe_shapes(set_upright(images), self.dictionary))


@dataclass(frozen=True, eq=False)
class DigitModel(turns.CellClassifier):
    """A trained classifier of cells. It has two stages.

    * ``layers``: the networks of the first stage. The first layer of each network also scales the features.
    * ``temperature``: the mean log-probabilities of these networks are divided by this, to calibrate them.
    * ``header``: the header of the model file. Its entry ``written_share`` is the share of handwritten digits
      among the digits of the training.
    * ``handwriting``: the second stage. It is None while a model is being trained.
    """

    layers: tuple[Layers, ...]
    temperature: float = 1.0
    header: Mapping[str, Any] = field(default_factory=dict)
    handwriting: HandwritingClassifier | None = None

    def classify(self, cells: Floats) -> DigitScores:
        """Return the scores of the cells (81, S, S) float32 of one grid, which is assumed to be upright."""
        glyphs = cut_glyphs(cells)
        first = np.zeros((len(cells), len(CLASSES)), np.float32)
        first[:, BLANK] = 1  # a cell without a glyph is blank
        first[glyphs.found] = self.first_stage(describe(glyphs.select(glyphs.found)))
        both, entropy = self.both_stages(first, glyphs.images)
        return replace(self._page_scores(both), corrected=corrected(both, entropy, glyphs.area))

    def classify_turns(self, cells: Floats) -> turns.TurnScores:
        """Return the scores of the cells (81, S, S) in all turns of the grid.

        If the grid in *cells* is plainly upright, it is classified only as it lies, in turn 0.
        """
        upright = self.classify(cells)
        if turns.is_plainly_upright(upright):
            return turns.TurnScores({0: upright}, (0,))
        return super().classify_turns(cells)

    def first_stage(self, features: Floats) -> Floats:
        """Return the first stage's probabilities (N, 20) of the classes, for *features* (N, FEATURES)."""
        total = np.zeros((len(features), len(CLASSES)), np.float32)
        for member in self.layers:
            total += log_softmax(forward(member, features))
        return np.exp(log_softmax(total / (len(self.layers) * self.temperature)))

    def both_stages(self, first: Floats, images: Floats) -> tuple[Floats, Floats]:
        """Return the probabilities (N, 20) after both stages, and the entropy (N,) of the second stage.

        *first* (N, 20) are the probabilities of the first stage. *images* (N, 28, 28) are the glyphs. If a
        glyph may be handwritten, the second stage changes how likely each digit is. It doesn't change how
        likely it is that there is a digit, and that the digit is handwritten. The entropy, in nats, is that
        of the second stage's nine probabilities. It is 0 for glyphs that the second stage doesn't classify.
        """
        asked = may_be_handwritten(first)
        result, entropy = first.copy(), np.zeros(len(first), np.float32)
        if self.handwriting is not None and asked.any():
            second = self.handwriting.log_probabilities(images[asked])
            result[asked] = join_stages(first[asked], second)
            entropy[asked] = -(np.exp(second) * second).sum(axis=1)
        return result, entropy

    def _page_scores(self, probabilities: Floats) -> DigitScores:
        """Return the scores of the 81 cells of a grid, from the *probabilities* (81, 20) of their classes.

        The probabilities contain a prior: the share of handwriting among the digits of the training. It is
        replaced by the share of handwriting in this grid, which is estimated from all 81 cells. For example,
        a smudged digit on a page of print isn't taken for faint handwriting.
        """
        printed, written = probabilities[:, PRINTED], probabilities[:, WRITTEN]
        prior = float(self.header["written_share"])
        by_hand, extent = handwriting_on_page(printed.sum(axis=1), written.sum(axis=1), prior)
        digits = printed * np.float32((1 - extent) / (1 - prior)) + written * np.float32(extent / prior)
        answers = np.concatenate([probabilities[:, BLANK], digits], axis=1)
        answers += probabilities[:, JUNK] / 10
        answers /= answers.sum(axis=1, keepdims=True)
        answers = (answers + MIN_PROBABILITY) / (1 + 10 * MIN_PROBABILITY)
        return DigitScores(np.log(answers).astype(np.float32), by_hand)


def may_be_handwritten(first: Floats) -> Bools:
    """Return which glyphs (N,) may be handwritten. The second stage classifies only these glyphs.

    *first* (N, 20) are the first stage's probabilities of the classes.
    """
    return np.asarray(first[:, WRITTEN].sum(axis=1) >= SECOND_STAGE_FROM)


def corrected(both: Floats, entropy: Floats, area: Floats) -> Floats:
    """Return, for each cell of a page, the probability (N,) that it holds an entry that was corrected.

    A corrected entry is a handwritten digit that was written over or scribbled out. *both* (N, 20) are the
    probabilities of the classes after both stages. *entropy* (N,) is the entropy of the second stage. *area*
    (N,) is the share of each cell's area that is ink.
    """
    ink = np.log(area + _MIN_SHARE)
    by_hand = both[:, WRITTEN].sum(axis=1) > 0.5
    if not by_hand.any():
        return np.zeros_like(ink)
    of_ink, of_junk, of_entropy, constant = CORRECTED
    odds = of_ink * (ink - median(ink[by_hand])) + constant + of_entropy * entropy
    odds += of_junk * np.log(both[:, JUNK][:, 0] + _MIN_SHARE)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def join_stages(first: Floats, second: Floats) -> Floats:
    """Combine the results of both stages; return the probabilities (N, 20) of the classes.

    *first* (N, 20) are the first stage's probabilities of the classes. *second* (N, 9) are the second stage's
    log-probabilities of the digits 1..9. The total probabilities of a blank, of print, of handwriting and of
    junk (no digit) stay as they are in *first*.
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


def handwriting_on_page(printed: Floats, written: Floats, prior: float) -> tuple[Floats, float]:
    """Return the probability (81,) that each cell is handwritten, and the share of handwriting on the page.

    A cell's probability of handwriting is higher if other cells of the page are handwritten, too. *printed*
    and *written* (81,) are the probabilities of print and of handwriting by the shape of each glyph alone.
    *prior* is the share of handwriting among the digits of the training.
    """
    ratio = ((written + _MIN_SHARE) / (printed + _MIN_SHARE)) * ((1 - prior) / prior)
    by_hand, extent = share_on_page(np.log(ratio), printed + written, EXTENTS)
    return by_hand.astype(np.float32), extent
