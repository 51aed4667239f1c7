"""The commands as they are typed: names, options and help. What each does is in the module of its name.

They import their work when they are called, so that ``--help`` and usage errors answer at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from sudoku_vision.cli.options import (
    BOARDS,
    CLASSIFIER,
    PICTURES,
    PRINTING,
    READING,
    RUNNING,
    SHARING,
    InputArguments,
    Options,
    SomeInputs,
    command,
)
from sudoku_vision.errors import ExitCode


@command(PICTURES, "link", "output", "as_json", *RUNNING, *READING, "debug_dir")
def solve(inputs: SomeInputs = None, *, options: Options) -> ExitCode:
    """Find, read and solve the sudokus of pictures, and those that are written out.

    Prints each puzzle beside its solution.

    Exit status: 0 all are solved, 1 some are not, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.executors import picture_executor

    with picture_executor(inputs or (), options) as executor:
        from sudoku_vision.cli.solve import run_solve

        return run_solve(inputs or (), options, executor)


@command(PICTURES, "answers", "marks", "output", "as_json", *RUNNING, *READING, "debug_dir")
def check(inputs: SomeInputs = None, *, options: Options) -> ExitCode:
    """Tell which digits that you wrote into a puzzle are right, and which are wrong.

    The puzzle is solved from its printed clues alone. Pencil marks are neither right nor wrong.

    Exit status: 0 nothing that is written is wrong, 1 something is wrong or uncertain, 2 wrong usage,
    3 nothing could be opened.
    """
    from sudoku_vision.cli.executors import picture_executor

    with picture_executor(inputs or (), options) as executor:
        from sudoku_vision.cli.check import run_check

        return run_check(inputs or (), options, executor)


@command(
    PICTURES,
    *("source", "list_cameras", "record", "headless", "size", "mirror", "seconds", "as_json", "model"),
)
def live(options: Options) -> ExitCode:
    """Solve sudokus in front of a camera, and see the answers lie on the paper.

    Keys in the window: q or Esc quit, space freeze, s save the picture, r read afresh, h one hint instead
    of the answers, k check what is written, a answers on or off, c next camera, d debug view, t timings.

    Exit status: 0 a puzzle was solved, 1 none was, 2 wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.live import run_live, show_cameras

    return show_cameras(options) if options.list_cameras else run_live(options)


@command(
    PICTURES, *("host", "port", "lan", "https", "token", "allow_host", "workers", "open_browser", "model")
)
def serve(options: Options) -> ExitCode:
    """Show the page for phones and browsers: photograph, look, correct, learn.

    It runs until Ctrl-C. Photos are neither kept nor logged, and nothing is fetched from elsewhere.

    Exit status: 0 it was ended, 2 wrong usage or a port that is taken, 3 the extra 'web' is not installed.
    """
    from sudoku_vision.cli.serve import run_serve

    return run_serve(options)


@command(
    BOARDS,
    *("tell", "marks", "following", "language", "output", "as_json", *READING),
    marks="Take your pencil marks as the candidates of their cells, unless they lost the right digit.",
)
def hint(inputs: InputArguments, options: Options) -> ExitCode:
    """Tell the easiest next step of a puzzle, and why it is right.

    In a photo, what you wrote rightly is built upon. A cell is named by its row and column: r3c6.

    Exit status: 0 told, 1 not all can be told (no solution, several, a clash, an uncertain photo), 2 no board
    or wrong usage, 3 nothing could be opened.
    """
    from sudoku_vision.cli.hint import run_hint

    return run_hint(inputs, options)


@command(
    BOARDS,
    *("method", "start", "language", "output", "as_json", *READING),
    output="Draw the steps, each with its sentence: on the pages of a .pdf, on one long sheet (.svg, .png, "
    ".jpg and others), or into a folder, a picture a step (a name without ending is one); - is standard "
    "output, as PDF.",
)
def explain(inputs: InputArguments, options: Options) -> ExitCode:
    """Tell all steps of a puzzle up to its solution, each with its reason.

    Exit status as for hint.
    """
    from sudoku_vision.cli.explain import run_explain

    return run_explain(inputs, options)


@command(BOARDS, "start", "as_json", *READING)
def rate(inputs: InputArguments, options: Options) -> ExitCode:
    """Tell how hard puzzles are: easy, medium, hard, expert or extreme, and a score.

    A small table each on a terminal, elsewhere a line.

    Exit status as for hint.
    """
    from sudoku_vision.cli.rate import run_rate

    return run_rate(inputs, options)


@command(
    BOARDS,
    *("output", "as_csv", "as_json", *SHARING),
    output="Write to this file and not to standard output.",
)
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

    return run_puzzles(files, options)


@command(
    BOARDS,
    *("difficulty", "clues", "symmetry", "minimal", "rules", "regions"),
    *("seed", "count", "solutions", "as_json"),
    *SHARING,
    *PRINTING,
    rules="The rules: on diagonals, too, each digit stands once, or boxes are of any shape.",
    regions="The regions of the jigsaws, where not each has its own: 81 digits in reading order, each the "
    "number of its region.",
    output="Write them here instead: pages to print (.pdf), a picture (.svg, .png and others), a folder of "
    "pictures, or text (.txt, .sdm, .csv and the other endings that 'convert' knows).",
)
def generate(options: Options) -> None:
    """Make new puzzles, each with exactly one solution; 81 characters a line, 0 for blank.

    Jigsaws and those with diagonals are lines of JSON, with their rules; jigsaws have regions of their own.

    Exit status: 0 made, 1 not found (so few clues are rare) or not written, 2 wrong usage.
    """
    from sudoku_vision.cli.generate import run_generate

    run_generate(options)


@command(
    BOARDS,
    *("to", "fill_marks", *READING, *PRINTING),
    output="Write to this file: text, pages to print (.pdf) or a picture (.svg, .png and others); or to a "
    "folder, a file for each board.",
)
def convert(inputs: InputArguments, options: Options) -> ExitCode:
    """Turn boards from any text, file, link or picture into another format, a link, or pages to print.

    Exit status: 0 all is converted, 1 some can't be read or may be read wrongly, 2 no board or wrong usage,
    3 nothing could be opened.
    """
    from sudoku_vision.cli.convert import run_convert

    return run_convert(inputs, options)


@command(
    CLASSIFIER,
    *("part", "fonts", "photos", "handwriting", "marks_table", "model_out", "training_seed", "folds"),
)
def train(options: Options) -> None:
    """Train the digit classifier, or the reader of pencil marks, from fonts, handwriting and photos.

    Draws boards in every font found, adds handwriting and the cells of photos where given, spoils them as
    cameras do, and learns to read them. Takes some minutes.
    """
    from sudoku_vision.cli.train import run_train

    run_train(options)


@command(CLASSIFIER, "sheet", "reliability", "marks_table", "as_json", "model", *SHARING)
def evaluate(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR",
            help="Folders with pictures and their labels: a .dat file beside each, one labels.csv, or "
            "labels/*.txt about images/.",
            show_default=False,
        ),
    ],
    options: Options,
) -> None:
    """Measure how well labelled photos are read, solved, and wrongly called solved."""
    from sudoku_vision.cli.evaluate import run_evaluate

    run_evaluate(folders, options)
