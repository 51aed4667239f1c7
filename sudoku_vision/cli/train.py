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
    part: str,
    out: Path,
    *,
    fonts: Sequence[Path],
    photos: Sequence[Path],
    handwriting: Path | None,
    table: Path | None,
    folds: int,
    seed: int,
) -> None:
    """Train the model of *part*, digits or marks, write it to *out*, and print what was measured."""
    find_file(str(out))  # a place that can't be written is told at once
    from sudoku_vision.workshop.training.settings import MarkSettings, Settings
    from sudoku_vision.workshop.training.train import train, train_marks  # takes seconds to import

    given: dict[str, Any] = {"fonts": fonts, "photos": photos, "handwriting": handwriting, "folds": folds}
    given |= {"command": _command(), "steps": counted}
    if part == "marks":
        metrics = train_marks(out, table=table, settings=MarkSettings(seed=seed), **given).metrics
    else:
        metrics = train(out, settings=Settings(seed=seed), **given).metrics
    _report(metrics, out)


def _command() -> str:
    """Return the command line as it was typed, for the header of the model."""
    return shlex.join(["sudoku-vision", *sys.argv[1:]])


def _report(metrics: Mapping[str, Any], out: Path) -> None:
    print(json.dumps(metrics, indent=2, default=str))  # noqa: T201
    complain(f"wrote {out}")
