"""Print one puzzle: its grid in black on white, alone in a picture or anywhere on a page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from sudoku_vision.output.drawing.colours import BLACK, Colour
from sudoku_vision.output.drawing.figure import Area, Element, Figure, Line, Point, Text, box
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT
from sudoku_vision.results import NO_MARKS, Board, Image, Lattice, Marks, brief
from sudoku_vision.sudoku.rules import CLASSIC, Rules

ANSWER: Colour = (95.0, 95.0, 95.0)  # grey of answers and entries: clues must stay the darker ones of a grid

_THIN, _THICK, _BORDER = 0.02, 0.06, 0.07  # widths of lines, in cells
_HAIRLINE = 0.09  # mm, below which printers lose lines
_THIN_COLOUR: Colour = (125.0, 125.0, 125.0)  # screens show all that is narrower than a pixel equally wide
DIGIT_HEIGHT = 0.54  # of a clue, in cells
_SHADE: Colour = (222.0, 222.0, 222.0)  # of diagonals that are units: digits stay clear on it
_MARK_STEP, _MARK_HEIGHT = 0.28, 0.18  # cells: from one pencil mark to the next, and how tall they are

PICTURE_DPI = 300  # pixels to the inch of a picture of one puzzle
_PICTURE_CELL = 96  # pixels: sharp on a screen and in print 8 cm wide at 300 dpi
_PICTURE_MARGIN = 0.75  # cells of white round the grid: what reads it again wants paper there


@dataclass(frozen=True, eq=False)
class PrintablePuzzle:
    """A puzzle to print: ``puzzle`` and, where it is known, ``solution``, (9, 9) int8.

    ``name`` and ``note`` go above its grid. ``entries`` (9, 9) int8 and ``marks`` are what a person has put
    into it: digits lighter than its clues, and small candidates; None for one that nobody has begun.
    ``link`` is the address behind its QR code. ``rules``: regions have thick borders, diagonals are shaded.
    """

    puzzle: Board
    solution: Board | None = None
    name: str = ""
    note: str = ""
    entries: Board | None = None
    marks: Marks = NO_MARKS
    link: str = ""
    rules: Rules = CLASSIC

    __repr__ = brief


def puzzle_figure(item: PrintablePuzzle, *, solved: bool = False) -> Figure:
    """Draw one grid alone on a white sheet of 85 mm; *solved* with the answers between its clues."""
    return puzzle_sheet(lambda corner, side: puzzle_elements(item, corner, side, solved=solved))


def puzzle_sheet(draw: Callable[[Point, float], Sequence[Element]]) -> Figure:
    """Return a white sheet of 85 mm for one grid, which *draw* gives for its outer corner and its side."""
    cell = _PICTURE_CELL / PICTURE_DPI * 25.4
    side, corner = (9 + 2 * _PICTURE_MARGIN) * cell, _PICTURE_MARGIN * cell
    return Figure(side, side, draw((corner, corner), 9 * cell))


def draw_puzzle(item: PrintablePuzzle, *, solved: bool = False) -> Image:
    """Draw one grid on white, (1008, 1008, 3) uint8 BGR; *solved* with the answers between its clues."""
    return raster(puzzle_figure(item, solved=solved), PICTURE_DPI)


def puzzle_lattice() -> Lattice:
    """Return where the grid lies in the pictures of :func:`draw_puzzle`."""
    steps = _PICTURE_CELL * (_PICTURE_MARGIN + np.arange(10, dtype=np.float32)) - 0.5
    return Lattice(np.stack(np.meshgrid(steps, steps), axis=-1))


def puzzle_elements(
    item: PrintablePuzzle, corner: tuple[float, float], side: float, *, solved: bool = False
) -> list[Element]:
    """Return the elements of a grid, its outer corner at (left, top), *side* wide, all in millimetres.

    Where it is *solved*, the answers stand between the clues, and nothing of what a person has put there.
    """
    begun = item.entries is not None
    elements: list[Element] = [*_lines(corner, side / 9, item.rules)]
    elements += digits(item.puzzle, corner, side / 9, BLACK, bold=solved or begun)
    if solved and item.solution is not None:
        answers = np.where(item.puzzle > 0, 0, item.solution)
        elements += digits(answers, corner, side / 9, ANSWER)
    elif item.entries is not None:
        elements += digits(item.entries, corner, side / 9, ANSWER)
        elements += marks(item.marks, corner, side / 9)
    return elements


def digit(
    value: int, middle: tuple[float, float], height: float, colour: Colour, *, bold: bool = False
) -> Text:
    """Return one digit about its *middle* (x, y), *height* tall, in millimetres."""
    x, y = middle
    return Text(str(value), (x, y + height / 2), height / CAP_HEIGHT, colour, bold, "middle")


def digits(
    board: Board, corner: tuple[float, float], cell: float, colour: Colour, *, bold: bool = False
) -> Iterator[Text]:
    """Yield the digits of a *board* (9, 9), 0 for none, its outer corner at (left, top), *cell* a cell."""
    for row, column in np.argwhere(board > 0).tolist():
        middle = (corner[0] + (column + 0.5) * cell, corner[1] + (row + 0.5) * cell)
        yield digit(int(board[row, column]), middle, DIGIT_HEIGHT * cell, colour, bold=bold)


def marks(
    candidates: Marks, corner: tuple[float, float], cell: float, colour: Colour = ANSWER
) -> Iterator[Text]:
    """Yield pencil marks, each at its place of a 3x3 raster in its cell."""
    for place, values in enumerate(candidates):
        row, column = divmod(place, 9)
        for value in sorted(values):
            down, across = divmod(value - 1, 3)
            x = corner[0] + (column + 0.5 + _MARK_STEP * (across - 1)) * cell
            y = corner[1] + (row + 0.5 + _MARK_STEP * (down - 1)) * cell
            yield digit(value, (x, y), _MARK_HEIGHT * cell, colour)


def _lines(corner: Point, cell: float, rules: Rules) -> Iterator[Line | Area]:
    """Yield the lines of a grid, thin ones below thick ones, and over their ends a border with corners."""
    left, top = corner
    end, half = 9 * cell, max(_BORDER * cell, _HAIRLINE) / 2
    thin = max(_THIN * cell, _HAIRLINE)
    if rules.diagonal:
        corners = (divmod(place, 9) for place in sorted({*chain(*rules.diagonals)}))
        places = [(left + column * cell, top + row * cell) for row, column in corners]
        yield Area([box(x, y, x + cell, y + cell) for x, y in places], _SHADE)
    for at in (number * cell for number in range(1, 9)):
        yield Line([(left, top + at), (left + end, top + at)], thin, _THIN_COLOUR)
        yield Line([(left + at, top), (left + at, top + end)], thin, _THIN_COLOUR)
    for first, last in _thick_lines(rules):
        ends = [(left + x * cell, top + y * cell) for x, y in (first, last)]
        yield Line(ends, max(_THICK * cell, _HAIRLINE))
    for at in (0.0, end):  # not lines, whose ends are round
        yield Area([box(left - half, top + at - half, left + end + half, top + at + half)])
        yield Area([box(left + at - half, top - half, left + at + half, top + end + half)])


def _thick_lines(rules: Rules) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of the straight lines between regions, in cells from the top left."""
    beside = np.zeros((2, 9, 9), bool)  # is a border above the cell, or left of it
    for one, two in rules.borders():
        beside[int(two == one + 1), two // 9, two % 9] = True
    for upright in (0, 1):
        for number, line in enumerate(beside[1].T if upright else beside[0]):
            starts, ends = (np.flatnonzero(np.diff([0, *line, 0]) == step).tolist() for step in (1, -1))
            for start, end in zip(starts, ends, strict=True):
                first, last = (start, number), (end, number)
                yield (first[::-1], last[::-1]) if upright else (first, last)
