"""What is drawn of a grid: its answers, or verdicts on what a person wrote; signs where it is not sure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.overlay.colour_choice import (
    FRAME_COLOURS,
    RIGHT_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    choose_colour,
    hollow_ground,
)
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shapes import Shape, Shapes, board_shapes
from sudoku_vision.output.overlay.signs import (
    BESIDE_RING,
    BESIDE_STRIKE,
    BOX,
    OPEN_BOX,
    OPEN_RING,
    QUESTION,
    RING,
    STRIKE,
    TICK,
    beside,
    doubtful_shapes,
    sign_shapes,
)
from sudoku_vision.results import GridResult
from sudoku_vision.sudoku.verdicts import Check, check
from sudoku_vision.vision.decode.agreement import agreed_cells


def grid_shapes(grid: GridResult, print_style: PrintStyle) -> Shapes:
    """Return all that is drawn on one grid: its answers; a frame and signs of doubt where it is not sure."""
    if grid.status in FRAME_COLOURS or grid.answers is None:
        return doubtful_shapes(grid, FRAME_COLOURS.get(grid.status, FRAME_COLOURS["unreadable"]))
    doubtful = () if grid.status == "solved" else doubtful_shapes(grid, full_colour(grid, print_style))
    return *answer_shapes(grid, print_style), *doubtful


def full_colour(grid: GridResult, print_style: PrintStyle) -> Colour:
    """Return the colour of a grid's full answers, and of its frame: cool where it is sure, else warm.

    Nobody takes them for what is printed, or for what somebody wrote.
    """
    colours = SURE_COLOURS if grid.status == "solved" else UNSURE_COLOURS
    return choose_colour(colours, print_style, entries=True)


def answer_colour(grid: GridResult, print_style: PrintStyle) -> Colour:
    """Return the colour of the answers of a grid; where it is not sure, of hollow ones on their ground."""
    if grid.status != "solved":
        print_style = replace(print_style, paper=hollow_ground(print_style))
    return full_colour(grid, print_style)


def answer_shapes(grid: GridResult, print_style: PrintStyle) -> Shapes:
    """Return the answers of a grid that has a solution; hollow those that hang on a doubt.

    An entry that is surely wrong is struck out. Beside it, as beside one that is not clear, stands the right
    digit.
    """
    sure, answers = grid.status == "solved", grid.answers
    assert answers is not None and grid.solution is not None
    full = np.isin(np.arange(81), range(81) if sure else list(agreed_cells(grid.reading))).reshape(9, 9)
    marked = {cell for cell, marks in enumerate(grid.marks) if marks}
    checked = check(grid)
    struck = sign_shapes(checked.wrong, STRIKE, choose_colour(WRONG_COLOURS, print_style)) if sure else ()
    not_right = np.isin(np.arange(81), (*checked.wrong, *checked.unclear)).reshape(9, 9)
    right = np.where(not_right, grid.solution, 0).astype(np.int8)
    small = beside(print_style, BESIDE_STRIKE)
    colours = ((full, full_colour(grid, print_style), False), (~full, answer_colour(grid, print_style), True))
    shapes: list[Shape] = []
    for cells, colour, hollow in colours:
        shapes += board_shapes(answers * cells, print_style, colour, hollow=hollow, over=marked)
    shapes += struck
    for cells, colour, hollow in colours:
        shapes += board_shapes(right * cells, small, colour, hollow=hollow, halo=True)
    return tuple(shapes)


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
