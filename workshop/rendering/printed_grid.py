"""Draw the lines, cells, clues and cages of a grid on a canvas, in a given style."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.figure import BLACK, Colour, mixed, runs
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.regions import BORDERS, is_cut
from sudoku_vision.sudoku.rules import BOXES, Cage
from workshop.rendering.canvas import Canvas, digit_mask
from workshop.rendering.typefaces import Typeface

ThinLines = Literal["plain", "dotted", "none"]
Diagonals = Literal["none", "line", "dotted", "shaded"]
CageLines = Literal["dashed", "dotted", "plain", "none"]
_Hole = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A gap in an outline, in cells: (left, right), (top, bottom)."""
_Piece = tuple[float, float, float, float]  # left, top, right and bottom of a piece of an outline, in cells

_DOTS_PER_CELL = 9  # number of dots of a dotted line on one side of a cell, as in newspapers
_DOT = 0.03  # radius of the dots of a dotted diagonal, in cells
_SPARE = 2  # number of cage colours that are used only if the other colours are not enough


@dataclass(frozen=True)
class CageStyle:
    """The style of the cages of a killer. Lengths are in cells."""

    lines: CageLines = "dashed"  # how the outline of a cage is drawn
    inset: float = 0.07  # distance of the outline from the borders of cells
    width: float = 0.02  # width of the outline
    dash: float = 0.08  # length of a dash
    gap: float = 0.05  # length of the gap after a dash
    strength: float = 1.0  # darkness of the outline, 0..1
    at_corners: bool = False  # whether dashes begin anew in each cell
    tints: tuple[Colour, ...] = ()  # colours of cages, if they are coloured
    sum_height: float = 0.2  # height of the digits of a sum
    sum_place: tuple[float, float] = (0.06, 0.06)  # offset (right, down) of a sum from its cell's corner
    cleared: float | None = None  # the outline stops at this distance from a sum; None for no gap


@dataclass(frozen=True)
class GridStyle:
    """The style of a printed grid. Lengths are in cells, colours are (blue, green, red)."""

    thin: float = 0.025  # width of thin lines
    thick: float = 0.06  # width of the lines between boxes or regions
    border: float = 0.06  # width of the outer lines
    thin_lines: ThinLines = "plain"
    thin_strength: float = 1.0  # darkness of thin lines, 0..1
    cell_colour: Colour | None = None
    line_colour: Colour = BLACK
    digit_colour: Colour = BLACK
    typeface: Typeface | None = None  # None for a random one
    digit_height: float = 0.55
    digit_offset: tuple[float, float] = (0.0, 0.0)
    shaded: tuple[int, ...] = ()  # boxes 0..8 with the colour ``shade``
    shade: Colour = (215.0, 215.0, 215.0)
    highlight: int | None = None  # the cell 0..80 whose row, column and box are coloured, as in apps
    highlight_colour: Colour = (250.0, 230.0, 210.0)
    regions: str = BOXES  # 81 characters: for each cell, the number of its region
    region_colours: tuple[Colour, ...] = ()  # a colour for each region, if regions are coloured
    diagonals: Diagonals = "none"  # how the two main diagonals are marked
    cages: CageStyle | None = None


class MarkBox(NamedTuple):
    """The box around a mark. Its sides are positions in cells, from the top left corner of ``cell``."""

    cell: int
    digit: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, eq=False)
class PrintedGrid:
    """The place of a grid on the page, and its content."""

    left: float  # x of the grid's corner in page pixels
    top: float  # y of the grid's corner in page pixels
    cell: float  # side of a cell in page pixels
    puzzle: Board  # this board and the next two: (9, 9) int8, 0 for blank
    written: Board
    solution: Board
    marks: Marks = NO_MARKS
    mark_boxes: tuple[MarkBox, ...] = ()  # the places of the drawn pencil marks
    cages: tuple[Cage, ...] = ()

    @property
    def crossings(self) -> NDArray[np.float64]:
        """The line crossings (10, 10, 2) in page pixels; (0, 0) is the outer corner of the first pixel."""
        steps = self.cell * np.arange(10)
        return np.stack(np.broadcast_arrays(self.left + steps[None, :], self.top + steps[:, None]), axis=-1)

    def middle(self, row: int, column: int, offset: Sequence[float] = (0.0, 0.0)) -> tuple[float, float]:
        """Return the middle of a cell, (x, y) in page pixels, moved by an *offset* (right, down) in cells."""
        right, down = offset
        return self.left + (column + 0.5 + right) * self.cell, self.top + (row + 0.5 + down) * self.cell


def print_grid(
    canvas: Canvas, grid: PrintedGrid, style: GridStyle, face: Typeface, paper: Colour, ink: float
) -> None:
    """Draw cells, lines and clues of *grid* on *paper*. *ink*: strength of the print, 0..1."""
    _cells(canvas, grid, style)
    ground = style.cell_colour or paper
    _lines(canvas, grid, style, mixed(ground, style.line_colour, ink), ground)
    colour = mixed(ground, style.digit_colour, ink)
    if grid.cages and style.cages is not None:
        outline = mixed(ground, mixed(ground, style.digit_colour, style.cages.strength), ink)
        _print_cages(canvas, grid, style.cages, face, outline, colour)
    for row, column in np.argwhere(grid.puzzle > 0).tolist():
        x, y = grid.middle(row, column, style.digit_offset)
        canvas.glyph(str(grid.puzzle[row, column]), x, y, style.digit_height * grid.cell, face, colour)


def _cells(canvas: Canvas, grid: PrintedGrid, style: GridStyle) -> None:
    def fill(row: int, column: int, height: int, width: int, colour: Colour) -> None:
        left, top = grid.left + column * grid.cell, grid.top + row * grid.cell
        canvas.rectangle(left, top, left + width * grid.cell, top + height * grid.cell, colour)

    if style.cell_colour is not None:
        fill(0, 0, 9, 9, style.cell_colour)
    for row, column in np.ndindex(9, 9):
        if style.region_colours:
            fill(row, column, 1, 1, style.region_colours[int(style.regions[9 * row + column]) - 1])
        if style.diagonals == "shaded" and (row == column or row + column == 8):
            fill(row, column, 1, 1, style.shade)
    if grid.cages and style.cages is not None and style.cages.tints:
        for cell, colour in enumerate(_cage_colours(grid.cages, len(style.cages.tints) - _SPARE)):
            fill(*divmod(cell, 9), 1, 1, style.cages.tints[colour])
    for box in style.shaded:
        fill(box // 3 * 3, box % 3 * 3, 3, 3, style.shade)
    if style.highlight is not None:
        row, column = divmod(style.highlight, 9)
        fill(row, 0, 1, 9, style.highlight_colour)
        fill(0, column, 9, 1, style.highlight_colour)
        fill(row // 3 * 3, column // 3 * 3, 3, 3, style.highlight_colour)


def _lines(canvas: Canvas, grid: PrintedGrid, style: GridStyle, colour: Colour, ground: Colour) -> None:
    thin = mixed(ground, colour, style.thin_strength)
    if style.diagonals in ("line", "dotted"):
        _diagonals(canvas, grid, style, thin)
    rows, columns = np.split(is_cut(style.regions), 2)
    cut = (rows.reshape(8, 9), columns.reshape(9, 8).T)  # True where horizontal and vertical lines are thick
    for line in range(1, 9):
        ways = [way for way in (0, 1) if style.thin_lines != "none" and not cut[way][line - 1].all()]
        _line_pair(canvas, grid, line, style.thin, thin, ways, dotted=style.thin_lines == "dotted")
    for line in range(1, 9):
        for way in (0, 1):
            for first, last in runs(cut[way][line - 1]):
                _line_pair(canvas, grid, line, style.thick, colour, (way,), run=(first, last))
    for line in (0, 9) if style.border > 0 else ():
        _line_pair(canvas, grid, line, style.border, colour)


def _line_pair(
    canvas: Canvas,
    grid: PrintedGrid,
    line: int,
    thickness: float,
    colour: Colour,
    ways: Sequence[int] = (0, 1),
    *,
    dotted: bool = False,
    run: tuple[int, int] = (0, 9),
) -> None:
    """Draw the horizontal line and the vertical line with the number *line*, 0..9, *thickness* cells wide.

    *ways*: 0 to draw the horizontal line, 1 to draw the vertical line. *run*: numbers (0..9) of the crossings
    at which the lines begin and end.
    """
    half, at = thickness * grid.cell / 2, line * grid.cell
    before, after = (half if line in (0, 9) or end not in (0, 9) else 0.0 for end in run)
    first, length = run[0] * grid.cell, (run[1] - run[0]) * grid.cell
    dots = 9 * _DOTS_PER_CELL if dotted else 1
    step = length / dots
    for dot in range(dots):
        start = first + dot * step - (0 if dotted else before)
        end = start + (step / 2 if dotted else length + before + after)
        x, y = grid.left, grid.top
        if 0 in ways:
            canvas.rectangle(x + start, y + at - half, x + end, y + at + half, colour)
        if 1 in ways:
            canvas.rectangle(x + at - half, y + start, x + at + half, y + end, colour)


def _diagonals(canvas: Canvas, grid: PrintedGrid, style: GridStyle, colour: Colour) -> None:
    side, left, top = 9 * grid.cell, np.floor(grid.left), np.floor(grid.top)
    mask = np.zeros((int(side) + 2, int(side) + 2), np.uint8)
    share = np.linspace(0, 1, 9 * _DOTS_PER_CELL // 2 + 1)
    x = side * np.stack([share, 1 - share]) + (grid.left - left) - 0.5
    y = side * share + (grid.top - top) - 0.5
    fine = 4  # OpenCV gets coordinates in sixteenths of a pixel, that is, with 4 fractional bits
    width = max(1, round(style.thin * grid.cell))
    for way in (0, 1):
        points = np.rint(np.stack([x[way], y], axis=1) * 2**fine).astype(np.int32)
        if style.diagonals == "line":
            ends = points[[0, -1]].tolist()
            cv2.line(mask, *ends, 255, width, cv2.LINE_AA, fine)  # type: ignore[call-overload]
        else:
            for point in points.tolist():
                cv2.circle(mask, point, round(_DOT * grid.cell * 2**fine), 255, -1, cv2.LINE_AA, fine)
    canvas.ink(mask, float(left), float(top), colour)


def _cage_colours(cages: Sequence[Cage], most: int) -> list[int]:
    """Return for each cell the number of its cage's colour. Neighbouring cages have different colours.

    The numbers are below *most*, unless neighbours need more colours.
    """
    cage_of = {cell: number for number, cage in enumerate(cages) for cell in cage.cells}
    beside: list[set[int]] = [set() for _ in cages]
    for one, other in BORDERS.tolist():
        if cage_of[one] != cage_of[other]:
            beside[cage_of[one]].add(cage_of[other])
            beside[cage_of[other]].add(cage_of[one])
    colours: dict[int, int] = {}
    while len(colours) < len(cages):  # each time, colour the cage with the fewest colours left
        taken = {
            cage: {colours[other] for other in beside[cage] if other in colours} for cage in range(len(cages))
        }
        cage = max((cage for cage in taken if cage not in colours), key=lambda one: len(taken[one]))
        free = [colour for colour in range(most + _SPARE) if colour not in taken[cage]]
        colours[cage] = free[len(colours) % max(1, sum(colour < most for colour in free))]
    return [colours[cage_of[cell]] for cell in range(81)]


def _print_cages(
    canvas: Canvas, grid: PrintedGrid, style: CageStyle, face: Typeface, outline: Colour, ink: Colour
) -> None:
    """Draw the outlines of cages in the colour *outline*, and their sums in the colour *ink*."""
    drawn = partial(digit_mask, height=round(style.sum_height * grid.cell, 1), face=face)
    left, top = style.sum_place
    for cage in grid.cages:
        first = cage.cells[0]
        mask, _ = drawn(str(cage.sum))
        tall, wide = (length / grid.cell for length in mask.shape)
        hole = None
        if style.cleared is not None:
            room = np.array([-style.cleared, style.cleared])
            hole = left + room + [0, wide], top + room + [0, tall]
        for cell in cage.cells if style.lines != "none" else ():
            for piece in _outline(cell, set(cage.cells), style, hole if cell == first else None):
                across, down = np.array(piece).reshape(2, 2).T * grid.cell
                x = (across + cell % 9 * grid.cell + grid.left).tolist()
                y = (down + cell // 9 * grid.cell + grid.top).tolist()
                if style.lines == "dotted":
                    _dot(canvas, x, y, outline)
                else:
                    canvas.rectangle(x[0], y[0], x[1], y[1], outline)
        column, row = first % 9 + left, first // 9 + top
        canvas.ink(mask, grid.left + column * grid.cell, grid.top + row * grid.cell, ink)


def _outline(place: int, own: set[int], style: CageStyle, hole: _Hole | None) -> Iterator[_Piece]:
    """Yield the pieces of a cage's outline in the cell *place*. *own*: the cells of the cage.

    The outline has a gap in the *hole*: the place of the sum, with a margin.
    """
    row, column = divmod(place, 9)

    def inside(down: int, right: int) -> bool:
        return 0 <= row + down < 9 and 0 <= column + right < 9 and place + 9 * down + right in own

    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if inside(down, right):
            continue
        ends = []
        for way in (-1, 1):
            beside = way * abs(right), way * abs(down)
            within = style.inset if not inside(*beside) else 0.0
            if inside(*beside) and inside(down + beside[0], right + beside[1]):
                within = -style.inset  # the cage goes on around a corner
            ends.append(within if way < 0 else 1 - within)
        at = style.inset if down + right < 0 else 1 - style.inset
        gap = None
        if hole is not None and hole[abs(down)][0] < at < hole[abs(down)][1]:
            gap = hole[abs(right)]
        for start, end in _dashes(ends[0], ends[1], style, column if down else row):
            low, high = at - style.width / 2, at + style.width / 2
            pieces = [(start, end)] if gap is None else [(start, min(end, gap[0])), (max(start, gap[1]), end)]
            for one, other in pieces:
                if one < other:
                    yield (one, low, other, high) if down else (low, one, high, other)


def _dashes(start: float, end: float, style: CageStyle, cells: int) -> list[tuple[float, float]]:
    """Return (start, end) of each dash of a line in one cell. All lengths are in cells.

    *start*, *end*: ends of the line in this cell. *cells*: number of cells between the grid's edge and this
    cell. Dashes continue from one cell into the next, unless the style lets them begin anew in each cell.
    """
    if style.lines == "plain":
        return [(start - style.width / 2, end + style.width / 2)]
    period = style.dash + style.gap
    if style.at_corners:
        count = max(1, round((end - start + style.gap) / period))
        step = (end - start + style.gap) / count
        return [(start + number * step, start + (number + 1) * step - style.gap) for number in range(count)]
    numbers = np.arange(np.floor((start + cells) / period), np.ceil((end + cells) / period))
    starts = numbers * period - cells
    parts = np.stack([np.maximum(starts, start), np.minimum(starts + style.dash, end)], axis=1)
    return [(one, other) for one, other in parts.tolist() if one < other]


def _dot(canvas: Canvas, x: Sequence[float], y: Sequence[float], colour: Colour) -> None:
    """Draw a dot in the middle of the ranges *x* and *y*. Its diameter is the length of the longer range."""
    radius = max(x[1] - x[0], y[1] - y[0]) / 2
    side = 2 * int(np.ceil(radius)) + 3
    middle = (x[0] + x[1]) / 2, (y[0] + y[1]) / 2
    corner = [int(np.floor(place)) - side // 2 for place in middle]
    centre = [round(16 * (place - first - 0.5)) for place, first in zip(middle, corner, strict=True)]
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, centre, round(16 * radius), 255, -1, cv2.LINE_AA, 4)
    canvas.ink(mask, corner[0], corner[1], colour)
