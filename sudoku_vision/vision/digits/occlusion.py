"""Find hidden cells: cells that are misread, because something covers them or the light hides their ink.

Each cause has its signs. A finger hides the lines around a cell and changes the colour of its paper. Glare
makes lines and paper white. A pen stroke over the grid goes on into the next cell. One sign alone doesn't
prove much. So a small network decides from all signs, and from the scores of the digit classifier. For its
training, covers were drawn on photos (``workshop/training/occlusion.py``, outside the package).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from sudoku_vision.ranks import median, medians
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.glyphs import COARSE_RANGE, PEAK_LIMIT
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.segmentation import PEAK_SHARE, USUAL
from sudoku_vision.vision.load.light import CLIPPED
from sudoku_vision.vision.rectify import RIM
from sudoku_vision.vision.rectify.illumination import THINNED
from sudoku_vision.vision.results import DigitScores

COVERED_PICTURES = 0.05  # assumed share of users' pictures in which something hides a part of the grid

VERSION = 1
"""Version number of the features. A model file is refused if it was trained with another version.

The number is raised whenever a feature changes.
"""
FEATURES = 45  # number of features of a cell: 40 for its picture, and five for its scores
CLASSES = ("no cover", "read rightly", "misread")
"""The classes of cells that the network distinguishes.

All cells of a picture are in the first class if nothing covers its grid. If something covers a part of the
grid, each cell is in the second class if it is read rightly, and in the third class if it is misread.
"""

# Numbers for the contrast between the line at a side of a cell and the paper beside the line.
_BESIDE = (0.125, 0.3)
"""Paper beside a line is measured between these two distances from the line, in shares of a cell's side."""
_FAINTEST = 4.0
"""Contrasts are divided by a median contrast, but at least by this number of grey levels.

The contrast of mere noise is lower than this number.
"""
_AGAINST = 0.5
"""Smallest contrast of a reversed line, as a share of the median contrast of the page's lines.

On a page with light lines, a reversed line is darker than both cells beside it. On a page with dark lines, it
is lighter than both. An app shows such lines between coloured cells. Weaker reversed lines may be noise.
"""
_CONTRASTS = (-1.0, 2.0)
"""The relative contrast of a line (:func:`_line_contrasts`) is clipped to this range."""
_LINES = ((0, 9), (3, 6), (1, 2, 4, 5, 7, 8))  # numbers of the border lines, box lines and cell lines

# Numbers for light and paper. Both are measured in small copies of the cells.
_DARK = 8.0  # added to grey levels before their logarithms are taken, because 0 has no logarithm

# Limits for ink.
_STRENGTHS = (-3.0, 3.0)  # the lowest and the highest ink level of a cell are clipped to this range
_NEAR_LINE = (0.08, 0.18)  # smallest and largest distance of ink near a side of a cell, as shares of the side
_ASLANT = 0.075
"""Largest shift between the two parts of a stroke that crosses a line, as a share of a cell's side.

The shift is measured along the line. A stroke that crosses the line at a slant has a shift.
"""

_COMPARED = (0, 1, 8, 9, 10, 14, 15, 23)
"""Indices of the features that are also compared with those of the neighbouring cells.

For each of these features, the most unusual value among a cell and its eight neighbours is one more feature.
The features are the contrasts of the two weakest sides, the brightness of the paper, its two hues, the
variation of brightness, the share of overexposed pixels, and the strongest ink that crosses a line.
"""


@dataclass(frozen=True, eq=False)
class OcclusionModel:
    """A trained network that finds hidden cells.

    It has :data:`FEATURES` inputs, and one output for each of the :data:`CLASSES`. ``layers`` are its layers.
    ``shares`` holds the share of the training cells in each class. ``header`` is the header of the model
    file.
    """

    layers: Layers
    shares: tuple[float, ...]
    header: Mapping[str, Any] = field(default_factory=dict)

    def hidden(self, cells: Floats, scores: DigitScores) -> Floats:
        """Return the probability (81,) float32 that each cell is hidden, and therefore misread.

        *cells* (81, 40) are the features from :func:`describe_cells`, in the same order as the *scores*.
        """
        return self.probabilities(np.concatenate([cells, describe_scores(scores)], axis=1))

    def probabilities(self, features: Floats) -> Floats:
        """Return the probability (N,) float32 that each cell is hidden.

        *features* (N, FEATURES) are those of :func:`describe_cells`, then those of :func:`describe_scores`.
        """
        clean, right, wrong = np.exp(log_softmax(forward(self.layers, features))).T
        # In most pictures of the training something covers the grid, but only in few pictures of users. So
        # the prior of the training is replaced by COVERED_PICTURES.
        covered = COVERED_PICTURES / (self.shares[1] + self.shares[2])
        wrong, right = covered * wrong, covered * right
        hidden: Floats = wrong / (wrong + right + clean * (1 - COVERED_PICTURES) / self.shares[0])
        return hidden


def describe_scores(scores: DigitScores) -> Floats:
    """Return five features (81, 5) float32 of the *scores* of each cell, which show how legible the cell is.

    A cell may be blank, or hold a digit 1..9. The features are the entropy of these ten probabilities, the
    probability of a blank, the highest of the ten, the probability of handwriting, and that of pencil marks.
    """
    logs = scores.log_probs
    shares = np.exp(logs)
    entropy = -(shares * logs).sum(axis=1)
    return np.column_stack([entropy, shares[:, 0], shares.max(axis=1), scores.written, scores.marks])


def describe_cells(straight: Image, coarse: Image, cells: Floats) -> Floats:
    """Return 40 features (81, 40) float32 of each cell, which show whether something covers the cell.

    The features of a cell don't change when the cell is turned. *straight* (81, S, S, 3) uint8 BGR are the
    straightened cells. *coarse* (81, 8, 8, 3) are small copies of these cells that show mostly paper. *cells*
    (81, S, S) float32 are pictures of the cells' clean ink.

    * *Lines*: the contrasts of the lines at the cell's four sides, the weakest first. They are given twice,
      divided by different medians; see :func:`_line_contrasts`.
    * *Paper*: brightness and hue relative to the page, their variation within the cell, and overexposure.
    * *Ink*: ink that goes on beyond each side, ink near each side, the amount of ink in the cell, and its
      lowest and highest level.
    * *Neighbours*: for eight of these features, the most unusual value of the cell and its eight neighbours.

    The model was trained on dark ink. If the ink is lighter than the paper, as on dark screens, the negative
    of the picture is described.
    """
    if _is_negative(coarse, straight, cells):
        straight, coarse = 255 - straight, 255 - coarse
    own = np.concatenate([_sides(_line_contrasts(straight)), _paper(coarse), _ink(cells)], axis=1)
    features: Floats = np.concatenate([own, _neighbours(own[:, _COMPARED])], axis=1)
    return features


def _is_negative(coarse: Image, straight: Image, cells: Floats) -> bool:
    """Return whether the ink is lighter than the paper; for the arguments see :func:`describe_cells`."""
    rim = round(RIM * cells.shape[1])
    thinned = (slice(None), slice(rim, -rim, 2 * THINNED), slice(rim, -rim, 2 * THINNED))
    grey, ink = straight[thinned][..., 1].reshape(81, -1), cells[thinned].reshape(81, -1)
    paper = medians(coarse[..., 1].reshape(81, -1))
    return bool(((grey - paper[:, None]) * np.maximum(ink, 0)).sum() > 0)


def _line_contrasts(straight: Image) -> Floats:
    """Return the relative contrasts (2, 2, 10, 9) of the lines at all sides of cells.

    The first axis has two entries: each contrast is given twice, divided by different medians. The first
    median is taken over all lines of the same kind (border, box or cell lines). The second median is taken
    over the nine sides along one line. The other axes are the direction of the lines (horizontal, vertical),
    the line, and the side along this line. Reversed lines (:data:`_AGAINST`) have a positive contrast, as
    other lines have.
    """
    size = straight.shape[1]
    grey = cv2.cvtColor(straight.reshape(81 * size, size, 3), cv2.COLOR_BGR2GRAY)
    board = grey.reshape(9, 9, size, size).swapaxes(1, 2).reshape(9 * size, 9 * size)
    ends, (line, far) = round(RIM * size), (round(share * size) for share in _BESIDE)
    place = np.clip(size * np.arange(10)[:, None] + np.arange(-far, far), 0, 9 * size - 1)
    depth, beyond = np.empty((2, 10, 9), np.float32), np.empty((2, 2, 10, 9), np.float32)
    for axis, picture in enumerate((board.T, board)):
        along = picture.reshape(9, size, 9 * size)[:, ends:-ends].mean(axis=1, dtype=np.float32)
        seen = along[:, place]
        paper = np.sort(np.delete(seen, np.s_[far - line : far + line], axis=2), axis=2)[..., far - line]
        differs = paper[..., None] - seen[..., far - line : far + line]
        deepest = np.abs(differs).argmax(axis=2)[..., None]
        depth[axis] = np.take_along_axis(differs, deepest, axis=2)[..., 0].T
        sides = medians(np.stack([seen[..., : far - line], seen[..., far + line :]]))
        beyond[:, axis] = sides.swapaxes(1, 2) - (paper.T - depth[axis])
    sign = -1 if median(depth) < 0 else 1
    depth *= sign
    against = -(sign * beyond).max(axis=0)  # the contrast of a reversed line
    depth = np.where(against > _AGAINST * median(depth), against, depth)
    alike = np.empty_like(depth)
    for lines in _LINES:
        alike[:, lines] = median(depth[:, lines])
    usual = np.stack([alike, np.broadcast_to(np.sort(depth, axis=2)[:, :, 4:5], depth.shape)])
    return np.clip(depth / np.maximum(usual, _FAINTEST), *_CONTRASTS)


def _sides(pieces: Floats) -> Floats:
    """Return K measures of the four sides of each cell, as an array (81, 4 K).

    *pieces* (K, 2, 10, 9) holds the measures. The axes are the measure, the direction of the line, the line,
    and the side along this line. For each measure, the four numbers of a cell are sorted, the lowest first.
    """
    rows, columns = pieces[:, 0], pieces[:, 1].swapaxes(1, 2)
    sides = np.stack([rows[:, :-1], rows[:, 1:], columns[:, :, :-1], columns[:, :, 1:]], axis=-1)
    sides.sort(axis=-1)
    return np.concatenate(list(sides.reshape(-1, 81, 4)), axis=1)


def _paper(coarse: Image) -> Floats:
    """Return twelve features (81, 12) of the brightness, hue and overexposure of each cell's paper."""
    pixels = coarse.reshape(81, -1, 3)
    middle = pixels.shape[1] // 2
    logs = np.log(pixels + np.float32(_DARK))
    hues = logs[..., [0, 2]] - logs[..., 1:2]
    paper, hue = (np.sort(values, axis=1)[:, middle] for values in (logs[..., 1], hues))
    tint = hue - medians(hue.T)
    ranked = np.sort(logs[..., 1], axis=1)
    quarter, rim = middle // 2, middle // 10
    clipped = (pixels.min(axis=2) >= CLIPPED).mean(axis=1, dtype=np.float32)
    return np.column_stack(
        [
            paper - median(paper),
            tint,
            np.abs(tint),
            ranked[:, -quarter] - ranked[:, quarter],
            ranked[:, -1 - rim] - ranked[:, rim],
            clipped,
            clipped - median(clipped),
            paper,
            hues.std(axis=1),
        ]
    )


def _ink(cells: Floats) -> Floats:
    """Return twelve features of the ink of each cell, as an array (81, 12).

    The first four features belong to the four sides: the strongest ink that continues across a side into the
    next cell. The next four are the strongest ink near each side. In both groups, the four numbers are
    sorted, the lowest first. Then follow the share of the cell that is ink, this share minus the median of
    the page's cells with ink, and the lowest and the highest ink level.
    """
    rim = round(RIM * cells.shape[1])
    pixels = cells[:, rim:-rim:2, rim:-rim:2].reshape(81, -1)
    place = pixels.shape[1] // PEAK_SHARE
    ranked = np.partition(pixels, [place, pixels.shape[1] - place], axis=1)
    area = (pixels > USUAL).mean(axis=1, dtype=np.float32)
    beside = _ink_beside_lines(cells)
    over = _ink_over_lines(beside)
    near = np.stack([over, beside])[..., rim:-rim].max(axis=3)
    near.sort(axis=2)
    extremes = np.clip(ranked[:, [place, -place]], *_STRENGTHS)
    return np.column_stack([*near, area, area - median(area[area > 0]) if area.any() else area, extremes])


def _ink_beside_lines(cells: Floats) -> Floats:
    """Return the strongest ink near the top, bottom, left and right of each cell, as an array (81, 4, S).

    The last axis holds a number for each of the S pixels along a side.
    """
    size = cells.shape[1]
    found = np.full((81, 4, size), COARSE_RANGE[0], np.float32)
    for step in range(*(round(share * size) for share in _NEAR_LINE)):
        sides = cells[:, step], cells[:, -1 - step], cells[:, :, step], cells[:, :, -1 - step]
        for side, ink in enumerate(sides):
            np.maximum(found[:, side], ink, out=found[:, side])
    return np.minimum(found, PEAK_LIMIT)


def _ink_over_lines(beside: Floats) -> Floats:
    """Return the level of the ink that continues across each side into the next cell, as an array (81, 4, S).

    *beside* (81, 4, S) is the result of :func:`_ink_beside_lines`. At the border of the grid there is no next
    cell, so the result there is the lowest ink level, ``COARSE_RANGE[0]``.
    """
    size = beside.shape[2]
    width = 2 * round(_ASLANT * size) + 1
    wide = cv2.dilate(beside.reshape(324, size), np.ones((1, width), np.uint8)).reshape(9, 9, 4, size)
    own = beside.reshape(9, 9, 4, size)
    over = np.full_like(own, COARSE_RANGE[0])

    def both(one: tuple[Any, ...], other: tuple[Any, ...]) -> Floats:
        joined: Floats = np.maximum(np.minimum(own[one], wide[other]), np.minimum(wide[one], own[other]))
        return joined

    below, above = (slice(None, -1), slice(None), 1), (slice(1, None), slice(None), 0)
    right, left = (slice(None), slice(None, -1), 3), (slice(None), slice(1, None), 2)
    over[below] = over[above] = both(below, above)
    over[right] = over[left] = both(right, left)
    ink: Floats = over.reshape(81, 4, size)
    return ink


def _neighbours(chosen: Floats) -> Floats:
    """Return, for each cell and feature, the most unusual value (81, K) among the cell and its neighbours.

    *chosen* (81, K) are the features. The first two are the contrasts of the weakest sides. Low contrasts are
    unusual. For all other features, large absolute values are unusual.
    """
    odd = np.abs(chosen)
    odd[:, :2] = -chosen[:, :2]
    board = odd.reshape(9, 9, -1)
    padded = np.pad(board, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows = np.maximum(np.maximum(padded[:-2], padded[1:-1]), padded[2:])
    most: Floats = np.maximum(np.maximum(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:]).reshape(81, -1)
    return most
