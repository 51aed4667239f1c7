"""Words that the sentences of all techniques are made of.

Cells are named r3c7 (row 3, column 7), units row 3, column 7, box 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.logic.steps import Candidate, Step

_FEW = 4
"""Units or cells up to which all are named as places to look at; a longer list helps no one to find them."""


def unit_name(unit: int) -> str:
    """Name a unit (0..26): ``row 3``, ``column 7``, ``box 2``."""
    return f"{('row', 'column', 'box')[unit // 9]} {unit % 9 + 1}"


def seen_in(step: Step) -> str:
    """Say where to look for *step*, without telling what follows: ``in row 3``, ``at r2c5``."""
    if step.units and len(step.units) <= _FEW:
        return f"in {name_units(step.units)}"
    if len(step.cells) <= _FEW:
        return f"at {name_cells(step.cells)}"
    return f"beginning at {cell_name(step.cells[0])}"


def listed(words: Iterable[object], last: str = "and") -> str:
    """Join words as a sentence has them: ``a, b and c``."""
    *others, final = map(str, words)
    return f"{', '.join(others)} {last} {final}" if others else final


def name_cells(cells: Sequence[int]) -> str:
    """Name cells (0..80): ``r1c2, r1c3 and r5c9``."""
    return listed(map(cell_name, cells))


def name_units(units: Sequence[int]) -> str:
    """Name units (0..26): ``rows 2 and 5``; those of several kinds one by one."""
    if len(units) > 1 and len({unit // 9 for unit in units}) == 1:
        kind = ("rows", "columns", "boxes")[units[0] // 9]
        return f"{kind} {listed(unit % 9 + 1 for unit in units)}"
    return listed(map(unit_name, units))


def strike(eliminations: Sequence[Candidate]) -> str:
    """Say what to strike out: ``strike 5 out of r1c2 and r1c3``."""
    by_cells: dict[tuple[int, ...], list[int]] = {}
    for digit in sorted({digit for _, digit in eliminations}):
        cells = tuple(sorted(cell for cell, other in eliminations if other == digit))
        by_cells.setdefault(cells, []).append(digit)
    parts = [f"{listed(digits)} out of {name_cells(cells)}" for cells, digits in by_cells.items()]
    return f"strike {', and '.join(parts)}"
