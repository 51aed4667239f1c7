"""Tell print from what was entered by the ink: colour, depth and stroke, over the whole page.

The classifier judges each glyph by its shape. That can't tell an app's own digits from the entered ones, for
they share a typeface; but most often one is black and the other blue. On paper, a pen or pencil is hardly
ever the printer's ink. So hypotheses about the page are weighed (``role_hypotheses``), by inks that are
measured (``ink_measurements``) and fitted (``ink_mixture``). Where some glyphs look written but repeat as
only print does, there is one more: *one ink, in a typeface that looks written*. For a typeface sets every 8
alike, up to what blur and noise do; no hand writes two that are. What an app has entered repeats as well:
similarity tells a hand from type, and not who typed. Of a page that is plainly print of one ink nothing has
to be weighed. What the ink leaves open is handed on, for the rules of sudoku to weigh
(:mod:`sudoku_vision.vision.decode.roles`).
"""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.results import DigitScores, Floats, RoleHypothesis
from sudoku_vision.sudoku.rules import FEWEST_CLUES
from sudoku_vision.vision.digits.glyphs import GLYPH, cut_glyphs
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements, measure_ink
from sudoku_vision.vision.digits.ink_mixture import Doubles
from sudoku_vision.vision.digits.role_hypotheses import (
    FEWEST_ON_FULL,
    MOST_STRAYS,
    PRINT,
    STRAY,
    InkHypothesis,
    few_given,
    hand_beside_print,
    ink_hypotheses,
    lit_like_entries,
    log_odds,
)
from sudoku_vision.vision.ranks import distinct, medians

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
