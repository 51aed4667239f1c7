"""Train the digit classifier: ``sudoku-vision train``.

The road: gather typefaces and handwriting (:mod:`.sources`), draw boards with them (:mod:`.drawn_cells`), fit
both stages of the classifier to these with scikit-learn (:mod:`.training_set`), cut cells from labelled
photos (:mod:`.photos`), calibrate and measure the model on them while it has not seen them (:mod:`.metrics`),
let it learn from them as well, and write the model file and its card (:mod:`.card`). Everything follows from
the seed.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.output.save import check_place, write_atomically
from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.model import model_from_bytes, model_to_bytes
from sudoku_vision.workshop.training.card import card_place, model_card
from sudoku_vision.workshop.training.dataset import check_photos, folds_by_source
from sudoku_vision.workshop.training.handwriting import calibrated_stages
from sudoku_vision.workshop.training.metrics import (
    board_metrics,
    class_probabilities,
    measure_boards,
    measure_held,
)
from sudoku_vision.workshop.training.photos import RealBoard, upright_boards
from sudoku_vision.workshop.training.progress import Steps, silent_steps
from sudoku_vision.workshop.training.samples import described, joined, written_share
from sudoku_vision.workshop.training.settings import Settings
from sudoku_vision.workshop.training.sources import check_folders, gather_sources
from sudoku_vision.workshop.training.training_set import TrainingSet, draw_training_set

_CLASSES = 20


@dataclass(frozen=True, eq=False)
class Trained:
    """What training hands back: the model, and the metrics measured on what was held out."""

    model: DigitModel
    metrics: dict[str, Any] = field(default_factory=dict)


def train(
    out: Path,
    *,
    fonts: Sequence[Path] = (),
    photos: Sequence[Path] = (),
    handwriting: Path | None = None,
    folds: int = 0,
    cache: Path | None = None,
    settings: Settings | None = None,
    command: str = "sudoku-vision train",
    steps: Steps = silent_steps,
) -> Trained:
    """Train a classifier and write it to *out*, and its card beside it (:func:`.card_place`).

    *fonts* are folders of typefaces (besides the bundled ones), *photos* folders of labelled photos,
    *handwriting* an ``.npz`` file with ``images`` (N, 28, 28) uint8, white on black, and ``labels``. With
    *folds*, the metrics on the photos come from that many networks, each trained without the puzzles it is
    measured on. In the folder *cache*, drawn boards are kept for the next training. *steps* counts the steps
    of the work, and may show them. Raises SaveError if *out* can't be written and UsageError for input that
    is not there.
    """
    settings = settings or Settings()
    check_folders([*fonts, *photos])
    check_photos(photos)
    check_place(out)
    kept, held = gather_sources(fonts, handwriting, settings.held_share, settings.seed)
    training_set = draw_training_set(kept, held, settings, steps, cache)
    trained, boards = _fit_and_measure(training_set, photos, folds, settings, steps)
    header = {
        "command": command,
        "date": today(),
        "seed": settings.seed,
        "settings": repr(settings),
        "written_share": written_share(training_set.drawn),
        "data": f"{settings.boards} drawn boards, {boards} labelled photos",
    }
    data = model_to_bytes(replace(trained.model, header=header))
    write_atomically(out, data)
    trained = Trained(model_from_bytes(data), trained.metrics)
    write_atomically(card_place(out), model_card(trained.model, trained.metrics, len(data)).encode())
    return trained


def _fit_and_measure(
    training_set: TrainingSet, photos: Sequence[Path], folds: int, settings: Settings, steps: Steps
) -> tuple[Trained, int]:
    """Fit without photos and measure on them, then fit on; the result, and how many photos there are."""
    plain = training_set.fit_plain(settings, steps, "Learning from drawn boards")
    boards = upright_boards(photos, plain, settings.warped, settings.seed, steps)
    if not boards:
        return Trained(plain, measure_held(plain, training_set.check)), 0
    plain = calibrated_stages(plain, joined([described(board.glyphs, board.classes) for board in boards]))
    unseen: dict[str, Any] = {"photos_unseen": measure_boards(plain, boards)}
    if folds:
        unseen["photos_folds"] = _cross_validate(training_set, plain, boards, folds, settings, steps)
    model = training_set.fit(plain, boards, settings, steps, "Learning from everything")
    return Trained(model, measure_held(model, training_set.check) | unseen), len(boards)


def _cross_validate(
    training_set: TrainingSet,
    plain: DigitModel,
    boards: Sequence[RealBoard],
    folds: int,
    settings: Settings,
    steps: Steps,
) -> dict[str, Any]:
    """Metrics on the photos, each read by a model that never saw its puzzle."""
    fewer = replace(settings, members=settings.fold_members)
    fold = folds_by_source([board.source for board in boards], folds, settings.seed)
    answers: list[Floats] = [np.zeros((81, _CLASSES), np.float32)] * len(boards)
    for index in range(folds):
        seen = [board for board, f in zip(boards, fold, strict=True) if f != index]
        model = training_set.fit(plain, seen, fewer, steps, f"Fold {index + 1} of {folds}")
        for number in np.flatnonzero(fold == index).tolist():
            answers[number] = class_probabilities(model, boards[number])
    return board_metrics(boards, answers)


def today() -> str:
    """Return the date, as headers of models have it."""
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()
