"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

* Size, weight and place of the digits are measured from the print of the same grid.
* Of a few colours, the digits have the one that differs most from the paper, the print and the handwriting.
* Sure answers are full and in a cool colour. Those of a grid that may be misread are in a warm colour. If
  they depend on a doubt, they are also hollow, on a light or dark background: nothing wrong may look sure.
* A grid that is not sure has a frame. The colour and the words of the frame say why.
* Pencil marks below an answer are covered by the paper of their cell.
* An entry that is surely wrong is struck out, with the right digit small beside it.
* Cells in doubt have a question mark: a person should look at them.
* A checked puzzle is marked as by a teacher: a green tick is right, a red ring wrong.

Every pixel that is not touched by a digit or a frame stays as it was.

``answer_drawing`` and ``hint_drawing`` make ``shapes`` on the lattice, without a pixel. ``flatten`` gives
them their place in the picture, and ``shape_pixels`` paints them. The functions here do all three.
"""

from collections.abc import Iterable

from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.print_style import grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import Check


def overlay(photo: Photo | Image, grids: Iterable[Grid]) -> Image:
    """Draw the answers of *grids* into a copy of the pixels of *photo*, (H, W, 3) uint8 BGR.

    Answers go into cells without a digit, printed or handwritten. A wrong entry is struck out. The right
    digit stands beside it, and beside an unclear entry.
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

    A green tick is right, a red ring wrong, and an orange question mark unclear. With *answers*, the right
    digit stands small beside a wrong one. With *marks*, a red box surrounds pencil marks that have lost the
    right digit. A grid that is not surely read only has a frame, and signs in its cells in doubt.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for checked in checks:
        lattice = checked.grid.lattice
        print_style = grid_print(pixels, checked.grid)
        draw_shapes(pixels, lattice, check_shapes(checked, print_style, answers=answers, marks=marks))
    return pixels
