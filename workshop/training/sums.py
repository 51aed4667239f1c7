"""Train the reader of the sums of killers, with drawn killers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.cages import hypotheses, likeliest, sums_without_lines
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL
from sudoku_vision.vision.digits.network import forward
from sudoku_vision.vision.digits.sum_reader import (
    SUMS,
    SumReader,
    Sums,
    describe_sums,
    find_sums,
    plain_ink,
    sum_pictures,
)
from sudoku_vision.vision.rectify import coarse_view, straighten
from sudoku_vision.vision.results import Lattice, Photo
from workshop import KINDS
from workshop.rendering.boards import random_cages, random_solution
from workshop.rendering.kinds import CAGE_DESIGNS, closer, killer_conditions, one_of, random_conditions
from workshop.rendering.picture import draw
from workshop.training.boards import misplaced
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.settings import Hyperparameters, Steps, SumSettings
from workshop.training.sources import Sources

_NETWORK = Hyperparameters((192,), 10, decay=1e-3)
_LOCATED = 2  # number of times that the grid of a drawing is located


@dataclass(frozen=True, eq=False)
class SumBoard:
    """The training data from one killer: the ``features`` (81, F) of the places where sums may stand.

    ``sums`` (81,) are the sums, 0 in cells without one.
    """

    features: Floats
    sums: NDArray[np.int64]


def drawn_sum_boards(
    sources: Sources, count: int, seed: Sequence[int], steps: Steps, name: str
) -> list[SumBoard]:
    """Draw killers as close-ups; a board depends only on *seed* and on its number.

    Each killer gives up to four boards: its grid is located twice, with errors, and its sums are found with
    and without the lines of its cages.
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
    truth = np.zeros(81, np.int64)
    truth[[cage.cells[0] for cage in cages]] = [cage.sum for cage in cages]
    for _ in range(_LOCATED):
        lattice = Lattice(misplaced(grid.lattice.crossings, rng))
        straight = straighten(Photo(drawing.pixels), lattice, MARK_CELL)
        for sums in _found_sums(straight, truth > 0):
            if len(sums.cells):
                yield SumBoard(describe_sums(sum_pictures(sums)), truth)


def _found_sums(straight: Image, has_sum: NDArray[np.bool_]) -> Iterator[Sums]:
    """Yield the sums that are found in straightened cells (81, S, S, 3), with and without the lines of cages.

    *has_sum* (81,) says which cells have a sum.
    """
    coarse = coarse_view(straight)
    ink = plain_ink(straight, coarse)
    yield find_sums(ink)
    way = likeliest(list(hypotheses(ink, coarse)), np.where(has_sum, 1.0, -1.0))
    if way.depth is not None:
        yield sums_without_lines(ink, way)


def fit_sum_reader(
    drawn: Sequence[SumBoard], check: Sequence[SumBoard], settings: SumSettings, steps: Steps
) -> SumReader:
    """Return a reader that is fitted to *drawn* killers, and calibrated on *check*."""
    layers = fit_network(*_joined(drawn), SUMS, _NETWORK, settings.seed, steps, "Learning sums")
    features, sums = _joined(check)
    outputs = forward(layers, features)
    return SumReader(layers, best_temperature(lambda temperature: outputs / np.float32(temperature), sums))


def _joined(boards: Sequence[SumBoard]) -> tuple[Floats, NDArray[np.int64]]:
    """Return the features and sums of all cells; raises UsageError without boards."""
    if not boards:
        raise UsageError("No sums were found to learn from.", "Draw more boards.")
    features = np.concatenate([board.features for board in boards])
    return features, np.concatenate([board.sums for board in boards])


def measure_sums(reader: SumReader, boards: Sequence[SumBoard]) -> dict[str, int]:
    """Return the number of sums, of those that are read right, and wrong with a probability above 0.99.

    ``cells`` is the number of cells without a sum, ``taken`` that of those which seem to have one.
    """
    features, sums = _joined(boards)
    probabilities = reader.classify(features)
    read, sure = probabilities.argmax(axis=1), probabilities.max(axis=1) > 0.99
    counts = {
        "sums": sums > 0,
        "right": (sums > 0) & (read == sums),
        "surely wrong": (sums > 0) & (read != sums) & sure,
        "cells": sums == 0,
        "taken": (sums == 0) & (read > 0),
    }
    return {name: int(np.count_nonzero(those)) for name, those in counts.items()}
