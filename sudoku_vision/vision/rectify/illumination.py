"""Turn the colours of cells into strengths of ink: remove the light, and the colour of the paper.

The colour of the paper is subtracted from each pixel, and the difference is projected on the colour of the
ink in this cell. So dark ink on light paper, light ink on dark paper, coloured ink and ink in shaded cells
all give the same result. All strengths of a page are scaled by the same factor, so that noise in an empty
cell is not made stronger.
"""

import cv2
import numpy as np

from sudoku_vision.geometry import TINY
from sudoku_vision.ranks import quantile
from sudoku_vision.values import Floats, Image

RIM = 0.15  # ink isn't measured in a rim of this width, as a share of the cell: grid lines can reach into it
THINNED = 2  # only every second pixel of every second row is measured; all pixels take 4 times as long
_TOP = 30
"""The full ink of a cell is the smallest ink among the strongest 1 / _TOP of its pixels.

In a cell with a digit, at least 1 / _TOP of the pixels lies in the middle of strokes. Strong noise is in
fewer pixels, so it doesn't matter.
"""
_PAGE_PULL = 0.15  # the ink colour of a cell is its own mean colour plus this share of the page's ink colour
_MIN_INK = 0.05
"""Lower limit for the full ink of a page, in units of the brightness of the cells. Noise is weaker."""
_STRONGEST, _NOISE = 0.999, 1.3
"""All cells are taken for blank if the strongest ink is weak, so that noise isn't read as pencil marks.

The strongest ink is the quantile ``_STRONGEST`` of the ink in all pixels, because a single digit fills a
thousandth of the pixels. The noise is the same quantile of how much lighter than paper each pixel is.
The strongest ink is weak if it is less than half of ``_MIN_INK``, or less than ``_NOISE`` times the noise.
On 285 real grids, the strongest ink divided by the noise was 1.57 or more. On blank paper, this ratio was at
most 1.2.
"""
DARKEST = 40.0
"""Lower limit for the brightness by which ink is divided. If paper and ink are both darker than this,
only noise is seen.

Brightness is a grey level, or the length of a BGR colour.
"""
_STRONG_CELLS = 10
"""Cells are ranked by their full ink, the strongest first. The full ink of a page is that of the cell with
this rank. A puzzle has at least 17 clues, so this cell has a digit.
"""
_FEW_CELLS, _FEW_SHARE = 3, 0.5
"""A second minimum of the full ink of a page, in addition to ``_MIN_INK``: ``_FEW_SHARE`` times the full ink
of the third strongest cell (the rank ``_FEW_CELLS``). The limit matters only if few cells have ink."""
_DARKER: Floats = np.full(3, -1 / np.sqrt(3), np.float32)
"""The ink colour of a cell without any ink: equally darker than paper in all three channels. It is a unit
vector that points from paper to ink."""

# The coarse view shows cells at low resolution, but still shows the edge of a shadow.
COARSE = 10  # side of a cell, in pixels of the coarse view
SIDE = 8  # side of the inside of a cell, in pixels of the coarse view
WINDOW = 9  # side of the window of the running median, in pixels of the coarse view
_RIM = (COARSE - SIDE) // 2  # width of the rim where grid lines may be, in pixels of the coarse view


def even(cells: Image, coarse: Image | None = None) -> Floats:
    """Return the ink (81, S, S) float32 of *cells* (81, S, S, 3) uint8 BGR: 0 for paper, 1 for full ink.

    *coarse* is the result of :func:`coarse_view` for the cells; if it is None, it is computed.

    * The colour of the paper is a running median over a copy of the cell at low resolution. It is computed
      for each place, so it follows the edge of a shadow. The median uses only the inside of the cell,
      reflected at its edges. So the shade of a neighbouring cell doesn't matter.
    * The ink colour of a cell is the mean difference between its pixels and the paper. Large differences get
      more weight, and the ink colour of the page is added with a small weight. The ink colour also shows
      whether ink is darker or lighter than paper.
    * The ink of a pixel is its difference from the paper, projected on the ink colour. It is divided by the
      brightness of the paper or of the ink, whichever is brighter, so that it doesn't depend on the light.
      Then it is divided by the full ink of the page.
    """
    size = cells.shape[1]
    paper = paper_of(coarse_view(cells) if coarse is None else coarse)
    rim = round(RIM * size)
    thinned = slice(rim, -rim, THINNED)
    depth = magnify(paper, size)
    np.subtract(cells, depth, out=depth)
    inner = depth[:, thinned, thinned].reshape(81, -1, 3)
    direction = _ink_direction(inner)
    direction /= _brightness(inner, direction, paper.mean(axis=(1, 2)))[:, None]
    ink: Floats = np.matmul(depth.reshape(81, -1, 3), direction[:, :, None]).reshape(81, size, size)
    inner_ink = ink[:, thinned, thinned]
    lightest = quantile(-inner_ink, _STRONGEST)
    if quantile(inner_ink, _STRONGEST) < max(_MIN_INK / 2, _NOISE * lightest):
        return np.zeros_like(ink)
    ranked = np.sort(_top(inner_ink.reshape(81, -1)))
    ink /= max(_MIN_INK, float(ranked[-_STRONG_CELLS]), _FEW_SHARE * float(ranked[-_FEW_CELLS]))
    return ink


def _ink_direction(inner: Floats) -> Floats:
    """Return the ink colour of each cell: a unit vector (81, 3) that points from the paper to the ink.

    *inner* (81, N, 3) holds the colours of the pixels inside the cells, minus the colour of the paper.
    """
    strength = np.sqrt((inner * inner) @ np.ones(3, np.float32))
    pull = np.matmul(strength[:, None], inner)[:, 0] / inner.shape[1]
    size = np.linalg.norm(pull, axis=1)
    page = pull[np.argsort(size)[-2 * _STRONG_CELLS :]].mean(axis=0)
    pull = pull + _PAGE_PULL * page
    length = np.linalg.norm(pull, axis=1, keepdims=True)
    return np.where(length > TINY, pull / np.maximum(length, TINY), _DARKER).astype(np.float32)


def _brightness(inner: Floats, direction: Floats, paper: Floats) -> Floats:
    """Return the brightness (81,) of each cell: that of its paper or of its ink, whichever is brighter.

    Brightness is the length of a BGR colour. *inner* (81, N, 3): the colours of the pixels, minus the colour
    of the paper. *direction* (81, 3): the ink colours. *paper* (81, 3): the colours of the paper.
    """
    along = np.matmul(inner, direction[:, :, None])[..., 0]
    ink = paper + _top(along)[:, None] * direction
    level = np.maximum(np.linalg.norm(paper, axis=1), np.linalg.norm(ink, axis=1))
    return np.asarray(np.maximum(level, DARKEST), np.float32)


def _top(ink: Floats) -> Floats:
    """Return the full ink (81,) of each cell from the *ink* (81, N) of its pixels (see ``_TOP``)."""
    place = max(1, ink.shape[1] // _TOP)
    return np.partition(ink, -place, axis=1)[:, -place]


def coarse_view(cells: Image) -> Image:
    """Return the inside of *cells* (81, S, S, 3) uint8 BGR at low resolution: (81, 8, 8, 3) uint8.

    This coarse view shows mostly paper: strokes of digits are thin in it, and grid lines are cut off.
    """
    size = cells.shape[1]
    rows = cells.reshape(81 * size, size, 3)
    coarse = cv2.resize(rows, (COARSE, 81 * COARSE), interpolation=cv2.INTER_AREA)
    inside = coarse.reshape(81, COARSE, COARSE, 3)[:, _RIM:-_RIM, _RIM:-_RIM]
    return np.ascontiguousarray(inside, np.uint8)


def paper_of(inside: Image) -> Floats:
    """Return the colours of the paper (81, 10, 10, 3) float32. *inside*: what :func:`coarse_view` returns."""
    planes = inside.reshape(81, SIDE**2, 3).transpose(0, 2, 1).reshape(243, SIDE**2)
    middle = running_median(planes).reshape(81, 3, SIDE, SIDE)
    whole = np.pad(middle, ((0, 0), (0, 0), (_RIM, _RIM), (_RIM, _RIM)), mode="edge")
    return np.ascontiguousarray(whole.transpose(0, 2, 3, 1), np.float32)


def magnify(coarse: Floats, size: int) -> Floats:
    """Return *coarse* cells (81, 10, 10, C), enlarged to (81, size, size, C) by linear interpolation."""
    full = np.empty((len(coarse), size, size, coarse.shape[3]), np.float32)
    for small, large in zip(coarse, full, strict=True):
        cv2.resize(small, (size, size), large, interpolation=cv2.INTER_LINEAR)
    return full


def running_median(squares: Image) -> Image:
    """Return the median of the window around each pixel of N squares of 8 x 8 pixels.

    *squares* (N, 64) uint8 are reflected at their edges. The pixels of each square are taken from the darkest
    to the brightest, and each pixel is counted in all windows that contain it. When more than half of the
    pixels of a window are counted, the last counted pixel is the median of this window. ``cv2.medianBlur``
    gives the same result, but is several times slower, because the squares are as small as the window.
    """
    keys = squares.astype(np.uint16) << 6  # the low six bits hold the place of the pixel in its square, 0..63
    keys |= np.arange(SIDE**2, dtype=np.uint16)
    keys.sort(axis=1)
    order = np.ascontiguousarray((keys & 63).T).astype(np.intp)
    full = _COUNTS.take(order[:_MIN_RANK], axis=0).sum(axis=0, dtype=np.uint8)
    rank = np.full(squares.shape, _MIN_RANK, np.uint8)
    for pixel in order[_MIN_RANK:-_MIN_RANK]:
        full += _COUNTS.take(pixel, axis=0, mode="clip")
        rank += (full <= WINDOW**2 // 2).view(np.uint8)
    return np.take_along_axis((keys >> 6).astype(np.uint8), rank, axis=1)


def _counts_in_windows() -> Image:
    """Return an array (64, 64): how often pixel i of a square occurs in the window around pixel j.

    The square of 8 x 8 pixels is reflected at its edges, so a pixel can occur up to four times.
    """
    extended = np.pad(np.arange(SIDE), WINDOW // 2, mode="symmetric")
    windows = np.lib.stride_tricks.sliding_window_view(extended, WINDOW)
    along = np.stack([np.bincount(window, minlength=SIDE) for window in windows], axis=1)
    return np.kron(along, along).astype(np.uint8)


_COUNTS = _counts_in_windows()
_MIN_RANK = int(WINDOW**2 // 2 // _COUNTS.max())
"""Each of the N darkest pixels of a square, where N is this number, is too dark to be the median of a window.
Each of the N brightest pixels is too bright. So these pixels are skipped."""
