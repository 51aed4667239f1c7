"""Drawn boards as the classifier gets them: cells of clean ink, kept in a folder for the next training.

Drawing takes as long as fitting. The cells of a board follow from the seed, what is drawn from, and the code
that draws and straightens; a file is named after all of these, so that it is never taken for another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats
from sudoku_vision.vision.rectify import CELL, rectify
from sudoku_vision.workshop.training.boards import Sources, draw_board
from sudoku_vision.workshop.training.classes import Classes
from sudoku_vision.workshop.training.progress import Steps

_CODE = (
    "output/drawing",
    "workshop/rendering",
    "geometry.py",
    "vision/rectify",
    "workshop/training/boards.py",
)
"""The modules and rooms that drawn cells follow from."""


@dataclass(frozen=True, eq=False)
class DrawnCells:
    """Cells (N, 81, S, S) float16 of clean ink of N drawn boards, and their classes (N, 81) int64."""

    cells: NDArray[np.float16]
    classes: Classes

    @property
    def boards(self) -> Iterator[tuple[Floats, Classes]]:
        """The cells (81, S, S) float32 and classes (81,) of one board after the other."""
        for cells, classes in zip(self.cells, self.classes, strict=True):
            yield cells.astype(np.float32), classes


def draw_cells(
    sources: Sources, count: int, chance: tuple[int, ...], steps: Steps, name: str, cache: Path | None = None
) -> DrawnCells:
    """Draw *count* boards, each by a *chance* of its own, or take them from the folder *cache*.

    What is drawn is kept there, where a folder is given.
    """
    place = None if cache is None else cache / f"{_fingerprint(sources, count, chance)}.npz"
    if place is not None and place.exists():
        with np.load(place, allow_pickle=False) as file:
            return DrawnCells(file["cells"], file["classes"])
    cells = np.empty((count, 81, CELL, CELL), np.float16)
    classes = np.empty((count, 81), np.int64)
    for number in steps(count, name):
        board = draw_board(sources, np.random.default_rng([*chance, number]))
        cells[number], classes[number] = rectify(board.photo, board.lattice), board.classes
    if place is not None:
        _keep(place, cells, classes)
    return DrawnCells(cells, classes)


def _keep(place: Path, cells: NDArray[np.float16], classes: Classes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_suffix(".unfinished.npz")
    np.savez(unfinished, cells=cells, classes=classes)
    unfinished.replace(place)


def _fingerprint(sources: Sources, count: int, chance: tuple[int, ...]) -> str:
    """Return a name that changes with everything that drawn cells follow from."""
    digest = hashlib.sha256(repr((count, chance)).encode())
    digest.update(repr((sources.print_faces, sources.hand_faces)).encode())
    digest.update(sources.strokes.tobytes())
    digest.update(np.asarray(sources.labels, np.int64).tobytes())
    room = Path(__file__).parents[2]
    for part in _CODE:
        files = [room / part] if part.endswith(".py") else sorted((room / part).rglob("*.py"))
        for file in files:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]
