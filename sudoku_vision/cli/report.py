"""A file with a line for each page of a run, as CSV or JSON lines.

A line is written as soon as its page is done, and always as a whole. So a run that ended early can continue
from its report.
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

from sudoku_vision.cli.inputs import Input, input_kind
from sudoku_vision.cli.options import Options
from sudoku_vision.errors import OpenError, SaveError, UsageError
from sudoku_vision.output.save import explained_writing, is_stream, lock, write_all
from sudoku_vision.sudoku.formats.plain_text import inert_cell, original_cell
from sudoku_vision.vision.load.files import opened

MAX_BYTES = 256 << 20  # largest size of a report in bytes, about a million lines
FINISHED = ("solved", "right", "wrong", "nothing_written")
"""Statuses of pages that need not be read again. They include "wrong": the page was read with certainty, and
a person's entries are wrong."""
_ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}
"""The encoding of reports. File names keep their bytes even if they are not UTF-8."""


@dataclass(frozen=True)
class ReportRow:
    """The line of a report for one page.

    ``source``, ``page``, ``status`` and ``message`` are the same as in the JSON that commands print.
    """

    source: str
    page: int
    status: str
    message: str = ""
    remedy: str = ""  # what the user can do about an error
    grids: int = 0  # number of grids
    confidence: float | None = None  # lowest confidence of all readable grids
    seconds: float | None = None  # time that reading took
    output: str = ""  # path of the picture that was written
    below: str = ""  # subfolder of the source, relative to the folder that was searched
    command: str = ""  # name of the command that ran
    version: str = ""  # version of this program


FIELDS = tuple(field.name for field in fields(ReportRow))


def _is_csv(path: str) -> bool:
    """Return whether the name of a report means CSV; else it means JSON lines. UsageError for other names."""
    ending = Path(path).suffix.lower()
    if ending not in (".csv", ".jsonl"):
        raise UsageError(f"{path}: a report is CSV or JSON lines.", "End its name with .csv or .jsonl.")
    return ending == ".csv"


class ReportFile:
    """Writes the report of a run; no other run can write to the file at the same time.

    When the first line is written, an older report with this name is emptied. If *go_on* is true, the older
    report is continued instead.
    """

    def __init__(self, path: str, *, go_on: bool = False) -> None:
        self._path, self._go_on, self._is_csv = path, go_on, _is_csv(path)
        self._whole = -1  # number of bytes in whole lines; -1 until the first line is written
        self._is_new = not os.path.exists(path)  # noqa: PTH110 (pathlib fails for long names)
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
        """Write the line of a page.

        After an error, no more lines are written. The last line then lacks its line end. This shows that the
        report isn't complete.
        """
        if self._file.closed:
            return
        line = csv_lines([asdict(row).values()]) if self._is_csv else json.dumps(asdict(row)) + "\n"
        try:
            with explained_writing(self._path):
                head = self._begin() if self._whole < 0 else ""
                data = (head + line).encode(**_ENCODING)
                write_all(self._file, data)
                self._whole += len(data)
        except SaveError:
            with contextlib.suppress(OSError):
                self._cut(max(0, self._whole - 1))
            self.close()
            raise

    def _begin(self) -> str:
        """Empty the file. If the file is to be continued, only cut off an incomplete last line.

        Return the line with the names of the columns if a CSV file doesn't have it yet; otherwise, return "".
        """
        self._whole = 0
        if self._go_on:
            self._file.seek(0)
            self._whole = self._file.read().rfind(b"\n") + 1
        self._cut(self._whole)
        return csv_lines([FIELDS]) if self._is_csv and not self._whole else ""

    def _cut(self, length: int) -> None:
        """Cut off all but the first *length* bytes of the file, unless it is a pipe or device."""
        if not is_stream(self._path):
            self._file.truncate(length)

    def close(self) -> None:
        """Close the report. A new file without lines is removed."""
        with contextlib.suppress(OSError):
            self._file.close()
            if self._is_new and self._whole < 0:
                Path(self._path).unlink()


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV. Cells are changed so that no spreadsheet takes them for formulas."""
    text = io.StringIO()
    inert = ([inert_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    # Names of files can contain carriage returns, which must be quoted. Some versions of Python quote a cell
    # only if it contains a character of the line end. So the line end here contains a carriage return.
    csv.writer(text, lineterminator="\n\r\0").writerows(inert)
    return text.getvalue().replace("\n\r\0", "\n")


def read_report(path: str, *, whole: bool = True) -> list[ReportRow]:
    """Return the lines of a report.

    An incomplete last line is an error if *whole* is true; otherwise, this line is left out.
    """
    is_csv, data = _is_csv(path), opened(path, text_bytes=MAX_BYTES)
    assert isinstance(data, bytes)
    try:
        if len(data) > MAX_BYTES:
            raise ValueError("it is too large")
        lines = data[: data.rfind(b"\n") + 1].decode(**_ENCODING)
        rows = [_row(line) for line in (_csv_rows if is_csv else _json_rows)(lines)]
    except (ValueError, TypeError, csv.Error) as error:
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
    """Return the line of a report; raises ValueError or TypeError for wrong *values*."""
    values = {"source": "", "page": 0, "status": ""} | values
    row = ReportRow(**{name: _NUMBERS.get(name, str)(value) for name, value in values.items()})
    if not row.source or not row.status or row.page < 1:
        raise ValueError("a line of it names no page")
    return row


def resumed(
    options: Options, inputs: tuple[Input, ...], command: str
) -> tuple[tuple[Input, ...], list[ReportRow]]:
    """Return the inputs that a resumed run must read, and the lines of its report for the done pages.

    All pages of *inputs* that are not done must be read. Without *inputs*, all pages in the report that are
    not done must be read. If a page has several lines, only the last line is used.
    """
    report = options.report
    if report is None:
        remedy = "Name the report of that run, as in: --resume --report run.csv"
        raise UsageError("--resume goes on with a report.", remedy)
    if not inputs and options.page is not None:
        raise UsageError("--page can't be given, because the report names the pages.", "Leave it out.")
    is_begun = not inputs or os.path.exists(report)  # noqa: PTH110 (pathlib fails for long names)
    rows = read_report(report, whole=not inputs) if is_begun else []
    if not rows and not inputs:
        raise UsageError(f"{report}: this report names no pages.", "Name the pictures to read.")
    if other := next((row.command for row in rows if row.command not in ("", command)), ""):
        what = f"{report}: this is a report of {other}, not of {command}."
        raise UsageError(what, f"Name another one, or use: sudoku-vision {other} --resume --report {report}")
    last = {(row.source, row.page): row for row in rows}
    done = [row for row in last.values() if row.status in FINISHED]
    if inputs:
        names = {item.name for item in inputs}
        return inputs, [row for row in done if row.source in names]
    failed: dict[str, list[ReportRow]] = {}
    for row in last.values():
        if row.status not in FINISHED:
            failed.setdefault(row.source, []).append(row)
    documents = {row.source for row in rows if row.page > 1}
    left = [
        _input_of(source, tuple(row.page for row in pages) if source in documents else (), pages[0].below)
        for source, pages in failed.items()
    ]
    return tuple(left), done


def _input_of(source: str, pages: tuple[int, ...], below: str) -> Input:
    kind = input_kind(source)
    if kind == "file":
        return Input(source, source, searched=True, below=below, pages=pages)
    if kind == "text" and not Path(source).suffix:
        return Input(source, text=source, searched=True, pages=pages)
    what = f"{source}: there is no such file any more."
    if kind == "standard input":
        what = f"{source}: what came on standard input is not there any more."
    return Input(source, error=OpenError(what, "Name it, where it is now."), searched=True)
