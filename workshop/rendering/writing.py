"""Fill in a printed grid as a person does, with digits, pencil marks and corrections."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.random import Generator

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from workshop.rendering.canvas import Canvas, digit_mask
from workshop.rendering.hands import Writer, in_typeface, ink_box, jittered, tight_ink, unevenly_pressed
from workshop.rendering.pencil_marks import MarkStyle, choose_marks, mark_places
from workshop.rendering.printed_grid import MarkBox, PrintedGrid
from workshop.rendering.typefaces import Mask, Typeface

_SLIP = 0.06
"""Standard deviation of offsets of a steady hand: in cells for digits, as a share of the height for marks."""
_BESIDE = 0.21  # distance of a crossed-out digit, and of the new digit, from the middle of the cell, in cells
_BESIDE_HEIGHT = 0.72  # height of a crossed-out digit, and of the new digit, as a share of the usual height
_GHOST, _SMUDGE = (0.06, 0.2), (0.03, 0.1)
"""Ranges of the share of ink that an eraser leaves: in the form of the digit, and smeared over the cell."""
_GHOST_BLUR = 0.03  # blur of a rubbed-out digit, as a share of its height
_UNDER = (0.25, 0.6)  # range of the strength of an overwritten digit, as a share of the usual strength
_STRIKES = (1, 3)  # a digit is crossed out by one or two strokes (the end of the range is not included)
_STRIKE_WIDTH = 0.07  # width of a stroke that crosses out a digit, as a share of the digit's height


@dataclass(frozen=True)
class Corrections:
    """How often a person corrected a mistake."""

    rubbed_out: float = 0.0  # share of the blank cells with a rubbed-out digit
    overwritten: float = 0.0  # share of the entries that overwrite another digit
    crossed_out: float = 0.0  # share of the entries that are written beside a crossed-out digit


@dataclass(frozen=True)
class Writing:
    """The entries and marks of a person, and how they look."""

    share: float = 0.0  # share of the blank cells that have an entry
    wrong: float = 0.0  # share of the entries that are random digits; some of them are right by chance
    typed: bool = False  # whether the digits are in the typeface of the grid
    typeface: Typeface | None = None  # None for a random handwritten typeface
    colour: Colour = (120.0, 50.0, 30.0)
    height: float = 0.6  # height of a digit in cells
    strength: float = 0.85  # strength of the ink, 0..1
    jitter: float = 1.0  # how unsteady the hand is; 1 for a steady hand, 2 for a hasty hand
    writer: Writer | None = None  # draws the digits; None for the typeface
    height_spread: float = 0.0  # largest deviation from ``height``, as a share of ``height``
    uneven: float = 0.0  # share of the digits that the pen draws with uneven pressure
    marks: MarkStyle = field(default_factory=MarkStyle)
    corrections: Corrections = field(default_factory=Corrections)


def write_grid(
    canvas: Canvas, grid: PrintedGrid, writing: Writing, face: Typeface, rng: Generator
) -> PrintedGrid:
    """Draw the entries and the pencil marks of *grid*. Return the grid with the drawn marks and their boxes.

    If the grid has no marks, random marks are drawn. *face*: the typeface of all digits and marks that are
    typed, and of those for which there is no ``writing.writer``.
    """
    pen = _Pen(canvas, grid, writing, face, rng)
    pen.write_digits()
    if grid.marks == NO_MARKS:
        grid = replace(grid, marks=choose_marks(grid, writing.marks, rng))
    pen.leave_ghosts(grid.marks)
    return replace(grid, mark_boxes=tuple(pen.draw_marks(grid.marks)))


def fill_in(puzzle: Board, solution: Board, writing: Writing, rng: Generator) -> Board:
    """Return random entries (9, 9) int8 for blank cells, mostly digits of *solution*; 0 for no entry."""
    chosen = (puzzle == 0) & (rng.random((9, 9)) < writing.share)
    wrong = rng.random((9, 9)) < writing.wrong
    entries = np.where(wrong, rng.integers(1, 10, (9, 9)), solution)
    return np.where(chosen, entries, 0).astype(np.int8)


@dataclass(frozen=True, eq=False)
class _Pen:
    """Writes digits into one grid."""

    canvas: Canvas
    grid: PrintedGrid
    writing: Writing
    face: Typeface
    rng: Generator

    def write_digits(self) -> None:
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
        """Draw rubbed-out digits in some of the cells that have neither a digit nor marks."""
        if self.writing.typed or self.writing.corrections.rubbed_out <= 0:
            return
        digits = (self.grid.puzzle + self.grid.written).ravel()
        for cell in np.flatnonzero(digits == 0).tolist():
            if not marks[cell] and self._chance(self.writing.corrections.rubbed_out):
                ghost = ghost_of(self._glyph(int(self.rng.integers(1, 10))), self.rng)
                self._ink(ghost, divmod(cell, 9))

    def draw_marks(self, marks: Marks) -> Iterator[MarkBox]:
        """Draw *marks*, and yield the box of each mark."""
        writing, style, rng = self.writing, self.writing.marks, self.rng
        typed = writing.typed if style.typed is None else style.typed
        layout = style.layout or ("square" if typed else "row")
        for cell, digits in enumerate(marks):
            places, height = mark_places(layout, sorted(digits), style.height)
            for digit, place in zip(sorted(digits), places, strict=True):
                x, y = self.grid.middle(*divmod(cell, 9), place)
                tall = height * self.grid.cell
                if typed:
                    mask, lift = digit_mask(str(digit), round(tall, 1), self.face)
                    left, top = x - mask.shape[1] / 2, y + lift
                else:
                    slip = rng.normal(0, _SLIP * writing.jitter * tall, 2)
                    mask = jittered(self._writer(digit, tall, rng), rng, writing.jitter)
                    left, top = x - mask.shape[1] / 2 + slip[0], y - mask.shape[0] / 2 + slip[1]
                strength = style.strength * writing.strength
                self.canvas.ink(mask, left, top, style.colour or writing.colour, strength)
                yield self._box(cell, digit, mask, left, top)

    def _box(self, cell: int, digit: int, mask: Mask, left: float, top: float) -> MarkBox:
        """Return the box of a mark's ink. *left*, *top*: top left corner of *mask*, in page pixels."""
        x, y, width, height = ink_box(mask)
        row, column = divmod(cell, 9)
        left = (left + x - self.grid.left) / self.grid.cell - column
        top = (top + y - self.grid.top) / self.grid.cell - row
        return MarkBox(cell, digit, left, top, left + width / self.grid.cell, top + height / self.grid.cell)

    @property
    def _writer(self) -> Writer:
        return self.writing.writer or in_typeface(self.face)

    def _chance(self, share: float) -> bool:
        return share > 0 and bool(self.rng.random() < share)

    def _another(self, digit: int) -> int:
        """Return a random digit other than *digit*."""
        return 1 + (digit - 1 + int(self.rng.integers(1, 9))) % 9

    def _write(self, digit: int, place: tuple[int, int]) -> None:
        across, down = self.rng.normal(0, _SLIP * self.writing.jitter, 2).tolist()
        if not self.writing.typed:
            self._ink(self._glyph(digit), place, (across, down))
            return
        x, y = self.grid.middle(*place, (across, down))
        height = self.writing.height * self.grid.cell
        self.canvas.glyph(str(digit), x, y, height, self.face, self.writing.colour, self.writing.strength)

    def _glyph(self, digit: int, scale: float = 1.0) -> Mask:
        writing, rng = self.writing, self.rng
        height = scale * writing.height * self.grid.cell
        if writing.height_spread > 0:
            height *= 1 + rng.uniform(-1, 1) * writing.height_spread
        return jittered(self._writer(digit, height, rng), rng, writing.jitter)

    def _ink(self, mask: Mask, place: tuple[int, int], offset: tuple[float, float] = (0.0, 0.0)) -> None:
        """Draw ink in the cell at *place* (row, column), with an *offset* (right, down) in cells."""
        writing, rng = self.writing, self.rng
        x, y = self.grid.middle(*place, offset)
        strength = writing.strength * rng.uniform(0.85, 1.0)
        if writing.uneven > 0 and rng.random() < writing.uneven:
            mask = unevenly_pressed(mask, rng)
        left, top = x - mask.shape[1] / 2, y - mask.shape[0] / 2
        self.canvas.ink(mask, left, top, writing.colour, strength)


def _padded(mask: Mask, share: float) -> tuple[Mask, int]:
    """Return a mask's ink with a margin around it, and the width of the margin in pixels.

    *share*: width of the margin divided by the height of the ink.
    """
    mask = tight_ink(mask)
    pad = max(2, int(mask.shape[0] * share))
    return np.pad(mask, pad), pad


def ghost_of(mask: Mask, rng: Generator) -> Mask:
    """Return what an eraser leaves of a digit's *mask* (H, W): a pale, blurred digit on a smudge."""
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
    """Return a digit's *mask* (H, W) with added strokes that cross the digit out."""
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
