"""Board pages: a board in text becomes a page with one grid, so that all works on it as on a picture."""

import time
from dataclasses import replace

import numpy as np

from sudoku_vision.results import GridResult, GridStatus, Image, Lattice, PageResult, Reading
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.solver import Solution, SolutionStatus, solve

_GRID_STATUS: dict[SolutionStatus, GridStatus] = {
    "one": "solved",
    "many": "many_solutions",
    "none": "no_solution",
    "clash": "no_solution",
    "gave_up": "uncertain",
}
"""What pages call the statuses of boards."""

NO_PLACE = Lattice(np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32))
"""Where the grid of a board in text lies: nowhere."""


def solved_board(board: NamedBoard, source: str, number: int = 1) -> PageResult:
    """Return the page that a board in text makes: one grid, whose corners are without a meaning."""
    started = time.perf_counter()
    solution = solve(board.clues, rules=board.rules)
    status = _GRID_STATUS[solution.status]
    if status == "solved" and board.uncertain:
        status = "uncertain"
    reading = Reading(
        board.clues,
        board.placed,
        solution.solution if solution.status == "one" else None,
        {"one": 1, "many": 2, "gave_up": -1}.get(solution.status, 0),
        1.0,
        marks=board.marks,
        clashes=solution.clashes,
        rules=board.rules,
    )
    message = _message(solution, uncertain=board.uncertain)
    grid = GridResult(status, NO_PLACE, reading)
    return PageResult(source, number, status, message, (grid,), time.perf_counter() - started)


def board_of(grid: GridResult) -> NamedBoard:
    """Return the puzzle of a grid and what is written in it, marks too; not certain unless it is solved."""
    return NamedBoard(
        grid.puzzle, grid.written, uncertain=grid.status != "solved", marks=grid.marks, rules=grid.rules
    )


def drawn_board(grid: GridResult) -> tuple[Image, GridResult]:
    """Return a plain drawing (H, W, 3) uint8 BGR of a board in text, and its grid as it lies there.

    What a person has placed and marked is drawn beside the clues.
    """
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, draw_puzzle, puzzle_lattice

    item = PrintablePuzzle(grid.puzzle, entries=grid.written, marks=grid.marks, rules=grid.rules)
    pixels = draw_puzzle(item)
    return pixels, replace(grid, lattice=puzzle_lattice())


def _message(solution: Solution, *, uncertain: bool) -> str:
    """Say what is wrong with a board."""
    if solution.clashes:
        return f"The same digit stands twice: look at {', '.join(map(cell_name, solution.clashes))}."
    if solution.status == "one":
        return "This board was read from a picture, not surely: please check it." if uncertain else ""
    return solution.message
