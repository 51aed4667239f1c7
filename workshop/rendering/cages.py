"""Killer sudokus for drawings: random cages with their sums, and how they are printed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import BLACK, Colour
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.regions import BORDERS
from sudoku_vision.sudoku.rules import Cage, Rules
from sudoku_vision.sudoku.solver import searcher
from sudoku_vision.values import Floats
from workshop.rendering.boards import random_solution
from workshop.rendering.canvas import Canvas, digit_mask
from workshop.rendering.typefaces import Typeface

CageLines = Literal["dashed", "dotted", "plain", "none"]
Hole = tuple[NDArray[np.float64], NDArray[np.float64]]  # the ends (2,) of the place of a sum, across and down
Line = tuple[float, float, float, float]  # left, top, right and bottom of a piece of line, in cells

SIZES, SIZE_SHARES = (1, 2, 3, 4, 5, 6), (0.03, 0.38, 0.34, 0.18, 0.05, 0.02)
"""Sizes that cages grow to, and how often; a cage that has no more neighbours stays smaller."""
MAX_GUESSES = 20_000  # limit for the guesses at one puzzle; harder puzzles are dropped
SPARE = 2  # number of colours that are used only where the others are not enough


@dataclass(frozen=True)
class CageStyle:
    """How cages and sums are printed. Lengths are in cells.

    ``lines`` run ``inset`` inside the borders of the cells and are ``width`` wide; ``dash`` and ``gap`` are
    the lengths of their parts. ``at_corners``: whether dashes start anew in each cell. ``tints`` are the
    colours of the cells, so that no two neighbouring cages have the same, the last :data:`SPARE` only if
    needed; () for none. ``sum_height`` is the
    height of a digit, ``sum_place`` the place (x, y) of its top left in the cell. ``cleared`` is the width of
    the margin round a sum in which lines are interrupted; None if they aren't.
    """

    lines: CageLines = "dashed"
    inset: float = 0.07
    width: float = 0.02
    dash: float = 0.08
    gap: float = 0.05
    colour: Colour = BLACK
    strength: float = 1.0
    at_corners: bool = False
    tints: tuple[Colour, ...] = ()
    sum_height: float = 0.2
    sum_place: tuple[float, float] = (0.06, 0.06)
    sum_colour: Colour = BLACK
    sum_typeface: Typeface | None = None
    cleared: float | None = 0.03


def random_killer(rng: Generator, clues: int = 0) -> tuple[Board, Board, tuple[Cage, ...]]:
    """Make a killer with one solution: its *clues*, chosen by chance, its solution, and its cages."""
    while True:
        solution = random_solution(rng)
        cages = random_cages(solution, rng)
        puzzle = np.zeros((9, 9), np.int8)
        places = rng.permutation(81)[:clues]
        puzzle.flat[places] = solution.flat[places]
        found = searcher(Rules(cages=cages))(puzzle.ravel().tolist(), 2, MAX_GUESSES)
        if found.finished and len(found.solutions) == 1:
            return puzzle, solution, cages


def random_cages(solution: Board, rng: Generator) -> tuple[Cage, ...]:
    """Divide a *solution* into cages without a repeated digit, and return them by their first cells."""
    digits = solution.ravel().tolist()
    beside: list[list[int]] = [[] for _ in range(81)]
    for one, other in BORDERS.tolist():
        beside[one].append(other)
        beside[other].append(one)
    free, cages = set(range(81)), []
    for start in rng.permutation(81).tolist():
        if start not in free:
            continue
        cells, size = [start], int(rng.choice(SIZES, p=SIZE_SHARES))
        free.remove(start)
        while len(cells) < size:
            used = {digits[cell] for cell in cells}
            ways = {
                cell for one in cells for cell in beside[one] if cell in free and digits[cell] not in used
            }
            if not ways:
                break
            cells.append(int(rng.choice(sorted(ways))))
            free.remove(cells[-1])
        cages.append(Cage(sum(digits[cell] for cell in cells), tuple(sorted(cells))))
    return tuple(sorted(cages, key=lambda cage: cage.cells[0]))


def cage_colours(cages: Sequence[Cage], most: int) -> list[int]:
    """Return a number for each of the 81 cells, the same within a cage; neighbouring cages differ.

    The numbers are below *most* where the cages allow it, and some higher ones elsewhere.
    """
    cage_of = {cell: number for number, cage in enumerate(cages) for cell in cage.cells}
    beside: list[set[int]] = [set() for _ in cages]
    for one, other in BORDERS.tolist():
        if cage_of[one] != cage_of[other]:
            beside[cage_of[one]].add(cage_of[other])
            beside[cage_of[other]].add(cage_of[one])
    colours: dict[int, int] = {}
    while len(colours) < len(cages):  # the cage with the fewest choices comes first
        taken = {
            cage: {colours[other] for other in beside[cage] if other in colours} for cage in range(len(cages))
        }
        cage = max((cage for cage in taken if cage not in colours), key=lambda one: len(taken[one]))
        free = [colour for colour in range(most + SPARE) if colour not in taken[cage]]
        colours[cage] = free[len(colours) % max(1, sum(colour < most for colour in free))]
    return [colours[cage_of[cell]] for cell in range(81)]


def draw_tints(
    canvas: Canvas, corner: tuple[float, float], cell: float, cages: Sequence[Cage], style: CageStyle
) -> None:
    """Fill the cells of a grid, whose top left is *corner*, with the tints of their cages."""
    for place, colour in enumerate(cage_colours(cages, len(style.tints) - SPARE)):
        x, y = corner[0] + place % 9 * cell, corner[1] + place // 9 * cell
        canvas.rectangle(x, y, x + cell, y + cell, style.tints[colour])


def draw_cages(
    canvas: Canvas,
    corner: tuple[float, float],
    cell: float,
    cages: Sequence[Cage],
    style: CageStyle,
    face: Typeface,
    inks: tuple[Colour, Colour],
) -> list[tuple[int, int, float, float, float, float]]:
    """Draw the lines and the sums of *cages* in a grid with its top left *corner*, in two *inks*.

    Return for each digit of a sum its cell, the digit, and the left, top, right and bottom of its ink, in
    cells from the top left of the cell.
    """
    boxes = []
    drawn = partial(digit_mask, height=round(style.sum_height * cell, 1), face=style.sum_typeface or face)
    for cage in cages:
        first, total = cage.cells[0], str(cage.sum)
        mask, lift = drawn(total)
        left, top = style.sum_place
        tall, wide = (length / cell for length in mask.shape)
        room = None if style.cleared is None else np.array([-style.cleared, style.cleared])
        hole = None if room is None else (left + room + [0, wide], top + room + [0, tall])
        for place in cage.cells:
            lines = _lines(place, set(cage.cells), style, hole if place == first else None)
            for line in lines if style.lines != "none" else ():
                x, y = np.array(line).reshape(2, 2).T * cell
                _print(canvas, corner, x + place % 9 * cell, y + place // 9 * cell, style, inks[0])
        canvas.ink(
            mask, corner[0] + (first % 9 + left) * cell, corner[1] + (first // 9 + top) * cell, inks[1]
        )
        for number, digit in enumerate(total):
            own, own_lift = drawn(digit)
            high, across = (length / cell for length in own.shape)
            x, y = left + number * (wide - across), top + (own_lift - lift) / cell
            boxes.append((first, int(digit), x, y, x + across, y + high))
    return boxes


def _lines(place: int, own: set[int], style: CageStyle, hole: Hole | None) -> Iterator[Line]:
    """Yield the pieces of line in the cell *place* of a cage with the cells *own*, in cells from its corner.

    Lines are interrupted in the *hole* round a sum. A line runs along each side behind which another cage
    lies. Where its cage goes on round the corner of another cage, the line goes on, too.
    """
    row, column = divmod(place, 9)

    def inside(down: int, right: int) -> bool:
        return 0 <= row + down < 9 and 0 <= column + right < 9 and place + 9 * down + right in own

    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if inside(down, right):
            continue
        ends = []
        for way in (-1, 1):
            beside = way * abs(right), way * abs(down)
            within = style.inset if not inside(*beside) else 0.0
            if inside(*beside) and inside(down + beside[0], right + beside[1]):
                within = -style.inset
            ends.append(within if way < 0 else 1 - within)
        at = style.inset if down + right < 0 else 1 - style.inset
        gap = None
        if hole is not None and hole[abs(down)][0] < at < hole[abs(down)][1]:
            gap = hole[abs(right)]
        for start, end in _parts(ends[0], ends[1], style, column if down else row):
            low, high = at - style.width / 2, at + style.width / 2
            pieces = [(start, end)] if gap is None else [(start, min(end, gap[0])), (max(start, gap[1]), end)]
            for one, other in pieces:
                if one < other:
                    yield (one, low, other, high) if down else (low, one, high, other)


def _parts(start: float, end: float, style: CageStyle, cells: int) -> list[tuple[float, float]]:
    """Return the dashes, or the whole line, from *start* to *end*, *cells* from the edge of the grid."""
    if style.lines == "plain":
        return [(start - style.width / 2, end + style.width / 2)]
    period = style.dash + style.gap
    if style.at_corners:
        count = max(1, round((end - start + style.gap) / period))
        step = (end - start + style.gap) / count
        return [(start + number * step, start + (number + 1) * step - style.gap) for number in range(count)]
    numbers = np.arange(np.floor((start + cells) / period), np.ceil((end + cells) / period))
    starts = numbers * period - cells
    parts = np.stack([np.maximum(starts, start), np.minimum(starts + style.dash, end)], axis=1)
    return [(one, other) for one, other in parts.tolist() if one < other]


def _print(
    canvas: Canvas, corner: tuple[float, float], x: Floats, y: Floats, style: CageStyle, ink: Colour
) -> None:
    """Print a piece of line from *x* to *y*, both (2,) in pixels from the *corner*: a dash, or a dot."""
    (left, right), (top, bottom) = (x + corner[0]).tolist(), (y + corner[1]).tolist()
    if style.lines != "dotted":
        canvas.rectangle(left, top, right, bottom, ink)
        return
    radius = max(right - left, bottom - top) / 2
    side = 2 * int(np.ceil(radius)) + 3
    middle = (left + right) / 2, (top + bottom) / 2
    corner_of_mask = [int(np.floor(place)) - side // 2 for place in middle]
    centre = [round(16 * (place - first - 0.5)) for place, first in zip(middle, corner_of_mask, strict=True)]
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, centre, round(16 * radius), 255, -1, cv2.LINE_AA, 4)
    canvas.ink(mask, *corner_of_mask, ink)
