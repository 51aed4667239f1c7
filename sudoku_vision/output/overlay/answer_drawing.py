"""Choose what is drawn on a grid: answers, signs on a person's entries, and signs of doubt."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from sudoku_vision.output.drawing.figure import Colour, Point
from sudoku_vision.output.overlay.print_style import (
    FRAME_COLOURS,
    RIGHT_COLOURS,
    SURE_COLOURS,
    UNSURE_COLOURS,
    WRONG_COLOURS,
    PrintStyle,
    choose_colour,
    hollow_ground,
)
from sudoku_vision.output.overlay.shapes import Shape, Shapes, Tag, board_shapes, frame, line_in_cell
from sudoku_vision.output.overlay.stroke_font import arc
from sudoku_vision.texts import Said, Sentence
from sudoku_vision.vision.decode.uncertainty import agreed_cells
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.verdicts import Check, check

_WIDTH = 0.055  # width of the lines of a sign, in cells

Sign: TypeAlias = tuple[tuple[Point, ...], ...]  # its lines; each is a list of points (x, y) in a cell, 0..1


TICK: Sign = (((0.7, 0.82), (0.77, 0.91), (0.92, 0.7)),)
RING: Sign = (tuple(arc(0.5, 0.5, 0.38, 0.38, 0, 360)),)
OPEN_RING: Sign = (tuple(arc(0.5, 0.5, 0.38, 0.38, 8, 272)),)
BOX: Sign = (((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92), (0.08, 0.08)),)
OPEN_BOX: Sign = (((0.6, 0.08), (0.08, 0.08), (0.08, 0.92), (0.92, 0.92), (0.92, 0.52)),)
STRIKE: Sign = (((0.12, 0.86), (0.68, 0.3)),)
QUESTION: Sign = (
    ((0.75, 0.67), (0.79, 0.61), (0.86, 0.61), (0.9, 0.67), (0.88, 0.73), (0.82, 0.78), (0.82, 0.83)),
    ((0.82, 0.91), (0.82, 0.92)),
)

BESIDE_RING = PrintStyle(height=0.36, weight=0.06, middle=(0.82, 0.23))  # of a right digit in a ring's gap


def sign_shapes(cells: Iterable[int], sign: Sign, colour: Colour) -> Shapes:
    """Return a *sign* in each of *cells* (0..80)."""
    return tuple(line_in_cell(cell, path, _WIDTH, colour) for cell in cells for path in sign)


def doubtful_shapes(grid: Grid, colour: Colour) -> Shapes:
    """Return the signs of doubt about a grid.

    They are a frame around the grid, a tag with the grid's status, question marks in doubtful or hidden
    cells, and boxes around clashing digits.
    """
    cells = dict.fromkeys((*(doubt.cell for doubt in grid.doubts), *grid.hidden))
    boxes = sign_shapes(grid.clashes, BOX, colour)
    words = Said(Sentence("word.empty" if grid.is_empty else f"tag.{grid.status}"))
    return frame(colour), *boxes, *sign_shapes(cells, QUESTION, colour), Tag(grid.status, words, colour)


def grid_shapes(grid: Grid, print_style: PrintStyle) -> Shapes:
    """Return all shapes of one grid: its answers and, unless its status is ``solved``, signs of doubt."""
    if grid.status in FRAME_COLOURS or grid.answers is None:
        return doubtful_shapes(grid, FRAME_COLOURS.get(grid.status, FRAME_COLOURS["unreadable"]))
    doubtful = () if grid.status == "solved" else doubtful_shapes(grid, full_colour(grid, print_style))
    return *answer_shapes(grid, print_style), *doubtful


def full_colour(grid: Grid, print_style: PrintStyle) -> Colour:
    """Return the colour of frames and of answers that aren't hollow.

    It is cool if the grid is ``solved``, otherwise warm.
    """
    colours = SURE_COLOURS if grid.status == "solved" else UNSURE_COLOURS
    return choose_colour(colours, print_style, entries=True)


def answer_colour(grid: Grid, print_style: PrintStyle) -> Colour:
    """Return a colour for answers on paper or, if the grid isn't ``solved``, on :func:`hollow_ground`."""
    if grid.status != "solved":
        print_style = replace(print_style, paper=hollow_ground(print_style))
    return full_colour(grid, print_style)


def answer_shapes(grid: Grid, print_style: PrintStyle) -> Shapes:
    """Return the answers of a grid with a solution. Answers that depend on a doubtful cell are hollow.

    The right digit stands beside each wrong or unclear entry.
    """
    sure, answers = grid.status == "solved", grid.answers
    assert answers is not None and grid.solution is not None
    full = np.isin(np.arange(81), range(81) if sure else list(agreed_cells(grid.reading))).reshape(9, 9)
    marked = {cell for cell, marks in enumerate(grid.marks) if marks}
    checked = check(grid)
    struck = sign_shapes(checked.wrong, STRIKE, choose_colour(WRONG_COLOURS, print_style)) if sure else ()
    not_right = np.isin(np.arange(81), (*checked.wrong, *checked.unclear)).reshape(9, 9)
    right = np.where(not_right, grid.solution, 0).astype(np.int8)
    small = replace(print_style, height=0.42, weight=0.07, middle=(0.81, 0.26))
    colours = ((full, full_colour(grid, print_style), False), (~full, answer_colour(grid, print_style), True))
    shapes: list[Shape] = []
    for cells, colour, hollow in colours:
        shapes += board_shapes(
            answers * cells, print_style, colour, hollow=hollow, over=marked, rules=grid.rules
        )
    shapes += struck
    for cells, colour, hollow in colours:
        shapes += board_shapes(right * cells, small, colour, hollow=hollow, halo=True)
    return tuple(shapes)


def check_shapes(
    checked: Check, print_style: PrintStyle, *, answers: bool = False, marks: bool = False
) -> Shapes:
    """Return a sign on each entry of a checked grid. Unless it is ``solved``, return only signs of doubt.

    With *marks*, pencil marks that lack the right digit get a box. With *answers*, each ring around a wrong
    entry and each box has a gap, in which the right digit is written small.
    """
    grid, unsure = checked.grid, choose_colour(UNSURE_COLOURS, print_style)
    if grid.status != "solved" or grid.solution is None:
        return doubtful_shapes(grid, FRAME_COLOURS.get(grid.status, unsure))
    red = choose_colour(WRONG_COLOURS, print_style)
    lost = checked.lost_marks if marks else ()
    answered = np.isin(np.arange(81), (*checked.wrong, *lost) if answers else ()).reshape(9, 9)
    right = np.where(answered, grid.solution, 0)
    ring, box = (OPEN_RING, OPEN_BOX) if answers else (RING, BOX)
    return (
        *sign_shapes(checked.right, TICK, choose_colour(RIGHT_COLOURS, print_style)),
        *sign_shapes(checked.wrong, ring, red),
        *sign_shapes(checked.unclear, QUESTION, unsure),
        *sign_shapes(lost, box, red),
        *board_shapes(right.astype(np.int8), BESIDE_RING, red, halo=True),
    )
