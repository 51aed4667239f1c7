"""Recognise handwriting and typed entries by the ink of the whole page: its colour, depth and strokes.

The classifier judges each glyph by its shape. That doesn't separate the clues of an app from typed entries,
because both have one typeface; but mostly one is black and the other blue. On paper, a pen or pencil hardly
ever has the ink of the printer. So hypotheses about the page are weighed by its inks, which are measured
(``ink_measurements``) and fitted (``mixture``):

* *One ink*: shapes alone show handwriting. *Two inks, one of them a hand's*: shapes and inks count together.
  These two are joined as one hypothesis (``by_shape``).
* *Two inks in one typeface*: shapes don't count, and the more neutral, darker and bolder ink is that of the
  clues. There is one such hypothesis for each division of the page.
* *Two grounds*: in apps the clues may stand on a ground of their own, with entries in the same ink.
* A special case of apps: all cells of one digit are highlighted.

If some glyphs look handwritten but repeat as only print does, there is one hypothesis more: *one ink, in a
typeface that looks like handwriting*. A typeface makes every 8 alike, up to blur and noise; no hand does.
Typed entries repeat as well, so similarity shows type, but not who typed. A page that is plainly print of one
ink isn't weighed at all. If the ink leaves several hypotheses open, the rules of sudoku weigh them
(:mod:`sudoku_vision.vision.decode.roles`).
"""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import distinct, medians
from sudoku_vision.sudoku.rules import MIN_CLUES
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.glyphs import GLYPH, cut_glyphs
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements
from sudoku_vision.vision.digits.mixture import (
    Doubles,
    TwoInkFits,
    fit_two_inks,
    one_ink_evidence,
    two_ink_starts,
)
from sudoku_vision.vision.results import DigitScores, RoleHypothesis

_RIVAL = 14.0  # log-odds: a rival that is less likely by more is dropped, as no rule can save it
_SURE = 1e-6  # no probability of handwriting is nearer to 0 or 1 than this
_MIN_EXTENT, _MAX_EXTENT = 0.002, 0.998  # bounds for the share of handwriting on a page
_DOUBTFUL = 0.04  # a cell is doubtful by its shape if handwriting and print are both likelier than this

# Plain print of one ink. By these limits 130 of 163 newspaper puzzles are plain, and 234 of 900 other pages.
# On none of these did any hypothesis find an entry, a stray digit, or open roles.
_MAX_OFF = 4.0  # no ink is farther from the median of the page than this, in spreads
_MAX_DIVIDED = 0.85  # if a division in two explains a larger share of the variance, there are two inks

_MIN_STRAY_OFF = 6.0  # distance, in spreads, of the colour of digits that are too few for a second ink

# Similarity of glyphs.
_LONE_TRUST = 1.5  # exponent of the evidence about a single cell
_LONE_LIMITS = (-1.5, 3.0)
"""Limits for its log-odds: handwritten 1s look alike, so the evidence for print counts less."""
_NEITHER, _PER_UNIT = -2.7, 2.1
"""Evidence by the logarithm of the distance to the most similar glyph. It is 0 at the first number, and the
second is its slope, in log-odds a unit.

Measured on 7,700 digits of 160 calendar photos, and on 160 newspaper photos: the median distance is 0.014 to
0.025 for print, and 0.15 to 0.19 for a hand.
"""
_SLACK = 1  # pixels by which two glyphs (28 x 28) may be shifted against each other

PRINT = 1e-3  # probability of handwriting in a surely printed cell, and of print in an entered one
MIN_ON_FULL = 2  # clues of a full board: puzzles with rules of their own need few
MAX_STRAYS = 2  # digits in a colour of their own that count as strays; more have an ink of their own
STRAY = 0.3  # probability that a stray digit is an entry; low, because a puzzle needs all of its clues
_FILLED_IN = 0.1  # prior of pages with handwritten entries, and of pages with typed ones
_ROLE_STEP = 0.3  # difference of two inks in hue, depth or stroke that shows their roles for sure
_ROLE = 6.0  # log-odds of such a difference
_IMPOSSIBLE = -100.0  # log-odds of impossible hypotheses
_GROUND_STEP = 5.0  # grey levels: grounds that differ less are alike; JPEG moves that of a screen by 1 or 2
_HIGHLIGHTED = 0.02  # prior of a digit that is highlighted in the ink of the entries


class InkHypothesis(NamedTuple):
    """One way in which the digits of a page came about: its log-weight, and its probabilities of entries.

    ``by_hand`` (N,): the probability that each cell was entered. ``by_shape``: whether shapes count in it.
    ``one_ink``: the log-likelihood of the page if all of it has one ink; ``looks``: the part of it that comes
    from shapes.
    """

    log_weight: float
    by_hand: Doubles
    by_shape: bool = False
    one_ink: float = 0.0
    looks: float = 0.0

    @property
    def entered(self) -> NDArray[np.bool_]:
        """The cells (N,) that are likelier entered."""
        return self.by_hand > 0.5


def refine_handwriting(
    inks: InkMeasurements, scores: DigitScores, cells: Floats | None = None
) -> DigitScores:
    """Return the scores of 81 cells with their probabilities of handwriting revised by the inks.

    *cells* (81, S, S) float32 of clean ink are those of the scores; without them, the similarity of glyphs
    isn't used. Digits and blanks stay as they are, and so do the probabilities of a page with one ink. If the
    ink leaves open which digits are clues, the hypotheses are added (``roles``).
    """
    page = np.asarray(scores.log_probs.argmax(axis=1))
    used = np.flatnonzero((page > 0) & (scores.log_probs[:, 0] < np.log(0.5)))
    values, digits = inks.values[used], page[used]
    if len(used) < MIN_ON_FULL:
        return scores
    ground = clean_grounds(inks.paper)
    by_ground = clues_by_ground(ground, used, digits)
    if by_ground is None and _is_plain_print(values, inks.spread[used], scores.written[used]):
        return scores
    shapes = np.clip(scores.written[used].astype(np.float64), _SURE, 1 - _SURE)
    min_clues = MIN_ON_FULL if len(used) == len(page) else MIN_CLUES
    hypotheses = ink_hypotheses(inks, used, shapes, digits, min_clues)
    if cells is not None:
        hypotheses[:1] = _in_view_of_similarity(hypotheses[0], inks, used, cells[used], digits)
    if by_ground is not None:
        one_ink = hypotheses[0].one_ink - hypotheses[0].looks + float(np.log(_FILLED_IN))
        hypotheses.append(by_ground._replace(log_weight=by_ground.log_weight + one_ink))
    hypotheses += highlighted_digits(max(hypotheses, key=lambda one: one.log_weight), digits)
    alone = np.bincount(ground)[ground[used]] == 1
    strays = [_strays(values, inks.spread[used], alone, one.by_hand) for one in hypotheses]
    return _weighed(hypotheses, strays, alone, used, scores)


def _weighed(
    hypotheses: list[InkHypothesis],
    strays: list[NDArray[np.bool_]],
    alone: NDArray[np.bool_],
    used: NDArray[np.intp],
    scores: DigitScores,
) -> DigitScores:
    """Return the scores with the mean of the hypotheses; if several are likely, these are its ``roles``.

    *strays*: the stray digits (N,) in each hypothesis. A stray that is *alone* (N,) on its ground makes one
    more hypothesis, in which it is an entry. *used* (N,) are the cells with digits.
    """
    weights = np.array([hypothesis.log_weight for hypothesis in hypotheses])
    shares = np.exp(weights - np.logaddexp.reduce(weights))
    best = float(weights.max())

    def on_page(by_hand: Doubles) -> Floats:
        written = scores.written.copy()
        written[used] = np.clip(by_hand, _SURE, 1 - _SURE)
        return written

    by_hand = [np.where(odd, STRAY, one.by_hand) for one, odd in zip(hypotheses, strays, strict=True)]
    mean = on_page(shares @ np.stack(by_hand))
    roles: list[RoleHypothesis] = []
    for one, share, odd in zip(hypotheses, by_hand, strays, strict=True):
        # A hypothesis that separates one or two digits only means that these are strays.
        if (one.by_shape or np.count_nonzero(one.entered) > MAX_STRAYS) and one.log_weight > best - _RIVAL:
            roles.append(RoleHypothesis(one.log_weight, on_page(share)))
            if (odd & alone).any():
                as_entries = np.where(odd & alone, 1 - PRINT, share)
                roles.append(RoleHypothesis(one.log_weight + float(np.log(STRAY)), on_page(as_entries)))
    if 0 < np.count_nonzero(mean[used] <= 0.5) < MIN_CLUES <= len(used) < len(scores.written):
        # Too few digits look printed to be the clues: the whole puzzle may be by one hand.
        roles = roles if len(roles) > 1 else [RoleHypothesis(best, mean)]
        one_hand = on_page(np.full(len(used), 1 - PRINT))
        roles.append(RoleHypothesis(best + float(np.log(_FILLED_IN)), one_hand))
    return replace(scores, written=mean, roles=tuple(roles) if len(roles) > 1 else ())


def _is_plain_print(values: Floats, spread: Floats, shapes: Floats) -> bool:
    """Return whether the *shapes* (N,) of all cells are surely print, and their inks (N, 4) are alike.

    No ink is far from the others in any quantity, and there are no two clusters: in no quantity, and not
    along the direction in which all of them vary most, in spreads. Clusters may be very near, because the
    inks of a screen are exact. They are found by the best division in two (N. Otsu, "A threshold selection
    method from gray-level histograms", 1979): it explains nearly all of the variance of two clusters, and
    0.64 of that of one normal distribution.
    """
    off = (values - medians(values.T)) / spread
    if shapes.max() > _DOUBTFUL or (np.abs(off) > _MAX_OFF).any():
        return False
    count = len(values)
    off -= off.mean(axis=0)
    along = off @ np.linalg.eigh(off.T @ off)[1][:, -1:]
    ranked = np.sort(np.hstack([values - values.mean(axis=0), along]), axis=0)
    below = np.arange(1, count)[:, None]
    between = ranked.cumsum(axis=0)[:-1] ** 2 * count / (below * (count - below))
    return bool((between.max(axis=0) <= _MAX_DIVIDED * (ranked**2).sum(axis=0)).all())


def _in_view_of_similarity(
    by_shape: InkHypothesis,
    inks: InkMeasurements,
    used: NDArray[np.intp],
    cells: Floats,
    digits: NDArray[np.intp],
) -> list[InkHypothesis]:
    """Return the hypothesis by shape, revised by the similarity of glyphs, and others that come with it.

    If some glyphs look handwritten, there are two others: all is print of one ink, in a typeface that looks
    like handwriting at least in part; or there is such print, and a hand besides. Doubtful cells are decided
    by similarity: a pencil digit among print is like no other glyph, a blurred printed one is like others.
    """
    entered = by_shape.entered
    doubtful = (by_shape.by_hand > _DOUBTFUL) & (by_shape.by_hand < 1 - _DOUBTFUL)
    if not (entered | doubtful).any():
        return [by_shape]
    evidence = np.zeros(len(digits))
    for digit in distinct(digits):
        evidence[digits == digit] = similarity_evidence(cells[digits == digit])
    found = [by_shape]
    if entered.any():
        by_hand = np.clip(by_shape.by_hand, _SURE, 1 - _SURE)
        compared = np.isin(digits, digits[entered])
        hand = float(np.logaddexp(np.log1p(-by_hand), np.log(by_hand) + evidence)[compared].sum())
        if hand <= 0:
            all_print = InkHypothesis(by_shape.one_ink, np.full(len(digits), PRINT), by_shape=True)
            beside = hand_beside_print(inks, used, evidence, digits)
            beside = beside._replace(log_weight=beside.log_weight + by_shape.looks)
            found = [by_shape._replace(log_weight=by_shape.log_weight + hand), all_print, beside]
    revised = by_shape.by_hand.copy()
    odds = log_odds(revised[doubtful]) + np.clip(_LONE_TRUST * evidence[doubtful], *_LONE_LIMITS)
    revised[doubtful] = 1 / (1 + np.exp(-odds))
    found[0] = found[0]._replace(by_hand=revised)
    return found


def _strays(values: Floats, spread: Floats, alone: NDArray[np.bool_], by_hand: Doubles) -> NDArray[np.bool_]:
    """Return which digits (N,), at most two, look printed, but have a colour or a ground of their own.

    They are too few for a second ink: a wrong entry that an app shows in red, a single digit in pen, or the
    cell that is selected in an app, *alone* (N,) on its ground. They stay print unless the puzzle makes no
    sense with them.
    """
    printed = by_hand <= 0.5
    if np.count_nonzero(printed) < MIN_CLUES:
        return np.zeros_like(printed)
    hue = values[:, :2].astype(np.float64)
    off = np.abs(hue - medians(hue[printed].T))
    usual = np.maximum(spread[:, :2], medians(off[printed].T))
    odd = printed & (alone | (np.linalg.norm(off / usual, axis=1) > _MIN_STRAY_OFF))
    return odd if np.count_nonzero(odd) <= MAX_STRAYS else np.zeros_like(odd)


def similarity_evidence(cells: Floats) -> Doubles:
    """Return the log-odds (N,) of handwriting for each glyph of one digit, by its similarity to the others.

    *cells* (N, S, S) float32 of clean ink all hold that digit. A single cell has the log-odds 0.
    """
    if len(cells) < 2:
        return np.zeros(len(cells))
    logs = np.log(np.maximum(glyph_distances(cut_glyphs(cells).images), TINY))
    return np.asarray(_PER_UNIT * (logs - _NEITHER))


def glyph_distances(images: Floats) -> Doubles:
    """Return the distance (N,) of each glyph of one digit to the most similar other one.

    *images* (N, 28, 28) are normalised glyphs. The distance is 1 minus the highest normalised correlation
    over all shifts by up to one pixel.
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
    """Return images as vectors (N, P) with mean 0 and length 1."""
    flat = images.reshape(len(images), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    scaled: Floats = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return scaled


def ink_hypotheses(
    inks: InkMeasurements, used: NDArray[np.intp], shapes: Doubles, digits: NDArray[np.intp], min_clues: int
) -> list[InkHypothesis]:
    """Return the hypotheses about the cells *used* (N,); those in which shapes count come first, as one.

    Each other hypothesis is a division of the page into two inks in one typeface. *shapes* (N,) are the
    classifier's probabilities of handwriting, *digits* (N,) its digits; at least *min_clues* are clues.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    # The probabilities include the share of handwriting on the page as a prior, which is removed here.
    extent = float(np.clip(shapes.mean(), _MIN_EXTENT, _MAX_EXTENT))
    evidence = np.asarray(log_odds(shapes) - log_odds(np.array(extent)))
    starts = two_ink_starts(values, spread, shapes)
    runs = len(starts)
    fits = fit_two_inks(
        values,
        spread,
        np.concatenate([starts, 1 - starts, starts]),
        np.repeat([evidence, np.zeros(len(shapes))], [2 * runs, runs], axis=0),
    )
    hand, typed = fits.part(slice(2 * runs)), fits.part(slice(2 * runs, None)).with_mirrored()
    looks = _shapes_alone(evidence)
    one = one_ink_evidence(values, spread, inks.lightness[used]) + looks
    hand_entered = hand.evidence + _role(hand) + _unlikely(hand, digits)
    by_shape = _joined(
        np.concatenate([[np.log1p(-2 * _FILLED_IN) + one], np.log(_FILLED_IN) + hand_entered]),
        np.concatenate([shapes[None], hand.second]),
    )._replace(by_shape=True, one_ink=one, looks=looks)
    app_entered = np.log(_FILLED_IN) + typed.evidence + _role(typed) + _unlikely(typed, digits, min_clues)
    divisions: dict[bytes, list[int]] = {}
    for run, division in enumerate(typed.second > 0.5):
        divisions.setdefault(division.tobytes(), []).append(run)
    return [by_shape, *(_joined(app_entered[same], typed.second[same]) for same in divisions.values())]


def hand_beside_print(
    inks: InkMeasurements, used: NDArray[np.intp], evidence: Doubles, digits: NDArray[np.intp]
) -> InkHypothesis:
    """Return the hypothesis of print that looks like handwriting, and a hand in another ink besides.

    *evidence* (N,) are the log-odds of handwriting by the similarity of glyphs.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    fit = fit_two_inks(values, spread, (1 / (1 + np.exp(-evidence)))[None], evidence[None])
    weight = np.log(_FILLED_IN) + fit.evidence + _role(fit) + _unlikely(fit, digits)
    return InkHypothesis(float(weight[0]), fit.second[0])


def clean_grounds(paper: Floats) -> NDArray[np.intp]:
    """Return the number of the ground of each cell (81,), as on a screen; 0 for all if they aren't clean.

    *paper* (81, 3) are their colours. Clean grounds are either alike or not. Where a third one is like both
    of two that differ, light or ink made the difference.
    """
    ground = np.zeros(len(paper), np.intp)
    rest = np.arange(len(paper))
    while len(rest):
        alike = (np.abs(paper[rest] - paper[rest[0]]) <= _GROUND_STEP).all(axis=1)
        low, high = paper[rest[alike]].min(axis=0), paper[rest[alike]].max(axis=0)
        near = ((paper >= low - _GROUND_STEP) & (paper <= high + _GROUND_STEP)).all(axis=1)
        if (high - low > _GROUND_STEP).any() or np.count_nonzero(near) > np.count_nonzero(alike):
            return np.zeros_like(ground)
        ground[rest[alike]] = rest[0]
        rest = rest[~alike]
    return ground


def clues_by_ground(
    ground: NDArray[np.intp], used: NDArray[np.intp], digits: NDArray[np.intp]
) -> InkHypothesis | None:
    """Return the hypothesis that clues stand on a ground of their own, as in apps; None if no ground is.

    No blank cell has the ground of the clues, and digits on other ground are entries. A lit row, column or
    digit may hide their own ground. Then these digits count as strays, unless lit clues still differ from lit
    blanks. The log-weight is the evidence that no blank cell has the ground of the clues, against chance.

    *ground* (81,) are the grounds of all cells; *used* (N,) are the cells with *digits* (N,).
    """
    blanks = np.bincount(np.delete(ground, used), minlength=len(ground))
    grounds = ground[used]
    plain = np.where(blanks > 0, np.bincount(ground, minlength=len(ground)), 0).argmax()
    lit = (blanks[grounds] > 0) & (grounds != plain)
    clues = blanks[grounds] == 0
    own = 0
    for one in distinct(grounds[clues]):
        marks_a_digit = len(distinct(digits[grounds == one])) == 1
        clues[grounds == one] = not marks_a_digit
        lit[grounds == one] = marks_a_digit
        own += not marks_a_digit
    if own > 1:
        lit &= blanks[grounds] == 0
    count = int(np.count_nonzero(clues))
    most = count + min(count, int(np.count_nonzero(lit)))  # at least half of the clues must show
    if most < MIN_CLUES or count == len(used) or not blanks.any():
        return None
    places = np.arange(count)
    evidence = float(np.log((len(ground) - places) / (len(used) - places)).sum())
    return InkHypothesis(evidence, np.select([clues, lit], [PRINT, STRAY], 1 - PRINT))


def highlighted_digits(best: InkHypothesis, digits: NDArray[np.intp]) -> list[InkHypothesis]:
    """Return hypotheses like the *best* one, in which an app highlights a digit in the ink of the entries.

    The digit has no clue in the best hypothesis. In a proper puzzle only one digit may have none, so the
    rules will decide. There are no such hypotheses if the best one is by shape: no pen highlights a digit.
    """
    entered = best.entered
    lacking = [digit for digit in distinct(digits[entered]) if entered[digits == digit].all()]
    if best.by_shape or entered.all():
        return []
    weight = best.log_weight + float(np.log(_HIGHLIGHTED))
    return [InkHypothesis(weight, np.where(digits == digit, STRAY, best.by_hand)) for digit in lacking]


def log_odds(share: Doubles) -> Doubles:
    """Return the log-odds of probabilities."""
    return np.asarray(np.log(share) - np.log1p(-share))


def _joined(log_weights: Doubles, by_hand: Doubles) -> InkHypothesis:
    """Return hypotheses with *log_weights* (R,) and probabilities *by_hand* (R, N), joined as one."""
    total = float(np.logaddexp.reduce(log_weights))
    return InkHypothesis(total, np.asarray(np.exp(log_weights - total) @ by_hand))


def _shapes_alone(evidence: Doubles) -> float:
    """Return the log-likelihood of the shapes on a page of one ink, relative to a page of print.

    The likelihood is the mean over nine possible shares of handwriting on the page.
    """
    extents = np.linspace(_MIN_EXTENT, _MAX_EXTENT, 9)[:, None]
    logs = np.logaddexp(np.log(extents) + evidence, np.log1p(-extents)).sum(axis=1)
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


def _role(fits: TwoInkFits) -> Doubles:
    """Return log-probabilities (R,) that the first ink is that of clues: more neutral, deeper, bolder."""
    first, second = fits.centres
    hue = np.hypot(second[:, 0], second[:, 1]) - np.hypot(first[:, 0], first[:, 1])
    steps = np.stack([hue, first[:, 2] - second[:, 2], first[:, 3] - second[:, 3]])
    return np.asarray(-np.logaddexp(0, -_ROLE * np.clip(steps / _ROLE_STEP, -1, 1).sum(axis=0)))


def _unlikely(fits: TwoInkFits, digits: NDArray[np.intp], min_clues: int = MIN_CLUES) -> Doubles:
    """Return log-odds (R,): 0, or hugely negative if the two inks can't be those of clues and entries.

    * The first ink has fewer than *min_clues* digits. Then the clues may be printed in two colours.
    * One of the inks has all cells of one digit, and no others: it marks that digit, whoever wrote it.
    """
    second = fits.second > 0.5
    odds = np.where((~second).sum(axis=1) < min_clues, _IMPOSSIBLE, 0.0)
    for run in np.flatnonzero(odds == 0):
        if _marks_one_digit(second[run], digits) or _marks_one_digit(~second[run], digits):
            odds[run] = _IMPOSSIBLE
    return odds


def _marks_one_digit(part: NDArray[np.bool_], digits: NDArray[np.intp]) -> bool:
    """Return whether the cells of *part* (N,) are several, and are exactly those of one digit."""
    chosen = digits[part]
    return len(chosen) > 1 and bool((chosen == chosen[0]).all()) and bool(part[digits == chosen[0]].all())
