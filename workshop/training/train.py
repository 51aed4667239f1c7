"""Train the digit classifier, the readers of pencil marks and of sums, and the occlusion model.

A training gathers typefaces and handwriting (:mod:`.sources`), draws boards (:mod:`.boards`), cuts labelled
photos (:mod:`.photos`), fits networks, measures them on samples that they have not learnt from, and writes
the model file and its card. The same seed gives the same model.
"""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from workshop.training.digits import train_digits
from workshop.training.marks import train_marks
from workshop.training.occlusion import train_occlusion
from workshop.training.settings import DigitSettings, Inputs, Settings, Trained
from workshop.training.sums import train_sums

_TITLES = {
    "held_drawn": "drawn boards, typefaces and hands held out, hardly legible ones among them",
    "held_printed": "of these, the print (typefaces held out)",
    "held_written": "of these, the handwriting (hands held out, and new pens)",
    "photos_unseen": "real photos, no cell of them in training",
    "seen": "photos that it learnt from",
    "photos_folds": "real photos, folds by printed puzzle",
}
"""Titles of the sets of samples on which models are measured."""


@dataclass(frozen=True)
class Part:
    """How one model is trained: with the usual ``settings``, or with ``quick`` settings for a short test."""

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
"""The parts of the reader that have a model, by name."""


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
    write_atomically(out.with_suffix(".md"), _card(part.file, model, metrics, len(data)).encode())
    return model, metrics


def _card(file: ModelFile[Any], model: Any, metrics: Mapping[str, Any], size: int) -> str:
    """Return the card of a model: how it was made, and how well it reads. *size*: bytes of its file."""
    header, (arrays, numbers) = model.header, file.pack(model)
    networks = (f"{name} {'x'.join(map(str, one.shape))}" for name, one in arrays.items() if one.ndim > 1)
    about = {
        "made by": f"`{header['command']}`",
        "on": f"{header['date']}, seed {header['seed']}",
        "from": header["data"],
        "settings": f"`{header['settings']}`",
        "arrays": ", ".join(networks),
        "numbers": ", ".join(f"{name} {one:.4g}" for name, one in numbers.items() if isinstance(one, float)),
        "size": f"{size:,} bytes",
    }
    text = Path(__file__).with_name(f"{file.name}_card.md").read_text(encoding="utf-8")
    text += f"\n{_figures(metrics)}\n"
    if file.name == "digits":
        rows = [[digit, *counts] for digit, counts in enumerate(metrics["held_drawn"]["confusion"])]
        table = _table(["", *range(10)], rows)
        text += (
            f"\nConfusion on the drawn boards. Rows: what stands there, columns: what was read.\n\n{table}\n"
        )
    return text.replace("{table}", _table(["", ""], about.items()))


def _figures(metrics: Mapping[str, Any]) -> str:
    """Return *metrics* as a table, with a row for each set of samples, or for each part of a set."""
    rows: dict[str, Mapping[str, Any]] = {}
    for name, found in metrics.items():
        if all(isinstance(part, Mapping) for part in found.values()):
            rows |= {f"{_TITLES[name]}: {part}": of for part, of in found.items()}
        else:
            rows[_TITLES[name]] = found
    every = dict.fromkeys(key for of in rows.values() for key in of)
    names = [name for name in every if any(isinstance(of.get(name), int | float) for of in rows.values())]
    head = ["measured on", *(name.replace("_", " ") for name in names)]
    return _table(head, ([title, *(of.get(name, "") for name in names)] for title, of in rows.items()))


def _table(head: Sequence[object], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_shown, line))} |" for line in lines)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
