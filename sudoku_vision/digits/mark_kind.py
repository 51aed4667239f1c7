"""Measure the ink of cells by what tells pencil marks from digits: size against the page, place, parts."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.digits.components import all_components
from sudoku_vision.digits.glyphs import ink_levels, thresholded
from sudoku_vision.results import DigitScores, Floats

VERSION = 1
"""Raised whenever the same cells give other descriptions or pieces, so that an older model is refused."""

_COARSE = 8  # side of the coarse view of a cell
_LEAST_AREA = 0.004  # square cells: smaller components are specks
_RIM, _THIN, _LONG = 0.05, 0.08, 0.3  # cells: so near the edge, thin and long lies what a line has left
_USUAL_HEIGHT = 0.55  # of digits in cells, on a page that shows none
_LEAST_HEIGHT = 0.2  # no print is smaller against its cell than that
_SMALL = 0.7  # of the page's height of digits: ink that is lower counts as small
_LIMIT = 4.0  # no ratio counts for more

KIND_FEATURES = 21 + _COARSE**2
"""Length of the description of a cell."""


def describe_kind(cells: Floats, scores: DigitScores) -> tuple[Floats, NDArray[np.bool_]]:
    """Return descriptions (81, KIND_FEATURES) float32 of cells, and which of them hold any ink (81,).

    *cells* (81, S, S) float32 of clean ink; *scores*: what the classifier of digits makes of them.
    """
    count, size = cells.shape[:2]
    levels = ink_levels(cells)
    _, parts = all_components(thresholded(cells, levels), count, size)
    width, height = parts.width / size, parts.height / size
    left, top, right, bottom = parts.left / size, parts.top / size, parts.right / size, parts.bottom / size
    area = parts.area / size**2
    upright = (np.minimum(left, 1 - right) < _RIM) & (width < _THIN) & (height > _LONG)
    flat = (np.minimum(top, 1 - bottom) < _RIM) & (height < _THIN) & (width > _LONG)
    used = (area > _LEAST_AREA) & ~upright & ~flat
    used[0] = False  # the background
    cell = parts.cell[used]

    tallest, total, largest, number = (np.zeros(count) for _ in range(4))
    np.maximum.at(tallest, cell, height[used])
    np.maximum.at(largest, cell, area[used])
    np.add.at(total, cell, area[used])
    np.add.at(number, cell, 1)
    low, high = np.ones((count, 2)), np.zeros((count, 2))
    np.minimum.at(low, cell, np.stack([left, top], axis=1)[used])
    np.maximum.at(high, cell, np.stack([right, bottom], axis=1)[used])
    found = number > 0
    low[~found], high[~found] = 0.5, 0.5

    digit = 1 - np.exp(scores.log_probs[:, 0].astype(np.float64))
    page = _page_height(tallest, digit * total)
    extent = high - low
    share = float((found & (tallest < _SMALL * page)).sum() / max(1, found.sum()))
    columns = [
        tallest / page,
        extent[:, 1] / page,
        extent[:, 0] / page,
        low[:, 0],
        low[:, 1],
        1 - high[:, 0],
        1 - high[:, 1],
        (low[:, 0] + high[:, 0]) / 2 - 0.5,
        (low[:, 1] + high[:, 1]) / 2 - 0.5,
        np.minimum(number, 9) / 3,
        np.minimum(levels.peak, 2.0),
        extent[:, 0] / (extent[:, 1] + 0.05),
        np.sqrt(total) / page,
        np.sqrt(largest) / page,
        largest / np.maximum(total, 1e-6),
        np.full(count, page),
        digit,
        scores.log_probs[:, 1:].max(axis=1) - scores.log_probs[:, 0],
        scores.written,
        np.full(count, share),
        tallest,
    ]
    columns[17] = np.clip(columns[17], -_LIMIT, _LIMIT)
    numbers = np.clip(np.stack(columns, axis=1), -_LIMIT, _LIMIT)
    coarse = cv2.resize(cells.transpose(1, 2, 0), (_COARSE, _COARSE), interpolation=cv2.INTER_AREA)
    view = np.clip(coarse.reshape(_COARSE**2, count).T, -0.2, 1.5)
    return np.concatenate([numbers, view], axis=1).astype(np.float32), found


def _page_height(tallest: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
    """Return the height of digits on the page, in cells: the median of the tallest ink, by *weight*."""
    order = np.argsort(tallest)
    along = np.cumsum(weight[order])
    if along[-1] <= 0:
        return _USUAL_HEIGHT
    return max(_LEAST_HEIGHT, float(tallest[order[np.searchsorted(along, along[-1] / 2)]]))
