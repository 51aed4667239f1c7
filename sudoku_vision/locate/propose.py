"""Proposals: places in a picture where a grid may lie, each as a homography from lattice units to pixels.

Two independent roads, because each fails where the other works:

* *Cells*: the paper between lines falls into small four-sided pieces. Pieces that have a neighbour one step
  away in each direction are linked, and the linked ones numbered by column and row as on a chessboard. This
  needs no outer border, does not mind print that touches it, and follows a page that bends.
* *Outline*: the ink of a grid hangs together, and the hull of that piece of ink has four corners. This needs
  few inner lines.

Lattice units: (u, v) = (0, 0) is the first crossing, (9, 9) the last; u runs along rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import (
    MIRROR,
    QUARTER_TURN,
    area,
    cross,
    extent,
    fit_homography_robustly,
    homography_of_grid,
    project,
    side_lengths,
)
from sudoku_vision.results import Image

Array = NDArray[np.float64]
Points = NDArray[Any]

MIN_CELL_AREA = 36.0
"""Square pixels: a cell of 6 px a side is the smallest that still holds a legible digit."""
MAX_CELL_SHARE = 1 / 7
"""Largest share of the picture that one piece may fill (a grid that fills it all has boxes of 1/9)."""
MAX_CELLS = 900
"""Most pieces of paper to be linked in one picture; a page of text may have thousands."""
MIN_LINKED = 9
"""Linked cells that it takes to propose a grid."""
LEAST_LINKED = 6
"""Linked pieces that it takes to fit a homography."""
MAX_WINDOWS = 9
"""Most windows of 9x9 cells that are proposed from one group of linked cells."""
CELL_STEP = 1.12
"""Distance of neighbouring cell centres in sides of the (line-free) cell."""
STEP_TOLERANCE = 0.38
"""How far a neighbour may lie from where it is expected, in sides of a cell."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Four-sided pieces of paper: centres (N, 2), and two sides (N, 2, 2) as vectors, in pixels."""

    centres: Array
    sides: Array
    areas: Array


def outlines(mask: Image) -> list[Points]:
    """The outer contours (N, 1, 2) of all connected pieces of a mask (H, W) uint8, those in holes as well."""
    contours, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if hierarchy is None:
        return []
    parents = hierarchy.reshape(-1, 4)[:, 3].tolist()
    return [contour for contour, parent in zip(contours, parents, strict=True) if parent < 0]


def find_cells(paper: Image) -> Cells:
    """Find the four-sided pieces in a mask of paper (H, W) uint8, 255 where there is no ink."""
    largest = MAX_CELL_SHARE * paper.size
    found: list[tuple[float, Array, Array]] = []
    for contour in outlines(paper):
        if len(contour) < 4:
            continue
        size = area(contour)
        if not MIN_CELL_AREA <= size <= largest:
            continue
        piece = _four_sided(contour, size)
        if piece is not None:
            found.append((size, *piece))
    found.sort(key=lambda item: -item[0])
    found = found[:MAX_CELLS]
    return Cells(
        centres=np.array([centre for _, centre, _ in found]).reshape(-1, 2),
        sides=np.array([sides for _, _, sides in found]).reshape(-1, 2, 2),
        areas=np.array([area for area, _, _ in found]),
    )


def _four_sided(contour: Points, size: float) -> tuple[Array, Array] | None:
    """Centre and the two sides of a contour that is roughly a parallelogram, or None."""
    hull = cv2.convexHull(contour)
    hull_area = area(hull)
    if size < 0.72 * hull_area:
        return None
    (cx, cy), (width, height), angle = cv2.minAreaRect(hull)
    if min(width, height) < 5 or max(width, height) > 3.2 * min(width, height):
        return None
    if hull_area < 0.62 * width * height:
        return None
    corners = cv2.approxPolyDP(hull, 0.1 * (width + height), True).reshape(-1, 2).astype(np.float64)
    if len(corners) != 4 or hull_area > 0.8 * width * height:
        corners = cv2.boxPoints(((cx, cy), (width, height), angle)).astype(np.float64)
    first = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    second = (corners[2] - corners[1] + corners[3] - corners[0]) / 2
    turn = cross(first, second)
    if abs(turn) < 16:
        return None
    return corners.mean(axis=0), np.stack([first, second] if turn > 0 else [second, first])


def link_cells(cells: Cells) -> NDArray[np.int64]:
    """For each cell its neighbour in the directions +first, +second, -first, -second, (N, 4); -1 for none.

    Links are mutual: a cell that is chosen as neighbour must choose back.
    """
    count = len(cells.areas)
    links = np.full((count, 4), -1, np.int64)
    if count < 2:
        return links
    inverse = np.linalg.inv(cells.sides.transpose(0, 2, 1))
    offset = cells.centres[None, :, :] - cells.centres[:, None, :]
    local = np.einsum("nij,nmj->nmi", inverse, offset)
    similar = np.abs(np.log(cells.areas[None, :] / cells.areas[:, None])) < 0.8
    np.fill_diagonal(similar, False)
    rows = np.arange(count)
    for direction, (x, y) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        distance = np.hypot(local[..., 0] - CELL_STEP * x, local[..., 1] - CELL_STEP * y)
        distance[~similar] = np.inf
        nearest = distance.argmin(axis=1)
        close = distance[rows, nearest] < STEP_TOLERANCE
        links[close, direction] = nearest[close]
    return _mutual(links)


def _mutual(links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep links that are chosen from both ends."""
    back = links[links]  # (N, 4, 4): the neighbours of each neighbour
    here = np.arange(len(links))[:, None, None]
    chosen_back = (back == here).any(axis=2) & (links >= 0)
    return np.where(chosen_back, links, -1)


def number_cells(links: NDArray[np.int64]) -> Iterator[dict[tuple[int, int], int]]:
    """Walk the links and number every connected group: (column, row) -> cell, any origin.

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
            for direction, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
                neighbour = table[cell][(direction + turn[cell]) % 4]
                place = (column + dx, row + dy)
                if neighbour < 0 or neighbour in turn or place in group:
                    continue
                turn[neighbour] = (table[neighbour].index(cell) - direction - 2) % 4
                group[place] = neighbour
                queue.append((neighbour, *place))
        seen.update(turn)
        if len(group) >= LEAST_LINKED:
            yield group


def cell_proposals(paper: Image) -> Iterator[Array]:
    """Propose grids from the pieces of a mask of paper, best-filled windows first.

    The pieces are cells, or, where the thin lines are too faint to part them, whole boxes of 3x3 cells.
    """
    cells = find_cells(paper)
    for group in sorted(number_cells(link_cells(cells)), key=len, reverse=True):
        places = np.array(list(group), np.float64)
        centres = cells.centres[list(group.values())]
        extent = np.ptp(places, axis=0) + 1
        if extent.min() < 3:
            continue
        if len(group) >= MIN_LINKED:
            for first in windows(places, 9):
                yield from _fit_window(places - first, centres, 9)
        if extent.max() <= 5:
            for first in windows(places, 3):
                yield from _fit_window(places - first, centres, 3)


def windows(places: Array, span: int) -> list[Array]:
    """First pieces (column, row) of the windows of *span* x *span* that hold the most numbered pieces."""
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
    enough = min(0.9 * held.max(), 0.5 * span * span)
    return [
        np.array([flat % held.shape[1], flat // held.shape[1]]) - rim + low
        for flat in order.tolist()
        if held.flat[flat] >= enough
    ]


def _fit_window(places: Array, centres: Array, span: int) -> Iterator[Array]:
    """A homography through the centres of the pieces of one window (places are relative to it)."""
    inside = ((places >= 0) & (places < span)).all(axis=1)
    source = (places[inside] + 0.5) * 9 / span
    target = centres[inside]
    if len(source) < LEAST_LINKED or np.ptp(places[inside], axis=0).min() < 2:
        return
    step = extent(target) / np.sqrt(len(source))
    fitted = fit_homography_robustly(source, target, max(2.0, 0.25 * step))
    if fitted is not None:
        yield oriented(fitted[0])


def oriented(homography: Array) -> Array:
    """The same grid, not mirrored, with its rows running as nearly rightwards as they can."""
    centre, right, down = project(np.array([[4.5, 4.5], [5.5, 4.5], [4.5, 5.5]]), homography)
    right, down = right - centre, down - centre
    if cross(right, down) < 0:
        homography = homography @ MIRROR
        right = down
    turns = round(float(np.arctan2(right[1], right[0])) / (np.pi / 2))
    return np.asarray(homography @ np.linalg.matrix_power(QUARTER_TURN, -turns % 4))


def outline_proposals(ink: Image, min_side: float) -> Iterator[Array]:
    """Propose grids from the hulls of connected ink in a mask (H, W) uint8, 255 where there is ink.

    Ink within other ink counts, too: the dark edge of a telephone runs round all that it shows.
    """
    large = []
    for contour in outlines(ink):
        if len(contour) < 4:
            continue
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) >= min_side:
            large.append((width * height, contour))
    large.sort(key=lambda item: -item[0])
    for _, contour in large[:12]:
        corners = _hull_corners(cv2.convexHull(contour))
        if corners is not None:
            yield oriented(homography_of_grid(corners))


def _hull_corners(hull: Points) -> Array | None:
    """The four corners that a hull has when it is seen coarsely, or None."""
    perimeter = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08, 0.1):
        corners = cv2.approxPolyDP(hull, share * perimeter, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4 or area(corners) < 0.7 * area(hull):
        corners = cv2.boxPoints(cv2.minAreaRect(hull))
    quad = np.asarray(corners, np.float64).reshape(4, 2)
    sides = side_lengths(quad)
    if sides.min() < 0.15 * sides.max():
        return None
    return quad
