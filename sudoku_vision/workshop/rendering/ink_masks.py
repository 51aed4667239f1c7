"""Work on masks of ink: cut to their box, scaled, pressed unevenly, written once more."""

import cv2
import numpy as np

from sudoku_vision.output.drawing.typefaces import Mask

_SEEN = 40  # grey levels of ink from which a pixel belongs to a glyph: below lies the soft rim of a stroke
_PRESSURE_FIELD = 4  # the pressure of a pen is random at so many places each way, smooth between
_LEAST_PRESSURE = (0.2, 0.9)  # where a pen presses least, on paper that takes ink badly and well
SOFTENED = 0.35  # blur, in pixels of the result, that keeps fine strokes from breaking up when made small


def tight_ink(mask: Mask) -> Mask:
    """Return the part of a mask (H, W) uint8 that holds its ink; a mask without ink comes back whole."""
    left, top, width, height = ink_box(mask)
    return np.ascontiguousarray(mask[top : top + height, left : left + width])


def ink_box(mask: Mask) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the ink of a mask (H, W) uint8; the whole of one without ink."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > _SEEN), np.flatnonzero(mask.max(axis=0) > _SEEN)
    if not len(rows) or not len(columns):
        return 0, 0, mask.shape[1], mask.shape[0]
    return int(columns[0]), int(rows[0]), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def scaled_ink(mask: Mask, height: float) -> Mask:
    """Return a mask brought to *height* pixels, its strokes softened rather than skipped."""
    scale = height / mask.shape[0]
    size = max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale))
    if scale < 1:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), SOFTENED / scale), np.uint8)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def unevenly_pressed(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return a mask whose ink is thin in places, as a pencil leaves it."""
    least = rng.uniform(*_LEAST_PRESSURE)
    pressure = rng.uniform(least, 1.0, (_PRESSURE_FIELD, _PRESSURE_FIELD)).astype(np.float32)
    field = cv2.resize(pressure, mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(mask * field, 0, 255), np.uint8)


def jittered(mask: Mask, rng: np.random.Generator, amount: float = 1.0) -> Mask:
    """Return a handwritten glyph as a hand writes it the next time: turned, slanted, stretched, thicker."""
    height, width = mask.shape
    turn, slant = np.deg2rad(rng.normal(0, 6 * amount)), rng.normal(0.0, 0.12 * amount)
    scale = np.exp(rng.normal(0, 0.1 * amount, 2))
    matrix = (
        np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        @ np.array([[1.0, slant], [0.0, 1.0]])
        @ np.diag(scale)
    )
    side = round(1.5 * max(height, width)) + 4
    middle = np.array([side / 2, side / 2]) - matrix @ np.array([width / 2, height / 2])
    affine = np.hstack([matrix, middle[:, None]])
    moved = cv2.warpAffine(mask, affine, (side, side), flags=cv2.INTER_AREA)
    if rng.random() < 0.4 * amount:
        moved = cv2.dilate(moved, np.ones((2, 2), np.uint8))
    return np.asarray(moved, np.uint8)
