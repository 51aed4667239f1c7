"""Distinguish the clues of a puzzle from its entries by the ink of all digits on a page.

An entry is a digit that a person wrote by hand or typed in an app. The classifier judges each glyph (the
picture of one digit) by its shape. The shape doesn't separate clues from typed entries, because an app shows
both in the same typeface. But in most apps clues and entries have different colours, mostly black and blue.
On paper, the ink of a pen or pencil hardly ever looks like the ink of the printer. So the colour, the
contrast and the stroke width of all inks are measured (``ink_measurements``). Then several hypotheses are
fitted to the measurements (``mixture``), and compared:

* *One ink*: all digits have the same ink, and only their shapes show handwriting. *Two inks, one of them
  handwriting*: shapes and inks are used together. One hypothesis, ``by_shape``, covers both cases.
* *Two inks in one typeface*: shapes aren't used. The ink that is more neutral, darker and bolder belongs to
  the clues. There is one hypothesis of this kind for each likely division of the digits into two inks.
* *Two grounds*: an app may show clues and entries in the same ink, but on different background colours. In a
  photo of a screen, the light is evened out first.
* *A highlighted digit*: an app shows all cells that hold the same digit in another colour.

Sometimes glyphs look handwritten, but resemble each other as only print does. Then there is one more
hypothesis: *one ink, in a typeface that looks like handwriting*. In a typeface all 8s are alike, except for
blur and noise. In handwriting no two 8s are alike. Typed entries are alike, too. So similarity shows that
digits aren't handwritten, but not whether they are clues or typed entries. If a page is plainly print in one
ink, no hypotheses are compared. If several hypotheses remain likely, the rules of sudoku decide
(:mod:`sudoku_vision.vision.decode.roles`).
"""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import distinct, median, medians
from sudoku_vision.sudoku.rules import MIN_CLUES
from sudoku_vision.values import Bools, Doubles, Floats
from sudoku_vision.vision.digits.cascade import EXTENTS, MIN_PROBABILITY
from sudoku_vision.vision.digits.glyphs import GLYPH, cut_glyphs
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements
from sudoku_vision.vision.digits.mixture import (
    APART,
    TwoInkFits,
    fit_two_inks,
    one_ink_evidence,
    two_ink_starts,
)
from sudoku_vision.vision.digits.turns import CLEAR_LEAD
from sudoku_vision.vision.results import DigitScores, RoleHypothesis

DOUBTFUL = (
    0.04  # a cell is doubtful if two answers, such as handwriting and print, are both likelier than this
)

# Limits that decide whether a page is plainly print in one ink. With these limits, 130 of 163 newspaper
# puzzles and 234 of 900 other pages are plain print. On plain print, the hypotheses about clues and entries
# aren't compared. When they were compared in a test, there were no entries, no strays, and no doubtful clues.
_MAX_OFF = 4.0
"""A digit has another ink if a value is more than this many expected standard deviations off the median."""
_MAX_DIVIDED = 0.85
"""A page has two inks if two groups of digits explain more than this share of the variance of ink values."""

# Numbers for the similarity of glyphs.
_LONE_TRUST = 1.5
"""The log-odds that :func:`similarity_evidence` returns for a doubtful glyph are multiplied by this."""
_LONE_LIMITS = (-1.5, 3.0)
"""Limits of the log-odds of handwriting that a doubtful glyph gets by its similarity to other glyphs.

The lower limit is nearer to 0, because similarity is no sure sign of print: handwritten 1s look alike, too.
"""
_NEITHER, _PER_UNIT = -2.7, 2.1
"""Two numbers by which the log-odds of handwriting are computed from the distance to the most similar glyph.

The log-odds are the second number times (logarithm of the distance - first number). They are 0 if the
logarithm equals the first number. The numbers were measured on 7,700 digits of 160 calendar photos, and on
160 newspaper photos. The median distance is 0.014 to 0.025 for print, and 0.15 to 0.19 for handwriting.
"""
_SLACK = 1  # when two glyphs (28 x 28 pixels) are compared, one is shifted by up to this number of pixels

PRINT = 1e-3  # probability that a digit is an entry if a hypothesis takes it for a clue
MIN_ON_FULL = 2  # fewest clues on a page without blank cells; a puzzle with extra rules may have so few
MAX_STRAYS = 2
"""Up to this number of digits in another colour are strays. If there are more, the page has a second ink."""
STRAY = 0.3
"""Probability that a stray (a single digit in another colour) is an entry.

It is low: if a stray is a clue but is taken for an entry, the puzzle may have many solutions.
"""
_FILLED_IN = 0.1  # prior probability that a page has handwritten entries; typed entries have the same prior
_ROLE = 6.0
"""Log-odds that one of two inks is that of the clues, if the inks differ by ``APART`` in one quantity.

The quantities are hue, contrast and stroke width. Smaller differences give lower log-odds. The log-odds never
exceed this number, not even for all three differences together. The reason for the limit: some apps show
clues in the more colourful ink. Then the log-odds favour the wrong ink, but the rules of sudoku can outweigh
them.
"""
_GROUND_STEP = 5.0
"""Background colours are taken for equal if each channel differs by at most this number of grey levels.

JPEG changes a colour by 1 or 2 grey levels.
"""
_NEAREST, _NOISES = 3, 4.0
"""Two numbers that decide which background colours of a photo are near each other.

For each cell, the distance of its colour to the third nearest colour of other cells is measured (the first
number is 3). The limit for near colours is the median of these distances, times the second number. So a noisy
photo has a higher limit. The limit is never below ``_GROUND_STEP``.
"""
_HIGHLIGHTED = 0.02
"""Prior probability that an app highlights a digit: all its cells are shown in the ink of the entries."""


class InkHypothesis(NamedTuple):
    """A hypothesis about which digits of a page are clues and which are entries.

    * ``log_weight``: the log-likelihood of the hypothesis, given the ink of the page.
    * ``by_hand`` (N,): for each digit, the probability that it is an entry, written or typed.
    * ``by_shape``: whether the hypothesis uses the shapes of the glyphs.
    * ``one_ink``: the log-likelihood of the page if all digits have one ink.
    * ``looks``: the part of ``one_ink`` that comes from the shapes of the glyphs.
    """

    log_weight: float
    by_hand: Doubles
    by_shape: bool = False
    one_ink: float = 0.0
    looks: float = 0.0

    @property
    def entered(self) -> Bools:
        """Whether each digit (N,) is more likely an entry than a clue."""
        return self.by_hand > 0.5


def refine_handwriting(
    inks: InkMeasurements, scores: DigitScores, cells: Floats | None = None, min_clues: int = MIN_CLUES
) -> DigitScores:
    """Revise the probabilities of handwriting of 81 cells by the *inks* of the page; return the new scores.

    *cells* (81, S, S) float32 are pictures of the cells' clean ink. If *cells* is None, the similarity of
    glyphs isn't used. If the digits have two inks, at least *min_clues* digits must have the ink of the
    clues. The probabilities of digits and blanks stay as they are. On a page of plain print, nothing changes.
    If the ink doesn't decide which digits are clues, the likely hypotheses become the ``roles`` of the
    scores.
    """
    page = np.asarray(scores.log_probs.argmax(axis=1))
    used = np.flatnonzero((page > 0) & (scores.log_probs[:, 0] < np.log(0.5)))
    values, digits = inks.values[used], page[used]
    if len(used) < MIN_ON_FULL:
        return scores
    ground = clean_grounds(inks.paper)
    by_ground = clues_by_ground(ground, used, digits)
    if by_ground is None and not ground.any():
        # Pencil marks change the measured colour of a cell's paper. So cells with marks are left out.
        clean = np.flatnonzero((scores.marks <= 0.5) | np.isin(np.arange(len(page)), used))
        by_ground = clues_by_ground(even_grounds(inks.ground)[clean], np.searchsorted(clean, used), digits)
    if by_ground is None and _is_plain_print(values, inks.spread[used], scores.written[used]):
        return scores
    shapes = np.clip(scores.written[used].astype(np.float64), MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    min_clues = MIN_ON_FULL if len(used) == len(page) else min_clues
    hypotheses = ink_hypotheses(inks, used, shapes, digits, min_clues)
    if cells is not None:
        hypotheses[:1] = _in_view_of_similarity(hypotheses[0], cells[used], digits)
    if by_ground is not None:
        one_ink = hypotheses[0].one_ink - hypotheses[0].looks + float(np.log(_FILLED_IN))
        hypotheses.append(by_ground._replace(log_weight=by_ground.log_weight + one_ink))
    hypotheses += highlighted_digits(max(hypotheses, key=lambda one: one.log_weight), digits)
    alone = np.bincount(ground)[ground[used]] == 1
    strays = [_strays(values, inks.spread[used], alone, one.by_hand) for one in hypotheses]
    return _weighed(hypotheses, strays, alone, used, scores)


def _weighed(
    hypotheses: list[InkHypothesis],
    strays: list[Bools],
    alone: Bools,
    used: NDArray[np.intp],
    scores: DigitScores,
) -> DigitScores:
    """Return *scores* with new probabilities of handwriting: the weighted mean of the *hypotheses*.

    If several hypotheses are likely, they become the ``roles`` of the scores. *used* (N,) are the cells with
    digits. *strays* holds, for each hypothesis, which digits (N,) are strays: single digits in a colour of
    their own. *alone* (N,) says which digits have a background colour that no other cell has.

    The *hypotheses* say that strays are probably clues. For each likely hypothesis with strays, one more is
    added, in which its strays are entries. But if only one hypothesis is likely, this is done only for strays
    that are True in *alone*.
    """
    weights = np.array([hypothesis.log_weight for hypothesis in hypotheses])
    shares = np.exp(weights - np.logaddexp.reduce(weights))
    best = float(weights.max())

    def on_page(by_hand: Doubles) -> Floats:
        written = scores.written.copy()
        written[used] = np.clip(by_hand, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
        return written

    by_hand = [np.where(odd, STRAY, one.by_hand) for one, odd in zip(hypotheses, strays, strict=True)]
    mean = on_page(shares @ np.stack(by_hand))
    likely = [
        (one, share, odd)
        for one, share, odd in zip(hypotheses, by_hand, strays, strict=True)
        # One or two entries in another ink are strays. So a hypothesis with so few entries isn't needed.
        if (one.by_shape or np.count_nonzero(one.entered) > MAX_STRAYS) and one.log_weight > best - CLEAR_LEAD
    ]
    roles: list[RoleHypothesis] = []
    for one, share, odd in likely:
        roles.append(RoleHypothesis(one.log_weight, on_page(share)))
        # If a stray is a wrong entry, but a hypothesis takes it for a clue, the rules of sudoku refute the
        # whole hypothesis. So one more hypothesis takes the strays for entries.
        is_open = odd if len(likely) > 1 else odd & alone
        if is_open.any():
            as_entries = np.where(is_open, 1 - PRINT, share)
            roles.append(RoleHypothesis(one.log_weight + float(np.log(STRAY)), on_page(as_entries)))
    if 0 < np.count_nonzero(mean[used] <= 0.5) < MIN_CLUES <= len(used) < len(scores.written):
        # The digits that look printed are fewer than the clues of any puzzle. So maybe the whole puzzle is
        # handwritten.
        roles = roles if len(roles) > 1 else [RoleHypothesis(best, mean)]
        one_hand = on_page(np.full(len(used), 1 - PRINT))
        roles.append(RoleHypothesis(best + float(np.log(_FILLED_IN)), one_hand))
    return replace(scores, written=mean, roles=tuple(roles) if len(roles) > 1 else ())


def _is_plain_print(values: Floats, spread: Floats, shapes: Floats) -> bool:
    """Return whether all digits surely look printed, and have the same ink.

    *values* (N, 4) are the four ink values of each digit, *spread* (N, 4) their expected standard deviations.
    The ink is the same if no value is far from the median, and if the values don't form two clusters. Even
    two clusters that lie close together must be found, because values of one ink hardly vary on a screen.
    Clusters are looked for in each of the four values. Then the values are divided by *spread*, and clusters
    are looked for in their first principal component. Each time, the numbers are split into two groups, so
    that the split explains as much of the variance as possible (N. Otsu, "A threshold selection method from
    gray-level histograms", 1979). If there are two clusters, the split explains nearly all of the variance.
    For one normal distribution, it explains 0.64 of the variance.

    *shapes* (N,) are the probabilities of handwriting that the classifier gives each digit for its shape.
    """
    off = (values - medians(values.T)) / spread
    if shapes.max() > DOUBTFUL or (np.abs(off) > _MAX_OFF).any():
        return False
    count = len(values)
    off -= off.mean(axis=0)
    along = off @ np.linalg.eigh(off.T @ off)[1][:, -1:]
    ranked = np.sort(np.hstack([values - values.mean(axis=0), along]), axis=0)
    below = np.arange(1, count)[:, None]
    between = ranked.cumsum(axis=0)[:-1] ** 2 * count / (below * (count - below))
    return bool((between.max(axis=0) <= _MAX_DIVIDED * (ranked**2).sum(axis=0)).all())


def _in_view_of_similarity(
    by_shape: InkHypothesis, cells: Floats, digits: NDArray[np.intp]
) -> list[InkHypothesis]:
    """Return the hypothesis *by_shape*, revised by the similarity of glyphs, and perhaps a second hypothesis.

    The second hypothesis is returned if the glyphs that look handwritten resemble each other as closely as
    printed glyphs do. In the second hypothesis, the whole page is print in one ink, and its typeface looks
    like handwriting.

    In *by_shape*, only the probabilities of doubtful glyphs are revised: those that look neither clearly
    printed nor clearly handwritten. A doubtful glyph that resembles no other glyph may be a pencil digit
    among print. A doubtful glyph that resembles others may be a blurred printed digit.

    *cells* (N, S, S) are pictures of the clean ink of N cells. *digits* (N,) are the digits that were read.
    """
    entered = by_shape.entered
    doubtful = (by_shape.by_hand > DOUBTFUL) & (by_shape.by_hand < 1 - DOUBTFUL)
    if not (entered | doubtful).any():
        return [by_shape]
    evidence = np.zeros(len(digits))
    for digit in distinct(digits):
        evidence[digits == digit] = similarity_evidence(cells[digits == digit])
    found = [by_shape]
    if entered.any():
        by_hand = np.clip(by_shape.by_hand, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
        compared = np.isin(digits, digits[entered])
        hand = float(np.logaddexp(np.log1p(-by_hand), np.log(by_hand) + evidence)[compared].sum())
        if hand <= 0:
            all_print = InkHypothesis(by_shape.one_ink, np.full(len(digits), PRINT), by_shape=True)
            found = [by_shape._replace(log_weight=by_shape.log_weight + hand), all_print]
    revised = by_shape.by_hand.copy()
    odds = log_odds(revised[doubtful]) + np.clip(_LONE_TRUST * evidence[doubtful], *_LONE_LIMITS)
    revised[doubtful] = 1 / (1 + np.exp(-odds))
    found[0] = found[0]._replace(by_hand=revised)
    return found


def _strays(values: Floats, spread: Floats, alone: Bools, by_hand: Doubles) -> Bools:
    """Return which digits (N,) are strays: they look printed, but have another colour than the other digits.

    A stray may be a wrong entry that an app shows in red, or a single digit in pen. It may also be the digit
    in the selected cell of an app. *alone* (N,) says which digits have a background colour that no other cell
    has. If these digits look printed, they are strays, too. If there are three or more strays in all, they
    are taken for digits in a second ink, and the result has no strays. Later, strays are taken for clues if
    this gives a puzzle with exactly one solution.
    """
    printed = by_hand <= 0.5
    if np.count_nonzero(printed) < MIN_CLUES:
        return np.zeros_like(printed)
    hue = values[:, :2].astype(np.float64)
    off = np.abs(hue - medians(hue[printed].T))
    usual = np.maximum(spread[:, :2], medians(off[printed].T))
    odd = printed & (alone | (np.linalg.norm(off / usual, axis=1) > _MAX_OFF))
    return odd if np.count_nonzero(odd) <= MAX_STRAYS else np.zeros_like(odd)


def similarity_evidence(cells: Floats) -> Doubles:
    """Return the log-odds (N,) of handwriting for N glyphs of the same digit, by their similarity.

    *cells* (N, S, S) float32 are pictures of the clean ink of the N cells that hold this digit. If there is
    only one cell, its log-odds are 0.
    """
    if len(cells) < 2:
        return np.zeros(len(cells))
    logs = np.log(np.maximum(glyph_distances(cut_glyphs(cells).images), TINY))
    return np.asarray(_PER_UNIT * (logs - _NEITHER))


def glyph_distances(images: Floats) -> Doubles:
    """Return the distance (N,) from each glyph to the most similar other glyph.

    *images* (N, 28, 28) are normalised glyphs of the same digit. The distance of two glyphs is 1 minus their
    correlation coefficient. One of them is shifted by up to one pixel, so that the coefficient is highest.
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
    """Return the hypotheses about which digits are entries.

    *used* (N,) are the cells with digits. *digits* (N,) are the digits that the classifier read, and *shapes*
    (N,) are its probabilities of handwriting. The first hypothesis uses the shapes of glyphs. It covers two
    cases: all digits have one ink, or handwritten entries have a second ink. In each further hypothesis, the
    digits have one typeface but two inks: one for at least *min_clues* clues, one for entries.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    # *shapes* include a prior: the share of handwriting on the page. The prior is removed here.
    extent = float(np.clip(shapes.mean(), EXTENTS[0], EXTENTS[-1]))
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
    for run in np.flatnonzero(app_entered > -np.inf).tolist():
        divisions.setdefault((typed.second[run] > 0.5).tobytes(), []).append(run)
    return [by_shape, *(_joined(app_entered[same], typed.second[same]) for same in divisions.values())]


def clean_grounds(paper: Floats) -> NDArray[np.intp]:
    """Group the cells by their background colour (ground); return the number (81,) of each cell's group.

    *paper* (81, 3) are the background colours. On a screen, two colours are either clearly alike or clearly
    different. On other pages, light or ink changes the colours. Then a colour may be similar to two colours
    that differ clearly from each other. In this case no groups can be formed, and all numbers are 0.
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


def even_grounds(paper: Floats) -> NDArray[np.intp]:
    """Group the cells of a photo by background colour (ground); return the number (81,) of each cell's group.

    *paper* (81, 3) are the background colours. First the light is evened out. It is assumed to change
    linearly over the grid. Its slope is the mean difference between neighbouring cells with nearly the same
    colour. Then the values of each colour channel are sorted. If no channel has a clear gap with at least
    :data:`MIN_CLUES` cells on either side, there are no groups, and all numbers are 0. Otherwise two cells
    are in one group if their colours are near, or if a chain of near colours connects them.
    """
    board, light = paper.reshape(9, 9, 3), np.ones((9, 9, 3))
    for axis, place in enumerate(np.mgrid[-4:5, -4:5]):
        steps = np.diff(board, axis=axis).reshape(-1, 3)
        same = (np.abs(steps - medians(steps.T)) <= _GROUND_STEP).all(axis=1)
        slope = steps[same].sum(axis=0) / max(1, np.count_nonzero(same))
        light += place[..., None] * slope / np.maximum(paper.mean(axis=0), 1)
    even = paper / np.maximum(light, 0.1).reshape(-1, 3).astype(np.float32)
    gaps = np.diff(np.sort(even, axis=0), axis=0)[MIN_CLUES - 1 : 1 - MIN_CLUES]
    if gaps.max() <= _GROUND_STEP:
        return np.zeros(len(paper), np.intp)
    apart = np.abs(even[:, None] - even).max(axis=2)
    near = apart <= max(_GROUND_STEP, _NOISES * median(np.sort(apart, axis=1)[:, _NEAREST]))
    ground, linked = np.arange(len(paper)), near.argmax(axis=1)
    while (linked != ground).any():
        ground, linked = linked, np.where(near, linked, len(paper)).min(axis=1)
    return ground


def clues_by_ground(
    ground: NDArray[np.intp], used: NDArray[np.intp], digits: NDArray[np.intp]
) -> InkHypothesis | None:
    """Return the hypothesis that clues have a background colour (ground) of their own, as in some apps.

    If the hypothesis is true, no blank cell has the ground of the clues, and digits on other grounds are
    entries. The log-weight is minus the logarithm of the probability that chance alone leaves no blank cell
    with this ground. The result is None if clues have no ground of their own. *ground* (C,) is the number of
    each cell's ground. *used* (N,) are the cells with *digits* (N,).

    Some apps highlight a row, a column, or all cells that hold the same digit, by another ground. Then a
    highlighted digit is an entry with the probability :data:`STRAY`. But if highlighted clues and highlighted
    blank cells have different grounds, the ground shows which highlighted digits are clues.
    """
    cells = np.bincount(ground)
    blanks = np.bincount(np.delete(ground, used), minlength=len(cells))
    grounds = ground[used]
    plain = np.where(blanks > 0, cells, 0).argmax()
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
    most = count + min(count, int(np.count_nonzero(lit)))  # assumed: at most half the clues are highlighted
    if most < MIN_CLUES or count == len(used) or not blanks.any():
        return None
    places = np.arange(count)
    evidence = float(np.log((len(ground) - places) / (len(used) - places)).sum())
    return InkHypothesis(evidence, np.select([clues, lit], [PRINT, STRAY], 1 - PRINT))


def highlighted_digits(best: InkHypothesis, digits: NDArray[np.intp]) -> list[InkHypothesis]:
    """Return hypotheses like the *best* one, but in each of them an app highlights all cells with one digit.

    The app shows the highlighted cells in the ink of the entries. So the best hypothesis takes all of these
    cells for entries, and no clue has this digit. There is one new hypothesis for each digit that no clue
    has. In a puzzle with exactly one solution, at most one of the digits 1..9 is missing among the clues. So
    the rules of sudoku will decide between the hypotheses. The list is empty if the best hypothesis uses the
    shapes of the glyphs (``by_shape``), because its entries are handwriting on paper, where no app highlights
    digits.
    """
    entered = best.entered
    lacking = [digit for digit in distinct(digits[entered]) if entered[digits == digit].all()]
    if best.by_shape or entered.all():
        return []
    weight = best.log_weight + float(np.log(_HIGHLIGHTED))
    return [InkHypothesis(weight, np.where(digits == digit, STRAY, best.by_hand)) for digit in lacking]


def log_odds(share: Doubles) -> Doubles:
    """Return the natural log-odds of the probabilities *share*: log(p / (1 - p)) for each probability p."""
    return np.asarray(np.log(share) - np.log1p(-share))


def _joined(log_weights: Doubles, by_hand: Doubles) -> InkHypothesis:
    """Combine R hypotheses into one, with the sum of their weights and the weighted mean of *by_hand*.

    *log_weights* (R,) are the logarithms of the weights. *by_hand* (R, N) holds, for each hypothesis, the
    probability that each digit is an entry.
    """
    total = float(np.logaddexp.reduce(log_weights))
    return InkHypothesis(total, np.asarray(np.exp(log_weights - total) @ by_hand))


def _shapes_alone(evidence: Doubles) -> float:
    """Return the log-likelihood of the glyphs' shapes if the page has one ink.

    It is relative to the log-likelihood of the same shapes on a page that is all print. *evidence* (N,) holds
    the log-odds of handwriting for each glyph by its shape. The page's share of handwriting isn't known, so
    the likelihood is the mean over nine possible shares.
    """
    extents = np.linspace(EXTENTS[0], EXTENTS[-1], 9)[:, None]
    logs = np.logaddexp(np.log(extents) + evidence, np.log1p(-extents)).sum(axis=1)
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


def _role(fits: TwoInkFits) -> Doubles:
    """Return, for each of R fits of two inks, the log-probability that the first ink is that of the clues.

    The probability is higher if the first ink is more neutral in colour than the second ink, if its contrast
    is higher, and if its strokes are wider. If one difference speaks for the first ink and another one for
    the second ink, they cancel out.
    """
    first, second = fits.centres
    hue = np.hypot(second[:, 0], second[:, 1]) - np.hypot(first[:, 0], first[:, 1])
    steps = np.stack([hue, first[:, 2] - second[:, 2], first[:, 3] - second[:, 3]])
    agreed = np.clip(np.clip(steps / APART, -1, 1).sum(axis=0), -1, 1)
    return np.asarray(-np.logaddexp(0, -_ROLE * agreed))


def _unlikely(fits: TwoInkFits, digits: NDArray[np.intp], min_clues: int = MIN_CLUES) -> Doubles:
    """Return -inf for each of R fits whose two inks can't be those of clues and entries, and 0 for others.

    There are two reasons for -inf:

    * The first ink, that of the clues, has fewer than *min_clues* digits. But the puzzle has at least this
      number of clues, so they may be printed in two colours.
    * The cells with one of the inks are exactly the cells with one digit, for example all 5s. Then an app
      highlights this digit, in clues and in entries.
    """
    second = fits.second > 0.5
    odds = np.where((~second).sum(axis=1) < min_clues, -np.inf, 0.0)
    for run in np.flatnonzero(odds == 0):
        if _marks_one_digit(second[run], digits) or _marks_one_digit(~second[run], digits):
            odds[run] = -np.inf
    return odds


def _marks_one_digit(part: Bools, digits: NDArray[np.intp]) -> bool:
    """Return whether *part* (N,) selects exactly the cells with one digit, for example all 5s.

    The result is False if there is only one such cell.
    """
    chosen = digits[part]
    return len(chosen) > 1 and bool((chosen == chosen[0]).all()) and bool(part[digits == chosen[0]].all())
