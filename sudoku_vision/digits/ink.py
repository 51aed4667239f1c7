"""Tell print from what was entered by the ink: colour, depth and stroke, over the whole page.

The classifier judges each glyph by its shape. That can't tell an app's given digits from the entered ones,
for they share a typeface; but most often one is black and the other blue. On paper, a pen or pencil is hardly
ever the printer's ink. So:

* :func:`measure_ink` describes the ink of every cell, against the cell's own paper, by quantities that blur,
  light and the thickness of a stroke change little;
* :func:`refine_written` weighs three accounts of the page: *one ink*, and shapes alone tell what is written;
  *two inks, the one a hand's*, where shapes and inks speak together; *two inks in one typeface*, where shapes
  say nothing and the more neutral, darker and bolder ink is the given one.

Each of two inks is a Student t distribution, robust against dirt, with unknown centre and spread; they are
fitted by expectation and maximisation from several beginnings, and compared by their evidence after Laplace
(D. MacKay, "Information Theory, Inference, and Learning Algorithms", 2003, chapters 22 and 28; D. Peel,
G. McLachlan, "Robust mixture modelling using the t distribution", 2000).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import lgamma
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats, Image

Doubles = NDArray[np.float64]

_RIM = 0.12  # share of a cell on each side where lines may still show
_COARSE = 10  # side of a cell, in pixels, where its paper is looked for
_LEAST_PEAK = 0.12  # weakest ink, against the page's full ink, that is measured
# Shares of the cell's strongest ink from which a pixel belongs to a stroke's core, or to its edge.
_STRONG, _WIDE = 0.6, 0.4
_RAMP = 0.2  # share of the strongest ink over which a pixel comes to count fully
_DARKEST_PAPER, _DARKEST_INK = 20.0, 40.0  # grey levels below which ratios mean nothing
_BRIGHTEST = 90.0  # percentile of the ink of a page in light digits that stands for white
_LUMINANCE = np.array([0.114, 0.587, 0.299], np.float32)  # of blue, green, red (ITU-R BT.601)

_HUE_SPREAD = 0.035  # of the hue of one ink within a page of clean print (median of 160 photos: 0.04)
_HUE_NOISE = 2.0  # grey levels of noise of paper and camera, which dark and pale pictures suffer from
_DEPTH_SPREAD, _STROKE_SPREAD = 0.09, 0.09  # of logarithms, likewise
_UNEVEN = 2.0  # how much of the paper's own variety of colour, as on crumpled pages, goes for that of inks
_NEAR_PAPER = 0.03  # papers that differ less in colour are alike
_NO_IDEA = 5.0  # spread where a quantity says nothing

_FREEDOM = 6.0  # degrees of freedom of the t distributions: some digits are smeared or crossed by a line
_SPREAD_TRUST = 6.0  # how many cells the expected spreads are worth
_CREDIT = 0.65  # exponent of the evidence of inks: what blurs or shades one cell does so to its neighbours
_APART = np.array([0.8, 0.8, 0.4, 0.3])  # how far two inks differ in hue (twice), depth and stroke
_ROUNDS = 6  # of expectation and maximisation
_FEWEST = 5  # cells with ink from which inks are compared at all
_ONE_INK, _BY_HAND, _TYPED = 0.8, 0.12, 0.08  # how common the three accounts of a page are
_LEAST_TYPED = 4.0  # spreads by which two inks of one typeface differ at least
_STRAY = 0.1  # probability that a digit in a colour of its own was written
_STRAY_SPREADS, _MOST_STRAYS = 6.0, 2  # how far off its colour is, and how many there are at most
_EXTENTS = (0.002, 0.998)  # least and most share of a page that the classifier takes for written
_ROLE_STEP = 0.3  # difference of two inks in hue, depth or stroke that tells their roles for sure
_ROLE_HAND = np.array([1.5, 1.0, 0.5])  # log-odds that such a difference in hue, depth and stroke is worth
_ROLE_TYPED = np.array([6.0, 3.0, 3.0])
_FEWEST_CLUES = 17  # of a proper puzzle (G. McGuire, B. Tugemann, G. Civario, 2012)
_IMPOSSIBLE = -100.0  # log-odds of what does not happen
_SURE = 1e-6  # no verdict is more certain than this


@dataclass(frozen=True, eq=False)
class InkMeasurements:
    """The ink of 81 cells: ``values`` and ``spread`` (81, 4), ``paper`` (81,), all float32.

    The columns of ``values`` are two hues (how much more blue, and more red, than green the ink takes away
    from its paper, or adds to it where paper is dark; 0 for black, white and grey, about 1 for a strong
    colour), the logarithm of its depth (its contrast) and that of its stroke (its width in cells). ``spread``
    is the standard deviation expected of each within one ink; it is large where a cell tells little.
    ``paper`` is the logarithm of the brightness of each cell's paper, in grey levels.
    """

    values: Floats
    spread: Floats
    paper: Floats

    def __post_init__(self) -> None:
        """Check the shapes."""
        shapes = {"values": (81, 4), "spread": (81, 4), "paper": (81,)}
        for name, shape in shapes.items():
            found = getattr(self, name).shape
            if found != shape:
                raise ValueError(f"{name} must have shape {shape}, got {found}")

    def turned(self, quarter_turns: int) -> InkMeasurements:
        """The same inks in the reading order of the grid turned counter-clockwise by quarter turns."""
        order = np.rot90(np.arange(81).reshape(9, 9), quarter_turns).ravel()
        return InkMeasurements(self.values[order], self.spread[order], self.paper[order])


def measure_ink(cells: Image, ink: Floats) -> InkMeasurements:
    """Measure the ink of cells: straightened, (81, S, S, 3) uint8 BGR, and evened, (81, S, S) float32.

    * *Hue*: the difference to the paper, added up over the glyph and its surroundings, so that blur and the
      coarse colours of JPEG, which only move colour about, leave it as it is; relative to the paper, channel
      by channel, so that the light's colour cancels out.
    * *Depth*: the same difference, but over the cores of the strokes, where it is deepest.
    * *Stroke*: twice the amount of ink by the length of the strokes' outlines.
    """
    rim = round(_RIM * ink.shape[1])
    inner = ink[:, rim:-rim, rim:-rim]
    count, pixels = len(inner), inner[0].size
    flat = inner.reshape(count, pixels)
    place = max(2, pixels // 50)
    peak = np.partition(flat, -place, axis=1)[:, -place]
    relative = flat / np.maximum(peak, _LEAST_PEAK)[:, None]
    core = np.clip((relative - _STRONG) / _RAMP, 0, 1)
    glyph = _widened(np.clip((relative - _WIDE) / _RAMP, 0, 1), inner.shape)
    colours = cells[:, rim:-rim, rim:-rim].reshape(count, pixels, 3).astype(np.float32)
    summed = np.matmul(np.stack([core, glyph], axis=1), colours)
    weight = np.stack([core.sum(axis=1), glyph.sum(axis=1)], axis=1)
    mean = summed / np.maximum(weight, 1e-3)[:, :, None]

    paper = _paper(cells)
    darker = mean[:, 0] @ _LUMINANCE < paper @ _LUMINANCE
    light = 2 * np.count_nonzero(darker[peak > _LEAST_PEAK]) >= np.count_nonzero(peak > _LEAST_PEAK)
    scale = _scale(paper, mean[peak > _LEAST_PEAK, 0], bool(light))
    taken = np.abs((paper[:, None] - mean) / scale[:, None])
    signed = (paper - mean[:, 1]) / scale
    total = signed.mean(axis=1)
    total = np.where(np.abs(total) < 1e-3, 1e-3, total)
    depth = np.maximum(taken[:, 0].mean(axis=1), 1e-2)
    hues = (signed[:, [0, 2]] - signed[:, 1:2]) / total[:, None]
    stroke = _stroke((np.maximum(relative, 0) * glyph).reshape(inner.shape)) / ink.shape[1]
    values = np.column_stack([hues, np.log(depth), np.log(np.maximum(stroke, 1e-3))])
    odd = _odd_paper(paper, scale, bool(light))
    spread = _spread(depth * (scale @ _LUMINANCE), odd, (darker == light) & (peak > _LEAST_PEAK / 2))
    brightness = np.log(np.maximum(paper @ _LUMINANCE, 1)).astype(np.float32)
    return InkMeasurements(np.clip(values, -4, 4).astype(np.float32), spread, brightness)


def refine_written(inks: InkMeasurements, scores: DigitScores) -> DigitScores:
    """What the classifier says of 81 cells, its verdicts of handwriting revised in view of the inks.

    Digits and blanks are left as they are. A page of one ink keeps its verdicts.
    """
    digits = np.asarray(scores.log_probs.argmax(axis=1))
    used = np.flatnonzero((digits > 0) & (scores.log_probs[:, 0] < np.log(0.5)))
    if len(used) < _FEWEST:
        return scores
    shapes = np.clip(scores.written[used].astype(np.float64), _SURE, 1 - _SURE)
    verdicts = _weighed(inks, used, shapes, digits[used])
    verdicts[_strays(inks, used, verdicts)] = _STRAY
    written = scores.written.copy()
    written[used] = np.clip(verdicts, _SURE, 1 - _SURE)
    return replace(scores, written=written)


def _weighed(
    inks: InkMeasurements, used: NDArray[np.intp], shapes: Doubles, digits: NDArray[np.intp]
) -> Doubles:
    """The probabilities (N,) that the cells *used* (N,) were written, all accounts of the page weighed.

    *shapes* and *digits* (N,) are what the classifier says of them.
    """
    values, spread = inks.values[used].astype(np.float64), inks.spread[used].astype(np.float64)
    evidence = _shape_evidence(shapes)
    starts = _beginnings(values, spread, shapes)
    runs = len(starts)
    fits = _fit(
        values,
        spread,
        np.concatenate([starts, 1 - starts, starts]),
        np.repeat([evidence, np.zeros(len(shapes))], [2 * runs, runs], axis=0),
    )
    hand, typed = fits.part(slice(2 * runs)), fits.part(slice(2 * runs, None))
    typed = typed.with_mirrored()
    one = _evidence_of_one(values, spread, used, inks.paper[used].astype(np.float64)) + _shapes_alone(
        evidence
    )
    by_hand = hand.evidence + _role(hand, _ROLE_HAND) + _unlikely(hand, digits)
    by_app = typed.evidence + _role(typed, _ROLE_TYPED) + _unlikely(typed, digits) + _alike(typed)
    weights = np.concatenate([[np.log(_ONE_INK) + one], np.log(_BY_HAND) + by_hand, np.log(_TYPED) + by_app])
    weights = np.exp(weights - weights.max())
    return np.asarray(weights @ np.concatenate([shapes[None], hand.second, typed.second]) / weights.sum())


def _strays(inks: InkMeasurements, used: NDArray[np.intp], verdicts: Doubles) -> NDArray[np.intp]:
    """The places in *used* (N,) of one or two digits that pass for print, in a colour of their own.

    Too few for a second ink: a wrong entry that an app shows in red, a single digit in pen. They stay print
    unless the puzzle makes no sense with them.
    """
    printed = np.flatnonzero(verdicts < _STRAY)
    if len(printed) < _FEWEST_CLUES:
        return printed[:0]
    hue = inks.values[used[printed], :2].astype(np.float64)
    off = np.abs(hue - np.median(hue, axis=0))
    spread = np.maximum(inks.spread[used[printed], :2], 1.5 * np.median(off, axis=0))
    odd = np.linalg.norm(off / spread, axis=1) > _STRAY_SPREADS
    return printed[odd] if odd.sum() <= _MOST_STRAYS else printed[:0]


# Measuring.


def _paper(cells: Image) -> Floats:
    """The colour of the paper of each cell, (81, 3): the median over a coarse view of its inside."""
    size = cells.shape[1]
    rows = cells.reshape(81 * size, size, 3)
    coarse = cv2.resize(rows, (_COARSE, 81 * _COARSE), interpolation=cv2.INTER_AREA)
    inside = coarse.reshape(81, _COARSE, _COARSE, 3)[:, 1:-1, 1:-1].reshape(81, -1, 3)
    middle = inside.shape[1] // 2
    return np.partition(inside, middle, axis=1)[:, middle].astype(np.float32)


def _widened(glyph: Floats, shape: tuple[int, ...]) -> Floats:
    """The glyphs (81, P) with one more pixel all round; *shape* is that of the cells, (81, R, R)."""
    strip = np.ascontiguousarray(glyph.reshape(shape).transpose(1, 2, 0))
    wide = cv2.dilate(strip, np.ones((3, 3), np.uint8))
    return np.ascontiguousarray(wide.transpose(2, 0, 1)).reshape(glyph.shape).astype(np.float32)


def _scale(paper: Floats, ink: Floats, light: bool) -> Floats:
    """What differences are measured against, (81, 3): the cell's paper; where dark, the brightest ink."""
    if light:
        return np.maximum(paper, _DARKEST_PAPER)
    brightest = max(_DARKEST_INK, float(np.percentile(ink @ _LUMINANCE, _BRIGHTEST)))
    return np.full_like(paper, brightest)


def _odd_paper(paper: Floats, scale: Floats, light: bool) -> Floats:
    """How much the paper's colour differs from that of the page's other cells, (81,); brightness aside."""
    against = np.maximum(paper @ _LUMINANCE, _DARKEST_PAPER)[:, None] if light else scale
    tone = paper / against
    odd = np.abs(tone - np.median(tone, axis=0)).max(axis=1)
    return np.asarray(np.hypot(np.maximum(odd - _NEAR_PAPER, 0), _UNEVEN * np.median(odd)), np.float32)


def _stroke(glyph: Floats) -> Floats:
    """The width of strokes in pixels, (81,): twice the ink of glyphs (81, R, R) by their outlines' length."""
    across = np.abs(np.diff(glyph, axis=2)).sum(axis=(1, 2))
    down = np.abs(np.diff(glyph, axis=1)).sum(axis=(1, 2))
    return np.asarray(2 * glyph.sum(axis=(1, 2)) / np.maximum(np.hypot(across, down), 1e-3), np.float32)


def _spread(contrast: Floats, odd: Floats, told: NDArray[np.bool_]) -> Floats:
    """The standard deviations (81, 4) to be expected.

    *contrast* (81,) is that of the ink in grey levels, *odd* how unusual the paper's colour is, and *told*
    where the cell says anything.
    """
    hue = np.sqrt(_HUE_SPREAD**2 + (_HUE_NOISE / contrast) ** 2 + odd**2)
    deep = np.hypot(_DEPTH_SPREAD, odd / 2)
    spread = np.column_stack([hue, hue, deep, np.full(len(odd), _STROKE_SPREAD)])
    return np.where(told[:, None], spread, _NO_IDEA).astype(np.float32)


# Telling inks apart.


class _Fits(NamedTuple):
    """Two inks fitted from R beginnings.

    ``evidence`` (R,): how likely the inks are so, as a natural logarithm; ``second`` (R, N): the probability
    that a cell bears the second ink; ``centres`` (2, R, 4) of the two; ``width`` (R, 4): their mean spread.
    """

    evidence: Doubles
    second: Doubles
    centres: Doubles
    width: Doubles

    def part(self, runs: slice) -> _Fits:
        """Some of the runs."""
        return _Fits(self.evidence[runs], self.second[runs], self.centres[:, runs], self.width[runs])

    def with_mirrored(self) -> _Fits:
        """Every run, and again with the first ink for the second."""
        return _Fits(
            np.tile(self.evidence, 2),
            np.concatenate([self.second, 1 - self.second]),
            np.concatenate([self.centres, self.centres[::-1]], axis=1),
            np.tile(self.width, (2, 1)),
        )


class _Estimate(NamedTuple):
    """K inks in each of R runs: centres and scales (K, R, 4), amounts (K, R, 1) in cells, log-densities.

    ``scales`` multiply the squares of the expected spreads. ``density`` (K, R, N) leaves out what is the same
    for all inks. ``squares`` (K, R, N, 4) are distances to the centres, in spreads and squared.
    """

    centres: Doubles
    scales: Doubles
    amounts: Doubles
    density: Doubles
    squares: Doubles

    @property
    def robust(self) -> Doubles:
        """Weights (K, R, N, 4) of the cells in the next round, low for outliers."""
        return (_FREEDOM + 1) / (_FREEDOM + self.squares)


def _estimate(values: Doubles, precision: Doubles, share: Doubles, robust: Doubles | float) -> _Estimate:
    """One round of maximisation: t distributions of cells (N, 4) that belong to inks by *share* (K, R, N)."""
    weight = share[..., None] * robust
    pull = weight * precision
    centres = (pull * values).sum(axis=2) / np.maximum(pull.sum(axis=2), 1e-9)
    squares = (values - centres[:, :, None]) ** 2 * precision
    amounts = share.sum(axis=2)[..., None]
    scales = (_SPREAD_TRUST + (weight * squares).sum(axis=2)) / (_SPREAD_TRUST + amounts)
    squares /= scales[:, :, None]
    tails = np.log1p(squares / _FREEDOM).sum(axis=3)
    density = _CREDIT * (-np.log(scales).sum(axis=2)[..., None] / 2 - (_FREEDOM + 1) / 2 * tails)
    return _Estimate(centres, scales, amounts, density, squares)


def _evidence_of_one(values: Doubles, spread: Doubles, places: NDArray[np.intp], paper: Doubles) -> float:
    """How likely the inked cells (N, 4) are if all bear one ink, as a natural logarithm.

    Each quantity may be the same all over the page, or change with the brightness of the *paper* (N,), as
    that of coloured ink does in shaded boxes, or also smoothly with the *places* (N,), as light and focus do.
    """
    shade = (paper - paper.mean())[:, None]
    steady, changing = _smooth(places, 0), _smooth(places, 2)
    best = np.full(values.shape[1], -np.inf)
    for basis in (steady, np.hstack([steady, shade]), np.hstack([changing, shade])):
        cost = (basis.shape[1] - 1) / 2 * np.log(len(places))
        best = np.maximum(best, _trend_evidence(values, spread, basis) - cost)
    return float(best.sum())


def _smooth(places: NDArray[np.intp], degree: int) -> Doubles:
    """Polynomials of row and column up to *degree* at cells (N,): (N, B)."""
    rows, columns = places // 9 / 4 - 1.0, places % 9 / 4 - 1.0
    powers = [(i, total - i) for total in range(degree + 1) for i in range(total + 1)]
    return np.stack([rows**i * columns**j for i, j in powers], axis=1)


def _trend_evidence(values: Doubles, spread: Doubles, basis: Doubles) -> Doubles:
    """Log-likelihoods (4,) of cells (N, 4) about a smooth surface, robustly fitted; see :func:`_estimate`."""
    robust: Doubles | float = 1.0
    for _ in range(_ROUNDS):
        weight = (robust * spread**-2).T[:, None]
        normal = (basis.T * weight) @ basis + 1e-6 * np.eye(basis.shape[1])
        pull = (basis.T * weight) @ values.T[:, :, None]
        surface = basis @ np.linalg.solve(normal, pull)
        squares = (values - surface[:, :, 0].T) ** 2 * spread**-2
        scales = (_SPREAD_TRUST + (robust * squares).sum(axis=0)) / (_SPREAD_TRUST + len(values))
        squares /= scales
        robust = (_FREEDOM + 1) / (_FREEDOM + squares)
    tails = np.log1p(squares / _FREEDOM).sum(axis=0)
    likelihood = -len(values) * np.log(scales) / 2 - (_FREEDOM + 1) / 2 * tails
    return np.asarray(_CREDIT * likelihood + _spread_prior(scales, len(values)))


def _fit(values: Doubles, spread: Doubles, starts: Doubles, shapes: Doubles) -> _Fits:
    """Fit two inks to cells (N, 4) from shares of the second ink (R, N).

    *shapes* (R, N) are the log-odds by which shapes speak for the second ink.
    """
    share = np.stack([1 - starts, starts])
    robust: Doubles | float = 1.0
    for _ in range(_ROUNDS):
        found = _estimate(values, spread**-2, share, robust)
        logs = found.density + np.log((found.amounts + 0.5) / (len(values) + 1))
        logs[1] += shapes
        total = np.logaddexp(logs[0], logs[1])
        share, robust = np.exp(logs - total), found.robust
    width = np.median(spread, axis=0)
    error = found.scales[1] * width**2 / np.maximum(found.amounts[1], 1)  # of the second ink's centre
    step = found.centres[1] - found.centres[0]
    centre = np.log(error / _APART**2) / 2 - (step / _APART) ** 2 / 2
    evidence = total.sum(axis=1) - np.log(len(values))
    evidence += _spread_prior(found.scales, found.amounts).sum(axis=(0, 2)) + centre.sum(axis=1)
    return _Fits(evidence, share[1], found.centres, width * np.sqrt(found.scales.mean(axis=0)))


def _spread_prior(scales: Doubles, amounts: Doubles | float) -> Doubles:
    """Logarithms of how likely the spreads are beforehand, times how well *amounts* of cells pin them down.

    The prior is a scaled inverse chi-square distribution about the expected spreads.
    """
    half = _SPREAD_TRUST / 2
    prior = half * np.log(half) - lgamma(half) - half * (np.log(scales) + 1 / scales)
    return np.asarray(prior + np.log(4 * np.pi / (_SPREAD_TRUST + amounts)) / 2)


def _beginnings(values: Doubles, spread: Doubles, shapes: Doubles) -> Doubles:
    """Where to begin (5, N): as shapes say, and the best divisions by each hue, by depth and by stroke."""
    return np.stack(
        [shapes, *(_divided(column, weight) for column, weight in zip(values.T, spread.T**-2, strict=True))]
    )


def _divided(values: Doubles, weight: Doubles) -> Doubles:
    """The division of numbers (N,) in two that leaves the least squares: 1 for the upper part."""
    order = np.argsort(values, kind="stable")
    mass, pull = np.cumsum(weight[order]), np.cumsum((weight * values)[order])
    low, high = pull[:-1] ** 2 / mass[:-1], (pull[-1] - pull[:-1]) ** 2 / (mass[-1] - mass[:-1])
    upper = np.zeros(len(values))
    upper[order[int(np.argmax(low + high)) + 1 :]] = 1.0
    return upper


# What shapes and roles say.


def _shape_evidence(shapes: Doubles) -> Doubles:
    """The log-odds (N,) by which each cell's own shape speaks for a hand.

    The classifier's verdicts have the share of written cells of the page in them, which is taken out again.
    """
    extent = float(np.clip(shapes.mean(), *_EXTENTS))
    return np.asarray(_log_odds(shapes) - _log_odds(np.array(extent)))


def _shapes_alone(evidence: Doubles) -> float:
    """How likely the shapes are on a page of one ink, against all print: any share of it may be written."""
    extents = np.linspace(*_EXTENTS, 9)[:, None]
    logs = np.logaddexp(np.log(extents) + evidence, np.log1p(-extents)).sum(axis=1)
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


def _log_odds(share: Doubles) -> Doubles:
    return np.asarray(np.log(share) - np.log1p(-share))


def _role(fits: _Fits, worth: Doubles) -> Doubles:
    """Logarithms (R,) of how likely the first ink is the given one: more neutral, deeper, bolder.

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


def _alike(fits: _Fits) -> Doubles:
    """Logarithms (R,), hugely negative where two inks differ too little for an app to use both."""
    step = (fits.centres[1] - fits.centres[0]) / fits.width
    return np.where(np.sqrt((step**2).sum(axis=1)) < _LEAST_TYPED, _IMPOSSIBLE, 0.0)


def _unlikely(fits: _Fits, digits: NDArray[np.intp]) -> Doubles:
    """Logarithms (R,), hugely negative where the first ink can't be the puzzle and the second the rest.

    * It has too few digits. Print of two colours is often that: clues that make a puzzle together only.
    * An ink that one digit has all for itself marks that digit, whoever wrote it.
    """
    second = fits.second > 0.5
    odds = np.where((~second).sum(axis=1) < _FEWEST_CLUES, _IMPOSSIBLE, 0.0)
    for run in np.flatnonzero(odds == 0):
        if _marks_one_digit(second[run], digits) or _marks_one_digit(~second[run], digits):
            odds[run] = _IMPOSSIBLE
    return odds


def _marks_one_digit(part: NDArray[np.bool_], digits: NDArray[np.intp]) -> bool:
    """Whether the cells of *part* (N,) are several, and all those and only those of one digit."""
    chosen = digits[part]
    return len(chosen) > 1 and bool((chosen == chosen[0]).all()) and bool(part[digits == chosen[0]].all())
