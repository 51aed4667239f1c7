"""Divisions of the 81 cells in nine connected regions of nine, as of jigsaws.

A division in the making is a list of 81 region numbers, the finished one is that of :class:`Rules`. Between
neighbouring cells run 144 *borders*; those between two regions are *cut*.

A division becomes another by recombination (D. DeFord, M. Duchin, J. Solomon, "Recombination: a family of
Markov chains for redistricting"): two neighbouring regions are joined, a spanning tree is laid through their
cells, and one of its branches becomes a region of its own.
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
"""The two cells of each border, (144, 2): 72 below cells first, then 72 at their right, in reading order."""

_PAIRS: list[tuple[int, int]] = [(int(one), int(other)) for one, other in BORDERS]
_BESIDE = [
    [(sum(pair) - cell, place) for place, pair in enumerate(_PAIRS) if cell in pair] for cell in range(81)
]
"""The neighbours of each cell, with the number of the border between."""
_STEPS = 300  # recombinations, after which nothing of the boxes is left
_CUT = (48, 66)  # fewest and most borders that printed jigsaws cut; the boxes cut 36
_BALANCE = 1e6  # what an uneven split costs where none is wanted


def is_cut(regions: Sequence[int] | str) -> NDArray[np.bool_]:
    """Tell which borders, (144,), lie between two regions."""
    number = np.array(list(regions))
    return np.asarray(number[BORDERS[:, 0]] != number[BORDERS[:, 1]])


def unevenness(regions: Sequence[int]) -> int:
    """Return how many cells nine regions have more, or fewer, than nine each; 0 if they are even."""
    return sum(abs(regions.count(region) - 9) for region in set(regions))


def rules_of(regions: Sequence[int]) -> Rules:
    """Return the rules of even *regions*, of numbers 1..9."""
    return Rules("".join(map(str, regions)))


def random_regions(rng: np.random.Generator) -> str:
    """Return a division by chance, as winding as those of printed jigsaws, as :class:`Rules` has it."""
    regions = [int(region) for region in BOXES]
    wanted = int(rng.integers(*_CUT, endpoint=True))
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
    return rules_of(regions).regions


def recombined(
    regions: list[int], weights: Sequence[float], rng: np.random.Generator, balance: float = _BALANCE
) -> list[int]:
    """Join two neighbouring regions by chance, and part them anew along borders of great *weights* (144,).

    Of the borders between cells of the two, a spanning tree crosses those of the least weight; it is parted
    where it crosses the greatest, less *balance* for each cell that a part has more or fewer than nine.
    """
    one = other = 0
    while one == other:
        one, other = (regions[cell] for cell in _PAIRS[int(rng.integers(144))])
    inside = [region in (one, other) for region in regions]
    start = inside.index(True)
    above: dict[
        int, tuple[int, float]
    ] = {}  # of each cell the next one towards the start, and what parts them
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
    branch, parted = {top}, list(regions)
    for cell in order:
        if above[cell][0] in branch:
            branch.add(cell)
        parted[cell] = one if cell in branch else other
    return parted
