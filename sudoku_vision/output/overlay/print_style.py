"""Measure how a grid is printed in the photo, and choose colours that differ from its paper and ink.

In each tuple of colours, the first colours are for light paper, with the best first. The last colours are for
dark paper, with the best last.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.geometry import homography_of_square, sampled
from sudoku_vision.output.drawing.figure import BLACK, WHITE, Colour, below_sum, mixed
from sudoku_vision.ranks import median, medians, quantile
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice

MAX_MEASURED = 9  # at most this many clues, and this many entries, of a grid are measured
_PATCH = 32  # side of the small picture of a cell in which its digit is measured, in pixels
_INNER = 0.1  # this share of a cell's side is left out at each edge, because grid lines lie there
_PIXEL = (1 - 2 * _INNER) / (_PATCH - 1)  # distance of neighbouring pixels of the small picture, in cells
_MIN_CLUES = 3  # if fewer clues were measured, the usual style of print is taken

_MIN_CONTRAST = 12.0  # minimum contrast of ink and paper, in grey levels; less may be the paper's grain
_INK_QUANTILE = 0.97  # this quantile of the differences between pixels and paper is the contrast of full ink
_FULL_INK = 0.75  # a pixel is full ink if its contrast is above this share of the contrast of full ink
_HEIGHTS, _WEIGHTS, _MIDDLES = (0.4, 0.72), (0.055, 0.12), (0.42, 0.58)
"""Limits for an answer, in cells, as (least, greatest): height, stroke width, and x and y of its middle."""


@dataclass(frozen=True)
class PrintStyle:
    """How a grid is printed. Lengths are in cells, colours are BGR.

    ``weight``: width of the strokes of a digit. ``middle`` (x, y): centre of a digit within the cell.
    ``entry_ink``: colour of a person's entries; None without entries.
    """

    height: float = 0.56
    weight: float = 0.08
    middle: tuple[float, float] = (0.5, 0.5)
    ink: tuple[float, float, float] = (40.0, 40.0, 40.0)
    paper: tuple[float, float, float] = (220.0, 220.0, 220.0)
    entry_ink: Colour | None = None


def grid_print(pixels: Image, grid: Grid) -> PrintStyle:
    """Measure in a photo (H, W, 3) BGR how the clues of a *grid* are printed, and the ink of its entries."""
    clues = _measured(pixels, grid.lattice, grid.puzzle)
    entries = _measured(pixels, grid.lattice, grid.written)
    entry_ink = _colour(medians(np.array(entries)[:, 4:7].T)) if entries else None
    if len(clues) < _MIN_CLUES:
        usual = PrintStyle(entry_ink=entry_ink)
        # In a killer, answers leave room for the sums of cages.
        below = replace(usual, height=0.75 * usual.height, middle=(0.5, below_sum(0.5)))
        return below if grid.rules.cages else usual
    height, weight, x, y, *colours = medians(np.array(clues).T)
    return PrintStyle(
        height=float(np.clip(height, *_HEIGHTS)),
        weight=float(np.clip(weight, *_WEIGHTS)),
        middle=(float(np.clip(x, *_MIDDLES)), float(np.clip(y, *_MIDDLES))),
        ink=_colour(colours[:3]),
        paper=_colour(colours[3:]),
        entry_ink=entry_ink,
    )


def _measured(pixels: Image, lattice: Lattice, board: Board) -> list[list[float]]:
    cells = np.argwhere(board)
    quads = [lattice.cell(row, column) for row, column in cells[:: 1 + len(cells) // MAX_MEASURED]]
    inside = [quad for quad in quads if (quad >= 0).all() and (quad < pixels.shape[1::-1]).all()]
    return [found for quad in inside if (found := _measure_digit(pixels, quad)) is not None]


def _colour(channels: Iterable[float]) -> Colour:
    blue, green, red = (float(channel) for channel in channels)
    return blue, green, red


def _measure_digit(pixels: Image, quad: Floats) -> list[float] | None:
    """Measure the digit in a cell with the corners *quad* (4, 2). Return None if it can't be seen.

    Returns ten numbers. The height, the width of the strokes, and x and y of the middle are in cells. The
    colours (B, G, R) of ink and of paper follow.
    """
    inner = np.array([[_PIXEL, 0, _INNER], [0, _PIXEL, _INNER], [0, 0, 1]], np.float64)
    patch = sampled(pixels, homography_of_square(quad) @ inner, (_PATCH, _PATCH))
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    offset = np.abs(grey - median(grey))
    strength = quantile(offset, _INK_QUANTILE)
    if strength < _MIN_CONTRAST:
        return None
    mask = (offset > strength / 2).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    left, top, width, height = (int(value) for value in stats[largest, :4])
    # In a stroke that is w pixels wide, the mean distance of ink from the nearest paper is w / 4 + 1 / 2.
    depth = cv2.distanceTransform((labels == largest).astype(np.uint8), cv2.DIST_L2, 3)
    weight = 4 * float(depth[labels == largest].mean()) - 2
    middle_x, middle_y = left + (width - 1) / 2, top + (height - 1) / 2
    ink = patch[offset > _FULL_INK * strength].mean(axis=0)
    paper = patch[mask == 0].mean(axis=0)
    at = [_INNER + middle_x * _PIXEL, _INNER + middle_y * _PIXEL]
    return [height * _PIXEL, weight * _PIXEL, *at, *ink.tolist(), *paper.tolist()]


SURE_COLOURS: tuple[Colour, ...] = ((205, 80, 0), (60, 140, 0), (45, 95, 0), (120, 240, 120), (255, 190, 60))
"""Cool colours of sure answers. Light paper: blue, green, dark green. Dark paper: light green, sky blue."""
UNSURE_COLOURS: tuple[Colour, ...] = ((0, 95, 225), (0, 65, 180), (20, 20, 215), (60, 190, 255))
"""Warm colours of answers that are not sure. Light paper: orange, rust, red. Dark paper: amber."""
FRAME_COLOURS: dict[str, Colour] = {
    "many_solutions": (190, 40, 160),
    "no_solution": (30, 20, 215),
    "unreadable": (125, 125, 125),
}
"""Colours of frames by the status of a grid: violet, red and grey."""
RIGHT_COLOURS: tuple[Colour, ...] = ((60, 140, 0), (45, 95, 0), (120, 240, 120))
WRONG_COLOURS: tuple[Colour, ...] = ((20, 20, 215), (110, 110, 255))
VISIBLE_DIFFERENCE = 26.0
"""Smallest difference between two colours, in CIE 1976 Lab, that a person sees at a glance. Between a digit
and the paper, only the lightness counts, because the eye hardly sees the hue of fine strokes."""
ANOTHER_HAND = 56.0
"""Minimum difference, in CIE 1976 Lab, between the colour of answers and the ink of entries. Blue answers
differ from blue pens by 35 to 54, so the two look too similar. Answers differ from pencil by 64 and more."""
_GROUND_SHARE = 0.8  # share of white (or black) in the background of hollow digits; the rest is paper
_HALF_LIGHT = 50.0  # paper is dark if its lightness in CIE 1976 Lab, 0..100, is below this

_BGR_TO_XYZ = np.array(
    [[0.180423, 0.357580, 0.412453], [0.072169, 0.715160, 0.212671], [0.950227, 0.119193, 0.019334]]
)
_BGR_TO_XYZ /= _BGR_TO_XYZ.sum(axis=1, keepdims=True)
"""Matrix that turns linear BGR (sRGB, D65) into CIE XYZ. It is scaled so that white becomes (1, 1, 1)."""

VISIONS = (
    np.eye(3),
    np.array(
        [[1.051998, -0.048116, -0.003882], [0.099216, 0.786281, 0.114503], [-0.204868, 1.052583, 0.152286]]
    ),
    np.array(
        [[0.968881, 0.042940, -0.011820], [0.047413, 0.672501, 0.280085], [-0.227968, 0.860646, 0.367322]]
    ),
)
"""Matrices that turn linear BGR into what people see: most people, people with protanopia, and people with
deuteranopia (G. M. Machado and others, IEEE TVCG 15, 2009, severity 1)."""


@lru_cache(maxsize=64)
def choose_colour(
    colours: tuple[Colour, ...], print_style: PrintStyle, *, ink: bool = True, entries: bool = False
) -> Colour:
    """Return the first of *colours* that differs enough from paper and ink, or else the most different one.

    The difference must be enough for colour-blind people, too. *ink*: whether the colour must differ from
    the ink of clues. *entries*: whether the colour must differ from the ink of entries.
    """
    ordered = colours[::-1] if on_dark_paper(print_style) else colours
    lightness = lab_of(np.array([print_style.paper, *ordered], np.float32))[:, 0]
    apart = np.abs(lightness[1:] - lightness[0]) / VISIBLE_DIFFERENCE
    if ink:
        apart = np.minimum(apart, _apart(print_style.ink, ordered, VISIBLE_DIFFERENCE))
    if entries and print_style.entry_ink:
        apart = np.minimum(apart, _apart(print_style.entry_ink, ordered, ANOTHER_HAND))
    good = np.flatnonzero(apart >= 1)
    return ordered[int(good[0] if good.size else np.argmax(apart))]


def _apart(ink: Colour, colours: tuple[Colour, ...], difference: float) -> Floats:
    """Return how much each of N *colours* differs from an *ink*: (N,) float32. A value of 1 is just enough.

    For each kind of vision, the difference is divided by the required difference: *difference* for most
    people, :data:`VISIBLE_DIFFERENCE` for colour-blind people. The lowest quotient is returned.
    """
    seen = [lab_of(np.array([ink, *colours], np.float32), vision) for vision in VISIONS]
    apart = [np.linalg.norm(lab[1:] - lab[0], axis=1) for lab in seen]
    blind = np.min(apart[1:], axis=0) / VISIBLE_DIFFERENCE
    return np.asarray(np.minimum(apart[0] / difference, blind), np.float32)


@lru_cache(maxsize=16)
def hollow_ground(print_style: PrintStyle) -> Colour:
    """Return the background of hollow digits: lighter than light paper, darker than dark paper."""
    to = BLACK if on_dark_paper(print_style) else WHITE
    return mixed(print_style.paper, to, _GROUND_SHARE)


def on_dark_paper(print_style: PrintStyle) -> bool:
    """Return whether the paper is dark."""
    return bool(lab_of(np.array([print_style.paper], np.float32))[0, 0] < _HALF_LIGHT)


def lab_of(colours: Floats, vision: NDArray[np.float64] = VISIONS[0]) -> Floats:
    """Convert BGR colours (N, 3), 0..255, to CIE Lab (N, 3). *vision*: a matrix of :data:`VISIONS`."""
    # OpenCV's own conversion first makes tables. This takes longer than reading several photos.
    shares = colours / 255
    light = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    x, y, z = (np.clip(light @ vision.T, 0, 1) @ _BGR_TO_XYZ.T).T
    fx, fy, fz = (
        np.where(part > 216 / 24389, np.cbrt(part), part * (24389 / 27 / 116) + 16 / 116)
        for part in (x, y, z)
    )
    return np.asarray(np.stack([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)], axis=-1), np.float32)
