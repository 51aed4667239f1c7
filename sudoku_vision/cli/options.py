"""Declares each option of the command line once, for all commands.

A command names the options that it takes (:mod:`sudoku_vision.cli.commands`). The typed values become an
:class:`Options` object. The whole run uses this object, also in other processes.
"""

# ruff: noqa: RUF009 (each default below is a call of a function that makes a dataclass field)
from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sudoku_vision.errors import UsageError
from sudoku_vision.texts import ENGLISH, LANGUAGES

if TYPE_CHECKING:  # the imported module loads numpy, which help doesn't need
    from sudoku_vision.sudoku.rules import Rules

READING = ("page", "rules", "regions", "overrides", "corners", "max_megapixels", "model")
"""The options of all commands that read pictures."""
SHARING = ("jobs", "cluster")  # the options of all commands that divide their work among processes
RUNNING = ("recursive", *SHARING, "report", "resume", "quiet")
"""The options of commands that can read many pictures in one run."""
PRINTING = ("per_page", "paper", "title", "qr")  # the options of all commands that print puzzles on pages

PANELS = {
    "Output": ("output", "to", "fill_marks", "as_json", "as_csv", "link", "quiet", "language"),
    "Reading": ("page", "rules", "regions", "overrides", "corners"),
    "Many files": ("recursive", "jobs", "report", "resume"),
    "Pages to print": PRINTING,
    "Advanced": ("max_megapixels", "model", "cluster", "debug_dir"),
}
"""Panels of help: the headings, and the shared options that are listed under each."""

SITES = "sudokuwiki.org, sudoku.coach, sudokuexchange.com, f-puzzles.com or sudokupad.app"
FORMATS = "line, grid, boxes, sdm, ss, csv, cells, hodoku, json, jsonl, dat, opensudoku or sdk"


def _option(text: str, *names: str, default: Any = None, shown: bool | str = False, **more: Any) -> Any:
    """Return the dataclass field of an option with a help *text*.

    *names* are the names of the option, by default ``--`` and the name of the field. *shown*: whether help
    shows the default; a text is shown in place of the default. Further arguments may be ``metavar``,
    ``envvar``, ``min`` and ``max`` (bounds of a number), ``choices`` (the only possible values) and
    ``complete`` (words that shells suggest).
    """
    return field(default=default, metadata={"names": names, "help": text, "show_default": shown, **more})


def _words(listed: str) -> list[str]:
    return listed.replace(" or ", ", ").split(", ")


def _flag(text: str, *names: str) -> Any:
    return _option(text, *names, default=False)


@dataclass(frozen=True)
class Options:
    """The values of all options. A command uses only some. Conflicting options raise UsageError."""

    # Options that only one or two commands take.
    answers: bool = _flag("Show the right digit where a wrong one is written.")
    marks: bool = _flag("Also name the cells whose pencil marks have lost the right digit.")
    tell: Literal["name", "place", "step"] = _option(
        "How much to reveal: the name of the technique, also where to look, or the whole step.",
        default="step",
        shown=True,
    )
    following: int | None = _option(
        "Show the next N steps, each going on from the one before.", "--next", min=1
    )
    language: str | None = _option(
        "Language of what is printed for people.", choices=LANGUAGES, shown="that of $LANG; en for --json"
    )
    method: Literal["easiest", "rows", "crook"] = _option(
        "Take the easiest step at every point; go row by row, as a beginner does; or by pencil and paper, as "
        "J. F. Crook describes: forced numbers, preemptive sets, choices.",
        default="easiest",
        shown=True,
    )
    start: Literal["clues", "entries"] | None = _option(
        "Begin with the clues alone, or also with the entries that are right.",
        shown="entries; clues if the page is full",
    )
    difficulty: Literal["easy", "medium", "hard", "expert", "extreme"] | None = _option(
        "How hard, on the scale of 'rate'.", "--difficulty", "-d", shown="any"
    )
    technique: str | None = _option(
        "The hardest technique that is needed, by its name in 'rate', such as X-wing.", metavar="NAME"
    )
    clues: int | None = _option(
        "Exactly this many clues, from 17 (8 under other rules) to 80; from 22 on they are found quickly.",
        shown="whatever difficulty and symmetry allow",
        min=1,
    )
    symmetry: Literal["none", "point", "rotate", "horizontal", "vertical", "diagonal", "antidiagonal"] = (
        _option(
            "The pattern of clues stays the same after a half turn (point), a quarter turn (rotate), or in a "
            "mirror.",
            *("--symmetry", "-s"),
            default="point",
            shown=True,
        )
    )
    minimal: bool = _flag("No clue can be removed without a second solution appearing.")
    seed: int | None = _option(
        "The same seed makes the same puzzles, however many.", shown="random", min=0, metavar="S"
    )
    count: int = _option("How many.", "--count", "-n", default=1, shown=True, min=1)
    solutions: bool = _flag("Also write the solutions: on the last pages, or as a picture each.")
    source: str = _option(
        "Number of a camera; or a film or a stream to look at instead.",
        *("--source", "-s"),
        default="0",
        shown="0, the first camera",
        metavar="CAMERA_FILE_OR_URL",
    )
    list_cameras: bool = _flag("List the cameras, and leave.", "--list")
    record: str | None = _option(
        "Write the film with the answers drawn in; ends in .mp4, .webm, .mkv, .mov, .m4v or .avi.",
        metavar="OUT",
    )
    headless: bool = _flag("Open no window, and read every frame of a film.")
    size: str | None = _option("Resolution to ask the camera for, as in 1280x720.", metavar="WIDTHxHEIGHT")
    mirror: bool = _flag("Flip the picture of a camera that gives a mirror image.")
    seconds: float | None = _option("Stop after this many seconds.", min=0, metavar="S")
    host: str | None = _option(
        "Address of this machine to listen on. If others can reach it, they need a token.",
        shown="127.0.0.1: this machine alone",
        metavar="ADDRESS",
    )
    port: int = _option(
        "Port to listen on; 0 takes any that is free.", default=8000, shown=True, min=0, max=65535
    )
    lan: bool = _flag("Invite the local network: show an address with a token, and a code to scan.")
    https: bool = _flag("Encrypt, with a certificate of its own: phones then allow the live camera.")
    token: str | None = _option(
        "Token that opens the page, instead of a new one.", envvar="SUDOKU_VISION_TOKEN", metavar="TEXT"
    )
    allow_host: tuple[str, ...] = _option(
        "Another name of the page, for example behind a proxy. Repeatable.", default=(), metavar="NAME"
    )
    workers: int | None = _option("Pictures read at once.", shown="as many as cores", min=1, max=256)
    open_browser: bool | None = _option(
        "Open the page in a browser.", "--open/--no-open", shown="open if you sit before a screen"
    )

    # What is written, and how.
    output: str | None = _option(
        "Draw the result into the picture, or onto a plain board, and write that here: a name ending in "
        ".png, .jpg, .webp, .tiff, .gif, .bmp or .pdf; a folder (any name without an ending); or - for "
        "standard output, as PNG. 'solve' prints the puzzle plainly if the name ends in .svg.",
        *("--output", "-o"),
        metavar="OUT",
    )
    to: str | None = _option(
        f"{FORMATS}; a link to {SITES}; or pdf, svg, png and other pictures. By default the ending of the "
        "output decides; without an output it is line.",
        metavar="FORMAT",
        complete=_words(f"{FORMATS}, {SITES}, pdf, svg, png"),
    )
    fill_marks: bool = _flag("Write all candidates into the blank cells, instead of the marks there.")
    as_json: bool = _flag("Print one JSON object a line, for other programs.", "--json")
    as_csv: bool = _flag("Print a table with the status of every line.", "--csv")
    link: str | None = _option(
        f"Print the link that opens each puzzle at {SITES}.", metavar="SITE", complete=_words(SITES)
    )
    quiet: bool | None = _option(
        "Print one line for each picture, without its grids. More than ten inputs are always printed so.",
        *("--quiet/--no-quiet", "-q"),
    )

    # How pictures are read.
    page: int | None = _option("Only this page of a document, or board of a text.", min=1)
    rules: Literal["classic", "diagonal", "jigsaw", "killer"] | None = _option(
        "Rules of the puzzles. diagonal: each digit stands once on both diagonals, too. jigsaw: regions of "
        "any shape instead of boxes. killer: cages of cells, of which the sums are given.",
        shown="what lines and colours show, or the text says",
    )
    regions: str | None = _option(
        "Regions of a jigsaw: 81 digits in reading order, for each cell the number of its region.",
        metavar="DIGITS",
    )
    overrides: str | None = _option(
        "What cells of one picture hold, with rows and columns from 1. r3c5=8,r4c1=blank: an 8 is printed, "
        "nothing is. r2c2=written: the digit there is no clue. r2c2=w7: it is a 7 and no clue. all=printed, "
        "all=written: all digits that may be clues or entries are clues, or entries. 2:r3c5=8: the second of "
        "several grids.",
        metavar="CELLS",
    )
    corners: str | None = _option(
        "Where the grid of one picture lies: its outer corners in pixels of the upright picture, clockwise "
        "from the puzzle's top left.",
        metavar="X,Y,X,Y,X,Y,X,Y",
    )

    # Many files.
    recursive: bool = _flag("Search folders together with all folders below them.", "--recursive", "-r")
    jobs: int | None = _option(
        "Number of processes; 1 does all work in this one.",
        *("--jobs", "-j"),
        shown="one a core, if that is quicker",
        min=1,
    )
    report: str | None = _option(
        "Write a line for each page as soon as it is done; the name ends in .csv or .jsonl.", metavar="FILE"
    )
    resume: bool = _flag(
        "Go on with the run of --report: skip the pages that are done in it, and add the others. Without "
        "INPUT, read the pages again that failed or are not sure in it."
    )

    # Pages to print.
    per_page: int | None = _option(
        "Puzzles on a page: 1, 2, 4, 6 or 9.", shown="as many as there are, up to 4", min=1
    )
    paper: Literal["a4", "letter", "a5"] | None = _option("Paper size.", shown="a4")
    title: str | None = _option("Heading of the pages.", shown="Sudoku", metavar="TEXT")
    qr: str | None = _option(
        f"Below each puzzle on a page, a QR code that opens it at {SITES}.",
        metavar="SITE",
        complete=_words(SITES),
    )

    # Options that few users need.
    max_megapixels: float = _option(
        "Refuse pictures of more than N million pixels.", default=100.0, shown=True, min=0.01, metavar="N"
    )
    model: Path | None = _option("Digit model to use instead of the built-in one.", metavar="FILE")
    cluster: str | None = _option(
        "Let the workers of a dask scheduler do the work, as in tcp://host:8786.", metavar="ADDRESS"
    )
    debug_dir: Path | None = _option("Write a numbered picture of every stage of reading.", metavar="DIR")

    def __post_init__(self) -> None:
        for name in ("jobs", "debug_dir"):
            if self.cluster is not None and getattr(self, name) is not None:
                other = name.replace("_", "-")
                raise UsageError(f"--cluster and --{other} can't both be given.", "Leave one out.")

    @property
    def text_language(self) -> str:
        """The language of texts for people.

        It is the first of these that applies: the language of ``--language``; English, if the output is JSON;
        the language of the terminal, if there are texts in this language; English.
        """
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        own = next(filter(None, map(os.environ.get, names)), ENGLISH)[:2].lower()
        return self.language or (own if own in LANGUAGES and not self.as_json else ENGLISH)

    @property
    def puzzle_rules(self) -> Rules | None:
        """The rules that ``--rules`` and ``--regions`` give, or None. Raises RulesError for wrong values."""
        from sudoku_vision.sudoku.rules import rules_from

        given = self.rules is not None or self.regions is not None
        return rules_from(self.rules or "", self.regions or "") if given else None

    @property
    def reading(self) -> dict[str, Any]:
        """The arguments of ``pipeline.read_page``. Raises UsageError for wrong corrections or corners."""
        from sudoku_vision.vision.decode.overrides import parse_corners, parse_overrides

        if self.overrides is not None:
            parse_overrides(self.overrides)
        corners = None if self.corners is None else parse_corners(self.corners)
        # If no regions are given, the regions of a jigsaw or the cages of a killer are read from the picture.
        rules = (
            self.rules if self.rules in ("jigsaw", "killer") and self.regions is None else self.puzzle_rules
        )
        return {"overrides": self.overrides, "corners": corners, "rules": rules}

    @property
    def other_rules(self) -> bool:
        """Whether the options choose rules other than the classic rules."""
        return bool(self.regions) or self.rules not in (None, "classic")

    @property
    def is_for_one_picture(self) -> bool:
        """Whether the options name cells or corners. Such options fit only a single picture."""
        return self.overrides is not None or self.corners is not None
