"""Show: results as text for people, progress while they wait."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sudoku_vision.results import Board, Doubt, GridResult, PageResult

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
_CLUE, _WRITTEN, _ANSWER = "bold", "cyan", "green"

Cell = tuple[str, str]
"""One character of text and its style."""

_FRAMES = {
    True: (("┌", "─", "┬", "┐"), "│", ("├", "─", "┼", "┤"), ("└", "─", "┴", "┘")),
    False: (("+", "-", "+", "+"), "|", ("+", "-", "+", "+"), ("+", "-", "+", "+")),
}
"""Top rule, side, middle rule, bottom rule; each rule as left, line, crossing, right."""


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


def show_page(page: PageResult, call: Call = NO_CALL) -> None:
    """Print a page's puzzles and solutions; in colour where standard output is a terminal.

    *call* is how the cells in doubt of this page can be settled.
    """
    print_lines(page_lines(page, call, fancy=is_fancy()))


def is_fancy() -> bool:
    """Whether standard output takes line characters."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def print_lines(lines: list[list[Cell]]) -> None:
    """Print lines of styled text; plain where standard output is no terminal."""
    if sys.stdout.isatty():
        _print_coloured(lines)
    else:
        print("\n".join("".join(text for text, _ in line) for line in lines), flush=True)  # noqa: T201


def _print_coloured(lines: list[list[Cell]]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*line))


def page_lines(page: PageResult, call: Call = NO_CALL, *, fancy: bool = True) -> list[list[Cell]]:
    """A page as lines of styled text; *fancy* draws boxes with line characters, else with ASCII."""
    name = page.source if page.page == 1 else f"{page.source}, page {page.page}"
    head = [(f"{name}: ", "bold"), (STATUS_WORDS[page.status], _STATUS_STYLES.get(page.status, "bold red"))]
    if page.message:
        head.append((f". {page.message}", ""))
    lines = [head]
    for number, grid in numbered(page.grids):
        lines += [[], *_grid_lines(grid, number, fancy), *doubt_lines(grid.doubts, number, call)]
    lines.append([])
    return lines


_Item = TypeVar("_Item")


def numbered(grids: Sequence[_Item]) -> list[tuple[int, _Item]]:
    """The grids of a page with their numbers; 0 for one that is alone."""
    return list(enumerate(grids, start=1)) if len(grids) > 1 else [(0, grid) for grid in grids]


def caption_start(number: int) -> Cell:
    """How the line about a grid begins."""
    return (f"  {number}. " if number else "  "), ""


def _grid_lines(grid: GridResult, number: int, fancy: bool) -> list[list[Cell]]:
    """Caption, then the puzzle and beside it the solution."""
    style = _STATUS_STYLES.get(grid.status, "bold red")
    caption = [caption_start(number), (STATUS_WORDS[grid.status], style)]
    if grid.status != "unreadable":
        caption.append((f", confidence {grid.confidence:.3f}", ""))
    if grid.status in {"solved", "uncertain"} and grid.written.any():
        caption.append((_written_words(grid), ""))
    if grid.status == "unreadable":
        return [caption]
    left = board_lines([[_clue(grid, r, c) for c in range(9)] for r in range(9)], fancy)
    if grid.solution is None:
        return [caption, *([("  ", ""), *line] for line in left)]
    right = board_lines(
        [[_answer(grid.solution, grid.puzzle, r, c) for c in range(9)] for r in range(9)], fancy
    )
    pairs = ([("  ", ""), *a, ("   ", ""), *b] for a, b in zip(left, right, strict=True))
    return [caption, *pairs]


def doubt_lines(doubts: Sequence[Doubt], number: int, call: Call) -> list[list[Cell]]:
    """The cells in doubt of a grid, what they may hold, and how to settle them, in words that work for it."""
    if not doubts:
        return []
    lines: list[list[Cell]] = [[("  In doubt:", "bold yellow")]]
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


def _clue(grid: GridResult, row: int, column: int) -> Cell:
    if grid.puzzle[row, column]:
        return str(grid.puzzle[row, column]), _CLUE
    if grid.written[row, column]:
        # Only a terminal can tell written from printed, by colour; plain text shows the clues alone.
        return (str(grid.written[row, column]), _WRITTEN) if sys.stdout.isatty() else (".", "dim")
    return ".", "dim"


def _answer(solution: Board, puzzle: Board, row: int, column: int) -> Cell:
    return str(solution[row, column]), _CLUE if puzzle[row, column] else _ANSWER


def board_lines(cells: list[list[Cell]], fancy: bool) -> list[list[Cell]]:
    """A 9x9 board of characters with its boxes marked: 13 lines."""
    top, side, middle, bottom = _FRAMES[fancy]
    lines = [[(_rule(top), "dim")]]
    for row, line in enumerate(cells):
        if row in (3, 6):
            lines.append([(_rule(middle), "dim")])
        text: list[Cell] = [(side, "dim")]
        for column, (char, style) in enumerate(line):
            text += [(" ", ""), (char, style)]
            if column % 3 == 2:
                text += [(" ", ""), (side, "dim")]
        lines.append(text)
    lines.append([(_rule(bottom), "dim")])
    return lines


def _rule(parts: tuple[str, str, str, str]) -> str:
    left, line, crossing, right = parts
    return left + crossing.join([line * 7] * 3) + right


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
