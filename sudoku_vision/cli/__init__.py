"""The command line: ``sudoku-vision COMMAND``.

Each module of commands imports what it needs when one is called, so that ``--help`` and usage errors answer
at once and a single photo never waits for the training tools.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from sudoku_vision.cli.app import INTERRUPTED, app
from sudoku_vision.errors import MissingLibraryError, SudokuVisionError, explained_imports

# isort: off
# Importing them registers their commands, in the order in which help lists them.
from sudoku_vision.cli import photos, live, logic, puzzles, generate, convert, training, evaluate  # noqa: F401
# isort: on

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
            app(prog_name="sudoku-vision")
    except MissingLibraryError as error:
        sys.stderr.write(f"sudoku-vision: {error}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:  # what is left of these: an output that takes no more
        sys.stderr.write(
            f"sudoku-vision: {error.filename or 'output'}: {(error.strerror or str(error)).lower()}.\n"
        )
        sys.exit(SudokuVisionError.exit_code)
