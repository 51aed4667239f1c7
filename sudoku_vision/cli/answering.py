"""The work of ``sudoku-vision puzzles``: lists of puzzles in, their solutions out, chunk by chunk."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.bulk import BulkSolver
from sudoku_vision.bulk.engines import CODES, STATUSES, Solved, Values
from sudoku_vision.bulk.lists import STDIN, Chunk, read_list
from sudoku_vision.cli.show import complain
from sudoku_vision.errors import OpenError, SaveError, UsageError
from sudoku_vision.solver import MESSAGES, solve

ALL_ONE, SOME_NOT, NOTHING_OPENED = 0, 1, 3
"""Exit statuses."""

MOST_COMPLAINTS = 10
"""Malformed lines that are told one by one; the summary counts them all."""

FIELDS = ("source", "line", "status", "puzzle", "solution", "second", "message")
"""What is told of a puzzle in JSON and CSV."""


@dataclass(frozen=True, eq=False)
class Answers:
    """A chunk with what became of its N puzzles, malformed ones among them.

    ``statuses`` (N,) uint8 are places in :data:`STATUSES`; ``puzzles``, ``solutions`` and ``seconds`` (N, 81)
    uint8 are zeros where there is none.
    """

    chunk: Chunk
    statuses: NDArray[np.uint8]
    puzzles: Values
    solutions: Values
    seconds: Values

    @classmethod
    def of(cls, chunk: Chunk, solved: Solved) -> Answers:
        """Put what was solved back between the malformed lines."""
        if not chunk.malformed:
            return cls(chunk, solved.statuses, chunk.values, solved.solutions, solved.seconds)
        count = len(chunk.numbers)
        statuses = np.full(count, CODES["malformed"], np.uint8)
        statuses[chunk.well_formed] = solved.statuses
        puzzles, solutions, seconds = (np.zeros((count, 81), np.uint8) for _ in range(3))
        puzzles[chunk.well_formed] = chunk.values
        solutions[chunk.well_formed] = solved.solutions
        seconds[chunk.well_formed] = solved.seconds
        return cls(chunk, statuses, puzzles, solutions, seconds)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """What there is to say of each puzzle, in the order of :data:`FIELDS`."""
        malformed = iter(self.chunk.malformed)
        lines = zip(
            self.chunk.numbers.tolist(),
            (STATUSES[code] for code in self.statuses.tolist()),
            _texts(self.puzzles),
            _texts(self.solutions),
            _texts(self.seconds),
            strict=True,
        )
        for number, status, puzzle, solution, second in lines:
            if status == "malformed":
                bad = next(malformed)
                puzzle, message = bad.text, bad.message
            else:
                message = _message(status, puzzle)
            found = solution if solution[0] != "0" else None
            yield (
                self.chunk.source,
                number,
                status,
                puzzle,
                found,
                second if second[0] != "0" else None,
                message,
            )


def _texts(boards: Values) -> list[str]:
    """Boards (N, 81) as lines of 81 digits."""
    text = (boards + ord("0")).tobytes().decode()
    return [text[at : at + 81] for at in range(0, len(text), 81)]


def _message(status: str, puzzle: str) -> str:
    """What a well-formed puzzle's status means, in words."""
    if status == "clash":
        return solve(puzzle).message
    return MESSAGES.get(status, "")  # type: ignore[call-overload, no-any-return]


def as_lines(answers: Answers) -> bytes:
    """A line for each puzzle: its solution, or its status where it hasn't exactly one."""
    lines = np.full((len(answers.statuses), 82), ord("\n"), np.uint8)
    np.add(answers.solutions, ord("0"), out=lines[:, :81])
    text = lines.tobytes()
    pieces = []
    done = 0
    for at in np.flatnonzero(answers.statuses != CODES["one"]).tolist():
        pieces += [text[82 * done : 82 * at], STATUSES[answers.statuses[at]].encode(), b"\n"]
        done = at + 1
    return b"".join([*pieces, text[82 * done :]])


def as_json(answers: Answers) -> bytes:
    """A JSON object a line for each puzzle."""
    return "".join(f"{json.dumps(dict(zip(FIELDS, row, strict=True)))}\n" for row in answers.rows()).encode()


def as_csv(answers: Answers) -> bytes:
    """A CSV row for each puzzle."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(answers.rows())
    return text.getvalue().encode("utf-8", "replace")


CSV_HEAD = (",".join(FIELDS) + "\n").encode()

Form = Callable[[Answers], bytes]


@dataclass
class Tally:
    """What came of the puzzles so far."""

    statuses: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(STATUSES), np.int64))
    failed: int = 0
    told: int = 0
    begun: float = field(default_factory=time.perf_counter)

    @property
    def puzzles(self) -> int:
        """How many there were, malformed ones among them."""
        return int(self.statuses.sum())

    @property
    def exit_status(self) -> int:
        """0 each has one solution, 1 some have not or some list was not read, 3 nothing was."""
        if not self.puzzles:
            return NOTHING_OPENED
        return SOME_NOT if self.failed or self.statuses[CODES["one"]] < self.puzzles else ALL_ONE

    def add(self, answers: Answers) -> None:
        """Count the puzzles of a chunk, and tell of the first malformed lines."""
        self.statuses += np.bincount(answers.statuses, minlength=len(STATUSES))
        chunk = answers.chunk
        for number, bad in zip(chunk.numbers[~chunk.well_formed], chunk.malformed, strict=True):
            self.told += 1
            if self.told <= MOST_COMPLAINTS:
                complain(f"{chunk.source}, line {number}: {bad.message}")
            elif self.told == MOST_COMPLAINTS + 1:
                complain("There are more malformed lines; from here on they are only counted.")

    def __str__(self) -> str:
        took = time.perf_counter() - self.begun
        counts = [f"{count:,} {STATUSES[code].replace('_', ' ')}" for code, count in self._counts()]
        puzzles = f"{self.puzzles:,} puzzle{'s' * (self.puzzles != 1)}"
        rate = f"{self.puzzles / max(took, 1e-6):,.0f} a second"
        return f"{puzzles}: {', '.join(counts)}. {took:.2f} s, {rate}."

    def _counts(self) -> list[tuple[int, int]]:
        """The statuses that occurred and how often, the good one first."""
        order = [CODES[status] for status in ("one", "many", "none", "clash", "gave_up", "malformed")]
        return [(code, int(self.statuses[code])) for code in order if self.statuses[code]]


def answer_lists(sources: Sequence[str], out: str | None, form: Form, jobs: int | None) -> int:
    """Solve all puzzles of *sources*, write what came of them, and give the exit status.

    Raises :class:`UsageError` if *out* is one of the sources, :class:`SaveError` if it can't be written.
    """
    output = Output(out, sources, CSV_HEAD if form is as_csv else b"")
    tally = Tally()
    try:
        with (
            output,
            BulkSolver(jobs=jobs, announce=complain) as solver,
            _progress(sources, output) as advance,
        ):
            chunks = _chunks(sources, tally, advance)
            portions = (portion for chunk in chunks for portion in chunk.portions(solver.portion))
            for chunk, solved in solver.stream((portion, portion.values) for portion in portions):
                answers = Answers.of(chunk, solved)
                output.write(form(answers))
                tally.add(answers)
    except KeyboardInterrupt:
        complain(f"interrupted after {tally}")
        raise
    if tally.puzzles:
        complain(tally)
    return tally.exit_status


def _chunks(sources: Sequence[str], tally: Tally, advance: Callable[[int], object]) -> Iterator[Chunk]:
    """The chunks of all lists; what can't be read is said and does not stop the rest."""
    for source in sources:
        lines = puzzles = 0
        try:
            for chunk in read_list(source, advance):
                lines += len(chunk.numbers)
                puzzles += len(chunk.values)
                yield chunk
            if not lines:
                raise OpenError(f"{source}: there is no puzzle in it.", "Give a line of 81 characters each.")
        except OpenError as error:
            tally.failed += 1
            complain(error)
        if lines and not puzzles:
            complain(f"{source}: no line begins with a puzzle. To turn other formats into lines: {_CONVERT}")


_CONVERT = "sudoku-vision convert"


class Output:
    """Where the answers go: standard output, or a file that is made when the first are there."""

    def __init__(self, out: str | None, sources: Sequence[str], head: bytes) -> None:
        """Check *out* before any work is done; *head* goes before the first answers."""
        self._out = None if out == STDIN else out
        self._head = head
        self._file: IO[bytes] | None = None
        if self._out is not None:
            _check_place(self._out, sources)

    @property
    def on_terminal(self) -> bool:
        """Whether the answers are seen as they come."""
        return self._out is None and sys.stdout.isatty()

    def __enter__(self) -> Output:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None and self._out is not None:
            with _save_errors(self._out):
                self._file.close()

    def write(self, data: bytes) -> None:
        """Write *data*, so that nothing of it is lost whatever comes next."""
        if self._out is None:
            _write_all(sys.stdout.buffer, self._take_head() + data)
            return
        with _save_errors(self._out):
            if self._file is None:
                self._file = Path(self._out).open("wb")  # noqa: SIM115 (closed on leaving)
            _write_all(self._file, self._take_head() + data)

    def _take_head(self) -> bytes:
        head, self._head = self._head, b""
        return head


def _write_all(file: IO[bytes], data: bytes) -> None:
    file.write(data)
    file.flush()


@contextlib.contextmanager
def _save_errors(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise SaveError(f"{name}: can't be written ({reason}).", "Choose another place.") from None


def _check_place(out: str, sources: Sequence[str]) -> None:
    """Raise now what opening *out* would meet after the first puzzles are solved."""
    with _save_errors(out):
        place = Path(os.path.realpath(out))
        if any(source != STDIN and place == Path(os.path.realpath(source)) for source in sources):
            raise UsageError(f"{out}: this would overwrite the list itself.", "Choose another name.")
        if place.is_dir():
            raise SaveError(f"{out}: this is a folder.", "Name a file in it.")
        if not place.parent.is_dir():
            raise SaveError(f"{out}: its folder does not exist.", f"Create {place.parent} first.")


@contextlib.contextmanager
def _progress(sources: Sequence[str], output: Output) -> Iterator[Callable[[int], object]]:
    """Show on standard error how much of the lists was read; gives the function that is told so.

    Nothing is shown where standard error is no terminal, or where the answers themselves are seen to come.
    """
    if not sys.stderr.isatty() or output.on_terminal:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("solving", total=_size(sources))
        yield lambda count: bar.advance(task, count)


def _size(sources: Sequence[str]) -> int | None:
    """The bytes of all lists, None if that can't be told."""
    if STDIN in sources:
        return None
    files = [Path(source) for source in sources]
    with contextlib.suppress(OSError, ValueError):
        return sum(file.stat().st_size for file in files if file.is_file())
    return None
