"""Answers: the solution drawn into the cells without a digit, and beside the entries that are wrong."""

from __future__ import annotations

from sudoku_vision.check import check
from sudoku_vision.drawing.colours import Colour
from sudoku_vision.overlay.colours import WRONG_COLOURS, choose_colour
from sudoku_vision.overlay.ink import draw_digits
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.overlay.signs import BESIDE_STRIKE, STRIKE, draw_sign, write_right_digits
from sudoku_vision.results import GridResult, Image


def draw_answers(pixels: Image, grid: GridResult, print_style: PrintStyle, colour: Colour) -> None:
    """Draw the answers of a grid that has a solution, in place; hollow where it is not sure.

    An entry that is surely wrong is struck out. Beside it, as beside one that is not clear, stands the right
    digit.
    """
    sure, answers = grid.status == "solved", grid.answers
    assert answers is not None
    marked = {cell for cell, marks in enumerate(grid.marks) if marks}
    draw_digits(pixels, grid.lattice, answers, print_style, colour, hollow=not sure, over=marked)
    checked = check(grid)
    if sure:
        draw_sign(pixels, grid.lattice, checked.wrong, STRIKE, choose_colour(WRONG_COLOURS, print_style))
    not_right = (*checked.wrong, *checked.unclear)
    write_right_digits(pixels, grid, not_right, print_style, BESIDE_STRIKE, colour)
