"""The work of ``sudoku-vision solve`` where a board is written out, and not in a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_vision.board import cell_name
from sudoku_vision.cli.boards import FoundBoard, boards_in_text
from sudoku_vision.display import (
    Line,
    Span,
    print_lines,
    puzzle_and_solution,
    wrapped,
)
from sudoku_vision.errors import BoardError
from sudoku_vision.formats import Site, site_named
from sudoku_vision.formats.named_board import NamedBoard
from sudoku_vision.solver import Solution, SolutionStatus, solve

if TYPE_CHECKING:
    from sudoku_vision.cli.settings import Options

_PICTURES_ALONE = "This is a board in text, and what was asked for needs a picture."
_REMEDY = "Leave out --json and the options for pictures, or solve lines of text with: sudoku-vision puzzles"


def solve_text(source: str, options: Options) -> list[SolutionStatus]:
    """Solve what *source* names if it is no picture: a text, a file of it, or a link.

    Prints each board beside its solution, and returns their statuses; none for anything else. Raises
    :class:`~sudoku_vision.errors.BoardError` for what is almost a board, and where a picture is needed.
    """
    boards = boards_in_text(source)
    if boards and (options.as_json or options.output or options.debug_dir or options.for_one_picture):
        raise BoardError(_PICTURES_ALONE, _REMEDY)
    site = None if options.link is None else site_named(options.link)
    statuses: list[SolutionStatus] = []
    for found in boards or ():
        assert found.board is not None
        solution = solve(found.board.clues)
        statuses.append(solution.status)
        print_lines(_lines(found, found.board, solution, options, site), options.text_style)
    return statuses


def _lines(
    found: FoundBoard, board: NamedBoard, solution: Solution, options: Options, site: Site | None
) -> list[Line]:
    """A board beside its solution, as those of pictures are printed."""
    name = f"{found.source} ({board.name})" if board.name else found.source
    words, style = _status(solution)
    text_style = options.text_style
    solved = solution.solution if solution.status == "one" else None
    placed = board.placed if text_style.colour else None
    boards = puzzle_and_solution(board.clues, solved, text_style, placed=placed, indent=2)
    lines = [*wrapped([(f"{name}: ", "bold"), (words, style)], text_style), [], *boards]
    lines += [[("  ", ""), (site.write(board), "")]] if site else []
    return [*lines, []]


def _status(solution: Solution) -> Span:
    """What became of a board, in the words and colours of pictures."""
    if solution.status == "one":
        return "solved", "bold green"
    if solution.clashes:
        cells = ", ".join(map(cell_name, solution.clashes))
        return f"no solution. The same digit stands twice: look at {cells}.", "bold red"
    words = {"many": "many solutions", "none": "no solution"}
    return words.get(solution.status, "not solved in the time allowed"), "bold red"
