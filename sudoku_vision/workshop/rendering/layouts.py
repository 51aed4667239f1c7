"""Lay out a page: newspaper, sheet of paper, open book, screen of an app."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import WHITE, Colour, brightened, mixed
from sudoku_vision.sudoku.generator import random_puzzle
from sudoku_vision.workshop.rendering.conditions import Conditions, Layout
from sudoku_vision.workshop.rendering.page import LEVELS, Area, Content, Page, Printer
from sudoku_vision.workshop.rendering.printed_grid import PrintedGrid, print_grid
from sudoku_vision.workshop.rendering.running_text import fill_column, fill_columns, ghost, set_paragraph
from sudoku_vision.workshop.rendering.spoiling import add_specks
from sudoku_vision.workshop.rendering.writing import fill_in

_TITLES = ("SUDOKU", "Sudoku", "SU DO KU", "Daily Sudoku", "SUDOKU 156", "Number place", "Logic corner")
_RULES = (
    "Fill in the grid so that every row, every column and every 3x3 box contains the digits 1 to 9. "
    "There is no guessing and no arithmetic: only logic is needed."
)
_BANDS: tuple[Colour, ...] = ((40, 40, 170), (170, 120, 60), (60, 60, 60), (70, 160, 220))
_GHOST_SIZE = 0.3  # of a cell: size of the running text on the other side of a sheet
_OTHER_SIDE_OFF = 0.12  # in cells: spread of how far off the puzzle on the other side lies
_OTHER_SIDE_BLUR = (0.01, 0.05)  # in cells: how soft the sheet makes it
_NEIGHBOURS = 25  # digits printed close round a grid, in a close-up
_PHONE_ASPECT = 2.05


def lay_out(printer: Printer, given: Sequence[Content] = ()) -> Page:
    """Lay out the page of the printer's conditions.

    *given* is what stands in the first grids; further ones get puzzles of their own.
    """
    conditions, rng = printer.conditions, printer.rng
    contents = [_content(conditions, rng, given[place : place + 1]) for place in range(conditions.puzzles)]
    return _LAYOUTS[conditions.layout](printer, contents)


def _content(conditions: Conditions, rng: np.random.Generator, given: Sequence[Content]) -> Content:
    content = given[0] if given else Content(*random_puzzle(rng, conditions.clues))
    if content.written is not None:
        return content
    return replace(content, written=fill_in(content.puzzle, content.solution, conditions.writing, rng))


def _newspaper(printer: Printer, contents: Sequence[Content]) -> Page:
    conditions, cell, rng = printer.conditions, printer.cell, printer.rng
    side, gap = 9 * cell, 0.5 * cell
    margin = conditions.surround * side
    below = side * (len(contents) - 1) * 1.25
    foot = 2.2 * margin + (3 * cell if conditions.solution_grid else 0)
    printer = printer.take_sheet(side + 2 * margin, side + below + foot)
    size = cell * printer.uniform(0.26, 0.42)
    top = margin * 1.1
    block = Area(margin - gap, top - 1.9 * cell, margin + side + gap, top + side + below + gap)
    ghost(printer, size)
    edge = 0.3 * cell if rng.random() < 0.5 else -0.5 * cell  # a margin of white paper, or text cut off
    _around(printer, block, edge, size)
    if rng.random() < 0.3:
        _banner(printer, block)
    else:
        _heading(printer, Area(margin, block.top, margin + side, top - 0.3 * cell))
    grids = [printer.put_grid(each, margin, top + rank * 1.25 * side) for rank, each in enumerate(contents)]
    if conditions.solution_grid:
        _solution(printer, margin, top + side + below + 1.2 * cell, cell * 0.38)
    return Page(printer.canvas, tuple(grids))


def _around(printer: Printer, block: Area, edge: float, size: float) -> None:
    """Print columns of text in the four strips round *block*."""
    right, bottom = printer.canvas.width - edge, printer.canvas.height - edge
    foot = block.bottom + (block.width * 0.45 if printer.conditions.solution_grid else 0)
    strips = [
        Area(edge, edge, block.left - size, bottom),
        Area(block.right + size, edge, right, bottom),
        Area(block.left, edge, block.right, block.top - size),
        Area(block.left, foot + size, block.right, bottom),
    ]
    empty = int(printer.rng.integers(0, 6))  # one strip is often white
    for place, strip in enumerate(strips):
        if place != empty and strip.width >= 3 * size and strip.height >= size:
            fill_columns(printer, strip, max(1, round(strip.width / (size * 16))), size)


def _heading(printer: Printer, area: Area) -> None:
    """Print a title, a level, or the rules of the game above the grid."""
    canvas, cell, ink, fonts = printer.canvas, printer.cell, printer.ink, printer.fonts
    choice = printer.rng.random()
    if choice < 0.35:
        set_paragraph(canvas, area, _RULES, cell * 0.36, fonts.text, ink)
    elif choice < 0.85:
        title = printer.pick(_TITLES)
        canvas.text(
            title, area.left, area.bottom - 0.8 * cell, cell * printer.uniform(0.6, 1.0), fonts.head, ink
        )
        level = printer.pick(LEVELS)
        canvas.text(level, area.right - 2.2 * cell, area.bottom - 0.5 * cell, cell * 0.4, fonts.text, ink)


def _banner(printer: Printer, block: Area) -> None:
    """Print a band of colour with the title in white."""
    canvas, cell, conditions = printer.canvas, printer.cell, printer.conditions
    colour = mixed(conditions.paper, printer.pick(_BANDS), conditions.ink)
    canvas.rectangle(block.left, block.top, block.right, block.top + 1.1 * cell, colour)
    x, y, title = block.left + 0.4 * cell, block.top + 0.25 * cell, printer.pick(_TITLES)
    canvas.text(title, x, y, 0.8 * cell, printer.fonts.head, WHITE)


def _solution(printer: Printer, left: float, top: float, cell: float) -> None:
    """Print the small full grid of the day before, which is no puzzle."""
    conditions, face = printer.conditions, printer.fonts.text
    solution = random_puzzle(printer.rng, 81)[1]
    grid = PrintedGrid(left, top, cell, solution, np.zeros((9, 9), np.int8), solution)
    style = replace(conditions.grid, digit_height=0.7, highlight=None, shaded=())
    print_grid(printer.canvas, grid, style, face, conditions.paper, conditions.ink)
    area = Area(left + 10 * cell, top, left + 22 * cell, top + 9 * cell)
    set_paragraph(printer.canvas, area, _RULES, cell * 0.85, face, printer.ink)


def _sheet(printer: Printer, contents: Sequence[Content]) -> Page:
    """Lay out a printed sheet: one grid, or several in one or two columns, with a title."""
    conditions, cell = printer.conditions, printer.cell
    side, margin = 9 * cell, conditions.surround * 9 * cell
    across = 2 if len(contents) > 2 else 1
    down = -(-len(contents) // across)
    step = side + 2.2 * cell
    width = across * step - 2.2 * cell + 2 * margin
    height = down * step - 2.2 * cell + 2 * margin + 1.5 * cell
    printer = printer.take_sheet(width, height)
    ghost(printer, _GHOST_SIZE * cell)
    grids = []
    for rank, content in enumerate(contents):
        x, y = margin + step * (rank % across), margin + 1.5 * cell + step * (rank // across)
        if conditions != Conditions():
            level = printer.pick(LEVELS)
            printer.canvas.text(level, x, y - 0.9 * cell, cell * 0.55, printer.fonts.head, printer.ink)
        grids.append(printer.put_grid(content, x, y))
    return Page(printer.canvas, tuple(grids))


def _book(printer: Printer, contents: Sequence[Content]) -> Page:
    """Lay out an open book: grids on the one page, text or another grid on the other."""
    conditions, cell, rng = printer.conditions, printer.cell, printer.rng
    side = 9 * cell
    inner, outer = side * printer.uniform(0.1, 0.2), conditions.surround * side
    height = side * printer.uniform(1.4, 1.65) * (1 if len(contents) < 3 else 1.5)
    printer = printer.take_sheet(2 * (inner + side + outer), height)
    canvas, fonts, ink = printer.canvas, printer.fonts, printer.ink
    spine = canvas.width / 2
    right = conditions.bend.arch >= 0  # the side of the bow decides which page is looked at
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
            fill_column(printer, Area(left, 1.5 * cell, left + side, height - 2 * cell), cell * 0.42)
        number = str(int(rng.integers(10, 300)))
        canvas.text(number, left + side / 2, height - 1.2 * cell, cell * 0.5, fonts.text, ink, centred=True)
    return Page(canvas, tuple(grids), spine)


def _close_up(printer: Printer, contents: Sequence[Content]) -> Page:
    """Lay out one grid and hardly more than a rim of paper, with whatever is printed close by."""
    conditions, cell = printer.conditions, printer.cell
    margin = conditions.surround * 9 * cell
    side = 9 * cell + 2 * margin
    printer = printer.take_sheet(side, side)
    if conditions.ghost and printer.rng.random() < 0.5:  # another puzzle on the other side
        _shine_through(printer, margin)
    else:
        ghost(printer, _GHOST_SIZE * cell)
    if printer.rng.random() < 0.6:
        _neighbours(printer, margin)
    grid = printer.put_grid(contents[0], margin, margin)
    add_specks(printer.canvas, grid, conditions.specks, printer.ink, printer.rng)
    return Page(printer.canvas, (grid,))


def _shine_through(printer: Printer, margin: float) -> None:
    """Let another puzzle on the other side of the sheet shine through: mirrored, soft and pale.

    Books and cards have it in the same place or nearly so, so that its digits lie in cells, like pale ones.
    """
    canvas, cell, rng = printer.canvas, printer.cell, printer.rng
    digits = rng.integers(1, 10, (9, 9)).astype(np.int8)
    kind = rng.random((9, 9))
    puzzle, written = (np.where(part, digits, np.int8(0)) for part in (kind < 0.45, kind > 0.85))
    left, top = margin + rng.normal(0, _OTHER_SIDE_OFF * cell, 2)
    back = printer.take_sheet(canvas.width, canvas.height)
    back.put_grid(Content(puzzle, digits, written), float(left), float(top))
    soft = cv2.GaussianBlur(back.canvas.pixels[:, ::-1], (0, 0), cell * printer.uniform(*_OTHER_SIDE_BLUR))
    share = printer.conditions.ghost
    cv2.addWeighted(soft, share, canvas.pixels, 1 - share, 0, dst=canvas.pixels)


def _neighbours(printer: Printer, margin: float) -> None:
    """Put small print on all four sides of a grid, and sometimes a bar of colour above it."""
    canvas, cell, uniform = printer.canvas, printer.cell, printer.uniform
    end = float(canvas.width)
    if printer.rng.random() < 0.3:
        bar: Colour = (uniform(0, 255), uniform(0, 255), uniform(0, 255))
        canvas.rectangle(0, 0, end, min(uniform(0.2, 0.6) * cell, margin - 0.1 * cell), bar)
    height = uniform(0.15, 0.3) * cell
    for _ in range(_NEIGHBOURS):
        along, away = uniform(0, end), uniform(0.1, 0.6) * margin
        x, y = printer.pick(((along, away), (away, along), (along, end - away), (end - away, along)))
        digit = str(int(printer.rng.integers(1, 10)))
        canvas.glyph(digit, x, y, height, printer.fonts.digits, printer.ink)


def _app(printer: Printer, contents: Sequence[Content]) -> Page:
    """Lay out the screen of a sudoku app: status bar, title, grid, tools, number pad."""
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
    top = (canvas.height - side) * (printer.uniform(0.45, 0.75) if wide else printer.uniform(0.2, 0.42))
    if not wide:
        _status_bar(printer, ink)
    canvas.text(printer.pick(LEVELS), margin, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    clock = f"0{int(rng.integers(1, 9))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, margin + side - 1.4 * cell, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    grid = printer.put_grid(contents[0], margin, top)
    pad = Area(margin, top + side + 0.6 * cell, margin + side, canvas.height - 0.4 * cell)
    if wide:
        pad = Area(width + margin, top, total - margin, top + side)
    _number_pad(printer, pad)
    return Page(canvas, (grid,)) if conditions.screenshot else _in_a_phone(canvas, grid)


def _in_a_phone(canvas: Canvas, grid: PrintedGrid) -> Page:
    """Put the screen within the black rim of a phone."""
    rim, ends = round(0.22 * grid.cell), round(0.55 * grid.cell)
    black = (22.0, 20.0, 20.0)
    pixels = cv2.copyMakeBorder(canvas.pixels, ends, ends, rim, rim, cv2.BORDER_CONSTANT, value=black)
    moved = replace(grid, left=grid.left + rim, top=grid.top + ends)
    return Page(Canvas(np.asarray(pixels, np.uint8)), (moved,))


def _status_bar(printer: Printer, ink: Colour) -> None:
    """Draw clock and battery of a phone."""
    canvas, cell, rng = printer.canvas, printer.cell, printer.rng
    clock = f"{int(rng.integers(7, 23))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, 0.5 * cell, 0.2 * cell, 0.36 * cell, printer.fonts.text, ink)
    right = canvas.width - 0.5 * cell
    canvas.frame(right - 0.5 * cell, 0.2 * cell, right, 0.44 * cell, max(1.0, 0.03 * cell), ink)
    canvas.rectangle(right - 0.48 * cell, 0.22 * cell, right - 0.16 * cell, 0.42 * cell, ink)


def _number_pad(printer: Printer, area: Area) -> None:
    """Draw nine keys, in a row below the grid or in a square beside it."""
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


_LAYOUTS: dict[Layout, Callable[[Printer, Sequence[Content]], Page]] = {
    "sheet": _sheet,
    "newspaper": _newspaper,
    "book": _book,
    "app": _app,
    "close_up": _close_up,
}
