"""Pictures without a 9x9 sudoku: text, tables, other puzzles, a calendar, a tiled wall."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from drawn.pages import Area, fill_columns
from sudoku_vision.output.drawing.figure import Colour, mixed
from workshop.rendering.canvas import Canvas
from workshop.rendering.conditions import Conditions
from workshop.rendering.kinds import one_of, random_conditions
from workshop.rendering.page import Page, Printer, choose_fonts
from workshop.rendering.picture import Drawing, take
from workshop.rendering.printed_grid import PrintedGrid
from workshop.rendering.scene import aim

_SIDE = 720.0  # side of the drawn text, table or puzzle, in page pixels
_MARGIN = 160.0

Painter = Callable[[Printer], None]


def draw_negative(rng: np.random.Generator, kind: str, conditions: Conditions | None = None) -> Drawing:
    """Draw a picture of a *kind* in :data:`NEGATIVE_KINDS`. By default, conditions are random."""
    if conditions is None:
        conditions = random_conditions(rng, "newspaper" if rng.random() < 0.5 else "sheet")
    aimed_at = _SIDE
    if kind == "tiles":
        aimed_at /= 2  # show only the middle of the wall: its ends must not be visible
        bend = replace(conditions.bend, waves=0.0, creases=0, arch=0.0)
        pose = replace(conditions.pose, fill=1.0)
        conditions = replace(conditions, bend=bend, pose=pose, table=(90, 95, 100))
    fonts = choose_fonts(conditions, rng)
    side = round(_SIDE + 2 * _MARGIN)
    printer = Printer(conditions, _SIDE / 9, fonts, rng).take_sheet(side, side)
    _PAINTERS[kind](printer)
    blank = np.zeros((9, 9), np.int8)
    corner = (side - aimed_at) / 2
    page = Page(printer.canvas, (PrintedGrid(corner, corner, aimed_at / 9, blank, blank, blank),))
    return Drawing(take(page, aim(page, conditions, rng), conditions, rng), ())


def _text(printer: Printer) -> None:
    columns = int(printer.rng.integers(1, 4))
    end = printer.canvas.width - 40
    fill_columns(printer, Area(40, 40, end, end), columns, 17)


def _table(printer: Printer) -> None:
    canvas, rng, ink = printer.canvas, printer.rng, printer.ink
    rows, columns = int(rng.integers(5, 16)), int(rng.integers(3, 10))
    widths = rng.uniform(0.5, 1.5, columns)
    lines = np.concatenate([[0.0], np.cumsum(widths) / widths.sum()])
    if rng.random() < 0.4:
        lines = np.linspace(0, 1, columns + 1)
    height = _SIDE / rows
    size = min(0.5 * height, max(0.2 * float(np.diff(lines).min()) * _SIDE, 9.0))
    _ruled(canvas, np.linspace(0, _SIDE, rows + 1), lines * _SIDE, 2.0, ink)
    for row in range(rows):
        for column in range(columns):
            words = "Total" if row == 0 or column == 0 else f"{rng.integers(1, 9999):,}"
            x, y = _MARGIN + lines[column] * _SIDE + 5, _MARGIN + (row + 0.3) * height
            canvas.text(words, x, y, size, printer.fonts.text, ink)


def _ruled(canvas: Canvas, across: np.ndarray, down: np.ndarray, thickness: float, ink: Colour) -> None:
    """Draw horizontal and vertical lines between the margins.

    *across*: distances of the horizontal lines from the top margin. *down*: distances of the vertical lines
    from the left margin.
    """
    half = thickness / 2
    for y in _MARGIN + across:
        canvas.rectangle(_MARGIN - half, y - half, _MARGIN + _SIDE + half, y + half, ink)
    for x in _MARGIN + down:
        canvas.rectangle(x - half, _MARGIN - half, x + half, _MARGIN + _SIDE + half, ink)


def _squares(
    canvas: Canvas, count: int, thickness: float, ink: Colour, bold: tuple[int, int] | None = None
) -> float:
    """Draw *count* rows of *count* cells, and return the side of a cell.

    *bold*: height and width of a box, in cells. The borders of boxes are thick.
    """
    places = np.linspace(0, _SIDE, count + 1)
    _ruled(canvas, places, places, thickness, ink)
    if bold is not None:
        _ruled(canvas, places[:: bold[0]], places[:: bold[1]], 2.5 * thickness, ink)
    return _SIDE / count


def _places(count: int) -> Iterator[tuple[int, int, float, float]]:
    for row, column in np.ndindex(count, count):
        yield row, column, _MARGIN + column * (_SIDE / count), _MARGIN + row * (_SIDE / count)


def _crossword(printer: Printer) -> None:
    canvas, rng, ink = printer.canvas, printer.rng, printer.ink
    count = int(rng.choice([9, 11, 13, 15]))
    cell = _squares(canvas, count, 2.0, ink)
    black = rng.random((count, count)) < 0.2
    black |= black[::-1, ::-1]  # crosswords are point symmetric
    number = 0
    for row, column, x, y in _places(count):
        if black[row, column]:
            canvas.rectangle(x, y, x + cell, y + cell, ink)
        elif row == 0 or column == 0 or black[row - 1, column] or black[row, column - 1]:
            number += 1
            canvas.text(str(number), x + 3, y + 4, cell * 0.28, printer.fonts.text, ink)


def _chessboard(printer: Printer) -> None:
    canvas, rng, ink = printer.canvas, printer.rng, printer.ink_of(printer.rng.uniform(0.3, 0.9))
    cell = _squares(canvas, 8, 2.0, ink)
    for row, column, x, y in _places(8):
        if (row + column) % 2:
            canvas.rectangle(x, y, x + cell, y + cell, ink)
        if rng.random() < 0.35:
            letter = one_of(printer.rng, "KQRBNP")
            canvas.glyph(letter, x + cell / 2, y + cell / 2, cell * 0.5, printer.fonts.head, printer.ink)


def _kakuro(printer: Printer) -> None:
    canvas, rng, ink = printer.canvas, printer.rng, printer.ink
    count = int(rng.choice([8, 9, 10]))
    cell = _squares(canvas, count, 2.5, ink)
    for row, column, x, y in _places(count):
        if row == 0 or column == 0 or rng.random() < 0.22:
            canvas.rectangle(x, y, x + cell, y + cell, mixed(printer.conditions.paper, ink, 0.75))
            total, x, y = str(rng.integers(3, 45)), x + 0.55 * cell, y + 0.15 * cell
            canvas.text(total, x, y, cell * 0.3, printer.fonts.text, printer.conditions.paper)


def _other_sudoku(count: int, bold: tuple[int, int], share: float) -> Painter:
    def paint(printer: Printer) -> None:
        canvas, rng, ink = printer.canvas, printer.rng, printer.ink
        cell = _squares(canvas, count, max(1.5, 20 / count), ink, bold)
        for _, _, x, y in _places(count):
            if rng.random() < share:
                x, y = x + 0.5 * cell, y + 0.5 * cell
                canvas.glyph(str(rng.integers(1, count + 1)), x, y, 0.5 * cell, printer.fonts.digits, ink)

    return paint


def _samurai(printer: Printer) -> None:
    """Draw five sudokus. The middle sudoku shares its four corner boxes with the other sudokus."""
    canvas, rng, ink = printer.canvas, printer.rng, printer.ink
    cell = _SIDE / 21
    for down, right in ((0, 0), (0, 12), (12, 0), (12, 12), (6, 6)):
        for line in range(10):
            half = 1.5 if line % 3 == 0 else 0.6
            x, y = _MARGIN + right * cell, _MARGIN + down * cell
            at, end = line * cell, 9 * cell
            canvas.rectangle(x - half, y + at - half, x + end + half, y + at + half, ink)
            canvas.rectangle(x + at - half, y - half, x + at + half, y + end + half, ink)
        for row, column in np.ndindex(9, 9):
            shared = (down, right) == (6, 6) and {row // 3, column // 3} <= {0, 2}
            if not shared and rng.random() < 0.35:
                x, y = _MARGIN + (right + column + 0.5) * cell, _MARGIN + (down + row + 0.5) * cell
                canvas.glyph(str(rng.integers(1, 10)), x, y, 0.55 * cell, printer.fonts.digits, ink)


def _calendar(printer: Printer) -> None:
    canvas, rng, ink = printer.canvas, printer.rng, printer.ink
    weeks = 6
    _ruled(canvas, np.linspace(0.14, 1, weeks + 1) * _SIDE, np.linspace(0, _SIDE, 8), 2.0, ink)
    canvas.text("November", _MARGIN, _MARGIN - 60, 60, printer.fonts.head, ink)
    first, width, height = int(rng.integers(7)), _SIDE / 7, 0.86 * _SIDE / weeks
    for column, name in enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")):
        canvas.text(name, _MARGIN + column * width + 8, _MARGIN + 0.07 * _SIDE, 30, printer.fonts.text, ink)
    for day in range(1, 32):
        row, column = divmod(day - 1 + first, 7)
        x, y = _MARGIN + column * width + 8, _MARGIN + 0.15 * _SIDE + row * height
        canvas.text(str(day), x, y + 6, height * 0.4, printer.fonts.digits, ink)


def _tiles(printer: Printer) -> None:
    canvas, rng = printer.canvas, printer.rng
    count = int(rng.choice([7, 8, 10, 12]))
    side = canvas.width / count
    canvas.pixels[:] = (110, 110, 110)
    base: Colour = (200, 205, 210) if rng.random() < 0.6 else (120, 150, 170)
    for row, column in np.ndindex(count, count):
        left, top, right, bottom = column * side, row * side, (column + 1) * side, (row + 1) * side
        joint = 0.05 * (bottom - top)
        tone = float(rng.uniform(0.8, 1.1))
        own: Colour = (base[0] * tone, base[1] * tone, base[2] * tone)
        canvas.rectangle(left + joint, top + joint, right - joint, bottom - joint, own)
        size = round(right - left - 2 * joint), round(bottom - top - 2 * joint)
        spots = cv2.resize(rng.random((6, 9), np.float32) ** 2, size, interpolation=cv2.INTER_LINEAR)
        canvas.ink((spots * 90).astype(np.uint8), left + joint, top + joint, (60.0, 60.0, 60.0), 0.6)


_PAINTERS: dict[str, Painter] = {
    "text": _text,
    "table": _table,
    "crossword": _crossword,
    "chessboard": _chessboard,
    "kakuro": _kakuro,
    "sudoku4": _other_sudoku(4, (2, 2), 0.4),
    "sudoku6": _other_sudoku(6, (2, 3), 0.45),
    "sudoku12": _other_sudoku(12, (3, 4), 0.4),
    "sudoku16": _other_sudoku(16, (4, 4), 0.4),
    "samurai": _samurai,
    "calendar": _calendar,
    "tiles": _tiles,
}

NEGATIVE_KINDS = tuple(_PAINTERS)
