"""Tag: the word that a frame carries, on a patch of its colour, upright as the puzzle is.

It lies above the grid, or below it, where the picture has room; else where it hides least of the grid.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import BLACK, WHITE, Colour
from sudoku_vision.output.overlay.background_fill import FAR
from sudoku_vision.output.overlay.shapes import FRAME_WIDTH, Tag
from sudoku_vision.results import Image, Lattice

HEIGHT, NARROW, SMALLEST = 0.62, 0.3, 14.0
"""Height of a tag: in cells, where it lies beside the grid, and where it lies on it, so as to hide no digit;
at least in pixels, so that its letters can be read in small pictures."""

LETTERS, MARGIN, RIM = 0.72, 0.3, 0.06
"""Size of the letters (the em), the room left and right of them, and the width of a rim that sets the tag off
from any picture: in heights of the tag."""

GAP = 0.08  # between the frame and its tag, in cells
_BRIGHT = 150.0  # brightness, 0..255, from which a colour bears dark letters

_Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TagPlace:
    """Where a tag lies: its top left corner, the unit vectors along it and down, and its size, in pixels."""

    corner: _Points
    along: _Points
    down: _Points
    width: float
    height: float

    @property
    def corners(self) -> _Points:
        """Its corners (4, 2), clockwise from the top left of the words."""
        right, down = self.width * self.along, self.height * self.down
        corners: _Points = self.corner + np.array([0 * right, right, right + down, down])
        return corners


def place_tag(lattice: Lattice, letters: float, size: tuple[int, int]) -> TagPlace | None:
    """Return where a tag lies whose words are *letters* em wide, in a picture of *size* (width, height).

    None where the grid lies nowhere.
    """
    cell, crossings = lattice.cell_size, lattice.crossings.astype(np.float64)
    top, bottom = crossings[0], crossings[9]
    length = float(np.linalg.norm(top[9] - top[0]))
    if not (np.isfinite(crossings).all() and np.abs(crossings).max() < FAR and cell > 0 and length > 0):
        return None
    shape = letters * LETTERS + 2 * MARGIN
    most = min(max(length, SMALLEST) / shape, min(size) / shape)
    for height in (HEIGHT * cell, NARROW * cell):
        height = min(max(height, SMALLEST), most)
        above = _beside(top, -1, (shape * height, height), cell)
        below = _beside(bottom, 1, (shape * height, height), cell)
        if not (_shift(above, size).any() and _shift(below, size).any()):
            break
    best = min((above, below), key=lambda place: float(np.abs(_shift(place, size)).max()))
    return replace(best, corner=best.corner + _shift(best, size))


def _beside(edge: _Points, outwards: int, size: tuple[float, float], cell: float) -> TagPlace:
    """Return a tag of *size* off an *edge* of the grid, 10 crossings: above it for -1, below it for 1."""
    along = (edge[9] - edge[0]) / max(float(np.linalg.norm(edge[9] - edge[0])), 1e-9)
    down = np.array([-along[1], along[0]])
    bulge = outwards * ((edge - edge[0]) @ down * outwards).max()
    start = bulge + outwards * (FRAME_WIDTH / 2 + GAP) * cell - (size[1] if outwards < 0 else 0)
    return TagPlace(edge[0] + start * down, along, down, *size)


def _shift(place: TagPlace, size: tuple[int, int]) -> _Points:
    """Return how far a tag must be moved, (x, y), to lie within a picture of *size*."""
    low, high = place.corners.min(axis=0), place.corners.max(axis=0)
    return np.asarray(np.maximum(-low, 0) - np.maximum(high - (np.array(size) - 1.0), 0))


def draw_tag(pixels: Image, lattice: Lattice, tag: Tag) -> None:
    """Write a *tag* at the frame of a grid, in place."""
    from sudoku_vision.output.drawing.canvas import Canvas
    from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width
    from sudoku_vision.output.drawing.typefaces import plain_typeface

    place = place_tag(lattice, text_width(tag.words, 1, bold=True), (pixels.shape[1], pixels.shape[0]))
    if place is None:
        return
    paint, rim, em = letter_colour(tag.colour), RIM * place.height, LETTERS * place.height
    sheet = Canvas.blank(round(place.width + 2 * rim), round(place.height + 2 * rim), paint)
    sheet.rectangle(rim, rim, sheet.width - rim, sheet.height - rim, tag.colour)
    top = (sheet.height - CAP_HEIGHT * em) / 2
    sheet.text(tag.words, sheet.width / 2, top, em, plain_typeface(bold=True), paint, centred=True)
    _lay(pixels, sheet.pixels, replace(place, corner=place.corner - rim * (place.along + place.down)))


def _lay(pixels: Image, sheet: Image, place: TagPlace) -> None:
    """Lay a *sheet* (h, w, 3) on a picture, its corner and its sides where a *place* has them, in place."""
    height, width = sheet.shape[:2]
    corners = replace(place, width=width, height=height).corners
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, pixels.shape[1::-1])
    if (low >= high).any():
        return
    matrix = np.column_stack([place.along, place.down, place.corner - low])
    layers = np.dstack([sheet, np.full((height, width), 255, np.uint8)])
    laid = cv2.warpAffine(layers, matrix, (int(high[0] - low[0]), int(high[1] - low[1])))
    patch = pixels[low[1] : high[1], low[0] : high[0]]
    patch[:] = np.rint(laid[:, :, :3] + patch * (1 - laid[:, :, 3:] / 255)).clip(0, 255).astype(np.uint8)


def letter_colour(colour: Colour) -> Colour:
    """Return the colour of letters on a tag of *colour*: white, or black on a bright one."""
    blue, green, red = colour
    return BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > _BRIGHT else WHITE
