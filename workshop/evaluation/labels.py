"""Labels: the digits that are printed and written on a picture, noted by people.

* ``NAME.dat`` beside a picture has 9 rows of 9 digits, 0 for a blank cell. There are three kinds of files:

  - Two header lines, then the digits. If there are blank cells, the digits are the clues. Otherwise, they are
    print and handwriting together, and the clues are in ``../photos/NAME.dat``, if that file exists.
  - Only the digits. They are print and handwriting together.
  - The digits, an empty line, and 9 rows of 9 region numbers. The digits are the clues of a jigsaw.

* ``labels.csv`` has the columns ``file``, ``tags`` (separated by ``;``), ``printed``, ``all`` and, if wanted,
  ``marks`` such as ``r1c2:28 r9c9:147``. ``printed`` and ``all`` have 81 digits or are empty. The pictures
  are in ``images/`` or beside the table. A picture has a row for each puzzle. A picture
  without a puzzle has one row without digits.
* ``labels/NAME.txt`` for a picture ``images/NAME.jpg`` has 9 rows of 9 numbers: 0 for a blank cell, 1 to 9
  for a printed or written digit, 10 for a cell with only pencil marks. The digits of the marks are in the
  table ``marks.csv`` with the columns ``puzzle`` (the beginning of the picture's name), ``cell`` (``r3c5``)
  and ``digits`` (``28``).
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.sudoku.board import Board, board_text, marks_text
from sudoku_vision.sudoku.formats.program_files import read_dat as read_dat_text
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.load import PICTURE_ENDINGS, load_photo
from sudoku_vision.vision.results import Photo
from workshop.rendering.picture import DrawnGrid

REMEDY = "Correct the label."
MARKED = 10  # number in ``labels/NAME.txt`` for a cell that has only pencil marks
COLUMNS = ("id", "file", "tags", "printed", "all", "marks", "notes")
"""The columns of a ``labels.csv`` that this program writes."""
MarkTable = Mapping[str, Mapping[int, frozenset[int]]]
"""For the name of each puzzle: its cells (0..80) with pencil marks, each with the digits of its marks."""


@dataclass(frozen=True, eq=False)
class Label:
    """The label of one puzzle of a picture. A field is None if its content is not known."""

    clues: Board | None  # the printed digits, (9, 9) int8, 0 for blank
    everything: Board | None = None  # printed and written digits together, (9, 9) int8
    marks: Mapping[int, frozenset[int]] | None = None
    """The marks of each cell (0..80) that has marks; an empty set if only their place is known."""
    rules: Rules | None = CLASSIC

    @property
    def board(self) -> Board:
        """The clues or, if they are not known, all digits."""
        known = self.clues if self.clues is not None else self.everything
        assert known is not None
        return known


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """A picture, its tags, and the labels of its puzzles. The first tag is the name of the folder."""

    path: Path
    tags: tuple[str, ...]
    labels: tuple[Label, ...]

    def open(self, data: bytes | None = None) -> Photo:
        """Load the photo from *data* (bytes) or, without *data*, from its file. Raises OpenError."""
        return load_photo(self.path if data is None else data, name=str(self.path))


def find_labels(folder: str | Path, marks: Path | None = None) -> list[LabelledPicture]:
    """Return all labelled pictures of a folder.

    *marks*: a table with the digits of pencil marks; by default, ``marks.csv`` in the folder. Raises
    :class:`UsageError` if the folder has no labelled pictures, or if a label is broken.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder.", "Name a folder with pictures and labels.")
    pictures = [*_from_table(folder), *_from_dats(folder), *_from_texts(folder, marks)]
    if not pictures:
        raise UsageError(
            f"{folder}: no labelled pictures here.", "Put NAME.dat beside each NAME.jpg, or a labels.csv."
        )
    return pictures


def _tag(folder: Path) -> str:
    return folder.resolve().name


def _from_dats(folder: Path) -> Iterator[LabelledPicture]:
    """Yield the pictures that have a label in a ``.dat`` file beside them."""
    endings = [spelt for ending in PICTURE_ENDINGS for spelt in (ending, ending.upper())]
    for path in sorted(folder.glob("*.dat")):
        beside = (path.with_suffix(ending) for ending in endings)
        picture = next((place for place in beside if place.is_file()), None)
        if picture is not None:
            yield LabelledPicture(picture, (_tag(folder),), (_dat_label(path),))


def _dat_label(path: Path) -> Label:
    lines = _text(path).strip().splitlines()
    if len(lines) == 19 and not lines[9].strip():
        with _broken_label(path):
            return Label(read_dat_text("\n".join(lines[:9])), rules=Rules("".join(lines[10:])))
    board, twin = read_dat(path), path.parent.parent / "photos" / path.name
    if len(lines) > 9 and (board == 0).any():
        return Label(board)
    return Label(read_dat(twin) if len(lines) > 9 and twin.is_file() else None, board)


@contextmanager
def _broken_label(path: Path) -> Iterator[None]:
    """Turn a BoardError that the block raises into a UsageError that names *path*."""
    try:
        yield
    except BoardError as error:
        raise UsageError(f"{path}: {error.message}", REMEDY) from None


def read_dat(path: Path) -> Board:
    """Return the board (9, 9) int8 of a ``.dat`` file; raises :class:`UsageError` if it has no board."""
    with _broken_label(path):
        return read_dat_text(_text(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: the label can't be read ({error.strerror}).", REMEDY) from None


def _from_texts(folder: Path, table: Path | None) -> Iterator[LabelledPicture]:
    """Yield the pictures of ``images`` whose label is in ``labels``. *table*: file with the marks' digits."""
    found = {path.stem: path for path in sorted((folder / "images").glob("*"))}
    beside = folder / "marks.csv"
    noted = read_mark_table(table or beside) if table is not None or beside.is_file() else {}
    for text in sorted((folder / "labels").glob("*.txt")):
        picture = found.get(text.stem)
        if picture is not None and picture.suffix.lower() in PICTURE_ENDINGS:
            digits, marked = read_label(text)
            known = next((noted[puzzle] for puzzle in noted if f"{text.stem}_".startswith(f"{puzzle}_")), {})
            marks = {cell: known.get(cell, frozenset()) for cell in sorted(marked)}
            yield LabelledPicture(picture, (_tag(folder),), (Label(None, digits, marks),))


def read_label(path: Path) -> tuple[Board, frozenset[int]]:
    """Return the digits (9, 9) int8 of a file in ``labels``, and the cells (0..80) with marks but no digit.

    Raises :class:`~sudoku_vision.errors.UsageError` if the text is not 81 numbers from 0 to 10.
    """
    words = _text(path).split()
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    if len(numbers) != 81 or len(words) != 81 or max(numbers) > MARKED:
        raise UsageError(f"{path}: a label must be 81 numbers from 0 to {MARKED}.", REMEDY)
    board = np.array(numbers, np.int8).reshape(9, 9)
    marked = frozenset(np.flatnonzero(board == MARKED).tolist())
    return np.where(board == MARKED, np.int8(0), board), marked


def read_mark_table(path: Path) -> MarkTable:
    """Return the digits of pencil marks from a table file; raises UsageError if the table is broken."""
    table: dict[str, dict[int, frozenset[int]]] = {}
    for line, row in _rows(path, ("puzzle", "cell", "digits")):
        word = f"{row['cell']}:{row['digits']}"
        table.setdefault(row["puzzle"], {}).update([_mark(word, f"{path}: line {line}")])
    return table


def _mark(word: str, where: str) -> tuple[int, frozenset[int]]:
    """Return the cell (0..80) and the digits of a word like ``r1c2:28``. *where*: its place, for errors."""
    found = re.fullmatch("r([1-9])c([1-9]):([1-9]+)", word)
    if found is None:
        raise UsageError(f"{where}: marks are written as in r1c2:28, got {word!r}.", REMEDY)
    return 9 * (int(found[1]) - 1) + int(found[2]) - 1, frozenset(map(int, found[3]))


def _from_table(folder: Path) -> Iterator[LabelledPicture]:
    """Yield the pictures that have a row in ``labels.csv``; none if there is no ``labels.csv``."""
    table = folder / "labels.csv"
    tags: dict[Path, list[str]] = {}
    labels: dict[Path, list[Label]] = {}
    for line, row in _rows(table, ("file", "printed")) if table.is_file() else ():
        if not row["file"]:
            raise UsageError(f"{table}: line {line} names no file.", "Fill the column file.")
        inside = folder / "images" / row["file"]
        path = inside if inside.is_file() else folder / row["file"]
        where = f"{table}, {path.name}"
        known = tags.setdefault(path, [_tag(folder)])
        known += [tag for tag in (row.get("tags") or "").split(";") if tag and tag not in known]
        printed, everything = (_board(row.get(column), where) for column in ("printed", "all"))
        found = labels.setdefault(path, [])
        if printed is not None or everything is not None:
            marks = dict(_mark(word, where) for word in (row.get("marks") or "").split()) or None
            found.append(Label(printed, everything, marks, rules=None))
    return (LabelledPicture(path, tuple(tags[path]), tuple(labels[path])) for path in tags)


def _rows(table: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield, for each row of a table, its line number and its values by column.

    Raises UsageError if one of the *columns* is missing, or if the table can't be read.
    """
    try:
        # Excel starts a file with a byte order mark, which utf-8-sig skips.
        with table.open(newline="", encoding="utf-8-sig", errors="replace") as file:
            rows = csv.DictReader(file)
            if not set(columns) <= set(rows.fieldnames or ()):
                raise UsageError(
                    f"{table}: it lacks a column {' or '.join(columns)}.",
                    "Name the columns in its first row.",
                )
            for row in rows:
                yield rows.line_num, row
    except (OSError, csv.Error) as error:
        raise UsageError(f"{table}: the table can't be read ({error}).", REMEDY) from None


def _board(text: str | None, where: str) -> Board | None:
    """Return the board (9, 9) int8 in a *text* of 81 digits; None for an empty text. Raises UsageError."""
    if not text:
        return None
    if len(text) != 81 or not text.isascii() or not text.isdigit():
        raise UsageError(f"{where}: a label must be 81 digits, got {text!r}.", REMEDY)
    return np.array(list(text), np.int8).reshape(9, 9)


def label_rows(
    name: str, file: str, tags: str, grids: Sequence[DrawnGrid], notes: str = ""
) -> list[dict[str, str]]:
    """Return the rows of ``labels.csv`` for a picture: one for each grid; one if there are no *grids*."""
    row = dict.fromkeys(COLUMNS, "") | {"id": name, "file": file, "tags": tags, "notes": notes}
    rows = []
    for letter, grid in zip("abcdefghi", grids, strict=False):
        both = board_text(np.where(grid.puzzle > 0, grid.puzzle, grid.written))
        marks = [(divmod(cell, 9), digits) for cell, digits in enumerate(marks_text(grid.marks)) if digits]
        boards = {
            "id": name if len(grids) == 1 else f"{name}{letter}",
            "printed": board_text(grid.puzzle),
            "all": both if grid.written.any() else "",
            "marks": " ".join(f"r{row + 1}c{column + 1}:{digits}" for (row, column), digits in marks),
        }
        rows.append(row | boards)
    return rows or [row]


def label_table(rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return the bytes of a file ``labels.csv`` with *rows* of :func:`label_rows`."""
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()
