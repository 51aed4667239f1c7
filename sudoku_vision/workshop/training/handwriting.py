"""Train the classifier of handwriting: a dictionary of strokes, one network, and its temperature.

The patches of the dictionary are whitened by their principal components and clustered by k-means (see
:mod:`sudoku_vision.vision.digits.handwriting`).
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats, Image
from sudoku_vision.vision.digits import handwriting as shapes
from sudoku_vision.vision.digits.cascade import DigitModel, asks_second_stage, join_stages
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.handwriting import (
    HandwritingClassifier,
    StrokeDictionary,
    describe_shapes,
    set_upright,
)
from sudoku_vision.vision.digits.network import log_softmax
from sudoku_vision.workshop.training.fitting import best_temperature, cluster, fit_network
from sudoku_vision.workshop.training.samples import (
    WRITTEN,
    Samples,
    as_floats,
    described,
    digits_of,
    is_printed,
    is_written,
)
from sudoku_vision.workshop.training.settings import Settings, Steps
from sudoku_vision.workshop.training.warping import pasted

_PEAK = 0.2  # contrast from which a patch goes into the dictionary
_PATCHES = 200_000  # patches that are clustered
_RIDGE = 0.1  # added to the variances of the principal components: the weakest hold noise
_GLYPHS = 6000  # glyphs whose patches are clustered
_DESCRIBED = 1000  # glyphs described at once, to bound the memory
_PASTED = 81  # pasted digits to a page: strengths and sizes are told against a page
_LEAST = 1e-30  # probability, so that its logarithm is finite


def pasted_samples(
    strokes: Image, labels: NDArray[np.integer], copies: int, rng: np.random.Generator, steps: Steps
) -> list[Samples]:
    """Return digits of a database as if written into cells, each *copies* times, a page to a sample."""
    found = []
    for _ in steps(copies, "Writing digits into cells"):
        order = rng.permutation(len(labels))
        for part in np.array_split(order, max(1, len(order) // _PASTED)) if len(order) else []:
            glyphs = cut_glyphs(pasted(strokes[part], rng))
            found.append(described(glyphs, labels[part].astype(np.int64) + WRITTEN - 1))
    return found


def learn_dictionary(images: Floats, centres: int, seed: int) -> StrokeDictionary:
    """Learn typical pieces of strokes, *centres* of them, from the inked patches of glyphs (N, 28, 28)."""
    rng = np.random.default_rng(seed)
    chosen = images[rng.permutation(len(images))[:_GLYPHS]]
    found = shapes.patches(chosen).reshape(-1, shapes.PATCH**2)
    found = found[np.ptp(found, axis=1) > _PEAK]
    found = shapes.normalised(found[rng.permutation(len(found))[:_PATCHES]])
    mean = found.mean(axis=0)
    axes, variances, _ = np.linalg.svd(np.cov((found - mean).T))
    whitening = (axes / np.sqrt(variances + _RIDGE)) @ axes.T
    white = (found - mean) @ whitening
    found_centres = cluster(white, centres, seed)
    return StrokeDictionary(*(a.astype(np.float32) for a in (mean, whitening, found_centres)))


def fit_handwriting(
    samples: Samples, settings: Settings, steps: Steps, name: str, start: HandwritingClassifier | None = None
) -> HandwritingClassifier:
    """Fit the classifier of handwriting to the digits among samples: all written ones, and some printed.

    It goes on from *start* where that is given, with the same dictionary of strokes and for fewer epochs.
    """
    rng = np.random.default_rng(settings.seed)
    some = rng.random(len(samples)) < settings.printed_share
    chosen = samples.select(is_written(samples.classes) | (is_printed(samples.classes) & some))
    if start is None:
        dictionary = learn_dictionary(as_floats(chosen.images), settings.centres, settings.seed)
        how, known = settings.handwriting, None
    else:
        dictionary, how, known = start.dictionary, settings.tuning, start.layers
    parts = np.array_split(chosen.images, max(1, len(chosen) // _DESCRIBED))
    numbers = steps(len(parts), f"{name}: looking at shapes")
    features = np.concatenate(
        [describe_shapes(set_upright(as_floats(parts[number])), dictionary) for number in numbers]
    )
    digits = digits_of(chosen.classes) - 1
    layers = fit_network(features, digits, 9, how, settings.seed, steps, name, known)
    return HandwritingClassifier(dictionary, layers)


def calibrated_stages(model: DigitModel, samples: Samples) -> DigitModel:
    """Return the model with both stages at the temperatures that suit held-out samples best."""
    logs_of_first: Floats = np.log(np.maximum(model.first_stage(samples.features), np.float32(_LEAST)))
    best = best_temperature(lambda temperature: logs_of_first / np.float32(temperature), samples.classes)
    model = replace(model, temperature=model.temperature * best)
    written = samples.select(is_written(samples.classes))
    if model.handwriting is None or not len(written):
        return model
    first = model.first_stage(written.features)
    asked = asks_second_stage(first)
    outputs = model.handwriting.outputs(as_floats(written.images[asked]))

    def logs(temperature: float) -> Floats:
        answers = first.copy()
        answers[asked] = join_stages(first[asked], log_softmax(outputs / np.float32(temperature)))
        return np.log(np.maximum(answers, _LEAST))

    best = best_temperature(logs, written.classes)
    return replace(model, handwriting=replace(model.handwriting, temperature=best))
