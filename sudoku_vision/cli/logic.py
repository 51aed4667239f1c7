"""The commands that reason as a person does: ``hint``, ``explain`` and ``rate``."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from sudoku_vision.cli.app import BOARDS, app, plain_errors
from sudoku_vision.cli.options import Boards, Corners, Givens, Json, MaxMegapixels, Model, Output, Page, Plain


class Tell(str, Enum):
    """How much of a hint is told."""

    NAME = "name"
    PLACE = "place"
    STEP = "step"


@app.command(rich_help_panel=BOARDS)
def hint(
    boards: Boards,
    tell: Annotated[
        Tell,
        typer.Option(help="Tell the technique's name, also where to look, or the whole step."),
    ] = Tell.STEP,
    output: Output = None,
    as_json: Json = False,
    plain: Plain = False,
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
        from sudoku_vision.cli.settings import read_options
        from sudoku_vision.cli.telling import tell_hints

        options = read_options(
            output=output,
            as_json=as_json,
            plain=plain,
            page=page,
            givens=givens,
            corners=corners,
            max_megapixels=max_megapixels,
            model=model,
        )
        raise typer.Exit(tell_hints(boards, options, tell.value))


@app.command(rich_help_panel=BOARDS)
def explain(
    boards: Boards,
    as_json: Json = False,
    plain: Plain = False,
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
        from sudoku_vision.cli.settings import read_options
        from sudoku_vision.cli.telling import tell_explanations

        options = read_options(
            as_json=as_json,
            plain=plain,
            page=page,
            givens=givens,
            corners=corners,
            max_megapixels=max_megapixels,
            model=model,
        )
        raise typer.Exit(tell_explanations(boards, options))


@app.command(rich_help_panel=BOARDS)
def rate(
    boards: Boards,
    as_json: Json = False,
    plain: Plain = False,
    page: Page = None,
    givens: Givens = None,
    corners: Corners = None,
    max_megapixels: MaxMegapixels = 100.0,
    model: Model = None,
) -> None:
    """Tell how hard puzzles are: easy, medium, hard, expert or extreme, and a score.

    A small table each on a terminal, elsewhere a line.

    Exit status as for hint.
    """
    with plain_errors():
        from sudoku_vision.cli.settings import read_options
        from sudoku_vision.cli.telling import tell_ratings

        options = read_options(
            as_json=as_json,
            plain=plain,
            page=page,
            givens=givens,
            corners=corners,
            max_megapixels=max_megapixels,
            model=model,
        )
        raise typer.Exit(tell_ratings(boards, options))
