"""Train the reader of the sums of killers, with drawn killers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.cages import hypotheses, likeliest, sums_without_lines
from sudoku_vision.vision.digits.glyphs import GLYPH
from sudoku_vision.vision.digits.mark_segmentation import MARK_CELL
from sudoku_vision.vision.digits.network import forward, log_softmax
from sudoku_vision.vision.digits.sum_reader import (
    BEFORE,
    HEIGHT,
    SUMS,
    SumReader,
    Sums,
    describe_sums,
    doubt,
    find_sums,
    plain_ink,
    sum_pictures,
)
from sudoku_vision.vision.rectify import coarse_view, straighten
from sudoku_vision.vision.results import Lattice, Photo
from workshop import KINDS
from workshop.progress import tracked
from workshop.rendering.boards import random_cages, random_solution
from workshop.rendering.kinds import CAGE_DESIGNS, closer, killer_conditions, one_of, random_conditions
from workshop.rendering.picture import draw
from workshop.training.boards import misplaced
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.settings import Hyperparameters, Inputs, Settings, Trained
from workshop.training.sources import Sources, gather_sources

_NETWORK = Hyperparameters((384,), 8, decay=1e-3)
_LOCATED = 2  # number of lattices for the grid of a drawing; each has other random errors
_BLANK_SHARE = 0.3  # only this share of the cells without a sum is used for training
_SHARPENINGS = np.linspace(0.05, 0.4, 8)  # tried values of ``SumReader.sharpening``
_WIDER, _HIGHER, _SLANT, _ASIDE = 0.12, 0.04, 0.12, 0.06
"""Standard deviations of random changes to the pictures of sums on a page.

These vary: the logarithms of the factors for width and height, the slant, and the offset of each sum as a
share of the sum's height.
"""


@dataclass(frozen=True, eq=False)
class SumBoard:
    """The training data from one killer: the ``features`` (N, F) of N places where sums can stand.

    ``sums`` (N,) are the sums at these places, 0 for no sum.
    """

    features: Floats
    sums: NDArray[np.int64]


def drawn_sum_boards(
    sources: Sources, count: int, seed: Sequence[int], name: str, *, varied: bool = False
) -> list[SumBoard]:
    """Draw killers as close-ups; a killer depends only on *seed* and on its number.

    The lattice of a killer gets random errors twice. Each time, the sums are found and, if there are lines of
    cages, found again without these lines. So a killer gives up to four boards. If *varied* is true, most
    cells without a sum are left out, and each board is added a second time: with sums of another width and
    slant, as in other typefaces.
    """
    rngs = (np.random.default_rng([*seed, number]) for number in tracked(range(count), name))
    boards = []
    for rng in rngs:
        for pictures, truth in _draw(sources, rng):
            if varied:
                boards += [_some(pictures, truth, rng), _some(_varied(pictures, rng), truth, rng)]
            else:
                boards.append(SumBoard(describe_sums(pictures), truth))
    return boards


def _draw(sources: Sources, rng: Generator) -> Iterator[tuple[Floats, NDArray[np.int64]]]:
    """Draw a killer. Yield pictures (81, 28, 56) of the places where sums can stand, and the sums (81,)."""
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
                yield sum_pictures(sums), truth


def _some(pictures: Floats, truth: NDArray[np.int64], rng: Generator) -> SumBoard:
    """Return a board in which most cells without a sum are left out."""
    used = (truth > 0) | (rng.random(81) < _BLANK_SHARE)
    return SumBoard(describe_sums(pictures[used]), truth[used])


def _varied(pictures: Floats, rng: Generator) -> Floats:
    """Return changed *pictures* (81, 28, 56) of the sums of a page.

    Size and slant change alike for all sums. Each sum gets a small shift of its own.
    """
    width, height = np.exp(rng.normal(0, (_WIDER, _HIGHER)))
    slant, aside = rng.normal(0, _SLANT), rng.normal(0, _ASIDE * HEIGHT, (81, 2))
    left, middle = BEFORE[0] * HEIGHT, GLYPH / 2  # the left end of sums, and their middle
    varied = np.empty_like(pictures)
    for picture, (right, down), result in zip(pictures, aside.tolist(), varied, strict=True):
        x = width, slant, left - width * left - slant * middle + right
        y = 0.0, height, middle - height * middle + down
        size = 2 * GLYPH, GLYPH
        cv2.warpAffine(picture, np.array([x, y]), size, result, borderMode=cv2.BORDER_REPLICATE)
    return varied


def _found_sums(straight: Image, has_sum: NDArray[np.bool_]) -> Iterator[Sums]:
    """Yield the sums found in straightened cells (81, S, S, 3).

    If the cells have lines of cages, the sums are found a second time after these lines are removed.
    *has_sum* (81,) says which cells have a sum.
    """
    coarse = coarse_view(straight)
    ink = plain_ink(straight)
    yield find_sums(ink)
    way = likeliest(list(hypotheses(ink, coarse)), np.where(has_sum, 1.0, -1.0))
    if way.depth is not None:
        yield sums_without_lines(ink, way)


def train_sums(inputs: Inputs, settings: Settings) -> Trained:
    """Train the reader of the sums of killers. It learns only from drawings."""
    seed = settings.seed
    kept, held = gather_sources(inputs.fonts, (), seed)
    drawn = drawn_sum_boards(kept, settings.boards, [seed, 0], "Drawing killers", varied=True)
    check = drawn_sum_boards(held, settings.held_boards, [seed, 1], "Drawing killers to check on")
    reader = fit_sum_reader(drawn, check, seed)
    return Trained(reader, {"held_drawn": measure_sums(reader, check)}, 0)


def fit_sum_reader(drawn: Sequence[SumBoard], check: Sequence[SumBoard], seed: int) -> SumReader:
    """Return a reader that is fitted to the boards *drawn*, and calibrated on the boards *check*.

    The boards *drawn* are varied, as described at :func:`drawn_sum_boards`.
    """
    layers = fit_network(*_joined(drawn), SUMS, _NETWORK, seed, "Learning sums")
    # Training used only this share of the cells without a sum. So "no sum" is made more probable here.
    layers[-1][1][0] -= np.float32(np.log(_BLANK_SHARE))
    pages = [forward(layers, board.features) for board in check]
    doubts = np.array([doubt(outputs) for outputs in pages], np.float32).repeat(81)[:, None]
    outputs, sums = np.concatenate(pages), _joined(check)[1]
    tried = []
    for sharpening in _SHARPENINGS.tolist():
        divided = partial(np.divide, outputs / doubts ** np.float32(sharpening), dtype=np.float32)
        temperature = best_temperature(divided, sums)
        right = log_softmax(divided(temperature))[np.arange(len(sums)), sums]
        tried.append((-float(right.mean()), temperature, sharpening))
    return SumReader(layers, *min(tried)[1:])


def _joined(boards: Sequence[SumBoard]) -> tuple[Floats, NDArray[np.int64]]:
    """Return the features and sums of all *boards*; raises UsageError if there are none."""
    if not boards:
        raise UsageError("No sums were found to learn from.", "Draw more boards.")
    features = np.concatenate([board.features for board in boards])
    return features, np.concatenate([board.sums for board in boards])


def measure_sums(reader: SumReader, boards: Sequence[SumBoard]) -> dict[str, int]:
    """Return counts of cells.

    ``sums``: cells with a sum. ``right``: cells with a sum that is read right. ``surely wrong``: cells with a
    sum that is read wrong, with a probability above 0.99 for the wrong answer. ``cells``: cells without a
    sum. ``taken``: cells without a sum in which a sum is read.
    """
    probabilities = np.concatenate([reader.classify(board.features) for board in boards])
    sums = _joined(boards)[1]
    read, sure = probabilities.argmax(axis=1), probabilities.max(axis=1) > 0.99
    counts = {
        "sums": sums > 0,
        "right": (sums > 0) & (read == sums),
        "surely wrong": (sums > 0) & (read != sums) & sure,
        "cells": sums == 0,
        "taken": (sums == 0) & (read > 0),
    }
    return {name: int(np.count_nonzero(those)) for name, those in counts.items()}
