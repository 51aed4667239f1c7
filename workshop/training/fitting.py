"""Fit networks to samples with scikit-learn, and calibrate them.

Calibration chooses one temperature (C. Guo et al., "On calibration of modern neural networks", 2017).
"""

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPClassifier

from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.network import Layers, log_softmax
from workshop.progress import tracked
from workshop.training.samples import Classes
from workshop.training.settings import Hyperparameters

_CHUNK = 10_000  # number of samples that are passed to scikit-learn at once
_BATCH = 256  # number of samples for one step of the optimiser
_TEMPERATURES = np.geomspace(0.4, 4.0, 47)
"""Temperatures that are tried. Below 1, they make a model more confident; above 1, less confident."""
_MIN_SPREAD = 0.01  # added to the standard deviations by which features are divided, so that none is 0


def fit_network(
    features: Floats,
    classes: Classes,
    count: int,
    hyperparameters: Hyperparameters,
    seed: int,
    name: str,
    start: Layers | None = None,
) -> Layers:
    """Return the layers of a multi-layer perceptron that is fitted to samples of *count* classes.

    *features* (N, F) and *classes* (N,) are the samples. Weights are averaged over the last epochs. If
    *start* is given, it has the initial weights. *name* is the title of the progress bar.
    """
    mean = features.mean(axis=0, dtype=np.float64).astype(np.float32)
    scaled = features - mean
    spread = np.sqrt(np.einsum("nf,nf->f", scaled, scaled) / max(1, len(scaled))) + _MIN_SPREAD
    spread = spread.astype(np.float32)
    scaled /= spread
    network = MLPClassifier(
        hyperparameters.hidden,
        alpha=hyperparameters.decay,
        batch_size=min(_BATCH, len(classes)),
        shuffle=False,
        random_state=seed,
    )
    if start is not None:
        weights, bias = start[0]
        first = weights * spread[:, None], bias + mean @ weights
        _go_on_from(network, (first, *start[1:]), count)
    rng = np.random.default_rng(seed)
    averaged = min(hyperparameters.averaged, hyperparameters.epochs)
    sums: list[NDArray[np.float64]] = []
    for epoch in tracked(range(hyperparameters.epochs), name):
        order = rng.permutation(len(classes))
        for part in np.array_split(order, max(1, len(order) // _CHUNK)):
            _fit_on(network, scaled[part], classes[part], count)
        if epoch >= hyperparameters.epochs - averaged:
            now = [*network.coefs_, *network.intercepts_]
            sums = [a + b for a, b in zip(sums, now, strict=True)] if sums else [1.0 * a for a in now]
    means = [(values / averaged).astype(np.float32) for values in sums]
    half = len(means) // 2
    # The network has learnt from scaled features. From here on, its first layer does the scaling.
    means[0] = means[0] / spread[:, None]
    means[half] = means[half] - mean @ means[0]
    return tuple(zip(means[:half], means[half:], strict=True))


def _fit_on(network: MLPClassifier, features: Floats, classes: Classes, count: int) -> None:
    """Train a *network*. After Ctrl-C, raise KeyboardInterrupt: scikit-learn only warns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Training interrupted")
        try:
            network.partial_fit(features, classes, classes=np.arange(count))
        except UserWarning as warning:
            raise warning.__context__ or warning from None


def _go_on_from(network: MLPClassifier, start: Layers, count: int) -> None:
    """Create the weights of a new *network* with a training step on zeros, then set them to *start*."""
    some = np.zeros((network.batch_size, len(start[0][0])), np.float32)
    _fit_on(network, some, np.arange(len(some)) % count, count)
    for own, given in zip(zip(network.coefs_, network.intercepts_, strict=True), start, strict=True):
        own[0][...], own[1][...] = given


def best_temperature(logs: Callable[[float], Floats], classes: Classes) -> float:
    """Return the temperature with the smallest log loss for the true *classes* (N,).

    *logs* is called with a temperature and returns numbers (N, K). Their softmax gives the probabilities.
    """

    def loss(temperature: float) -> float:
        return -float(log_softmax(logs(temperature))[np.arange(len(classes)), classes].mean())

    best: float = min(_TEMPERATURES.tolist(), key=loss)
    return best
