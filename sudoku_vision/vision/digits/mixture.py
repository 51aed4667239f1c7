"""Mixtures: who wrote the ink of a page, in view of all its cells.

* :func:`share_on_page` weighs which share of the cells is of one kind (handwriting, pencil marks) by all
  cells together, and gives the probability of each cell in view of that share.
* :func:`fit_two_inks` and :func:`one_ink_evidence` fit two inks, or one, to the measured inks of a page. Each
  ink is a Student t distribution with unknown centre and spread, which is robust against dirt. Two are fitted
  by expectation and maximisation from several starts, and compared with one by their evidence in Laplace's
  approximation (D. MacKay, "Information Theory, Inference, and Learning Algorithms", 2003, chapters 22 and
  28; D. Peel, G. McLachlan, "Robust mixture modelling using the t distribution", 2000).
"""

from collections.abc import Sequence
from math import lgamma
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import medians

Doubles = NDArray[np.float64]

_PAGE_TRUST = 0.7  # exponent of the evidence of single cells: those of one page err together

_FREEDOM = 6.0  # degrees of freedom of the t distributions: some digits are smeared or crossed by a line
_SPREAD_TRUST = 6.0  # weight of the expected spreads, in cells
_CREDIT = 0.65  # exponent of the evidence of inks: blur and shadow affect neighbouring cells alike
_APART = 0.4  # typical difference of two inks in hue, depth and stroke
_ROUNDS = 4  # rounds of expectation and maximisation; more change nothing that matters


def share_on_page(
    log_odds: NDArray[Any], inked: NDArray[Any], extents: Sequence[float], prior: Sequence[float]
) -> tuple[Doubles, float]:
    """Return the probability (N,) that each cell is of a kind, in view of all cells; and their mean share.

    *log_odds* (N,) are those of each cell on its own, *inked* (N,) its weight: the probability that it bears
    any ink. *extents* are possible shares of the kind among the inked cells, with their *prior*
    probabilities. So a lone doubtful cell on a page without any other of its kind gets unlikely.
    """
    ratio = np.exp(_PAGE_TRUST * log_odds)
    shares = np.array(extents)[:, None]
    mixed = shares * ratio + (1 - shares)
    weights = np.log(np.array(prior)) + (inked * np.log(mixed)).sum(axis=1)
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    return np.asarray(weights @ (shares * ratio / mixed)), float(weights @ shares[:, 0])


class TwoInkFits(NamedTuple):
    """Two inks that were fitted from each of R starts.

    ``evidence`` (R,): the log-likelihood of the page by these two inks; ``second`` (R, N): the probability
    that a cell bears the second ink; ``centres`` (2, R, 4) of the two.
    """

    evidence: Doubles
    second: Doubles
    centres: Doubles

    def part(self, runs: slice) -> "TwoInkFits":
        """Return some of the runs."""
        return TwoInkFits(self.evidence[runs], self.second[runs], self.centres[:, runs])

    def with_mirrored(self) -> "TwoInkFits":
        """Return every run, and again with the two inks exchanged."""
        return TwoInkFits(
            np.tile(self.evidence, 2),
            np.concatenate([self.second, 1 - self.second]),
            np.concatenate([self.centres, self.centres[::-1]], axis=1),
        )


class _Estimate(NamedTuple):
    """K inks in each of R runs: centres and scales (K, R, 4), amounts (K, R, 1) in cells, log-densities.

    ``scales`` multiply the squares of the expected spreads. ``density`` (K, R, N) leaves out a constant of
    all inks. ``squares`` (K, R, N, 4) are the squared distances to the centres, in spreads.
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
    """Fit the t distributions of inks to cells (N, 4): one maximisation.

    *share* (K, R, N): the probability that a cell bears each ink.
    """
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


def one_ink_evidence(values: Doubles, spread: Doubles, paper: Doubles) -> float:
    """Return the log-likelihood of the inked cells (N, 4) if all bear one ink.

    Each quantity may be constant over the page, or change linearly with the brightness of the *paper* (N,),
    like coloured ink in shaded boxes.
    """
    bases = np.ones((2, len(paper), 2))
    bases[:, :, 1] = [np.zeros(len(paper)), paper - paper.mean()]
    cost = np.array([[0.0], [np.log(len(paper)) / 2]])
    return float((_trend_evidence(values, spread, bases) - cost).max(axis=0).sum())


def _trend_evidence(values: Doubles, spread: Doubles, bases: Doubles) -> Doubles:
    """Return the log-likelihoods (T, 4) of cells (N, 4) if their inks follow each of T linear trends.

    *bases* (T, N, B) are the B terms of each trend; a column of zeros is no term. The fit is robust, as in
    :func:`_estimate`.
    """
    targets, precision = values.T, spread.T**-2  # (4, N)
    across = bases.transpose(0, 2, 1)[:, None]  # (T, 1, B, N)
    ridge = TINY * np.eye(bases.shape[2])  # keeps the system solvable if few cells bear ink
    robust: Doubles | float = 1.0
    for _ in range(_ROUNDS):
        weighted = across * np.broadcast_to(robust * precision, (len(bases), *targets.shape))[:, :, None]
        pull = weighted @ targets[:, :, None]
        trend = bases[:, None] @ np.linalg.solve(weighted @ bases[:, None] + ridge, pull)
        squares = (targets - trend[..., 0]) ** 2 * precision
        scales = (_SPREAD_TRUST + (robust * squares).sum(axis=2)) / (_SPREAD_TRUST + len(values))
        squares /= scales[..., None]
        robust = (_FREEDOM + 1) / (_FREEDOM + squares)
    tails = np.log1p(squares / _FREEDOM).sum(axis=2)
    likelihood = -len(values) * np.log(scales) / 2 - (_FREEDOM + 1) / 2 * tails
    return np.asarray(_CREDIT * likelihood + _spread_prior(scales, len(values)))


def fit_two_inks(values: Doubles, spread: Doubles, starts: Doubles, shapes: Doubles) -> TwoInkFits:
    """Fit two inks to cells (N, 4), starting from probabilities of the second ink (R, N).

    *shapes* (R, N) are log-odds of the second ink by the shapes of the glyphs.
    """
    share = np.stack([1 - starts, starts])
    robust: Doubles | float = 1.0
    for _ in range(_ROUNDS):
        found = _estimate(values, spread**-2, share, robust)
        logs = found.density + np.log((found.amounts + 0.5) / (len(values) + 1))
        logs[1] += shapes
        total = np.logaddexp(logs[0], logs[1])
        share, robust = np.exp(logs - total), found.robust
    # The squared error of the second ink's centre.
    error = found.scales[1] * medians(spread.T) ** 2 / np.maximum(found.amounts[1], 1)
    step = found.centres[1] - found.centres[0]
    centre = np.log(error / _APART**2) / 2 - (step / _APART) ** 2 / 2
    evidence = total.sum(axis=1) - np.log(len(values))
    evidence += _spread_prior(found.scales, found.amounts).sum(axis=(0, 2)) + centre.sum(axis=1)
    return TwoInkFits(evidence, share[1], found.centres)


def _spread_prior(scales: Doubles, amounts: Doubles | float) -> Doubles:
    """Return the log-prior of spreads, plus Laplace's term for how well *amounts* of cells determine them.

    The prior is a scaled inverse chi-square distribution about the expected spreads.
    """
    half = _SPREAD_TRUST / 2
    prior = half * np.log(half) - lgamma(half) - half * (np.log(scales) + 1 / scales)
    return np.asarray(prior + np.log(4 * np.pi / (_SPREAD_TRUST + amounts)) / 2)


def two_ink_starts(values: Doubles, spread: Doubles, shapes: Doubles) -> Doubles:
    """Return starts (4, N) for two inks: the probabilities by *shapes*, and divisions by hues and depth."""
    weights = spread.T[:3] ** -2
    return np.stack([shapes, *map(_divided, values.T[:3], weights)])


def _divided(values: Doubles, weight: Doubles) -> Doubles:
    """Return the division of numbers (N,) in two with the least squared error: 1 for the upper part."""
    order = np.argsort(values, kind="stable")
    total, pull = np.cumsum(weight[order]), np.cumsum((weight * values)[order])
    low, high = pull[:-1] ** 2 / total[:-1], (pull[-1] - pull[:-1]) ** 2 / (total[-1] - total[:-1])
    upper = np.zeros(len(values))
    upper[order[int(np.argmax(low + high)) + 1 :]] = 1.0
    return upper
