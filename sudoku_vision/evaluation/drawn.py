"""Drawn pictures with their labels: as many as wanted, of every kind of the renderer, the truth known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sudoku_vision.drawing.typefaces import Typeface
from sudoku_vision.evaluation.labels import Label, LabelledPicture
from sudoku_vision.rendering import KINDS, Drawing, draw, random_conditions
from sudoku_vision.results import Photo


def drawn_pictures(
    count: int, *, seed: int = 0, typefaces: Sequence[Typeface] = ()
) -> Iterator[LabelledPicture]:
    """Draw *count* pictures, each kind of the renderer in turn, with their labels.

    The same *seed* gives the same pictures, and a greater *count* only adds to them.
    """
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        rng = np.random.default_rng([seed, number])
        drawing = draw(rng, random_conditions(rng, kind), typefaces=typefaces)
        yield labelled_drawing(drawing, f"drawn/{kind}-{number:04d}", kind)


def labelled_drawing(drawing: Drawing, name: str, kind: str) -> LabelledPicture:
    """Return a drawing with its labels, also of grids cut off by its edge: they too may be read rightly."""
    labels = tuple(
        Label(
            grid.puzzle,
            np.where(grid.puzzle > 0, grid.puzzle, grid.written).astype(np.int8),
            {cell: digits for cell, digits in enumerate(grid.marks) if digits},
        )
        for grid in (*drawing.grids, *drawing.cut)
    )
    return LabelledPicture(Path(name), ("drawn", kind), labels, photo=Photo(drawing.pixels, name))
