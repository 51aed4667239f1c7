"""Messages: what is said to a person on standard error, a line each."""

from __future__ import annotations

import sys

from sudoku_vision.escape_control import visible


def complain(message: object) -> None:
    """Print a message to standard error; control characters in it, as in names of files, are written out."""
    print(f"sudoku-vision: {visible(str(message))}", file=sys.stderr, flush=True)  # noqa: T201
