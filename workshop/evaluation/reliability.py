"""Measure whether confidences are right: of all grids with the confidence *p*, a share *p* should be right.

A :class:`Pair` has the confidence of one grid or of one written digit, and whether it was right. Pairs with
similar confidence share a bin. A bin's share of right pairs gets the confidence interval of Wilson (1927).
For the calibration error (Naeini et al., 2015), the mean confidence of each bin is compared with its share of
right pairs. The error is the mean of these differences, weighted by the number of pairs in each bin.
"""

import math
import statistics
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from workshop.evaluation.metrics import Evaluation, Outcome
from workshop.evaluation.text import aligned

EDGES = (0.0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Edges of the bins of confidence. A value at an edge belongs to the bin above; 1 belongs to the last bin."""

NORMAL_95 = 1.96  # 95 % of a normal distribution lie within this number of standard deviations


class Pair(NamedTuple):
    """The confidence (0..1) of a grid or a written digit.

    ``right``: whether the grid's answer, or the digit, is right. ``solved``: whether a grid is called solved.
    """

    confidence: float
    right: bool
    solved: bool = False


class Bin(NamedTuple):
    """A bin: ``size`` pairs with confidences from ``low`` to ``high``. ``right``: number of right pairs."""

    low: float
    high: float
    size: int
    mean_confidence: float
    right: int


def wilson(right: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval (low, high) for the share *right* / *count*; (0, 1) if *count* is 0."""
    if count == 0:
        return 0.0, 1.0
    share, square = right / count, NORMAL_95**2
    middle = share + square / (2 * count)
    reach = NORMAL_95 * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    low, high = (middle - reach) / (1 + square / count), (middle + reach) / (1 + square / count)
    return (0.0 if right == 0 else low), (1.0 if right == count else high)


def binned(pairs: Sequence[Pair]) -> list[Bin]:
    """Sort *pairs* by confidence into the bins between :data:`EDGES`. Return the bins that aren't empty."""
    inner = EDGES[1:-1]
    bins = []
    for index, (low, high) in enumerate(pairwise(EDGES)):
        members = [pair for pair in pairs if bisect(inner, pair.confidence) == index]
        if members:
            # statistics.mean rounds once. sum() / len() rounds often, so its result could lie outside the
            # bin.
            mean = statistics.mean(pair.confidence for pair in members)
            bins.append(Bin(low, high, len(members), mean, sum(pair.right for pair in members)))
    return bins


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the expected calibration error in 0..1; there must be at least one bin."""
    off = sum(abs(part.right - part.size * part.mean_confidence) for part in bins)
    return off / sum(part.size for part in bins)


def pairs_of(outcomes: Iterable[Outcome]) -> list[Pair]:
    """Return a :class:`Pair` for each grid with a label, and for each false grid.

    A pair is right if the grid's answer is right. A grid is left out if its label has neither clues nor
    pencil marks. If the label has pencil marks but no clues, the answer is compared with all labelled digits,
    because people wrote only right digits in these photos.
    """
    pairs = []
    for outcome in outcomes:
        label, grid = outcome.label, outcome.grid
        known = outcome.false if label is None else label.clues is not None or label.marks is not None
        if known and grid is not None:
            pairs.append(Pair(grid.confidence, outcome.read or outcome.answered, outcome.solved))
    return pairs


def entry_pairs_of(outcomes: Iterable[Outcome]) -> list[Pair]:
    """Return a :class:`Pair` for each digit that was read as handwriting.

    Grids without a label, and grids whose label lacks the handwriting, are left out.
    """
    pairs = []
    for outcome in outcomes:
        label, grid = outcome.label, outcome.grid
        if label is None or label.everything is None or grid is None:
            continue
        written, truth = grid.written.ravel(), label.everything.ravel()
        confidence = grid.reading.entry_confidence
        cells = np.flatnonzero((written > 0) & (confidence > 0)).tolist()
        pairs += [Pair(float(confidence[cell]), bool(written[cell] == truth[cell])) for cell in cells]
    return pairs


Groups = Mapping[str, Mapping[str, Any]]  # figures by folder; those of all folders have the name ``all``


def reliability(evaluation: Evaluation, pairs_of: Callable[[Iterable[Outcome]], list[Pair]]) -> Groups:
    """Return the figures and the bins of each folder. *pairs_of* makes pairs from a folder's outcomes."""
    folders = {origin: pairs_of(outcomes) for origin, outcomes in evaluation.by_origin().items()}
    every = [pair for pairs in folders.values() for pair in pairs]
    return {name: figures_of(pairs) for name, pairs in {**folders, "all": every}.items()}


def figures_of(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Return the figures and the bins of *pairs* for JSON."""
    bins = binned(pairs)
    solved = [pair for pair in pairs if pair.solved]
    wrong = sum(not pair.right for pair in solved)
    return {
        "grids": len(pairs),
        "right": sum(pair.right for pair in pairs),
        "calibration_error": round(calibration_error(bins), 5) if bins else None,
        "solved": len(solved),
        "solved_wrong": wrong,
        "solved_wrong_at_most": round(wilson(wrong, len(solved))[1], 5),
        "bins": [
            {
                "low": part.low,
                "high": part.high,
                "grids": part.size,
                "confidence": round(part.mean_confidence, 5),
                "right": part.right,
                "interval": [round(limit, 5) for limit in wilson(part.right, part.size)],
            }
            for part in bins
        ],
    }


def reliability_text(groups: Groups, what: str = "grids") -> str:
    """Return a table of the bins of all pairs, and a line for each group. *what*: grids or entries."""
    bins: list[Sequence[str]] = [("confidence", what, "mean", "right", "share", "95 % interval")]
    for part in groups["all"]["bins"]:
        share, (low, high) = part["right"] / part["grids"], part["interval"]
        counts = (str(part["grids"]), f"{part['confidence']:.4f}", str(part["right"]), f"{share:.4f}")
        bins.append((f"{part['low']:g} to {part['high']:g}", *counts, f"{low:.4f} to {high:.4f}"))
    head = ("from", what, "right", "calibration error", "solved", "wrong", "wrong at most")
    lines: list[Sequence[str]] = [head]
    for name, of in groups.items():
        error = "" if of["calibration_error"] is None else f"{of['calibration_error']:.4f}"
        solved = (str(of["solved"]), str(of["solved_wrong"]), f"{of['solved_wrong_at_most']:.4f}")
        lines.append((name, str(of["grids"]), str(of["right"]), error, *solved))
    chart = aligned(bins) if bins[1:] else f"There are no {what} with a confidence and a label."
    return f"{chart}\n\n{aligned(lines)}"
