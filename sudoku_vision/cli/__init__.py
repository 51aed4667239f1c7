"""The command line: ``sudoku-vision COMMAND``.

::

    app            click: help, a user's mistakes in one line, exit statuses
    options        each option declared once; one object holds the values during the whole run
    commands       which command takes which options
    executors      which processes read the pictures: this one, others, or a cluster
    run            a run of a command: inputs -> pages, in order; any process may read and draw a page
      page_run     page by page: solve, check
      board_run    board by board: hint, explain, rate
      convert      all boards at the end
    inputs         arguments -> inputs: what to open, and how
    pages          a picture or a board in text, as commands work on it, and what is printed for people
    outputs        what is drawn of a page, and where it is written
    report         a file with a line for each page; a run that ended early continues from this file
    reporter       messages, the progress bar, text or JSON, the summary and the exit status
    puzzles, generate, live, serve    the other commands, each on its own
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
        # If a stream is closed, it is None, and print(file=None) would write to standard output.
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 (it stays open)
        setattr(sys, name, stream)
        # A file name that the terminal can't show must not stop the work.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")
    status = run_app()
    try:
        sys.stdout.flush()
    except OSError:  # disk full, pipe closed; Python 3.14 would flush again at exit, and change the status
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or ExitCode.SOME_NOT
    sys.exit(int(status))
