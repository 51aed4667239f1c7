"""Proposals from cells: the pieces of paper between lines, linked to their neighbours and numbered.

The paper between lines falls into small four-sided pieces. Pieces that have a neighbour one step away in each
direction are linked, and the linked ones numbered by column and row as on a chessboard. This needs no outer
border, does not mind print that touches it, and follows a page that bends. Where the thin lines are too faint
to part the cells, the pieces are whole boxes.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import Anywhere, Array, Homography, Points, cross, extent, fit_homography_robustly
from sudoku_vision.results import Image
from sudoku_vision.vision.locate.outline import Contour, sized_contours, upright

MIN_CELL_AREA = 36.0  # square pixels: a cell of 6 px a side is the smallest that still holds a legible digit
MAX_CELL_SHARE = 1 / 7
"""Largest share of the picture that one piece may fill (a grid that fills it all has boxes of 1/9)."""
MAX_EXAMINED = 2000  # most pieces of paper, the largest, of which is asked whether they are four-sided

# What is four-sided: shares of the piece's hull and of the smallest rectangle round it, which may lie askew.
LEAST_FILL = 0.72
"""Share of its hull that a piece of paper fills at least: a digit that touches its line eats into it."""
MAX_ASPECT = 3.2  # longer by shorter side of a cell: that of a square which is seen 72 degrees askew
LEAST_RECTANGULAR = 0.62
"""Share of its rectangle that a piece's hull fills at least: a triangle has a half, a square on end more."""
MOST_SKEWED = 0.8
"""Share of its rectangle from which on a hull is taken for that rectangle, whatever corners it has."""
CORNER_TOLERANCE = 0.1
"""How far corners may be cut off, in sums of both sides, for a piece to have no more than four of them."""
MIN_PARALLELOGRAM = 16.0
"""Square pixels: least area of the parallelogram of a cell's two sides; with less they are one direction."""

LINKED_AT_ONCE = 32
"""Pieces whose neighbours are looked for at once: the memory of many more would be fetched anew each time."""

# What are neighbours, in sides of a cell without its lines.
CELL_STEP = 1.12  # distance of neighbouring cell centres: a cell and a line
STEP_TOLERANCE = 0.38
"""How far a neighbour may lie from where it is expected; half a cell is as near to the next one."""
MAX_LOG_AREA_RATIO = 0.8
"""Natural logarithm of the ratio of two neighbours' areas: 2.2, as where a digit splits a cell."""
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps (columns, rows) to the four neighbours, a quarter turn apart."""

# What is a grid.
NEARLY_FULLEST = 0.9  # pieces that make a window worth a proposal, as a share of those in the fullest one
MIN_FITTED = 6  # linked pieces that it takes to fit a homography: two more than would fit any
MIN_SPREAD = 2
"""Steps between the first and last of the columns and rows that a homography is fitted to, at least."""
MAX_BOXES_ACROSS = 5
"""Columns and rows up to which a group may be one of boxes: three, and a frame round them."""
MAX_WINDOWS = 9  # most windows of 9x9 cells that are proposed from one group of linked cells
STRAY = 0.25
"""How far a centre may lie from where the homography has it, in steps: where a digit ate into its cell."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Four-sided pieces of paper: centres (N, 2), two sides (N, 2, 2) as vectors, areas (N,), in pixels."""

    centres: Points
    sides: Points
    areas: Array


def cell_proposals(paper: Image) -> Iterator[Homography]:
    """Propose grids from the pieces of a mask of paper, best-filled windows first.

    The pieces are cells, or, where the thin lines are too faint to part them, whole boxes of 3x3 cells.
    """
    sized = sized_pieces(paper)
    if len(sized) < MIN_FITTED:
        return
    cells = find_cells(sized)
    for group in sorted(number_cells(link_cells(cells)), key=len, reverse=True):
        places = np.array(list(group), np.float64)
        centres = cells.centres[list(group.values())]
        across = np.ptp(places, axis=0) + 1
        for span in (9, 3) if across.max() <= MAX_BOXES_ACROSS else (9,):
            for first in windows(places, span):
                yield from fit_window(places - first, centres, span)


def sized_pieces(paper: Image) -> list[tuple[float, Contour]]:
    """Return the areas and contours of the pieces of a mask of paper that may be cells by their size."""
    return sized_contours(paper, MIN_CELL_AREA, MAX_CELL_SHARE * paper.size)


def find_cells(sized: list[tuple[float, Contour]]) -> Cells:
    """Find the four-sided ones of the largest pieces of paper, given by their areas and contours."""
    largest = sorted(sized, key=lambda item: -item[0])[:MAX_EXAMINED]
    found = [(size, four_corners(contour, size)) for size, contour in largest]
    areas = np.array([size for size, outline in found if outline is not None])
    corners = np.array([outline for _, outline in found if outline is not None], np.float64).reshape(-1, 4, 2)
    first = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    second = (corners[:, 2] - corners[:, 1] + corners[:, 3] - corners[:, 0]) / 2
    turn = cross(first, second)
    sides = np.stack([first, second], axis=1)
    sides = np.where((turn > 0)[:, None, None], sides, sides[:, ::-1])
    spans = np.abs(turn) >= MIN_PARALLELOGRAM
    return Cells(corners[spans].mean(axis=1), sides[spans], areas[spans])


def four_corners(contour: Contour, size: float) -> Anywhere | None:
    """Return the corners (4, 2) of a contour, *size* its area, that is roughly a parallelogram, or None."""
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if size < LEAST_FILL * hull_area:
        return None
    rectangle = cv2.minAreaRect(hull)
    width, height = rectangle[1]
    shorter, longer = (width, height) if width < height else (height, width)
    if longer > MAX_ASPECT * shorter:
        return None
    if hull_area < LEAST_RECTANGULAR * width * height:
        return None
    if hull_area <= MOST_SKEWED * width * height:
        corners = cv2.approxPolyDP(hull, CORNER_TOLERANCE * (width + height), True)
        if len(corners) == 4:
            return corners[:, 0]
    return cv2.boxPoints(rectangle)


def link_cells(cells: Cells) -> NDArray[np.int64]:
    """Return each cell's neighbours in the directions +first, +second, -first, -second, (N, 4).

    -1 stands for none. Links are mutual: a cell that is chosen as neighbour must choose back.
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
    """Return the neighbours that *some* cells (K,) choose, (K, 4); *inverse* (K, 2, 2) is of their sides."""
    (x, y), size = cells.centres.T, np.log(cells.areas)
    dx, dy = x - x[some, None], y - y[some, None]
    u, v = (inverse[:, i, 0, None] * dx + inverse[:, i, 1, None] * dy for i in range(2))
    square = u * u + v * v  # of the distance in sides, infinite to what can't be a neighbour
    square[np.abs(size - size[some, None]) >= MAX_LOG_AREA_RATIO] = np.inf
    rows = np.arange(len(some))
    square[rows, some] = np.inf
    links = np.full((len(some), 4), -1, np.int64)
    for direction, (right, down) in enumerate(DIRECTIONS):
        aside = -2 * CELL_STEP * (right * u if right else down * v)
        distance = square + aside  # from one step on, squared, less a step's
        nearest = distance.argmin(axis=1)
        close = distance[rows, nearest] + CELL_STEP**2 < STEP_TOLERANCE**2
        links[close, direction] = nearest[close]
    return links


def number_cells(links: NDArray[np.int64]) -> Iterator[dict[tuple[int, int], int]]:
    """Walk the links (N, 4) and number every connected group: (column, row) -> cell, any origin.

    Each cell has its own idea of which side is the first; a link known from both ends tells by how many
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
            for direction, (dx, dy) in enumerate(DIRECTIONS):
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
    """Return the first pieces (column, row) of the windows of *span* x *span* that hold the most pieces.

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
    """Yield a homography through the centres of the pieces of one window (places are relative to it)."""
    inside = ((places >= 0) & (places < span)).all(axis=1)
    source = (places[inside] + 0.5) * 9 / span
    target = centres[inside]
    if len(source) < MIN_FITTED or np.ptp(places[inside], axis=0).min() < MIN_SPREAD:
        return
    step = extent(target) / np.sqrt(len(source))
    fitted = fit_homography_robustly(source, target, STRAY * step)
    if fitted is not None:
        yield upright(fitted[0])
