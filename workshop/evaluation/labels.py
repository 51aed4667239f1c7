"""Labels: what is printed and written on the pictures that the program is measured on.

Three forms are read:

* ``NAME.dat`` beside ``NAME.jpg``, or beside a picture in another format: two header lines, then 9 rows of 9
  digits, 0 for blank. If no cell is blank, the digits are print and handwriting together; the clues are then
  taken from ``../photos/NAME.dat``, if that file exists. Without header lines, the digits are always print
  and handwriting together, with one exception: if an empty line and 9 rows of 9 region numbers follow, the
  file is a printed jigsaw with these regions.
* ``labels.csv`` with the columns ``file``, ``tags`` (separated by ``;``), ``printed`` and ``all`` (81 digits
  each or empty), and perhaps ``marks`` (``r1c2:28 r9c9:147``, or empty); the pictures are in ``images/`` or
  beside the table. Several rows for one file are several puzzles; a row without digits means no puzzle.
* ``labels/NAME.txt`` for ``images/NAME.jpg``: 9 rows of 9 numbers, 0 for blank, 1 to 9 for a digit, printed
  or written, 10 for pencil marks alone. The digits of the marks are in a table, ``marks.csv`` beside the two
  folders. Its columns are ``puzzle`` (how the picture's name begins), ``cell`` (``r3c5``) and ``digits``
  (``28``).
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
MARKED = 10  # number in ``labels/NAME.txt`` for a cell with pencil marks alone
COLUMNS = ("id", "file", "tags", "printed", "all", "marks", "notes")
"""The columns of the ``labels.csv`` that this module writes, in their order."""
MarkTable = Mapping[str, Mapping[int, frozenset[int]]]  # for each puzzle, the digits of marks by cell 0..80


@dataclass(frozen=True, eq=False)
class Label:
    """The label of one puzzle of a picture. Each field is None if nobody noted it.

    The boards are (9, 9) int8: ``clues`` are printed, ``everything`` is print and handwriting together.
    ``marks`` has the digits of the pencil marks in each cell (0..80) that holds marks. A set is empty if only
    the place of the marks is known.
    """

    clues: Board | None
    everything: Board | None = None
    marks: Mapping[int, frozenset[int]] | None = None
    rules: Rules | None = CLASSIC

    @property
    def board(self) -> Board:
        """The board that the reading is compared with: the clues or, if they are not known, all digits."""
        known = self.clues if self.clues is not None else self.everything
        assert known is not None
        return known


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """A picture, its tags, and the labels of its puzzles.

    The first tag is the name of the picture's folder. There are no labels if the picture holds no sudoku.
    """

    path: Path
    tags: tuple[str, ...]
    labels: tuple[Label, ...]

    def open(self, data: bytes | None = None) -> Photo:
        """Load the photo from the bytes *data* or, without them, from its file.

        Raises :class:`OpenError` if it can't be opened.
        """
        return load_photo(self.path if data is None else data, name=str(self.path))


def find_labels(folder: str | Path, marks: Path | None = None) -> list[LabelledPicture]:
    """Find all labelled pictures of a folder.

    *marks* is a file with the digits of pencil marks, for labels that only have the places of marks; None
    means ``marks.csv`` in the folder. Raises :class:`UsageError` if there are no labelled pictures, or if a
    label is broken.
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
    """Return the name of a folder, even if its path is only ``.``."""
    return folder.resolve().name


def _from_dats(folder: Path) -> Iterator[LabelledPicture]:
    """Yield the pictures that have a ``.dat`` file beside them."""
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
    """Turn a :class:`BoardError` into a :class:`UsageError` that names the file."""
    try:
        yield
    except BoardError as error:
        raise UsageError(f"{path}: {error.message}", REMEDY) from None


def read_dat(path: Path) -> Board:
    """Read a ``.dat`` file into a (9, 9) int8 board; raises :class:`UsageError` if it holds no board."""
    with _broken_label(path):
        return read_dat_text(_text(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: the label can't be read ({error.strerror}).", REMEDY) from None


def _from_texts(folder: Path, table: Path | None) -> Iterator[LabelledPicture]:
    """Yield the pictures in ``images`` that have a label in ``labels``; *table* has the digits of marks."""
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
    """Read a text file in ``labels``.

    Return all digits (9, 9) int8, 0 for blank, and the cells (0..80) that hold marks alone. Raises
    :class:`~sudoku_vision.errors.UsageError` if the text is not 81 numbers from 0 to 10.
    """
    words = _text(path).split()
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    if len(numbers) != 81 or len(words) != 81 or max(numbers) > MARKED:
        raise UsageError(f"{path}: a label must be 81 numbers from 0 to {MARKED}.", REMEDY)
    board = np.array(numbers, np.int8).reshape(9, 9)
    marked = frozenset(np.flatnonzero(board == MARKED).tolist())
    return np.where(board == MARKED, np.int8(0), board), marked


def read_mark_table(path: Path) -> MarkTable:
    """Read a table of marks; raises :class:`~sudoku_vision.errors.UsageError` if the table is broken."""
    table: dict[str, dict[int, frozenset[int]]] = {}
    for line, row in _rows(path, ("puzzle", "cell", "digits")):
        word = f"{row['cell']}:{row['digits']}"
        table.setdefault(row["puzzle"], {}).update([_mark(word, f"{path}: line {line}")])
    return table


def _mark(word: str, where: str) -> tuple[int, frozenset[int]]:
    """Return the cell and the digits of a word such as ``r1c2:28``."""
    found = re.fullmatch("r([1-9])c([1-9]):([1-9]+)", word)
    if found is None:
        raise UsageError(f"{where}: marks are written as in r1c2:28, got {word!r}.", REMEDY)
    return 9 * (int(found[1]) - 1) + int(found[2]) - 1, frozenset(map(int, found[3]))


def _from_table(folder: Path) -> Iterator[LabelledPicture]:
    """Yield the pictures of a ``labels.csv``, if there is one."""
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
    """Yield the line number and the values by column of each row of a table.

    Raises :class:`UsageError` if one of the *columns* is missing, or if the table can't be read.
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
    """Return a text of 81 digits as a (9, 9) int8 board; None if there is no text."""
    if not text:
        return None
    if len(text) != 81 or not text.isascii() or not text.isdigit():
        raise UsageError(f"{where}: a label must be 81 digits, got {text!r}.", REMEDY)
    return np.array(list(text), np.int8).reshape(9, 9)


def label_rows(
    name: str, file: str, tags: str, grids: Sequence[DrawnGrid], notes: str = ""
) -> list[dict[str, str]]:
    """Return the rows of ``labels.csv`` for a picture: one for each grid.

    A picture without grids has one row without boards. The first column is the *name*; if there are several
    grids, a letter follows it.
    """
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
    """Return the bytes of a file ``labels.csv`` with the *rows* that :func:`label_rows` returns."""
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()
