"""Straighten the cells of a grid by its lattice.

A map gives for each straightened pixel its place in the photo. The map is the sum of two parts: a homography
that is fitted to the 100 crossings, and a natural cubic spline through the remaining offsets of the
crossings. These offsets come from the bend of the page. Then ``cv2.remap`` samples the photo at these places.
"""

from functools import lru_cache

import cv2
import numpy as np

from sudoku_vision.geometry import CROSSINGS, fit_homography, project
from sudoku_vision.values import Doubles, Floats, Image
from sudoku_vision.vision.rectify.illumination import RIM, SIDE
from sudoku_vision.vision.results import Lattice, Photo

CELL = 40  # side of a rectified cell in pixels
_SHRINK_FROM = 1.7
"""If a straightened pixel covers at least this many photo pixels in width, the photo is first reduced. Each
pixel of the reduced photo is the mean of several pixels. Without this, sampling would skip photo pixels."""
_SURROUNDINGS = 2.0
"""The grid and a strip around it are cut out of the photo. The strip has this width, in straightened pixels.
The pixels at the edge of the grid are interpolated between pixels of the grid and pixels of the strip."""
_MAP_STEP = 4  # the map is computed at every fourth straightened pixel, because it hardly bends in between


def straighten(photo: Photo, lattice: Lattice, size: int = CELL) -> Image:
    """Return a square picture of each cell of a grid, in reading order: (81, size, size, 3) uint8 BGR.

    *size* is the side of each result, in pixels. If the cells are much larger in the photo, the part of the
    photo that shows the grid is first reduced by averaging. So no pixel is skipped, and a large photo takes
    little time.
    """
    pixels, within = _region(photo.pixels, lattice, size)
    map_x, map_y = _sampling_maps(within, size)
    four = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)  # remap is more than twice as slow with 3 channels
    straight = cv2.remap(four, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cells = np.ascontiguousarray(straight.reshape(9, size, 9, size, 4).transpose(0, 2, 1, 3, 4))
    three = cv2.cvtColor(cells.reshape(81 * size, size, 4), cv2.COLOR_BGRA2BGR)
    return np.asarray(three, np.uint8).reshape(81, size, size, 3)


def share_outside(lattice: Lattice, size: tuple[int, int]) -> Floats:
    """Return the share (0..1) of the inside of each cell that lies outside the picture, (81,) float32.

    *size* is the (width, height) of the picture. The inside is the part of a cell where its digit stands: the
    cell without its rim.
    """
    inside = np.linspace(RIM, 1 - RIM, SIDE)
    place = (np.arange(9)[:, None] + inside).ravel()
    weights = np.maximum(0, 1 - np.abs(place[:, None] - np.arange(10)))
    x, y = (weights @ lattice.crossings[..., axis] @ weights.T for axis in range(2))
    outside = (np.minimum(x, y) < 0) | (x > size[0] - 1) | (y > size[1] - 1)
    shares = outside.reshape(9, SIDE, 9, SIDE).mean(axis=(1, 3))
    return np.asarray(shares.ravel(), np.float32)


def _region(pixels: Image, lattice: Lattice, size: int) -> tuple[Image, Lattice]:
    """Return the part of the photo that shows the grid, and the lattice in pixels of this part.

    *size* is the side of the straightened cells, in pixels. If the cells are much larger than this in the
    photo, the part is reduced by averaging.
    """
    crossings = lattice.crossings.astype(np.float32)
    step = lattice.cell_size / size
    ends = np.array(pixels.shape[1::-1])
    low = np.floor(crossings.min(axis=(0, 1)) - _SURROUNDINGS * step).astype(int)
    high = np.ceil(crossings.max(axis=(0, 1)) + _SURROUNDINGS * step).astype(int)
    left, top = np.clip(low, 0, ends - 1)
    right, bottom = np.clip(high, (left + 1, top + 1), ends)  # the part has at least one pixel
    part = pixels[top:bottom, left:right]
    total = 1
    while step >= _SHRINK_FROM and min(part.shape[:2]) > step:
        # Reducing by 2 is fastest. So the part is reduced by 2 several times; only the last factor may be 3.
        # In the end, a straightened pixel covers less than _SHRINK_FROM pixels of the part in width.
        factor = 2 if step >= 2 * _SHRINK_FROM else int(step + (2 - _SHRINK_FROM))
        rows, columns = part.shape[0] // factor, part.shape[1] // factor
        whole = part[: rows * factor, : columns * factor]
        part = np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
        total, step = total * factor, step / factor
    offset = np.array([left, top], np.float32)
    return part, Lattice(np.asarray((crossings - offset + 0.5) / total - 0.5, np.float32))


@lru_cache(maxsize=4)
def _spline_weights(size: int) -> Floats:
    """Return the weights (9 * size + 2, 10) of a natural cubic spline through 10 values, one on each line.

    The product of the weights and the values is the spline at the pixel centres along a side of the grid. The
    side has *size* pixels in each cell, and one more pixel beyond each end.
    """
    knots = 10
    system = np.diag(np.full(knots, 4.0)) + np.diag(np.ones(knots - 1), 1) + np.diag(np.ones(knots - 1), -1)
    right = 6 * (np.eye(knots, k=1) - 2 * np.eye(knots) + np.eye(knots, k=-1))
    system[[0, -1]], right[[0, -1]] = 0, 0
    system[0, 0] = system[-1, -1] = 1
    # second[k, n] is the second derivative at knot k of the spline that is 1 at knot n and 0 at other knots.
    second = np.linalg.solve(system, right)
    place = _pixel_centres(size)
    index = np.clip(np.floor(place).astype(int), 0, knots - 2)
    after = (place - index)[:, None]
    before = 1 - after
    unit = np.eye(knots)
    weights = before * unit[index] + after * unit[index + 1]
    weights += ((before**3 - before) * second[index] + (after**3 - after) * second[index + 1]) / 6
    return np.asarray(weights, np.float32)


def _sampling_maps(lattice: Lattice, size: int) -> tuple[Floats, Floats]:
    """Return where each pixel of the straightened grid lies in the picture, in pixels of the picture.

    The places are two arrays (9 * size, 9 * size): one with x, one with y.
    """
    fitted = fit_homography(CROSSINGS, lattice.crossings.reshape(100, 2))
    homography = np.eye(3) if fitted is None else fitted
    coarse = size // _MAP_STEP if size % _MAP_STEP == 0 else size
    place = _pixel_centres(coarse).astype(np.float32)
    flat = homography.astype(np.float32)
    below = flat[2, 0] * place[None, :] + (flat[2, 1] * place[:, None] + flat[2, 2])
    rest = lattice.crossings - project(CROSSINGS, homography).reshape(10, 10, 2)
    weights = _spline_weights(coarse)
    maps = []
    for axis in range(2):
        along = flat[axis, 0] * place[None, :] + (flat[axis, 1] * place[:, None] + flat[axis, 2])
        along /= below
        along += weights @ rest[..., axis].astype(np.float32) @ weights.T
        step = size // coarse
        if step > 1:
            along = cv2.resize(along, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
        maps.append(np.asarray(along[step:-step, step:-step], np.float32))
    return maps[0], maps[1]


def _pixel_centres(size: int) -> Doubles:
    """Return the centres (9 * size + 2,) of the pixels along a side of the grid, in cells.

    A cell has *size* pixels. One more pixel is added beyond each end of the side.
    """
    return (np.arange(-1, 9 * size + 1) + 0.5) / size
