"""Train the digit classifier, the reader of pencil marks and the occlusion model: ``sudoku-vision train``.

The road is the same for all: gather typefaces and handwriting (:mod:`.sources`), draw boards with them
(:mod:`.boards`), find and cut labelled photos (:mod:`.photos`), fit networks with scikit-learn
(:mod:`.training_set`, :mod:`.marks`, :mod:`.occlusion`), measure them on what they have not seen, and write
the model file and its card (:mod:`.card`). Everything follows from the seed.
"""

import datetime
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import check_place, write_atomically
from sudoku_vision.parallel import SerialExecutor
from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.classes import CLASSES
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.model import (
    load_model,
    mark_reader_from_bytes,
    mark_reader_to_bytes,
    model_from_bytes,
    model_to_bytes,
    occlusion_model_from_bytes,
    occlusion_model_to_bytes,
)
from sudoku_vision.vision.digits.occlusion import OcclusionModel
from sudoku_vision.workshop.evaluation.labels import LabelledPicture
from sudoku_vision.workshop.training.card import digit_card, mark_card, occlusion_card
from sudoku_vision.workshop.training.handwriting import calibrated_stages
from sudoku_vision.workshop.training.marks import (
    drawn_mark_boards,
    fit_mark_reader,
    labelled_mark_boards,
    measure_marks,
)
from sudoku_vision.workshop.training.metrics import board_metrics, class_probabilities, measure_held
from sudoku_vision.workshop.training.occlusion import draw_covers, fit_occlusion_model, measure_occlusion
from sudoku_vision.workshop.training.photos import (
    RealBoard,
    cut_boards,
    find_boards,
    folds_by_source,
    labelled_pictures,
)
from sudoku_vision.workshop.training.samples import described, joined, written_share
from sudoku_vision.workshop.training.settings import (
    MarkSettings,
    OcclusionSettings,
    Settings,
    Steps,
    silent_steps,
)
from sudoku_vision.workshop.training.sources import gather_sources
from sudoku_vision.workshop.training.training_set import TrainingSet, draw_training_set

Metrics = dict[str, Any]  # what was measured on what was held out


def train(
    out: Path,
    *,
    fonts: Sequence[Path] = (),
    photos: Sequence[Path] = (),
    handwriting: Sequence[Path] = (),
    folds: int = 0,
    settings: Settings | None = None,
    command: str = "sudoku-vision train",
    steps: Steps = silent_steps,
) -> tuple[DigitModel, Metrics]:
    """Train a classifier and write it to *out*, and its card beside it.

    *fonts* are folders of typefaces (besides the bundled ones), *photos* folders of labelled photos,
    *handwriting* ``.npz`` files with ``labels`` (N,) and ``images`` (N, S, S) uint8, white on black, or
    ``points`` (N, P, 2) uint8, the strokes of a pen, x and y from 0 to 100, y upwards. With
    *folds*, the metrics on the photos come from that many networks, each trained without the puzzles it is
    measured on. *steps* counts the steps of the work, and may show them. Raises SaveError if *out* can't be
    written and UsageError for input that is not there.
    """
    settings = settings or Settings()
    pictures = labelled_pictures(photos)
    check_place(out)
    kept, held = gather_sources(fonts, handwriting, settings.held_share, settings.seed)
    training_set = draw_training_set(kept, held, settings, steps)
    trained, metrics, boards = _fit_digits(training_set, pictures, folds, settings, steps)
    header = _header(settings, command, boards) | {"written_share": written_share(training_set.drawn)}
    data = model_to_bytes(replace(trained, header=header))
    model = model_from_bytes(data)
    _write(out, data, digit_card(model, metrics, len(data)))
    return model, metrics


def _fit_digits(
    training_set: TrainingSet,
    pictures: Sequence[LabelledPicture],
    folds: int,
    settings: Settings,
    steps: Steps,
) -> tuple[DigitModel, Metrics, int]:
    """Fit without photos and measure on them, then fit on; the result, and how many photos there are."""
    plain = training_set.fit_plain(settings, steps, "Learning from drawn boards")
    boards = cut_boards(find_boards(pictures, plain, steps), settings.warped, settings.seed, steps)
    if not boards:
        return plain, measure_held(plain, training_set.check), 0
    # Calibrated on puzzles, which the program is for: on sheets of random digits another one shines through.
    puzzles = [board for board in boards if board.is_puzzle] or boards
    plain = calibrated_stages(plain, joined([described(board.glyphs, board.classes) for board in puzzles]))
    answers = [class_probabilities(plain, board) for board in boards]
    unseen = {"photos_unseen": board_metrics(boards, answers)}
    if folds:
        unseen["photos_folds"] = _measure_folds(training_set, plain, boards, folds, settings, steps)
    model = training_set.fit(plain, boards, settings, steps, "Learning from everything")
    return model, measure_held(model, training_set.check) | unseen, len(boards)


def _measure_folds(
    training_set: TrainingSet,
    plain: DigitModel,
    boards: Sequence[RealBoard],
    folds: int,
    settings: Settings,
    steps: Steps,
) -> dict[str, Any]:
    """Return metrics on the photos, each read by a model that never saw its puzzle."""
    fewer = replace(settings, members=settings.fold_members)
    fold = folds_by_source([board.source for board in boards], folds, settings.seed)
    answers: list[Floats] = [np.zeros((81, len(CLASSES)), np.float32)] * len(boards)
    for index in range(folds):
        seen = [board for board, f in zip(boards, fold, strict=True) if f != index]
        model = training_set.fit(plain, seen, fewer, steps, f"Fold {index + 1} of {folds}")
        for number in np.flatnonzero(fold == index).tolist():
            answers[number] = class_probabilities(model, boards[number])
    return board_metrics(boards, answers)


def train_marks(
    out: Path,
    *,
    fonts: Sequence[Path] = (),
    photos: Sequence[Path] = (),
    handwriting: Sequence[Path] = (),
    table: Path | None = None,
    folds: int = 0,
    settings: MarkSettings | None = None,
    command: str = "sudoku-vision train --part marks",
    steps: Steps = silent_steps,
) -> tuple[MarkReader, Metrics]:
    """Train a reader of pencil marks and write it to *out*, and its card beside it.

    All as for :func:`train`; the labels of *photos* say where marks stand, *table* which they are.
    """
    settings = settings or MarkSettings()
    pictures = [
        picture for picture in labelled_pictures(photos, table) if picture.labels[0].marks is not None
    ]
    if photos and not pictures:
        raise UsageError(
            "The labels of these photos do not tell where pencil marks stand.",
            "It takes images/NAME.jpg and labels/NAME.txt, or a labels.csv with marks.",
        )
    check_place(out)
    model, seed = load_model(), settings.seed
    kept, held = gather_sources(fonts, handwriting, settings.held_share, seed)
    drawn = drawn_mark_boards(kept, settings.boards, model, [seed, 0], steps, "Drawing boards with marks")
    check = drawn_mark_boards(
        held, settings.held_boards, model, [seed, 1], steps, "Drawing boards to check on"
    )
    real = labelled_mark_boards(find_boards(pictures, model, steps), model)
    by_folds: list[dict[str, int]] = []
    fold = folds_by_source([board.source for board in real], folds, seed) if folds else np.zeros(0)
    for index in range(folds if real else 0):
        seen, unseen = ([real[n] for n in np.flatnonzero(part)] for part in (fold != index, fold == index))
        reader = fit_mark_reader(drawn, check, seen, seed, steps)
        by_folds.append(measure_marks(reader, unseen))
    reader = fit_mark_reader(drawn, check, real, seed, steps)
    metrics = {"held_drawn": measure_marks(reader, check)}
    if by_folds:
        metrics["photos_folds"] = {name: sum(of[name] for of in by_folds) for name in by_folds[0]}
    data = mark_reader_to_bytes(replace(reader, header=_header(settings, command, len(real))))
    reader = mark_reader_from_bytes(data)
    _write(out, data, mark_card(reader, metrics, len(data)))
    return reader, metrics


def train_occlusion(
    out: Path,
    *,
    photos: Sequence[Path] = (),
    folds: int = 0,
    settings: OcclusionSettings | None = None,
    command: str = "sudoku-vision train --part occlusion",
    executor: Executor | None = None,
    steps: Steps = silent_steps,
) -> tuple[OcclusionModel, Metrics]:
    """Train the occlusion model on covered *photos* and write it to *out*, and its card beside it.

    All as for :func:`train`; *executor* reads the covered photos, in this process by default. Raises
    UsageError where no grid is found in any of the photos.
    """
    settings = settings or OcclusionSettings()
    pictures = labelled_pictures(photos)
    check_place(out)
    boards = find_boards(pictures, load_model(), steps)
    if not boards:
        raise UsageError("There is no labelled photo of a grid to learn from.", "Give folders with --photos.")
    samples = draw_covers(boards, settings, executor or SerialExecutor(), steps)
    metrics: Metrics = {}
    fold = folds_by_source([one.source for one in samples], folds, settings.seed) if folds else np.zeros(0)
    for index in range(folds):
        seen, unseen = ([samples[n] for n in np.flatnonzero(part)] for part in (fold != index, fold == index))
        found = measure_occlusion(fit_occlusion_model(seen, settings, steps), unseen)
        for name, counts in found.items():
            metrics.setdefault(name, Counter()).update(counts)
    model = fit_occlusion_model(samples, settings, steps)
    metrics = {"photos_folds": metrics} if folds else {"seen": measure_occlusion(model, samples)}
    header = _header(settings, command, len(boards))
    data = occlusion_model_to_bytes(replace(model, header=header))
    model = occlusion_model_from_bytes(data)
    _write(out, data, occlusion_card(model, metrics, len(data)))
    return model, metrics


def _header(
    settings: Settings | MarkSettings | OcclusionSettings, command: str, photos: int
) -> dict[str, Any]:
    """Return what a model file says of how it was made."""
    drawn = "" if isinstance(settings, OcclusionSettings) else f"{settings.boards} drawn boards, "
    return {
        "command": command,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "seed": settings.seed,
        "settings": repr(settings),
        "data": f"{drawn}{photos} labelled photos",
    }


def _write(out: Path, data: bytes, card: str) -> None:
    write_atomically(out, data)
    write_atomically(out.with_suffix(".md"), card.encode())
