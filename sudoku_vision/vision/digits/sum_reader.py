"""Read the sums of a killer: one or two small digits in the top left corner of a cell.

All sums of a page have the same size and stand at the same place of their cells. So the pieces of ink with
the most common place are sums. A sum is cut into pieces of ink, as marks are, and a small network classifies
each piece as a digit or as no single digit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.ranks import median, quantile
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.features import edge_histograms, pooled_pixels
from sudoku_vision.vision.digits.mark_segmentation import NUMBERS, Piece, Pieces, normalised_piece, pieces_of
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.segmentation import find_components, ink_mask
from sudoku_vision.vision.rectify import RIM, coarse_view, remove_lines
from sudoku_vision.vision.rectify.illumination import magnify, paper_of

VERSION = 1  # raised whenever the same cells give other pieces or features, so that older models are refused

WINDOWS = 5  # edge windows along each side of a piece
FEATURES = 8 * WINDOWS**2 + 14**2 + NUMBERS  # numbers that describe a piece
NONE = 10  # class of a piece that is no single digit; the classes 0 to 9 are the digits

MIN_PAPER = 40.0  # smallest brightness of paper, in grey levels, by which ink is divided
CORNER = (0.1, 0.4)  # smallest and largest distance of the ink of sums from the edges of a cell, in cells
FULL_INK, STRONGEST, MIN_INK = 0.97, 20, 0.02
"""How the full ink of sums is measured. In the corner of each cell, it is the first number as a quantile. Of
as many cells with the strongest ink as the second number says, the median is taken. The result is at least
the third number."""
THRESHOLD = 0.35  # share of full ink from which a pixel is ink
SMOOTH = 0.0125  # size of the blur, in cells, before ink is separated from paper
MIN_HEIGHT, MAX_HEIGHT = 0.1, 0.36  # limits for the height of a digit of a sum, in cells
MAX_LEFT, MAX_RIGHT, MAX_BOTTOM = 0.5, 0.75, 0.47  # farthest left, right and bottom of such a digit, in cells
MOST_WIDE = 1.8  # width of a sum of two wide digits, as a share of its height
SAME_HEIGHT, SAME_PLACE = 0.05, 0.1
"""Limits for the differences in height and in place between the sums of a page, in cells.

The places differ if a line of a cage was taken for a line of the grid.
"""
ROOM = 0.02  # width of the margin around a sum that is read with the sum, in cells
MAX_GAP = 0.7  # widest gap between two digits of a sum, as a share of their height
SKIPPED = 0.05  # probability that ink beside a sum is no part of the sum, if it looks like no digit
PEAK, MIN_PEAK = 0.95, 0.3  # the full ink of one sum is this quantile of its ink, but at least 0.3
TALL = 0.5  # smallest height of ink that is a digit by itself, as a share of the height of the sum
WIDEST = 2.2  # width of the widest sum, as a share of its height
CUT_BLUR, MIN_PART, MAX_CUTS = 1.2, 3, 3
"""How a sum is cut into digits: the standard deviation of the blur over its columns and the smallest width of
a digit, both in pixels, and the largest number of cuts besides the cut in the middle."""
LOST = 0.016
"""Probability that the first digit of a sum is lost in a line: 47 of 2,880 clear single digits."""
MIN_LIKELY = 1e-4  # sums that are less likely than this are left out

Bools = NDArray[np.bool_]


class Sums(NamedTuple):
    """The sums of a page.

    ``ink`` (81, S, S) is the clean ink of the upright cells, relative to the full ink of sums, and ``boxes``
    (N, 4) are the left, top, right and bottom, in cells, of the sums in ``cells`` (N,), which are in order.
    """

    ink: Floats
    cells: NDArray[np.intp]
    boxes: NDArray[np.float64]

    def at(self, cells: Sequence[int]) -> "Sums":
        """Return the sums of *cells*; where none was found, the place of the others is taken for its box.

        The places of sums in the same row or column of the grid count, because a line of the grid may have
        been found a little off its place there.
        """
        known = dict(zip(self.cells.tolist(), self.boxes, strict=True))
        height = median(self.boxes[:, 3] - self.boxes[:, 1])
        boxes = []
        for cell in cells:
            if cell in known:
                boxes.append(known[cell])
                continue
            same_row, same_column = self.cells // 9 == cell // 9, self.cells % 9 == cell % 9
            row = self.boxes[same_row] if same_row.any() else self.boxes
            column = self.boxes[same_column] if same_column.any() else self.boxes
            left, top = median(column[:, 0]), median(row[:, 1])
            boxes.append(np.array([left, top, left + MOST_WIDE * height, top + height]))
        return self._replace(cells=np.array(cells, np.intp), boxes=np.array(boxes).reshape(-1, 4))


def plain_ink(straight: Image) -> Floats:
    """Return the ink (81, S, S) of straightened cells (81, S, S, 3) uint8 BGR, relative to their paper.

    Unlike in :func:`~sudoku_vision.vision.rectify.even`, one scale holds for the whole page, because most
    cells of a killer have no other ink than thin lines.
    """
    size = straight.shape[1]
    grey = cv2.cvtColor(straight.reshape(81 * size, size, 3), cv2.COLOR_BGR2GRAY).reshape(81, size, size)
    colours = paper_of(coarse_view(straight))
    papers = (colours @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    paper = magnify(np.asarray(papers, np.float32), size)[..., 0]
    depth = paper - grey
    edge = round(RIM * size)
    inner = depth[:, edge:-edge, edge:-edge]
    if quantile(inner, 0.995) >= -quantile(inner, 0.005):
        return np.asarray(depth / np.maximum(paper, MIN_PAPER), np.float32)
    return np.asarray(-depth / 255, np.float32)


def full_ink(ink: Floats) -> float:
    """Return the full ink of sums, from the plain ink (81, S, S) of cells that may lie in any turn."""
    near, low = (round(place * ink.shape[1]) for place in CORNER)
    corners = (np.rot90(ink, turn, axes=(1, 2))[:, near:low, near:low].reshape(81, -1) for turn in range(4))
    levels = (np.sort(np.quantile(corner, FULL_INK, axis=1))[-STRONGEST:] for corner in corners)
    return max(MIN_INK, *map(median, levels))


def find_sums(ink: Floats) -> Sums:
    """Find the small sums in the top left corners of upright cells.

    *ink* (81, S, S) is the plain ink of the cells, relative to full ink.
    """
    clean = remove_lines(ink, 2)
    found = find_components(ink_mask(clean, np.full(81, THRESHOLD, np.float32), SMOOTH), 81, ink.shape[1])[2]
    possible = (found.sides[:, 1] > MIN_HEIGHT) & (found.sides[:, 1] < MAX_HEIGHT)
    possible &= (found.high < [MAX_RIGHT, MAX_BOTTOM]).all(axis=1) & (found.low[:, 0] < MAX_LEFT)
    possible[0] = False  # component 0 is the background
    own = np.flatnonzero(possible)
    if not len(own):
        return Sums(clean, np.zeros(0, np.intp), np.zeros((0, 4)))
    ends = np.stack([found.low[own, 1], found.high[own, 1]], axis=1)
    near = np.abs(ends[:, None] - ends).max(axis=2) < SAME_HEIGHT / 2
    votes = [len(np.unique(found.cell[own[one]])) for one in near]
    top, bottom = ends[near[int(np.argmax(votes))]].mean(axis=0).tolist()
    alike = np.abs(ends[:, 1] - ends[:, 0] - (bottom - top)) < SAME_HEIGHT
    own = own[alike & (np.abs(ends[:, 0] - top) < SAME_PLACE)]
    boxes: dict[int, NDArray[np.float64]] = {}
    for one in own[np.lexsort((found.low[own, 0], found.cell[own]))].tolist():
        cell, box = int(found.cell[one]), np.array([*found.low[one], *found.high[one]])
        if cell not in boxes:
            boxes[cell] = box
        elif box[0] < boxes[cell][2] + MAX_GAP * (bottom - top):
            boxes[cell] = np.array(
                [*np.minimum(boxes[cell][:2], box[:2]), *np.maximum(boxes[cell][2:], box[2:])]
            )
    left = median(np.array([box[0] for box in boxes.values()]))
    boxes = {cell: box for cell, box in boxes.items() if abs(box[0] - left) < SAME_PLACE}
    return Sums(clean, np.array(list(boxes), np.intp), np.array(list(boxes.values())).reshape(-1, 4))


def sum_pieces(sums: Sums) -> Pieces:
    """Cut the ink of the *sums* of a page into pieces, from each possible cut to each other one."""
    size = sums.ink.shape[1]
    height = median(sums.boxes[:, 3] - sums.boxes[:, 1]) if len(sums.cells) else 0.0
    found: list[Piece] = []
    last_cuts: list[int] = []
    for cell, (left, top, _, bottom) in zip(sums.cells.tolist(), sums.boxes, strict=True):
        corner = np.array([max(0, round((left - ROOM) * size)), max(0, round((top - ROOM) * size))])
        end = np.rint([(left + ROOM + WIDEST * height) * size, (bottom + ROOM) * size]).astype(int)
        ink = _only_digits(sums.ink[cell, corner[1] : end[1], corner[0] : end[0]], (bottom - top) * size)
        cuts = _cuts(ink)
        for first, last in combinations(range(len(cuts)), 2):
            inked = ink[:, cuts[first] : cuts[last]] > 0
            rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
            if len(rows):
                start, stop = cuts[first] + int(columns[0]), cuts[first] + int(columns[-1]) + 1
                box = (start, int(rows[0]), stop, int(rows[-1]) + 1)
                picture, place = normalised_piece(ink, box), (np.array(box) + np.tile(corner, 2)) / size
                found.append(
                    (cell, len(last_cuts), first, last, picture, place, 1 - len(columns) / (stop - start))
                )
        last_cuts.append(len(cuts) - 1)
    return pieces_of(found, last_cuts)


def _only_digits(ink: Floats, height: float) -> Floats:
    """Return the *ink* (H, W) round a sum, 0..1, without ink that is no digit of about this *height*.

    Dashes and dots are too low. The parts of a digit, which may be separate, lie above one another.
    """
    peak = max(MIN_PEAK, quantile(ink, PEAK)) if ink.size else 1.0
    mask = (cv2.GaussianBlur(ink, (0, 0), 1.0) > THRESHOLD * peak).astype(np.uint8)
    _, labels, found, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    digits: list[list[int]] = []
    for number in sorted(range(1, len(found)), key=lambda one: int(found[one, 0])):
        left, wide = found[number, 0], found[number, 2]
        ends = found[digits[-1], 0] + found[digits[-1], 2] if digits else np.zeros(1, np.int32)
        if digits and ends.max() - left > wide / 2:
            digits[-1].append(number)
        else:
            digits.append([number])
    kept: list[int] = []
    right = MAX_GAP * height
    for parts in digits:
        left, top = found[parts, :2].min(axis=0)
        end, bottom = (found[parts, :2] + found[parts, 2:4]).max(axis=0)
        if bottom - top >= TALL * height and left <= right:
            kept += parts
            right = max(right, end + MAX_GAP * height)
    grown = cv2.dilate(np.isin(labels, kept).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.where(grown, np.clip(ink / peak, 0, 1), 0).astype(np.float32)


def _cuts(ink: Floats) -> list[int]:
    """Return the columns of *ink* (H, W) where it begins, where it may be cut, and where it ends."""
    columns = np.flatnonzero((ink > 0).any(axis=0))
    if not len(columns):
        return [0, 0]
    first, last = int(columns[0]), int(columns[-1]) + 1
    profile = cv2.GaussianBlur(ink.sum(axis=0, keepdims=True), (0, 0), CUT_BLUR)[0]
    middle = np.arange(first + MIN_PART, last - MIN_PART + 1)
    middle = middle[middle < len(profile) - 1]
    low = middle[(profile[middle - 1] >= profile[middle]) & (profile[middle] < profile[middle + 1])]
    best = sorted(low.tolist(), key=lambda column: float(profile[column]))[:MAX_CUTS]
    if len(middle):  # the digits may touch along a whole edge
        best.append((first + last) // 2)
    return [first, *sorted(set(best)), last]


def describe_sum_pieces(pieces: Pieces) -> Floats:
    """Return the feature vectors (N, FEATURES) float32 of pieces."""
    if not len(pieces):
        return np.zeros((0, FEATURES), np.float32)
    parts = [edge_histograms(pieces.images, WINDOWS), pooled_pixels(pieces.images), pieces.numbers()]
    return np.concatenate(parts, axis=1)


@dataclass(frozen=True, eq=False)
class SumReader:
    """The network that classifies pieces of sums: ``layers``, and the ``temperature`` that calibrates it."""

    layers: Layers
    temperature: float = 1.0
    header: Mapping[str, Any] = field(default_factory=dict)

    def read(self, pieces: Pieces) -> dict[int, dict[int, float]]:
        """Return for each cell with *pieces* of ink its likely sums with probabilities, likeliest first.

        They don't add up to 1 if the ink may be no sum at all.
        """
        outputs = forward(self.layers, describe_sum_pieces(pieces)) / np.float32(self.temperature)
        logs = log_softmax(outputs).astype(np.float64) if len(pieces) else np.zeros((0, NONE + 1))
        return {
            cell: _likely_sums(pieces, logs, np.flatnonzero(pieces.cells == cell))
            for cell in np.unique(pieces.cells).tolist()
        }


def _likely_sums(pieces: Pieces, logs: NDArray[np.float64], own: NDArray[np.intp]) -> dict[int, float]:
    """Return the likely sums of a cell with their probabilities; *own* are the pieces of the cell.

    Ink on both sides of the sum may be no part of it.
    """
    at = {(int(pieces.starts[one]), int(pieces.ends[one])): np.exp(logs[one]) for one in own}
    last = max(end for _, end in at)
    found = np.zeros(100)
    for (first, end), whole in at.items():
        outside = [at[run][NONE] * SKIPPED for run in ((0, first), (end, last)) if run in at]
        weight = float(np.prod(outside))
        found[1:10] = np.maximum(found[1:10], weight * whole[1:10])
        for cut in range(first + 1, end):
            if (first, cut) in at and (cut, end) in at:
                pair = weight * np.outer(at[first, cut][1:10], at[cut, end][:10])
                found[10:] = np.maximum(found[10:], pair.ravel())
    for tens in (10, 20):
        found[tens + 1 : tens + 10] += LOST / 2 * found[1:10]
    found[1:10] *= 1 - LOST
    found /= max(1.0, float(found.sum()))
    likely = np.flatnonzero(found[:46] > MIN_LIKELY)
    return {number: float(found[number]) for number in likely[np.argsort(-found[likely])].tolist()}
