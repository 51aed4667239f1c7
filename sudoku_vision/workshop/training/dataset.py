"""Real cells for training, from photos with labels.

A labelled photo is a picture with a ``.dat`` file of the same name beside it: two lines about the camera,
then nine rows of nine digits, 0 for blank. Where a neighbouring folder ``photos`` holds the same name with
blanks, the digits that are only here were written by hand. The outline of each grid comes from
``outlines.csv`` in the folder above (name and four corners, clicked by hand).
"""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.geometry import flat_crossings, sort_clockwise
from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.vision.locate import locate
from sudoku_vision.workshop.evaluation.calendar import labelled_texts
from sudoku_vision.workshop.evaluation.labels import picture_beside, read_dat
from sudoku_vision.workshop.training.classes import WRITTEN, Classes
from sudoku_vision.workshop.training.snapping import snap

_SAME_GRID = 0.4  # in cells: no corner of a located grid may lie further from the outline
_COMPARED = 48  # pixels: side of the pictures by which a photo is compared with its twin


@dataclass(frozen=True, eq=False)
class LabelledBoard:
    """One real board: its photo, lattice, and the classes (81,) of its cells as the puzzle is read.

    The lattice may start at any of the four corners of the picture, the classes start at the puzzle's own top
    left. ``source`` is the same for photos of one printed puzzle, which must never be split between training
    and validation.
    """

    name: str
    photo: Photo
    lattice: Lattice
    classes: Classes
    source: str


def check_photos(folders: Sequence[Path]) -> None:
    """Raise UsageError for a folder that is neither a calendar nor holds labelled photos with outlines."""
    for folder in folders:
        if not is_calendar(folder) and not any(True for _ in _outlined(folder)):
            raise UsageError(
                f"{folder} holds no labelled photo whose outline is known.",
                "It takes NAME.jpg, NAME.dat, and in the folder above outlines.csv, or images and labels.",
            )


def is_calendar(folder: Path) -> bool:
    """Tell whether a folder holds ``images`` and ``labels``, as :mod:`.calendar` reads them."""
    return any(True for _ in labelled_texts(folder))


def _outlined(folder: Path) -> Iterator[tuple[Path, Path, Floats]]:
    """The label file, picture and outline (4, 2) of each labelled photo."""
    outlines = read_outlines(folder.parent / "outlines.csv")
    for label in sorted(folder.glob("*.dat")):
        picture = picture_beside(label)
        outline = None if picture is None else outlines.get(picture.name)
        if picture is not None and outline is not None:
            yield label, picture, outline


def labelled_boards(folders: Iterable[Path]) -> Iterator[LabelledBoard]:
    """Yield all labelled photos of the folders whose outline is known."""
    for folder in folders:
        for label, picture, outline in _outlined(folder):
            pixels = cv2.imread(str(picture), cv2.IMREAD_COLOR)
            if pixels is None:
                continue
            photo = Photo(np.asarray(pixels, np.uint8), str(picture))
            classes, clues = _classes(label)
            source = hashlib.sha256(clues.tobytes()).hexdigest()[:12]
            outline = _outline_here(outline, photo, label.parent.parent / "photos" / picture.name)
            lattice = find_lattice(photo, outline)
            yield LabelledBoard(f"{folder.name}/{label.stem}", photo, lattice, classes, source)


def _outline_here(outline: Floats, photo: Photo, twin: Path) -> Floats:
    """An outline clicked in the twin of a photo, in *photo*, which may be turned against it."""
    if not twin.exists() or twin == Path(photo.source):
        return outline
    other = cv2.imread(str(twin), cv2.IMREAD_COLOR)
    if other is None:
        return outline
    height, width = other.shape[:2]
    small = [
        cv2.resize(image, (_COMPARED, _COMPARED), interpolation=cv2.INTER_AREA)
        for image in (photo.pixels, other)
    ]
    here, there = (image.astype(np.float32) - image.mean(axis=(0, 1)) for image in small)
    turn = int(np.argmin([np.abs(np.rot90(there, k) - here).mean() for k in range(4)]))
    for _ in range(turn):  # counter-clockwise: what was right is above
        outline = np.stack([outline[:, 1], width - 1 - outline[:, 0]], axis=1)
        width, height = height, width
    scale = np.array([photo.pixels.shape[1] / width, photo.pixels.shape[0] / height], np.float32)
    return sort_clockwise(outline * scale)


def find_lattice(photo: Photo, outline: Floats) -> Lattice:
    """Return the lattice that the reader finds at an outline (4, 2), or else the outline snapped to lines."""
    rough = Lattice(flat_crossings(outline))
    for lattice in locate(photo):
        apart = np.linalg.norm(sort_clockwise(lattice.corners) - outline, axis=1).max()
        if apart < _SAME_GRID * rough.cell_size:
            return lattice
    return snap(photo, rough)


def _classes(label: Path) -> tuple[Classes, NDArray[np.int8]]:
    """Classes (81,) of a label file, and the clues of its puzzle (81,)."""
    board = read_dat(label).ravel()
    twin = label.parent.parent / "photos" / label.name
    clues = read_dat(twin).ravel() if twin.exists() else board
    classes = board.astype(np.int64)
    classes[(board > 0) & (clues == 0)] += WRITTEN - 1
    return classes, clues


def read_outlines(path: Path) -> dict[str, Floats]:
    """Return corners (4, 2), clockwise, by file name from a table ``filepath, p1_x, p1_y, ... p4_y``.

    There are none where there is no table. Raises :class:`UsageError` for a broken one, naming the line.
    """
    if not path.exists():
        return {}
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise UsageError(
            f"{path}: the table is no text in UTF-8 that can be read.", _OUTLINES_REMEDY
        ) from None
    table = csv.DictReader(text.splitlines())
    outlines: dict[str, Floats] = {}
    try:
        for row in table:
            name = Path(row["filepath"]).name
            outlines[name] = sort_clockwise(_corners_of(row))
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        what = (
            f"the column {error} is missing" if isinstance(error, KeyError) else "there are no four corners"
        )
        raise UsageError(f"{path}, line {table.line_num}: {what}.", _OUTLINES_REMEDY) from None
    return outlines


_FARTHEST = 1e9
"""Pixels beyond which no picture reaches, and no corner can be."""

_OUTLINES_REMEDY = "A line is as in: filepath,p1_x,p1_y,p2_x,p2_y,p3_x,p3_y,p4_x,p4_y"


def _corners_of(row: dict[str, str]) -> Floats:
    """Return the corners (4, 2) of a row; raises KeyError, TypeError or ValueError where it has none."""
    corners = np.array([[float(row[f"p{i}_{axis}"]) for axis in "xy"] for i in range(1, 5)])
    if not (np.abs(corners) <= _FARTHEST).all():  # nor is NaN
        raise ValueError("corners must lie in a picture")
    return corners.astype(np.float32)


def folds_by_source(board_sources: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """Return the fold of each board by its source: photos of a puzzle stay together, folds are alike."""
    rng = np.random.default_rng(seed)
    counts = Counter(board_sources)
    sources = sorted(counts)
    order = sorted(rng.permutation(sources).tolist(), key=lambda source: -counts[source])
    load = np.zeros(folds, np.int64)
    fold: dict[str, int] = {}
    for source in order:
        fold[source] = int(load.argmin())
        load[fold[source]] += counts[source]
    return np.array([fold[source] for source in board_sources], np.int64)
