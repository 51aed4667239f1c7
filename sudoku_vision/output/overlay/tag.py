"""Tag: the word that a frame carries, on a patch of its colour, upright as the puzzle is.

It lies above the grid, or below it, where the picture has room; else where it hides least of the grid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import BLACK, WHITE, Colour
from sudoku_vision.output.overlay.shapes import FRAME_WIDTH, Tag
from sudoku_vision.results import Floats, Image, Lattice

HEIGHT, NARROW, SMALLEST = 0.62, 0.3, 14.0
"""Height of a tag: in cells, where it lies beside the grid, and where it lies on it, so as to hide no digit;
at least in pixels, so that its letters can be read in small pictures."""

LETTERS, MARGIN, RIM = 0.72, 0.3, 0.06
"""Size of the letters (the em), the room left and right of them, and the width of a rim that sets the tag off
from any picture: in heights of the tag."""

GAP = 0.08
"""Between the frame and its tag, in cells."""

_MEASURED_EM = 100
"""Pixels to the em at which it is measured how wide words are."""

_SHIFT = 4
"""Binary places of the coordinates that OpenCV draws with: a sixteenth of a pixel."""

_BRIGHT = 150.0
"""Brightness, 0..255, from which a colour bears dark letters."""

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
    if not (np.isfinite(crossings).all() and np.abs(crossings).max() < _FAR and cell > 0 and length > 0):
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


_FAR = 1e6
"""Points beyond this, in pixels, are no points of a photo."""


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
    from sudoku_vision.output.drawing.canvas import text_mask
    from sudoku_vision.output.drawing.typefaces import plain_typeface

    face = plain_typeface(bold=True)
    place, size = None, _MEASURED_EM
    for _ in range(2):  # small letters are somewhat wider than large ones, as they keep to whole pixels
        letters = face.font(size).getlength(tag.words) / size
        place = place_tag(lattice, letters, (pixels.shape[1], pixels.shape[0]))
        if place is None:
            return
        em = LETTERS * place.height
        size = max(1, round(em))
    assert place is not None
    paint = letter_colour(tag.colour)
    for rim, colour in ((RIM * place.height, paint), (0.0, tag.colour)):
        _fill(pixels, _grown(place, rim), colour)
    mask, rise = text_mask(tag.words, size, face)
    capital = -face.font(size).getbbox("H", anchor="ls")[1] * em / size
    left, top = MARGIN * place.height, (place.height - capital) / 2 + rise * em / size
    _print_letters(pixels, np.asarray(mask, np.uint8), place, (left, top, em / size), paint)


def _grown(place: TagPlace, rim: float) -> Floats:
    """Return the corners (4, 2) of a tag that is larger by *rim* on each side."""
    away = np.array([-place.along - place.down, place.along - place.down])
    return np.asarray(place.corners + rim * np.concatenate([away, -away]), np.float32)


def _fill(pixels: Image, corners: Floats, colour: Colour) -> None:
    """Fill a convex outline, in place."""
    points = np.rint(corners * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(pixels, points, colour, cv2.LINE_AA, _SHIFT)


def _print_letters(
    pixels: Image, mask: Image, place: TagPlace, at: tuple[float, float, float], colour: Colour
) -> None:
    """Print a *mask* (h, w) of letters on a tag, in place.

    *at*: how far from its left and upper edge they begin, and pixels of the photo to one of the mask.
    """
    left, top, scale = at
    low = np.maximum(np.floor(place.corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(place.corners.max(axis=0)).astype(int) + 1, pixels.shape[1::-1])
    if (low >= high).any():
        return
    start = place.corner + left * place.along + top * place.down - low
    matrix = np.column_stack([scale * place.along, scale * place.down, start])
    width, height = (int(side) for side in high - low)
    cover = cv2.warpAffine(mask, matrix, (width, height), flags=cv2.INTER_LINEAR)
    patch = pixels[low[1] : high[1], low[0] : high[0]]
    share = cover[:, :, None] / 255.0
    patch[:] = np.rint(patch + share * (np.array(colour) - patch)).astype(np.uint8)


def letter_colour(colour: Colour) -> Colour:
    """Return the colour of letters on a tag of *colour*: white, or black on a bright one."""
    blue, green, red = colour
    return BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > _BRIGHT else WHITE
