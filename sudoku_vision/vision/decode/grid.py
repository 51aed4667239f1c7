"""A grid as programs get it: it prints and shows itself, and is decoded anew without its picture."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_vision.errors import MissingExtraError
from sudoku_vision.results import Board, DigitScores, GridResult, marks_text
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.decode.confidence import grid_status
from sudoku_vision.vision.decode.overrides import Overrides, Said, apply_overrides, by_grid, read_overrides

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False, repr=False)
class Grid(GridResult):
    """One grid of a picture: where it lies, what it says, its answer, and the scores behind it.

    ``status``, ``puzzle``, ``written``, ``marks``, ``solution``, ``answers``, ``confidence`` and ``doubts``
    say what was read. ``str(grid)`` is the board as it stands in the picture, drawn with characters.

    ``scores`` are those of its 81 cells, upright; ``ink_puzzle`` (9, 9) int8 the clues that the ink alone
    reads as; ``overrides`` what a person said of cells since, by their numbers (:meth:`with_overrides`).
    """

    scores: DigitScores
    ink_puzzle: Board
    overrides: Said = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """Draw clues and entries in ASCII, blanks as dots, with boxes or regions."""
        return "\n".join(board_lines(self.board, rules=self.rules))

    @property
    def board(self) -> Board:
        """All digits that stand in the grid, clues and entries, (9, 9) int8, 0 for blank."""
        return (self.puzzle + self.written).astype(np.int8)

    def with_overrides(self, overrides: Overrides) -> Grid:
        """Return the grid with a person's word in place of the ink of some cells, decoded anew.

        *overrides*, such as ``{doubt: 8}``, are those of :func:`solve_photo`, whose result for the same ones
        this is. They add to those said before, and overrule them. No pixel is looked at, so it takes
        milliseconds. Raises :class:`~sudoku_vision.errors.OverridesError` for what a board doesn't have.
        """
        both = {**self.overrides, **by_grid(read_overrides(overrides), [self.status]).get(0, {})}
        reading = apply_overrides(self.scores, both, self.ink_puzzle)
        return replace(self, status=grid_status(reading), reading=reading, overrides=both)

    def with_rules(self, rules: Rules) -> Grid:
        """Return the grid under *rules* that a person says, decoded anew in milliseconds."""
        scores = replace(self.scores, rules=rules, rules_probability=1.0)
        reading = apply_overrides(scores, self.overrides, self.ink_puzzle)
        return replace(self, status=grid_status(reading), reading=reading, scores=scores)

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
        """Return the board as it prints, for notebooks."""
        return f"<pre>{self}</pre>"
