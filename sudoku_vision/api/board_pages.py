"""Turn a board in text into a page with one grid, so that the rest of the program treats it as a picture."""

import time

from sudoku_vision.page import Page
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.texts import Said, Sentence
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.status import UNCERTAIN_BOARD


def solved_board(board: NamedBoard, source: str, number: int = 1) -> Page:
    """Solve a board in text, and return it as a page with one grid, whose corners have no meaning.

    *source* is the name of the text, and *number* is the number of the board in the text, from 1.
    """
    started = time.perf_counter()
    grid, solution = solved_grid(board)
    message = UNCERTAIN_BOARD if solution.status == "one" and board.uncertain else solution.message
    if solution.clashes:
        message = Said(Sentence("message.clash", {"cells": solution.clashes}))
    return Page(source, number, grid.status, message, (grid,), time.perf_counter() - started)


def board_of(grid: Grid) -> NamedBoard:
    """Return the board of a grid: its clues, entries, pencil marks and rules.

    The board is ``uncertain`` unless the status of the grid is "solved".
    """
    return NamedBoard(
        grid.puzzle, grid.written, uncertain=grid.status != "solved", marks=grid.marks, rules=grid.rules
    )
