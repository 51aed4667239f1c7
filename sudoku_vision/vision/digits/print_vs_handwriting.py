"""Tell print from what was entered by the ink: colour, depth and stroke, over the whole page.

The classifier judges each glyph by its shape. That can't tell an app's own digits from the entered ones, for
they share a typeface; but most often one is black and the other blue. On paper, a pen or pencil is hardly
ever the printer's ink. So hypotheses about the page are weighed, by inks that are measured
(``ink_measurements``) and fitted (``ink_mixture``):

* *one ink*, and shapes alone tell what is written; *two inks, the one a hand's*, where shapes and inks speak
  together (these are joined as one, ``by_shape``);
* *two inks in one typeface*, where shapes say nothing and the more neutral, darker and bolder ink is the
  puzzle's: one for each division of the page;
* what apps do: a puzzle with rules of its own begins with two digits, and all of one digit is lit up.

Where some glyphs look written but repeat as
only print does, there is one more: *one ink, in a typeface that looks written*. For a typeface sets every 8
alike, up to what blur and noise do; no hand writes two that are. What an app has entered repeats as well:
similarity tells a hand from type, and not who typed. Of a page that is plainly print of one ink nothing has
to be weighed. What the ink leaves open is handed on, for the rules of sudoku to weigh
(:mod:`sudoku_vision.vision.decode.roles`).
"""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.results import DigitScores, Floats, RoleHypothesis
from sudoku_vision.sudoku.rules import FEWEST_CLUES
from sudoku_vision.vision.digits.classes import EXTENTS
from sudoku_vision.vision.digits.glyphs import GLYPH, cut_glyphs
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements, measure_ink
from sudoku_vision.vision.digits.ink_mixture import (
    Doubles,
    TwoInkFits,
    beginnings,
    fit_two_inks,
    one_ink_evidence,
)
from sudoku_vision.vision.ranks import distinct, median, medians

__all__ = ["InkMeasurements", "measure_ink", "refine_written"]

_RIVAL = 14.0  # log-odds by which the ink may be wrong of roles: no rules of sudoku outweigh more
_SURE = 1e-6  # no probability of handwriting is nearer to 0 or 1 than this
_DOUBTFUL = 0.04  # probability of handwriting, or of print, above which a cell is doubtful by its shape

# What is plain print of one ink. By these limits 130 of 163 newspaper puzzles are plain, of 900 pages 234:
# of none of them did any hypothesis tell an entry, a stray, or open roles.
_FARTHEST = 4.0  # spreads up to which no ink lies off the page's
_PARTED = 0.85  # share of the squares that two parts explain, from which they are two

_STRAY_SPREADS = 6.0  # how far off the colour of digits is that are too few for a second ink

# Glyphs that look written, and repeat.
_LONE_TRUST = 1.5  # exponent of the evidence about a lone cell, besides that of a page's
# Log-odds by which it may speak for print, as 1s by hand are alike, and for a hand
_LONE_LIMITS = (-1.5, 3.0)

# Distances to the likest glyph as natural logarithms: which one speaks for neither, and the log-odds that a
# unit beyond is worth. Medians of 7,700 digits of 160 calendar photos, and of 160 newspaper photos: print
# 0.014 to 0.025, a hand 0.15 to 0.19.
_NEITHER, _WORTH = -2.7, 2.1
_SLACK = 1  # pixels of a glyph (28 x 28) by which two may be set off

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


def refine_written(inks: InkMeasurements, scores: DigitScores, cells: Floats | None = None) -> DigitScores:
    """Return the scores of 81 cells, their probabilities of handwriting revised in view of the inks.

    *cells* (81, S, S) float32 of clean ink are those from which the scores came; without them, nothing is
    made of glyphs that repeat.

    Digits and blanks are left as they are. A page of one ink keeps its probabilities. Where the ink leaves it
    open which digits are given, the hypotheses about that are handed on (``roles``).
    """
    page = np.asarray(scores.log_probs.argmax(axis=1))
    used = np.flatnonzero((page > 0) & (scores.log_probs[:, 0] < np.log(0.5)))
    values, digits = inks.values[used], page[used]
    if len(used) < FEWEST_ON_FULL or _is_plain_print(values, inks.spread[used], scores.written[used]):
        return scores
    shapes = np.clip(scores.written[used].astype(np.float64), _SURE, 1 - _SURE)
    fewest = FEWEST_ON_FULL if len(used) == len(page) else FEWEST_CLUES
    hypotheses = ink_hypotheses(inks, used, shapes, digits, fewest)
    if cells is not None:
        hypotheses[:1] = _in_view_of_repetition(hypotheses[0], inks, used, cells[used], digits)
    if fewest == FEWEST_ON_FULL:
        hypotheses += few_given(values, hypotheses[0])
    hypotheses += lit_like_entries(max(hypotheses, key=lambda one: one.log_weight), digits)
    weights = np.array([hypothesis.log_weight for hypothesis in hypotheses])
    shares = np.exp(weights - np.logaddexp.reduce(weights))

    def on_page(by_hand: Doubles) -> Floats:
        written = scores.written.copy()
        written[used] = np.clip(by_hand, _SURE, 1 - _SURE)
        written[used[_strays(values, inks.spread[used], by_hand)]] = STRAY
        return written

    mean = on_page(np.asarray(shares @ np.stack([hypothesis.by_hand for hypothesis in hypotheses])))
    # One that divides off a digit or two says no more than that these are strays.
    rivals = [
        one
        for one in hypotheses
        if one.log_weight > weights.max() - _RIVAL
        and (one.by_shape or np.count_nonzero(one.entered) > MOST_STRAYS)
    ]
    if len(rivals) < 2:
        return replace(scores, written=mean)
    roles = tuple(RoleHypothesis(one.log_weight, on_page(one.by_hand)) for one in rivals)
    return replace(scores, written=mean, roles=roles)


def _is_plain_print(values: Floats, spread: Floats, shapes: Floats) -> bool:
    """Tell whether all cells look printed, and their inks (N, 4) are alike.

    No shape (N,) looks written, nor leaves it open; no ink is far off in any quantity, and none of these
    quantities falls into two parts, however near: the inks of a screen are exact. How well two parts explain
    one is the share of its squares by the best division by size (N. Otsu, "A threshold selection method from
    gray-level histograms", 1979): near 1 for two clusters, 0.64 for one normal distribution.
    """
    if shapes.max() > _DOUBTFUL or (np.abs(values - medians(values.T)) > _FARTHEST * spread).any():
        return False
    count = len(values)
    ranked = np.sort(values - values.mean(axis=0), axis=0)
    below = np.arange(1, count)[:, None]
    between = ranked.cumsum(axis=0)[:-1] ** 2 * count / (below * (count - below))
    return bool((between.max(axis=0) <= _PARTED * (ranked**2).sum(axis=0)).all())


def _in_view_of_repetition(
    by_shape: InkHypothesis,
    inks: InkMeasurements,
    used: NDArray[np.intp],
    cells: Floats,
    digits: NDArray[np.intp],
) -> list[InkHypothesis]:
    """Return the hypothesis by shape in view of which glyphs repeat.

    Where some look written, two others come with it: that all is print of one ink, in a typeface that looks
    written at least in part; and that it is such print and a hand besides. And the cells of which shape
    leaves it open are settled: a lone pencil digit among print is like no other, a blurred one like its kind.
    """
    called = by_shape.entered
    doubtful = (by_shape.by_hand > _DOUBTFUL) & (by_shape.by_hand < 1 - _DOUBTFUL)
    if not (called | doubtful).any():
        return [by_shape]
    evidence = np.zeros(len(digits))
    for digit in distinct(digits):
        evidence[digits == digit] = similarity_evidence(cells[digits == digit])
    found = [by_shape]
    if called.any():
        by_hand = np.clip(by_shape.by_hand, _SURE, 1 - _SURE)
        asked = np.isin(digits, digits[called])
        hand = float(np.logaddexp(np.log1p(-by_hand), np.log(by_hand) + evidence)[asked].sum())
        if hand <= 0:
            all_print = InkHypothesis(by_shape.one_ink, np.full(len(digits), PRINT), by_shape=True)
            beside = hand_beside_print(inks, used, evidence, digits)
            beside = beside._replace(log_weight=beside.log_weight + by_shape.looks)
            found = [by_shape._replace(log_weight=by_shape.log_weight + hand), all_print, beside]
    settled = by_shape.by_hand.copy()
    odds = log_odds(settled[doubtful]) + np.clip(_LONE_TRUST * evidence[doubtful], *_LONE_LIMITS)
    settled[doubtful] = 1 / (1 + np.exp(-odds))
    found[0] = found[0]._replace(by_hand=settled)
    return found


def _strays(values: Floats, spread: Floats, by_hand: Doubles) -> NDArray[np.intp]:
    """Return the places (of N) of one or two digits that pass for print, in a colour of their own.

    Too few for a second ink: a wrong entry that an app shows in red, a single digit in pen. They stay print
    unless the puzzle makes no sense with them.
    """
    printed = np.flatnonzero(by_hand <= 0.5)
    if len(printed) < FEWEST_CLUES:
        return printed[:0]
    hue = values[printed, :2].astype(np.float64)
    off = np.abs(hue - medians(hue.T))
    usual = np.maximum(spread[printed, :2], medians(off.T))
    odd = np.linalg.norm(off / usual, axis=1) > _STRAY_SPREADS
    return printed[odd] if odd.sum() <= MOST_STRAYS else printed[:0]


def similarity_evidence(cells: Floats) -> Doubles:
    """Return the log-odds (N,) by which similarity speaks for each glyph of one digit being written by hand.

    *cells* (N, S, S) float32 of clean ink all hold that digit. Of a single one nothing is known: 0.
    """
    if len(cells) < 2:
        return np.zeros(len(cells))
    logs = np.log(np.maximum(glyph_distances(cut_glyphs(cells).images), TINY))
    return np.asarray(_WORTH * (logs - _NEITHER))


def glyph_distances(images: Floats) -> Doubles:
    """Return the distance (N,) of each of several glyphs of one digit to the likest other one of them.

    *images* (N, 28, 28) are normalised glyphs. The distance is 1 minus their normalised correlation, the best
    of all shifts by up to one pixel.
    """
    padded = np.pad(images, ((0, 0), (_SLACK, _SLACK), (_SLACK, _SLACK)))
    middle = _of_length_one(images)
    shifts = product(range(2 * _SLACK + 1), repeat=2)
    shifted = (padded[:, down : down + GLYPH, right : right + GLYPH] for down, right in shifts)
    best = np.max([middle @ _of_length_one(glyphs).T for glyphs in shifted], axis=0)
    alike = np.maximum(best, best.T).astype(np.float64)
    np.fill_diagonal(alike, -1)
    return np.asarray(1 - alike.max(axis=1))


def _of_length_one(images: Floats) -> Floats:
    """Return images as vectors (N, P) of mean nought and length one."""
    flat = images.reshape(len(images), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    scaled: Floats = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return scaled


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
