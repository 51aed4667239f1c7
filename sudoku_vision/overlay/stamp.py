"""Stamps: the answers of a page as a figure to be laid over it, drawn as into its picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sudoku_vision.drawing.figure import Area, Element, Figure, Line, Point, Text, box
from sudoku_vision.drawing.typesetting import text_width
from sudoku_vision.overlay.answers import grid_shapes
from sudoku_vision.overlay.ink import HALO, points_in_photo
from sudoku_vision.overlay.print import PrintStyle, grid_print
from sudoku_vision.overlay.printed import shape_elements
from sudoku_vision.overlay.shapes import DrawnDigit, Place, Tag
from sudoku_vision.overlay.stroke_font import PEN_PATHS, WIDTH
from sudoku_vision.results import GridResult, Lattice, Photo

_MM = 25.4 / 200  # of a pixel, about its size on paper: a stamp is stretched to the size of its page
_HOLLOW_WIDER, _HOLLOW_LEFT = 1.5, 0.6  # widths of a hollow stroke, and of what is left out of it, in pens
_TAG_SIZE, _TAG_ROOM = 0.24, 0.08  # cells: the em of the word of a frame, and the room round it


def page_stamp(photo: Photo, grids: Iterable[GridResult]) -> Figure:
    """Draw the answers of *grids* for the page of which *photo* is the picture, as large as the page."""
    height, width = photo.pixels.shape[:2]
    elements: list[Element] = []
    for grid in grids:
        elements += _grid_elements(grid, grid_print(photo.pixels, grid))
    return Figure(width * _MM, height * _MM, elements)


def _grid_elements(grid: GridResult, print_style: PrintStyle) -> Iterator[Element]:
    lattice, cell = grid.lattice, grid.lattice.cell_size * _MM

    def place(points: Iterable[Place]) -> list[Point]:
        found = points_in_photo(lattice, list(points))
        return [((float(x) + 0.5) * _MM, (float(y) + 0.5) * _MM) for x, y in found]

    for shape in grid_shapes(grid, print_style):
        if isinstance(shape, DrawnDigit):
            yield from _digit(shape, place(_pen_path(shape)), cell, print_style)
        elif isinstance(shape, Tag):
            yield from _tag(shape, lattice, cell)
        else:
            yield from shape_elements([shape], place, cell, paper=print_style.paper)


def _pen_path(shape: DrawnDigit) -> list[Place]:
    """Return the path of the pen that writes a digit, in lattice units."""
    row, column = divmod(shape.cell, 9)
    height = shape.height - shape.weight
    x, y = column + shape.middle[0], row + shape.middle[1]
    return [(x + (u - WIDTH / 2) * height, y + (v - 0.5) * height) for u, v in PEN_PATHS[shape.digit]]


def _digit(
    shape: DrawnDigit, path: Sequence[Point], cell: float, print_style: PrintStyle
) -> Iterator[Element]:
    pen, ground = shape.weight * cell, shape.ground or print_style.paper
    outer = pen * _HOLLOW_WIDER if shape.hollow else pen
    if shape.halo:
        yield Line(path, outer + 2 * HALO * cell, ground, round=True)
    yield Line(path, outer, shape.colour, round=True)
    if shape.hollow:
        yield Line(path, pen * _HOLLOW_LEFT, ground, round=True)


def _tag(tag: Tag, lattice: Lattice, cell: float) -> Iterator[Element]:
    """Write the word of a frame on a patch of its colour, over the top left of the grid on the page."""
    left, top = (float(side) for side in np.asarray(lattice.crossings).reshape(-1, 2).min(axis=0) * _MM)
    size, room = _TAG_SIZE * cell, _TAG_ROOM * cell
    width = text_width(tag.words, size, bold=True)
    bottom = max(top - room, size + 2 * room)
    yield Area(box(left, bottom - size - room, left + width + 2 * room, bottom), tag.colour)
    yield Text(tag.words, (left + room, bottom - 0.3 * size), size, (255, 255, 255), bold=True)
