"""Declares the name, the options and the help of each command; other modules do the work.

The other modules are imported only when a command is called. So ``--help`` and usage errors appear at once.
Worker processes are started before these imports, so that both happen at the same time.
"""

import contextlib
import glob
import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import cast

from sudoku_vision.cli.app import command
from sudoku_vision.cli.options import PRINTING, READING, RUNNING, SHARING, Options
from sudoku_vision.cli.reporter import complain
from sudoku_vision.errors import ExitCode
from sudoku_vision.parallel import available_cores, open_executor

PICTURES, BOARDS = "For pictures", "For boards"  # the headings under which help lists the commands

INPUTS = (
    "INPUT: pictures, boards of 81 characters, links, files of boards, folders, patterns such as "
    "'photos/*.jpg', or - for standard input."
)
LISTS = (
    "FILE: lists of puzzles, 81 characters a line, packed by gzip or not; boards or links; or - for standard "
    "input."
)

MIN_SHARED = 8
"""Without ``--jobs`` and ``--cluster``, worker processes are used only for at least this many files. The
start of the processes takes a quarter of a second. Reading four to ten photos in parallel saves as much
time."""
ROOM_BYTES, BYTES_A_PIXEL = 500_000_000, 25.0
"""Memory that a worker process needs, in bytes: for the program itself, and for each pixel of the largest
allowed picture. In a measurement, a PNG with transparency needed 20 bytes a pixel, and a HEIC picture 14."""
PRELOADED = "sudoku_vision.cli.preloaded"
"""The module that loads all code for worker processes. It is imported once, before they are forked."""


@command(
    *(PICTURES, "link", "language", "output", "as_json", *RUNNING, *READING, "debug_dir"),
    takes=INPUTS,
    required=False,  # with --resume, the inputs can come from the report
)
def solve(inputs: tuple[str, ...], options: Options) -> ExitCode:
    """Find, read and solve the sudokus of pictures, and boards in text.

    Prints each puzzle beside its solution.
    """
    return _run("page_run.SolveRun", inputs, options)


@command(
    *(PICTURES, "answers", "marks", "language", "output", "as_json", *RUNNING, *READING, "debug_dir"),
    takes=INPUTS,
    required=False,
)
def check(inputs: tuple[str, ...], options: Options) -> ExitCode:
    """Check the digits that you wrote into a puzzle: right or wrong.

    The puzzle is solved from its printed clues alone. Pencil marks count as neither right nor wrong.
    """
    return _run("page_run.CheckRun", inputs, options)


@command(
    *(PICTURES, "source", "list_cameras", "record", "headless", "size", "mirror", "seconds"),
    *("as_json", "model"),
)
def live(options: Options) -> ExitCode:
    """Solve sudokus in front of a camera, and see the answers on the paper.

    Keys in the window: q or Esc quit, space freeze, s save the picture, r read again, h one hint instead
    of the answers, k check what is written, a answers on or off, c next camera, d debug view, t timings.
    """
    from sudoku_vision.cli.live import run_live, show_cameras

    return show_cameras(options) if options.list_cameras else run_live(options)


@command(
    *(PICTURES, "host", "port", "lan", "https", "token", "allow_host", "workers", "open_browser"),
    "model",
)
def serve(options: Options) -> ExitCode:
    """Show the page for phones and browsers: photograph, look, correct, learn.

    It runs until Ctrl-C. Photos are neither kept nor logged, and nothing is fetched from elsewhere.
    """
    from sudoku_vision.cli.serve import run_serve

    return run_serve(options)


@command(
    *(BOARDS, "tell", "marks", "following", "language", "output", "as_json", "jobs", *READING),
    takes=INPUTS,
    marks="Take your pencil marks as the candidates of their cells, unless they lost the right digit.",
)
def hint(inputs: tuple[str, ...], options: Options) -> ExitCode:
    """Show the easiest next step of a puzzle, and why it is right.

    In a photo, it builds on the entries that are right. A cell is named by its row and column: r3c6.
    """
    return _run("board_run.HintRun", inputs, options, here=options.output is not None)


@command(
    *(BOARDS, "method", "start", "language", "output", "as_json", "jobs", *READING),
    takes=INPUTS,
    output="Draw the steps, each with its sentence: on the pages of a .pdf, on one long sheet (.svg, .png, "
    ".jpg and others), or into a folder, a picture a step (any name without an ending is a folder); - is "
    "standard output, as PDF.",
)
def explain(inputs: tuple[str, ...], options: Options) -> ExitCode:
    """Show all steps of a puzzle up to its solution, each with its reason."""
    return _run("board_run.ExplainRun", inputs, options)


@command(
    *(BOARDS, "start", "language", "as_json", "jobs", *READING),
    takes=INPUTS,
    start="Rate the puzzle from its clues alone, or only what its right entries leave. By default, both.",
)
def rate(inputs: tuple[str, ...], options: Options) -> ExitCode:
    """Rate how hard puzzles are: easy, medium, hard, expert or extreme, and a score.

    Prints a small table for each puzzle on a terminal, and a line for each puzzle into a file or a pipe.
    """
    return _run("board_run.RateRun", inputs, options)


@command(
    *(BOARDS, "as_csv", "as_json", *SHARING),
    takes=LISTS,
    output="Write to this file instead of standard output.",
    resume="Go on with the -o of a run that Ctrl-C ended: keep its answers, and solve the other puzzles.",
)
def puzzles(files: tuple[str, ...], options: Options) -> ExitCode:
    """Solve lists of puzzles, thousands a second.

    Prints a line for each puzzle, in their order: its solution, or one of the words none, many, clash and
    malformed. Blank lines and lines that begin with # are skipped, and so is what follows a puzzle after a
    space or comma.
    """
    from sudoku_vision.cli.puzzles import run_puzzles

    return run_puzzles(files, options)


@command(
    *(BOARDS, "difficulty", "technique", "clues", "symmetry", "minimal"),
    *("seed", "count", "solutions", "as_json", *SHARING, *PRINTING),
    rules="Rules of the puzzles. diagonal: each digit stands once on both diagonals, too. jigsaw: regions of "
    "any shape instead of boxes. killer: cages of cells, of which the sums are given.",
    regions="Regions of all the jigsaws, instead of new ones for each: 81 digits in reading order, for each "
    "cell the number of its region.",
    output="Write them to this place instead: pages to print (.pdf), a picture (.svg, .png and others), a "
    "folder of pictures, or text (.txt, .sdm, .csv and the other endings that 'convert' knows).",
)
def generate(options: Options) -> None:
    """Make new puzzles, each with exactly one solution; 81 characters a line, 0 for blank.

    Jigsaws, diagonals and killers are printed as lines of JSON, with their rules.
    """
    from sudoku_vision.cli.generate import run_generate

    run_generate(options)


@command(
    *(BOARDS, "to", "fill_marks", "jobs", *READING, *PRINTING),
    takes=INPUTS,
    output="Write to this file: text, pages to print (.pdf) or a picture (.svg, .png and others); or to a "
    "folder, a file for each board.",
)
def convert(inputs: tuple[str, ...], options: Options) -> ExitCode:
    """Turn boards from any text, file, link or picture into another format, a link, or pages to print."""
    return _run("convert.ConvertRun", inputs, options)


def _run(name: str, inputs: Sequence[str], options: Options, *, here: bool = False) -> ExitCode:
    """Do the work of a command. *name* is a module of this folder and a class in it: ``convert.ConvertRun``.

    By default, other processes read the inputs if there are at least :data:`MIN_SHARED` files. The options
    ``--jobs``, ``--cluster`` and ``--debug-dir`` can change this. The module is imported while these
    processes start. If *here* is true, this process reads all inputs.
    """
    jobs = options.jobs
    if here or options.debug_dir is not None:
        jobs = 1
    elif jobs is None:
        jobs = available_cores()
        if jobs > 1 and len(list(islice(_files(inputs, options), MIN_SHARED))) < MIN_SHARED:
            jobs = 1
    with open_executor(
        jobs,
        cluster=options.cluster,
        task_memory=round(ROOM_BYTES + BYTES_A_PIXEL * 1e6 * options.max_megapixels),
        preloaded=PRELOADED,
        announce=complain,
    ) as executor:
        module, _, class_name = name.partition(".")
        run = getattr(import_module(f"sudoku_vision.cli.{module}"), class_name)
        return cast("ExitCode", run(inputs, options).run(executor))


def _files(arguments: Sequence[str], options: Options) -> Iterator[object]:
    """Yield a value for each file to read. The caller only counts the values.

    With ``--resume`` and no arguments, there is a value for each line of the report.
    """
    for argument in arguments:
        if os.path.isdir(argument):  # noqa: PTH112 (pathlib fails for long names)
            argument = os.path.join(glob.escape(argument), "**" if options.recursive else "*")  # noqa: PTH118
        elif os.path.isfile(argument):  # noqa: PTH113 (pathlib fails for long names)
            argument = glob.escape(argument)
        yield from glob.iglob(argument, recursive=True)  # noqa: PTH207 (pathlib fails for long names)
    if options.resume and options.report is not None and not arguments:
        with contextlib.suppress(OSError), Path(options.report).open("rb") as report:
            yield from report
