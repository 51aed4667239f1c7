"""Tell print from what was entered by the ink: colour, depth and stroke, over the whole page.

The classifier judges each glyph by its shape. That can't tell an app's own digits from the entered ones, for
they share a typeface; but most often one is black and the other blue. On paper, a pen or pencil is hardly
ever the printer's ink. So three accounts of a page are weighed:

* *one ink*, and shapes alone tell what is written;
* *two inks, the one a hand's*, where shapes and inks speak together;
* *two inks in one typeface*, where shapes say nothing and the more neutral, darker and bolder ink is the
  puzzle's.

The inks are measured (:mod:`~sudoku_vision.digits.ink_measurements`) and fitted
(:mod:`~sudoku_vision.digits.ink_mixture`) in modules of their own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.board import FEWEST_CLUES
from sudoku_vision.digits.classes import EXTENTS
from sudoku_vision.digits.ink_measurements import InkMeasurements, measure_ink
from sudoku_vision.digits.ink_mixture import (
    Doubles,
    TwoInkFits,
    beginnings,
    fit_two_inks,
    one_ink_evidence,
)
from sudoku_vision.results import DigitScores

__all__ = ["InkMeasurements", "measure_ink", "refine_written"]

_FEWEST = 5  # cells with ink from which inks are compared at all
_ONE_INK, _BY_HAND, _TYPED = 0.8, 0.12, 0.08  # how common the three accounts of a page are
_LEAST_TYPED = 4.0  # spreads by which two inks of one typeface differ at least
_STRAY = 0.1  # probability that a digit in a colour of its own was written
_STRAY_SPREADS, _MOST_STRAYS = 6.0, 2  # how far off its colour is, and how many there are at most
_STRAY_VARIETY = 1.5  # the page's own variety of hue, in median deviations, that counts as a spread
_EXTENT_STEPS = 9  # shares of handwriting that are tried for a page of one ink
_ROLE_STEP = 0.3  # difference of two inks in hue, depth or stroke that tells their roles for sure
_ROLE_HAND = np.array([1.5, 1.0, 0.5])  # log-odds that such a difference in hue, depth and stroke is worth
_ROLE_TYPED = np.array([6.0, 3.0, 3.0])
_IMPOSSIBLE = -100.0  # log-odds of what does not happen
_SURE = 1e-6  # no probability of handwriting is nearer to 0 or 1 than this


def refine_written(inks: InkMeasurements, scores: DigitScores) -> DigitScores:
    """Return the scores of 81 cells, their probabilities of handwriting revised in view of the inks.

    Digits and blanks are left as they are. A page of one ink keeps its probabilities.
    """
    digits = np.asarray(scores.log_probs.argmax(axis=1))
    used = np.flatnonzero((digits > 0) & (scores.log_probs[:, 0] < np.log(0.5)))
    if len(used) < _FEWEST:
        return scores
    shapes = np.clip(scores.written[used].astype(np.float64), _SURE, 1 - _SURE)
    by_hand = _weighed(inks, used, shapes, digits[used])
    by_hand[_strays(inks, used, by_hand)] = _STRAY
    written = scores.written.copy()
    written[used] = np.clip(by_hand, _SURE, 1 - _SURE)
    return replace(scores, written=written)


def _weighed(
    inks: InkMeasurements, used: NDArray[np.intp], shapes: Doubles, digits: NDArray[np.intp]
) -> Doubles:
    """Return the probabilities (N,) that the cells *used* (N,) were written, all accounts weighed.

    *shapes* and *digits* (N,) are what the classifier says of them.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    evidence = _shape_evidence(shapes)
    starts = beginnings(values, spread, shapes)
    runs = len(starts)
    fits = fit_two_inks(
        values,
        spread,
        np.concatenate([starts, 1 - starts, starts]),
        np.repeat([evidence, np.zeros(len(shapes))], [2 * runs, runs], axis=0),
    )
    hand, typed = fits.part(slice(2 * runs)), fits.part(slice(2 * runs, None))
    typed = typed.with_mirrored()
    paper = inks.paper[used].astype(np.float64)
    one = one_ink_evidence(values, spread, used, paper) + _shapes_alone(evidence)
    hand_entered = hand.evidence + _role(hand, _ROLE_HAND) + _unlikely(hand, digits)
    app_entered = typed.evidence + _role(typed, _ROLE_TYPED) + _unlikely(typed, digits) + _alike(typed)
    weights = np.concatenate(
        [[np.log(_ONE_INK) + one], np.log(_BY_HAND) + hand_entered, np.log(_TYPED) + app_entered]
    )
    weights = np.exp(weights - weights.max())
    return np.asarray(weights @ np.concatenate([shapes[None], hand.second, typed.second]) / weights.sum())


def _strays(inks: InkMeasurements, used: NDArray[np.intp], by_hand: Doubles) -> NDArray[np.intp]:
    """Return the places in *used* (N,) of one or two digits that pass for print, in a colour of their own.

    Too few for a second ink: a wrong entry that an app shows in red, a single digit in pen. They stay print
    unless the puzzle makes no sense with them.
    """
    printed = np.flatnonzero(by_hand < _STRAY)
    if len(printed) < FEWEST_CLUES:
        return printed[:0]
    hue = inks.values[used[printed], :2].astype(np.float64)
    off = np.abs(hue - np.median(hue, axis=0))
    spread = np.maximum(inks.spread[used[printed], :2], _STRAY_VARIETY * np.median(off, axis=0))
    odd = np.linalg.norm(off / spread, axis=1) > _STRAY_SPREADS
    return printed[odd] if odd.sum() <= _MOST_STRAYS else printed[:0]


def _shape_evidence(shapes: Doubles) -> Doubles:
    """Return the log-odds (N,) by which each cell's own shape speaks for a hand.

    The classifier's probabilities have the share of written cells of the page in them: it is taken out.
    """
    extent = float(np.clip(shapes.mean(), EXTENTS[0], EXTENTS[-1]))
    return np.asarray(_log_odds(shapes) - _log_odds(np.array(extent)))


def _shapes_alone(evidence: Doubles) -> float:
    """Return how likely the shapes are on a page of one ink, against all print: any share may be written."""
    extents = np.linspace(EXTENTS[0], EXTENTS[-1], _EXTENT_STEPS)[:, None]
    logs = np.logaddexp(np.log(extents) + evidence, np.log1p(-extents)).sum(axis=1)
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


def _log_odds(share: Doubles) -> Doubles:
    return np.asarray(np.log(share) - np.log1p(-share))


def _role(fits: TwoInkFits, worth: Doubles) -> Doubles:
    """Return logarithms (R,) of how likely the first ink is the given one: more neutral, deeper, bolder.

    *worth* (3,) are log-odds for a difference in hue, depth and stroke.
    """
    hue = np.hypot(fits.centres[..., 0], fits.centres[..., 1])
    steps = np.stack(
        [
            hue[1] - hue[0],
            fits.centres[0, :, 2] - fits.centres[1, :, 2],
            fits.centres[0, :, 3] - fits.centres[1, :, 3],
        ]
    )
    odds = worth @ np.clip(steps / _ROLE_STEP, -1, 1)
    return np.asarray(-np.logaddexp(0, -odds))


def _alike(fits: TwoInkFits) -> Doubles:
    """Return logarithms (R,), hugely negative where two inks differ too little for an app to use both."""
    step = (fits.centres[1] - fits.centres[0]) / fits.width
    return np.where(np.sqrt((step**2).sum(axis=1)) < _LEAST_TYPED, _IMPOSSIBLE, 0.0)


def _unlikely(fits: TwoInkFits, digits: NDArray[np.intp]) -> Doubles:
    """Return logarithms (R,), hugely negative where the first ink can't be the puzzle, the second the rest.

    * It has too few digits. Print of two colours is often that: clues that make a puzzle together only.
    * An ink that one digit has all for itself marks that digit, whoever wrote it.
    """
    second = fits.second > 0.5
    odds = np.where((~second).sum(axis=1) < FEWEST_CLUES, _IMPOSSIBLE, 0.0)
    for run in np.flatnonzero(odds == 0):
        if _marks_one_digit(second[run], digits) or _marks_one_digit(~second[run], digits):
            odds[run] = _IMPOSSIBLE
    return odds


def _marks_one_digit(part: NDArray[np.bool_], digits: NDArray[np.intp]) -> bool:
    """Tell whether the cells of *part* (N,) are several, and all those and only those of one digit."""
    chosen = digits[part]
    return len(chosen) > 1 and bool((chosen == chosen[0]).all()) and bool(part[digits == chosen[0]].all())
