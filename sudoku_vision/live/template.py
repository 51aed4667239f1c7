"""Template: the small straightened picture of a board by which it is known again in every later frame."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import CROSSINGS, Homography, project
from sudoku_vision.results import Floats, Image

CELL = 24  # side of a cell of a template, in pixels: enough to place a line within a twentieth of one
MARGIN = 12  # paper kept around the board of a template, in pixels: its border lines are keypoints, too
SIDE = 9 * CELL + 2 * MARGIN  # side of a template, in pixels
TEMPLATE_CROSSINGS: Floats = (MARGIN + CELL * CROSSINGS).astype(np.float32)
"""Where a flat board has its crossings (100, 2) in a template."""
TEMPLATE_CORNERS: Floats = TEMPLATE_CROSSINGS[[0, 9, 99, 90]]
"""Its outer corners (4, 2), clockwise from the top left."""

_MAX_KEYPOINTS = 200  # keypoints kept: two or three a cell
MIN_POINTS = 8  # points from which a motion is fitted: four determine it, as many again bear it out
_KEYPOINT_QUALITY = 0.02
"""Strength of a keypoint's corner at least, against the strongest: faint print still has some."""
_KEYPOINT_DISTANCE = 7  # pixels between two keypoints at least, so that one big digit doesn't have them all
_KEYPOINT_BLOCK = 5
"""Side, in pixels, of the patch in which a corner is measured: a stroke and the paper on both sides."""

_LIGHT_WINDOW = 2 * CELL + 1
"""Side, in pixels, of the window whose mean is the light: a shadow is wider, a digit narrower."""
_CONTRAST_WINDOW = 4 * CELL + 1
"""Side, in pixels, of the window whose spread is the contrast: it always holds some lines."""
_GREY, _CONTRAST = 128, 48.0
"""Grey levels: of paper's mean, and of the spread to which the contrast is stretched."""
_NOISE = 4.0  # grey levels of a spread that is noise, so that it is not stretched much
_CELL_EDGE = CELL // 6  # pixels along a cell's sides that are left out, since they may hold its lines
_BLANK_SPREAD = 14.0
"""Grey levels, after the light is evened out, by which the inside of a blank cell varies at most."""
_INKED_SPREAD = 24.0  # the same, by which it varies at least where something is printed or written in it


@dataclass(frozen=True, eq=False)
class Template:
    """What a board looks like, straightened and its light evened out: ``image`` (SIDE, SIDE) uint8.

    ``keypoints`` (N, 2) are points of it that can be found again; ``crossings`` (100, 2) those of the
    lattice, where the bend of the page puts them. ``inked`` (81,): the cells with something in them.
    """

    image: Image
    keypoints: Floats
    crossings: Floats
    inked: NDArray[np.bool_]


def make_template(grey: Image, to_frame: Homography, crossings: Floats) -> Template | None:
    """Keep what a board looks like in a *grey* frame; None if there is nothing in it to find again.

    *to_frame* maps a template to the frame; *crossings* (100, 2) are those of the lattice in the frame.
    """
    image = straighten_board(grey, to_frame)
    found = cv2.goodFeaturesToTrack(
        image, _MAX_KEYPOINTS, _KEYPOINT_QUALITY, _KEYPOINT_DISTANCE, blockSize=_KEYPOINT_BLOCK
    )
    if found is None or len(found) < MIN_POINTS:
        return None
    keypoints = np.asarray(found, np.float32).reshape(-1, 2)
    flat = project(crossings, np.linalg.inv(to_frame).astype(np.float64))
    return Template(image, keypoints, flat, _cell_insides(image).std(axis=1) > _INKED_SPREAD)


def straighten_board(grey: Image, to_frame: Homography) -> Image:
    """Return the board in a frame, straightened, its light and contrast evened out: (SIDE, SIDE) uint8."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    board = cv2.warpPerspective(grey, to_frame, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    difference = board.astype(np.float32)
    difference -= cv2.blur(difference, (_LIGHT_WINDOW, _LIGHT_WINDOW))
    spread = cv2.blur(difference * difference, (_CONTRAST_WINDOW, _CONTRAST_WINDOW))
    evened = _GREY + _CONTRAST * difference / (np.sqrt(np.maximum(spread, 0)) + _NOISE)
    return np.asarray(np.clip(evened, 0, 255), np.uint8)


def similarity(image: Image, other: Image) -> float:
    """Return the correlation of two straightened boards, -1 to 1, on every other pixel."""
    a, b = image[::2, ::2].astype(np.float32), other[::2, ::2].astype(np.float32)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-6))


def cell_similarities(image: Image, other: Image) -> Floats:
    """Return how the insides of each cell of two boards correlate, (81,) -1 to 1; 1 where both are blank."""
    one, two = _cell_insides(image), _cell_insides(other)
    spread_one, spread_two = one.std(axis=1), two.std(axis=1)
    product = (one * two).mean(axis=1)
    blank = np.maximum(spread_one, spread_two) < _BLANK_SPREAD
    correlation = product / np.maximum(spread_one * spread_two, _BLANK_SPREAD**2 / 2)
    return np.where(blank, 1.0, correlation).astype(np.float32)


def best_turn(template: Template, other: Template) -> tuple[int, float]:
    """Return the quarter turns by which a board looks most like another, and how much it does, -1 to 1."""
    similarities = [
        float(np.median(cell_similarities(_turned(template.image, turn), other.image)[other.inked]))
        for turn in range(4)
    ]
    best = int(np.argmax(similarities))
    return best, similarities[best]


def _turned(image: Image, quarter_turns: int) -> Image:
    """Return a straightened board turned counter-clockwise about the middle of its crossings.

    That is a pixel of its own, so that the first row and column have none opposite; they stay.
    """
    turned = image.copy()
    turned[1:, 1:] = np.rot90(image[1:, 1:], quarter_turns)
    return turned


def _cell_insides(image: Image) -> Floats:
    """Return the insides of the cells of a straightened board, each about its own mean: (81, N)."""
    cells = image[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    inner = cells[:, :, _CELL_EDGE:-_CELL_EDGE, _CELL_EDGE:-_CELL_EDGE].reshape(81, -1).astype(np.float32)
    return np.asarray(inner - inner.mean(axis=1, keepdims=True), np.float32)
