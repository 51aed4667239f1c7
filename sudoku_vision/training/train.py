"""Train the digit classifier: ``sudoku-vision train``.

The road: draw boards in many typefaces and hands, send them and the labelled photos through the reader's own
stages (:mod:`~sudoku_vision.rectify`, :mod:`~sudoku_vision.features`), fit an ensemble of multi-layer
perceptrons with scikit-learn, calibrate it by one temperature (C. Guo et al., "On calibration of modern
neural networks", 2017), measure it on typefaces, handwriting and photos that were held out, and write the
model file and its card. Everything follows from the seed.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from sklearn.neural_network import MLPClassifier

from sudoku_vision import features
from sudoku_vision.digits import CLASSES, DigitModel, model_from_bytes, model_to_bytes
from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.features import Glyphs
from sudoku_vision.rectify import rectify
from sudoku_vision.results import Floats, Lattice
from sudoku_vision.save import write_atomically
from sudoku_vision.training.card import CARD_TITLE, model_card
from sudoku_vision.training.cells import BLANK, JUNK, WRITTEN, Sources, draw_board, misplaced
from sudoku_vision.training.dataset import LabelledBoard, folds_by_source, labelled_boards
from sudoku_vision.training.typefaces import Typeface, bundled_typefaces, find_typefaces, split_families

Classes = NDArray[np.int64]


HIDDEN = 0.85
"""A drawn digit that a first fit takes for blank with this probability can't be seen."""


@dataclass(frozen=True)
class Settings:
    """How to train.

    ``boards`` are drawn for training, ``held_boards`` from typefaces and handwriting that are held out
    (``held_share`` of each); ``members`` networks of ``hidden`` units each see the cells ``epochs`` times.
    ``real_copies``: how often a real cell counts against a drawn one. ``fold_members``: networks a fold.
    ``glance_epochs``: epochs of the quick fit that tells what can be seen at all.
    """

    boards: int = 3600
    held_boards: int = 200
    held_share: float = 0.1
    hidden: tuple[int, ...] = (256,)
    members: int = 2
    epochs: int = 10
    averaged: int = 3
    decay: float = 1e-4
    blank_share: float = 0.5
    turned_share: float = 0.3
    real_copies: int = 2
    fold_members: int = 1
    glance_epochs: int = 4
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Samples:
    """Feature vectors (N, FEATURES) float32 and their classes (N,) int64."""

    features: Floats
    classes: Classes

    def __len__(self) -> int:
        return len(self.classes)


@dataclass(frozen=True, eq=False)
class RealBoard:
    """The glyphs of one labelled photo, turned upright, and its classes (81,).

    ``shaken`` are the glyphs once more, cut out through lattices that lie slightly off.
    """

    name: str
    source: str
    glyphs: Glyphs
    classes: Classes
    shaken: tuple[Glyphs, ...] = ()


@dataclass(frozen=True, eq=False)
class Trained:
    """What training hands back: the model and the figures measured on what was held out."""

    model: DigitModel
    figures: dict[str, Any] = field(default_factory=dict)


class Tracker:
    """Progress of the steps of a training, shown on a terminal only and always on standard error."""

    def __init__(self, shown: bool = True) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            console=console,
            disable=not (shown and console.is_terminal),
        )

    @contextmanager
    def running(self) -> Iterator[Tracker]:
        """Show the progress while the block runs."""
        with self._progress:
            yield self

    def steps(self, count: int, name: str) -> Iterator[int]:
        """Count from 0 to *count*, shown under *name*."""
        task = self._progress.add_task(name, total=count)
        for index in range(count):
            yield index
            self._progress.advance(task)


def train(
    out: Path,
    *,
    fonts: Sequence[Path] = (),
    photos: Sequence[Path] = (),
    handwriting: Path | None = None,
    folds: int = 0,
    settings: Settings | None = None,
    command: str = "sudoku-vision train",
    show_progress: bool = True,
) -> Trained:
    """Train a classifier and write it to *out*, and its card beside it (:func:`card_place`).

    *fonts* are folders of typefaces (besides the bundled ones), *photos* folders of labelled photos,
    *handwriting* an ``.npz`` file with ``images`` (N, 28, 28) uint8, white on black, and ``labels``. With
    *folds*, the figures on the photos come from that many networks, each trained without the puzzles it is
    measured on. Raises SaveError if *out* can't be written and UsageError for input that is not there.
    """
    settings = settings or Settings()
    for folder in (*fonts, *photos):
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder.", "Name folders of fonts and of labelled photos.")
    if not out.parent.is_dir():
        raise SaveError(f"The folder {out.parent} does not exist.", "Make it, or choose another place.")
    tracker = Tracker(show_progress)
    with tracker.running():
        rng = np.random.default_rng(settings.seed)
        kept, held = gather_sources(fonts, handwriting, settings)
        drawn = draw_samples(kept, settings.boards, settings, rng, tracker, "Drawing boards to learn from")
        apart = np.random.default_rng([settings.seed, 1])  # so that every model is checked on the same boards
        check = draw_samples(
            held, settings.held_boards, settings, apart, tracker, "Drawing boards to check on"
        )
        glance = replace(settings, members=1, epochs=settings.glance_epochs)
        sight = fit(drawn, glance, tracker, "Telling what can be seen at all")
        drawn, check = legible(drawn, sight), legible(check, sight)
        plain = fit(drawn, settings, tracker, "Learning from drawn boards")
        plain = calibrated(plain, [check])
        figures = measure_held(plain, check)
        model = plain
        boards = upright_boards(photos, plain, tracker, settings.real_copies - 1)
        if boards:
            figures["photos_unseen"] = measure_boards(plain, boards)
            if folds:
                figures["photos_folds"] = _cross_validate(drawn, check, boards, folds, settings, tracker)
            model = fit(_with_real(drawn, boards, settings), settings, tracker, "Learning from everything")
            model = calibrated(model, [check])
            figures.update(measure_held(model, check))
    header = {"command": command, "date": _today(), "seed": settings.seed, "settings": repr(settings)}
    header["written_share"] = written_share(drawn)
    header["data"] = f"{settings.boards} drawn boards, {len(boards)} labelled photos"
    model = DigitModel(model.layers, model.temperature, header)
    data = model_to_bytes(model)
    write_atomically(out, data)
    trained = Trained(model_from_bytes(data), figures)
    write_atomically(card_place(out), model_card(trained.model, figures, len(data)).encode())
    return trained


def card_place(out: Path) -> Path:
    """Where the card of a model goes: ``README.md`` beside it, unless that belongs to something else."""
    readme = out.with_name("README.md")
    if readme.exists() and not readme.read_text(encoding="utf-8", errors="replace").startswith(CARD_TITLE):
        return out.with_suffix(".md")
    return readme


def gather_sources(
    fonts: Sequence[Path], handwriting: Path | None, settings: Settings
) -> tuple[Sources, Sources]:
    """Typefaces and handwriting, split into those to learn from and those held out."""
    faces = sorted({*bundled_typefaces(), *find_typefaces(list(fonts))})
    kept, held = split_families(faces, settings.held_share, settings.seed)
    images, labels = _read_handwriting(handwriting)
    cut = round(len(labels) * (1 - settings.held_share))
    return (
        Sources(*_by_kind(kept), images[:cut], labels[:cut]),
        Sources(
            *_by_kind(held if any(not f.handwritten for f in held) else kept), images[cut:], labels[cut:]
        ),
    )


def _by_kind(faces: Sequence[Typeface]) -> tuple[list[list[Typeface]], list[list[Typeface]]]:
    """Printed and handwritten typefaces, those of one design together."""
    groups: tuple[dict[str, list[Typeface]], dict[str, list[Typeface]]] = ({}, {})
    for face in faces:
        groups[face.handwritten].setdefault(face.design, []).append(face)
    return list(groups[0].values()), list(groups[1].values())


def _read_handwriting(path: Path | None) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    if path is None:
        return np.zeros((0, 28, 28), np.uint8), np.zeros(0, np.int64)
    try:
        with np.load(path, allow_pickle=False) as file:
            images, labels = file["images"], file["labels"].astype(np.int64)
    except (OSError, ValueError, KeyError) as error:
        remedy = "Give an .npz file with the arrays images (N, 28, 28) and labels (N,)."
        raise UsageError(f"The handwriting {path} can't be read.", remedy) from error
    order = np.random.default_rng(1).permutation(np.flatnonzero(labels > 0))
    return images[order], labels[order]


def draw_samples(
    sources: Sources, count: int, settings: Settings, rng: np.random.Generator, tracker: Tracker, name: str
) -> Samples:
    """Draw boards and describe their cells; a share of the glyphs is seen turned, too, as junk."""
    parts = []
    for _ in tracker.steps(count, name):
        board = draw_board(sources, rng)
        glyphs = features.extract(rectify(board.photo, board.lattice))
        parts.append(samples_of(glyphs, board.classes, settings, rng))
    return joined(parts)


def samples_of(glyphs: Glyphs, classes: Classes, settings: Settings, rng: np.random.Generator) -> Samples:
    """Describe the cells of one board: part of the blanks, all digits, and some of them turned."""
    used = (classes != BLANK) | (rng.random(len(classes)) < settings.blank_share)
    described = features.describe(glyphs)[used]
    inked = np.flatnonzero((classes != BLANK) & glyphs.found)
    turn = int(rng.integers(1, 4))
    target = turned_classes(classes[inked], turn)
    chosen = (rng.random(len(inked)) < settings.turned_share) & (target >= 0)
    if not chosen.any():
        return Samples(described, classes[used])
    turned = features.describe(glyphs.select(inked).turned(turn))[chosen]
    return Samples(np.concatenate([described, turned]), np.concatenate([classes[used], target[chosen]]))


def turned_classes(classes: Classes, quarter_turns: int) -> Classes:
    """What digits become when they are turned: another digit, junk, or -1 where that is not settled."""
    digit = np.where(classes >= WRITTEN, classes - WRITTEN + 1, classes)
    result = np.full(len(classes), JUNK, np.int64)
    result[digit == 0] = BLANK
    unsettled = (1, 2, 5, 8) if quarter_turns == 2 else (8,)
    result[np.isin(digit, unsettled)] = -1
    if quarter_turns == 2:
        result[digit == 6] = classes[digit == 6] + 3
        result[digit == 9] = classes[digit == 9] - 3
    return result


def written_share(samples: Samples) -> float:
    """The share of written digits among all digits."""
    written = ((samples.classes >= WRITTEN) & (samples.classes < JUNK)).sum()
    printed = ((samples.classes > BLANK) & (samples.classes < WRITTEN)).sum()
    return round(float(written / max(1, written + printed)), 4)


def joined(parts: Sequence[Samples]) -> Samples:
    """All samples in one."""
    return Samples(
        np.concatenate([part.features for part in parts]), np.concatenate([part.classes for part in parts])
    )


def legible(samples: Samples, sight: DigitModel) -> Samples:
    """Leave out digits that blur, noise or faint ink hide so well that they look blank.

    Nobody could read them; learnt from, they would cast a doubt on every blank cell of every clear page. (A
    trimmed fit, as in Rousseeuw's least trimmed squares: what to trim is told by a first, quick fit.)
    """
    hidden = (samples.classes != BLANK) & (sight.probabilities(samples.features)[:, BLANK] > HIDDEN)
    return Samples(samples.features[~hidden], samples.classes[~hidden])


def fit(samples: Samples, settings: Settings, tracker: Tracker, name: str) -> DigitModel:
    """Fit the networks; each is the mean of its last epochs."""
    mean = samples.features.mean(axis=0)
    spread = samples.features.std(axis=0) + 0.05
    scaled = samples.features - mean
    scaled /= spread
    members = []
    for member in range(settings.members):
        network = MLPClassifier(
            settings.hidden,
            alpha=settings.decay,
            batch_size=min(256, len(samples)),
            shuffle=False,
            random_state=settings.seed + 1000 + member,
        )
        rng = np.random.default_rng([settings.seed, member])
        sums: list[NDArray[np.float64]] = []
        for epoch in tracker.steps(settings.epochs, f"{name}, {member + 1} of {settings.members}"):
            order = rng.permutation(len(samples))
            for part in np.array_split(order, max(1, len(order) // 10_000)):
                network.partial_fit(scaled[part], samples.classes[part], classes=np.arange(len(CLASSES)))
            if epoch >= settings.epochs - settings.averaged:
                now = [*network.coefs_, *network.intercepts_]
                sums = [a + b for a, b in zip(sums, now, strict=True)] if sums else [1.0 * a for a in now]
        members.append(_unscaled(sums, min(settings.averaged, settings.epochs), mean, spread))
    return DigitModel(tuple(members))


def _unscaled(
    sums: list[NDArray[np.float64]], count: int, mean: Floats, spread: Floats
) -> tuple[tuple[Floats, Floats], ...]:
    """Layers of a network, the scaling of its features folded into the first."""
    half = len(sums) // 2
    weights = [values / count for values in sums[:half]]
    biases = [values / count for values in sums[half:]]
    weights[0] = weights[0] / spread[:, None]
    biases[0] = biases[0] - mean @ weights[0]
    return tuple((w.astype(np.float32), b.astype(np.float32)) for w, b in zip(weights, biases, strict=True))


def calibrated(model: DigitModel, held: Sequence[Samples]) -> DigitModel:
    """Choose the temperature under which held-out samples are likeliest."""
    samples = joined(held)
    log_probs = np.log(np.maximum(model.probabilities(samples.features), 1e-30))
    best, least = 1.0, np.inf
    for temperature in np.geomspace(0.5, 4.0, 43):
        scaled = log_probs / temperature
        shifted = scaled - scaled.max(axis=1, keepdims=True)
        norm = np.log(np.exp(shifted).sum(axis=1))
        loss = float((norm - shifted[np.arange(len(samples)), samples.classes]).mean())
        if loss < least:
            best, least = float(temperature), loss
    return DigitModel(model.layers, model.temperature * best, model.header)


def upright_boards(
    photos: Sequence[Path], model: DigitModel, tracker: Tracker, copies: int = 0
) -> list[RealBoard]:
    """Cut the cells of labelled photos, each turned the way under which its labels are likeliest."""
    if not photos:
        return []
    boards = list(labelled_boards(photos))
    if not boards:
        names = ", ".join(str(folder) for folder in photos)
        raise UsageError(
            f"No labelled photos with outlines in {names}.", "See the training chapter of the docs."
        )
    rng = np.random.default_rng(len(boards))
    name = "Cutting cells from photos"
    return [turn_upright(boards[index], model, copies, rng) for index in tracker.steps(len(boards), name)]


def turn_upright(board: LabelledBoard, model: DigitModel, copies: int, rng: np.random.Generator) -> RealBoard:
    """Cut the cells of one labelled photo and turn them the way under which its labels are likeliest."""
    scores = []
    for turn in range(4):
        answers = ten_answers(
            model.probabilities(features.describe(_cut(board, turn, board.lattice.crossings)))
        )
        scores.append(np.log(answers[np.arange(81), digits_of(board.classes)] + 1e-6).sum())
    best = int(np.argmax(scores))
    shaken = tuple(_cut(board, best, misplaced(board.lattice.crossings, rng)) for _ in range(copies))
    plain = _cut(board, best, board.lattice.crossings)
    return RealBoard(board.name, board.source, plain, board.classes, shaken)


def _cut(board: LabelledBoard, turn: int, crossings: Floats) -> Glyphs:
    return features.extract(rectify(board.photo, Lattice(crossings).turned(turn)))


def digits_of(classes: Classes) -> Classes:
    """The digit 0..9 of each class; junk counts as 0."""
    return np.where(classes == JUNK, 0, np.where(classes >= WRITTEN, classes - WRITTEN + 1, classes))


def ten_answers(probabilities: Floats) -> Floats:
    """Fold the classes (N, 20) into blank and the nine digits, (N, 10); junk is spread evenly."""
    answers = np.concatenate([probabilities[:, :1], probabilities[:, 1:10] + probabilities[:, 10:19]], axis=1)
    return np.asarray(answers + probabilities[:, 19:] / 10, np.float32)


def _with_real(drawn: Samples, boards: Sequence[RealBoard], settings: Settings) -> Samples:
    rng = np.random.default_rng([settings.seed, 77])
    real = [
        samples_of(glyphs, board.classes, settings, rng)
        for board in boards
        for glyphs in (board.glyphs, *board.shaken)
    ]
    return joined([drawn, *real])


def _cross_validate(
    drawn: Samples,
    check: Samples,
    boards: Sequence[RealBoard],
    folds: int,
    settings: Settings,
    tracker: Tracker,
) -> dict[str, Any]:
    """Figures on the photos, each read by a model that never saw its puzzle."""
    fewer = replace(settings, members=settings.fold_members)
    fold = folds_by_source([board.source for board in boards], folds, settings.seed)
    answers: list[Floats] = [np.zeros((81, 20), np.float32)] * len(boards)
    for index in range(folds):
        seen = [board for board, f in zip(boards, fold, strict=True) if f != index]
        model = fit(_with_real(drawn, seen, settings), fewer, tracker, f"Fold {index + 1} of {folds}")
        model = calibrated(model, [check])
        for number in np.flatnonzero(fold == index).tolist():
            answers[number] = model.probabilities(features.describe(boards[number].glyphs))
    return board_figures(boards, answers)


def measure(model: DigitModel, samples: Samples) -> dict[str, Any]:
    """Figures on samples: shares of errors, calibration error and confusion matrix."""
    return _figures(model.probabilities(samples.features), samples.classes)


def measure_held(model: DigitModel, check: Samples) -> dict[str, Any]:
    """Figures on held-out boards: all cells, the print in held-out typefaces, the held-out handwriting."""
    kinds = {
        "held_drawn": np.ones(len(check), bool),
        "held_printed": (check.classes > BLANK) & (check.classes < WRITTEN),
        "held_written": (check.classes >= WRITTEN) & (check.classes < JUNK),
    }
    return {
        name: measure(model, Samples(check.features[kind], check.classes[kind]))
        for name, kind in kinds.items()
        if kind.any()
    }


def measure_boards(model: DigitModel, boards: Sequence[RealBoard]) -> dict[str, Any]:
    """Figures on real boards, by folder: boards right in every cell, and those of :func:`measure`."""
    return board_figures(boards, [model.probabilities(features.describe(b.glyphs)) for b in boards])


def board_figures(boards: Sequence[RealBoard], answers: Sequence[Floats]) -> dict[str, Any]:
    """Figures by folder of the photos."""
    figures: dict[str, Any] = {}
    for folder in sorted({board.name.split("/")[0] for board in boards}):
        here = [i for i, board in enumerate(boards) if board.name.startswith(folder + "/")]
        wrong = [
            int((ten_answers(answers[i]).argmax(axis=1) != digits_of(boards[i].classes)).sum()) for i in here
        ]
        found = _figures(
            np.concatenate([answers[i] for i in here]), np.concatenate([boards[i].classes for i in here])
        )
        found["boards"] = len(here)
        found["boards_right"] = int(np.sum(np.array(wrong) == 0))
        found["boards_wrong"] = {boards[i].name: w for i, w in zip(here, wrong, strict=True) if w}
        figures[folder] = found
    return figures


def _figures(probabilities: Floats, classes: Classes) -> dict[str, Any]:
    real = classes != JUNK
    answers, truth = ten_answers(probabilities)[real], digits_of(classes)[real]
    read, sure = answers.argmax(axis=1), answers.max(axis=1)
    confusion = np.zeros((10, 10), np.int64)
    np.add.at(confusion, (truth, read), 1)
    inked = truth > 0
    written = probabilities[real][:, 10:19].sum(axis=1) > probabilities[real][:, 1:10].sum(axis=1)
    kind_wrong = written[inked] != (classes[real][inked] >= WRITTEN)
    return {
        "cells": len(truth),
        "error": float((read != truth).mean()),
        "digit_error": float((read != truth)[inked].mean()) if inked.any() else 0.0,
        "blank_error": float((read != truth)[~inked].mean()) if (~inked).any() else 0.0,
        "kind_error": float(kind_wrong.mean()) if inked.any() else 0.0,
        "junk_found": float((probabilities[~real].argmax(axis=1) == JUNK).mean()) if (~real).any() else 1.0,
        "log_loss": float(-np.log(np.maximum(answers[np.arange(len(truth)), truth], 1e-6)).mean()),
        "calibration_error": calibration_error(sure, read == truth),
        "confusion": confusion.tolist(),
    }


def calibration_error(sure: Floats, right: NDArray[np.bool_], bins: int = 15) -> float:
    """Expected calibration error: the mean gap between confidence and accuracy over equally filled bins."""
    order = np.argsort(sure, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [abs(float(sure[p].mean()) - float(right[p].mean())) * len(p) for p in parts]
    return sum(gaps) / max(1, len(sure))


def _today() -> str:
    return datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
