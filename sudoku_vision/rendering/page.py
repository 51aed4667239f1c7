"""Lay out the flat page round the grids: newspaper, book, sheet of paper, app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from sudoku_vision.drawing.canvas import (
    WHITE,
    Canvas,
    Colour,
    mixed,
    paragraph_mask,
)
from sudoku_vision.drawing.grid import PrintedGrid, print_grid
from sudoku_vision.drawing.typefaces import Mask, Typeface, bundled_typefaces
from sudoku_vision.generator import random_puzzle
from sudoku_vision.rendering.conditions import Conditions, mixed_grey
from sudoku_vision.rendering.writing import fill_in, write_grid
from sudoku_vision.results import Board

_WORDS = (
    "the of and a to in is was for on that by with it as at from his her they were had not but have "
    "this be or which one all their has been more when would out up time some first council minister "
    "market people police city after years government said two new over week report season team house "
    "price road water company court school weather north south summer winter railway bridge museum "
    "garden river festival election budget match victory number digits every row column box contains "
    "puzzle answer tomorrow yesterday page solution difficulty moderate expert without guessing only "
    "logic is needed fill grid so that each line "
)
_HEADLINES = (
    "PUZZLES",
    "Council votes tonight",
    "Weather turns colder",
    "Market report",
    "Late goal wins it",
)
_TITLES = ("SUDOKU", "Sudoku", "SU DO KU", "Daily Sudoku", "SUDOKU 156", "Number place", "Logic corner")
_LEVELS = ("Easy", "Medium", "Hard", "Moderate", "No. 1284", "Puzzle 52", "Difficulty: ****", "Fiendish")
_RULES = (
    "Fill in the grid so that every row, every column and every 3x3 box contains the digits 1 to 9. "
    "There is no guessing and no arithmetic: only logic is needed."
)
_PHONE_ASPECT = 2.05
_TEXT_FAMILIES = ("Arimo", "Crimson Text", "Zilla Slab")


@dataclass(frozen=True, eq=False)
class Page:
    """A flat page: ``canvas`` in page pixels, its grids (the first is aimed at), and the fold of a book.

    ``spine`` is the x of the fold in page pixels, None where there is none.
    """

    canvas: Canvas
    grids: tuple[PrintedGrid, ...]
    spine: float | None = None


@dataclass(frozen=True, eq=False)
class Fonts:
    """The typefaces of one page: grid digits, handwriting, running text and headlines."""

    digits: Typeface
    hand: Typeface
    text: Typeface
    head: Typeface


@dataclass(frozen=True)
class _Area:
    """A rectangle of the page in page pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def choose_fonts(conditions: Conditions, faces: Sequence[Typeface], rng: np.random.Generator) -> Fonts:
    """Pick the typefaces: those that the settings name, else by chance; text is always bundled."""
    digits = _any_face([face for face in faces if not face.handwritten] or faces, rng)
    hand = _any_face([face for face in faces if face.handwritten] or faces, rng)
    chosen = conditions.grid.typeface or digits
    bundled = [face for face in bundled_typefaces() if face.family in _TEXT_FAMILIES]
    text, head = (bundled[int(place)] for place in rng.integers(0, len(bundled), 2))
    if conditions.writing.typed:
        hand = chosen
    return Fonts(chosen, conditions.writing.typeface or hand, text, head)


def _any_face(faces: Sequence[Typeface], rng: np.random.Generator) -> Typeface:
    """A face of a family by chance, mostly upright and neither hairline nor poster black, as print is."""
    families = sorted({face.family for face in faces})
    family = families[int(rng.integers(len(families)))]
    members = [face for face in faces if face.family == family]
    plain = [face for face in members if not face.slanted and 300 <= face.weight <= 700]
    choice = plain if plain and rng.random() < 0.88 else members
    return choice[int(rng.integers(len(choice)))]


def lay_out(
    conditions: Conditions,
    cell: float,
    fonts: Fonts,
    rng: np.random.Generator,
    puzzles: Sequence[tuple[Board, Board, Board | None]] = (),
) -> Page:
    """Draw the page of *conditions* with cells of *cell* pixels.

    *puzzles* are (puzzle, solution, written) for the first grids; written None is filled in as the settings
    say. Further grids get puzzles of their own.
    """
    maker = {"sheet": _sheet, "newspaper": _newspaper, "book": _book, "app": _app}[conditions.layout]
    contents = [_content(conditions, rng, puzzles[place : place + 1]) for place in range(conditions.puzzles)]
    return maker(conditions, cell, fonts, rng, contents)


Content = tuple[Board, Board, Board]


def _content(
    conditions: Conditions, rng: np.random.Generator, given: Sequence[tuple[Board, Board, Board | None]]
) -> Content:
    puzzle, solution, written = given[0] if given else (*random_puzzle(rng, conditions.clues), None)
    if written is None:
        written = fill_in(puzzle, solution, conditions.writing, rng)
    return puzzle, solution, written


def _place(
    canvas: Canvas,
    conditions: Conditions,
    content: Content,
    at: tuple[float, float],
    cell: float,
    fonts: Fonts,
    rng: np.random.Generator,
) -> PrintedGrid:
    """Print one grid with what was written into it; the result says where."""
    puzzle, solution, written = content
    grid = PrintedGrid(at[0], at[1], cell, puzzle, written, solution)
    print_grid(canvas, grid, conditions.grid, fonts.digits, conditions.paper, conditions.ink)
    write_grid(canvas, grid, conditions.writing, fonts.hand, rng)
    return grid


def page_ink(conditions: Conditions, darkness: float = 1.0) -> Colour:
    """The colour of print on the page."""
    black: Colour = (35.0, 33.0, 32.0)
    return mixed(conditions.paper, black, conditions.ink * darkness)


def _words(rng: np.random.Generator, count: int) -> str:
    vocabulary = _WORDS.split()
    text = " ".join(vocabulary[place] for place in rng.integers(0, len(vocabulary), count).tolist())
    return text[:1].upper() + text[1:] + "."


def _wrap(text: str, letters: int) -> list[str]:
    """Break text into lines of at most about *letters* letters."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= letters:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line] if line else lines


def set_paragraph(
    canvas: Canvas,
    area: tuple[float, float, float, float],
    text: str,
    size: float,
    face: Typeface,
    ink: Colour,
) -> float:
    """Set running text into (left, top, right, bottom); the y below its last line."""
    left, top, right, bottom = area
    size = max(5, round(size))
    leading = 1.22
    room = int((bottom - top) / (size * leading))
    letters = int((right - left) / (face.font(size).getlength("number of words") / 15 * 1.03))
    lines = _wrap(text, max(letters, 4))[: max(room, 0)]
    if lines:
        mask = paragraph_mask(lines, round(right - left), size, leading, face)
        canvas.ink(mask, left, top, ink)
    return top + len(lines) * size * leading


def _column(
    canvas: Canvas, area: _Area, conditions: Conditions, fonts: Fonts, rng: np.random.Generator, size: float
) -> None:
    """Fill a newspaper column with paragraphs, headlines, pictures and rules."""
    y = area.top
    ink = page_ink(conditions)
    while y < area.bottom - size:
        choice = rng.random()
        if choice < 0.16:
            title = _HEADLINES[int(rng.integers(len(_HEADLINES)))]
            end = min(y + size * 6, area.bottom)
            bounds = (area.left, y, area.right, end)
            y = set_paragraph(canvas, bounds, title, size * 2, fonts.head, ink) + size * 0.5
        elif choice < 0.24:
            y = _picture(canvas, replace(area, top=y), conditions, rng) + size
        elif choice < 0.3:
            canvas.rectangle(area.left, y, area.right, y + max(1.0, size * 0.1), ink)
            y += size
        else:
            bounds = (area.left, y, area.right, area.bottom)
            text = _words(rng, int(rng.integers(25, 90)))
            y = set_paragraph(canvas, bounds, text, size, fonts.text, ink) + size * 0.4


def _picture(canvas: Canvas, area: _Area, conditions: Conditions, rng: np.random.Generator) -> float:
    """A printed photo, some hills under a sky with dark figures before them; the y of its lower edge."""
    bottom = min(area.top + area.width * float(rng.uniform(0.4, 0.75)), area.bottom)
    width, height = round(area.width), round(bottom - area.top)
    if width < 8 or height < 8:
        return bottom
    colour: Colour = (45, 42, 40) if rng.random() < 0.6 else (120, 70, 50)
    mask = _hills(width, height, rng)
    for _ in range(int(rng.integers(1, 5))):
        middle = (int(rng.integers(width)), int(height * rng.uniform(0.4, 0.9)))
        axes = (max(1, width // int(rng.integers(20, 60))), max(1, height // int(rng.integers(4, 9))))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, float(rng.uniform(120, 255)), -1, cv2.LINE_AA)
    canvas.ink(mask, area.left, area.top, mixed(conditions.paper, colour, conditions.ink))
    return bottom


def _hills(width: int, height: int, rng: np.random.Generator) -> Mask:
    """Ink (height, width) of a sky that darkens upwards and three ridges, each darker than the one behind."""
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


def _newspaper(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    side, gap = 9 * cell, 0.5 * cell
    margin = conditions.surround * side
    below = side * (len(contents) - 1) * 1.25
    foot = 2.2 * margin + (3 * cell if conditions.solution_grid else 0)
    canvas = Canvas.blank(round(side + 2 * margin), round(side + below + foot), conditions.paper)
    size = cell * float(rng.uniform(0.26, 0.42))
    top = margin * 1.1
    block = _Area(margin - gap, top - 1.9 * cell, margin + side + gap, top + side + below + gap)
    _ghost(canvas, conditions, fonts, rng, size)
    edge = 0.3 * cell if rng.random() < 0.5 else -0.5 * cell  # a margin of white paper, or text cut off
    _around(canvas, block, edge, conditions, fonts, rng, size)
    if rng.random() < 0.3:
        _banner(canvas, block, cell, conditions, fonts, rng)
    else:
        _heading(canvas, (margin, block.top, margin + side, top - 0.3 * cell), cell, conditions, fonts, rng)
    grids = []
    for rank, content in enumerate(contents):
        y = top + rank * 1.25 * side
        grids.append(_place(canvas, conditions, content, (margin, y), cell, fonts, rng))
    if conditions.solution_grid:
        _solution(canvas, conditions, (margin, top + side + below + 1.2 * cell), cell * 0.38, fonts, rng)
    return Page(canvas, tuple(grids))


def _around(
    canvas: Canvas,
    block: _Area,
    edge: float,
    conditions: Conditions,
    fonts: Fonts,
    rng: np.random.Generator,
    size: float,
) -> None:
    """Columns of text in the four strips round *block*."""
    gap = size
    foot = block.bottom + (block.width * 0.45 if conditions.solution_grid else 0)
    strips = [
        _Area(edge, edge, block.left - gap, canvas.height - edge),
        _Area(block.right + gap, edge, canvas.width - edge, canvas.height - edge),
        _Area(block.left, edge, block.right, block.top - gap),
        _Area(block.left, foot + gap, block.right, canvas.height - edge),
    ]
    empty = int(rng.integers(0, 6))  # one strip is often white
    for place, strip in enumerate(strips):
        if place == empty or strip.width < 3 * size or strip.height < size:
            continue
        count = max(1, round(strip.width / (size * 16)))
        bounds = (strip.left, strip.top, strip.right, strip.bottom)
        fill_columns(canvas, bounds, count, conditions, fonts, rng, size)


def fill_columns(
    canvas: Canvas,
    area: tuple[float, float, float, float],
    count: int,
    conditions: Conditions,
    fonts: Fonts,
    rng: np.random.Generator,
    size: float,
) -> None:
    """Fill (left, top, right, bottom) with *count* newspaper columns, text *size* pixels to the em."""
    width = (area[2] - area[0] + size) / count
    for number in range(count):
        left = area[0] + number * width
        _column(canvas, _Area(left, area[1], left + width - size, area[3]), conditions, fonts, rng, size)


def _heading(
    canvas: Canvas,
    area: tuple[float, float, float, float],
    cell: float,
    conditions: Conditions,
    fonts: Fonts,
    rng: np.random.Generator,
) -> None:
    """A title, a level, or the rules of the game above the grid."""
    left, _, right, bottom = area
    ink = page_ink(conditions)
    choice = rng.random()
    if choice < 0.35:
        set_paragraph(canvas, area, _RULES, cell * 0.36, fonts.text, ink)
    elif choice < 0.85:
        title = _TITLES[int(rng.integers(len(_TITLES)))]
        canvas.text(title, left, bottom - 0.8 * cell, cell * float(rng.uniform(0.6, 1.0)), fonts.head, ink)
        level = _LEVELS[int(rng.integers(len(_LEVELS)))]
        canvas.text(level, right - 2.2 * cell, bottom - 0.5 * cell, cell * 0.4, fonts.text, ink)


def _banner(
    canvas: Canvas, block: _Area, cell: float, conditions: Conditions, fonts: Fonts, rng: np.random.Generator
) -> None:
    """A band of colour with the title in white."""
    bands: tuple[Colour, ...] = ((40, 40, 170), (170, 120, 60), (60, 60, 60), (70, 160, 220))
    colour = mixed(conditions.paper, bands[int(rng.integers(len(bands)))], conditions.ink)
    canvas.rectangle(block.left, block.top, block.right, block.top + 1.1 * cell, colour)
    title = _TITLES[int(rng.integers(len(_TITLES)))]
    canvas.text(title, block.left + 0.4 * cell, block.top + 0.25 * cell, 0.8 * cell, fonts.head, WHITE)


def _solution(
    canvas: Canvas,
    conditions: Conditions,
    at: tuple[float, float],
    cell: float,
    fonts: Fonts,
    rng: np.random.Generator,
) -> None:
    """The small full grid of the day before, which is no puzzle."""
    solution = random_puzzle(rng, 81)[1]
    grid = PrintedGrid(at[0], at[1], cell, solution, np.zeros((9, 9), np.int8), solution)
    style = replace(conditions.grid, digit_height=0.7, highlight=None, shaded=())
    print_grid(canvas, grid, style, fonts.text, conditions.paper, conditions.ink)
    bounds = (at[0] + 10 * cell, at[1], at[0] + 22 * cell, at[1] + 9 * cell)
    set_paragraph(canvas, bounds, _RULES, cell * 0.85, fonts.text, page_ink(conditions))


def _ghost(
    canvas: Canvas, conditions: Conditions, fonts: Fonts, rng: np.random.Generator, size: float
) -> None:
    """Print of the other side, seen through the paper: mirrored, soft, faint."""
    if conditions.ghost <= 0:
        return
    letter = size * float(rng.uniform(1, 3))
    half = max(5, round(letter / 2))  # drawn at half the size: it's out of focus anyway
    width, height = canvas.width // 2, canvas.height // 2
    lines = _wrap(_words(rng, 300), max(8, round(2.1 * width / half)))[:12]
    block = paragraph_mask(lines, width, half, 1.3, fonts.text)[:, ::-1]
    sheet = np.tile(block, (-(-height // len(block)), 1))[:height]
    soft = cv2.GaussianBlur(sheet, (0, 0), max(0.6, size * 0.05))
    soft = cv2.resize(soft, (canvas.width, canvas.height), interpolation=cv2.INTER_LINEAR)
    canvas.ink(np.asarray(soft, np.uint8), 0, 0, (40, 40, 40), conditions.ghost)


def _sheet(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """A printed sheet: one grid, or several in one or two columns, with a title."""
    side, margin = 9 * cell, conditions.surround * 9 * cell
    across = 2 if len(contents) > 2 else 1
    down = -(-len(contents) // across)
    step = side + 2.2 * cell
    width = across * step - 2.2 * cell + 2 * margin
    height = down * step - 2.2 * cell + 2 * margin + 1.5 * cell
    canvas = Canvas.blank(round(width), round(height), conditions.paper)
    _ghost(canvas, conditions, fonts, rng, cell * 0.3)
    grids = []
    for rank, content in enumerate(contents):
        x, y = margin + step * (rank % across), margin + 1.5 * cell + step * (rank // across)
        if conditions != Conditions():
            label = _LEVELS[int(rng.integers(len(_LEVELS)))]
            canvas.text(label, x, y - 0.9 * cell, cell * 0.55, fonts.head, page_ink(conditions))
        grids.append(_place(canvas, conditions, content, (x, y), cell, fonts, rng))
    return Page(canvas, tuple(grids))


def _book(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """An open book: grids on the one page, text or another grid on the other, the fold between them."""
    side = 9 * cell
    inner, outer = side * float(rng.uniform(0.1, 0.2)), conditions.surround * side
    leaf = inner + side + outer
    height = side * float(rng.uniform(1.4, 1.65)) * (1 if len(contents) < 3 else 1.5)
    canvas = Canvas.blank(round(2 * leaf), round(height), conditions.paper)
    spine = canvas.width / 2
    right = conditions.bend.arch >= 0  # the side of the bow decides which page is looked at
    top = (height - side) * 0.55
    lefts = [spine + inner, spine - inner - side]
    ink = page_ink(conditions)
    grids = []
    for rank in range(2):
        left = lefts[rank if right else 1 - rank]
        if rank < len(contents):
            title = f"SUDOKU {int(rng.integers(1, 400))}"
            canvas.text(title, left + side / 2, top - 1.6 * cell, cell, fonts.head, ink, centred=True)
            grids.append(_place(canvas, conditions, contents[rank], (left, top), cell, fonts, rng))
        else:
            area = _Area(left, 1.5 * cell, left + side, height - 2 * cell)
            _column(canvas, area, conditions, fonts, rng, cell * 0.42)
        number = str(int(rng.integers(10, 300)))
        canvas.text(number, left + side / 2, height - 1.2 * cell, cell * 0.5, fonts.text, ink, centred=True)
    return Page(canvas, tuple(grids), spine)


def _app(
    conditions: Conditions, cell: float, fonts: Fonts, rng: np.random.Generator, contents: list[Content]
) -> Page:
    """The screen of a sudoku app: status bar, title, grid, tools, number pad."""
    side = 9 * cell
    margin = max(conditions.surround * side, 0.12 * cell)
    width = side + 2 * margin
    aspect = conditions.size[1] / conditions.size[0] if conditions.screenshot else _PHONE_ASPECT
    wide = aspect < 1.2
    total = width * (1.55 if wide else 1.0)
    canvas = Canvas.blank(round(total), round(total * aspect), conditions.paper)
    ink: Colour = (225, 225, 225) if conditions.dark else (60, 55, 50)
    top = (canvas.height - side) * float(rng.uniform(0.45, 0.75) if wide else rng.uniform(0.2, 0.42))
    if not wide:
        _status_bar(canvas, cell, fonts, ink, rng)
    level = _LEVELS[int(rng.integers(len(_LEVELS)))]
    canvas.text(level, margin, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    clock = f"0{int(rng.integers(1, 9))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, margin + side - 1.4 * cell, top - 0.85 * cell, 0.5 * cell, fonts.head, ink)
    grid = _place(canvas, conditions, contents[0], (margin, top), cell, fonts, rng)
    pad = _Area(margin, top + side + 0.6 * cell, margin + side, canvas.height - 0.4 * cell)
    if wide:
        pad = _Area(width + margin, top, total - margin, top + side)
    _number_pad(canvas, pad, cell, conditions, fonts, rng)
    return Page(canvas, (grid,)) if conditions.screenshot else _in_a_phone(canvas, grid)


def _in_a_phone(canvas: Canvas, grid: PrintedGrid) -> Page:
    """The screen within the black rim of a phone."""
    rim, ends = round(0.22 * grid.cell), round(0.55 * grid.cell)
    pixels = cv2.copyMakeBorder(
        canvas.pixels, ends, ends, rim, rim, cv2.BORDER_CONSTANT, value=(22.0, 20.0, 20.0)
    )
    moved = replace(grid, left=grid.left + rim, top=grid.top + ends)
    return Page(Canvas(np.asarray(pixels, np.uint8)), (moved,))


def _status_bar(canvas: Canvas, cell: float, fonts: Fonts, ink: Colour, rng: np.random.Generator) -> None:
    """Clock and battery of a phone."""
    clock = f"{int(rng.integers(7, 23))}:{int(rng.integers(10, 60))}"
    canvas.text(clock, 0.5 * cell, 0.2 * cell, 0.36 * cell, fonts.text, ink)
    right = canvas.width - 0.5 * cell
    canvas.frame(right - 0.5 * cell, 0.2 * cell, right, 0.44 * cell, max(1.0, 0.03 * cell), ink)
    canvas.rectangle(right - 0.48 * cell, 0.22 * cell, right - 0.16 * cell, 0.42 * cell, ink)


def _number_pad(
    canvas: Canvas, area: _Area, cell: float, conditions: Conditions, fonts: Fonts, rng: np.random.Generator
) -> None:
    """Nine keys, in a row below the grid or in a square beside it."""
    columns = 3 if area.width < 0.75 * area.height else 9
    key = min(area.width / columns, area.height / (9 // columns))
    if key < 4:
        return
    face_colour = mixed_grey(conditions.paper, 25 if conditions.dark else -18)
    boxed = rng.random() < 0.5
    ink = conditions.writing.colour if rng.random() < 0.6 else conditions.grid.digit_colour
    top = area.top if columns == 3 else min(area.top + 1.6 * cell, area.bottom - key)
    for digit in range(1, 10):
        row, column = divmod(digit - 1, columns)
        x, y = area.left + column * area.width / columns, top + row * key
        if boxed:
            canvas.rectangle(
                x + 0.06 * key, y, x + area.width / columns - 0.06 * key, y + 0.9 * key, face_colour
            )
        canvas.glyph(str(digit), x + area.width / columns / 2, y + key * 0.45, key * 0.45, fonts.digits, ink)
    if columns == 9 and area.top + 1.4 * cell < top + 1:
        for number, name in enumerate(("Undo", "Erase", "Notes", "Hint")):
            x = area.left + (number + 0.5) * area.width / 4
            canvas.text(name, x, area.top + 0.3 * cell, 0.36 * cell, fonts.text, ink, centred=True)
