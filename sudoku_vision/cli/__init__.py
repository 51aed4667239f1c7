"""The command line: ``sudoku-vision COMMAND``.

Each command imports what it needs when it is called, so that ``--help`` and usage errors answer at once and a
single photo never waits for the training tools.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_vision import __version__
from sudoku_vision.errors import SudokuVisionError

if TYPE_CHECKING:
    from sudoku_vision.cli.solving import Options

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""

app = typer.Typer(
    name="sudoku-vision",
    help="Solve sudokus from photos and draw the answers into them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line and leave with its exit status."""
    for name in ("stdout", "stderr"):
        # A stream that was closed is None, and what is printed to it would go to the other one.
        stream = getattr(sys, name) or Path(os.devnull).open("w")  # noqa: SIM115 (open to the end)
        setattr(sys, name, stream)
        # A file name that the terminal can't show must not stop the work.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="sudoku-vision")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:  # what is left of these: an output that takes no more
        sys.stderr.write(
            f"sudoku-vision: {error.filename or 'output'}: {(error.strerror or str(error)).lower()}.\n"
        )
        sys.exit(SudokuVisionError.exit_code)


@contextlib.contextmanager
def _plain_errors() -> Iterator[None]:
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


class Turn(str, Enum):
    """How pictures are turned before they are read."""

    NONE = "0"
    RIGHT = "90"
    OVER = "180"
    LEFT = "270"
    ALL = "all"

    @property
    def quarters(self) -> tuple[int, ...]:
        """Quarter turns clockwise."""
        return (0, 1, 2, 3) if self is Turn.ALL else (int(self.value) // 90,)


_Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Pictures, folders, patterns such as 'photos/*.jpg', or - for standard input.",
        show_default=False,
    ),
]
_Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Write the picture with the answers or marks drawn in: a name ending in .jpg, .png or .webp, or "
        "a folder where there are several pictures.",
        show_default=False,
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object a line, for other programs.")]
_DebugDir = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write a numbered picture of every stage.", show_default=False),
]
_Page = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="This page of a document alone.", show_default=False),
]
_Givens = Annotated[
    str | None,
    typer.Option(
        metavar="CELLS",
        help="What is printed in cells of one picture, rows and columns from 1: r3c5=8,r4c1=blank; "
        "r2c2=written says that its digit is no clue, 2:r3c5=8 means the second of several grids.",
        show_default=False,
    ),
]
_Corners = Annotated[
    str | None,
    typer.Option(
        metavar="X,Y,X,Y,X,Y,X,Y",
        help="Where the grid of one picture lies: its outer corners in pixels of the upright picture, "
        "clockwise from the puzzle's top left.",
        show_default=False,
    ),
]
_MaxMegapixels = Annotated[
    float, typer.Option(min=0.01, metavar="N", help="Refuse pictures of more than N million pixels.")
]
_Model = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Digit model to use instead of the one that comes along.", show_default=False
    ),
]


def _options(
    output: str | None,
    as_json: bool,
    debug_dir: Path | None,
    max_megapixels: float,
    model: Path | None,
    page: int | None,
    givens: str | None,
    corners: str | None,
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
    )


@app.command()
def solve(
    paths: _Paths,
    output: _Output = None,
    as_json: _Json = False,
    page: _Page = None,
    givens: _Givens = None,
    corners: _Corners = None,
    debug_dir: _DebugDir = None,
    max_megapixels: _MaxMegapixels = 100.0,
    model: _Model = None,
) -> None:
    """Find, read and solve the sudokus of pictures.

    Prints each puzzle beside its solution. Exit status: 0 every picture solved, 1 some not solved,
    2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.solving import solve_all

    with _plain_errors():
        options = _options(output, as_json, debug_dir, max_megapixels, model, page, givens, corners)
        raise typer.Exit(solve_all(paths, options))


@app.command()
def check(
    paths: _Paths,
    output: _Output = None,
    answers: Annotated[
        bool, typer.Option("--answers", help="Tell the right digit where a wrong one is written.")
    ] = False,
    as_json: _Json = False,
    page: _Page = None,
    givens: _Givens = None,
    corners: _Corners = None,
    debug_dir: _DebugDir = None,
    max_megapixels: _MaxMegapixels = 100.0,
    model: _Model = None,
) -> None:
    """Tell which digits that you wrote into a puzzle are right, and which are wrong.

    The puzzle is solved from its printed clues alone. Exit status: 0 all that is written is right,
    1 something is wrong or uncertain, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.checking import check_all

    with _plain_errors():
        options = _options(output, as_json, debug_dir, max_megapixels, model, page, givens, corners)
        raise typer.Exit(check_all(paths, options, answers=answers))


@app.command()
def train(
    fonts: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="Folder with font files; may be given several times.", show_default=False
        ),
    ] = None,
    photos: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Folder with labelled photos, whose cells are learnt from too; may be given several times.",
            show_default=False,
        ),
    ] = None,
    handwriting: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Handwritten digits, as .npz with images and labels.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the model is written.")] = Path(
        "models/digits.npz"
    ),
    seed: Annotated[int, typer.Option(min=0, help="Same seed and data: same model.")] = 0,
    folds: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Measure on the photos with N networks, each trained without the puzzles it is measured on.",
        ),
    ] = 0,
) -> None:
    """Train the digit classifier from fonts, handwriting and labelled photos.

    Draws boards in every font found, adds handwriting and the cells of photos where given, spoils them as
    cameras do, and learns to read them. Takes some minutes.
    """
    with _plain_errors():
        from sudoku_vision.save import check_place

        check_place(out)
        from sudoku_vision.training import train as training  # takes seconds to import

        result = training.train(
            out,
            fonts=fonts or [],
            photos=photos or [],
            handwriting=handwriting,
            folds=folds,
            settings=training.Settings(seed=seed),
            command=shlex.join(["sudoku-vision", *sys.argv[1:]]),
        )
        typer.echo(json.dumps(result.figures, indent=2, default=str))
        typer.echo(f"Wrote {out}.", err=True)


@app.command()
def evaluate(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders with pictures and their labels: a .dat file beside each, or one labels.csv.",
            show_default=False,
        ),
    ],
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a contact sheet of every failure: photo, straightened grid, what was read.",
            show_default=False,
        ),
    ] = None,
    reliability: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Tell how far confidence holds, over these folders and drawn pictures, and draw it.",
            show_default=False,
        ),
    ] = None,
    drawn: Annotated[int, typer.Option(min=0, metavar="N", help="Pictures drawn for --reliability.")] = 210,
    turn: Annotated[
        Turn,
        typer.Option(help="Read every picture turned clockwise by so many degrees, or in all four turns."),
    ] = Turn.NONE,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    model: _Model = None,
) -> None:
    """Measure how well labelled photos are read, solved, and wrongly called solved."""
    with _plain_errors():
        from sudoku_vision.training.evaluate import run

        run(
            folders,
            sheet=sheet,
            reliability=reliability,
            drawn=drawn,
            as_json=as_json,
            model_path=model,
            turns=turn.quarters,
        )
