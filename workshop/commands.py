"""The commands of the workshop: train a model, evaluate how labelled photos are read, draw pictures."""

import json
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.cli.reporter import complain, progress
from sudoku_vision.cli.run import named_model
from sudoku_vision.errors import OpenError, SaveError, UsageError, import_extra
from sudoku_vision.output.save import (
    check_folder,
    check_output,
    check_place,
    clear_parts,
    make_folder,
    save,
    write_atomically,
)
from sudoku_vision.page import Page
from sudoku_vision.parallel import available_cores, open_executor
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.results import Photo
from workshop.evaluation.contact_sheet import contact_sheet
from workshop.evaluation.labels import LabelledPicture, find_labels, label_rows, label_table
from workshop.evaluation.metrics import Evaluation, evaluate
from workshop.evaluation.reliability import entry_pairs_of, pairs_of, reliability, reliability_text
from workshop.evaluation.text import evaluation_text
from workshop.rendering.kinds import closer, random_conditions
from workshop.rendering.picture import draw

MIN_SHARED_PICTURES = 8  # fewer pictures are read by one process, because starting another takes 0.25 s
TASK_BYTES = 3_000_000_000
"""Bytes of memory that a process needs for the largest picture, of 100 million pixels: 500 MB, and 25 bytes
for each pixel."""


def run_train(options: Namespace) -> None:
    """Train a model (of digits, marks, sums or covers), write it, and print what was measured."""
    if not (options.fonts or options.photos or options.handwriting):
        raise UsageError(
            "There is nothing to learn from.",
            "Give typefaces with --fonts, digits with --handwriting, labelled photos with --photos: "
            "docs/training.md says where to find them.",
        )
    out = options.out or Path(f"models/{options.part}.npz")
    _check_file(out, [file for file in (*options.handwriting, options.marks_table) if file])
    import_extra("sklearn", "train", "Training needs scikit-learn")
    # These modules are imported only here: they import scikit-learn, which takes seconds.
    from workshop.training.settings import Inputs
    from workshop.training.train import PARTS, train

    part, command = PARTS[options.part], shlex.join(["python", "-m", "workshop", *sys.argv[1:]])
    folders = options.photos, options.fonts, options.handwriting
    inputs = Inputs(*folders, options.marks_table, options.folds, command=command)
    settings = replace(part.quick if options.quick else part.settings, seed=options.seed)
    _, metrics = train(options.part, out, inputs, settings)
    for name, figures in metrics.items():  # lists, such as the confusion matrix, are only in the model card
        print(
            f"{name}: {json.dumps({key: one for key, one in figures.items() if not isinstance(one, list)})}"
        )
    complain(f"wrote {out}")


def run_evaluate(options: Namespace) -> None:
    """Read all labelled pictures of the folders, and print how well they were read.

    Raises :class:`OpenError` if none of the pictures can be opened.
    """
    if options.cluster is not None and options.jobs is not None:
        raise UsageError("--cluster and --jobs exclude each other.", "Leave one out.")
    pictures = [picture for folder in options.folders for picture in find_labels(folder, options.marks_table)]
    if options.sheet is not None:
        _check_file(options.sheet, [picture.path for picture in pictures], check_output)
    result = _evaluated(pictures, options)
    for _, why in result.unopened:
        complain(f"not opened or read, and counted nowhere: {why}")
    if not result.pictures:
        raise OpenError("None of the labelled pictures could be opened.", "Look at the messages above.")
    _report(result, options)


def _check_file(
    path: Path, sources: Sequence[Path], check: Callable[[Path, Sequence[Path]], None] = check_place
) -> None:
    """Raise SaveError if *path* can't be written, and UsageError if it is one of the *sources*.

    Unfinished files that earlier runs left in the folder of *path* are removed.
    """
    if path.is_dir():
        raise SaveError(f"{path}: this is a folder.", "Name a file in it.")
    check(path, sources)
    clear_parts(path.resolve().parent)


def _evaluated(pictures: Sequence[LabelledPicture], options: Namespace) -> Evaluation:
    """Read the pictures, and compare them with their labels. After Ctrl-C, print how many were read."""
    named_model(options.model)  # opened here, too, to report a broken model before reading starts
    shared = available_cores() if len(pictures) >= MIN_SHARED_PICTURES else 1
    jobs, read, count = options.jobs or shared, partial(_read, model=options.model), 0

    def step() -> None:
        nonlocal count
        count += 1
        bar.advance()

    sharing: dict[str, Any] = {"cluster": options.cluster, "task_memory": TASK_BYTES, "announce": complain}
    try:
        with (
            progress(len(pictures), "reading") as bar,
            open_executor(min(jobs, len(pictures)), **sharing) as executor,
        ):
            return evaluate(pictures, read, executor=executor, send_files=bool(options.cluster), step=step)
    except KeyboardInterrupt:
        if count:
            complain(f"interrupted after {count:,} of {len(pictures):,} pictures.")
        raise


def _read(photo: Photo, *, model: Path | None) -> Page:
    return read_page(photo, model=named_model(model))


def _report(result: Evaluation, options: Namespace) -> None:
    data, texts = result.to_dict(), [evaluation_text(result)]
    if options.reliability:
        groups, entries = (reliability(result, pairs) for pairs in (pairs_of, entry_pairs_of))
        data |= {"reliability": groups, "entry_reliability": entries}
        texts.append(reliability_text(groups))
        texts += [reliability_text(entries, "entries")] if entries["all"]["grids"] else []
    text = json.dumps(data) if options.as_json else "\n\n".join(texts)
    sys.stdout.write(text.rstrip() + "\n")
    if options.sheet is not None:
        save(options.sheet, contact_sheet(result.failures))


def run_draw(options: Namespace) -> None:
    """Draw close-ups of one kind, and write their ``labels.csv``."""
    folder, kind = options.folder, options.kind
    check_folder(folder)
    make_folder(folder)
    rows: list[dict[str, str]] = []
    for number in range(options.count):
        rng, name = np.random.default_rng([options.seed, number]), f"{kind}-{number:03d}"
        drawing = draw(rng, closer(random_conditions(rng, kind)))
        save(folder / f"{name}.png", drawing.pixels)
        rows += label_rows(name, f"{name}.png", kind, drawing.grids)
    write_atomically(folder / "labels.csv", label_table(rows))
    complain(f"wrote {options.count} pictures and labels.csv to {folder}")
