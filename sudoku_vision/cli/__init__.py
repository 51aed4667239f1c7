"""The command line: ``sudoku-vision COMMAND``.

::

    app            help, a user's mistakes in one line, exit statuses
    options        what is typed, each option declared once
    commands       which of them a command takes
    search         what an argument is, and what folders hold;  inputs  opened -> pictures and boards
    executors      who reads the pictures: this process, others, a cluster
    reader         inputs -> pages, in their order;  tasks  one picture read and drawn, in whatever process
    pages          a picture or a board in text, as commands work on it
    outputs        where -o goes;  provenance  what a picture was made from
    reporter       prints text or JSON, counts, gives the exit status;  report  a line a page, in a file
    page_run       solve and check, page by page;  board_run  hint, explain and rate, board by board
    solve, check, hint, explain, rate, convert, puzzles, generate, live, serve, train, evaluate
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
        # A stream that was closed is None, and what is printed to it would go to the other one.
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
        setattr(sys, name, stream)
        # A file name that the terminal can't show must not stop the work.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")
    status = run_app()
    try:
        sys.stdout.flush()
    except OSError:  # full or closed: Python 3.14 tries again at its end, and leaves with a status of its own
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or ExitCode.SOME_NOT
    sys.exit(int(status))
