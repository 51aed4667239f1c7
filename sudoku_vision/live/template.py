"""A template is a small straightened picture of a board; later frames are compared with it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import CROSSINGS, Homography, project, sampled
from sudoku_vision.values import Floats, Image

CELL = 24  # side of a cell of a template, in pixels; lines are then located to a twentieth of a cell
MARGIN = 12  # width of the paper around the board of a template, in pixels, for keypoints of its outer lines
SIDE = 9 * CELL + 2 * MARGIN  # side of a template, in pixels
TEMPLATE_CROSSINGS: Floats = (MARGIN + CELL * CROSSINGS).astype(np.float32)
"""Crossings (100, 2) of a flat board, in pixels of a template."""
TEMPLATE_CORNERS: Floats = TEMPLATE_CROSSINGS[[0, 9, 99, 90]]
"""Corners (4, 2) of a flat board, in pixels of a template, clockwise from the top left."""

_MAX_KEYPOINTS = 200  # largest number of keypoints in a template: two or three in each cell
MIN_POINTS = 8  # smallest number of points for a motion: four define it, and four confirm it
_MIN_QUALITY = 0.02  # minimum strength of a keypoint, as a share of the strongest; small for faint print
_MIN_DISTANCE = 7  # minimum distance between keypoints, in pixels, so that not all are on one digit
_KEYPOINT_BLOCK = 5  # side of the patch in which strength is measured, in pixels: a stroke and paper

_LIGHT_WINDOW = 2 * CELL + 1
"""Side, in pixels, of the window whose mean grey level counts as the light. It is narrower than shadows and
wider than digits."""
_CONTRAST_WINDOW = 4 * CELL + 1  # side of the window for contrast, in pixels; it always has some lines
_GREY, _CONTRAST = 128, 48.0
"""Mean and standard deviation of a template's grey levels, after light and contrast were evened out."""
_NOISE = 4.0  # grey levels added to the measured contrast, so that noise on blank paper is not amplified
_CELL_EDGE = CELL // 6  # width of the edge of a cell that is left out because it may contain lines, in pixels
_MAX_BLANK_SPREAD = 14.0  # below this standard deviation of its grey levels, a cell is blank
_MIN_INKED_SPREAD = 24.0  # above this standard deviation of its grey levels, a cell has ink


@dataclass(frozen=True, eq=False)
class Template:
    """A straightened board with even light and contrast."""

    image: Image  # (SIDE, SIDE) uint8
    keypoints: Floats  # corners of ink that can be found again in later frames, (N, 2) in pixels of the image
    crossings: Floats  # crossings of the lattice, (100, 2) in pixels of the image; the page may be bent
    inked: NDArray[np.bool_]  # whether each cell has ink, (81,)


def make_template(grey: Image, to_frame: Homography, crossings: Floats) -> Template | None:
    """Return the template of a board in a *grey* frame; None if it has too few keypoints.

    *to_frame* maps a template to the frame. *crossings* (100, 2) are the lattice's crossings in the frame.
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
    """Return a straightened picture (SIDE, SIDE) uint8 of a board, with even light and contrast.

    *grey*: the frame (H, W) uint8. *to_frame* maps the board's template to the frame.
    """
    difference = sampled(grey, to_frame, (SIDE, SIDE)).astype(np.float32)
    difference -= cv2.blur(difference, (_LIGHT_WINDOW, _LIGHT_WINDOW))
    spread = cv2.blur(difference * difference, (_CONTRAST_WINDOW, _CONTRAST_WINDOW))
    evened = _GREY + _CONTRAST * difference / (np.sqrt(np.maximum(spread, 0)) + _NOISE)
    return np.asarray(np.clip(evened, 0, 255), np.uint8)


def similarity(image: Image, other: Image) -> float:
    """Return the correlation, -1 to 1, of every second column and row of two straightened boards."""
    a, b = image[::2, ::2].astype(np.float32), other[::2, ::2].astype(np.float32)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-6))


def cell_similarities(image: Image, other: Image) -> Floats:
    """Return the correlations (81,) of the cells of two straightened boards, -1 to 1; 1 if both are blank."""
    one, two = _cell_insides(image), _cell_insides(other)
    spread_one, spread_two = one.std(axis=1), two.std(axis=1)
    product = (one * two).mean(axis=1)
    blank = np.maximum(spread_one, spread_two) < _MAX_BLANK_SPREAD
    correlation = product / np.maximum(spread_one * spread_two, _MAX_BLANK_SPREAD**2 / 2)
    return np.where(blank, 1.0, correlation).astype(np.float32)


def best_turn(template: Template, other: Template) -> tuple[int, float]:
    """Return the counter-clockwise quarter turns after which *template* is most similar to *other*.

    The second result is the similarity: the median correlation, -1 to 1, of the cells with ink in *other*.
    """
    similarities = [
        float(np.median(cell_similarities(_turned(template.image, turn), other.image)[other.inked]))
        for turn in range(4)
    ]
    best = int(np.argmax(similarities))
    return best, similarities[best]


def _turned(image: Image, quarter_turns: int) -> Image:
    """Return a straightened board, turned counter-clockwise about its middle crossing.

    This is the centre of a pixel, and the number of rows is even, so the first row and column are not turned.
    """
    turned = image.copy()
    turned[1:, 1:] = np.rot90(image[1:, 1:], quarter_turns)
    return turned


def _cell_insides(image: Image) -> Floats:
    """Return the grey levels (81, N) float32 inside each cell of a straightened board, minus their mean."""
    cells = image[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(9, CELL, 9, CELL).transpose(0, 2, 1, 3)
    inner = cells[:, :, _CELL_EDGE:-_CELL_EDGE, _CELL_EDGE:-_CELL_EDGE].reshape(81, -1).astype(np.float32)
    return np.asarray(inner - inner.mean(axis=1, keepdims=True), np.float32)
