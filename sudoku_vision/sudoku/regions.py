"""Divisions of the 81 cells into nine connected regions of nine: the boxes, and those of jigsaws.

A division is an array (81,) uint8 of region numbers 1..9, counted as they are met in reading order. Between
neighbouring cells run 144 *borders*; those between two regions are *cut*.

A division becomes another by recombination (D. DeFord, M. Duchin, J. Solomon, "Recombination: a family of
Markov chains for redistricting"): two neighbouring regions are joined, a spanning tree is laid through their
cells, and one of its branches becomes a region of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Regions = NDArray[np.uint8]
"""A division: (81,) uint8, region numbers 1..9."""

_CELLS = np.arange(81).reshape(9, 9)
BORDERS: NDArray[np.intp] = np.concatenate(
    [
        np.stack([_CELLS[:-1].ravel(), _CELLS[1:].ravel()], axis=1),
        np.stack([_CELLS[:, :-1].ravel(), _CELLS[:, 1:].ravel()], axis=1),
    ]
)
"""The two cells of each border, (144, 2): 72 below cells first, then 72 at their right, in reading order."""
BOXES: Regions = (_CELLS // 27 * 3 + _CELLS % 9 // 3 + 1).ravel().astype(np.uint8)
"""The division of the classic sudoku."""

_PAIRS: list[tuple[int, int]] = [(int(one), int(other)) for one, other in BORDERS]
_STEPS = 300  # recombinations, after which nothing of the boxes is left
_CUT = (48, 66)  # fewest and most borders that printed jigsaws cut; the boxes cut 36
_BALANCE = 1e6  # what an uneven split costs where none is wanted


def is_cut(regions: Sequence[int] | Regions) -> NDArray[np.bool_]:
    """Tell which borders, (144,), lie between two regions."""
    number = np.asarray(regions)
    return np.asarray(number[BORDERS[:, 0]] != number[BORDERS[:, 1]])


def is_even(regions: Sequence[int]) -> bool:
    """Tell whether there are nine regions of nine cells."""
    numbers = set(regions)
    return len(numbers) == 9 and all(regions.count(number) == 9 for number in numbers)


def numbered(regions: Sequence[int] | NDArray[np.generic]) -> Regions:
    """Return a division with its regions counted 1..9 as they are met in reading order."""
    number: dict[int, int] = {}
    return np.array([number.setdefault(int(one), len(number) + 1) for one in regions], np.uint8)


def random_regions(rng: np.random.Generator) -> Regions:
    """Return a division by chance, as winding as those of printed jigsaws."""
    regions = BOXES.tolist()
    wanted = int(rng.integers(*_CUT, endpoint=True))
    off = wanted - np.count_nonzero(is_cut(regions))
    for step in range(20 * _STEPS):
        other = recombined(regions, rng.random(144).tolist(), rng)
        if not is_even(other):
            continue
        now = wanted - np.count_nonzero(is_cut(other))
        if abs(now) <= max(abs(off), 4 if step < _STEPS else 0):
            regions, off = other, now
        if step >= _STEPS and off == 0:
            break
    return numbered(regions)


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
    joined = [place for place, (a, b) in enumerate(_PAIRS) if {regions[a], regions[b]} <= {one, other}]
    joined.sort(key=weights.__getitem__)
    root = list(range(81))
    tree: dict[int, list[tuple[int, int]]] = {cell: [] for cell in range(81) if regions[cell] in (one, other)}
    for place in joined:
        a, b = _PAIRS[place]
        if _root(root, a) != _root(root, b):
            root[_root(root, a)] = _root(root, b)
            tree[a].append((b, place))
            tree[b].append((a, place))
    start = next(iter(tree))
    above = {start: (start, 0)}  # of each cell the next one towards the start, and the border between
    order = [start]
    for cell in order:
        for beside, place in tree[cell]:
            if beside not in above:
                above[beside] = cell, place
                order.append(beside)
    size = dict.fromkeys(order, 1)
    best, top = -np.inf, start
    for cell in reversed(order[1:]):
        upper, place = above[cell]
        size[upper] += size[cell]
        uneven = abs(size[cell] - 9) + abs(len(order) - size[cell] - 9)
        if (value := weights[place] - balance * uneven) > best:
            best, top = value, cell
    branch, parted = {top}, list(regions)
    for cell in order:
        if above[cell][0] in branch:
            branch.add(cell)
        parted[cell] = one if cell in branch else other
    return parted


def _root(root: list[int], cell: int) -> int:
    """Return the cell that stands for all that are joined with a *cell*."""
    while root[cell] != cell:
        root[cell] = cell = root[root[cell]]
    return cell
