"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

* The size, the weight and the place of the digits are measured from the printed digits of the same grid.
* The digits have a colour that differs clearly from the paper, the print and the handwriting.
* Sure answers are full digits in a cool colour. If a grid may be misread, its answers have a warm colour.
  Those answers that depend on a doubt are also hollow, on a light or dark background, so that nothing wrong
  looks sure.
* A grid that is not sure has a frame. The colour and the words of the frame say why.
* If a cell of an answer has pencil marks, they are first covered with the colour of the paper.
* An entry that is surely wrong is struck out, and the right digit stands small beside it.
* Cells in doubt have a question mark, so that a person looks at them.
* A checked puzzle is marked as a teacher would do it: a green tick means right, a red ring means wrong.

All pixels on which nothing is drawn stay as they were.

``answer_drawing`` and ``hint_drawing`` describe a drawing as ``shapes`` on a grid, without pixels.
``flatten`` finds where the shapes lie in the picture, and ``shape_pixels`` paints them. The functions of this
module call these three steps one after another.
"""

from collections.abc import Iterable

from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.print_style import grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.output.overlay.shapes import in_language
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import Check


def overlay(photo: Photo | Image, grids: Iterable[Grid], *, language: str = ENGLISH) -> Image:
    """Draw the answers of *grids* into a copy of the pixels of *photo*, (H, W, 3) uint8 BGR.

    Answers go into cells that have neither a printed nor a handwritten digit. A wrong entry is struck out.
    The right digit stands beside each wrong or unclear entry. *language* is the code of the language of the
    words at a frame.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for grid in grids:
        print_style = grid_print(pixels, grid)
        draw_shapes(pixels, grid.lattice, in_language(grid_shapes(grid, print_style), language))
    return pixels


def overlay_check(
    photo: Photo | Image,
    checks: Iterable[Check],
    *,
    answers: bool = False,
    marks: bool = False,
    language: str = ENGLISH,
) -> Image:
    """Return a copy (H, W, 3) uint8 BGR of *photo*, with a sign on each digit that a person has filled in.

    A green tick means right, a red ring wrong, and an orange question mark unclear. With *answers*, the right
    digit stands small beside each wrong one. With *marks*, a red box surrounds pencil marks that lack the
    right digit. A grid that is not surely read has only a frame, and signs in the cells in doubt. *language*
    is the code of the language of the words at a frame.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for checked in checks:
        print_style = grid_print(pixels, checked.grid)
        shapes = check_shapes(checked, print_style, answers=answers, marks=marks)
        draw_shapes(pixels, checked.grid.lattice, in_language(shapes, language))
    return pixels
