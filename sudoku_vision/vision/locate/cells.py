"""Proposals from cells: pieces of paper between lines are linked to their neighbours and numbered.

The lines divide the paper into small four-sided pieces. Neighbouring pieces are linked, and linked pieces are
numbered by column and row, as on a chessboard. This method needs no outer border. It works if print touches
the border, and follows a page that bends. If the thin lines are too faint to divide the cells, the pieces are
whole boxes.
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
from sudoku_vision.vision.locate.surface import CROSSINGS, SIDES, TERMS, GridSurface, Net, flat_surface

MIN_CELL_AREA = 36.0  # smallest area of a cell, in square pixels: with 6 px a side, a digit is still legible
MAX_EXAMINED = 1000
"""Limit for the pieces of paper whose shape is examined, the largest first; a samurai has 369 cells."""

# The next constants are limits for four-sided pieces. They use the convex hull of a piece, and the smallest
# rectangle around the hull, which may be rotated.
MIN_FILL = 0.72
"""Smallest share of its hull that a piece must fill: a digit that touches a line cuts off a part.

It is also the smallest share of its rectangle that a hull must fill: a triangle fills half, a tilted square
more.
"""
MAX_ASPECT = 3.2  # largest ratio of the longer to the shorter side: that of a square tilted by 72 degrees
RECTANGULAR = 0.8
"""If a hull fills more than this share of its rectangle, the piece gets the corners of the rectangle."""
CORNER_TOLERANCE = 0.1
"""Largest distance of a simplified hull from the hull, as a share of the rectangle's width plus height."""

LINKED_AT_ONCE = 32
"""Number of pieces whose neighbours are searched at once; arrays for more would not fit the CPU cache."""

# The next constants are for neighbours; the unit of length is the side of a cell.
STEP_TOLERANCE = 0.38
"""How far a cell may lie from its expected place: a digit may take away a part of it.

At half a cell, two cells could be the neighbour of a cell.
"""
MAX_LOG_AREA_RATIO = 0.8
"""Limit for the logarithm of the ratio of the areas of two neighbours.

This allows a ratio of 2.2, because a digit may split a cell.
"""

# The next constants are for grids. A window is a square of places in a group of linked cells.
MIN_FITTED = 6  # fewest linked pieces to which a homography is fitted; four pieces would always fit exactly
MIN_SPREAD = 2
"""Fewest steps from the first to the last column, and from the first to the last row, of fitted pieces."""
MAX_BOXES_ACROSS = 5
"""Pieces may be boxes if they have at most this many columns and rows: three boxes, and a frame around them.

Without this limit, 9 in 100 more proposals are scored on newspaper photos, and no other grid is found.
"""
MAX_WINDOWS = 9  # limit for the windows of one size that are proposed for one group of linked pieces


@dataclass(frozen=True, eq=False)
class Cells:
    """Four-sided pieces of paper: centres (N, 2), two sides (N, 2, 2) as vectors, and areas (N,).

    Lengths are in pixels, areas in square pixels.
    """

    centres: Points
    sides: Points
    areas: Array


def cell_proposals(paper: Image) -> Iterator[GridSurface]:
    """Propose grids from the pieces of a mask of paper: the largest groups of linked pieces first.

    A piece is a cell. But if the thin lines are too faint to divide the boxes, a piece is a whole box of 3x3
    cells. If a page is strongly bent, for example beside the spine of a book, a bent surface is proposed,
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
                    yield flat_surface(upright(homography))
                    if span == 9:
                        yield from bent_surface(homography, places - first, centres)


def find_cells(paper: Image) -> Cells:
    """Return the four-sided pieces among the largest pieces of a mask of paper."""
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
    """Return the corners (4, 2) of a *contour* that encloses *size* square pixels; None if it is no cell.

    They are the corners of its rectangle, or of its simplified hull if the rectangle is much larger.
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
    """Return the indices (N, 4) of the four neighbours of each cell, or -1 where a cell has no neighbour.

    The neighbours lie in the direction of the cell's first side, of its second side, and in the two opposite
    directions. Two cells are linked only if each is a neighbour of the other.
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
    """Return the cells (K, 4) that are nearest to *some* cells in four directions, or -1 if none is near.

    *some* (K,) are indices of cells, *others* (M,) those of all cells at about their height. *inverse*
    (K, 2, 2) holds the inverse matrices of the sides of *some*.
    """
    (x, y), (near_x, near_y) = cells.centres[others].T, cells.centres[some].T
    dx, dy = x - near_x[:, None], y - near_y[:, None]
    u, v = (inverse[:, i, 0, None] * dx + inverse[:, i, 1, None] * dy for i in range(2))
    square = u * u + v * v  # squared distance, in sides; it is infinite for cells that can't be neighbours
    size, own_size = np.log(cells.areas[others]), np.log(cells.areas[some])
    square[np.abs(size - own_size[:, None]) >= MAX_LOG_AREA_RATIO] = np.inf
    square[others == some[:, None]] = np.inf
    rows = np.arange(len(some))
    links = np.full((len(some), 4), -1, np.int64)
    for direction, (right, down) in enumerate(SIDES):
        aside = -2 * (right * u if right else down * v)
        distance = square + aside  # squared distance from the neighbour's expected place, minus 1
        nearest = distance.argmin(axis=1)
        close = distance[rows, nearest] + 1 < STEP_TOLERANCE**2
        links[close, direction] = others[nearest[close]]
    return links


def number_cells(links: NDArray[np.int64]) -> Iterator[dict[tuple[int, int], int]]:
    """Follow the links (N, 4), and yield each connected group as a dictionary from (column, row) to a cell.

    One cell of the group has the place (0, 0); other cells may have negative columns and rows. The first side
    of a cell may be any of its sides, so two linked cells may number their neighbours from different sides.
    Each of the two cells holds the link under a number, and these two numbers show by how many quarter turns
    the cells differ.
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
    """Return the first column and row of the windows of *span* x *span* places that hold the most pieces.

    These windows hold nearly as many pieces as the fullest one. *places* (N, 2) are the columns and rows of
    the numbered pieces. Each item of the result is an array (column, row).
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
    *centres* (N, 2) are the centres of the pieces in pixels. The homography may be turned or mirrored. If too
    few pieces lie in the window, nothing is yielded.
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

    It has the degree of the last round of a fit. The surface is not strongly bent if all crossings lie so
    near to the flat surface that the first round of a fit finds their lines.

    *homography* is the flat surface of the window. *places* (N, 2) are the columns and rows of the cells in
    the window, *centres* (N, 2) their centres in pixels.
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
