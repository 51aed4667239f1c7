"""``sudoku-vision check``: marks the digits that a person wrote as right or wrong."""

from functools import partial
from typing import Any

from sudoku_vision.cli.outputs import DrawInto, Grids
from sudoku_vision.cli.page_run import PageRun
from sudoku_vision.cli.pages import (
    InputPage,
    caption_start,
    clash_lines,
    doubt_lines,
    head_line,
    numbered,
    status_span,
)
from sudoku_vision.page import Page, check_page
from sudoku_vision.sudoku.board import cell_name, marks_text
from sudoku_vision.sudoku.display import BLANK, Line, Span, TextStyle, styled_board, wrapped
from sudoku_vision.values import Image
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import is_empty
from sudoku_vision.vision.verdicts import Check, check


def draw_verdicts(photo: Photo, grids: Grids, *, answers: bool, marks: bool) -> Image:
    """Return the pixels of a photo in which entries are marked as right or wrong.

    With *answers*, the right digit is drawn beside each wrong entry. With *marks*, cells whose pencil marks
    lack the right digit are marked, too.
    """
    from sudoku_vision.output.overlay import overlay_check

    return overlay_check(photo, [check(grid) for grid in grids], answers=answers, marks=marks)


class CheckRun(PageRun):
    """A run of ``check``, which marks the entries of each page as right or wrong."""

    name, doing, suffix, good = "check", "checking", "checked", ("right", "nothing_written")

    @property
    def into_photo(self) -> DrawInto:
        """The function that marks entries in a photo as right or wrong."""
        return partial(draw_verdicts, answers=self.options.answers, marks=self.options.marks)

    def status(self, page: Page) -> str:
        """Return the status of a page after the check: for example ``right`` or ``wrong``."""
        return check_page(page).status

    def lines(self, page: InputPage) -> list[Line]:
        """Return lines with the verdict on each grid, its board with all entries, and its mistakes."""
        answers, marks = self.options.answers, self.options.marks
        checked = check_page(page.page)
        status = status_span("empty" if is_empty(page.page.grids) else checked.status)
        lines = head_line(page.title, status, checked.message, self.style)
        for number, verdict in numbered(checked.grids):
            lines += [[], *_grid_lines(verdict, number, answers, self.style)]
            lines += _marks_lines(verdict, answers) if marks else []
            lines += clash_lines(verdict.grid, self.style) if page.is_picture else []
            lines += doubt_lines(verdict.grid.doubts, number, page, self.style)
        lines.append([])
        return lines

    def brief(self, page: Page) -> Line:
        """Return one line with the verdict on a page and the numbers of right and wrong entries."""
        checked = check_page(page)
        counts = "; ".join(_counts(one) for one in checked.grids if one.status != "unreadable")
        return [status_span(checked.status), (f": {counts}" if counts else "", "")]

    def to_dict(self, page: Page) -> dict[str, Any]:
        """Return the verdicts on a page as a JSON object; with ``--marks``, also those on pencil marks."""
        return check_page(page).to_dict(marks=self.options.marks)


def _grid_lines(verdict: Check, number: int, answers: bool, text_style: TextStyle) -> list[Line]:
    """Return lines with the status of a grid, its board with all entries, and its wrong and unclear cells."""
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
    """Return lines that say how many cells have pencil marks, and which of them lack the right digit."""
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
    """Return a text with the numbers of right, wrong and unclear entries, and of empty cells."""
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
    """Return a text about a wrong or unclear cell, such as ``r3c5: 8 is wrong``.

    *word*: what the entry is, for example "wrong". *answers*: whether the text names the right digit.
    """
    text = f"{cell_name(cell)}: {verdict.grid.written.flat[cell]} is {word}"
    if answers and verdict.grid.solution is not None:
        text += f", it should be {verdict.grid.solution.flat[cell]}"
    return text


def _filled(verdict: Check, cell: int) -> Span:
    """Return the character that shows a cell (a clue, an entry or a blank), and its style."""
    row, column = divmod(cell, 9)
    if verdict.grid.puzzle[row, column]:
        return str(verdict.grid.puzzle[row, column]), "bold"
    if not verdict.grid.written[row, column]:
        return BLANK
    style = "green" if cell in verdict.right else "bold red" if cell in verdict.wrong else "yellow"
    return str(verdict.grid.written[row, column]), style
