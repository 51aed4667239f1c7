"""Evidence of rules other than the classic ones: irregular regions and diagonals.

A border is what lies between two neighbouring cells; a grid has 144 borders.

* Two things are measured at each border: the ink of its line, and the difference in colour between the paper
  of the two cells.
* If a page has irregular regions, all borders within regions look alike, and all borders between regions look
  alike. Without irregular regions, a page has boxes, or it is a table in which each line has its own
  thickness. There are 7e14 possible divisions into irregular regions, so each has a very low prior
  probability. A division is reported only if neither boxes nor a table is as likely.
* To find the likeliest division, neighbouring cells are joined into regions of up to nine cells; the
  likeliest pairs are joined first. If regions with fewer or more cells remain, pairs of neighbouring regions
  are divided anew (:mod:`~sudoku_vision.sudoku.regions`).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.ranks import median, medians
from sudoku_vision.sudoku.regions import BORDERS, is_cut, recombined, unevenness
from sudoku_vision.sudoku.rules import BOXES, CLASSIC, Rules
from sudoku_vision.values import Bools, Floats, Image
from sudoku_vision.vision.rectify import RIM, coarse_view
from sudoku_vision.vision.rectify.illumination import DARKEST

DIVISIONS = math.log(706_152_947_468_301)
"""Logarithm of the number of divisions of a grid into nine connected regions of nine cells (OEIS A172477)."""
RARE = math.log(1000)  # prior log-odds that a photographed grid is no jigsaw

PARTS = 7
"""A border is divided into this many parts, and the median of their ink is used. The reason is that digits
may reach into three of the parts."""
FLOOR_INK = 0.0005
"""Lower limit for the standard deviation of the ink of lines that look alike. A smaller measured value is
raised to it. The unit is the ink of a black cell."""
MIN_OF_KIND = 20  # minimum number of borders between regions, and also of borders within regions
STEPS = (0.03, 0.06, 0.12, 0.25)
"""Limits for the difference in log brightness between the paper on both sides of a border.

A difference above the limit is a step: the border may lie between two regions of different colours. For hues,
the limits are half as large. Of all these limits, the one that explains the page best is used.
"""
AROUND = 5
"""Side of the window of a median filter, in cells or in borders. The median of the values in the window shows
the effect of uneven light, so it is subtracted from the value in the middle."""
WITHIN, BETWEEN, ANYWHERE = (1.0, 40.0), (4.0, 2.0), (1.0, 1.0)
"""Prior counts (borders with a step in colour, borders without a step) of beta distributions.

``WITHIN`` is for borders within regions, and ``BETWEEN`` for borders between regions. ``ANYWHERE`` is for all
borders of a page whose colours have nothing to do with regions.
"""
MAX_PER_BORDER = 5.0
"""The ink of one border gives at most this evidence, in nats: a stroke of a digit may cross the border."""
REPAIRS = 400
"""Number of steps of simulated annealing. The steps make regions of nine cells and find other divisions."""
FLOOR_SHADE = 0.003
"""Lower limit for the standard deviations of the ink on diagonals, and of the shades of cells. A smaller
measured value is raised to it. The unit is the brightness of paper."""
CLEAR = 16.0
"""Limit for clear evidence, in nats. Diagonals are probably marked if the evidence for marks is above this.

In 1,000 grids without marked diagonals, the evidence for marks was at most 9. The limit is also used in
:func:`likely_divisions`. There, a search starts only if its first division has more evidence than the best
division so far, minus CLEAR.
"""
UNEVEN = 2.0
"""Cost of a region, in nats, for each cell by which its size differs from nine. In simulated annealing, the
cost is divided by the temperature."""
LIKELY = 0.001  # rules are kept if their probability is at least this
HOT, COLD = 2.0, 0.2  # temperatures of simulated annealing at its start and at its end, in nats


_BETWEEN_BOXES = is_cut(BOXES)
_DIAGONALS: Bools = np.stack([np.eye(9, dtype=np.bool_)[::way].ravel() for way in (1, -1)], axis=1)
"""A mask (81, 2): whether the falling and the rising diagonal of each cell lie on a diagonal of the grid."""
_LINES = np.concatenate([BORDERS[:72, 0] // 9, 8 + BORDERS[72:, 0] % 9])
"""For each of the 144 borders: the number (0..15) of the inner line of the grid to which it belongs."""


def read_rules(straight: Image, hidden: Bools | None = None) -> dict[Rules, float]:
    """Return the likely rules of a grid with their probabilities, the likeliest first.

    The cells of the regions are numbered as in the lattice before it is turned upright. *straight*
    (81, S, S, 3) uint8 BGR are the straightened cells. *hidden* (81,): whether each cell is covered. The
    borders of covered cells are ignored, because the edge of a finger or of glare looks like the border of a
    region.
    """
    seen = np.ones(144, np.bool_) if hidden is None else np.asarray(~hidden[BORDERS].any(axis=1))
    if 2 * np.count_nonzero(seen) < len(seen):  # too few borders are seen to decide
        return {CLASSIC: 1.0}
    size, coarse = straight.shape[1], coarse_view(straight)
    grey = cv2.cvtColor(straight.reshape(81 * size, size, 3), cv2.COLOR_BGR2GRAY)
    light = grey.reshape(81, size, size).astype(np.float32)
    paper = medians(cv2.cvtColor(coarse.reshape(81, 64, 3), cv2.COLOR_BGR2GRAY))
    diagonal = diagonals_marked(light, paper)
    odds = {
        replace(rules, diagonal=marked): division * sure
        for rules, division in likely_divisions(Borders(border_ink(light, paper), coarse, seen)).items()
        for marked, sure in ((False, 1 - diagonal), (True, diagonal))
    }
    ranked = sorted(odds.items(), key=lambda one: -one[1])
    return {rules: sure for rules, sure in ranked if sure >= min(LIKELY, ranked[0][1])}


def border_ink(light: Floats, paper: Array) -> Array:
    """Return the ink (144,) of the line between each two neighbouring cells.

    The ink is the thickness of the line, in cells, times its contrast. The contrast is 1 for black on paper.
    So a completely black cell would have the ink 1. The ink is measured in both cells, near their common
    border. The ends of the border are left out, because other lines end there.

    *light* (81, S, S): the grey levels of the cells. *paper* (81,): the grey level of the paper in each cell.
    Lines that are darker than paper have positive ink. Lighter lines have negative ink. If the sum over
    all borders is negative, all signs are changed.
    """
    sides, parts = _bands(light.shape[1])
    full = np.maximum(paper, DARKEST)[:, None, None]
    ink = []
    for sums, pair in (
        (sides.T @ light @ parts, BORDERS[:72]),
        ((parts.T @ (light @ sides)).transpose(0, 2, 1), BORDERS[72:]),
    ):
        depth = (paper[:, None, None] - sums) / full
        ink.append(depth[pair[:, 0], 1] + depth[pair[:, 1], 0])
    middle = RIM * medians(np.concatenate(ink))
    return np.asarray(middle if middle.sum() > 0 else -middle, np.float64)


@lru_cache
def _bands(size: int) -> tuple[Floats, Floats]:
    """Return two arrays of weights for the S pixels along a side of a cell, to compute means of its parts.

    The first array (S, 2) is for the two rims, which lie at the ends of the side. The second array (S, 7) is
    for seven equal parts of the side between the rims.
    """
    place = (np.arange(size) + 0.5) / size
    sides = np.stack([place < RIM, place > 1 - RIM], axis=1)
    parts = np.floor((place - RIM) / (1 - 2 * RIM) * PARTS)[:, None] == np.arange(PARTS)
    return tuple((part / part.sum(axis=0)).astype(np.float32) for part in (sides, parts))


def diagonals_marked(light: Floats, paper: Array) -> float:
    """Return the probability that both diagonals of the grid are marked.

    The marks may be lines, dots, or shaded cells. Shaded boxes are ignored. *light* (81, S, S): the grey
    levels of the cells. *paper* (81,): the grey level of the paper in each cell.
    """
    size = light.shape[1]
    ink = (light.reshape(81, -1) @ _strips(size)) / np.maximum(paper, DARKEST)[:, None]
    shade = np.log(np.maximum(paper, DARKEST / 4)).astype(np.float32).reshape(9, 9)
    shade -= cv2.medianBlur(shade, AROUND)
    lines = _marked(ink.ravel(), _DIAGONALS.ravel())
    shades = _marked(shade.ravel(), np.asarray(_DIAGONALS.any(axis=1)))
    return 1 / (1 + math.exp(CLEAR - max(lines, shades)))


def _marked(values: NDArray[Any], marks: Bools) -> float:
    """Return the evidence, in nats, that marked values differ from the other values.

    *values* (N,) are all values. *marks* (N,) is true for the marked values.

    If the mean of the marked values and the mean of the other values differ by less than :data:`FLOOR_SHADE`,
    the evidence is 0.
    """
    if abs(float(values[marks].mean()) - float(values[~marks].mean())) < FLOOR_SHADE:
        return 0.0
    high, low = median(values[marks]), median(values[~marks])
    reach = abs(high - low) / 2
    clipped = np.clip(values, min(low, high) - reach, max(low, high) + reach)
    alike, apart = (max(float(one), FLOOR_SHADE**2) for one in (clipped.var(), _variance(clipped, marks)))
    return len(values) / 2 * math.log(alike / apart)


def _variance(values: NDArray[Any], kind: NDArray[Any]) -> float:
    """Return the variance of *values* (N,) around the mean of all values of the same *kind* (N,)."""
    count, total = np.bincount(kind), np.bincount(kind, values)
    return float(values @ values - (total * total / np.maximum(count, 1)).sum()) / len(values)


@lru_cache
def _strips(size: int) -> Floats:
    """Return weights (S * S, 2) for the pixels of a cell; the weighted sums are the ink of its two diagonals.

    This ink is the grey level of the paper on both sides of the diagonal, minus the grey level on the
    diagonal. The first diagonal runs from the top left to the bottom right. The ink is only measured near
    the corners of the cell, because digits stand in the middle.
    """
    place = (np.arange(size) + 0.5) / size
    along, off = np.abs(place[:, None] + place - 1) / 2, np.abs(place[:, None] - place)
    ends = (along > 0.25) & (along < 0.42)
    on, beside = ends & (off < 0.06), ends & (off > 0.12) & (off < 0.2)
    falling = beside / beside.sum() - on / on.sum()
    return np.stack([falling.ravel(), falling[:, ::-1].ravel()], axis=1).astype(np.float32)


def colour_steps(coarse: Image) -> list[Bools]:
    """Return eight masks (144,): the borders whose two sides differ in colour by more than a limit.

    There is one mask for each limit. The first four limits are for differences in brightness, the last four
    for differences in hue. *coarse* (81, 8, 8, 3) are the cells at low resolution, as in :func:`read_rules`.
    Uneven light makes many small differences in the same direction. So the median of the differences at the
    surrounding borders is subtracted.
    """
    light = np.log(np.maximum(medians(coarse.reshape(81, 64, 3).transpose(0, 2, 1)), DARKEST / 4))
    steps = light[BORDERS[:, 1]] - light[BORDERS[:, 0]]
    for part, shape in ((slice(0, 72), (8, 9, 3)), (slice(72, 144), (9, 8, 3))):
        around = cv2.medianBlur(steps[part].reshape(shape).astype(np.float32), AROUND)
        steps[part] -= around.reshape(72, 3)
    hue = np.abs(steps - steps.mean(axis=1, keepdims=True)).max(axis=1)
    return [np.abs(steps).max(axis=1) > limit for limit in STEPS] + [hue > limit / 2 for limit in STEPS]


class Borders:
    """The 144 borders of a grid: the ink along each border, and whether the colour changes across it.

    *ink* (144,) is the result of :func:`border_ink`. Colours are measured in *coarse* (81, 8, 8, 3), the
    cells at low resolution. *seen* (144,) is true for the borders that are used; all others are ignored.
    """

    def __init__(self, ink: Array, coarse: Image, seen: Bools) -> None:
        # Thin lines have one mean ink, thick lines have another. Ink that is far from both means comes from
        # no line, so it is clipped.
        for _ in range(2):
            _, low, high = two_kinds(ink[seen], MIN_OF_KIND)
            ink = np.clip(ink, low - (high - low) / 2, high + (high - low) / 2)
        self._ink = ink
        self._seen = seen
        self._middle = (low + high) / 2

        self._plain = max(
            self._of_lines(np.zeros(144, np.bool_)),
            self._of_lines(_BETWEEN_BOXES),
            # In a table, each of the 16 lines has its own thickness, so 16 parameters are fitted, not two.
            # The cost per extra parameter is from G. Schwarz ("Estimating the dimension of a model", 1978).
            self._of_lines(_LINES) - (16 - 2) / 2 * math.log(np.count_nonzero(seen)),
        )
        self._steps = np.array(colour_steps(coarse)) & seen
        whole = int(np.count_nonzero(seen))
        of_boxes = self._of_steps(_BETWEEN_BOXES)
        self._plain_steps = [
            max(_log_chance(steps, whole, ANYWHERE), boxes)
            for steps, boxes in zip(np.count_nonzero(self._steps, axis=1).tolist(), of_boxes, strict=True)
        ]

    def evidence(self, between: Bools) -> float:
        """Return the evidence, in nats, that the borders in the mask *between* (144,) divide the regions."""
        colours = max(self._of_colours(between)[0], 0.0)
        return self._of_lines(between) - self._plain + colours - DIVISIONS - RARE

    def starts(self) -> Iterator[Bools]:
        """Yield two guesses of the mask (144,) of borders between regions: by lines, and by colours."""
        yield (self._ink > self._middle) & self._seen
        by_colour = (_between_patches(step) for step in self._steps)
        yield max(by_colour, key=lambda between: self._of_colours(between)[0])

    def weights_of(self, between: Bools) -> Array:
        """Return the log-odds (144,) that each border lies between regions.

        *between* (144,) is a guess of the borders between regions. The guess shows what borders between
        regions and borders within regions look like on this page.
        """
        step, seen = self._of_colours(between)[1], self._seen
        weights = np.zeros(144)
        weights[seen] = self._line_weights(between)[seen] + _colour_weights(step[seen], between[seen])
        return weights

    def _line_weights(self, between: Bools) -> Array:
        """Return the log-odds (144,) that each border lies between regions, given its ink.

        *between* (144,) is a guess of the mask of borders between regions. If all of the borders that are
        used (*seen*, see :class:`Borders`), or none of them, are in this mask, the log-odds are 0.
        """
        ink, kind = self._ink[self._seen], between[self._seen]
        if kind.all() or not kind.any():
            return np.zeros(144)
        high, low = float(ink[kind].mean()), float(ink[~kind].mean())
        rest = ink - np.where(kind, high, low)
        spread = max(float(rest @ rest) / len(ink), FLOOR_INK**2)
        odds = (self._ink - (low + high) / 2) * (high - low) / spread
        return np.clip(odds, -MAX_PER_BORDER, MAX_PER_BORDER)

    def _of_lines(self, kind: NDArray[Any]) -> float:
        """Return the log-likelihood of the ink, if it is normally distributed around one mean for each kind.

        *kind* (144,) is the kind of each border, as a number. The variance is the same for all kinds.
        """
        ink = self._ink[self._seen]
        return -len(ink) / 2 * math.log(max(_variance(ink, kind[self._seen]), FLOOR_INK**2))

    def _of_colours(self, between: Bools) -> tuple[float, Bools]:
        """Return the evidence, in nats, that the colours give for a guess of the borders between regions.

        *between* (144,) is the mask of these borders. The evidence is computed for each limit of
        :func:`colour_steps`; the highest is returned. The second result (144,) is the mask of the borders
        with a step in colour, for the limit with the highest evidence.
        """
        evidence = np.array(self._of_steps(between)) - self._plain_steps
        best = int(np.argmax(evidence))
        return float(evidence[best]), self._steps[best]

    def _of_steps(self, between: Bools) -> list[float]:
        """Return the log-likelihood of the steps in colour, for each limit of :func:`colour_steps`.

        *between* (144,) is the assumed mask of borders between regions.
        """
        two = np.stack([between, ~between]) & self._seen
        totals = np.count_nonzero(two, axis=1).tolist()
        steps = (self._steps.astype(np.float32) @ two.T.astype(np.float32)).astype(int).tolist()
        return [
            _log_chance(cut, totals[0], BETWEEN) + _log_chance(inside, totals[1], WITHIN)
            for cut, inside in steps
        ]


def two_kinds(values: Array, least: int) -> tuple[int, float, float]:
    """Divide *values* (N,) into a low part and a high part, each with at least *least* values.

    The sum of the squared distances of all values from the mean of their part is as small as possible. Return
    the number of low values, the mean of the low values, and the mean of the high values.
    """
    sums = np.cumsum(np.sort(values))
    count = np.arange(least, len(values) + 1 - least)
    low, high = sums[count - 1] / count, (sums[-1] - sums[count - 1]) / (len(values) - count)
    best = int((low * low * count + high * high * (len(values) - count)).argmax())
    return int(count[best]), float(low[best]), float(high[best])


def _between_patches(steps: Bools) -> Bools:
    """Return a mask (144,) of the borders between the patches that :func:`patches` finds."""
    patch = patches(steps)
    return np.asarray(patch[BORDERS[:, 0]] != patch[BORDERS[:, 1]])


def patches(steps: Bools) -> NDArray[np.int32]:
    """Return the number (81,) of the patch of colour to which each cell belongs.

    Neighbouring cells are in the same patch if *steps* (144,) is false at the border between them.
    """
    open_ways = np.zeros((17, 17), np.uint8)  # a cell has two even indices; a border has one odd index
    open_ways[::2, ::2] = 1
    open_ways[1::2, ::2] = ~steps[:72].reshape(8, 9)
    open_ways[::2, 1::2] = ~steps[72:].reshape(9, 8)
    return np.asarray(cv2.connectedComponents(open_ways, connectivity=4)[1][::2, ::2].ravel(), np.int32)


def _colour_weights(seen: Bools, between: Bools) -> Array:
    """Return the log-odds (N,) that each border lies between regions, given the steps in colour.

    *seen* (N,): at which borders a step was seen. *between* (N,): a guess of the borders between regions. The
    guess shows how frequent steps are between regions and within regions.
    """
    share, share_within = (
        (prior[0] + np.count_nonzero(seen[part])) / (sum(prior) + np.count_nonzero(part))
        for part, prior in ((between, BETWEEN), (~between, WITHIN))
    )
    return np.where(seen, math.log(share / share_within), math.log((1 - share) / (1 - share_within)))


@lru_cache(maxsize=2 * 144 * 144)
def _log_chance(steps: int, total: int, prior: tuple[float, float]) -> float:
    """Return the log-likelihood that *steps* of *total* borders have a step in colour.

    *prior*: the prior counts of borders with a step, and of borders without a step.
    """
    return _log_beta(prior[0] + steps, prior[1] + total - steps) - _log_beta(*prior)


def _log_beta(one: float, other: float) -> float:
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


def likely_divisions(borders: Borders) -> dict[Rules, float]:
    """Return the likely divisions of a grid into regions, as rules, and their probabilities.

    Up to three searches are made. The first starts from a guess by the lines, the second from a guess by the
    colours, and the third from the best division so far.
    """
    rng = np.random.default_rng(0)
    met = {CLASSIC: 0.0}
    best = CLASSIC
    for seen in (*borders.starts(), None):
        weights = borders.weights_of(is_cut(best.regions) if seen is None else seen)
        regions = joined(weights.tolist())
        if borders.evidence(is_cut(regions)) > met[best] - CLEAR:
            met |= around(regions, weights, borders, rng)
            best = max(met, key=met.__getitem__)
    odds = {rules: math.exp(value - met[best]) for rules, value in met.items()}
    return {rules: value / sum(odds.values()) for rules, value in odds.items()}


def joined(weights: list[float]) -> list[int]:
    """Join cells into nine regions; return the number (1..9) of the region of each of the 81 cells.

    *weights* (144,): the log-odds that each border lies between regions. At each step, two neighbouring
    regions are joined: the pair with the lowest sum of weights between them. A pair that has more than nine
    cells together is joined only if no smaller pair is left.
    """
    regions, size = list(range(81)), [1] * 81
    beside: list[dict[int, float]] = [{} for _ in regions]
    for (one, other), weight in zip(BORDERS.tolist(), weights, strict=True):
        beside[one][other] = beside[other][one] = weight
    for _ in range(72):
        _, _, one, other = min(
            (max(size[one] + size[other], 9), weight, one, other)
            for one, others in enumerate(beside)
            for other, weight in others.items()
        )
        for third, weight in beside[other].items():
            del beside[third][other]
            if third != one:
                beside[one][third] = beside[third][one] = beside[one].get(third, 0.0) + weight
        beside[other] = {}
        size[one] += size[other]
        regions = [one if region == other else region for region in regions]
    kinds = list(dict.fromkeys(regions))
    return [kinds.index(region) + 1 for region in regions]


def around(
    regions: list[int], weights: Array, borders: Borders, rng: np.random.Generator
) -> dict[Rules, float]:
    """Search for likely divisions by simulated annealing; *regions* is the division where the search starts.

    Return all divisions into regions of nine cells that the search met, as rules, with their evidence. The
    temperature falls from :data:`HOT` to :data:`COLD`. As it falls, the cost of regions with fewer or more
    than nine cells rises.
    """
    met: dict[Rules, float] = {}
    other, value = regions, -math.inf
    for step in range(REPAIRS):
        heat = HOT * (COLD / HOT) ** (step / REPAIRS)
        found = borders.evidence(is_cut(other))
        uneven = unevenness(other)
        if not uneven:
            met[Rules(other)] = found
        rated = found - uneven * UNEVEN / heat
        if rated >= value or rng.random() < math.exp((rated - value) / heat):
            regions, value = other, rated
        other = recombined(regions, (weights + heat * rng.gumbel(size=144)).tolist(), rng, UNEVEN / heat)
    return met
