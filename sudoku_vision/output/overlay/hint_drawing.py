"""Draw a hint into the photo: the cells and digits of one step of logic, and nothing else.

* A highlighter marks the units of the step. It marks the cells of the pattern more strongly.
* The candidates of the step are written small, with 1 at the top left of a cell. Candidates that the step
  eliminates are red, and struck out with a paler line, so that they can still be read.
* A strong link between two candidates means: at least one of them is true. A weak link means: not both are
  true. :data:`~sudoku_vision.output.overlay.chain_links.LEGEND` says how links look. In almost locked
  sets, candidates without a link are grey.
* A digit to fill in stands where an answer would stand. If the candidates of its cell are drawn, it stands
  among them, in a frame. The digits that block other cells are blue, and so are the lines from these digits
  to the blocked cells. A blocked cell has a cross.
* A trial assumes a digit, and fills in digits until a contradiction follows. The drawing shows the assumption
  and, smaller, the digits that follow from it. The contradiction is red.
* Pencil marks in the photo become paler, because they might look like candidates of the step.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sudoku_vision.output.drawing.figure import Colour, Line, Point, box, mark_place, mixed
from sudoku_vision.output.overlay.answer_drawing import answer_colour
from sudoku_vision.output.overlay.chain_links import link_lines
from sudoku_vision.output.overlay.print_style import (
    RIGHT_COLOURS,
    WRONG_COLOURS,
    PrintStyle,
    choose_colour,
    grid_print,
    on_dark_paper,
)
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import (
    DrawnDigit,
    Fade,
    Shape,
    Shapes,
    Wash,
    board_shapes,
    frame,
    line_in_cell,
)
from sudoku_vision.sudoku.board import NO_MARKS, Board, Marks, board_array
from sudoku_vision.sudoku.logic.bits import DIGITS_OF, cell_set, cells_of
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import take
from sudoku_vision.sudoku.logic.steps import Candidate, Detail, Step
from sudoku_vision.sudoku.logic.techniques.singles import FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import Grid

_YELLOW, _BLUE, _GREEN, _RED = (
    (120.0, 225.0, 255.0),
    (255.0, 200.0, 120.0),
    (150.0, 235.0, 150.0),
    (150.0, 150.0, 255.0),
)
"""Colours of the highlighter. Yellow: the pattern and its units. Blue: the digits that are the reasons for a
single, and the lines from these digits to the cells that they block. Blue and green, in turn: the groups in
``Step.colours``. Red: a contradiction."""
_UNIT_STRENGTH, _COVER_STRENGTH, _CELL_STRENGTH = 0.3, 0.18, 0.75
"""Opacity of the highlighter, 0..1. The first value is for the units of a pattern. The second is for units in
which the step strikes out candidates. The third is for the cells of a pattern."""
_MAX_UNITS = 4  # if a chain has more units than this, none of its units is highlighted
_PALE: Colour = (118, 118, 118)  # grey of candidates outside the step; the palest that WCAG 2 allows on white
_SUPPOSED_COLOURS: tuple[Colour, ...] = ((170, 20, 110), (255, 170, 235))
"""Colours of links, of assumptions, and of digits that follow from them. The first violet is for light paper,
the second for dark paper."""
_FOLLOWING = 0.8  # height of a digit that follows from an assumption, as a share of the height of a clue
_STRIKE_PALES = 0.35  # share of the paper's colour in the colour of the line that strikes out a digit
_SINGLES = (FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE)
_FRAMED = (0.44, 0.62)  # half the width and half the height of the frame around a digit, in digit heights
_CROSS, _CROSS_AT_NOTE, _CROSS_WIDTH = 0.17, 0.11, 0.035
"""Lengths in cells: half the side of a cross in the middle of a cell; half the side of a cross at the
place of a pencil mark of the web page; width of the lines of both crosses."""


@dataclass(frozen=True)
class MarkSize:
    """The size of the candidates in a cell. All lengths are in cells.

    ``step``: distance between neighbouring candidates. ``weight``: width of the strokes.
    """

    step: float
    height: float
    weight: float

    def style(self, digit: int, rules: Rules) -> PrintStyle:
        """Return the size and place of a candidate. In a killer, it is smaller, because sums need room."""
        height = 0.75 * self.height if rules.cages else self.height
        return PrintStyle(height, self.weight, mark_place(digit, self.step, rules))


_SMALL = MarkSize(0.3, 0.25, 0.042)
_LARGE = MarkSize(0.28, 0.36, 0.055)  # for cells in which no candidate is directly below another
_SMALL_BOLD = MarkSize(0.3, 0.27, 0.06)  # for candidates of the step, if others are drawn, too
_SMALL_PALE = MarkSize(0.3, 0.23, 0.04)  # for grey candidates (_PALE)
_OVER_NOTE = MarkSize(0.3, 0.21, 0.036)  # replaces a pencil mark of the web page; as thin as these marks
_MIDDLE = (0.5, 0.5)
_FILLED_IN = PrintStyle(0.5, 0.08, _MIDDLE)  # for a candidate that is drawn as large as an answer


def overlay_steps(
    pictures: Sequence[Image],
    grid: Grid,
    board: Board,
    steps: Sequence[Step],
    *,
    candidate_marks: Marks = NO_MARKS,
    detail: Detail = "step",
) -> list[Image]:
    """Return copies of *pictures* of a *grid*. Each shows one of *steps*, and the digits of earlier steps.

    *board* (9, 9): the board on which the first step was found. *candidate_marks*: a person's pencil marks;
    the steps use them as candidates. If *detail* is ``place``, only the place to look at is highlighted. If
    *detail* is ``name``, nothing is drawn.
    """
    drawn = []
    earlier: list[Shape] = []
    style = step_style(grid, grid_print(pictures[0], grid))
    of_steps = steps_shapes(board, steps, style, grid.rules, candidate_marks)
    for pixels, (_, shapes, placed) in zip(pictures, of_steps, strict=True):
        washes = sum(isinstance(shape, Wash) for shape in shapes)
        shapes = (*shapes[:washes], *earlier, *shapes[washes:])
        if detail == "place":
            shapes = tuple(shape for shape in shapes if isinstance(shape, Wash) and shape.colour == _YELLOW)
        drawn.append(pixels.copy())
        if detail != "name":
            draw_shapes(drawn[-1], grid.lattice, shapes)
        earlier += placed
    return drawn


def steps_shapes(
    board: Board, steps: Iterable[Step], style: "StepStyle", rules: Rules, candidate_marks: Marks = NO_MARKS
) -> Iterator[tuple[Board, Shapes, Shapes]]:
    """Yield for each of *steps*: the board (9, 9) before the step, the step's shapes, and its new digits.

    The new digits are shapes, too. They are drawn in the pictures of all later steps.
    """
    now = Candidates(board.reshape(81).tolist(), rules=rules, marks=candidate_marks)
    for step in steps:
        before, shapes = board_array(now.values), step_shapes(now, step, style)
        take(now, step)
        placed = board_array(now.values) - before
        hollow, over = not style.sure, style.marked
        drawn = board_shapes(placed, style.print_style, style.answer, hollow=hollow, over=over, rules=rules)
        yield before, shapes, drawn


@dataclass(frozen=True)
class StepStyle:
    """How a step is drawn.

    ``answer``: colour of a digit to fill in. ``sure``: whether the reading of the grid is sure; if not,
    digits to fill in are hollow. ``marked``: the cells (0..80) with pencil marks in the photo; they become
    paler where the step draws digits. ``noted``: the cells (0..80) with pencil marks on the web page.
    ``all_candidates``: whether all candidates of the board are drawn, those outside the step small and pale.
    """

    print_style: PrintStyle
    answer: Colour
    sure: bool = True
    marked: frozenset[int] = frozenset()
    noted: frozenset[int] = frozenset()
    all_candidates: bool = False


def step_style(grid: Grid, print_style: PrintStyle, noted: Iterable[int] = ()) -> StepStyle:
    """Return how steps are drawn on a *grid*. *noted*: cells (0..80) with pencil marks on the web page."""
    marked = frozenset(cell for cell, marks in enumerate(grid.marks) if marks)
    answer = answer_colour(grid, print_style)
    return StepStyle(print_style, answer, grid.status == "solved", marked, frozenset(noted))


def step_shapes(board: Candidates, step: Step, style: StepStyle) -> Shapes:
    """Return the shapes of one *step*, which was found on *board*."""
    print_style = style.print_style
    mark, red, violet = (  # these needn't differ from the ink of clues: candidates are smaller than clues
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
    crowded = {cell for cell, digit in small if (cell, digit + 3) in small}  # one is directly below another
    sizes = {one: _SMALL_BOLD if pale else _SMALL if one[0] in crowded else _LARGE for one in small}
    sizes |= {one: _OVER_NOTE for one in small if one[0] in style.noted}
    rules = board.sight.rules
    styles = {one: size.style(one[1], rules) for one, size in sizes.items()}
    drawn_cells = {cell for cell, _ in (*styles, *pale, *large, *supposed)}
    styles = dict.fromkeys((*large, *supposed), _FILLED_IN) | styles
    return (
        *_washes(step, board, dark=on_dark_paper(print_style)),
        *(Fade(cell, rules=rules) for cell in sorted(drawn_cells & style.marked)),
        *(DrawnDigit(*one, _SMALL_PALE.style(one[1], rules), _PALE) for one in sorted(pale)),
        *link_lines(step, styles, violet),
        *(DrawnDigit(*one, styles[one], mark) for one in sorted(shown - followed - gone)),
        *(shape for one in sorted(gone) for shape in _struck(one, styles[one], red, strike)),
        *(DrawnDigit(*one, styles[one], violet) for one in sorted(followed - gone)),
        *_crosses(step, board, style, red),
        *_supposed_shapes(step, supposed, print_style, violet, strike),
        *(
            DrawnDigit(*one, print_style, style.answer, hollow=not style.sure, halo=one[0] in style.marked)
            for one in large
        ),
        *(shape for one in sorted(among) for shape in _framed(one, styles[one], style.answer)),
        *([] if style.sure else [frame(style.answer)]),
    )


def _washes(step: Step, board: Candidates, *, dark: bool) -> list[Wash]:
    """Return the highlights on the units and cells of *step*. A cell has only its strongest highlight."""
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
    if (trial := step.trial) is not None:
        lay(() if trial.dead_unit is None else step.rules.units[trial.dead_unit], _RED, _UNIT_STRENGTH)
        lay(() if trial.dead_cell is None else [trial.dead_cell], _RED, _CELL_STRENGTH)
        lay(trial.dead_cage or (), _RED, _CELL_STRENGTH)
    alike: dict[tuple[Colour, float], list[int]] = {}
    for cell, look in sorted(laid.items()):
        alike.setdefault(look, []).append(cell)
    return [Wash(tuple(cells), colour, strength, dark) for (colour, strength), cells in alike.items()]


def _blocked(step: Step, board: Candidates) -> dict[int, list[int]]:
    """Return the blank cells that are blocked for the digit of a hidden single.

    A key is a blocking digit's cell. Its value lists the cells that this digit blocks in the single's unit.
    """
    blank = board.blank & board.sight.units[step.units[0]] & ~cell_set(step.cells)
    return {cell: list(cells_of(blank & board.sight.peers[cell])) for cell, _ in step.blockers}


def _sight_lines(step: Step, board: Candidates) -> set[int]:
    """Return all cells on the lines from each blocking digit to blocked cells in its row or column."""
    between: set[int] = set()
    for blocker, cells in _blocked(step, board).items():
        for cell in cells:
            low, high = sorted((blocker, cell))
            if low // 9 == high // 9:
                between |= set(range(low, high + 1))
            elif low % 9 == high % 9:
                between |= set(range(low, high + 1, 9))
    return between


def _crosses(step: Step, board: Candidates, style: StepStyle, colour: Colour) -> Iterator[Line]:
    """Yield a cross in each blocked cell (:func:`_blocked`), and a large one in the dead cell of a trial.

    The dead cell is the cell that has no candidate left.
    """
    crosses: dict[int, tuple[Point, float]] = {}
    if step.technique == HIDDEN_SINGLE:
        at_note = mark_place(step.digits[0], _OVER_NOTE.step, board.sight.rules), _CROSS_AT_NOTE
        for cells in _blocked(step, board).values():
            crosses |= {cell: at_note if cell in style.noted else (_MIDDLE, _CROSS) for cell in cells}
    if step.trial is not None and step.trial.dead_cell is not None:
        crosses[step.trial.dead_cell] = _MIDDLE, 2 * _CROSS
    for cell, ((x, y), half) in sorted(crosses.items()):
        for slope in (half, -half):
            ends = (x - half, y - slope), (x + half, y + slope)
            yield line_in_cell(cell, ends, _CROSS_WIDTH, colour)


def _supposed(step: Step) -> tuple[Candidate, ...]:
    """Return the assumption of a trial that ends in a contradiction, and the digits that follow from it."""
    if step.trial is None or step.placements:
        return ()
    return (*((cell, digit) for cell in step.cells for digit in step.digits), *step.trial.follows)


def _without_place(step: Step, board: Candidates) -> set[Candidate]:
    """Return the candidates to strike out if a trial ends because a unit has no place for a digit.

    The result is this digit in the unit's cells that are blank at the end of the trial.
    """
    trial = step.trial
    if trial is None or trial.dead_unit is None or trial.dead_digit is None:
        return set()
    filled = {cell for cell, _ in _supposed(step)}
    blank = cells_of(board.blank & board.sight.units[trial.dead_unit])
    return {(cell, trial.dead_digit) for cell in blank if cell not in filled}


def _supposed_shapes(
    step: Step, supposed: Sequence[Candidate], print_style: PrintStyle, colour: Colour, strike: Colour
) -> Iterator[Shape]:
    """Yield the shapes of *supposed*: a trial's assumption (struck out), and digits that follow from it."""
    height, weight = _FOLLOWING * print_style.height, _FOLLOWING * print_style.weight
    smaller = replace(print_style, height=height, weight=weight)
    for one in supposed:
        if one in step.eliminations:
            yield from _struck(one, print_style, colour, strike)
        else:
            yield DrawnDigit(*one, smaller, colour)


def _struck(candidate: Candidate, style: PrintStyle, colour: Colour, strike: Colour) -> tuple[Shape, Shape]:
    """Return a line and a digit over it. The digit can be read: it has no stroke parallel to the line."""
    (x, y), right, down = style.middle, 0.46 * style.height, 0.58 * style.height
    ends = (x - right, y - down), (x + right, y + down)
    line = line_in_cell(candidate[0], ends, 0.85 * style.weight, strike)
    return line, DrawnDigit(*candidate, style, colour)


def _framed(candidate: Candidate, style: PrintStyle, colour: Colour) -> tuple[Shape, Shape]:
    (x, y), (right, down) = style.middle, (share * style.height for share in _FRAMED)
    corners = box(x - right, y - down, x + right, y + down)
    around = line_in_cell(candidate[0], corners, 0.6 * style.weight, colour, closed=True)
    return DrawnDigit(*candidate, style, colour), around


def _all_candidates(cells: Iterable[int], board: Candidates) -> set[Candidate]:
    return {(cell, digit) for cell in cells for digit in DIGITS_OF[board.masks[cell]]}


def _candidates(step: Step, board: Candidates) -> set[Candidate]:
    """Return the candidates of the step's pattern that are drawn. A single or a trial has none."""
    if step.technique in _SINGLES or step.trial is not None:
        return set()
    if step.links:
        nodes = [node for link in step.links for node in (link.start, link.end)]
        seen = {(cell, node.digit) for node in nodes for cell in node.cells}
    elif step.placements and not step.branches:
        # To follow the step, a person needs all candidates of its cells.
        seen = _all_candidates(step.cells, board)
    else:
        seen = {(cell, digit) for cell in step.cells for digit in step.digits if board.has(cell, digit)}
    return seen - set(step.placements)
