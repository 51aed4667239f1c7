"""The options of all commands, each declared once, and how a command takes those that it needs.

A command names them, and gets what was typed as one :class:`Options`; help lists them in their order here::

    @command(BOARDS, "as_json", *READING)
    def rate(inputs: InputArguments, options: Options) -> ExitCode: ...
"""

# ruff: noqa: RUF009 (a field, though a function of ours makes it)
from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from sudoku_vision.cli.app import Command, app
from sudoku_vision.errors import ExitCode
from sudoku_vision.texts import ENGLISH

if TYPE_CHECKING:  # numpy would load with them, for commands that need none
    from sudoku_vision.sudoku.rules import Rules

PICTURES, BOARDS, CLASSIFIER = "For pictures", "For boards", "For the classifier"
"""The headings under which help lists the commands."""
READING = ("page", "rules", "regions", "overrides", "corners", "max_megapixels", "model")
"""The options of all commands that read pictures."""
SHARING = ("jobs", "cluster")  # the options of all commands that share their work out
RUNNING = ("recursive", *SHARING, "report", "resume", "quiet")
"""The options of commands that go through any number of pictures."""
PRINTING = ("per_page", "paper", "title", "qr")  # the options of all commands that print puzzles on pages

PANELS = {
    "Output": ("output", "to", "fill_marks", "as_json", "as_csv", "link", "quiet"),
    "Reading": ("page", "rules", "regions", "overrides", "corners"),
    "Many files": ("recursive", "jobs", "report", "resume"),
    "Pages to print": PRINTING,
    "Advanced": ("max_megapixels", "model", "cluster", "debug_dir"),
}
"""The headings under which the help of a command lists options that it shares with others."""

SITES = "sudokuwiki.org, sudoku.coach, sudokuexchange.com, f-puzzles.com or sudokupad.app"
FORMATS = "line, grid, boxes, sdm, ss, csv, cells, hodoku, json, jsonl, dat, opensudoku or sdk"

_INPUTS = typer.Argument(
    metavar="INPUT",
    help="Pictures, boards of 81 characters, links, files of boards, folders, patterns such as "
    "'photos/*.jpg', or - for standard input.",
    show_default=False,
)
InputArguments = Annotated[list[str], _INPUTS]
"""What the commands take that work on pictures and on boards alike."""
SomeInputs = Annotated[list[str] | None, _INPUTS]  # the same where a report may stand in their place


def _option(words: str, *names: str, default: Any = None, shown: bool | str = False, **more: Any) -> Any:
    """Return the field of an option whose help is *words*; its default is *shown* there, in words or not."""
    return field(default=default, metadata={"names": names, "help": words, "show_default": shown, **more})


def _flag(words: str, *names: str) -> Any:
    """Return the field of an option that takes no value."""
    return _option(words, *names, default=False)


@dataclass(frozen=True)
class Options:
    """What the command line asks for beside its arguments, as it was typed."""

    # What a command does in its own way.
    answers: bool = _flag("Tell the right digit where a wrong one is written.")
    marks: bool = _flag("Tell, too, which cells' pencil marks have lost the right digit.")
    tell: Literal["name", "place", "step"] = _option(
        "Tell the technique's name, also where to look, or the whole step.", default="step", shown=True
    )
    following: int | None = _option(
        "Tell the next N steps, each going on from the one before.", "--next", min=1
    )
    language: str = _option("Tell steps in this language: en, de, es or fr.", default=ENGLISH, shown=True)
    method: Literal["easiest", "rows", "crook"] = _option(
        "Take the easiest step at every place; go row by row, as a beginner does; or by pencil and paper, as "
        "J. F. Crook describes: forced numbers, preemptive sets, choices.",
        default="easiest",
        shown=True,
    )
    start: Literal["clues", "entries"] | None = _option(
        "Begin with the clues alone, or with what is rightly filled in, too.",
        shown="entries, of a full page the clues",
    )
    difficulty: Literal["easy", "medium", "hard", "expert", "extreme"] | None = _option(
        "How hard, as 'rate' tells.", "--difficulty", "-d", shown="any"
    )
    clues: int | None = _option(
        "Exactly so many clues, 17 (under other rules 8) to 80; from 22 on they are soon found.",
        shown="as difficulty and symmetry let it be",
    )
    symmetry: Literal["none", "point", "rotate", "horizontal", "vertical", "diagonal", "antidiagonal"] = (
        _option(
            "Clues lie as before after a half turn (point), a quarter turn (rotate), or in a mirror.",
            *("--symmetry", "-s"),
            default="point",
            shown=True,
        )
    )
    minimal: bool = _flag("No clue can be taken away without a second solution appearing.")
    seed: int | None = _option(
        "The same seed makes the same puzzles, however many.", shown="by chance", min=0, metavar="S"
    )
    count: int = _option("How many.", "--count", "-n", default=1, shown=True, min=1)
    solutions: bool = _flag("Solutions, too: on the last pages, or a picture of each.")
    source: str = _option(
        "The number of a camera, or a film or a stream to look at instead.",
        *("--source", "-s"),
        default="0",
        shown="0, the first camera",
        metavar="CAMERA_FILE_OR_URL",
    )
    list_cameras: bool = _flag("List the cameras that there are, and leave.", "--list")
    record: str | None = _option(
        "Write the film with the answers drawn in; ends in .mp4, .webm, .mkv, .mov, .m4v or .avi.",
        metavar="OUT",
    )
    headless: bool = _flag("Open no window; of a film, every frame is worked out.")
    size: str | None = _option("Resolution to ask the camera for, as in 1280x720.", metavar="WIDTHxHEIGHT")
    mirror: bool = _flag("Turn the picture round, of a camera that gives a mirror image.")
    seconds: float | None = _option("Stop after so many seconds.", min=0, metavar="S")
    host: str | None = _option(
        "Address of this machine to listen on. If others reach it, they need a token.",
        shown="127.0.0.1: this machine alone",
        metavar="ADDRESS",
    )
    port: int = _option(
        "Port to listen on; 0 takes any that is free.", default=8000, shown=True, min=0, max=65535
    )
    lan: bool = _flag("Invite the network: show an address with a token, and a code to scan.")
    https: bool = _flag("Encrypt, with a certificate of its own: phones then allow the live camera.")
    token: str | None = _option(
        "Let in who has this, not a new one.", envvar="SUDOKU_VISION_TOKEN", metavar="TEXT"
    )
    allow_host: list[str] | None = _option(
        "A name the page is known by, too, as behind a proxy. Repeatable.", metavar="NAME"
    )
    workers: int | None = _option("Pictures that are read at once.", shown="as many as cores", min=1, max=256)
    open_browser: bool | None = _option(
        "Open the page in a browser.", "--open/--no-open", shown="where you sit before a screen"
    )

    part: Literal["digits", "marks", "occlusion"] = _option(
        "The classifier of digits, the reader of pencil marks, or the model of what covers cells.",
        default="digits",
        shown=True,
    )
    fonts: list[Path] | None = _option("Folder with font files; may be given several times.", metavar="DIR")
    photos: list[Path] | None = _option(
        "Folder with labelled photos, whose cells are learnt from too; may be given several times. For "
        "marks: such as note where marks stand.",
        metavar="DIR",
    )
    handwriting: list[Path] | None = _option(
        "Handwritten digits, as .npz with labels and images or pen strokes; may be given several times.",
        metavar="FILE",
    )
    marks_table: Path | None = _option(
        "Digits of the pencil marks, for photos whose labels only say where marks stand: a table of puzzle, "
        "cell and digits.",
        "--marks",
    )
    model_out: Path | None = _option(
        "Where the model is written.", "--out", shown="models/digits.npz or models/marks.npz"
    )
    training_seed: int = _option("Same seed and data: same model.", "--seed", default=0, shown=True, min=0)
    folds: int = _option(
        "Measure on the photos with N networks, each trained without the puzzles it is measured on.",
        default=0,
        shown=True,
        min=0,
    )
    sheet: Path | None = _option(
        "Write a contact sheet of every failure: photo, straightened grid, what was read."
    )
    reliability: Path | None = _option("Tell how far confidence holds, and draw it.")

    # What is written, and how.
    output: str | None = _option(
        "Draw it into the picture, or onto a plain board, and write that here: a name ending in .png, .jpg, "
        ".webp, .tiff, .gif, .bmp or .pdf; a folder (a name without ending is one); or - for standard "
        "output, as PNG. 'solve' prints it afresh where the name ends in .pdf or .svg.",
        *("--output", "-o"),
        metavar="OUT",
    )
    to: str | None = _option(
        f"{FORMATS}; a link to {SITES}; or pdf, svg, png and other pictures. By default what the output's "
        "ending says, or line.",
        metavar="FORMAT",
    )
    fill_marks: bool = _flag("Note all candidates in every blank cell, in place of the marks that are there.")
    as_json: bool = _flag("Print one JSON object a line, for other programs.", "--json")
    as_csv: bool = _flag("Print a table with the status of every line.", "--csv")
    link: str | None = _option(f"Print the link that opens each puzzle at {SITES}.", metavar="SITE")

    quiet: bool | None = _option(
        "Print a line for each picture, without its grids; so it is anyway of more than ten.",
        *("--quiet/--no-quiet", "-q"),
    )

    # How pictures are read.
    page: int | None = _option("This page of a document, or board of a text, alone.", min=1)
    rules: Literal["classic", "diagonal", "jigsaw"] | None = _option(
        "The rules of the puzzles: on diagonals, too, each digit stands once, or boxes are of any shape.",
        shown="as lines and colours show, or the text says",
    )
    regions: str | None = _option(
        "The regions of a jigsaw: 81 digits in reading order, for each cell the number of its region.",
        metavar="DIGITS",
    )
    overrides: str | None = _option(
        "What is printed in cells of one picture, rows and columns from 1: r3c5=8,r4c1=blank; r2c2=written "
        "says that its digit is no clue, r2c2=w7 that it is a 7 and no clue, all=written (all=printed) that "
        "none (all) of the digits are that may be clues or not, 2:r3c5=8 means the second of several grids.",
        metavar="CELLS",
    )
    corners: str | None = _option(
        "Where the grid of one picture lies: its outer corners in pixels of the upright picture, clockwise "
        "from the puzzle's top left.",
        metavar="X,Y,X,Y,X,Y,X,Y",
    )

    # Many files.
    recursive: bool = _flag("Search folders with all that lies below them.", "--recursive", "-r")
    jobs: int | None = _option(
        "Work in so many processes; 1 does all in this one.",
        *("--jobs", "-j"),
        shown="one a core, where that pays",
        min=1,
    )
    report: str | None = _option(
        "Write a line for each page, as soon as it is done: a name ending in .csv or .jsonl.", metavar="FILE"
    )
    resume: bool = _flag(
        "Go on with a run: leave out what stands in the folder of -o already, made by this version from the "
        "same file. With --report and no INPUT, read again what failed, or is not sure, by that report."
    )

    # Pages to print.
    per_page: int | None = _option(
        "Puzzles on a page: 1, 2, 4, 6 or 9.", shown="as many as there are, up to 4"
    )
    paper: Literal["a4", "letter", "a5"] | None = _option("Sheet of the pages.", shown="a4")
    title: str | None = _option("Words on top of the pages.", shown="Sudoku", metavar="TEXT")
    qr: str | None = _option(
        f"Below each puzzle on a page, a QR code that opens it at {SITES}.", metavar="SITE"
    )

    # What few need.
    max_megapixels: float = _option(
        "Refuse pictures of more than N million pixels.", default=100.0, shown=True, min=0.01, metavar="N"
    )
    model: Path | None = _option("Digit model to use instead of the one that comes along.")
    cluster: str | None = _option(
        "Let the workers of a dask scheduler do it, as in tcp://host:8786.", metavar="ADDRESS"
    )
    debug_dir: Path | None = _option("Write a numbered picture of every stage of reading.", metavar="DIR")

    @property
    def said_rules(self) -> Rules | None:
        """The rules that are said, None if none are; raises BoardError for what are none."""
        from sudoku_vision.sudoku.rules import rules_from

        said = self.rules is not None or self.regions is not None
        return rules_from(self.rules or "", self.regions or "") if said else None

    @property
    def other_rules(self) -> bool:
        """Whether other rules than the classic ones are said."""
        return bool(self.regions) or self.rules not in (None, "classic")


@cache
def _types() -> dict[str, Any]:
    return get_type_hints(Options)


_METAVARS = {"int": "N", "Path": "FILE"}
"""What stands for values of a type in help, where an option has no word of its own."""


def _parameter(name: str, words: str | None) -> inspect.Parameter:
    """Return the parameter of an option, with the help in a command's own *words* where these are given."""
    of = Options.__dataclass_fields__[name]
    named = of.metadata["names"] or ("--" + name.replace("_", "-"),)
    panel = next((panel for panel, names in PANELS.items() if name in names), None)
    more = {key: value for key, value in of.metadata.items() if key != "names"} | {"rich_help_panel": panel}
    more.setdefault("metavar", _METAVARS.get(str(of.type).removesuffix(" | None")))
    own = {"show_default": False} if words else {}  # what stands for none is another there
    info = typer.Option(*named, **{**more, "help": words or more["help"]} | own)
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=of.default, annotation=Annotated[_types()[name], info])


def command(
    panel: str, *names: str, **words: str
) -> Callable[[Callable[..., ExitCode | None]], Callable[..., ExitCode | None]]:
    """Return a decorator that makes a function a command, listed in help under *panel*.

    It gets the options of these *names* as its argument ``options``, and returns its exit status, None for
    success. *words* are helps of its own for some of them.
    """
    unknown = {*names, *words} - set(_types())
    if unknown:
        raise KeyError(f"there are no such options: {sorted(unknown)}")
    taken = [of.name for of in fields(Options) if of.name in {*names, *words}]

    def decorate(function: Callable[..., ExitCode | None]) -> Callable[..., ExitCode | None]:
        own = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in inspect.signature(function, eval_str=True).parameters.values()
            if parameter.name != "options"
        ]

        def run(**values: Any) -> ExitCode | None:
            if taken:
                values["options"] = Options(**{name: values.pop(name) for name in taken})
            return function(**values)

        parameters = [*own, *(_parameter(name, words.get(name)) for name in taken)]
        run.__name__, run.__doc__ = function.__name__, function.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return app.command(rich_help_panel=panel, cls=Command)(run)

    return decorate
