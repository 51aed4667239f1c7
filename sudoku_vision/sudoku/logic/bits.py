"""Sets of cells and of digits as the bits of integers.

A set of cells is an integer with 81 bits: cell c is bit ``1 << c``. So a single ``&`` finds the common peers
of two cells. A *mask* is a set of digits: digit d is bit ``1 << d``.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from operator import or_

DIGITS = range(1, 10)


def united(sets: Iterable[int]) -> int:
    """Return the union of sets of cells, or of digits, that are stored as bits."""
    return reduce(or_, sets, 0)


def cell_set(cells: Iterable[int]) -> int:
    """Return *cells* (0..80) as an integer with 81 bits."""
    return sum(1 << cell for cell in cells)


def bits_of(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are set in an integer, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@lru_cache(1 << 15)
def cells_of(cells: int) -> tuple[int, ...]:
    """Return the cells (0..80) of a set of 81 bits, in ascending order."""
    return tuple(bits_of(cells))


EVERY_CELL = (1 << 81) - 1
DIGITS_OF = tuple(tuple(digit for digit in DIGITS if mask >> digit & 1) for mask in range(1 << 10))
"""For each mask from 0 to 1023, a tuple of its digits."""


def candidates_at(cells: int, digit: int) -> tuple[tuple[int, int], ...]:
    """Return (cell, *digit*) for each cell of *cells*, a set of 81 bits."""
    return tuple([(cell, digit) for cell in cells_of(cells)])
