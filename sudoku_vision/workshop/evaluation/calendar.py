"""Labels of the calendar: ``labels/NAME.txt`` about ``images/NAME.jpg``, and a table of the pencil marks.

A label is 9 rows of 9 numbers: 0 for a blank cell, 1 to 9 for a digit, printed or written, and 10 for pencil
marks alone. Which digits are printed is not said, nor which the marks are; the latter stand in ``marks.csv``
where somebody noted them: columns ``puzzle`` (how the picture's name begins), ``cell`` (``r3c5``) and
``digits`` (``28``).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from sudoku_vision.errors import UsageError
from sudoku_vision.results import Board
from sudoku_vision.vision.load import PICTURE_ENDINGS

MARKED = 10
"""Stands in a label for a cell of pencil marks alone."""

TABLE = "marks.csv"
"""The table of marks that is taken where none is named: beside the folders ``images`` and ``labels``."""

_CELL = re.compile(r"r([1-9])c([1-9])")
_REMEDY = "Correct the label."

MarkTable = Mapping[str, Mapping[int, frozenset[int]]]
"""The digits of the marks by cell (0..80) by puzzle."""


def labelled_texts(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Find the pairs (picture, label) of a folder in the form of the calendar, in order of their names."""
    pictures = {path.stem: path for path in sorted((folder / "images").glob("*")) if _is_picture(path)}
    for label in sorted((folder / "labels").glob("*.txt")):
        if label.stem in pictures:
            yield pictures[label.stem], label


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURE_ENDINGS


def read_label(path: Path) -> tuple[Board, frozenset[int]]:
    """Read a label: all digits (9, 9) int8, 0 for blank, and the cells (0..80) that hold marks alone.

    Raises :class:`~sudoku_vision.errors.UsageError` for any other text.
    """
    try:
        words = path.read_text(encoding="utf-8", errors="replace").split()
    except OSError as error:
        raise UsageError(f"{path}: the label can't be read ({error.strerror}).", _REMEDY) from None
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    if len(numbers) != 81 or len(words) != 81 or max(numbers) > MARKED:
        raise UsageError(f"{path}: a label must be 81 numbers from 0 to {MARKED}.", _REMEDY)
    marked = frozenset(cell for cell, number in enumerate(numbers) if number == MARKED)
    digits = [0 if number == MARKED else number for number in numbers]
    return np.array(digits, np.int8).reshape(9, 9), marked


def read_mark_table(path: Path) -> MarkTable:
    """Read a table of marks; raises :class:`~sudoku_vision.errors.UsageError` for a broken one."""
    table: dict[str, dict[int, frozenset[int]]] = {}
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            if not {"puzzle", "cell", "digits"} <= set(rows.fieldnames or ()):
                raise UsageError(
                    f"{path}: it lacks a column puzzle, cell or digits.", "Name the columns in its first row."
                )
            for row in rows:
                place, digits = _CELL.fullmatch(row["cell"] or ""), row["digits"] or ""
                if place is None or not re.fullmatch("[1-9]+", digits):
                    what = f"{row['cell']!r}, {digits!r}"
                    raise UsageError(f"{path}: line {rows.line_num} is no cell with digits: {what}.", _REMEDY)
                cell = 9 * (int(place[1]) - 1) + int(place[2]) - 1
                table.setdefault(row["puzzle"], {})[cell] = frozenset(map(int, digits))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: the table can't be read ({error}).", _REMEDY) from None
    return table


def marks_of(name: str, marked: frozenset[int], table: MarkTable) -> dict[int, frozenset[int]]:
    """Return the marks of each *marked* cell of the picture *name*; empty where nobody noted them."""
    noted = next((table[puzzle] for puzzle in table if f"{name}_".startswith(f"{puzzle}_")), {})
    return {cell: noted.get(cell, frozenset()) for cell in sorted(marked)}
