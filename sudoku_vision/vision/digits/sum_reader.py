"""Read the sums of a killer: one or two small digits in the top left corner of a cell.

All sums of a page have the same size and stand at the same place of their cells. So the pieces of ink with
the most common place are sums, and they show where the other cells may have one. A small network sees this
place of each cell, and returns the probability of each sum, and that of no sum.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import median, quantile
from sudoku_vision.values import Bools, Floats, Image
from sudoku_vision.vision.digits.features import edge_histograms, pooled_pixels
from sudoku_vision.vision.digits.glyphs import GLYPH
from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from sudoku_vision.vision.digits.segmentation import find_components, ink_mask
from sudoku_vision.vision.rectify import RIM, remove_lines
from sudoku_vision.vision.rectify.illumination import DARKEST, magnify, paper_of

VERSION = 3  # raised whenever the same cells give other features, so that older models are refused

HEIGHT = 20  # height of a sum in the picture of its place, in pixels; the picture is 28 x 56 pixels
BEFORE = (0.4, 0.2)  # left and upper margin of this picture, as shares of the height of a sum
WINDOWS = 5  # edge windows along each side of either half of the picture
FEATURES = 2 * (8 * WINDOWS**2 + (GLYPH // 2) ** 2)  # numbers that describe the picture
SUMS = 46  # number of classes: the sums 1 to 45; class 0 is no sum

CORNER = (0.1, 0.4)  # smallest and largest distance of the ink of sums from the edges of a cell, in cells
FULL_INK, STRONGEST, MIN_INK = 0.97, 20, 0.02
"""How the full ink of sums is measured.

The first number is the quantile of the ink in the corner of each cell. The second is the number of cells with
the strongest ink, of which the median is taken. The third is the smallest result.
"""
THRESHOLD = 0.35  # share of full ink from which a pixel is ink
SMOOTH = 0.0125  # size of the blur, in cells, before ink is separated from paper
MIN_HEIGHT, MAX_HEIGHT = 0.1, 0.36  # limits for the height of a digit of a sum, in cells
MAX_LEFT, MAX_RIGHT, MAX_BOTTOM = 0.5, 0.75, 0.47  # farthest left, right and bottom of such a digit, in cells
MOST_WIDE = 1.8  # largest width of a sum of two digits, as a share of its height
SAME_HEIGHT, SAME_PLACE = 0.05, 0.1
"""Limits for the differences in height and in place between the sums of a page, in cells.

The places differ if a line of a cage was taken for a line of the grid.
"""
MAX_GAP = 0.7  # widest gap between two digits of a sum, as a share of their height
PEAK = 0.9  # the full ink of a sum is this quantile of its ink

MIN_LIKELY = 1e-4  # sums that are less likely than this are left out


class Sums(NamedTuple):
    """The sums of a page.

    ``ink`` (81, S, S) is the plain ink of the upright cells, relative to the full ink of sums, and ``boxes``
    (N, 4) are the left, top, right and bottom, in cells, of the sums in ``cells`` (N,), which are in order.
    """

    ink: Floats
    cells: NDArray[np.intp]
    boxes: NDArray[np.float64]

    @property
    def height(self) -> float:
        """The median height of the sums, in cells."""
        return median(self.boxes[:, 3] - self.boxes[:, 1])

    def places(self) -> NDArray[np.float64]:
        """Return the left and top (81, 2), in cells, where the sum of each cell stands if it has one.

        If no sum was found in a cell, the places of sums in the same row or column of the grid count, because
        a line of the grid may have been found a little off its place there.
        """
        lefts = [self._typical(0, self.cells % 9 == column) for column in range(9)]
        tops = [self._typical(1, self.cells // 9 == row) for row in range(9)]
        places = np.stack([np.tile(lefts, 9), np.repeat(tops, 9)], axis=1)
        places[self.cells] = self.boxes[:, :2]
        return places

    def _typical(self, side: int, own: Bools) -> float:
        """Return the median of one side of the boxes of those sums that are *own*, or of all sums."""
        return median(self.boxes[own if own.any() else slice(None), side])


def plain_ink(straight: Image, coarse: Image, *, in_every_colour: bool = False) -> Floats:
    """Return the ink (81, S, S) of straightened cells (81, S, S, 3) uint8 BGR, relative to full ink of sums.

    *coarse* is the coarse view of the cells. With *in_every_colour*, ink must differ from the paper in blue,
    green and red alike. Then a coloured pen is faint, and black sums under its marks are seen.

    Unlike in :func:`~sudoku_vision.vision.rectify.even`, one scale holds for the whole page: most cells of a
    killer have no other ink than thin lines.
    """
    size, colours = straight.shape[1], straight
    papers = paper_of(coarse)
    if not in_every_colour:
        grey = cv2.cvtColor(straight.reshape(81 * size, size, 3), cv2.COLOR_BGR2GRAY)
        colours = np.asarray(grey.reshape(81, size, size, 1), np.uint8)
        papers = (papers @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    paper = magnify(np.asarray(papers, np.float32), size)
    depth = paper - colours
    edge = round(RIM * size)
    inner = depth[:, edge:-edge, edge:-edge].mean(axis=3)
    is_dark = quantile(inner, 0.995) >= -quantile(inner, 0.005)
    ink = depth / np.maximum(paper, DARKEST) if is_dark else -depth / 255
    ink = ink.min(axis=3)
    return np.asarray(ink / full_ink(ink), np.float32)


def full_ink(ink: Floats) -> float:
    """Return the full ink of sums, from the plain ink (81, S, S) of cells that may lie in any turn."""
    near, low = (round(place * ink.shape[1]) for place in CORNER)
    corners = (np.rot90(ink, turn, axes=(1, 2))[:, near:low, near:low].reshape(81, -1) for turn in range(4))
    levels = (np.sort(np.quantile(corner, FULL_INK, axis=1))[-STRONGEST:] for corner in corners)
    return max(MIN_INK, *map(median, levels))


def find_sums(ink: Floats, threshold: float = THRESHOLD) -> Sums:
    """Find the small sums in the top left corners of upright cells.

    *ink* (81, S, S) is the plain ink of the cells, relative to full ink. Pixels with at least
    the *threshold* are ink.
    """
    clean = remove_lines(ink, 2)
    found = find_components(ink_mask(clean, np.full(81, threshold, np.float32), SMOOTH), 81, ink.shape[1])[2]
    possible = (found.sides[:, 1] > MIN_HEIGHT) & (found.sides[:, 1] < MAX_HEIGHT)
    possible &= (found.high < [MAX_RIGHT, MAX_BOTTOM]).all(axis=1) & (found.low[:, 0] < MAX_LEFT)
    possible[0] = False  # component 0 is the background
    own = np.flatnonzero(possible)
    if not len(own):
        return Sums(ink, np.zeros(0, np.intp), np.zeros((0, 4)))
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
    return Sums(ink, np.array(list(boxes), np.intp), np.array(list(boxes.values())).reshape(-1, 4))


def sum_pictures(sums: Sums) -> Floats:
    """Return the place of each cell where a sum may stand, as pictures (81, 28, 56) of ink, 0..1.

    The ink is relative to that of the sums that were found: lines may be darker.
    """
    size, height = sums.ink.shape[1], sums.height
    scale = HEIGHT / (height * size)
    pictures = np.empty((81, GLYPH, 2 * GLYPH), np.float32)
    for ink, place, picture in zip(sums.ink, sums.places(), pictures, strict=True):
        left, top = (np.multiply(BEFORE, height) - place) * size * scale
        onto = np.array([[scale, 0, left], [0, scale, top]])
        cv2.warpAffine(ink, onto, (2 * GLYPH, GLYPH), picture, borderMode=cv2.BORDER_REPLICATE)
    left, top = (round(share * HEIGHT) for share in BEFORE)
    inside = pictures[sums.cells, top : top + HEIGHT, left : left + GLYPH].reshape(len(sums.cells), -1)
    full = max(TINY, median(np.quantile(inside, PEAK, axis=1)))
    return np.asarray(np.clip(pictures / full, 0, 1), np.float32)


def describe_sums(pictures: Floats) -> Floats:
    """Return the feature vectors (N, FEATURES) float32 of *pictures* (N, 28, 56) of sums."""
    halves = (np.ascontiguousarray(half) for half in np.split(pictures, 2, axis=2))
    parts = [part for half in halves for part in (edge_histograms(half, WINDOWS), pooled_pixels(half))]
    return np.concatenate(parts, axis=1)


def doubt(outputs: Floats) -> float:
    """Return how unclear the sums of a page are, by the *outputs* (81, 46) of the network.

    It is the mean of -log(probability) of the likeliest sums.
    """
    best = log_softmax(outputs).max(axis=1)[outputs.argmax(axis=1) > 0]
    return max(TINY, -float(best.mean())) if len(best) else 1.0


@dataclass(frozen=True, eq=False)
class SumReader:
    """The network that reads sums: its ``layers``, and two numbers that calibrate it.

    The temperature of a page is ``temperature`` times a power of its :func:`doubt`, with the exponent
    ``sharpening``. On clear pages, errors are rarer than the probability of single sums says.
    """

    layers: Layers
    temperature: float
    sharpening: float
    header: Mapping[str, Any] = field(default_factory=dict)

    def read(self, sums: Sums) -> Floats:
        """Return the probabilities (81, 46) of the *sums* of all cells; number 0 is that of no sum.

        At least one sum must have been found, because it shows the place of the others.
        """
        return self.classify(describe_sums(sum_pictures(sums)))

    def classify(self, features: Floats) -> Floats:
        """Return the probabilities (81, 46) of the sums of a page, by its *features* (81, FEATURES)."""
        outputs = forward(self.layers, features)
        temperature = self.temperature * doubt(outputs) ** self.sharpening
        return np.exp(log_softmax(outputs / np.float32(temperature)))


def likely_sums(probabilities: Floats) -> dict[int, float]:
    """Return the likely sums of one cell with their probabilities, likeliest first, from all of its (46,)."""
    likely = [number for number in np.argsort(-probabilities).tolist() if number]
    return {number: float(probabilities[number]) for number in likely if probabilities[number] > MIN_LIKELY}
