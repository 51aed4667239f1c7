"""Snap a roughly clicked outline to the lines of the grid."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import CROSSINGS, fit_homography, project
from sudoku_vision.results import Floats, Lattice, Photo

_PIXELS = 24  # to a cell where lines are searched
_MARGIN = 0.5  # in cells: what is seen beyond the outline
_PASSES = (
    (0.24, 2),
    (0.12, 3),
)  # reach in cells, and degree of the surface: coarse, then fine
_ALONG = (0.1, 0.9, 15)  # places along a segment at which its line is looked for: from, to, how many
_DARKEST_LEFT = 11  # of these places count: those where a digit touches the line are left out
_ROUNDS = 6  # of weighted least squares
_TRUSTED = 1.2  # pixels off the surface at which a segment counts half


def snap(photo: Photo, lattice: Lattice) -> Lattice:
    """Move a roughly placed lattice onto the lines of the photo, by up to a fifth of a cell.

    Each of the 180 line segments looks for the darkest place across; a smooth surface is fitted to what they
    find, by weighted least squares that trust outliers less and less, twice.
    """
    for reach, degree in _PASSES:
        lattice = _snap_once(photo, lattice, reach, degree)
    return lattice


def _snap_once(photo: Photo, lattice: Lattice, reach: float, degree: int) -> Lattice:
    board = (CROSSINGS + _MARGIN) * _PIXELS - 0.5
    homography = fit_homography(board, lattice.crossings.reshape(-1, 2))
    if homography is None:
        return lattice
    inverse = np.linalg.inv(homography).astype(np.float64)
    dark = _darkness(photo, inverse)
    offsets = round(reach * _PIXELS)
    # The lattice as it stands on the flat board: it may bend there already.
    at = project(lattice.crossings, inverse)
    down = _segments(dark, at, offsets)
    right = _segments(np.ascontiguousarray(dark.T), at.transpose(1, 0, 2)[..., ::-1], offsets)
    shift_y = _smooth(down, degree)
    shift_x = _smooth(right, degree).T
    moved = at + np.stack([shift_x, shift_y], axis=2)
    return Lattice(project(moved.astype(np.float32), homography), lattice.score)


def _darkness(photo: Photo, inverse: NDArray[np.float64]) -> Floats:
    """How much darker than its surroundings each place of the flat board is, as a share."""
    side = round((9 + 2 * _MARGIN) * _PIXELS)
    grey = np.asarray(cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    flat = cv2.warpPerspective(grey, inverse, (side, side), borderMode=cv2.BORDER_REPLICATE)
    flat = flat.astype(np.float32)
    dark = np.maximum(cv2.GaussianBlur(flat, (0, 0), _PIXELS / 4) - flat, 0)
    dark /= cv2.GaussianBlur(flat, (0, 0), _PIXELS / 2) + 1
    return np.asarray(dark, np.float32)


def _segments(dark: Floats, at: Floats, offsets: int) -> Floats:
    """Offset and weight (10, 9, 2) of the darkest place across each horizontal segment."""
    found = np.zeros((10, 9, 2), np.float32)
    steps = np.arange(-offsets, offsets + 1)
    share = np.linspace(*_ALONG)
    for row in range(10):
        for column in range(9):
            points = at[row, column] * (1 - share[:, None]) + at[row, column + 1] * share[:, None]
            x = np.clip(points[:, 0].round().astype(int), 0, dark.shape[1] - 1)
            y = np.clip(points[:, 1].round().astype(int)[None] + steps[:, None], 0, dark.shape[0] - 1)
            profile = np.sort(dark[y, x[None]], axis=1)[:, :_DARKEST_LEFT].mean(axis=1)
            profile = np.convolve(profile, [0.25, 0.5, 0.25], mode="same")
            best = int(profile.argmax())
            found[row, column] = steps[best], profile[best] - np.median(profile)
    return found


def _smooth(found: Floats, degree: int) -> Floats:
    """Fit a polynomial surface to offsets at the segments (10, 9, 2), robustly; its values (10, 10)."""
    rows, columns = np.mgrid[0:10, 0:9].astype(np.float64)
    design = _powers(rows.ravel() / 4.5 - 1, (columns.ravel() + 0.5) / 4.5 - 1, degree)
    offset, weight = found[..., 0].ravel().astype(np.float64), found[..., 1].ravel().astype(np.float64)
    trust = np.ones_like(weight)
    for _ in range(_ROUNDS):
        scale = np.sqrt(np.maximum(weight * trust, 1e-9))[:, None]
        ridge = 1e-3 * scale.mean() * np.eye(design.shape[1])
        left = np.vstack([design * scale, ridge])
        right = np.concatenate([offset * scale[:, 0], np.zeros(design.shape[1])])
        coefficients = np.linalg.lstsq(left, right, rcond=None)[0]
        rest = np.abs(design @ coefficients - offset)
        trust = 1 / (1 + (rest / _TRUSTED) ** 2)
    rows, columns = np.mgrid[0:10, 0:10].astype(np.float64)
    surface = _powers(rows.ravel() / 4.5 - 1, columns.ravel() / 4.5 - 1, degree) @ coefficients
    return np.asarray(surface, np.float32).reshape(10, 10)


def _powers(x: NDArray[np.float64], y: NDArray[np.float64], degree: int) -> NDArray[np.float64]:
    return np.stack([x**i * y**j for i in range(degree + 1) for j in range(degree + 1 - i)], axis=1)
