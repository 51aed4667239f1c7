"""The command line: ``sudoku-vision COMMAND``.

::

    app            click: help, a user's mistakes in one line, exit statuses
    options        each option declared once: one object, which goes through the whole run
    commands       which command takes which options
    executors      who reads the pictures: this process, others, a cluster
    run            a run of a command: inputs -> pages, in order; any process may read and draw them
      page_run     page by page: solve, check
      board_run    board by board: hint, explain, rate
      convert      all boards at the end
    inputs         arguments -> inputs: what to open, and how
    pages          a picture or a board in text, as commands work on it, and its lines for people
    outputs        what is drawn of a page, and where it goes
    report         a file with a line for each page; an ended run continues from it
    reporter       messages, the progress bar, text or JSON, the summary and the exit status
    puzzles, generate, live, serve
"""

import contextlib
import os
import sys
from pathlib import Path

from sudoku_vision.cli import commands  # noqa: F401 (importing them registers them)
from sudoku_vision.cli.app import run_app
from sudoku_vision.errors import ExitCode

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave with its exit status."""
    for name in ("stdout", "stderr"):
        # A closed stream is None, and print() would then write to the other one.
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
        setattr(sys, name, stream)
        # A file name that the terminal can't show must not stop the work.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")
    status = run_app()
    try:
        sys.stdout.flush()
    except OSError:  # output full or closed; Python 3.14 would write again at exit, and change the status
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or ExitCode.SOME_NOT
    sys.exit(int(status))
