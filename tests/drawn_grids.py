"""Drawings: grids as they would be read, killers, flat boards, a cover over a cell, the insides of cells."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from drawn.pages import draw_page
from examples import JIGSAW, REGIONS
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.rules import Cage
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Lattice, Reading
from workshop import Kind
from workshop.rendering import Bend, Conditions, Drawing, GridStyle, Pose, draw, random_conditions
from workshop.rendering.covers import covered, hidden_share, random_cover
from workshop.rendering.kinds import killer_conditions
from workshop.rendering.typefaces import plain_typeface
from workshop.rendering.writing import Writing

BLANK = np.zeros((9, 9), np.int8)

_SIDE, _LINES = 40, 6
"""Pixels of a straightened cell, and how many at each of its sides are left out, as its lines are there."""


VIEWS = {
    "straight on": Conditions(size=(480, 480)),
    "steep": Conditions(size=(640, 480), pose=Pose(pitch=25, yaw=15, fill=0.9)),
    "on its side": Conditions(size=(480, 480), pose=Pose(quarter_turns=1, roll=3)),
    "bent": Conditions(size=(600, 600), bend=Bend(arch=0.1)),
    "dark screen": Conditions(size=(480, 640), dark=True, screenshot=True),
}


def grid_of(drawing: Drawing, status: GridStatus = "solved", **more: Any) -> Grid:
    """The first grid of a drawing; its status says whether it has a solution. *more*: of its reading."""
    grid = drawing.grids[0]
    solution = grid.solution if status in ("solved", "uncertain") else None
    reading = Reading(grid.puzzle, BLANK, solution, 1, 0.99)
    return Grid(status, grid.lattice, replace(reading, **more))


def cell_of(picture: NDArray[np.uint8] | Floats, lattice: Lattice, cell: int, lines: int = 3) -> NDArray[Any]:
    """The inside of one cell (0..80), straightened, without so many pixels at each side."""
    square = _SIDE * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(lattice.cell(*divmod(cell, 9)), square)
    straight = cv2.warpPerspective(picture, matrix, (_SIDE, _SIDE))
    return np.asarray(straight)[lines:-lines, lines:-lines]


def changed_cells(before: Image, after: Image, lattice: Lattice, share: float = 0.02) -> NDArray[np.bool_]:
    """The cells (9, 9) of which more than *share* has changed well inside their lines."""
    change = (before != after).any(axis=2).astype(np.float32)
    shares = [cell_of(change, lattice, cell, _LINES).mean() for cell in range(81)]
    return np.array(shares).reshape(9, 9) > share


_HIDDEN, _AREA = 0.85, 40  # share of the cell that the cover must hide; cells that it may hide at most


def laid_over(drawing: Drawing, kind: str, cell: int) -> tuple[Image, Floats]:
    """Lay a cover of a *kind* over a *cell*, and few others; return the picture and what it hides (81,)."""
    lattice = drawing.grids[0].lattice
    for seed in range(200):
        cover = random_cover(kind, lattice, [cell], drawing.pixels, np.random.default_rng(seed))
        share = hidden_share(drawing.pixels, cover, lattice).mean(axis=(1, 2))
        if share[cell] > _HIDDEN and share.sum() < _AREA:
            return covered(drawing.pixels, cover), share
    raise AssertionError(f"no {kind} lies over this cell")


def draw_killer(
    design: str,
    kind: Kind = "screenshot_light",
    clues: int = 0,
    cages: tuple[Cage, ...] = (),
    *,
    only_sums: bool = False,
    writing: Writing | None = None,
) -> Drawing:
    """Draw a killer; if *cages* are given, it has these and no clues.

    If *only_sums* is true, its sums are drawn without its cages. *writing*: its entries; None for none.
    """
    rng = np.random.default_rng(1)
    conditions = killer_conditions(rng, random_conditions(rng, kind), design, plain_typeface())
    style = conditions.grid.cages
    if only_sums and style is not None:
        style = replace(style, lines="none", tints=())
    grid = replace(conditions.grid, cages=style)
    conditions = replace(conditions, clues=clues, grid=grid, writing=writing or Writing())
    blank = [np.zeros((9, 9), np.int8)] if cages else []
    return draw_page(rng, conditions, puzzles=blank, cages=[cages] if cages else [])


def draw_jigsaw(**style: float) -> Image:
    """Draw the jigsaw of the examples as it is printed."""
    grid = GridStyle(regions=tuple(map(int, REGIONS)), **style)  # type: ignore[arg-type]
    puzzle = board_array(parse_board(JIGSAW))
    return draw(np.random.default_rng(1), Conditions(grid=grid), puzzles=[puzzle]).pixels


def with_covered_sum(drawing: Drawing, number: int) -> Image:
    """Return the pixels of a killer with the sum of one of its cages painted over."""
    (truth,) = drawing.grids
    cell = truth.lattice.cell(*divmod(truth.cages[number].cells[0], 9))
    left, top = (cell.min(axis=0) + 0.06 * truth.lattice.cell_size).astype(int)
    side = int(0.4 * truth.lattice.cell_size)
    pixels = drawing.pixels.copy()
    pixels[top : top + side, left : left + side] = pixels[top + side + 2, left + side + 2]
    return pixels


SIDE = 40  # of a drawn cell, in pixels
Colour = tuple[int, int, int]
PLACES = np.arange(10) * SIDE + 20
LATTICE = Lattice(np.stack(np.meshgrid(PLACES, PLACES), axis=2).astype(np.float32))
"""The place of every flat board: 20 pixels of paper lie around it."""


def flat_board(
    digits: Mapping[int, str],
    colours: Mapping[int, Colour],
    paper: Colour,
    line: Colour,
    shades: Mapping[int, Colour] | None = None,
    widths: Mapping[int, int] | None = None,
) -> Image:
    """Draw *digits* in the *colours* of their cells (0..80), on *paper*, with grid lines of the colour
    *line*.

    *shades* are colours of cells, *widths* those of strokes: 1 regular, 2 bold (as without any).
    """
    image = np.full((9 * SIDE + 40, 9 * SIDE + 40, 3), paper, np.uint8)
    for cell, colour in (shades or {}).items():
        x, y = PLACES[cell % 9], PLACES[cell // 9]
        image[y : y + SIDE, x : x + SIDE] = colour
    for index, at in enumerate(PLACES.tolist()):
        width = 3 if index % 3 == 0 else 1
        cv2.line(image, (at, 20), (at, 20 + 9 * SIDE), line, width)
        cv2.line(image, (20, at), (20 + 9 * SIDE, at), line, width)
    for cell, digit in digits.items():
        place, width = (int(PLACES[cell % 9]) + 11, int(PLACES[cell // 9]) + 30), (widths or {}).get(cell, 2)
        cv2.putText(image, digit, place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, colours[cell], width, cv2.LINE_AA)
    return image
