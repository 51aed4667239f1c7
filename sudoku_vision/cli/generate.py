"""The work of ``sudoku-vision generate``: puzzles to standard output, files, pictures and pages."""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.executors import check_sharing, executor_for
from sudoku_vision.cli.interrupts import stopped_as_by_ctrl_c
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import find_target, names_folder
from sudoku_vision.cli.printing import (
    PAGES_ENDING,
    PICTURE_ENDINGS,
    check_page_options,
    code_link,
    code_site,
    page_style,
    write_pages,
    write_picture,
)
from sudoku_vision.cli.progress import progress
from sudoku_vision.errors import SudokuVisionError, TaskLostError, UsageError
from sudoku_vision.output.save import check_print, make_folder, write_atomically
from sudoku_vision.parallel import available_cores, map_in_order
from sudoku_vision.sudoku.formats import FORMATS, Format, NamedBoard, Site
from sudoku_vision.sudoku.generator import Constraints, Puzzle, numbered_puzzle, series
from sudoku_vision.vision.load import STDIN

if TYPE_CHECKING:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

_CHANCE = 10**9  # seeds that are made up stay short enough to type in again
_QUIET_FOR = 2.0  # seconds before it is said that the search goes on
_SOON = 0.5  # seconds of the processor before work is shared out: each process takes about as long to begin

Writer = Callable[[Sequence[Puzzle]], None]
"""Writes the puzzles that were made to where they shall go."""


def run_generate(
    constraints: Constraints,
    seed: int | None,
    count: int,
    output: str | None,
    options: Options,
    *,
    solutions: bool = False,
) -> None:
    """Make *count* puzzles of *seed*, one by chance if None, and print or write them.

    They are the same however many processes make them. With *solutions*, these are written, too.

    What was made is written even if the search is interrupted or ends without finding. Raises
    :class:`UsageError` and :class:`~sudoku_vision.errors.SaveError` before any is made, and then
    :class:`~sudoku_vision.errors.GenerateError`, and what a cluster raises.
    """
    chosen = secrets.randbelow(_CHANCE) if seed is None else seed
    call = _call(constraints, count, chosen)
    check_sharing(options)
    write: Writer | None = None
    if output is None or output == STDIN:
        _check_lines(options, solutions=solutions)
    else:
        write = _writer(output, count, options, solutions=solutions)
    if seed is None and sys.stderr.isatty():
        complain(f"Again the same: {call}")
    made: list[Puzzle] = []
    done = 0
    stopped: BaseException | None = None
    printing = write is None or options.as_json
    bar = not (printing and sys.stdout.isatty())
    with stopped_as_by_ctrl_c():
        try:
            with contextlib.closing(_made(constraints, chosen, count, options, bar=bar)) as puzzles:
                for puzzle in puzzles:
                    done += 1  # first of all: what is printed is written, too
                    if write is not None:
                        made.append(puzzle)
                    if printing:
                        line = json.dumps(puzzle.to_dict()) if options.as_json else puzzle
                        print(line, flush=True)  # noqa: T201
        except (SudokuVisionError, KeyboardInterrupt) as error:
            stopped = error
        if write is not None and made:
            write(made)
    if stopped is not None:
        _tell_of_the_rest(stopped, done, count, output if write is not None else None)
        raise stopped


def _tell_of_the_rest(stopped: BaseException, made: int, count: int, output: str | None) -> None:
    """Say how many puzzles there are, where the search ended early."""
    if output is not None and made:
        complain(f"{output}: {made} of {count} puzzles written.")
    elif isinstance(stopped, KeyboardInterrupt) and count > 1:
        complain(f"interrupted after {made} of {count} puzzles")


def _call(constraints: Constraints, count: int, seed: int) -> str:
    """The call that makes the same puzzles again."""
    words = ["sudoku-vision generate"]
    words += [f"--difficulty {constraints.difficulty}"] if constraints.difficulty else []
    words += [f"--clues {constraints.clues}"] if constraints.clues else []
    words += [f"--symmetry {constraints.symmetry}"] if constraints.symmetry != Constraints().symmetry else []
    words += ["--minimal"] if constraints.minimal else []
    words += [f"--count {count}"] if count > 1 else []
    return " ".join([*words, f"--seed {seed}"])


def _made(
    constraints: Constraints, seed: int, count: int, options: Options, *, bar: bool
) -> Generator[Puzzle, None, None]:
    """Make the puzzles, with a *bar* where there are several and a word where one takes long.

    Lines that go to the terminal show themselves how far it is, and a bar would break them.
    """
    with progress(count if bar else 0, "generating") as made, _word_of_patience(count == 1) as advance:
        alone = options.cluster is None and (count == 1 or (options.jobs or available_cores()) == 1)
        several = _made_by_several(constraints, seed, count, options)
        puzzles = islice(series(constraints, seed, advance=advance), count) if alone else several
        for puzzle in puzzles:
            yield puzzle
            made.advance()


def _made_by_several(
    constraints: Constraints, seed: int, count: int, options: Options
) -> Generator[Puzzle, None, None]:
    """Make the puzzles here for a moment, where no other process would be ready; then share them out."""
    done = 0
    if options.cluster is None:
        for puzzle in _made_soon(constraints, seed, count):
            yield puzzle
            done += 1
    if done == count:
        return
    numbers = range(done + 1, count + 1)
    with executor_for(options, len(numbers), task_seconds=None) as executor:
        for outcome in map_in_order(executor, partial(numbered_puzzle, constraints, seed), numbers):
            if isinstance(outcome.error, TaskLostError):
                yield numbered_puzzle(constraints, seed, outcome.item)
            else:
                yield outcome.unwrap()


def _made_soon(constraints: Constraints, seed: int, count: int) -> Iterator[Puzzle]:
    """Make the first puzzles, until :data:`_SOON` is over; the one that was begun then is dropped."""
    end = time.process_time() + _SOON

    def advance(_: int) -> None:
        if time.process_time() > end:
            raise _TooLongError

    with contextlib.suppress(_TooLongError):
        for puzzle in islice(series(constraints, seed, advance=advance), count):
            yield puzzle
            advance(0)


class _TooLongError(Exception):
    """Raised when the puzzles are no matter of a moment."""


@contextlib.contextmanager
def _word_of_patience(wanted: bool) -> Iterator[Callable[[int], object]]:
    """Say on a terminal that the search goes on, once it takes long; gives what is to be called meanwhile."""
    if not wanted or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.status import Status

    status = Status("searching; Ctrl-C ends it", console=Console(stderr=True))
    begun = time.monotonic()

    def advance(_: int) -> None:
        if time.monotonic() - begun > _QUIET_FOR:
            status.start()

    try:
        yield advance
    finally:
        status.stop()


def _check_lines(options: Options, *, solutions: bool) -> None:
    """Raise UsageError for what was said of pages or pictures where there are none."""
    check_page_options(options, None)
    if solutions and not options.as_json:
        raise UsageError(
            "Lines of puzzles have no room for solutions.", "Use --json, or -o with a .pdf or .csv."
        )


def _writer(output: str, count: int, options: Options, *, solutions: bool) -> Writer:
    """What writes to *output*, after checks that it can.

    Raises :class:`UsageError` for what can't be meant and :class:`~sudoku_vision.errors.SaveError` for a
    place that can't be written to.
    """
    ending = Path(output).suffix.lower()
    check_page_options(options, ending)
    if ending == PAGES_ENDING:
        return _page_writer(output, count, options, solutions=solutions)
    if names_folder(output):
        return _folder_writer(output, solutions=solutions)
    if ending in PICTURE_ENDINGS:
        return _picture_writer(output, count, solutions=solutions)
    for form in FORMATS.values():
        if ending in form.endings:
            return _text_writer(output, form, count, solutions=solutions)
    endings = (
        PAGES_ENDING,
        *PICTURE_ENDINGS,
        *(ending for form in FORMATS.values() for ending in form.endings),
    )
    what = f"nothing is written with the ending {ending!r}" if ending else "the name has no ending"
    raise UsageError(f"{output}: {what}.", f"End it with one of {', '.join(endings)}, or name a folder.")


def _text_writer(output: str, form: Format, count: int, *, solutions: bool) -> Writer:
    if solutions and form.name != "csv":
        what = f"{output}: a file of the format {form.name} has no room for solutions."
        raise UsageError(what, "End its name with .csv, .pdf or .png.")
    if count > 1 and not form.several:
        what = f"{output}: one file of the format {form.name} can't hold {count} puzzles."
        raise UsageError(what, "End its name with .sdm or .csv.")
    find_target(output)

    def write(puzzles: Sequence[Puzzle]) -> None:
        boards = [NamedBoard(puzzle.board, name=_name(puzzle)) for puzzle in puzzles]
        write_atomically(output, form.write(boards).encode())

    return write


def _name(puzzle: Puzzle) -> str:
    return f"Sudoku {puzzle.seed}-{puzzle.number}, {puzzle.rating.name}"


def _page_writer(output: str, count: int, options: Options, *, solutions: bool) -> Writer:
    style, site = page_style(options, count), code_site(options)
    find_target(output)

    def write(puzzles: Sequence[Puzzle]) -> None:
        items = [_item(puzzle, numbered=count > 1, site=site) for puzzle in puzzles]
        write_pages(output, items, style, solutions=solutions)

    return write


def _picture_writer(output: str, count: int, *, solutions: bool) -> Writer:
    if count > 1:
        what = f"{output}: one picture holds one puzzle, not {count}."
        raise UsageError(what, "Name a folder with -o, as in: -o puzzles/, or pages, as in: -o puzzles.pdf")
    find_target(output, check_file=check_print)
    return lambda puzzles: _write_pictures(Path(output), puzzles[0], solutions=solutions)


def _folder_writer(output: str, *, solutions: bool) -> Writer:
    find_target(output)

    def write(puzzles: Sequence[Puzzle]) -> None:
        make_folder(output)
        digits = len(str(puzzles[-1].number))
        with progress(len(puzzles), "drawing") as bar:
            for puzzle in puzzles:
                path = Path(output) / f"puzzle-{puzzle.number:0{digits}d}.png"
                _write_pictures(path, puzzle, solutions=solutions)
                bar.advance()

    return write


def _write_pictures(path: Path, puzzle: Puzzle, *, solutions: bool) -> None:
    """The picture of a puzzle, and beside it that of its solution if that is wanted."""
    item = _item(puzzle)
    write_picture(path, item)
    if solutions:
        write_picture(path.with_name(f"{path.stem}-solution{path.suffix}"), item, solved=True)


def _item(puzzle: Puzzle, *, numbered: bool = False, site: Site | None = None) -> PrintablePuzzle:
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle

    return PrintablePuzzle(
        puzzle.board,
        puzzle.solution,
        name=str(puzzle.number) if numbered else "",
        note=f"{puzzle.rating.name}, {puzzle.clues} clues",
        link=code_link(site, NamedBoard(puzzle.board)),
    )
