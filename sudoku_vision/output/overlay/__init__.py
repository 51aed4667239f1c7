"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

* Size, weight and place of the digits are measured from the print of the same grid.
* Their colour is the one of a few that can best be told from the paper, the print, and what somebody wrote.
* Sure answers are full and in a cool colour. Those of a grid that may be read wrongly are in a warm colour,
  and hollow, on a ground of their own, where they hang on a doubt: wrong must never look sure, whoever looks.
* A grid that is not sure is framed, in a colour and with a word that say why.
* Pencil marks below an answer are covered by the paper of their cell.
* An entry that is surely wrong is struck out, with the right digit small beside it.
* Cells in doubt bear a question mark: there a person should look.
* Of a checked puzzle, what a person wrote is marked as a teacher would: a green tick, a red ring.

Every pixel that is not touched by a digit or a frame stays as it was.

What is drawn is first a tuple of shapes on the lattice, known without a pixel (``shapes``; ``answer_drawing``
and ``hint_drawing`` make them), then drawn by ``shape_pixels``. The functions here do both.
"""

from collections.abc import Iterable

from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.print_style import grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.results import GridResult, Image, Photo
from sudoku_vision.sudoku.verdicts import Check


def overlay(photo: Photo | Image, grids: Iterable[GridResult]) -> Image:
    """Draw what was found on *photo* into a copy of its pixels, (H, W, 3) uint8 BGR.

    Answers go into cells without a digit: neither printed nor written in. A wrong entry is struck out, and
    beside it, as beside one that is not clear, stands the right digit.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for grid in grids:
        print_style = grid_print(pixels, grid)
        draw_shapes(pixels, grid.lattice, grid_shapes(grid, print_style))
    return pixels


def overlay_check(
    photo: Photo | Image, checks: Iterable[Check], *, answers: bool = False, marks: bool = False
) -> Image:
    """Mark what a person wrote in a copy of *photo*, (H, W, 3) uint8 BGR.

    A green tick is right, a red ring wrong, with the right digit small beside it if *answers* are wanted; an
    orange question mark stands where the digit is not clear. With *marks* a red box is drawn round the pencil
    marks that have lost the right digit. Grids that are not surely read are only framed, their cells in doubt
    marked.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for checked in checks:
        lattice = checked.grid.lattice
        print_style = grid_print(pixels, checked.grid)
        draw_shapes(pixels, lattice, check_shapes(checked, print_style, answers=answers, marks=marks))
    return pixels
