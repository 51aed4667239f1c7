"""Draw answers for print: on a newly drawn board, or as a stamp to lay over a page of a document."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from sudoku_vision.output.drawing import puzzle_figure
from sudoku_vision.output.drawing.figure import Area, Colour, Element, Figure, Text, box
from sudoku_vision.output.drawing.puzzle_pages import (
    MAX_GRIDS,
    PageStyle,
    Part,
    caption,
    fitting_layout,
    page_of,
)
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.output.overlay.answer_drawing import grid_shapes
from sudoku_vision.output.overlay.flatten import flatten, straight_lattice, vector_elements
from sudoku_vision.output.overlay.print_style import PrintStyle, grid_print
from sudoku_vision.output.overlay.shapes import DrawnDigit, Fade, Shapes, Tag
from sudoku_vision.sudoku.board import NO_MARKS
from sudoku_vision.texts import ENGLISH, say
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice, Photo

_MM = 25.4 / 200  # side of a photo's pixel in a stamp, in mm; later, the stamp is scaled to the page
_TAG_SIZE, _TAG_ROOM = 0.24, 0.08  # em of the words of a tag, and room around them, both in cells
_ASIDE = (0.4, 0.58)  # centre (x, y), 0..1, of an entry in its cell if an answer stands beside the entry

_PAPER_PRINT = PrintStyle(height=puzzle_figure.DIGIT_HEIGHT, ink=(0.0, 0.0, 0.0), paper=(255.0, 255.0, 255.0))


def answer_pages(grids: Sequence[Grid], language: str = ENGLISH) -> list[Figure]:
    """Return pages with *grids* and their answers. *language*: language of the words."""
    parts = [
        Part(str(number) if len(grids) > 1 else "", _note(grid, language), partial(printed_answers, grid))
        for number, grid in enumerate(grids, 1)
    ]
    starts, layout = range(0, len(parts), MAX_GRIDS), fitting_layout(len(parts))
    return [
        page_of(parts[start : start + MAX_GRIDS], PageStyle(title=""), (number, len(starts)), layout)
        for number, start in enumerate(starts, 1)
    ]


def answer_figure(grid: Grid, language: str = ENGLISH) -> Figure:
    """Return a white sheet, 85 mm wide, with a grid and its answers. *language*: language of the words."""
    return puzzle_figure.puzzle_sheet(
        lambda side: [*caption("", _note(grid, language), side), *printed_answers(grid, side)]
    )


def printed_answers(grid: Grid, side: float) -> list[Element]:
    """Return the elements of a grid at (0, 0) with its answers; *side* is in mm.

    Pencil marks are printed only in cells without an answer. An entry moves to the left to make room for an
    answer beside it.
    """
    shapes = _answers(grid)
    answered = {shape.cell for shape in shapes if isinstance(shape, DrawnDigit)}
    marks = tuple(NO_MARKS[0] if cell in answered else found for cell, found in enumerate(grid.marks))
    aside = np.where(np.isin(np.arange(81), list(answered)).reshape(9, 9), grid.written, 0)
    item = puzzle_figure.PrintablePuzzle(
        grid.puzzle, entries=grid.written - aside, marks=marks, rules=grid.rules
    )
    moved = puzzle_figure.digits(aside, side / 9, puzzle_figure.ANSWER, middle=_ASIDE)
    answers = vector_elements(flatten(shapes, straight_lattice(side / 9)), in_type=True)
    return [*puzzle_figure.puzzle_elements(item, side), *moved, *answers]


def _note(grid: Grid, language: str) -> str:
    """Return why a grid has no sure answer; "" for a sure grid."""
    tags = (shape for shape in grid_shapes(grid, _PAPER_PRINT) if isinstance(shape, Tag))
    return next((say(tag.words, language) for tag in tags), "")


def _answers(grid: Grid) -> Shapes:
    """Return the shapes to draw over the printed board. If the grid is sure, its answers are grey."""
    sure = grid.status == "solved"
    return tuple(
        replace(shape, colour=puzzle_figure.ANSWER) if sure and isinstance(shape, DrawnDigit) else shape
        for shape in grid_shapes(grid, _PAPER_PRINT)
        if not isinstance(shape, Fade | Tag)
    )


def page_stamp(photo: Photo, grids: Iterable[Grid], language: str = ENGLISH) -> Figure:
    """Return a sheet with the answers of *grids*, to lay over the page in *photo*.

    The sheet has the shape of *photo*. Its words are in *language*.
    """
    height, width = photo.pixels.shape[:2]
    elements: list[Element] = []
    for grid in grids:
        print_style = grid_print(photo.pixels, grid)
        shapes = grid_shapes(grid, print_style)
        lattice = Lattice((grid.lattice.crossings + np.float32(0.5)) * np.float32(_MM))
        elements += vector_elements(flatten(shapes, lattice), paper=print_style.paper)
        for shape in shapes:
            if isinstance(shape, Tag):
                elements += _tag(say(shape.words, language), shape.colour, lattice)
    return Figure(width * _MM, height * _MM, elements)


def _tag(words: str, colour: Colour, lattice: Lattice) -> Iterator[Element]:
    """Yield the *words* of a tag on a patch of its *colour*, just above the top left corner of the grid."""
    left, top = lattice.crossings.reshape(-1, 2).min(axis=0).tolist()
    size, room = _TAG_SIZE * lattice.cell_size, _TAG_ROOM * lattice.cell_size
    width = text_width(words, size, bold=True)
    bottom = max(top - room, size + 2 * room)
    yield Area([box(left, bottom - size - room, left + width + 2 * room, bottom)], colour)
    yield Text(words, (left + room, bottom - 0.3 * size), size, (255, 255, 255), bold=True)
