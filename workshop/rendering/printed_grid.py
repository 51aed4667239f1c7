"""Draw the lines, cells and clues of a grid on a canvas, in a given style."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import BLACK, Colour, mixed
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.regions import is_cut
from sudoku_vision.sudoku.rules import BOXES, Cage
from workshop.rendering.cages import CageStyle, draw_cages, draw_tints
from workshop.rendering.canvas import Canvas
from workshop.rendering.typefaces import Typeface

ThinLines = Literal["plain", "dotted", "none"]
Diagonals = Literal["none", "line", "dotted", "shaded"]

_DOTS_PER_CELL = 9  # number of dots of a dotted line along the side of one cell, as in newspapers
_DOT = 0.03  # radius of the dots of a dotted diagonal, in cells


@dataclass(frozen=True)
class GridStyle:
    """The style of a printed grid. Lengths are in cells, colours are (blue, green, red), strengths are 0..1.

    ``thin``, ``thick`` and ``border`` are widths of lines. If ``typeface`` is None, it is chosen by chance.
    ``shaded``: boxes 0..8 that have the colour ``shade``. ``highlight``: the cell whose row, column and box
    are tinted, as in apps. ``regions`` has a digit 1..9 for each of the 81 cells; thick lines run between
    different regions. ``region_colours``: nine colours for the regions, or none. ``diagonals``: how both
    diagonals are marked; ``shaded`` diagonals have the colour ``shade``.
    ``cages``: how the cages of a killer look; None for no killer.
    """

    thin: float = 0.025
    thick: float = 0.06
    border: float = 0.06
    thin_lines: ThinLines = "plain"
    thin_strength: float = 1.0
    cell_colour: Colour | None = None
    line_colour: Colour = BLACK
    digit_colour: Colour = BLACK
    typeface: Typeface | None = None
    digit_height: float = 0.55
    digit_offset: tuple[float, float] = (0.0, 0.0)
    shaded: tuple[int, ...] = ()
    shade: Colour = (215.0, 215.0, 215.0)
    highlight: int | None = None
    highlight_colour: Colour = (250.0, 230.0, 210.0)
    regions: str = BOXES
    region_colours: tuple[Colour, ...] = ()
    diagonals: Diagonals = "none"
    cages: CageStyle | None = None


class MarkBox(NamedTuple):
    """The box of the ink of one pencil mark, in its ``cell`` (0..80).

    The four sides are in cells, measured from the top left corner of the cell.
    """

    cell: int
    digit: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, eq=False)
class PrintedGrid:
    """The place of a grid on the page, and the content of its cells.

    In page pixels, ``left`` and ``top`` are its outer corner, and ``cell`` is the side of a cell. ``puzzle``,
    ``written`` and ``solution`` are (9, 9) int8, 0 for blank. ``marks`` are the 81 sets of pencil marks;
    ``mark_boxes`` has the places of the marks that were drawn. ``cages`` are those of a killer, and
    ``sum_boxes`` has the places of the digits of their sums.
    """

    left: float
    top: float
    cell: float
    puzzle: Board
    written: Board
    solution: Board
    marks: Marks = NO_MARKS
    mark_boxes: tuple[MarkBox, ...] = ()
    cages: tuple[Cage, ...] = ()
    sum_boxes: tuple[MarkBox, ...] = ()

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
) -> tuple[MarkBox, ...]:
    """Draw cells, lines and clues of *grid*; *ink* is the share of the colour that reaches the paper.

    Return where the digits of the sums lie in their cells.
    """
    sums: tuple[MarkBox, ...] = ()
    _cells(canvas, grid, style)
    ground = style.cell_colour or paper
    _lines(canvas, grid, style, mixed(ground, style.line_colour, ink), ground)
    if grid.cages and style.cages is not None:
        ink_of_cages = mixed(ground, style.cages.colour, ink)
        ink_of_sums = mixed(ground, style.cages.sum_colour, ink)
        corner, inks = (grid.left, grid.top), (ink_of_cages, ink_of_sums)
        drawn = draw_cages(canvas, corner, grid.cell, grid.cages, style.cages, face, inks)
        sums = tuple(MarkBox(*box) for box in drawn)
    colour = mixed(ground, style.digit_colour, ink)
    for row, column in np.argwhere(grid.puzzle > 0).tolist():
        x, y = grid.middle(row, column, style.digit_offset)
        canvas.glyph(str(grid.puzzle[row, column]), x, y, style.digit_height * grid.cell, face, colour)
    return sums


def _cells(canvas: Canvas, grid: PrintedGrid, style: GridStyle) -> None:
    """Fill the cells with their colours, including shaded boxes and highlighted rows, columns and boxes."""

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
        draw_tints(canvas, (grid.left, grid.top), grid.cell, grid.cages, style.cages)
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
    cut = (rows.reshape(8, 9), columns.reshape(9, 8).T)  # thick pieces of horizontal lines, of vertical lines
    for line in range(1, 9):
        ways = [way for way in (0, 1) if style.thin_lines != "none" and not cut[way][line - 1].all()]
        _line_pair(canvas, grid, line, style.thin, thin, ways, dotted=style.thin_lines == "dotted")
    for line in range(1, 9):
        for way in (0, 1):
            for run in _runs(cut[way][line - 1]):
                _line_pair(canvas, grid, line, style.thick, colour, (way,), run=run)
    for line in (0, 9) if style.border > 0 else ():
        _line_pair(canvas, grid, line, style.border, colour)


def _runs(cut: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the first and the last crossing of each run of thick pieces in a line.

    *cut* (9,) is true for a thick piece.
    """
    ends = np.flatnonzero(np.diff(np.pad(cut.astype(np.int8), 1)))
    yield from zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)


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
    """Draw the horizontal and the vertical line with the number *line*, 0..9, *thickness* cells wide.

    *ways* chooses from both: 0 is the horizontal line, 1 is the vertical line. *run*: numbers of the
    crossings at which a line begins and ends.
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
    """Draw both diagonals from corner to corner, as lines or as rows of dots."""
    side, left, top = 9 * grid.cell, np.floor(grid.left), np.floor(grid.top)
    mask = np.zeros((int(side) + 2, int(side) + 2), np.uint8)
    share = np.linspace(0, 1, 9 * _DOTS_PER_CELL // 2 + 1)
    x = side * np.stack([share, 1 - share]) + (grid.left - left) - 0.5
    y = side * share + (grid.top - top) - 0.5
    fine = 4  # fractional bits of the coordinates for OpenCV: sixteenths of a pixel
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
