"""Answers: the solution in the cells without a digit, and beside the entries that are wrong."""

from __future__ import annotations

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.overlay.colours import (
    FRAME_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    choose_colour,
)
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.overlay.shapes import Shapes, board_shapes
from sudoku_vision.overlay.signs import BESIDE_STRIKE, STRIKE, doubtful_shapes, right_digits, sign_shapes
from sudoku_vision.results import GridResult
from sudoku_vision.verdicts import check


def grid_shapes(grid: GridResult, print_style: PrintStyle) -> Shapes:
    """Return all that is drawn on one grid: its answers; a frame and signs of doubt where it is not sure."""
    if grid.status in FRAME_COLOURS or grid.answers is None:
        return doubtful_shapes(grid, FRAME_COLOURS.get(grid.status, FRAME_COLOURS["unreadable"]))
    colour = answer_colour(grid, print_style)
    doubtful = () if grid.status == "solved" else doubtful_shapes(grid, colour)
    return *doubtful, *answer_shapes(grid, print_style, colour)


def answer_colour(grid: GridResult, print_style: PrintStyle) -> Colour:
    """Return the colour of the answers of a grid: cool where it is sure, warm where it is not."""
    return choose_colour(SURE_COLOURS if grid.status == "solved" else UNSURE_COLOURS, print_style)


def answer_shapes(grid: GridResult, print_style: PrintStyle, colour: Colour) -> Shapes:
    """Return the answers of a grid that has a solution; hollow where it is not sure.

    An entry that is surely wrong is struck out. Beside it, as beside one that is not clear, stands the right
    digit.
    """
    sure, answers = grid.status == "solved", grid.answers
    assert answers is not None
    marked = {cell for cell, marks in enumerate(grid.marks) if marks}
    checked = check(grid)
    struck = sign_shapes(checked.wrong, STRIKE, choose_colour(WRONG_COLOURS, print_style)) if sure else ()
    not_right = (*checked.wrong, *checked.unclear)
    return (
        *board_shapes(answers, print_style, colour, hollow=not sure, over=marked),
        *struck,
        *right_digits(grid, not_right, print_style, BESIDE_STRIKE, colour),
    )
