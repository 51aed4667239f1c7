"""Make more of every hand: digits warped as hands vary them, and digits of a database pasted into cells.

Digits are slanted, turned, stretched, bent, thicker or thinner (after P. Simard, D. Steinkraus, J. Platt,
"Best practices for convolutional neural networks applied to visual document analysis", 2003).
"""

import cv2
import numpy as np

from sudoku_vision.results import Floats, Image

CELL = 40  # side of a pasted cell in pixels

_TURN, _STRETCH, _SLANT, _BEND = 6.0, 0.08, 0.11, 0.018  # spreads: degrees, logarithm, shear, cells
_BEND_FIELD = 4  # the bend is random at so many places each way, smooth between
_PRESSED = 0.35  # share of warped digits made thicker or thinner
_ROUND = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))

_SIZES = (0.6, 1.25)  # pixels of a cell to a pixel of the database
_PLACE_SPREAD = 1.5  # pixels that a pasted digit lies off the middle
_BLURS, _LEAST_BLUR = (0.0, 1.2), 0.3  # pixels: out of focus, and the least that is worth its time
_STRENGTHS, _NOISE = (0.7, 1.1), 0.02  # of the ink, against the page's full ink


def warped(cells: Floats, rng: np.random.Generator) -> Floats:
    """Cells (N, S, S) with their ink slanted, turned, stretched, bent, and pressed otherwise."""
    size = cells.shape[1]
    y, x = (grid.astype(np.float32) - size / 2 + 0.5 for grid in np.mgrid[0:size, 0:size])
    result = np.empty_like(cells)
    for index, cell in enumerate(cells):
        turn = np.deg2rad(rng.normal(0, _TURN))
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        matrix = (
            matrix
            @ np.array([[1, rng.normal(0, _SLANT)], [0, 1]])
            @ np.diag(np.exp(rng.normal(0, _STRETCH, 2)))
        )
        coarse = rng.normal(0, _BEND * size, (_BEND_FIELD, _BEND_FIELD, 2)).astype(np.float32)
        bend = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC) + (size - 1) / 2
        map_x = (matrix[0, 0] * x + matrix[0, 1] * y + bend[..., 0]).astype(np.float32)
        map_y = (matrix[1, 0] * x + matrix[1, 1] * y + bend[..., 1]).astype(np.float32)
        moved = cv2.remap(cell, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        result[index] = _pressed(np.asarray(moved, np.float32), rng)
    return result


def _pressed(cell: Floats, rng: np.random.Generator) -> Floats:
    """A cell whose strokes are sometimes made thicker or thinner."""
    kind = rng.random()
    if kind > _PRESSED:
        return cell
    change = cv2.dilate if kind < _PRESSED / 2 else cv2.erode
    share = np.float32(rng.uniform(0.2, 0.8))
    return np.asarray(share * change(cell, _ROUND) + (1 - share) * cell, np.float32)


def pasted(strokes: Image, rng: np.random.Generator) -> Floats:
    """Handwritten digits (N, 28, 28) uint8, white on black, in the middle of cells (N, 40, 40)."""
    cells = np.empty((len(strokes), CELL, CELL), np.float32)
    for index, image in enumerate(strokes):
        ink = image.astype(np.float32) / 255
        step = rng.uniform(*_SIZES)
        if step < 1:
            ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.35 / step), np.float32)
        place = CELL / 2 - 0.5 - 13.5 * step + rng.normal(0, _PLACE_SPREAD, 2)
        matrix = np.array([[step, 0, place[0]], [0, step, place[1]]], np.float32)
        cell = cv2.warpAffine(ink, matrix, (CELL, CELL))
        blur = rng.uniform(*_BLURS)
        if blur > _LEAST_BLUR:
            cell = cv2.GaussianBlur(cell, (0, 0), blur)
        cells[index] = cell * rng.uniform(*_STRENGTHS) + rng.normal(0, _NOISE, cell.shape)
    return warped(cells, rng)
