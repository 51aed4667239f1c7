"""A hint drawn into the photo: the cells and digits that one step of logic is about, and nothing of the rest.

* The units in which the step is seen are washed lightly, the cells of its pattern more strongly, as with a
  highlighter: what is printed shows through.
* The candidates that matter are written small, each at its place in a 3x3 raster within the cell; those that
  can be struck out are red and struck through.
* A chain is drawn link by link: a full line where one of two must be true, a dashed one where not both can.
* A digit that can be filled in stands where the answer would.
* The pencil marks of the cells that are drawn into pale, lest they be taken for candidates of the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.logic import Candidate, Link, Node, Step
from sudoku_vision.logic.candidates import Candidates
from sudoku_vision.overlay.colours import (
    RIGHT_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    choose_colour,
    on_dark_paper,
)
from sudoku_vision.overlay.ink import (
    covered_patch,
    draw_digit,
    draw_frame,
    draw_path,
    fade_ink,
    points_in_cell,
)
from sudoku_vision.overlay.print import PrintStyle, measure_print
from sudoku_vision.results import NO_MARKS, Board, Floats, GridResult, Image, Lattice, Marks, Photo
from sudoku_vision.solver import UNITS

_WASHES: tuple[Colour, Colour, Colour] = ((120, 225, 255), (255, 200, 120), (150, 235, 150))
"""Of highlighters: yellow for what the step is about, blue and green for the two groups of a colouring."""

_UNIT_STRENGTH, _COVER_STRENGTH, _CELL_STRENGTH = 0.3, 0.18, 0.75
"""How much of a highlighter's colour is laid on: units, the units that are cleared, cells of the pattern."""

_DARK_STRENGTH = 0.4
"""How much of the colour dark paper takes on: light on it shows far more than a shade does on white."""

_FIRST_MARK, _MARK_STEP = 0.2, 0.3
"""Where the first of three candidates stands within its cell, and how far the next, in cells."""

_MARK_HEIGHT, _MARK_WEIGHT = 0.25, 0.042
"""Of a candidate, in cells: three go side by side with room between them."""

_STRIKE = np.array([[-0.12, 0.13], [0.12, -0.13]], np.float32)
"""A line through a candidate, from its middle, in cells."""

_LINK_WIDTH = 0.03
_LINK_GAP = 0.16
"""Width of a link, and how far from the middle of a candidate it ends, in cells."""

_DASH = 0.14
"""Length of a dash and of the gap after it, in cells."""


@dataclass(frozen=True)
class _HintColours:
    """The colours of one picture."""

    answer: Colour
    mark: Colour
    struck: Colour
    dark: bool


def overlay_hint(
    photo: Photo | Image,
    grid: GridResult,
    board: Board,
    step: Step,
    *,
    candidate_marks: Marks = NO_MARKS,
    print_style: PrintStyle | None = None,
) -> Image:
    """Draw *step* on *grid* into a copy of the photo, (H, W, 3) uint8 BGR.

    *board* (9, 9) is what the step was found on: the clues and what is filled in already, with
    *candidate_marks* as the candidates of their cells. A digit to fill in is drawn as sure as the grid was
    read. *print_style*: how the grid is printed, where that was measured
    before.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    print_style = print_style or measure_print(pixels, grid.lattice, grid.puzzle)
    sure = grid.status == "solved"
    colours = _HintColours(
        answer=choose_colour(SURE_COLOURS if sure else UNSURE_COLOURS, print_style),
        mark=choose_colour(RIGHT_COLOURS, print_style),
        struck=choose_colour(WRONG_COLOURS, print_style),
        dark=on_dark_paper(print_style),
    )
    _wash_step(pixels, grid.lattice, step, colours.dark)
    candidates = Candidates.marked(board.reshape(81).tolist(), candidate_marks)
    for cell in _drawn_cells(step, candidates):
        if grid.marks[cell]:
            fade_ink(pixels, grid.lattice, cell)
    _draw_links(pixels, grid.lattice, step.links, colours)
    _draw_candidates(pixels, grid.lattice, step, candidates, colours)
    for cell, digit in step.placements:
        halo = bool(grid.marks[cell])
        draw_digit(pixels, grid.lattice, cell, digit, print_style, colours.answer, hollow=not sure, halo=halo)
    if not sure:
        draw_frame(pixels, grid.lattice, colours.answer)
    return pixels


def _wash_step(pixels: Image, lattice: Lattice, step: Step, dark: bool) -> None:
    """Highlight the units and the cells of *step*, each cell as strongly as the strongest asks."""
    strengths = np.zeros(81)
    strengths[[cell for unit in step.covers for cell in UNITS[unit]]] = _COVER_STRENGTH
    strengths[[cell for unit in step.units for cell in UNITS[unit]]] = _UNIT_STRENGTH
    strengths[list(step.cells)] = _CELL_STRENGTH
    washes = [_WASHES[0]] * 81
    for group, cells in enumerate(step.colours):
        for cell in cells:
            washes[cell] = _WASHES[1 + group % 2]
    for place in np.flatnonzero(strengths).tolist():
        _wash(pixels, lattice.cell(*divmod(place, 9)), washes[place], float(strengths[place]), dark)


def _wash(pixels: Image, quad: Floats, colour: Colour, strength: float, dark: bool) -> None:
    """Lay a transparent colour on the cell with corners *quad*: light paper darkens, dark paper lightens."""
    covered = covered_patch(pixels, quad)
    if covered is None:
        return
    patch, mask = covered
    share = (strength / 255 * mask)[:, :, None]
    tint = np.array(colour) / 255
    light = patch / 255.0
    laid = 1 - (1 - light) * (1 - _DARK_STRENGTH * tint) if dark else light * tint
    patch[:] = np.rint(255 * (light + share * (laid - light))).astype(np.uint8)


def _draw_candidates(
    pixels: Image, lattice: Lattice, step: Step, board: Candidates, colours: _HintColours
) -> None:
    """Write the candidates that matter, and strike out those that go."""
    for cell, digit in sorted(_candidates(step, board) - set(step.eliminations)):
        draw_digit(pixels, lattice, cell, digit, _mark(digit), colours.mark)
    for cell, digit in step.eliminations:
        draw_digit(pixels, lattice, cell, digit, _mark(digit), colours.struck)
        strike = points_in_cell(lattice, cell, _STRIKE + _place(digit))
        draw_path(pixels, strike, colours.struck, _MARK_WEIGHT * lattice.cell_size)


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
    x, y = _place(digit)
    return PrintStyle(_MARK_HEIGHT, _MARK_WEIGHT, (float(x), float(y)))


def _place(digit: int) -> Floats:
    """Return the middle (2,) of a candidate within its cell, as on a telephone."""
    row, column = divmod(digit - 1, 3)
    return np.array([_FIRST_MARK + _MARK_STEP * column, _FIRST_MARK + _MARK_STEP * row], np.float32)


def _draw_links(pixels: Image, lattice: Lattice, links: Sequence[Link], colours: _HintColours) -> None:
    """Draw the inferences of a chain from candidate to candidate."""
    for link in links:
        path = np.stack([_middle(lattice, link.start), _middle(lattice, link.end)])
        length = float(np.linalg.norm(path[1] - path[0])) / lattice.cell_size
        if length <= 2 * _LINK_GAP:
            continue
        inset = _LINK_GAP / length
        for start, end in _pieces(length, inset, dashed=not link.strong):
            piece = path[0] + np.array([[start], [end]], np.float32) * (path[1] - path[0])
            draw_path(pixels, piece, colours.mark, _LINK_WIDTH * lattice.cell_size)


def _pieces(length: float, inset: float, *, dashed: bool) -> Iterable[tuple[float, float]]:
    """Return the parts of a line, 0..1 along it, that are drawn; *length* in cells."""
    if not dashed:
        return [(inset, 1 - inset)]
    count = max(1, round((length * (1 - 2 * inset)) / (2 * _DASH)))
    step = (1 - 2 * inset) / (count - 0.5)
    return [(inset + step * place, inset + step * (place + 0.5)) for place in range(count)]


def _middle(lattice: Lattice, node: Node) -> Floats:
    """Return where a link to *node* ends: the middle of its candidates, (2,) in pixels of the photo."""
    places = [points_in_cell(lattice, cell, _place(node.digit)[None])[0] for cell in node.cells]
    middle: Floats = np.mean(places, axis=0, dtype=np.float32)
    return middle
