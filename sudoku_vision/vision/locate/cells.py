"""Proposals from cells: pieces of paper between lines are linked to their neighbours and numbered.

The lines divide the paper into small four-sided pieces. Neighbouring pieces are linked, and the linked ones
are numbered by column and row, as on a chessboard. This needs no outer border, works if print touches the
border, and follows a page that bends. If the thin lines are too faint to divide the cells, the pieces are
whole boxes.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
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
from sudoku_vision.vision.locate.outline import Contour, sized_contours, upright
from sudoku_vision.vision.locate.surface import CROSSINGS, SIDES, GridSurface, Net, flat_surface

MIN_CELL_AREA = 36.0  # square pixels: a cell of 6 px a side is the smallest that still holds a legible digit
MAX_CELL_SHARE = 1 / 7
"""Largest share of the picture that one piece may fill; the boxes of a grid that fills it all have 1/9."""
MAX_EXAMINED = 2000  # pieces of paper whose shape is examined: the largest ones

# Four-sided pieces, by their convex hull.
MIN_FILL = 0.72  # share of its hull that a piece must fill; a digit that touches a line takes a part away
CORNER_TOLERANCE = 0.1
"""How far corners may be cut off, in sums of both sides, to simplify a hull to four corners."""

LINKED_AT_ONCE = 32  # pieces whose neighbours are searched at once; more would not fit into fast memory

# Neighbours; lengths are in sides of a cell without its lines.
CELL_STEP = 1.12  # distance of neighbouring cell centres: a cell and a line
STEP_TOLERANCE = 0.38  # how far a neighbour may lie from its expected place; half a cell would be ambiguous

# Grids.
NEARLY_FULLEST = 0.9  # share of the pieces of the fullest window that another window must hold
MIN_FITTED = 6  # linked pieces that are needed to fit a homography; any four would fit
MAX_WINDOWS = 9  # windows of 9x9 cells that are proposed for one group of linked cells
MIN_BENT = 54  # cells of a window, two thirds, that must be seen to tell how it is bent
BENT_TERMS = 10  # terms of its surface: all up to the third degree
STRAY = 0.25  # steps by which a centre may miss its place: a digit may take a part of its cell away


@dataclass(frozen=True, eq=False)
class Cells:
    """Four-sided pieces of paper: centres (N, 2), two sides (N, 2, 2) as vectors, areas (N,), in pixels."""

    centres: Points
    sides: Points
    areas: Array


def cell_proposals(paper: Image) -> Iterator[GridSurface]:
    """Propose grids from the pieces of a mask of paper, best-filled windows first.

    The pieces are cells, or whole boxes of 3x3 cells if the thin lines are too faint to divide them. Cells
    that lie far from even ones, as those beside the spine of a book, also propose a bent surface.
    """
    sized = sized_pieces(paper)
    if len(sized) < MIN_FITTED:
        return
    cells = find_cells(sized)
    for group in sorted(number_cells(link_cells(cells)), key=len, reverse=True):
        places = np.array(list(group), np.float64)
        centres = cells.centres[list(group.values())]
        may_be_boxes = np.ptp(places, axis=0).max() + 1 < 9
        for span in (9, 3) if may_be_boxes else (9,):
            for first in windows(places, span):
                for homography in fit_window(places - first, centres, span):
                    yield flat_surface(upright(homography))
                    if span == 9:
                        yield from bent_surface(homography, places - first, centres)


def sized_pieces(paper: Image) -> list[tuple[float, Contour]]:
    """Return the areas and contours of the pieces of a mask of paper that have the size of cells."""
    return sized_contours(paper, MIN_CELL_AREA, MAX_CELL_SHARE * paper.size)


def find_cells(sized: list[tuple[float, Contour]]) -> Cells:
    """Find four-sided pieces among the largest pieces of paper, given by their areas and contours."""
    largest = sorted(sized, key=lambda item: -item[0])[:MAX_EXAMINED]
    found = [(size, four_corners(contour, size)) for size, contour in largest]
    areas = np.array([size for size, outline in found if outline is not None])
    corners = np.array([outline for _, outline in found if outline is not None], np.float64).reshape(-1, 4, 2)
    first = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    second = (corners[:, 2] - corners[:, 1] + corners[:, 3] - corners[:, 0]) / 2
    turn = cross(first, second)
    sides = np.stack([first, second], axis=1)
    sides = np.where((turn > 0)[:, None, None], sides, sides[:, ::-1])
    return Cells(corners.mean(axis=1), sides, areas)


def four_corners(contour: Contour, size: float) -> Anywhere | None:
    """Return the corners (4, 2) of a contour with the area *size*; None if it is far from convex.

    They are those of the hull if it has four, else those of the smallest rectangle around it.
    """
    hull = cv2.convexHull(contour)
    if size < MIN_FILL * cv2.contourArea(hull):
        return None
    rectangle = cv2.minAreaRect(hull)
    corners = cv2.approxPolyDP(hull, CORNER_TOLERANCE * sum(rectangle[1]), True)
    return corners[:, 0] if len(corners) == 4 else cv2.boxPoints(rectangle)


def link_cells(cells: Cells) -> NDArray[np.int64]:
    """Return the neighbours of each cell in the directions +first, +second, -first, -second, (N, 4).

    -1 stands for none. Links are mutual: two cells must choose each other.
    """
    count = len(cells.areas)
    links = np.full((count, 4), -1, np.int64)
    if count < 2:
        return links
    inverse = np.asarray(np.linalg.inv(cells.sides.transpose(0, 2, 1)), np.float64)
    for first in range(0, count, LINKED_AT_ONCE):
        some = slice(first, first + LINKED_AT_ONCE)
        links[some] = _nearest(cells, inverse[some], np.arange(count)[some])
    back = links[links]  # (N, 4, 4): the neighbours of each neighbour
    chosen_back = (back == np.arange(count)[:, None, None]).any(axis=2) & (links >= 0)
    return np.where(chosen_back, links, -1)


def _nearest(cells: Cells, inverse: Array, some: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the neighbours that *some* cells (K,) choose, (K, 4).

    *inverse* (K, 2, 2) are the inverse matrices of their sides.
    """
    x, y = cells.centres.T
    dx, dy = x - x[some, None], y - y[some, None]
    u, v = (inverse[:, i, 0, None] * dx + inverse[:, i, 1, None] * dy for i in range(2))
    square = u * u + v * v  # of the distance in sides; infinite for the cell itself
    rows = np.arange(len(some))
    square[rows, some] = np.inf
    links = np.full((len(some), 4), -1, np.int64)
    for direction, (right, down) in enumerate(SIDES):
        aside = -2 * CELL_STEP * (right * u if right else down * v)
        distance = square + aside  # squared distance to the place one step away, minus the square of a step
        nearest = distance.argmin(axis=1)
        close = distance[rows, nearest] + CELL_STEP**2 < STEP_TOLERANCE**2
        links[close, direction] = nearest[close]
    return links


def number_cells(links: NDArray[np.int64]) -> Iterator[dict[tuple[int, int], int]]:
    """Follow the links (N, 4) and number every connected group: (column, row) -> cell, with any origin.

    The first side of a cell may be any of its sides. A link that is known from both ends shows by how many
    quarter turns two neighbours differ.
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
    """Return the first places (column, row) of the windows of *span* x *span* that hold the most pieces.

    *places* (N, 2) are the columns and rows of the numbered pieces.
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
        if held.flat[flat] >= NEARLY_FULLEST * held.max()
    ]


def fit_window(places: Array, centres: Points, span: int) -> Iterator[Homography]:
    """Yield the homography of one window through its centres, if any; *places* are relative to the window.

    It may be turned or mirrored.
    """
    inside = ((places >= 0) & (places < span)).all(axis=1)
    source = (places[inside] + 0.5) * 9 / span
    target = centres[inside]
    if len(source) < MIN_FITTED:
        return
    step = extent(target) / np.sqrt(len(source))
    fitted = fit_homography_robustly(source, target, STRAY * step)
    if fitted is not None:
        yield fitted[0]


def bent_surface(homography: Homography, places: Array, centres: Points) -> Iterator[GridSurface]:
    """Yield the surface through the *centres* (N, 2) of the cells of a window, if it is bent much.

    It is if a crossing lies so far off that the first round of a fit would not find its lines.
    *homography* is that of the window, *places* (N, 2) are the cells' columns and rows in it.
    """
    inside = ((places >= 0) & (places < 9)).all(axis=1)
    if np.count_nonzero(inside) < MIN_BENT:
        return
    flat = upright(homography)
    to_units: Homography = np.asarray(np.linalg.inv(flat), np.float64)
    net = Net(project(places[inside] + 0.5, np.asarray(to_units @ homography, np.float64)))
    terms = net.terms[:, :BENT_TERMS]
    off = project(centres[inside], to_units) - net.units
    near = np.full(len(off), True)
    for _ in range(2):
        bend = np.linalg.lstsq(terms[near], off[near], rcond=None)[0]
        near = np.abs(terms @ bend - off).max(axis=1) < STRAY
        if np.count_nonzero(near) < MIN_BENT:
            return
    if np.abs(CROSSINGS.terms[:, :BENT_TERMS] @ bend).max() > FIT_ROUNDS[0].reach:
        yield GridSurface(flat, bend)
