"""Finds the cells of a tracked board that a hand or another object covers; nothing is drawn there.

A small colour picture of the straightened board is compared with an earlier picture of the uncovered board.
A shadow or a change of light changes all colour channels by the same factor. An object over the paper has
another colour, or is far darker. So each pixel is compared by its shade (the ratios of its channels) and its
brightness. A pixel with the median shade of the board counts as paper, even if it was covered before.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Homography, sampled
from sudoku_vision.live.tracking import CELL, MARGIN
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid

_PIXELS = 6
"""Side of a cell in the compared pictures, in pixels; a finger is 2 pixels wide, a printed stroke 0.5."""
_OTHER_SHADE = 0.13
"""A pixel is covered if one of its shades differs from the expected shade by more than this. Its two shades
are log(blue / green) and log(red / green). The shades of skin and paper differ by 0.3 and more. Noise in dim
light changes shades by 0.05."""
_MAX_SHADE_SHIFT = 0.08
"""In each frame, the expected shades of all pixels change by the median change of the board's shades, but not
by more than this. A larger change in one frame comes from a hand, not from the light."""
_FAR_DARKER, _FAR_LIGHTER = -1.1, 0.6
"""A pixel is covered if the change of its log brightness is below the first limit (far darker) or above the
second (far lighter). The shadow of a hand takes half of the light: this is a change of only -0.7."""
_OCCLUDED_SHARE = 0.2
"""A cell is occluded if more than this share of its pixels is covered; a written digit covers less."""
_DARK_OFFSET = 8.0  # grey levels added to each channel, so that noise doesn't change the shade of black ink
_ADAPTED = 0.1
"""In each frame, the expected colour of each pixel that is not covered moves by this share of the way to the
colour that is seen. So expected colours follow the light."""

_Mask = NDArray[np.bool_]


def with_cells(colours: Floats, cells: _Mask, other: Floats) -> Floats:
    """Return a copy of *colours* that has the colours of *other* in the cells of the mask *cells* (81,).

    *colours* and *other* are results of :func:`board_colours`.
    """
    taken = np.kron(cells.reshape(9, 9), np.ones((_PIXELS, _PIXELS), bool))[..., None]
    return np.where(taken, other, colours)


def cell_contents(grid: Grid) -> NDArray[np.int_]:
    """Return a number for each cell, (9, 9). It changes when the cell's entry or marks change."""
    marks = [sum(1 << digit for digit in digits) for digits in grid.marks]
    return np.asarray(10 * np.array(marks).reshape(9, 9) + grid.written)


def board_colours(pixels: Image, to_frame: Homography) -> Floats:
    """Return a small straightened picture (S, S, 3) float32 of a board: the logarithms of its channels.

    *pixels*: the frame (H, W, 3) uint8 BGR. *to_frame*: as in :class:`.tracking.Track`. S is 9 * _PIXELS.
    """
    fine = 3 * _PIXELS
    scale = CELL / fine
    to_template = np.array([[scale, 0, MARGIN + scale / 2], [0, scale, MARGIN + scale / 2], [0, 0, 1]])
    board = sampled(pixels, to_frame @ to_template, (9 * fine, 9 * fine))
    small = cv2.resize(board, (9 * _PIXELS, 9 * _PIXELS), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(small.astype(np.float32) + _DARK_OFFSET), np.float32)


def occluded_cells(seen: Floats, known: Floats) -> tuple[_Mask, Floats]:
    """Return which cells (81,) of a board are occluded, and its updated colours for the next frame.

    *seen* are the colours in this frame. *known* are the colours of the uncovered board. Both are made by
    :func:`board_colours`. The returned colours are *known*, changed as the light changes. In covered pixels,
    *known* is changed by the median change of the whole board.
    """
    blue, green, red = np.median(seen - known, axis=(0, 1))
    blue, red = np.clip([blue - green, red - green], -_MAX_SHADE_SHIFT, _MAX_SHADE_SHIFT) + green
    expected = np.asarray(known + np.array([blue, green, red]), np.float32)
    shades, expected_shades = (logs[..., [0, 2]] - logs[..., 1:2] for logs in (seen, expected))
    change = np.abs(shades - expected_shades).max(axis=2)
    off_paper = np.abs(shades - np.median(expected_shades, axis=(0, 1))).max(axis=2)
    lighter = seen[..., 1] - expected[..., 1]  # brightness is measured in green, where noise is least
    other_shade = np.minimum(change, off_paper) > _OTHER_SHADE
    covered = other_shade | (lighter < _FAR_DARKER) | (lighter > _FAR_LIGHTER)
    shares = covered.reshape(9, _PIXELS, 9, _PIXELS).mean(axis=(1, 3)).reshape(81)
    step = np.where(covered, 0, _ADAPTED)[..., None] * (seen - expected)
    return shares > _OCCLUDED_SHARE, np.asarray(expected + step, np.float32)
