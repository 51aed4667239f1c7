"""Read the sums of a killer sudoku: one or two small digits in the top left corner of a cell.

All sums of a page have the same size and stand at the same place in their cells. So the place where most
cells have a piece of ink is the place of the sums. A small network gets a picture of this place from each
cell. It returns the probability of each sum, and the probability that there is no sum.
"""

from collections.abc import Iterator, Mapping
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
from sudoku_vision.vision.digits.segmentation import Components, find_components, ink_mask
from sudoku_vision.vision.rectify import RIM, remove_lines
from sudoku_vision.vision.rectify.illumination import DARKEST, coarse_view, magnify, paper_of

VERSION = 3  # raised whenever the same cells give other features, so that older models are refused

# The network gets a picture (28 x 56 pixels) of the place in a cell where a sum may stand.
HEIGHT = 20  # height of a sum in this picture, in pixels
BEFORE = (0.4, 0.2)  # space left of the sum and above the sum in this picture, as shares of the sum's height
WINDOWS = 5  # number of rows and of columns of windows for edge histograms, in each half of the picture
FEATURES = 2 * (8 * WINDOWS**2 + (GLYPH // 2) ** 2)  # number of features that describe the picture
SUMS = 46  # number of classes: the sums 1 to 45, and class 0 for no sum

# The lengths and places below are shares of a cell's side, unless another unit is named.
CORNER = (0.1, 0.4)  # in a corner, ink is measured between these distances from both sides that meet there
FULL_INK, STRONGEST, MIN_INK = 0.97, 20, 0.02
"""Three numbers for :func:`full_ink`, the typical ink level of the sums of a page.

In one corner of each cell, a quantile of the ink levels is measured; the first number says which quantile.
Then the median of the largest quantiles is taken; the second number says how many of them. This is repeated
for the other three corners, because the grid may be turned. The result is the highest of the four medians,
but at least the third number.
"""
DEEP = 0.999
"""Ink is darker than paper if the darkest pixels differ more from the paper than the lightest pixels do.

The difference is the grey level of the paper minus that of a pixel. The quantile ``DEEP`` of all differences
belongs to the darkest pixels, and the quantile 1 - ``DEEP`` to the lightest. ``DEEP`` is near 1, because the
small digits of a few sums fill only 0.3 % of the pixels.
"""
THRESHOLD = 0.35  # a pixel is ink if its level, as :func:`plain_ink` returns it, is above this
SMOOTH = 0.0125  # standard deviation of the blur before ink is found, as a share of a cell's side
MIN_HEIGHT, MAX_HEIGHT = 0.1, 0.36  # range of the height of a sum's digits, as shares of a cell's side
MAX_RIGHT, MAX_BOTTOM = 0.75, 0.47  # upper limits for right and bottom of the box around a sum's digit
USUAL_WIDTH, MOST_WIDE = 1.4, 1.8  # width / height of two digits: usual, and largest without wide gaps
SAME_HEIGHT, SAME_PLACE = 0.05, 0.1
"""Ink is taken for a sum only if it is similar to most sums of the page.

Its height must differ from theirs by less than the first number, and its place by less than the second. The
places of sums vary: a cell is a little shifted if a line of a cage was taken for the line of the grid.
"""
MAX_GAP = 0.7
"""Widest gap between two digits of a sum, as a share of their height.

Some typefaces have wider gaps. So if more than a third of all sums have two digits, the limit is raised to
twice the median gap of these sums, unless it is already higher.
"""
PEAK = 0.9
"""At the place of each sum, this quantile of the ink levels is measured.

The median over all sums of the page becomes 1 in the network's pictures.
"""

MIN_LIKELY = 1e-4  # only sums with a probability above this are in a cell's list of likely sums


class Sums(NamedTuple):
    """The sums of a page.

    ``ink`` (81, S, S) are pictures of the ink in the upright cells, as :func:`plain_ink` returns them.
    ``cells`` (N,) are the numbers of the cells with a sum, in ascending order. ``boxes`` (N, 4) are the left,
    top, right and bottom of these sums, as shares of the cell's side.
    """

    ink: Floats
    cells: NDArray[np.intp]
    boxes: NDArray[np.float64]

    @property
    def height(self) -> float:
        """The median height of the sums, as a share of the cell's side."""
        return median(self.boxes[:, 3] - self.boxes[:, 1])

    @property
    def spacing(self) -> float:
        """The extra width of sums with two digits, compared with the usual width, as a share of their height.

        Some typefaces have wide gaps between digits. The result is 0 if the sums still fit into the network's
        picture, or if at most a third of all sums are wider than ``MOST_WIDE``.
        """
        widths = (self.boxes[:, 2] - self.boxes[:, 0]) / self.height
        wide = widths[widths > MOST_WIDE]
        if 3 * len(wide) <= len(widths) or median(wide) + BEFORE[0] <= 2 * GLYPH / HEIGHT:
            return 0.0
        return median(wide) - USUAL_WIDTH

    def places(self) -> NDArray[np.float64]:
        """Return the left and top (81, 2), as shares of the cell's side, where each cell may have a sum.

        If no sum was found in a cell, its left is the median left of the sums in the same column of the
        grid, and its top is the median top of the sums in the same row. Columns and rows have their own
        medians, because a line of the grid may have been found a little off its place.
        """
        lefts = [self._typical(0, self.cells % 9 == column) for column in range(9)]
        tops = [self._typical(1, self.cells // 9 == row) for row in range(9)]
        places = np.stack([np.tile(lefts, 9), np.repeat(tops, 9)], axis=1)
        places[self.cells] = self.boxes[:, :2]
        return places

    def _typical(self, side: int, own: Bools) -> float:
        """Return the median left (*side* 0) or top (*side* 1) of the boxes of the sums in *own* (N,).

        If *own* has no sum, the median of all sums is returned.
        """
        return median(self.boxes[own if own.any() else slice(None), side])


def plain_ink(straight: Image, *, in_every_colour: bool = False) -> Floats:
    """Return the ink (81, S, S) of the straightened cells *straight*: 0 is paper, about 1 is the ink of sums.

    *straight* has the shape (81, S, S, 3) uint8 BGR. If *in_every_colour* is True, the ink of a pixel is the
    smallest of its differences from the paper in blue, in green and in red. Then the ink of a coloured pen is
    faint, and black sums under it can be read.

    The ink of all cells is divided by :func:`full_ink`. Another function,
    :func:`~sudoku_vision.vision.rectify.even`, measures the colour of the ink in each cell. That isn't
    possible here, because most cells of a killer hold no other ink than thin lines.
    """
    size, colours = straight.shape[1], straight
    papers = paper_of(coarse_view(straight))
    if not in_every_colour:
        grey = cv2.cvtColor(straight.reshape(81 * size, size, 3), cv2.COLOR_BGR2GRAY)
        colours = np.asarray(grey.reshape(81, size, size, 1), np.uint8)
        papers = (papers @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    paper = magnify(np.asarray(papers, np.float32), size)
    depth = paper - colours
    edge = round(RIM * size)
    inner = depth[:, edge:-edge, edge:-edge].mean(axis=3)
    is_dark = quantile(inner, DEEP) >= -quantile(inner, 1 - DEEP)
    ink = depth / np.maximum(paper, DARKEST) if is_dark else -depth / 255
    ink = ink.min(axis=3)
    return np.asarray(ink / full_ink(ink), np.float32)


def full_ink(ink: Floats) -> float:
    """Return the typical ink level of the sums. *ink* (81, S, S) are the cells of a grid in any turn."""
    near, low = (round(place * ink.shape[1]) for place in CORNER)
    corners = (np.rot90(ink, turn, axes=(1, 2))[:, near:low, near:low].reshape(81, -1) for turn in range(4))
    levels = (np.sort(np.quantile(corner, FULL_INK, axis=1))[-STRONGEST:] for corner in corners)
    return max(MIN_INK, *map(median, levels))


def find_sums(ink: Floats, threshold: float = THRESHOLD) -> Sums:
    """Find the small sums in the top left corners of upright cells.

    *ink* (81, S, S) are pictures of the ink in the cells, as :func:`plain_ink` returns them. Pixels above the
    *threshold* are ink.
    """
    return next(possible_sums(ink, threshold), Sums(ink, np.zeros(0, np.intp), np.zeros((0, 4))))


def possible_sums(ink: Floats, threshold: float) -> Iterator[Sums]:
    """Yield the sums at each likely place, the likeliest place first; see :func:`find_sums`.

    The place where most cells have a piece of ink is the likeliest. But the ink there may be dashes of the
    lines around cages, because dashes stand at the same place in many cells, too. So other places follow.
    """
    clean = remove_lines(ink, 2)
    found = find_components(ink_mask(clean, np.full(81, threshold, np.float32), SMOOTH), 81, ink.shape[1])[2]
    possible = (found.sides[:, 1] > MIN_HEIGHT) & (found.sides[:, 1] < MAX_HEIGHT)
    possible &= (found.high < [MAX_RIGHT, MAX_BOTTOM]).all(axis=1)
    possible[0] = False  # component 0 is the background
    rest = np.flatnonzero(possible)
    while len(rest):
        ends = np.stack([found.low[rest, 1], found.high[rest, 1]], axis=1)
        near = np.abs(ends[:, None] - ends).max(axis=2) < SAME_HEIGHT / 2
        votes = [len(np.unique(found.cell[rest[one]])) for one in near]
        top, bottom = ends[near[int(np.argmax(votes))]].mean(axis=0).tolist()
        alike = np.abs(ends[:, 1] - ends[:, 0] - (bottom - top)) < SAME_HEIGHT
        alike &= np.abs(ends[:, 0] - top) < SAME_PLACE
        yield _joined_digits(ink, found, rest[alike], bottom - top)
        rest = rest[~alike]


def _joined_digits(ink: Floats, found: Components, own: NDArray[np.intp], height: float) -> Sums:
    """Return the sums whose digits are the components in *found* with the numbers *own* (N,).

    *ink* (81, S, S) is the ink of the cells. *height* is the height of the digits, as a share of a cell's
    side.
    """
    own = own[np.lexsort((found.low[own, 0], found.cell[own]))]
    cells = found.cell[own]
    second = np.flatnonzero(np.arange(len(own)) - np.searchsorted(cells, cells) == 1)
    gaps = found.low[own[second], 0] - found.high[own[second - 1], 0]
    max_gap = MAX_GAP * height
    if 3 * len(gaps) > len(np.unique(cells)):
        max_gap = max(max_gap, 2 * median(gaps))
    boxes: dict[int, NDArray[np.float64]] = {}
    for one in own.tolist():
        cell, box = int(found.cell[one]), np.array([*found.low[one], *found.high[one]])
        if cell not in boxes:
            boxes[cell] = box
        elif box[0] < boxes[cell][2] + max_gap:
            boxes[cell] = np.array(
                [*np.minimum(boxes[cell][:2], box[:2]), *np.maximum(boxes[cell][2:], box[2:])]
            )
    left = median(np.array([box[0] for box in boxes.values()]))
    boxes = {cell: box for cell, box in boxes.items() if abs(box[0] - left) < SAME_PLACE}
    return Sums(ink, np.array(list(boxes), np.intp), np.array(list(boxes.values())).reshape(-1, 4))


def sum_pictures(sums: Sums) -> Floats:
    """Return, for each cell, a picture (28, 56) of the place where a sum may stand, as an array (81, 28, 56).

    The pixels are ink levels in 0..1. The level 1 is the ink of the sums that were found, not the strongest
    ink, because lines may be darker than sums. If the gaps between digits are too wide for the picture, a
    part of each gap is cut out.
    """
    size, height = sums.ink.shape[1], sums.height
    scale = HEIGHT / (height * size)
    wider = round(sums.spacing * HEIGHT)
    pictures = np.empty((81, GLYPH, 2 * GLYPH + wider), np.float32)
    for ink, place, picture in zip(sums.ink, sums.places(), pictures, strict=True):
        left, top = (np.multiply(BEFORE, height) - place) * size * scale
        onto = np.array([[scale, 0, left], [0, scale, top]])
        cv2.warpAffine(ink, onto, (2 * GLYPH + wider, GLYPH), picture, borderMode=cv2.BORDER_REPLICATE)
    left, top = (round(share * HEIGHT) for share in BEFORE)
    middle = left + round(USUAL_WIDTH / 2 * HEIGHT)
    pictures = np.delete(pictures, slice(middle, middle + wider), axis=2)
    inside = pictures[sums.cells, top : top + HEIGHT, left : left + GLYPH].reshape(len(sums.cells), -1)
    full = max(TINY, median(np.quantile(inside, PEAK, axis=1)))
    return np.asarray(np.clip(pictures / full, 0, 1), np.float32)


def describe_sums(pictures: Floats) -> Floats:
    """Return the feature vectors (N, FEATURES) float32 of *pictures* (N, 28, 56) of sums."""
    halves = (np.ascontiguousarray(half) for half in np.split(pictures, 2, axis=2))
    parts = [part for half in halves for part in (edge_histograms(half, WINDOWS), pooled_pixels(half))]
    return np.concatenate(parts, axis=1)


def doubt(outputs: Floats) -> float:
    """Return a measure of how unclear the sums of a page are, from the *outputs* (81, 46) of the network.

    It is the mean of -log(probability of a cell's likeliest sum), over the cells that most likely have a sum.
    """
    best = log_softmax(outputs).max(axis=1)[outputs.argmax(axis=1) > 0]
    return max(TINY, -float(best.mean())) if len(best) else 1.0


@dataclass(frozen=True, eq=False)
class SumReader:
    """The network that reads sums: its ``layers``, and two numbers that calibrate it.

    The outputs of the network are divided by ``temperature`` * :func:`doubt` ** ``sharpening``. On a clear
    page this divisor is small, so probabilities are nearer to 0 or 1. This is right because errors are rare
    on such a page.
    """

    layers: Layers
    temperature: float
    sharpening: float
    header: Mapping[str, Any] = field(default_factory=dict)

    def read(self, sums: Sums) -> Floats:
        """Return the probabilities (81, 46) of the sums 1..45 for each cell; column 0 is for no sum.

        *sums* must hold at least one sum, because this sum shows where other cells may have their sums.
        """
        return self.classify(describe_sums(sum_pictures(sums)))

    def classify(self, features: Floats) -> Floats:
        """Return the probabilities (81, 46) of the sums of a page, from its *features* (81, FEATURES)."""
        outputs = forward(self.layers, features)
        temperature = self.temperature * doubt(outputs) ** self.sharpening
        return np.exp(log_softmax(outputs / np.float32(temperature)))


def likely_sums(probabilities: Floats) -> dict[int, float]:
    """Return the likely sums of one cell with their probabilities, the likeliest first.

    *probabilities* (46,) begin with that of no sum. Then come those of the sums 1..45.
    """
    likely = [number for number in np.argsort(-probabilities).tolist() if number]
    return {number: float(probabilities[number]) for number in likely if probabilities[number] > MIN_LIKELY}
