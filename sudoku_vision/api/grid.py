"""A grid as programs get it: it prints and shows itself, and is decoded anew without its picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_vision.errors import MissingExtraError
from sudoku_vision.results import Board, DigitScores, GridResult, marks_text
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.vision.decode import grid_status
from sudoku_vision.vision.decode.overrides import Overrides, apply_overrides, by_grid, check_overrides

if TYPE_CHECKING:
    import pandas

    from sudoku_vision.pipeline import GridReading


_TABLE = "border-collapse: collapse; border: 2px solid; font: 16px monospace; width: auto"
_CELL = "width: 1.6em; height: 1.6em; padding: 0; text-align: center; border: 1px solid #999"
_THICK = "2px solid"
_CLUE, _ENTRY, _ANSWER = "font-weight: bold", "color: #0b61c4", "color: #1a7f37"
"""How digits are told apart: clues bold, entries blue, answers green."""


@dataclass(frozen=True, eq=False, repr=False)
class Grid(GridResult):
    """One grid of a picture: where it lies, what it says, its answer, and the scores behind it.

    ``status``, ``puzzle``, ``written``, ``marks``, ``solution``, ``answers``, ``confidence`` and ``doubts``
    say what was read. ``str(grid)`` is the board as it stands in the picture, drawn with characters.

    ``scores`` are those of its 81 cells, upright; ``ink_puzzle`` (9, 9) int8 the clues that the ink alone
    reads as; ``overrides`` what a person said of cells since (:meth:`with_overrides`).
    """

    scores: DigitScores
    ink_puzzle: Board
    overrides: Overrides = field(default_factory=dict)

    def __str__(self) -> str:
        """Draw clues and entries as 13 lines of ASCII, blanks as dots."""
        return "\n".join(board_lines(self.board))

    @property
    def board(self) -> Board:
        """All digits that stand in the grid, clues and entries, (9, 9) int8, 0 for blank."""
        return (self.puzzle + self.written).astype(np.int8)

    def with_overrides(self, overrides: Overrides) -> Grid:
        """Return the grid with a person's word in place of the ink of some cells, decoded anew.

        *overrides* as for :func:`read_photo`, whose result for the same ones this is. They add to those said
        before, and overrule them. Takes milliseconds: no pixel is looked at. Raises
        :class:`~sudoku_vision.errors.OverridesError` for cells and digits that a board doesn't have.
        """
        check_overrides(overrides)
        said = by_grid(overrides, [self.status]).get(0, {})
        both = {**self.overrides, **said}
        reading = apply_overrides(self.scores, both, self.ink_puzzle)
        return replace(self, status=grid_status(reading), reading=reading, overrides=both)

    def to_frame(self) -> pandas.DataFrame:
        """Return the 81 cells as a table of pandas, one row a cell in reading order.

        Columns: ``row`` and ``column`` (1 to 9), ``puzzle``, ``written`` and ``solution`` (0 for none),
        ``marks`` (such as ``"28"``), and ``doubt`` (``clue``, ``role``, ``entry`` or empty). Raises
        :class:`~sudoku_vision.errors.MissingExtraError` where pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            what = "Tables need pandas, which is not installed."
            raise MissingExtraError(what, "Run: pip install pandas") from None
        doubts = {doubt.cell: doubt.kind for doubt in reversed(self.doubts)}
        return pandas.DataFrame(
            {
                "row": [cell // 9 + 1 for cell in range(81)],
                "column": [cell % 9 + 1 for cell in range(81)],
                "puzzle": self.puzzle.reshape(81),
                "written": self.written.reshape(81),
                "solution": 0 if self.solution is None else self.solution.reshape(81),
                "marks": marks_text(self.marks),
                "doubt": [doubts.get(cell, "") for cell in range(81)],
            }
        )

    def _repr_html_(self) -> str:
        """Return the board with its answers as an HTML table, for notebooks."""
        cells = [[_cell_html(self, row, column) for column in range(9)] for row in range(9)]
        rows = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
        return f'<table style="{_TABLE}"><caption>{self.status}</caption><tbody>{rows}</tbody></table>'


def grid_of(reading: GridReading, overrides: Mapping[tuple[int, int], int]) -> Grid:
    """Return what programs get of a grid that was read with these *overrides*."""
    result = reading.result
    return Grid(
        result.status, result.lattice, result.reading, reading.scores, reading.ink.puzzle, dict(overrides)
    )


def _cell_html(grid: GridResult, row: int, column: int) -> str:
    answer = 0 if grid.solution is None else grid.solution[row, column]
    kinds = ((grid.puzzle[row, column], _CLUE), (grid.written[row, column], _ENTRY), (answer, _ANSWER))
    digit, look = next((kind for kind in kinds if kind[0]), ("", ""))
    edges = [f"border-bottom: {_THICK}"] * (row in (2, 5)) + [f"border-right: {_THICK}"] * (column in (2, 5))
    return f'<td style="{"; ".join([_CELL, *edges, look])}">{digit}</td>'
