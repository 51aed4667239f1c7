"""Answers on paper: shapes as elements of a figure, on boards that are printed afresh."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from sudoku_vision.output.drawing import puzzle_figure
from sudoku_vision.output.drawing.figure import Area, Element, Figure, Point, Text, box
from sudoku_vision.output.drawing.puzzle_pages import MOST_GRIDS, PageStyle, caption, fitting_layout, page_of
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.output.overlay.answer_drawing import grid_shapes
from sudoku_vision.output.overlay.print_style import PrintStyle, grid_print
from sudoku_vision.output.overlay.shape_pixels import points_in_photo
from sudoku_vision.output.overlay.shape_vectors import shape_elements, straight
from sudoku_vision.output.overlay.shapes import DrawnDigit, Fade, Place, Shapes, Tag
from sudoku_vision.results import NO_MARKS, GridResult, Lattice, Photo

_MM = 25.4 / 200  # of a pixel, about its size on paper: a stamp is stretched to the size of its page
_TAG_SIZE, _TAG_ROOM = 0.24, 0.08  # cells: the em of the word of a frame, and the room round it

_PAPER_PRINT = PrintStyle(height=puzzle_figure.DIGIT_HEIGHT, ink=(0.0, 0.0, 0.0), paper=(255.0, 255.0, 255.0))


def answer_pages(grids: Sequence[GridResult]) -> list[Figure]:
    """Print *grids* afresh with their answers: clues black, answers lighter, doubts as in a picture.

    As many pages as it takes, the grids as large as fit.
    """
    parts = [
        (str(number) if len(grids) > 1 else "", _note(grid), partial(printed_answers, grid))
        for number, grid in enumerate(grids, 1)
    ]
    starts = range(0, len(parts), MOST_GRIDS)
    return [
        page_of(
            parts[start : start + MOST_GRIDS],
            PageStyle(title=""),
            (number, len(starts)),
            fitting_layout(len(parts)),
        )
        for number, start in enumerate(starts, 1)
    ]


def answer_figure(grid: GridResult) -> Figure:
    """Print one grid afresh with its answers, alone on a sheet of its own size."""

    def draw(corner: Point, side: float) -> list[Element]:
        return [*caption("", _note(grid), corner, side), *printed_answers(grid, corner, side)]

    return puzzle_figure.puzzle_sheet(draw)


def printed_answers(grid: GridResult, corner: Point, side: float) -> list[Element]:
    """Return the elements of a grid with its answers, its outer corner at (left, top), in millimetres.

    Marks stand only in cells that no answer is printed in.
    """
    shapes = _answers(grid)
    answered = {shape.cell for shape in shapes if isinstance(shape, DrawnDigit)}
    marks = tuple(NO_MARKS[0] if cell in answered else found for cell, found in enumerate(grid.marks))
    item = puzzle_figure.PrintablePuzzle(grid.puzzle, entries=grid.written, marks=marks, rules=grid.rules)
    cell = side / 9
    answers = shape_elements(shapes, straight(corner, cell), cell, in_type=True)
    return [*puzzle_figure.puzzle_elements(item, corner, side), *answers]


def _note(grid: GridResult) -> str:
    """Return the word of a grid without a sure answer."""
    return next((shape.words for shape in grid_shapes(grid, _PAPER_PRINT) if isinstance(shape, Tag)), "")


def _answers(grid: GridResult) -> Shapes:
    """Return what is drawn over the printed board: of a sure grid, the answers in grey."""
    shapes = (shape for shape in grid_shapes(grid, _PAPER_PRINT) if not isinstance(shape, Fade | Tag))
    if grid.status != "solved":
        return tuple(shapes)
    return tuple(
        replace(shape, colour=puzzle_figure.ANSWER) if isinstance(shape, DrawnDigit) else shape
        for shape in shapes
    )


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
