"""Read the digits of one grid: photo and lattice in, probabilities of digits and handwriting out.

:func:`read_cells` goes through these steps:

* straighten the cells (:mod:`~sudoku_vision.vision.rectify`), separate ink from paper (``segmentation``), and
  cut out the glyphs (``glyphs``);
* describe them (``features``, ``strokes``) and classify them (``cascade``) in the likely turns (``turns``);
* read pencil marks (``mark_reader``);
* weigh the whole page: which digits are handwritten or typed (``handwriting``);
* find cells that something hides (``occlusion``).

:class:`CellClassifier` is the interface of a classifier; :func:`load_model` loads that of the package.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

import numpy as np

from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits.handwriting import refine_handwriting
from sudoku_vision.vision.digits.ink_measurements import measure_ink
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.mark_segmentation import fine_cells
from sudoku_vision.vision.digits.model_files import MARK_READERS, OCCLUSION_MODELS, load_model
from sudoku_vision.vision.digits.occlusion import describe_cells
from sudoku_vision.vision.digits.turns import (
    CellClassifier,
    TurnScores,
    in_turn,
    likely_turns,
    turned_cells,
)
from sudoku_vision.vision.rectify import coarse_view, even, remove_lines, straighten
from sudoku_vision.vision.results import DigitScores, Lattice, Photo
from sudoku_vision.vision.rules_evidence import read_rules

MAX_HIDDEN = 0.01  # up to this probability of being hidden, a cell counts as seen

__all__ = ["CellClassifier", "CellReadings", "TurnScores", "likely_turns", "load_model", "read_cells"]


@dataclass(frozen=True, eq=False)
class CellReadings:
    """The scores of the cells of one grid, before the rules of sudoku are used.

    ``cells`` (81, S, S) float32 of clean ink, in reading order of the lattice; ``turns``: their scores in the
    turns in which the grid may lie. ``straight`` (81, S, S, 3) uint8 BGR are the cells before their light was
    evened out, ``coarse`` their coarse view, which shows their paper.
    """

    cells: Floats
    turns: TurnScores
    straight: Image
    coarse: Image

    @cached_property
    def rules(self) -> dict[Rules, float]:
        """The likely rules in the turn of the lattice, by lines and colours; computed when first needed.

        Cells that may be hidden in every likely turn are ignored.
        """
        by_turn = [in_turn(self.turns.by_turn[turn].hidden, -turn) for turn in self.turns.likely]
        return read_rules(self.straight, self.coarse, np.min(by_turn, axis=0) > MAX_HIDDEN)


def read_cells(
    photo: Photo, lattice: Lattice, classifier: CellClassifier, turn: int | None = None
) -> CellReadings:
    """Return the scores of the cells of one grid in the turns that make sense.

    In the likely turns they include which cells may be hidden. Arguments as for :func:`read_ink`.
    """
    readings = read_ink(photo, lattice, classifier, turn)
    model = OCCLUSION_MODELS.load()
    features = describe_cells(readings.straight, readings.coarse, readings.cells)

    def with_hidden(turn: int, scores: DigitScores) -> DigitScores:
        return replace(scores, hidden=model.hidden(in_turn(features, turn), scores))

    return replace(readings, turns=readings.turns.revised(with_hidden))


def read_ink(
    photo: Photo, lattice: Lattice, classifier: CellClassifier, turn: int | None = None
) -> CellReadings:
    """Return the scores of the cells of one grid as if nothing covered it.

    *turn* is the number of quarter turns counter-clockwise that set the grid upright, if it is known; then no
    other turn is classified.
    """
    straight = straighten(photo, lattice)
    coarse = coarse_view(straight)
    cells = remove_lines(even(straight, coarse))
    if turn is None:
        turns = classifier.classify_turns(cells)
    else:
        turns = TurnScores({turn: classifier.classify(turned_cells(cells, turn))}, (turn,))
    turns = with_marks(photo, lattice, cells, turns, MARK_READERS.load())
    return CellReadings(cells, weigh_page(straight, coarse, cells, turns), straight, coarse)


def with_marks(
    photo: Photo, lattice: Lattice, cells: Floats, turns: TurnScores, mark_reader: MarkReader
) -> TurnScores:
    """Return *turns* with the pencil marks of the likely ones recognised and read.

    *cells* (81, S, S) are those of *photo* at *lattice*; they are sampled again, finer, if there are marks.
    """
    fine = cache(partial(fine_cells, photo, lattice))

    def read(turn: int, scores: DigitScores) -> DigitScores:
        return mark_reader.read(turned_cells(cells, turn), scores, lambda: turned_cells(fine(), turn))

    return turns.revised(read)


def weigh_page(straight: Image, coarse: Image, cells: Floats, turns: TurnScores) -> TurnScores:
    """Return *turns* with handwriting and entries of the likely ones recognised by the inks of the page.

    *straight* (81, S, S, 3) uint8 BGR and *cells* (81, S, S) are the same cells before and after their light
    was evened out, *coarse* is the coarse view of *straight*.
    """
    inks = measure_ink(straight, cells, coarse)

    def weigh(turn: int, scores: DigitScores) -> DigitScores:
        return refine_handwriting(inks.turned(turn), scores, turned_cells(cells, turn))

    return turns.revised(weigh)
