"""The place of a tag: words beside a frame, on a patch of the frame's colour.

A tag lies above or below the grid if the picture has room there. Otherwise it is moved into the picture.
"""

from dataclasses import dataclass, replace

import numpy as np

from sudoku_vision.geometry import Points
from sudoku_vision.output.drawing.figure import BLACK, WHITE, Colour
from sudoku_vision.output.overlay.background_fill import FAR
from sudoku_vision.output.overlay.shapes import FRAME_WIDTH
from sudoku_vision.vision.results import Lattice

HEIGHT = 0.62  # height of a tag above or below the grid, in cells
NARROW = 0.3  # height of a tag that reaches into the grid, in cells: it hides no digit
MIN_HEIGHT = 14.0  # least height of a tag, in pixels
LETTERS, MARGIN, RIM = 0.72, 0.3, 0.06
"""Size of the letters (em), room at both ends of the words, and width of a rim, in heights of the tag."""
GAP = 0.08  # gap between a frame and its tag, in cells
_BRIGHT = 150.0  # brightness of a tag's colour, 0..255, above which its letters are black


@dataclass(frozen=True, eq=False)
class TagPlace:
    """The top left corner of a tag, unit vectors to its right and downwards, and its size in pixels."""

    corner: Points
    along: Points
    down: Points
    width: float
    height: float

    @property
    def corners(self) -> Points:
        """The corners (4, 2) of the tag, clockwise from the top left of the words."""
        right, down = self.width * self.along, self.height * self.down
        corners: Points = self.corner + np.array([0 * right, right, right + down, down])
        return corners


def place_tag(lattice: Lattice, words: str, size: tuple[int, int]) -> TagPlace | None:
    """Return the place of a tag in a picture of *size* (width, height); None if the lattice is not known."""
    from sudoku_vision.output.drawing.text_metrics import text_width

    cell, crossings = lattice.cell_size, lattice.crossings.astype(np.float64)
    top, bottom = crossings[0], crossings[9]
    length = float(np.linalg.norm(top[9] - top[0]))
    if not (np.isfinite(crossings).all() and np.abs(crossings).max() < FAR and cell > 0 and length > 0):
        return None
    shape = text_width(words, 1, bold=True) * LETTERS + 2 * MARGIN
    highest = min(max(length, MIN_HEIGHT) / shape, min(size) / shape)
    for height in (HEIGHT * cell, NARROW * cell):
        height = min(max(height, MIN_HEIGHT), highest)
        above = _beside(top, -1, (shape * height, height), cell)
        below = _beside(bottom, 1, (shape * height, height), cell)
        if not (_shift(above, size).any() and _shift(below, size).any()):
            break
    best = min((above, below), key=lambda place: float(np.abs(_shift(place, size)).max()))
    return replace(best, corner=best.corner + _shift(best, size))


def _beside(edge: Points, outwards: int, size: tuple[float, float], cell: float) -> TagPlace:
    """Return the place of a tag of *size* beside an *edge* (10, 2) of the grid, in cells of side *cell*.

    *outwards*: -1 for a tag above the edge, 1 for a tag below.
    """
    along = (edge[9] - edge[0]) / max(float(np.linalg.norm(edge[9] - edge[0])), 1e-9)
    down = np.array([-along[1], along[0]])
    bulge = outwards * ((edge - edge[0]) @ down * outwards).max()
    start = bulge + outwards * (FRAME_WIDTH / 2 + GAP) * cell - (size[1] if outwards < 0 else 0)
    return TagPlace(edge[0] + start * down, along, down, *size)


def _shift(place: TagPlace, size: tuple[int, int]) -> Points:
    """Return by how many pixels (x, y) a tag must be moved into a picture of *size*."""
    low, high = place.corners.min(axis=0), place.corners.max(axis=0)
    return np.asarray(np.maximum(-low, 0) - np.maximum(high - (np.array(size) - 1.0), 0))


def letter_colour(colour: Colour) -> Colour:
    """Return the colour of letters on a tag of *colour*: white, or black if the tag is bright."""
    blue, green, red = colour
    return BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > _BRIGHT else WHITE
