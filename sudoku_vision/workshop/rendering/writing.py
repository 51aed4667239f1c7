"""Write into a printed grid as a person does: digits by hand or typed into an app, marks and corrections."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.typefaces import Mask, Typeface
from sudoku_vision.results import NO_MARKS, Board, Marks
from sudoku_vision.workshop.rendering.hands import Writer, in_typeface
from sudoku_vision.workshop.rendering.ink_masks import jittered, tight_ink, unevenly_pressed
from sudoku_vision.workshop.rendering.pencil_marks import MarkStyle, choose_marks, draw_marks
from sudoku_vision.workshop.rendering.printed_grid import PrintedGrid

_SLIP = 0.06  # in cells: how far from the middle a steady hand writes
_BESIDE = 0.21  # in cells: how far from the middle a digit and the one struck out beside it stand
_BESIDE_HEIGHT = 0.72  # of the height of a digit that has its cell for itself
_GHOST = (0.06, 0.2)  # of the ink: what an eraser leaves
_GHOST_BLUR = 0.03  # of the height of a digit: how far its ghost is smeared
_SMUDGE = (0.03, 0.1)  # of the ink: the grey that is rubbed into the paper
_UNDER = (0.25, 0.6)  # of the ink of the last digit: how dark the one that it was written over still is
_STRIKES = (1, 3)  # strokes that cross a digit out, the higher number not included
_STRIKE_WIDTH = 0.07  # of the height of a digit


@dataclass(frozen=True)
class Corrections:
    """How often a person was mistaken, in shares of 0..1.

    ``rubbed_out``: of the cells left blank that bear the ghost of a digit; ``overwritten``: of the entries
    that stand over another digit; ``crossed_out``: of the entries that stand beside one struck out.
    """

    rubbed_out: float = 0.0
    overwritten: float = 0.0
    crossed_out: float = 0.0


@dataclass(frozen=True)
class Writing:
    """What a person wrote in: shares of the blank cells in 0..1.

    ``typeface`` None: a handwritten one by chance; an app enters digits in the typeface of the grid
    (``typed``). ``writer`` writes instead of a typeface. ``jitter`` 0 sets every glyph alike, 1 as a steady
    hand does, 2 as a hasty one. ``height`` is in cells, each digit's own as much as ``height_spread`` (a
    share) off; ``uneven`` is the share of digits that a pencil pressed unevenly. ``marks`` are the pencil
    marks, ``corrections`` what a hand changed its mind about.
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
    canvas: Canvas, grid: PrintedGrid, writing: Writing, face: Typeface, rng: np.random.Generator
) -> PrintedGrid:
    """Write the digits of ``grid.written`` and pencil marks into the blank cells.

    Marks are ``grid.marks`` or, where it has none, chosen by chance; the result has those that were drawn.
    """
    pen = _Pen(canvas, grid, writing, face, rng)
    pen.write_digits()
    if grid.marks == NO_MARKS:
        grid = replace(grid, marks=choose_marks(grid, writing.marks, rng))
    pen.leave_ghosts(grid.marks)
    boxes = draw_marks(canvas, grid, _settled(writing), face, writing.jitter, rng)
    return replace(grid, mark_boxes=boxes)


def _settled(writing: Writing) -> MarkStyle:
    """Return the style of the marks, with what it leaves to that of the digits."""
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

    def write_digits(self) -> None:
        """Write the entries, some of them over or beside another digit."""
        corrections = self.writing.corrections
        for row, column in np.argwhere(self.grid.written > 0).tolist():
            changed = self._chance(corrections.overwritten), self._chance(corrections.crossed_out)
            digit, place = int(self.grid.written[row, column]), (row, column)
            if self.writing.typed or not any(changed):
                self._write(digit, place)
            elif changed[0]:
                under = self._glyph(self._another(digit)) * self.rng.uniform(*_UNDER)
                self._ink(under.astype(np.uint8), place)
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
            height = self.writing.height * self.grid.cell
            self.canvas.glyph(str(digit), x, y, height, self.face, self.writing.colour, self.writing.strength)
            return
        self._ink(self._glyph(digit), place, offset)

    def _glyph(self, digit: int, scale: float = 1.0) -> Mask:
        """The ink of one digit as this hand writes it now, *scale* times as tall as usual."""
        writing, rng = self.writing, self.rng
        height = scale * writing.height * self.grid.cell
        if writing.height_spread > 0:
            height *= 1 + float(rng.uniform(-1, 1)) * writing.height_spread
        writer = writing.writer or in_typeface(self.face)
        return jittered(writer(digit, height, rng), rng, writing.jitter)

    def _ink(self, mask: Mask, place: tuple[int, int], offset: tuple[float, float] = (0.0, 0.0)) -> None:
        """Put ink into a cell, *offset* cells from its middle, pressed as a hand does."""
        writing, rng = self.writing, self.rng
        x, y = self.grid.middle(*place, offset)
        strength = writing.strength * float(rng.uniform(0.85, 1.0))
        if writing.uneven > 0 and rng.random() < writing.uneven:
            mask = unevenly_pressed(mask, rng)
        left, top = x - mask.shape[1] / 2, y - mask.shape[0] / 2
        self.canvas.ink(mask, left, top, writing.colour, strength)


def ghost_of(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return what an eraser leaves of the ink (H, W) of a digit: a smeared trace on a smudge."""
    mask = tight_ink(mask)
    pad = max(2, mask.shape[0] // 4)
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    trace = cv2.GaussianBlur(wide.astype(np.float32), (0, 0), max(0.4, _GHOST_BLUR * mask.shape[0]))
    smudge = np.zeros(wide.shape, np.float32)
    height, width = wide.shape
    axes = (width / 2.4, height / 2.6)
    cv2.ellipse(smudge, ((width / 2, height / 2), (2 * axes[0], 2 * axes[1]), rng.uniform(-40, 40)), 255, -1)
    smudge = np.asarray(cv2.GaussianBlur(smudge, (0, 0), max(1.0, pad / 2)), np.float32)
    left = trace * rng.uniform(*_GHOST) + smudge * rng.uniform(*_SMUDGE)
    return np.asarray(np.clip(left, 0, 255), np.uint8)


def struck_out(mask: Mask, rng: np.random.Generator) -> Mask:
    """Return the ink (H, W) of a digit with a stroke or two right through it, from side to side."""
    mask = tight_ink(mask)
    pad = max(2, mask.shape[0] // 8)
    struck = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    height, width = struck.shape
    thickness = max(1, round(_STRIKE_WIDTH * mask.shape[0]))
    rising = bool(rng.random() < 0.5)
    for _ in range(int(rng.integers(*_STRIKES))):
        start, end = height * rng.uniform(0.6, 0.9), height * rng.uniform(0.1, 0.4)
        ends = (start, end) if rising else (end, start)
        cv2.line(struck, (0, round(ends[0])), (width - 1, round(ends[1])), 255, thickness, cv2.LINE_AA)
        rising = not rising
    return np.asarray(struck, np.uint8)
