"""Occlusion: finds the cells of a tracked board that a hand or anything else covers; nothing is drawn there.

Small colour pictures of the straightened board are compared. A change of light or a shadow makes all channels
darker or lighter alike. An object over the paper has another colour, or is far darker. So each pixel's shade
(the ratios of its channels) and brightness are compared with those seen when the board was read. Paper that
comes into view is recognised by its shade, which is the shade of most of the board.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Homography, sampled
from sudoku_vision.live.template import CELL, MARGIN
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid

_PIXELS = 6
"""Side of a cell in compared pictures, in pixels. A finger is two pixels wide then, a printed stroke half a
pixel."""
_OTHER_SHADE = 0.13
"""If the logarithm of a ratio of channels differs by more than this, a pixel has another shade. Skin differs
from paper by 0.3 and more, the grain of a dim picture by 0.05."""
_MAX_SHADE_SHIFT = 0.08
"""Largest change in the shade of the light between two frames, as a logarithm; a larger change is a hand."""
_FAR_DARKER, _FAR_LIGHTER = -1.1, 0.6
"""Smallest changes of brightness, as logarithms, with which a pixel counts as covered. The shadow of a hand
takes half of the light, which is only -0.7."""
_OCCLUDED_SHARE = 0.2
"""A cell counts as occluded if more than this share of its pixels is covered; a written digit covers less."""
_DARK_OFFSET = 8.0  # grey levels added to each channel, so that noise doesn't decide the shade of black
_ADAPTED = 0.1  # share by which known colours move to the seen ones in each frame, since light changes slowly

_Mask = NDArray[np.bool_]


def with_cells(colours: Floats, cells: _Mask, other: Floats) -> Floats:
    """Return the *colours* of a board; in the cells where *cells* (81,) is true, they come from *other*."""
    taken = np.kron(cells.reshape(9, 9), np.ones((_PIXELS, _PIXELS), bool))[..., None]
    return np.where(taken, other, colours)


def cell_contents(grid: Grid) -> NDArray[np.int_]:
    """Return a number for each cell of a grid, (9, 9), that changes if the cell's entry or marks change."""
    marks = [sum(1 << digit for digit in digits) for digits in grid.marks]
    return np.asarray(10 * np.array(marks).reshape(9, 9) + grid.written)


def board_colours(pixels: Image, to_frame: Homography) -> Floats:
    """Return the colours of the board that *to_frame* maps from a template to a frame (H, W, 3) uint8 BGR.

    The colours are the logarithms of the three channels, (S, S, 3) float32 with S = 9 * _PIXELS.
    """
    fine = 3 * _PIXELS
    scale = CELL / fine
    to_template = np.array([[scale, 0, MARGIN + scale / 2], [0, scale, MARGIN + scale / 2], [0, 0, 1]])
    board = sampled(pixels, to_frame @ to_template, (9 * fine, 9 * fine))
    small = cv2.resize(board, (9 * _PIXELS, 9 * _PIXELS), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(small.astype(np.float32) + _DARK_OFFSET), np.float32)


def occluded_cells(seen: Floats, known: Floats) -> tuple[_Mask, Floats]:
    """Return which cells (81,) of a board are occluded, and its *known* colours, updated.

    *seen* are the colours in this frame, *known* those of the board with nothing over it; both come from
    :func:`board_colours`. Known colours follow the light in this frame, except in covered pixels.
    """
    blue, green, red = np.median(seen - known, axis=(0, 1))
    blue, red = np.clip([blue - green, red - green], -_MAX_SHADE_SHIFT, _MAX_SHADE_SHIFT) + green
    expected = np.asarray(known + np.array([blue, green, red]), np.float32)
    shades, expected_shades = (logs[..., [0, 2]] - logs[..., 1:2] for logs in (seen, expected))
    change = np.abs(shades - expected_shades).max(axis=2)
    off_paper = np.abs(shades - np.median(expected_shades, axis=(0, 1))).max(axis=2)
    lighter = seen[..., 1] - expected[..., 1]  # in green, the channel with the most light and the least noise
    other_shade = np.minimum(change, off_paper) > _OTHER_SHADE
    covered = other_shade | (lighter < _FAR_DARKER) | (lighter > _FAR_LIGHTER)
    shares = covered.reshape(9, _PIXELS, 9, _PIXELS).mean(axis=(1, 3)).reshape(81)
    step = np.where(covered, 0, _ADAPTED)[..., None] * (seen - expected)
    return shares > _OCCLUDED_SHARE, np.asarray(expected + step, np.float32)
