"""Train the expert of handwriting: more of every hand by warping, a dictionary of strokes, one network.

Digits are warped as hands vary them: slanted, turned, stretched, bent, thicker or thinner (after P. Simard,
D. Steinkraus, J. Platt, "Best practices for convolutional neural networks applied to visual document
analysis", 2003). The patches of the dictionary are whitened by their principal components and clustered by
k-means (see :mod:`sudoku_vision.digits.handwriting`).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

from sudoku_vision.digits import handwriting as shapes
from sudoku_vision.digits.cascade import DigitModel, asks_second_stage, join_stages
from sudoku_vision.digits.features import describe
from sudoku_vision.digits.glyphs import Glyphs, cut_glyphs
from sudoku_vision.digits.handwriting import HandwritingClassifier, StrokeDictionary, describe_shapes
from sudoku_vision.digits.network import log_softmax
from sudoku_vision.results import Floats, Image
from sudoku_vision.training.classes import JUNK, WRITTEN, Classes
from sudoku_vision.training.fitting import (
    Recipe,
    Samples,
    Steps,
    as_floats,
    best_temperature,
    fit_network,
    scale,
    unscaled,
)

CELL = 40
"""Side of a pasted cell in pixels."""

_TURN, _STRETCH, _SLANT, _BEND = 6.0, 0.08, 0.11, 0.018  # spreads: degrees, logarithm, shear, cells
_BEND_FIELD = 4  # the bend is random at so many places each way, smooth between
_PRESSED = 0.35  # share of warped digits made thicker or thinner
_PEAK = 0.2  # contrast from which a patch goes into the dictionary
_PATCHES = 200_000
_RIDGE = 0.1  # added to the variances of the principal components: the weakest hold noise
_GLYPHS = 6000  # glyphs whose patches are clustered


def warped(cells: Floats, rng: np.random.Generator) -> Floats:
    """Cells (N, S, S) with their ink slanted, turned, stretched, bent, and pressed otherwise."""
    size = cells.shape[1]
    y, x = (grid.astype(np.float32) - size / 2 + 0.5 for grid in np.mgrid[0:size, 0:size])
    result = np.empty_like(cells)
    for index, cell in enumerate(cells):
        turn = np.deg2rad(rng.normal(0, _TURN))
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        matrix = (
            matrix
            @ np.array([[1, rng.normal(0, _SLANT)], [0, 1]])
            @ np.diag(np.exp(rng.normal(0, _STRETCH, 2)))
        )
        coarse = rng.normal(0, _BEND * size, (_BEND_FIELD, _BEND_FIELD, 2)).astype(np.float32)
        bend = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC) + (size - 1) / 2
        map_x = (matrix[0, 0] * x + matrix[0, 1] * y + bend[..., 0]).astype(np.float32)
        map_y = (matrix[1, 0] * x + matrix[1, 1] * y + bend[..., 1]).astype(np.float32)
        moved = cv2.remap(cell, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        result[index] = _pressed(np.asarray(moved, np.float32), rng)
    return result


def _pressed(cell: Floats, rng: np.random.Generator) -> Floats:
    """A cell whose strokes are sometimes made thicker or thinner."""
    kind = rng.random()
    if kind > _PRESSED:
        return cell
    change = cv2.dilate if kind < _PRESSED / 2 else cv2.erode
    share = np.float32(rng.uniform(0.2, 0.8))
    return np.asarray(share * change(cell, _ROUND) + (1 - share) * cell, np.float32)


_ROUND = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))


def pasted(strokes: Image, rng: np.random.Generator) -> Floats:
    """Handwritten digits (N, 28, 28) uint8, white on black, in the middle of cells (N, 40, 40)."""
    cells = np.empty((len(strokes), CELL, CELL), np.float32)
    for index, image in enumerate(strokes):
        ink = image.astype(np.float32) / 255
        step = rng.uniform(0.6, 1.25)
        if step < 1:
            ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.35 / step), np.float32)
        place = CELL / 2 - 0.5 - 13.5 * step + rng.normal(0, 1.5, 2)
        matrix = np.array([[step, 0, place[0]], [0, step, place[1]]], np.float32)
        cell = cv2.warpAffine(ink, matrix, (CELL, CELL))
        blur = rng.uniform(0, 1.2)
        if blur > 0.3:
            cell = cv2.GaussianBlur(cell, (0, 0), blur)
        cells[index] = cell * rng.uniform(0.7, 1.1) + rng.normal(0, 0.02, cell.shape)
    return warped(cells, rng)


def pasted_samples(
    strokes: Image, labels: NDArray[np.integer], copies: int, rng: np.random.Generator, steps: Steps
) -> list[Samples]:
    """Digits of a database as if written into cells, each *copies* times, in samples of 81."""
    found = []
    for _ in steps(copies, "Writing digits into cells"):
        order = rng.permutation(len(labels))
        for part in np.array_split(order, max(1, len(order) // 81)) if len(order) else []:
            glyphs = cut_glyphs(pasted(strokes[part], rng))
            found.append(described(glyphs, labels[part].astype(np.int64) + WRITTEN - 1))
    return found


def described(glyphs: Glyphs, classes: Classes) -> Samples:
    """Samples of glyphs and their classes."""
    images = np.round(255 * glyphs.images).astype(np.uint8)
    return Samples(describe(glyphs), classes, images)


def learn_dictionary(images: Floats, centres: int, seed: int) -> StrokeDictionary:
    """Cluster the inked patches of glyphs (N, 28, 28)."""
    rng = np.random.default_rng(seed)
    chosen = images[rng.permutation(len(images))[:_GLYPHS]]
    found = shapes.patches(chosen).reshape(-1, shapes.PATCH**2)
    found = found[np.ptp(found, axis=1) > _PEAK]
    found = shapes.normalised(found[rng.permutation(len(found))[:_PATCHES]])
    mean = found.mean(axis=0)
    axes, variances, _ = np.linalg.svd(np.cov((found - mean).T))
    whitening = (axes / np.sqrt(variances + _RIDGE)) @ axes.T
    white = (found - mean) @ whitening
    clusters = MiniBatchKMeans(min(centres, len(white)), n_init=1, random_state=seed, batch_size=4096).fit(
        white
    )
    return StrokeDictionary(*(a.astype(np.float32) for a in (mean, whitening, clusters.cluster_centers_)))


def fit_expert(
    samples: Samples, recipe: Recipe, centres: int, printed_share: float, seed: int, steps: Steps, name: str
) -> HandwritingClassifier:
    """Fit the expert to the digits among samples: all that are written, and a share of the printed ones."""
    rng = np.random.default_rng(seed)
    written = (samples.classes >= WRITTEN) & (samples.classes < JUNK)
    printed = (samples.classes > 0) & (samples.classes < WRITTEN)
    chosen = samples.select(written | (printed & (rng.random(len(samples)) < printed_share)))
    dictionary = learn_dictionary(as_floats(chosen.images), centres, seed)
    parts = np.array_split(chosen.images, max(1, len(chosen) // 1000))
    numbers = steps(len(parts), f"{name}: looking at shapes")
    scaled = np.concatenate([describe_shapes(as_floats(parts[number]), dictionary) for number in numbers])
    mean, spread = scale(scaled)
    digits = np.where(chosen.classes >= WRITTEN, chosen.classes - WRITTEN, chosen.classes - 1)
    layers = fit_network(scaled, digits, 9, recipe, seed, steps, name)
    return HandwritingClassifier(dictionary, unscaled(layers, mean, spread))


def with_expert(model: DigitModel, expert: HandwritingClassifier, samples: Samples) -> DigitModel:
    """The model with its expert, at the temperature under which held-out handwriting is likeliest."""
    written = samples.select((samples.classes >= WRITTEN) & (samples.classes < JUNK))
    if not len(written):
        return replace(model, handwriting=expert)
    first = model.first_stage(written.features)
    asked = asks_second_stage(first)
    outputs = expert.outputs(as_floats(written.images[asked]))

    def logs(temperature: float) -> Floats:
        answers = first.copy()
        answers[asked] = join_stages(first[asked], log_softmax(outputs / np.float32(temperature)))
        return np.log(np.maximum(answers, 1e-30))

    return replace(model, handwriting=replace(expert, temperature=best_temperature(logs, written.classes)))
