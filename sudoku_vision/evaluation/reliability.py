"""Reliability: whether, of the grids read with confidence *p*, a share of about *p* is right.

A :class:`Pair` is one grid of the program: how sure it was, and whether it was right. Pairs come from
labelled pictures (:func:`pairs_of`) and from drawn ones (:func:`drawn_outcomes`); :func:`reliability_text`
and :func:`draw_reliability` set them side by side. Since what matters happens close to 1, bins are narrow
there and the picture's axes are log-odds: 0.9, 0.99 and 0.999 stand equally far apart.

Intervals are Wilson's (1927), which hold for few pairs and for shares of 0 and 1; the calibration error is
that of Naeini et al. (2015): the mean distance between confidence and share right, bins weighted by count.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sudoku_vision.drawing.colours import BLUE, FAINT, GREEN, INK, RED, RULE, WHITE, Colour
from sudoku_vision.drawing.typefaces import Typeface
from sudoku_vision.evaluation.chart import Chart, aligned
from sudoku_vision.evaluation.evaluate import Evaluation, Outcome, Reader, outcomes_of
from sudoku_vision.evaluation.labels import Label, LabelledPicture
from sudoku_vision.rendering import KINDS, Drawing, draw, random_conditions
from sudoku_vision.results import Image, Photo

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
    """Wilson's interval (low, high) of the share *right* out of *count*; (0, 1) where nothing is known."""
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
    """Expected calibration error in 0..1, NaN where there are no pairs."""
    filled = [one for one in bins if one.count]
    total = sum(one.count for one in filled)
    off = sum(one.count * abs(one.share - one.mean_confidence) for one in filled)
    return off / total if total else math.nan


def pairs_of(outcomes: Iterable[Outcome], *, all_labelled: bool = False) -> list[Pair]:
    """The pairs of an evaluation: every grid that has a label, and those claimed where there is none at all.

    *all_labelled* says that the labels name every grid of a picture, so that one that is left over is wrong;
    otherwise nobody knows, and it is left out. So are grids of whose label nobody knows the clues.
    """
    clear = (o for o in outcomes if o.label is None or o.label.clues is not None)
    known = (o for o in clear if o.label is not None or o.false or all_labelled)
    return [Pair(o.grid.confidence, o.read, o.solved) for o in known if o.grid is not None]


def labelled_drawing(drawing: Drawing, name: str, kind: str) -> LabelledPicture:
    """A drawing with its labels, grids cut off by its edge among them: they too may be read rightly."""
    labels = tuple(
        Label(grid.puzzle, np.where(grid.puzzle > 0, grid.puzzle, grid.written).astype(np.int8))
        for grid in (*drawing.grids, *drawing.cut)
    )
    return LabelledPicture(Path(name), ("drawn", kind), labels, photo=Photo(drawing.pixels, name))


def drawn_pictures(
    count: int, *, seed: int = 0, typefaces: Sequence[Typeface] = ()
) -> Iterator[LabelledPicture]:
    """Draw *count* pictures, each kind of the renderer in turn, with their labels.

    The same *seed* gives the same pictures, and a greater *count* only adds to them.
    """
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        rng = np.random.default_rng([seed, number])
        drawing = draw(rng, random_conditions(rng, kind), typefaces=typefaces)
        yield labelled_drawing(drawing, f"drawn/{kind}-{number:04d}", kind)


def drawn_outcomes(
    count: int,
    read: Reader,
    *,
    seed: int = 0,
    typefaces: Sequence[Typeface] = (),
    step: Callable[[], Any] = lambda: None,
) -> list[Outcome]:
    """What *read* makes of *count* drawn pictures; *step* is called after each.

    The pictures themselves are kept of those alone that are wrongly called solved.
    """
    outcomes = []
    for picture in drawn_pictures(count, seed=seed, typefaces=typefaces):
        found = outcomes_of(picture, read(picture.open()).grids)
        kept = picture if any(outcome.wrong for outcome in found) else replace(picture, photo=None)
        outcomes += [replace(outcome, picture=kept) for outcome in found]
        step()
    return outcomes


Groups = Mapping[str, Sequence[Pair]]
"""Pairs by where they come from."""


def groups_of(evaluation: Evaluation) -> Groups:
    """The pairs of each folder of an evaluation, and of the pictures drawn for it."""
    labelled = {origin: pairs_of(some) for origin, some in evaluation.by_origin().items()}
    return {**labelled, "drawn": pairs_of(evaluation.drawn, all_labelled=True)}


def merged_groups(groups: Groups) -> list[Pair]:
    """All pairs of all groups."""
    return [pair for pairs in groups.values() for pair in pairs]


def reliability_dict(groups: Groups) -> dict[str, Any]:
    """Figures and filled bins of each group and of ``all``, for JSON."""
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


def reliability_text(groups: Groups) -> str:
    """The table: the bins of all pairs together, then a line of figures for each group."""
    head = ("confidence", "grids", "mean", "right", "share", "95 % interval")
    rows = [head, *(_row(one) for one in binned(merged_groups(groups)) if one.count)]
    return aligned(rows) + "\n\n" + aligned([_GROUP_HEAD, *_group_rows(groups)])


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


_GROUP_HEAD = ("from", "grids", "right", "calibration error", "solved", "wrong", "wrong at most")


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


_SIDE, _LEFT, _TOP = 500, 72, 98  # of the diagram, in pixels
_BARS_TOP, _BARS_HEIGHT = _TOP + _SIDE + 92, 120
_TOO_SURE: Colour = (244, 245, 253)  # behind the half of the diagram that no honest reader enters
_TICKS = (0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
_ENDS = (0.003, 0.9997)  # what lies beyond is drawn at the edge


def _along(share: float) -> float:
    """Where a share lies on an axis of log-odds: 0 to 1 from one end to the other."""
    low, high = (math.log(end / (1 - end)) for end in _ENDS)
    held = min(max(share, _ENDS[0]), _ENDS[1])
    return (math.log(held / (1 - held)) - low) / (high - low)


def _x(share: float) -> float:
    return _LEFT + _SIDE * _along(share)


def _y(share: float) -> float:
    return _TOP + _SIDE * (1 - _along(share))


def draw_reliability(groups: Groups, *, sure: float | None = None) -> Image:
    """The reliability diagram over a histogram of the confidences, as a picture (H, W, 3) uint8 BGR.

    Dots are bins, their bars 95 % intervals; on the diagonal confidence holds, below it is too sure. *sure*
    marks the confidence from which a grid is called solved.
    """
    pairs = merged_groups(groups)
    bins = [one for one in binned(pairs) if one.count]
    chart = Chart(_LEFT + _SIDE + 40, _BARS_TOP + _BARS_HEIGHT + 72)
    chart.text((_LEFT, 26), "Does confidence hold?", 20, bold=True)
    words = f"{len(pairs)} grids ({', '.join(f'{len(part)} {name}' for name, part in groups.items())})"
    if pairs:
        words += f", expected calibration error {calibration_error(bins):.4f}"
    chart.text((_LEFT, 49), words, 13, FAINT)
    _draw_axes(chart, sure)
    for one in bins:
        _draw_bin(chart, one)
    _draw_bars(chart, bins)
    return chart.pixels()


def _draw_axes(chart: Chart, sure: float | None) -> None:
    """Ruled ticks both ways, the diagonal, and what its two sides mean."""
    right, bottom = _LEFT + _SIDE, _TOP + _SIDE
    chart.area([(_LEFT, bottom), (right, _TOP), (right, bottom)], _TOO_SURE)
    for tick in _TICKS:
        chart.line([(_x(tick), _TOP), (_x(tick), bottom)], RULE)
        chart.line([(_LEFT, _y(tick)), (right, _y(tick))], RULE)
        chart.text((_x(tick), bottom + 16), f"{tick:g}", 13, FAINT, "mm")
        chart.text((_LEFT - 10, _y(tick)), f"{tick:g}", 13, FAINT, "rm")
    chart.line([(_LEFT, bottom), (right, _TOP)], FAINT, 1.5, (7, 5))
    chart.line([(_LEFT, _TOP), (_LEFT, bottom), (right, bottom)], INK, 1.2)
    chart.text((_LEFT + 14, _TOP + 20), "more often right than it says", 13, FAINT)
    chart.text((right - 14, bottom - 18), "too sure of itself", 13, RED, "rm")
    chart.text((_LEFT + _SIDE / 2, bottom + 40), "confidence", 14, INK, "mm")
    chart.text((_LEFT, _TOP - 16), "share right", 14)
    if sure is not None:
        chart.line([(_x(sure), _TOP), (_x(sure), bottom)], GREEN, 1.5, (3, 3))
        chart.text((_x(sure) - 6, bottom - 44), "called solved from here", 12, GREEN, "rm")


def _draw_bin(chart: Chart, one: Bin) -> None:
    x, (low, high) = _x(one.mean_confidence), one.interval
    colour = RED if high < one.mean_confidence else BLUE
    chart.line([(x, _y(low)), (x, _y(high))], colour, 2)
    for limit in (low, high):
        chart.line([(x - 5, _y(limit)), (x + 5, _y(limit))], colour, 2)
    chart.dot((x, _y(one.share)), 4 + 0.8 * math.log10(one.count), colour, WHITE)


def _draw_bars(chart: Chart, bins: Sequence[Bin]) -> None:
    """How many grids each bin holds; those that were wrong in red."""
    bottom, most = _BARS_TOP + _BARS_HEIGHT, max((one.count for one in bins), default=1)
    for one in bins:
        left, right = _x(one.low) + 1, _x(one.high) - 1
        height = _BARS_HEIGHT * one.count / most
        wrong = height * (1 - one.share)
        chart.box(left, bottom - height, right, bottom - wrong, BLUE)
        chart.box(left, bottom - wrong, right, bottom, RED)
        chart.text(((left + right) / 2, bottom - height - 9), str(one.count), 12, INK, "mm")
    chart.line([(_LEFT, bottom), (_LEFT + _SIDE, bottom)], INK, 1.2)
    for tick in _TICKS:
        chart.text((_x(tick), bottom + 16), f"{tick:g}", 13, FAINT, "mm")
    chart.text((_LEFT + _SIDE / 2, bottom + 42), "grids by confidence", 14, INK, "mm")
    for x, words, colour in ((_LEFT, "right", BLUE), (_LEFT + 66, "wrong", RED)):
        chart.box(x, bottom + 37, x + 11, bottom + 48, colour)
        chart.text((x + 17, bottom + 42), words, 13, INK)
