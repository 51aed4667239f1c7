"""Read the cells of one grid: photo and lattice in, probabilities of digits and handwriting out."""

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from sudoku_vision.results import Floats, Image, Lattice, Photo
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.mark_segmentation import fine_cells
from sudoku_vision.vision.digits.model import load_mark_reader, load_occlusion_model
from sudoku_vision.vision.digits.occlusion import describe_cells
from sudoku_vision.vision.digits.print_vs_handwriting import measure_ink, refine_written
from sudoku_vision.vision.digits.turns import CellClassifier, TurnScores, in_turn, turned_cells
from sudoku_vision.vision.rectify import coarse_view, even, remove_lines, straighten
from sudoku_vision.vision.rules import RulesEvidence, read_rules


@dataclass(frozen=True, eq=False)
class CellReadings:
    """What the cells of one grid show, before the rules of sudoku have their say.

    ``cells`` (81, S, S) float32 of clean ink, in reading order of the lattice; ``turns``: what is likely in
    them, in the turns in which the grid may lie. ``straight`` (81, S, S, 3) uint8 BGR are the cells as they
    were, ``coarse`` the view that tells their paper.
    """

    cells: Floats
    turns: TurnScores
    straight: Image
    coarse: Image

    @cached_property
    def rules(self) -> RulesEvidence:
        """What lines and colours show of the rules; looked for when it is first asked for."""
        return read_rules(self.straight, self.coarse)


def read_cells(
    photo: Photo, lattice: Lattice, classifier: CellClassifier, turn: int | None = None
) -> CellReadings:
    """Return what is likely in each cell of one grid, in the turns that make sense.

    In the likely turns it also says which cells may be hidden. Arguments as for :func:`read_ink`.
    """
    return _with_hidden(read_ink(photo, lattice, classifier, turn))


def read_ink(
    photo: Photo, lattice: Lattice, classifier: CellClassifier, turn: int | None = None
) -> CellReadings:
    """Return what the ink of each cell says, as if nothing lay over the grid.

    *turn* is the number of quarter turns counter-clockwise that set the grid upright, where it is known: then
    no other is looked at.
    """
    straight = straighten(photo, lattice)
    coarse = coarse_view(straight)
    cells = remove_lines(even(straight, coarse))
    if turn is None:
        turns = classifier.classify_turns(cells)
    else:
        turns = TurnScores({turn: classifier.classify(turned_cells(cells, turn))}, (turn,))
    turns = with_marks(photo, lattice, cells, turns, load_mark_reader())
    return CellReadings(cells, weigh_page(straight, coarse, cells, turns), straight, coarse)


def with_marks(
    photo: Photo, lattice: Lattice, cells: Floats, turns: TurnScores, mark_reader: MarkReader
) -> TurnScores:
    """Return *turns* with the pencil marks of the likely ones told from digits, and read.

    *cells* (81, S, S) are those of *photo* at *lattice*; only to read marks they are cut out anew, finer.
    """
    cut = cache(partial(fine_cells, photo, lattice))

    def fine(turn: int) -> Floats:
        return turned_cells(cut(), turn)

    read = dict(turns.by_turn)
    for turn in turns.likely:
        read[turn] = mark_reader.read(turned_cells(cells, turn), read[turn], partial(fine, turn))
    return replace(turns, by_turn=read)


def weigh_page(straight: Image, coarse: Image, cells: Floats, turns: TurnScores) -> TurnScores:
    """Return *turns* with print told from handwriting in the likely ones, by the inks of the whole page.

    *straight* (81, S, S, 3) uint8 BGR and *cells* (81, S, S) are the same cells before and after their light
    was evened out, *coarse* is the view from which their paper is told.
    """
    inks = measure_ink(straight, cells, coarse)
    weighed = dict(turns.by_turn)
    for turn in turns.likely:
        weighed[turn] = refine_written(inks.turned(turn), weighed[turn], turned_cells(cells, turn))
    return replace(turns, by_turn=weighed)


def _with_hidden(readings: CellReadings) -> CellReadings:
    """Return *readings* with the probability that each cell is hidden, in the likely turns."""
    model = load_occlusion_model()
    features = describe_cells(readings.straight, readings.coarse, readings.cells)
    told = dict(readings.turns.by_turn)
    for turn in readings.turns.likely:
        told[turn] = replace(told[turn], hidden=model.hidden(in_turn(features, turn), told[turn]))
    return replace(readings, turns=replace(readings.turns, by_turn=told))
