"""The commands for boards: ``hint``, ``explain``, ``rate``, ``puzzles``, ``generate`` and ``convert``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from sudoku_vision.cli.app import BOARDS, register
from sudoku_vision.cli.options import (
    PRINTING,
    READING,
    SHARING,
    InputArguments,
    Options,
    TextOutput,
    takes,
)
from sudoku_vision.errors import ExitCode


class Detail(StrEnum):
    """How much of a hint is told."""

    NAME = "name"
    PLACE = "place"
    STEP = "step"


class Method(StrEnum):
    """In which order a puzzle is explained."""

    EASIEST = "easiest"
    ROWS = "rows"
    CROOK = "crook"


class Difficulty(StrEnum):
    """How hard puzzles are, as ``rate`` tells."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"


class Symmetry(StrEnum):
    """What the pattern of clues looks the same after."""

    NONE = "none"
    POINT = "point"
    ROTATE = "rotate"
    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    DIAGONAL = "diagonal"
    ANTIDIAGONAL = "antidiagonal"


@register(BOARDS)
@takes("output", "as_json", "plain", *READING)
def hint(
    inputs: InputArguments,
    tell: Annotated[
        Detail,
        typer.Option(help="Tell the technique's name, also where to look, or the whole step."),
    ] = Detail.STEP,
    marks: Annotated[
        bool,
        typer.Option(
            "--marks",
            help="Take your pencil marks as the candidates of their cells, unless they lost the right digit.",
        ),
    ] = False,
    count: Annotated[
        int | None,
        typer.Option(
            "--next",
            min=1,
            metavar="N",
            help="Tell the next N steps, each going on from the one before.",
            show_default=False,
        ),
    ] = None,
    *,
    options: Options,
) -> ExitCode:
    """Tell the easiest next step of a puzzle, and why it is right.

    In a photo, what you wrote rightly is built upon.

    Exit status: 0 told, 1 not all can be told (no solution, several, a clash, an uncertain photo), 2 no board
    or wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.hint import HintWishes, run_hint

    return run_hint(inputs, options, HintWishes(tell.value, marks, count))


@register(BOARDS)
@takes("as_json", "plain", *READING)
def explain(
    inputs: InputArguments,
    method: Annotated[
        Method,
        typer.Option(
            help="Take the easiest step at every place; go row by row, as a beginner does; or by pencil and "
            "paper, as J. F. Crook describes: forced numbers, preemptive sets, choices.",
        ),
    ] = Method.EASIEST,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Draw the steps, each with its sentence: on the pages of a .pdf, on one long sheet (.svg, "
            ".png, .jpg and others), or into a folder, a picture a step (a name without ending is one); - "
            "is standard output, as PDF.",
            show_default=False,
        ),
    ] = None,
    *,
    options: Options,
) -> ExitCode:
    """Tell all steps of a puzzle up to its solution, each with its reason.

    Exit status as for hint.
    """
    from sudoku_vision.cli.explain import run_explain

    return run_explain(inputs, options, method.value, output)


@register(BOARDS)
@takes("as_json", "plain", *READING)
def rate(inputs: InputArguments, *, options: Options) -> ExitCode:
    """Tell how hard puzzles are: easy, medium, hard, expert or extreme, and a score.

    A small table each on a terminal, elsewhere a line.

    Exit status as for hint.
    """
    from sudoku_vision.cli.rate import run_rate

    return run_rate(inputs, options)


@register(BOARDS)
@takes("as_json", *SHARING)
def puzzles(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Lists of puzzles, 81 characters a line, packed by gzip or not; boards or links; or - for "
            "standard input.",
            show_default=False,
        ),
    ],
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a table with the status of every line.")
    ] = False,
    output: TextOutput = None,
    *,
    options: Options,
) -> ExitCode:
    """Solve lists of puzzles, thousands a second.

    Prints a line for each puzzle, in their order: its solution, or one of the
    words none, many, clash and malformed. Blank lines and lines that begin
    with # are skipped, and so is what follows a puzzle after a space or comma.

    Exit status: 0 each has exactly one solution, 1 some have not, 2 wrong usage,
    3 nothing could be opened.
    """
    from sudoku_vision.cli.puzzles import run_puzzles

    return run_puzzles(files, output, options, as_csv=as_csv)


@register(BOARDS)
@takes("as_json", *SHARING, *PRINTING)
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
    solutions: Annotated[
        bool,
        typer.Option("--solutions", help="Solutions, too: on the last pages, or a picture of each."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write them here instead: pages to print (.pdf), a picture (.svg, .png and others), a "
            "folder of pictures, or text (.txt, .sdm, .csv and the other endings that 'convert' knows).",
            show_default=False,
        ),
    ] = None,
    *,
    options: Options,
) -> None:
    """Make new puzzles, each with exactly one solution; 81 characters a line, 0 for blank.

    Exit status: 0 made, 1 not found (so few clues are rare) or not written, 2 wrong usage.
    """
    from sudoku_vision.cli.generate import run_generate
    from sudoku_vision.sudoku.generator import Constraints

    constraints = Constraints(difficulty.value if difficulty else None, clues, symmetry.value, minimal)
    run_generate(constraints, seed, count, output, options, solutions=solutions)


@register(BOARDS)
@takes(*READING, *PRINTING)
def convert(
    inputs: InputArguments,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="{formats}; a link to {sites}; or pdf, svg, png and other pictures. By default what the "
            "output's ending says, or line.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Write to this file: text, pages to print (.pdf) or a picture (.svg, .png and others); or "
            "to a folder, a file for each board.",
            show_default=False,
        ),
    ] = None,
    *,
    options: Options,
) -> ExitCode:
    """Turn boards from any text, file, link or picture into another format, a link, or pages to print.

    Exit status: 0 all is converted, 1 some can't be read or may be read wrongly, 2 no board or wrong usage,
    3 nothing could be opened.
    """
    from sudoku_vision.cli.convert import run_convert

    return run_convert(inputs, options, output, to)
