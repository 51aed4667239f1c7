"""Draw a picture of a sudoku together with the truth about it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.results import NO_MARKS, Board, Image, Lattice, Marks
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.workshop.rendering.conditions import Conditions
from sudoku_vision.workshop.rendering.exposure import compressed, exposed, light_field, lit
from sudoku_vision.workshop.rendering.layouts import lay_out
from sudoku_vision.workshop.rendering.page import Content, Page, Printer, choose_fonts
from sudoku_vision.workshop.rendering.printed_grid import MarkBox, PrintedGrid
from sudoku_vision.workshop.rendering.scene import CameraView, aim, on_table, photograph
from sudoku_vision.workshop.rendering.spoiling import add_crumples, add_mottle

_OVERSAMPLING = 1.25  # page pixels to a pixel of the picture
_LEAST_CELL, _MOST_CELL = 26.0, 100.0  # pixels of a cell on the page: print must be legible, and not slow


@dataclass(frozen=True, eq=False)
class DrawnGrid:
    """The truth about one grid: its ``lattice`` in picture pixels, its boards (9, 9) int8.

    ``solution`` is the full board that ``written`` was taken from, but for its mistakes; ``marks`` are the 81
    sets of pencil marks, ``mark_boxes`` where each lies in its cell.
    """

    lattice: Lattice
    puzzle: Board
    written: Board
    solution: Board
    marks: Marks = NO_MARKS
    mark_boxes: tuple[MarkBox, ...] = ()


@dataclass(frozen=True, eq=False)
class Drawing:
    """A drawn picture: ``pixels`` (H, W, 3) uint8 BGR, the grids that lie whole in it, and those cut off.

    The first of ``grids`` is the one that the camera was aimed at.
    """

    pixels: Image
    grids: tuple[DrawnGrid, ...]
    cut: tuple[DrawnGrid, ...] = ()


def draw(
    rng: np.random.Generator,
    conditions: Conditions | None = None,
    *,
    puzzles: Sequence[Board] = (),
    written: Sequence[Board] = (),
    marks: Sequence[Marks] = (),
) -> Drawing:
    """Draw a picture under *conditions*; all chance comes from *rng*.

    *puzzles* and *written* are (9, 9) boards for the first grids of the page, *marks* their 81 sets of pencil
    marks; what is not given is made up.
    """
    conditions = conditions or Conditions()
    page = print_page(rng, conditions, puzzles=puzzles, written=written, marks=marks)
    if conditions.screenshot:
        return _screenshot(page, conditions)
    view = aim(page, conditions, rng)
    return Drawing(take(page, view, conditions, rng), *seen_grids(page, view, conditions.size))


def print_page(
    rng: np.random.Generator,
    conditions: Conditions,
    *,
    puzzles: Sequence[Board] = (),
    written: Sequence[Board] = (),
    marks: Sequence[Marks] = (),
) -> Page:
    """Lay out the flat page before the camera, as fine as its picture needs, from what :func:`draw` takes."""
    fonts = choose_fonts(conditions, rng)
    rest = zip(puzzles, chain(written, repeat(None)), chain(marks, repeat(NO_MARKS)), strict=False)
    given = [Content(puzzle, _solution(puzzle, entries), entries, noted) for puzzle, entries, noted in rest]
    in_picture = conditions.pose.fill * min(conditions.size) / 9
    cell = float(np.clip(_OVERSAMPLING * in_picture, _LEAST_CELL, _MOST_CELL))
    page = lay_out(Printer(conditions, cell, fonts, rng), given)
    add_mottle(page.canvas, conditions.grain, rng)
    add_crumples(page.canvas, cell, conditions.crumpled, rng)
    return page if conditions.screenshot else shrunk(page, _OVERSAMPLING * in_picture / cell)


def _solution(puzzle: Board, written: Board | None) -> Board:
    """The solution of a given puzzle: that which is written in, if it is one; zeros where there is none."""
    filled = puzzle if written is None else puzzle + written
    of_all = solve(filled).solution if filled.all() else None
    found = solve(puzzle).solution if of_all is None else of_all
    return np.zeros((9, 9), np.int8) if found is None else found


def shrunk(page: Page, scale: float) -> Page:
    """Return the page reproduced smaller, where the picture would otherwise skip page pixels."""
    if scale > 0.9:
        return page
    height, width = page.canvas.pixels.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    exact = size[0] / width, size[1] / height
    pixels = np.asarray(cv2.resize(page.canvas.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    grids = tuple(
        replace(grid, left=grid.left * exact[0], top=grid.top * exact[1], cell=grid.cell * exact[0])
        for grid in page.grids
    )
    return Page(Canvas(pixels), grids, None if page.spine is None else page.spine * exact[0])


def _screenshot(page: Page, conditions: Conditions) -> Drawing:
    """The page itself, brought to the size of the picture."""
    pixels = np.asarray(
        cv2.resize(page.canvas.pixels, conditions.size, interpolation=cv2.INTER_AREA), np.uint8
    )
    scale = np.array(conditions.size) / [page.canvas.width, page.canvas.height]
    grids = tuple(_truth(grid, grid.crossings * scale) for grid in page.grids)
    return Drawing(compressed(pixels, conditions.optics.jpeg), grids)


def seen_grids(
    page: Page, view: CameraView, size: tuple[int, int]
) -> tuple[tuple[DrawnGrid, ...], tuple[DrawnGrid, ...]]:
    """Return the truth about the grids of *page* that lie whole in the picture, and about the others."""
    whole: list[DrawnGrid] = []
    cut: list[DrawnGrid] = []
    for grid in page.grids:
        truth = _truth(grid, view.project(grid.crossings))
        places = truth.lattice.crossings
        inside = ((places >= 0) & (places <= np.array(size) - 1)).all()
        (whole if inside else cut).append(truth)
    return tuple(whole), tuple(cut)


def take(page: Page, view: CameraView, conditions: Conditions, rng: np.random.Generator) -> Image:
    """Return the photograph of *page* that the camera at *view* takes, (H, W, 3) uint8."""
    seen = photograph(page, view, conditions.size)
    scene = on_table(seen, conditions, rng)
    slopes = None
    if not conditions.bend.flat:
        slopes = view.slopes(seen.places.reshape(-1, 2)).reshape(seen.places.shape)
        on_page = (seen.places >= 0) & (seen.places <= [page.canvas.width, page.canvas.height])
        slopes *= on_page.all(axis=-1, keepdims=True)  # the table beside it doesn't slope
    field = light_field(conditions.size, conditions.light, slopes, rng)
    return exposed(lit(scene, field, conditions.light, rng), conditions.optics, rng)


def _truth(grid: PrintedGrid, crossings: NDArray[np.float64]) -> DrawnGrid:
    """From edge coordinates to the lattice's, in which pixel centres are whole numbers."""
    lattice = Lattice((crossings - 0.5).astype(np.float32))
    return DrawnGrid(lattice, grid.puzzle, grid.written, grid.solution, grid.marks, grid.mark_boxes)
