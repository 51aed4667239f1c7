"""Train the digit classifier, the readers of pencil marks and of sums, and the occlusion model.

A training gathers typefaces and handwriting (:mod:`.sources`), draws boards (:mod:`.boards`), cuts labelled
photos (:mod:`.photos`), fits networks, measures them on samples that they have not learnt from, and writes
the model file and its card. The same seed gives the same model.
"""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudoku_vision.output.save import check_place, write_atomically
from sudoku_vision.vision.digits.model_files import (
    DIGIT_MODELS,
    MARK_READERS,
    OCCLUSION_MODELS,
    SUM_READERS,
    ModelFile,
)
from workshop.training.card import card
from workshop.training.digits import train_digits
from workshop.training.marks import train_marks
from workshop.training.occlusion import train_occlusion
from workshop.training.settings import DigitSettings, Inputs, Settings, Trained
from workshop.training.sums import train_sums


@dataclass(frozen=True)
class Part:
    """How one model is trained. ``settings``: the usual ones. ``quick``: those for a short test."""

    file: ModelFile[Any]
    train: Callable[[Inputs, Any], Trained]
    settings: Settings
    quick: Settings


_FEW = Settings(boards=60, held_boards=15)
_QUICK = DigitSettings(boards=120, held_boards=24, members=1, pasted=1, warped=1, tuning_epochs=1)
PARTS = {
    "digits": Part(DIGIT_MODELS, train_digits, DigitSettings(), _QUICK),
    "marks": Part(MARK_READERS, train_marks, Settings(boards=1200, held_boards=150), _FEW),
    "sums": Part(SUM_READERS, train_sums, Settings(boards=4000, held_boards=150), _FEW),
    "occlusion": Part(OCCLUSION_MODELS, train_occlusion, Settings(), Settings()),
}
"""How each model is trained, by the name of its part."""


def train(name: str, out: Path, inputs: Inputs, settings: Settings) -> tuple[Any, dict[str, Any]]:
    """Train the model of one of the :data:`PARTS`. Write it to *out*, and its card beside it.

    Returns the model as it is read from its file, and its metrics.

    Raises SaveError if *out* can't be written, and UsageError if an input doesn't exist or is broken.
    """
    check_place(out)
    part = PARTS[name]
    model, metrics, photos = part.train(inputs, settings)
    drawn = f"{settings.boards} drawn boards, " if settings.boards else ""
    header = {
        "command": inputs.command,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "seed": settings.seed,
        "settings": repr(settings),
        "data": f"{drawn}{photos} labelled photos",
    }
    data = part.file.to_bytes(replace(model, header=header | model.header))
    model = part.file.from_bytes(data)
    write_atomically(out, data)
    write_atomically(out.with_suffix(".md"), card(part.file, model, metrics, len(data)).encode())
    return model, metrics
