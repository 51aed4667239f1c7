"""A grid: what was read of one puzzle, its answer, and how to decode it again without its picture."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

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
from sudoku_vision.vision.results import DigitScores, Doubt, GridStatus, Lattice, Reading

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Grid(Value):
    """One grid of a picture: where it lies, what it says, its answer, and the scores behind it.

    ``puzzle``, ``written``, ``marks``, ``solution``, ``answers``, ``confidence`` and ``doubts`` are what was
    read. ``str(grid)`` draws the board as it is in the picture, with characters.

    ``scores`` are those of its 81 cells, upright; None for a board that was given as text, or was added up
    from the frames of a film. ``ink_puzzle`` (9, 9) int8 holds the clues as the ink alone shows them;
    ``overrides`` what a person has said of cells since, by their numbers (:meth:`with_overrides`).
    """

    status: GridStatus
    lattice: Lattice
    reading: Reading
    scores: DigitScores | None = None
    ink_puzzle: Board | None = None
    overrides: CellOverrides = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        """Give the status, the number of clues, and how sure they are."""
        clues = np.count_nonzero(self.puzzle)
        return f"Grid({self.status}, {clues} clues, confidence {self.confidence:.3f})"

    def __str__(self) -> str:
        """Draw clues and entries in ASCII, blanks as dots, with boxes or regions."""
        return "\n".join(board_lines(self.board, rules=self.rules))

    @property
    def board(self) -> Board:
        """All digits of the grid, clues and entries, (9, 9) int8, 0 for blank."""
        return (self.puzzle + self.written).astype(np.int8)

    @property
    def puzzle(self) -> Board:
        """The printed clues, (9, 9) int8."""
        return self.reading.puzzle

    @property
    def written(self) -> Board:
        """What a person wrote into blank cells, (9, 9) int8."""
        return self.reading.written

    @property
    def marks(self) -> Marks:
        """The pencil marks of the 81 cells: sets of digits, empty if there are none."""
        return self.reading.marks

    @property
    def solution(self) -> Board | None:
        """The completed board, (9, 9) int8, or None."""
        return self.reading.solution

    @property
    def answers(self) -> Board | None:
        """The solution in the cells without clue or entry, (9, 9) int8, 0 elsewhere, or None."""
        if self.solution is None:
            return None
        return np.where((self.puzzle == 0) & (self.written == 0), self.solution, 0).astype(np.int8)

    @property
    def rules(self) -> Rules:
        """The rules of the puzzle: classic, unless its lines, its colours or a person show others."""
        return self.reading.rules

    @property
    def confidence(self) -> float:
        """Probability that the puzzle was read right."""
        return self.reading.confidence

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The cells in doubt, most doubtful first: clues (none if solved), roles, then entries."""
        if self.status == "unreadable":
            return ()
        return tuple(one for one in self.reading.doubts if self.status != "solved" or one.kind != "clue")

    @property
    def clashes(self) -> tuple[int, ...]:
        """The cells (0..80) of clues that contradict one another; none if the grid is unreadable."""
        return () if self.status == "unreadable" else self.reading.clashes

    @property
    def hidden(self) -> tuple[int, ...]:
        """The cells (0..80) that could not be seen, if the answer depends on them."""
        return self.reading.hidden if self.status == "uncertain" else ()

    @property
    def is_empty(self) -> bool:
        """Whether the grid surely has no digit and no mark. Another unreadable grid may have some."""
        blank = not (self.puzzle.any() or self.written.any() or any(self.marks))
        return self.status == "unreadable" and blank and self.confidence > 0.5

    def with_overrides(self, overrides: Overrides) -> Grid:
        """Return the grid decoded again, with what a person says of some cells in place of their ink.

        *overrides* such as ``{doubt: 8}`` are those of :func:`solve_photo`, and the result is the same as
        there. They are added to earlier ones, and replace those for the same cell. No pixel is read again, so
        this takes milliseconds. Raises :class:`~sudoku_vision.errors.OverridesError` for cells and digits
        that do not exist.
        """
        said = {**self.overrides, **by_grid(read_overrides(overrides), [self.status]).get(0, {})}
        return self._decoded(self._own_scores(), said)

    def with_rules(self, rules: RulesLike) -> Grid:
        """Return the grid decoded again under the *rules* that a person gives, within milliseconds."""
        scores = replace(self._own_scores(), rules=rules_for(rules), rules_probability=1.0)
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
        """Return the grid for JSON; ``entries`` are those whose confidence is known."""
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
        """Return the 81 cells as a table of pandas, one row a cell in reading order.

        Columns: ``row`` and ``column`` (1 to 9), ``puzzle``, ``written`` and ``solution`` (0 for none),
        ``marks`` (such as ``"28"``), and ``doubt`` (``clue``, ``role``, ``entry`` or empty). Raises
        :class:`~sudoku_vision.errors.MissingExtraError` if pandas is not installed.
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


GridResult = Grid
"""Another name of :class:`Grid`."""

_GRID_STATUS: dict[SolutionStatus, GridStatus] = {
    "one": "solved",
    "many": "many_solutions",
    "none": "no_solution",
    "clash": "no_solution",
    "gave_up": "uncertain",
}
"""The status of a grid, for each status of its board."""
_SOLUTIONS: dict[SolutionStatus, int] = {"one": 1, "many": 2, "none": 0, "clash": 0, "gave_up": -1}

NO_PLACE = Lattice(np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32))
"""The lattice of a board in text, which has no place in a picture: its own lattice units."""


def solved_grid(board: NamedBoard) -> tuple[Grid, Solution]:
    """Solve a board in text; return it as a grid at :data:`NO_PLACE`, and its solution."""
    solution = solve(board.clues, rules=board.rules)
    status = _GRID_STATUS[solution.status]
    if status == "solved" and board.uncertain:
        status = "uncertain"
    reading = Reading(
        board.clues,
        board.placed,
        solution.solution if solution.status == "one" else None,
        _SOLUTIONS[solution.status],
        1.0,
        marks=board.marks,
        clashes=solution.clashes,
        rules=board.rules,
    )
    return Grid(status, NO_PLACE, reading), solution
