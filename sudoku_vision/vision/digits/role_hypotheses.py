"""Role hypotheses: ways in which the digits of a page may be given and entered, and how likely its ink is so.

They are weighed against one another in :mod:`~sudoku_vision.vision.digits.print_vs_handwriting`:

* *one ink*, and shapes alone tell what is written; *two inks, the one a hand's*, where shapes and inks speak
  together (these are joined as one, ``by_shape``);
* *two inks in one typeface*, where shapes say nothing and the more neutral, darker and bolder ink is the
  puzzle's: one for each division of the page;
* what apps do: a puzzle with rules of its own begins with two digits, and all of one digit is lit up.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats
from sudoku_vision.sudoku.rules import FEWEST_CLUES
from sudoku_vision.vision.digits.classes import EXTENTS
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements
from sudoku_vision.vision.digits.ink_mixture import (
    Doubles,
    TwoInkFits,
    beginnings,
    fit_two_inks,
    one_ink_evidence,
)
from sudoku_vision.vision.ranks import distinct, median

PRINT = 1e-3  # how common handwriting is on a page that is all print, or print among what was entered
FEWEST_ON_FULL = 2  # digits given at least on a full board: puzzles with rules of their own need few
MOST_STRAYS = 2
"""Digits in a colour of their own that are taken for strays at most: more have an ink of their own."""

STRAY = 0.3  # probability that a digit in a colour of its own was entered: a puzzle needs all of its clues

_FILLED_IN = 0.1  # how common pages with entries by hand are, and those with typed ones
_ROLE_STEP = 0.3  # difference of two inks in hue, depth or stroke that tells their roles for sure
_ROLE = 6.0  # log-odds that such a difference is worth
_IMPOSSIBLE = -100.0  # log-odds of what does not happen
_FEW_GIVEN = 3.0  # log-odds that two black digits on a board full of coloured ones are given, against strays
_LIT_LIKE_ENTRIES = 0.02  # how common a digit is that is lit in the ink of the entries


class InkHypothesis(NamedTuple):
    """One way in which the digits of a page came about.

    Its log-weight, and the probabilities (N,) that its cells were entered. ``by_shape``: shapes have a say in
    it. ``one_ink``: how likely the page is, as a natural logarithm, if it is all of one ink; ``looks``: how
    much of that its looking written is worth.
    """

    log_weight: float
    by_hand: Doubles
    by_shape: bool = False
    one_ink: float = 0.0
    looks: float = 0.0

    @property
    def entered(self) -> NDArray[np.bool_]:
        """The cells (N,) that rather were entered."""
        return self.by_hand > 0.5


def ink_hypotheses(
    inks: InkMeasurements, used: NDArray[np.intp], shapes: Doubles, digits: NDArray[np.intp], fewest: int
) -> list[InkHypothesis]:
    """Return the hypotheses about the cells *used* (N,): first all in which shapes have a say, as one.

    Each other one is a division of the page into two inks in one typeface. *shapes* and *digits* (N,) are
    what the classifier says; at least *fewest* are given.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    # The classifier's probabilities have the share of written cells of the page in them: it is taken out.
    extent = float(np.clip(shapes.mean(), EXTENTS[0], EXTENTS[-1]))
    evidence = np.asarray(log_odds(shapes) - log_odds(np.array(extent)))
    starts = beginnings(values, spread, shapes)
    runs = len(starts)
    fits = fit_two_inks(
        values,
        spread,
        np.concatenate([starts, 1 - starts, starts]),
        np.repeat([evidence, np.zeros(len(shapes))], [2 * runs, runs], axis=0),
    )
    hand, typed = fits.part(slice(2 * runs)), fits.part(slice(2 * runs, None)).with_mirrored()
    looks = _shapes_alone(evidence)
    one = one_ink_evidence(values, spread, inks.paper[used].astype(np.float64)) + looks
    hand_entered = hand.evidence + _role(hand) + _unlikely(hand, digits)
    by_shape = _joined(
        np.concatenate([[np.log1p(-2 * _FILLED_IN) + one], np.log(_FILLED_IN) + hand_entered]),
        np.concatenate([shapes[None], hand.second]),
    )._replace(by_shape=True, one_ink=one, looks=looks)
    app_entered = np.log(_FILLED_IN) + typed.evidence + _role(typed) + _unlikely(typed, digits, fewest)
    divisions: dict[bytes, list[int]] = {}
    for run, division in enumerate(typed.second > 0.5):
        divisions.setdefault(division.tobytes(), []).append(run)
    return [by_shape, *(_joined(app_entered[same], typed.second[same]) for same in divisions.values())]


def hand_beside_print(
    inks: InkMeasurements, used: NDArray[np.intp], repetition: Doubles, digits: NDArray[np.intp]
) -> InkHypothesis:
    """Return the hypothesis of print that looks written, and a hand in another ink besides.

    *repetition* (N,) are the log-odds by which the glyphs' likeness speaks for each cell being written.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    fit = fit_two_inks(values, spread, (1 / (1 + np.exp(-repetition)))[None], repetition[None])
    weight = np.log(_FILLED_IN) + fit.evidence + _role(fit) + _unlikely(fit, digits)
    return InkHypothesis(float(weight[0]), fit.second[0])


def few_given(values: Floats, by_shape: InkHypothesis) -> list[InkHypothesis]:
    """Return the hypothesis that two neutral digits of a full board are given and the coloured rest entered.

    *values* (N, 4) are the inks of its cells. Two are too few for an ink of their own, and would pass for
    strays. Empty where there are none such.
    """
    colour = np.hypot(values[:, 0], values[:, 1])
    neutral = colour < median(colour) - _ROLE_STEP
    if not FEWEST_ON_FULL <= np.count_nonzero(neutral) <= MOST_STRAYS:
        return []
    if colour[~neutral].min() - colour[neutral].max() < _ROLE_STEP:
        return []
    return [InkHypothesis(by_shape.log_weight + _FEW_GIVEN, np.where(neutral, PRINT, 1 - PRINT))]


def lit_like_entries(best: InkHypothesis, digits: NDArray[np.intp]) -> list[InkHypothesis]:
    """Return hypotheses like the *best* one, but that a digit never given is lit up in the entries' ink.

    A proper puzzle lacks one digit at most, and mostly none, as the rules will tell. Empty where shapes have
    had a say: no pen lights up a digit.
    """
    entered = best.entered
    lacking = [digit for digit in distinct(digits[entered]) if entered[digits == digit].all()]
    if best.by_shape or entered.all():
        return []
    weight = best.log_weight + float(np.log(_LIT_LIKE_ENTRIES))
    return [InkHypothesis(weight, np.where(digits == lit, STRAY, best.by_hand)) for lit in lacking]


def log_odds(share: Doubles) -> Doubles:
    """Return the log-odds of probabilities."""
    return np.asarray(np.log(share) - np.log1p(-share))


def _joined(log_weights: Doubles, by_hand: Doubles) -> InkHypothesis:
    """Return hypotheses with *log_weights* (R,), which say *by_hand* (R, N) of the cells, as one."""
    total = float(np.logaddexp.reduce(log_weights))
    return InkHypothesis(total, np.asarray(np.exp(log_weights - total) @ by_hand))


def _shapes_alone(evidence: Doubles) -> float:
    """Return how likely the shapes are on a page of one ink, against all print: any share may be written."""
    extents = np.linspace(EXTENTS[0], EXTENTS[-1], 9)[:, None]
    logs = np.logaddexp(np.log(extents) + evidence, np.log1p(-extents)).sum(axis=1)
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


def _role(fits: TwoInkFits) -> Doubles:
    """Return logarithms (R,) of how likely the first ink is the given one: more neutral, deeper, bolder."""
    first, second = fits.centres
    hue = np.hypot(second[:, 0], second[:, 1]) - np.hypot(first[:, 0], first[:, 1])
    steps = np.stack([hue, first[:, 2] - second[:, 2], first[:, 3] - second[:, 3]])
    return np.asarray(-np.logaddexp(0, -_ROLE * np.clip(steps / _ROLE_STEP, -1, 1).sum(axis=0)))


def _unlikely(fits: TwoInkFits, digits: NDArray[np.intp], fewest: int = FEWEST_CLUES) -> Doubles:
    """Return logarithms (R,), hugely negative where the first ink can't be the puzzle, the second the rest.

    * It has fewer than *fewest* digits. Print of two colours is often that: clues that make a puzzle together
      only.
    * An ink that one digit has all for itself marks that digit, whoever wrote it.
    """
    second = fits.second > 0.5
    odds = np.where((~second).sum(axis=1) < fewest, _IMPOSSIBLE, 0.0)
    for run in np.flatnonzero(odds == 0):
        if _marks_one_digit(second[run], digits) or _marks_one_digit(~second[run], digits):
            odds[run] = _IMPOSSIBLE
    return odds


def _marks_one_digit(part: NDArray[np.bool_], digits: NDArray[np.intp]) -> bool:
    """Tell whether the cells of *part* (N,) are several, and all those and only those of one digit."""
    chosen = digits[part]
    return len(chosen) > 1 and bool((chosen == chosen[0]).all()) and bool(part[digits == chosen[0]].all())
