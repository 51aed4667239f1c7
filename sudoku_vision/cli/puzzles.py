"""The command for lists of puzzles: ``puzzles``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudoku_vision.cli.app import BOARDS, app, plain_errors
from sudoku_vision.cli.options import Json


@app.command(rich_help_panel=BOARDS)
def puzzles(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Lists of puzzles, 81 characters a line, packed by gzip or not, or - for standard input.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write to this file and not to standard output.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a table with the status of every line.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Solve in so many threads; one a processor if not said."),
    ] = None,
) -> None:
    """Solve lists of puzzles, thousands a second.

    Prints a line for each puzzle, in their order: its solution, or one of the
    words none, many, clash and malformed. Blank lines and lines that begin
    with # are skipped, and so is what follows a puzzle after a space or comma.

    Exit status: 0 each has exactly one solution, 1 some have not, 2 wrong usage,
    3 nothing could be opened.
    """
    with plain_errors():
        from sudoku_vision.cli import answering
        from sudoku_vision.errors import UsageError

        if as_json and as_csv:
            raise UsageError("--json and --csv can't both be.", "Choose one.")
        form = answering.as_json if as_json else answering.as_csv if as_csv else answering.as_lines
        raise typer.Exit(answering.answer_lists(files, output, form, jobs))
