"""Divide the 81 cells of a board into nine connected regions of nine cells, as in jigsaws.

A division is a list of 81 region numbers. There are 144 *borders* between neighbouring cells. A border is
*cut* if its two cells are in different regions.

A division is changed by recombination (D. DeFord, M. Duchin, J. Solomon, "Recombination: a family of Markov
chains for redistricting"): two neighbouring regions are joined, and a spanning tree is laid through all their
cells. One branch of the tree becomes one new region, and the rest of the tree becomes the other new region.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import BOXES, Rules

_CELLS = np.arange(81).reshape(9, 9)
BORDERS: NDArray[np.intp] = np.concatenate(
    [
        np.stack([_CELLS[:-1].ravel(), _CELLS[1:].ravel()], axis=1),
        np.stack([_CELLS[:, :-1].ravel(), _CELLS[:, 1:].ravel()], axis=1),
    ]
)
"""The two cells of each border, (144, 2): first 72 pairs one above the other, then 72 side by side."""

NEIGHBOURS = tuple(frozenset(BORDERS[np.any(cell == BORDERS, axis=1)].flat) - {cell} for cell in range(81))
"""For each cell, the cells that share a side with it."""
_PAIRS: list[tuple[int, int]] = [(int(one), int(other)) for one, other in BORDERS]
_BESIDE = [
    [(sum(pair) - cell, place) for place, pair in enumerate(_PAIRS) if cell in pair] for cell in range(81)
]
"""For each cell, a list of pairs: a neighbour, and the index in BORDERS of the border between both cells."""
_STEPS = 300  # after this many recombinations, the regions no longer resemble the boxes at the start
_MIN_CUT, _MAX_CUT = 48, 66  # minimum and maximum number of cut borders in printed jigsaws
_BALANCE = 1e6  # cost of each cell that a region has more or less than nine; larger than any weight


def is_cut(regions: Sequence[int] | str) -> NDArray[np.bool_]:
    """Return for each border whether its cells are in different regions, (144,) bool."""
    number = np.array(list(regions))
    return np.asarray(number[BORDERS[:, 0]] != number[BORDERS[:, 1]])


def unevenness(regions: Sequence[int]) -> int:
    """Return by how many cells the sizes of the regions differ from nine, added up over all regions."""
    return sum(abs(regions.count(region) - 9) for region in set(regions))


def random_regions(rng: np.random.Generator) -> str:
    """Return random regions as 81 digits. The number of their cut borders is usual for printed jigsaws."""
    regions = [int(region) for region in BOXES]
    wanted = int(rng.integers(_MIN_CUT, _MAX_CUT, endpoint=True))
    off = wanted - np.count_nonzero(is_cut(regions))
    for step in range(20 * _STEPS):
        other = recombined(regions, rng.random(144).tolist(), rng)
        if unevenness(other):
            continue
        now = wanted - np.count_nonzero(is_cut(other))
        if abs(now) <= max(abs(off), 4 if step < _STEPS else 0):
            regions, off = other, now
        if step >= _STEPS and off == 0:
            break
    return Rules(regions).regions


def recombined(
    regions: list[int], weights: Sequence[float], rng: np.random.Generator, balance: float = _BALANCE
) -> list[int]:
    """Return *regions* after two random neighbouring regions were joined and divided again.

    The cells of both regions are connected by a minimum spanning tree. *weights* (144,) has the weights of
    all borders. The tree is cut in two at the border with the largest value. The value of a border is its
    weight, minus *balance* times the total difference of both parts' sizes from nine.
    """
    one = other = 0
    while one == other:
        one, other = (regions[cell] for cell in _PAIRS[int(rng.integers(144))])
    inside = [region in (one, other) for region in regions]
    start = inside.index(True)
    # For each cell, its parent in the spanning tree, and the weight of the border between the two cells.
    above: dict[int, tuple[int, float]] = {}
    ways = [(0.0, start, start)]
    while ways:
        weight, cell, upper = heappop(ways)
        if cell not in above:
            above[cell] = upper, weight
            for beside, place in _BESIDE[cell]:
                if inside[beside] and beside not in above:
                    heappush(ways, (weights[place], beside, cell))
    order = list(above)
    size = dict.fromkeys(order, 1)
    best, top = -np.inf, start
    for cell in reversed(order[1:]):
        upper, weight = above[cell]
        size[upper] += size[cell]
        uneven = abs(size[cell] - 9) + abs(len(order) - size[cell] - 9)
        if (value := weight - balance * uneven) > best:
            best, top = value, cell
    branch, divided = {top}, list(regions)
    for cell in order:
        if above[cell][0] in branch:
            branch.add(cell)
        divided[cell] = one if cell in branch else other
    return divided
