"""The work of ``sudoku-vision train``: a new model, its card, and what it is worth."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sudoku_vision.cli.outputs import find_file
from sudoku_vision.cli.progress import complain, counted


def run_train(
    out: Path,
    *,
    fonts: Sequence[Path],
    photos: Sequence[Path],
    handwriting: Path | None,
    folds: int,
    cache: Path | None,
    seed: int,
) -> None:
    """Train a model, write it to *out*, and print what was measured on what was held out."""
    find_file(str(out))  # a place that can't be written is told at once
    from sudoku_vision.workshop.training.settings import Settings
    from sudoku_vision.workshop.training.train import train  # takes seconds to import

    result = train(
        out,
        fonts=fonts,
        photos=photos,
        handwriting=handwriting,
        folds=folds,
        cache=cache,
        settings=Settings(seed=seed),
        command=_command(),
        steps=counted,
    )
    _report(result.metrics, out)


def run_train_marks(
    out: Path,
    *,
    fonts: Sequence[Path],
    photos: Sequence[Path],
    handwriting: Path | None,
    table: Path | None,
    folds: int,
    seed: int,
) -> None:
    """Train a reader of pencil marks, write it to *out*, and print what was measured on what was held out."""
    find_file(str(out))
    from sudoku_vision.workshop.training.marks import MarkSettings
    from sudoku_vision.workshop.training.train_marks import train_marks  # takes seconds to import

    _, metrics = train_marks(
        out,
        fonts=fonts,
        photos=photos,
        handwriting=handwriting,
        table=table,
        folds=folds,
        settings=MarkSettings(seed=seed),
        command=_command(),
        steps=counted,
    )
    _report(metrics, out)


def _command() -> str:
    """Return the command line as it was typed, for the header of the model."""
    return shlex.join(["sudoku-vision", *sys.argv[1:]])


def _report(metrics: Mapping[str, Any], out: Path) -> None:
    print(json.dumps(metrics, indent=2, default=str))  # noqa: T201
    complain(f"wrote {out}")
