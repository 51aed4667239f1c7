"""Work through the pages of all inputs: read, draw, tell; one that fails never stops the rest."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sudoku_vision.cli.inputs import find_inputs, say_left_out
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DebugFolders, PictureOutput, TargetKind
from sudoku_vision.cli.pages import InputPage, picture_of
from sudoku_vision.cli.progress import progress
from sudoku_vision.cli.sharing import SharedReader
from sudoku_vision.cli.summary import RunSummary
from sudoku_vision.cli.text import STATUS_WORDS, print_aside
from sudoku_vision.display import Line, TextStyle, print_lines, style_for
from sudoku_vision.errors import ExitCode, SudokuVisionError
from sudoku_vision.parallel import open_executor
from sudoku_vision.questions.told import page_answer
from sudoku_vision.results import STATUS_ORDER, PageResult
from sudoku_vision.runs.tasks import Draw, Drawing, drawn

AHEAD = 3
"""Tasks a job that are under way, or done and not told: one at work, one that waits, one that was quick."""


@dataclass(frozen=True)
class PageTask:
    """What a command makes of a page that was read.

    ``doing`` it is what progress shows, ``suffix`` ends the names of pictures in a folder. ``status`` is a
    page's own word for how it went, ``good`` the one that counts as a success; ``lines`` tell it to people.
    """

    command: str
    doing: str
    suffix: str
    good: str
    status: Callable[[PageResult], str]
    draw: Draw
    lines: Callable[[InputPage, TextStyle], list[Line]]
    to_dict: Callable[[PageResult], dict[str, Any]]


def run_pages(arguments: Sequence[str], options: Options, task: PageTask) -> ExitCode:
    """Do *task* with every page that *arguments* lead to, tell and write what came of it.

    Returns the exit status. Raises :class:`~sudoku_vision.errors.UsageError` and
    :class:`~sudoku_vision.errors.SaveError` for what can't be meant or written, before any work.
    """
    inputs = find_inputs(arguments)
    output = PictureOutput(options.output, inputs, task.suffix)
    output.check_beside_json(as_json=options.as_json)
    debug = DebugFolders(options.debug_dir, inputs)
    reader = SharedReader(task.command, inputs, options, output, task.draw, debug)
    say_left_out(inputs)
    summary = RunSummary("picture", STATUS_ORDER, _SUMMARY_WORDS)
    teller = _Teller(options, task, output, summary)
    jobs = 1
    with open_executor(jobs) as executor, progress(len(inputs.items), task.doing) as bar:
        for one in reader.pages(executor, AHEAD * jobs, bar.advance):
            with bar.cleared():
                teller.tell(one)
    summary.add_failure(output.failed + debug.failed)
    return summary.close(searched=inputs.searched)


class _Teller:
    """Writes and tells what came of each page, and counts it."""

    def __init__(self, options: Options, task: PageTask, output: PictureOutput, summary: RunSummary) -> None:
        self._options, self._task, self._output, self._summary = options, task, output, summary
        self._style = style_for(sys.stdout, plain=options.plain)

    def tell(self, one: InputPage) -> None:
        """Write the picture of one page, print its result and count it; an error goes to standard error."""
        status = self._task.status(one.page)
        if one.error is not None:
            complain(one.page.message)
            self._summary.add_error(one.error)
        else:
            self._summary.add(status, done=status == self._task.good)
        written = self._output.write(one, partial(self._picture, one)) if one.page.grids else None
        if self._options.as_json:
            print(json.dumps(self._json(one, written)), flush=True)  # noqa: T201
        elif one.error is None:
            self._print(one, written)

    def _picture(self, one: InputPage, ending: str) -> bytes:
        """Return the file of the picture of a page; raises the error that says why there is none."""
        made = one.picture
        if made is None:
            made = drawn(Drawing(self._task.draw, ending), one.name, *picture_of(one))
        if isinstance(made, SudokuVisionError):
            raise made
        return made

    def _print(self, one: InputPage, written: str | None) -> None:
        """Print a page for people; beside a picture on standard output, on standard error."""
        lines = self._task.lines(one, self._style)
        if written is not None:
            lines = [*lines[:-1], [(f"  Written: {written}", "")], *lines[-1:]]
        if self._output.target.kind is TargetKind.STANDARD_OUTPUT:
            print_aside(lines, plain=self._options.plain)
        else:
            print_lines(lines, self._style)

    def _json(self, one: InputPage, written: str | None) -> dict[str, Any]:
        told = self._task.to_dict(one.page)
        return page_answer(told, in_text=one.board is not None, output=written)


_SUMMARY_WORDS = {**STATUS_WORDS, "no_grid": "without a grid"}
