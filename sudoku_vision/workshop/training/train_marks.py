"""Train the reader of pencil marks: ``sudoku-vision train --part marks``.

The road: draw boards in the typefaces and hands of the classifier's own training, cut cells and marks from
them and from labelled photos (:mod:`.mark_samples`), fit both networks (:mod:`.marks`), measure them on
typefaces, hands and puzzles that were held out, and write the model file and its card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import check_place, write_atomically
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.mark_model import mark_reader_from_bytes, mark_reader_to_bytes
from sudoku_vision.vision.digits.mark_reader import MarkReader
from sudoku_vision.vision.digits.model import load_model
from sudoku_vision.workshop.evaluation.calendar import MarkTable, labelled_texts, read_mark_table
from sudoku_vision.workshop.training.dataset import folds_by_source
from sudoku_vision.workshop.training.mark_card import mark_card
from sudoku_vision.workshop.training.mark_samples import MarkBoard, drawn_mark_boards, labelled_mark_boards
from sudoku_vision.workshop.training.marks import MarkFigures, MarkSettings, fit_mark_reader, measure_marks
from sudoku_vision.workshop.training.progress import Steps, silent_steps
from sudoku_vision.workshop.training.sources import check_folders, gather_sources
from sudoku_vision.workshop.training.train import today

_HELD_SHARE = 0.1  # of typefaces and hands
_DRAWN_STREAM, _CHECK_STREAM = 0, 1  # of chance, beside the seed


def train_marks(
    out: Path,
    *,
    fonts: Sequence[Path] = (),
    photos: Sequence[Path] = (),
    handwriting: Path | None = None,
    table: Path | None = None,
    folds: int = 0,
    settings: MarkSettings | None = None,
    command: str = "sudoku-vision train --part marks",
    steps: Steps = silent_steps,
) -> tuple[MarkReader, dict[str, Any]]:
    """Train a reader of pencil marks, write it to *out* and its card beside it; returns it and its metrics.

    *fonts* and *handwriting* as for the classifier of digits; *photos*: folders in the form of the calendar
    (``calendar``), *table*: which marks stand in them. With *folds*, the photos
    are measured by that many readers, each trained without the puzzles it is measured on. Raises SaveError if
    *out* can't be written and UsageError for input that is not there.
    """
    settings = settings or MarkSettings()
    known = read_mark_table(table) if table else {}
    check_folders([*fonts, *photos])
    _check_photos(photos)
    check_place(out)
    model = load_model()
    drawn, check = _drawn(fonts, handwriting, settings, model, steps)
    real = [board for folder in photos for board in _labelled(folder, known, model, steps)]
    figures = {"held_drawn": MarkFigures()}
    if folds and real:
        figures["photos_folds"] = _cross_validate(drawn, check, real, folds, settings.seed, steps)
    reader = fit_mark_reader(drawn, check, real, settings.seed, steps)
    figures["held_drawn"] = measure_marks(reader, check)
    header = {
        "command": command,
        "date": today(),
        "seed": settings.seed,
        "settings": repr(settings),
        "data": f"{settings.boards} drawn boards, {len(real)} labelled photos",
    }
    data = mark_reader_to_bytes(replace(reader, header=header))
    write_atomically(out, data)
    reader = mark_reader_from_bytes(data)
    write_atomically(out.with_suffix(".md"), mark_card(reader, figures, len(data)).encode())
    return reader, {name: found.to_dict() for name, found in figures.items()}


def _check_photos(photos: Sequence[Path]) -> None:
    for folder in photos:
        if not any(True for _ in labelled_texts(folder)):
            raise UsageError(
                f"{folder} holds no labelled photo of a half-solved page.",
                "It takes images/NAME.jpg and labels/NAME.txt (see the README).",
            )


def _drawn(
    fonts: Sequence[Path], handwriting: Path | None, settings: MarkSettings, model: DigitModel, steps: Steps
) -> tuple[list[MarkBoard], list[MarkBoard]]:
    """Draw boards to learn from, and from the typefaces and hands that are held out, to check on."""
    kept, held = gather_sources(fonts, handwriting, _HELD_SHARE, settings.seed)
    seeds = [settings.seed, _DRAWN_STREAM], [settings.seed, _CHECK_STREAM]
    drawn = drawn_mark_boards(kept, settings.boards, model, seeds[0], steps, "Drawing boards with marks")
    check = drawn_mark_boards(
        held, settings.held_boards, model, seeds[1], steps, "Drawing boards to check on"
    )
    return drawn, check


def _labelled(folder: Path, table: MarkTable, model: DigitModel, steps: Steps) -> list[MarkBoard]:
    return list(labelled_mark_boards(folder, table, model, steps))


def _cross_validate(
    drawn: Sequence[MarkBoard],
    check: Sequence[MarkBoard],
    real: Sequence[MarkBoard],
    folds: int,
    seed: int,
    steps: Steps,
) -> MarkFigures:
    """Figures of the photos, each read by a reader that never saw its puzzle."""
    fold = folds_by_source([board.source for board in real], folds, seed)
    figures = MarkFigures()
    for index in range(folds):
        seen = [board for board, own in zip(real, fold, strict=True) if own != index]
        reader = fit_mark_reader(drawn, check, seen, seed, steps)
        unseen = [board for board, own in zip(real, fold, strict=True) if own == index]
        figures += measure_marks(reader, unseen)
    return figures
