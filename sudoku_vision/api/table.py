"""Tables: a grid as a table of pandas, or of HTML."""

from __future__ import annotations

import importlib
from typing import Any

from sudoku_vision.errors import MissingExtraError
from sudoku_vision.results import GridResult, marks_text

_TABLE = "border-collapse: collapse; border: 2px solid; font: 16px monospace; width: auto"
_CELL = "width: 1.6em; height: 1.6em; padding: 0; text-align: center; border: 1px solid #999"
_THICK = "2px solid"
_CLUE, _ENTRY, _ANSWER = "font-weight: bold", "color: #0b61c4", "color: #1a7f37"
"""How digits are told apart: clues bold, entries blue, answers green."""


def grid_frame(grid: GridResult) -> Any:
    """Return a grid as a ``DataFrame`` of 81 rows; raises :class:`MissingExtraError` without pandas."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise MissingExtraError(
            "Tables need pandas, which is not installed.", "Run: pip install pandas"
        ) from None
    doubts = {doubt.cell: doubt.kind for doubt in reversed(grid.doubts)}
    return pandas.DataFrame(
        {
            "row": [cell // 9 + 1 for cell in range(81)],
            "column": [cell % 9 + 1 for cell in range(81)],
            "puzzle": grid.puzzle.reshape(81),
            "written": grid.written.reshape(81),
            "solution": 0 if grid.solution is None else grid.solution.reshape(81),
            "marks": marks_text(grid.marks),
            "doubt": [doubts.get(cell, "") for cell in range(81)],
        }
    )


def board_html(grid: GridResult) -> str:
    """Return a board with its answers as an HTML table."""
    rows = "".join(f"<tr>{''.join(_cell(grid, row, column) for column in range(9))}</tr>" for row in range(9))
    return f'<table style="{_TABLE}"><caption>{grid.status}</caption><tbody>{rows}</tbody></table>'


def _cell(grid: GridResult, row: int, column: int) -> str:
    answer = 0 if grid.solution is None else grid.solution[row, column]
    kinds = ((grid.puzzle[row, column], _CLUE), (grid.written[row, column], _ENTRY), (answer, _ANSWER))
    digit, look = next((kind for kind in kinds if kind[0]), ("", ""))
    edges = [f"border-bottom: {_THICK}"] * (row in (2, 5)) + [f"border-right: {_THICK}"] * (column in (2, 5))
    return f'<td style="{"; ".join([_CELL, *edges, look])}">{digit}</td>'
