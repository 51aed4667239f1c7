"""Stamps: the answers of a page as a figure to be laid over it, drawn as into its picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sudoku_vision.output.drawing.figure import Area, Element, Figure, Point, Text, box
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.output.overlay.answers import grid_shapes
from sudoku_vision.output.overlay.ink import points_in_photo
from sudoku_vision.output.overlay.print import PrintStyle, grid_print
from sudoku_vision.output.overlay.shapes import Place, Tag
from sudoku_vision.output.overlay.vectors import shape_elements
from sudoku_vision.results import GridResult, Lattice, Photo

_MM = 25.4 / 200  # of a pixel, about its size on paper: a stamp is stretched to the size of its page
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

    shapes = grid_shapes(grid, print_style)
    yield from shape_elements(shapes, place, cell, paper=print_style.paper)
    for shape in shapes:
        if isinstance(shape, Tag):
            yield from _tag(shape, lattice, cell)


def _tag(tag: Tag, lattice: Lattice, cell: float) -> Iterator[Element]:
    """Write the word of a frame on a patch of its colour, over the top left of the grid on the page."""
    left, top = (float(side) for side in np.asarray(lattice.crossings).reshape(-1, 2).min(axis=0) * _MM)
    size, room = _TAG_SIZE * cell, _TAG_ROOM * cell
    width = text_width(tag.words, size, bold=True)
    bottom = max(top - room, size + 2 * room)
    yield Area([box(left, bottom - size - room, left + width + 2 * room, bottom)], tag.colour)
    yield Text(tag.words, (left + room, bottom - 0.3 * size), size, (255, 255, 255), bold=True)
