"""The status of a page, and the message that explains it.

A page has the status of its least sure grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from sudoku_vision.sudoku.board import areas
from sudoku_vision.texts import Said, Sentence
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus

PageStatus = GridStatus | Literal["no_grid", "error"]
STATUS_ORDER: tuple[PageStatus, ...] = (*get_args(GridStatus), "no_grid", "error")
"""All statuses of pages, from the surest to the least sure."""

MESSAGES: dict[PageStatus, str] = {
    status: "" if status in ("solved", "error") else Said(Sentence(f"message.{status}"))
    for status in STATUS_ORDER
}
GIVEN_UP = Said(Sentence("message.gave_up"))
UNCERTAIN_BOARD = Said(Sentence("message.board"))
TOO_DARK = Said(Sentence("message.too_dark"))
"""This and the two values above are messages; :func:`sudoku_vision.texts.say` translates messages."""


def least_sure_status(statuses: Iterable[GridStatus]) -> PageStatus:
    """Return the status of a page whose grids have these *statuses*: the status of its least sure grid.

    If any grid is readable, ``unreadable`` grids are ignored. The reason is that such a grid may be no puzzle
    at all, and that a solved puzzle may stand beside it. If there are no grids, the status is ``no_grid``.

    >>> least_sure_status(["solved", "many_solutions", "unreadable"])
    'many_solutions'
    """
    found = set(statuses)
    read = found - {"unreadable"}
    return max(read or found, key=STATUS_ORDER.index, default="no_grid")


def is_empty(grids: Sequence[Grid]) -> bool:
    """Return whether a page has *grids*, but no grid has any digits."""
    return bool(grids) and all(grid.is_empty for grid in grids)


def message_of(status: PageStatus, grids: Sequence[Grid], other: str = "") -> str:
    """Return the message about a page for the user, or "" if there is nothing to say.

    If the user corrected a cell, and the new digit contradicts clues, the message names the cell. *other* is
    what the page shows instead of a sudoku of 9 x 9 cells: "killer", "samurai", a size such as "6x6", or "".
    """
    if other and status not in ("solved", "uncertain"):
        is_size = other[:1].isdigit()
        key = "message.size" if is_size else f"message.{other}"
        return Said(Sentence(key, {"cells": other.replace("x", " x ")} if is_size else {}))
    if is_empty(grids):
        return Said(Sentence("message.empty"))
    hidden = [area for grid in grids for area in areas(grid.hidden)]
    if status == "uncertain" and hidden:
        return Said(Sentence("message.hidden", {"cells": hidden}))
    if status == "uncertain" and any(grid.status == status and grid.solution is None for grid in grids):
        return GIVEN_UP
    given = [
        cell
        for grid in grids
        for cell in grid.clashes
        if grid.status == "no_solution" and cell in grid.overrides
    ]
    if status == "no_solution" and given:
        return Said(Sentence("message.given", {"cells": given}))
    return MESSAGES[status]
