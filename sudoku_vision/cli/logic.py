"""The commands that reason as a person does: ``hint``, ``explain`` and ``rate``."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_vision.cli.app import BOARDS, app, plain_errors
from sudoku_vision.cli.options import Corners, Givens, Json, MaxMegapixels, Model, Page

if TYPE_CHECKING:
    from sudoku_vision.cli.solving import Options

_Boards = Annotated[
    list[str],
    typer.Argument(
        metavar="BOARD...",
        help="Boards: 81 characters, files, links, pictures, or - for standard input.",
        show_default=False,
    ),
]


class Tell(str, Enum):
    """How much of a hint is told."""

    NAME = "name"
    PLACE = "place"
    STEP = "step"


def _options(
    as_json: bool,
    page: int | None,
    givens: str | None,
    corners: str | None,
    max_megapixels: float,
    model: Path | None,
) -> Options:
    """What is said about boards and pictures; raises UsageError for what can't be read."""
    from sudoku_vision.cli.solving import Options
    from sudoku_vision.givens import parse_corners, parse_givens

    return Options(
        as_json=as_json,
        max_megapixels=max_megapixels,
        model=model,
        page=page,
        givens=None if givens is None else parse_givens(givens),
        said=givens or "",
        corners=None if corners is None else parse_corners(corners),
    )


@app.command(rich_help_panel=BOARDS)
def hint(
    boards: _Boards,
    tell: Annotated[
        Tell,
        typer.Option(help="Tell the technique's name, also where to look, or the whole step."),
    ] = Tell.STEP,
    as_json: Json = False,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
) -> None:
    """Tell the easiest next step of a puzzle, and why it is right.

    In a photo, what you wrote rightly is built upon. Exit status: 0 told, 1 not all can be told (no solution,
    several, a clash, an uncertain photo), 2 no board or wrong usage, 3 nothing could be opened.
    """
    with plain_errors():
        options = _options(as_json, page, givens, corners, max_megapixels, model)
        from sudoku_vision.cli.telling import tell_hints

        raise typer.Exit(tell_hints(boards, options, tell.value))


@app.command(rich_help_panel=BOARDS)
def explain(
    boards: _Boards,
    as_json: Json = False,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
) -> None:
    """Tell all steps of a puzzle up to its solution, each with its reason.

    Exit status as for hint.
    """
    with plain_errors():
        options = _options(as_json, page, givens, corners, max_megapixels, model)
        from sudoku_vision.cli.telling import tell_explanations

        raise typer.Exit(tell_explanations(boards, options))


@app.command(rich_help_panel=BOARDS)
def rate(
    boards: _Boards,
    as_json: Json = False,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
) -> None:
    """Tell how hard puzzles are: easy, medium, hard, expert or extreme, and a score; a line each.

    Exit status as for hint.
    """
    with plain_errors():
        options = _options(as_json, page, givens, corners, max_megapixels, model)
        from sudoku_vision.cli.telling import tell_ratings

        raise typer.Exit(tell_ratings(boards, options))
