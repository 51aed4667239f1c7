"""The work of ``sudoku-vision train``: a new model, its card, and what it is worth."""

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
from sudoku_vision.parallel import open_executor


def run_train(options: Options) -> None:
    """Train the model of digits, marks or covers, write it, and print what was measured."""
    if not (options.fonts or options.photos or options.handwriting):
        raise UsageError(
            "There is nothing to learn from.",
            "Give typefaces with --fonts, digits with --handwriting, labelled photos with --photos: "
            "docs/training.md says where they are to be had.",
        )
    out = options.model_out or Path(f"models/{options.part}.npz")
    learnt_from = [str(file) for file in (*(options.handwriting or ()), options.marks_table) if file]
    find_target(str(out), learnt_from, folders=False)  # told at once
    from sudoku_vision.workshop.training.settings import MarkSettings, OcclusionSettings, Settings
    from sudoku_vision.workshop.training.train import (
        train,
        train_marks,
        train_occlusion,
    )  # takes seconds to import

    seed = options.training_seed
    sources: dict[str, Any] = {"fonts": options.fonts or [], "handwriting": options.handwriting or []}
    given: dict[str, Any] = {
        "photos": options.photos or [],
        "folds": options.folds,
        "command": shlex.join(["sudoku-vision", *sys.argv[1:]]),
        "steps": counted,
    }
    metrics: Mapping[str, Any]
    if options.part == "occlusion":
        with open_executor(task_seconds=None) as executor:
            settings = OcclusionSettings(seed=seed)
            _, metrics = train_occlusion(out, settings=settings, executor=executor, **given)
    elif options.part == "marks":
        table = options.marks_table
        _, metrics = train_marks(out, table=table, settings=MarkSettings(seed=seed), **sources, **given)
    else:
        _, metrics = train(out, settings=Settings(seed=seed), **sources, **given)
    print(json.dumps(metrics, indent=2, default=str))  # noqa: T201
    complain(f"wrote {out}")
