"""Display: boards as text to read and to print, boxes marked, answers told from clues.

What is printed is made of *spans*: a piece of text with its style, in the words of rich. Plain text drops
the styles, so it shows the puzzle beside its solution; where a terminal is too narrow for two boards side by
side, they stand one below the other, and sentences break between words.
"""

import io
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from textwrap import TextWrapper
from typing import Any, TextIO

import numpy as np

from sudoku_vision.escape_control import visible
from sudoku_vision.results import Board
from sudoku_vision.sudoku.board import BoardLike, board_array, parse_board
from sudoku_vision.sudoku.rules import CLASSIC, Rules

Span = tuple[str, str]  # a piece of text and its style
Line = list[Span]  # a line of text, piece by piece

CLUE, PLACED, ANSWER, FRAME = "bold", "cyan", "green", "dim"
"""Styles of a clue, of what a person placed, of a solved digit, and of rules and blanks."""
BLANK: Span = (".", FRAME)

_FRAMES = {
    True: (("┌", "─", "┬", "┐"), "│", ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘")),
    False: (("+", "-", "+", "+"), "|", ("+", "-", "+", "+"), ("+", "-", "+", "+")),
}
"""Top rule, side, middle rule, bottom rule; each rule as left, line, crossing, right."""

_BETWEEN = "   "  # what stands between two boards side by side
NARROWEST = 20
"""Columns below which sentences are not broken any further: a terminal of fewer is no place to read."""


@dataclass(frozen=True)
class TextStyle:
    """What text may use where it is printed: line characters or ASCII, styles, and so many columns.

    ``width`` is None where there is no end to a line: in a file, in a pipe.
    """

    unicode: bool = True
    colour: bool = False
    width: int | None = None

    def fits(self, columns: int) -> bool:
        """Tell whether a line of so many *columns* has room."""
        return self.width is None or columns <= self.width


PLAIN = TextStyle(unicode=False)  # ASCII without any style: what every terminal, file and program takes


def style_for(stream: TextIO) -> TextStyle:
    """Return how text for *stream* is best printed.

    Line characters where its encoding has them, styles where it is a terminal and not ``TERM=dumb``. What
    ``NO_COLOR`` (https://no-color.org) leaves of the styles, rich sees to.
    """
    width = shutil.get_terminal_size((0, 0)).columns or None if stream.isatty() else None
    try:
        unicode = bool("┌─┬┐│├┼┤└┴┘".encode(stream.encoding or "ascii"))
    except (UnicodeEncodeError, LookupError):
        unicode = False
    return TextStyle(unicode, stream.isatty() and os.environ.get("TERM") != "dumb", width)


def board_lines(board: BoardLike, *, unicode: bool = False, rules: Rules = CLASSIC) -> list[str]:
    """Return the 13 lines of a board, 19 of a jigsaw, without any style.

    >>> board_lines("53" + "." * 79)[1]
    '| 5 3 . | . . . | . . . |'
    """
    cells = puzzle_cells(board_array(parse_board(board)))
    return [_plain(line) for line in styled_board(cells, unicode, rules)]


def puzzle_and_solution(
    clues: Board,
    solution: Board | None,
    text_style: TextStyle,
    *,
    placed: Board | None = None,
    indent: int = 0,
    rules: Rules = CLASSIC,
) -> list[Line]:
    """Draw a puzzle and, beside it or below it as there is room, its solution.

    *placed* is what a person wrote into blank cells; *indent* is in columns.
    """
    margin: Span = (" " * indent, "")
    lines = styled_board(puzzle_cells(clues, placed), text_style.unicode, rules)
    if solution is not None:
        solved = styled_board(solution_cells(solution, clues), text_style.unicode, rules)
        width = len(_plain(lines[0]))
        room = text_style.fits(indent + 2 * width + len(_BETWEEN))
        both = zip(lines, solved, strict=True)
        lines = [[*left, (_BETWEEN, ""), *right] for left, right in both] if room else [*lines, *solved]
    return [[margin, *line] if indent else line for line in lines]


def puzzle_cells(clues: Board, placed: Board | None = None) -> list[Line]:
    """Return nine rows of nine cells for :func:`styled_board`: clues, placed digits, dots for blanks."""
    return _cells(clues, np.zeros_like(clues) if placed is None else placed, PLACED)


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


_CORNERS = {True: " ╵╶└╷│┌├╴┘─┴┐┤┬┼", False: " |-++|++-+-+++++"}
"""What stands where borders meet, by which of the four there are: 1 above, 2 right, 4 below, 8 left."""


def styled_board(cells: Sequence[Sequence[Span]], unicode: bool, rules: Rules = CLASSIC) -> list[Line]:
    """Draw nine rows of nine characters as a board: 13 lines with its boxes, 19 with the jigsaw's regions."""
    return _with_regions(cells, unicode, rules) if rules.is_jigsaw else _with_boxes(cells, unicode)


def _with_regions(cells: Sequence[Sequence[Span]], unicode: bool, rules: Rules) -> list[Line]:
    """Draw a border wherever two regions meet, and round the board."""
    around = np.pad(np.array(list(map(int, rules.regions))).reshape(9, 9), 1)
    upright = around[:, 1:] != around[:, :-1]  # (11, 10): left of each cell of a row, and right of the last
    level = around[1:, :] != around[:-1, :]  # (10, 11)
    side, dash = _CORNERS[unicode][5], _CORNERS[unicode][10]
    lines: list[Line] = []
    for row in range(10):
        meet = upright[row] + 2 * level[row, 1:] + 4 * upright[row + 1] + 8 * level[row, :-1]
        edges = [dash * 3 if edge else "   " for edge in level[row, 1:-1]] + [""]
        corners = [_CORNERS[unicode][place] for place in meet.tolist()]
        lines.append([("".join(map("".join, zip(corners, edges, strict=True))), FRAME)])
        if row < 9:
            text: Line = []
            for border, cell in zip(upright[row + 1].tolist(), cells[row], strict=False):
                text += [(side if border else " ", FRAME), (" ", ""), cell, (" ", "")]
            lines.append([*text, (side, FRAME)])
    return lines


def _with_boxes(cells: Sequence[Sequence[Span]], unicode: bool) -> list[Line]:
    top, side, middle, bottom = _FRAMES[unicode]
    rules: list[Line] = [
        [(left + crossing.join([line * 7] * 3) + right, FRAME)]
        for left, line, crossing, right in (top, middle, middle, bottom)
    ]
    lines: list[Line] = []
    for row, line in enumerate(cells):
        text: Line = [(side, FRAME)]
        for column, cell in enumerate(line):
            text += [(" ", ""), cell]
            if column % 3 == 2:
                text += [(" ", ""), (side, FRAME)]
        lines += [rules[row // 3], text] if row % 3 == 0 else [text]
    return [*lines, rules[3]]


def wrapped(line: Sequence[Span], text_style: TextStyle, hang: int = 0) -> list[Line]:
    """Break a line between words where it is wider than the terminal; its styles go on.

    All lines but the first are indented by *hang* columns. A word too wide for the terminal stays whole.
    """
    text = "".join(piece for piece, _ in line)
    if text_style.fits(len(text)):
        return [list(line)]
    assert text_style.width is not None
    width = max(text_style.width, NARROWEST)
    hang = min(hang, width // 2)
    indent = " " * hang
    breaking = TextWrapper(
        width,
        subsequent_indent=indent,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    styles = [style for piece, style in line for _ in piece]
    lines: list[Line] = []
    at = 0
    for piece in breaking.wrap(text):
        words = piece.removeprefix(indent) if lines else piece
        at = text.index(words, at)
        parts = groupby(zip(words, styles[at:], strict=False), key=itemgetter(1))
        lines.append([(indent, "")] if lines else [])
        lines[-1] += [("".join(mark for mark, _ in part), style) for style, part in parts]
        at += len(words)
    return lines or [[]]


def labelled(rows: Iterable[tuple[str, Span]], text_style: TextStyle) -> list[Line]:
    """Lay out a small table of a label and a text a row; texts that are too long hang beneath themselves."""
    rows = list(rows)
    column = max((len(label) for label, _ in rows), default=0)
    return [
        line
        for label, text in rows
        for line in wrapped([(f"  {label.ljust(column)}  ", "dim"), text], text_style, hang=column + 4)
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
    file = io.StringIO()
    _print_styled(lines, file=file, force_terminal=True, color_system="standard")
    return file.getvalue().removesuffix("\n")


def print_lines(lines: Iterable[Sequence[Span]], text_style: TextStyle | None = None) -> None:
    """Print lines of styled text on standard output, by default as its terminal takes them."""
    text_style = style_for(sys.stdout) if text_style is None else text_style
    if text_style.colour:
        _print_styled([[(visible(text), style) for text, style in line] for line in lines])
    else:
        print("\n".join(visible(_plain(line)) for line in lines), flush=True)  # noqa: T201


def _plain(line: Sequence[Span]) -> str:
    return "".join([text for text, _ in line])


def _print_styled(lines: Iterable[Sequence[Span]], **options: Any) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True, **options)
    for line in lines:
        console.print(Text.assemble(*line))
