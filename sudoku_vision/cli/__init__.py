"""The command line: ``sudoku-vision COMMAND``.

::

    app            the click application: help, reports of a user's mistakes, exit statuses
    options        declares each option once; during a run, one object holds the values of all options
    commands       declares each command and its options; chooses the processes that read pictures
    run            the base class of the runs of commands: makes pages from inputs, and reads them
      page_run     the runs of solve and check, which work page by page
      board_run    the runs of hint, explain and rate, which work board by board
      convert      the run of convert, which writes all boards at the end
    inputs         finds the files, links and boards that arguments mean, and opens them
    pages          the pages and boards on which runs work, and their text for people
    outputs        draws the result of a page, and writes the drawing to the output that the user named
    report         a file with a line for each page; a run that ended early can continue from it
    reporter       prints messages, the progress bar, results and the summary; finds the exit status
    puzzles, generate, live, serve    the other commands; they use little of the code above

Any function can raise a :class:`~sudoku_vision.errors.SudokuVisionError`; ``app`` prints its message.
"""

import contextlib
import os
import sys
from pathlib import Path

from sudoku_vision.cli import commands  # noqa: F401 (the import registers the commands)
from sudoku_vision.cli.app import run_app
from sudoku_vision.errors import ExitCode

__all__ = ["main"]


def main() -> None:
    """Run the command line, and end the process with the exit status."""
    for name in ("stdout", "stderr"):
        # A closed stream is None here. It must be replaced: print(file=None) would write to standard output.
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 (it stays open)
        setattr(sys, name, stream)
        # A file name that the terminal can't show must not stop the work.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")
    status = run_app()
    try:
        sys.stdout.flush()
    except OSError:
        # The disk is full or the pipe is closed. At exit, Python flushes standard output once more. If this
        # failed, Python 3.14 would change the status. So standard output now leads to the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or ExitCode.SOME_NOT
    sys.exit(int(status))
