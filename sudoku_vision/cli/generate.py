"""The command that makes puzzles: ``generate``."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from sudoku_vision.cli.app import BOARDS, app, plain_errors
from sudoku_vision.cli.options import Json


class Difficulty(str, Enum):
    """How hard puzzles are, as ``rate`` tells."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"


class Symmetry(str, Enum):
    """What the pattern of clues looks the same after."""

    NONE = "none"
    POINT = "point"
    ROTATE = "rotate"
    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    DIAGONAL = "diagonal"
    ANTIDIAGONAL = "antidiagonal"


class Paper(str, Enum):
    """Sheets to print on."""

    A4 = "a4"
    LETTER = "letter"


@app.command(rich_help_panel=BOARDS)
def generate(
    difficulty: Annotated[
        Difficulty | None,
        typer.Option("--difficulty", "-d", help="How hard, as 'rate' tells.", show_default="any"),
    ] = None,
    clues: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Exactly so many clues, 17 to 80; from 22 on they are soon found.",
            show_default="as difficulty and symmetry let it be",
        ),
    ] = None,
    symmetry: Annotated[
        Symmetry,
        typer.Option(
            "--symmetry",
            "-s",
            help="Clues lie as before after a half turn (point), a quarter turn (rotate), or in a mirror.",
        ),
    ] = Symmetry.POINT,
    minimal: Annotated[
        bool,
        typer.Option("--minimal", help="No clue can be taken away without a second solution appearing."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="S",
            help="The same seed makes the same puzzles, however many.",
            show_default="by chance",
        ),
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="How many.")] = 1,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write them here instead: pages to print (.pdf), a picture (.png, .jpg, .webp), a folder of "
            "pictures, or text (.txt, .sdm, .csv and the other endings that 'convert' knows).",
            show_default=False,
        ),
    ] = None,
    solutions: Annotated[
        bool,
        typer.Option("--solutions", help="Solutions, too: on the last pages, or a picture of each."),
    ] = False,
    per_page: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Puzzles on a page: 1, 2, 4 or 6.", show_default="as many as there are, up to 4"
        ),
    ] = None,
    paper: Annotated[Paper | None, typer.Option(help="Sheet of the pages.", show_default="a4")] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Words on top of the pages.", show_default="Sudoku")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make new puzzles, each with exactly one solution; 81 characters a line, 0 for blank.

    Exit status: 0 made, 1 not found (so few clues are rare) or not written, 2 wrong usage.
    """
    with plain_errors():
        from sudoku_vision.cli.generating import Sheets, generate_all
        from sudoku_vision.generator import Constraints

        constraints = Constraints(difficulty.value if difficulty else None, clues, symmetry.value, minimal)
        sheets = Sheets(solutions, per_page, paper.value if paper else None, title)
        generate_all(constraints, seed, count, output, sheets, as_json=as_json)
