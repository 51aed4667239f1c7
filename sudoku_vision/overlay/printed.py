"""Answers on paper: shapes as elements of a figure, on boards that are printed afresh."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sudoku_vision.drawing.colours import WHITE, Colour
from sudoku_vision.drawing.figure import Area, Element, Figure, Line, Point, Text, box
from sudoku_vision.drawing.pages import (
    MOST_GRIDS,
    PAPERS,
    PageStyle,
    PaperName,
    caption,
    fitting_layout,
    grid_places,
    page_number,
)
from sudoku_vision.drawing.puzzle import (
    ANSWER,
    DIGIT_HEIGHT,
    PrintablePuzzle,
    digit,
    puzzle_elements,
    puzzle_sheet,
)
from sudoku_vision.drawing.typesetting import text_outlines
from sudoku_vision.overlay.answers import grid_shapes
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.overlay.shapes import DrawnDigit, DrawnLine, Fade, Place, Shape, Shapes, Tag, Wash
from sudoku_vision.results import NO_MARKS, GridResult

_PAPER_PRINT = PrintStyle(height=DIGIT_HEIGHT, ink=(0.0, 0.0, 0.0), paper=(255.0, 255.0, 255.0))
_HOLLOW = 0.03  # width in cells of the edge of a hollow digit
_HALO = 0.1  # width in cells of the white round a digit: half of it lies outside
_INSET = 0.06  # share of a cell that is left out on each side where it is faded, so that its lines stay


def answer_pages(grids: Sequence[GridResult], paper: PaperName = "a4") -> list[Figure]:
    """Print *grids* afresh with their answers: clues black, answers lighter, doubts as in a picture.

    As many pages as it takes, the grids as large as fit.
    """
    style = PageStyle(paper, title="")
    size = fitting_layout(len(grids))
    side, places = grid_places(style, size)
    total = -(-len(grids) // MOST_GRIDS)
    figures = []
    for number in range(total):
        elements: list[Element] = [*page_number(style, (number + 1, total))]
        part = grids[number * MOST_GRIDS : (number + 1) * MOST_GRIDS]
        for offset, (grid, corner) in enumerate(zip(part, places, strict=False), 1):
            name = str(number * MOST_GRIDS + offset) if len(grids) > 1 else ""
            elements += [*caption(name, _note(grid), corner, side)]
            elements += printed_answers(grid, corner, side)
        figures.append(Figure(*PAPERS[paper], elements))
    return figures


def answer_figure(grid: GridResult) -> Figure:
    """Print one grid afresh with its answers, alone on a sheet of its own size."""

    def draw(corner: Point, side: float) -> list[Element]:
        return [*caption("", _note(grid), corner, side), *printed_answers(grid, corner, side)]

    return puzzle_sheet(draw)


def printed_answers(grid: GridResult, corner: Point, side: float) -> list[Element]:
    """Return the elements of a grid with its answers, its outer corner at (left, top), in millimetres.

    Marks stand only in cells that no answer is printed in.
    """
    shapes = _answers(grid)
    answered = {shape.cell for shape in shapes if isinstance(shape, DrawnDigit)}
    marks = tuple(NO_MARKS[0] if cell in answered else found for cell, found in enumerate(grid.marks))
    item = PrintablePuzzle(grid.puzzle, entries=grid.written, marks=marks)
    cell = side / 9

    def place(points: Iterable[Place]) -> list[Point]:
        return [(corner[0] + u * cell, corner[1] + v * cell) for u, v in points]

    return [*puzzle_elements(item, corner, side), *shape_elements(shapes, place, cell)]


def _note(grid: GridResult) -> str:
    """Return the word of a grid without a sure answer."""
    return next((shape.words for shape in grid_shapes(grid, _PAPER_PRINT) if isinstance(shape, Tag)), "")


def _answers(grid: GridResult) -> Shapes:
    """Return what is drawn over the printed board: of a sure grid, the answers in grey."""
    shapes = (shape for shape in grid_shapes(grid, _PAPER_PRINT) if not isinstance(shape, Fade | Tag))
    if grid.status != "solved":
        return tuple(shapes)
    return tuple(
        replace(shape, colour=ANSWER) if isinstance(shape, DrawnDigit) else shape for shape in shapes
    )


def shape_elements(
    shapes: Iterable[Shape],
    place: Callable[[Iterable[Place]], Sequence[Point]],
    cell: float,
    *,
    paper: Colour = WHITE,
) -> Iterator[Element]:
    """Yield the elements of *shapes* on an upright grid, in their order.

    *place* gives the points of places (u, v), in millimetres; *cell* is how wide a cell is there, *paper* the
    colour of what is laid over what fades.
    """
    for shape in shapes:
        match shape:
            case DrawnDigit():
                yield from _digit(shape, place, cell)
            case DrawnLine():
                points = place(shape.points)
                yield Line(points, shape.width * cell, shape.colour, shape.closed, round=True)
            case Wash():
                for number in shape.cells:
                    yield Area(place(_cell_box(number, 0.0)), shape.colour, shape.strength)
            case Fade():
                yield Area(place(_cell_box(shape.cell, _INSET)), paper, shape.strength)
            case Tag():
                (corner,) = place([(0.0, 0.0)])
                yield from caption("", shape.words, corner, 9 * cell)


def _cell_box(cell: int, inset: float) -> Sequence[Place]:
    row, column = divmod(cell, 9)
    return box(column + inset, row + inset, column + 1 - inset, row + 1 - inset)


def _digit(
    shape: DrawnDigit, place: Callable[[Iterable[Place]], Sequence[Point]], cell: float
) -> Iterator[Element]:
    row, column = divmod(shape.cell, 9)
    (middle,) = place([(column + shape.middle[0], row + shape.middle[1])])
    text = digit(shape.digit, middle, shape.height * cell, shape.colour)
    ground = shape.ground or WHITE
    if shape.halo:
        yield from (Line(points, _HALO * cell, ground, True, round=True) for points in _outlines(text))
    yield replace(text, colour=ground) if shape.hollow else text
    if shape.hollow:
        yield from (Line(points, _HOLLOW * cell, shape.colour, True) for points in _outlines(text))


def _outlines(text: Text) -> Iterator[Sequence[Point]]:
    for points in text_outlines(text):
        yield [(float(x), float(y)) for x, y in points]
