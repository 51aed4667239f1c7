"""Read the digits: what is likely in each cell of a grid, and whether it is print or handwriting.

:func:`read_cells` is what the program calls; :class:`CellClassifier` is what it asks of a classifier, and
:func:`load_model` gives the one that comes with the package. The road through this room: cut out the glyphs
(``glyphs``), describe them (``features``), classify them (``cascade``, whose second stage is
``handwriting``), in the turns that make sense (``turns``), read pencil marks (``mark_reader``), then weigh
the whole page (``print_vs_handwriting``).
"""

from sudoku_vision.vision.digits.model import load_model
from sudoku_vision.vision.digits.read import CellReadings, read_cells
from sudoku_vision.vision.digits.turns import CellClassifier, TurnScores, likely_turns

__all__ = ["CellClassifier", "CellReadings", "TurnScores", "likely_turns", "load_model", "read_cells"]
