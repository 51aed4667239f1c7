"""Train the occlusion model: draw covers over labelled photos, and learn which cells are misread under them.

A covered cell is called hidden if it is misread. A blank cell under a hand is read right, but it looks like a
cell with a hidden clue. So from both kinds of cells, the network learns how probable it is that a covered
cell has a clue. Cells that are misread without a cover are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.parallel import map_in_order, open_executor
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import read_ink
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.digits.occlusion import (
    CLASSES,
    FEATURES,
    OcclusionModel,
    describe_cells,
    describe_scores,
)
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.results import Lattice, Photo
from workshop.progress import tracked
from workshop.rendering.covers import KINDS, Cover, covered, hidden_share, random_cover
from workshop.training.fitting import fit_network
from workshop.training.photos import LabelledBoard, find_boards, labelled_pictures, with_models_of_others
from workshop.training.settings import Hyperparameters, Inputs, Settings, Trained

_NETWORK = Hyperparameters((48,), 12, decay=1e-2)
CLEAN, READ, MISREAD = range(len(CLASSES))
LEVELS = (0.01, 0.2)
"""A cell is in doubt if its probability of being hidden is above the first level.

Above the second level, it is reported as hidden.
"""
_MAX_PIXELS = 60.0  # photos whose cells have longer sides, in pixels, are scaled down to save time
_MARGIN = 2.0  # a photo is cropped at this distance from its grid, in cells
_SAME_PLACE = 0.6  # a found grid is the right one if its corners are off by less than this, in cells
_UNTOUCHED = 0.02  # a cell is uncovered if less than this share of its inside is covered
_INSIDE = slice(7, -7)  # rows or columns of pixels in a straightened cell, without the lines around it


@dataclass(frozen=True, eq=False)
class OcclusionSamples:
    """The cells of one photo, without and with covers."""

    source: str  # a text that all photos of one printed puzzle share
    features: Floats  # (N, FEATURES)
    classes: NDArray[np.int64]  # (N,)


def train_occlusion(inputs: Inputs, settings: Settings) -> Trained:
    """Train the occlusion model; raises UsageError if no photo shows a grid to cover."""
    boards = find_boards(labelled_pictures(inputs.photos), load_model())
    if not boards:
        raise UsageError("There is no labelled photo of a grid to learn from.", "Give folders with --photos.")
    samples = _draw_covers(boards, settings.seed, inputs.jobs)
    fit = partial(fit_occlusion_model, seed=settings.seed)
    others, model = with_models_of_others(samples, inputs.folds, settings.seed, fit), fit(samples)
    measured = measure_occlusion(others or [(model, one) for one in samples])
    return Trained(model, {"photos_folds" if others else "seen": measured}, len(boards))


def _draw_covers(boards: Sequence[LabelledBoard], seed: int, jobs: int | None) -> list[OcclusionSamples]:
    with open_executor(jobs, task_seconds=None) as executor:
        done = map_in_order(executor, partial(_samples, seed), list(enumerate(boards)))
        pairs = zip(tracked(boards, "Laying covers over photos"), done, strict=True)
        return [samples.result() for _, (_, samples) in pairs]


def _samples(seed: int, numbered: tuple[int, LabelledBoard]) -> OcclusionSamples:
    """Return the samples of a photo without a cover, and with a cover of each kind."""
    number, board = numbered
    photo, lattice = _reduced(board.photo, board.lattice)
    rng = np.random.default_rng([seed, number])
    clues = np.flatnonzero(board.digits).tolist()
    laid = (random_cover(kind, lattice, clues, photo.pixels, rng) for kind in KINDS)
    parts = (_described(photo, lattice, board.digits, cover) for cover in (None, *laid))
    features, classes = map(np.concatenate, zip(*parts, strict=True))
    return OcclusionSamples(board.source, features, classes)


def _reduced(photo: Photo, lattice: Lattice) -> tuple[Photo, Lattice]:
    """Cut out a photo's grid with a margin, scale large cells down, and return the part and its lattice."""
    points = lattice.crossings.reshape(100, 2)
    margin = _MARGIN * lattice.cell_size
    left, top = np.maximum(points.min(axis=0) - margin, 0).astype(int)
    right, low = (points.max(axis=0) + margin).astype(int) + 1
    near = photo.pixels[top:low, left:right]
    crossings = lattice.crossings - np.array([left, top])
    scale = min(1.0, _MAX_PIXELS / lattice.cell_size)
    size = max(1, round(near.shape[1] * scale)), max(1, round(near.shape[0] * scale))
    pixels = cv2.resize(near, size, interpolation=cv2.INTER_AREA)
    crossings = (crossings + 0.5) * np.array(size) / np.array(near.shape[1::-1]) - 0.5
    return Photo(np.asarray(pixels, np.uint8)), Lattice(crossings.astype(np.float32))


def _described(
    photo: Photo, lattice: Lattice, digits: NDArray[np.integer], cover: Cover | None
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the features and the classes of a photo's cells under a *cover*.

    The arrays are empty if the grid isn't found. Cells that are misread although the cover doesn't touch them
    are left out. *digits* (81,): the digits of the label.
    """
    picture = photo if cover is None else Photo(covered(photo.pixels, cover))
    found = _found_again(picture, lattice)
    if found is None:
        return np.zeros((0, FEATURES), np.float32), np.zeros(0, np.int64)
    cells = read_ink(picture, found, load_model(), 0)
    scores = cells.turns.by_turn[0]
    own = describe_cells(cells.straight, cells.coarse, cells.cells)
    features = np.concatenate([own, describe_scores(scores)], axis=1)
    wrong = scores.log_probs.argmax(axis=1) != digits
    if cover is None:
        untouched, classes = np.ones(81, bool), np.full(81, CLEAN)
    else:
        hidden = hidden_share(photo.pixels, cover, found)[:, _INSIDE, _INSIDE].mean(axis=(1, 2))
        untouched, classes = hidden < _UNTOUCHED, np.where(wrong, MISREAD, READ)
    taught = ~(wrong & untouched)
    return features[taught], classes[taught]


def _found_again(photo: Photo, lattice: Lattice) -> Lattice | None:
    """Return the grid of *photo* whose corners are near those of *lattice*, in the same order, or None."""
    limit = _SAME_PLACE * lattice.cell_size
    turns = (found.turned(turn) for found in locate(photo) for turn in range(4))
    return next((one for one in turns if np.abs(one.corners - lattice.corners).max() < limit), None)


def fit_occlusion_model(samples: Sequence[OcclusionSamples], seed: int) -> OcclusionModel:
    """Return an occlusion model that is fitted to the cells of all *samples*."""
    features = np.concatenate([one.features for one in samples])
    classes = np.concatenate([one.classes for one in samples])
    layers = fit_network(features, classes, len(CLASSES), _NETWORK, seed, "Learning what is hidden")
    shares = np.bincount(classes, minlength=len(CLASSES)) / len(classes)
    return OcclusionModel(layers, tuple(shares.tolist()))


def measure_occlusion(read: Sequence[tuple[OcclusionModel, OcclusionSamples]]) -> dict[str, dict[str, int]]:
    """Return counts for each class of cells.

    ``cells``: all cells of the class. ``above L``, for each L of :data:`LEVELS`: cells whose probability of
    being hidden is above L. *read* has samples, each with the model that reads them.
    """
    classes = np.concatenate([samples.classes for _, samples in read])
    hidden = np.concatenate([model.probabilities(samples.features) for model, samples in read])
    return {
        name: {"cells": int((classes == number).sum())}
        | {f"above {level:g}": int((hidden[classes == number] > level).sum()) for level in LEVELS}
        for number, name in enumerate(CLASSES)
    }
