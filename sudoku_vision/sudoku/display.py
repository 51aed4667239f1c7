"""Display: boards as text to read and to print, boxes marked, answers told from clues.

::

    ┌───────┬───────┬───────┐        +-------+-------+-------+
    │ 5 3 . │ . 7 . │ . . . │        | 5 3 . | . 7 . | . . . |
    │ 6 . . │ 1 9 5 │ . . . │        | 6 . . | 1 9 5 | . . . |

What is printed is made of *spans*: a piece of text with its style, in the words of rich. Plain text drops
the styles, so it shows the puzzle beside its solution; colour can tell the two apart in one board. Where a
terminal is too narrow for two boards side by side, they stand one below the other, and sentences break
between words.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import numpy as np

from sudoku_vision.escape_control import visible
from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import BoardLike, board_array, parse_board

if TYPE_CHECKING:
    from rich.console import Console

Span = tuple[str, str]
"""A piece of text and its style."""

Line = list[Span]
"""A line of text, piece by piece."""

CLUE, PLACED, ANSWER, FRAME = "bold", "cyan", "green", "dim"
"""Styles of a clue, of what a person placed, of a solved digit, and of rules and blanks."""

BLANK: Span = (".", FRAME)

_FRAMES = {
    True: (("┌", "─", "┬", "┐"), "│", ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘")),
    False: (("+", "-", "+", "+"), "|", ("+", "-", "+", "+"), ("+", "-", "+", "+")),
}
"""Top rule, side, middle rule, bottom rule; each rule as left, line, crossing, right."""

BOARD_WIDTH = 25
"""Columns that a board takes."""

_BETWEEN = "   "
"""What stands between two boards side by side."""

NARROWEST = 20
"""Columns below which sentences are not broken any further: a terminal of fewer is no place to read."""


@dataclass(frozen=True)
class TextStyle:
    """What text may use where it is printed.

    ``unicode``: line characters, else ASCII. ``colour``: styles. ``width``: the columns of the terminal, None
    where there is no end to a line: in a file, in a pipe.
    """

    unicode: bool = True
    colour: bool = False
    width: int | None = None

    def fits(self, columns: int) -> bool:
        """Tell whether a line of so many *columns* has room."""
        return self.width is None or columns <= self.width


PLAIN = TextStyle(unicode=False)
"""ASCII without any style: what every terminal, file and program takes."""


def style_for(stream: TextIO, *, plain: bool = False) -> TextStyle:
    """Return how text for *stream* is best printed.

    Line characters where its encoding has them, styles where it is a terminal; nothing of the two if *plain*.
    With ``NO_COLOR`` in the environment (https://no-color.org) bold is all that is left of the styles, which
    rich sees to, and with ``TERM=dumb`` nothing is. The width is that of the terminal, or what ``COLUMNS``
    says of it.
    """
    width = _terminal_width(stream)
    if plain:
        return TextStyle(unicode=False, width=width)
    colour = stream.isatty() and os.environ.get("TERM") != "dumb"
    return TextStyle(_takes_lines(stream), colour, width)


def _terminal_width(stream: TextIO) -> int | None:
    """Return the columns of the terminal that *stream* is, or None if it is none or does not say."""
    if not stream.isatty():
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):  # io.UnsupportedOperation, of what only claims to be a terminal, is both
        return None


def _takes_lines(stream: TextIO) -> bool:
    """Tell whether the encoding of *stream* has the characters that boards are drawn with."""
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
    text_style: TextStyle = TextStyle(),
    beside: bool | None = None,
) -> str:
    """Draw a board as text, 13 lines joined by line ends.

    *board* are the clues; *placed* what a person wrote into blank cells. With a *solution*, the puzzle is
    shown *beside* it (below one another where the width is too small for that), or else in it: by default
    beside it where there is no colour to tell the two apart.
    Boards are whatever :func:`~sudoku_vision.sudoku.board.parse_board` takes, and raise its errors.

    >>> print(display("53" + "." * 79, text_style=PLAIN).splitlines()[1])
    | 5 3 . | . . . | . . . |
    """
    clues = board_array(parse_board(board))
    others = None if placed is None else board_array(parse_board(placed))
    solved = None if solution is None else board_array(parse_board(solution))
    if solved is not None and not (not text_style.colour if beside is None else beside):
        return render(styled_board(solution_cells(solved, clues), text_style.unicode), text_style)
    return render(puzzle_and_solution(clues, solved, text_style, placed=others), text_style)


def board_lines(board: BoardLike, *, unicode: bool = False) -> list[str]:
    """Return the 13 lines of a board, without any style."""
    return display(board, text_style=TextStyle(unicode)).split("\n")


def puzzle_and_solution(
    clues: Board,
    solution: Board | None,
    text_style: TextStyle,
    *,
    placed: Board | None = None,
    indent: int = 0,
) -> list[Line]:
    """Draw a puzzle and, beside it or below it as there is room, its solution.

    Boards are (9, 9) int8; *placed* is what a person wrote into blank cells; *indent* is in columns.
    """
    margin: Span = (" " * indent, "")
    lines = styled_board(puzzle_cells(clues, placed), text_style.unicode)
    if solution is not None:
        solved = styled_board(solution_cells(solution, clues), text_style.unicode)
        room = text_style.fits(indent + 2 * BOARD_WIDTH + len(_BETWEEN))
        lines = _side_by_side(lines, solved) if room else [*lines, *solved]
    return [[margin, *line] if indent else line for line in lines]


def puzzle_cells(clues: Board, placed: Board | None = None) -> list[Line]:
    """Return nine rows of nine cells for :func:`styled_board`: clues, placed digits, dots for blanks."""
    others = np.zeros_like(clues) if placed is None else placed
    return _cells(clues, others, PLACED)


def solution_cells(solution: Board, clues: Board) -> list[Line]:
    """Return nine rows of nine cells for :func:`styled_board`: a solution in which the clues stand out."""
    return _cells(np.where(clues, solution, 0), solution, ANSWER)


def _cells(clues: Board, others: Board, style: str) -> list[Line]:
    """Return nine rows of nine cells: *clues*, *others* in their *style* where there is none, and dots."""
    return [
        [
            (str(clue), CLUE) if clue else (str(other), style) if other else BLANK
            for clue, other in zip(*rows, strict=True)
        ]
        for rows in zip(clues.tolist(), others.tolist(), strict=True)
    ]


def styled_board(cells: Sequence[Sequence[Span]], unicode: bool) -> list[Line]:
    """Draw nine rows of nine characters as a board with its boxes marked: 13 lines."""
    top, side, middle, bottom = _FRAMES[unicode]
    lines = [[(_rule(top), FRAME)]]
    for row, line in enumerate(cells):
        if row in (3, 6):
            lines.append([(_rule(middle), FRAME)])
        text: Line = [(side, FRAME)]
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


def _side_by_side(left: Iterable[Line], right: Iterable[Line]) -> list[Line]:
    """Put two boards of as many lines one beside the other."""
    return [[*a, (_BETWEEN, ""), *b] for a, b in zip(left, right, strict=True)]


def wrapped(line: Sequence[Span], text_style: TextStyle, hang: int = 0) -> list[Line]:
    """Break a line between words where it is wider than the terminal; its styles go on.

    All lines but the first are indented by *hang* columns, so that a number or a label before the text stands
    out. A word that is wider than the terminal stays whole.
    """
    text = "".join(piece for piece, _ in line)
    if text_style.fits(len(text)):
        return [list(line)]
    assert text_style.width is not None
    width = max(text_style.width, NARROWEST)
    hang = min(hang, width // 2)
    first, *others = _pieces(text, width, hang)
    indent: Span = (" " * hang, "")
    return [_between(line, *first), *([indent, *_between(line, *piece)] for piece in others)]


def _pieces(text: str, width: int, hang: int) -> list[tuple[int, int]]:
    """Return where each line of a wrapped *text* starts and ends."""
    pieces: list[tuple[int, int]] = []
    start = end = 0
    for word in re.finditer(r"\S+", text):
        room = width - hang if pieces else width
        if word.end() - start > room and end > start:
            pieces.append((start, end))
            start = word.start()
        end = word.end()
    return [*pieces, (start, end)]


def _between(line: Sequence[Span], start: int, end: int) -> Line:
    """Return the part of *line* from character *start* to *end*, with its styles."""
    part: Line = []
    at = 0
    for text, style in line:
        piece = text[max(0, start - at) : max(0, end - at)]
        if piece:
            part.append((piece, style))
        at += len(text)
    return part


def labelled(rows: Iterable[tuple[str, Span]], text_style: TextStyle, indent: int = 2) -> list[Line]:
    """Lay out a small table of a label and a text a row; texts that are too long hang beneath themselves."""
    rows = list(rows)
    column = max((len(label) for label, _ in rows), default=0)
    hang = indent + column + 2
    return [
        line
        for label, text in rows
        for line in wrapped([(" " * indent + label.ljust(column) + "  ", "dim"), text], text_style, hang)
    ]


def shortened(text: str, columns: int, text_style: TextStyle) -> str:
    """Cut the middle out of a *text* that would leave no room for *columns* more in its line."""
    if text_style.fits(len(text) + columns):
        return text
    assert text_style.width is not None
    gap = "…" if text_style.unicode else "..."
    kept = max(text_style.width, NARROWEST) - columns - len(gap)
    return text if kept < 2 else text[: kept - kept // 2] + gap + text[-(kept // 2) :]


def render(lines: Iterable[Sequence[Span]], text_style: TextStyle) -> str:
    """Join lines of styled text, with a terminal's codes if *text_style* has colour, plain otherwise."""
    if not text_style.colour:
        return "\n".join(map(_plain, lines))
    from rich.console import Console

    file = io.StringIO()
    terminal = Console(
        file=file, force_terminal=True, color_system="standard", highlight=False, soft_wrap=True
    )
    _print_styled(lines, terminal)
    return file.getvalue().removesuffix("\n")


def print_lines(lines: Iterable[Sequence[Span]], text_style: TextStyle | None = None) -> None:
    """Print lines of styled text on standard output, by default as its terminal takes them."""
    text_style = style_for(sys.stdout) if text_style is None else text_style
    if not text_style.colour:
        print("\n".join(visible(_plain(line)) for line in lines), flush=True)  # noqa: T201
        return
    from rich.console import Console

    shown = [[(visible(text), style) for text, style in line] for line in lines]
    _print_styled(shown, Console(highlight=False, soft_wrap=True))


def _plain(line: Sequence[Span]) -> str:
    return "".join([text for text, _ in line])


def _print_styled(lines: Iterable[Sequence[Span]], console: Console) -> None:
    from rich.text import Text

    for line in lines:
        console.print(Text.assemble(*line))
