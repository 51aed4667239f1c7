"""Tell print from what was entered by the ink: colour, depth and stroke, over the whole page.

The classifier judges each glyph by its shape. That can't tell an app's own digits from the entered ones, for
they share a typeface; but most often one is black and the other blue. On paper, a pen or pencil is hardly
ever the printer's ink. So three accounts of a page are weighed:

* *one ink*, and shapes alone tell what is written;
* *two inks, the one a hand's*, where shapes and inks speak together;
* *two inks in one typeface*, where shapes say nothing and the more neutral, darker and bolder ink is the
  puzzle's; and what else apps do with their ink (:mod:`~sudoku_vision.vision.digits.role_hypotheses`).

Where some glyphs look written but repeat as only print does, there is one more: *one ink, in a typeface that
looks written* in part (``glyph_similarity``). Of a page that is plainly print of one ink
(``plain_print``) nothing has to be weighed. What the ink leaves open of all these is
handed on, for the rules of sudoku to weigh (:mod:`sudoku_vision.vision.decode.roles`).

The inks are measured (:mod:`~sudoku_vision.vision.digits.ink_measurements`) and fitted
(:mod:`~sudoku_vision.vision.digits.ink_mixture`) in modules of their own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats, RoleAccount
from sudoku_vision.sudoku.board import FEWEST_CLUES
from sudoku_vision.vision.digits.classes import EXTENTS
from sudoku_vision.vision.digits.glyph_similarity import twin_evidence
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements, measure_ink
from sudoku_vision.vision.digits.ink_mixture import (
    Doubles,
    TwoInkFits,
    beginnings,
    fit_two_inks,
    one_ink_evidence,
)
from sudoku_vision.vision.digits.lit import lit_digit, with_lit
from sudoku_vision.vision.digits.plain_print import is_plain_print
from sudoku_vision.vision.digits.role_hypotheses import (
    FEWEST_ON_FULL,
    MOST_STRAYS,
    PRINT,
    ROLE_STEP,
    TYPED,
    Account,
    few_given,
    lit_like_entries,
    marks_one_digit,
)
from sudoku_vision.vision.ranks import distinct, medians

__all__ = ["InkMeasurements", "measure_ink", "refine_written"]

_FEWEST = 5  # cells with ink from which inks are compared at all
_ONE_INK, _BY_HAND = 0.8, 0.12  # how common two of the accounts of a page are, besides TYPED
_LEAST_TYPED = 4.0  # spreads by which two inks of one typeface differ at least
_STRAY = 0.3  # probability that a digit in a colour of its own was written, where it passes for print
_PASSES = 0.1  # probability of handwriting below which a digit does
_STRAY_SPREADS = 6.0  # how far off its colour is
_STRAY_VARIETY = 1.5  # the page's own variety of hue, in median deviations, that counts as a spread
_EXTENT_STEPS = 9  # shares of handwriting that are tried for a page of one ink
_ROLE_HAND = np.array([1.5, 1.0, 0.5])  # log-odds that such a difference in hue, depth and stroke is worth
_ROLE_TYPED = np.array([6.0, 3.0, 3.0])
_IMPOSSIBLE = -100.0  # log-odds of what does not happen
_RIVAL = 14.0  # log-odds by which the ink may be wrong of roles: no rules of sudoku outweigh more
_HANDLIKE = 0.02  # how common typefaces are that look written
_DOUBTFUL = 0.04  # probability of handwriting, or of print, above which a cell is doubtful
_MOST_DOUBTFUL = 0.3  # share of cells from which the page as a whole is
_LONE_TRUST = 1.5  # exponent of the evidence of twins about a lone cell, besides that of a page's
_LONE_LIMITS = (
    -1.5,
    3.0,
)  # log-odds by which they may speak for print, as 1s by hand are alike, and for a hand
_PLAIN = 5.0  # log-odds from twins that leave no doubt of a hand
_SURE = 1e-6  # no probability of handwriting is nearer to 0 or 1 than this


def refine_written(inks: InkMeasurements, scores: DigitScores, cells: Floats | None = None) -> DigitScores:
    """Return the scores of 81 cells, their probabilities of handwriting revised in view of the inks.

    *cells* (81, S, S) float32 of clean ink are those from which the scores came; without them, nothing is
    made of glyphs that repeat.

    Digits and blanks are left as they are. A page of one ink keeps its probabilities. Where the ink leaves it
    open which digits are given, the accounts of that are handed on (``roles``).
    """
    digits = np.asarray(scores.log_probs.argmax(axis=1))
    used = np.flatnonzero((digits > 0) & (scores.log_probs[:, 0] < np.log(0.5)))
    lit = lit_digit(inks.values[used, :2], digits[used])
    if np.count_nonzero(~lit) < _FEWEST:
        return scores
    fewest = FEWEST_ON_FULL if len(used) == len(digits) else FEWEST_CLUES - int(np.count_nonzero(lit))
    refined = _refined(inks, scores, cells, used[~lit], fewest)
    return with_lit(refined, used[lit], used[~lit]) if lit.any() else refined


def _refined(
    inks: InkMeasurements,
    scores: DigitScores,
    cells: Floats | None,
    used: NDArray[np.intp],
    fewest: int,
) -> DigitScores:
    """Return the scores in view of the inks of the cells *used*; the rest as for :func:`refine_written`.

    Of those at least *fewest* are given.
    """
    digits = np.asarray(scores.log_probs.argmax(axis=1))
    if is_plain_print(inks.values[used], inks.spread[used], scores.written[used]):
        return scores
    shapes = np.clip(scores.written[used].astype(np.float64), _SURE, 1 - _SURE)
    accounts = _accounts(inks, used, shapes, digits[used], fewest)
    if cells is not None:
        accounts = _with_twins(accounts, inks, used, cells[used], digits[used])
        accounts[0] = _with_doubtful_settled(accounts[0], cells[used], digits[used])
    if fewest == FEWEST_ON_FULL:
        accounts += few_given(inks.values[used], accounts[0])
    accounts += lit_like_entries(max(accounts, key=lambda one: one.log_weight), digits[used])
    weights = np.array([account.log_weight for account in accounts])
    shares = np.exp(weights - np.logaddexp.reduce(weights))

    def on_page(by_hand: Doubles) -> Floats:
        written = scores.written.copy()
        written[used] = np.clip(by_hand, _SURE, 1 - _SURE)
        written[used[_strays(inks, used, by_hand)]] = _STRAY
        return written

    mean = on_page(np.asarray(shares @ np.stack([account.by_hand for account in accounts])))
    rivals = [account for account in accounts if _is_rival(account, weights.max())]
    if len(rivals) < 2:
        return replace(scores, written=mean)
    roles = tuple(RoleAccount(one.log_weight, on_page(one.by_hand)) for one in rivals)
    return replace(scores, written=mean, roles=roles)


def _is_rival(account: Account, best: float) -> bool:
    """Tell whether an account may be true where the *best* one has that log-weight.

    One that divides off a digit or two says no more than that these are strays.
    """
    entered = int(np.count_nonzero(account.by_hand > 0.5))
    return account.log_weight > best - _RIVAL and (account.by_shape or entered > MOST_STRAYS)


def _with_twins(
    accounts: list[Account],
    inks: InkMeasurements,
    used: NDArray[np.intp],
    cells: Floats,
    digits: NDArray[np.intp],
) -> list[Account]:
    """Return the accounts of the cells *used* (N,) in view of which glyphs repeat, if some look written.

    Two accounts more: that all is print of one ink, in a typeface that looks written at least in part; and
    that it is print of that kind and a hand besides, which twins and inks tell.
    """
    by_shape = accounts[0]
    if not (by_shape.by_hand > 0.5).any():
        return accounts
    twins = _by_twins(np.clip(by_shape.by_hand, _SURE, 1 - _SURE), cells, digits)
    if twins > _PLAIN:
        return accounts
    all_print = Account(
        by_shape.one_ink + float(np.log(_HANDLIKE)), np.full(len(digits), PRINT), by_shape=True
    )
    with_hand = _hand_beside_print(inks, used, _all_twins(cells, digits), digits)
    with_hand = with_hand._replace(log_weight=with_hand.log_weight + by_shape.looks)
    return [by_shape._replace(log_weight=by_shape.log_weight + twins), all_print, with_hand, *accounts[1:]]


def _with_doubtful_settled(by_shape: Account, cells: Floats, digits: NDArray[np.intp]) -> Account:
    """Return the account by shape, the few cells of which shape leaves open whether they are written settled.

    A lone pencil digit among print has no twin, a blurred printed one has.
    """
    by_hand = by_shape.by_hand.copy()
    doubtful = (by_hand > _DOUBTFUL) & (by_hand < 1 - _DOUBTFUL)
    if not 0 < doubtful.mean() < _MOST_DOUBTFUL:
        return by_shape
    asked = np.isin(digits, digits[doubtful])
    odds = np.zeros(len(digits))
    odds[asked] = np.clip(_LONE_TRUST * _all_twins(cells[asked], digits[asked]), *_LONE_LIMITS)
    by_hand[doubtful] = 1 / (1 + np.exp(-_log_odds(by_hand[doubtful]) - odds[doubtful]))
    return by_shape._replace(by_hand=by_hand)


def _hand_beside_print(
    inks: InkMeasurements, used: NDArray[np.intp], odds: Doubles, digits: NDArray[np.intp]
) -> Account:
    """Return the account of print that looks written, and a hand in another ink besides.

    *odds* (N,) are the log-odds by which twins speak for each cell being written.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    fit = fit_two_inks(values, spread, (1 / (1 + np.exp(-odds)))[None], odds[None])
    weight = fit.evidence + _role(fit, _ROLE_HAND) + _unlikely(fit, digits)
    return Account(float(np.log(_HANDLIKE * _BY_HAND) + weight[0]), fit.second[0], by_shape=False)


def _all_twins(cells: Floats, digits: NDArray[np.intp]) -> Doubles:
    """Return the log-odds (N,) by which twins speak for each glyph being written."""
    odds = np.zeros(len(digits))
    for digit in distinct(digits):
        odds[digits == digit] = twin_evidence(cells[digits == digit])
    return odds


def _by_twins(by_hand: Doubles, cells: Floats, digits: NDArray[np.intp]) -> float:
    """Return the log-odds by which twins speak for glyphs being written, *by_hand* (N,), against all print.

    The digits of which most look written are asked first; when a hand is plain, no further one is.
    """
    called = np.bincount(digits, by_hand > 0.5)
    twins = 0.0
    for digit in np.argsort(-called, kind="stable"):
        if not called[digit] or twins > _PLAIN:
            break
        own = digits == digit
        odds = twin_evidence(cells[own])
        twins += float(np.logaddexp(np.log1p(-by_hand[own]), np.log(by_hand[own]) + odds).sum())
    return twins


def _accounts(
    inks: InkMeasurements, used: NDArray[np.intp], shapes: Doubles, digits: NDArray[np.intp], fewest: int
) -> list[Account]:
    """Return the accounts of the inks of the cells *used* (N,): first all in which shapes have a say, as one.

    Each other one is a division of the page into two inks in one typeface. *shapes* and *digits* (N,) are
    what the classifier says; at least *fewest* are given.
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
    looks = _shapes_alone(evidence)
    one = one_ink_evidence(values, spread, used, paper) + looks
    hand_entered = hand.evidence + _role(hand, _ROLE_HAND) + _unlikely(hand, digits)
    app_entered = (
        typed.evidence + _role(typed, _ROLE_TYPED) + _unlikely(typed, digits, fewest) + _alike(typed)
    )
    by_shape = _joined(
        np.concatenate([[np.log(_ONE_INK) + one], np.log(_BY_HAND) + hand_entered]),
        np.concatenate([shapes[None], hand.second]),
    )._replace(by_shape=True, one_ink=one, looks=looks)
    return [by_shape, *_by_division(np.log(TYPED) + app_entered, typed.second)]


def _joined(log_weights: Doubles, by_hand: Doubles) -> Account:
    """Return accounts with *log_weights* (R,), which say *by_hand* (R, N) of the cells, as one."""
    total = float(np.logaddexp.reduce(log_weights))
    return Account(total, np.asarray(np.exp(log_weights - total) @ by_hand), by_shape=False)


def _by_division(log_weights: Doubles, by_hand: Doubles) -> list[Account]:
    """Return accounts (R,), those joined that divide the cells alike."""
    divisions: dict[bytes, list[int]] = {}
    for run, division in enumerate(by_hand > 0.5):
        divisions.setdefault(division.tobytes(), []).append(run)
    return [_joined(log_weights[runs], by_hand[runs]) for runs in divisions.values()]


def _strays(inks: InkMeasurements, used: NDArray[np.intp], by_hand: Doubles) -> NDArray[np.intp]:
    """Return the places in *used* (N,) of one or two digits that pass for print, in a colour of their own.

    Too few for a second ink: a wrong entry that an app shows in red, a single digit in pen. They stay print
    unless the puzzle makes no sense with them.
    """
    printed = np.flatnonzero(by_hand < _PASSES)
    if len(printed) < FEWEST_CLUES:
        return printed[:0]
    hue = inks.values[used[printed], :2].astype(np.float64)
    off = np.abs(hue - medians(hue.T))
    spread = np.maximum(inks.spread[used[printed], :2], _STRAY_VARIETY * medians(off.T))
    odd = np.linalg.norm(off / spread, axis=1) > _STRAY_SPREADS
    return printed[odd] if odd.sum() <= MOST_STRAYS else printed[:0]


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
    odds = worth @ np.clip(steps / ROLE_STEP, -1, 1)
    return np.asarray(-np.logaddexp(0, -odds))


def _alike(fits: TwoInkFits) -> Doubles:
    """Return logarithms (R,), hugely negative where two inks differ too little for an app to use both."""
    step = (fits.centres[1] - fits.centres[0]) / fits.width
    return np.where(np.sqrt((step**2).sum(axis=1)) < _LEAST_TYPED, _IMPOSSIBLE, 0.0)


def _unlikely(fits: TwoInkFits, digits: NDArray[np.intp], fewest: int = FEWEST_CLUES) -> Doubles:
    """Return logarithms (R,), hugely negative where the first ink can't be the puzzle, the second the rest.

    * It has fewer than *fewest* digits. Print of two colours is often that: clues that make a puzzle together
      only.
    * An ink that one digit has all for itself marks that digit, whoever wrote it.
    """
    second = fits.second > 0.5
    odds = np.where((~second).sum(axis=1) < fewest, _IMPOSSIBLE, 0.0)
    for run in np.flatnonzero(odds == 0):
        if marks_one_digit(second[run], digits) or marks_one_digit(~second[run], digits):
            odds[run] = _IMPOSSIBLE
    return odds
