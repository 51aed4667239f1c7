"""A grid: what was read of one puzzle, and its answer.

A grid keeps the probabilities of the digits in its cells. So the likeliest puzzle can be found again
without the picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from sudoku_vision.errors import MissingExtraError, UsageError
from sudoku_vision.sudoku.board import Board, Marks, board_text, marks_text, place_dict
from sudoku_vision.sudoku.display import board_lines
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import Rules, RulesLike, rules_for
from sudoku_vision.sudoku.solver import Solution, SolutionStatus, solve
from sudoku_vision.values import Value
from sudoku_vision.vision.decode.confidence import grid_status
from sudoku_vision.vision.decode.overrides import (
    CellOverrides,
    Overrides,
    apply_overrides,
    by_grid,
    read_overrides,
)
from sudoku_vision.vision.results import DigitScores, Doubt, DoubtKind, GridStatus, Lattice, Reading

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Grid(Value):
    """One grid of a picture: its place, what was read in it, its answer, and the scores of its cells.

    ``puzzle``, ``written``, ``marks``, ``solution``, ``answers``, ``confidence`` and ``doubts`` say what was
    read. ``str(grid)`` draws the board as text.

    ``scores`` are the probabilities of the digits in the 81 cells, in the order of the upright grid. They are
    None if the board was given as text, or was put together from the frames of a film. ``ink_puzzle`` (9, 9)
    int8 holds the clues as first read from the ink, without any correction by the user. ``overrides`` maps
    cells to the user's corrections after the reading (:meth:`with_overrides`).
    """

    status: GridStatus
    lattice: Lattice
    reading: Reading
    scores: DigitScores | None = None
    ink_puzzle: Board | None = None
    overrides: CellOverrides = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        """Return a short text with the status, the number of clues and the confidence."""
        clues = np.count_nonzero(self.puzzle)
        return f"Grid({self.status}, {clues} clues, confidence {self.confidence:.3f})"

    def __str__(self) -> str:
        """Return the board as ASCII text: digits, dots for blank cells, lines between boxes or regions."""
        return "\n".join(board_lines(self.board, rules=self.rules))

    @property
    def board(self) -> Board:
        """All digits (9, 9) int8 of the grid: its clues and its entries; 0 for blank."""
        return (self.puzzle + self.written).astype(np.int8)

    @property
    def puzzle(self) -> Board:
        """The printed clues (9, 9) int8; 0 in all other cells."""
        return self.reading.puzzle

    @property
    def written(self) -> Board:
        """The digits (9, 9) int8 that a person wrote into blank cells; 0 in all other cells."""
        return self.reading.written

    @property
    def marks(self) -> Marks:
        """The pencil marks of the 81 cells as sets of digits; the set of a cell without marks is empty."""
        return self.reading.marks

    @property
    def solution(self) -> Board | None:
        """The completed board (9, 9) int8; None if there is no answer."""
        return self.reading.solution

    @property
    def answers(self) -> Board | None:
        """The solution (9, 9) int8 of the blank cells, 0 in all other cells; None if there is no solution."""
        if self.solution is None:
            return None
        return np.where((self.puzzle == 0) & (self.written == 0), self.solution, 0).astype(np.int8)

    @property
    def rules(self) -> Rules:
        """The rules of the puzzle: the classic rules, unless lines, colours or a person show other rules."""
        return self.reading.rules

    @property
    def confidence(self) -> float:
        """The probability, in 0..1, that the puzzle was read right."""
        return self.reading.confidence

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The cells that may be misread, ordered by the kind of doubt: cage, clue, role, entry.

        Within each kind, the most doubtful cell is the first. If the grid is solved, there are no doubts of
        the kinds cage and clue. If the grid is unreadable, there are no doubts at all.
        """
        if self.status == "unreadable":
            return ()
        open_kinds = ("role", "entry") if self.status == "solved" else get_args(DoubtKind)
        return tuple(one for one in self.reading.doubts if one.kind in open_kinds)

    @property
    def clashes(self) -> tuple[int, ...]:
        """The cells (0..80) of clues that contradict each other; empty if the grid is unreadable."""
        return () if self.status == "unreadable" else self.reading.clashes

    @property
    def hidden(self) -> tuple[int, ...]:
        """The cells (0..80) that could not be seen; empty if the answer doesn't depend on such cells."""
        return self.reading.hidden if self.status == "uncertain" else ()

    @property
    def is_empty(self) -> bool:
        """Whether the grid surely has no digits and no pencil marks.

        An unreadable grid that isn't empty may have digits or marks that can't be read.
        """
        blank = not (self.puzzle.any() or self.written.any() or any(self.marks))
        return self.status == "unreadable" and blank and self.confidence > 0.5

    def with_overrides(self, overrides: Overrides) -> Grid:
        """Return the grid, decoded again with the user's corrections of some cells.

        *overrides* are the corrections. For example, ``{doubt: 8}`` says that the cell of a :class:`Doubt`
        holds an 8. Corrections have the same form and effect as in :func:`solve_photo`. Earlier corrections
        stay, except in cells that get a new one. No pixel is read again, so this takes milliseconds. Raises
        :class:`~sudoku_vision.errors.OverridesError` for cells and digits that do not exist.
        """
        said = {**self.overrides, **by_grid(read_overrides(overrides), [self.status]).get(0, {})}
        return self._decoded(self._own_scores(), said)

    def with_rules(self, rules: RulesLike) -> Grid:
        """Return the grid, decoded again under other *rules*.

        No pixel is read again, so this takes milliseconds.
        """
        scores = replace(self._own_scores(), rules=rules_for(rules), rules_probability=1.0, divisions=())
        return self._decoded(scores, self.overrides)

    def _own_scores(self) -> DigitScores:
        if self.scores is None:
            raise UsageError(
                "This grid has no scores to decode again.", "Change the board, and solve it as a new one."
            )
        return self.scores

    def _decoded(self, scores: DigitScores, overrides: CellOverrides) -> Grid:
        assert self.ink_puzzle is not None, "it comes with the scores"
        reading = apply_overrides(scores, overrides, self.ink_puzzle)
        status = grid_status(reading)
        return replace(self, status=status, reading=reading, scores=scores, overrides=overrides)

    def to_dict(self) -> dict[str, Any]:
        """Return the grid as a dictionary for JSON.

        The list ``entries`` holds only entries with a known confidence.
        """
        named = {"hidden": self.hidden, "clashes": self.clashes}
        return {
            "status": self.status,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in self.lattice.corners],
            "puzzle": board_text(self.puzzle),
            "written": board_text(self.written),
            "solution": None if self.solution is None else board_text(self.solution),
            "marks": marks_text(self.marks),
            "confidence": round(float(self.confidence), 6),
            "entries": [
                place_dict(cell)
                | {
                    "digit": int(self.written.flat[cell]),
                    "confidence": round(float(self.reading.entry_confidence[cell]), 4),
                }
                for cell in np.flatnonzero(self.written.ravel() * self.reading.entry_confidence > 0).tolist()
            ],
            "repaired": list(self.reading.repaired),
            "doubts": [doubt.to_dict() for doubt in self.doubts],
            **{name: list(cells) for name, cells in named.items() if cells},
            **self.rules.to_dict(),
        }

    def to_frame(self) -> pandas.DataFrame:
        """Return the 81 cells as a pandas table, with one row for each cell in reading order.

        The columns are ``row`` and ``column`` (1 to 9), ``puzzle``, ``written`` and ``solution`` (a digit, or
        0 for none), ``marks`` (such as ``"28"``), and ``doubt``: the kind of the doubt (``cage``, ``clue``,
        ``role`` or ``entry``), or an empty text. Raises :class:`~sudoku_vision.errors.MissingExtraError` if
        pandas is not installed.
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
        """Return the text of ``str(grid)`` as HTML; notebooks show it."""
        return f"<pre>{self}</pre>"


GridResult = Grid
"""Another name of :class:`Grid`."""

_OF_BOARD: dict[SolutionStatus, tuple[GridStatus, int]] = {
    "one": ("solved", 1),
    "many": ("many_solutions", 2),
    "none": ("no_solution", 0),
    "clash": ("no_solution", 0),
    "gave_up": ("uncertain", -1),
}
"""For each result of solving a board: the status of the grid, and the value of :attr:`Reading.solutions`."""

NO_PLACE = Lattice(np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32))
"""The lattice of a board that was given as text, not in a picture. Its crossings have coordinates 0 to 9."""


def solved_grid(board: NamedBoard) -> tuple[Grid, Solution]:
    """Solve a board that was given as text; return a grid with the lattice ``NO_PLACE``, and the solution."""
    solution = solve(board.clues, rules=board.rules)
    status, solutions = _OF_BOARD[solution.status]
    if status == "solved" and board.uncertain:
        status = "uncertain"
    reading = Reading(
        board.clues,
        board.placed,
        solution.solution if solution.status == "one" else None,
        solutions,
        1.0,
        marks=board.marks,
        clashes=solution.clashes,
        rules=board.rules,
    )
    return Grid(status, NO_PLACE, reading), solution
