"""Fit networks to samples with scikit-learn, and calibrate them.

A network is trained on scaled features and averaged over its last epochs; the scaling is folded into its
first layer, so that the reader needs nothing but matrix products. Calibration chooses one temperature (C. Guo
et al., "On calibration of modern neural networks", 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPClassifier

from sudoku_vision.digits.cascade import DigitModel
from sudoku_vision.digits.classes import CLASSES
from sudoku_vision.digits.network import log_softmax
from sudoku_vision.results import Floats, Image
from sudoku_vision.training.classes import BLANK, Classes

Layers = tuple[tuple[Floats, Floats], ...]
Steps = Callable[[int, str], Iterable[int]]
"""Counts to a number under a name, and shows it."""

_CHUNK = 10_000  # samples handed to scikit-learn at once
_BATCH = 256
_LEAST_SPREAD = 0.05  # added to the spread of a feature, so that one that hardly varies is not blown up


@dataclass(frozen=True)
class Recipe:
    """How to fit one network: its hidden layers, epochs (the last ``averaged`` count) and weight decay."""

    hidden: tuple[int, ...]
    epochs: int
    averaged: int = 3
    decay: float = 1e-4


@dataclass(frozen=True, eq=False)
class Samples:
    """Cells to learn from or to measure on.

    ``features`` (N, FEATURES) float32, ``classes`` (N,) int64, and ``images`` (N, 28, 28) uint8, the glyphs
    that the features describe, ink bright.
    """

    features: Floats
    classes: Classes
    images: Image

    def __len__(self) -> int:
        return len(self.classes)

    def select(self, index: NDArray[np.bool_] | NDArray[np.integer]) -> Samples:
        """The samples at *index*."""
        return Samples(self.features[index], self.classes[index], self.images[index])


def joined(parts: Sequence[Samples]) -> Samples:
    """All samples in one."""
    return Samples(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.classes for part in parts]),
        np.concatenate([part.images for part in parts]),
    )


def as_floats(images: Image) -> Floats:
    """Glyphs as the reader knows them, 0..1 float32."""
    return images.astype(np.float32) / np.float32(255)


def fit_network(
    scaled: Floats, classes: Classes, count: int, recipe: Recipe, seed: int, steps: Steps, name: str
) -> Layers:
    """Fit one multi-layer perceptron to scaled features (N, F) of *count* classes."""
    network = MLPClassifier(
        recipe.hidden,
        alpha=recipe.decay,
        batch_size=min(_BATCH, len(classes)),
        shuffle=False,
        random_state=seed,
    )
    rng = np.random.default_rng(seed)
    averaged = min(recipe.averaged, recipe.epochs)
    sums: list[NDArray[np.float64]] = []
    for epoch in steps(recipe.epochs, name):
        order = rng.permutation(len(classes))
        for part in np.array_split(order, max(1, len(order) // _CHUNK)):
            network.partial_fit(scaled[part], classes[part], classes=np.arange(count))
        if epoch >= recipe.epochs - averaged:
            now = [*network.coefs_, *network.intercepts_]
            sums = [a + b for a, b in zip(sums, now, strict=True)] if sums else [1.0 * a for a in now]
    means = [(values / averaged).astype(np.float32) for values in sums]
    half = len(means) // 2
    return tuple(zip(means[:half], means[half:], strict=True))


def scale(features: Floats) -> tuple[Floats, Floats]:
    """Scale features (N, F) in place to mean 0 and spread 1; returns the mean and the spread they had."""
    mean = features.mean(axis=0, dtype=np.float64).astype(np.float32)
    features -= mean
    spread = np.sqrt(np.einsum("nf,nf->f", features, features) / max(1, len(features))) + _LEAST_SPREAD
    spread = spread.astype(np.float32)
    features /= spread
    return mean, spread


def unscaled(layers: Layers, mean: Floats, spread: Floats) -> Layers:
    """A network for features as they are, the scaling folded into its first layer."""
    weights, bias = layers[0]
    weights = weights / spread[:, None]
    first = (weights, bias - mean @ weights)
    return tuple((w.astype(np.float32), b.astype(np.float32)) for w, b in (first, *layers[1:]))


def fit(samples: Samples, recipe: Recipe, members: int, seed: int, steps: Steps, name: str) -> DigitModel:
    """Fit the ensemble of the first look."""
    scaled = samples.features.copy()
    mean, spread = scale(scaled)
    layers = [
        fit_network(
            scaled,
            samples.classes,
            len(CLASSES),
            recipe,
            seed + 1000 + member,
            steps,
            f"{name}, {member + 1} of {members}",
        )
        for member in range(members)
    ]
    return DigitModel(tuple(unscaled(member, mean, spread) for member in layers))


def calibrated(model: DigitModel, samples: Samples) -> DigitModel:
    """The first look at the temperature under which held-out samples are likeliest."""
    logs = np.asarray(np.log(np.maximum(model.first_stage(samples.features), 1e-30)), np.float32)
    best = best_temperature(lambda temperature: logs / np.float32(temperature), samples.classes)
    return replace(model, temperature=model.temperature * best)


def best_temperature(logs: Callable[[float], Floats], classes: Classes) -> float:
    """The temperature at which the softmax of ``logs(temperature)`` (N, K) makes *classes* likeliest."""

    def loss(temperature: float) -> float:
        return -float(log_softmax(logs(temperature))[np.arange(len(classes)), classes].mean())

    best: float = min(np.geomspace(0.4, 4.0, 47).tolist(), key=loss)
    return best


def legible(samples: Samples, sight: DigitModel, hidden: float) -> Samples:
    """Leave out digits that blur, noise or faint ink hide so well that they look blank.

    Nobody could read them; learnt from, they would cast a doubt on every blank cell of every clear page. (A
    trimmed fit, as in Rousseeuw's least trimmed squares: what to trim is told by a first, quick fit, which
    holds them for blank with a probability above *hidden*.)
    """
    lost = (samples.classes != BLANK) & (sight.first_stage(samples.features)[:, BLANK] > hidden)
    return samples.select(~lost)
