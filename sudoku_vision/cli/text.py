"""Text: pages that were read, as lines for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sudoku_vision.results import Doubt, DoubtKind, GridResult, PageResult, is_empty
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.display import PLAIN, Line, Span, TextStyle, puzzle_and_solution, wrapped
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.sudoku.verdicts import check
from sudoku_vision.texts import say
from sudoku_vision.vision.decode.overrides import open_roles, settling

if TYPE_CHECKING:
    from sudoku_vision.cli.pages import InputPage, Retry

MOST_CLASHES = 12
"""Clues that are named at most where they contradict one another: where there are more, nobody would look."""
_STATUS_STYLES = {"solved": "bold green", "right": "bold green", "uncertain": "bold yellow"}

LinkOf = Callable[[GridResult], str | None]
"""The link that opens a grid's puzzle on another site, or None where there is no puzzle."""


def page_lines(page: InputPage, text_style: TextStyle = PLAIN, link: LinkOf | None = None) -> list[Line]:
    """Return a page's puzzles and solutions as lines of styled text.

    *link* gives the link that stands below each grid.
    """
    result = page.page
    lines = head_line(page.title, page_status(result), result.message, text_style)
    for number, grid in numbered(result.grids):
        lines.append([])
        if page.is_picture:  # the head says it all of a board in text
            lines += _caption(grid, number, text_style)
        if grid.status != "unreadable":
            # Only a terminal can tell written from printed, by colour; plain text shows the clues alone.
            written = grid.written if text_style.colour else None
            lines += puzzle_and_solution(
                grid.puzzle, grid.solution, text_style, placed=written, indent=2, rules=grid.rules
            )
        lines += _wrong_lines(grid, text_style)
        lines += clash_lines(grid, text_style) if page.is_picture else []
        lines += doubt_lines(grid.doubts, number, page.retry)
        address = link(grid) if link else None
        lines += [[("  ", ""), (address, "")]] if address else []
    lines.append([])
    return lines


def page_status(page: PageResult) -> Span:
    """Return how a page stands in words, with its style."""
    return status_span("empty" if is_empty(page.grids) else page.status)


def head_line(name: str, status: Span, message: str, text_style: TextStyle) -> list[Line]:
    """Return what comes before the grids of a page: its name, its status, and what to do about it."""
    head: Line = [(f"{name}: ", "bold"), status]
    return wrapped([*head, (f". {message}", "")] if message else head, text_style)


def status_span(status: str) -> Span:
    """Return a status in words, with its style."""
    return status.replace("_", " "), _STATUS_STYLES.get(status, "bold red")


_Item = TypeVar("_Item")


def numbered(grids: Sequence[_Item]) -> list[tuple[int, _Item]]:
    """Return the grids of a page with their numbers; 0 for one that is alone."""
    return list(enumerate(grids, start=1)) if len(grids) > 1 else [(0, grid) for grid in grids]


def caption_start(number: int) -> Span:
    """Return how the line about a grid begins."""
    return (f"  {number}. " if number else "  "), ""


def _caption(grid: GridResult, number: int, text_style: TextStyle) -> list[Line]:
    """What was read of a grid, and how surely."""
    caption = [caption_start(number), status_span("empty" if grid.is_empty else grid.status)]
    if grid.status != "unreadable":
        if grid.rules != CLASSIC:
            caption.append((f", {grid.rules.name}", ""))
        of_clues = " of the clues" if grid.written.any() else ""
        caption.append((f", confidence{of_clues} {grid.confidence:.3f}", ""))
    if grid.status in {"solved", "uncertain"} and grid.written.any():
        verdict, count = check(grid), np.count_nonzero(grid.written)
        unclear = f", {len(verdict.unclear)} unclear" if verdict.unclear else ""
        entries = "entry" if count == 1 else "entries"
        caption.append((f"; {len(verdict.right)} of {count} {entries} right{unclear}", ""))
    return wrapped(caption, text_style, hang=4)


def _wrong_lines(grid: GridResult, text_style: TextStyle) -> list[Line]:
    """Name the entries that are wrong: nobody is to copy the answers round them."""
    wrong = check(grid).wrong if grid.written.any() else ()
    if not wrong:
        return []
    likely = "Wrong" if grid.status == "solved" else "Probably wrong"
    digits = grid.written.ravel()
    entries = ", ".join(f"{digits[cell]} at {cell_name(cell)}" for cell in wrong)
    return wrapped([("  ", ""), (f"{likely}:", "bold red"), (f" {entries}", "")], text_style, hang=4)


def clash_lines(grid: GridResult, text_style: TextStyle) -> list[Line]:
    """Name the clues that contradict one another; of many only how many they are."""
    if not grid.clashes:
        return []
    digits = grid.puzzle.ravel()
    named = [f"{digits[cell]} at {cell_name(cell)}" for cell in grid.clashes]
    cells = ", ".join(named) if len(named) <= MOST_CLASHES else f"the digits of {len(named)} cells"
    words: Line = [("  ", ""), (f"Twice in a {say(grid.rules.kinds)}:", "bold red"), (f" {cells}", "")]
    return wrapped(words, text_style, hang=4)


def doubt_lines(doubts: Sequence[Doubt], number: int, retry: Retry) -> list[Line]:
    """Return the cells in doubt of a grid, what they may hold, and one call that settles those.

    The call has what is likeliest; a person corrects what is not so. Of many doubts, the gravest are told.
    """
    if not doubts:
        return []
    lines: list[Line] = []
    for kind, words in _DOUBTFUL.items():
        named = [doubt for doubt in doubts if doubt.kind == kind]
        lines += [[(f"  {words}:", "bold yellow")]] if named else []
        lines += [[(f"    r{doubt.row}c{doubt.column}: {_options(doubt)}", "")] for doubt in named[:FEW]]
        lines += [[(f"    and {len(named) - FEW} more", "")]] if len(named) > FEW else []
    again = retry.with_overrides(number, settling(gravest(doubts)))
    lines.append([(f"  Look at them, and say what stands there, as in: {again}", "")])
    if len(open_roles(doubts)) > 1:
        lines.append([("  all=printed says that all are clues, all=written that none of them is", "")])
    return lines


def gravest(doubts: Sequence[Doubt]) -> list[Doubt]:
    """Return the first :data:`FEW` doubts of each kind, but all that are settled in one word."""
    kinds = (open_roles(doubts), *([one for one in doubts if one.kind == kind][:FEW] for kind in _DOUBTFUL))
    named = {doubt.cell for some in kinds for doubt in some}
    return [doubt for doubt in doubts if doubt.cell in named]


FEW = 5  # doubts of a kind that are told: once these are settled, others often are, too

_DOUBTFUL: dict[DoubtKind, str] = {
    "clue": "In doubt",
    "role": "Clue or not, the answer is the same",
    "entry": "Entries in doubt",
}
"""What is in doubt, as people read it."""


def _options(doubt: Doubt) -> str:
    """Return what may stand in a cell, in the words of ``--overrides``: ``8 (61 %) or 3 (35 %)``.

    Of an entry, it is said what the ink looks like, and which is the answer if that is the likelier one.
    """
    no_digit = "written" if doubt.entry and doubt.kind != "entry" else "blank"
    pairs = zip(doubt.digits, doubt.probabilities, strict=True)
    options = [f"{digit or no_digit} ({_percent(probability)})" for digit, probability in pairs]
    if doubt.kind != "entry":
        return " or ".join(options)
    if doubt.digits[0] == doubt.entry:
        return "looks like " + " or ".join(options)
    return f"looks like {' or '.join(options[1:])}; the answer there is {options[0]}"


def _percent(probability: float) -> str:
    if probability < 0.01:
        return "under 1 %"
    return "over 99 %" if probability > 0.99 else f"{100 * probability:.0f} %"
