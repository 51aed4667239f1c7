"""Train the digit classifier: draw a training set, then fit, calibrate and measure its two stages.

The second stage reads handwriting. It needs a dictionary of typical pieces of strokes: patches of digits are
whitened by their principal components and clustered by k-means.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.digits import strokes
from sudoku_vision.vision.digits.cascade import (
    CLASSES,
    DigitModel,
    HandwritingClassifier,
    join_stages,
    may_be_handwritten,
)
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.vision.digits.glyphs import cut_glyphs
from sudoku_vision.vision.digits.network import log_softmax
from sudoku_vision.vision.digits.strokes import StrokeDictionary
from sudoku_vision.vision.rectify import rectify
from workshop.evaluation.reliability import Bin, calibration_error
from workshop.training.boards import draw_board
from workshop.training.fitting import best_temperature, cluster, fit_network
from workshop.training.photos import RealBoard
from workshop.training.samples import (
    BLANK,
    JUNK,
    WRITTEN,
    Classes,
    Samples,
    board_samples,
    described,
    digits_of,
    is_printed,
    is_written,
    joined,
    legible,
    pasted,
    ten_answers,
)
from workshop.training.settings import Hyperparameters, Settings, Steps
from workshop.training.sources import Sources

HIDDEN = 0.85  # a drawn digit with a higher probability of a blank cell is left out: nobody could read it
_PASTED_PAGES = 3  # the first stage learns from every third page of pasted digits
_PICK_STREAM, _PASTED_STREAM, _PHOTO_STREAM = 2, 4, 77
"""Numbers that are passed to a random generator together with the seed. With them, no two parts of the
training get the same random numbers."""
_MEMBER_SEED = 1000  # difference between the seeds of the training and of the first network

_UNKNOWN_SHARE = 0.4  # assumed share of handwritten digits while a model is trained
_PEAK = 0.2  # patches with less contrast are not used for the dictionary
_GLYPHS, _PATCHES = 6000, 200_000  # largest number of glyphs, and of patches from them, for the dictionary
_RIDGE = 0.1  # added to the variances of all principal components: otherwise whitening would amplify noise
_DESCRIBED = 1000  # number of glyphs that are described at once, to limit the memory
_PASTED = 81  # number of pasted digits on a page; the reader compares each digit with its page
_MIN_SHARE = 1e-30  # lower probabilities are raised to this before the logarithm is taken

_BINS = 15  # number of bins for the calibration error; each bin has the same number of cells
_MIN_ANSWER = 1e-6  # lower probabilities are raised to this for the log loss


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The samples that all models are trained and calibrated with, besides photos.

    ``drawn``: cells of drawn boards. ``pasted``: pages of digits of a database. ``check``: cells of drawn
    boards that no model learns from, for calibration.
    """

    drawn: Samples
    pasted: Sequence[Samples]
    check: Samples

    @property
    def quick(self) -> Samples:
        """The samples for the first stage."""
        return joined([self.drawn, *self.pasted[::_PASTED_PAGES]])

    def fit_plain(self, settings: Settings, steps: Steps, name: str) -> DigitModel:
        """Return a model that is fitted to drawn and pasted cells, without photos, and calibrated."""
        model = _fit_first_stage(
            self.quick, settings.first_stage, settings.members, settings.seed, steps, name
        )
        second = _fit_handwriting(self._digits(), settings, steps, f"{name}, handwriting")
        return calibrated(replace(model, handwriting=second), self.check)

    def fit(
        self, plain: DigitModel, photos: Sequence[RealBoard], settings: Settings, steps: Steps, name: str
    ) -> DigitModel:
        """Return a model that is fitted to drawn cells, pasted cells and *photos*.

        The training of its second stage starts from the second stage of *plain*. The model keeps the
        temperatures of *plain*: they were measured on photos from which *plain* had not learnt.
        """
        rng = np.random.default_rng([settings.seed, _PHOTO_STREAM])
        real = [
            board_samples(glyphs, board.classes, settings, rng)
            for board in photos
            for glyphs in (board.glyphs, board.shaken)
        ]
        few = [copy for board in photos for copy in board.warped[: settings.first_warped]]
        first = joined([self.quick, *real, *few])
        model = _fit_first_stage(first, settings.first_stage, settings.members, settings.seed, steps, name)
        many = [copy for board in photos for copy in board.warped]
        known = plain.handwriting
        second = _fit_handwriting(self._digits(many), settings, steps, f"{name}, handwriting", known)
        if known is not None:
            second = replace(second, temperature=known.temperature)
        return replace(model, temperature=plain.temperature, handwriting=second)

    def _digits(self, real: Sequence[Samples] = ()) -> Samples:
        """Return the samples for the second stage, without blank cells."""
        return joined([self.drawn.select(self.drawn.classes != BLANK), *self.pasted, *real])


def draw_training_set(kept: Sources, held: Sources, settings: Settings, steps: Steps) -> TrainingSet:
    """Return a training set. Its boards are drawn with *kept*, and the boards for checking with *held*.

    Digits that a quickly fitted model can't see are left out.
    """
    drawn = _draw(kept, settings.boards, settings, 0, steps, "Drawing boards to learn from")
    check = _draw(held, settings.held_boards, settings, 1, steps, "Drawing boards to check on")
    quick = replace(settings.first_stage, epochs=settings.legibility_epochs)
    sight = _fit_first_stage(drawn, quick, 1, settings.seed, steps, "Finding what can be read at all")
    rng = np.random.default_rng([settings.seed, _PASTED_STREAM])
    pages = _pasted_samples(kept.strokes, kept.labels, settings.pasted, rng, steps)
    return TrainingSet(legible(drawn, sight, HIDDEN), pages, legible(check, sight, HIDDEN))


def _draw(sources: Sources, count: int, settings: Settings, stream: int, steps: Steps, name: str) -> Samples:
    """Draw *count* boards, each with a random generator of its own, and return samples of their cells."""
    picking = np.random.default_rng([settings.seed, _PICK_STREAM + stream])
    samples = []
    for number in steps(count, name):
        board = draw_board(sources, np.random.default_rng([settings.seed, stream, number]))
        glyphs = cut_glyphs(rectify(board.photo, board.lattice))
        samples.append(board_samples(glyphs, board.classes, settings, picking))
    return joined(samples)


def _pasted_samples(
    strokes: Image, labels: NDArray[np.integer], copies: int, rng: Generator, steps: Steps
) -> list[Samples]:
    """Return the samples of pages on which each digit of a database stands *copies* times."""
    found = []
    for _ in steps(copies, "Writing digits into cells"):
        order = rng.permutation(len(labels))
        for part in np.array_split(order, max(1, len(order) // _PASTED)) if len(order) else []:
            glyphs = cut_glyphs(pasted(strokes[part], rng))
            found.append(described(glyphs, labels[part].astype(np.int64) + WRITTEN - 1))
    return found


def _fit_first_stage(
    samples: Samples, how: Hyperparameters, members: int, seed: int, steps: Steps, name: str
) -> DigitModel:
    """Fit *members* networks with the settings *how*; return them as a model without a second stage."""
    features, classes, layers = samples.features, samples.classes, []
    for number in range(members):
        title, own_seed = f"{name}, {number + 1} of {members}", seed + _MEMBER_SEED + number
        layers.append(fit_network(features, classes, len(CLASSES), how, own_seed, steps, title))
    return DigitModel(tuple(layers), header={"written_share": _UNKNOWN_SHARE})


def learn_dictionary(images: Floats, centres: int, seed: int) -> StrokeDictionary:
    """Return a dictionary of *centres* typical pieces of strokes, learnt from glyphs *images* (N, 28, 28)."""
    rng = np.random.default_rng(seed)
    chosen = images[rng.permutation(len(images))[:_GLYPHS]]
    found = strokes.patches(chosen).reshape(-1, strokes.PATCH**2)
    found = found[np.ptp(found, axis=1) > _PEAK]
    found = strokes.normalised(found[rng.permutation(len(found))[:_PATCHES]])
    mean = found.mean(axis=0)
    axes, variances, _ = np.linalg.svd(np.cov((found - mean).T))
    whitening = (axes / np.sqrt(variances + _RIDGE)) @ axes.T
    found_centres = cluster((found - mean) @ whitening, centres, seed)
    return StrokeDictionary(*(a.astype(np.float32) for a in (mean, whitening, found_centres)))


def _fit_handwriting(
    samples: Samples, settings: Settings, steps: Steps, name: str, start: HandwritingClassifier | None = None
) -> HandwritingClassifier:
    """Fit the classifier of handwriting to all written and some printed digits.

    If *start* is given, the training continues from it.
    """
    rng = np.random.default_rng(settings.seed)
    some = rng.random(len(samples)) < settings.printed_share
    chosen = samples.select(is_written(samples.classes) | (is_printed(samples.classes) & some))
    if start is None:
        dictionary = learn_dictionary(chosen.glyphs, settings.centres, settings.seed)
        how, known = settings.handwriting, None
    else:
        dictionary, how, known = start.dictionary, settings.tuning, start.layers
    parts = np.array_split(np.arange(len(chosen)), max(1, len(chosen) // _DESCRIBED))
    numbers = steps(len(parts), f"{name}: looking at shapes")
    upright = (strokes.set_upright(chosen.select(parts[number]).glyphs) for number in numbers)
    features = np.concatenate([strokes.describe_shapes(glyphs, dictionary) for glyphs in upright])
    digits = digits_of(chosen.classes) - 1
    layers = fit_network(features, digits, 9, how, settings.seed, steps, name, known)
    return HandwritingClassifier(dictionary, layers)


def calibrated(model: DigitModel, samples: Samples) -> DigitModel:
    """Return *model* with those temperatures for which its log loss on *samples* is smallest."""
    logs_of_first: Floats = np.log(np.maximum(model.first_stage(samples.features), np.float32(_MIN_SHARE)))
    best = best_temperature(lambda temperature: logs_of_first / np.float32(temperature), samples.classes)
    model = replace(model, temperature=model.temperature * best)
    written = samples.select(is_written(samples.classes))
    if model.handwriting is None or not len(written):
        return model
    first = model.first_stage(written.features)
    asked = may_be_handwritten(first)
    outputs = model.handwriting.outputs(written.glyphs[asked])

    def logs(temperature: float) -> Floats:
        answers = first.copy()
        answers[asked] = join_stages(first[asked], log_softmax(outputs / np.float32(temperature)))
        return np.log(np.maximum(answers, _MIN_SHARE))

    best = best_temperature(logs, written.classes)
    return replace(model, handwriting=replace(model.handwriting, temperature=best))


def measure_held(model: DigitModel, check: Samples) -> dict[str, Any]:
    """Return the metrics of *model* on all samples *check*, on printed digits, and on handwritten digits."""
    answers = model.both_stages(model.first_stage(check.features), check.glyphs)[0]
    kinds = {
        "held_drawn": np.ones(len(check), bool),
        "held_printed": is_printed(check.classes),
        "held_written": is_written(check.classes),
    }
    return {name: _metrics(answers[kind], check.classes[kind]) for name, kind in kinds.items() if kind.any()}


def class_probabilities(model: DigitModel, board: RealBoard) -> Floats:
    """Return the class probabilities (81, 20) of a real board; each cell is classified on its own."""
    return model.both_stages(model.first_stage(describe(board.glyphs)), board.glyphs.images)[0]


def board_metrics(answers: Mapping[RealBoard, Floats]) -> dict[str, Any]:
    """Return metrics for each folder of photos. *answers*: the class probabilities (81, 20) of each board."""
    folders: dict[str, list[RealBoard]] = defaultdict(list)
    for board in answers:
        folders[board.name.split("/")[0]].append(board)
    metrics: dict[str, Any] = {}
    for folder, boards in sorted(folders.items()):
        found = np.stack([answers[board] for board in boards])
        classes = np.stack([board.classes for board in boards])
        read = ten_answers(found.reshape(-1, len(CLASSES))).argmax(axis=1).reshape(classes.shape)
        wrong = (read != digits_of(classes)).sum(axis=1).tolist()
        named = zip(boards, wrong, strict=True)
        metrics[folder] = _metrics(found.reshape(-1, len(CLASSES)), classes.ravel()) | {
            "boards": len(boards),
            "boards_right": wrong.count(0),
            "boards_wrong": {board.name: count for board, count in named if count},
        }
    return metrics


def _metrics(probabilities: Floats, classes: Classes) -> dict[str, Any]:
    """Return error rates and other figures for *probabilities* (N, 20) and the true *classes* (N,)."""
    real = classes != JUNK
    answers, truth = ten_answers(probabilities)[real], digits_of(classes)[real]
    read, sure = answers.argmax(axis=1), answers.max(axis=1)
    inked, wrong = truth > 0, read != truth
    written = probabilities[real][:, 10:19].sum(axis=1) > probabilities[real][:, 1:10].sum(axis=1)
    parts = [part for part in np.array_split(np.argsort(sure, kind="stable"), _BINS) if len(part)]
    bins = [Bin(0, 1, len(part), float(sure[part].mean()), int((~wrong[part]).sum())) for part in parts]
    return {
        "cells": len(truth),
        "error": _share(wrong),
        "digit_error": _share(wrong[inked]),
        "blank_error": _share(wrong[~inked]),
        "kind_error": _share(written[inked] != is_written(classes[real][inked])),
        "log_loss": float(-np.log(np.maximum(answers[np.arange(len(truth)), truth], _MIN_ANSWER)).mean()),
        "calibration_error": calibration_error(bins),
        "confusion": confusion_matrix(truth, read, labels=range(10)).tolist(),
    }


def _share(wrong: NDArray[np.bool_]) -> float:
    return float(wrong.mean()) if len(wrong) else 0.0
