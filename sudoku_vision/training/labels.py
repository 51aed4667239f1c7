"""Labels: what is printed and written on the pictures that the program is measured on.

Two forms are read:

* ``NAME.dat`` beside ``NAME.jpg``: two header lines, then 9 rows of 9 digits, 0 for blank. Where all 81
  digits are given, handwriting is among them; the clues alone are then taken from ``../photos/NAME.dat`` if
  it is there.
* ``labels.csv`` with the columns ``file``, ``tags`` (separated by ``;``), ``printed`` and ``all`` (81 digits
  each or empty); the pictures lie in ``images/`` or beside. Several rows of one file are several puzzles, a
  row without ``printed`` says that the picture holds none.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudoku_vision.errors import UsageError
from sudoku_vision.results import Board

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


@dataclass(frozen=True, eq=False)
class Label:
    """One puzzle of a picture, (9, 9) int8 boards.

    ``clues`` is what is printed, None if that is not known; ``everything`` is print and handwriting together,
    None if nobody noted it.
    """

    clues: Board | None
    everything: Board | None = None

    @property
    def board(self) -> Board:
        """What a reader is compared with: the clues, or all digits where the clues are not known."""
        known = self.clues if self.clues is not None else self.everything
        assert known is not None
        return known


@dataclass(frozen=True, eq=False)
class LabelledPicture:
    """A picture, its tags, and its puzzles; none if it holds no sudoku."""

    path: Path
    tags: tuple[str, ...]
    labels: tuple[Label, ...]


def find_labels(folder: str | Path) -> list[LabelledPicture]:
    """All labelled pictures of a folder; raises :class:`UsageError` for none or a broken label."""
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder.", "Name a folder with pictures and labels.")
    table = folder / "labels.csv"
    pictures = _from_table(table) if table.is_file() else []
    pictures += _from_files(sorted(folder.glob("*.dat")))
    if not pictures:
        raise UsageError(
            f"{folder}: no labelled pictures here.", "Put NAME.dat beside each NAME.jpg, or a labels.csv."
        )
    return pictures


def _from_files(paths: Iterable[Path]) -> list[LabelledPicture]:
    """The pictures that have a ``.dat`` file beside them, tagged with their folder's name."""
    pictures = []
    for path in paths:
        picture = next((p for end in PICTURE_ENDINGS if (p := path.with_suffix(end)).is_file()), None)
        if picture is not None:
            pictures.append(LabelledPicture(picture, (path.parent.name,), (_label_of(path),)))
    return pictures


def _label_of(path: Path) -> Label:
    """The label of one ``.dat`` file."""
    board = read_dat(path)
    if (board == 0).any():
        return Label(clues=board)
    twin = path.parent.parent / "photos" / path.name
    return Label(clues=read_dat(twin) if twin.is_file() else None, everything=board)


def read_dat(path: Path) -> Board:
    """Read a ``.dat`` file into a (9, 9) int8 board."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return _board("".join("".join(text.splitlines()[2:]).split()), str(path))


def _from_table(table: Path) -> list[LabelledPicture]:
    """The pictures of a ``labels.csv``."""
    tags: dict[Path, list[str]] = {}
    labels: dict[Path, list[Label]] = {}
    with table.open(newline="", encoding="utf-8-sig", errors="replace") as file:  # Excel begins with a mark
        for row in csv.DictReader(file):
            if not row.get("file"):
                raise UsageError(f"{table}: a row names no file.", "Give a column 'file'.")
            path = _picture(table.parent, row["file"])
            known = tags.setdefault(path, [])
            known += [tag for tag in (row.get("tags") or "").split(";") if tag and tag not in known]
            found = labels.setdefault(path, [])
            if row.get("printed"):
                everything = _board(row["all"], f"{table}, {path.name}") if row.get("all") else None
                found.append(Label(_board(row["printed"], f"{table}, {path.name}"), everything))
    return [LabelledPicture(path, tuple(tags[path]), tuple(labels[path])) for path in tags]


def _picture(folder: Path, name: str) -> Path:
    """Where a picture of the table lies."""
    inside = folder / "images" / name
    return inside if inside.is_file() else folder / name


def _board(text: str, where: str) -> Board:
    """81 digits as a (9, 9) int8 board."""
    if len(text) != 81 or not text.isascii() or not text.isdigit():
        raise UsageError(f"{where}: a label must be 81 digits, got {text[:90]!r}.", "Correct the label.")
    return np.array([int(digit) for digit in text], np.int8).reshape(9, 9)
