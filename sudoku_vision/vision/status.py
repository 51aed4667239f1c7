"""The status of a page, and the message that tells a person about it.

A page has the status of its least sure grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from sudoku_vision.sudoku.board import area_names, cell_name
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus

PageStatus = GridStatus | Literal["no_grid", "error"]
STATUS_ORDER: tuple[PageStatus, ...] = (*get_args(GridStatus), "no_grid", "error")
"""All statuses of pages, from the surest to the least sure."""

MESSAGES: dict[PageStatus, str] = {
    "solved": "",
    "uncertain": "The reading may be wrong: please check the clues against the picture.",
    "many_solutions": "The clues allow more than one solution: one may have been missed, "
    "or the puzzle has more rules.",
    "no_solution": "The clues contradict one another: one may be misread or misprinted, "
    "or the puzzle has other rules, as a jigsaw has.",
    "unreadable": "A grid was found, but its digits can't be read: try a closer or sharper photo.",
    "no_grid": "No sudoku grid was found: the whole grid should be in the picture, its lines visible. "
    "If you see one, give its corners with --corners.",
    "error": "",
}
HIDDEN_CELLS = (
    "{cells} can't be seen: covered, too bright or too dark. The answer depends on what stands there: "
    "take another photo, or enter what is there."
)
GIVEN_UP = (
    "The search for solutions was given up, so it is not known how many there are: "
    "please check the clues against the picture, and whether the puzzle has more rules."
)
UNCERTAIN_BOARD = "This board was read from a picture and may be wrong: please check it."
TOO_DARK = "The picture is too dark to read: take it again with more light, or with the flash."
EMPTY = "A grid was found, but it is empty: there are no digits in it."
OTHER = {
    "killer": "Small sums stand in the corners of cells: "
    "this looks like a killer sudoku or a KenKen, which can't be solved.",
    "samurai": "Five grids overlap: this looks like a samurai sudoku, which can't be solved as a whole.",
}
"""The messages for two kinds of puzzles that this program can't solve.

For sudokus with other numbers of cells, :func:`message_of` makes the message.
"""


def least_sure_status(statuses: Iterable[GridStatus]) -> PageStatus:
    """Return the status of a page whose grids have these *statuses*: the status of its least sure grid.

    If any grid was read, ``unreadable`` grids are ignored: something that only looks like a grid must not
    hide that the puzzle beside it is solved. If there are no grids, the status is ``no_grid``.

    >>> least_sure_status(["solved", "many_solutions", "unreadable"])
    'many_solutions'
    """
    found = set(statuses)
    read = found - {"unreadable"}
    return max(read or found, key=STATUS_ORDER.index, default="no_grid")


def is_empty(grids: Sequence[Grid]) -> bool:
    """Return whether a page has *grids*, but none of them has any digits."""
    return bool(grids) and all(grid.is_empty for grid in grids)


def message_of(status: PageStatus, grids: Sequence[Grid], other: str = "") -> str:
    """Return the message that a person gets about a page, or "" if there is nothing to say.

    If a digit that a person gave contradicts clues, the message names the cell of this digit. *other* says
    what the page shows if it isn't a sudoku of 9 x 9 cells: a key of ``OTHER``, a size such as "6x6", or "".
    """
    if other and status not in ("solved", "uncertain"):
        cells = other.replace("x", " x ")
        return OTHER.get(other, f"This grid has {cells} cells: only sudokus of 9 x 9 cells can be solved.")
    if is_empty(grids):
        return EMPTY
    hidden = [area_names(grid.hidden) for grid in grids if grid.hidden]
    if status == "uncertain" and hidden:
        return HIDDEN_CELLS.format(cells="; ".join(hidden))
    if status == "uncertain" and any(grid.status == status and grid.solution is None for grid in grids):
        return GIVEN_UP
    given = [
        cell_name(cell)
        for grid in grids
        for cell in grid.clashes
        if grid.status == "no_solution" and cell in grid.overrides
    ]
    if status == "no_solution" and given:
        return f"What you gave for {', '.join(given)} contradicts other clues: please check it."
    return MESSAGES[status]
