"""Draw a picture of a page with sudokus, and return it with the places and contents of its grids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.rules import Cage, Rules
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.values import Image
from sudoku_vision.vision.results import Lattice
from workshop.rendering.boards import random_killer, random_puzzle
from workshop.rendering.canvas import Canvas
from workshop.rendering.conditions import Conditions
from workshop.rendering.exposure import compressed, exposed, light_field, lit
from workshop.rendering.page import LAYOUTS, Page, PageLayout, Printer, choose_fonts
from workshop.rendering.printed_grid import PrintedGrid
from workshop.rendering.scene import CameraView, aim, on_table, photograph
from workshop.rendering.spoiling import add_crumples, add_mottle
from workshop.rendering.writing import fill_in

_OVERSAMPLING = 1.25  # number of page pixels for one pixel of the picture, along each axis
_MIN_CELL, _MAX_CELL = 26.0, 100.0  # smallest and largest side of a cell on the page, in pixels


@dataclass(frozen=True, eq=False)
class DrawnGrid(PrintedGrid):
    """A grid on the page, and the ``lattice`` of its line crossings in the picture, in pixels."""

    lattice: Lattice = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawn picture and its grids."""

    pixels: Image  # (H, W, 3) uint8 BGR
    grids: tuple[DrawnGrid, ...]
    cut: tuple[DrawnGrid, ...] = ()  # the grids that lie partly or completely outside of the picture


def draw(
    rng: Generator,
    conditions: Conditions | None = None,
    *,
    puzzles: Sequence[Board] = (),
    written: Sequence[Board] = (),
    marks: Sequence[Marks] = (),
    cages: Sequence[Sequence[Cage]] = (),
    layouts: Mapping[str, PageLayout] = LAYOUTS,
) -> Drawing:
    """Draw a picture under *conditions*. The same state of *rng* gives the same picture.

    *puzzles*, *written*, *marks* and *cages* are the contents of the page's grids, in the order of the grids.
    Boards are (9, 9) int8. What is not given is random. *layouts*: the page layouts by name.
    """
    conditions = conditions or Conditions()
    page = print_page(
        rng, conditions, puzzles=puzzles, written=written, marks=marks, cages=cages, layouts=layouts
    )
    if conditions.screenshot:
        return _screenshot(page, conditions)
    view = aim(page, conditions, rng)
    return Drawing(take(page, view, conditions, rng), *seen_grids(page, view, conditions.size))


def print_page(
    rng: Generator,
    conditions: Conditions,
    *,
    puzzles: Sequence[Board] = (),
    written: Sequence[Board] = (),
    marks: Sequence[Marks] = (),
    cages: Sequence[Sequence[Cage]] = (),
    layouts: Mapping[str, PageLayout] = LAYOUTS,
) -> Page:
    """Return the flat page, with about as many pixels as the picture needs.

    The arguments are those of :func:`draw`.
    """
    fonts = choose_fonts(conditions, rng)
    in_picture = conditions.pose.fill * min(conditions.size) / 9
    cell = float(np.clip(_OVERSAMPLING * in_picture, _MIN_CELL, _MAX_CELL))
    contents = []
    for number in range(conditions.puzzles):
        entries = written[number] if number < len(written) else None
        caged = tuple(cages[number]) if number < len(cages) else ()
        if number < len(puzzles):
            puzzle, solution = puzzles[number], _solution(puzzles[number], entries, Rules(cages=caged))
        elif conditions.grid.cages is not None:
            (puzzle, solution, caged), entries = random_killer(rng, conditions.clues), None
        else:
            (puzzle, solution), entries = random_puzzle(rng, conditions.clues), None
        if entries is None:
            entries = fill_in(puzzle, solution, conditions.writing, rng)
        noted = marks[number] if number < len(marks) else NO_MARKS
        contents.append(PrintedGrid(0, 0, cell, puzzle, entries, solution, noted, (), caged))
    page = layouts[conditions.layout](Printer(conditions, cell, fonts, rng), contents)
    add_mottle(page.canvas, conditions.grain, rng)
    add_crumples(page.canvas, cell, conditions.crumpled, rng)
    return page if conditions.screenshot else _shrunk(page, _OVERSAMPLING * in_picture / cell)


def _solution(puzzle: Board, written: Board | None, rules: Rules) -> Board:
    """Return *puzzle* with the entries *written*, if this gives a full board without clashes.

    Otherwise, return the solution of *puzzle*, or zeros if there is no solution.
    """
    filled = puzzle if written is None else puzzle + written
    of_all = solve(filled, rules=rules).solution if filled.all() else None
    found = solve(puzzle, rules=rules).solution if of_all is None else of_all
    return np.zeros((9, 9), np.int8) if found is None else found


def _shrunk(page: Page, scale: float) -> Page:
    """Return the page scaled by the factor *scale*. If *scale* is above 0.9, the page stays as it is.

    If the page had far more pixels than the picture, the photograph would skip pixels and lose thin lines.
    """
    if scale > 0.9:
        return page
    height, width = page.canvas.pixels.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    across, down = size[0] / width, size[1] / height
    pixels = np.asarray(cv2.resize(page.canvas.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    grids = tuple(
        replace(grid, left=grid.left * across, top=grid.top * down, cell=grid.cell * across)
        for grid in page.grids
    )
    return Page(Canvas(pixels), grids, None if page.spine is None else page.spine * across)


def _screenshot(page: Page, conditions: Conditions) -> Drawing:
    pixels = cv2.resize(page.canvas.pixels, conditions.size, interpolation=cv2.INTER_AREA)
    scale = np.array(conditions.size) / [page.canvas.width, page.canvas.height]
    grids = tuple(_truth(grid, grid.crossings * scale) for grid in page.grids)
    return Drawing(compressed(np.asarray(pixels, np.uint8), conditions.optics.jpeg), grids)


def seen_grids(
    page: Page, view: CameraView, size: tuple[int, int]
) -> tuple[tuple[DrawnGrid, ...], tuple[DrawnGrid, ...]]:
    """Return the grids that lie completely in a picture of *size* (width, height), and the other grids."""
    whole: list[DrawnGrid] = []
    cut: list[DrawnGrid] = []
    for grid in page.grids:
        truth = _truth(grid, view.project(grid.crossings))
        places = truth.lattice.crossings
        inside = ((places >= 0) & (places <= np.array(size) - 1)).all()
        (whole if inside else cut).append(truth)
    return tuple(whole), tuple(cut)


def take(page: Page, view: CameraView, conditions: Conditions, rng: Generator) -> Image:
    """Return the photograph (H, W, 3) uint8 BGR of *page* from *view*."""
    seen, places = photograph(page, view, conditions.size)
    scene = on_table(seen, conditions, rng)
    slopes = None
    if not conditions.bend.flat:
        slopes = view.slopes(places.reshape(-1, 2)).reshape(places.shape)
        on_page = (places >= 0) & (places <= [page.canvas.width, page.canvas.height])
        slopes *= on_page.all(axis=-1, keepdims=True)  # the table beside the page is flat
    field = light_field(conditions.size, conditions.light, slopes, rng)
    return exposed(lit(scene, field, conditions.light, rng), conditions.optics, rng)


def _truth(grid: PrintedGrid, crossings: NDArray[np.float64]) -> DrawnGrid:
    lattice = Lattice((crossings - 0.5).astype(np.float32))  # in a lattice, (0, 0) is the centre of a pixel
    return DrawnGrid(**vars(grid), lattice=lattice)
