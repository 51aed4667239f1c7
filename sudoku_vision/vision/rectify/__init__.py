"""Straighten a grid and even out its light: photo and lattice in, 81 cells of clean ink out.

The stages, each usable alone:

* :func:`straighten` samples the photo through the lattice (:mod:`.sampling`);
* :func:`even` divides out the paper of each cell (:mod:`.background`) and keeps its ink, of whatever colour
  (:mod:`.illumination`);
* :func:`remove_lines` takes away what belongs to the lattice (:mod:`.lines`).
"""

from __future__ import annotations

from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.vision.rectify.background import coarse_view
from sudoku_vision.vision.rectify.illumination import even
from sudoku_vision.vision.rectify.lines import PIECES, remove_lines
from sudoku_vision.vision.rectify.sampling import CELL, straighten

__all__ = ["CELL", "coarse_view", "even", "rectify", "remove_lines", "straighten"]


def rectify(photo: Photo, lattice: Lattice, size: int = CELL, pieces: int = PIECES) -> Floats:
    """Cut the cells of one grid out of a photo, straightened, evened out and freed of grid lines.

    *pieces* as for :func:`remove_lines`.

    Returns (81, size, size) float32 in reading order of the lattice: 0 for paper, about 1 for the full ink of
    this page, slightly negative where the paper is lighter than its surroundings.
    """
    return remove_lines(even(straighten(photo, lattice, size)), pieces)
