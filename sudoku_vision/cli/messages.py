"""Messages: what is said to a person on standard error, a line each."""

from __future__ import annotations

import sys


def complain(message: object) -> None:
    """Print a message to standard error."""
    print(f"sudoku-vision: {message}", file=sys.stderr, flush=True)  # noqa: T201
