"""Labels: what is printed and written on the pictures that the program is measured on.

Three forms are read:

* ``NAME.dat`` beside ``NAME.jpg``, or a picture of another kind: two header lines, then 9 rows of 9 digits,
  0 for blank. Where all 81 digits are given, handwriting is among them; the clues alone are then taken from
  ``../photos/NAME.dat`` if it is there.
* ``labels.csv`` with the columns ``file``, ``tags`` (separated by ``;``), ``printed`` and ``all`` (81 digits
  each or empty), and perhaps ``marks`` (``r1c2:28 r9c9:147``, or empty); the pictures lie in ``images/`` or
  beside. Several rows of one file are several puzzles, a row without digits says that the picture holds none.
* ``labels/NAME.txt`` about ``images/NAME.jpg``, as in :mod:`.calendar`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sudoku_vision.errors import BoardError, UsageError
from sudoku_vision.results import Board, Photo
from sudoku_vision.sudoku.formats.program_files import read_dat as read_dat_text
from sudoku_vision.vision.load import PICTURE_ENDINGS, load_photo
from sudoku_vision.workshop.evaluation.calendar import (
    TABLE,
    labelled_texts,
    marks_of,
    read_label,
    read_mark_table,
)

REMEDY = "Correct the label."


@dataclass(frozen=True, eq=False)
class Label:
    """One puzzle of a picture, (9, 9) int8 boards.

    ``clues`` is what is printed, None if that is not known; ``everything`` is print and handwriting together,
    None if nobody noted it. ``marks`` are the digits of the pencil marks by cell (0..80), empty sets where
    nobody noted which they are; None if nobody noted where marks stand.
    """

    clues: Board | None
    everything: Board | None = None
    marks: Mapping[int, frozenset[int]] | None = None

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
    which it is to be read. ``photo`` is the picture itself where there is no file of it.
    """

    path: Path
    tags: tuple[str, ...]
    labels: tuple[Label, ...]
    turn: int = 0
    photo: Photo | None = None

    def turned(self, turn: int) -> LabelledPicture:
        """Return the same picture to be read after *turn* quarters clockwise, tagged so."""
        return replace(self, turn=turn, tags=(*self.tags, f"turned {90 * turn}"))

    def open(self, data: bytes | None = None) -> Photo:
        """Load the photo, from the *data* of its file if given, and turn it; raises :class:`OpenError`."""
        photo = self.photo or load_photo(self.path if data is None else data, name=str(self.path))
        if not self.turn:
            return photo
        return Photo(np.ascontiguousarray(np.rot90(photo.pixels, -self.turn)), photo.source, photo.page)


def find_labels(folder: str | Path, marks: Path | None = None) -> list[LabelledPicture]:
    """Find all labelled pictures of a folder; raises :class:`UsageError` for none or a broken label.

    *marks* is a table of pencil marks for labels that do not tell their digits (see :mod:`.calendar`); None
    for the ``marks.csv`` of the folder, if it has one.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder.", "Name a folder with pictures and labels.")
    table = folder / "labels.csv"
    pictures = _from_table(table) if table.is_file() else []
    pictures += _from_files(sorted(folder.glob("*.dat")))
    pictures += _from_texts(folder, marks)
    if not pictures:
        raise UsageError(
            f"{folder}: no labelled pictures here.", "Put NAME.dat beside each NAME.jpg, or a labels.csv."
        )
    return pictures


def _from_files(paths: Iterable[Path]) -> list[LabelledPicture]:
    """Return the pictures that have a ``.dat`` file beside them."""
    found = ((path, picture_beside(path)) for path in paths)
    return [
        LabelledPicture(picture, (_name(path.parent),), (_label_of(path),))
        for path, picture in found
        if picture
    ]


def _from_texts(folder: Path, table: Path | None) -> list[LabelledPicture]:
    """Return the pictures of a folder in the form of the calendar."""
    beside = folder / TABLE
    noted = read_mark_table(table or beside) if table is not None or beside.is_file() else {}
    pictures = []
    for picture, text in labelled_texts(folder):
        digits, marked = read_label(text)
        label = Label(None, digits, marks_of(picture.stem, marked, noted))
        pictures.append(LabelledPicture(picture, (_name(folder),), (label,)))
    return pictures


def picture_beside(label: Path) -> Path | None:
    """Find the picture that a ``.dat`` file is about: of the same name, in its folder."""
    endings = (spelt for ending in PICTURE_ENDINGS for spelt in (ending, ending.upper()))
    return next((path for ending in endings if (path := label.with_suffix(ending)).is_file()), None)


def _name(folder: Path) -> str:
    """Return the folder's name, however it is written: it may have been named as ``.``."""
    return folder.resolve().name


def _label_of(path: Path) -> Label:
    """Read the label of one ``.dat`` file."""
    board = read_dat(path)
    if (board == 0).any():
        return Label(clues=board)
    twin = path.parent.parent / "photos" / path.name
    return Label(clues=read_dat(twin) if twin.is_file() else None, everything=board)


def read_dat(path: Path) -> Board:
    """Read a ``.dat`` file into a (9, 9) int8 board; raises :class:`UsageError` if it holds none."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: the label can't be read ({error.strerror}).", REMEDY) from None
    try:
        return read_dat_text(text)
    except BoardError as error:
        raise UsageError(f"{path}: {error.message}", REMEDY) from None


def _from_table(table: Path) -> list[LabelledPicture]:
    """Read the pictures of a ``labels.csv``."""
    tags: dict[Path, list[str]] = {}
    labels: dict[Path, list[Label]] = {}
    for row in _rows(table):
        path = _picture(table.parent, row["file"])
        known = tags.setdefault(path, [_name(table.parent)])
        known += [tag for tag in (row.get("tags") or "").split(";") if tag and tag not in known]
        found = labels.setdefault(path, [])
        printed, everything = (
            _board(text, f"{table}, {path.name}") if (text := row.get(column)) else None
            for column in ("printed", "all")
        )
        if printed is not None or everything is not None:
            found.append(Label(printed, everything, _marks(row.get("marks"), f"{table}, {path.name}")))
    return [LabelledPicture(path, tuple(tags[path]), tuple(labels[path])) for path in tags]


def _rows(table: Path) -> Iterator[dict[str, str]]:
    """Read the rows of a table of labels, each with a file; raises :class:`UsageError` for any other."""
    try:
        with table.open(
            newline="", encoding="utf-8-sig", errors="replace"
        ) as file:  # Excel begins with a mark
            rows = csv.DictReader(file)
            if not {"file", "printed"} <= set(rows.fieldnames or ()):
                raise UsageError(
                    f"{table}: it lacks a column file or printed.", "Name the columns in its first row."
                )
            for row in rows:
                if not row["file"]:
                    raise UsageError(f"{table}: line {rows.line_num} names no file.", "Fill the column file.")
                yield row
    except (OSError, csv.Error) as error:
        raise UsageError(f"{table}: the table can't be read ({error}).", REMEDY) from None


def _picture(folder: Path, name: str) -> Path:
    """Return where a picture of the table lies."""
    inside = folder / "images" / name
    return inside if inside.is_file() else folder / name


def _board(text: str, where: str) -> Board:
    """Return 81 digits as a (9, 9) int8 board."""
    if len(text) != 81 or not text.isascii() or not text.isdigit():
        raise UsageError(f"{where}: a label must be 81 digits, got {text[:90]!r}.", REMEDY)
    return np.array([int(digit) for digit in text], np.int8).reshape(9, 9)


def _marks(text: str | None, where: str) -> dict[int, frozenset[int]] | None:
    """Return marks such as ``r1c2:28 r9c9:147`` by cell; None where the table has none."""
    if not text:
        return None
    marks = {}
    for word in text.split():
        found = re.fullmatch(r"r([1-9])c([1-9]):([1-9]+)", word)
        if found is None:
            raise UsageError(f"{where}: marks must be such as r1c2:28, got {word!r}.", REMEDY)
        marks[9 * (int(found[1]) - 1) + int(found[2]) - 1] = frozenset(map(int, found[3]))
    return marks
