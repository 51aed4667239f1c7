"""The commands for pictures, cameras and films: ``solve``, ``check``, ``live``, ``cameras`` and ``serve``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudoku_vision.cli.app import PICTURES, register
from sudoku_vision.cli.options import READING, RUNNING, Options, SomeInputs, takes
from sudoku_vision.errors import ExitCode


@register(PICTURES)
@takes("output", "as_json", "plain", *RUNNING, *READING, "debug_dir")
def solve(
    inputs: SomeInputs = None,
    link: Annotated[
        str | None,
        typer.Option(
            metavar="SITE",
            help="Print the link that opens each puzzle at sudokuwiki.org, sudoku.coach, sudokuexchange.com, "
            "f-puzzles.com or sudokupad.app.",
            show_default=False,
        ),
    ] = None,
    *,
    options: Options,
) -> ExitCode:
    """Find, read and solve the sudokus of pictures, and those that are written out.

    Prints each puzzle beside its solution.

    Exit status: 0 all are solved, 1 some are not, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.workers import open_workers

    with open_workers(inputs or (), options) as executor:
        from sudoku_vision.cli.solve import run_solve

        return run_solve(inputs or (), options, executor, link)


@register(PICTURES)
@takes("output", "as_json", "plain", *RUNNING, *READING, "debug_dir")
def check(
    inputs: SomeInputs = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Tell the right digit where a wrong one is written.")
    ] = False,
    marks: Annotated[
        bool,
        typer.Option("--marks", help="Tell, too, which cells' pencil marks have lost the right digit."),
    ] = False,
    *,
    options: Options,
) -> ExitCode:
    """Tell which digits that you wrote into a puzzle are right, and which are wrong.

    The puzzle is solved from its printed clues alone. Pencil marks are neither right nor wrong.

    Exit status: 0 all that is written is right, 1 something is wrong or uncertain, 2 wrong usage,
    3 nothing could be opened.
    """
    from sudoku_vision.cli.workers import open_workers

    with open_workers(inputs or (), options) as executor:
        from sudoku_vision.cli.check import run_check

        return run_check(inputs or (), options, executor, answers=answers, marks=marks)


@register(PICTURES)
@takes("as_json", "plain", "model")
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
            help="Write the film with the answers drawn in; ends in .mp4, .webm, .mkv, .mov, .m4v or .avi.",
            show_default=False,
        ),
    ] = None,
    headless: Annotated[
        bool, typer.Option("--headless", help="Open no window; of a film, every frame is worked out.")
    ] = False,
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
    *,
    options: Options,
) -> ExitCode:
    """Solve sudokus in front of a camera, and see the answers lie on the paper.

    Keys in the window: q or Esc quit, space freeze, s save the picture, r read afresh, h one hint instead
    of the answers, k check what is written, a answers on or off, c next camera, d debug view, t timings.

    Exit status: 0 a puzzle was solved, 1 none was, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.live import LiveSettings, run_film

    settings = LiveSettings.of(
        camera=camera,
        source=source,
        size=size,
        record=record,
        headless=headless,
        mirror=mirror,
        seconds=seconds,
        options=options,
    )
    return run_film(settings)


@register(PICTURES)
@takes("as_json")
def cameras(*, options: Options) -> ExitCode:
    """List the cameras that 'live' can look through.

    Exit status: 0 there is one, 3 there is none.
    """
    from sudoku_vision.cli.live import show_cameras

    return show_cameras(as_json=options.as_json)


@register(PICTURES)
@takes("model")
def serve(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Address of this machine to listen on. If others reach it, they need a token.",
            show_default="127.0.0.1: this machine alone",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="Port to listen on; 0 takes any that is free.")
    ] = 8000,
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Invite the network: show an address with a token, and a code to scan."),
    ] = False,
    https: Annotated[
        bool,
        typer.Option(
            "--https", help="Encrypt, with a certificate of its own: phones then allow the live camera."
        ),
    ] = False,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="SUDOKU_VISION_TOKEN", metavar="TEXT", help="Let in who has this, not a new one."
        ),
    ] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let everybody in who reaches the address.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name the page is known by, too, as behind a proxy. Repeatable."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="Pictures that are read at once.",
            show_default="as many as cores",
        ),
    ] = None,
    open_browser: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Open the page in a browser.",
            show_default="where you sit before a screen",
        ),
    ] = None,
    max_megabytes: Annotated[
        float, typer.Option(min=0.01, metavar="N", help="Refuse files of more than N million bytes.")
    ] = 20.0,
    max_megapixels: Annotated[
        float, typer.Option(min=0.01, metavar="N", help="Refuse pictures of more than N million pixels.")
    ] = 50.0,
    max_seconds: Annotated[
        float, typer.Option(min=0.1, metavar="S", help="Give a picture up after so many seconds.")
    ] = 10.0,
    queue: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Pictures that may wait; who comes after is told to come again."
        ),
    ] = 16,
    *,
    options: Options,
) -> ExitCode:
    """Show the page for phones and browsers: photograph, look, correct, learn.

    It runs until Ctrl-C. Photos are neither kept nor logged, and nothing is fetched from elsewhere.

    Exit status: 0 it was ended, 2 wrong usage or a port that is taken, 3 the extra 'web' is not installed.
    """
    from sudoku_vision.cli.invitations import checked_names, chosen_token, listening_host
    from sudoku_vision.cli.serve import run_serve
    from sudoku_vision.web.settings import Limits, Settings, available_cores, memory_for

    limits = Limits(
        body=round(1e6 * max_megabytes),
        megapixels=max_megapixels,
        work=max_seconds,
        queue=queue,
        memory=memory_for(max_megapixels),
    )
    address = listening_host(host, lan=lan)
    settings = Settings(
        host=address,
        port=port,
        workers=workers or available_cores(),
        lan=lan,
        https=https,
        token=chosen_token(address, token, lan=lan, no_token=no_token),
        allow_hosts=checked_names(allow_host or ()),
        limits=limits,
    )
    return run_serve(settings, open_browser=open_browser, model=options.model)
