"""Display: boards as text to read and to print, boxes marked, answers told from clues.

::

    ┌───────┬───────┬───────┐        +-------+-------+-------+
    │ 5 3 . │ . 7 . │ . . . │        | 5 3 . | . 7 . | . . . |
    │ 6 . . │ 1 9 5 │ . . . │        | 6 . . | 1 9 5 | . . . |

What is printed is made of *cells*: a piece of text with its style, in the words of rich. Plain text drops the
styles, so it shows the puzzle beside its solution; colour can tell the two apart in one board.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from sudoku_vision.board import BoardLike, board_array, parse_board
from sudoku_vision.results import Board

if TYPE_CHECKING:
    from rich.console import Console

Cell = tuple[str, str]
"""A piece of text and its style."""

CLUE, PLACED, ANSWER, FRAME = "bold", "cyan", "green", "dim"
"""Styles of a clue, of what a person placed, of a solved digit, and of rules and blanks."""

BLANK: Cell = (".", FRAME)

_FRAMES = {
    True: (("┌", "─", "┬", "┐"), "│", ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘")),
    False: (("+", "-", "+", "+"), "|", ("+", "-", "+", "+"), ("+", "-", "+", "+")),
}
"""Top rule, side, middle rule, bottom rule; each rule as left, line, crossing, right."""

_BESIDE: Cell = ("   ", "")
"""What stands between two boards side by side."""


@dataclass(frozen=True)
class Look:
    """How text is drawn: ``fancy`` with line characters, else with ASCII; ``colour`` with styles."""

    fancy: bool = True
    colour: bool = False


PLAIN = Look(fancy=False)
"""ASCII without any style: what every terminal, file and program takes."""


def look_of(stream: TextIO, *, plain: bool = False) -> Look:
    """How text for *stream* is best drawn.

    Line characters where its encoding has them, styles where it is a terminal; nothing of the two if *plain*.
    With ``NO_COLOR`` in the environment (https://no-color.org) bold is all that is left of the styles, which
    rich sees to, and with ``TERM=dumb`` nothing is.
    """
    if plain:
        return PLAIN
    return Look(_takes_lines(stream), stream.isatty() and os.environ.get("TERM") != "dumb")


def _takes_lines(stream: TextIO) -> bool:
    """Whether the encoding of *stream* has the characters that boards are drawn with."""
    try:
        "┌─┬┐│├┼┤└┴┘".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def display(
    board: BoardLike,
    solution: BoardLike | None = None,
    *,
    placed: BoardLike | None = None,
    look: Look = Look(),
    beside: bool | None = None,
) -> str:
    """Draw a board as text, 13 lines joined by line ends.

    *board* are the clues; *placed* what a person wrote into blank cells. With a *solution*, the puzzle is
    shown *beside* it, or else in it: by default beside it where there is no colour to tell the two apart.
    Boards are whatever :func:`~sudoku_vision.board.parse_board` takes, and raise its errors.

    >>> print(display("53" + "." * 79, look=PLAIN).splitlines()[1])
    | 5 3 . | . . . | . . . |
    """
    clues = board_array(parse_board(board))
    others = None if placed is None else board_array(parse_board(placed))
    lines = styled_board(puzzle_cells(clues, others), look.fancy)
    if solution is not None:
        solved = styled_board(solution_cells(board_array(parse_board(solution)), clues), look.fancy)
        side_by_side = not look.colour if beside is None else beside
        lines = side_by_side_lines(lines, solved) if side_by_side else solved
    return render(lines, look)


def board_lines(board: BoardLike, *, fancy: bool = False) -> list[str]:
    """The 13 lines of a board, without any style."""
    return display(board, look=Look(fancy)).split("\n")


def puzzle_cells(clues: Board, placed: Board | None = None) -> list[list[Cell]]:
    """Nine rows of nine cells for :func:`styled_board`: clues, placed digits, dots for blanks."""

    def cell(row: int, column: int) -> Cell:
        if clues[row, column]:
            return str(clues[row, column]), CLUE
        if placed is not None and placed[row, column]:
            return str(placed[row, column]), PLACED
        return BLANK

    return _cells(cell)


def solution_cells(solution: Board, clues: Board) -> list[list[Cell]]:
    """Nine rows of nine cells for :func:`styled_board`: a solution in which the clues stand out."""
    return _cells(lambda row, column: (str(solution[row, column]), CLUE if clues[row, column] else ANSWER))


def _cells(cell: Callable[[int, int], Cell]) -> list[list[Cell]]:
    return [[cell(row, column) for column in range(9)] for row in range(9)]


def styled_board(cells: Sequence[Sequence[Cell]], fancy: bool) -> list[list[Cell]]:
    """A 9x9 board of characters with its boxes marked: 13 lines."""
    top, side, middle, bottom = _FRAMES[fancy]
    lines = [[(_rule(top), FRAME)]]
    for row, line in enumerate(cells):
        if row in (3, 6):
            lines.append([(_rule(middle), FRAME)])
        text: list[Cell] = [(side, FRAME)]
        for column, (char, style) in enumerate(line):
            text += [(" ", ""), (char, style)]
            if column % 3 == 2:
                text += [(" ", ""), (side, FRAME)]
        lines.append(text)
    lines.append([(_rule(bottom), FRAME)])
    return lines


def _rule(parts: tuple[str, str, str, str]) -> str:
    left, line, crossing, right = parts
    return left + crossing.join([line * 7] * 3) + right


def side_by_side_lines(left: Iterable[list[Cell]], right: Iterable[list[Cell]]) -> list[list[Cell]]:
    """Two boards of as many lines, one beside the other."""
    return [[*a, _BESIDE, *b] for a, b in zip(left, right, strict=True)]


def render(lines: Iterable[Sequence[Cell]], look: Look) -> str:
    """Lines of styled text as one text: with a terminal's codes if *look* has colour, plain otherwise."""
    if not look.colour:
        return "\n".join("".join(text for text, _ in line) for line in lines)
    from rich.console import Console

    file = io.StringIO()
    terminal = Console(
        file=file, force_terminal=True, color_system="standard", highlight=False, soft_wrap=True
    )
    _print_styled(lines, terminal)
    return file.getvalue().removesuffix("\n")


def print_lines(lines: Iterable[Sequence[Cell]], look: Look | None = None) -> None:
    """Print lines of styled text on standard output, by default as its terminal takes them."""
    look = look_of(sys.stdout) if look is None else look
    if not look.colour:
        print(render(lines, look), flush=True)  # noqa: T201
        return
    from rich.console import Console

    _print_styled(lines, Console(highlight=False, soft_wrap=True))


def _print_styled(lines: Iterable[Sequence[Cell]], console: Console) -> None:
    from rich.text import Text

    for line in lines:
        console.print(Text.assemble(*line))
