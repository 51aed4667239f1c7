"""Measure a classifier on samples and on labelled boards that it has not learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.workshop.evaluation.reliability import Bin, calibration_error
from sudoku_vision.workshop.training.photos import RealBoard
from sudoku_vision.workshop.training.samples import (
    JUNK,
    Classes,
    Samples,
    as_floats,
    digits_of,
    is_printed,
    is_written,
    ten_answers,
)


def measure(model: DigitModel, samples: Samples) -> dict[str, Any]:
    """Return metrics on samples: shares of errors, calibration error and confusion matrix."""
    answers = model.class_probabilities(samples.features, as_floats(samples.images))
    return _metrics(answers, samples.classes)


def measure_held(model: DigitModel, check: Samples) -> dict[str, Any]:
    """Return metrics on held-out boards: of all cells, of print, and of handwriting."""
    kinds = {
        "held_drawn": np.ones(len(check), bool),
        "held_printed": is_printed(check.classes),
        "held_written": is_written(check.classes),
    }
    return {name: measure(model, check.select(kind)) for name, kind in kinds.items() if kind.any()}


def measure_boards(model: DigitModel, boards: Sequence[RealBoard]) -> dict[str, Any]:
    """Return metrics on real boards, by folder: boards right in every cell, and those of :func:`measure`."""
    return board_metrics(boards, [class_probabilities(model, board) for board in boards])


def class_probabilities(model: DigitModel, board: RealBoard) -> Floats:
    """Return the probabilities (81, 20) of the classes of a real board, each cell alone."""
    return model.class_probabilities(describe(board.glyphs), board.glyphs.images)


def board_metrics(boards: Sequence[RealBoard], answers: Sequence[Floats]) -> dict[str, Any]:
    """Return metrics by folder of the photos."""
    metrics: dict[str, Any] = {}
    for folder in sorted({board.name.split("/")[0] for board in boards}):
        here = [i for i, board in enumerate(boards) if board.name.startswith(folder + "/")]
        wrong = [
            int((ten_answers(answers[i]).argmax(axis=1) != digits_of(boards[i].classes)).sum()) for i in here
        ]
        found = _metrics(
            np.concatenate([answers[i] for i in here]), np.concatenate([boards[i].classes for i in here])
        )
        found["boards"] = len(here)
        found["boards_right"] = int(np.sum(np.array(wrong) == 0))
        found["boards_wrong"] = {boards[i].name: w for i, w in zip(here, wrong, strict=True) if w}
        metrics[folder] = found
    return metrics


def _metrics(probabilities: Floats, classes: Classes) -> dict[str, Any]:
    real = classes != JUNK
    answers, truth = ten_answers(probabilities)[real], digits_of(classes)[real]
    read, sure = answers.argmax(axis=1), answers.max(axis=1)
    confusion = np.zeros((10, 10), np.int64)
    np.add.at(confusion, (truth, read), 1)
    inked = truth > 0
    written = probabilities[real][:, 10:19].sum(axis=1) > probabilities[real][:, 1:10].sum(axis=1)
    kind_wrong = written[inked] != is_written(classes[real][inked])
    return {
        "cells": len(truth),
        "error": float((read != truth).mean()),
        "digit_error": float((read != truth)[inked].mean()) if inked.any() else 0.0,
        "blank_error": float((read != truth)[~inked].mean()) if (~inked).any() else 0.0,
        "kind_error": float(kind_wrong.mean()) if inked.any() else 0.0,
        "junk_found": float((probabilities[~real].argmax(axis=1) == JUNK).mean()) if (~real).any() else 1.0,
        "log_loss": float(-np.log(np.maximum(answers[np.arange(len(truth)), truth], 1e-6)).mean()),
        "calibration_error": _calibration_error(sure, read == truth),
        "confusion": confusion.tolist(),
    }


def _calibration_error(sure: Floats, right: NDArray[np.bool_], bins: int = 15) -> float:
    """Expected calibration error over equally filled bins."""
    parts = np.array_split(np.argsort(sure, kind="stable"), bins)
    return calibration_error(
        Bin(0, 1, len(part), float(sure[part].mean()), int(right[part].sum())) for part in parts if len(part)
    )
