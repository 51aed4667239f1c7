"""Networks, temperatures and dictionaries: what they learn from samples."""

import numpy as np
import pytest

from sudoku_vision.vision.digits.network import Layers, forward, log_softmax
from workshop.training.digits import learn_dictionary
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.settings import Hyperparameters, silent_steps


def test_a_network_learns_from_its_features_and_goes_on_from_another_one() -> None:
    rng = np.random.default_rng(0)
    seen = rng.normal(5, 3, (900, 4)).astype(np.float32)
    classes = np.digitize(seen[:, 0], [3, 7])

    def fit(epochs: int, start: Layers | None = None) -> Layers:
        how = Hyperparameters((32,), epochs, 1)
        return fit_network(seen, classes, 3, how, 1, silent_steps, "Learning", start)

    known = fit(150)
    for layers in (known, fit(1, known)):
        assert (forward(layers, seen).argmax(axis=1) == classes).mean() > 0.9


def test_ctrl_c_ends_the_fitting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would turn it into a warning."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sklearn.neural_network.MLPClassifier._backprop", interrupted)
    how, seen = Hyperparameters((8,), 3, 1), np.ones((30, 4), np.float32)
    with pytest.raises(KeyboardInterrupt):
        fit_network(seen, np.arange(30) % 3, 3, how, 1, silent_steps, "Learning")


def test_the_temperature_corrects_overconfidence() -> None:
    rng = np.random.default_rng(0)
    honest = rng.normal(0, 2, (20_000, 3)).astype(np.float32)
    chances = np.exp(log_softmax(honest))
    classes = (rng.random((20_000, 1)) > chances.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    best = best_temperature(lambda temperature: 3 * honest / np.float32(temperature), classes)
    assert best == pytest.approx(3, rel=0.1)


def test_the_dictionary_holds_pieces_of_the_strokes_it_has_seen() -> None:
    bar = np.zeros((30, 28, 28), np.float32)
    for index in range(30):
        bar[index, :, index % 20 + 3 : index % 20 + 6] = 1
    dictionary = learn_dictionary(bar, 6, 0)
    assert dictionary.centres.shape == (6, 49)
    along, across = dictionary.codes(bar[:1]), dictionary.codes(bar[:1].transpose(0, 2, 1).copy())
    assert along.sum() > across.sum()
