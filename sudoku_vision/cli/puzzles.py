"""``sudoku-vision puzzles``: reads lists of puzzles and writes their solutions, chunk by chunk."""

import contextlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.cli.inputs import Input, find_inputs, input_kind, open_input, paths_of
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import Output
from sudoku_vision.cli.report import csv_lines
from sudoku_vision.cli.reporter import Reporter, complain, progress
from sudoku_vision.errors import ClusterError, ExitCode, OpenError, SaveError, SudokuVisionError, UsageError
from sudoku_vision.output.save import WholeFile
from sudoku_vision.sudoku.bulk import CODES, STATUSES, BulkSolver, Solved
from sudoku_vision.sudoku.bulk.lists import Chunk, Values, read_list
from sudoku_vision.sudoku.solver import MESSAGES, solve
from sudoku_vision.vision.load.files import STDIN

_STATUS = re.compile(rb'^(\w+)$|"status": "(\w+)"|,[0-9]+,(\w+),')
"""Pattern that finds the status of a puzzle in its line of the output, which is text, JSON or CSV."""
_ORDER = ("one", "many", "none", "clash", "gave_up", "malformed")  # order of the statuses in the summary
MAX_COMPLAINTS = 10  # at most this many malformed lines are reported; the summary counts all of them
FIELDS = ("source", "line", "status", "puzzle", "solution", "second", "message")
"""The names of the columns of CSV, and of the keys of JSON."""


def rows(chunk: Chunk, solved: Solved) -> Iterator[tuple[Any, ...]]:
    """Yield for each puzzle of a chunk a tuple of the values of :data:`FIELDS`."""
    boards = map(_texts, (chunk.values, solved.solutions, solved.seconds))
    lines = zip(chunk.numbers.tolist(), solved.statuses.tolist(), *boards, strict=True)
    for number, code, puzzle, solution, second in lines:
        status = STATUSES[code]
        message: str = MESSAGES.get(status, "")
        if status == "clash":
            message = solve(puzzle).message
        if status == "malformed":
            bad = chunk.malformed[number]
            puzzle, message = bad.text, bad.message
        found = (None if text[0] == "0" else text for text in (solution, second))
        yield chunk.source, number, status, puzzle, *found, message


def _texts(boards: Values) -> list[str]:
    text = (boards + ord("0")).tobytes().decode()
    return [text[at : at + 81] for at in range(0, len(text), 81)]


def solution_lines(_: Chunk, solved: Solved) -> bytes:
    """Return a line for each puzzle: its only solution, or its status if it has none or several."""
    lines = np.full((len(solved.statuses), 82), ord("\n"), np.uint8)
    np.add(solved.solutions, ord("0"), out=lines[:, :81])
    text = lines.tobytes()
    pieces = []
    done = 0
    for at in np.flatnonzero(solved.statuses != CODES["one"]).tolist():
        pieces += [text[82 * done : 82 * at], STATUSES[solved.statuses[at]].encode(), b"\n"]
        done = at + 1
    return b"".join([*pieces, text[82 * done :]])


def json_lines(chunk: Chunk, solved: Solved) -> bytes:
    """Return one line for each puzzle: a JSON object with the keys of :data:`FIELDS`."""
    objects = (dict(zip(FIELDS, row, strict=True)) for row in rows(chunk, solved))
    return "".join(f"{json.dumps(one)}\n" for one in objects).encode()


def csv_rows(chunk: Chunk, solved: Solved) -> bytes:
    """Return a CSV row for each puzzle, with the columns of :data:`FIELDS`."""
    return csv_lines(rows(chunk, solved)).encode("utf-8", "replace")


def run_puzzles(arguments: Sequence[str], options: Options) -> ExitCode:
    """Solve all puzzles in the lists that *arguments* name, write the results, and return the exit status."""
    as_csv = options.as_csv
    if options.as_json and as_csv:
        raise UsageError("--json and --csv can't both be given.", "Choose one.")
    encode = json_lines if options.as_json else csv_rows if as_csv else solution_lines
    items = _items(arguments)
    reporter = Reporter("puzzle", ["one"], _ORDER, rate=True, language=options.text_language)
    head = f"{','.join(FIELDS)}\n" if as_csv else ""
    output = _LineOutput(options.output, paths_of(items), head=head.encode())
    if options.resume and options.output is None:
        raise UsageError("--resume goes on with an output.", "Name it, as in: --resume -o solved.txt")
    hidden = output.on_terminal  # no progress bar: the answers on the terminal show the progress
    try:
        with (
            output,
            BulkSolver(jobs=options.jobs, cluster=options.cluster, announce=complain) as solver,
            progress(0 if hidden else _size(paths_of(items)), "solving", unit="bytes") as bar,
        ):
            done = output.resume(reporter) if options.resume else 0
            portions = (
                part
                for chunk in _without_first(done, _chunks(items, reporter, bar.advance))
                for part in chunk.portions(solver.portion)
            )
            for chunk, solved in solver.stream((portion, portion.values) for portion in portions):
                solved.statuses[~chunk.well_formed] = CODES["malformed"]
                with bar.cleared():
                    output.write(encode(chunk, solved))
                _count(reporter, chunk, solved)
            # Raises an error if the interrupted run wrote lines for more puzzles than this run has.
            output.write(b"")
    except (KeyboardInterrupt, ClusterError):
        is_kept = output.file is not None and output.begun.is_file()
        kept = f" What came of them is in {output.begun}; --resume goes on" if is_kept else ""
        complain(f"interrupted after {reporter}{kept}")
        raise
    if options.resume:
        output.begun.unlink(missing_ok=True)
    if reporter.count:
        complain(reporter)
    if output.file is not None and not options.as_json:
        reporter.add_written(options.output)
    no_lists = reporter.counts["malformed"] == reporter.count > 0  # then no list could be opened
    return ExitCode.NOTHING_OPENED if no_lists else reporter.exit_code


def _without_first(count: int, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    for chunk in chunks:
        yield replace(chunk, numbers=chunk.numbers[count:], values=chunk.values[count:])
        count = max(0, count - len(chunk.numbers))


class _LineOutput(contextlib.ExitStack):
    """The output for the lines with the results: standard output, or a file.

    An older file with the same name is replaced only when the new file is complete.
    """

    def __init__(self, out: str | None, sources: Sequence[str], *, head: bytes) -> None:
        """Check that *out* can be written; *head* is written before all lines."""
        super().__init__()
        self._target = Output(out, sources, bare_is_folder=False)
        if self._target.is_folder:
            raise SaveError(f"{out}: this is a folder.", "Name a file in it.")
        self._head = head
        self.on_terminal = not self._target.is_file and sys.stdout.isatty()
        """Whether the lines are printed on a terminal."""
        self.file: WholeFile | None = None
        self.begun = Path(f"{self._target.path}.part")
        """The file that an interrupted run leaves."""
        self._last = b""  # the last line of an interrupted run, until the new run has written the same line

    def resume(self, reporter: Reporter) -> int:
        """Write the lines of an interrupted run to the new output and count them. Return their number.

        The last line of that run is left out. The new run solves the puzzle of this line again, and must get
        the same line. If it does, both runs probably have the same lists and options.
        """
        data = self.begun.read_bytes() if self.begun.is_file() else b""
        lines = data[len(self._head) : data.rfind(b"\n") + 1].splitlines(keepends=True)
        last = lines.pop() if lines else b""
        for line in lines:
            words = (found[found.lastindex or 0].decode() for found in _STATUS.finditer(line))
            status = next((word for word in words if word in STATUSES), "one")
            reporter.add(status, already=True)
        self.write(b"".join(lines))
        self._last = last
        return len(lines)

    def write(self, data: bytes) -> None:
        """Write *data* immediately, so that it isn't lost if the run is interrupted later.

        The first *data* after :meth:`resume` must begin with the last line of the interrupted run. Otherwise,
        a :class:`UsageError` is raised.
        """
        if not data.startswith(self._last):
            what = f"{self.begun}: these are no answers to these lists with these options."
            raise UsageError(what, "Repeat the call of that run, or leave --resume out.")
        if not data:
            return
        if self._target.is_file and self.file is None:
            self.file = self.enter_context(WholeFile(self._target.path, begun=self.begun))
        (self.file or self._target).write(self._head + data)
        self._head = self._last = b""


def _items(arguments: Sequence[str]) -> list[Input]:
    """Return the files and boards that *arguments* name. No file is opened."""
    items: list[Input] = []
    for argument in arguments:
        # A folder is not searched, because read_list raises a helpful error for it.
        is_folder = input_kind(argument) == "folder"
        items += [Input(argument, argument)] if is_folder else find_inputs([argument])
    return items


def _size(paths: Sequence[str]) -> int | None:
    """Return the size of all lists in bytes; None if it is unknown, for example for standard input."""
    with contextlib.suppress(OSError, ValueError):
        return None if STDIN in paths else sum(Path(path).stat().st_size for path in paths)
    return None


def _chunks(items: Iterable[Input], reporter: Reporter, advance: Callable[[int], object]) -> Iterator[Chunk]:
    """Yield the puzzles of all lists. *advance* gets the number of bytes read since its previous call."""
    for item in items:
        lines = puzzles = 0
        try:
            for chunk in read_list(item.path, advance) if item.path else _typed(item):
                lines += len(chunk.numbers)
                puzzles += int(chunk.well_formed.sum())
                yield chunk
            if not lines:
                what = f"{item.name}: there is no puzzle in it."
                raise OpenError(what, "Give a line of 81 characters each.")
        except SudokuVisionError as error:
            reporter.add_error(error)
        if lines and not puzzles:
            remedy = "To turn other formats into lines: sudoku-vision convert. Lists are classic; those of "
            remedy += "jigsaws and diagonals, with their rules: sudoku-vision solve"
            complain(f"{item.name}: no line begins with a puzzle. {remedy}")


def _count(reporter: Reporter, chunk: Chunk, solved: Solved) -> None:
    """Count the puzzles of a chunk by status, and report the first ``MAX_COMPLAINTS`` malformed lines."""
    malformed = reporter.counts["malformed"]
    for code, count in enumerate(np.bincount(solved.statuses, minlength=len(STATUSES)).tolist()):
        if count:
            reporter.add(STATUSES[code], count)
    for place, number in enumerate(chunk.numbers[~chunk.well_formed].tolist(), start=malformed + 1):
        if place <= MAX_COMPLAINTS:
            complain(f"{chunk.source}, line {number}: {chunk.malformed[number].message}")
        elif place == MAX_COMPLAINTS + 1:
            complain("There are more malformed lines; from here on they are only counted.")


def _typed(item: Input) -> Iterator[Chunk]:
    """Yield the puzzles of an input that was typed on the command line, as one chunk."""
    boards = open_input(item)
    assert not isinstance(boards, bytes)  # bytes are a picture's file, but this input is text, not a file
    values = np.stack([board.clues.reshape(81).astype(np.uint8) for board in boards])
    yield Chunk(item.name, np.arange(1, len(boards) + 1), values, {})
