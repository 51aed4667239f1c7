"""The reporter of a command: it prints results as text or JSON, counts them, and gives the exit status."""

import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sudoku_vision.cli.progress import ProgressBar, complain, progress
from sudoku_vision.errors import ExitCode, ImproperError, SudokuVisionError, explained_memory
from sudoku_vision.sudoku.display import Line, print_lines, render, style_for


class Reporter:
    """Prints and counts what became of each page, board or puzzle of a run, by the word for its status."""

    def __init__(
        self,
        noun: str,
        order: Sequence[str] = (),
        words: Mapping[str, str] = MappingProxyType({}),
        *,
        as_json: bool = False,
        aside: bool = False,
        rate: bool = False,
    ) -> None:
        """*noun* is what is counted, *order* the statuses as they are listed, *words* how some are said.

        Results are printed as JSON lines by wish; *aside* prints text on standard error, where standard
        output holds something else. With *rate* it is said how many a second that makes.
        """
        self.as_json, self._aside = as_json, aside
        self.style = style_for(sys.stdout)
        """How text is printed on standard output."""
        self.bar = ProgressBar()
        """What shows how far the run is."""
        self._noun, self._order, self._words, self._rate = noun, list(order), dict(words), rate
        self._counts: Counter[str] = Counter()
        self._errors: list[int] = []
        self._already = 0
        self._not_done = self._unwritten = 0
        self._begun = time.perf_counter()

    # What is printed

    @contextlib.contextmanager
    def progress(self, total: int, words: str) -> Iterator[None]:
        """Show a bar, which keeps out of the way of what is printed; say on Ctrl-C how far the run came."""
        try:
            with progress(total, words) as self.bar:
                yield
        except KeyboardInterrupt:
            if self.total:
                complain(f"interrupted after {self}")
            raise
        finally:
            self.bar = ProgressBar()  # what is written from here on has no bar to clear away

    def print(self, lines: Sequence[Line]) -> None:
        """Print lines of styled text."""
        with self.bar.cleared():
            if self._aside:
                sys.stderr.write(render(lines, style_for(sys.stderr)).rstrip() + "\n")
            elif lines:
                print_lines(lines, self.style)

    def print_json(self, data: Mapping[str, Any]) -> None:
        """Print a result for other programs, one object a line."""
        with self.bar.cleared():
            print(json.dumps(data), flush=True)  # noqa: T201

    # What is counted

    def add(self, status: str, *, done: bool, count: int = 1, already: bool = False) -> None:
        """Count what was opened: its *status*, whether it is *done* as it should be, and was so *already*."""
        self._counts[status] += count
        self._already += count if already else 0
        self._not_done += 0 if done else count

    def add_error(self, error: SudokuVisionError, name: str = "") -> None:
        """Say and count what could not be opened, is no board, or has not one solution; *name* is its own."""
        with self.bar.cleared():
            named = SudokuVisionError(f"{name}: {error.message}", error.remedy)
            complain(error if name in str(error) else named)
        if isinstance(error, ImproperError):
            self.add(error.status, done=False)
        else:
            self._errors.append(error.exit_code)

    def add_failure(self, error: SudokuVisionError) -> None:
        """Say and count an output that could not be written."""
        with self.bar.cleared():
            complain(error)
        self._unwritten += 1

    @contextlib.contextmanager
    def guarded(self, name: str = "") -> Iterator[None]:
        """Say what goes wrong in writing the output *name* within, and count it."""
        try:
            with explained_memory(name):
                yield
        except SudokuVisionError as error:
            self.add_failure(error)

    @property
    def count(self) -> int:
        """Return how many there were, without those that could not be opened."""
        return sum(self._counts.values())

    @property
    def total(self) -> int:
        """Return how many there were in all."""
        return self.count + len(self._errors)

    @property
    def exit_code(self) -> ExitCode:
        """Return 0 if all is done, 1 if some is not; where nothing was opened, what the errors share."""
        if self.count:
            is_done = not (self._not_done or self._unwritten or self._errors)
            return ExitCode.DONE if is_done else ExitCode.SOME_NOT
        kinds = set(self._errors)
        return ExitCode(kinds.pop()) if len(kinds) == 1 else ExitCode.NOTHING_OPENED

    def close(self, *, searched: bool) -> ExitCode:
        """Say in a line what came of several, and return the exit status.

        It is said where folders or patterns were *searched*, and to a person at a terminal in any case; also
        where something was there already, as nothing else tells of that.
        """
        if self._already or (self.total > 1 and (searched or sys.stderr.isatty())):
            complain(self)
        return self.exit_code

    def __str__(self) -> str:
        total, seconds = self.total, time.perf_counter() - self._begun
        known = [status for status in self._order if status in self._counts]
        others = [status for status in self._counts if status not in self._order]
        words = {status: status.replace("_", " ") for status in self._counts} | self._words
        parts = [f"{self._counts[status]:,} {words[status]}" for status in known + others]
        parts += [f"{len(self._errors):,} not opened"] if self._errors else []
        parts += [f"{self._unwritten:,} not written"] if self._unwritten else []
        rate = f", {self.count / max(seconds, 1e-6):,.0f} a second" if self._rate else ""
        were = "was" if self._already == 1 else "were"
        already = f" {self._already:,} of {total:,} {were} there already." if self._already else ""
        nouns = f"{self._noun}{'s' * (total != 1)}"
        return f"{total:,} {nouns}: {', '.join(parts)}. {seconds:.2f} s{rate}.{already}"
