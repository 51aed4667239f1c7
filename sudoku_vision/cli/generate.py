"""The work of ``sudoku-vision generate``: puzzles to standard output, files, pictures and pages."""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.executors import check_sharing, executor_for
from sudoku_vision.cli.interrupts import stopped_as_by_ctrl_c
from sudoku_vision.cli.messages import complain
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import find_target, names_folder
from sudoku_vision.cli.progress import progress
from sudoku_vision.errors import SudokuVisionError, TaskLostError, UsageError
from sudoku_vision.formats import FORMATS, Format, NamedBoard
from sudoku_vision.generator import Constraints, Puzzle, numbered_puzzle, series
from sudoku_vision.load import STDIN
from sudoku_vision.parallel import available_cores, map_in_order
from sudoku_vision.save import SAVE_ENDINGS, check_output, make_folder, save, write_atomically

if TYPE_CHECKING:
    from sudoku_vision.drawing.pages import PageStyle, PaperName
    from sudoku_vision.drawing.puzzle import PrintablePuzzle

_CHANCE = 10**9  # seeds that are made up stay short enough to type in again
_QUIET_FOR = 2.0  # seconds before it is said that the search goes on
_SOON = 0.5  # seconds of the processor before work is shared out: each process takes about as long to begin

Writer = Callable[[Sequence[Puzzle]], None]
"""Writes the puzzles that were made to where they shall go."""


@dataclass(frozen=True)
class Sheets:
    """What was said about pages and pictures; None where nothing was."""

    solutions: bool = False
    per_page: int | None = None
    paper: PaperName | None = None
    title: str | None = None

    @property
    def for_pages(self) -> str:
        """The first option that was given and is for pages alone."""
        given = {"--per-page": self.per_page, "--paper": self.paper, "--title": self.title}
        return next((option for option, value in given.items() if value is not None), "")


def run_generate(
    constraints: Constraints,
    seed: int | None,
    count: int,
    output: str | None,
    sheets: Sheets,
    options: Options,
) -> None:
    """Make *count* puzzles of *seed*, one by chance if None, and print or write them.

    They are the same however many processes make them.

    What was made is written even if the search is interrupted or ends without finding. Raises
    :class:`UsageError` and :class:`~sudoku_vision.errors.SaveError` before any is made, and then
    :class:`~sudoku_vision.errors.GenerateError`, and what a cluster raises.
    """
    chosen = secrets.randbelow(_CHANCE) if seed is None else seed
    call = _call(constraints, count, chosen)
    check_sharing(options)
    write: Writer | None = None
    if output is None or output == STDIN:
        _check_lines(sheets, options.as_json)
    else:
        write = _writer(output, count, sheets, call)
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


def _check_lines(sheets: Sheets, as_json: bool) -> None:
    """Raise UsageError for what was said of pages or pictures where there are none."""
    if sheets.for_pages:
        raise UsageError(f"{sheets.for_pages} is for pages to print.", "Name them with -o, ending in .pdf.")
    if sheets.solutions and not as_json:
        raise UsageError(
            "Lines of puzzles have no room for solutions.", "Use --json, or -o with a .pdf or .csv."
        )


def _writer(output: str, count: int, sheets: Sheets, call: str) -> Writer:
    """What writes to *output*, after checks that it can.

    Raises :class:`UsageError` for what can't be meant and :class:`~sudoku_vision.errors.SaveError` for a
    place that can't be written to.
    """
    ending = Path(output).suffix.lower()
    if sheets.for_pages and ending != ".pdf":
        raise UsageError(f"{sheets.for_pages} is for pages to print.", "End the output's name with .pdf.")
    if ending == ".pdf":
        return _page_writer(output, count, sheets, call)
    if names_folder(output):
        return _folder_writer(output, sheets)
    if ending in SAVE_ENDINGS:
        return _picture_writer(output, count, sheets)
    for form in FORMATS.values():
        if ending in form.endings:
            return _text_writer(output, form, count, sheets)
    endings = (*SAVE_ENDINGS, *(ending for form in FORMATS.values() for ending in form.endings))
    what = f"nothing is written with the ending {ending!r}" if ending else "the name has no ending"
    raise UsageError(f"{output}: {what}.", f"End it with one of {', '.join(endings)}, or name a folder.")


def _text_writer(output: str, form: Format, count: int, sheets: Sheets) -> Writer:
    if sheets.solutions and form.name != "csv":
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


def _page_writer(output: str, count: int, sheets: Sheets, call: str) -> Writer:
    from sudoku_vision.drawing.figure import Figure, Picture
    from sudoku_vision.drawing.pages import PAPERS, count_pages, draw_pages
    from sudoku_vision.drawing.pdf import pdf

    style = _page_style(count, sheets, call)
    find_target(output)

    def write(puzzles: Sequence[Puzzle]) -> None:
        items = [_item(puzzle, count > 1) for puzzle in puzzles]
        with progress(count_pages(len(items), style, solutions=sheets.solutions), "drawing") as bar:
            drawn = draw_pages(items, style, solutions=sheets.solutions)
            paper = PAPERS[style.paper]
            pages = (Figure(*paper, [Picture(page, (0, 0), *paper)]) for page in drawn)
            write_atomically(output, pdf(pages, title=style.title, on_page=bar.advance))

    return write


def _page_style(count: int, sheets: Sheets, call: str) -> PageStyle:
    from sudoku_vision.drawing.pages import PER_PAGE, PageStyle

    fitting = max(number for number in PER_PAGE if number <= min(count, 4))
    per_page = fitting if sheets.per_page is None else sheets.per_page
    title = "Sudoku" if sheets.title is None else sheets.title
    return PageStyle(sheets.paper or "a4", per_page, title, foot=call)


def _picture_writer(output: str, count: int, sheets: Sheets) -> Writer:
    if count > 1:
        what = f"{output}: one picture holds one puzzle, not {count}."
        raise UsageError(what, "Name a folder with -o, as in: -o puzzles/, or pages, as in: -o puzzles.pdf")
    find_target(output, check_file=check_output)
    return lambda puzzles: _save_pictures(Path(output), puzzles[0], sheets)


def _folder_writer(output: str, sheets: Sheets) -> Writer:
    find_target(output)

    def write(puzzles: Sequence[Puzzle]) -> None:
        make_folder(output)
        digits = len(str(puzzles[-1].number))
        with progress(len(puzzles), "drawing") as bar:
            for puzzle in puzzles:
                _save_pictures(Path(output) / f"puzzle-{puzzle.number:0{digits}d}.png", puzzle, sheets)
                bar.advance()

    return write


def _save_pictures(path: Path, puzzle: Puzzle, sheets: Sheets) -> None:
    """The picture of a puzzle, and beside it that of its solution if that is wanted."""
    from sudoku_vision.drawing.puzzle import draw_puzzle

    item = _item(puzzle)
    save(path, draw_puzzle(item))
    if sheets.solutions:
        save(path.with_name(f"{path.stem}-solution{path.suffix}"), draw_puzzle(item, solved=True))


def _item(puzzle: Puzzle, numbered: bool = False) -> PrintablePuzzle:
    from sudoku_vision.drawing.puzzle import PrintablePuzzle

    note = f"{puzzle.rating.name}, {puzzle.clues} clues"
    return PrintablePuzzle(puzzle.board, puzzle.solution, str(puzzle.number) if numbered else "", note)
