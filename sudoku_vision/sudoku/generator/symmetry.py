"""Symmetry: which cells of a puzzle are clues together or blank together.

A *symmetry* carries the cells of a board into one another; those that it carries into each other are an
*orbit*.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, get_args

Symmetry = Literal["none", "point", "rotate", "horizontal", "vertical", "diagonal", "antidiagonal"]
"""What leaves the pattern of clues as it is: a half turn (``point``), a quarter turn (``rotate``), swapping
top and bottom (``horizontal``) or left and right (``vertical``), a mirror along the diagonal from the
top left (``diagonal``) or from the top right (``antidiagonal``)."""

SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)

Orbit = tuple[int, ...]
"""Cells, 0..80 in order."""


@lru_cache(maxsize=len(SYMMETRIES))
def orbits(symmetry: Symmetry) -> tuple[Orbit, ...]:
    """Return the orbits of a symmetry, each with its cells (0..80) in order, by their first cells."""
    found: dict[int, Orbit] = {}
    for cell in range(81):
        orbit = [cell]
        while (image := _image(orbit[-1], symmetry)) != cell:
            orbit.append(image)
        found.setdefault(min(orbit), tuple(sorted(orbit)))
    return tuple(found.values())


def _image(cell: int, symmetry: Symmetry) -> int:
    """Return the cell that a symmetry carries *cell* to."""
    row, column = divmod(cell, 9)
    images: dict[Symmetry, tuple[int, int]] = {
        "none": (row, column),
        "point": (8 - row, 8 - column),
        "rotate": (column, 8 - row),
        "horizontal": (8 - row, column),
        "vertical": (row, 8 - column),
        "diagonal": (column, row),
        "antidiagonal": (8 - column, 8 - row),
    }
    to_row, to_column = images[symmetry]
    return 9 * to_row + to_column


@lru_cache(maxsize=len(SYMMETRIES))
def clue_numbers(symmetry: Symmetry) -> tuple[int, ...]:
    """Return the numbers of clues, fewest first, that a pattern of a symmetry can have."""
    sums = 1  # bit n: some of the orbits seen have together n cells
    for orbit in orbits(symmetry):
        sums |= sums << len(orbit)
    return tuple(number for number in range(82) if sums >> number & 1)
