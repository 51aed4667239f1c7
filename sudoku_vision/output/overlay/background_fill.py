"""Cover the ink of a cell with the colour of its paper.

In each colour channel, a plane is fitted to the pixels without ink. So the cover is as bright as the paper
around it, and the edges of the cover can't be seen.
"""

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Points
from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.ranks import median, medians
from sudoku_vision.values import Floats, Image

_INSET = 0.05  # width of a cell's outer rim, in cells; grid lines lie there, so nothing is covered there
_LINES = 0.06  # width of a second rim inside of the outer rim, in cells; edges of grid lines reach into it
_LONG = 0.3  # ink in the second rim is an edge of a grid line if it is longer than this, in cells
_SMEARED = 0.03  # width of the soft edge of ink, in cells; the edge is covered, too
_MIN_CONTRAST, _GRAINS = 6.0, 3.0
"""A pixel is ink if its difference from the paper is above both limits. The first limit is in levels of a
channel (0..255), the second in standard deviations of the paper's grain."""
_ROUNDS = 3  # a plane is fitted to the paper this many times, each time without the ink found before
_FITTED = 24  # the plane is fitted to a reduced copy of the cell, with sides of at least this many pixels
_STEADY = 1e-3  # number added to sums of squares, so that a plane can be fitted even to pixels in one line
_MIN_PIXELS = 24  # ink is covered only in a cell whose area is at least this many pixels
_SPREAD = 1.48  # standard deviation divided by median absolute deviation, for a normal distribution
FAR = 1e6  # a shape with a larger coordinate, in pixels, is not drawn
SHIFT = 4  # OpenCV draws with coordinates in 1 / 2**SHIFT pixels


class InkCover(NamedTuple):
    """Paper that covers the ink of a cell.

    ``patch`` (h, w, 3): a view of a part of the picture. Its top left pixel is (``left``, ``top``). ``paper``
    (h, w, 3) uint8 BGR: this part without ink. ``share`` (h, w) float32, 0..1: the opacity of the paper.
    """

    patch: Image
    paper: Image
    share: Floats
    left: int
    top: int


def cover_ink(pixels: Image, quad: Floats, strength: float) -> None:
    """Cover the ink in a cell, in place. *quad* (4, 2): corners of the cell. *strength*: opacity, 0..1."""
    if (cover := ink_cover(pixels, quad)) is not None:
        share = np.float32(strength) * cover.share
        cover.patch[:] = cv2.blendLinear(cover.paper, cover.patch, share, 1 - share)


def ink_cover(pixels: Image, quad: Floats) -> InkCover | None:
    """Return the cover for the ink in a cell with the corners *quad* (4, 2).

    Returns None if the cell is too small or outside of the picture.
    """
    inset = quad + 2 * _INSET * (quad.mean(axis=0) - quad)
    covered = covered_patch(pixels, inset)
    if covered is None or np.count_nonzero(covered[1]) < _MIN_PIXELS:
        return None
    patch, mask, (left, top) = covered
    side = math.sqrt(cv2.contourArea(quad.astype(np.float32)))
    paper, ink = _paper_and_ink(patch, mask > 0)
    inner = np.asarray(cv2.erode(mask, _square(_LINES * side)), np.uint8)
    ink = _without_lines(ink, inner, _LONG * side)
    soft = _square(_SMEARED * side)
    share = cv2.blur(cv2.dilate(ink, soft).astype(np.float32), soft.shape) * np.float32(1 / 255) * mask
    return InkCover(patch, np.rint(paper).astype(np.uint8), np.asarray(share, np.float32), left, top)


def patch_around(pixels: Image, points: Floats | Points) -> tuple[Image, tuple[int, int]] | None:
    """Return a view (h, w, 3) of the bounding box of *points* (N, 2), and the view's corner (left, top).

    The view has only the part of the box that lies in the picture. Returns None if there is no such part, or
    if a coordinate is NaN or larger than :data:`FAR`.
    """
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    if not all(abs(place) <= FAR for place in (left, top, right, bottom)):  # some can be NaN
        return None
    left, top = max(math.floor(left), 0), max(math.floor(top), 0)
    patch = pixels[top : max(math.ceil(bottom) + 1, 0), left : max(math.ceil(right) + 1, 0)]
    return (patch, (left, top)) if patch.size else None


def covered_patch(pixels: Image, quad: Floats) -> tuple[Image, Image, tuple[int, int]] | None:
    """Return the patch around a *quad* (4, 2), a mask (h, w) of its inside, and the patch's top left corner.

    The mask is 0..255 with smooth edges. Returns None if the quad is outside of the picture.
    """
    found = patch_around(pixels, quad)
    if found is None:
        return None
    patch, corner = found
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(
        mask, np.rint((quad - corner) * (1 << SHIFT)).astype(np.int32), 255, cv2.LINE_AA, SHIFT
    )
    return patch, mask, corner


def paper_colour(patch: Image) -> Colour:
    """Return the colour of paper in a part of a cell (H, W, 3): the median, because most pixels are paper."""
    blue, green, red = medians(patch.reshape(-1, 3).T).tolist()
    return blue, green, red


def _paper_and_ink(patch: Image, inside: NDArray[np.bool_]) -> tuple[Floats, Image]:
    """Return a *patch* as it would be without ink, (h, w, 3), and a mask (h, w) that is 1 for ink.

    Only pixels in the mask *inside* (h, w) are examined.
    """
    height, width = inside.shape
    x = np.arange(width, dtype=np.float32) - (width - 1) / 2
    y = np.arange(height, dtype=np.float32) - (height - 1) / 2
    step = max(1, min(height, width) // _FITTED)
    rows, columns = np.nonzero(inside[::step, ::step])
    seen = patch[::step, ::step][rows, columns].astype(np.float32)
    terms = np.stack([np.ones(len(rows), np.float32), x[::step][columns], y[::step][rows]], axis=-1)
    planes = np.zeros((3, 3), np.float32)
    planes[0] = medians(seen.T)
    least = _MIN_CONTRAST
    for _ in range(_ROUNDS):
        blue, green, red = np.abs(seen - terms @ planes).T
        offset = np.maximum(np.maximum(blue, green), red)
        least = max(_MIN_CONTRAST, _GRAINS * _SPREAD * median(offset))  # most pixels are paper
        blank = terms[offset <= least]
        squares = blank.T @ blank + _STEADY * np.eye(3, dtype=np.float32)
        planes = np.linalg.solve(squares, blank.T @ seen[offset <= least]).astype(np.float32)
    middle, right, down = planes
    paper = np.clip(middle + right * x[None, :, None] + down * y[:, None, None], 0, 255)
    blue, green, red = cv2.split(cv2.absdiff(patch.astype(np.float32), paper))
    ink = inside & (cv2.max(cv2.max(blue, green), red) > least)
    return paper, ink.astype(np.uint8)


def _without_lines(ink: Image, inner: Image, longest: float) -> Image:
    """Return the mask *ink* (h, w) without the edges of grid lines.

    *inner* (h, w): the mask of the inside of the cell. Ink outside of *inner* is an edge of a grid line if it
    is longer than *longest* pixels, or if it touches no ink inside of *inner*.
    """
    outer = np.where(inner > 0, 0, ink).astype(np.uint8)
    _, parts, sizes, _ = cv2.connectedComponentsWithStats(outer, connectivity=8)
    sides = sizes[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    short = np.where((parts > 0) & (sides[parts] > longest), 0, ink).astype(np.uint8)
    count, parts = cv2.connectedComponents(short, connectivity=8)
    comes_in: NDArray[np.bool_] = np.zeros(count, bool)
    comes_in[parts[inner > 0]] = True
    comes_in[0] = False
    return np.asarray(comes_in[parts], np.uint8)


def _square(side: float) -> Image:
    """Return a square kernel of ones. Dilation with it spreads a mask by about *side* pixels on each side."""
    width = 2 * max(1, round(side)) + 1
    return np.ones((width, width), np.uint8)
