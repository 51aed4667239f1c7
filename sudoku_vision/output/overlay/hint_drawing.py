"""Draw a hint into the photo: the cells and digits of one step of logic, and no others.

* A light transparent colour marks the units of the step, a stronger one the cells of its pattern, as a
  highlighter does: print shows through.
* The candidates that matter are written small, each at its place in a 3x3 raster within the cell. Those that
  the step eliminates are red, on a paler line; so they can still be read.
* A chain is drawn link by link. A full line means: at least one of the two is true. A dashed line means: not
  both are true. The other candidates of its almost locked sets are grey.
* A digit to fill in stands where its answer would. If the step is about the candidates of its cell, the digit
  has a frame among them. Its reasons are blue: the digits that block the other places, and the rows and
  columns between these and the blocked cells. Each blocked cell has a cross.
* A trial shows its assumption, and smaller what follows from it. Its end is red: a cell without candidates,
  or a unit without a place for a digit. What follows in a net is as small as candidates.
* Pencil marks fade in the cells that are drawn into; they could be taken for candidates of the step.
* Where the page shows notes, each candidate and each cross stands at the note of its digit and hits no other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sudoku_vision.output.drawing.colours import Colour, mixed
from sudoku_vision.output.drawing.figure import box
from sudoku_vision.output.overlay.answer_drawing import answer_colour
from sudoku_vision.output.overlay.chain_links import (
    FILLED_IN,
    SMALL_BOLD,
    SMALL_PALE,
    MarkSize,
    layout_of,
    link_lines,
)
from sudoku_vision.output.overlay.colour_choice import (
    RIGHT_COLOURS,
    WRONG_COLOURS,
    choose_colour,
    on_dark_paper,
)
from sudoku_vision.output.overlay.print_style import PrintStyle, grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import (
    DrawnDigit,
    DrawnLine,
    Fade,
    Shape,
    Shapes,
    Wash,
    frame,
    line_in_cell,
)
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks
from sudoku_vision.sudoku.logic import Candidate, Detail, Step
from sudoku_vision.sudoku.logic.candidates import DIGITS_OF, Candidates, cell_set, cells_of
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.sudoku.logic.techniques.singles import FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import Grid

_YELLOW, _BLUE, _GREEN, _RED = (
    (120.0, 225.0, 255.0),
    (255.0, 200.0, 120.0),
    (150.0, 235.0, 150.0),
    (150.0, 150.0, 255.0),
)
"""Highlighters: yellow for what the step is about, blue for what forces it, blue and green for the two groups
of a colouring, red for a dead end."""

_UNIT_STRENGTH, _COVER_STRENGTH, _CELL_STRENGTH = 0.3, 0.18, 0.75
"""Strength of a highlighter on units, on the cover units of a fish, and on the cells of the pattern."""

_MAX_UNITS = 4  # highlighted units of a chain: more would cover most of the board
_PALE: Colour = (118, 118, 118)
"""Grey of candidates that a step is not about: a contrast of 4.5 to white, the least for text (WCAG 2)."""

_SUPPOSED_COLOURS: tuple[Colour, ...] = ((170, 20, 110), (255, 170, 235))
"""Violet of assumptions, links and digits alike: for light and for dark paper."""

_FOLLOWING = 0.8  # height of the digits that follow from an assumption, in heights of the clues
_STRIKE_PALES = 0.35  # share of paper in the line behind an eliminated digit, which must stay legible
_SINGLES = (FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE)

_FRAMED = (0.44, 0.62)
"""Half the width and half the height of the frame round a filled-in candidate, in candidate heights."""

_CROSS, _CROSS_AT_NOTE, _CROSS_WIDTH = 0.17, 0.11, 0.035
"""In cells: half the side of a cross in a blocked cell, the same in a cell with notes, the width of lines."""


def overlay_steps(
    pictures: Sequence[Image],
    grid: Grid,
    board: Board,
    steps: Sequence[Step],
    *,
    candidate_marks: Marks = NO_MARKS,
    detail: Detail = "step",
) -> list[Image]:
    """Draw *steps*, one taken after the other, on *grid*, each into its own copy of *pictures*.

    The first step was found on *board* (9, 9), with *candidate_marks*. A digit that a step places is drawn in
    all pictures after it. A *detail* of ``place`` shows only where to look, ``name`` shows nothing.
    """
    style = _style_of(grid, grid_print(pictures[0], grid))
    now = Candidates(board.reshape(81).tolist(), rules=grid.rules, marks=candidate_marks)
    drawn = []
    placed: list[Shape] = []
    for pixels, step in zip(pictures, steps, strict=True):
        shapes = step_shapes(now, step, style)
        washes = sum(isinstance(shape, Wash) for shape in shapes)
        shapes = (*shapes[:washes], *placed, *shapes[washes:])
        if detail == "place":
            shapes = tuple(shape for shape in shapes if isinstance(shape, Wash) and shape.colour == _YELLOW)
        drawn.append(pixels.copy())
        if detail != "name":
            draw_shapes(drawn[-1], grid.lattice, shapes)
        take(now, step)
        placed += [_placed_digit(candidate, style) for candidate in step.placements]
    return drawn


def hint_shapes(
    grid: Grid, board: Candidates, step: Step, print_style: PrintStyle, noted: Iterable[int] = ()
) -> Shapes:
    """Return what is drawn of one *step* on *grid*, as found on *board*.

    *noted* are the cells (0..80) with notes. A digit to fill in looks as sure as the answers of the grid.
    """
    return step_shapes(board, step, replace(_style_of(grid, print_style), noted=frozenset(noted)))


@dataclass(frozen=True)
class StepStyle:
    """How a step is drawn: the print beside it, the colour of answers, and whether these are ``sure``.

    ``marked`` and ``noted`` are the cells (0..80) with pencil marks, which fade, and with notes.
    ``all_candidates``: a step that is about candidates shows those of the whole board, small and pale.
    """

    print_style: PrintStyle
    answer: Colour
    sure: bool = True
    marked: frozenset[int] = frozenset()
    noted: frozenset[int] = frozenset()
    all_candidates: bool = False


def _style_of(grid: Grid, print_style: PrintStyle) -> StepStyle:
    marked = frozenset(cell for cell, marks in enumerate(grid.marks) if marks)
    return StepStyle(print_style, answer_colour(grid, print_style), grid.status == "solved", marked)


def _placed_digit(candidate: Candidate, style: StepStyle) -> DrawnDigit:
    halo = candidate[0] in style.marked
    return DrawnDigit(*candidate, style.print_style, style.answer, hollow=not style.sure, halo=halo)


def step_shapes(board: Candidates, step: Step, style: StepStyle) -> Shapes:
    """Return what is drawn of one *step* on the *board* that it was found on."""
    print_style = style.print_style
    mark, red, violet = (  # candidates differ from clues by their size
        choose_colour(colours, print_style, ink=False)
        for colours in (RIGHT_COLOURS, WRONG_COLOURS, _SUPPOSED_COLOURS)
    )
    strike = mixed(red, print_style.paper, _STRIKE_PALES)
    shown = _candidates(step, board)
    among = {one for one in step.placements if any(cell == one[0] for cell, _ in shown)}
    large = [one for one in step.placements if one not in among]
    nodes = [node for branch in step.branches for node in branch.follows]
    followed = {(cell, node.digit) for node in nodes for cell in node.cells} - shown
    supposed = _supposed(step)
    filled = {cell for cell, _ in (*step.placements, *supposed)}
    gone = {candidate for candidate in step.struck if candidate[0] not in filled}
    gone = {*step.eliminations, *gone, *_without_place(step, board)} - {*supposed}
    shown |= followed
    context = [cell for link in step.links for cell in link.locked]
    if style.all_candidates and step.technique not in _SINGLES:
        context = [cell for cell in cells_of(board.blank) if cell not in filled]
    pale = _all_candidates(context, board) - shown - gone
    small = shown | gone | among
    at_notes = (one for one in small if pale or one[0] in style.noted)
    layout = layout_of(small) | dict.fromkeys(at_notes, SMALL_BOLD)
    styles = {one: size.style(one[1]) for one, size in layout.items()}
    drawn_cells = {cell for cell, _ in (*layout, *pale, *large, *supposed)}
    layout |= dict.fromkeys((*large, *supposed), FILLED_IN)
    return (
        *_washes(step, board, dark=on_dark_paper(print_style)),
        *(Fade(cell) for cell in sorted(drawn_cells & style.marked)),
        *(DrawnDigit(cell, digit, SMALL_PALE.style(digit), _PALE) for cell, digit in sorted(pale)),
        *link_lines(step, layout, violet),
        *(DrawnDigit(*one, styles[one], mark) for one in sorted(shown - followed - gone)),
        *(shape for one in sorted(gone) for shape in _struck(one, styles[one], red, strike)),
        *(DrawnDigit(*one, styles[one], violet) for one in sorted(followed - gone)),
        *_crosses(step, board, style, red),
        *_supposed_shapes(step, supposed, print_style, violet, strike),
        *(_placed_digit(one, style) for one in large),
        *(shape for one in sorted(among) for shape in _framed(one, styles[one], style.answer)),
        *([] if style.sure else [frame(style.answer)]),
    )


def _washes(step: Step, board: Candidates, *, dark: bool) -> list[Wash]:
    """Return highlights on the units and the cells of *step*; the strongest of a cell counts."""
    laid: dict[int, tuple[Colour, float]] = {}

    def lay(cells: Iterable[int], colour: Colour, strength: float) -> None:
        for cell in cells:
            if strength >= laid.get(cell, (colour, 0.0))[1]:
                laid[cell] = colour, strength

    lay((cell for unit in step.covers for cell in step.rules.units[unit]), _YELLOW, _COVER_STRENGTH)
    if not step.links or len(step.units) <= _MAX_UNITS:
        lay((cell for unit in step.units for cell in step.rules.units[unit]), _YELLOW, _UNIT_STRENGTH)
    if step.technique == HIDDEN_SINGLE:
        lay(_sight_lines(step, board), _BLUE, _UNIT_STRENGTH)
    lay((cell for cell, _ in step.blockers), _BLUE, _CELL_STRENGTH)
    lay(step.cells, _YELLOW, _CELL_STRENGTH)
    for group, cells in enumerate(step.colours):
        lay(cells, (_BLUE, _GREEN)[group % 2], _CELL_STRENGTH)
    if step.trial is not None and step.trial.dead_unit is not None:
        lay(step.rules.units[step.trial.dead_unit], _RED, _UNIT_STRENGTH)
    if step.trial is not None and step.trial.dead_cell is not None:
        lay([step.trial.dead_cell], _RED, _CELL_STRENGTH)
    alike: dict[tuple[Colour, float], list[int]] = {}
    for cell, look in sorted(laid.items()):
        alike.setdefault(look, []).append(cell)
    return [Wash(tuple(cells), colour, strength, dark) for (colour, strength), cells in alike.items()]


def _blocked(step: Step, board: Candidates) -> dict[int, list[int]]:
    """Return for each blocker of a hidden single the blank cells of the unit that it sees."""
    blank = board.blank & board.sight.units[step.units[0]] & ~cell_set(step.cells)
    return {cell: list(cells_of(blank & board.sight.peers[cell])) for cell, _ in step.blockers}


def _sight_lines(step: Step, board: Candidates) -> set[int]:
    """Return the cells from the blockers of a hidden single to the blocked cells, along rows and columns."""
    between: set[int] = set()
    for blocker, cells in _blocked(step, board).items():
        for cell in cells:
            low, high = sorted((blocker, cell))
            if low // 9 == high // 9:
                between |= set(range(low, high + 1))
            elif low % 9 == high % 9:
                between |= set(range(low, high + 1, 9))
    return between


def _crosses(step: Step, board: Candidates, style: StepStyle, colour: Colour) -> Iterator[DrawnLine]:
    """Yield a cross in each blocked cell, and a large one in a cell without candidates."""
    crosses: dict[int, tuple[MarkSize, float]] = {}
    if step.technique == HIDDEN_SINGLE:
        blocked = (cell for cells in _blocked(step, board).values() for cell in cells)
        in_middle, at_note = (FILLED_IN, _CROSS), (SMALL_BOLD, _CROSS_AT_NOTE)
        crosses = {cell: at_note if cell in style.noted else in_middle for cell in blocked}
    if step.trial is not None and step.trial.dead_cell is not None:
        crosses[step.trial.dead_cell] = FILLED_IN, 2 * _CROSS
    for cell, (size, half) in sorted(crosses.items()):
        x, y = size.style(step.digits[0]).middle
        for slope in (half, -half):
            ends = (x - half, y - slope), (x + half, y + slope)
            yield line_in_cell(cell, ends, _CROSS_WIDTH, colour)


def _supposed(step: Step) -> tuple[Candidate, ...]:
    """Return the digits that a refuted trial puts into cells: its assumption, and what follows from it."""
    if step.trial is None or step.placements:
        return ()
    return (*((cell, digit) for cell in step.cells for digit in step.digits), *step.trial.follows)


def _without_place(step: Step, board: Candidates) -> set[Candidate]:
    """Return the digit without a place in which a trial ends, in the blank cells of its unit."""
    trial = step.trial
    if trial is None or trial.dead_unit is None or trial.dead_digit is None:
        return set()
    filled = {cell for cell, _ in _supposed(step)}
    blank = cells_of(board.blank & board.sight.units[trial.dead_unit])
    return {(cell, trial.dead_digit) for cell in blank if cell not in filled}


def _supposed_shapes(
    step: Step, supposed: Sequence[Candidate], print_style: PrintStyle, colour: Colour, strike: Colour
) -> Iterator[Shape]:
    """Yield the digits of a refuted trial; its assumption is struck through."""
    smaller = replace(
        print_style, height=_FOLLOWING * print_style.height, weight=_FOLLOWING * print_style.weight
    )
    for one in supposed:
        if one in step.eliminations:
            yield from _struck(one, print_style, colour, strike)
        else:
            yield DrawnDigit(*one, smaller, colour)


def _struck(candidate: Candidate, style: PrintStyle, colour: Colour, strike: Colour) -> tuple[Shape, Shape]:
    """Return a digit on a line down to the right: no stroke of any digit runs that way."""
    (x, y), right, down = style.middle, 0.46 * style.height, 0.58 * style.height
    ends = (x - right, y - down), (x + right, y + down)
    line = line_in_cell(candidate[0], ends, 0.85 * style.weight, strike)
    return line, DrawnDigit(*candidate, style, colour)


def _framed(candidate: Candidate, style: PrintStyle, colour: Colour) -> tuple[Shape, Shape]:
    """Return a digit to fill in as one of the candidates of its cell, in a frame."""
    (x, y), (right, down) = style.middle, (share * style.height for share in _FRAMED)
    corners = box(x - right, y - down, x + right, y + down)
    frame_line = line_in_cell(candidate[0], corners, 0.6 * style.weight, colour, closed=True)
    return DrawnDigit(*candidate, style, colour), frame_line


def _all_candidates(cells: Iterable[int], board: Candidates) -> set[Candidate]:
    return {(cell, digit) for cell in cells for digit in DIGITS_OF[board.masks[cell]]}


def _candidates(step: Step, board: Candidates) -> set[Candidate]:
    """Return the candidates of the pattern of *step*; a single and a trial need none."""
    if step.technique in _SINGLES or step.trial is not None:
        return set()
    if step.links:
        nodes = [node for link in step.links for node in (link.start, link.end)]
        seen = {(cell, node.digit) for node in nodes for cell in node.cells}
    elif step.placements and not step.branches:  # the step depends on the number of digits left for each cell
        seen = _all_candidates(step.cells, board)
    else:
        seen = {(cell, digit) for cell in step.cells for digit in step.digits if board.has(cell, digit)}
    return seen - set(step.placements)
