"""The command for files of boards: ``convert``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudoku_vision.cli.app import BOARDS, app, plain_errors
from sudoku_vision.cli.options import Boards, Corners, Givens, MaxMegapixels, Model, Page


@app.command(rich_help_panel=BOARDS)
def convert(
    boards: Boards,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="line, grid, boxes, sdk, sdm, ss, csv, cells, json, jsonl, hodoku, dat or opensudoku; or a "
            "link to sudokuwiki.org, sudoku.coach, sudokuexchange.com, f-puzzles.com or sudokupad.app. By "
            "default what the output's ending says, or line.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write to this file; or to a folder, a file for each board.",
            show_default=False,
        ),
    ] = None,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
) -> None:
    """Turn boards from any text, file, link or picture into another format, or into a link.

    Exit status: 0 all is converted, 1 some can't be read or may be read wrongly, 2 no board or wrong usage,
    3 nothing could be opened.
    """
    with plain_errors():
        from sudoku_vision.cli.converting import convert_all
        from sudoku_vision.cli.settings import read_options

        options = read_options(
            output=output,
            max_megapixels=max_megapixels,
            model=model,
            page=page,
            givens=givens,
            corners=corners,
        )
        raise typer.Exit(convert_all(boards, options, to))
