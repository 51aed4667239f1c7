"""The words: every step as a sentence or two that a beginner can follow.

Each technique has a function from a step to its sentence; cells are named r3c7 (row 3, column 7), units row
3, column 7, box 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sudoku_vision.logic.steps import Candidate, Step, Technique


def sentence(step: Step) -> str:
    """Say *step* in plain words."""
    return _SENTENCES[step.technique](step)


def cell_name(cell: int) -> str:
    """The name of a cell (0..80): ``r3c7``."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def unit_name(unit: int) -> str:
    """The name of a unit (0..26): ``row 3``, ``column 7``, ``box 2``."""
    return f"{('row', 'column', 'box')[unit // 9]} {unit % 9 + 1}"


def _listed(words: Iterable[object], last: str = "and") -> str:
    """``a, b and c``."""
    *others, final = map(str, words)
    return f"{', '.join(others)} {last} {final}" if others else final


def _cells(cells: Sequence[int]) -> str:
    return _listed(map(cell_name, cells))


def _units(units: Sequence[int]) -> str:
    """``rows 2 and 5``; units of several kinds one by one."""
    if len(units) > 1 and len({unit // 9 for unit in units}) == 1:
        kind = ("rows", "columns", "boxes")[units[0] // 9]
        return f"{kind} {_listed(unit % 9 + 1 for unit in units)}"
    return _listed(map(unit_name, units))


def _struck(eliminations: Sequence[Candidate]) -> str:
    """``5 can be struck out of r1c2 and r1c3``."""
    by_digit: dict[int, list[int]] = {}
    for cell, digit in eliminations:
        by_digit.setdefault(digit, []).append(cell)
    parts = [f"{digit} out of {_cells(sorted(cells))}" for digit, cells in sorted(by_digit.items())]
    return f"strike {_listed(parts)}"


def _full_house(step: Step) -> str:
    unit, cell, digit = unit_name(step.units[0]), cell_name(step.cells[0]), step.digits[0]
    return f"In {unit}, {cell} is the last blank cell: {digit} is the digit that is missing."


def _hidden_single(step: Step) -> str:
    return (
        f"In {unit_name(step.units[0])}, the digit {step.digits[0]} fits only in {cell_name(step.cells[0])}."
    )


def _naked_single(step: Step) -> str:
    return f"In {cell_name(step.cells[0])}, no digit but {step.digits[0]} is possible any more."


_SENTENCES: dict[Technique, Callable[[Step], str]] = {
    Technique.FULL_HOUSE: _full_house,
    Technique.HIDDEN_SINGLE: _hidden_single,
    Technique.NAKED_SINGLE: _naked_single,
}
