"""Samples: single cells, described as the classifier sees them, with their classes as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.vision.digits.glyphs import Glyphs
from sudoku_vision.workshop.training.settings import Settings

Classes = NDArray[np.int64]

BLANK, WRITTEN, JUNK = 0, 10, 19
"""BLANK; printed d is d; written d is WRITTEN - 1 + d; JUNK, a glyph that is no upright digit."""
_LOOK_ALIKE = {1: (8,), 2: (1, 2, 5, 8), 3: (8,)}
"""Digits that may still look like themselves, by quarter turns: too unsettled to be learnt from."""


def is_printed(classes: Classes) -> NDArray[np.bool_]:
    """Tell which classes (N,) are printed digits."""
    return np.asarray((classes > BLANK) & (classes < WRITTEN))


def is_written(classes: Classes) -> NDArray[np.bool_]:
    """Tell which classes (N,) are written digits."""
    return np.asarray((classes >= WRITTEN) & (classes < JUNK))


def digits_of(classes: Classes) -> Classes:
    """Return the digit 0..9 of each class; junk counts as 0."""
    return np.where(classes == JUNK, 0, np.where(classes >= WRITTEN, classes - WRITTEN + 1, classes))


def turned_classes(classes: Classes, quarter_turns: int) -> Classes:
    """Return what digits become when turned: another digit, junk, or -1 where that is not settled."""
    digit = digits_of(classes)
    result = np.full(len(classes), JUNK, np.int64)
    result[digit == 0] = BLANK
    result[np.isin(digit, _LOOK_ALIKE[quarter_turns])] = -1
    if quarter_turns == 2:
        result[digit == 6] = classes[digit == 6] + 3
        result[digit == 9] = classes[digit == 9] - 3
    return result


def ten_answers(probabilities: Floats) -> Floats:
    """Fold the classes (N, 20) into blank and the nine digits, (N, 10); junk is spread evenly."""
    answers = np.concatenate([probabilities[:, :1], probabilities[:, 1:10] + probabilities[:, 10:19]], axis=1)
    return np.asarray(answers + probabilities[:, 19:] / 10, np.float32)


@dataclass(frozen=True, eq=False)
class Samples:
    """Cells to learn from or to measure on.

    ``features`` (N, FEATURES) float32, ``classes`` (N,) int64, and ``images`` (N, 28, 28) uint8, the glyphs
    that the features describe, ink bright.
    """

    features: Floats
    classes: Classes
    images: Image

    def __len__(self) -> int:
        return len(self.classes)

    def select(self, index: NDArray[np.bool_] | NDArray[np.integer]) -> "Samples":
        """Return the samples at *index*."""
        return Samples(self.features[index], self.classes[index], self.images[index])


def joined(parts: Sequence[Samples]) -> Samples:
    """Return all samples in one."""
    return Samples(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.classes for part in parts]),
        np.concatenate([part.images for part in parts]),
    )


def as_floats(images: Image) -> Floats:
    """Return glyphs (N, 28, 28) uint8 as the reader knows them, 0..1 float32."""
    return images.astype(np.float32) / np.float32(255)


def described(glyphs: Glyphs, classes: Classes) -> Samples:
    """Return samples of glyphs and their classes (N,)."""
    images = np.round(255 * glyphs.images).astype(np.uint8)
    return Samples(describe(glyphs), classes, images)


def board_samples(glyphs: Glyphs, classes: Classes, settings: Settings, rng: np.random.Generator) -> Samples:
    """Describe the cells of one board: part of the blanks, all digits, and some of them turned, as junk."""
    used = (classes != BLANK) | (rng.random(len(classes)) < settings.blank_share)
    upright = described(glyphs.select(used), classes[used])
    inked = np.flatnonzero((classes != BLANK) & glyphs.found)
    turn = int(rng.integers(1, 4))
    target = turned_classes(classes[inked], turn)
    chosen = (rng.random(len(inked)) < settings.turned_share) & (target >= 0)
    if not chosen.any():
        return upright
    turned = described(glyphs.select(inked[chosen]).turned(turn), target[chosen])
    return joined([upright, turned])


def legible(samples: Samples, model: DigitModel, hidden: float) -> Samples:
    """Leave out digits that blur, noise or faint ink hide so well that they look blank.

    Nobody could read them; learnt from, they would cast a doubt on every blank cell of every clear page. (A
    trimmed fit, as in Rousseeuw's least trimmed squares: what to trim is told by a first, quick fit, which
    holds them for blank with a probability above *hidden*.)
    """
    lost = (samples.classes != BLANK) & (model.first_stage(samples.features)[:, BLANK] > hidden)
    return samples.select(~lost)


def written_share(samples: Samples) -> float:
    """Return the share of written digits among all digits, rounded to four places."""
    written, printed = is_written(samples.classes).sum(), is_printed(samples.classes).sum()
    return round(float(written / max(1, written + printed)), 4)
