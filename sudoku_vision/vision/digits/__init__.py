"""Read the digits of one grid in a photo.

The lattice of the grid, its 10 x 10 line crossings, is known already. The result is the probability of each
digit and of handwriting in each cell. :func:`read_cells` goes through these steps:

* straighten the cells (:mod:`~sudoku_vision.vision.rectify`), separate ink from paper (``segmentation``), and
  cut out the glyph of each cell: the picture of its digit (``glyphs``);
* describe the glyphs by numbers (``features``, ``strokes``), and classify them (``cascade``);
* find out how the grid lies in the photo: turn the cells by quarter turns, and classify them again
  (``turns``);
* read pencil marks: small candidate digits (``mark_reader``);
* compare the inks of all cells, to find the digits that a person wrote or typed (``handwriting``);
* find cells that can't be seen, because something covers them or the light hides their ink (``occlusion``).

:class:`CellClassifier` is the interface of a classifier. :func:`load_model` loads the classifier that comes
with the package.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import MIN_CLUES, Rules
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.handwriting import refine_handwriting
from sudoku_vision.vision.digits.ink_measurements import measure_ink
from sudoku_vision.vision.digits.mark_segmentation import fine_cells
from sudoku_vision.vision.digits.model_files import MARK_READERS, OCCLUSION_MODELS, load_model
from sudoku_vision.vision.digits.occlusion import describe_cells
from sudoku_vision.vision.digits.turns import CellClassifier, TurnScores, in_turn, likely_turns, turned_cells
from sudoku_vision.vision.rectify import (
    coarse_view,
    even,
    remove_lines,
    share_outside,
    straighten,
    without_print,
)
from sudoku_vision.vision.results import DigitScores, Lattice, Photo
from sudoku_vision.vision.rules_evidence import read_rules

MAX_HIDDEN = 0.01
"""A cell is taken for visible if the probability that the cell is hidden is at most this."""
MANY_MARKS = 4
"""If at least this number of pencil marks is read in a cell, the cell is taken for visible.

A covered clue is hardly ever read as so many marks. Of 9,263 covered clues on photos, 7 were read as three
pencil marks, and none as four.
"""

__all__ = ["CellClassifier", "CellReadings", "TurnScores", "likely_turns", "load_model", "read_cells"]


@dataclass(frozen=True, eq=False)
class CellReadings:
    """The scores (probabilities) of the cells of one grid, before the rules of sudoku are used.

    ``cells`` (81, S, S) float32 are pictures of clean ink: 0 for paper, about 1 for full ink. They are in the
    reading order of the lattice. ``turns`` holds the scores for each turn of the grid that was tried.
    ``straight`` (81, S, S, 3) uint8 BGR are the cells before their light was evened out. ``coarse`` (81, 8,
    8, 3) are small copies of the cells in ``straight``. They show mostly paper, because strokes are thin.
    """

    cells: Floats
    turns: TurnScores
    straight: Image
    coarse: Image

    @cached_property
    def rules(self) -> dict[Rules, float]:
        """The likely rules of the puzzle, from the lines and colours of the grid, with their probabilities.

        The rules are computed when they are first needed. The regions of a jigsaw lie as in the lattice, not
        as in the upright grid. A cell is ignored if its probability of being hidden is above ``MAX_HIDDEN``
        in each of the likely turns.
        """
        by_turn = [in_turn(self.turns.by_turn[turn].hidden, -turn) for turn in self.turns.likely]
        return read_rules(self.straight, np.min(by_turn, axis=0) > MAX_HIDDEN)


def read_cells(
    photo: Photo,
    lattice: Lattice,
    classifier: CellClassifier,
    turn: int | None = None,
    other: NDArray[np.bool_] | None = None,
    min_clues: int = MIN_CLUES,
) -> CellReadings:
    """Return the scores of the cells of one grid, with the probability that each cell is hidden.

    A cell is hidden if something covers it, or if more than half of the cell (without its rim) is outside the
    picture. This limit, one half, was measured on 118 drawn digits at the edge of a picture. If up to half of
    a digit was cut off, the probabilities of the classifier were right. If three quarters were cut off, the
    classifier misread four digits of five. But its probabilities were nearly as high as for whole digits.

    If a cell holds many pencil marks, its ink isn't taken for a cover, even if the ink reaches the lines
    around the cell.

    The probability that a cell is hidden is computed only for the turns that are likely to set the grid
    upright. The arguments mean the same as in :func:`read_ink`.
    """
    readings = read_ink(photo, lattice, classifier, turn, other, min_clues)
    model = OCCLUSION_MODELS.load()
    features = describe_cells(readings.straight, readings.coarse, readings.cells)
    cut_off = share_outside(lattice, photo.size)

    def with_hidden(turn: int, scores: DigitScores) -> DigitScores:
        marked = np.count_nonzero(scores.mark_digits > 0.5, axis=1) >= MANY_MARKS
        covered = np.where(marked, 0, model.hidden(in_turn(features, turn), scores))
        return replace(scores, hidden=np.maximum(covered, 2 * in_turn(cut_off, turn) - 1))

    return replace(readings, turns=readings.turns.revised(with_hidden))


def read_ink(
    photo: Photo,
    lattice: Lattice,
    classifier: CellClassifier,
    turn: int | None = None,
    other: NDArray[np.bool_] | None = None,
    min_clues: int = MIN_CLUES,
) -> CellReadings:
    """Return the scores of the cells of one grid as if nothing covered it.

    Pencil marks are read, and the inks of all cells are compared, only in the turns that are likely to set
    the grid upright. If there may be marks, the cells are sampled again from the photo, with more pixels.

    *turn* is the number of quarter turns counter-clockwise that set the grid upright, or None if this isn't
    known. If it is known, the cells are classified only in this turn. *other* (81, K, K) is a mask of the
    cells. It is True where there is print other than digits and pencil marks. *min_clues* is the smallest
    number of clues of the puzzle: if the digits have two inks, at least this number must have the ink of the
    clues.
    """
    straight = straighten(photo, lattice)
    coarse = coarse_view(straight)
    cells = remove_lines(without_print(even(straight, coarse), other))
    if turn is None:
        turns = classifier.classify_turns(cells)
    else:
        turns = TurnScores({turn: classifier.classify(turned_cells(cells, turn))}, (turn,))
    reader, inks = MARK_READERS.load(), measure_ink(straight, cells, coarse)
    fine = cache(partial(fine_cells, photo, lattice, other))

    def with_page(turn: int, scores: DigitScores) -> DigitScores:
        upright = turned_cells(cells, turn)
        scores = reader.read(upright, scores, lambda: turned_cells(fine(), turn))
        return refine_handwriting(inks.turned(turn), scores, upright, min_clues)

    return CellReadings(cells, turns.revised(with_page), straight, coarse)
