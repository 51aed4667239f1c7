"""``sudoku-vision check``: marks the digits that a person wrote as right or wrong."""

from functools import partial
from typing import Any

import numpy as np

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
    unclear_count,
)
from sudoku_vision.page import Page, check_page
from sudoku_vision.sudoku.board import marks_text
from sudoku_vision.sudoku.display import BLANK, Line, Span, TextStyle, styled_board, wrapped
from sudoku_vision.values import Image
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import Check, check


def draw_verdicts(photo: Photo, grids: Grids, *, answers: bool, marks: bool, language: str) -> Image:
    """Return the pixels of a photo with right and wrong entries marked, as by :func:`overlay_check`."""
    from sudoku_vision.output.overlay import overlay_check

    checks = [check(grid) for grid in grids]
    return overlay_check(photo, checks, answers=answers, marks=marks, language=language)


class CheckRun(PageRun):
    """A run of ``check``, which marks the entries of each page as right or wrong."""

    name, doing, suffix, good = "check", "checking", "checked", ("right", "nothing_written")

    @property
    def into_photo(self) -> DrawInto:
        """The function that draws verdicts into a photo."""
        options = self.options
        return partial(
            draw_verdicts, answers=options.answers, marks=options.marks, language=options.text_language
        )

    def status(self, page: Page) -> str:
        """Return the status of a page after the check: for example ``right`` or ``wrong``."""
        return check_page(page).status

    def lines(self, page: InputPage) -> list[Line]:
        """Return lines with the verdict on each grid, its board with all entries, and its mistakes."""
        answers, marks = self.options.answers, self.options.marks
        checked = check_page(page.page)
        lines = head_line(page, checked.status, checked.message, self.style)
        for number, verdict in numbered(checked.grids):
            lines += [[], *_grid_lines(verdict, number, answers, self.style)]
            lines += _marks_lines(verdict, answers, self.style) if marks else []
            lines += clash_lines(verdict.grid, self.style) if page.is_picture else []
            lines += doubt_lines(verdict.grid.doubts, number, page, self.style)
        lines.append([])
        return lines

    def brief(self, page: Page) -> Line:
        """Return one line with the verdict on a page and the numbers of right and wrong entries."""
        checked = check_page(page)
        counts = "; ".join(_counts(one, self.style) for one in checked.grids if one.status != "unreadable")
        return [status_span(checked.status, page.grids, self.style), (f": {counts}" if counts else "", "")]

    def to_dict(self, page: Page) -> dict[str, Any]:
        """Return the verdicts on a page as a JSON object; with ``--marks``, also those on pencil marks."""
        return check_page(page).to_dict(marks=self.options.marks)


def _grid_lines(verdict: Check, number: int, answers: bool, text_style: TextStyle) -> list[Line]:
    caption = [caption_start(number), status_span(verdict.status, [verdict.grid], text_style)]
    if verdict.status == "unreadable":
        return [caption]
    caption.append((f": {_counts(verdict, text_style)}", ""))
    board = styled_board(
        [[_filled(verdict, 9 * r + c) for c in range(9)] for r in range(9)],
        text_style.unicode,
        verdict.grid.rules,
    )
    lines = [*wrapped(caption, text_style, hang=4), *([("  ", ""), *line] for line in board)]
    key = "item.wrong" if verdict.grid.status == "solved" else "item.probably_wrong"
    mistakes = [
        *((cell, key) for cell in verdict.wrong),
        *((cell, "item.unclear") for cell in verdict.unclear),
    ]
    for cell, key in mistakes:
        words = text_style.say(key, cell=cell, digit=verdict.grid.written.flat[cell])
        words += _answer(verdict, cell, text_style) if answers and cell in verdict.wrong else ""
        lines.append([(f"    {words}", "")])
    return lines


def _marks_lines(verdict: Check, answers: bool, text_style: TextStyle) -> list[Line]:
    """Return lines with the number of cells with pencil marks, and the cells with wrong marks."""
    if verdict.status == "unreadable":
        return []
    count = sum(bool(digits) for digits in verdict.grid.marks)
    words = text_style.say("count.marks", count=count)
    if count and verdict.has_verdicts:
        words += f", {text_style.say('count.lost', count=len(verdict.lost_marks))}"
    lines: list[Line] = [[(f"  {words}", "")]]
    texts = marks_text(verdict.grid.marks)
    key = "item.lost" if verdict.grid.status == "solved" else "item.probably_lost"
    for cell in verdict.lost_marks:
        words = text_style.say(key, cell=cell, marks=texts[cell])
        words += _answer(verdict, cell, text_style) if answers else ""
        lines.append([(f"    {words}", "")])
    return lines


def _answer(verdict: Check, cell: int, text_style: TextStyle) -> str:
    assert verdict.grid.solution is not None
    return f", {text_style.say('item.answer', answer=verdict.grid.solution.flat[cell])}"


def _counts(verdict: Check, text_style: TextStyle) -> str:
    say = text_style.say
    left = say("count.left", count=verdict.left)
    if not verdict.grid.written.any():
        return left
    if not verdict.has_verdicts:
        return f"{say('count.written', count=np.count_nonzero(verdict.grid.written))}, {left}"
    parts = [say("count.right", count=len(verdict.right)), say("count.wrong", count=len(verdict.wrong))]
    parts += [unclear_count(verdict, text_style)] if verdict.unclear else []
    return ", ".join([*parts, say("count.complete") if verdict.complete else left])


def _filled(verdict: Check, cell: int) -> Span:
    row, column = divmod(cell, 9)
    if verdict.grid.puzzle[row, column]:
        return str(verdict.grid.puzzle[row, column]), "bold"
    if not verdict.grid.written[row, column]:
        return BLANK
    style = "green" if cell in verdict.right else "bold red" if cell in verdict.wrong else "yellow"
    return str(verdict.grid.written[row, column]), style
