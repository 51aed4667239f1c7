"""The runs of ``solve`` and ``check``, which work page by page: they draw and print the results of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sudoku_vision import __version__
from sudoku_vision.api.answers import page_answer
from sudoku_vision.cli.inputs import paths_of
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import Grids, PictureOutput, page_file
from sudoku_vision.cli.pages import (
    InputPage,
    caption_start,
    head_line,
    link_of,
    numbered,
    page_lines,
    status_span,
    trouble_lines,
)
from sudoku_vision.cli.report import ReportFile, ReportRow
from sudoku_vision.cli.reporter import complain
from sudoku_vision.cli.run import PageReader, Run
from sudoku_vision.errors import ExitCode, SudokuVisionError
from sudoku_vision.output.save import check_folder, check_place
from sudoku_vision.page import Page, check_page
from sudoku_vision.sudoku.board import marks_text
from sudoku_vision.sudoku.display import Line, puzzle_cells, styled_board, wrapped
from sudoku_vision.sudoku.formats import site_named
from sudoku_vision.values import Image
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import STATUS_ORDER
from sudoku_vision.vision.verdicts import Check, check

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugFolder

MIN_BRIEF = 11  # with this many inputs or more, each page is printed as one line


class SolveRun(Run):
    """A run of ``solve``. It draws and prints the answers of each page, and counts and reports the pages.

    The subclass for ``check`` shows which entries of a person are right, instead of answers.
    """

    name, doing = "solve", "solving"
    noun, order = "picture", STATUS_ORDER
    good: ClassVar[tuple[str, ...]] = ("solved",)
    suffix: ClassVar[str] = "solved"  # the last word in the names of pictures in a folder
    prints: ClassVar[bool] = True  # whether SVG files, and files for boards in text, show printed grids

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        super().__init__(arguments, options)
        self._site = None if options.link is None else site_named(options.link).name
        kept = [row.output for row in self.done if row.output]
        self._output = PictureOutput(options, self.inputs, self.suffix, kept=kept, prints=self.prints)
        if options.report is not None:
            check_place(options.report, paths_of(self.inputs))
        if options.debug_dir is not None:
            check_folder(options.debug_dir)
        debug = None if options.debug_dir is None else self._debug_folder
        draw = None
        if self._output.is_wanted:
            stamped = self._output.document is not None
            ending = self._output.picture_ending
            draw = partial(page_file, self.draw, options, ending, printed=self.prints, stamped=stamped)
        self.reader = PageReader(options, draw, debug=debug)
        for row in self.done if arguments else ():
            self.reporter.add(row.status, already=True)
        self._is_brief = len(self.inputs) >= MIN_BRIEF if options.quiet is None else options.quiet
        self._report: ReportFile | None = None
        self._held: list[ReportRow] = []
        """Lines of the report that are written after the output PDF, because their pages are in this PDF."""

    # ``check`` replaces the following methods.

    @staticmethod
    def draw(photo: Photo, grids: Grids, options: Options) -> Image:
        """Return a photo with the answers drawn into it."""
        from sudoku_vision.output.overlay import overlay

        return overlay(photo, grids, language=options.text_language)

    def status(self, page: Page) -> str:
        """Return the status of a page for the summary, the printed text and the report."""
        return page.status

    def lines(self, page: InputPage) -> list[Line]:
        """Return lines with each puzzle beside its solution and, with ``--link``, the link to each puzzle."""
        return page_lines(page, self.style, self._site)

    def brief(self, page: Page) -> Line:
        """Return a line with the status of a page, and the number of grids unless it is 1.

        With ``--link``, the line ends with the link to each puzzle.
        """
        addresses = filter(None, (link_of(grid, self._site) for grid in page.grids))
        links = "".join(f" {address}" for address in addresses)
        count = len(page.grids)
        grids = f", {self.style.say('grid.count', count=count)}" if count > 1 else ""
        return [status_span(page.status, page.grids, self.style), (f"{grids}{links}", "")]

    def to_dict(self, page: Page) -> dict[str, Any]:
        """Return the result of a page as a JSON object; with ``--link``, each grid has its link."""
        value = page.to_dict()
        if self._site:
            grids = zip(value["grids"], page.grids, strict=True)
            value["grids"] = [{**data, "link": link_of(grid, self._site)} for data, grid in grids]
        return value

    # The methods below do the work of a run.

    def run(self, executor: Executor) -> ExitCode:
        """Do the run, and write its report. If an earlier run has done all pages, only print a message."""
        report = self.options.report
        if not self.inputs:
            complain(f"{report}: all pages in it are done, and nothing is left to read again.")
            return ExitCode.DONE
        file = None if report is None else closing(ReportFile(report, go_on=self.options.resume))
        with file or nullcontext() as self._report:
            return super().run(executor)

    def take(self, page: InputPage) -> None:
        """Write the picture of a page, print its result, count it and add it to the report."""
        reporter = self.reporter
        grids, source = page.page.grids, page.page.source
        if self._site and any(grid.status not in ("solved", "unreadable") for grid in grids):
            complain(f"{source}: the reading is not sure, so look at the clues before you use the link.")
        status, written = self.status(page.page), None
        if page.error is not None:
            reporter.add_error(page.error)
        else:
            reporter.add(status)
        with reporter.guarded(page.name) as errors:
            written = self._output.write_page(page)
        if reporter.as_json or self._report is not None:
            self._describe(page, written, errors[0] if errors else page.error)
        if reporter.as_json or page.error is not None:
            return
        if self._is_brief:
            place = "" if written is None else f" -> {written}"
            reporter.print([[(f"{page.title}: ", "bold"), *self.brief(page.page), (place, "")]])
        else:
            *lines, blank = self.lines(page)
            words = f"  {self.style.say('file.written')} {written}"
            reporter.print([*lines, *([] if written is None else [[(words, "")]]), blank])

    def _describe(self, page: InputPage, written: str | None, error: SudokuVisionError | None) -> None:
        """Print the result of a page as JSON if wanted, and add a line about the page to the report.

        *written*: the path of the page's picture, or None. *error*: what went wrong, or None. If the output
        is one PDF for all pages, the line is written after the PDF.
        """
        data = page_answer(self.to_dict(page.page), in_text=not page.is_picture, output=written)
        data |= {} if error is None else {"message": str(error)}
        if self.options.as_json:
            self.reporter.print_json(data)
        read = [grid for grid in page.page.grids if grid.status != "unreadable"]
        row = ReportRow(
            *(data["source"], data["page"], data["status"], data["message"]),
            command=self.name,
            version=__version__,
            grids=len(data["grids"]),
            confidence=min((round(float(grid.confidence), 6) for grid in read), default=None),
            seconds=data["seconds"],
            output=written or "",
            below=page.item.below,
        )
        if written is not None and self._output.document is not None:
            self._held.append(row)
        else:
            self._note(row, error)

    def _note(self, row: ReportRow, error: SudokuVisionError | None) -> None:
        """Write a line of the report. If there is an *error*, the line says that the page isn't done."""
        if error is not None:
            row = replace(row, status="error", message=error.message, remedy=error.remedy, output="")
        if self._report is not None:
            with self.reporter.guarded():
                self._report.add(row)

    def finish(self) -> None:
        """If there is one output PDF for all pages, write it. Then write the stored lines of the report."""
        with self.reporter.guarded() as errors:
            self._output.close()
        for row in self._held:
            self._note(row, errors[0] if errors else None)

    def _debug_folder(self, page: InputPage, photo: Photo) -> DebugFolder:
        """Return the object that writes the pictures of ``--debug-dir``, one for each stage of the reading.

        If the run has several pages, each page has its own folder.
        """
        from sudoku_vision.output.debug import DebugFolder, draw_photo

        folder = self.options.debug_dir
        assert folder is not None
        if page.paged or len(self.inputs) > 1:
            folder = self._output.free(folder / page.stem)
        sink = DebugFolder(folder, paths_of(self.inputs))
        sink.add("photo", draw_photo(photo))
        return sink


class CheckRun(SolveRun):
    """A run of ``check``, which marks the entries of each page as right or wrong."""

    name, doing, suffix, good = "check", "checking", "checked", ("right", "nothing_written")
    prints = False

    @staticmethod
    def draw(photo: Photo, grids: Grids, options: Options) -> Image:
        """Return the pixels of a photo in which right and wrong entries are marked."""
        from sudoku_vision.output.overlay import overlay_check

        checks, language = [check(grid) for grid in grids], options.text_language
        return overlay_check(photo, checks, answers=options.answers, marks=options.marks, language=language)

    def status(self, page: Page) -> str:
        """Return the status of a page after the check: for example ``right`` or ``wrong``."""
        return check_page(page).status

    def lines(self, page: InputPage) -> list[Line]:
        """Return lines with the verdict on each grid, its board with all entries, and its mistakes."""
        checked = check_page(page.page)
        lines = head_line(page, checked.status, checked.message, self.style)
        for number, verdict in numbered(checked.grids):
            lines += [[], *self._grid_lines(verdict, number)]
            lines += trouble_lines(verdict.grid, number, page, self.style)
        return [*lines, []]

    def brief(self, page: Page) -> Line:
        """Return one line with the verdict on a page and the numbers of right and wrong entries."""
        checked = check_page(page)
        counts = "; ".join(self._counts(one) for one in checked.grids if one.status != "unreadable")
        return [status_span(checked.status, page.grids, self.style), (f": {counts}" if counts else "", "")]

    def to_dict(self, page: Page) -> dict[str, Any]:
        """Return the verdicts on a page as a JSON object. With ``--marks``, add verdicts on pencil marks."""
        return check_page(page).to_dict(marks=self.options.marks)

    def _grid_lines(self, verdict: Check, number: int) -> list[Line]:
        grid, style = verdict.grid, self.style
        caption = [caption_start(number), status_span(verdict.status, [grid], style)]
        if verdict.status == "unreadable":
            return [caption]
        caption.append((f": {self._counts(verdict)}", ""))
        cells = puzzle_cells(grid.puzzle, grid.written, "yellow")
        for marked, colour in ((verdict.right, "green"), (verdict.wrong, "bold red")):
            for row, column in (divmod(cell, 9) for cell in marked):
                cells[row][column] = (cells[row][column][0], colour)
        board = styled_board(cells, style.unicode, grid.rules)
        lines = [*wrapped(caption, style, hang=4), *([("  ", ""), *line] for line in board)]
        lines += self._cell_lines("wrong", verdict, verdict.wrong)
        lines += self._cell_lines("unclear", verdict, verdict.unclear)
        if self.options.marks:
            count = sum(map(bool, grid.marks))
            words = style.say("count.marks", count=count)
            if count and verdict.has_verdicts:
                words += f", {style.say('count.lost', count=len(verdict.lost_marks))}"
            lines += [[(f"  {words}", "")], *self._cell_lines("lost", verdict, verdict.lost_marks)]
        return lines

    def _cell_lines(self, kind: str, verdict: Check, cells: Iterable[int]) -> list[Line]:
        """Return a line for each of *cells*.

        *kind* is "wrong" or "unclear" for entries, and "lost" for pencil marks that lack the right digit.
        With ``--answers``, a line ends with the right digit, unless *kind* is "unclear".
        """
        grid, lines = verdict.grid, list[Line]()
        key = f"item.{kind}" if grid.status == "solved" or kind == "unclear" else f"item.probably_{kind}"
        marks = marks_text(grid.marks)
        for cell in cells:
            words = self.style.say(key, cell=cell, digit=grid.written.flat[cell], marks=marks[cell])
            if self.options.answers and grid.solution is not None and kind != "unclear":
                words += f", {self.style.say('item.answer', answer=grid.solution.flat[cell])}"
            lines.append([(f"    {words}", "")])
        return lines

    def _counts(self, verdict: Check) -> str:
        say = self.style.say
        left = say("count.left", count=verdict.left)
        if not verdict.grid.written.any():
            return left
        if not verdict.has_verdicts:
            return f"{say('count.written', count=np.count_nonzero(verdict.grid.written))}, {left}"
        parts = [say("count.right", count=len(verdict.right)), say("count.wrong", count=len(verdict.wrong))]
        parts += [say("count.unclear", count=len(verdict.unclear))] if verdict.unclear else []
        return ", ".join([*parts, say("count.complete") if verdict.complete else left])
