"""Show: results as text for people, progress while they wait."""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sudoku_vision.display import (
    PLAIN,
    Line,
    Span,
    TextStyle,
    print_lines,
    puzzle_and_solution,
    style_for,
    wrapped,
)
from sudoku_vision.results import Doubt, GridResult, PageResult

STATUS_WORDS = {
    "solved": "solved",
    "uncertain": "uncertain",
    "many_solutions": "many solutions",
    "no_solution": "no solution",
    "unreadable": "unreadable",
    "no_grid": "no grid",
    "error": "error",
}

_STATUS_STYLES = {"solved": "bold green", "uncertain": "bold yellow"}


@dataclass(frozen=True)
class Call:
    """A call for one page alone: its first ``words``, and the cells that were ``said`` in it before."""

    words: str = ""
    said: str = ""

    def settling(self, number: int, cells: str) -> str:
        """The call that says what *cells* of grid *number* hold, besides what was said before."""
        said = f"{number}:{self.said}" if number and self.said and ":" not in self.said else self.said
        cells = f"{number}:{cells}" if number else cells
        return f'{self.words}--givens "{",".join(filter(None, (said, cells)))}"'


NO_CALL = Call()


def call_words(command: str, page: PageResult, several_sources: bool, several_pages: bool) -> str:
    """What goes before the options of a call that is for this page alone; nothing if it is alone already."""
    words = ["sudoku-vision", command, shlex.quote(page.source)] if several_sources else []
    words += ["--page", str(page.page)] if several_pages else []
    return "".join(f"{word} " for word in words)


LinkOf = Callable[[GridResult], str | None]
"""The link that opens a grid's puzzle on another site, or None where there is no puzzle."""


def show_page(
    page: PageResult, call: Call = NO_CALL, text_style: TextStyle | None = None, link: LinkOf | None = None
) -> None:
    """Print a page's puzzles and solutions, by default as standard output takes them best.

    *call* is how the cells in doubt of this page can be settled, *link* gives the link to print below each
    grid.
    """
    text_style = style_for(sys.stdout) if text_style is None else text_style
    print_lines(page_lines(page, call, text_style, link), text_style)


def page_lines(
    page: PageResult, call: Call = NO_CALL, text_style: TextStyle = PLAIN, link: LinkOf | None = None
) -> list[Line]:
    """A page as lines of styled text; the options are as for :func:`show_page`."""
    name = page.source if page.page == 1 else f"{page.source}, page {page.page}"
    head = [(f"{name}: ", "bold"), (STATUS_WORDS[page.status], _STATUS_STYLES.get(page.status, "bold red"))]
    if page.message:
        head.append((f". {page.message}", ""))
    lines = wrapped(head, text_style)
    for number, grid in numbered(page.grids):
        lines += [[], *_grid_lines(grid, number, text_style), *doubt_lines(grid.doubts, number, call)]
        address = link(grid) if link else None
        lines += [[("  ", ""), (address, "")]] if address else []
    lines.append([])
    return lines


_Item = TypeVar("_Item")


def numbered(grids: Sequence[_Item]) -> list[tuple[int, _Item]]:
    """The grids of a page with their numbers; 0 for one that is alone."""
    return list(enumerate(grids, start=1)) if len(grids) > 1 else [(0, grid) for grid in grids]


def caption_start(number: int) -> Span:
    """How the line about a grid begins."""
    return (f"  {number}. " if number else "  "), ""


def _grid_lines(grid: GridResult, number: int, text_style: TextStyle) -> list[Line]:
    """Return the caption, then the puzzle and beside or below it the solution."""
    style = _STATUS_STYLES.get(grid.status, "bold red")
    caption = [caption_start(number), (STATUS_WORDS[grid.status], style)]
    if grid.status != "unreadable":
        caption.append((f", confidence {grid.confidence:.3f}", ""))
    if grid.status in {"solved", "uncertain"} and grid.written.any():
        caption.append((_written_words(grid), ""))
    if grid.status == "unreadable":
        return [caption]
    # Only a terminal can tell written from printed, by colour; plain text shows the clues alone.
    written = grid.written if text_style.colour else None
    boards = puzzle_and_solution(grid.puzzle, grid.solution, text_style, placed=written, indent=2)
    return [*wrapped(caption, text_style, hang=4), *boards]


def doubt_lines(doubts: Sequence[Doubt], number: int, call: Call) -> list[Line]:
    """The cells in doubt of a grid, what they may hold, and how to settle them, in words that work for it."""
    if not doubts:
        return []
    lines: list[Line] = [[("  In doubt:", "bold yellow")]]
    lines += [[(f"    r{doubt.row}c{doubt.column}: {_options(doubt)}", "")] for doubt in doubts]
    example = ",".join(
        f"r{doubt.row}c{doubt.column}={_digit_name(doubt, doubt.digits[0])}" for doubt in doubts[:_EXAMPLES]
    )
    hint = f"  Look at them, and say what is printed there, as in: {call.settling(number, example)}"
    return [*lines, [(hint, "")]]


_EXAMPLES = 2
"""Cells named in the hint: enough to show how."""


def _options(doubt: Doubt) -> str:
    """What may be printed in a cell: ``8 (61 %) or 3 (35 %)``."""
    return " or ".join(
        f"{_digit_name(doubt, digit)} ({_percent(probability)})"
        for digit, probability in zip(doubt.digits, doubt.probabilities, strict=True)
    )


def _digit_name(doubt: Doubt, digit: int) -> str:
    """What a cell holds, in the words of ``--givens``."""
    return str(digit) if digit else ("written" if doubt.inked else "blank")


def _percent(probability: float) -> str:
    if probability < 0.01:
        return "under 1 %"
    return "over 99 %" if probability > 0.99 else f"{100 * probability:.0f} %"


def _written_words(grid: GridResult) -> str:
    """How many of the digits that a person wrote are right."""
    assert grid.solution is not None
    written = grid.written > 0
    right = int((grid.written[written] == grid.solution[written]).sum())
    return f", {right} of {int(written.sum())} written digits right"


@contextlib.contextmanager
def progress(total: int, words: str) -> Iterator[Callable[[], Any]]:
    """Show a bar on standard error while *total* steps are done; gives the function that ends a step.

    Nothing is shown where standard error is no terminal or there is but one step.
    """
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()
    )
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda: bar.advance(task)


def complain(message: object) -> None:
    """Print a message to standard error."""
    print(f"sudoku-vision: {message}", file=sys.stderr, flush=True)  # noqa: T201
