"""Pages of newspapers and books, and screens of apps, with grids. :data:`draw_page` draws them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from sudoku_vision.output.drawing.figure import WHITE, Colour, mixed
from workshop.rendering.boards import random_puzzle
from workshop.rendering.canvas import Canvas, brightened
from workshop.rendering.kinds import one_of
from workshop.rendering.page import LAYOUTS, LEVELS, Page, Printer
from workshop.rendering.picture import draw
from workshop.rendering.printed_grid import PrintedGrid, print_grid
from workshop.rendering.spoiling import paragraph_mask, random_words, wrapped
from workshop.rendering.typefaces import Mask, Typeface

_TITLES = ("SUDOKU", "Sudoku", "SU DO KU", "Daily Sudoku", "SUDOKU 156", "Number place", "Logic corner")
_HEADLINES = (
    *("PUZZLES", "Council votes tonight", "Weather turns colder", "Market report", "Late goal wins it"),
)
_RULES = (
    "Fill in the grid so that every row, every column and every 3x3 box contains the digits 1 to 9. "
    "There is no guessing and no arithmetic: only logic is needed."
)
_BANDS: tuple[Colour, ...] = ((40, 40, 170), (170, 120, 60), (60, 60, 60), (70, 160, 220))
_PHONE_ASPECT = 2.05
_LEADING = 1.22  # distance from one line of text to the next, in font sizes


@dataclass(frozen=True)
class Area:
    """A rectangle of the page, in pixels of the page."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width in pixels of the page."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in pixels of the page."""
        return self.bottom - self.top


def _newspaper(printer: Printer, contents: Sequence[PrintedGrid]) -> Page:
    conditions, cell, rng = printer.conditions, printer.cell, printer.rng
    side, gap = 9 * cell, 0.5 * cell
    margin = conditions.surround * side
    below = side * (len(contents) - 1) * 1.25
    foot = 2.2 * margin + (3 * cell if conditions.solution_grid else 0)
    printer = printer.take_sheet(side + 2 * margin, side + below + foot)
    size = cell * printer.rng.uniform(0.26, 0.42)
    top = margin * 1.1
    block = Area(margin - gap, top - 1.9 * cell, margin + side + gap, top + side + below + gap)
    printer.put_ghost(size)
    # In half of the pages, text ends before the page's edge; in the others, the edge cuts it off.
    edge = 0.3 * cell if rng.random() < 0.5 else -0.5 * cell
    _surround(printer, block, edge, size)
    if rng.random() < 0.3:
        _banner(printer, block)
    else:
        _heading(printer, Area(margin, block.top, margin + side, top - 0.3 * cell))
    grids = [printer.put_grid(each, margin, top + rank * 1.25 * side) for rank, each in enumerate(contents)]
    if conditions.solution_grid:
        _solution(printer, margin, top + side + below + 1.2 * cell, cell * 0.38)
    return Page(printer.canvas, tuple(grids))


def _surround(printer: Printer, block: Area, edge: float, size: float) -> None:
    """Print columns of text around *block*. In two of three pages, one side of the block stays white."""
    right, bottom = printer.canvas.width - edge, printer.canvas.height - edge
    foot = block.bottom + (block.width * 0.45 if printer.conditions.solution_grid else 0)
    strips = (
        Area(edge, edge, block.left - size, bottom),
        Area(block.right + size, edge, right, bottom),
        Area(block.left, edge, block.right, block.top - size),
        Area(block.left, foot + size, block.right, bottom),
    )
    empty = int(printer.rng.integers(0, 6))
    for place, strip in enumerate(strips):
        if place != empty and strip.width >= 3 * size and strip.height >= size:
            fill_columns(printer, strip, max(1, round(strip.width / (size * 16))), size)


def _heading(printer: Printer, area: Area) -> None:
    canvas, cell, ink, fonts = printer.canvas, printer.cell, printer.ink, printer.fonts
    choice = printer.rng.random()
    if choice < 0.35:
        _set_paragraph(printer, area, _RULES, cell * 0.36, fonts.text)
    elif choice < 0.85:
        title, top = one_of(printer.rng, _TITLES), area.bottom - 0.8 * cell
        canvas.text(title, area.left, top, cell * printer.rng.uniform(0.6, 1.0), fonts.head, ink)
        left, top = area.right - 2.2 * cell, area.bottom - 0.5 * cell
        canvas.text(one_of(printer.rng, LEVELS), left, top, cell * 0.4, fonts.text, ink)


def _banner(printer: Printer, block: Area) -> None:
    canvas, cell, conditions = printer.canvas, printer.cell, printer.conditions
    colour = mixed(conditions.paper, one_of(printer.rng, _BANDS), conditions.ink)
    canvas.rectangle(block.left, block.top, block.right, block.top + 1.1 * cell, colour)
    x, y, title = block.left + 0.4 * cell, block.top + 0.25 * cell, one_of(printer.rng, _TITLES)
    canvas.text(title, x, y, 0.8 * cell, printer.fonts.head, WHITE)


def _solution(printer: Printer, left: float, top: float, cell: float) -> None:
    """Print a small solved grid, as the solution of another puzzle."""
    conditions, face = printer.conditions, printer.fonts.text
    solution = random_puzzle(printer.rng, 81)[1]
    grid = PrintedGrid(left, top, cell, solution, np.zeros((9, 9), np.int8), solution)
    style = replace(conditions.grid, digit_height=0.7, highlight=None, shaded=())
    print_grid(printer.canvas, grid, style, face, conditions.paper, conditions.ink)
    area = Area(left + 10 * cell, top, left + 22 * cell, top + 9 * cell)
    _set_paragraph(printer, area, _RULES, cell * 0.85, face)


def _book(printer: Printer, contents: Sequence[PrintedGrid]) -> Page:
    conditions, cell, rng = printer.conditions, printer.cell, printer.rng
    side = 9 * cell
    inner, outer = side * printer.rng.uniform(0.1, 0.2), conditions.surround * side
    height = side * printer.rng.uniform(1.4, 1.65) * (1 if len(contents) < 3 else 1.5)
    printer = printer.take_sheet(2 * (inner + side + outer), height)
    canvas, fonts, ink = printer.canvas, printer.fonts, printer.ink
    spine = canvas.width / 2
    # The bend decides whether the first grid is on the right-hand page or on the left-hand page.
    right = conditions.bend.arch >= 0
    top = (height - side) * 0.55
    lefts = [spine + inner, spine - inner - side]
    grids = []
    for rank in range(2):
        left = lefts[rank if right else 1 - rank]
        if rank < len(contents):
            title = f"SUDOKU {int(rng.integers(1, 400))}"
            canvas.text(title, left + side / 2, top - 1.6 * cell, cell, fonts.head, ink, centred=True)
            grids.append(printer.put_grid(contents[rank], left, top))
        else:
            fill_columns(printer, Area(left, 1.5 * cell, left + side, height - 2 * cell), 1, cell * 0.42)
        number = str(int(rng.integers(10, 300)))
        canvas.text(number, left + side / 2, height - 1.2 * cell, cell * 0.5, fonts.text, ink, centred=True)
    return Page(canvas, tuple(grids), spine)


def _app(printer: Printer, contents: Sequence[PrintedGrid]) -> Page:
    conditions, cell, rng = printer.conditions, printer.cell, printer.rng
    side = 9 * cell
    margin = max(conditions.surround * side, 0.12 * cell)
    width = side + 2 * margin
    aspect = conditions.size[1] / conditions.size[0] if conditions.screenshot else _PHONE_ASPECT
    wide = aspect < 1.2
    total = width * (1.55 if wide else 1.0)
    printer = printer.take_sheet(total, round(total * aspect))
    canvas, fonts = printer.canvas, printer.fonts
    ink: Colour = (225, 225, 225) if conditions.dark else (60, 55, 50)
    top = (canvas.height - side) * printer.rng.uniform(*((0.45, 0.75) if wide else (0.2, 0.42)))
    if not wide:
        _status_bar(printer, ink)
    canvas.text(one_of(printer.rng, LEVELS), margin, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    clock = f"0{int(rng.integers(1, 9))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, margin + side - 1.4 * cell, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    grid = printer.put_grid(contents[0], margin, top)
    pad = Area(margin, top + side + 0.6 * cell, margin + side, canvas.height - 0.4 * cell)
    if wide:
        pad = Area(width + margin, top, total - margin, top + side)
    _number_pad(printer, pad)
    return Page(canvas, (grid,)) if conditions.screenshot else _in_a_phone(canvas, grid)


def _in_a_phone(canvas: Canvas, grid: PrintedGrid) -> Page:
    rim, ends = round(0.22 * grid.cell), round(0.55 * grid.cell)
    black = (22.0, 20.0, 20.0)
    pixels = cv2.copyMakeBorder(canvas.pixels, ends, ends, rim, rim, cv2.BORDER_CONSTANT, value=black)
    moved = replace(grid, left=grid.left + rim, top=grid.top + ends)
    return Page(Canvas(np.asarray(pixels, np.uint8)), (moved,))


def _status_bar(printer: Printer, ink: Colour) -> None:
    canvas, cell, rng = printer.canvas, printer.cell, printer.rng
    clock = f"{int(rng.integers(7, 23))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, 0.5 * cell, 0.2 * cell, 0.36 * cell, printer.fonts.text, ink)
    right = canvas.width - 0.5 * cell
    canvas.frame(right - 0.5 * cell, 0.2 * cell, right, 0.44 * cell, max(1.0, 0.03 * cell), ink)
    canvas.rectangle(right - 0.48 * cell, 0.22 * cell, right - 0.16 * cell, 0.42 * cell, ink)


def _number_pad(printer: Printer, area: Area) -> None:
    canvas, conditions, cell, rng = printer.canvas, printer.conditions, printer.cell, printer.rng
    columns = 3 if area.width < 0.75 * area.height else 9
    wide, key = area.width / columns, min(area.width / columns, area.height / (9 // columns))
    if key < 4:
        return
    face_colour = brightened(conditions.paper, 25 if conditions.dark else -18)
    boxed = rng.random() < 0.5
    ink = conditions.writing.colour if rng.random() < 0.6 else conditions.grid.digit_colour
    top = area.top if columns == 3 else min(area.top + 1.6 * cell, area.bottom - key)
    for digit in range(1, 10):
        row, column = divmod(digit - 1, columns)
        x, y = area.left + column * wide, top + row * key
        if boxed:
            canvas.rectangle(x + 0.06 * key, y, x + wide - 0.06 * key, y + 0.9 * key, face_colour)
        canvas.glyph(str(digit), x + wide / 2, y + key * 0.45, key * 0.45, printer.fonts.digits, ink)
    if columns == 9 and area.top + 1.4 * cell < top + 1:
        for number, name in enumerate(("Undo", "Erase", "Notes", "Hint")):
            x, y = area.left + (number + 0.5) * area.width / 4, area.top + 0.3 * cell
            canvas.text(name, x, y, 0.36 * cell, printer.fonts.text, ink, centred=True)


def fill_columns(printer: Printer, area: Area, count: int, size: float) -> None:
    """Fill an area with *count* columns of text. *size*: font size in pixels."""
    width = (area.width + size) / count
    for number in range(count):
        left = area.left + number * width
        _fill_column(printer, Area(left, area.top, left + width - size, area.bottom), size)


def _fill_column(printer: Printer, area: Area, size: float) -> None:
    rng, y = printer.rng, area.top
    while y < area.bottom - size:
        choice, left = rng.random(), replace(area, top=y)
        if choice < 0.16:
            headline = replace(left, bottom=min(y + size * 6, area.bottom))
            title = one_of(printer.rng, _HEADLINES)
            y = _set_paragraph(printer, headline, title, size * 2, printer.fonts.head) + size * 0.5
        elif choice < 0.24:
            y = _picture(printer, left) + size
        elif choice < 0.3:
            printer.canvas.rectangle(area.left, y, area.right, y + max(1.0, size * 0.1), printer.ink)
            y += size
        else:
            text = random_words(rng, int(rng.integers(25, 90)))
            y = _set_paragraph(printer, left, text, size, printer.fonts.text) + size * 0.4


def _set_paragraph(printer: Printer, area: Area, text: str, size: float, face: Typeface) -> float:
    """Print a *text* in an area. *size*: font size in pixels. Return the y below the last line."""
    size = max(5, round(size))
    room = int(area.height / (size * _LEADING))
    letters = int(area.width / (face.font(size).getlength("number of words") / 15 * 1.03))
    lines = wrapped(text, max(letters, 4))[: max(room, 0)]
    if lines:
        mask = paragraph_mask(lines, round(area.width), size, _LEADING, face)
        printer.canvas.ink(mask, area.left, area.top, printer.ink)
    return area.top + len(lines) * size * _LEADING


def _picture(printer: Printer, area: Area) -> float:
    """Print a photo of hills with dark figures in front of them; return the y of its lower edge."""
    rng, conditions = printer.rng, printer.conditions
    bottom = min(area.top + area.width * printer.rng.uniform(0.4, 0.75), area.bottom)
    width, height = round(area.width), round(bottom - area.top)
    if width < 8 or height < 8:
        return bottom
    colour: Colour = (45, 42, 40) if rng.random() < 0.6 else (120, 70, 50)
    mask = _hills(width, height, rng)
    for _ in range(int(rng.integers(1, 5))):
        middle = (int(rng.integers(width)), int(height * rng.uniform(0.4, 0.9)))
        axes = (max(1, width // int(rng.integers(20, 60))), max(1, height // int(rng.integers(4, 9))))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, printer.rng.uniform(120, 255), -1, cv2.LINE_AA)
    printer.canvas.ink(mask, area.left, area.top, mixed(conditions.paper, colour, conditions.ink))
    return bottom


def _hills(width: int, height: int, rng: np.random.Generator) -> Mask:
    """Return the ink (height, width) of three hills under a sky."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    x = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    tone = np.broadcast_to(0.35 - 0.3 * y, (height, width)).astype(np.float32)
    for ridge in range(3):
        phase, pace = rng.uniform(0, 6, 2), rng.uniform(3, 14, 2)
        line = (
            0.4 + 0.17 * ridge + 0.07 * np.sin(pace[0] * x + phase[0]) + 0.03 * np.sin(pace[1] * x + phase[1])
        )
        tone = np.where(y > line, np.float32(0.3 + 0.22 * ridge), tone)
    grain = rng.normal(0, 0.06, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
    tone = tone + cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(255 * tone, 0, 255), np.uint8)


draw_page = partial(draw, layouts={**LAYOUTS, "newspaper": _newspaper, "book": _book, "app": _app})
"""The function :func:`workshop.rendering.picture.draw`, but with three more layouts."""
