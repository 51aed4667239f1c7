"""Turn a board in text into a page with one grid, so that the rest of the program treats it as a picture."""

import time

from sudoku_vision.page import Page
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.solver import Solution
from sudoku_vision.vision.grid import Grid, solved_grid
from sudoku_vision.vision.status import UNCERTAIN_BOARD


def solved_board(board: NamedBoard, source: str, number: int = 1) -> Page:
    """Solve a board in text, and return it as a page with one grid, whose corners have no meaning.

    *source* is the name of the text, and *number* is the number of the board in the text, from 1.
    """
    started = time.perf_counter()
    grid, solution = solved_grid(board)
    message = _message(solution, uncertain=board.uncertain)
    return Page(source, number, grid.status, message, (grid,), time.perf_counter() - started)


def board_of(grid: Grid) -> NamedBoard:
    """Return the board of a grid: its clues, entries, pencil marks and rules.

    The board is ``uncertain`` unless the status of the grid is "solved".
    """
    return NamedBoard(
        grid.puzzle, grid.written, uncertain=grid.status != "solved", marks=grid.marks, rules=grid.rules
    )


def _message(solution: Solution, *, uncertain: bool) -> str:
    """Return a message that says what is wrong with a board; the message is empty if nothing is wrong."""
    if solution.clashes:
        return f"The same digit stands twice: look at {', '.join(map(cell_name, solution.clashes))}."
    if solution.status == "one":
        return UNCERTAIN_BOARD if uncertain else ""
    return solution.message
