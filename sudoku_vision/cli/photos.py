"""The commands for pictures: ``solve`` and ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from sudoku_vision.cli.solving import Options


def _options(
    output: str | None,
    as_json: bool,
    debug_dir: Path | None,
    max_megapixels: float,
    model: Path | None,
    page: int | None,
    givens: str | None,
    corners: str | None,
    plain: bool,
    link: str | None = None,
) -> Options:
    """The options that solving and checking share; raises UsageError for what can't be read."""
    from sudoku_vision.cli.solving import Options
    from sudoku_vision.givens import parse_corners, parse_givens

    return Options(
        output,
        as_json,
        debug_dir,
        max_megapixels,
        model,
        page=page,
        givens=None if givens is None else parse_givens(givens),
        said=givens or "",
        corners=None if corners is None else parse_corners(corners),
        plain=plain,
        link=link,
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

    Prints each puzzle beside its solution. Exit status: 0 every picture solved, 1 some not solved,
    2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.solving import solve_all

    with plain_errors():
        options = _options(
            output, as_json, debug_dir, max_megapixels, model, page, givens, corners, plain, link
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

    with plain_errors():
        options = _options(output, as_json, debug_dir, max_megapixels, model, page, givens, corners, plain)
        raise typer.Exit(check_all(paths, options, answers=answers))
