"""The commands for pictures: ``solve`` and ``check``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudoku_vision.cli.app import PICTURES, app, plain_errors
from sudoku_vision.cli.options import (
    Corners,
    DebugDir,
    Givens,
    Json,
    MaxMegapixels,
    Model,
    Output,
    Page,
    Paths,
    Plain,
)


@app.command(rich_help_panel=PICTURES)
def solve(
    paths: Paths,
    output: Output = None,
    as_json: Json = False,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    debug_dir: DebugDir = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
    plain: Plain = False,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="SITE",
            help="Print the link that opens each puzzle at sudokuwiki.org, sudoku.coach, sudokuexchange.com, "
            "f-puzzles.com or sudokupad.app.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Find, read and solve the sudokus of pictures.

    Prints each puzzle beside its solution; a board in text, in a file of it or a link is solved, too. Exit
    status: 0 every picture solved, 1 some not solved, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.settings import read_options
    from sudoku_vision.cli.solving import solve_all

    with plain_errors():
        options = read_options(
            output=output,
            as_json=as_json,
            debug_dir=debug_dir,
            max_megapixels=max_megapixels,
            model=model,
            page=page,
            givens=givens,
            corners=corners,
            plain=plain,
            link=link,
        )
        raise typer.Exit(solve_all(paths, options))


@app.command(rich_help_panel=PICTURES)
def check(
    paths: Paths,
    output: Output = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Tell the right digit where a wrong one is written.")
    ] = False,
    as_json: Json = False,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    debug_dir: DebugDir = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
    plain: Plain = False,
) -> None:
    """Tell which digits that you wrote into a puzzle are right, and which are wrong.

    The puzzle is solved from its printed clues alone. Exit status: 0 all that is written is right,
    1 something is wrong or uncertain, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.checking import check_all
    from sudoku_vision.cli.settings import read_options

    with plain_errors():
        options = read_options(
            output=output,
            as_json=as_json,
            debug_dir=debug_dir,
            max_megapixels=max_megapixels,
            model=model,
            page=page,
            givens=givens,
            corners=corners,
            plain=plain,
        )
        raise typer.Exit(check_all(paths, options, answers=answers))
