"""Flat boards for tests: digits drawn into a grid of even lines, without any distortion."""

from collections.abc import Mapping

import cv2
import numpy as np

from sudoku_vision.values import Image
from sudoku_vision.vision.results import Lattice

SIDE = 40  # of a drawn cell, in pixels
Colour = tuple[int, int, int]
PLACES = np.arange(10) * SIDE + 20
LATTICE = Lattice(np.stack(np.meshgrid(PLACES, PLACES), axis=2).astype(np.float32))
"""The place of every flat board: 20 pixels of paper lie around it."""


def flat_board(
    digits: Mapping[int, str],
    colours: Mapping[int, Colour],
    paper: Colour,
    line: Colour,
    shades: Mapping[int, Colour] | None = None,
    widths: Mapping[int, int] | None = None,
) -> Image:
    """Draw *digits* in the *colours* of their cells (0..80), on *paper*, with grid lines of the colour
    *line*.

    *shades* are colours of cells, *widths* those of strokes: 1 regular, 2 bold (as without any).
    """
    image = np.full((9 * SIDE + 40, 9 * SIDE + 40, 3), paper, np.uint8)
    for cell, colour in (shades or {}).items():
        x, y = PLACES[cell % 9], PLACES[cell // 9]
        image[y : y + SIDE, x : x + SIDE] = colour
    for index, at in enumerate(PLACES.tolist()):
        width = 3 if index % 3 == 0 else 1
        cv2.line(image, (at, 20), (at, 20 + 9 * SIDE), line, width)
        cv2.line(image, (20, at), (20 + 9 * SIDE, at), line, width)
    for cell, digit in digits.items():
        place, width = (int(PLACES[cell % 9]) + 11, int(PLACES[cell // 9]) + 30), (widths or {}).get(cell, 2)
        cv2.putText(image, digit, place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, colours[cell], width, cv2.LINE_AA)
    return image
