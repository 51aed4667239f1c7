"""Train the digit classifier: draw a training set, then fit, calibrate and measure its two stages.

The second stage reads handwriting. It needs a dictionary of typical pieces of strokes: patches of digits are
whitened by their principal components and clustered by k-means.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans
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
from workshop.progress import tracked
from workshop.training.boards import draw_board
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.photos import (
    RealBoard,
    cut_boards,
    find_boards,
    labelled_pictures,
    with_models_of_others,
)
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
    written_share,
)
from workshop.training.settings import DigitSettings, Hyperparameters, Inputs, Trained
from workshop.training.sources import Sources, gather_sources

HIDDEN = 0.85  # drawn digits are left out if a model gives blank a higher probability: nobody could read them
_PASTED_PAGES = 3  # the first stage learns from every third page of pasted digits
_PICK_STREAM, _PASTED_STREAM, _PHOTO_STREAM = 2, 4, 77
"""Numbers that are passed to a random generator together with the seed. With them, no two parts of the
training get the same random numbers."""
_MEMBER_SEED = 1000  # the first network has the seed of the training plus this number

_FOLD_MEMBERS = 1  # number of networks in the first stage of a model for cross-validation
_LEGIBILITY_EPOCHS = 4  # epochs of the quickly trained model that decides which drawn digits can be read
_FIRST_WARPED = 2  # the first stage learns from this number of warped copies of each written digit in a photo
_PRINTED_SHARE = 0.3  # the second stage learns from written digits, and from this share of the printed ones
_UNKNOWN_SHARE = 0.4  # while a model is trained, this share of the digits is assumed to be handwritten
_PEAK = 0.2  # patches whose values (0..1) have a smaller range are not used for the dictionary
_GLYPHS, _PATCHES = 6000, 200_000  # largest number of glyphs, and of patches from them, for the dictionary
_RIDGE = 0.1  # added to the variances of principal components; without it, whitening would amplify noise
_CLUSTER_BATCH = 4096  # number of points for one step of k-means
_DESCRIBED = 1000  # number of glyphs that are described at once, to limit the memory
_PASTED = 81  # number of pasted digits on a page; a digit's features depend on its page
_MIN_SHARE = 1e-30  # smaller probabilities are replaced by this before their logarithm is taken

_BINS = 15  # number of bins for the calibration error; each bin has the same number of cells
_MIN_ANSWER = 1e-6  # for the log loss, smaller probabilities are replaced by this


def train_digits(inputs: Inputs, settings: DigitSettings) -> Trained:
    """Train the digit classifier."""
    pictures = labelled_pictures(inputs.photos)
    sources = gather_sources(inputs.fonts, inputs.handwriting, settings.seed)
    training_set = draw_training_set(*sources, settings)
    header = {"written_share": written_share(training_set.drawn)}
    plain = training_set.fit(settings, "Learning from drawn boards")
    boards = cut_boards(find_boards(pictures, plain), settings.warped, settings.seed)
    if not boards:
        return Trained(replace(plain, header=header), measure_held(plain, training_set.check), 0)
    # Photos of random digits would change the temperature. So the model is calibrated only on puzzles.
    puzzles = [board for board in boards if board.is_puzzle] or boards
    plain = calibrated(plain, joined([described(board.glyphs, board.classes) for board in puzzles]))

    def fit(seen: Sequence[RealBoard]) -> DigitModel:
        fewer = replace(settings, members=_FOLD_MEMBERS)
        return training_set.fit(fewer, "Learning without some photos", plain, seen)

    unseen = {"photos_unseen": board_metrics([(plain, board) for board in boards])}
    if inputs.folds:
        others = with_models_of_others(boards, inputs.folds, settings.seed, fit)
        unseen["photos_folds"] = board_metrics(others)
    model = training_set.fit(settings, "Learning from everything", plain, boards)
    metrics = measure_held(model, training_set.check) | unseen
    return Trained(replace(model, header=header), metrics, len(boards))


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The samples with which all models are trained and calibrated. None of them is from a photo."""

    drawn: Samples  # cells of drawn boards
    pasted: Sequence[Samples]  # digits of a database, pasted on pages; an item for each page
    check: Samples  # cells of drawn boards that no model learns from, for calibration

    def fit(
        self,
        settings: DigitSettings,
        name: str,
        plain: DigitModel | None = None,
        photos: Sequence[RealBoard] = (),
    ) -> DigitModel:
        """Return a model that is fitted to drawn cells, pasted cells and *photos*.

        Without *plain*, the new model is calibrated. With *plain*, the training of the second stage starts
        from the second stage of *plain*, and the new model gets the temperatures of *plain*: these were
        measured on photos from which *plain* had not learnt.
        """
        rng = np.random.default_rng([settings.seed, _PHOTO_STREAM])
        real = [
            board_samples(glyphs, board.classes, rng)
            for board in photos
            for glyphs in (board.glyphs, board.shaken)
        ]
        few = [copy for board in photos for copy in board.warped[:_FIRST_WARPED]]
        first = joined([self.drawn, *self.pasted[::_PASTED_PAGES], *real, *few])
        model = _fit_first_stage(first, settings.first_stage, settings.members, settings.seed, name)
        many = [copy for board in photos for copy in board.warped]
        inked = joined([self.drawn.select(self.drawn.classes != BLANK), *self.pasted, *many])
        known = None if plain is None else plain.handwriting
        second = _fit_handwriting(inked, settings, f"{name}, handwriting", known)
        if plain is None or known is None:
            return calibrated(replace(model, handwriting=second), self.check)
        second = replace(second, temperature=known.temperature)
        return replace(model, temperature=plain.temperature, handwriting=second)


def draw_training_set(kept: Sources, held: Sources, settings: DigitSettings) -> TrainingSet:
    """Return a training set. Its boards are drawn with *kept*, and the boards for checking with *held*.

    Digits that a quickly trained model takes for blank cells are left out.
    """
    drawn = _draw(kept, settings.boards, settings.seed, 0, "Drawing boards to learn from")
    check = _draw(held, settings.held_boards, settings.seed, 1, "Drawing boards to check on")
    quick = replace(settings.first_stage, epochs=_LEGIBILITY_EPOCHS)
    sight = _fit_first_stage(drawn, quick, 1, settings.seed, "Finding what can be read at all")
    rng = np.random.default_rng([settings.seed, _PASTED_STREAM])
    pages = _pasted_samples(kept.strokes, kept.labels, settings.pasted, rng)
    return TrainingSet(legible(drawn, sight, HIDDEN), pages, legible(check, sight, HIDDEN))


def _draw(sources: Sources, count: int, seed: int, stream: int, name: str) -> Samples:
    """Draw *count* boards, each with a random generator of its own, and return samples of their cells."""
    picking = np.random.default_rng([seed, _PICK_STREAM + stream])
    samples = []
    for number in tracked(range(count), name):
        board = draw_board(sources, np.random.default_rng([seed, stream, number]))
        glyphs = cut_glyphs(rectify(board.photo, board.lattice))
        samples.append(board_samples(glyphs, board.classes, picking))
    return joined(samples)


def _pasted_samples(
    strokes: Image, labels: NDArray[np.integer], copies: int, rng: Generator
) -> list[Samples]:
    """Return samples of pages with the digits of a database. The whole database is used *copies* times."""
    found = []
    for _ in tracked(range(copies), "Writing digits into cells"):
        order = rng.permutation(len(labels))
        for part in np.array_split(order, max(1, len(order) // _PASTED)) if len(order) else []:
            glyphs = cut_glyphs(pasted(strokes[part], rng))
            found.append(described(glyphs, labels[part].astype(np.int64) + WRITTEN - 1))
    return found


def _fit_first_stage(
    samples: Samples, how: Hyperparameters, members: int, seed: int, name: str
) -> DigitModel:
    """Fit *members* networks with the settings *how*; return them as a model without a second stage."""
    features, classes, layers = samples.features, samples.classes, []
    for number in range(members):
        title, own_seed = f"{name}, {number + 1} of {members}", seed + _MEMBER_SEED + number
        layers.append(fit_network(features, classes, len(CLASSES), how, own_seed, title))
    return DigitModel(tuple(layers), header={"written_share": _UNKNOWN_SHARE})


def learn_dictionary(images: Floats, centres: int, seed: int) -> StrokeDictionary:
    """Return a dictionary of *centres* typical pieces of strokes. *images* (N, 28, 28): glyphs."""
    rng = np.random.default_rng(seed)
    chosen = images[rng.permutation(len(images))[:_GLYPHS]]
    found = strokes.patches(chosen).reshape(-1, strokes.PATCH**2)
    found = found[np.ptp(found, axis=1) > _PEAK]
    found = strokes.normalised(found[rng.permutation(len(found))[:_PATCHES]])
    mean = found.mean(axis=0)
    axes, variances, _ = np.linalg.svd(np.cov((found - mean).T))
    whitening = (axes / np.sqrt(variances + _RIDGE)) @ axes.T
    count = min(centres, len(found))
    means = MiniBatchKMeans(count, n_init=1, random_state=seed, batch_size=_CLUSTER_BATCH)
    means.fit((found - mean) @ whitening)
    return StrokeDictionary(*(a.astype(np.float32) for a in (mean, whitening, means.cluster_centers_)))


def _fit_handwriting(
    samples: Samples, settings: DigitSettings, name: str, start: HandwritingClassifier | None = None
) -> HandwritingClassifier:
    """Fit the classifier of handwriting to all written and some printed digits.

    If *start* is given, its weights are the initial weights.
    """
    rng = np.random.default_rng(settings.seed)
    some = rng.random(len(samples)) < _PRINTED_SHARE
    chosen = samples.select(is_written(samples.classes) | (is_printed(samples.classes) & some))
    tuning = replace(settings.handwriting, epochs=settings.tuning_epochs)
    if start is None:
        dictionary = learn_dictionary(chosen.glyphs, settings.centres, settings.seed)
        how, known = settings.handwriting, None
    else:
        dictionary, how, known = start.dictionary, tuning, start.layers
    parts = np.array_split(np.arange(len(chosen)), max(1, len(chosen) // _DESCRIBED))
    looking = tracked(parts, f"{name}: looking at shapes")
    upright = (strokes.set_upright(chosen.select(part).glyphs) for part in looking)
    features = np.concatenate([strokes.describe_shapes(glyphs, dictionary) for glyphs in upright])
    digits = digits_of(chosen.classes) - 1
    layers = fit_network(features, digits, 9, how, settings.seed, name, known)
    return HandwritingClassifier(dictionary, layers)


def calibrated(model: DigitModel, samples: Samples) -> DigitModel:
    """Return *model* with the temperatures that make its log loss on *samples* smallest."""
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
    """Return the metrics of *model* for three sets: all of *check*, its printed and its written digits."""
    answers = model.both_stages(model.first_stage(check.features), check.glyphs)[0]
    kinds = {
        "held_drawn": np.ones(len(check), bool),
        "held_printed": is_printed(check.classes),
        "held_written": is_written(check.classes),
    }
    return {name: _metrics(answers[kind], check.classes[kind]) for name, kind in kinds.items() if kind.any()}


def board_metrics(read: Sequence[tuple[DigitModel, RealBoard]]) -> dict[str, Any]:
    """Return metrics for each folder of photos; *read* has boards, each with the model that reads it.

    Each cell is classified on its own, without the rules of sudoku.
    """
    folders: dict[str, list[tuple[DigitModel, RealBoard]]] = defaultdict(list)
    for model, board in read:
        folders[board.name.split("/")[0]].append((model, board))
    metrics: dict[str, Any] = {}
    for folder, pairs in sorted(folders.items()):
        found = np.concatenate(
            [
                model.both_stages(model.first_stage(describe(board.glyphs)), board.glyphs.images)[0]
                for model, board in pairs
            ]
        )
        classes = np.concatenate([board.classes for _, board in pairs])
        misread = ten_answers(found).argmax(axis=1) != digits_of(classes)
        wrong = misread.reshape(-1, 81).sum(axis=1).tolist()
        metrics[folder] = _metrics(found, classes) | {
            "boards": len(pairs),
            "boards_right": wrong.count(0),
            "boards_wrong": {
                board.name: count for (_, board), count in zip(pairs, wrong, strict=True) if count
            },
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
