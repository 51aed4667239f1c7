"""Work through the pages of all inputs, as ``solve`` and ``check`` do: read, draw, print, report, count."""

import contextlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sudoku_vision import __version__
from sudoku_vision.api.json_output import page_answer
from sudoku_vision.cli.drawings import PRINTED_ENDINGS, Draw, Drawing, annotated, printed, stamped
from sudoku_vision.cli.inputs import Input, Inputs
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DebugFolders, PictureOutput, find_target
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.provenance import Provenance, digest, picture_key, with_provenance
from sudoku_vision.cli.reader import Reader
from sudoku_vision.cli.report import ReportFile, ReportRow, failed_pages, read_report
from sudoku_vision.cli.reporter import Reporter
from sudoku_vision.cli.search import find_inputs, input_kind
from sudoku_vision.errors import (
    ExitCode,
    OpenError,
    SaveError,
    SudokuVisionError,
    UsageError,
    explained_memory,
)
from sudoku_vision.results import STATUS_ORDER, PageResult
from sudoku_vision.sudoku.display import Line, TextStyle
from sudoku_vision.vision.digits.model import default_path

BRIEF_FROM = 11  # inputs from which each page has one line alone: nobody reads so many boards


@dataclass(frozen=True)
class PageCommand:
    """What a command makes of a page that was read.

    ``doing`` it is what progress shows, ``suffix`` ends the names of pictures in a folder, ``good`` are the
    statuses that count as a success. ``draw`` draws into a photo, in any process; ``status`` gives the word
    for how a page went, ``lines`` the page for people, a blank line last, ``brief`` what stands behind its
    name where it has one line alone, ``to_dict`` the page for other programs.
    ``choices`` decide what is drawn, besides the common options. With ``prints``, a board in text and a file
    of lines and letters are printed afresh.
    """

    name: str
    doing: str
    suffix: str
    good: tuple[str, ...]
    draw: Draw
    status: Callable[[PageResult], str]
    lines: Callable[[InputPage, TextStyle], list[Line]]
    brief: Callable[[PageResult], Line]
    to_dict: Callable[[PageResult], dict[str, Any]]
    choices: str = ""
    prints: bool = False


def run_pages(
    command: PageCommand, arguments: Sequence[str], options: Options, executor: Executor
) -> ExitCode:
    """Do a *command* with every page that *arguments* lead to, read by *executor*; return the exit status.

    Raises :class:`UsageError` and :class:`SaveError` for what can't be meant or written, before any work.
    """
    by_report = options.resume and options.report is not None and not arguments
    if not arguments and not by_report:
        raise UsageError("Missing argument 'INPUT'.", f"See: sudoku-vision {command.name} --help")
    if by_report and options.page is not None:
        raise UsageError("--page can't be, as the report names the pages.", "Leave it out.")
    inputs = find_inputs(arguments, recursive=options.recursive, output=options.output)
    if by_report:
        assert options.report is not None
        inputs = _failed_inputs(options.report)
        if not inputs.items:
            complain(f"{options.report}: all pages in it are done, and nothing is left to read again.")
            return ExitCode.DONE
    run = _PageRun(command, inputs, options, by_report=by_report)
    reporter = run.reporter
    try:
        with reporter.progress(len(inputs.items), command.doing):
            for page in run.reader.pages(executor, reporter.bar.advance):
                run.report_page(page)
        run.finish()
    finally:
        run.close_report()
    return reporter.close(searched=inputs.searched)


def _failed_inputs(report: str) -> Inputs:
    """Return what has to be read again, by a *report*; raises :class:`UsageError` for one without pages.

    The pictures that were written of the other pages are kept, so that none of them is overwritten.
    """
    rows = read_report(report)
    if not rows:
        raise UsageError(f"{report}: this report names no pages.", "Name what is to be read.")
    failed = failed_pages(rows)
    several = {row.source for row in rows if row.page > 1}
    items = tuple(
        _failed_input(source, tuple(row.page for row in pages) if source in several else (), pages[0].below)
        for source, pages in failed.items()
    )
    again = {row.output for pages in failed.values() for row in pages}
    kept = tuple(row.output for row in rows if row.output and row.output not in again)
    return Inputs(items, searched=True, kept=kept)


def _failed_input(source: str, pages: tuple[int, ...], below: str) -> Input:
    """Return what a source is now, of which only *pages* are meant, if any are named."""
    kind = input_kind(source)
    if kind == "file":
        return Input(source, source, below=below, pages=pages)
    if kind == "text" and not Path(source).suffix:
        return Input(source, text=source, pages=pages)
    what = f"{source}: there is no such file any more."
    if kind == "standard input":
        what = f"{source}: what came on standard input is not there any more."
    return Input(source, error=OpenError(what, "Name it, where it is now."))


class _PageRun:
    """A run of a command: where its pictures, lines and report go."""

    def __init__(self, command: PageCommand, inputs: Inputs, options: Options, *, by_report: bool) -> None:
        """Check all that was asked for, before any work."""
        self._command, self._options = command, options
        self.output = PictureOutput(options, inputs, command.suffix, prints=command.prints)
        by_folder = options.resume and not by_report
        if by_folder and not self.output.target.is_folder:
            remedy = "Name that folder with -o, or a report with --report and no INPUT."
            raise UsageError("--resume looks for what stands in a folder.", remedy)
        if options.report is not None:
            find_target(options.report, inputs.paths, folders=False)
        self._is_brief = len(inputs.items) >= BRIEF_FROM if options.quiet is None else options.quiet
        self._recipe = ""
        """What stands for all that decides what is drawn: this version, the model, the options."""
        if self.output.target.is_folder:
            said = [command.choices, options.overrides, options.corners, options.max_megapixels]
            said += [options.rules, options.regions]
            model = ""
            with contextlib.suppress(OSError):  # reading a picture says what is wrong with it
                model = digest(options.model or default_path())
            self._recipe = json.dumps([command.suffix, __version__, model, said])
        self.reporter = Reporter(
            "picture",
            STATUS_ORDER,
            {"no_grid": "without a grid"},
            as_json=options.as_json,
            aside=self.output.target.is_standard_output,
        )
        folder, guarded = options.debug_dir, self.reporter.guarded
        self.reader = Reader(
            command.name,
            inputs,
            options,
            output=self.output,
            drawing=self._drawing if self.output.target.is_wanted else None,
            debug=None if folder is None else DebugFolders(folder, inputs, guarded),
            recipe=self._recipe if by_folder else None,
        )
        self._report = None if options.report is None else ReportFile(options.report, go_on=by_report)
        self._held: list[ReportRow] = []
        """What is done only when the document is written that all goes into."""

    def _drawing(self, page: InputPage) -> Drawing:
        """Return what is written of a page."""
        ending = self.output.ending(page)
        if self.output.document is not None:
            return Drawing(stamped, ending)
        if self._command.prints and (not page.is_picture or ending in PRINTED_ENDINGS):
            return Drawing(printed, ending)
        return Drawing(partial(annotated, self._command.draw), ending)

    def report_page(self, page: InputPage) -> None:
        """Write the picture of a page, print its result and count it; an error goes to standard error.

        Of a page whose picture was there already nothing is printed.
        """
        command = self._command
        if page.already is not None:
            found = page.already
            self.reporter.add(found.status, done=found.status in command.good, already=True)
            row = ReportRow(page.source, page.number, found.status, output=str(page.place), below=page.below)
            self._note(replace(row, grids=found.grids, confidence=found.confidence))
            return
        status, written, error = command.status(page.page), None, page.error
        if error is not None:
            self.reporter.add_error(error)
        else:
            self.reporter.add(status, done=status in command.good)
            written, error = self._write(page, status)
        if self._options.as_json or self._report is not None:
            self._tell(page, written, error)
        if not self._options.as_json and page.error is None:
            self.reporter.print(self._lines(page, written))

    def _tell(self, page: InputPage, written: str | None, error: SudokuVisionError | None) -> None:
        """Tell of a page to other programs, in JSON and in the report."""
        data = page_answer(self._command.to_dict(page.page), in_text=not page.is_picture, output=written)
        data |= {} if error is None else {"message": str(error)}
        if self._options.as_json:
            self.reporter.print_json(data)
        row = ReportRow(data["source"], data["page"], data["status"], data["message"], below=page.below)
        row = replace(row, grids=len(data["grids"]), confidence=_confidence(page.page))
        row = replace(row, seconds=data["seconds"], output=written or "")
        if written is not None and self.output.document is not None:
            self._held.append(row)
        else:
            self._note(row if error is None else _failed(row, error))

    def _lines(self, page: InputPage, written: str | None) -> list[Line]:
        """Return what is printed of a page, and where its picture was *written*."""
        if self._is_brief:
            place = f" -> {written}" if written is not None else ""
            return [[(f"{page.title}: ", "bold"), *self._command.brief(page.page), (place, "")]]
        lines = self._command.lines(page, self.reporter.style)
        if written is not None:
            lines = [*lines[:-1], [(f"  Written: {written}", "")], *lines[-1:]]
        return lines

    def _write(self, page: InputPage, status: str) -> tuple[str | None, SudokuVisionError | None]:
        """Write the picture of a page, in a folder with a note of what it was made from.

        Return its path, if there is one, or the error.
        """
        picture = page.picture
        if isinstance(picture, bytes) and page.digest and self.output.target.is_folder:
            key = picture_key(page.digest, page.number, self._recipe)
            note = Provenance(key, status, len(page.page.grids), _confidence(page.page))
            picture = with_provenance(picture, self.output.ending(page), note)
        try:
            with explained_memory(page.name):
                return None if picture is None else self.output.write(page, picture), None
        except SudokuVisionError as error:
            self.reporter.add_failure(error)
            return None, error

    def _note(self, row: ReportRow) -> None:
        """Write a line of the report; where that fails, it is said once and there are no more."""
        if self._report is None:
            return
        try:
            self._report.add(replace(row, command=self._command.name, version=__version__))
        except SaveError as error:
            self.reporter.add_failure(error)
            self.close_report()
            self._report = None

    def finish(self) -> None:
        """Write the document that all goes into; only then its pages are done."""
        try:
            with explained_memory():
                self.output.close()
        except SudokuVisionError as error:
            self.reporter.add_failure(error)
            self._held = [_failed(row, error) for row in self._held]
        for row in self._held:
            self._note(row)

    def close_report(self) -> None:
        """End the report."""
        if self._report is not None:
            self._report.close()


def _failed(row: ReportRow, error: SudokuVisionError) -> ReportRow:
    """Return the line of a page that could not be opened or written: it is not done."""
    return replace(row, status="error", message=error.message, remedy=error.remedy, output="")


def _confidence(page: PageResult) -> float | None:
    """Return the confidence of the least sure grid that was read, None without one."""
    read = (grid.confidence for grid in page.grids if grid.status != "unreadable")
    return min((round(float(confidence), 6) for confidence in read), default=None)
