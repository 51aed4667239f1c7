"""Report: a line for each page of a run, as CSV or JSON lines, written as soon as the page is done.

It is a log: whoever looks sees how far a run has come, and after Ctrl-C, or the end of the machine, it holds
all that was done. Each line is written whole. From it, what failed can be read again.
"""

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO, Any

from sudoku_vision.errors import OpenError, SaveError, UsageError
from sudoku_vision.output.save import explained_writing, is_stream, lock, write_all
from sudoku_vision.sudoku.formats.tables import inert_cell, original_cell

MAX_BYTES = 256 << 20  # of a report that is read: a million lines. What is larger is no report.
DONE = ("solved", "right", "wrong", "nothing_written")
"""Statuses of pages that need not be read again; that of a *wrong* entry is told for sure."""
_ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}
"""Names of files are written as the bytes that they are, and read so again."""


@dataclass(frozen=True)
class ReportRow:
    """What came of one page.

    ``source``, ``page``, ``status`` and ``message`` are as in JSON, ``remedy`` is what can be done about an
    error. ``grids`` is their number, ``confidence`` the least of theirs, None without any. ``seconds`` is
    None where the page was there already. ``output`` is the picture that was written, empty for none, and
    ``below`` the subfolder it lies in, of a folder that was searched. ``command`` and ``version`` are this
    program's.
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
    """Tell whether a report is CSV, and no JSON; raises :class:`UsageError` where its name says neither."""
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".jsonl", ".ndjson"):
        raise UsageError(f"{path}: a report is CSV or JSON lines.", "End its name with .csv or .jsonl.")
    return ending == ".csv"


class ReportFile:
    """The report of a run that is under way, which no other run can write meanwhile.

    An earlier one of that name is replaced with the first line, unless the run is to *go on* with it.
    """

    def __init__(self, path: str, *, go_on: bool = False) -> None:
        """Open the file, and leave it as it is.

        Raises :class:`UsageError` for a name that says no format, and
        :class:`~sudoku_vision.errors.SaveError`, also where another run writes it.
        """
        self._path, self._go_on, self._is_csv = path, go_on, _is_csv(path)
        self._whole = -1  # bytes of whole lines, once it is begun
        self._is_new = not os.path.exists(path)  # noqa: PTH110 (takes any name)
        with explained_writing(path):
            mode = "wb" if is_stream(path) else "a+b"
            self._file: IO[bytes] = Path(path).open(mode, buffering=0)  # noqa: SIM115 (closed by close)
        try:
            lock(self._file)
        except BlockingIOError:
            self._file.close()
            raise SaveError(f"{path}: another run is writing this report.", "Name another one.") from None
        except OSError:  # there are no locks here
            pass

    def add(self, row: ReportRow) -> None:
        """Write the line of a page; raises :class:`~sudoku_vision.errors.SaveError`.

        After that the report lacks the end of its last line, which shows that it is not whole.
        """
        with explained_writing(self._path):
            if self._whole < 0:
                self._begin()
            self._write(csv_lines([asdict(row).values()]) if self._is_csv else json.dumps(asdict(row)) + "\n")

    def _begin(self) -> None:
        """Begin anew, or go on behind the last whole line."""
        self._whole = 0
        if self._go_on:
            self._file.seek(0)
            self._whole = self._file.read().rfind(b"\n") + 1
        self._cut(self._whole)
        if self._is_csv and not self._whole:
            self._write(",".join(FIELDS) + "\n")

    def _write(self, line: str) -> None:
        """Write one whole line, or nothing of it."""
        data = line.encode(**_ENCODING)
        try:
            write_all(self._file, data)
        except OSError:
            self._cut(max(0, self._whole - 1))
            raise
        self._whole += len(data)

    def _cut(self, length: int) -> None:
        """Leave but so many bytes, of what is no pipe or device."""
        if not is_stream(self._path):
            self._file.truncate(length)

    def close(self) -> None:
        """End the report; one that was opened and not begun is not left behind."""
        with contextlib.suppress(OSError):
            self._file.close()
            if self._is_new and self._whole < 0:
                Path(self._path).unlink()


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV, without what a program for tables would take for a formula."""
    text = io.StringIO()
    inert = ([inert_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    # Some versions quote only what the end of a line has in it, and names may hold a carriage return.
    csv.writer(text, lineterminator="\n\r\0").writerows(inert)
    return text.getvalue().replace("\n\r\0", "\n")


def read_report(path: str) -> list[ReportRow]:
    """Return the lines of a report.

    Raises :class:`~sudoku_vision.errors.OpenError` for what can't be read, is no report, or breaks off.
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
        whole = data[: data.rfind(b"\n") + 1].decode(**_ENCODING)
        rows = [_row(line) for line in (_csv_rows if is_csv else _json_rows)(whole)]
    except (ValueError, KeyError, TypeError, csv.Error) as error:
        what = f"{path}: this is no report of a run ({error})."
        raise OpenError(what, "Name a file that was written by --report.") from None
    if not data.endswith(b"\n"):
        what = f"{path}: this report breaks off, and may lack pages."
        raise OpenError(what, "Name the pictures again, with --resume and the same -o.")
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
    """Return a line of a report; raises :class:`ValueError` and the like for what is none."""
    texts = {name: str(values.get(name, "")) for name in FIELDS if name not in _NUMBERS}
    numbers = {name: kind(values[name]) for name, kind in _NUMBERS.items() if name in values}
    if not texts["source"] or not texts["status"] or numbers["page"] < 1:
        raise ValueError("a line of it names no page")
    return ReportRow(**texts, **numbers)  # type: ignore[arg-type]


def failed_pages(rows: Iterable[ReportRow]) -> dict[str, tuple[ReportRow, ...]]:
    """Return the lines of pages to read again, by their source, in order: of each the last word counts."""
    last = {(row.source, row.page): row for row in rows}
    failed: dict[str, tuple[ReportRow, ...]] = {}
    for row in last.values():
        if row.status not in DONE:
            failed[row.source] = (*failed.get(row.source, ()), row)
    return failed
