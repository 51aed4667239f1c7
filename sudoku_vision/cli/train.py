"""The work of ``sudoku-vision train``: a new model, its card, and what it is worth."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import find_target
from sudoku_vision.cli.progress import complain, counted
from sudoku_vision.errors import UsageError


def run_train(options: Options) -> None:
    """Train the model of digits or marks, write it, and print what was measured."""
    if not (options.fonts or options.photos or options.handwriting):
        raise UsageError(
            "There is nothing to learn from.",
            "Give typefaces with --fonts, digits with --handwriting, labelled photos with --photos: "
            "docs/training.md says where they are to be had.",
        )
    out = options.model_out or Path(f"models/{options.part}.npz")
    learnt_from = [str(file) for file in (*(options.handwriting or ()), options.marks_table) if file]
    find_target(str(out), learnt_from, folders=False)  # told at once
    from sudoku_vision.workshop.training.settings import MarkSettings, Settings
    from sudoku_vision.workshop.training.train import train, train_marks  # takes seconds to import

    seed, table = options.training_seed, options.marks_table
    given: dict[str, Any] = {
        "fonts": options.fonts or [],
        "photos": options.photos or [],
        "handwriting": options.handwriting or [],
        "folds": options.folds,
        "command": shlex.join(["sudoku-vision", *sys.argv[1:]]),
        "steps": counted,
    }
    metrics: Mapping[str, Any]
    if options.part == "marks":
        _, metrics = train_marks(out, table=table, settings=MarkSettings(seed=seed), **given)
    else:
        _, metrics = train(out, settings=Settings(seed=seed), **given)
    print(json.dumps(metrics, indent=2, default=str))  # noqa: T201
    complain(f"wrote {out}")
