"""Ink on the photo: shapes drawn on a lattice, in perspective, with smooth edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.geometry import homography_of_square, is_in_front, mean_side, project
from sudoku_vision.overlay.shapes import DrawnDigit, DrawnLine, Place, Shape, Wash
from sudoku_vision.overlay.stroke_font import FIELD_STEP, MARGIN, WIDTH, distance_field
from sudoku_vision.results import Floats, Image, Lattice

HOLLOW_FROM = 22.0
"""Cells smaller than this, in pixels, have no room for hollow digits."""

_THINNEST_PEN = 0.55
"""Radius of a pen in pixels below which a stroke would break into dots."""

_SMALLEST = 0.1
"""Height in cells between the middles of the outermost strokes, below which a digit is none."""

_HOLLOW_EDGE, _THINNEST_EDGE = 0.3, 0.5
"""Half the width of a hollow stroke's edges: as a share of the pen's radius, and at least, in pixels."""

_HOLLOW_WIDER = 1.15
"""How much farther out the edges of a hollow stroke run than those of a full one: it leaves room between."""

_REACH = 1.5
"""Farthest from the pen's path that any ink lies: so many radii and so many pixels, for smooth edges."""

HALO = 0.075
"""Width in cells of the rim of paper round a digit that is drawn over ink: that of a pencil line and more."""

_HALO_STRENGTH = 0.92
"""How much of the ink below a halo is hidden: nearly all, and a trace tells that something stands there."""

_FADE, _FADE_INSET = 0.65, 0.12
"""How much of the ink below an answer is hidden elsewhere in its cell, and the share of the cell left out."""

DARK_STRENGTH = 0.4
"""How much of a wash's colour dark paper takes on: light on it shows far more than a shade does on white."""

_SHIFT = 4
"""Binary places of the coordinates that OpenCV draws with: a sixteenth of a pixel."""


def draw_shapes(pixels: Image, lattice: Lattice, shapes: Iterable[Shape]) -> None:
    """Draw *shapes* on the grid at *lattice* into (H, W, 3) uint8 BGR, in place, one after another."""
    cell_size = lattice.cell_size
    for shape in shapes:
        if isinstance(shape, DrawnDigit):
            _draw_digit(pixels, lattice, shape, roomy=cell_size >= HOLLOW_FROM)
        elif isinstance(shape, DrawnLine):
            points = points_in_photo(lattice, shape.points)
            draw_path(pixels, points, shape.colour, shape.width * cell_size, closed=shape.closed)
        elif isinstance(shape, Wash):
            for cell in shape.cells:
                _lay_wash(pixels, lattice.cell(*divmod(cell, 9)), shape)
        else:
            _fade_ink(pixels, lattice, shape.cell)


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


def _draw_digit(pixels: Image, lattice: Lattice, shape: DrawnDigit, *, roomy: bool) -> None:
    """Write one digit into its cell, in place; a hollow one only where cells are *roomy*."""
    rim = HALO if shape.halo else 0.0
    placed = _place_digit(pixels, lattice.cell(*divmod(shape.cell, 9)), shape, rim)
    if placed is None:
        return
    if shape.halo:
        _blend(placed.patch, _paper(placed.patch), _HALO_STRENGTH * placed.cover(wider=rim))
    _blend(placed.patch, shape.colour, placed.cover(hollow=shape.hollow and roomy))


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


def _fade_ink(pixels: Image, lattice: Lattice, cell: int) -> None:
    """Let what stands in a *cell* (0..80) of *lattice* pale, in place; its lines are left out."""
    quad = lattice.cell(*divmod(cell, 9))
    inner = quad + _FADE_INSET * (quad.mean(axis=0) - quad)
    if not np.isfinite(inner).all() or np.abs(inner).max() > _FAR:
        return
    covered = covered_patch(pixels, inner)
    if covered is not None:
        patch, mask = covered
        _blend(patch, _paper(patch), np.asarray(_FADE / 255 * mask, np.float32))


def covered_patch(pixels: Image, quad: Floats) -> tuple[Image, Image] | None:
    """Return the part (h, w, 3) of a picture round the corners *quad* (4, 2), and a mask (h, w) of them.

    The part is a view; the mask is 255 inside, and smooth at the edges. None where all lies off the picture.
    """
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(quad.max(axis=0)) + 1, pixels.shape[1::-1]).astype(int)
    if left >= right or top >= bottom:
        return None
    patch = pixels[top:bottom, left:right]
    mask = np.zeros(patch.shape[:2], np.uint8)
    corners = np.rint((quad - [left, top]) * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, _SHIFT)
    return patch, mask


def draw_path(pixels: Image, points: Floats, colour: Colour, width: float, *, closed: bool = False) -> None:
    """Draw a smooth line through *points* (N, 2), in place; *width* in pixels."""
    if not np.isfinite(points).all() or np.abs(points).max(initial=0) > _FAR:
        return
    path = np.rint(points * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(pixels, [path], closed, colour, max(1, round(width)), cv2.LINE_AA, _SHIFT)


_FAR = 1e6
"""Points beyond this, in pixels, are no points of a photo."""


@dataclass(frozen=True, eq=False)
class _PlacedDigit:
    """A digit in the photo: the pixels that it may touch, and how far each lies from the pen's path.

    ``patch`` (H, W, 3) is a view of the photo. ``distance`` (H, W) and the ``radius`` of the pen are in digit
    heights, of ``height`` cells or ``size`` pixels each.
    """

    patch: Image
    distance: Floats
    radius: float
    height: float
    size: float

    def cover(self, wider: float = 0.0, *, hollow: bool = False) -> Floats:
        """Return how much of each pixel (H, W) the pen covers, 0..1; *wider*: by so many cells on each side.

        A hollow stroke is somewhat wider, so that there is room between its two edges.
        """
        distance, radius = self.distance, self.radius
        if wider:
            radius = max(radius, min(radius + wider / self.height, MARGIN - 1 / self.size))
        if hollow:
            edge = max(_HOLLOW_EDGE * radius, _THINNEST_EDGE / self.size)
            distance = np.abs(distance - _HOLLOW_WIDER * radius)
            radius = edge
        cover: Floats = np.clip((0.5 + radius * self.size) - distance * self.size, 0, 1, dtype=np.float32)
        return cover


def _place_digit(pixels: Image, quad: Floats, shape: DrawnDigit, rim: float) -> _PlacedDigit | None:
    """Return where a digit lies in the cell with corners *quad* (4, 2); None where it touches no pixel.

    *rim*: what is wanted round it, in cells.
    """
    height = max(shape.height - shape.weight, _SMALLEST)
    to_photo = homography_of_square(quad) @ _field_to_cell(height, shape.middle)
    size = height * mean_side(quad)
    pixel = 1 / max(size, 1e-6)
    radius = max(shape.weight / 2 / height, _THINNEST_PEN * pixel)
    reach = min(MARGIN, _REACH * (radius + pixel) + rim / height)
    field = distance_field(shape.digit)
    region = _region(to_photo, field.shape, (MARGIN - reach) / FIELD_STEP, pixels.shape)
    if region is None:
        return None
    left, top, right, bottom = region
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    distance: NDArray[Any] = cv2.warpPerspective(
        field,
        shift @ to_photo,
        (right - left, bottom - top),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1.0,
    )
    return _PlacedDigit(pixels[top:bottom, left:right], distance, radius, height, size)


def _blend(patch: Image, colour: Colour, cover: Floats) -> None:
    """Lay *colour* on a patch (H, W, 3), as much of it as *cover* (H, W) says."""
    patch[:] = cv2.blendLinear(np.full_like(patch, colour), patch, cover, 1 - cover)


def _paper(patch: Image) -> Colour:
    """Return the colour of the paper in a part of a cell (H, W, 3), of which marks cover less than half."""
    blue, green, red = np.median(patch.reshape(-1, 3), axis=0).tolist()
    return blue, green, red


def _field_to_cell(scale: float, middle: tuple[float, float]) -> NDArray[np.float64]:
    """Return the matrix (3, 3) from samples of a distance field to the unit square of a cell."""
    x = middle[0] - scale * (WIDTH / 2 + MARGIN)
    y = middle[1] - scale * (0.5 + MARGIN)
    return np.array([[scale * FIELD_STEP, 0, x], [0, scale * FIELD_STEP, y], [0, 0, 1]], np.float64)


def _region(
    matrix: NDArray[np.float64], field: tuple[int, ...], inset: float, photo: tuple[int, ...]
) -> tuple[int, int, int, int] | None:
    """Return left, top, right, bottom of the pixels that a mapped field can touch, None for no pixels.

    *inset* is what may be left out at each side of the field, in samples.
    """
    x0, x1, y0, y1 = inset, field[1] - 1 - inset, inset, field[0] - 1 - inset
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
    if not np.isfinite(matrix).all() or not is_in_front(corners, matrix):
        return None
    x, y = project(corners, matrix).T
    left, top = max(0, int(np.floor(x.min()))), max(0, int(np.floor(y.min())))
    right, bottom = min(photo[1], int(np.ceil(x.max())) + 1), min(photo[0], int(np.ceil(y.max())) + 1)
    return (left, top, right, bottom) if left < right and top < bottom else None
