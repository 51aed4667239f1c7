"""A hint in the photo: the cells and digits that one step of logic is about, and nothing of the rest.

* The units in which the step is seen are washed lightly, the cells of its pattern more strongly, as with a
  highlighter: what is printed shows through.
* The candidates that matter are written small, each at its place in a 3x3 raster within the cell; those that
  can be struck out are red and struck through.
* A chain is drawn link by link: a full line where one of two must be true, a dashed one where not both can.
* A digit that can be filled in stands where the answer would. What forces it is blue: the digits that block
  the other places, with the lines along which they are seen, and a cross in each cell that is blocked.
* A trial shows its assumption, what follows from it, smaller, and in red where it ends: the cell that no
  digit is left for, or the unit that a digit has no place left in.
* The pencil marks of the cells that are drawn into pale, lest they be taken for candidates of the step.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.logic import Candidate, Detail, Node, Step
from sudoku_vision.logic.candidates import (
    DIGITS_OF,
    PEER_SETS,
    UNIT_SETS,
    Candidates,
    cell_set,
    cells_of,
)
from sudoku_vision.logic.engine import take
from sudoku_vision.logic.techniques.singles import HIDDEN_SINGLE
from sudoku_vision.overlay.answers import answer_colour
from sudoku_vision.overlay.colours import RIGHT_COLOURS, WRONG_COLOURS, choose_colour, on_dark_paper
from sudoku_vision.overlay.ink import draw_shapes
from sudoku_vision.overlay.print import PrintStyle, grid_print
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

_YELLOW, _BLUE, _GREEN, _RED = (
    (120.0, 225.0, 255.0),
    (255.0, 200.0, 120.0),
    (150.0, 235.0, 150.0),
    (150.0, 150.0, 255.0),
)
"""Of highlighters: what the step is about; what forces it; both for the groups of a colouring; a dead end."""

_UNIT_STRENGTH, _COVER_STRENGTH, _CELL_STRENGTH = 0.3, 0.18, 0.75
"""How much of a highlighter's colour is laid on: units, the units that are cleared, cells of the pattern."""

_MOST_UNITS = 4
"""Of a chain: more units washed would be most of the board."""

_SUPPOSED_COLOURS: tuple[Colour, ...] = ((170, 20, 110), (255, 170, 235))
"""Violet: what is supposed, links and digits alike; for light and for dark paper."""

_FOLLOWING = 0.8
"""Height of the digits that follow from an assumption, of that of the clues."""

_CROSS = 0.17
"""Half the side of a cross in a cell that is blocked, in cells; that of a dead cell is twice as large."""

_CROSS_WIDTH = 0.035


@dataclass(frozen=True)
class _MarkSize:
    """How candidates are written.

    Of three in a row, ``first`` is the middle of the first and ``step`` the way to the next, in cells.
    """

    first: float
    step: float
    height: float
    weight: float

    def style(self, digit: int) -> PrintStyle:
        """Return how *digit* is written, at its place as on a telephone."""
        row, column = divmod(digit - 1, 3)
        middle = self.first + self.step * column, self.first + self.step * row
        return PrintStyle(self.height, self.weight, middle)


_SMALL, _LARGE = _MarkSize(0.2, 0.3, 0.25, 0.042), _MarkSize(0.2, 0.3, 0.36, 0.055)
"""Three go side by side with room between them; large ones, which a phone shows, only where none is below
another.
"""

_STRIKE: tuple[Place, ...] = ((-0.48, 0.52), (0.48, -0.52))
"""A line through a digit, from its middle, in heights of it."""

_STRIKE_WEIGHT = 0.85
"""Of that line, in weights of the digit."""

_LINK_WIDTH = 0.042
_LINK_GAP = 0.62
"""Width of a link in cells, and how far from the middle of a candidate it ends, in heights of that."""

_ARROW, _ARROW_ANGLE = 0.13, math.radians(30)
"""Length in cells of the two strokes of an arrowhead, and their angle from the link."""

_CLEAR, _BEND = 0.22, 0.42
"""A link that would pass a candidate of another more closely is bent so far to a side, in cells."""

_BEND_PIECES = 12

_DASH, _DASH_SHARE = 0.3, 0.4
"""Length of a dash and the gap after it, in cells, and the share of the dash, whose ends are round."""


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
    print_style = grid_print(pixels, grid)
    shapes = hint_shapes(grid, board, step, print_style, candidate_marks=candidate_marks)
    draw_shapes(pixels, grid.lattice, shapes)
    return pixels


def overlay_steps(
    pictures: Sequence[Image],
    grid: GridResult,
    board: Board,
    steps: Sequence[Step],
    *,
    candidate_marks: Marks = NO_MARKS,
    detail: Detail = "step",
) -> list[Image]:
    """Draw *steps*, one taken after the other, on *grid*, each into a copy of its own of *pictures*.

    *board* (9, 9) is what the first was found on, with *candidate_marks*; digits that steps have placed are
    drawn from then on. Of a *detail* less than ``step`` only the place is shown, or nothing at all.
    """
    print_style = grid_print(pictures[0], grid)
    drawn = []
    for pixels, shapes in zip(
        pictures, steps_shapes(grid, board, steps, print_style, candidate_marks), strict=True
    ):
        drawn.append(pixels.copy())
        if detail == "place":
            shapes = tuple(shape for shape in shapes if isinstance(shape, Wash) and shape.colour == _YELLOW)
        if detail != "name":
            draw_shapes(drawn[-1], grid.lattice, shapes)
    return drawn


def steps_shapes(
    grid: GridResult, board: Board, steps: Sequence[Step], print_style: PrintStyle, marks: Marks
) -> Iterator[Shapes]:
    """Yield what is drawn of each of *steps*, with the digits that those before it have placed.

    *board* (9, 9) is what the first was found on, with *marks* as the candidates of their cells.
    """
    sure = grid.status == "solved"
    answer = answer_colour(grid, print_style)
    now = Candidates.marked(board.reshape(81).tolist(), marks)
    placed: list[Candidate] = []
    for step in steps:
        before = np.array(now.values, np.int8).reshape(9, 9)
        left: Marks = tuple(frozenset(DIGITS_OF[mask]) for mask in now.masks)
        filled = [
            drawn_digit(cell, digit, print_style, answer, hollow=not sure, halo=bool(grid.marks[cell]))
            for cell, digit in placed
        ]
        shapes = hint_shapes(grid, before, step, print_style, candidate_marks=left)
        washes = sum(isinstance(shape, Wash) for shape in shapes)
        yield (*shapes[:washes], *filled, *shapes[washes:])
        take(now, step)
        placed += step.placements


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
    inks = _Inks(
        choose_colour(RIGHT_COLOURS, print_style),
        choose_colour(WRONG_COLOURS, print_style),
        choose_colour(_SUPPOSED_COLOURS, print_style),
    )
    candidates = Candidates.marked(board.reshape(81).tolist(), candidate_marks)
    placed = [
        drawn_digit(cell, digit, print_style, answer, hollow=not sure, halo=bool(grid.marks[cell]))
        for cell, digit in step.placements
    ]
    shown = _candidates(step, candidates)
    supposed = _supposed(step)
    filled = {cell for cell, _ in (*step.placements, *supposed)}
    struck = {candidate for candidate in step.struck if candidate[0] not in filled}
    gone = {*step.eliminations, *struck, *_without_place(step, candidates)} - {*supposed}
    layout = _layout(shown | gone)
    drawn_cells = {cell for cell, _ in (*layout, *step.placements, *supposed)}
    return (
        *_washes(step, candidates, dark=on_dark_paper(print_style)),
        *(Fade(cell) for cell in sorted(drawn_cells) if grid.marks[cell]),
        *_link_lines(step, layout, inks.supposed),
        *_candidate_shapes(shown, gone, layout, inks),
        *_crosses(step, candidates, inks.struck),
        *_supposed_shapes(step, supposed, print_style, inks),
        *placed,
        *(() if sure else (frame(answer),)),
    )


@dataclass(frozen=True)
class _Inks:
    """The colours of candidates that stay, of those that go, and of what is only supposed."""

    mark: Colour
    struck: Colour
    supposed: Colour


_Layout: TypeAlias = dict[Candidate, _MarkSize]
"""The size of all candidates that are drawn."""


def _washes(step: Step, board: Candidates, *, dark: bool) -> list[Wash]:
    """Return highlights on the units and the cells of *step*, each cell as strong as the strongest asks."""
    laid: dict[int, tuple[Colour, float]] = {}

    def lay(cells: Iterable[int], colour: Colour, strength: float) -> None:
        for cell in cells:
            if strength >= laid.get(cell, (colour, 0.0))[1]:
                laid[cell] = colour, strength

    lay((cell for unit in step.covers for cell in UNITS[unit]), _YELLOW, _COVER_STRENGTH)
    if not step.links or len(step.units) <= _MOST_UNITS:
        lay((cell for unit in step.units for cell in UNITS[unit]), _YELLOW, _UNIT_STRENGTH)
    if step.technique == HIDDEN_SINGLE:
        lay(_sight_lines(step, board), _BLUE, _UNIT_STRENGTH)
    lay((cell for cell, _ in step.blockers), _BLUE, _CELL_STRENGTH)
    lay(step.cells, _YELLOW, _CELL_STRENGTH)
    for group, cells in enumerate(step.colours):
        lay(cells, (_BLUE, _GREEN)[group % 2], _CELL_STRENGTH)
    if step.trial is not None and step.trial.dead_unit is not None:
        lay(UNITS[step.trial.dead_unit], _RED, _UNIT_STRENGTH)
    if step.trial is not None and step.trial.dead_cell is not None:
        lay([step.trial.dead_cell], _RED, _CELL_STRENGTH)
    alike: dict[tuple[Colour, float], list[int]] = {}
    for cell, look in sorted(laid.items()):
        alike.setdefault(look, []).append(cell)
    return [Wash(tuple(cells), colour, strength, dark) for (colour, strength), cells in alike.items()]


def _blocked(step: Step, board: Candidates) -> dict[int, list[int]]:
    """Return the blank cells of a hidden single's unit that each of its blockers sees."""
    blank = board.blank & UNIT_SETS[step.units[0]] & ~cell_set(step.cells)
    return {cell: list(cells_of(blank & PEER_SETS[cell])) for cell, _ in step.blockers}


def _sight_lines(step: Step, board: Candidates) -> set[int]:
    """Return the cells from the blockers of a hidden single to what they block, along rows and columns."""
    between: set[int] = set()
    for blocker, cells in _blocked(step, board).items():
        for cell in cells:
            for apart in (1, 9):
                unit = blocker // 9 == cell // 9 if apart == 1 else blocker % 9 == cell % 9
                if unit:
                    between |= set(range(min(blocker, cell), max(blocker, cell) + 1, apart))
    return between


def _crosses(step: Step, board: Candidates, colour: Colour) -> Iterator[Shape]:
    """Yield a cross in each cell that is blocked, and a large one in the cell that no digit is left for."""
    if step.technique == HIDDEN_SINGLE:
        for cell in sorted({cell for cells in _blocked(step, board).values() for cell in cells}):
            yield from _cross(cell, _CROSS, colour)
    if step.trial is not None and step.trial.dead_cell is not None:
        yield from _cross(step.trial.dead_cell, 2 * _CROSS, colour)


def _cross(cell: int, half: float, colour: Colour) -> Iterator[DrawnLine]:
    low, high = 0.5 - half, 0.5 + half
    yield line_in_cell(cell, [(low, low), (high, high)], _CROSS_WIDTH, colour)
    yield line_in_cell(cell, [(low, high), (high, low)], _CROSS_WIDTH, colour)


def _supposed(step: Step) -> tuple[Candidate, ...]:
    """Return the digits that a refuted trial puts into cells: its assumption, and what follows."""
    if step.trial is None or step.placements:
        return ()
    return (*((cell, digit) for cell in step.cells for digit in step.digits), *step.trial.follows)


def _without_place(step: Step, board: Candidates) -> set[Candidate]:
    """Return the digit that a trial leaves no place for, in the cells of its unit that are still blank."""
    trial = step.trial
    if trial is None or trial.dead_unit is None or trial.dead_digit is None:
        return set()
    filled = {cell for cell, _ in _supposed(step)}
    blank = cells_of(board.blank & UNIT_SETS[trial.dead_unit])
    return {(cell, trial.dead_digit) for cell in blank if cell not in filled}


def _supposed_shapes(
    step: Step, supposed: Sequence[Candidate], print_style: PrintStyle, inks: _Inks
) -> Iterator[Shape]:
    """Yield the digits of a refuted trial, its assumption struck through."""
    smaller = replace(
        print_style, height=_FOLLOWING * print_style.height, weight=_FOLLOWING * print_style.weight
    )
    for cell, digit in supposed:
        assumed = (cell, digit) in step.eliminations
        yield drawn_digit(cell, digit, print_style if assumed else smaller, inks.supposed)
        if assumed:
            yield _strike_line(cell, print_style.middle, print_style.height, print_style.weight, inks.struck)


def _candidate_shapes(
    shown: set[Candidate], gone: set[Candidate], layout: _Layout, inks: _Inks
) -> Iterator[Shape]:
    """Yield the candidates that matter, those that are *gone* struck out."""
    for cell, digit in sorted(shown - gone):
        yield drawn_digit(cell, digit, layout[cell, digit].style(digit), inks.mark)
    for cell, digit in sorted(gone):
        style = layout[cell, digit].style(digit)
        yield drawn_digit(cell, digit, style, inks.struck)
        yield _strike_line(cell, style.middle, style.height, style.weight, inks.struck)


def _strike_line(cell: int, middle: Place, height: float, weight: float, colour: Colour) -> DrawnLine:
    (x, y), places = middle, _STRIKE
    strike = [(x + height * right, y + height * down) for right, down in places]
    return line_in_cell(cell, strike, _STRIKE_WEIGHT * weight, colour)


def _layout(candidates: Iterable[Candidate]) -> _Layout:
    """Return the size of each of *candidates*: large where none stands below another in the cell."""
    by_cell: dict[int, set[int]] = {}
    for cell, digit in candidates:
        by_cell.setdefault(cell, set()).add(digit)
    return {
        (cell, digit): _SMALL if any(one + 3 in digits for one in digits) else _LARGE
        for cell, digits in by_cell.items()
        for digit in digits
    }


def _candidates(step: Step, board: Candidates) -> set[Candidate]:
    """Return the candidates that make the pattern of *step*; a digit that is filled in says enough itself."""
    if (step.placements and not step.links) or step.trial is not None:
        return set()
    if step.links:
        nodes = [node for link in step.links for node in (link.start, link.end)]
        seen = {(cell, node.digit) for node in nodes for cell in node.cells}
    else:
        seen = {(cell, digit) for cell in step.cells for digit in step.digits if board.has(cell, digit)}
    return seen - set(step.placements)


def _link_lines(step: Step, layout: _Layout, colour: Colour) -> Iterator[DrawnLine]:
    """Yield the inferences of a chain from candidate to candidate, in its direction."""
    nodes = sorted(
        {node for link in step.links for node in (link.start, link.end)},
        key=lambda node: (node.digit, node.cells),
    )
    places = {node: [_place((cell, node.digit), layout) for cell in node.cells] for node in nodes}
    for node in nodes:
        for one, two in pairwise(places[node]):
            yield DrawnLine(_curve(one, two, _gap(node, layout), 0.0), _LINK_WIDTH, colour)
    for link in step.links:
        if link.start.cells == link.end.cells:
            continue  # two digits of one cell stand side by side
        pairs = product(places[link.start], places[link.end])
        start, end = min(pairs, key=lambda pair: math.dist(*pair))
        others = [place for node in nodes for place in places[node] if place not in (start, end)]
        path = _path(start, end, max(_gap(link.start, layout), _gap(link.end, layout)), others)
        if path is None:
            continue
        for piece in _pieces(path, dashed=not link.strong):
            yield DrawnLine(piece, _LINK_WIDTH, colour)
        if not step.colours:
            yield DrawnLine(_arrowhead(path), _LINK_WIDTH, colour)


def _path(start: Place, end: Place, gap: float, others: Sequence[Place]) -> tuple[Place, ...] | None:
    """Return a link from *start* to *end*, *gap* short of both; bent where it would pass *others* closely.

    None where no room is left for it.
    """
    if math.dist(start, end) <= 2 * gap:
        return None
    paths = [_curve(start, end, gap, bend) for bend in (0.0, _BEND, -_BEND)]
    return max(paths, key=lambda path: min(_clearance(path, others), _CLEAR))


def _curve(start: Place, end: Place, gap: float, bend: float) -> tuple[Place, ...]:
    """Return a path that is *bend* off the straight line in its middle, with *gap* left out at its ends."""
    (u, v), (end_u, end_v) = start, end
    length = math.dist(start, end)
    inset = gap / length
    across = (end_v - v) / length, (u - end_u) / length
    pieces = _BEND_PIECES if bend else 1
    places = []
    for number in range(pieces + 1):
        share = inset + (1 - 2 * inset) * number / pieces
        off = 4 * bend * share * (1 - share)
        x, y = u + share * (end_u - u) + off * across[0], v + share * (end_v - v) + off * across[1]
        places.append((min(max(x, 0.0), 9.0), min(max(y, 0.0), 9.0)))
    return tuple(places)


def _clearance(path: Sequence[Place], others: Sequence[Place]) -> float:
    """Return the distance of the nearest of *others* from a path."""
    return min(
        (_distance(place, one, two) for place in others for one, two in pairwise(path)), default=math.inf
    )


def _distance(place: Place, start: Place, end: Place) -> float:
    """Return the distance of a place from the line between two others."""
    (x, y), (u, v), (end_u, end_v) = place, start, end
    along_u, along_v = end_u - u, end_v - v
    share = ((x - u) * along_u + (y - v) * along_v) / max(along_u**2 + along_v**2, 1e-9)
    share = min(max(share, 0.0), 1.0)
    return math.dist(place, (u + share * along_u, v + share * along_v))


def _arrowhead(path: Sequence[Place]) -> tuple[Place, ...]:
    """Return the two strokes of an arrowhead at the end of a path."""
    (u, v), (tip_u, tip_v) = path[-2:]
    back = math.atan2(v - tip_v, u - tip_u)
    one, two = (
        (tip_u + _ARROW * math.cos(back + turn), tip_v + _ARROW * math.sin(back + turn))
        for turn in (-_ARROW_ANGLE, _ARROW_ANGLE)
    )
    return one, (tip_u, tip_v), two


def _pieces(path: Sequence[Place], *, dashed: bool) -> Iterator[tuple[Place, ...]]:
    """Yield the parts of a path that are drawn: all of it, or dashes, at least one, the last at its end."""
    if not dashed:
        yield tuple(path)
        return
    length = sum(math.dist(one, two) for one, two in pairwise(path))
    count = max(1, round(length / _DASH))
    step = length / (count - 1 + _DASH_SHARE)
    for number in range(count):
        yield _part(path, number * step, (number + _DASH_SHARE) * step)


def _part(path: Sequence[Place], begin: float, end: float) -> tuple[Place, ...]:
    """Return the part of a path from *begin* to *end*, in cells along it."""
    places: list[Place] = []
    at = 0.0
    for (u, v), (next_u, next_v) in pairwise(path):
        length = math.dist((u, v), (next_u, next_v))
        for along in (begin, end, at + length):
            share = (along - at) / max(length, 1e-9)
            if 0 <= share <= 1 and begin <= along <= end:
                place = (u + share * (next_u - u), v + share * (next_v - v))
                if not places or math.dist(places[-1], place) > 1e-6:
                    places.append(place)
        at += length
    return tuple(places)


def _gap(node: Node, layout: _Layout) -> float:
    """Return how far from the middle of the candidates of a *node* its links end."""
    return _LINK_GAP * max(layout[cell, node.digit].height for cell in node.cells)


def _place(candidate: Candidate, layout: _Layout) -> Place:
    """Return where the middle of a candidate lies."""
    cell, digit = candidate
    row, column = divmod(cell, 9)
    x, y = layout[candidate].style(digit).middle
    return column + x, row + y
