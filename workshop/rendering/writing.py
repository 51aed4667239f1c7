"""Write into a printed grid as a person does: digits by hand or typed into an app, marks and corrections."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.random import Generator

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from workshop.rendering.canvas import Canvas
from workshop.rendering.hands import Writer, in_typeface, jittered, tight_ink, unevenly_pressed
from workshop.rendering.pencil_marks import MarkStyle, choose_marks, draw_marks
from workshop.rendering.printed_grid import PrintedGrid
from workshop.rendering.typefaces import Mask, Typeface

_SLIP = 0.06  # spread of the place of a digit written by a steady hand, in cells from the middle of the cell
_BESIDE = 0.21  # distance from the middle of a cell to a struck-out digit, and to the new one, in cells
_BESIDE_HEIGHT = 0.72  # height of these two digits, as a share of the height of a digit alone in its cell
_GHOST, _SMUDGE = (0.06, 0.2), (0.03, 0.1)  # shares of ink that an eraser leaves, and rubs into the paper
_GHOST_BLUR = 0.03  # blur of a rubbed-out digit, as a share of the digit's height
_UNDER = (0.25, 0.6)  # range of the share of ink that is left of a digit after another is written over it
_STRIKES = (1, 3)  # range of the number of strokes that cross a digit out; the higher number is excluded
_STRIKE_WIDTH = 0.07  # width of a stroke that crosses a digit out, as a share of the digit's height


@dataclass(frozen=True)
class Corrections:
    """How often a person made a mistake, as shares in 0..1.

    ``rubbed_out``: share of the blank cells that show the ghost of a digit. ``overwritten``: share of the
    entries that are written over another digit. ``crossed_out``: share of the entries that stand beside a
    digit that is struck out.
    """

    rubbed_out: float = 0.0
    overwritten: float = 0.0
    crossed_out: float = 0.0


@dataclass(frozen=True)
class Writing:
    """What a person wrote: a ``share`` of the blank cells has an entry, a share ``wrong`` of these is wrong.

    ``typed``: whether an app enters the digits, in the typeface of the grid. If ``typeface`` is None, a
    handwritten typeface is chosen by chance. A ``writer`` is used instead of the typeface. ``jitter``: 0
    makes all glyphs alike, 1 is a steady hand, 2 a hasty hand. ``height`` is in cells; the heights of
    digits differ from it by at most the share ``height_spread``.
    ``uneven``: share of digits with uneven pressure.
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
    marks: MarkStyle = field(default_factory=MarkStyle)
    corrections: Corrections = field(default_factory=Corrections)


def write_grid(
    canvas: Canvas, grid: PrintedGrid, writing: Writing, face: Typeface, rng: Generator
) -> PrintedGrid:
    """Write the digits of ``grid.written`` and pencil marks into the blank cells.

    The marks are ``grid.marks``; if there are none, they are chosen by chance. Return the grid with its marks
    and their places.
    """
    pen = _Pen(canvas, grid, writing, face, rng)
    pen.write_digits()
    if grid.marks == NO_MARKS:
        grid = replace(grid, marks=choose_marks(grid, writing.marks, rng))
    pen.leave_ghosts(grid.marks)
    style = writing.marks
    style = replace(
        style,
        colour=style.colour or writing.colour,
        typed=writing.typed if style.typed is None else style.typed,
        writer=style.writer or writing.writer,
        strength=style.strength * writing.strength,
    )
    return replace(grid, mark_boxes=draw_marks(canvas, grid, style, face, writing.jitter, rng))


def fill_in(puzzle: Board, solution: Board, writing: Writing, rng: Generator) -> Board:
    """Return the entries in the blank cells of *puzzle*, (9, 9) int8, 0 for none.

    *writing* says how many there are, and how many are replaced by random digits.
    """
    chosen = (puzzle == 0) & (rng.random((9, 9)) < writing.share)
    wrong = rng.random((9, 9)) < writing.wrong
    entries = np.where(wrong, rng.integers(1, 10, (9, 9)), solution)
    return np.where(chosen, entries, 0).astype(np.int8)


@dataclass(frozen=True, eq=False)
class _Pen:
    """A person who writes digits into one grid, and the pen."""

    canvas: Canvas
    grid: PrintedGrid
    writing: Writing
    face: Typeface
    rng: Generator

    def write_digits(self) -> None:
        """Write the entries, some of them over or beside another digit."""
        corrections = self.writing.corrections
        for row, column in np.argwhere(self.grid.written > 0).tolist():
            over, beside = self._chance(corrections.overwritten), self._chance(corrections.crossed_out)
            digit, place = int(self.grid.written[row, column]), (row, column)
            if self.writing.typed or not (over or beside):
                self._write(digit, place)
            elif over:
                under = self._glyph(self._another(digit)) * self.rng.uniform(*_UNDER)
                self._ink(under.astype(np.uint8), place)
                self._write(digit, place)
            else:
                side = -1 if self.rng.random() < 0.8 else 1  # most people write the new digit on the right
                struck = struck_out(self._glyph(self._another(digit), _BESIDE_HEIGHT), self.rng)
                self._ink(struck, place, (side * _BESIDE, 0.0))
                self._ink(self._glyph(digit, _BESIDE_HEIGHT), place, (-side * _BESIDE, 0.0))

    def leave_ghosts(self, marks: Marks) -> None:
        """Draw the ghosts of rubbed-out digits in some cells that have neither a digit nor *marks*."""
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
        """Return a random digit other than *digit*."""
        return 1 + (digit - 1 + int(self.rng.integers(1, 9))) % 9

    def _write(self, digit: int, place: tuple[int, int]) -> None:
        """Write one digit near the middle of its cell; *place* is its row and column."""
        across, down = self.rng.normal(0, _SLIP * self.writing.jitter, 2).tolist()
        if not self.writing.typed:
            self._ink(self._glyph(digit), place, (across, down))
            return
        x, y = self.grid.middle(*place, (across, down))
        height = self.writing.height * self.grid.cell
        self.canvas.glyph(str(digit), x, y, height, self.face, self.writing.colour, self.writing.strength)

    def _glyph(self, digit: int, scale: float = 1.0) -> Mask:
        """Return the ink of one digit, *scale* times as tall as usual."""
        writing, rng = self.writing, self.rng
        height = scale * writing.height * self.grid.cell
        if writing.height_spread > 0:
            height *= 1 + rng.uniform(-1, 1) * writing.height_spread
        writer = writing.writer or in_typeface(self.face)
        return jittered(writer(digit, height, rng), rng, writing.jitter)

    def _ink(self, mask: Mask, place: tuple[int, int], offset: tuple[float, float] = (0.0, 0.0)) -> None:
        """Put ink into the cell at *place* (row, column), *offset* cells right of and below its middle."""
        writing, rng = self.writing, self.rng
        x, y = self.grid.middle(*place, offset)
        strength = writing.strength * rng.uniform(0.85, 1.0)
        if writing.uneven > 0 and rng.random() < writing.uneven:
            mask = unevenly_pressed(mask, rng)
        left, top = x - mask.shape[1] / 2, y - mask.shape[0] / 2
        self.canvas.ink(mask, left, top, writing.colour, strength)


def _padded(mask: Mask, share: float) -> tuple[Mask, int]:
    """Return the ink of a mask with a margin round it, and the width of the margin in pixels.

    The margin is a *share* of the height of the ink.
    """
    mask = tight_ink(mask)
    pad = max(2, int(mask.shape[0] * share))
    return np.pad(mask, pad), pad


def ghost_of(mask: Mask, rng: Generator) -> Mask:
    """Return what an eraser leaves of the ink (H, W) of a digit: a smeared trace on a smudge."""
    wide, pad = _padded(mask, 1 / 4)
    height, width = wide.shape
    trace = cv2.GaussianBlur(wide.astype(np.float32), (0, 0), max(0.4, _GHOST_BLUR * (height - 2 * pad)))
    smudge = np.zeros(wide.shape, np.float32)
    axes = (2 * (width / 2.4), 2 * (height / 2.6))
    cv2.ellipse(smudge, ((width / 2, height / 2), axes, rng.uniform(-40, 40)), 255, -1)
    smudge = np.asarray(cv2.GaussianBlur(smudge, (0, 0), max(1.0, pad / 2)), np.float32)
    left = trace * rng.uniform(*_GHOST) + smudge * rng.uniform(*_SMUDGE)
    return np.asarray(np.clip(left, 0, 255), np.uint8)


def struck_out(mask: Mask, rng: Generator) -> Mask:
    """Return the ink (H, W) of a digit with one or two strokes through it, from side to side."""
    struck, pad = _padded(mask, 1 / 8)
    height, width = struck.shape
    thickness = max(1, round(_STRIKE_WIDTH * (height - 2 * pad)))
    rising = bool(rng.random() < 0.5)
    for _ in range(int(rng.integers(*_STRIKES))):
        low, high = round(height * rng.uniform(0.6, 0.9)), round(height * rng.uniform(0.1, 0.4))
        start, end = (low, high) if rising else (high, low)
        cv2.line(struck, (0, start), (width - 1, end), 255, thickness, cv2.LINE_AA)
        rising = not rising
    return struck
