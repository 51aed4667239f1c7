"""The reliability diagram: share right against confidence, over a histogram of the confidences.

What matters happens close to 1, so the axes are log-odds: 0.9, 0.99 and 0.999 stand equally far apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sudoku_vision.output.drawing.colours import BLUE, FAINT, GREEN, INK, RED, RULE, WHITE, Colour
from sudoku_vision.results import Image
from sudoku_vision.workshop.evaluation.chart import Chart
from sudoku_vision.workshop.evaluation.reliability import (
    Bin,
    Groups,
    binned,
    calibration_error,
    merged_groups,
)

# All lengths are in pixels of the picture.
_SIDE, _LEFT, _TOP = 500, 72, 98  # of the square of the diagram
_BARS_TOP, _BARS_HEIGHT = _TOP + _SIDE + 92, 120  # of the histogram below it
_RIGHT_MARGIN, _BOTTOM_MARGIN = 40, 72
_TITLE, _WORDS, _AXIS, _SMALL = 20, 13, 14, 12  # sizes of letters
_FIRST_LINE, _SECOND_LINE = 26, 49  # where title and counts stand, from the top
_TICK_GAP, _AXIS_GAP = 16, 41  # below an axis: to the middle of its ticks, and of its name
_SERIF = 5  # half the width of the ends of an interval
_KEY = 11  # side of the patches of colour in the legend

_TOO_SURE: Colour = (244, 245, 253)  # behind the half of the diagram that no honest reader enters
_TICKS = (0.01, 0.1, 0.5, 0.9, 0.99, 0.999)
_ENDS = (0.003, 0.9997)  # what lies beyond is drawn at the edge


def draw_reliability(groups: Groups, *, sure: float | None = None) -> Image:
    """Draw the reliability diagram over a histogram of the confidences, (H, W, 3) uint8 BGR.

    Dots are bins, their bars 95 % intervals; on the diagonal confidence holds, below it is too sure. *sure*
    marks the confidence from which a grid is called solved.
    """
    pairs = merged_groups(groups)
    bins = [one for one in binned(pairs) if one.count]
    chart = Chart(_LEFT + _SIDE + _RIGHT_MARGIN, _BARS_TOP + _BARS_HEIGHT + _BOTTOM_MARGIN)
    chart.text((_LEFT, _FIRST_LINE), "Does confidence hold?", _TITLE, bold=True)
    words = f"{len(pairs)} grids ({', '.join(f'{len(part)} {name}' for name, part in groups.items())})"
    if pairs:
        words += f", expected calibration error {calibration_error(bins):.4f}"
    chart.text((_LEFT, _SECOND_LINE), words, _WORDS, FAINT)
    _draw_axes(chart)
    if sure is not None:
        _draw_threshold(chart, sure)
    for one in bins:
        _draw_bin(chart, one)
    _draw_histogram(chart, bins)
    return chart.pixels()


def _along(share: float) -> float:
    """Return where a share lies on an axis of log-odds: 0 to 1 from one end to the other."""
    low, high = (math.log(end / (1 - end)) for end in _ENDS)
    held = min(max(share, _ENDS[0]), _ENDS[1])
    return (math.log(held / (1 - held)) - low) / (high - low)


def _x(share: float) -> float:
    return _LEFT + _SIDE * _along(share)


def _y(share: float) -> float:
    return _TOP + _SIDE * (1 - _along(share))


def _draw_axes(chart: Chart) -> None:
    """Draw ruled ticks both ways, the diagonal, and what its two sides mean."""
    right, bottom = _LEFT + _SIDE, _TOP + _SIDE
    chart.area([(_LEFT, bottom), (right, _TOP), (right, bottom)], _TOO_SURE)
    for tick in _TICKS:
        chart.line([(_x(tick), _TOP), (_x(tick), bottom)], RULE)
        chart.line([(_LEFT, _y(tick)), (right, _y(tick))], RULE)
        chart.text((_LEFT - 10, _y(tick)), f"{tick:g}", _WORDS, FAINT, "rm")
    chart.line([(_LEFT, bottom), (right, _TOP)], FAINT, 1.5, (7, 5))
    chart.line([(_LEFT, _TOP), (_LEFT, bottom)], INK, 1.2)
    chart.text((_LEFT + 14, _TOP + 20), "more often right than it says", _WORDS, FAINT)
    chart.text((right - 14, bottom - 18), "too sure of itself", _WORDS, RED, "rm")
    chart.text((_LEFT, _TOP - 16), "share right", _AXIS)
    _draw_confidence_axis(chart, bottom, "confidence")


def _draw_confidence_axis(chart: Chart, bottom: float, name: str) -> None:
    """Draw the axis of confidence along *bottom*, with its ticks and its *name*."""
    chart.line([(_LEFT, bottom), (_LEFT + _SIDE, bottom)], INK, 1.2)
    for tick in _TICKS:
        chart.text((_x(tick), bottom + _TICK_GAP), f"{tick:g}", _WORDS, FAINT, "mm")
    chart.text((_LEFT + _SIDE / 2, bottom + _AXIS_GAP), name, _AXIS, INK, "mm")


def _draw_threshold(chart: Chart, sure: float) -> None:
    """Draw from where on a grid is called solved."""
    bottom = _TOP + _SIDE
    chart.line([(_x(sure), _TOP), (_x(sure), bottom)], GREEN, 1.5, (3, 3))
    chart.text((_x(sure) - 6, bottom - 44), "called solved from here", _SMALL, GREEN, "rm")


def _draw_bin(chart: Chart, one: Bin) -> None:
    """Draw the share right of a bin with its interval, in red where that lies below the confidence."""
    x, (low, high) = _x(one.mean_confidence), one.interval
    colour = RED if high < one.mean_confidence else BLUE
    chart.line([(x, _y(low)), (x, _y(high))], colour, 2)
    for limit in (low, high):
        chart.line([(x - _SERIF, _y(limit)), (x + _SERIF, _y(limit))], colour, 2)
    chart.dot((x, _y(one.share)), 4 + 0.8 * math.log10(one.count), colour, WHITE)


def _draw_histogram(chart: Chart, bins: Sequence[Bin]) -> None:
    """Draw how many grids each bin holds; those that were wrong in red."""
    bottom, most = _BARS_TOP + _BARS_HEIGHT, max((one.count for one in bins), default=1)
    for one in bins:
        left, right = _x(one.low) + 1, _x(one.high) - 1
        height = _BARS_HEIGHT * one.count / most
        wrong = height * (1 - one.share)
        chart.box(left, bottom - height, right, bottom - wrong, BLUE)
        chart.box(left, bottom - wrong, right, bottom, RED)
        chart.text(((left + right) / 2, bottom - height - 9), str(one.count), _SMALL, INK, "mm")
    _draw_confidence_axis(chart, bottom, "grids by confidence")
    middle = bottom + _AXIS_GAP
    for x, words, colour in ((_LEFT, "right", BLUE), (_LEFT + 66, "wrong", RED)):
        chart.box(x, middle - _KEY / 2, x + _KEY, middle + _KEY / 2, colour)
        chart.text((x + _KEY + 6, middle), words, _WORDS, INK)
