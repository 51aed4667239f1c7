"""The work of ``sudoku-vision check``: what a person wrote, marked right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.reporter import PageTask
from sudoku_vision.cli.runner import run_pages
from sudoku_vision.cli.runs.drawings import draw_verdicts
from sudoku_vision.cli.text import STATUS_WORDS, caption_start, doubt_lines, head_line, numbered
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import PageResult, marks_text
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.display import BLANK, PLAIN, Line, Span, TextStyle, styled_board, wrapped
from sudoku_vision.sudoku.verdicts import Check, PageCheckStatus, check, page_dict, page_message, page_status

_STYLES = {"right": "bold green", "wrong": "bold red", "uncertain": "bold yellow"}
_WORDS = {**STATUS_WORDS, "right": "right", "wrong": "wrong"}


def run_check(
    arguments: Sequence[str],
    options: Options,
    executor: Executor,
    *,
    answers: bool = False,
    marks: bool = False,
) -> ExitCode:
    """Check all that *arguments* lead to, print and draw the verdicts, and return the exit status.

    *executor* reads the pictures. With *answers* the right digit is told where a wrong one is written; with
    *marks* the cells whose pencil marks have lost it are, too.
    """
    task = PageTask(
        command="check",
        doing="checking",
        suffix="checked",
        good="right",
        status=lambda page: page_status(page, _checks(page)),
        draw=partial(draw_verdicts, answers=answers, marks=marks),
        lines=lambda one, text_style: check_lines(one, text_style, answers=answers, marks=marks),
        to_dict=lambda page: page_dict(page, _checks(page), marks=marks),
        said=f"answers={answers} marks={marks}",
    )
    return run_pages(arguments, options, task, executor)


def _checks(page: PageResult) -> list[Check]:
    return [check(grid) for grid in page.grids]


def check_lines(
    one: InputPage, text_style: TextStyle = PLAIN, *, answers: bool = False, marks: bool = False
) -> list[Line]:
    """Return the verdicts on a page as lines of styled text; the rest is as for :func:`run_check`."""
    page = one.page
    checks = _checks(page)
    status = page_status(page, checks)
    lines = head_line(one.title, _status(status), page_message(page, status), text_style)
    for number, verdict in numbered(checks):
        lines += [[], *_grid_lines(verdict, number, answers, text_style)]
        lines += _marks_lines(verdict, answers) if marks else []
        lines += doubt_lines(verdict.grid.doubts, number, one.retry)
    lines.append([])
    return lines


def _status(status: PageCheckStatus) -> Span:
    return _WORDS[status], _STYLES.get(status, "bold red")


def _grid_lines(one: Check, number: int, answers: bool, text_style: TextStyle) -> list[Line]:
    """Caption, the board as it is filled, and the cells that are not right."""
    caption = [caption_start(number), _status(one.status)]
    if one.status == "unreadable":
        return [caption]
    caption.append((f": {_counts(one)}", ""))
    board = styled_board([[_filled(one, 9 * r + c) for c in range(9)] for r in range(9)], text_style.unicode)
    lines = [*wrapped(caption, text_style, hang=4), *([("  ", ""), *line] for line in board)]
    lines += [[(f"    {_mistake(one, cell, _likely(one) + 'wrong', answers)}", "")] for cell in one.wrong]
    return lines + [[(f"    {_mistake(one, cell, 'not clear', False)}", "")] for cell in one.unclear]


def _marks_lines(one: Check, answers: bool) -> list[Line]:
    """How many cells bear pencil marks, and which of these have lost the right digit."""
    if one.status == "unreadable":
        return []
    count = sum(bool(digits) for digits in one.grid.marks)
    told = count and one.has_verdicts
    lost = f", {len(one.lost_marks)} of them without the right digit" if told else ""
    texts = marks_text(one.grid.marks)
    lines: list[Line] = [[(f"  marks in {_cells(count)}{lost}", "")]]
    for cell in one.lost_marks:
        assert one.grid.solution is not None
        answer = f", {one.grid.solution.flat[cell]}" if answers else ""
        words = f"marks {texts[cell]} {_likely(one)}lack the right digit{answer}"
        lines.append([(f"    {cell_name(cell)}: {words}", "")])
    return lines


def _likely(one: Check) -> str:
    """The word before a verdict that is not sure."""
    return "" if one.grid.status == "solved" else "probably "


def _counts(one: Check) -> str:
    """How much is right, wrong, unclear and left."""
    if not one.grid.written.any():
        return f"nothing is written in, {_cells(one.left)} left"
    if not one.has_verdicts:
        return f"{int((one.grid.written > 0).sum())} written, {_cells(one.left)} left"
    parts = [f"{len(one.right)} right", f"{len(one.wrong)} wrong"]
    if one.unclear:
        parts.append(f"{len(one.unclear)} not clear")
    return ", ".join([*parts, "complete" if one.complete else f"{_cells(one.left)} left"])


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


def _mistake(one: Check, cell: int, word: str, answers: bool) -> str:
    """One line on a cell that is not right: ``r3c5: 8 is wrong``."""
    text = f"{cell_name(cell)}: {one.grid.written.flat[cell]} is {word}"
    if answers and one.grid.solution is not None:
        text += f", it should be {one.grid.solution.flat[cell]}"
    return text


def _filled(one: Check, cell: int) -> Span:
    """One character of the board: a clue, what is written, or a blank."""
    row, column = divmod(cell, 9)
    if one.grid.puzzle[row, column]:
        return str(one.grid.puzzle[row, column]), "bold"
    if not one.grid.written[row, column]:
        return BLANK
    style = "green" if cell in one.right else "bold red" if cell in one.wrong else "yellow"
    return str(one.grid.written[row, column]), style
