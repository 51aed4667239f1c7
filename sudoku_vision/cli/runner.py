"""Work through the pages of all inputs: read, draw, tell; one that fails never stops the rest."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cache, partial

from sudoku_vision.cli.again import with_failures
from sudoku_vision.cli.inputs import Inputs, find_inputs, say_left_out
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import DebugFolders, PictureOutput, find_file
from sudoku_vision.cli.progress import progress
from sudoku_vision.cli.reporter import SUMMARY_WORDS, PageTask, Teller
from sudoku_vision.cli.runs.report import ReportFile, check_report, read_report
from sudoku_vision.cli.sharing import SharedReader
from sudoku_vision.cli.summary import RunSummary
from sudoku_vision.errors import ExitCode, UsageError
from sudoku_vision.results import STATUS_ORDER


def run_pages(arguments: Sequence[str], options: Options, task: PageTask, executor: Executor) -> ExitCode:
    """Do *task* with every page that *arguments* lead to, by *executor*; tell and write what came of it.

    Returns the exit status. Raises :class:`~sudoku_vision.errors.UsageError` and
    :class:`~sudoku_vision.errors.SaveError` for what can't be meant or written, before any work.
    """
    inputs = _inputs(arguments, options, task)
    output = PictureOutput(options.output, inputs, task.suffix, prints=task.prints)
    _check_options(options, inputs, output)
    debug = DebugFolders(options.debug_dir, inputs)
    drawing = task.stamping if output.is_document else task.drawing
    recipe = cache(partial(_recipe, options, task))
    reader = SharedReader(task.command, inputs, options, output, drawing, debug, recipe=recipe)
    say_left_out(inputs)
    summary = RunSummary("picture", STATUS_ORDER, SUMMARY_WORDS)
    report = None if options.report is None else ReportFile(options.report)
    teller = Teller(options, task, output, summary, recipe, report)
    try:
        with progress(len(inputs.items), task.doing) as bar:
            for one in reader.pages(executor, bar.advance):
                with bar.cleared():
                    teller.tell(one)
    except KeyboardInterrupt:
        if summary.total:
            complain(f"interrupted after {summary}")
        raise
    finally:
        teller.close()
    output.close()
    summary.add_failure(output.failed + debug.failed + teller.failed)
    return summary.close(searched=inputs.searched)


def _inputs(arguments: Sequence[str], options: Options, task: PageTask) -> Inputs:
    """Find all that is to be read."""
    if not arguments and options.again is None:
        raise UsageError("Missing argument 'INPUT'.", f"See: sudoku-vision {task.command} --help")
    inputs = find_inputs(arguments, recursive=options.recursive, output=options.output)
    if options.again is None:
        return inputs
    return with_failures(inputs, read_report(options.again), options.again)


def _check_options(options: Options, inputs: Inputs, output: PictureOutput) -> None:
    """Raise the errors of options that can't be, or can't be together."""
    output.check_beside_json(as_json=options.as_json)
    if options.report is not None:
        check_report(options.report)
        find_file(options.report, inputs.paths, noun="photo")
        find_file(options.report, filter(None, [options.again]), noun="report")
    if options.resume and not output.target.is_folder:
        raise UsageError("--resume looks for what stands in a folder.", "Name that folder with -o.")
    if options.again is not None and options.page is not None:
        raise UsageError("--again and --page can't both be: a report names the pages.", "Leave one out.")


def _recipe(options: Options, task: PageTask) -> str:
    """Return what stands for all that decides what is drawn: the model's file is read for that."""
    from sudoku_vision.cli.runs.recipe import recipe_of

    said: dict[str, str | float | None] = {
        "command": task.said,
        "overrides": options.overrides,
        "corners": options.corners,
        "max_megapixels": options.max_megapixels,
    }
    return recipe_of(task.suffix, options.model, **said)
