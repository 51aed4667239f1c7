"""A hint in the photo: the cells and digits that one step of logic is about, and nothing of the rest.

* The units in which the step is seen are washed lightly, the cells of its pattern more strongly, as with a
  highlighter: what is printed shows through.
* The candidates that matter are written small, each at its place in a 3x3 raster within the cell; those that
  can be struck out are red and struck through.
* A chain is drawn link by link: a full line where one of two must be true, a dashed one where not both can.
* A digit that can be filled in stands where the answer would.
* The pencil marks of the cells that are drawn into pale, lest they be taken for candidates of the step.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.logic import Candidate, Link, Node, Step
from sudoku_vision.logic.candidates import Candidates
from sudoku_vision.overlay.answers import answer_colour
from sudoku_vision.overlay.colours import RIGHT_COLOURS, WRONG_COLOURS, choose_colour, on_dark_paper
from sudoku_vision.overlay.ink import draw_shapes
from sudoku_vision.overlay.print import PrintStyle, measure_print
from sudoku_vision.overlay.shapes import (
    DrawnLine,
    Fade,
    Place,
    Shape,
    Shapes,
    Wash,
    drawn_digit,
    frame,
    line_in_cell,
)
from sudoku_vision.results import NO_MARKS, Board, GridResult, Image, Marks, Photo
from sudoku_vision.solver import UNITS

_WASHES: tuple[Colour, Colour, Colour] = ((120, 225, 255), (255, 200, 120), (150, 235, 150))
"""Of highlighters: yellow for what the step is about, blue and green for the two groups of a colouring."""

_UNIT_STRENGTH, _COVER_STRENGTH, _CELL_STRENGTH = 0.3, 0.18, 0.75
"""How much of a highlighter's colour is laid on: units, the units that are cleared, cells of the pattern."""

_FIRST_MARK, _MARK_STEP = 0.2, 0.3
"""Where the first of three candidates stands within its cell, and how far the next, in cells."""

_MARK_HEIGHT, _MARK_WEIGHT = 0.25, 0.042
"""Of a candidate, in cells: three go side by side with room between them."""

_STRIKE: tuple[Place, ...] = ((-0.12, 0.13), (0.12, -0.13))
"""A line through a candidate, from its middle, in cells."""

_LINK_WIDTH = 0.03
_LINK_GAP = 0.16
"""Width of a link, and how far from the middle of a candidate it ends, in cells."""

_DASH = 0.14
"""Length of a dash and of the gap after it, in cells."""


def overlay_hint(
    photo: Photo | Image,
    grid: GridResult,
    board: Board,
    step: Step,
    *,
    candidate_marks: Marks = NO_MARKS,
) -> Image:
    """Draw *step* on *grid* into a copy of the photo, (H, W, 3) uint8 BGR; see :func:`hint_shapes`."""
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    print_style = measure_print(pixels, grid.lattice, grid.puzzle)
    shapes = hint_shapes(grid, board, step, print_style, candidate_marks=candidate_marks)
    draw_shapes(pixels, grid.lattice, shapes)
    return pixels


def hint_shapes(
    grid: GridResult,
    board: Board,
    step: Step,
    print_style: PrintStyle,
    *,
    candidate_marks: Marks = NO_MARKS,
) -> Shapes:
    """Return what is drawn of one *step* on *grid*.

    *board* (9, 9) is what the step was found on: the clues and what is filled in already, with
    *candidate_marks* as the candidates of their cells. A digit to fill in is drawn as sure as the grid was
    read.
    """
    sure = grid.status == "solved"
    answer = answer_colour(grid, print_style)
    mark, struck = choose_colour(RIGHT_COLOURS, print_style), choose_colour(WRONG_COLOURS, print_style)
    candidates = Candidates.marked(board.reshape(81).tolist(), candidate_marks)
    placed = [
        drawn_digit(cell, digit, print_style, answer, hollow=not sure, halo=bool(grid.marks[cell]))
        for cell, digit in step.placements
    ]
    return (
        *_washes(step, dark=on_dark_paper(print_style)),
        *(Fade(cell) for cell in sorted(_drawn_cells(step, candidates)) if grid.marks[cell]),
        *_link_lines(step.links, mark),
        *_candidate_shapes(step, candidates, mark, struck),
        *placed,
        *(() if sure else (frame(answer),)),
    )


def _washes(step: Step, *, dark: bool) -> list[Wash]:
    """Return highlights on the units and the cells of *step*, each cell as strong as the strongest asks."""
    strengths = np.zeros(81)
    strengths[[cell for unit in step.covers for cell in UNITS[unit]]] = _COVER_STRENGTH
    strengths[[cell for unit in step.units for cell in UNITS[unit]]] = _UNIT_STRENGTH
    strengths[list(step.cells)] = _CELL_STRENGTH
    colours = [_WASHES[0]] * 81
    for group, cells in enumerate(step.colours):
        for cell in cells:
            colours[cell] = _WASHES[1 + group % 2]
    alike: dict[tuple[Colour, float], list[int]] = {}
    for cell in np.flatnonzero(strengths).tolist():
        alike.setdefault((colours[cell], float(strengths[cell])), []).append(cell)
    return [Wash(tuple(cells), colour, strength, dark) for (colour, strength), cells in alike.items()]


def _candidate_shapes(step: Step, board: Candidates, mark: Colour, struck: Colour) -> list[Shape]:
    """Return the candidates that matter, those that go struck out."""
    shapes: list[Shape] = [
        drawn_digit(cell, digit, _mark(digit), mark)
        for cell, digit in sorted(_candidates(step, board) - set(step.eliminations))
    ]
    for cell, digit in step.eliminations:
        x, y = _place(digit)
        strike = [(x + right, y + down) for right, down in _STRIKE]
        shapes.append(drawn_digit(cell, digit, _mark(digit), struck))
        shapes.append(line_in_cell(cell, strike, _MARK_WEIGHT, struck))
    return shapes


def _candidates(step: Step, board: Candidates) -> set[Candidate]:
    """Return the candidates that make the pattern of *step*; a digit that is filled in says enough itself."""
    if step.placements and not step.links:
        return set()
    if step.links:
        nodes = [node for link in step.links for node in (link.start, link.end)]
        seen = {(cell, node.digit) for node in nodes for cell in node.cells}
    else:
        seen = {(cell, digit) for cell in step.cells for digit in step.digits if board.has(cell, digit)}
    return seen - set(step.placements)


def _drawn_cells(step: Step, board: Candidates) -> set[int]:
    """Return the cells that *step* puts candidates or digits into."""
    return {cell for cell, _ in (*_candidates(step, board), *step.eliminations, *step.placements)}


def _mark(digit: int) -> PrintStyle:
    """Return how a candidate is written."""
    return PrintStyle(_MARK_HEIGHT, _MARK_WEIGHT, _place(digit))


def _place(digit: int) -> Place:
    """Return the middle of a candidate within its cell, as on a telephone."""
    row, column = divmod(digit - 1, 3)
    return _FIRST_MARK + _MARK_STEP * column, _FIRST_MARK + _MARK_STEP * row


def _link_lines(links: Sequence[Link], colour: Colour) -> Iterator[DrawnLine]:
    """Yield the inferences of a chain from candidate to candidate."""
    for link in links:
        (u, v), (end_u, end_v) = _middle(link.start), _middle(link.end)
        length = math.hypot(end_u - u, end_v - v)
        if length <= 2 * _LINK_GAP:
            continue
        for piece in _pieces(length, _LINK_GAP / length, dashed=not link.strong):
            points = tuple((u + share * (end_u - u), v + share * (end_v - v)) for share in piece)
            yield DrawnLine(points, _LINK_WIDTH, colour)


def _pieces(length: float, inset: float, *, dashed: bool) -> Iterable[tuple[float, float]]:
    """Return the parts of a line, 0..1 along it, that are drawn; *length* in cells."""
    if not dashed:
        return [(inset, 1 - inset)]
    count = max(1, round((length * (1 - 2 * inset)) / (2 * _DASH)))
    step = (1 - 2 * inset) / (count - 0.5)
    return [(inset + step * place, inset + step * (place + 0.5)) for place in range(count)]


def _middle(node: Node) -> Place:
    """Return where a link to *node* ends: the middle of its candidates."""
    x, y = _place(node.digit)
    rows, columns = zip(*(divmod(cell, 9) for cell in node.cells), strict=True)
    return x + sum(columns) / len(columns), y + sum(rows) / len(rows)
