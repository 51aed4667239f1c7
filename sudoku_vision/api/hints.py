"""Hints for programs: a step of logic can draw itself into its photo, or on a drawing of its board."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from sudoku_vision.sudoku.board import (
    NO_MARKS,
    Board,
    BoardLike,
    Marks,
    MarksLike,
    board_array,
    parse_board,
    parse_marks,
)
from sudoku_vision.sudoku.logic import hint as easiest_step
from sudoku_vision.sudoku.logic.steps import Step
from sudoku_vision.sudoku.rules import RulesLike
from sudoku_vision.values import Image, Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo

if TYPE_CHECKING:
    from sudoku_vision.vision.load import Channels


@dataclass(frozen=True, eq=False, repr=False)
class Hint(Value, Step):
    """The easiest next step on a board, and the board on which it was found.

    ``str(hint)`` is the step in words. ``board`` (9, 9) int8: the board on which the step was found.
    ``marks``: the pencil marks that were used as candidates. ``grid`` and ``photo``: the grid and the photo
    of the board; None if the board is not from a picture. :class:`Step` explains all other fields.
    """

    board: Board = field(kw_only=True, repr=False)
    marks: Marks = field(kw_only=True, default=NO_MARKS, repr=False)
    grid: Grid | None = field(kw_only=True, default=None, repr=False, compare=False)
    photo: Photo | None = field(kw_only=True, default=None, repr=False, compare=False)

    def image(self, *, channels: Channels = "bgr", caption: bool = True) -> Image:
        """Return a picture (H, W, 3) uint8 of the step, in its photo or on a drawing of its board.

        *channels*: the order of the colours. *caption*: whether a strip with the step in words is below the
        picture. Without this strip, the picture is as large as the photo.
        """
        from sudoku_vision.output.overlay.hint_drawing import overlay_steps
        from sudoku_vision.output.overlay.step_sheets import captioned, step_caption
        from sudoku_vision.vision.load import in_channels

        pixels, grid = self._place()
        (drawn,) = overlay_steps([pixels], grid, self.board, [self], candidate_marks=self.marks)
        return in_channels(captioned(drawn, step_caption(self)) if caption else drawn, channels)

    def _place(self) -> tuple[Image, Grid]:
        """Return the picture into which the step is drawn, and the grid with its place in this picture."""
        if self.photo is not None and self.grid is not None:
            return self.photo.pixels, self.grid
        from sudoku_vision.output.drawing.puzzle_figure import draw_grid
        from sudoku_vision.sudoku.formats import NamedBoard
        from sudoku_vision.vision.grid import solved_grid

        digits = self.board.reshape(81).tolist()
        free = tuple(frozenset() if digit else one for digit, one in zip(digits, self.marks, strict=True))
        grid, _ = solved_grid(NamedBoard(self.board, marks=free, rules=self.rules))
        return draw_grid(grid)

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the picture of the step, and the step in words."""
        from sudoku_vision.output.save import html_figure

        return html_figure(self.image(caption=False), [self.text])


def hint(
    board: BoardLike, marks: MarksLike = None, clues: BoardLike | None = None, *, rules: RulesLike = None
) -> Hint | None:
    """Find the easiest next step on a board; return None if the board is full.

    :func:`solve` explains *board* and *rules*. If *board* is a :class:`Grid`, and no other argument is given,
    the step also uses the grid's right entries, as in :meth:`Page.hint`. *marks*: the pencil marks, a set of
    digits for each of the 81 cells. A set holds the candidates of its cell. A set without the right digit is
    ignored. *clues*: the printed digits of the board. None means that no digit is known to be an entry. If
    the board has many solutions, only steps that are valid for all solutions are found, and marks are
    ignored. Raises :class:`~sudoku_vision.errors.BoardError` if *board* is not a board, and
    :class:`~sudoku_vision.errors.ImproperError` if no step can be found on it.
    """
    if isinstance(board, Grid) and marks is clues is rules is None:
        return hint_of_grid(board, None, marks=False)
    step = easiest_step(board, marks, clues, rules=rules)
    return None if step is None else _hint(step, board_array(parse_board(board)), parse_marks(marks))


def hint_of_grid(grid: Grid, photo: Photo | None, *, marks: bool) -> Hint | None:
    """Return the easiest next step on a grid of a picture, as :meth:`Page.hint` describes."""
    from sudoku_vision.api.answers import request_of_grid

    asked = request_of_grid(grid)
    candidates = asked.marks if marks else NO_MARKS
    step = easiest_step(asked.board, candidates, asked.clues, rules=asked.rules)
    return None if step is None else _hint(step, asked.board, candidates, grid, photo)


def _hint(
    step: Step, board: Board, marks: Marks, grid: Grid | None = None, photo: Photo | None = None
) -> Hint:
    values = {one.name: getattr(step, one.name) for one in fields(Step)}
    return Hint(**values, board=board, marks=marks, grid=grid, photo=photo)
