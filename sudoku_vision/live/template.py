"""Template: the small straightened picture of a board by which it is recognised in every later frame."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import CROSSINGS, Homography, project, sampled
from sudoku_vision.values import Floats, Image

CELL = 24  # side of a cell of a template, in pixels: enough to place a line within a twentieth of one
MARGIN = 12  # pixels of paper around the board of a template, so that the border lines are keypoints, too
SIDE = 9 * CELL + 2 * MARGIN  # side of a template, in pixels
TEMPLATE_CROSSINGS: Floats = (MARGIN + CELL * CROSSINGS).astype(np.float32)
"""Crossings (100, 2) of a flat board in a template."""
TEMPLATE_CORNERS: Floats = TEMPLATE_CROSSINGS[[0, 9, 99, 90]]
"""Its outer corners (4, 2), clockwise from the top left."""

_MAX_KEYPOINTS = 200  # two or three a cell
MIN_POINTS = 8  # points for fitting a motion: four determine it, four more confirm it
_MIN_QUALITY = 0.02  # strength of a keypoint relative to the strongest: faint print still has some
_MIN_DISTANCE = 7  # pixels between two keypoints, so that one big digit doesn't have them all
_KEYPOINT_BLOCK = 5
"""Side, in pixels, of the patch in which a corner is measured: a stroke and the paper on both sides."""

_LIGHT_WINDOW = 2 * CELL + 1
"""Side, in pixels, of the window whose mean is the light: a shadow is wider, a digit narrower."""
_CONTRAST_WINDOW = 4 * CELL + 1
"""Side, in pixels, of the window whose spread is the contrast: it always holds some lines."""
_GREY, _CONTRAST = 128, 48.0
"""Grey levels of the mean and of the spread, after the contrast is stretched."""
_NOISE = 4.0  # grey levels of a spread that is noise, so that it is not stretched much
_CELL_EDGE = CELL // 6  # pixels along a cell's sides that are left out, since they may hold its lines
_MAX_BLANK_SPREAD = 14.0  # grey levels of a blank cell's spread, after the light is evened out
_MIN_INKED_SPREAD = 24.0  # the same for a cell with print or handwriting


@dataclass(frozen=True, eq=False)
class Template:
    """A board, straightened and its light evened out: ``image`` (SIDE, SIDE) uint8.

    ``keypoints`` (N, 2) are points that can be found again. ``crossings`` (100, 2) are those of the lattice,
    with the bend of the page. ``inked`` (81,): the cells with something in them.
    """

    image: Image
    keypoints: Floats
    crossings: Floats
    inked: NDArray[np.bool_]


def make_template(grey: Image, to_frame: Homography, crossings: Floats) -> Template | None:
    """Return the template of a board in a *grey* frame; None if it has too few keypoints.

    *to_frame* maps a template to the frame; *crossings* (100, 2) are those of the lattice in the frame.
    """
    image = straighten_board(grey, to_frame)
    found = cv2.goodFeaturesToTrack(
        image, _MAX_KEYPOINTS, _MIN_QUALITY, _MIN_DISTANCE, blockSize=_KEYPOINT_BLOCK
    )
    if found is None or len(found) < MIN_POINTS:
        return None
    keypoints = np.asarray(found, np.float32).reshape(-1, 2)
    flat = project(crossings, np.linalg.inv(to_frame).astype(np.float64))
    return Template(image, keypoints, flat, _cell_insides(image).std(axis=1) > _MIN_INKED_SPREAD)


def straighten_board(grey: Image, to_frame: Homography) -> Image:
    """Return the board in a frame, straightened, light and contrast evened out: (SIDE, SIDE) uint8."""
    difference = sampled(grey, to_frame, (SIDE, SIDE)).astype(np.float32)
    difference -= cv2.blur(difference, (_LIGHT_WINDOW, _LIGHT_WINDOW))
    spread = cv2.blur(difference * difference, (_CONTRAST_WINDOW, _CONTRAST_WINDOW))
    evened = _GREY + _CONTRAST * difference / (np.sqrt(np.maximum(spread, 0)) + _NOISE)
    return np.asarray(np.clip(evened, 0, 255), np.uint8)


def similarity(image: Image, other: Image) -> float:
    """Return the correlation of two straightened boards, -1 to 1; every other pixel is enough."""
    a, b = image[::2, ::2].astype(np.float32), other[::2, ::2].astype(np.float32)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-6))


def cell_similarities(image: Image, other: Image) -> Floats:
    """Return the correlation of each cell of two boards, (81,) -1 to 1; 1 where both cells are blank."""
    one, two = _cell_insides(image), _cell_insides(other)
    spread_one, spread_two = one.std(axis=1), two.std(axis=1)
    product = (one * two).mean(axis=1)
    blank = np.maximum(spread_one, spread_two) < _MAX_BLANK_SPREAD
    correlation = product / np.maximum(spread_one * spread_two, _MAX_BLANK_SPREAD**2 / 2)
    return np.where(blank, 1.0, correlation).astype(np.float32)


def best_turn(template: Template, other: Template) -> tuple[int, float]:
    """Return the quarter turns that make a board most like another, and their similarity, -1 to 1."""
    similarities = [
        float(np.median(cell_similarities(_turned(template.image, turn), other.image)[other.inked]))
        for turn in range(4)
    ]
    best = int(np.argmax(similarities))
    return best, similarities[best]


def _turned(image: Image, quarter_turns: int) -> Image:
    """Return a straightened board turned counter-clockwise about the middle of its crossings.

    The middle is the centre of a pixel, so the first row and column have no counterpart; they stay.
    """
    turned = image.copy()
    turned[1:, 1:] = np.rot90(image[1:, 1:], quarter_turns)
    return turned


def _cell_insides(image: Image) -> Floats:
    """Return the insides of the cells of a straightened board, each minus its mean: (81, N)."""
    cells = image[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    inner = cells[:, :, _CELL_EDGE:-_CELL_EDGE, _CELL_EDGE:-_CELL_EDGE].reshape(81, -1).astype(np.float32)
    return np.asarray(inner - inner.mean(axis=1, keepdims=True), np.float32)
