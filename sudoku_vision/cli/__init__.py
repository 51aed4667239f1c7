"""The command line: ``sudoku-vision COMMAND``.

::

    app         help, a user's mistakes, exit statuses
    options     what is typed, each option declared once
    commands/   the commands: names, options, help
    inputs      what an argument is -> pictures and boards;  folders  those in them;  again  what failed
    workers     who reads the pictures;  reader  this process, sharing  an executor -> pages
    outputs     where -o goes;  summary  what came of it all;  progress, messages  while it lasts
    telling     what came of a page: written, printed, reported, counted
    text        pages as text;  answers  what is told of one board
    invitations who may come to the page of serve
    solve, check, hint, explain, rate, convert, puzzles, generate, live, train, evaluate: the work of each
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from sudoku_vision.cli import commands  # noqa: F401 (registers them)
from sudoku_vision.cli.app import run_app
from sudoku_vision.cli.messages import complain
from sudoku_vision.errors import ExitCode, MissingLibraryError, explained_imports

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
    try:
        with explained_imports():
            sys.exit(run_app())
    except MissingLibraryError as error:
        complain(error)
        sys.exit(int(error.exit_code))
    except KeyboardInterrupt:
        sys.exit(int(ExitCode.INTERRUPTED))
    except OSError as error:  # what is left of these: an output that takes no more
        complain(f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}.")
        sys.exit(int(ExitCode.SOME_NOT))
