"""Refining: from a guess of where a grid lies to its 10x10 crossings, along the bends of the page.

The guess is a homography. The grid is warped by it to a small upright board, and each of the 180 pieces of
line between two crossings is looked for near its place. How far they lie off is fitted by a smooth surface (a
polynomial over the board, robust to pieces that caught a digit or a shadow), the surface is added to the
guess, and the board warped anew. What remains at the end is the evidence that a grid is there at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision import geometry
from sudoku_vision.geometry import extent, project
from sudoku_vision.locate.propose import Array
from sudoku_vision.results import Floats, Image

CELL = 20
"""Side of a cell on the small board, in pixels."""
MARGIN = 10
"""Paper kept around the small board, in pixels: half a cell."""
SIDE = 9 * CELL + 2 * MARGIN
WORTH_MOVING = 1.15
"""How much more line a stretched guess must show to be taken."""
_SHIFTS = np.arange(-9, 10) / CELL
_STARTS = np.repeat(_SHIFTS, len(_SHIFTS))
_ENDS = 9 + np.tile(_SHIFTS, len(_SHIFTS))
_STAY = len(_STARTS) // 2
USUAL = 0.3
"""Share of the pieces that may be fainter than the usual depth: more than that have no digit near."""
CLIP = 2.0
"""In usual depths: how much more than a usual line a dark place may count for, whatever its depth."""
LINE_WIDTHS = (1, 2, 4)
"""Half widths of line, in small-board pixels, that the line filter answers to."""


DEGREE = 5
"""Highest degree of a surface: what the steep end of a page by the spine of a thick book needs."""
TERMS = tuple((i, n - i) for n in range(DEGREE + 1) for i in range(n + 1))


class Net:
    """Places on the lattice, ``units`` (N, 2) of (u, v), with the monomials of a surface at each, (N, 21).

    The monomials are those up to degree five, of (u, v) centred and scaled to -1..1.
    """

    def __init__(self, units: Array) -> None:
        self.units = units
        u, v = ((units - 4.5) / 4.5).T
        self.terms = np.stack([u**i * v**j for i, j in TERMS], axis=1)


@dataclass(frozen=True, eq=False)
class Surface:
    """A smooth map from lattice units to pixels: a homography after a polynomial displacement.

    ``across`` and ``down`` are the polynomial's coefficients of the displacement in u and in v, in cells.
    """

    homography: Array
    across: Array
    down: Array

    def __call__(self, net: Net) -> Array:
        """Map the places of a *net* to pixels (N, 2) of (x, y)."""
        moved = net.units + net.terms @ np.stack([self.across, self.down], axis=1)
        return project(moved, self.homography)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was seen of each piece of line: ``offset`` in cells and ``strength`` in grey levels, (2, 10, 9).

    The first index is 0 for row lines (offset in v) and 1 for column lines (offset in u), then the line, then
    the piece along it. ``inside`` is 1 where a piece lies in the picture, 0 on its very edge, -1 beyond.
    """

    offset: Array
    strength: Array
    inside: NDArray[np.int8]

    def of_boxes(self) -> Evidence:
        """What was seen of the lines round the boxes alone."""
        strength = np.zeros_like(self.strength)
        strength[:, ::3] = self.strength[:, ::3]
        return replace(self, strength=strength)

    def steady(self) -> Evidence:
        """What was seen, each piece no stronger than its line is round about: a digit stands alone."""
        return replace(self, strength=np.minimum(self.strength, CLIP * usual_depth(self.strength)))


def flat_surface(homography: Array) -> Surface:
    """A surface without any bend."""
    return Surface(homography, np.zeros(len(TERMS)), np.zeros(len(TERMS)))


def _grid_of_units(first: float, last: float, count: int) -> Array:
    steps = np.linspace(first, last, count)
    return np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)


_BOARD_KNOTS = 25
_KNOTS = Net(_grid_of_units(-MARGIN / CELL, (SIDE - 1 - MARGIN) / CELL, _BOARD_KNOTS))


class Pyramid:
    """A grey picture (H, W) uint8 and its halvings, so that a warp never skips over thin lines."""

    def __init__(self, grey: Image) -> None:
        self.levels = [grey]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        height, width = self.levels[0].shape
        return width, height

    def level(self, cell: float) -> int:
        """The level on which a cell of *cell* pixels has about as many pixels as on the small board."""
        wanted = int(np.clip(np.floor(np.log2(max(cell, 1) / CELL) + 0.35), 0, 5))
        while len(self.levels) <= wanted:
            last = self.levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self.levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        return wanted


def small_board(pyramid: Pyramid, surface: Surface) -> Floats:
    """Warp a grid to a (SIDE, SIDE) float32 board.

    The surface is evaluated on a coarse net of knots and interpolated between them.
    """
    points = surface(_KNOTS)
    level = pyramid.level(extent(points) / 10)
    grey = pyramid.levels[level]
    points = (points + 0.5) / 2**level - 0.5
    knots = points.astype(np.float32).reshape(_BOARD_KNOTS, _BOARD_KNOTS, 2)
    step = (_BOARD_KNOTS - 1) / (SIDE - 1)
    scale = np.array([[step, 0, 0], [0, step, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    maps = cv2.warpAffine(knots, scale, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    map_x, map_y = cv2.split(maps)
    board = cv2.remap(grey, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(board, np.float32)


def line_profiles(board: Floats) -> Array:
    """How strongly a dark line runs along each piece, anywhere near it: (2, 9 strips of cells, SIDE across).

    Each strip of cells is parted into five narrow ones, and the profile across each of these is filtered: a
    step from light to dark gives nothing, a line gives its depth. The median of the five counts, in which
    neither a digit nor a line that crosses has much say.
    """
    down = board[:, MARGIN:-MARGIN].T.reshape(9, CELL, SIDE)
    across = board[MARGIN:-MARGIN].reshape(9, CELL, SIDE)
    parts = np.stack([down, across]).reshape(18, 5, -1, SIDE).mean(axis=2)
    depths = line_filter(parts.reshape(-1, SIDE)).reshape(2, 9, 5, SIDE)
    return np.asarray(median_of_five(*depths.transpose(2, 0, 1, 3)), np.float64)


def median_of_five(a: Floats, b: Floats, c: Floats, d: Floats, e: Floats) -> Floats:
    """The median of five arrays of one shape, by comparing: ten times as fast as sorting."""
    a, b = np.minimum(a, b), np.maximum(a, b)
    c, d = np.minimum(c, d), np.maximum(c, d)
    one, other = np.maximum(a, c), np.minimum(b, d)  # between them lies the middle of the four
    return np.asarray(np.minimum(np.maximum(np.minimum(one, other), e), np.maximum(one, other)))


def line_filter(profiles: Floats) -> Floats:
    """Depth of a dark line at each place of *profiles* (N, M) float32.

    That is the lower of its two sides minus its middle, the best over several line widths.
    """
    most = max(LINE_WIDTHS) + 2
    padded = cv2.copyMakeBorder(profiles, 0, 0, most, most, cv2.BORDER_REPLICATE)
    length = profiles.shape[1]
    depth = np.full(profiles.shape, -np.inf, np.float32)
    for width in LINE_WIDTHS:
        reach = width + 2
        centre = cv2.blur(profiles, (2 * (width // 2) + 1, 1), borderType=cv2.BORDER_REPLICATE)
        before = padded[:, most - reach : most - reach + length]
        after = padded[:, most + reach : most + reach + length]
        np.maximum(depth, np.minimum(before, after) - centre, out=depth)
    return depth


def lines_beyond(board: Floats) -> Floats:
    """How strongly the ten lines run on beyond each side, (4, 10): right, left, bottom, top."""
    near = MARGIN // 3
    strips = np.stack(
        [
            board[:, -MARGIN + near :].mean(axis=1),
            board[:, : MARGIN - near].mean(axis=1),
            board[-MARGIN + near :].mean(axis=0),
            board[: MARGIN - near].mean(axis=0),
        ]
    )
    window = MARGIN + CELL * np.arange(10)[:, None] + np.arange(-2, 3)
    return np.asarray(line_filter(strips)[:, window].max(axis=2))


def stretch(profiles: Array) -> Array:
    """The (3, 3) map of lattice units that brings a rough guess closest to the lines seen.

    Each direction is moved and stretched as a whole, at most by half a cell at either end: a guess may have
    caught a frame round the grid with one of its sides. Among all such moves the one with the most line wins,
    unless staying is nearly as good.
    """
    usual = np.quantile(profiles, 0.95)
    ridge = np.clip(profiles, 0, max(float(usual), 1e-6)).mean(axis=1)
    ridge = cv2.dilate(ridge, np.ones((1, 3), np.uint8))
    down, across = (_best_stretch(line) for line in ridge)
    return np.array([[across[1], 0, across[0]], [0, down[1], down[0]], [0, 0, 1]])


def _best_stretch(ridge: Array) -> tuple[float, float]:
    """Start and step, in cells, of the ten evenly spaced lines on which most of *ridge* (SIDE,) lies."""
    lines = _STARTS[:, None] + (_ENDS - _STARTS)[:, None] * np.arange(10) / 9
    seen = ridge[np.clip(np.rint(MARGIN + CELL * lines).astype(int), 0, SIDE - 1)].sum(axis=1)
    best = int(seen.argmax())
    if seen[best] < WORTH_MOVING * seen[_STAY]:
        best = _STAY
    return float(_STARTS[best]), float((_ENDS[best] - _STARTS[best]) / 9)


def pieces_inside(surface: Surface, size: tuple[int, int]) -> NDArray[np.int8]:
    """Where the pieces of line lie in a picture of *size* (width, height), (2, 10, 9).

    1 is inside, 0 on its very edge, -1 beyond.
    """
    points = surface(_PIECES)
    cell = extent(points) / 9
    depth = np.minimum(points, np.array(size) - 1 - points).min(axis=1) / max(cell, 1e-6)
    return np.where(depth > EDGE, 1, np.where(depth > -EDGE, 0, -1)).astype(np.int8).reshape(2, 10, 9)


def gather(profiles: Array, reach: float, inside: NDArray[np.int8], drawn: int = 1) -> Evidence:
    """Look for each piece of line within *reach* cells of its place on the small board.

    One of *drawn* lines is expected: 3 where only those round the boxes are. What is far deeper than most of
    them counts for little more than they do: digits are black, however faint the lines.
    """
    radius = max(1, round(reach * CELL))
    lines = MARGIN + CELL * np.arange(10)
    window = lines[:, None] + np.arange(-radius, radius + 1)
    seen = profiles[:, :, np.clip(window, 0, SIDE - 1)]  # (2, 9 strips, 10 lines, window)
    seen = seen.transpose(0, 2, 1, 3)
    usual = float(np.quantile(seen[:, ::drawn].max(axis=3), USUAL))
    best = _track(seen / (1 + np.maximum(seen, 0) / (CLIP * max(usual, 1.0))))
    found = np.take_along_axis(seen, best[..., None], 3)[..., 0]
    strength = np.where(inside > 0, found, 0)
    offset = _parabola(seen, best) - radius
    return Evidence(offset / CELL, strength, inside)


def usual_depth(strength: Array) -> Array:
    """How deep a line is round each of its pieces, (2, 10, 9): what all but one of a few neighbours reach.

    A digit beside a piece may be far deeper, or stand where no line is drawn at all.
    """
    near = np.lib.stride_tricks.sliding_window_view(
        np.pad(strength, ((0, 0), (0, 0), (2, 2)), mode="reflect"), 5, axis=2
    )
    return np.asarray(np.maximum(np.sort(near, axis=3)[..., 1], 1.0))


def between(board: Floats) -> float:
    """Depth of the deepest line that runs through the middle of a row or column of cells, where none should.

    It is looked for where it crosses the lines between cells that share a box: there no digit stands.
    """
    places = MARGIN + CELL * np.array([1, 2, 4, 5, 7, 8])[:, None] + np.arange(-2, 3)
    strips = np.concatenate([board[places].mean(axis=1), board.T[places].mean(axis=1)])
    middles = MARGIN + CELL * np.arange(9)[:, None] + CELL // 2 + np.arange(-CELL // 5, CELL // 5 + 1)
    depths = line_filter(strips)[:, middles].max(axis=2).reshape(2, 6, 9)
    return float(np.quantile(depths, 0.2, axis=1).max())


def _track(seen: Array) -> NDArray[np.int64]:
    """Follow each line through the windows of its pieces, (2, 10, 9, W) to (2, 10, 9).

    Dynamic programming: the track of the greatest strength, less a toll for every step aside, so that a digit
    or another line nearby does not divert it.
    """
    size = seen.shape[3]
    step = np.arange(size)
    toll = TOLL * np.median(seen.max(axis=3)) * (step[:, None] - step) ** 2
    total = seen[:, :, 0]
    came = np.zeros(seen.shape, np.int64)
    for piece in range(1, 9):
        reached = total[:, :, None, :] - toll
        came[:, :, piece] = reached.argmax(axis=3)
        total = seen[:, :, piece] + reached.max(axis=3)
    best = np.zeros(seen.shape[:3], np.int64)
    best[:, :, 8] = total.argmax(axis=2)
    for piece in range(8, 0, -1):
        best[:, :, piece - 1] = np.take_along_axis(came[:, :, piece], best[:, :, piece, None], 2)[..., 0]
    return best


def _parabola(seen: Array, best: NDArray[np.int64]) -> Array:
    """Place of the top of a parabola through the best value and its two neighbours."""
    inner = np.clip(best, 1, seen.shape[3] - 2)[..., None]
    left, top, right = (np.take_along_axis(seen, inner + step, 3)[..., 0] for step in (-1, 0, 1))
    bend = left - 2 * top + right
    shift = np.where(np.abs(bend) > 1e-6, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0.0)
    return np.where(best == inner[..., 0], best + np.clip(shift, -0.5, 0.5), best)


STIFFNESS = 2e-4
"""How strongly a surface resists bending where few lines are seen; grows with the degree squared."""
TOLL = 0.1
"""What a line loses by a step aside of one small-board pixel from piece to piece, in typical strengths."""
EDGE = 0.12
"""How near the picture's edge a piece of line is neither inside nor outside, in cells."""
_LINES = np.arange(10.0)
_MIDDLES = np.arange(9) + 0.5
_ROW_PIECES = Net(np.stack(np.meshgrid(_MIDDLES, _LINES), axis=-1).reshape(-1, 2))
_COLUMN_PIECES = Net(_ROW_PIECES.units[:, ::-1])
_PIECES = Net(np.concatenate([_ROW_PIECES.units, _COLUMN_PIECES.units]))


def bend(surface: Surface, evidence: Evidence, degree: int) -> Surface:
    """Move a surface towards the lines that were seen, by a polynomial of at most *degree*."""
    down = _robust_fit(_ROW_PIECES, evidence.offset[0].ravel(), evidence.strength[0].ravel(), degree)
    across = _robust_fit(_COLUMN_PIECES, evidence.offset[1].ravel(), evidence.strength[1].ravel(), degree)
    return Surface(surface.homography, surface.across + across, surface.down + down)


def _robust_fit(net: Net, offset: Array, trust: Array, degree: int) -> Array:
    """Least squares, reweighted three times so that pieces far from the surface lose their say."""
    used = sum(i + j <= degree for i, j in TERMS)
    terms = net.terms[:, :used]
    trust = np.clip(trust, 0, None)
    trust = np.minimum(trust, 2 * np.median(trust[trust > 0]) if trust.any() else 0)
    weight = trust
    ridge = np.diag([STIFFNESS * trust.sum() * (i + j) ** 2 for i, j in TERMS[:used]])
    solution = np.zeros(used)
    for spread in (0.15, 0.08, 0.05):
        weighted = terms * weight[:, None]
        solution = np.linalg.solve(weighted.T @ terms + ridge + 1e-9 * np.eye(used), weighted.T @ offset)
        residual = (offset - terms @ solution) / spread
        weight = trust / (1 + residual**2) ** 2
    coefficients = np.zeros(len(TERMS))
    coefficients[:used] = solution
    return coefficients


CROSSINGS = Net(geometry.CROSSINGS)
CORNERS = Net(geometry.GRID_CORNERS)
CENTRE = Net(np.array([[4.5, 4.5]]))
