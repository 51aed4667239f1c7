"""The work of ``sudoku-vision check``: what a person wrote, marked right or wrong."""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from sudoku_vision.cli.drawings import draw_verdicts
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.page_run import PageCommand, run_pages
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.text import caption_start, clash_lines, doubt_lines, head_line, numbered, status_span
from sudoku_vision.errors import ExitCode
from sudoku_vision.results import PageResult, is_empty, marks_text
from sudoku_vision.sudoku.board import cell_name
from sudoku_vision.sudoku.display import BLANK, Line, Span, TextStyle, styled_board, wrapped
from sudoku_vision.sudoku.verdicts import Check, check_page


def run_check(arguments: Sequence[str], options: Options, executor: Executor) -> ExitCode:
    """Check all that *arguments* lead to, print and draw the verdicts, and return the exit status."""
    answers, marks = options.answers, options.marks
    command = PageCommand(
        *("check", "checking", "checked", ("right", "nothing_written")),
        draw=partial(draw_verdicts, answers=answers, marks=marks),
        status=lambda page: check_page(page).status,
        lines=partial(check_lines, answers=answers, marks=marks),
        brief=_brief,
        to_dict=lambda page: check_page(page).to_dict(marks=marks),
        choices=f"{answers=} {marks=}",
    )
    return run_pages(command, arguments, options, executor)


def check_lines(page: InputPage, text_style: TextStyle, *, answers: bool, marks: bool) -> list[Line]:
    """Return the verdicts on a page as lines of styled text.

    With the right *answers*, and the *marks* that have lost the right digit, by wish.
    """
    checked = check_page(page.page)
    said = status_span("empty" if is_empty(page.page.grids) else checked.status)
    lines = head_line(page.title, said, checked.message, text_style)
    for number, verdict in numbered(checked.grids):
        lines += [[], *_grid_lines(verdict, number, answers, text_style)]
        lines += _marks_lines(verdict, answers) if marks else []
        lines += clash_lines(verdict.grid, text_style) if page.is_picture else []
        lines += doubt_lines(verdict.grid.doubts, number, page.retry)
    lines.append([])
    return lines


def _brief(page: PageResult) -> Line:
    """How a page stands, and how much is right and wrong in each grid that was read."""
    checked = check_page(page)
    counts = "; ".join(_counts(one) for one in checked.grids if one.status != "unreadable")
    return [status_span(checked.status), (f": {counts}" if counts else "", "")]


def _grid_lines(verdict: Check, number: int, answers: bool, text_style: TextStyle) -> list[Line]:
    """Caption, the board as it is filled, and the cells that are not right."""
    caption = [caption_start(number), status_span("empty" if verdict.grid.is_empty else verdict.status)]
    if verdict.status == "unreadable":
        return [caption]
    caption.append((f": {_counts(verdict)}", ""))
    board = styled_board(
        [[_filled(verdict, 9 * r + c) for c in range(9)] for r in range(9)],
        text_style.unicode,
        verdict.grid.rules,
    )
    lines = [*wrapped(caption, text_style, hang=4), *([("  ", ""), *line] for line in board)]
    wrong = "wrong" if verdict.grid.status == "solved" else "probably wrong"
    lines += [[(f"    {_mistake(verdict, cell, wrong, answers)}", "")] for cell in verdict.wrong]
    return lines + [[(f"    {_mistake(verdict, cell, 'not clear', False)}", "")] for cell in verdict.unclear]


def _marks_lines(verdict: Check, answers: bool) -> list[Line]:
    """How many cells bear pencil marks, and which of these have lost the right digit."""
    if verdict.status == "unreadable":
        return []
    count = sum(bool(digits) for digits in verdict.grid.marks)
    is_sure = count and verdict.has_verdicts
    lost = f", {len(verdict.lost_marks)} of them without the right digit" if is_sure else ""
    texts, likely = marks_text(verdict.grid.marks), "" if verdict.grid.status == "solved" else "probably "
    lines: list[Line] = [[(f"  marks in {_cells(count)}{lost}", "")]]
    for cell in verdict.lost_marks:
        assert verdict.grid.solution is not None
        answer = f", {verdict.grid.solution.flat[cell]}" if answers else ""
        words = f"marks {texts[cell]} {likely}lack the right digit{answer}"
        lines.append([(f"    {cell_name(cell)}: {words}", "")])
    return lines


def _counts(verdict: Check) -> str:
    """How much is right, wrong, unclear and left."""
    if not verdict.grid.written.any():
        return f"{_cells(verdict.left)} left"
    if not verdict.has_verdicts:
        return f"{int((verdict.grid.written > 0).sum())} written, {_cells(verdict.left)} left"
    parts = [f"{len(verdict.right)} right", f"{len(verdict.wrong)} wrong"]
    if verdict.unclear:
        parts.append(f"{len(verdict.unclear)} not clear")
    return ", ".join([*parts, "complete" if verdict.complete else f"{_cells(verdict.left)} left"])


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


def _mistake(verdict: Check, cell: int, word: str, answers: bool) -> str:
    """One line on a cell that is not right: ``r3c5: 8 is wrong``."""
    text = f"{cell_name(cell)}: {verdict.grid.written.flat[cell]} is {word}"
    if answers and verdict.grid.solution is not None:
        text += f", it should be {verdict.grid.solution.flat[cell]}"
    return text


def _filled(verdict: Check, cell: int) -> Span:
    """One character of the board: a clue, what is written, or a blank."""
    row, column = divmod(cell, 9)
    if verdict.grid.puzzle[row, column]:
        return str(verdict.grid.puzzle[row, column]), "bold"
    if not verdict.grid.written[row, column]:
        return BLANK
    style = "green" if cell in verdict.right else "bold red" if cell in verdict.wrong else "yellow"
    return str(verdict.grid.written[row, column]), style
