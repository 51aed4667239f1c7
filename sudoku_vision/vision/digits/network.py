"""Run trained networks forward: multi-layer perceptrons as plain arrays, no scikit-learn needed."""

import numpy as np

from sudoku_vision.results import Floats

Layer = tuple[Floats, Floats]  # weights (M, N) and bias (N,) of one layer, float32

Layers = tuple[Layer, ...]  # A multi-layer perceptron, from its inputs to its outputs


def forward(layers: Layers, value: Floats) -> Floats:
    """Return the outputs (N, K), before the softmax, of a perceptron with rectified hidden units.

    *value* (N, M) are its inputs.
    """
    for weights, bias in layers[:-1]:
        value = np.maximum(value @ weights + bias, 0)
    weights, bias = layers[-1]
    outputs: Floats = value @ weights + bias
    return outputs


def log_softmax(values: Floats) -> Floats:
    """Return the logarithms of the softmax along the last axis of *values* (N, K)."""
    shifted = values - values.max(axis=1, keepdims=True)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs
