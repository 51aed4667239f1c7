"""Text: pages that were read, as lines for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from sudoku_vision.display import (
    PLAIN,
    Line,
    Span,
    TextStyle,
    puzzle_and_solution,
    render,
    style_for,
    wrapped,
)
from sudoku_vision.results import Doubt, GridResult

if TYPE_CHECKING:
    from sudoku_vision.cli.pages import InputPage, Retry

STATUS_WORDS = {
    "solved": "solved",
    "uncertain": "uncertain",
    "many_solutions": "many solutions",
    "no_solution": "no solution",
    "unreadable": "unreadable",
    "no_grid": "no grid",
    "error": "error",
}
"""The statuses of grids and pages, as people read them."""

_STATUS_STYLES = {"solved": "bold green", "uncertain": "bold yellow"}

LinkOf = Callable[[GridResult], str | None]
"""The link that opens a grid's puzzle on another site, or None where there is no puzzle."""


def print_aside(lines: Sequence[Line], *, plain: bool = False) -> None:
    """Print lines of styled text on standard error, where standard output holds something else."""
    sys.stderr.write(render(lines, style_for(sys.stderr, plain=plain)).rstrip() + "\n")


def page_lines(one: InputPage, text_style: TextStyle = PLAIN, link: LinkOf | None = None) -> list[Line]:
    """Return a page's puzzles and solutions as lines of styled text.

    *link* gives the link that stands below each grid.
    """
    page = one.page
    lines = head_line(one.title, status_span(page.status), page.message, text_style)
    for number, grid in numbered(page.grids):
        lines.append([])
        if one.board is None:  # the head says it all of a board in text
            lines += _caption(grid, number, text_style)
        lines += [*_grid_lines(grid, text_style), *doubt_lines(grid.doubts, number, one.retry)]
        address = link(grid) if link else None
        lines += [[("  ", ""), (address, "")]] if address else []
    lines.append([])
    return lines


def head_line(name: str, status: Span, message: str, text_style: TextStyle) -> list[Line]:
    """Return what comes before the grids of a page: its name, its status, and what to do about it."""
    head: Line = [(f"{name}: ", "bold"), status]
    return wrapped([*head, (f". {message}", "")] if message else head, text_style)


def status_span(status: str) -> Span:
    """Return a status in words, with its style."""
    return STATUS_WORDS[status], _STATUS_STYLES.get(status, "bold red")


def capitalised(words: str) -> str:
    """Return *words* as a sentence begins; unlike ``str.capitalize`` it leaves ``XY-chain`` as it is."""
    return words[:1].upper() + words[1:]


_Item = TypeVar("_Item")


def numbered(grids: Sequence[_Item]) -> list[tuple[int, _Item]]:
    """Return the grids of a page with their numbers; 0 for one that is alone."""
    return list(enumerate(grids, start=1)) if len(grids) > 1 else [(0, grid) for grid in grids]


def caption_start(number: int) -> Span:
    """Return how the line about a grid begins."""
    return (f"  {number}. " if number else "  "), ""


def _caption(grid: GridResult, number: int, text_style: TextStyle) -> list[Line]:
    """What was read of a grid, and how surely."""
    caption = [caption_start(number), status_span(grid.status)]
    if grid.status != "unreadable":
        caption.append((f", confidence {grid.confidence:.3f}", ""))
    if grid.status in {"solved", "uncertain"} and grid.written.any():
        caption.append((_written_words(grid), ""))
    return wrapped(caption, text_style, hang=4)


def _grid_lines(grid: GridResult, text_style: TextStyle) -> list[Line]:
    """The puzzle and, beside or below it, the solution."""
    if grid.status == "unreadable":
        return []
    # Only a terminal can tell written from printed, by colour; plain text shows the clues alone.
    written = grid.written if text_style.colour else None
    return puzzle_and_solution(grid.puzzle, grid.solution, text_style, placed=written, indent=2)


def doubt_lines(doubts: Sequence[Doubt], number: int, retry: Retry) -> list[Line]:
    """Return the cells in doubt of a grid, what they may hold, and a call that settles them."""
    if not doubts:
        return []
    lines: list[Line] = [[("  In doubt:", "bold yellow")]]
    lines += [[(f"    r{doubt.row}c{doubt.column}: {_options(doubt)}", "")] for doubt in doubts]
    example = ",".join(
        f"r{doubt.row}c{doubt.column}={_digit_name(doubt, doubt.digits[0])}" for doubt in doubts[:_EXAMPLES]
    )
    hint = f"  Look at them, and say what is printed there, as in: {retry.with_overrides(number, example)}"
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
    """What a cell holds, in the words of ``--overrides``."""
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
