"""The options that several commands share, each declared once, and the arguments.

A command names those that it takes, and gets them as one :class:`Options`; help lists them in the order in
which they stand here, after what is the command's own::

    @register(BOARDS)
    @takes("as_json", "plain", *READING)
    def rate(boards: Boards, options: Options) -> ExitCode: ...
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from sudoku_vision.cli.app import plain_errors
from sudoku_vision.errors import ExitCode

READING = ("page", "overrides", "corners", "max_megapixels", "model")
"""The options of all commands that read pictures."""

SHARING = ("jobs", "cluster")
"""The options of all commands that share their work out."""

PRINTING = ("per_page", "paper", "title", "qr")
"""The options of all commands that print puzzles on pages."""

RUNNING = ("recursive", *SHARING, "shared_files", "report", "again", "resume")
"""The options of commands that go through any number of pictures."""

_INPUTS = typer.Argument(
    metavar="INPUT",
    help="Pictures, boards of 81 characters, links, files of boards, folders, patterns such as "
    "'photos/*.jpg', or - for standard input.",
    show_default=False,
)
InputArguments = Annotated[list[str], _INPUTS]
"""What the commands take that work on pictures and on boards alike."""
SomeInputs = Annotated[list[str] | None, _INPUTS]
"""The same where a report may stand in their place."""

TextOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Write to this file and not to standard output.",
        show_default=False,
    ),
]
"""``-o`` of commands that write text."""


class Paper(StrEnum):
    """Sheets to print on."""

    A4 = "a4"
    LETTER = "letter"
    A5 = "a5"


@dataclass(frozen=True)
class Options:
    """What the command line asks for beside its arguments, as it was typed."""

    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Draw it into the picture, or onto a plain board, and write that here: a name ending in "
            ".png, .jpg, .webp, .tiff, .gif, .bmp or .pdf; a folder (a name without ending is one); or - for "
            "standard output, as PNG. 'solve' prints it afresh where the name ends in .pdf or .svg.",
            show_default=False,
        ),
    ] = None
    recursive: Annotated[
        bool,
        typer.Option("--recursive", "-r", help="Search folders with all that lies below them."),
    ] = False
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line, for other programs.")
    ] = False
    plain: Annotated[bool, typer.Option("--plain", help="Print boards in ASCII and without colour.")] = False
    page: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="This page of a document, or board of a text, alone.",
            show_default=False,
        ),
    ] = None
    overrides: Annotated[
        str | None,
        typer.Option(
            "--overrides",
            metavar="CELLS",
            help="What is printed in cells of one picture, rows and columns from 1: r3c5=8,r4c1=blank; "
            "r2c2=written says that its digit is no clue, r2c2=w7 that it is a 7 and no clue, "
            "2:r3c5=8 means the second of several grids.",
            show_default=False,
        ),
    ] = None
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,X,Y,X,Y,X,Y",
            help="Where the grid of one picture lies: its outer corners in pixels of the upright picture, "
            "clockwise from the puzzle's top left.",
            show_default=False,
        ),
    ] = None
    max_megapixels: Annotated[
        float, typer.Option(min=0.01, metavar="N", help="Refuse pictures of more than N million pixels.")
    ] = 100.0
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Digit model to use instead of the one that comes along.",
            show_default=False,
        ),
    ] = None
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="Work in so many processes; 1 does all in this one.",
            show_default="one a core, where that pays",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Let the workers of a dask scheduler do it, as in tcp://host:8786.",
            show_default=False,
        ),
    ] = None
    shared_files: Annotated[
        bool,
        typer.Option(
            "--shared-files",
            help="Let the workers of a cluster read the files themselves: they lie at the same paths there.",
        ),
    ] = False
    report: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write a line for each page, as soon as it is done: a name ending in .csv or .jsonl.",
            show_default=False,
        ),
    ] = None
    again: Annotated[
        str | None,
        typer.Option(
            metavar="REPORT",
            help="Read again what failed, or is not sure, by the report of an earlier run.",
            show_default=False,
        ),
    ] = None
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with a run: leave out what stands in the folder of -o already, made by this version "
            "from the same file.",
        ),
    ] = False
    per_page: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Puzzles on a page: 1, 2, 4, 6 or 9.",
            show_default="as many as there are, up to 4",
        ),
    ] = None
    paper: Annotated[Paper | None, typer.Option(help="Sheet of the pages.", show_default="a4")] = None
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Words on top of the pages.", show_default="Sudoku")
    ] = None
    qr: Annotated[
        str | None,
        typer.Option(
            metavar="SITE",
            help="Below each puzzle on a page, a QR code that opens it at sudokuwiki.org, sudoku.coach, "
            "sudokuexchange.com, f-puzzles.com or sudokupad.app.",
            show_default=False,
        ),
    ] = None
    debug_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Write a numbered picture of every stage of reading.", show_default=False
        ),
    ] = None


@cache
def _hints() -> dict[str, Any]:
    """Return the types of all options, which every command asks for."""
    return get_type_hints(Options, include_extras=True)


def takes(*names: str) -> Callable[[Callable[..., ExitCode | None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of these *names*, as its argument ``options``.

    The command returns its exit status, None for success, and may raise our errors, which are then said in
    one line.
    """
    hints = _hints()
    unknown = set(names) - set(hints)
    if unknown:
        raise KeyError(f"there are no such options: {sorted(unknown)}")
    chosen = [
        inspect.Parameter(
            one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name]
        )
        for one in fields(Options)
        if one.name in names
    ]

    def decorate(command: Callable[..., ExitCode | None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for one in signature.parameters.values()
            if one.name != "options"
        ]

        def run(**values: Any) -> None:
            with plain_errors():
                if len(own) < len(signature.parameters):
                    values["options"] = Options(**{one.name: values.pop(one.name) for one in chosen})
                raise typer.Exit(command(**values) or ExitCode.DONE)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        parameters = [*own, *chosen]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate
