"""``sudoku-vision generate``: makes new puzzles, and prints them or writes text, pictures or pages."""

import contextlib
import math
import secrets
import sys
import time
from collections.abc import Generator, Sequence
from functools import partial
from itertools import islice

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import PAGES_ENDING, PICTURE_ENDINGS, BoardOutput
from sudoku_vision.cli.reporter import Reporter, complain, progress
from sudoku_vision.errors import SudokuVisionError, TaskLostError, UsageError
from sudoku_vision.parallel import available_cores, map_in_order, open_executor
from sudoku_vision.sudoku.display import puzzle_cells, styled_board
from sudoku_vision.sudoku.formats import Format, NamedBoard, format_of, write_boards
from sudoku_vision.sudoku.generator import Puzzle, numbered_puzzle, series
from sudoku_vision.sudoku.generator.constraints import Constraints
from sudoku_vision.sudoku.rules import CLASSIC

_MAX_SEED = 10**9  # random seeds are smaller than this, so that users can easily retype them
_SOON = 0.5
"""Before other processes are started, this process makes puzzles for this many seconds of processor time. The
start of the other processes takes about as long."""


def run_generate(options: Options) -> None:
    """Make puzzles, and print or write them. The puzzles don't depend on the number of processes.

    If the search is interrupted or fails, the puzzles made so far are still written.
    """
    rules = (options.puzzle_rules if options.regions else options.rules) or CLASSIC
    constraints = Constraints(
        options.difficulty, options.clues, options.symmetry, options.minimal, rules, options.technique
    )
    seed = secrets.randbelow(_MAX_SEED) if options.seed is None else options.seed
    output = BoardOutput(options, folder_ending=".png")
    reporter = Reporter("puzzle", as_json=options.as_json, language=options.text_language)
    form = _text_format(output, options)
    if options.seed is None and sys.stderr.isatty():
        complain(f"The same again: --seed {seed}")
    made: list[Puzzle] = []
    done = 0
    prints = options.as_json or not output.is_named
    bar_steps = 0 if prints and sys.stdout.isatty() else options.count  # printed lines show the progress
    try:
        with (
            progress(bar_steps, "generating") as bar,
            contextlib.closing(_puzzles(constraints, seed, options)) as puzzles,
        ):
            for puzzle in puzzles:
                done += 1  # a puzzle is stored first: if printing is interrupted, the puzzle is still written
                if output.is_named:
                    made.append(puzzle)
                if prints:
                    _print(puzzle, reporter)
                bar.advance()
    except (SudokuVisionError, KeyboardInterrupt) as stopped:
        if made:
            _write(made, output, form, options)
            complain(f"{options.output}: {done} of {options.count} puzzles written.")
        elif isinstance(stopped, KeyboardInterrupt) and options.count > 1:
            complain(f"interrupted after {done} of {options.count} puzzles")
        raise
    if made:
        _write(made, output, form, options)
        reporter.add_written(options.output)


def _puzzles(constraints: Constraints, seed: int, options: Options) -> Generator[Puzzle]:
    """Yield puzzles. This process makes puzzles for a short time; then several processes make the rest.

    The short time (:data:`_SOON`) is about as long as the start of the processes. So if only a few puzzles
    are wanted, they are made without other processes. A puzzle that is unfinished when the short time ends is
    begun again.
    """
    count, done, jobs = options.count, 0, options.jobs or available_cores()
    if options.cluster is None:
        end = time.process_time() + (math.inf if 1 in (count, jobs) else _SOON)

        def advance(_: int) -> None:
            if time.process_time() > end:
                raise _TooLongError

        with contextlib.suppress(_TooLongError):
            for puzzle in islice(series(constraints, seed, advance=advance), count):
                yield puzzle
                done += 1
                advance(0)
    if done == count:
        return
    numbers = range(done + 1, count + 1)
    jobs = min(jobs, len(numbers))
    with open_executor(jobs, cluster=options.cluster, task_seconds=None, announce=complain) as executor:
        for number, made in map_in_order(executor, partial(numbered_puzzle, constraints, seed), numbers):
            is_lost = isinstance(made.exception(), TaskLostError)
            yield numbered_puzzle(constraints, seed, number) if is_lost else made.result()


class _TooLongError(Exception):
    """Raised when this process has made puzzles for :data:`_SOON` seconds; then other processes start."""


def _text_format(output: BoardOutput, options: Options) -> Format | None:
    """Return the format of the output if it is a text file; otherwise, return None.

    Raises :class:`UsageError` if the output can't hold these puzzles, their rules or their solutions.
    """
    if output.is_file and output.drawn_ending in PICTURE_ENDINGS and options.count > 1:
        what = f"{options.output}: one picture holds one puzzle, not {options.count}."
        raise UsageError(what, "Name a folder with -o, as in: -o puzzles/, or pages, as in: -o puzzles.pdf")
    if options.solutions and not (output.is_named or options.as_json):
        remedy = "Use --json, or -o with a .pdf or .csv."
        raise UsageError("Lines of puzzles have no room for solutions.", remedy)
    if output.drawn_ending or not output.is_file:
        return None
    form = format_of(output.path, (PAGES_ENDING, *PICTURE_ENDINGS), "or name a folder")
    if options.other_rules and "rules" not in form.keeps:
        what = f"{options.output}: a file of the format {form.name} has no room for rules."
        raise UsageError(what, "End its name with .jsonl, .pdf or .png.")
    if options.solutions and form.name != "csv":
        what = f"{options.output}: a file of the format {form.name} has no room for solutions."
        raise UsageError(what, "End its name with .csv, .pdf or .png.")
    if options.count > 1 and not form.several:
        what = f"{options.output}: one file of the format {form.name} can't hold {options.count} puzzles."
        raise UsageError(what, "End its name with .sdm or .csv.")
    return form


def _write(puzzles: Sequence[Puzzle], output: BoardOutput, form: Format | None, options: Options) -> None:
    if form is not None:
        output.write(form.write([_named(puzzle) for puzzle in puzzles]).encode())
        return
    digits = len(str(puzzles[-1].number))
    named = [(f"puzzle-{puzzle.number:0{digits}d}", puzzle) for puzzle in puzzles]
    output.draw(named, solutions=options.solutions)


def _print(puzzle: Puzzle, reporter: Reporter) -> None:
    """Print a puzzle: as JSON if that is wanted, otherwise as a grid on a terminal or as a line elsewhere.

    With other rules than the classic rules, the line is JSON, too.
    """
    style = reporter.style
    if reporter.as_json:
        reporter.print_json(puzzle.to_dict())
    elif style.width is not None:
        grid = styled_board(puzzle_cells(puzzle.board), style.unicode, puzzle.rules)
        reporter.print([[(f"{_named(puzzle).name}:", "bold")], *grid, []])
    else:
        line = str(puzzle) if puzzle.rules == CLASSIC else write_boards([_named(puzzle)], "jsonl").rstrip()
        print(line, flush=True)  # noqa: T201


def _named(puzzle: Puzzle) -> NamedBoard:
    name = f"Sudoku {puzzle.seed}-{puzzle.number}, {puzzle.rating.name}"
    return NamedBoard(puzzle.board, name=name, rules=puzzle.rules)
