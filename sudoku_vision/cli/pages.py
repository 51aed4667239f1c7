"""The pages and boards on which commands work, and their results as lines of text.

A board in text becomes a page with one grid. So commands work in the same way on boards and on pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, get_args

import numpy as np

from sudoku_vision.cli.inputs import Input
from sudoku_vision.errors import ImproperError, SudokuVisionError
from sudoku_vision.page import Page, board_of
from sudoku_vision.sudoku.board import Board, cell_name
from sudoku_vision.sudoku.display import PLAIN, Line, Span, TextStyle, puzzle_and_solution, wrapped
from sudoku_vision.sudoku.formats import NamedBoard, link
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.texts import listed, say
from sudoku_vision.vision.decode.overrides import confirming_overrides, open_roles
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Doubt, DoubtKind
from sudoku_vision.vision.status import is_empty, message_of
from sudoku_vision.vision.verdicts import check

MAX_CLASHES = 12  # at most this many clashing clues are named
MAX_DOUBTS = 5
"""Maximum number of doubtful cells of each kind that are named. When a person has confirmed or corrected
these cells, the other doubts often disappear."""
MAX_DOUBTED = 0.99
"""A doubt is a cell that may be misread. If the likeliest value of the cell has a probability above this
limit, the doubt is named only if there are no other doubts.

Doubts above the limit are not useless. 42 grids of small and noisy newspaper photos had such a doubt. 31 of
them became sure if all doubts were confirmed, and 11 if only the doubts below the limit were confirmed.
"""
_STATUS_STYLES = {"solved": "bold green", "right": "bold green", "uncertain": "bold yellow"}


@dataclass(frozen=True, eq=False)
class InputPage:
    """A page of an input, before or after reading."""

    item: Input
    number: int = 1  # number of the page, or of the board in a text, from 1
    paged: bool = False  # whether names contain the number (several pages; in pictures, also with --page)
    board: NamedBoard | None = None
    error: SudokuVisionError | None = None  # the reason why the page could not be read, or None
    source: bytes | Path | None = None  # the file of a picture, or its bytes; None after reading
    reading: Page | None = None  # the result of reading a picture, or of solving a board
    picture: bytes | SudokuVisionError | None = None  # bytes of the output file, or the error in drawing it
    call: str = ""  # the beginning of the command line that reads only this page again
    overrides: str = ""  # the corrections of cells that the user gave

    @property
    def name(self) -> str:
        """The name of the page in messages."""
        kind = "page" if self.board is None else "board"
        return f"{self.item.name}, {kind} {self.number}" if self.paged else self.item.name

    @property
    def stem(self) -> str:
        """The beginning of the names of all files that are made from the page."""
        kind = "page" if self.board is None else "board"
        return f"{self.item.stem}-{kind}{self.number}" if self.paged else self.item.stem

    @property
    def title(self) -> str:
        """The name of the page, followed by the name of its board if it has one."""
        return f"{self.name} ({self.board.name})" if self.board is not None and self.board.name else self.name

    @property
    def is_picture(self) -> bool:
        """Whether this is a page of a picture, and not a board in text."""
        return self.board is None

    @property
    def page(self) -> Page:
        """The result of the page, after reading."""
        if self.error is not None:
            return Page(self.item.name, self.number, "error", str(self.error), (), 0.0)
        assert self.reading is not None
        return self.reading

    def call_with(self, grid: int, cells: str) -> str:
        """Return a command line that reads the page again with corrections of cells.

        *grid*: the number of the grid, 0 for the only grid. *cells*: the corrections of cells, such as
        ``r3c5=8``.
        """
        before = self.overrides
        if grid:
            before = f"{grid}:{before}" if before and ":" not in before else before
            cells = f"{grid}:{cells}"
        return f'{self.call}--overrides "{",".join(filter(None, (before, cells)))}"'


@dataclass(frozen=True, eq=False)
class InputBoard:
    """A board in text, or the puzzle of one grid in a picture. The field ``of`` is the page of the board."""

    of: InputPage
    number: int  # the number of the grid, from 1; 0 if the page has only one grid
    grid: Grid | None  # the grid with the result for this board; None if the page has no grids

    @property
    def name(self) -> str:
        """The name of the board in messages."""
        return f"{self.of.name}, grid {self.number}" if self.number else self.of.name

    @property
    def error(self) -> SudokuVisionError | None:
        """The reason why there is no readable board, or None."""
        page, grid = self.of.page, self.grid
        if self.of.error is not None or (grid is not None and grid.status != "unreadable"):
            return self.of.error
        status = page.status if grid is None else grid.status
        why = page.message if grid is None else message_of(status, [grid], page.other)
        return ImproperError(f"{self.name}: {why}", status=status)

    @property
    def reading(self) -> str | None:
        """The status of a grid that was read from a picture; None for a board in text."""
        return self.grid.status if self.grid and self.of.is_picture else None

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts about a grid that was read from a picture."""
        return self.grid.doubts if self.grid and self.of.is_picture else ()

    @property
    def board(self) -> NamedBoard | None:
        """The clues and entries of the board; None if there is an :attr:`error`."""
        return self.of.board or (board_of(self.grid) if self.grid and self.error is None else None)


def boards_of(page: InputPage) -> list[InputBoard]:
    """Return the boards of a page. For a page without boards, return one board with an error."""
    return [InputBoard(page, number, grid) for number, grid in numbered(page.page.grids or (None,))]


# Pages as lines of text


def link_of(grid: Grid, site: str | None) -> str | None:
    """Return the link to a grid's puzzle at a *site*; None without a site or a readable grid."""
    return None if site is None or grid.status == "unreadable" else link(board_of(grid), site)


def page_lines(
    page: InputPage, text_style: TextStyle, site: str | None = None, *, doubts: bool = True
) -> list[Line]:
    """Return the puzzles and solutions of a page, with links to *site* unless it is None.

    *doubts*: whether to name the cells that may be misread.
    """
    result = page.page
    lines = head_line(page, result.status, result.message, text_style)
    for number, grid in numbered(result.grids):
        lines.append([])
        if page.is_picture:  # the first line of a board in text already has its status
            lines += _caption(grid, number, text_style)
        if grid.status != "unreadable":
            # Entries look different from clues only in colour. So text without colours shows only the clues.
            written = grid.written if text_style.colour else None
            lines += puzzle_and_solution(
                grid.puzzle, grid.solution, text_style, placed=written, indent=2, rules=grid.rules
            )
        lines += _wrong_lines(grid, text_style)
        lines += trouble_lines(grid, number, page, text_style, doubts=doubts)
        address = link_of(grid, site)
        lines += [[("  ", ""), (address, "")]] if address else []
    return [*lines, []]


def head_line(page: InputPage, status: str, message: str, text_style: TextStyle) -> list[Line]:
    """Return the lines above the grids of a page: its name, its *status*, and a *message* unless it is ""."""
    head: Line = [(f"{page.title}: ", "bold"), status_span(status, page.page.grids, text_style)]
    return wrapped([*head, (f". {say(message, text_style.language)}", "")] if message else head, text_style)


def status_span(status: str, grids: Sequence[Grid], text_style: TextStyle) -> Span:
    """Return the words for a *status* and their style. If no grid has a digit, the status "empty" is used."""
    status = "empty" if is_empty(grids) else status
    return text_style.say(f"word.{status}"), _STATUS_STYLES.get(status, "bold red")


_Item = TypeVar("_Item")


def numbered(grids: Sequence[_Item]) -> list[tuple[int, _Item]]:
    """Return the grids of a page with their numbers, from 1. A single grid has the number 0."""
    return list(enumerate(grids, start=1)) if len(grids) > 1 else [(0, grid) for grid in grids]


def caption_start(number: int) -> Span:
    """Return the beginning of the line about a grid: its *number*, or blanks if the number is 0."""
    return (f"  {number}. " if number else "  "), ""


def _caption(grid: Grid, number: int, text_style: TextStyle) -> list[Line]:
    status = status_span(grid.status, [grid], text_style)
    words = []
    if grid.status != "unreadable":
        words += [grid.rules.name] if grid.rules != CLASSIC else []
        key = "grid.confidence.clues" if grid.written.any() else "grid.confidence"
        words.append(text_style.say(key, confidence=f"{grid.confidence:.3f}"))
    tail = "".join(f", {word}" for word in words)
    if grid.status in {"solved", "uncertain"} and grid.written.any():
        verdict, count = check(grid), np.count_nonzero(grid.written)
        tail += f"; {text_style.say('grid.entries', right=len(verdict.right), count=count)}"
        unclear = len(verdict.unclear)
        tail += f", {text_style.say('count.unclear', count=unclear)}" if unclear else ""
    return wrapped([caption_start(number), status, (tail, "")], text_style, hang=4)


def _wrong_lines(grid: Grid, text_style: TextStyle) -> list[Line]:
    """Return lines that name the wrong entries, so that a person corrects them before copying answers."""
    wrong = check(grid).wrong if grid.written.any() else ()
    if not wrong:
        return []
    label = text_style.say("grid.wrong" if grid.status == "solved" else "grid.probably_wrong")
    return _warning(label, _digits_at(grid.written, wrong, text_style), text_style)


def trouble_lines(
    grid: Grid, number: int, page: InputPage, text_style: TextStyle, *, doubts: bool = True
) -> list[Line]:
    """Return lines about the problems of a grid: contradicting clues, and cells that may be misread.

    *doubts*: whether to name the cells that may be misread. More than ``MAX_CLASHES`` contradicting clues are
    not named: only their number is shown. For a board in text, contradicting clues are left out, because the
    first line of the page names them.
    """
    lines: list[Line] = []
    if grid.clashes and page.is_picture:
        cells = text_style.say("grid.digits", count=len(grid.clashes))
        if len(grid.clashes) <= MAX_CLASHES:
            cells = _digits_at(grid.puzzle, grid.clashes, text_style)
        lines = _warning(text_style.say("grid.twice", kinds=grid.rules.kinds), cells, text_style)
    return lines + doubt_lines(grid.doubts if doubts else (), number, page, text_style)


def _digits_at(board: Board, cells: Iterable[int], text_style: TextStyle) -> str:
    digits = board.ravel()
    return ", ".join(text_style.say("grid.digit", digit=digits[cell], cell=cell) for cell in cells)


def _warning(label: str, cells: str, text_style: TextStyle) -> list[Line]:
    return wrapped([("  ", ""), (label, "bold red"), (f" {cells}", "")], text_style, hang=4)


def doubt_lines(
    doubts: Sequence[Doubt], number: int, page: InputPage, text_style: TextStyle = PLAIN
) -> list[Line]:
    """Return lines with the doubtful cells of a grid, their values, and a command line for the next reading.

    The command line corrects these cells to their likeliest values. The user can change the values in it.
    Only the first doubts of each kind are named.
    """
    doubts = [doubt for doubt in doubts if max(doubt.probabilities) <= MAX_DOUBTED] or doubts
    if not doubts:
        return []
    lines: list[Line] = []
    roles = open_roles(doubts)
    # *roles*: doubts whether a digit is a clue or an entry. One word in the command line can decide all of
    # them: "all=printed" or "all=written". So the lines above the command line need not name them.
    settled = {doubt.cell for doubt in roles}
    for kind in get_args(DoubtKind):
        of_kind = [doubt for doubt in doubts if doubt.kind == kind]
        named = of_kind[:MAX_DOUBTS]
        settled |= {doubt.cell for doubt in named}
        lines += [[(f"  {text_style.say(f'doubt.{kind}')}", "bold yellow")]] if named else []
        for doubt in named:
            words = text_style.say("doubt.cell", cell=doubt.cell, options=_options(doubt, text_style))
            lines += wrapped([(f"    {words}", "")], text_style, hang=6)
        if more := len(of_kind) - len(named):
            lines.append([(f"    {text_style.say('doubt.more', count=more)}", "")])
    overrides = confirming_overrides([doubt for doubt in doubts if doubt.cell in settled])
    again = page.call_with(number, overrides)
    sentence = f"  {text_style.say('doubt.look')} "
    if text_style.fits(len(sentence + again)):
        lines.append([(sentence + again, "")])
    else:  # the command line stays whole, so that it can be copied
        lines += [*wrapped([(sentence, "")], text_style, hang=2), [("    " + again, "")]]
    if len(roles) > 1:
        lines += wrapped([(f"  {text_style.say('doubt.all')}", "")], text_style, hang=2)
    return lines


def _options(doubt: Doubt, text_style: TextStyle) -> str:
    """Return the possible values of a doubtful cell, such as ``8 (61 %) or 3 (35 %)``.

    If a cage is in doubt, the values are sums, each with the cells of the cage. If a handwritten digit is in
    doubt, the result names the digits that the ink looks like. If the right digit of the cell is likelier
    than these digits, the result ends with the right digit.
    """
    no_digit = text_style.say("doubt.written" if doubt.entry and doubt.kind != "entry" else "doubts.blank")
    labels = [str(digit or no_digit) for digit in doubt.digits]
    for cage in doubt.cages:
        cells = ", ".join(map(cell_name, cage.cells))
        key = "doubts.sum_of" if doubt.is_of_cells else "doubts.sum"
        labels.append(text_style.say(key, sum=cage.sum, cells=cells))
    options = []
    for label, probability in zip(labels, doubt.probabilities, strict=True):
        share = f"{100 * probability:.0f} %"
        if not 0.01 <= probability <= MAX_DOUBTED:
            share = text_style.say("doubt.under" if probability < 0.01 else "doubt.over")
        options.append(f"{label} ({share})")
    if doubt.kind != "entry":
        return listed(options, "or", text_style.language)
    if doubt.digits[0] == doubt.entry:
        return text_style.say("doubt.looks", options=options)
    return text_style.say("doubt.answer", options=options[1:], answer=options[0])
