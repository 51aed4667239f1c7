"""Find the kinds of ink on a page, by statistics of all its cells.

* :func:`share_on_page` estimates the share of the cells that hold one kind of ink (handwriting, or pencil
  marks). From this share it computes, for each cell, the probability of this kind.
* :func:`fit_two_inks` and :func:`one_ink_evidence` decide whether the digits of a page have two inks or one.
  For the ink of each cell, four values are measured. The values of all cells with the same ink are taken to
  come from one Student t distribution, with unknown centre and spread. Dirt hardly changes the fit of a t
  distribution. Two inks are fitted by expectation maximisation from several starts. Then the log-likelihoods
  of two inks and of one ink are compared, in Laplace's approximation (D. MacKay, "Information Theory,
  Inference, and Learning Algorithms", 2003, chapters 22 and 28; D. Peel, G. McLachlan, "Robust mixture
  modelling using the t distribution", 2000).
"""

from collections.abc import Sequence
from math import lgamma
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import medians
from sudoku_vision.values import Doubles

PAGE_TRUST = 0.7
"""The log-odds of each cell are multiplied by this: cells of a page often have the same error.

So they aren't independent evidence.
"""

NONE_OF_A_KIND = 0.6
"""Prior probability that a page has no cell with a given kind of ink, for example handwriting.

If there are such cells, all possible shares of them are equally likely.
"""
_FREEDOM = 6.0
"""Degrees of freedom of the t distributions.

The number is low, because smeared and crossed-out digits are outliers. With more degrees of freedom, outliers
would have more influence. The number is also the weight, in cells, of the expected variances in a fit: they
count as much as the measured values of six cells.
"""
_CREDIT = 0.65
"""Log-likelihoods are multiplied by this, because cells aren't independent.

Blur and shadow change several cells in the same way.
"""
APART = 0.4  # typical difference of two inks in hue, and in the logarithms of contrast and stroke width
_ROUNDS = 4  # rounds of expectation maximisation; with more rounds the results hardly change


def share_on_page(
    log_odds: NDArray[Any], inked: NDArray[Any], extents: Sequence[float]
) -> tuple[Doubles, float]:
    """Return the probability (N,) that each cell holds one kind of ink, and the page's share of this kind.

    Each probability depends on all cells. For example, if a page is print and a single doubtful cell looks
    handwritten, this cell is probably printed. *log_odds* (N,) are the log-odds of the kind for each cell by
    itself. *inked* (N,) is the weight of each cell: the probability that it holds ink. *extents* are possible
    values of the share: the number of cells with this kind, divided by the number of cells with ink. The
    first value is for pages without this kind.
    """
    ratio = np.exp(PAGE_TRUST * log_odds)
    shares = np.array(extents)[:, None]
    mixed = shares * ratio + (1 - shares)
    weights = (inked * np.log(mixed)).sum(axis=1)
    weights = np.exp(weights - weights.max())
    weights[0] *= NONE_OF_A_KIND / (1 - NONE_OF_A_KIND) * (len(weights) - 1)
    weights /= weights.sum()
    return np.asarray(weights @ (shares * ratio / mixed)), float(weights @ shares[:, 0])


class TwoInkFits(NamedTuple):
    """R fits of two inks to the N cells of a page. Each fit begins with a different division into two inks.

    * ``evidence`` (R,): the log-likelihood of the page if it has these two inks.
    * ``second`` (R, N): the probability that a cell has the second ink.
    * ``centres`` (2, R, 4): the centres of the distributions of the first and of the second ink.
    """

    evidence: Doubles
    second: Doubles
    centres: Doubles

    def part(self, runs: slice) -> "TwoInkFits":
        """Return the fits whose numbers are in the slice *runs*."""
        return TwoInkFits(self.evidence[runs], self.second[runs], self.centres[:, runs])

    def with_mirrored(self) -> "TwoInkFits":
        """Return 2 R fits: the R fits, then the same fits with the first and the second ink exchanged."""
        return TwoInkFits(
            np.tile(self.evidence, 2),
            np.concatenate([self.second, 1 - self.second]),
            np.concatenate([self.centres, self.centres[::-1]], axis=1),
        )


class _Estimate(NamedTuple):
    """The fitted distributions of K inks in each of R fits, for N cells with four measured values each.

    * ``centres`` (K, R, 4): the centres of the distributions.
    * ``scales`` (K, R, 4): the fitted variances, divided by the expected variances.
    * ``amounts`` (K, R, 1): the number of cells with each ink, as a sum of probabilities.
    * ``density`` (K, R, N): the log-density of each distribution at the values of each cell. A constant that
      is the same for all inks is left out.
    * ``squares`` (K, R, N, 4): the squared distances of the values from the centres, divided by the fitted
      variances.
    """

    centres: Doubles
    scales: Doubles
    amounts: Doubles
    density: Doubles
    squares: Doubles

    @property
    def robust(self) -> Doubles:
        """The weights (K, R, N, 4) of the values in the next round of the fit. Outliers have low weights."""
        return (_FREEDOM + 1) / (_FREEDOM + self.squares)


def _estimate(values: Doubles, precision: Doubles, share: Doubles, robust: Doubles | float) -> _Estimate:
    """Fit the t distributions of K inks to the *values* (N, 4) of cells: one maximisation step.

    *precision* (N, 4) is 1 divided by the expected variances of the values. *share* (K, R, N) is the
    probability that a cell has each ink. *robust* are the weights of the values from the round before, or 1
    in the first round.
    """
    weight = share[..., None] * robust
    pull = weight * precision
    centres = (pull * values).sum(axis=2) / np.maximum(pull.sum(axis=2), 1e-9)
    squares = (values - centres[:, :, None]) ** 2 * precision
    amounts = share.sum(axis=2)[..., None]
    scales = (_FREEDOM + (weight * squares).sum(axis=2)) / (_FREEDOM + amounts)
    squares /= scales[:, :, None]
    tails = np.log1p(squares / _FREEDOM).sum(axis=3)
    density = _CREDIT * (-np.log(scales).sum(axis=2)[..., None] / 2 - (_FREEDOM + 1) / 2 * tails)
    return _Estimate(centres, scales, amounts, density, squares)


def one_ink_evidence(values: Doubles, spread: Doubles, paper: Doubles) -> float:
    """Return the log-likelihood of the ink *values* (N, 4) if all cells have one ink.

    *spread* (N, 4) are the expected standard deviations of the values. *paper* (N,) is the logarithm of the
    brightness of each cell's paper. Each of the four values is either constant over the page, or it changes
    linearly with *paper*. Coloured ink in shaded boxes changes in this way.
    """
    bases = np.ones((2, len(paper), 2))
    bases[:, :, 1] = [np.zeros(len(paper)), paper - paper.mean()]
    cost = np.array([[0.0], [np.log(len(paper)) / 2]])
    return float((_trend_evidence(values, spread, bases) - cost).max(axis=0).sum())


def _trend_evidence(values: Doubles, spread: Doubles, bases: Doubles) -> Doubles:
    """Return the log-likelihoods (T, 4) of four ink values if they follow each of T linear trends.

    *values* (N, 4) are the ink values of N cells, *spread* (N, 4) their expected standard deviations. A trend
    is a sum of B terms with unknown factors. *bases* (T, N, B) holds the terms of each trend for each cell. A
    term that a trend doesn't have is 0 for all cells. Outliers get low weights, as in :func:`_estimate`.
    """
    targets, precision = values.T, spread.T**-2  # (4, N)
    across = bases.transpose(0, 2, 1)[:, None]  # (T, 1, B, N)
    ridge = TINY * np.eye(bases.shape[2])  # makes the fit of a trend possible even if few cells have ink
    robust: Doubles | float = 1.0
    for _ in range(_ROUNDS):
        weighted = across * np.broadcast_to(robust * precision, (len(bases), *targets.shape))[:, :, None]
        pull = weighted @ targets[:, :, None]
        trend = bases[:, None] @ np.linalg.solve(weighted @ bases[:, None] + ridge, pull)
        squares = (targets - trend[..., 0]) ** 2 * precision
        scales = (_FREEDOM + (robust * squares).sum(axis=2)) / (_FREEDOM + len(values))
        squares /= scales[..., None]
        robust = (_FREEDOM + 1) / (_FREEDOM + squares)
    tails = np.log1p(squares / _FREEDOM).sum(axis=2)
    likelihood = -len(values) * np.log(scales) / 2 - (_FREEDOM + 1) / 2 * tails
    return np.asarray(_CREDIT * likelihood + _spread_prior(scales, len(values)))


def fit_two_inks(values: Doubles, spread: Doubles, starts: Doubles, shapes: Doubles) -> TwoInkFits:
    """Fit two inks to the ink *values* (N, 4) of cells, once for each of R starts.

    *spread* (N, 4) are the expected standard deviations of the values. *starts* (R, N) holds, for each fit,
    the initial probability that a cell has the second ink. *shapes* (R, N) are the log-odds of the second
    ink by the shape of the glyph alone.
    """
    share = np.stack([1 - starts, starts])
    robust: Doubles | float = 1.0
    for _ in range(_ROUNDS):
        found = _estimate(values, spread**-2, share, robust)
        logs = found.density + np.log((found.amounts + 0.5) / (len(values) + 1))
        logs[1] += shapes
        total = np.logaddexp(logs[0], logs[1])
        share, robust = np.exp(logs - total), found.robust
    # The squared standard error of the centre of the second ink.
    error = found.scales[1] * medians(spread.T) ** 2 / np.maximum(found.amounts[1], 1)
    step = found.centres[1] - found.centres[0]
    centre = np.log(error / APART**2) / 2 - (step / APART) ** 2 / 2
    evidence = total.sum(axis=1) - np.log(len(values))
    evidence += _spread_prior(found.scales, found.amounts).sum(axis=(0, 2)) + centre.sum(axis=1)
    return TwoInkFits(evidence, share[1], found.centres)


def _spread_prior(scales: Doubles, amounts: Doubles | float) -> Doubles:
    """Return the log-prior of the fitted variances, plus a term of Laplace's approximation.

    *scales* are the fitted variances, divided by the expected variances. *amounts* is the number of cells of
    each ink. The prior is a scaled inverse chi-square distribution. The term of Laplace's approximation is
    the logarithm of the uncertainty of the fitted variances. The term is low if an ink has many cells.
    """
    half = _FREEDOM / 2
    prior = half * np.log(half) - lgamma(half) - half * (np.log(scales) + 1 / scales)
    return np.asarray(prior + np.log(4 * np.pi / (_FREEDOM + amounts)) / 2)


def two_ink_starts(values: Doubles, spread: Doubles, shapes: Doubles) -> Doubles:
    """Return four starts (4, N) for fitting two inks: the probabilities that a cell has the second ink.

    The first start is *shapes* (N,). Each of the three others divides the cells into two parts by one of the
    ink *values* (N, 4): the first hue, the second hue, or the contrast. *spread* (N, 4) are the expected
    standard deviations of the values.
    """
    weights = spread.T[:3] ** -2
    return np.stack([shapes, *map(_divided, values.T[:3], weights)])


def _divided(values: Doubles, weight: Doubles) -> Doubles:
    """Divide *values* (N,) into a lower and an upper part; return 1 for values in the upper part, else 0.

    The division is the one with the smallest sum of squared errors. The error of a value is its distance from
    the mean of its part. Squared errors are weighted by *weight* (N,).
    """
    order = np.argsort(values, kind="stable")
    total, pull = np.cumsum(weight[order]), np.cumsum((weight * values)[order])
    low, high = pull[:-1] ** 2 / total[:-1], (pull[-1] - pull[:-1]) ** 2 / (total[-1] - total[:-1])
    upper = np.zeros(len(values))
    upper[order[int(np.argmax(low + high)) + 1 :]] = 1.0
    return upper
