"""Draw the grid of a puzzle for print, black on white."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np

from sudoku_vision.geometry import CROSSINGS
from sudoku_vision.output.drawing.figure import (
    BLACK,
    Area,
    Colour,
    Element,
    Figure,
    Line,
    Point,
    Text,
    box,
    mark_place,
    moved,
    runs,
)
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks, board_array, parse_board
from sudoku_vision.sudoku.regions import is_cut
from sudoku_vision.sudoku.rules import CLASSIC, Cage, Rules
from sudoku_vision.values import Image, Value
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Lattice

Draw: TypeAlias = Callable[[float], Sequence[Element]]
"""A function that returns the elements of a grid at (0, 0). Its argument is the side of the grid in mm."""
ANSWER: Colour = (95.0, 95.0, 95.0)  # colour of answers and entries

_THIN, _THICK, _BORDER = 0.02, 0.06, 0.07  # widths of thin lines, thick lines and the border, in cells
_HAIRLINE = 0.09  # minimum width of a line in mm: thinner lines can be lost in print
_THIN_COLOUR: Colour = (125.0, 125.0, 125.0)  # grey: in small pictures, thick lines differ only in colour
DIGIT_HEIGHT = 0.54  # height of a clue, in cells
_SHADE: Colour = (222.0, 222.0, 222.0)  # background of the cells on diagonals that are units
_MARK_STEP, _MARK_HEIGHT = 0.28, 0.18  # distance between pencil marks, and their height, in cells
_INSET, _CAGE_WIDTH = 0.07, 0.025  # distance of a cage's line from grid lines, and its width, in cells
_DASH, _DASH_SHARE = 0.2, 0.45  # length of a dash plus the gap after it, in cells; the dash's share of that
_SUM_PLACE, _SUM_HEIGHT = (0.05, 0.215), 0.175  # in cells: start (x, y) of a sum's base line, height of a sum
_SUM_ROOM = 0.09, 0.14, 0.3  # space for a sum, in cells: basic width, additional width for each digit, height

PICTURE_DPI = 300  # resolution of a picture of one puzzle, in pixels to the inch
_PICTURE_CELL = 96  # width of a cell of the picture, in pixels
_PICTURE_MARGIN = 0.75  # width of the picture's white margin, in cells; programs need it to find the grid


@dataclass(frozen=True, eq=False, repr=False)
class PrintablePuzzle(Value):
    """A puzzle to print. ``puzzle`` (9, 9) int8: the clues. ``solution`` (9, 9) int8, or None if unknown.

    ``name`` and ``note`` are printed above the grid. ``entries`` (9, 9) int8: the digits that a person has
    filled in, printed lighter; None if nobody has begun the puzzle. ``marks``: pencil marks; they are printed
    only if there are entries. ``link``: the address in the QR code.
    """

    puzzle: Board
    solution: Board | None = None
    name: str = ""
    note: str = ""
    entries: Board | None = None
    marks: Marks = NO_MARKS
    link: str = ""
    rules: Rules = CLASSIC

    def __post_init__(self) -> None:
        for name in ("puzzle", "solution", "entries"):
            if (board := getattr(self, name)) is not None:
                vars(self)[name] = board_array(parse_board(board))
        super().__post_init__()


def puzzle_figure(item: PrintablePuzzle, *, solved: bool = False) -> Figure:
    """Return a white sheet, 85 mm wide, with the grid of *item*, and with its answers if *solved*."""
    return puzzle_sheet(lambda side: puzzle_elements(item, side, solved=solved))


def puzzle_sheet(draw: Draw) -> Figure:
    """Return a white sheet, 85 mm wide, with the grid that *draw* returns."""
    cell = _PICTURE_CELL / PICTURE_DPI * 25.4
    side, margin = (9 + 2 * _PICTURE_MARGIN) * cell, _PICTURE_MARGIN * cell
    return Figure(side, side, [*moved(draw(9 * cell), margin, margin)])


def draw_puzzle(item: PrintablePuzzle, *, solved: bool = False) -> Image:
    """Return a picture (1008, 1008, 3) uint8 BGR of the grid of *item*, with its answers if *solved*."""
    return raster(puzzle_figure(item, solved=solved), PICTURE_DPI)


def draw_grid(grid: Grid) -> tuple[Image, Grid]:
    """Return a picture of *grid* with entries and marks, and a copy of *grid* with the picture's lattice."""
    item = PrintablePuzzle(grid.puzzle, entries=grid.written, marks=grid.marks, rules=grid.rules)
    return draw_puzzle(item), replace(grid, lattice=puzzle_lattice())


def puzzle_lattice() -> Lattice:
    """Return the lattice of the grid in the pictures of :func:`draw_puzzle`."""
    crossings = _PICTURE_CELL * (_PICTURE_MARGIN + CROSSINGS) - 0.5
    return Lattice(crossings.reshape(10, 10, 2).astype(np.float32))


def puzzle_elements(item: PrintablePuzzle, side: float, *, solved: bool = False) -> list[Element]:
    """Return the elements of a grid at (0, 0) with a *side* in mm. If *solved*, answers replace entries."""
    cell, begun = side / 9, item.entries is not None
    elements: list[Element] = [*lines(cell, item.rules)]
    elements += digits(item.puzzle, cell, BLACK, bold=solved or begun)
    if solved and item.solution is not None:
        elements += digits(np.where(item.puzzle > 0, 0, item.solution), cell, ANSWER)
    elif item.entries is not None:
        elements += digits(item.entries, cell, ANSWER)
        elements += _marks(item.marks, cell, item.rules)
    return elements


def digit(value: int, middle: Point, height: float, colour: Colour, *, bold: bool = False) -> Text:
    """Return a digit of a *height* in mm, whose centre is *middle* (x, y)."""
    x, y = middle
    return Text(str(value), (x, y + height / 2), height / CAP_HEIGHT, colour, bold, "middle")


def digits(
    board: Board, cell: float, colour: Colour, *, bold: bool = False, middle: Point = (0.5, 0.5)
) -> Iterator[Text]:
    """Yield the digits of *board* (9, 9). *cell*: side of a cell in mm. *middle*: centre in a cell, 0..1."""
    for row, column in np.argwhere(board > 0).tolist():
        centre = ((column + middle[0]) * cell, (row + middle[1]) * cell)
        yield digit(int(board[row, column]), centre, DIGIT_HEIGHT * cell, colour, bold=bold)


def _marks(marks: Marks, cell: float, rules: Rules) -> Iterator[Text]:
    for place, values in enumerate(marks):
        row, column = divmod(place, 9)
        for value in sorted(values):
            x, y = mark_place(value, _MARK_STEP, rules)
            yield digit(value, ((column + x) * cell, (row + y) * cell), _MARK_HEIGHT * cell, ANSWER)


def lines(cell: float, rules: Rules) -> Iterator[Element]:
    """Yield grid lines, cages, and grey for diagonals that are units. *cell*: side of a cell in mm."""
    end, half, thin = 9 * cell, max(_BORDER * cell, _HAIRLINE) / 2, max(_THIN * cell, _HAIRLINE)
    if rules.diagonal:
        corners = (divmod(place, 9) for place in sorted({*chain(*rules.diagonals)}))
        places = [(column * cell, row * cell) for row, column in corners]
        yield Area([box(x, y, x + cell, y + cell) for x, y in places], _SHADE)
    for at in (number * cell for number in range(1, 9)):
        yield Line([(0, at), (end, at)], thin, _THIN_COLOUR)
        yield Line([(at, 0), (at, end)], thin, _THIN_COLOUR)
    for first, last in _thick_lines(rules):
        yield Line([(x * cell, y * cell) for x, y in (first, last)], max(_THICK * cell, _HAIRLINE))
    for at in (0.0, end):  # the border; areas give it sharp corners, lines have round ends
        yield Area([box(-half, at - half, end + half, at + half)])
        yield Area([box(at - half, -half, at + half, end + half)])
    yield from _cages(cell, rules)


def _thick_lines(rules: Rules) -> Iterator[tuple[Point, Point]]:
    """Yield the ends (x, y) of each straight line between regions, in cells."""
    cut = is_cut(rules.regions)
    for number, line in enumerate(cut[:72].reshape(8, 9), start=1):
        yield from (((start, number), (end, number)) for start, end in runs(line))
    for number, line in enumerate(cut[72:].reshape(9, 8).T, start=1):
        yield from (((number, start), (number, end)) for start, end in runs(line))


def _cages(cell: float, rules: Rules) -> Iterator[Line | Text]:
    for cage in rules.cages:
        for start, end in _cage_sides(cage):
            length = math.dist(start, end)
            step = length / (max(1, round(length / _DASH)) + _DASH_SHARE) * cell
            dashes = _DASH_SHARE * step, (1 - _DASH_SHARE) * step
            ends = [(x * cell, y * cell) for x, y in (start, end)]
            yield Line(ends, max(_CAGE_WIDTH * cell, _HAIRLINE), dashes=dashes)
        row, column = divmod(cage.cells[0], 9)
        place = (column + _SUM_PLACE[0]) * cell, (row + _SUM_PLACE[1]) * cell
        yield Text(str(cage.sum), place, _SUM_HEIGHT / CAP_HEIGHT * cell)


def _cage_sides(cage: Cage) -> Iterator[tuple[Point, Point]]:
    """Yield the ends (x, y), in cells, of each straight side of a cage. The sides leave room for the sum."""
    inside = np.zeros((11, 11), bool)
    row, column = divmod(cage.cells[0], 9)
    inside[1:-1, 1:-1].flat[[*cage.cells]] = True
    corner = column + _INSET, row + _INSET
    beside = column + _SUM_ROOM[0] + _SUM_ROOM[1] * len(str(cage.sum)), row + _INSET
    below = column + _INSET, row + _SUM_ROOM[2]
    for turns in range(4):
        for y, (above, line) in enumerate(pairwise(np.rot90(inside, turns))):
            for first, after in runs(line & ~above):
                left = first - 1 + (-_INSET if line[first - 1] else _INSET)
                right = after - 1 + (_INSET if line[after] else -_INSET)
                ends = [(left, y + _INSET), (right, y + _INSET)]
                for _ in range(turns):
                    ends = [(9 - down, across) for across, down in ends]
                start, end = ends
                yield (
                    beside if math.dist(start, corner) < _INSET else start,
                    below if math.dist(end, corner) < _INSET else end,
                )
