"""Verdicts: what a person wrote, marked as a teacher would."""

from __future__ import annotations

from sudoku_vision.check import Check
from sudoku_vision.overlay.colours import RIGHT_COLOURS, UNSURE_COLOURS, WRONG_COLOURS, choose_colour
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.overlay.signs import BESIDE_RING, BOX, QUESTION, RING, TICK, draw_sign, write_right_digits
from sudoku_vision.results import Image


def draw_verdicts(
    pixels: Image, checked: Check, print_style: PrintStyle, *, answers: bool = False, marks: bool = False
) -> None:
    """Mark the entries of a grid that is surely solved, in place: right, wrong or not clear.

    With *marks* the pencil marks that have lost the right digit are boxed. With *answers* the right digit
    stands small beside what is wrong.
    """
    grid, lattice = checked.grid, checked.grid.lattice
    red = choose_colour(WRONG_COLOURS, print_style)
    lost = checked.lost_marks if marks else ()
    draw_sign(pixels, lattice, checked.right, TICK, choose_colour(RIGHT_COLOURS, print_style))
    draw_sign(pixels, lattice, checked.wrong, RING, red)
    draw_sign(pixels, lattice, checked.unclear, QUESTION, choose_colour(UNSURE_COLOURS, print_style))
    draw_sign(pixels, lattice, lost, BOX, red)
    if answers:
        write_right_digits(pixels, grid, (*checked.wrong, *lost), print_style, BESIDE_RING, red)
