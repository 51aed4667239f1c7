"""Paper: what a cell looks like without its ink, and how the ink is covered with that.

The paper of a cell is a plane in each channel, fitted to the pixels that no ink darkens: so a cover has the
light of its place, and its edges can't be seen. Where there is no ink, the photo stays as it is.
"""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.ranks import median, medians

_INSET = 0.05  # width in cells of the rim of a cell that is left out: its lines run there

_LINES, _LONG = 0.06, 0.3
"""Width in cells, further in, of the rim to which the edges of lines still reach; and the length, in cells,
from which what lies in it is such an edge."""

_SMEARED = 0.03  # width in cells by which the soft edge of ink reaches beyond what can be told from paper

_FAINTEST, _GRAINS = 6.0, 3.0
"""Difference from the paper that is ink: at least so many grey levels, and so many spreads of its grain."""

_ROUNDS = 3  # rounds of fitting the paper, each without the ink that the one before it found
_FITTED = 24  # pixels a side that the paper is fitted to: a plane needs no more
_STEADY = 1e-3  # added to the sums of squares, so that pixels in one line still give a plane
_FEWEST = 24  # pixels of a cell below which there is nothing to be told apart
_SPREAD = 1.48  # standard deviations in a median deviation, of what is normally distributed
FAR = 1e6  # points beyond this, in pixels, are no points of a photo
SHIFT = 4  # binary places of the coordinates that OpenCV draws with: a sixteenth of a pixel


def cover_ink(pixels: Image, quad: Floats, strength: float) -> None:
    """Lay paper over the ink in the cell with corners *quad* (4, 2), in place; its lines are left out.

    *strength* 0..1: how much of the ink is hidden.
    """
    covered = covered_patch(pixels, quad + 2 * _INSET * (quad.mean(axis=0) - quad))
    if covered is None or np.count_nonzero(covered[1]) < _FEWEST:
        return
    patch, mask = covered
    side = math.sqrt(cv2.contourArea(quad.astype(np.float32)))
    paper, ink = _paper_and_ink(patch, mask > 0)
    inner = np.asarray(cv2.erode(mask, _square(_LINES * side)), np.uint8)
    ink = _without_lines(ink, inner, _LONG * side)
    soft = _square(_SMEARED * side)
    share = cv2.blur(cv2.dilate(ink, soft).astype(np.float32), soft.shape) * (strength / 255 * mask)
    share = share.astype(np.float32)
    patch[:] = cv2.blendLinear(np.rint(paper).astype(np.uint8), patch, share, 1 - share)


def covered_patch(pixels: Image, quad: Floats) -> tuple[Image, Image] | None:
    """Return the part (h, w, 3) of a picture round the corners *quad* (4, 2), and a mask (h, w) of them.

    The part is a view; the mask is 255 inside, and smooth at the edges. None where all lies off the picture.
    """
    if not np.isfinite(quad).all():
        return None
    limit = np.array(pixels.shape[1::-1])
    left, top = np.clip(np.floor(quad.min(axis=0)), 0, limit).astype(int)
    right, bottom = np.clip(np.ceil(quad.max(axis=0)) + 1, 0, limit).astype(int)
    if left >= right or top >= bottom or np.abs(quad).max() > FAR:
        return None
    patch = pixels[top:bottom, left:right]
    mask = np.zeros(patch.shape[:2], np.uint8)
    corners = np.rint((quad - [left, top]) * (1 << SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, SHIFT)
    return patch, mask


def paper_colour(patch: Image) -> Colour:
    """Return the colour of the paper in a part of a cell (H, W, 3), of which ink covers less than half."""
    blue, green, red = medians(patch.reshape(-1, 3).T).tolist()
    return blue, green, red


def _paper_and_ink(patch: Image, inside: NDArray[np.bool_]) -> tuple[Floats, Image]:
    """Return the paper of a patch (h, w, 3), as it would be without ink, and a mask (h, w) of ink, 1 or 0.

    Only what lies *inside* (h, w) is looked at; the paper is fitted to some of its pixels.
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
    least = _FAINTEST
    for _ in range(_ROUNDS):
        blue, green, red = np.abs(seen - terms @ planes).T
        offset = np.maximum(np.maximum(blue, green), red)
        least = max(_FAINTEST, _GRAINS * _SPREAD * median(offset))  # most pixels show no ink
        blank = terms[offset <= least]
        squares = blank.T @ blank + _STEADY * np.eye(3, dtype=np.float32)
        planes = np.linalg.solve(squares, blank.T @ seen[offset <= least]).astype(np.float32)
    middle, right, down = planes
    paper = np.clip(middle + right * x[None, :, None] + down * y[:, None, None], 0, 255)
    blue, green, red = cv2.split(cv2.absdiff(patch.astype(np.float32), paper))
    ink = inside & (cv2.max(cv2.max(blue, green), red) > least)
    return paper, ink.astype(np.uint8)


def _without_lines(ink: Image, inner: Image, longest: float) -> Image:
    """Return a mask of *ink* (h, w) without the edges of lines.

    Outside the *inner* pixels what is longer than *longest* pixels is one, as is what never comes in.
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
    """Return what spreads a mask by about *side* pixels each way."""
    width = 2 * max(1, round(side)) + 1
    return np.ones((width, width), np.uint8)
