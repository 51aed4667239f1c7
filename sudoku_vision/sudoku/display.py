"""Boards and other text on a terminal or in a file.

A *span* is a piece of text and the name of its style in the library rich.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product
from operator import itemgetter
from textwrap import TextWrapper
from typing import TextIO

import numpy as np

from sudoku_vision.sudoku.board import Board, BoardLike, board_array, parse_board
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.texts import ENGLISH, Sentence, say, visible

Span = tuple[str, str]  # a piece of text and its style
Line = list[Span]  # a line of text

CLUE, PLACED, ANSWER, FRAME = "bold", "cyan", "green", "dim"
"""The styles of clues, of digits that a person placed, of answers, and of lines and blanks."""
BLANK: Span = (".", FRAME)

_BETWEEN = "   "  # the space between two boards side by side
MIN_WIDTH = 20  # a line can have this many characters even if the terminal is narrower


@dataclass(frozen=True)
class TextStyle:
    """How text is written for a terminal or a file.

    ``unicode``: whether boards are drawn with line characters, otherwise with ASCII. ``colour``: whether text
    has styles. ``width``: maximum number of characters in a line; None: no limit.
    """

    unicode: bool = True
    colour: bool = False
    width: int | None = None
    language: str = ENGLISH

    def fits(self, columns: int) -> bool:
        """Return whether a line of *columns* characters isn't longer than ``width``."""
        return self.width is None or columns <= self.width

    def say(self, key: str, **values: object) -> str:
        """Return the sentence with this *key* in the language of the style, with *values* filled in."""
        return say(Sentence(key, values), self.language)


PLAIN = TextStyle(unicode=False)  # ASCII without styles: every terminal, file and program can show it


def style_for(stream: TextIO, language: str = ENGLISH) -> TextStyle:
    """Return the best style for text on *stream*. The library rich leaves out colours if NO_COLOR is set."""
    width = shutil.get_terminal_size((0, 0)).columns or None if stream.isatty() else None
    try:
        unicode = bool("┌─┬┐│├┼┤└┴┘".encode(stream.encoding or "ascii"))
    except (UnicodeEncodeError, LookupError):
        unicode = False
    return TextStyle(unicode, stream.isatty() and os.environ.get("TERM") != "dumb", width, language)


def board_lines(board: BoardLike, *, unicode: bool = False, rules: Rules = CLASSIC) -> list[str]:
    """Draw a board as 13 lines of text; a jigsaw or killer as 19.

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
    """Draw a puzzle and its solution, side by side if there is room, otherwise one below the other.

    *placed*: digits that a person put into blank cells. *indent*: number of spaces before each line.
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


def puzzle_cells(clues: Board, others: Board | None = None, style: str = PLACED) -> list[Line]:
    """Return nine rows of nine spans, one for each cell.

    A cell with a clue shows its clue. A cell without a clue shows its digit of *others* in *style*, or is
    blank.
    """
    others = np.zeros_like(clues) if others is None else others
    return [
        [
            (str(clue), CLUE) if clue else (str(other), style) if other else BLANK
            for clue, other in zip(*rows, strict=True)
        ]
        for rows in zip(clues.tolist(), others.tolist(), strict=True)
    ]


def solution_cells(solution: Board, clues: Board) -> list[Line]:
    """Return nine rows of nine spans with the digits of a *solution*. The *clues* have another style."""
    return puzzle_cells(np.where(clues, solution, 0), solution, ANSWER)


_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Characters for places where borders meet. The index of a character is a sum: 1 for a border above the
place, 2 for a border to the right, 4 for a border below, and 8 for a border to the left."""
_ASCII = str.maketrans(_CORNERS, " |-++|++-+-+++++")


def styled_board(cells: Sequence[Sequence[Span]], unicode: bool, rules: Rules = CLASSIC) -> list[Line]:
    """Draw nine rows of nine cells: in 13 lines if only boxes have borders, otherwise in 19 lines.

    With 19 lines, the regions or cages have borders. The sum of a cage is in the border above its first cell.
    """
    borders, bars = _frame(rules)
    lines: list[Line] = []
    for border, row_bars, row in zip(borders[:-1], bars, cells, strict=True):
        lines += [[(border, FRAME)]] if border else []
        text: Line = []
        for bar, cell in zip(row_bars, row, strict=True):
            text += [(bar, FRAME), (" ", ""), cell, (" ", "")] if bar else [cell, (" ", "")]
        lines.append([*text, ("│", FRAME)])
    lines.append([(borders[-1], FRAME)])
    if unicode:
        return lines
    return [[(text.translate(_ASCII), style) for text, style in line] for line in lines]


@lru_cache(maxsize=8)  # most boards of a list have the same frame
def _frame(rules: Rules) -> tuple[list[str], list[list[str]]]:
    """Return the lines between the rows, and the bars before the cells; "" means no line or no bar."""
    groups = list(map(int, rules.regions))
    if rules.cages:
        groups = list(range(1, 82))  # a cell without a cage is its own group: it has borders on all sides
    sums = {cage.cells[0]: str(cage.sum) for cage in rules.cages}
    for cage in rules.cages:
        for place in cage.cells:
            groups[place] = cage.cells[0] + 1
    around = np.pad(np.array(groups).reshape(9, 9), 1)
    upright = around[:, 1:] != around[:, :-1]  # (11, 10): borders left of cells, or right of the last cell
    level = around[1:, :] != around[:-1, :]  # (10, 11): borders above cells, or below the last cell
    drawn = range(0, 10, 1 if rules.is_jigsaw or rules.cages else 3)  # rows and columns with a border before
    borders, bars = [""] * 10, [[""] * 9 for _ in range(9)]
    for row, column in product(range(9), drawn[:-1]):
        bars[row][column] = "│" if upright[row + 1, column] else " "
    for row in drawn:
        meet = upright[row] + 2 * level[row, 1:] + 4 * upright[row + 1] + 8 * level[row, :-1]
        for column, corner in enumerate(meet.tolist()):
            edge = sums.get(9 * row + column, "").ljust(3, "─") if level[row, column + 1] else "   "
            borders[row] += _CORNERS[corner] + edge if column in drawn else edge[1:]
    return [border[:-3] for border in borders], bars


def wrapped(line: Sequence[Span], text_style: TextStyle, hang: int = 0) -> list[Line]:
    """Break a line between words if it is too wide; lines after the first are indented by *hang* spaces."""
    text = "".join(piece for piece, _ in line)
    if text_style.fits(len(text)):
        return [list(line)]
    assert text_style.width is not None
    width = max(text_style.width, MIN_WIDTH)
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
    """Return the lines of a table. Each row is a label and a text; the text may fill several lines."""
    rows = list(rows)
    column = max((len(label) for label, _ in rows), default=0)
    return [
        line
        for label, text in rows
        for line in wrapped([(f"  {label.ljust(column)}  ", "dim"), text], text_style, hang=column + 4)
    ]


def shortened(text: str, columns: int, text_style: TextStyle) -> str:
    """Return *text*, cut in the middle if the line is too long. *columns*: width of the line's other text."""
    if text_style.fits(len(text) + columns):
        return text
    assert text_style.width is not None
    gap = "…" if text_style.unicode else "..."
    kept = max(text_style.width, MIN_WIDTH) - columns - len(gap)
    return text if kept < 2 else text[: kept - kept // 2] + gap + text[-(kept // 2) :]


def print_lines(
    lines: Iterable[Sequence[Span]], text_style: TextStyle | None = None, stream: TextIO | None = None
) -> None:
    """Print lines on *stream*, by default on standard output. Control characters are made visible."""
    stream = sys.stdout if stream is None else stream
    text_style = style_for(stream) if text_style is None else text_style
    if not text_style.colour:
        print("\n".join(visible(_plain(line)) for line in lines), file=stream, flush=True)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((visible(text), style) for text, style in line)))


def _plain(line: Sequence[Span]) -> str:
    return "".join([text for text, _ in line])
