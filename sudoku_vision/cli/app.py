"""The application that the commands are registered with, and how each says a user's mistake."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated

import typer

from sudoku_vision import __version__
from sudoku_vision.errors import SudokuVisionError

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""

PICTURES, BOARDS, CLASSIFIER = "For pictures", "For boards", "For the classifier"
"""The headings under which help lists the commands."""

app = typer.Typer(
    name="sudoku-vision",
    help="Solve sudokus from photos and draw the answers into them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Say a user's mistake in one line, without a traceback, and leave with its exit status."""
    try:
        yield
    except SudokuVisionError as error:
        typer.echo(f"sudoku-vision: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sudoku-vision {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and leave."),
    ] = False,
) -> None:
    """Solve sudokus from photos and draw the answers into them."""
