"""Verdicts: what a person wrote, marked as a teacher would."""

from __future__ import annotations

import numpy as np

from sudoku_vision.output.overlay.colours import (
    FRAME_COLOURS,
    RIGHT_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    choose_colour,
)
from sudoku_vision.output.overlay.print import PrintStyle
from sudoku_vision.output.overlay.shapes import Shapes, board_shapes
from sudoku_vision.output.overlay.signs import (
    BESIDE_RING,
    BOX,
    OPEN_BOX,
    OPEN_RING,
    QUESTION,
    RING,
    TICK,
    beside,
    doubtful_shapes,
    sign_shapes,
)
from sudoku_vision.sudoku.verdicts import Check


def check_shapes(
    checked: Check, print_style: PrintStyle, *, answers: bool = False, marks: bool = False
) -> Shapes:
    """Return all that is drawn on a checked grid: verdicts, or what is in doubt where it is not sure."""
    grid = checked.grid
    if grid.status == "solved" and grid.solution is not None:
        return verdict_shapes(checked, print_style, answers=answers, marks=marks)
    unsure = choose_colour(UNSURE_COLOURS, print_style)
    return doubtful_shapes(grid, FRAME_COLOURS.get(grid.status, unsure))


def verdict_shapes(
    checked: Check, print_style: PrintStyle, *, answers: bool = False, marks: bool = False
) -> Shapes:
    """Return the signs on the entries of a grid that is surely solved: right, wrong or not clear.

    With *marks* the pencil marks that have lost the right digit are boxed. With *answers* the right digit
    stands small beside what is wrong, clear of its ring.
    """
    red = choose_colour(WRONG_COLOURS, print_style)
    lost = checked.lost_marks if marks else ()
    assert checked.grid.solution is not None
    told = np.isin(np.arange(81), (*checked.wrong, *lost) if answers else ()).reshape(9, 9)
    right = np.where(told, checked.grid.solution, 0)
    ring, box = (OPEN_RING, OPEN_BOX) if answers else (RING, BOX)
    return (
        *sign_shapes(checked.right, TICK, choose_colour(RIGHT_COLOURS, print_style)),
        *sign_shapes(checked.wrong, ring, red),
        *sign_shapes(checked.unclear, QUESTION, choose_colour(UNSURE_COLOURS, print_style)),
        *sign_shapes(lost, box, red),
        *board_shapes(right.astype(np.int8), beside(print_style, BESIDE_RING), red, halo=True),
    )
