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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.evaluation.labels import picture_beside, read_dat
from sudoku_vision.geometry import CROSSINGS, fit_homography, flat_crossings, project, sort_clockwise
from sudoku_vision.locate import locate
from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.training.classes import WRITTEN

_SNAP = 24  # pixels to a cell where lines are searched


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
    classes: NDArray[np.int64]
    source: str


def check_photos(folders: Sequence[Path]) -> None:
    """Raise UsageError for a folder without any labelled photo whose outline is known."""
    for folder in folders:
        if not any(True for _ in _outlined(folder)):
            raise UsageError(
                f"{folder} holds no labelled photo whose outline is known.",
                "It takes NAME.jpg, NAME.dat, and in the folder above outlines.csv (see the README).",
            )


def _outlined(folder: Path) -> Iterator[tuple[Path, Path, Floats]]:
    """The label file, picture and outline (4, 2) of each labelled photo."""
    outlines = read_outlines(folder.parent / "outlines.csv")
    for label in sorted(folder.glob("*.dat")):
        picture = picture_beside(label)
        outline = None if picture is None else outlines.get(picture.name)
        if picture is not None and outline is not None:
            yield label, picture, outline


def labelled_boards(folders: Sequence[Path]) -> Iterator[LabelledBoard]:
    """All labelled photos of the folders whose outline is known."""
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
    small = [cv2.resize(image, (48, 48), interpolation=cv2.INTER_AREA) for image in (photo.pixels, other)]
    here, there = (image.astype(np.float32) - image.mean(axis=(0, 1)) for image in small)
    turn = int(np.argmin([np.abs(np.rot90(there, k) - here).mean() for k in range(4)]))
    for _ in range(turn):  # counter-clockwise: what was right is above
        outline = np.stack([outline[:, 1], width - 1 - outline[:, 0]], axis=1)
        width, height = height, width
    scale = np.array([photo.pixels.shape[1] / width, photo.pixels.shape[0] / height], np.float32)
    return sort_clockwise(outline * scale)


def find_lattice(photo: Photo, outline: Floats) -> Lattice:
    """The lattice that the reader finds at an outline (4, 2), or else the outline snapped to the lines."""
    rough = Lattice(flat_crossings(outline))
    for lattice in locate(photo):
        apart = np.linalg.norm(sort_clockwise(lattice.corners) - outline, axis=1).max()
        if apart < 0.4 * rough.cell_size:
            return lattice
    return snap(photo, rough)


def _classes(label: Path) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Classes (81,) of a label file, and the clues of its puzzle (81,)."""
    board = read_dat(label).ravel()
    twin = label.parent.parent / "photos" / label.name
    clues = read_dat(twin).ravel() if twin.exists() else board
    classes = board.astype(np.int64)
    classes[(board > 0) & (clues == 0)] += WRITTEN - 1
    return classes, clues


def read_outlines(path: Path) -> dict[str, Floats]:
    """Corners (4, 2), clockwise, by file name from a table ``filepath, p1_x, p1_y, ... p4_y``."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        return {
            Path(row["filepath"]).name: sort_clockwise(
                np.array([[float(row[f"p{i}_{axis}"]) for axis in "xy"] for i in range(1, 5)], np.float32)
            )
            for row in csv.DictReader(file)
        }


def snap(photo: Photo, lattice: Lattice) -> Lattice:
    """Move a roughly placed lattice onto the lines of the photo, by up to a fifth of a cell.

    Each of the 180 line segments looks for the darkest place across; a smooth surface is fitted to what they
    find, by weighted least squares that trust outliers less and less, twice.
    """
    for reach, degree in ((0.24, 2), (0.12, 3)):
        lattice = _snap_once(photo, lattice, reach, degree)
    return lattice


def _snap_once(photo: Photo, lattice: Lattice, reach: float, degree: int) -> Lattice:
    margin = 0.5
    board = (CROSSINGS + margin) * _SNAP - 0.5
    homography = fit_homography(board, lattice.crossings.reshape(-1, 2))
    if homography is None:
        return lattice
    inverse = np.linalg.inv(homography).astype(np.float64)
    side = round((9 + 2 * margin) * _SNAP)
    grey = np.asarray(cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    flat = cv2.warpPerspective(grey, inverse, (side, side), borderMode=cv2.BORDER_REPLICATE)
    flat = flat.astype(np.float32)
    dark = np.maximum(cv2.GaussianBlur(flat, (0, 0), _SNAP / 4) - flat, 0)
    dark /= cv2.GaussianBlur(flat, (0, 0), _SNAP / 2) + 1
    offsets = round(reach * _SNAP)
    # The lattice as it stands on the flat board: it may bend there already.
    at = project(lattice.crossings, inverse)
    dark = np.asarray(dark, np.float32)
    down = _segments(dark, at, offsets)
    right = _segments(np.ascontiguousarray(dark.T), at.transpose(1, 0, 2)[..., ::-1], offsets)
    shift_y = _smooth(down, degree)
    shift_x = _smooth(right, degree).T
    moved = at + np.stack([shift_x, shift_y], axis=2)
    return Lattice(project(moved.astype(np.float32), homography), lattice.score)


def _segments(dark: Floats, at: Floats, offsets: int) -> Floats:
    """Offset and weight (10, 9, 2) of the darkest place across each horizontal segment."""
    found = np.zeros((10, 9, 2), np.float32)
    steps = np.arange(-offsets, offsets + 1)
    share = np.linspace(0.1, 0.9, 15)
    for row in range(10):
        for column in range(9):
            points = at[row, column] * (1 - share[:, None]) + at[row, column + 1] * share[:, None]
            x = np.clip(points[:, 0].round().astype(int), 0, dark.shape[1] - 1)
            y = np.clip(points[:, 1].round().astype(int)[None] + steps[:, None], 0, dark.shape[0] - 1)
            profile = np.sort(dark[y, x[None]], axis=1)[:, :11].mean(
                axis=1
            )  # a digit on the line counts less
            profile = np.convolve(profile, [0.25, 0.5, 0.25], mode="same")
            best = int(profile.argmax())
            found[row, column] = steps[best], profile[best] - np.median(profile)
    return found


def _smooth(found: Floats, degree: int) -> Floats:
    """Fit a polynomial surface to offsets at the segments (10, 9, 2), robustly; its values (10, 10)."""
    rows, columns = np.mgrid[0:10, 0:9].astype(np.float64)
    design = _powers(rows.ravel() / 4.5 - 1, (columns.ravel() + 0.5) / 4.5 - 1, degree)
    offset, weight = found[..., 0].ravel().astype(np.float64), found[..., 1].ravel().astype(np.float64)
    trust = np.ones_like(weight)
    for _ in range(6):
        scale = np.sqrt(np.maximum(weight * trust, 1e-9))[:, None]
        ridge = 1e-3 * scale.mean() * np.eye(design.shape[1])
        left = np.vstack([design * scale, ridge])
        right = np.concatenate([offset * scale[:, 0], np.zeros(design.shape[1])])
        coefficients = np.linalg.lstsq(left, right, rcond=None)[0]
        rest = np.abs(design @ coefficients - offset)
        trust = 1 / (1 + (rest / 1.2) ** 2)
    rows, columns = np.mgrid[0:10, 0:10].astype(np.float64)
    surface = _powers(rows.ravel() / 4.5 - 1, columns.ravel() / 4.5 - 1, degree) @ coefficients
    return np.asarray(surface, np.float32).reshape(10, 10)


def _powers(x: NDArray[np.float64], y: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    return np.stack([x**i * y**j for i in range(degree + 1) for j in range(degree + 1 - i)], axis=1)


def folds_by_source(board_sources: Sequence[str], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each board by its source: photos of one puzzle stay together, in folds of like size."""
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
