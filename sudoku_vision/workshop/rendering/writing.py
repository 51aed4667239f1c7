"""Write into a printed grid as a person does: digits by hand or typed into an app, marks and corrections."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.grid import PrintedGrid
from sudoku_vision.output.drawing.typefaces import Mask, Typeface
from sudoku_vision.results import NO_MARKS, Board, Marks
from sudoku_vision.workshop.rendering.corrections import Corrections, ghost_of, struck_out, underneath
from sudoku_vision.workshop.rendering.hands import TypefaceWriter, Writer
from sudoku_vision.workshop.rendering.ink_masks import jittered, unevenly_pressed
from sudoku_vision.workshop.rendering.pencil_marks import MarkStyle, choose_marks, draw_marks

_SLIP = 0.06  # in cells: how far from the middle a steady hand writes
_BESIDE = 0.21  # in cells: how far from the middle a digit and the one struck out beside it stand
_BESIDE_HEIGHT = 0.72  # of the height of a digit that has its cell for itself


@dataclass(frozen=True)
class Writing:
    """What a person wrote in: shares of the blank cells in 0..1.

    ``typeface`` None: a handwritten one by chance; an app enters digits in the typeface of the grid
    (``typed``). ``writer`` writes instead of a typeface. ``jitter`` 0 sets every glyph alike, 1 as a steady
    hand does, 2 as a hasty one. ``height`` is in cells, each digit's own as much as ``height_spread`` (a
    share) off; ``uneven`` is the share of digits that a pencil pressed unevenly. ``wrong_colour`` is that of
    the entries that the solution contradicts, where an app shows them. ``marks`` are the pencil marks,
    ``corrections`` what a hand changed its mind about.
    """

    share: float = 0.0
    wrong: float = 0.0
    typed: bool = False
    typeface: Typeface | None = None
    colour: Colour = (120.0, 50.0, 30.0)
    height: float = 0.6
    strength: float = 0.85
    jitter: float = 1.0
    writer: Writer | None = None
    height_spread: float = 0.0
    uneven: float = 0.0
    wrong_colour: Colour | None = None
    marks: MarkStyle = field(default_factory=MarkStyle)
    corrections: Corrections = field(default_factory=Corrections)


def write_grid(
    canvas: Canvas,
    grid: PrintedGrid,
    writing: Writing,
    face: Typeface,
    rng: np.random.Generator,
    lit: tuple[int, Colour] | None = None,
) -> PrintedGrid:
    """Write the digits of ``grid.written`` and pencil marks into the blank cells.

    *lit* is a digit and the colour in which an app shows all of it.

    Marks are ``grid.marks`` or, where it has none, chosen by chance; the result has those that were drawn.
    """
    pen = _Pen(canvas, grid, writing, face, rng, lit)
    pen.write_digits()
    if grid.marks == NO_MARKS:
        grid = replace(grid, marks=choose_marks(grid, writing.marks, rng))
    pen.leave_ghosts(grid.marks)
    boxes = draw_marks(canvas, grid, _settled(writing), face, writing.jitter, rng)
    return replace(grid, mark_boxes=boxes)


def _settled(writing: Writing) -> MarkStyle:
    """The style of the marks, with what it leaves to that of the digits."""
    style = writing.marks
    return replace(
        style,
        colour=style.colour or writing.colour,
        typed=writing.typed if style.typed is None else style.typed,
        writer=style.writer or writing.writer,
        strength=style.strength * writing.strength,
    )


def fill_in(puzzle: Board, solution: Board, writing: Writing, rng: np.random.Generator) -> Board:
    """Return what a person wrote into the blank cells, (9, 9) int8: mostly right, some wrong or left out."""
    chosen = (puzzle == 0) & (rng.random((9, 9)) < writing.share)
    wrong = rng.random((9, 9)) < writing.wrong
    entries = np.where(wrong, rng.integers(1, 10, (9, 9)), solution)
    filled: Board = np.where(chosen, entries, 0).astype(np.int8)
    return filled


@dataclass(frozen=True, eq=False)
class _Pen:
    """Who writes digits into a grid, and with what."""

    canvas: Canvas
    grid: PrintedGrid
    writing: Writing
    face: Typeface
    rng: np.random.Generator
    lit: tuple[int, Colour] | None = None

    def write_digits(self) -> None:
        """Write the entries, some of them over or beside another digit."""
        corrections = self.writing.corrections
        for row, column in np.argwhere(self.grid.written > 0).tolist():
            changed = self._chance(corrections.overwritten), self._chance(corrections.crossed_out)
            digit, place = int(self.grid.written[row, column]), (row, column)
            if self.writing.typed or not any(changed):
                self._write(digit, place)
            elif changed[0]:
                self._ink(underneath(self._glyph(self._another(digit)), self.rng), place)
                self._write(digit, place)
            else:
                side = -1 if self.rng.random() < 0.8 else 1  # most people go on to the right
                struck = struck_out(self._glyph(self._another(digit), _BESIDE_HEIGHT), self.rng)
                self._ink(struck, place, (side * _BESIDE, 0.0))
                self._ink(self._glyph(digit, _BESIDE_HEIGHT), place, (-side * _BESIDE, 0.0))

    def leave_ghosts(self, marks: Marks) -> None:
        """Leave the ghosts of rubbed-out digits in cells without digit or *marks*."""
        if self.writing.typed or self.writing.corrections.rubbed_out <= 0:
            return
        digits = (self.grid.puzzle + self.grid.written).ravel()
        for cell in np.flatnonzero(digits == 0).tolist():
            if not marks[cell] and self._chance(self.writing.corrections.rubbed_out):
                ghost = ghost_of(self._glyph(int(self.rng.integers(1, 10))), self.rng)
                self._ink(ghost, divmod(cell, 9))

    def _chance(self, share: float) -> bool:
        return share > 0 and bool(self.rng.random() < share)

    def _another(self, digit: int) -> int:
        """A digit by chance, but not *digit*."""
        return 1 + (digit - 1 + int(self.rng.integers(1, 9))) % 9

    def _write(self, digit: int, place: tuple[int, int]) -> None:
        """Write one digit in the middle of its cell, or nearly so."""
        slip = self.rng.normal(0, _SLIP * self.writing.jitter, 2)
        offset = float(slip[0]), float(slip[1])
        if self.writing.typed:
            x, y = self.grid.middle(*place, offset)
            height, colour = self.writing.height * self.grid.cell, self._colour(place)
            self.canvas.glyph(str(digit), x, y, height, self.face, colour, self.writing.strength)
            return
        self._ink(self._glyph(digit), place, offset)

    def _glyph(self, digit: int, scale: float = 1.0) -> Mask:
        """The ink of one digit as this hand writes it now, *scale* times as tall as usual."""
        writing, rng = self.writing, self.rng
        height = scale * writing.height * self.grid.cell
        if writing.height_spread > 0:
            height *= 1 + float(rng.uniform(-1, 1)) * writing.height_spread
        writer = writing.writer or TypefaceWriter(self.face)
        return jittered(writer.glyph(digit, height, rng), rng, writing.jitter)

    def _ink(self, mask: Mask, place: tuple[int, int], offset: tuple[float, float] = (0.0, 0.0)) -> None:
        """Put ink into a cell, *offset* cells from its middle, pressed as a hand does."""
        writing, rng = self.writing, self.rng
        x, y = self.grid.middle(*place, offset)
        strength = writing.strength * float(rng.uniform(0.85, 1.0))
        if writing.uneven > 0 and rng.random() < writing.uneven:
            mask = unevenly_pressed(mask, rng)
        left, top = x - mask.shape[1] / 2, y - mask.shape[0] / 2
        self.canvas.ink(mask, left, top, self._colour(place), strength)

    def _colour(self, place: tuple[int, int]) -> Colour:
        """The colour of an entry: its own where an app shows that it is wrong, or lights all of its digit."""
        entry, right = self.grid.written[place], self.grid.solution[place]
        if self.lit is not None and entry == self.lit[0]:
            return self.lit[1]
        wrong = entry > 0 and right > 0 and entry != right
        return self.writing.wrong_colour or self.writing.colour if wrong else self.writing.colour
