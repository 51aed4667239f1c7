"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

* Size, weight and place of the digits are measured from the print of the same grid.
* Their colour is the one of a few that can best be told from both the paper and the ink.
* A sure answer is drawn full and in a cool colour. One that may be wrong is drawn hollow, in a warm colour,
  and the grid is framed in it: wrong must never look sure, whoever looks.
* A grid without an answer is only framed, in a colour that says why.
* Cells in doubt bear a question mark: there a person should look.
* Of a checked puzzle, what a person wrote is marked as a teacher would: a green tick, a red ring.

Every pixel that is not touched by a digit or a frame stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.check import Check
from sudoku_vision.results import Board, Floats, GridResult, Image, Lattice, Photo
from sudoku_vision.strokes import FIELD_STEP, MARGIN, WIDTH, distance_field

Colour = tuple[int, int, int]
"""Blue, green, red, 0..255 each."""

SURE_COLOURS: tuple[Colour, ...] = (
    (205, 80, 0),
    (60, 140, 0),
    (170, 20, 110),
    (120, 240, 120),
    (255, 190, 60),
)
"""Cool: blue, green, violet, and for dark paper, which tries the last first, light green and sky blue."""

UNSURE_COLOURS: tuple[Colour, ...] = ((0, 95, 225), (0, 65, 180), (20, 20, 215), (60, 190, 255))
"""Warm: orange, rust, red, and for dark paper amber."""

FRAME_COLOURS: dict[str, Colour] = {
    "many_solutions": (190, 40, 160),
    "no_solution": (30, 20, 215),
    "unreadable": (125, 125, 125),
}
"""Violet: several answers. Red: none. Grey: not read."""

RIGHT_COLOURS: tuple[Colour, ...] = ((60, 140, 0), (120, 240, 120))
WRONG_COLOURS: tuple[Colour, ...] = ((20, 20, 215), (110, 110, 255))
"""Of marks, for light and for dark paper."""

FRAME_WIDTH = 0.07
"""Width of a frame, in cells."""

TELLING_DIFFERENCE = 26.0
"""Difference, CIE 1976 Lab, that a glance tells apart: in lightness from the paper, in any way from the ink.

Beyond it the first colour is good enough. The eye sees fine strokes by lightness, hardly by hue.
"""

MEASURED_CLUES = 9
"""So many clues are measured at most: their median hardly changes with more."""

HOLLOW_FROM = 22.0
"""Cells smaller than this, in pixels, have no room for hollow digits."""

_TICK = np.array([[0.7, 0.82], [0.77, 0.91], [0.92, 0.7]], np.float32)
_QUESTION = np.array(
    [[0.75, 0.67], [0.79, 0.61], [0.86, 0.61], [0.9, 0.67], [0.88, 0.73], [0.82, 0.78], [0.82, 0.83]],
    np.float32,
)
_POINT = np.array([[0.82, 0.91], [0.82, 0.92]], np.float32)
_RING = (0.5 + 0.38 * np.array([[np.cos(t), np.sin(t)] for t in np.linspace(0, 2 * np.pi, 33)[:-1]])).astype(
    np.float32
)
"""Marks, as places (N, 2) in the unit square of a cell."""

_MARK_WIDTH = 0.055
"""Width of a mark's line, in cells."""

_CORRECTION = (0.32, 0.055, (0.86, 0.2))
"""Height, weight and middle, in cells, of the right digit beside a wrong one: in the corner, off the ring."""

_PATCH = 32
"""Side in pixels of the patch on which a printed cell is measured."""

_INNER = 0.1
"""Part of a cell left out at each side when its print is measured: grid lines end there."""


@dataclass(frozen=True)
class Print:
    """How a grid is printed; lengths in cells.

    ``height`` of the digits, ``weight`` of their strokes, ``middle`` (x, y) of a digit within its cell, and
    the colours of ``ink`` and ``paper`` in BGR.
    """

    height: float = 0.56
    weight: float = 0.08
    middle: tuple[float, float] = (0.5, 0.5)
    ink: tuple[float, float, float] = (40.0, 40.0, 40.0)
    paper: tuple[float, float, float] = (220.0, 220.0, 220.0)


def overlay(photo: Photo | Image, grids: Iterable[GridResult]) -> Image:
    """Draw what was found on *photo* into a copy of its pixels, (H, W, 3) uint8 BGR.

    Answers go into cells without any ink: neither printed nor written in.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for grid in grids:
        _draw_grid(pixels, grid)
    return pixels


def overlay_check(photo: Photo | Image, checks: Iterable[Check], *, answers: bool = False) -> Image:
    """Mark what a person wrote in a copy of *photo*, (H, W, 3) uint8 BGR.

    A green tick is right, a red ring wrong, with the right digit small beside it if *answers* are wanted; an
    orange question mark stands where the digit is not clear. Grids that are not surely read are only framed,
    their cells in doubt marked.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for check in checks:
        _draw_check(pixels, check, answers)
    return pixels


def _draw_check(pixels: Image, check: Check, answers: bool) -> None:
    """Draw the marks of one grid into *pixels*."""
    grid = check.grid
    look = measure_print(pixels, grid.lattice, grid.puzzle)
    unsure = choose_colour(UNSURE_COLOURS, look)
    if grid.status != "solved" or grid.solution is None:
        _draw_doubtful(pixels, grid, FRAME_COLOURS.get(grid.status, unsure))
        return
    red = choose_colour(WRONG_COLOURS, look)
    _mark_cells(pixels, grid.lattice, check.right, choose_colour(RIGHT_COLOURS, look), _TICK)
    _mark_cells(pixels, grid.lattice, check.wrong, red, _RING, closed=True)
    _mark_cells(pixels, grid.lattice, check.unclear, unsure, _QUESTION, _POINT)
    if answers:
        wrong = np.isin(np.arange(81), check.wrong).reshape(9, 9)
        height, weight, middle = _CORRECTION
        small = Print(height, weight, middle, look.ink, look.paper)
        draw_digits(pixels, grid.lattice, np.where(wrong, grid.solution, 0).astype(np.int8), small, red)


def _mark_cells(
    pixels: Image,
    lattice: Lattice,
    cells: Iterable[int],
    colour: Colour,
    *paths: Floats,
    closed: bool = False,
) -> None:
    """Draw *paths* (N, 2), places in the unit square, into some *cells*, in place."""
    for cell in cells:
        row, column = divmod(cell, 9)
        quad = lattice.crossings[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]
        for path in paths:
            points = cv2.perspectiveTransform(path.reshape(-1, 1, 2), _cell_map(quad)).reshape(-1, 2)
            width = _MARK_WIDTH * lattice.cell_size
            draw_path(pixels, points.astype(np.float32), colour, width, closed=closed)


def _draw_grid(pixels: Image, grid: GridResult) -> None:
    """Draw the answers and the frame of one grid into *pixels*."""
    sure = grid.status == "solved"
    if grid.status in FRAME_COLOURS or grid.solution is None:
        _draw_doubtful(pixels, grid, FRAME_COLOURS.get(grid.status, FRAME_COLOURS["unreadable"]))
        return
    look = measure_print(pixels, grid.lattice, grid.puzzle)
    colour = choose_colour(SURE_COLOURS if sure else UNSURE_COLOURS, look)
    answers = np.where((grid.puzzle == 0) & (grid.written == 0), grid.solution, 0).astype(np.int8)
    draw_digits(pixels, grid.lattice, answers, look, colour, hollow=not sure)
    if not sure:
        _draw_doubtful(pixels, grid, colour)


def _draw_doubtful(pixels: Image, grid: GridResult, colour: Colour) -> None:
    """Frame a grid, and mark the cells that a person should look at."""
    draw_frame(pixels, grid.lattice, colour)
    _mark_cells(pixels, grid.lattice, [doubt.cell for doubt in grid.doubts], colour, _QUESTION, _POINT)


def draw_digits(
    pixels: Image, lattice: Lattice, board: Board, look: Print, colour: Colour, *, hollow: bool = False
) -> None:
    """Write the digits of *board* (9, 9), 0 for none, into the cells of *lattice*, in place."""
    hollow = hollow and lattice.cell_size >= HOLLOW_FROM
    for row, column in np.argwhere(board):
        quad = lattice.crossings[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]
        _ink_digit(pixels, quad, int(board[row, column]), look, colour, hollow)


def draw_frame(pixels: Image, lattice: Lattice, colour: Colour, width: float = FRAME_WIDTH) -> None:
    """Draw the outer border of *lattice*, bends included, in place; *width* in cells."""
    crossings = lattice.crossings
    border = np.concatenate([crossings[0, :-1], crossings[:-1, 9], crossings[9, :0:-1], crossings[:0:-1, 0]])
    draw_path(pixels, border, colour, width * lattice.cell_size, closed=True)


def draw_path(pixels: Image, points: Floats, colour: Colour, width: float, *, closed: bool = False) -> None:
    """Draw a smooth line through *points* (N, 2), in place; *width* in pixels."""
    if not np.isfinite(points).all() or np.abs(points).max(initial=0) > _FAR:
        return
    shift = 4
    path = np.rint(points * (1 << shift)).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(pixels, [path], closed, colour, max(1, round(width)), cv2.LINE_AA, shift)


_FAR = 1e6
"""Points beyond this, in pixels, are no points of a photo."""


def _ink_digit(pixels: Image, quad: Floats, digit: int, look: Print, colour: Colour, hollow: bool) -> None:
    """Write one digit into the cell with corners *quad* (4, 2), clockwise from its top left."""
    scale = max(look.height - look.weight, 0.1)
    to_photo = _cell_map(quad) @ _field_to_cell(scale, look.middle)
    size = scale * float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))))
    radius = max(look.weight / 2 / scale, 0.55 / max(size, 1e-6))
    reach = min(MARGIN, 1.5 * radius + 1.5 / max(size, 1e-6))
    field = distance_field(digit)
    region = _region(to_photo, field.shape, (MARGIN - reach) / FIELD_STEP, pixels.shape)
    if region is None:
        return
    left, top, right, bottom = region
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64)
    distance: NDArray[Any] = cv2.warpPerspective(
        field,
        shift @ to_photo,
        (right - left, bottom - top),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1.0,
    )
    cover = _cover(distance, radius, size, hollow)
    patch = pixels[top:bottom, left:right]
    patch[:] = cv2.blendLinear(np.full_like(patch, colour), patch, cover, 1 - cover)


def _cover(distance: NDArray[Any], radius: float, scale: float, hollow: bool) -> Floats:
    """How much of each pixel a pen of *radius* covers, 0..1, from the distances to its path.

    Distances and *radius* are in digit heights of *scale* pixels each. A hollow stroke is somewhat wider, so
    that there is room between its two edges.
    """
    if hollow:
        edge = max(0.3 * radius, 0.5 / scale)
        distance = np.abs(distance - 1.15 * radius)
        radius = edge
    cover: Floats = np.clip((0.5 + radius * scale) - distance * scale, 0, 1, dtype=np.float32)
    return cover


def _cell_map(quad: Floats) -> NDArray[np.float64]:
    """The homography (3, 3) from the unit square of a cell to its corners *quad* in the photo."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(unit, quad.astype(np.float32)), np.float64)


def _field_to_cell(scale: float, middle: tuple[float, float]) -> NDArray[np.float64]:
    """The matrix (3, 3) from samples of a distance field to the unit square of a cell."""
    x = middle[0] - scale * (WIDTH / 2 + MARGIN)
    y = middle[1] - scale * (0.5 + MARGIN)
    return np.array([[scale * FIELD_STEP, 0, x], [0, scale * FIELD_STEP, y], [0, 0, 1]], np.float64)


def _region(
    matrix: NDArray[np.float64], field: tuple[int, ...], inset: float, photo: tuple[int, ...]
) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of the pixels that a mapped field can touch, or None if there are none.

    *inset* is what may be left out at each side of the field, in samples.
    """
    x0, x1, y0, y1 = inset, field[1] - 1 - inset, inset, field[0] - 1 - inset
    corners = np.array([[x0, x1, x1, x0], [y0, y0, y1, y1], [1, 1, 1, 1]], np.float64)
    x, y, w = matrix @ corners
    if not np.isfinite(matrix).all() or (w <= 0).any():
        return None
    x, y = x / w, y / w
    left, top = max(0, int(np.floor(x.min()))), max(0, int(np.floor(y.min())))
    right, bottom = min(photo[1], int(np.ceil(x.max())) + 1), min(photo[0], int(np.ceil(y.max())) + 1)
    return (left, top, right, bottom) if left < right and top < bottom else None


def measure_print(pixels: Image, lattice: Lattice, puzzle: Board) -> Print:
    """Measure how the clues of *puzzle* are printed in the cells of *lattice*."""
    clues = []
    cells = np.argwhere(puzzle)
    for row, column in cells[:: 1 + len(cells) // MEASURED_CLUES]:
        quad = lattice.crossings[[row, row, row + 1, row + 1], [column, column + 1, column + 1, column]]
        inside = (quad >= 0).all() and (quad < pixels.shape[1::-1]).all()
        measured = _measure_cell(pixels, quad) if inside else None
        if measured is not None:
            clues.append(measured)
    if len(clues) < 3:
        return Print()
    height, weight, x, y, *colours = np.median(np.array(clues), axis=0)
    return Print(
        height=float(np.clip(height, 0.4, 0.72)),
        weight=float(np.clip(weight, 0.055, 0.12)),
        middle=(float(np.clip(x, 0.42, 0.58)), float(np.clip(y, 0.42, 0.58))),
        ink=(float(colours[0]), float(colours[1]), float(colours[2])),
        paper=(float(colours[3]), float(colours[4]), float(colours[5])),
    )


def _measure_cell(pixels: Image, quad: Floats) -> list[float] | None:
    """Height, weight, middle x and y of one printed digit, then ink and paper; None if it can't be seen."""
    side = (1 - 2 * _INNER) / (_PATCH - 1)
    inner = np.array([[side, 0, _INNER], [0, side, _INNER], [0, 0, 1]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = _cell_map(quad) @ inner
    patch = cv2.warpPerspective(
        pixels, matrix, (_PATCH, _PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    offset = np.abs(grey - np.median(grey))
    strength = float(np.percentile(offset, 97))
    if strength < 12:
        return None
    mask = (offset > strength / 2).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    left, top, width, height = (int(value) for value in stats[largest, :4])
    digit = (labels == largest).astype(np.uint8)
    # Across a stroke of w pixels the distances from its edges have the mean w / 4 + 1 / 2.
    depth = cv2.distanceTransform(digit, cv2.DIST_L2, 3)
    weight = 4 * float(depth[digit > 0].mean()) - 2
    middle_x, middle_y = left + (width - 1) / 2, top + (height - 1) / 2
    ink = patch[offset > 0.75 * strength].mean(axis=0)
    paper = patch[mask == 0].mean(axis=0)
    at = [_INNER + middle_x * side, _INNER + middle_y * side]
    return [height * side, weight * side, *at, *ink.tolist(), *paper.tolist()]


def choose_colour(colours: tuple[Colour, ...], look: Print) -> Colour:
    """The first of *colours* that is easily told from paper and ink, or else the one told best."""
    paper, ink = _lab(np.array([look.paper, look.ink], np.float32))
    ordered = colours if paper[0] >= _HALF_LIGHT else colours[::-1]
    differences = [
        min(abs(float(lab[0] - paper[0])), float(np.linalg.norm(lab - ink)))
        for lab in _lab(np.array(ordered, np.float32))
    ]
    good = (index for index, value in enumerate(differences) if value >= TELLING_DIFFERENCE)
    return ordered[next(good, int(np.argmax(differences)))]


_HALF_LIGHT = 50.0
"""Lightness, CIE 1976 Lab, below which paper is dark."""


def _lab(colours: Floats) -> Floats:
    """BGR colours (N, 3), 0..255, as CIE Lab (N, 3)."""
    converted = cv2.cvtColor((colours / 255).reshape(-1, 1, 3), cv2.COLOR_BGR2LAB)
    return np.asarray(converted, np.float32).reshape(-1, 3)
