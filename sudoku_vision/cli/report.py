"""The report of a run: a line for each page, as CSV or JSON lines, written as soon as the page is done.

The report is a log: it shows how far a run has come. After Ctrl-C, or a crash of the machine, it holds
everything that was done. Each line is written whole. A run that ended early can continue from its report.
"""

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import IO, Any

from sudoku_vision.cli.inputs import Input, input_kind
from sudoku_vision.errors import OpenError, SaveError, UsageError
from sudoku_vision.output.save import explained_writing, is_stream, lock, write_all
from sudoku_vision.sudoku.formats.tables import inert_cell, original_cell

MAX_BYTES = 256 << 20  # largest report that is read, about a million lines; a larger file is no report
FINISHED = ("solved", "right", "wrong", "nothing_written")
"""Statuses of pages that needn't be read again; *wrong* is among them, because that verdict is certain."""
_ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}
"""How a report is encoded: names of files keep their bytes, even if these aren't UTF-8."""


@dataclass(frozen=True)
class ReportRow:
    """The line of one page.

    ``source``, ``page``, ``status`` and ``message`` are the same as in the JSON that commands print.
    ``remedy`` says what can be done about an error. ``grids`` is the number of grids; ``confidence`` is the
    lowest confidence of all grids that could be read, or None. ``output`` is the picture that was written,
    empty if none was. ``below`` is the subfolder of the source in the folder that was searched. ``command``
    is the command that ran, and ``version`` the version of this program.
    """

    source: str
    page: int
    status: str
    message: str = ""
    remedy: str = ""
    grids: int = 0
    confidence: float | None = None
    seconds: float | None = None
    output: str = ""
    below: str = ""
    command: str = ""
    version: str = ""


FIELDS = tuple(field.name for field in fields(ReportRow))


def _is_csv(path: str) -> bool:
    """Return whether a report is CSV, not JSON lines; raises :class:`UsageError` if its name says neither."""
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".jsonl"):
        raise UsageError(f"{path}: a report is CSV or JSON lines.", "End its name with .csv or .jsonl.")
    return ending == ".csv"


class ReportFile:
    """The report of a run that isn't finished; no other run can write to this file at the same time.

    The first line replaces an older report with this name. With *go_on*, the older report is continued.
    """

    def __init__(self, path: str, *, go_on: bool = False) -> None:
        """Open the file, but don't change it yet.

        Raises :class:`UsageError` if the ending of the name is no format of reports. Raises
        :class:`~sudoku_vision.errors.SaveError` if the file can't be written, or another run is writing it.
        """
        self._path, self._go_on, self._is_csv = path, go_on, _is_csv(path)
        self._whole = -1  # number of bytes in whole lines; -1 until the first line is written
        self._is_new = not os.path.exists(path)  # noqa: PTH110 (takes any name)
        with explained_writing(path):
            mode = "wb" if is_stream(path) else "a+b"
            self._file: IO[bytes] = Path(path).open(mode, buffering=0)  # noqa: SIM115 (closed by close)
        try:
            lock(self._file)
        except BlockingIOError:
            self._file.close()
            raise SaveError(f"{path}: another run is writing this report.", "Name another one.") from None
        except OSError:  # this file system has no locks
            pass

    def add(self, row: ReportRow) -> None:
        """Write the line of a page; raises :class:`~sudoku_vision.errors.SaveError` if that fails.

        After such an error, the last line of the report has no line end. This shows that the report isn't
        whole.
        """
        with explained_writing(self._path):
            if self._whole < 0:
                self._begin()
            self._write(csv_lines([asdict(row).values()]) if self._is_csv else json.dumps(asdict(row)) + "\n")

    def _begin(self) -> None:
        """Empty the file, or prepare to continue after its last whole line; write the head of a CSV file."""
        self._whole = 0
        if self._go_on:
            self._file.seek(0)
            self._whole = self._file.read().rfind(b"\n") + 1
        self._cut(self._whole)
        if self._is_csv and not self._whole:
            self._write(",".join(FIELDS) + "\n")

    def _write(self, line: str) -> None:
        """Write one whole line; if that fails, write nothing and cut off the line end before it."""
        data = line.encode(**_ENCODING)
        try:
            write_all(self._file, data)
        except OSError:
            self._cut(max(0, self._whole - 1))
            raise
        self._whole += len(data)

    def _cut(self, length: int) -> None:
        """Keep only the first *length* bytes of the file; a pipe or a device stays as it is."""
        if not is_stream(self._path):
            self._file.truncate(length)

    def close(self) -> None:
        """Close the report; if the file is new and has no line, remove it."""
        with contextlib.suppress(OSError):
            self._file.close()
            if self._is_new and self._whole < 0:
                Path(self._path).unlink()


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; a cell that a spreadsheet would take for a formula is changed to plain text."""
    text = io.StringIO()
    inert = ([inert_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    # Some versions of Python quote a cell only if it contains a character of the line end. Names of files may
    # contain carriage returns, which must be quoted. So the line end here contains one, too.
    csv.writer(text, lineterminator="\n\r\0").writerows(inert)
    return text.getvalue().replace("\n\r\0", "\n")


def read_report(path: str, *, whole: bool = True) -> list[ReportRow]:
    """Return the lines of a report.

    Raises :class:`~sudoku_vision.errors.OpenError` for a file that can't be read or is no report. With
    *whole*, also for a report that ends within a line; without, such a line is left out.
    """
    is_csv = _is_csv(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise OpenError(f"{path}: the report can't be read ({reason}).", "Check its name.") from None
    try:
        if len(data) > MAX_BYTES:
            raise ValueError("it is too large")
        lines = data[: data.rfind(b"\n") + 1].decode(**_ENCODING)
        rows = [_row(line) for line in (_csv_rows if is_csv else _json_rows)(lines)]
    except (ValueError, KeyError, TypeError, csv.Error) as error:
        what = f"{path}: this is no report of a run ({error})."
        raise OpenError(what, "Name a file that was written by --report.") from None
    if whole and not data.endswith(b"\n"):
        what = f"{path}: this report breaks off, and may lack pages."
        raise OpenError(what, "Name the pictures again, beside --resume --report and the same -o.")
    return rows


def _csv_rows(text: str) -> Iterator[dict[str, Any]]:
    table = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    missing = {"source", "page", "status"} - set(table.fieldnames or ())
    if missing:
        raise ValueError(f"the column {min(missing)} is missing")
    for line in table:
        yield {name: original_cell(cell) for name, cell in line.items() if name in FIELDS and cell}


def _json_rows(text: str) -> Iterator[dict[str, Any]]:
    for line in filter(str.strip, text.split("\n")):
        value = json.loads(line)
        if not isinstance(value, dict):
            raise TypeError("a line of it is no object")
        yield {name: value[name] for name in FIELDS if value.get(name) is not None}


_NUMBERS = {"page": int, "grids": int, "confidence": float, "seconds": float}


def _row(values: dict[str, Any]) -> ReportRow:
    """Return the line of a report with these *values*.

    Raises :class:`ValueError` or a similar error if they are no line of a report.
    """
    texts = {name: str(values.get(name, "")) for name in FIELDS if name not in _NUMBERS}
    numbers = {name: kind(values[name]) for name, kind in _NUMBERS.items() if name in values}
    if not texts["source"] or not texts["status"] or numbers["page"] < 1:
        raise ValueError("a line of it names no page")
    return ReportRow(**texts, **numbers)  # type: ignore[arg-type]


def resumed(
    report: str, inputs: tuple[Input, ...], command: str
) -> tuple[tuple[Input, ...], list[ReportRow]]:
    """Return what is left to read of a run, and the lines of its *report* for the pages that are done.

    With *inputs*, all their pages that aren't done are left. Without *inputs*, those pages are left that the
    report lists as not done. If there are several lines for a page, the last line counts. Raises
    :class:`UsageError` for a report of another *command*, or if there are no *inputs* and the report has no
    pages. Raises the errors of :func:`read_report`.
    """
    is_begun = not inputs or os.path.exists(report)  # noqa: PTH110 (takes any name)
    rows = read_report(report, whole=not inputs) if is_begun else []
    if not rows and not inputs:
        raise UsageError(f"{report}: this report names no pages.", "Name the pictures to read.")
    if other := next((row.command for row in rows if row.command not in ("", command)), ""):
        what = f"{report}: this is a report of {other}, not of {command}."
        raise UsageError(what, f"Name another one, or use: sudoku-vision {other} --resume --report {report}")
    last = {(row.source, row.page): row for row in rows}
    done = [row for row in last.values() if row.status in FINISHED]
    if inputs:
        pages = _by_source(done)
        left = [
            replace(item, done=frozenset(row.page for row in pages.get(item.name, ()))) for item in inputs
        ]
        return tuple(left), [row for row in done if row.source in {item.name for item in inputs}]
    failed = _by_source(row for row in last.values() if row.status not in FINISHED)
    documents = {row.source for row in rows if row.page > 1}
    left = [
        _input_of(source, tuple(row.page for row in pages) if source in documents else (), pages[0].below)
        for source, pages in failed.items()
    ]
    return tuple(left), done


def _by_source(rows: Iterable[ReportRow]) -> dict[str, list[ReportRow]]:
    """Return a dictionary from each source to its lines, in the order of *rows*."""
    found: dict[str, list[ReportRow]] = {}
    for row in rows:
        found.setdefault(row.source, []).append(row)
    return found


def _input_of(source: str, pages: tuple[int, ...], below: str) -> Input:
    """Return the input for a source that a report names.

    *pages* are the pages to read, all if empty. *below* is the subfolder in which the source was found.
    """
    kind = input_kind(source)
    if kind == "file":
        return Input(source, source, searched=True, below=below, pages=pages)
    if kind == "text" and not Path(source).suffix:
        return Input(source, text=source, searched=True, pages=pages)
    what = f"{source}: there is no such file any more."
    if kind == "standard input":
        what = f"{source}: what came on standard input is not there any more."
    return Input(source, error=OpenError(what, "Name it, where it is now."), searched=True)
