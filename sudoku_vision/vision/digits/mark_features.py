"""Measure the ink of cells by what tells pencil marks from digits: size against the page, place, parts."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats
from sudoku_vision.vision.digits.components import Components, all_components
from sudoku_vision.vision.digits.glyphs import COARSE_RANGE, ink_levels, thresholded
from sudoku_vision.vision.ranks import median

VERSION = 1
"""Raised whenever the same cells give other descriptions or pieces, so that an older model is refused."""

_COARSE = 8  # side of the coarse view of a cell
_LEAST_AREA = 0.004  # square cells: smaller components are specks
_THINNED = 2  # every second pixel, in both directions, is enough to measure how strong ink is
_USUAL_HEIGHT = 0.55  # of digits in cells, on a page that shows none
_LEAST_HEIGHT = 0.2  # no print is smaller against its cell than that
_SMALL = 0.7  # of the page's height of digits: ink that is lower counts as small
_LIMIT = 4.0  # no number counts for more
_MOST_PEAK = 2.0  # nor is ink stronger than so many times the page's
_PARTS_SCALE, _MOST_PARTS = 3, 9  # components of a cell
_LEAST_LENGTH = 0.05  # cells added to a height before a ratio is taken: a dash is no infinite ratio

# A page is plainly unmarked where all cells are plainly blank or plainly printed, and the blank ones clean.
# Of 1,500 drawn pages and 640 photos 208 bear marks though all of their cells are plain; the strongest spots
# in their blank cells begin at 0.21. Three in four newspaper photos of VGA size stay below 0.15.
_PLAIN = 0.95  # probability of a digit, or of none, from which a cell is plain
_PRINTED = 0.1  # probability of handwriting up to which a plain digit is printed
_SPOT = 3  # pixels, of 40: as wide as the stroke of a mark
_CLEAN = 0.15  # mean ink of the strongest spot, against the full ink of its page, up to which paper is clean

Doubles = NDArray[np.float64]

KIND_FEATURES = 25 + _COARSE**2  # length of the description of a cell


def is_plainly_unmarked(cells: Floats, scores: DigitScores) -> bool:
    """Tell whether a page holds nothing that may be pencil marks; where it isn't plain, they are looked for.

    *cells* and *scores* are as for :func:`describe_kind`.
    """
    digit = 1 - np.exp(scores.log_probs[:, 0])
    blank = digit < 1 - _PLAIN
    if not (blank | (digit > _PLAIN) & (scores.written < _PRINTED)).all():
        return False
    paper = cells[blank].reshape(-1, cells.shape[2])
    return not len(paper) or float(cv2.blur(paper, (_SPOT, _SPOT)).max()) < _CLEAN


class _CellInk(NamedTuple):
    """The ink of N cells, lengths in cells, areas in square cells.

    ``tallest`` component (N,) and ``largest`` area of one, ``total`` area, ``number`` of components; ``low``
    and ``high`` (N, 2): the left top and right bottom corners of all of it, the middle where there is none.
    """

    tallest: Doubles
    largest: Doubles
    total: Doubles
    number: Doubles
    low: Doubles
    high: Doubles


def describe_kind(cells: Floats, scores: DigitScores) -> tuple[Floats, NDArray[np.bool_]]:
    """Return descriptions (81, KIND_FEATURES) float32 of cells, and which of them hold any ink (81,).

    *cells* (81, S, S) float32 of clean ink; *scores*: what the classifier of digits makes of them.
    """
    count, size = cells.shape[:2]
    levels = ink_levels(cells[:, ::_THINNED, ::_THINNED])
    _, _, components = all_components(thresholded(cells, levels), count, size)
    ink = _ink(components, count)
    digit = 1 - np.exp(scores.log_probs[:, 0].astype(np.float64))
    odds = scores.log_probs[:, 1:].max(axis=1) - scores.log_probs[:, 0]
    numbers = [*_sizes(ink, digit), np.minimum(levels.peak, _MOST_PEAK), digit, odds, scores.written]
    rows = cells.reshape(count * size, size)
    coarse = cv2.resize(rows, (_COARSE, count * _COARSE), interpolation=cv2.INTER_AREA)
    view = np.clip(coarse.reshape(count, _COARSE**2), *COARSE_RANGE)
    described = np.concatenate([np.clip(np.stack(numbers, axis=1), -_LIMIT, _LIMIT), view], axis=1)
    return described.astype(np.float32), ink.number > 0


def _ink(components: Components, count: int) -> _CellInk:
    """Measure the ink of *count* cells, all components but specks and what lines have left."""
    size = components.size
    left, top = components.left / size, components.top / size
    right, bottom = components.right / size, components.bottom / size
    height, area = bottom - top, components.area / size**2
    used = (area > _LEAST_AREA) & ~components.line_remains()
    used[0] = False  # the background
    cell = components.cell[used]
    tallest, largest, total, number = (np.zeros(count) for _ in range(4))
    np.maximum.at(tallest, cell, height[used])
    np.maximum.at(largest, cell, area[used])
    np.add.at(total, cell, area[used])
    np.add.at(number, cell, 1)
    low, high = np.ones((count, 2)), np.zeros((count, 2))
    np.minimum.at(low, cell, np.stack([left, top], axis=1)[used])
    np.maximum.at(high, cell, np.stack([right, bottom], axis=1)[used])
    low[number == 0], high[number == 0] = 0.5, 0.5
    return _CellInk(tallest, largest, total, number, low, high)


def _sizes(ink: _CellInk, digit: Doubles) -> list[Doubles]:
    """Return numbers (81,) that say where the ink of cells lies, and how large it is for its page.

    *digit* (81,): how likely each cell holds a digit.
    """
    page = _page_height(ink.tallest, digit * ink.total)
    wide, tall = (ink.high - ink.low).T
    middle = (ink.low + ink.high) / 2 - 0.5
    return [
        *(length / page for length in (ink.tallest, tall, wide, np.sqrt(ink.total), np.sqrt(ink.largest))),
        *ink.low.T,
        *(1 - ink.high).T,
        *middle.T,
        np.minimum(ink.number, _MOST_PARTS) / _PARTS_SCALE,
        wide / (tall + _LEAST_LENGTH),
        ink.largest / np.maximum(ink.total, _LEAST_AREA),
        ink.tallest,
        *(np.full(len(digit), number) for number in (page, *_page_numbers(ink, page))),
    ]


def _page_numbers(ink: _CellInk, page: float) -> list[float]:
    """Return numbers that say what the page is like: how full, and what its small ink has in common.

    Of entries in a small hand each stands alone in the middle of its cell, and few cells are left blank.
    """
    found = ink.number > 0
    small = found & (ink.tallest < _SMALL * page)
    if not small.any():
        return [found.mean(), 0.0, 0.0, 0.0, 0.0]
    middle = ((ink.low + ink.high) / 2 - 0.5)[small]
    several = (ink.high - ink.low)[small, 0] > ink.tallest[small]
    return [
        found.mean(),
        small.sum() / found.sum(),
        several.mean(),
        median(middle[:, 1]),
        median(np.abs(middle).max(axis=1)),
    ]


def _page_height(tallest: Doubles, weight: Doubles) -> float:
    """Return the height of digits on the page, in cells: the median of the tallest ink, by *weight*."""
    order = np.argsort(tallest)
    along = np.cumsum(weight[order])
    if along[-1] <= 0:
        return _USUAL_HEIGHT
    return max(_LEAST_HEIGHT, float(tallest[order[np.searchsorted(along, along[-1] / 2)]]))
