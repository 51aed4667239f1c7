"""Bend the flat page, photograph it, and put a table behind it.

The bent paper is described by formulas. They give the exact point in the picture for each point of the page.
But to draw the picture, the reverse is needed: the point of the page for each pixel. Newton's method finds
this point for the pixels of a coarse grid. For the pixels in between, the point is interpolated.

Points of the page are in page pixels, points of the picture in picture pixels. For both, (0, 0) is the outer
corner of the top left pixel. Points in space are in units of the grid's side: x right, y down, z towards the
camera.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.geometry import UNIT_SQUARE, cross, homography_between, project
from sudoku_vision.values import Image
from workshop.rendering.conditions import Bend, Conditions, Pose
from workshop.rendering.page import Page

Points = NDArray[np.float64]

RASTER = 8  # distance between the pixels for which Newton's method is used, in pixels
_MARGIN = 2.0  # smallest distance between the first grid and the edge of the picture, in pixels
_GUTTER_WIDTH = 0.16
"""A page bends down into the fold of a book. At this distance from the fold, in sides of the grid, the depth
of the page is about 1/e of ``Bend.gutter``."""
_FOLD_WIDTH = 0.035  # width over which the bottom of the fold is rounded, in sides of the grid
_CREASE_WIDTH = 0.006  # width over which the edge of a crease is rounded, in sides of the grid
_REACH = 6.0  # the paper is computed up to this distance from the grid's middle, in sides of the grid
_NEWTON_STEPS = 7
_GRAIN = 0.15  # standard deviation of the brightness of a table top, as a share of its mean


Profile = Callable[[Points], tuple[Points, Points]]
"""A function that describes a bent strip of paper, seen from the side. Its argument: distances of points from
the middle, measured along the paper. It returns the horizontal positions and the heights of the points."""


Lift = Callable[[Points], Points]
"""The shape of bent paper: a function of points on the flat page (N, 2). It returns their
points in space (N, 3). Both are in sides of the grid."""


def bent_paper(bend: Bend, spine: float | None, rng: Generator) -> Lift:
    """Return a random shape of bent paper.

    *spine*: the x coordinate of the fold of a book, in sides of the grid from the grid's middle; None for no
    fold.
    """
    across = np.linspace(-_REACH, _REACH, 4001)
    gutter = _profile(across, -bend.gutter * np.exp(-np.hypot(across, _FOLD_WIDTH) / _GUTTER_WIDTH))
    arch = _profile(across, bend.arch * np.cos(np.pi * 0.9 * np.clip(across, -1.1, 1.1)))
    along = np.array([np.cos(np.deg2rad(bend.direction)), np.sin(np.deg2rad(bend.direction))])
    waves, creases = _waves(bend, rng), _creases(bend, rng)

    def lift(flat: Points) -> Points:
        x, y = flat[:, 0].copy(), flat[:, 1].copy()
        z = np.zeros(len(flat))
        if bend.gutter > 0 and spine is not None:
            moved, z = gutter(x - spine)
            x = moved + spine
        if bend.arch != 0:
            length = x * along[0] + y * along[1]
            moved, height = arch(length)
            x, y, z = x + (moved - length) * along[0], y + (moved - length) * along[1], z + height
        ripples = np.zeros(len(flat))
        for kx, ky, phase, amplitude in waves:
            ripples += amplitude * np.sin(kx * flat[:, 0] + ky * flat[:, 1] + phase)
        for nx, ny, offset, slope in creases:
            ripples += slope * np.hypot(flat[:, 0] * nx + flat[:, 1] * ny - offset, _CREASE_WIDTH)
        return np.stack([x, y, z + ripples], axis=1)

    return lift


def _profile(across: Points, height: Points) -> Profile:
    """Return the profile through points with the horizontal positions *across* and the heights *height*."""
    steps = np.hypot(np.diff(across), np.diff(height))
    length = np.concatenate([[0.0], np.cumsum(steps)])
    length -= np.interp(0.0, across, length)
    return lambda at: (np.interp(at, length, across), np.interp(at, length, height))


def _waves(bend: Bend, rng: Generator) -> Points:
    """Return waves as rows (kx, ky, phase, amplitude)."""
    if bend.waves <= 0:
        return np.zeros((0, 4))
    angle, length = rng.uniform(0, np.pi, 4), rng.uniform(0.5, 1.6, 4)
    k = 2 * np.pi / length
    height = bend.waves * length * rng.uniform(0.4, 1, 4)
    return np.stack([k * np.cos(angle), k * np.sin(angle), rng.uniform(0, 7, 4), height], axis=1)


def _creases(bend: Bend, rng: Generator) -> Points:
    """Return creases as rows (nx, ny, offset, slope).

    (nx, ny) is the unit normal of the crease's line, and *offset* the line's distance from the middle.
    *slope*: how steeply the paper rises on both sides of the line; if it is negative, the paper falls.
    """
    count = bend.creases
    angle = rng.uniform(0, np.pi, count)
    if 0 < count <= 3:  # a page with few creases was folded parallel to its sides
        angle = rng.integers(0, 2, count) * (np.pi / 2) + rng.normal(0, 0.02, count)
    slope = 4 * bend.crease_height * rng.normal(0, 1, count)
    return np.stack([np.cos(angle), np.sin(angle), rng.uniform(-0.7, 0.7, count), slope], axis=1)


@dataclass(frozen=True, eq=False)
class CameraView:
    """A page in front of a camera."""

    origin: tuple[float, float]  # middle of the first grid in page pixels
    side: float  # side of the first grid in page pixels
    lift: Lift
    rotation: Points  # matrix (3, 3) that turns the page
    distance: float  # distance of the page from the camera, in sides of the grid
    focal: float  # focal length in picture pixels
    centre: tuple[float, float]  # where the middle of the grid appears in the picture

    def project(self, page: Points) -> Points:
        """Return the points (..., 2) in the picture for points (..., 2) of the page."""
        flat = (page.reshape(-1, 2) - self.origin) / self.side
        seen = self._camera(self.lift(flat))
        return seen.reshape(page.shape)

    def unproject(self, picture: Points) -> Points:
        """Return the points (N, 2) of the page for points (N, 2) of the picture, found by Newton's method."""
        corners = UNIT_SQUARE - 0.5
        plane = self._camera(np.hstack([corners, np.zeros((4, 1))]))
        flat = project(picture, homography_between(plane, corners))
        flat = np.clip(np.nan_to_num(flat), -_REACH, _REACH)
        for _ in range(_NEWTON_STEPS):
            here, right, down = _differences(lambda at: self._camera(self.lift(at)), flat, 1e-4)
            miss, det = here - picture, cross(right, down)
            det = np.where(np.abs(det) < 1e-6, 1e-6, det)
            step = np.stack([cross(miss, down), cross(right, miss)], axis=1) / det[:, None]
            flat = np.clip(flat - step, -_REACH, _REACH)
        return np.asarray(flat * self.side + np.array(self.origin))

    def slopes(self, page: Points) -> Points:
        """Return the slopes (N, 2) of the paper, to the right and down, at points (N, 2) of the page."""
        flat = (page - self.origin) / self.side
        _, right, down = _differences(lambda places: self.lift(places)[:, 2], flat, 2e-3)
        return np.stack([right, down], axis=1)

    def _camera(self, space: Points) -> Points:
        turned = (space * [1, 1, -1]) @ self.rotation.T
        depth = np.maximum(turned[:, 2] + self.distance, 0.05)
        return np.asarray(self.focal * turned[:, :2] / depth[:, None] + np.array(self.centre))


def _differences(
    function: Callable[[Points], Points], at: Points, step: float
) -> tuple[Points, Points, Points]:
    """Return the values of *function* at points (N, 2), and its derivatives with respect to x and y."""
    here = function(at)
    right, down = ((function(at + step * way) - here) / step for way in np.eye(2))
    return here, right, down


def aim(page: Page, conditions: Conditions, rng: Generator) -> CameraView:
    """Return a camera view in which the first grid of *page* lies completely in the picture."""
    view = stand(page, conditions.pose, conditions.size, conditions.bend, rng)
    for _ in range(4):
        view = _fitted(view, page.grids[0].crossings, conditions.size)
    return view


def stand(page: Page, pose: Pose, size: tuple[int, int], bend: Bend, rng: Generator) -> CameraView:
    """Return the view of a camera in a *pose*. A part of the page's first grid can be outside of the picture.

    *size*: width and height of the picture in pixels.
    """
    grid = page.grids[0]
    side = 9 * grid.cell
    origin = (grid.left + side / 2, grid.top + side / 2)
    width, height = size
    spine = None if page.spine is None else (page.spine - origin[0]) / side
    focal = pose.focal * max(width, height)
    return CameraView(
        origin,
        side,
        bent_paper(bend, spine, rng),
        _rotation(pose),
        focal / (pose.fill * min(width, height)),
        focal,
        (width * (0.5 + pose.shift[0]), height * (0.5 + pose.shift[1])),
    )


def _rotation(pose: Pose) -> Points:
    pitch, yaw = np.deg2rad(pose.pitch), np.deg2rad(pose.yaw)
    roll = np.deg2rad(pose.roll + 90 * pose.quarter_turns)
    about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    about_y = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    return np.asarray(about_z @ about_x @ about_y)


def _fitted(view: CameraView, crossings: Points, size: tuple[int, int]) -> CameraView:
    """Return *view* with the page farther away or moved, so that more *crossings* are in the picture."""
    seen = view.project(crossings).reshape(-1, 2)
    low, high = seen.min(axis=0), seen.max(axis=0)
    room = np.array(size) - 2 * _MARGIN
    scale = float(min(1.0, (room / (high - low)).min()))
    if scale < 1:
        return replace(view, distance=view.distance / (0.99 * scale))
    shift = np.maximum(_MARGIN - low, 0) - np.maximum(high - (np.array(size) - _MARGIN), 0)
    return replace(view, centre=(view.centre[0] + float(shift[0]), view.centre[1] + float(shift[1])))


def photograph(page: Page, view: CameraView, size: tuple[int, int]) -> tuple[Image, Points]:
    """Return the page as the camera sees it, in a picture of *size* (width, height) in pixels.

    The picture (H, W, 4) uint8 is black beside the page; its fourth channel is 255 on the page. Also returns
    the points of the page (h, w, 2) for every :data:`RASTER`-th pixel.
    """
    columns, rows = -(-size[0] // RASTER) + 1, -(-size[1] // RASTER) + 1
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    grid: Points = np.stack([x, y], axis=-1).astype(np.float64) * RASTER
    places = view.unproject(grid.reshape(-1, 2)).reshape(rows, columns, 2)
    source = _dense(places, size)
    sheet = np.dstack([page.canvas.pixels, np.full(page.canvas.pixels.shape[:2], 255, np.uint8)])
    seen = cv2.remap(
        sheet, source[:, :, 0], source[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    )
    return np.asarray(seen, np.uint8), places


def _dense(places: Points, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return the page's point at each pixel, (H, W, 2). *places*: the points at every RASTER-th pixel."""
    x = (np.arange(size[0], dtype=np.float32) + 0.5) / RASTER
    y = (np.arange(size[1], dtype=np.float32) + 0.5) / RASTER
    across, down = np.meshgrid(x, y)
    dense = cv2.remap(
        places.astype(np.float32), across, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(dense - np.float32(0.5), np.float32)  # in OpenCV, (0, 0) is the centre of a pixel


def on_table(seen: Image, conditions: Conditions, rng: Generator) -> Image:
    """Return *seen*, a picture made by :func:`photograph`, on a random table, (H, W, 3) uint8."""
    if seen[:, :, 3].min() == 255:
        return seen[:, :, :3]
    return lay_on(seen, table_top(conditions, rng))


def lay_on(seen: Image, table: NDArray[np.float32]) -> Image:
    """Lay *seen*, a picture made by :func:`photograph`, on a *table* (H, W, 3).

    The page gets a soft shadow.
    """
    height, width = seen.shape[:2]
    small = cv2.resize(seen[:, :, 3], (max(width // 8, 1), max(height // 8, 1)), interpolation=cv2.INTER_AREA)
    spread = cv2.GaussianBlur(small.astype(np.float32) / 255, (0, 0), max(1.0, min(width, height) / 8 * 0.02))
    shade = cv2.resize(1 - 0.55 * spread, (width, height), interpolation=cv2.INTER_LINEAR)
    cover = seen[:, :, 3:].astype(np.float32) / 255
    # Only the table is multiplied by its visible share: ``seen`` is already black beside the page.
    mixed = seen[:, :, :3] + (1 - cover) * (table * shade[:, :, None])
    return np.asarray(np.clip(mixed + 0.5, 0, 255), np.uint8)


def table_top(conditions: Conditions, rng: Generator) -> NDArray[np.float32]:
    """Return a random table top (H, W, 3) float32, with a texture that resembles wood or cloth."""
    across = int(rng.integers(2, 6)), int(rng.integers(30, 90))
    if rng.random() < 0.5:
        across = across[::-1]
    fine = (2 * across[0], 5 * across[1]) if across[0] < across[1] else (5 * across[0], 2 * across[1])
    grain, finer, patches = (
        cv2.resize(rng.standard_normal(shape, np.float32), conditions.size, interpolation=cv2.INTER_CUBIC)
        for shape in (across, fine, (4, 5))
    )
    tone = 1 + _GRAIN * (0.5 * (0.8 * grain + 0.5 * finer) + 0.5 * patches)
    return np.asarray(np.maximum(tone, 0)[:, :, None] * np.asarray(conditions.table, np.float32), np.float32)
