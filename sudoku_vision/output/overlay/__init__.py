"""Overlay: the answers drawn into the blank cells of the photo, as if they were printed there.

``answer_drawing`` and ``hint_drawing`` describe a drawing as ``shapes`` on a grid. Shapes have no pixels.
``flatten`` finds where the shapes lie in the picture, and ``shape_pixels`` paints them. Answers are as large
as the clues, and lie at the same place in a cell. Their colour differs from paper, print and handwriting. If
the reading of a grid isn't sure, this colour is warm, and answers that depend on a doubtful cell are hollow.
So no wrong answer looks sure.
"""

from collections.abc import Iterable

from sudoku_vision.output.overlay.answer_drawing import check_shapes, grid_shapes
from sudoku_vision.output.overlay.print_style import grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_shapes
from sudoku_vision.texts import ENGLISH
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import Check


def overlay(photo: Photo | Image, grids: Iterable[Grid], *, language: str = ENGLISH) -> Image:
    """Return a copy (H, W, 3) uint8 BGR of *photo* with the answers of *grids* in their blank cells.

    A wrong entry is struck out, and the right digit stands beside it. *language*: language code of words.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for grid in grids:
        print_style = grid_print(pixels, grid)
        draw_shapes(pixels, grid.lattice, grid_shapes(grid, print_style), language)
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
    digit stands beside each wrong one. With *marks*, a red box surrounds the pencil marks of a cell if they
    lack the right digit.
    """
    pixels = (photo.pixels if isinstance(photo, Photo) else photo).copy()
    for checked in checks:
        print_style = grid_print(pixels, checked.grid)
        shapes = check_shapes(checked, print_style, answers=answers, marks=marks)
        draw_shapes(pixels, checked.grid.lattice, shapes, language)
    return pixels
