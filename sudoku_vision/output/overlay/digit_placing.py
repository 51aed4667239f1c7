"""Placing: where the digits of a grid lie in the photo, all of them at once, and what their pens cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import homographies_of_squares
from sudoku_vision.output.overlay.shapes import DrawnDigit, Stroke
from sudoku_vision.output.overlay.stroke_font import FIELD_STEP, MARGIN, WIDTH, distance_field
from sudoku_vision.results import Floats, Image, Lattice

_SMALLEST = 0.1
"""Height in cells between the middles of the outermost strokes, below which a digit is none."""


@dataclass(frozen=True, eq=False)
class PlacedDigit:
    """A digit in the photo: the pixels that it may touch, and how it is seen there.

    ``box``: left, top, right, bottom of the pixels. ``to_box`` (3, 3) maps its distance field into them.
    ``height`` in cells, and ``size`` in pixels, are those of the pen's path.
    """

    digit: int
    strokes: tuple[Stroke, ...]
    box: tuple[int, int, int, int]
    to_box: NDArray[np.float64]
    height: float
    size: float

    def patch_of(self, pixels: Image) -> Image:
        """Return its pixels of a photo (H, W, 3), as a view."""
        left, top, right, bottom = self.box
        return pixels[top:bottom, left:right]

    @property
    def distance(self) -> Floats:
        """How far each of its pixels lies from the pen's path, (h, w), in digit heights."""
        left, top, right, bottom = self.box
        distance: NDArray[Any] = cv2.warpPerspective(
            distance_field(self.digit),
            self.to_box,
            (right - left, bottom - top),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=1.0,
        )
        return distance

    def cover(self, distance: Floats, width: float) -> Floats:
        """Return how much of each pixel (h, w) at a *distance* a pen covers, 0..1, its *width* in cells."""
        radius = min(width / 2 / self.height, MARGIN - 1 / self.size)
        cover: Floats = np.clip((0.5 + radius * self.size) - distance * self.size, 0, 1, dtype=np.float32)
        return cover


def place_digits(
    lattice: Lattice, shapes: Sequence[DrawnDigit], photo: tuple[int, ...]
) -> list[PlacedDigit | None]:
    """Return where *shapes* lie on the grid at *lattice*, each None where it touches no pixel.

    *photo*: height and width in pixels.
    """
    if not shapes:
        return []
    quads = _cells_of(lattice, [shape.cell for shape in shapes])
    height = np.maximum([shape.height - shape.weight for shape in shapes], _SMALLEST)
    pixel = 1 / np.maximum(_mean_sides(quads), 1e-6)
    strokes = [tuple(shape.strokes(side)) for shape, side in zip(shapes, pixel.tolist(), strict=True)]
    widest = np.array([max(stroke.width for stroke in pen) for pen in strokes])
    reach = np.minimum(MARGIN, (widest / 2 + pixel) / height)
    with np.errstate(all="ignore"):  # what lies nowhere is left out below
        to_photo = homographies_of_squares(quads) @ _fields_to_cells(height, [s.middle for s in shapes])
        boxes = _boxes(to_photo, (MARGIN - reach) / FIELD_STEP, photo)
    return [
        None if box is None else PlacedDigit(shape.digit, pen, box, _shifted(matrix, box), *measures)
        for shape, pen, box, matrix, *measures in zip(
            shapes, strokes, boxes, to_photo, height.tolist(), (height / pixel).tolist(), strict=True
        )
    ]


def _cells_of(lattice: Lattice, cells: Sequence[int]) -> NDArray[np.float64]:
    """Return the corners (N, 4, 2) of some cells of a lattice, clockwise from the top left."""
    rows, columns = np.divmod(np.array(cells), 9)
    crossings = lattice.crossings.astype(np.float64)
    corners = [crossings[rows + down, columns + right] for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))]
    return np.stack(corners, axis=1)


def _mean_sides(quads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sides (N,) of the squares that have the areas of quadrilaterals (N, 4, 2)."""
    (a, b), (c, d) = (quads[:, 2] - quads[:, 0]).T, (quads[:, 3] - quads[:, 1]).T
    return np.asarray(np.sqrt(np.abs(a * d - b * c) / 2))


def _fields_to_cells(
    scales: NDArray[np.float64], middles: Sequence[tuple[float, float]]
) -> NDArray[np.float64]:
    """Return the matrices (N, 3, 3) from samples of a distance field to the unit square of a cell."""
    matrices = np.zeros((len(scales), 3, 3))
    matrices[:, 0, 0] = matrices[:, 1, 1] = scales * FIELD_STEP
    half = np.array([WIDTH / 2 + MARGIN, 0.5 + MARGIN])
    matrices[:, :2, 2] = np.array(middles) - scales[:, None] * half
    matrices[:, 2, 2] = 1
    return matrices


def _boxes(
    matrices: NDArray[np.float64], insets: NDArray[np.float64], photo: tuple[int, ...]
) -> list[tuple[int, int, int, int] | None]:
    """Return left, top, right, bottom of the pixels that mapped fields can touch, None for no pixels.

    *insets* is what may be left out at each side of the fields, in samples.
    """
    rows, columns = distance_field(1).shape
    low, right, bottom = insets, columns - 1 - insets, rows - 1 - insets
    x, y = np.stack([low, right, right, low], axis=1), np.stack([low, low, bottom, bottom], axis=1)
    corners = np.stack([x, y, np.ones_like(x)], axis=2) @ matrices.transpose(0, 2, 1)
    depth = corners[..., 2]
    there = np.asarray(np.isfinite(matrices).all(axis=(1, 2)) & (depth * depth[:, :1] > 0).all(axis=1))
    places = np.where(there[:, None, None], corners[..., :2] / depth[..., None], -1.0)
    limit = np.array([photo[1], photo[0]])
    starts = np.maximum(np.floor(np.clip(places.min(axis=1), 0, limit)), 0).astype(int)
    ends = np.minimum(np.ceil(np.clip(places.max(axis=1), -1, limit)) + 1, limit).astype(int)
    return [
        (left, top, right, bottom) if good and left < right and top < bottom else None
        for good, (left, top), (right, bottom) in zip(there, starts.tolist(), ends.tolist(), strict=True)
    ]


def _shifted(matrix: NDArray[np.float64], box: tuple[int, int, int, int]) -> NDArray[np.float64]:
    """Return a *matrix* into the photo as one into a *box* of it."""
    moved = matrix.copy()
    moved[:2] -= np.outer(box[:2], matrix[2])
    return moved
