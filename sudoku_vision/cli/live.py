"""The commands for cameras and films: ``live`` and ``cameras``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudoku_vision.cli.app import PICTURES, app, plain_errors
from sudoku_vision.cli.options import Json, Model, Plain


@app.command(rich_help_panel=PICTURES)
def live(
    camera: Annotated[
        int | None,
        typer.Option(
            "--camera", "-c", min=0, metavar="N", help="Camera to look through.", show_default="0, the first"
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            "-s",
            metavar="FILE_OR_URL",
            help="A film or a stream to look at instead of a camera.",
            show_default=False,
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            "--record",
            metavar="OUT",
            help="Write the film with the answers drawn in: a name ending in .mp4, .m4v, .mov, .mkv or .avi.",
            show_default=False,
        ),
    ] = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Open no window; of a film, every frame is worked out.")
    ] = False,
    as_json: Json = False,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="WIDTHxHEIGHT",
            help="Resolution to ask the camera for, as in 1280x720.",
            show_default=False,
        ),
    ] = None,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Turn the picture round, of a camera that gives a mirror image.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(min=0, metavar="S", help="Stop after so many seconds.", show_default=False),
    ] = None,
    model: Model = None,
    plain: Plain = False,
) -> None:
    """Solve sudokus in front of a camera, and see the answers lie on the paper.

    Keys in the window: q or Esc quit, space freeze, s save the picture, r read afresh, h one hint instead
    of the answers, a answers on or off, c next camera, d debug view, t timings.

    Exit status: 0 a puzzle was solved, 1 none was, 2 wrong usage, 3 nothing could be opened.
    """
    with plain_errors():
        from sudoku_vision.cli.filming import read_wishes, watch_film

        wishes = read_wishes(
            camera=camera,
            source=source,
            size=size,
            record=record,
            headless=headless,
            as_json=as_json,
            mirror=mirror,
            seconds=seconds,
            model=model,
            plain=plain,
        )
        raise typer.Exit(watch_film(wishes))


@app.command(rich_help_panel=PICTURES)
def cameras(as_json: Json = False) -> None:
    """List the cameras that 'live' can look through.

    Exit status: 0 there is one, 3 there is none.
    """
    with plain_errors():
        from sudoku_vision.cli.filming import show_cameras

        raise typer.Exit(show_cameras(as_json=as_json))
