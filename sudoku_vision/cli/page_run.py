"""The base class of the runs of ``solve`` and ``check``, which work page by page."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_vision import __version__
from sudoku_vision.api.answers import page_answer
from sudoku_vision.cli.inputs import Input, find_inputs, paths_of
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DrawInto, Output, PictureOutput
from sudoku_vision.cli.pages import InputPage
from sudoku_vision.cli.report import ReportFile, ReportRow, resumed
from sudoku_vision.cli.reporter import complain
from sudoku_vision.cli.run import PageReader, Run
from sudoku_vision.errors import ExitCode, SaveError, SudokuVisionError, UsageError
from sudoku_vision.output.save import check_folder
from sudoku_vision.page import Page
from sudoku_vision.sudoku.display import Line
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import STATUS_ORDER

if TYPE_CHECKING:
    from sudoku_vision.output.debug import DebugFolder

MIN_BRIEF = 11  # with this many inputs or more, each page is printed as one line


class PageRun(Run):
    """A run that reads page after page, draws and prints its result, adds it to the report, and counts it."""

    suffix: ClassVar[str]
    """The word at the end of the names of pictures in a folder, before the ending, for example "solved"."""
    good: ClassVar[tuple[str, ...]]
    """The statuses of pages that count as a success."""
    prints: ClassVar[bool] = False
    """Whether boards in text, and all boards in SVG files, are drawn plainly, without a photo."""
    noun, order = "picture", STATUS_ORDER

    def __init__(self, arguments: Sequence[str], options: Options) -> None:
        self._done: list[ReportRow] = []
        super().__init__(arguments, options)
        kept = [row.output for row in self._done if row.output]
        self._output = PictureOutput(options, self.inputs, self.suffix, kept=kept, prints=self.prints)
        self.share_standard_output(self._output, "the picture")
        if options.report is not None:
            Output(options.report, paths_of(self.inputs), folders=False)
        if options.debug_dir is not None:
            check_folder(options.debug_dir)
        draw = self._output.drawing(self.into_photo) if self._output.is_wanted else None
        debug = None if options.debug_dir is None else self._debug_folder
        self.reader = PageReader(options, draw, debug=debug)
        for row in self._done if arguments else ():
            self.reporter.add(row.status, done=row.status in self.good, already=True)
        self._is_brief = len(self.inputs) >= MIN_BRIEF if options.quiet is None else options.quiet
        self._report: ReportFile | None = None
        self._held: list[ReportRow] = []
        """Lines of the report that wait for the output PDF, because their pages are done only with it."""

    def find_inputs(self, arguments: Sequence[str]) -> tuple[Input, ...]:
        """Return the inputs that *arguments* mean; with ``--resume``, pages that are done are left out."""
        options = self.options
        if options.resume and options.report is None:
            remedy = "Name the report of that run, as in: --resume --report run.csv"
            raise UsageError("--resume goes on with a report.", remedy)
        if not arguments and not options.resume:
            raise UsageError("Missing argument 'INPUT'.", f"See: sudoku-vision {self.name} --help")
        if not arguments and options.page is not None:
            raise UsageError("--page can't be, as the report names the pages.", "Leave it out.")
        inputs = find_inputs(arguments, recursive=options.recursive, output=options.output)
        if options.resume:
            inputs, self._done = resumed(str(options.report), inputs, self.name)
        return inputs

    # The methods below are those that ``solve`` and ``check`` define in different ways.

    @property
    @abstractmethod
    def into_photo(self) -> DrawInto:
        """The function that draws the result of a page into its photo; it can be sent to other processes."""

    def status(self, page: Page) -> str:
        """Return the status of a page, by which it is counted, printed and reported."""
        return page.status

    @abstractmethod
    def lines(self, page: InputPage) -> list[Line]:
        """Return the lines that are printed for a page; the last line is blank."""

    @abstractmethod
    def brief(self, page: Page) -> Line:
        """Return the text after the name of a page if only one line is printed for it."""

    @abstractmethod
    def to_dict(self, page: Page) -> dict[str, Any]:
        """Return the result of a page as a JSON object."""

    # The methods below do the work of a run.

    def run(self, executor: Executor | None = None) -> ExitCode:
        """Read all pages with the *executor*, call :meth:`take` with each, and return the exit status."""
        if not self.inputs:
            complain(f"{self.options.report}: all pages in it are done, and nothing is left to read again.")
            return ExitCode.DONE
        if self.options.report is not None:
            self._report = ReportFile(self.options.report, go_on=self.options.resume)
        try:
            return super().run(executor)
        finally:
            if self._report is not None:
                self._report.close()

    def take(self, page: InputPage) -> None:
        """Write the picture of a page, print its result, count it and add it to the report."""
        reporter = self.reporter
        status, written = self.status(page.page), None
        if page.error is not None:
            reporter.add_error(page.error)
        else:
            reporter.add(status, done=status in self.good)
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
        """If wanted, print the result of a page as JSON, and write or hold back its line of the report."""
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
        """Write a line of the report; with an *error*, the line says that the page isn't done.

        If writing fails, this is reported once, and no more lines are written.
        """
        if self._report is None:
            return
        if error is not None:
            row = replace(row, status="error", message=error.message, remedy=error.remedy, output="")
        try:
            self._report.add(row)
        except SaveError as failure:
            self.reporter.add_failure(failure)
            self._report.close()
            self._report = None

    def finish(self) -> None:
        """If there is one output PDF for all pages, write it, and then the report's lines for its pages."""
        with self.reporter.guarded() as errors:
            self._output.close()
        for row in self._held:
            self._note(row, errors[0] if errors else None)

    def _debug_folder(self, page: InputPage, photo: Photo) -> DebugFolder:
        """Return the writer for pictures of the stages; each of several pages has its own folder."""
        from sudoku_vision.output.debug import DebugFolder, draw_photo

        folder = self.options.debug_dir
        assert folder is not None
        if page.paged or len(self.inputs) > 1:
            folder = self._output.free(folder / page.stem)
        sink = DebugFolder(folder, paths_of(self.inputs))
        sink.add("photo", draw_photo(photo))
        return sink
