"""The work of ``sudoku-vision evaluate``: how well labelled photos are read, as text, JSON and pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.executors import FEWEST_SHARED, check_sharing, executor_for, reading_memory
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import find_target
from sudoku_vision.cli.progress import complain
from sudoku_vision.cli.reporter import Reporter
from sudoku_vision.errors import OpenError

if TYPE_CHECKING:
    from sudoku_vision.results import PageResult, Photo
    from sudoku_vision.workshop.evaluation.labels import LabelledPicture
    from sudoku_vision.workshop.evaluation.metrics import Evaluation


def run_evaluate(folders: Sequence[Path], options: Options) -> None:
    """Evaluate folders, print the figures, write the pictures; raises :class:`OpenError` if none opens."""
    from sudoku_vision.output.save import check_output
    from sudoku_vision.workshop.evaluation.labels import find_labels

    check_sharing(options)
    pictures = [picture for folder in folders for picture in find_labels(folder, options.marks_table)]
    sources = [str(picture.path) for picture in pictures]
    for path in (options.sheet, options.reliability):
        if path is not None:
            find_target(str(path), sources, folders=False, check_file=check_output)
    result = _evaluated(pictures, options)
    for _, why in result.unopened:
        complain(f"not opened or read, and counted nowhere: {why}")
    if not result.pictures:
        raise OpenError("None of the labelled pictures could be opened.", "Look at the messages above.")
    _report(result, options)


def _read(photo: Photo, *, model: Path | None) -> PageResult:
    """Read a photo with the model of ``--model``, in whatever process."""
    from sudoku_vision.cli.tasks import named_model
    from sudoku_vision.pipeline import read_photo

    return read_photo(photo, model=named_model(model))


def _evaluated(pictures: Sequence[LabelledPicture], options: Options) -> Evaluation:
    """Read the pictures; on Ctrl-C it is said how many were read."""
    from sudoku_vision.cli.tasks import named_model
    from sudoku_vision.workshop.evaluation.metrics import evaluate

    named_model(options.model)  # what is wrong with it is said before any work
    read, memory = partial(_read, model=options.model), reading_memory(options)
    reporter, as_files = Reporter("picture"), options.cluster is not None

    def step() -> None:
        reporter.add("read", done=True)
        reporter.bar.advance()

    with (
        reporter.progress(len(pictures), "reading"),
        executor_for(options, len(pictures), fewest=FEWEST_SHARED, task_memory=memory) as executor,
    ):
        return evaluate(pictures, read, executor=executor, send_files=as_files, step=step)


def _report(result: Evaluation, options: Options) -> None:
    """Print the figures, and write the pictures."""
    from sudoku_vision.output.save import save
    from sudoku_vision.vision.decode import SURE
    from sudoku_vision.workshop.evaluation import reliability
    from sudoku_vision.workshop.evaluation.contact_sheet import contact_sheet
    from sudoku_vision.workshop.evaluation.text import evaluation_text

    data, texts = result.to_dict(), [evaluation_text(result)]
    if options.reliability is not None:
        groups = reliability.pairs_by_folder(result, reliability.pairs_of)
        entries = reliability.pairs_by_folder(result, reliability.entry_pairs_of)
        data["reliability"] = reliability.reliability_dict(groups)
        data["entry_reliability"] = reliability.reliability_dict(entries)
        texts.append(reliability.reliability_text(groups))
        texts += [reliability.reliability_text(entries, "entries")] if entries["all"] else []
    text = json.dumps(data, indent=2) if options.as_json else "\n\n".join(texts)
    sys.stdout.write(text.rstrip() + "\n")
    if options.sheet is not None:
        save(options.sheet, contact_sheet(result.failures))
    if options.reliability is not None:
        save(options.reliability, reliability.draw_reliability(groups, sure=SURE))
