"""Draw pictures of sudokus, and of things that are none, with the truth about them.

>>> import numpy as np
>>> drawing = draw(np.random.default_rng(1))
>>> drawing.pixels.shape, drawing.grids[0].lattice.crossings.shape
((800, 800, 3), (10, 10, 2))

:func:`draw` takes :class:`Conditions`, the plainest by default; :func:`random_conditions` samples those of
real pictures. On the way a page is laid out flat (:mod:`.layouts`, :mod:`.writing`), bent before a camera
(:mod:`.scene`), lit and exposed (:mod:`.exposure`). Nothing but the generator passed in decides
by chance.
"""

from sudoku_vision.sudoku.generator import random_puzzle
from sudoku_vision.workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose
from sudoku_vision.workshop.rendering.kinds import (
    HALF_SOLVED_KINDS,
    KINDS,
    HalfSolvedKind,
    Kind,
    half_solved_conditions,
    random_conditions,
)
from sudoku_vision.workshop.rendering.pencil_marks import MARK_LAYOUTS, MarkLayout, MarkStyle
from sudoku_vision.workshop.rendering.picture import Drawing, DrawnGrid, draw
from sudoku_vision.workshop.rendering.printed_grid import GridStyle
from sudoku_vision.workshop.rendering.writing import Corrections, Writing

__all__ = [
    "HALF_SOLVED_KINDS",
    "KINDS",
    "MARK_LAYOUTS",
    "Bend",
    "Conditions",
    "Corrections",
    "Drawing",
    "DrawnGrid",
    "GridStyle",
    "HalfSolvedKind",
    "Kind",
    "Light",
    "MarkLayout",
    "MarkStyle",
    "Optics",
    "Pose",
    "Writing",
    "draw",
    "half_solved_conditions",
    "random_conditions",
    "random_puzzle",
]
