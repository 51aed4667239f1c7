"""Reliability: whether, of the grids read with confidence *p*, a share of about *p* is right.

A :class:`Pair` is one grid of the program: how sure it was, and whether it was right. Pairs come from
the outcomes of labelled pictures and of drawn ones (:func:`pairs_of`); :func:`reliability_text` sets them
side by side, :mod:`.reliability_diagram` draws them. What matters happens close to 1: bins are narrow there.

Intervals are Wilson's (1927), which hold for few pairs and for shares of 0 and 1; the calibration error is
that of Naeini et al. (2015): the mean distance between confidence and share right, bins weighted by count.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sudoku_vision.workshop.evaluation.labels import Label
from sudoku_vision.workshop.evaluation.metrics import Evaluation, Outcome
from sudoku_vision.workshop.evaluation.text import aligned

EDGES = (0.0, 0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Edges of the bins of confidence; the last bin holds 1 too."""

NORMAL_95 = 1.96
"""Standard deviations to either side that hold 95 % of a normal distribution."""


class Pair(NamedTuple):
    """One grid: its confidence in 0..1, whether it was right, and whether it was called solved."""

    confidence: float
    right: bool
    solved: bool = False


@dataclass(frozen=True)
class Bin:
    """The pairs whose confidence lies from ``low`` up to ``high``: how many, how sure, how many right."""

    low: float
    high: float
    count: int
    mean_confidence: float
    right: int

    @property
    def share(self) -> float:
        """Share right, NaN for an empty bin."""
        return self.right / self.count if self.count else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share right, 95 %."""
        return wilson(self.right, self.count)


def wilson(right: int, count: int, deviations: float = NORMAL_95) -> tuple[float, float]:
    """Return Wilson's interval (low, high) of the share *right* of *count*; (0, 1) where nothing is known."""
    if not 0 <= right <= count:
        raise ValueError(f"right must lie in 0..{count} (the count), got {right}")
    if count == 0:
        return 0.0, 1.0
    share, square = right / count, deviations**2
    middle = share + square / (2 * count)
    reach = deviations * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    low, high = (middle - reach) / (1 + square / count), (middle + reach) / (1 + square / count)
    return (0.0 if right == 0 else low), (1.0 if right == count else high)


def binned(pairs: Sequence[Pair], edges: Sequence[float] = EDGES) -> list[Bin]:
    """Sort pairs by confidence into the bins between rising *edges* (n + 1 of them for n bins)."""
    if list(edges) != sorted(set(edges)) or len(edges) < 2:
        raise ValueError(f"edges must rise, got {tuple(edges)}")
    inside = [pair for pair in pairs if edges[0] <= pair.confidence <= edges[-1]]
    if len(inside) < len(pairs):
        raise ValueError(f"confidences must lie in {edges[0]}..{edges[-1]}")
    place = np.clip(
        np.searchsorted(edges, [pair.confidence for pair in pairs], "right") - 1, 0, len(edges) - 2
    )
    bins = []
    for index, (low, high) in enumerate(pairwise(edges)):
        members = [pair for pair, where in zip(pairs, place, strict=True) if where == index]
        # Rounded once, so that it never leaves the bin, as a sum of floats over their number may.
        mean = statistics.mean(pair.confidence for pair in members) if members else math.nan
        bins.append(Bin(low, high, len(members), mean, sum(pair.right for pair in members)))
    return bins


def calibration_error(bins: Iterable[Bin]) -> float:
    """Return the expected calibration error in 0..1, NaN where there are no pairs."""
    filled = [one for one in bins if one.count]
    total = sum(one.count for one in filled)
    off = sum(one.count * abs(one.share - one.mean_confidence) for one in filled)
    return off / total if total else math.nan


def pairs_of(outcomes: Iterable[Outcome], *, all_labelled: bool = False) -> list[Pair]:
    """Return a pair for every grid that has a label, and for those claimed where there is none at all.

    *all_labelled* says that the labels name every puzzle of a picture, so that a grid that is left over is
    wrong, unless it is a full board, as last week's solution is; otherwise nobody knows, and it is left out.
    So are grids of whose label nobody knows the clues, but for those that note pencil marks, whose entries
    are right. A grid is right if its answer is, as that is what its confidence is about.
    """
    clear = (o for o in outcomes if o.label is None or _tells_the_answer(o.label))
    known = (o for o in clear if o.label is not None or o.false or (all_labelled and not _is_full(o)))
    return [Pair(o.grid.confidence, o.read or o.answered, o.solved) for o in known if o.grid is not None]


def entry_pairs_of(outcomes: Iterable[Outcome]) -> list[Pair]:
    """Return a pair for every written digit whose confidence is known and whose cell somebody labelled."""
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


def _is_full(outcome: Outcome) -> bool:
    return outcome.grid is not None and bool(outcome.grid.puzzle.all())


def _tells_the_answer(label: Label) -> bool:
    return label.clues is not None or label.marks is not None


Groups = Mapping[str, Sequence[Pair]]
"""Pairs by where they come from."""


def groups_of(evaluation: Evaluation) -> Groups:
    """Return the pairs of each folder of an evaluation, and of the pictures drawn for it."""
    labelled = {origin: pairs_of(some) for origin, some in evaluation.by_origin().items()}
    return {**labelled, "drawn": pairs_of(evaluation.drawn, all_labelled=True)}


def entry_groups_of(evaluation: Evaluation) -> Groups:
    """Return the pairs of the written digits of each folder, and of the pictures drawn for it."""
    labelled = {origin: entry_pairs_of(some) for origin, some in evaluation.by_origin().items()}
    return {**labelled, "drawn": entry_pairs_of(evaluation.drawn)}


def merged_groups(groups: Groups) -> list[Pair]:
    """Return all pairs of all groups."""
    return [pair for pairs in groups.values() for pair in pairs]


def reliability_dict(groups: Groups) -> dict[str, Any]:
    """Return figures and filled bins of each group and of ``all``, for JSON."""
    return {name: _figures(pairs) for name, pairs in {**groups, "all": merged_groups(groups)}.items()}


def _figures(pairs: Sequence[Pair]) -> dict[str, Any]:
    bins = binned(pairs)
    solved = [pair for pair in pairs if pair.solved]
    wrong = sum(not pair.right for pair in solved)
    error = calibration_error(bins)
    return {
        "grids": len(pairs),
        "right": sum(pair.right for pair in pairs),
        "calibration_error": None if math.isnan(error) else round(error, 5),
        "solved": len(solved),
        "solved_wrong": wrong,
        "solved_wrong_at_most": round(wilson(wrong, len(solved))[1], 5),
        "bins": [
            {
                "low": one.low,
                "high": one.high,
                "grids": one.count,
                "confidence": round(one.mean_confidence, 5),
                "right": one.right,
                "interval": [round(limit, 5) for limit in one.interval],
            }
            for one in bins
            if one.count
        ],
    }


def reliability_text(groups: Groups, what: str = "grids") -> str:
    """Return the bins of all pairs together as a table, then a line of figures for each group."""
    head = ("confidence", what, "mean", "right", "share", "95 % interval")
    rows = [head, *(_row(one) for one in binned(merged_groups(groups)) if one.count)]
    return aligned(rows) + "\n\n" + aligned([("from", what, *_GROUP_HEAD), *_group_rows(groups)])


def _row(one: Bin) -> tuple[str, ...]:
    low, high = one.interval
    return (
        f"{one.low:g} to {one.high:g}",
        str(one.count),
        f"{one.mean_confidence:.4f}",
        str(one.right),
        f"{one.share:.4f}",
        f"{low:.4f} to {high:.4f}",
    )


_GROUP_HEAD = ("right", "calibration error", "solved", "wrong", "wrong at most")


def _group_rows(groups: Groups) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, figures in reliability_dict(groups).items():
        error = figures["calibration_error"]
        rows.append(
            (
                name,
                str(figures["grids"]),
                str(figures["right"]),
                "" if error is None else f"{error:.4f}",
                str(figures["solved"]),
                str(figures["solved_wrong"]),
                f"{figures['solved_wrong_at_most']:.4f}",
            )
        )
    return rows
