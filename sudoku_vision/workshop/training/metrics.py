"""Measure a classifier on samples and on labelled boards that it has not learnt from."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.workshop.evaluation.reliability import Bin, calibration_error
from sudoku_vision.workshop.training import samples
from sudoku_vision.workshop.training.photos import RealBoard

_BINS = 15  # of confidences, equally filled
_LEAST = 1e-6  # probability, so that its logarithm is finite


def measure_held(model: DigitModel, check: samples.Samples) -> dict[str, Any]:
    """Return metrics on held-out boards: of all cells, of print, and of handwriting."""
    answers = model.class_probabilities(check.features, samples.as_floats(check.images))
    kinds = {
        "held_drawn": np.ones(len(check), bool),
        "held_printed": samples.is_printed(check.classes),
        "held_written": samples.is_written(check.classes),
    }
    return {name: _metrics(answers[kind], check.classes[kind]) for name, kind in kinds.items() if kind.any()}


def class_probabilities(model: DigitModel, board: RealBoard) -> Floats:
    """Return the probabilities (81, 20) of the classes of a real board, each cell alone."""
    return model.class_probabilities(describe(board.glyphs), board.glyphs.images)


def board_metrics(boards: Sequence[RealBoard], answers: Sequence[Floats]) -> dict[str, Any]:
    """Return metrics by folder of the photos, with the boards that are right in every cell."""
    folders: dict[str, list[int]] = defaultdict(list)
    for number, board in enumerate(boards):
        folders[board.name.split("/")[0]].append(number)
    metrics: dict[str, Any] = {}
    for folder, here in sorted(folders.items()):
        pairs = [(answers[number], boards[number].classes) for number in here]
        reads = [
            (samples.ten_answers(found).argmax(axis=1), samples.digits_of(classes))
            for found, classes in pairs
        ]
        wrong = [int((read != truth).sum()) for read, truth in reads]
        metrics[folder] = _metrics(*(np.concatenate(parts) for parts in zip(*pairs, strict=True)))
        metrics[folder] |= {"boards": len(here), "boards_right": wrong.count(0)}
        named = zip(here, wrong, strict=True)
        metrics[folder]["boards_wrong"] = {boards[number].name: count for number, count in named if count}
    return metrics


def _metrics(probabilities: Floats, classes: samples.Classes) -> dict[str, Any]:
    """Return shares of errors, calibration error over equally filled bins, and confusion matrix."""
    real = classes != samples.JUNK
    answers, truth = samples.ten_answers(probabilities)[real], samples.digits_of(classes)[real]
    read, sure = answers.argmax(axis=1), answers.max(axis=1)
    confusion = np.zeros((10, 10), np.int64)
    np.add.at(confusion, (truth, read), 1)
    inked, wrong = truth > 0, read != truth
    written = probabilities[real][:, 10:19].sum(axis=1) > probabilities[real][:, 1:10].sum(axis=1)
    parts = [part for part in np.array_split(np.argsort(sure, kind="stable"), _BINS) if len(part)]
    bins = [Bin(0, 1, len(part), float(sure[part].mean()), int((~wrong[part]).sum())) for part in parts]
    return {
        "cells": len(truth),
        "error": _share(wrong),
        "digit_error": _share(wrong[inked]),
        "blank_error": _share(wrong[~inked]),
        "kind_error": _share(written[inked] != samples.is_written(classes[real][inked])),
        "log_loss": float(-np.log(np.maximum(answers[np.arange(len(truth)), truth], _LEAST)).mean()),
        "calibration_error": calibration_error(bins),
        "confusion": confusion.tolist(),
    }


def _share(wrong: NDArray[np.bool_]) -> float:
    return float(wrong.mean()) if len(wrong) else 0.0
