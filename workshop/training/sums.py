"""Train the reader of the sums of killers, with drawn killers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.values import Floats
from sudoku_vision.vision.cages import find_places
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL, Pieces
from sudoku_vision.vision.digits.network import forward
from sudoku_vision.vision.digits.sum_reader import NONE, SumReader, describe_sum_pieces, sum_pieces
from sudoku_vision.vision.rectify import straighten
from sudoku_vision.vision.results import Photo
from workshop import KINDS
from workshop.rendering.boards import random_cages, random_solution
from workshop.rendering.kinds import CAGE_DESIGNS, closer, killer_conditions, one_of, random_conditions
from workshop.rendering.picture import draw
from workshop.rendering.printed_grid import MarkBox
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.marks import labels_by_place
from workshop.training.settings import Hyperparameters, Steps, SumSettings
from workshop.training.sources import Sources

_NETWORK = Hyperparameters((96,), 14)


@dataclass(frozen=True, eq=False)
class SumBoard:
    """The training data from one killer: the ``pieces`` of ink of its sums, and their ``classes`` (N,).

    A class is a digit, :data:`NONE`, or -1 if it is not known. ``truth``: the sum of each first cell.
    """

    pieces: Pieces
    classes: NDArray[np.int64]
    truth: dict[int, int]


def drawn_sum_boards(
    sources: Sources, count: int, seed: Sequence[int], steps: Steps, name: str
) -> list[SumBoard]:
    """Draw killers as close-ups; a board depends only on *seed* and on its number.

    Each killer gives two boards, with and without the lines of its cages, if its sums are found.
    """
    rngs = (np.random.default_rng([*seed, number]) for number in steps(count, name))
    return [board for rng in rngs for board in _draw(sources, rng)]


def _draw(sources: Sources, rng: Generator) -> Iterator[SumBoard]:
    face = one_of(rng, one_of(rng, sources.print_faces))
    base = closer(random_conditions(rng, one_of(rng, KINDS)))
    conditions = killer_conditions(rng, base, one_of(rng, tuple(CAGE_DESIGNS)), face)
    puzzle, cages = np.zeros((9, 9), np.int8), random_cages(random_solution(rng), rng)
    drawing = draw(rng, conditions, puzzles=[puzzle], cages=[cages])
    grid, *_ = (*drawing.grids, *drawing.cut)
    truth = {cage.cells[0]: cage.sum for cage in cages}
    for places in find_places(straighten(Photo(drawing.pixels), grid.lattice, MARK_CELL), (0,)):
        for sums in (places.sums, places.others) if places.way.depth is not None else (places.sums,):
            pieces = sum_pieces(sums.at(sorted(truth))) if len(sums.cells) else ()
            if pieces:
                yield SumBoard(pieces, _classes(pieces, grid.sum_boxes), truth)


def _classes(pieces: Pieces, boxes: Sequence[MarkBox]) -> NDArray[np.int64]:
    """Return the classes (N,) of *pieces* by the places of the drawn digits."""
    labels = labels_by_place(pieces, [box._replace(digit=box.digit or NONE) for box in boxes])
    return np.asarray(np.select([labels == NONE, labels == 0], [0, NONE], labels))


def fit_sum_reader(
    drawn: Sequence[SumBoard], check: Sequence[SumBoard], settings: SumSettings, steps: Steps
) -> SumReader:
    """Return a reader that is fitted to *drawn* killers, and calibrated on *check*."""
    layers = fit_network(*_settled(drawn), NONE + 1, _NETWORK, settings.seed, steps, "Learning sums")
    features, classes = _settled(check)
    outputs = forward(layers, features)
    return SumReader(layers, best_temperature(lambda temperature: outputs / np.float32(temperature), classes))


def _settled(boards: Sequence[SumBoard]) -> tuple[Floats, NDArray[np.int64]]:
    """Return the features and classes of all pieces with known classes; raises UsageError without boards."""
    if not boards:
        raise UsageError("No sums were found to learn from.", "Draw more boards.")
    classes = np.concatenate([board.classes for board in boards])
    features = np.concatenate([describe_sum_pieces(board.pieces) for board in boards])
    return features[classes >= 0], classes[classes >= 0]


def measure_sums(reader: SumReader, boards: Sequence[SumBoard]) -> dict[str, int]:
    """Return the number of sums, of those that are read right, and wrong with a probability above 0.99."""
    total = right = surely_wrong = 0
    for board in boards:
        found = reader.read(board.pieces)
        for cell, number in board.truth.items():
            first = next(iter(found.get(cell, {}).items()), (0, 0.0))
            total += 1
            right += first[0] == number
            surely_wrong += first[0] != number and first[1] > 0.99
    return {"sums": total, "right": right, "surely wrong": surely_wrong}
