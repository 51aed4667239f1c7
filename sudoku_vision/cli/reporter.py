"""Tell what came of each page: the picture is written, the result printed, reported and counted."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sudoku_vision import __version__
from sudoku_vision.api.json_output import page_answer
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PictureOutput, TargetKind
from sudoku_vision.cli.pages import InputPage, picture_of
from sudoku_vision.cli.runs.drawings import PRINTED_ENDINGS, Draw, annotated, printed, stamped
from sudoku_vision.cli.runs.provenance import Provenance, picture_key, with_provenance
from sudoku_vision.cli.runs.report import ReportFile, ReportRow
from sudoku_vision.cli.runs.tasks import Drawing, drawn
from sudoku_vision.cli.summary import RunSummary
from sudoku_vision.cli.text import STATUS_WORDS, print_aside
from sudoku_vision.errors import SaveError, SudokuVisionError
from sudoku_vision.results import PageResult
from sudoku_vision.sudoku.display import Line, TextStyle, print_lines, style_for

SUMMARY_WORDS = {**STATUS_WORDS, "no_grid": "without a grid"}
"""The statuses of pages, as they are counted."""


@dataclass(frozen=True)
class PageTask:
    """What a command makes of a page that was read.

    ``doing`` it is what progress shows, ``suffix`` ends the names of pictures in a folder, ``said`` is what
    decides what is drawn, besides the common options. ``status`` is a page's own word for how it went,
    ``good`` the one that counts as a success; ``lines`` tell it to people. With ``prints``, a board in text
    and a file of lines and letters are printed afresh.
    """

    command: str
    doing: str
    suffix: str
    good: str
    status: Callable[[PageResult], str]
    draw: Draw
    lines: Callable[[InputPage, TextStyle], list[Line]]
    to_dict: Callable[[PageResult], dict[str, Any]]
    said: str = ""
    prints: bool = False

    def drawing(self, ending: str, *, in_text: bool = False) -> Drawing:
        """Return what is written of a page in the format of an *ending*; *in_text*: it is a board in text."""
        afresh = self.prints and (in_text or ending in PRINTED_ENDINGS)
        return Drawing(printed if afresh else partial(annotated, self.draw), ending)

    def stamping(self, ending: str) -> Drawing:
        """Return what is laid over a page of a document."""
        return Drawing(stamped, ending)


class Teller:
    """Writes and tells what came of each page, and counts it."""

    def __init__(
        self,
        options: Options,
        task: PageTask,
        output: PictureOutput,
        summary: RunSummary,
        recipe: Callable[[], str],
        report: ReportFile | None,
    ) -> None:
        """Tell as the *options* say. *recipe* gives what stands for how pictures are made."""
        self.failed = 0
        self._options, self._task, self._output, self._summary = options, task, output, summary
        self._recipe, self._report = recipe, report
        self._style = style_for(sys.stdout, plain=options.plain)

    def tell(self, one: InputPage) -> None:
        """Write the picture of one page, print its result and count it; an error goes to standard error.

        Of a page whose picture was there already nothing is printed.
        """
        if one.already is not None:
            self._summary.add(one.already.status, done=one.already.status == self._task.good, already=True)
            self._note(_row_already(one, one.already))
            return
        status = self._task.status(one.page)
        if one.error is not None:
            complain(one.page.message)
            self._summary.add_error(one.error)
        else:
            self._summary.add(status, done=status == self._task.good)
        written = self._output.write(one, partial(self._picture, one)) if one.page.grids else None
        told = self._told(one, written) if self._options.as_json or self._report is not None else {}
        if self._options.as_json:
            print(json.dumps(told), flush=True)  # noqa: T201
        elif one.error is None:
            self._print(one, written)
        if self._report is not None:
            self._note(_row(one, told))

    def close(self) -> None:
        """End the report."""
        if self._report is not None:
            self._report.close()

    def _picture(self, one: InputPage, ending: str) -> bytes:
        """Return the file of the picture of a page; raises the error that says why there is none."""
        made = one.picture
        if made is None:
            in_text = one.board is not None
            prints = in_text and self._task.prints
            photo, grids = (None, one.page.grids) if prints else picture_of(one)
            made = drawn(self._task.drawing(ending, in_text=in_text), one.name, photo, grids)
        if isinstance(made, SudokuVisionError):
            raise made
        if not (self._output.target.is_folder and one.digest):
            return made
        page, key = one.page, picture_key(one.digest, one.number, self._recipe())
        noted = Provenance(key, self._task.status(page), len(page.grids), _confidence(page))
        return with_provenance(made, ending, noted)

    def _print(self, one: InputPage, written: str | None) -> None:
        """Print a page for people; beside a picture on standard output, on standard error."""
        lines = self._task.lines(one, self._style)
        if written is not None:
            lines = [*lines[:-1], [(f"  Written: {written}", "")], *lines[-1:]]
        if self._output.target.kind is TargetKind.STANDARD_OUTPUT:
            print_aside(lines, plain=self._options.plain)
        else:
            print_lines(lines, self._style)

    def _told(self, one: InputPage, written: str | None) -> dict[str, Any]:
        told = self._task.to_dict(one.page)
        return page_answer(told, in_text=one.board is not None, output=written)

    def _note(self, row: ReportRow) -> None:
        """Write a line of the report; where that fails, it is said once and there are no more."""
        if self._report is None:
            return
        try:
            self._report.add(replace(row, command=self._task.command, version=__version__))
        except SaveError as error:
            complain(error)
            self.close()
            self._report = None
            self.failed += 1


def _row(one: InputPage, told: dict[str, Any]) -> ReportRow:
    """Return what a report says of a page, from what is *told* of it."""
    error = one.error
    return ReportRow(
        source=told["source"],
        page=told["page"],
        status=told["status"],
        message=told["message"] if error is None else error.message,
        remedy="" if error is None else error.remedy,
        grids=len(told["grids"]),
        confidence=_confidence(one.page),
        seconds=told["seconds"],
        output=told["output"] or "",
        below=one.below,
    )


def _row_already(one: InputPage, found: Provenance) -> ReportRow:
    """Return what a report says of a page whose picture was there already."""
    return ReportRow(
        source=one.source,
        page=one.number,
        status=found.status,
        grids=found.grids,
        confidence=found.confidence,
        output=str(one.place),
        below=one.below,
    )


def _confidence(page: PageResult) -> float | None:
    """Return the confidence of the least sure grid that was read, None without one."""
    read = (grid.confidence for grid in page.grids if grid.status != "unreadable")
    return min((round(float(confidence), 6) for confidence in read), default=None)
