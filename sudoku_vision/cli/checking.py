"""The work of ``sudoku-vision check``: what a person wrote, marked right or wrong."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_vision.check import Check, PageCheckStatus, check, page_dict, page_message, page_status
from sudoku_vision.cli.settings import Options
from sudoku_vision.cli.show import NO_CALL, STATUS_WORDS, Call, caption_start, doubt_lines, numbered
from sudoku_vision.cli.solving import Task, solve_all
from sudoku_vision.display import BLANK, PLAIN, Line, Span, TextStyle, print_lines, styled_board, wrapped
from sudoku_vision.results import Image, PageResult, Photo

_STYLES = {"right": "bold green", "wrong": "bold red", "uncertain": "bold yellow"}
_WORDS = {**STATUS_WORDS, "right": "right", "wrong": "wrong"}


def check_all(paths: Sequence[str], options: Options, *, answers: bool = False) -> int:
    """Check the pictures that *paths* lead to, print and save the verdicts, and give the exit status."""

    def draw(photo: Photo, page: PageResult) -> Image:
        from sudoku_vision.overlay import overlay_check

        return overlay_check(photo, _checks(page), answers=answers)

    def show(page: PageResult, call: Call) -> None:
        text_style = options.text_style
        print_lines(check_lines(page, call, text_style, answers=answers), text_style)

    task = Task(
        command="check",
        doing="checking",
        done="checked",
        passes=lambda page: page_status(page, _checks(page)) == "right",
        draw=draw,
        show=show,
        to_dict=lambda page: page_dict(page, _checks(page)),
    )
    return solve_all(paths, options, task)


def _checks(page: PageResult) -> list[Check]:
    return [check(grid) for grid in page.grids]


def check_lines(
    page: PageResult, call: Call = NO_CALL, text_style: TextStyle = PLAIN, *, answers: bool = False
) -> list[Line]:
    """The verdicts on a page as lines of styled text; the options are as for solving."""
    checks = _checks(page)
    status = page_status(page, checks)
    name = page.source if page.page == 1 else f"{page.source}, page {page.page}"
    head = [(f"{name}: ", "bold"), _status(status)]
    message = page_message(page, status)
    if message:
        head.append((f". {message}", ""))
    lines = wrapped(head, text_style)
    for number, one in numbered(checks):
        lines += [
            [],
            *_grid_lines(one, number, answers, text_style),
            *doubt_lines(one.grid.doubts, number, call),
        ]
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
    likely = "" if one.grid.status == "solved" else "probably "
    lines = [*wrapped(caption, text_style, hang=4), *([("  ", ""), *line] for line in board)]
    lines += [[(f"    {_mistake(one, cell, likely + 'wrong', answers)}", "")] for cell in one.wrong]
    return lines + [[(f"    {_mistake(one, cell, 'not clear', False)}", "")] for cell in one.unclear]


def _counts(one: Check) -> str:
    """How much is right, wrong, unclear and left."""
    if not one.grid.written.any():
        return f"nothing is written in, {_cells(one.left)} left"
    if one.grid.solution is None or one.status in ("many_solutions", "no_solution"):
        return f"{int((one.grid.written > 0).sum())} written, {_cells(one.left)} left"
    parts = [f"{len(one.right)} right", f"{len(one.wrong)} wrong"]
    if one.unclear:
        parts.append(f"{len(one.unclear)} not clear")
    return ", ".join([*parts, "complete" if one.complete else f"{_cells(one.left)} left"])


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


def _mistake(one: Check, cell: int, word: str, answers: bool) -> str:
    """One line on a cell that is not right: ``r3c5: 8 is wrong``."""
    row, column = divmod(cell, 9)
    text = f"r{row + 1}c{column + 1}: {one.grid.written[row, column]} is {word}"
    if answers and one.grid.solution is not None:
        text += f", it should be {one.grid.solution[row, column]}"
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
