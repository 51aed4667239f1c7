"""Train the digit classifier: ``sudoku-vision train``.

The road: draw boards in many typefaces and hands, send them and the labelled photos through the reader's own
stages (:mod:`~sudoku_vision.rectify`, :mod:`~sudoku_vision.digits.features`), fit the first look and the
expert of handwriting with scikit-learn (:mod:`~sudoku_vision.training.fitting`,
:mod:`~sudoku_vision.training.handwriting`), calibrate both, measure them on typefaces, handwriting and photos
that were held out (:mod:`~sudoku_vision.training.metrics`), and write the model file and its card. Everything
follows from the seed.
"""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from sudoku_vision.digits.cascade import DigitModel
from sudoku_vision.digits.glyphs import Glyphs, cut_glyphs
from sudoku_vision.digits.model import model_from_bytes, model_to_bytes
from sudoku_vision.drawing.typefaces import Typeface, bundled_typefaces, find_typefaces, split_families
from sudoku_vision.errors import UsageError
from sudoku_vision.rectify import rectify
from sudoku_vision.results import Floats
from sudoku_vision.save import check_place, write_atomically
from sudoku_vision.training.boards import Sources, draw_board
from sudoku_vision.training.card import CARD_TITLE, model_card
from sudoku_vision.training.classes import BLANK, JUNK, WRITTEN, Classes
from sudoku_vision.training.dataset import check_photos, folds_by_source
from sudoku_vision.training.fitting import Recipe, Samples, Steps, calibrated, fit, joined, legible
from sudoku_vision.training.handwriting import described, fit_expert, pasted_samples, with_expert
from sudoku_vision.training.metrics import board_figures, measure_boards, measure_held, read
from sudoku_vision.training.photos import RealBoard, upright_boards

HIDDEN = 0.85
"""A drawn digit that a first fit takes for blank with this probability can't be seen."""

_FIRST, _EXPERT = Recipe((256,), 10), Recipe((400, 192), 9)


@dataclass(frozen=True)
class Settings:
    """How to train.

    ``boards`` are drawn for training, ``held_boards`` from typefaces and handwriting that are held out
    (``held_share`` of each). The first look is ``members`` networks of ``first``; ``glance_epochs`` are those
    of the quick fit that tells what can be seen at all. The expert is one network of ``expert`` over
    ``centres`` pieces of strokes; it also learns from ``pasted`` copies of the handwritten digits, from
    ``warped`` copies of those of real photos (of which the first look sees ``first_warped``), and from a
    share of the printed digits. ``fold_members``: networks a fold.
    """

    boards: int = 3600
    held_boards: int = 300
    held_share: float = 0.1
    first: Recipe = _FIRST
    members: int = 2
    fold_members: int = 1
    glance_epochs: int = 4
    blank_share: float = 0.5
    turned_share: float = 0.3
    first_warped: int = 2
    expert: Recipe = _EXPERT
    centres: int = 64
    pasted: int = 6
    warped: int = 12
    printed_share: float = 0.3
    seed: int = 0


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
    check_photos(photos)
    check_place(out)
    tracker = Tracker(show_progress)
    with tracker.running():
        lessons, check = _draw_lessons(fonts, handwriting, settings, tracker)
        plain = lessons.teach([], settings, tracker.steps, "Learning from drawn boards", check)
        figures = measure_held(plain, check)
        model = plain
        boards = upright_boards(photos, plain, settings.warped, settings.seed, tracker.steps)
        if boards:
            figures["photos_unseen"] = measure_boards(plain, boards)
            if folds:
                figures["photos_folds"] = _cross_validate(lessons, check, boards, folds, settings, tracker)
            model = lessons.teach(boards, settings, tracker.steps, "Learning from everything", check)
            figures.update(measure_held(model, check))
    header = {"command": command, "date": _today(), "seed": settings.seed, "settings": repr(settings)}
    header["written_share"] = written_share(lessons.drawn)
    header["data"] = f"{settings.boards} drawn boards, {len(boards)} labelled photos"
    data = model_to_bytes(replace(model, header=header))
    write_atomically(out, data)
    trained = Trained(model_from_bytes(data), figures)
    write_atomically(card_place(out), model_card(trained.model, figures, len(data)).encode())
    return trained


@dataclass(frozen=True, eq=False)
class Lessons:
    """What every model learns from: drawn boards, and handwritten digits pasted into cells."""

    drawn: Samples
    pasted: Sequence[Samples]

    def teach(
        self, boards: Sequence[RealBoard], settings: Settings, steps: Steps, name: str, check: Samples
    ) -> DigitModel:
        """Fit the first look and the expert to the lessons and to real boards, and calibrate both."""
        rng = np.random.default_rng([settings.seed, 77])
        real = [
            samples_of(glyphs, board.classes, settings, rng)
            for board in boards
            for glyphs in (board.glyphs, board.shaken)
        ]
        few = [copy for board in boards for copy in board.warped[: settings.first_warped]]
        first = joined([self.drawn, *real, *few])
        model = fit(first, settings.first, settings.members, settings.seed, steps, name)
        model = calibrated(model, check)
        many = [copy for board in boards for copy in board.warped]
        expert = fit_expert(
            joined([self.drawn, *self.pasted, *many]),
            settings.expert,
            settings.centres,
            settings.printed_share,
            settings.seed,
            steps,
            f"{name}, handwriting",
        )
        return with_expert(model, expert, check)


def _draw_lessons(
    fonts: Sequence[Path], handwriting: Path | None, settings: Settings, tracker: Tracker
) -> tuple[Lessons, Samples]:
    """Draw what to learn from and what to check on, without the digits that nobody could see."""
    kept, held = gather_sources(fonts, handwriting, settings)
    rng = np.random.default_rng(settings.seed)
    drawn = draw_samples(kept, settings.boards, settings, rng, tracker, "Drawing boards to learn from")
    apart = np.random.default_rng([settings.seed, 1])  # so that every model is checked on the same boards
    check = draw_samples(held, settings.held_boards, settings, apart, tracker, "Drawing boards to check on")
    glance = replace(settings.first, epochs=settings.glance_epochs)
    sight = fit(drawn, glance, 1, settings.seed, tracker.steps, "Telling what can be seen at all")
    pasted = pasted_samples(kept.strokes, kept.labels, settings.pasted, rng, tracker.steps)
    return Lessons(legible(drawn, sight, HIDDEN), pasted), legible(check, sight, HIDDEN)


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
    remedy = "Give an .npz file with the arrays images (N, 28, 28) uint8 and labels (N,) from 0 to 9."
    try:
        with np.load(path, allow_pickle=False) as file:
            images, labels = file["images"], file["labels"].astype(np.int64)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise UsageError(f"The handwriting {path} can't be read.", remedy) from error
    fits = images.shape == (len(labels), 28, 28) and images.dtype == np.uint8 and labels.ndim == 1
    if not fits or not np.isin(labels, range(10)).all():
        raise UsageError(f"The arrays of the handwriting {path} are not as they should be.", remedy)
    order = np.random.default_rng(1).permutation(np.flatnonzero(labels > 0))
    return images[order], labels[order]


def draw_samples(
    sources: Sources, count: int, settings: Settings, rng: np.random.Generator, tracker: Tracker, name: str
) -> Samples:
    """Draw boards and describe their cells; a share of the glyphs is seen turned, too, as junk."""
    parts = []
    for _ in tracker.steps(count, name):
        board = draw_board(sources, rng)
        glyphs = cut_glyphs(rectify(board.photo, board.lattice))
        parts.append(samples_of(glyphs, board.classes, settings, rng))
    return joined(parts)


def samples_of(glyphs: Glyphs, classes: Classes, settings: Settings, rng: np.random.Generator) -> Samples:
    """Describe the cells of one board: part of the blanks, all digits, and some of them turned."""
    used = (classes != BLANK) | (rng.random(len(classes)) < settings.blank_share)
    upright = described(glyphs.select(used), classes[used])
    inked = np.flatnonzero((classes != BLANK) & glyphs.found)
    turn = int(rng.integers(1, 4))
    target = turned_classes(classes[inked], turn)
    chosen = (rng.random(len(inked)) < settings.turned_share) & (target >= 0)
    if not chosen.any():
        return upright
    turned = described(glyphs.select(inked[chosen]).turned(turn), target[chosen])
    return joined([upright, turned])


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


def _cross_validate(
    lessons: Lessons,
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
        model = lessons.teach(seen, fewer, tracker.steps, f"Fold {index + 1} of {folds}", check)
        for number in np.flatnonzero(fold == index).tolist():
            answers[number] = read(model, boards[number])
    return board_figures(boards, answers)


def _today() -> str:
    return datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
