"""Draw shapes into a photo: on a lattice, in perspective, with smooth edges."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import homographies_of_squares, homography_of_square, project
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.overlay.background_fill import FAR, SHIFT, cover_ink, covered_patch, paper_colour
from sudoku_vision.output.overlay.shapes import DrawnDigit, DrawnLine, Place, Shape, Stroke, Tag, Wash
from sudoku_vision.output.overlay.stroke_font import FIELD_STEP, MARGIN, WIDTH, distance_field
from sudoku_vision.output.overlay.tag import draw_tag
from sudoku_vision.results import Floats, Image, Lattice

DARK_STRENGTH = 0.4
"""How much of a wash's colour dark paper takes on: light on it shows far more than a shade does on white."""
_SMALLEST = 0.1  # height in cells between the middles of the outermost strokes, below which a digit is none


def draw_shapes(pixels: Image, lattice: Lattice, shapes: Iterable[Shape]) -> None:
    """Draw *shapes* on the grid at *lattice* into (H, W, 3) uint8 BGR, in place, one after another."""
    cell_size = lattice.cell_size
    shapes = tuple(shapes)
    digits = [shape for shape in shapes if isinstance(shape, DrawnDigit)]
    placed = iter(_place_digits(lattice, digits, pixels.shape[:2]))
    for shape in shapes:
        if isinstance(shape, DrawnDigit):
            if (digit := next(placed)) is not None:
                digit.draw(pixels)
        elif isinstance(shape, DrawnLine):
            points = points_in_photo(lattice, shape.points)
            draw_path(pixels, points, shape.colour, shape.width * cell_size, closed=shape.closed)
        elif isinstance(shape, Wash):
            for cell in shape.cells:
                _lay_wash(pixels, lattice.cell(*divmod(cell, 9)), shape)
        elif isinstance(shape, Tag):
            draw_tag(pixels, lattice, shape)
        else:
            cover_ink(pixels, lattice.cell(*divmod(shape.cell, 9)), shape.strength)


def points_in_photo(lattice: Lattice, places: Sequence[Place]) -> Floats:
    """Return where *places*, in lattice units, lie in the photo, (N, 2) float32.

    Each is seen in the perspective of its own cell; what lies on a crossing is where that is.
    """
    units = np.array(places, np.float64).reshape(-1, 2)
    if (units == np.rint(units)).all():
        columns, rows = units.astype(int).T
        return np.asarray(lattice.crossings[rows, columns], np.float32)
    cells = np.clip(np.floor(units), 0, 8).astype(int)
    points = np.empty(units.shape, np.float32)
    for column, row in set(map(tuple, cells.tolist())):
        here = (cells == (column, row)).all(axis=1)
        within = (units[here] - (column, row)).astype(np.float32)
        points[here] = project(within, homography_of_square(lattice.cell(row, column)))
    return points


def _lay_wash(pixels: Image, quad: Floats, wash: Wash) -> None:
    """Lay a transparent colour on the cell with corners *quad*: light paper darkens, dark paper lightens."""
    covered = covered_patch(pixels, quad)
    if covered is None:
        return
    patch, mask = covered
    share = (wash.strength / 255 * mask)[:, :, None]
    tint = np.array(wash.colour) / 255
    light = patch / 255.0
    laid = 1 - (1 - light) * (1 - DARK_STRENGTH * tint) if wash.dark else light * tint
    patch[:] = np.rint(255 * (light + share * (laid - light))).astype(np.uint8)


def draw_path(pixels: Image, points: Floats, colour: Colour, width: float, *, closed: bool = False) -> None:
    """Draw a smooth line through *points* (N, 2), in place; *width* in pixels."""
    if not np.isfinite(points).all() or np.abs(points).max(initial=0) > FAR:
        return
    path = np.rint(points * (1 << SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    # OpenCV draws 1.4 pixels for a thickness of 1, 3.4 for 2, 5.4 for 3 and 4, 7.4 for 5 and 6, and so on.
    steps = max(0, math.ceil((width - 1.4) / 2 - 0.35))
    thickness = steps + 1 if steps < 2 else 2 * steps - 1
    cv2.polylines(pixels, [path], closed, colour, thickness, cv2.LINE_AA, SHIFT)


def _blend(patch: Image, colour: Colour, cover: Floats) -> None:
    """Lay *colour* on a patch (H, W, 3), as much of it as *cover* (H, W) says."""
    height, width = cover.shape
    sheet = _sheet(colour, -(-height // _SHEET_STEP), -(-width // _SHEET_STEP))
    patch[:] = cv2.blendLinear(sheet[:height, :width], patch, cover, 1 - cover)


_SHEET_STEP = 64
"""Sheets of one colour come in sides of so many pixels, so that one serves all digits of a grid."""


@lru_cache(maxsize=8)
def _sheet(colour: Colour, rows: int, columns: int) -> Image:
    return np.full((rows * _SHEET_STEP, columns * _SHEET_STEP, 3), colour, np.uint8)


@dataclass(frozen=True, eq=False)
class _PlacedDigit:
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

    def draw(self, pixels: Image) -> None:
        """Write it into a photo (H, W, 3), in place, stroke over stroke."""
        left, top, right, bottom = self.box
        patch = pixels[top:bottom, left:right]
        distance: NDArray[Any] = cv2.warpPerspective(  # from the pen's path, in digit heights
            distance_field(self.digit),
            self.to_box,
            (right - left, bottom - top),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=1.0,
        )
        for width, colour, strength in self.strokes:
            radius = min(width / 2 / self.height, MARGIN - 1 / self.size)
            reach = 0.5 + radius * self.size
            cover: Floats = np.clip(reach - distance * self.size, 0, 1, dtype=np.float32)
            _blend(patch, colour or paper_colour(patch), np.float32(strength) * cover)


def _place_digits(
    lattice: Lattice, shapes: Sequence[DrawnDigit], photo: tuple[int, ...]
) -> list[_PlacedDigit | None]:
    """Return where *shapes* lie on the grid at *lattice*, each None where it touches no pixel.

    *photo*: height and width in pixels.
    """
    if not shapes:
        return []
    quads = _cells_of(lattice, [shape.cell for shape in shapes])
    height = np.maximum([shape.height - shape.weight for shape in shapes], _SMALLEST)
    (a, b), (c, d) = (quads[:, 2] - quads[:, 0]).T, (quads[:, 3] - quads[:, 1]).T
    pixel = 1 / np.maximum(np.sqrt(np.abs(a * d - b * c) / 2), 1e-6)  # by the areas of the cells
    strokes = [tuple(shape.strokes(side)) for shape, side in zip(shapes, pixel.tolist(), strict=True)]
    widest = np.array([max(stroke.width for stroke in pen) for pen in strokes])
    reach = np.minimum(MARGIN, (widest / 2 + pixel) / height)
    with np.errstate(all="ignore"):  # what lies nowhere is left out below
        to_photo = homographies_of_squares(quads) @ _fields_to_cells(height, [s.middle for s in shapes])
        boxes = _boxes(to_photo, (MARGIN - reach) / FIELD_STEP, photo)
    return [
        None if box is None else _PlacedDigit(shape.digit, pen, box, _shifted(matrix, box), *measures)
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
