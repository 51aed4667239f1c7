"""The rules of the game: which cells share a unit, and which digits of a board clash."""

from __future__ import annotations

from collections.abc import Sequence

_CORNERS = (0, 3, 6, 27, 30, 33, 54, 57, 60)
UNITS: tuple[tuple[int, ...], ...] = (
    *(tuple(range(9 * row, 9 * row + 9)) for row in range(9)),
    *(tuple(range(column, 81, 9)) for column in range(9)),
    *(tuple(corner + 9 * row + column for row in range(3) for column in range(3)) for corner in _CORNERS),
)
"""The 27 units, each nine cells (0..80): rows, columns, boxes."""

PEERS = tuple(
    tuple(sorted({peer for unit in UNITS if cell in unit for peer in unit} - {cell})) for cell in range(81)
)
"""The 20 peers of each cell."""


def find_clashes(values: Sequence[int]) -> tuple[int, ...]:
    """Find the cells (0..80), in order, whose digit stands twice in a unit; *values* are 81 digits."""
    clashing: set[int] = set()
    for unit in UNITS:
        clues = [values[cell] for cell in unit if values[cell]]
        if len(set(clues)) < len(clues):
            clashing.update(cell for cell in unit if values[cell] and clues.count(values[cell]) > 1)
    return tuple(sorted(clashing))
