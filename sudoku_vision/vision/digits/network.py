"""Run and store trained multi-layer perceptrons. They are plain arrays, so scikit-learn isn't needed."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.values import Floats

Layer = tuple[Floats, Floats]  # the weights (M, N) and the bias (N,) of one layer, float32

Layers = tuple[Layer, ...]  # the layers of a multi-layer perceptron, from its inputs to its outputs

Arrays = Mapping[str, NDArray[Any]]  # the arrays of a model file; the keys are their names


def forward(layers: Layers, inputs: Floats) -> Floats:
    """Return the outputs (N, K) of a perceptron for *inputs* (N, M), before the softmax.

    Its hidden units are rectified (ReLU).
    """
    for weights, bias in layers[:-1]:
        inputs = np.maximum(inputs @ weights + bias, 0)
    weights, bias = layers[-1]
    outputs: Floats = inputs @ weights + bias
    return outputs


def log_softmax(values: Floats) -> Floats:
    """Return the logarithm of the softmax of each row of *values* (N, K), as an array (N, K)."""
    shifted = values - values.max(axis=1, keepdims=True)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs


def stored_network(arrays: Arrays, weights: str, bias: str, inputs: int, outputs: int) -> Layers:
    """Return the network that is stored in *arrays*.

    The arrays of the first layer have the names ``{weights}_0`` and ``{bias}_0``. The names of the next layer
    end in ``_1``, and so on. Raises KeyError if an array is missing. Raises ValueError if the arrays aren't a
    network with *inputs* inputs and *outputs* outputs.
    """
    layers: list[Layer] = []
    while not layers or f"{weights}_{len(layers)}" in arrays:
        values = stored_floats(arrays, f"{weights}_{len(layers)}", (inputs, None))
        inputs = values.shape[1]
        layers.append((values, stored_floats(arrays, f"{bias}_{len(layers)}", (inputs,))))
    if inputs != outputs:
        raise ValueError(f"{weights} ends in {inputs} outputs, not in {outputs}")
    return tuple(layers)


def network_arrays(layers: Layers, weights: str, bias: str) -> dict[str, NDArray[np.float16]]:
    """Return the arrays of a network in half precision, with their names in the model file as keys.

    The names have the form that :func:`stored_network` reads.
    """
    return {
        f"{name}_{index}": values.astype(np.float16)
        for index, layer in enumerate(layers)
        for name, values in zip((weights, bias), layer, strict=True)
    }


def stored_floats(arrays: Arrays, name: str, shape: tuple[int | None, ...]) -> Floats:
    """Return the array *name* as float32. The array must have the given *shape* and hold finite floats.

    None in *shape* stands for any length above 0. Raises KeyError if the array is missing. Raises ValueError
    if its shape or its numbers are wrong.
    """
    values = arrays[name]
    if values.dtype.kind != "f":
        raise ValueError(f"{name} holds {values.dtype}, not floats")
    wanted = tuple(length or "any" for length in shape)
    found = tuple(
        length if fixed or not length else "any" for length, fixed in zip(values.shape, shape, strict=False)
    )
    if values.ndim != len(shape) or found != wanted:
        raise ValueError(f"{name} has the shape {values.shape}, not {wanted}")
    with np.errstate(over="ignore"):
        floats = values.astype(np.float32)
    if not np.isfinite(floats).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return floats
