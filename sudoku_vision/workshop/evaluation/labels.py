"""Labels: what is printed and written on the pictures that the program is measured on.

Three forms are read:

* ``NAME.dat`` beside ``NAME.jpg``, or a picture of another kind: two header lines, then 9 rows of 9 digits,
  0 for blank. Where all 81 digits are given, handwriting is among them; the clues alone are then taken from
  ``../photos/NAME.dat`` if it is there. Without header lines, print and handwriting are not told apart,
  unless an empty line and 9 rows of 9 regions follow: then it is the jigsaw of these regions, in print.
* ``labels.csv`` with the columns ``file``, ``tags`` (separated by ``;``), ``printed`` and ``all`` (81 digits
  each or empty), and perhaps ``marks`` (``r1c2:28 r9c9:147``, or empty); the pictures lie in ``images/`` or
  beside. Several rows of one file are several puzzles, a row without digits says that the picture holds none.
* ``labels/NAME.txt`` about ``images/NAME.jpg``: 9 rows of 9 numbers, 0 for blank, 1 to 9 for a digit, printed
  or written, 10 for pencil marks alone. Which these are says a table, ``marks.csv`` beside the two folders:
  columns ``puzzle`` (how the picture's name begins), ``cell`` (``r3c5``) and ``digits`` (``28``).
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.results import Board, Photo
from sudoku_vision.sudoku.formats.program_files import read_dat as read_dat_text
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.load import PICTURE_ENDINGS, load_photo

REMEDY = "Correct the label."
MARKED = 10  # stands in a label for a cell of pencil marks alone
MarkTable = Mapping[str, Mapping[int, frozenset[int]]]  # the digits of the marks by cell (0..80) by puzzle

_CELL = "r([1-9])c([1-9])"


@dataclass(frozen=True, eq=False)
class Label:
    """One puzzle of a picture, (9, 9) int8 boards.

    ``clues`` is what is printed, None if that is not known; ``everything`` is print and handwriting together,
    None if nobody noted it. ``marks`` are the digits of the pencil marks by cell (0..80), empty sets where
    nobody noted which they are; None if nobody noted where marks stand. ``rules`` are those of the puzzle,
    None if nobody noted them.
    """

    clues: Board | None
    everything: Board | None = None
    marks: Mapping[int, frozenset[int]] | None = None
    rules: Rules | None = CLASSIC

    @property
    def board(self) -> Board:
        """The board that a reader is compared with: the clues, or all digits where those are not known."""
        known = self.clues if self.clues is not None else self.everything
        assert known is not None
        return known


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """A picture, its tags, and its puzzles; none if it holds no sudoku.

    The first tag says where it comes from: its folder's name. ``turn`` counts the quarter turns clockwise in
    which it is to be read.
    """

    path: Path
    tags: tuple[str, ...]
    labels: tuple[Label, ...]
    turn: int = 0

    def turned(self, turn: int) -> "LabelledPicture":
        """Return the same picture to be read after *turn* quarters clockwise, tagged so."""
        return replace(self, turn=turn, tags=(*self.tags, f"turned {90 * turn}"))

    def open(self, data: bytes | None = None) -> Photo:
        """Load the photo, from the *data* of its file if given, and turn it; raises :class:`OpenError`."""
        photo = load_photo(self.path if data is None else data, name=str(self.path))
        if not self.turn:
            return photo
        return Photo(np.ascontiguousarray(np.rot90(photo.pixels, -self.turn)), photo.source, photo.page)


def find_labels(folder: str | Path, marks: Path | None = None) -> list[LabelledPicture]:
    """Find all labelled pictures of a folder; raises :class:`UsageError` for none or a broken label.

    *marks* is a table of pencil marks for labels that do not tell their digits; None for the ``marks.csv`` of
    the folder, if it has one.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder.", "Name a folder with pictures and labels.")
    table = folder / "labels.csv"
    pictures = _from_table(table) if table.is_file() else []
    pictures += _from_dats(folder)
    pictures += _from_texts(folder, marks)
    if not pictures:
        raise UsageError(
            f"{folder}: no labelled pictures here.", "Put NAME.dat beside each NAME.jpg, or a labels.csv."
        )
    return pictures


def _from_dats(folder: Path) -> list[LabelledPicture]:
    """Return the pictures that have a ``.dat`` file beside them."""
    endings = [spelt for ending in PICTURE_ENDINGS for spelt in (ending, ending.upper())]
    pictures = []
    for path in sorted(folder.glob("*.dat")):
        beside = (path.with_suffix(ending) for ending in endings)
        picture = next((place for place in beside if place.is_file()), None)
        if picture is None:
            continue
        lines = _text(path).strip().splitlines()
        bare = len(lines) == 9
        if len(lines) == 19 and not lines[9].strip():
            label = _jigsaw(lines[:9], lines[10:], path)
            pictures.append(LabelledPicture(picture, (_name(folder),), (label,)))
            continue
        board, twin = read_dat(path), folder.parent / "photos" / path.name
        if bare:
            label = Label(None, board)
        elif (board == 0).any():
            label = Label(board)
        else:
            label = Label(read_dat(twin) if twin.is_file() else None, board)
        pictures.append(LabelledPicture(picture, (_name(folder),), (label,)))
    return pictures


def _jigsaw(digits: list[str], regions: list[str], path: Path) -> Label:
    """Return the label of a jigsaw of 9 rows of *digits* and 9 of *regions*."""
    try:
        return Label(read_dat_text("\n".join(digits)), rules=Rules("".join(regions)))
    except BoardError as error:
        raise UsageError(f"{path}: {error.message}", REMEDY) from None


def _name(folder: Path) -> str:
    """Return the folder's name, however it is written: it may have been named as ``.``."""
    return folder.resolve().name


def read_dat(path: Path) -> Board:
    """Read a ``.dat`` file into a (9, 9) int8 board; raises :class:`UsageError` if it holds none."""
    try:
        return read_dat_text(_text(path))
    except BoardError as error:
        raise UsageError(f"{path}: {error.message}", REMEDY) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: the label can't be read ({error.strerror}).", REMEDY) from None


def _from_texts(folder: Path, table: Path | None) -> list[LabelledPicture]:
    """Return the pictures in ``images`` that have a text in ``labels``."""
    found = {path.stem: path for path in sorted((folder / "images").glob("*"))}
    beside = folder / "marks.csv"
    noted = read_mark_table(table or beside) if table is not None or beside.is_file() else {}
    pictures = []
    for text in sorted((folder / "labels").glob("*.txt")):
        picture = found.get(text.stem)
        if picture is not None and picture.suffix.lower() in PICTURE_ENDINGS:
            digits, marked = read_label(text)
            known = next((noted[puzzle] for puzzle in noted if f"{text.stem}_".startswith(f"{puzzle}_")), {})
            marks = {cell: known.get(cell, frozenset()) for cell in sorted(marked)}
            label = Label(None, digits, marks)
            pictures.append(LabelledPicture(picture, (_name(folder),), (label,)))
    return pictures


def read_label(path: Path) -> tuple[Board, frozenset[int]]:
    """Read a label: all digits (9, 9) int8, 0 for blank, and the cells (0..80) that hold marks alone.

    Raises :class:`~sudoku_vision.errors.UsageError` for any other text.
    """
    words = _text(path).split()
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    if len(numbers) != 81 or len(words) != 81 or max(numbers) > MARKED:
        raise UsageError(f"{path}: a label must be 81 numbers from 0 to {MARKED}.", REMEDY)
    marked = frozenset(cell for cell, number in enumerate(numbers) if number == MARKED)
    digits = [0 if number == MARKED else number for number in numbers]
    return np.array(digits, np.int8).reshape(9, 9), marked


def read_mark_table(path: Path) -> MarkTable:
    """Read a table of marks; raises :class:`~sudoku_vision.errors.UsageError` for a broken one."""
    table: dict[str, dict[int, frozenset[int]]] = {}
    for line, row in _rows(path, ("puzzle", "cell", "digits")):
        where, digits = row["cell"] or "", row["digits"] or ""
        place = re.fullmatch(_CELL, where)
        if place is None or not re.fullmatch("[1-9]+", digits):
            raise UsageError(f"{path}: line {line} is no cell with digits: {where!r}, {digits!r}.", REMEDY)
        table.setdefault(row["puzzle"], {})[_cell(place)] = frozenset(map(int, digits))
    return table


def _from_table(table: Path) -> list[LabelledPicture]:
    """Read the pictures of a ``labels.csv``."""
    tags: dict[Path, list[str]] = {}
    labels: dict[Path, list[Label]] = {}
    for line, row in _rows(table, ("file", "printed")):
        if not row["file"]:
            raise UsageError(f"{table}: line {line} names no file.", "Fill the column file.")
        inside = table.parent / "images" / row["file"]
        path = inside if inside.is_file() else table.parent / row["file"]
        where = f"{table}, {path.name}"
        known = tags.setdefault(path, [_name(table.parent)])
        known += [tag for tag in (row.get("tags") or "").split(";") if tag and tag not in known]
        printed, everything = (_board(row.get(column), where) for column in ("printed", "all"))
        found = labels.setdefault(path, [])
        if printed is not None or everything is not None:
            found.append(Label(printed, everything, _marks(row.get("marks"), where), rules=None))
    return [LabelledPicture(path, tuple(tags[path]), tuple(labels[path])) for path in tags]


def _rows(table: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the rows of a table with their lines; raises :class:`UsageError` where a column is missing."""
    try:
        with table.open(newline="", encoding="utf-8-sig", errors="replace") as file:  # Excel's mark
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
    """Return 81 digits as a (9, 9) int8 board; None where the table has none."""
    if not text:
        return None
    if len(text) != 81 or not text.isascii() or not text.isdigit():
        raise UsageError(f"{where}: a label must be 81 digits, got {text!r}.", REMEDY)
    return np.array([int(digit) for digit in text], np.int8).reshape(9, 9)


def _marks(text: str | None, where: str) -> dict[int, frozenset[int]] | None:
    """Return marks such as ``r1c2:28 r9c9:147`` by cell; None where the table has none."""
    if not text:
        return None
    marks = {}
    for word in text.split():
        found = re.fullmatch(f"{_CELL}:([1-9]+)", word)
        if found is None:
            raise UsageError(f"{where}: marks must be such as r1c2:28, got {word!r}.", REMEDY)
        marks[_cell(found)] = frozenset(map(int, found[3]))
    return marks


def _cell(place: re.Match[str]) -> int:
    return 9 * (int(place[1]) - 1) + int(place[2]) - 1
