"""Draw pictures of sudokus; the digits and the place of each grid are known exactly.

>>> import numpy as np
>>> drawing = draw(np.random.default_rng(1))
>>> drawing.pixels.shape, drawing.grids[0].lattice.crossings.shape
((800, 800, 3), (10, 10, 2))

A page is first drawn flat (:mod:`.page`, :mod:`.writing`), then bent and seen through a camera
(:mod:`.scene`), then lit and exposed (:mod:`.exposure`). :func:`random_conditions` returns settings like
those of real pictures.
"""

from workshop import HALF_SOLVED_KINDS, KINDS, HalfSolvedKind, Kind
from workshop.rendering.boards import random_puzzle
from workshop.rendering.conditions import Bend, Conditions, Light, Optics, Pose
from workshop.rendering.kinds import random_conditions
from workshop.rendering.pencil_marks import MARK_LAYOUTS, MarkLayout, MarkStyle
from workshop.rendering.picture import Drawing, DrawnGrid, draw
from workshop.rendering.printed_grid import GridStyle
from workshop.rendering.writing import Corrections, Writing

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
    "random_conditions",
    "random_puzzle",
]
