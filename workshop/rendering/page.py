"""Draw the flat page before it is photographed: a printed sheet or a close-up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.random import Generator

from sudoku_vision.output.drawing.figure import WHITE, Colour, mixed
from workshop.rendering.canvas import Canvas
from workshop.rendering.conditions import Conditions
from workshop.rendering.hands import SOFTENED, rotation
from workshop.rendering.kinds import one_of
from workshop.rendering.printed_grid import PrintedGrid, print_grid
from workshop.rendering.spoiling import add_ghost, add_specks
from workshop.rendering.typefaces import Mask, Typeface, bundled_typefaces, glyph_mask
from workshop.rendering.writing import write_grid

LEVELS = ("Easy", "Medium", "Hard", "Moderate", "No. 1284", "Puzzle 52", "Difficulty: ****", "Fiendish")
_BLACK: Colour = (35.0, 33.0, 32.0)
_TEXT_FAMILIES = ("Arimo", "Crimson Text", "Zilla Slab")
_EM = 72  # digits are drawn with this font size in pixels, then scaled
_MAX_WIDTH = 0.9  # largest width of a digit, in cells
_TILT = 0.7  # standard deviation of the angle of a clue in uneven print, in degrees
_PALEST = 0.9  # smallest strength of the ink of a clue in uneven print
_FINE = 0.6  # below this scale factor, digits are first blurred, so that strokes don't break up

_GHOST_SIZE = 0.3  # smallest font size, in cells, of text that shines through from the back
_OTHER_SIDE_OFF = 0.12  # standard deviation of the offset, in cells, between the puzzles on front and back
_OTHER_SIDE_BLUR = (0.01, 0.05)  # range of the blur, in cells, of a puzzle that shines through
_NEIGHBOURS = 25  # number of small digits around the grid of a close-up


@dataclass(frozen=True, eq=False)
class Page:
    """A flat page and the grids that are printed on it."""

    canvas: Canvas
    grids: tuple[PrintedGrid, ...]
    spine: float | None = None  # x of the fold of a book, in page pixels; None for other pages


@dataclass(frozen=True, eq=False)
class Fonts:
    """The typefaces of one page."""

    digits: Typeface
    hand: Typeface  # for handwriting
    text: Typeface
    head: Typeface  # for headlines


def choose_fonts(conditions: Conditions, rng: Generator) -> Fonts:
    """Return the typefaces of a page. Those that *conditions* don't set are random."""
    faces = bundled_typefaces()
    digits = _any_face([face for face in faces if not face.handwritten], rng)
    hand = _any_face([face for face in faces if face.handwritten], rng)
    chosen = conditions.grid.typeface or digits
    bundled = [face for face in faces if face.family in _TEXT_FAMILIES]
    text, head = (bundled[place] for place in rng.integers(0, len(bundled), 2).tolist())
    if conditions.writing.typed:
        hand = chosen
    return Fonts(chosen, conditions.writing.typeface or hand, text, head)


def _any_face(faces: Sequence[Typeface], rng: Generator) -> Typeface:
    """Return a random typeface, mostly upright and neither very thin nor very bold."""
    family = one_of(rng, sorted({face.family for face in faces}))
    members = [face for face in faces if face.family == family]
    plain = [face for face in members if not face.slanted and 300 <= face.weight <= 700]
    return one_of(rng, plain if plain and rng.random() < 0.88 else members)


@dataclass(frozen=True, eq=False)
class Printer:
    """Prints one page on a ``canvas``. ``cell``: side of a cell in pixels."""

    conditions: Conditions
    cell: float
    fonts: Fonts
    rng: Generator
    canvas: Canvas = field(default_factory=lambda: Canvas.blank(1, 1, WHITE))

    def take_sheet(self, width: float, height: float) -> "Printer":
        """Return a printer like this one, with a new canvas of *width* x *height* pixels."""
        return replace(self, canvas=Canvas.blank(round(width), round(height), self.conditions.paper))

    @property
    def ink(self) -> Colour:
        """The colour of print on the page."""
        return self.ink_of(1.0)

    def ink_of(self, darkness: float) -> Colour:
        """Return the colour of print. *darkness*: from 0 (like the paper) to 1 (like the darkest print)."""
        return mixed(self.conditions.paper, _BLACK, self.conditions.ink * darkness)

    def put_ghost(self, size: float) -> None:
        """Draw pale text that shines through from the back. *size*: smallest font size in pixels."""
        add_ghost(self.canvas, self.conditions.ghost, size, self.fonts.text, self.rng)

    def put_grid(self, content: PrintedGrid, left: float, top: float) -> PrintedGrid:
        """Print a grid with its entries and marks. Return the grid with its place on the page.

        *left* and *top*: place of the grid's top left corner, in page pixels.
        """
        canvas, conditions, face = self.canvas, self.conditions, self.fonts.digits
        grid = replace(content, left=left, top=top, cell=self.cell)
        printed = grid if conditions.slip is None else replace(grid, puzzle=np.zeros_like(grid.puzzle))
        print_grid(canvas, printed, conditions.grid, face, conditions.paper, conditions.ink)
        if conditions.slip is not None:
            self._print_unevenly(grid, conditions.slip)
        return write_grid(canvas, grid, conditions.writing, self.fonts.hand, self.rng)

    def _print_unevenly(self, grid: PrintedGrid, slip: float) -> None:
        """Print the clues of *grid* with random differences in angle, place, ink and typeface.

        Cheap print is uneven. Models that learn only from even print mistake uneven print for handwriting.
        """
        conditions, rng, style = self.conditions, self.rng, self.conditions.grid
        colour = mixed(style.cell_colour or conditions.paper, style.digit_colour, conditions.ink)
        for row, column in np.argwhere(grid.puzzle > 0).tolist():
            off = np.add(style.digit_offset, rng.normal(0, slip, 2))
            x, y = grid.middle(row, column, off.tolist())
            face = self.fonts.digits
            if conditions.second_face is not None and rng.random() < 0.5:
                face = conditions.second_face
            master = glyph_mask(face, str(grid.puzzle[row, column]), _EM)
            height = min(style.digit_height, _MAX_WIDTH * master.shape[0] / master.shape[1]) * grid.cell
            mask, left, top = _placed(master, x, y, height, rng.normal(0, _TILT))
            self.canvas.ink(mask, left, top, colour, rng.uniform(_PALEST, 1))


def _placed(master: Mask, x: float, y: float, height: float, angle: float) -> tuple[Mask, int, int]:
    """Return the large digit *master* scaled to *height* pixels and rotated by *angle* degrees, as a mask.

    Also returns the place (left, top) of the mask. At this place, the digit's middle is at (*x*, *y*).
    """
    scale = height / master.shape[0]
    if scale < _FINE:
        master = np.asarray(cv2.GaussianBlur(master, (0, 0), SOFTENED / scale), np.uint8)
    matrix = scale * rotation(np.deg2rad(angle))
    reach = int(np.ceil(0.6 * np.hypot(height, scale * master.shape[1]))) + 2
    left, top = int(np.floor(x)) - reach, int(np.floor(y)) - reach
    middle = np.array([x - left - 0.5, y - top - 0.5]) - matrix @ ((np.array(master.shape[::-1]) - 1) / 2)
    side = (2 * reach + 1, 2 * reach + 1)
    mask = cv2.warpAffine(master, np.c_[matrix, middle], side, flags=cv2.INTER_LINEAR)
    return np.asarray(mask, np.uint8), left, top


def _sheet(printer: Printer, contents: Sequence[PrintedGrid]) -> Page:
    """Draw a printed sheet with grids in one or two columns, each with a title."""
    conditions, cell = printer.conditions, printer.cell
    side, margin = 9 * cell, conditions.surround * 9 * cell
    across = 2 if len(contents) > 2 else 1
    down = -(-len(contents) // across)
    step = side + 2.2 * cell
    width = across * step - 2.2 * cell + 2 * margin
    height = down * step - 2.2 * cell + 2 * margin + 1.5 * cell
    printer = printer.take_sheet(width, height)
    printer.put_ghost(_GHOST_SIZE * cell)
    grids = []
    for rank, content in enumerate(contents):
        x, y = margin + step * (rank % across), margin + 1.5 * cell + step * (rank // across)
        if conditions != Conditions():
            level = one_of(printer.rng, LEVELS)
            printer.canvas.text(level, x, y - 0.9 * cell, cell * 0.55, printer.fonts.head, printer.ink)
        grids.append(printer.put_grid(content, x, y))
    return Page(printer.canvas, tuple(grids))


def _close_up(printer: Printer, contents: Sequence[PrintedGrid]) -> Page:
    """Draw one grid with a narrow margin of paper, and sometimes with print on the back and around it."""
    conditions, cell = printer.conditions, printer.cell
    margin = conditions.surround * 9 * cell
    printer = printer.take_sheet(9 * cell + 2 * margin, 9 * cell + 2 * margin)
    if conditions.ghost and printer.rng.random() < 0.5:  # in this case, a puzzle is on the back
        _shine_through(printer, margin)
    else:
        printer.put_ghost(_GHOST_SIZE * cell)
    if printer.rng.random() < 0.6:
        _neighbours(printer, margin)
    grid = printer.put_grid(contents[0], margin, margin)
    add_specks(printer.canvas, grid, conditions.specks, printer.ink, printer.rng)
    return Page(printer.canvas, (grid,))


def _shine_through(printer: Printer, margin: float) -> None:
    """Draw a puzzle that shines through from the back of the sheet: mirrored, blurred and pale."""
    canvas, cell, rng = printer.canvas, printer.cell, printer.rng
    digits = rng.integers(1, 10, (9, 9)).astype(np.int8)
    kind = rng.random((9, 9))
    puzzle, written = (np.where(part, digits, np.int8(0)) for part in (kind < 0.45, kind > 0.85))
    left, top = (margin + rng.normal(0, _OTHER_SIDE_OFF * cell, 2)).tolist()
    back = printer.take_sheet(canvas.width, canvas.height)
    back.put_grid(PrintedGrid(0, 0, cell, puzzle, written, digits), left, top)
    soft = cv2.GaussianBlur(back.canvas.pixels[:, ::-1], (0, 0), cell * rng.uniform(*_OTHER_SIDE_BLUR))
    share = printer.conditions.ghost
    cv2.addWeighted(soft, share, canvas.pixels, 1 - share, 0, dst=canvas.pixels)


def _neighbours(printer: Printer, margin: float) -> None:
    """Print small digits around a grid, and sometimes a coloured bar.

    *margin*: width of the paper around the grid, in pixels.
    """
    canvas, cell, uniform = printer.canvas, printer.cell, printer.rng.uniform
    end = float(canvas.width)
    if printer.rng.random() < 0.3:
        bar: Colour = (uniform(0, 255), uniform(0, 255), uniform(0, 255))
        canvas.rectangle(0, 0, end, min(uniform(0.2, 0.6) * cell, margin - 0.1 * cell), bar)
    height = uniform(0.15, 0.3) * cell
    for _ in range(_NEIGHBOURS):
        along, away = uniform(0, end), uniform(0.1, 0.6) * margin
        x, y = one_of(printer.rng, ((along, away), (away, along), (along, end - away), (end - away, along)))
        digit = str(int(printer.rng.integers(1, 10)))
        canvas.glyph(digit, x, y, height, printer.fonts.digits, printer.ink)


PageLayout = Callable[[Printer, Sequence[PrintedGrid]], Page]
"""A function that prints grids with a printer, and returns the page."""
LAYOUTS: Mapping[str, PageLayout] = {"sheet": _sheet, "close_up": _close_up}
