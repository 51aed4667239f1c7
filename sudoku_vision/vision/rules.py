"""Rules: what a page shows of rules other than the classic ones, irregular regions and diagonals.

* Of each of the 144 borders between cells is measured how much ink its line has, and how far the papers on
  both sides differ in colour.
* Those within regions are of one kind, those between them of another; that is weighed against the nine boxes
  and against lines that are ruled through, each in its own thickness, as in any table. There are 7e14 other
  divisions, one as likely as the other beforehand, so one is only claimed where nothing else explains a page.
* The likeliest division is found as a whole: cells are joined where most speaks for it, up to nine of them,
  and what doesn't come out even is recombined (:mod:`~sudoku_vision.sudoku.regions`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Array
from sudoku_vision.results import Floats, Image
from sudoku_vision.sudoku.regions import BORDERS, is_cut, recombined, rules_of, unevenness
from sudoku_vision.sudoku.rules import BOXES, CLASSIC, Rules
from sudoku_vision.vision.ranks import median, medians

Bools = NDArray[np.bool_]

DIVISIONS = math.log(706_152_947_468_301)
"""How many divisions in nine connected regions of nine cells there are (OEIS A172477), its logarithm."""
RARE = math.log(1000)  # how much rarer jigsaws are than all other grids that are photographed

BAND = 0.15  # cells on either side of a border within which its line lies, be it a little off its place
ENDS = 0.15  # cells at either end of a border that are left out: there other lines end
PARTS = 7  # parts of a border of which the middle one counts: digits may reach into three
LEAST_PAPER = 60  # grey levels: what is darker doesn't tell how much light there is
FLOOR_INK = 0.0005  # cells of full ink by which lines of one kind differ at least
FEWEST = 20  # borders of either kind that there are at least
STEPS = (0.03, 0.06, 0.12, 0.25)
"""Differences of two papers, in natural logarithms of their light, of which one tells regions apart; of their
hues by half as much."""
AROUND = 5  # borders each way, among which the middle step of colour is that of the light
WITHIN, BETWEEN, ANYWHERE = (1.0, 40.0), (4.0, 2.0), (1.0, 1.0)
"""Borders with and without such a step that seem to have been met before: within regions, between them, and
on pages whose colours mean something else."""
RULED = 35.0
"""What thicknesses of their own for 16 lines cost, in nats: half the logarithm of 72 for each but two."""
MOST = 5.0  # how far one border can speak for being cut or not, in nats: it may be smudged
REPAIRS = 400  # recombinations to come out even, and to see what else is nearly as likely
FLOOR_STRIP, FLOOR_SHADE = 0.003, 0.01
"""How much diagonals of cells, and shades of cells, differ at least where they are alike: shares of light."""
MARKS = 16.0
"""Nats that must speak for marked diagonals: they are rare, and much may look so; of 1,000 grids without any
the most had 9."""
CLEAR = 20.0  # nats that leave no doubt: nothing else is looked for, or what is found is given up
UNEVEN = 2.0  # nats that a cell too many or too few costs at first
LIKELY, MANY = 0.001, 8  # probability from which rules may be those of the digits, and how many are kept
HOT, COLD = 2.0, 0.2  # nats of chance in them, first and last


@dataclass(frozen=True)
class RulesEvidence:
    """The ``likely`` rules of a page in the turn of its lattice with their probabilities, likeliest first."""

    likely: tuple[tuple[Rules, float], ...]

    @property
    def rules(self) -> Rules:
        """The likeliest rules."""
        return self.likely[0][0]

    @property
    def probability(self) -> float:
        """How likely these are to hold."""
        return self.likely[0][1]

    def turned(self, quarter_turns: int) -> dict[Rules, float]:
        """Return the likely rules of the grid after quarter turns counter-clockwise."""
        return {rules.turned(quarter_turns): sure for rules, sure in self.likely}


_CLASSIC_CUT = is_cut(BOXES)
_ALIKE = np.zeros(144, np.bool_)
_CELLS = np.arange(81)
_DIAGONALS: Bools = np.stack([_CELLS // 9 == _CELLS % 9, _CELLS // 9 + _CELLS % 9 == 8], axis=1)
"""Of which cells the falling, and of which the rising diagonal lies on one of the grid, (81, 2)."""
_LINES = np.concatenate([BORDERS[:72, 0] // 9, 8 + BORDERS[72:, 0] % 9])
"""Which of the 16 inner lines of a grid each border is a piece of."""


def read_rules(straight: Image, coarse: Image) -> RulesEvidence:
    """Return what the straightened cells of a grid, (81, S, S, 3) uint8 BGR, show of its rules.

    *coarse* (81, 8, 8, 3) is their :func:`~sudoku_vision.vision.rectify.coarse_view`.
    """
    size = straight.shape[1]
    grey = cv2.cvtColor(straight.reshape(81 * size, size, 3), cv2.COLOR_BGR2GRAY)
    light = grey.reshape(81, size, size).astype(np.float32)
    paper = medians(cv2.cvtColor(coarse.reshape(81, 64, 3), cv2.COLOR_BGR2GRAY))
    diagonal = diagonals_marked(light, paper)
    odds = {
        replace(rules, diagonal=marked): division * sure
        for rules, division in likely_divisions(Borders(border_ink(light, paper), coarse)).items()
        for marked, sure in ((False, 1 - diagonal), (True, diagonal))
    }
    ranked = sorted(odds.items(), key=lambda one: -one[1])[:MANY]
    return RulesEvidence(tuple(one for one in ranked if one[1] >= min(LIKELY, ranked[0][1])))


def border_ink(light: Floats, paper: Array) -> Array:
    """Return the ink along each border, (144,), in cells of full ink: how thick its line is times how dark.

    Of cells (81, S, S) in grey levels, each measured by its own *paper* (81,). What is lighter than paper is
    negative, unless most is.
    """
    sides, parts = _bands(light.shape[1])
    full = np.maximum(paper, LEAST_PAPER)[:, None, None]
    ink = []
    for sums, pair in (
        (sides.T @ light @ parts, BORDERS[:72]),
        ((parts.T @ (light @ sides)).transpose(0, 2, 1), BORDERS[72:]),
    ):
        depth = (paper[:, None, None] - sums) / full
        ink.append(depth[pair[:, 0], 1] + depth[pair[:, 1], 0])
    middle = BAND * medians(np.concatenate(ink))
    return np.asarray(middle if middle.sum() > 0 else -middle, np.float64)


@lru_cache
def _bands(size: int) -> tuple[Floats, Floats]:
    """Return weights of means over the bands at both sides of a cell, (S, 2), and over its parts, (S, 7)."""
    place = (np.arange(size) + 0.5) / size
    sides = np.stack([place < BAND, place > 1 - BAND], axis=1)
    parts = np.floor((place - ENDS) / (1 - 2 * ENDS) * PARTS)[:, None] == np.arange(PARTS)
    return tuple((part / part.sum(axis=0)).astype(np.float32) for part in (sides, parts))


def diagonals_marked(light: Floats, paper: Array) -> float:
    """Return the probability that both diagonals are marked, by lines, by dots or by a shade of their cells.

    Of cells (81, S, S) in grey levels with their *paper* (81,). Boxes may be shaded on any page.
    """
    size = light.shape[1]
    ink = (light.reshape(81, -1) @ _strips(size)) / np.maximum(paper, LEAST_PAPER)[:, None]
    shade = np.log(np.maximum(paper, LEAST_PAPER / 4)).astype(np.float32).reshape(9, 9)
    shade -= cv2.medianBlur(shade, AROUND)
    lines = _marked(ink.ravel(), _DIAGONALS.ravel(), FLOOR_STRIP)
    shades = _marked(shade.ravel(), np.asarray(_DIAGONALS.any(axis=1)), FLOOR_SHADE)
    return 1 / (1 + math.exp(MARKS - max(lines, shades)))


def _marked(values: NDArray[Any], marks: Bools, floor: float) -> float:
    """Return how much likelier *values* (N,) are, in nats, if those of *marks* (N,) are of another kind."""
    if abs(float(values[marks].mean()) - float(values[~marks].mean())) < floor:
        return 0.0
    high, low = median(values[marks]), median(values[~marks])
    reach = abs(high - low) / 2
    clipped = np.clip(values, min(low, high) - reach, max(low, high) + reach)
    alike, apart = (max(float(one), floor**2) for one in (clipped.var(), _variance(clipped, marks)))
    return len(values) / 2 * math.log(alike / apart)


def _variance(values: NDArray[Any], kind: NDArray[Any]) -> float:
    """Return the variance of *values* (N,) about the means of each *kind* (N,)."""
    count, total = np.bincount(kind), np.bincount(kind, values)
    return float(values @ values - (total * total / np.maximum(count, 1)).sum()) / len(values)


@lru_cache
def _strips(size: int) -> Floats:
    """Return weights (S * S, 2) of the pixels of a cell for how dark its falling and its rising diagonal are.

    That is how much darker than what lies beside it, near the corners: digits stand in the middle.
    """
    place = (np.arange(size) + 0.5) / size
    along, off = np.abs(place[:, None] + place - 1) / 2, np.abs(place[:, None] - place)
    ends = (along > 0.25) & (along < 0.42)
    on, beside = ends & (off < 0.06), ends & (off > 0.12) & (off < 0.2)
    falling = beside / beside.sum() - on / on.sum()
    return np.stack([falling.ravel(), falling[:, ::-1].ravel()], axis=1).astype(np.float32)


def colour_steps(coarse: Image) -> list[Bools]:
    """Return where the papers on both sides of a border differ, (144,) each: by light or hue, more or less.

    Light that changes over the page makes many a small step in one direction: the middle one of those round
    about is no difference of papers.
    """
    light = np.log(np.maximum(medians(coarse.reshape(81, 64, 3).transpose(0, 2, 1)), LEAST_PAPER / 4))
    steps = light[BORDERS[:, 1]] - light[BORDERS[:, 0]]
    for part, shape in ((slice(0, 72), (8, 9, 3)), (slice(72, 144), (9, 8, 3))):
        around = cv2.medianBlur(steps[part].reshape(shape).astype(np.float32), AROUND)
        steps[part] -= around.reshape(72, 3)
    hue = np.abs(steps - steps.mean(axis=1, keepdims=True)).max(axis=1)
    return [np.abs(steps).max(axis=1) > least for least in STEPS] + [hue > least / 2 for least in STEPS]


class Borders:
    """The borders of a page: the ink along them and the steps of colour across them, (144,) each."""

    def __init__(self, ink: Array, coarse: Image) -> None:
        for _ in range(2):  # what is far deeper or fainter than lines are is none, and counts as one
            low, high = _two_kinds(ink)
            ink = np.clip(ink, low - (high - low) / 2, high + (high - low) / 2)
        self._ink = ink
        self._middle = (low + high) / 2

        self._plain = max(
            self._of_lines(_ALIKE), self._of_lines(_CLASSIC_CUT), self._of_lines(_LINES) - RULED
        )
        self._steps = [
            (seen, max(_log_chance(seen, ANYWHERE), _of_steps(seen, _CLASSIC_CUT)))
            for seen in colour_steps(coarse)
        ]

    def evidence(self, cut: Bools) -> float:
        """Return how much likelier the page is, in nats, if just these borders (144,) are *cut*."""
        return self._of_lines(cut) - self._plain + max(self._of_colours(cut)[0], 0.0) - DIVISIONS - RARE

    def starts(self) -> Iterator[Bools]:
        """Yield the borders (144,) that seem to be cut by the lines, and by colours."""
        yield self._ink > self._middle
        yield max((_parted(seen) for seen, _ in self._steps), key=lambda cut: self._of_colours(cut)[0])

    def weights_of(self, cut: Bools) -> Array:
        """Return what speaks for each border to be cut, (144,), where these are *cut* for the most part."""
        return self._line_weights(cut) + _colour_weights(self._of_colours(cut)[1], cut)

    def _line_weights(self, cut: Bools) -> Array:
        """Return the log-odds (144,) of each line to be one of those *cut*; none if all are alike."""
        if cut.all() or not cut.any():
            return np.zeros(144)
        high, low = float(self._ink[cut].mean()), float(self._ink[~cut].mean())
        rest = self._ink - np.where(cut, high, low)
        odds = (self._ink - (low + high) / 2) * (high - low) / max(float(rest @ rest) / 144, FLOOR_INK**2)
        return np.clip(odds, -MOST, MOST)

    def _of_lines(self, kind: NDArray[Any]) -> float:
        """Return the log-likelihood of the ink if the lines of each *kind* (144,) are alike."""
        return -72 * math.log(max(_variance(self._ink, kind), FLOOR_INK**2))

    def _of_colours(self, cut: Bools) -> tuple[float, Bools]:
        """Return how much likelier steps of colour are if these borders are *cut*, and which tell it."""
        told = [_of_steps(seen, cut) - plain for seen, plain in self._steps]
        best = int(np.argmax(told))
        return told[best], self._steps[best][0]


def _two_kinds(ink: Array) -> tuple[float, float]:
    """Part *ink* (144,) in two kinds that are each as alike as can be; return their means."""
    ranked = np.sort(ink)
    sums = np.cumsum(ranked)
    count = np.arange(FEWEST, 145 - FEWEST)
    low, high = sums[count - 1] / count, (sums[-1] - sums[count - 1]) / (144 - count)
    best = int((low * low * count + high * high * (144 - count)).argmax())
    return float(low[best]), float(high[best])


def _parted(steps: Bools) -> Bools:
    """Return the borders (144,) between cells that no way joins but over *steps* (144,): edges of patches."""
    ways = np.zeros((17, 17), np.uint8)  # cells at even places, the borders between them at odd ones
    ways[::2, ::2] = 1
    ways[1::2, ::2] = ~steps[:72].reshape(8, 9)
    ways[::2, 1::2] = ~steps[72:].reshape(9, 8)
    patch = cv2.connectedComponents(ways, connectivity=4)[1][::2, ::2].ravel()
    return np.asarray(patch[BORDERS[:, 0]] != patch[BORDERS[:, 1]])


def _colour_weights(seen: Bools, cut: Bools) -> Array:
    """Return the log-odds (144,) of each border to be *cut*, by whether a step is *seen* there."""
    between, within = (
        (before[0] + np.count_nonzero(seen[part])) / (sum(before) + np.count_nonzero(part))
        for part, before in ((cut, BETWEEN), (~cut, WITHIN))
    )
    return np.where(seen, math.log(between / within), math.log((1 - between) / (1 - within)))


def _of_steps(seen: Bools, cut: Bools) -> float:
    """Return the log-likelihood of the steps *seen* (144,) if they come where regions are *cut* (144,)."""
    return _log_chance(seen[cut], BETWEEN) + _log_chance(seen[~cut], WITHIN)


def _log_chance(seen: Bools, before: tuple[float, float]) -> float:
    """Return the log-likelihood of steps *seen* (N,), of which some, and some not, were met *before*."""
    steps, total = int(np.count_nonzero(seen)), len(seen)
    return _log_beta(before[0] + steps, before[1] + total - steps) - _log_beta(*before)


def _log_beta(one: float, other: float) -> float:
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


def likely_divisions(borders: Borders) -> dict[Rules, float]:
    """Return the divisions met by lines, by colours and around what these tell, with their probabilities."""
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
    """Join cells to nine regions 1..9, always those between which least speaks for a border; (81,).

    *weights* (144,) are what speaks for each, in nats. None gets more than nine cells as long as others can.
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
    """Recombine *regions* until they come out even and as likely as can be; return all that did, in nats.

    Simulated annealing: at first much is left to chance, in the end little, and evenness counts more.
    """
    met: dict[Rules, float] = {}
    other, value = regions, -math.inf
    for step in range(REPAIRS):
        heat = HOT * (COLD / HOT) ** (step / REPAIRS)
        found = borders.evidence(is_cut(other))
        uneven = unevenness(other)
        if not uneven:
            met[rules_of(other)] = found
        rated = found - uneven * UNEVEN / heat
        if rated >= value or rng.random() < math.exp((rated - value) / heat):
            regions, value = other, rated
        other = recombined(regions, (weights + heat * rng.gumbel(size=144)).tolist(), rng, UNEVEN / heat)
    return met
