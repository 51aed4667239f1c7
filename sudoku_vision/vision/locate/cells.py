"""Propose grids from cells: find the pieces of paper between lines, link neighbours, and number them.

The lines divide the paper into small four-sided pieces. Neighbouring pieces are linked, and linked pieces are
numbered by column and row, as on a chessboard. This method needs no outer border. So it works even if print
touches the border. It also works if the page is bent. If the thin lines are too faint to divide the cells,
the pieces are whole boxes.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
    CELLS,
    TINY,
    Anywhere,
    Array,
    Homography,
    Points,
    cross,
    extent,
    fit_homography_robustly,
    project,
)
from sudoku_vision.values import Image
from sudoku_vision.vision.locate.fit import FIT_ROUNDS
from sudoku_vision.vision.locate.lines import NEARLY_ALL
from sudoku_vision.vision.locate.outline import Contour, sized_contours, upright
from sudoku_vision.vision.locate.score import MOST
from sudoku_vision.vision.locate.surface import CROSSINGS, SIDES, TERMS, GridSurface, Net

MIN_CELL_AREA = 36.0  # a cell has at least this area, in square pixels: with 6 x 6 pixels, a digit is legible
MAX_EXAMINED = 1000
"""At most this many pieces of paper are examined, the largest ones. A samurai sudoku has 369 cells."""

# The next constants are limits for four-sided pieces. A hull is the convex hull of a piece. The smallest
# rectangle around a hull may be rotated.
MIN_FILL = 0.72
"""A piece must fill at least this share of its hull. A digit that touches a line can cover the rest.

The hull must also fill at least this share of the smallest rectangle around it. A triangle fills only half of
its rectangle. A square that is seen at an angle fills more than this share.
"""
MAX_ASPECT = 3.2
"""A piece is at most this many times as long as wide. A square that is tilted by 72 degrees away from
the camera has this ratio."""
RECTANGULAR = 0.8
"""If a hull fills more than this share of the smallest rectangle around it, the corners of the rectangle are
taken for the corners of the piece."""
CORNER_TOLERANCE = 0.1
"""The greatest distance between a hull and its simplified polygon. The unit is the sum of the width and the
height of the smallest rectangle around the hull."""

LINKED_AT_ONCE = 32
"""The neighbours of this many pieces are searched together. Arrays for more would not fit the CPU cache."""

# The next constants are for neighbours; the unit of length is the side of a cell.
STEP_TOLERANCE = 0.38
"""The centre of a neighbour is less than this far from its expected place. If a digit covers a part of a
cell, the centre of the visible part isn't the centre of the cell.

If the limit were 0.5, two cells could match the same expected place.
"""
MAX_LOG_AREA_RATIO = 0.8
"""Two cells can be neighbours only if the natural logarithm of the ratio of their areas is less than this.

So the ratio can be up to 2.2. The limit is so high because a digit can split a cell into smaller pieces.
"""

# The next constants are for grids. A place is a column and a row in a group of linked pieces. A window is a
# square of places.
MIN_FITTED = 6  # a homography is fitted to at least this many pieces; four pieces would always fit exactly
MIN_SPREAD = 2
"""The last column of the fitted pieces must be at least this many columns after their first column. Rows have
the same limit."""
MAX_BOXES_ACROSS = 5
"""The pieces of a group are tried as boxes only if the group has at most this many columns and rows. A grid
has three columns and three rows of boxes. On each side, there can be one more piece: a part of a frame.

Without this limit, 9 % more proposals are scored on newspaper photos, and no further grid is found.
"""
MAX_WINDOWS = 9  # at most this many windows of one size are proposed for one group of linked pieces


@dataclass(frozen=True, eq=False)
class Cells:
    """N four-sided pieces of paper: their centres, two sides of each piece as vectors, and their areas.

    Lengths are in pixels, areas in square pixels.
    """

    centres: Points
    sides: Points
    areas: Array


def cell_proposals(paper: Image) -> Iterator[GridSurface]:
    """Yield proposals of grids from a mask of *paper*: from the largest group of linked pieces first.

    A piece is a cell. But if the thin lines are too faint to divide the boxes, a piece is a whole box of 3x3
    cells. If the page is strongly bent, for example near the spine of a book, a bent surface is proposed,
    too.
    """
    cells = find_cells(paper)
    for group in sorted(number_cells(link_cells(cells)), key=len, reverse=True):
        places = np.array(list(group), np.float64)
        centres = cells.centres[list(group.values())]
        may_be_boxes = np.ptp(places, axis=0).max() + 1 <= MAX_BOXES_ACROSS
        for span in (9, 3) if may_be_boxes else (9,):
            for first in windows(places, span):
                for homography in fit_window(places - first, centres, span):
                    yield GridSurface(upright(homography))
                    if span == 9:
                        yield from bent_surface(homography, places - first, centres)


def find_cells(paper: Image) -> Cells:
    """Return the four-sided pieces among the largest connected pieces of a mask of *paper*."""
    largest = sorted(sized_contours(paper, MIN_CELL_AREA), key=lambda item: -item[0])[:MAX_EXAMINED]
    found = [(size, four_corners(contour, size)) for size, contour in largest]
    areas = np.array([size for size, outline in found if outline is not None])
    corners = np.array([outline for _, outline in found if outline is not None], np.float64).reshape(-1, 4, 2)
    first = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    second = (corners[:, 2] - corners[:, 1] + corners[:, 3] - corners[:, 0]) / 2
    turn = cross(first, second)
    sides = np.stack([first, second], axis=1)
    sides = np.where((turn > 0)[:, None, None], sides, sides[:, ::-1])
    spans = np.abs(turn) > TINY  # the two sides aren't parallel
    return Cells(corners[spans].mean(axis=1), sides[spans], areas[spans])


def four_corners(contour: Contour, size: float) -> Anywhere | None:
    """Return the corners (4, 2) of a piece with this *contour* and area (*size*); None if it is no cell.

    The corners are those of the smallest rectangle around the piece. But if the rectangle is much larger than
    the convex hull, and the simplified hull has four corners, these four are returned.
    """
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if size < MIN_FILL * hull_area:
        return None
    rectangle = cv2.minAreaRect(hull)
    width, height = rectangle[1]
    shorter, longer = (width, height) if width < height else (height, width)
    if longer > MAX_ASPECT * shorter:
        return None
    if hull_area < MIN_FILL * width * height:
        return None
    if hull_area <= RECTANGULAR * width * height:
        corners = cv2.approxPolyDP(hull, CORNER_TOLERANCE * (width + height), True)
        if len(corners) == 4:
            return corners[:, 0]
    return cv2.boxPoints(rectangle)


def link_cells(cells: Cells) -> NDArray[np.int64]:
    """Return the indices (N, 4) of the four neighbours of each cell; -1 means no neighbour.

    The four directions are those of the cell's first side and second side, and the two opposite directions.
    Two cells are linked only if each cell is the nearest neighbour of the other.
    """
    count = len(cells.areas)
    links = np.full((count, 4), -1, np.int64)
    if count < 2:
        return links
    inverse = np.asarray(np.linalg.inv(cells.sides.transpose(0, 2, 1)), np.float64)
    down = np.argsort(cells.centres[:, 1], kind="stable")
    heights = cells.centres[down, 1]
    farthest = (1 + STEP_TOLERANCE) * np.abs(cells.sides[..., 1]).sum(axis=1)
    for first in range(0, count, LINKED_AT_ONCE):
        some = down[first : first + LINKED_AT_ONCE]
        reach = farthest[some].max()
        low, high = np.searchsorted(heights, heights[[first, first + len(some) - 1]] + [-reach, reach])
        links[some] = _nearest(cells, inverse[some], some, np.sort(down[low:high]))
    back = links[links]  # (N, 4, 4): the four neighbours of each neighbour
    chosen_back = (back == np.arange(count)[:, None, None]).any(axis=2) & (links >= 0)
    return np.where(chosen_back, links, -1)


def _nearest(
    cells: Cells, inverse: Array, some: NDArray[np.int64], others: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the nearest neighbours (K, 4) of K cells in four directions; -1 means no neighbour.

    *some* (K,) holds the indices of the K cells. *others* (M,) holds the indices of all cells at about the
    same height in the picture. *inverse* (K, 2, 2) holds a matrix for each of the K cells: it maps a vector
    in pixels to multiples of the two sides of the cell.
    """
    (x, y), (near_x, near_y) = cells.centres[others].T, cells.centres[some].T
    dx, dy = x - near_x[:, None], y - near_y[:, None]
    u, v = (inverse[:, i, 0, None] * dx + inverse[:, i, 1, None] * dy for i in range(2))
    square = u * u + v * v  # squared distance, in sides of the cell; later infinite if no link is possible
    size, own_size = np.log(cells.areas[others]), np.log(cells.areas[some])
    square[np.abs(size - own_size[:, None]) >= MAX_LOG_AREA_RATIO] = np.inf
    square[others == some[:, None]] = np.inf
    rows = np.arange(len(some))
    links = np.full((len(some), 4), -1, np.int64)
    for direction, (right, down) in enumerate(SIDES):
        aside = -2 * (right * u if right else down * v)
        distance = square + aside  # squared distance from the expected place, minus 1; the 1 is added below
        nearest = distance.argmin(axis=1)
        close = distance[rows, nearest] + 1 < STEP_TOLERANCE**2
        links[close, direction] = others[nearest[close]]
    return links


def number_cells(links: NDArray[np.int64]) -> Iterator[dict[tuple[int, int], int]]:
    """Yield each group of linked cells, as a dictionary from (column, row) to the index of a cell.

    *links* (N, 4) is the result of :func:`link_cells`. One cell of a group has the place (0, 0); other cells
    can have negative columns and rows. Any side of a cell can be its first side. So the direction with the
    number 0 can point to the right for one cell, and down for a linked cell. Each link has a direction number
    in both of its cells. The two numbers show by how many quarter turns the directions of the cells differ.
    """
    seen: set[int] = set()
    table = links.tolist()
    for start in range(len(table)):
        if start in seen:
            continue
        group = {(0, 0): start}
        turn = {start: 0}
        queue = deque([(start, 0, 0)])
        while queue:
            cell, column, row = queue.popleft()
            for direction, (dx, dy) in enumerate(SIDES):
                neighbour = table[cell][(direction + turn[cell]) % 4]
                place = (column + dx, row + dy)
                if neighbour < 0 or neighbour in turn or place in group:
                    continue
                turn[neighbour] = (table[neighbour].index(cell) - direction - 2) % 4
                group[place] = neighbour
                queue.append((neighbour, *place))
        seen.update(turn)
        if len(group) >= MIN_FITTED:
            yield group


def windows(places: Array, span: int) -> list[Array]:
    """Return the windows of *span* x *span* places that hold the most pieces.

    Each item of the result is an array: the first (column, row) of a window. A window is returned only if it
    holds nearly as many pieces as the fullest window. *places* (N, 2) holds the column and row of each piece.
    """
    low = places.min(axis=0).astype(int)
    size = places.max(axis=0).astype(int) - low + 1
    rim = span - 1
    filled = np.zeros((size[1] + 2 * rim, size[0] + 2 * rim), np.int32)
    index = places.astype(int) - low + rim
    filled[index[:, 1], index[:, 0]] = 1
    table = np.zeros((filled.shape[0] + 1, filled.shape[1] + 1), np.int64)
    table[1:, 1:] = filled.cumsum(0).cumsum(1)
    held = table[span:, span:] - table[span:, :-span] - table[:-span, span:] + table[:-span, :-span]
    order = np.argsort(-held, axis=None, kind="stable")[:MAX_WINDOWS]
    return [
        np.array([flat % held.shape[1], flat // held.shape[1]]) - rim + low
        for flat in order.tolist()
        if held.flat[flat] >= NEARLY_ALL * held.max()
    ]


def fit_window(places: Array, centres: Points, span: int) -> Iterator[Homography]:
    """Yield the homography from lattice units to pixels that fits the pieces in one window.

    *places* (N, 2) are the columns and rows of pieces, counted from the first column and row of the window.
    *centres* (N, 2) are the centres of the pieces in pixels. *span* is the side of the window. The grid can
    come out turned or mirrored. If too few pieces lie in the window, nothing is yielded.
    """
    inside = ((places >= 0) & (places < span)).all(axis=1)
    source = (places[inside] + 0.5) * 9 / span
    target = centres[inside]
    if len(source) < MIN_FITTED or np.ptp(places[inside], axis=0).min() < MIN_SPREAD:
        return
    step = extent(target) / np.sqrt(len(source))
    fitted = fit_homography_robustly(source, target, STEP_TOLERANCE * step)
    if fitted is not None:
        yield fitted[0]


def bent_surface(homography: Homography, places: Array, centres: Points) -> Iterator[GridSurface]:
    """Yield the surface through the centres of the cells of a window, if this surface is strongly bent.

    The surface has the degree of the last round of a fit. It is strongly bent if any of its crossings is
    farther from the flat surface than the first round of a fit reaches. Otherwise nothing is yielded, because
    a fit that starts from the flat surface finds the lines, too.

    *homography* is the flat surface of the window. *places* (N, 2) are the columns and rows of the cells in
    the window. *centres* (N, 2) are the centres of these cells in pixels.
    """
    inside = ((places >= 0) & (places < 9)).all(axis=1)
    if np.count_nonzero(inside) < MOST * CELLS**2:
        return
    flat = upright(homography)
    to_units: Homography = np.asarray(np.linalg.inv(flat), np.float64)
    net = Net(project(places[inside] + 0.5, np.asarray(to_units @ homography, np.float64)))
    used = sum(i + j <= FIT_ROUNDS[-1].degree for i, j in TERMS)
    terms = net.terms[:, :used]
    off = project(centres[inside], to_units) - net.units
    near = np.full(len(off), True)
    for _ in range(2):
        bend = np.linalg.lstsq(terms[near], off[near], rcond=None)[0]
        near = np.abs(terms @ bend - off).max(axis=1) < STEP_TOLERANCE
        if np.count_nonzero(near) < MOST * CELLS**2:
            return
    if np.abs(CROSSINGS.terms[:, :used] @ bend).max() > FIT_ROUNDS[0].reach:
        yield GridSurface(flat, bend)
