"""Read the digits of one grid: from a photo and a lattice to probabilities of digits and of handwriting.

:func:`read_cells` goes through these steps:

* straighten the cells (:mod:`~sudoku_vision.vision.rectify`), separate ink from paper (``segmentation``), and
  cut out the glyphs (``glyphs``);
* describe the glyphs (``features``, ``strokes``), and classify them (``cascade``) in the turns in which the
  grid may be upright (``turns``);
* read pencil marks (``mark_reader``);
* find out from the ink of the whole page which digits were written or typed by a person (``handwriting``);
* find cells that can't be seen, because something covers them or the light hides their ink (``occlusion``).

:class:`CellClassifier` is the interface of a classifier; :func:`load_model` loads the classifier of the
package.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.handwriting import refine_handwriting
from sudoku_vision.vision.digits.ink_measurements import measure_ink
from sudoku_vision.vision.digits.mark_reader import MarkReader
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

MAX_HIDDEN = 0.01  # a cell is taken for visible if the probability that it is hidden is at most this
MANY_MARKS = 4
"""A cell with at least this number of marks surely isn't a covered clue.

Of 9,263 covered clues on photos, 7 were read as three marks, and none as four.
"""

__all__ = ["CellClassifier", "CellReadings", "TurnScores", "likely_turns", "load_model", "read_cells"]


@dataclass(frozen=True, eq=False)
class CellReadings:
    """The scores of the cells of one grid, before the rules of sudoku are used.

    ``cells`` (81, S, S) float32 are pictures of clean ink: 0 for paper, about 1 for full ink. They are in the
    reading order of the lattice. ``turns`` are the scores of the cells in the turns in which the grid may
    lie. ``straight`` (81, S, S, 3) uint8 BGR are the cells before their light was evened out. ``coarse``
    (81, 8, 8, 3) is the coarse view of ``straight``, which shows the paper of each cell.
    """

    cells: Floats
    turns: TurnScores
    straight: Image
    coarse: Image

    @cached_property
    def rules(self) -> dict[Rules, float]:
        """The likely rules of the puzzle with their probabilities, as its lines and colours show them.

        They are computed when they are first needed. The regions are those of the lattice before it is turned
        upright. A cell is ignored if it may be hidden in every likely turn.
        """
        by_turn = [in_turn(self.turns.by_turn[turn].hidden, -turn) for turn in self.turns.likely]
        return read_rules(self.straight, self.coarse, np.min(by_turn, axis=0) > MAX_HIDDEN)


def read_cells(
    photo: Photo,
    lattice: Lattice,
    classifier: CellClassifier,
    turn: int | None = None,
    other: NDArray[np.bool_] | None = None,
) -> CellReadings:
    """Return the scores of the cells of one grid, with the probability that each cell is hidden.

    A cell is hidden if something covers it, or if more than half of its inside lies outside the picture. The
    limit was measured on 118 drawn digits at the edge of a picture. If up to half of a digit is cut off, the
    probabilities of the classifier are right. If three quarters are cut off, it misreads four digits of five,
    but its probabilities are nearly as high as for whole digits.

    Ink that is read as many marks isn't taken for a cover, even if it reaches the lines around the cell.

    Only the scores of the likely turns have this probability. The arguments mean the same as in
    :func:`read_ink`.
    """
    readings = read_ink(photo, lattice, classifier, turn, other)
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
) -> CellReadings:
    """Return the scores of the cells of one grid as if nothing covered it.

    If the upright turn is known, *turn* is the number of quarter turns counter-clockwise that set the grid
    upright. Then no other turn is classified. *other* (81, K, K) is the part of the cells with print that is
    neither digits nor marks.
    """
    straight = straighten(photo, lattice)
    coarse = coarse_view(straight)
    cells = remove_lines(without_print(even(straight, coarse), other))
    if turn is None:
        turns = classifier.classify_turns(cells)
    else:
        turns = TurnScores({turn: classifier.classify(turned_cells(cells, turn))}, (turn,))
    turns = with_marks(photo, lattice, cells, turns, MARK_READERS.load(), other)
    return CellReadings(cells, weigh_page(straight, coarse, cells, turns), straight, coarse)


def with_marks(
    photo: Photo,
    lattice: Lattice,
    cells: Floats,
    turns: TurnScores,
    mark_reader: MarkReader,
    other: NDArray[np.bool_] | None = None,
) -> TurnScores:
    """Recognise and read the pencil marks in the likely turns; return *turns* with these marks.

    *cells* (81, S, S) are the cells of *photo* at *lattice*. If there may be marks, the cells are sampled
    again from the photo, with more pixels. *other* is that of :func:`read_ink`.
    """
    fine = cache(partial(fine_cells, photo, lattice, other))

    def read(turn: int, scores: DigitScores) -> DigitScores:
        return mark_reader.read(turned_cells(cells, turn), scores, lambda: turned_cells(fine(), turn))

    return turns.revised(read)


def weigh_page(straight: Image, coarse: Image, cells: Floats, turns: TurnScores) -> TurnScores:
    """Revise the probabilities of handwriting by all inks of the page; return the new *turns*.

    Only the likely turns are revised. *straight* (81, S, S, 3) uint8 BGR and *cells* (81, S, S) are the same
    cells before and after their light was evened out. *coarse* is the coarse view of *straight*.
    """
    inks = measure_ink(straight, cells, coarse)

    def weigh(turn: int, scores: DigitScores) -> DigitScores:
        return refine_handwriting(inks.turned(turn), scores, turned_cells(cells, turn))

    return turns.revised(weigh)
