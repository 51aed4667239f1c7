"""Read the cages of a killer: which cells they have, and their sums.

* A grid has 144 borders between neighbouring cells. Cages are drawn as lines beside these borders, as thick
  lines of the grid, or as colours. So three things are measured at each border: the ink beside the border,
  the ink on the border, and the difference in colour between the two cells. The ink beside the border is
  measured at several distances from it: how much ink there is, and how uneven it is, because a line may be
  dashed.
* For each measure, there is a *hypothesis* about how cages are drawn. The hypothesis divides the borders into
  two kinds by this measure: borders between cages, and borders within cages.
* Each cage has one sum. The sum stands in the first cell of the cage in reading order. The best hypothesis is
  the one whose cages agree best with the sums that were found.
* A few doubtful borders are changed to find divisions in which each cage has one sum. The likely divisions
  are returned, with the probabilities of the sums. :mod:`~sudoku_vision.sudoku.solver.cage_sums` finds which
  divisions and sums make a puzzle.
* The lines of cages may have bent the lattice. :func:`flat` and :func:`centred` correct this.
"""

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import TINY, Array, fit_homography, project
from sudoku_vision.ranks import medians
from sudoku_vision.sudoku.regions import BORDERS
from sudoku_vision.values import Bools, Floats, Image
from sudoku_vision.vision.digits.sum_reader import (
    MOST_WIDE,
    THRESHOLD,
    SumReader,
    Sums,
    find_sums,
    likely_sums,
    plain_ink,
    possible_sums,
)
from sudoku_vision.vision.digits.turns import TURNS, turned_cells
from sudoku_vision.vision.locate.fit import robust_fit
from sudoku_vision.vision.locate.surface import CROSSINGS
from sudoku_vision.vision.rectify import coarse_view
from sudoku_vision.vision.rectify.illumination import DARKEST
from sudoku_vision.vision.results import Division, Lattice
from sudoku_vision.vision.rules_evidence import patches, two_kinds

ALONG = (0.45, 0.85)
"""Ink beside a border is measured in this part of the border (0..1 from its left or top end). No sum and no
crossing line is there."""
MAX_ASIDE = 0.14
"""Largest distance from a line of the lattice to the grid line that :func:`centred` can correct, in cells."""
LINE_INK = 0.2
"""Limit that sets the width of the lines of cages. At each distance from a border, the mean ink beside
borders within cages is subtracted from the mean ink beside borders between cages. A line covers the distances
at which this difference is above LINE_INK times the difference at the line's expected distance
(``Hypothesis.depth``)."""
DEEPEST = 0.2  # the line of a cage is at most this far from the border of its cell, in cells
BLUR = 1.0  # standard deviation of the blur across a line, in pixels; a cell has 80 x 80 pixels
MIN_OF_KIND = 12  # minimum number of borders between cages, and also of borders within cages
ROUNDS = 20  # rounds of the expectation-maximisation algorithm; more rounds change nothing
FLOOR_SPREAD = 0.03
"""Lower limit for the standard deviation of each of two kinds of values, as a share of the distance between
the means of the two kinds. A smaller value is raised to it."""
NEXT = 3  # width of the strip beside a border in which the colour is measured; a cell is 8 pixels wide
SAME_COLOUR = 0.01
"""Difference that noise alone may cause between two equal colours. Colours are logarithms of brightness."""
MAX_EVIDENCE = 8.0  # limit for the evidence of one border, and for the evidence of one sum, in nats
MIN_SUMS, MAX_SUMS = 12, 60  # range of the number of sums of a killer; cages have about 2 to 5 cells
MIN_RIGHT = 0.65  # cages are believed only if at least this share of the cages agrees with the sums
MAX_CELLS = 9  # a cage has at most this many cells
CLEAR_SUM = 0.9
"""If a sum is less probable than this, it may stand elsewhere in its cell, or a coloured pen may cover it. So
sums are also read at other places of the cells, and without the ink of coloured pens."""
MAX_STEPS = 200  # the search for divisions makes at most this many steps
TRIED = 10
"""In each step, the search tries to change single borders: this many of the most doubtful borders of wrong
cages, and this many of the most doubtful borders of all cages."""
COVERED = 0.03  # width, in cells, of the margin around a sum that is erased together with the sum
MAX_DIVISIONS = 30  # at most this many divisions are returned, the likeliest ones
CLEAR = 9.0  # a division is left out if the best division is exp(CLEAR) times likelier


@dataclass(frozen=True, eq=False)
class CageEvidence:
    """What a picture shows of the cages of a grid. The cells are those of the upright grid.

    ``turn``: the number of counter-clockwise quarter turns that set the grid upright. ``divisions``: the
    likely divisions into cages, the likeliest first. ``sums``: for the first cell of each cage, the
    probabilities of its likely sums. ``covers`` (81, S, S): a mask of the sums and of the lines of cages in
    each cell, before the grid is turned. ``coloured``: whether each cage has a colour that ends at its
    borders. If so, differences in colour come from cages, not from objects that cover cells. So no cell is
    taken for hidden.
    """

    turn: int
    divisions: Sequence[Division]
    sums: Mapping[int, Mapping[int, float]]
    covers: Bools
    coloured: bool


def kinds_of(values: Array) -> tuple[float, Array]:
    """Divide *values* (N,) into two kinds: two normal distributions with their own mean and variance.

    Return the evidence, in nats, that there are two kinds and not one, and the log-odds (N,) that each value
    is of the kind with the higher mean.
    """
    count = len(values)
    low_count, low, high = two_kinds(values, MIN_OF_KIND)
    floor = (FLOOR_SPREAD * max(high - low, 1e-6)) ** 2
    share = (values >= np.sort(values)[low_count]).astype(float)
    odds = logs = np.zeros((2, count))
    for _ in range(ROUNDS):
        weights = np.stack([1 - share, share])
        total = weights.sum(axis=1) + 1e-9
        means = weights @ values / total
        spreads = np.maximum((weights * (values - means[:, None]) ** 2).sum(axis=1) / total, floor)
        logs = -((values - means[:, None]) ** 2) / spreads[:, None] / 2
        logs += np.log(total / count / np.sqrt(spreads))[:, None]
        odds = np.where(
            (values - means[0]) * np.sign(means[1] - means[0]) < 0, -MAX_EVIDENCE, logs[1] - logs[0]
        )
        odds = np.where((values - means[1]) * np.sign(means[1] - means[0]) > 0, MAX_EVIDENCE, odds)
        share = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
    alone = -count / 2 * (math.log(max(float(values.var()), floor)) + 1)
    return float(np.logaddexp(*logs).sum()) - alone, np.clip(odds, -MAX_EVIDENCE, MAX_EVIDENCE)


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A hypothesis about how cages are drawn.

    ``weights`` (144,): the log-odds that each border is *cut*. A border is cut if it lies between two cages.
    ``depth``: the distance of the lines of cages from the border, in cells. It is None if cages are not drawn
    by lines inside their cells. ``evidence``: the evidence, in nats, that the borders are of two kinds (cut,
    not cut), and not of one kind.
    """

    depth: float | None
    evidence: float
    weights: Array


def line_ink(ink: Floats) -> tuple[Array, Array]:
    """Measure the *ink* (81, S, S) beside each border, at each distance from the border, in whole pixels.

    Return two arrays (144, D) for the D distances. On each side of a border, the mean and the standard
    deviation of the ink along the border are measured. The first array has the sum of the two means, the
    second has the sum of the two standard deviations. The standard deviation shows dashes on a grid line.
    """
    size = ink.shape[1]
    part, deep = slice(*(round(end * size) for end in ALONG)), round(DEEPEST * size)
    turned = ink.transpose(0, 2, 1)
    sides = [side[:, :deep, part] for side in (ink, ink[:, ::-1], turned, turned[:, ::-1])]
    rows, columns = BORDERS[:72].T, BORDERS[72:].T
    found = []
    for measure in (np.mean, np.std):
        along = [cv2.GaussianBlur(measure(side, axis=2), (7, 1), BLUR) for side in sides]
        top, bottom, left, right = (one.astype(np.float64) for one in along)
        pairs = [bottom[rows[0]] + top[rows[1]], right[columns[0]] + left[columns[1]]]
        found.append(np.concatenate(pairs))
    return found[0], found[1]


def colour_differences(coarse: Image) -> Array:
    """Return the differences in colour (144, 3) between the paper on both sides of each border.

    The colours are logarithms of brightness in the three channels. They are measured next to the border, in
    *coarse* (81, 8, 8, 3), the cells at low resolution.
    """
    light = np.log(np.maximum(coarse.astype(np.float64), DARKEST / 2))
    parts = (light[:, :NEXT], light[:, -NEXT:], light[:, :, :NEXT], light[:, :, -NEXT:])
    top, bottom, left, right = (medians(part.reshape(81, -1, 3).transpose(0, 2, 1)) for part in parts)
    rows, columns = BORDERS[:72].T, BORDERS[72:].T
    return np.concatenate([top[rows[1]] - bottom[rows[0]], left[columns[1]] - right[columns[0]]])


def divided(cut: Bools) -> list[list[int]]:
    """Return the cells of each cage, sorted by first cells. *cut* (144,): the borders between cages."""
    groups: dict[int, list[int]] = {}
    for cell, patch in enumerate(patches(cut).tolist()):
        groups.setdefault(patch, []).append(cell)
    return list(groups.values())


class Agreement(NamedTuple):
    """How well a division into cages agrees with the sums that were found.

    In each cage, the first cell should have a sum, and no other cell should have one.

    ``cost``: the log-likelihood, in nats, of the likeliest places of sums, minus the log-likelihood of the
    places that the division requires. ``wrong`` (81,): a mask of all cells in wrong cages. A cage is wrong if
    it has too many cells, if its first cell has no sum, or if another of its cells has one. ``right``: the
    share of cages that aren't wrong. ``largest``: the number of cells of the largest cage.
    """

    cost: float
    wrong: Bools
    right: float
    largest: int


def agreement(cut: Bools, odds: Array) -> Agreement:
    """Return how well the cages agree with the sums that were found.

    *cut* (144,): the mask of the borders between cages. *odds* (81,): the log-odds that each cell has a sum.
    """
    cages = patches(cut)
    numbers, firsts, counts = np.unique(cages, return_index=True, return_counts=True)
    summed = np.zeros(81, np.bool_)
    summed[firsts] = True
    differs = summed != (odds > 0)
    wrong = np.union1d(cages[differs], numbers[counts > MAX_CELLS])
    right = 1 - len(wrong) / len(numbers)
    return Agreement(float(np.abs(odds[differs]).sum()), np.isin(cages, wrong), right, int(counts.max()))


def hypotheses(ink: Floats, coarse: Image) -> Iterator[Hypothesis]:
    """Yield all hypotheses about how cages are drawn.

    *ink* (81, S, S): the ink of the cells. *coarse* (81, 8, 8, 3): their colours at low resolution.
    """
    size = ink.shape[1]
    lines, dashes = line_ink(ink)
    for depth in range(1, lines.shape[1]):
        for measure in (lines, dashes):
            yield Hypothesis((depth + 0.5) / size, *kinds_of(measure[:, depth]))
    yield Hypothesis(None, *kinds_of(lines[:, : round(0.05 * size)].sum(axis=1)))
    yield Hypothesis(None, *kinds_of(lines[:, round(0.025 * size) :].max(axis=1)))
    yield from colour_hypotheses(coarse)


def colour_hypotheses(coarse: Image) -> Iterator[Hypothesis]:
    """Yield two hypotheses: cages differ in colour, or in hue alone. *coarse*: see :func:`hypotheses`."""
    colours = colour_differences(coarse)
    hue = colours - colours.mean(axis=1, keepdims=True)
    for difference in (colours, hue):
        yield Hypothesis(None, *kinds_of(np.log(np.linalg.norm(difference, axis=1) + SAME_COLOUR)))


def line_bands(ink: Floats, cut: Bools, depth: float) -> Bools:
    """Return a mask (81, S, S) of the lines of cages in each cell.

    *ink* (81, S, S): the ink of the cells. *cut* (144,): the mask of the borders between cages. *depth*: the
    distance of the lines from these borders, in cells. The width of the lines is found by comparing the ink
    beside these borders with the ink beside all other borders.
    """
    size, (lines, _) = ink.shape[1], line_ink(ink)
    more = lines[cut].mean(axis=0) - lines[~cut].mean(axis=0)
    start = end = min(int(depth * size), len(more) - 1)
    least = LINE_INK * more[start]
    while start > 0 and more[start - 1] > least:
        start -= 1
    while end < len(more) and more[end] > least:
        end += 1
    lined = np.ones((81, 4), np.bool_)  # whether a line runs along the top, bottom, left and right of a cell
    for number, (one, other) in enumerate(BORDERS.tolist()):
        lined[one, 1 if number < 72 else 3] = lined[other, 0 if number < 72 else 2] = cut[number]
    bands = np.zeros((81, size, size), np.bool_)
    for side, turn in enumerate((0, 2, 3, 1)):
        np.rot90(bands, turn, axes=(1, 2))[lined[:, side], start:end] = True
    return bands


def likeliest(ways: Sequence[Hypothesis], odds: Array) -> Hypothesis:
    """Return the hypothesis in *ways* whose cages agree best with the sums.

    *odds* (81,): the log-odds that each cell has a sum. With motion blur, horizontal lines may fit one
    hypothesis best, and vertical lines another. The result combines two hypotheses (one for horizontal lines,
    one for vertical lines) only if this makes the sums clearly likelier.
    """
    best = min(ways, key=lambda way: (agreement(way.weights > 0, odds).cost, -way.evidence))
    for part in (slice(72), slice(72, None)):
        mixed = [best.weights.copy() for _ in ways]
        for weights, way in zip(mixed, ways, strict=True):
            weights[part] = way.weights[part]
        costs = [agreement(weights > 0, odds).cost for weights in mixed]
        if min(costs) + math.log(len(ways)) < agreement(best.weights > 0, odds).cost:
            best = replace(best, weights=mixed[int(np.argmin(costs))])
    return best


class Seen(NamedTuple):
    """The cages and sums that are seen if a grid is turned by ``turn`` quarter turns.

    ``way``: the hypothesis about how cages are drawn. ``sums``: the places of the sums. ``probabilities``
    (81, 46): the probability of each sum (1..45) in each cell; index 0 is for no sum.
    """

    turn: int
    way: Hypothesis
    sums: Sums
    probabilities: Floats

    @property
    def agreement(self) -> Agreement:
        """How well the cages agree with the sums."""
        return agreement(self.way.weights > 0, odds_of_sums(self.probabilities))

    @property
    def is_clear(self) -> bool:
        """Whether each cell is clear: its sum is clear, or it clearly has no sum."""
        return bool(self.probabilities.max(axis=1).min() >= CLEAR_SUM)

    @property
    def log_probability(self) -> float:
        """The log-probability of the likeliest sums, minus the cost of sums that don't fit the cages."""
        return float(np.log(self.probabilities.max(axis=1)).sum()) - self.agreement.cost


def _views(plain: Floats, coarse: Image, reader: SumReader, turns: Sequence[int]) -> Iterator[Seen]:
    """Yield what is seen of the cages and sums in each turn, if most cages agree with their sums.

    *plain* (81, S, S): the ink of the cells. *coarse* (81, 8, 8, 3): the cells at low resolution. *reader*:
    the network that reads sums. *turns*: the turns to try. If the lines of cages lie inside the cells, the
    sums are found once more after these lines are erased, and a second result is yielded for the turn. If a
    sum is unclear, all sums are also looked for at other places of the cells.
    """
    for turn in turns:
        ink, threshold = turned_cells(plain, turn), THRESHOLD
        places = list(possible_sums(ink, threshold))
        if not places or len(places[0].cells) < MIN_SUMS:
            threshold /= 2  # the ink of sums may be fainter than that of the lines of cages
            places = list(possible_sums(ink, threshold))
        ways = list[Hypothesis]()
        for sums in places:
            is_clear = False
            for without_lines in (False, True):
                if not MIN_SUMS <= len(sums.cells) <= MAX_SUMS:
                    break
                found = reader.read(sums)
                ways = ways or list(hypotheses(ink, turned_cells(coarse, turn)))
                seen = Seen(turn, likeliest(ways, odds_of_sums(found)), sums, found)
                if seen.agreement.right < MIN_RIGHT:
                    break
                yield seen
                is_clear |= seen.is_clear
                if seen.way.depth is None or without_lines:
                    break
                sums = sums_without_lines(ink, seen.way, threshold)
            if is_clear:
                break


def sums_without_lines(ink: Floats, way: Hypothesis, threshold: float = THRESHOLD) -> Sums:
    """Return the sums that are found after the lines of cages are erased from *ink* (81, S, S).

    These lines may touch a sum, or run around it. *way*: the hypothesis about how cages are drawn; its
    ``depth`` shows where the lines are. *threshold*: pixels with at least this strength are ink.
    """
    assert way.depth is not None
    bands = line_bands(ink, way.weights > 0, way.depth)
    return find_sums(np.where(bands, np.float32(0), ink), threshold)._replace(ink=ink)


def odds_of_sums(probabilities: Floats) -> Array:
    """Return the log-odds (81,) that each cell has a sum. *probabilities* (81, 46): see :class:`Seen`."""
    none = probabilities[:, 0].astype(np.float64)
    return np.log((1 - none + TINY) / (none + TINY)).clip(-MAX_EVIDENCE, MAX_EVIDENCE)


def read_cages(straight: Image, reader: SumReader, turn: int | None = None) -> CageEvidence | None:
    """Return the cages of a grid, or None if the grid is no killer.

    *straight* (81, S, S, 3): the straightened cells. *reader*: the network that reads sums. *turn*: the
    number of quarter turns that set the grid upright; None: all turns are tried. The sums are read with and
    without the lines of cages. If they are unclear, they are also read without the ink of coloured pens. The
    most probable result is taken.
    """
    coarse, turns = coarse_view(straight), TURNS if turn is None else (turn,)
    views: list[Seen] = []
    for in_every_colour in (False, True):
        if not any(view.is_clear for view in views):
            plain = plain_ink(straight, in_every_colour=in_every_colour)
            views += _views(plain, coarse, reader, turns)
    if not views:
        return None
    turn, way, sums, found = max(views, key=lambda view: view.log_probability)
    odds, likely = odds_of_sums(found), {cell: likely_sums(found[cell]) for cell in range(81)}
    by_colour = [
        agreement(one.weights > 0, odds).right for one in colour_hypotheses(turned_cells(coarse, turn))
    ]
    return CageEvidence(
        turn,
        likely_divisions(way.weights, odds)[:MAX_DIVISIONS],
        {cell: of_cell for cell, of_cell in likely.items() if of_cell},
        turned_cells(_covers(sums, way, found.argmax(axis=1)), -turn),
        max(by_colour) == 1,
    )


def _covers(sums: Sums, way: Hypothesis, read: NDArray[np.intp]) -> Bools:
    """Return a mask (81, S, S): the pixels of each cell that belong to its sum or to lines of cages.

    *sums*: the places of the sums. *way*: the hypothesis about how cages are drawn. *read* (81,): the sum
    that was read in each cell, or 0.
    """
    size, height = sums.ink.shape[1], sums.height
    covers = np.zeros((81, size, size), np.bool_)
    if way.depth is not None:
        covers = line_bands(sums.ink, way.weights > 0, way.depth)
    boxes = np.concatenate([sums.places(), sums.places() + height], axis=1)
    boxes[sums.cells] = sums.boxes
    for cell in np.flatnonzero(read).tolist():
        left, top, right, bottom = boxes[cell]
        if read[cell] > 9:
            right = max(right, left + MOST_WIDE * (bottom - top))
        first = np.maximum(np.floor((np.array([left, top]) - COVERED) * size), 0).astype(int)
        end = np.ceil((np.array([right, bottom]) + COVERED) * size).astype(int)
        covers[cell, first[1] : end[1], first[0] : end[0]] = True
    return covers


def likely_divisions(weights: Array, odds: Array) -> list[tuple[float, list[list[int]]]]:
    """Return the likely divisions into cages, each with its cost in nats; the likeliest is the first.

    *weights* (144,): the log-odds that each border lies between two cages. *odds* (81,): the log-odds that
    each cell has a sum. The search begins with the likeliest state (cut or not) of each border, and changes
    more and more borders. It always continues with the least costly set of changes (best-first search).
    """
    start: tuple[int, ...] = ()
    heap, seen = [(0.0, start)], {start}
    found: list[tuple[float, Bools]] = []
    best, doubtful = math.inf, np.argsort(np.abs(weights))
    for _ in range(MAX_STEPS):
        if not heap or heap[0][0] > best + CLEAR:
            break
        cost, changed = heapq.heappop(heap)
        cut = weights > 0
        cut[list(changed)] ^= True
        agreed = agreement(cut, odds)
        if agreed.largest <= MAX_CELLS and cost + agreed.cost < best + CLEAR:
            found.append((cost + agreed.cost, cut))
            best = min(best, cost + agreed.cost)
        near = doubtful[agreed.wrong[BORDERS[doubtful]].any(axis=1)]
        for border in {*near[:TRIED].tolist(), *doubtful[:TRIED].tolist()}:
            child = tuple(sorted({*changed, border}))
            more = cost + abs(float(weights[border]))
            if border not in changed and child not in seen and more < best + CLEAR:
                seen.add(child)
                heapq.heappush(heap, (more, child))
    ranked = sorted(found, key=lambda one: one[0])
    return [(cost, divided(cut)) for cost, cut in ranked if cost < best + CLEAR]


def flat(lattice: Lattice) -> Lattice:
    """Return the lattice of a flat page, with straight lines and equal cells, that fits *lattice* best."""
    fitted = fit_homography(CROSSINGS.units, lattice.crossings.reshape(100, 2))
    if fitted is None:
        return lattice
    crossings = project(CROSSINGS.units, fitted).reshape(lattice.crossings.shape)
    return replace(lattice, crossings=crossings.astype(np.float32))


def centred(lattice: Lattice, straight: Image) -> Lattice:
    """Return *lattice* with its lines moved from the lines of cages to the grid lines.

    *straight* (81, S, S, 3): the straightened cells of *lattice*. Where two cages meet, their lines run on
    both sides of a grid line, at the same distance from it. So the ink is symmetric about the grid line.
    """
    ink = plain_ink(straight)
    transposed = ink.reshape(9, 9, *ink.shape[1:]).transpose(1, 0, 3, 2).reshape(ink.shape)
    offsets, trust = np.stack([_symmetry(ink), _symmetry(transposed)], axis=1).reshape(2, 2, 90)
    quadratics = robust_fit(offsets, trust, degree=2)
    down, across = (CROSSINGS.terms[:, : len(one)] @ one for one in quadratics)
    crossings = lattice.crossings.astype(np.float64)
    moved = crossings + down.reshape(10, 10, 1) * np.gradient(crossings, axis=0)
    moved += across.reshape(10, 10, 1) * np.gradient(crossings, axis=1)
    return replace(lattice, crossings=moved.astype(np.float32))


def _symmetry(ink: Floats) -> Array:
    """Return how far each piece of a horizontal line must move, so that the *ink* is symmetric about it.

    A piece is the part of a line beside one cell: there are 10 lines with 9 pieces each. The result (2, 10,
    9) holds two arrays: the offset of each piece in cells, positive for a move down, and how clear the
    symmetry is. For the two outer lines, both are 0.
    """
    size = ink.shape[1]
    reach, aside = round((DEEPEST + MAX_ASIDE) * size), round(2 * MAX_ASIDE * size)
    along = ink[:, :, slice(*(round(end * size) for end in ALONG))].mean(axis=2).reshape(9, 9, size)
    beside = np.concatenate([along[:-1, :, -reach:], along[1:, :, :reach]], axis=2).reshape(72, -1)
    beside = np.maximum(beside - medians(beside)[:, None], 0)
    middle = slice(2 * reach - 1 - aside, 2 * reach + aside)
    # The symmetry of the ink about a place is the sum of the products of the ink at equal distances on both
    # sides of the place. It is measured for places that are half a pixel apart.
    symmetric = np.stack([np.convolve(one, one)[middle] for one in beside]).reshape(8, 9, -1)
    found = np.zeros((2, 10, 9))
    found[0, 1:-1] = (symmetric.argmax(axis=2) - aside) / (2 * size)
    found[1, 1:-1] = symmetric.max(axis=2) - medians(symmetric)
    return found
