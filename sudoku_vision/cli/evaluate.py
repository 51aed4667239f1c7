"""The work of ``sudoku-vision evaluate``: how well labelled photos are read, as text, JSON and pictures."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.cli.executors import FEWEST_SHARED, check_sharing, executor_for, reading_memory
from sudoku_vision.cli.options import Options
from sudoku_vision.cli.outputs import find_file
from sudoku_vision.cli.progress import complain, progress_steps

if TYPE_CHECKING:
    from sudoku_vision.results import PageResult, Photo
    from sudoku_vision.workshop.evaluation.metrics import Evaluation


@dataclass(frozen=True)
class Pictures:
    """Where pictures of an evaluation go, None where they are not wanted.

    ``sheet`` is the contact sheet of the failures, ``reliability`` the chart of how far confidence holds.
    """

    sheet: Path | None
    reliability: Path | None


def run_evaluate(
    folders: Sequence[Path],
    pictures: Pictures,
    options: Options,
    *,
    marks: Path | None = None,
) -> None:
    """Evaluate folders, print the figures, and write the pictures.

    *marks* is a table of pencil marks for labels that do not tell their digits. Raises
    :class:`~sudoku_vision.errors.OpenError` if no picture can be opened.
    """
    from sudoku_vision.output.save import check_output

    check_sharing(options)
    for path in (pictures.sheet, pictures.reliability):
        if path is not None:
            find_file(str(path), check_file=check_output)
    count = _Count()
    try:
        result = _evaluated(folders, options, marks, count)
    except KeyboardInterrupt:
        complain(f"interrupted after {count.done} of {count.total} pictures: no figures, nothing written")
        raise
    _print(result, as_json=options.as_json, reliability=pictures.reliability is not None)
    _save_pictures(result, pictures)


@dataclass
class _Count:
    """How far an evaluation has come."""

    done: int = 0
    total: int = 0

    @contextlib.contextmanager
    def progress(self, total: int, words: str) -> Iterator[Callable[[], None]]:
        """Show a bar, and count."""
        self.total += total
        with progress_steps(total, words) as show:

            def step() -> None:
                self.done += 1
                show()

            yield step


@dataclass(frozen=True)
class _ModelReader:
    """Reads photos with the model of ``--model``, in whatever process."""

    model: Path | None

    def __call__(self, photo: Photo) -> PageResult:
        from sudoku_vision.cli.tasks import named_model
        from sudoku_vision.pipeline import read_photo

        return read_photo(photo, model=named_model(self.model))


def _evaluated(folders: Sequence[Path], options: Options, marks: Path | None, count: _Count) -> Evaluation:
    """Read the folders."""
    from sudoku_vision.cli.tasks import named_model
    from sudoku_vision.workshop.evaluation.evaluate import Sharing, evaluate_folders

    named_model(options.model)  # what is wrong with it is said before any work
    sharing = Sharing(
        lambda total: executor_for(options, total, fewest=FEWEST_SHARED, task_memory=reading_memory(options)),
        send_files=options.cluster is not None,
    )
    read = _ModelReader(options.model)
    result = evaluate_folders(folders, read, marks=marks, sharing=sharing, progress=count.progress)
    _complain_of_unopened(result)
    return result


def _complain_of_unopened(result: Evaluation) -> None:
    """Name the pictures that could not be opened; raises OpenError if none could."""
    from sudoku_vision.errors import OpenError

    for _, why in result.unopened:
        complain(f"not opened or read, and counted nowhere: {why}")
    if not result.pictures:
        raise OpenError("None of the labelled pictures could be opened.", "Look at the messages above.")


def _print(result: Evaluation, *, as_json: bool, reliability: bool) -> None:
    """Print the figures to standard output."""
    from sudoku_vision.workshop.evaluation.reliability import (
        entry_pairs_of,
        pairs_by_folder,
        pairs_of,
        reliability_dict,
        reliability_text,
    )
    from sudoku_vision.workshop.evaluation.text import evaluation_text

    groups, entries = pairs_by_folder(result, pairs_of), pairs_by_folder(result, entry_pairs_of)
    if as_json:
        curves = {"reliability": reliability_dict(groups), "entry_reliability": reliability_dict(entries)}
        text = json.dumps({**result.to_dict(), **(curves if reliability else {})}, indent=2)
    else:
        curve = [reliability_text(groups)]
        curve += [reliability_text(entries, "entries")] if entries["all"] else []
        text = "\n\n".join([evaluation_text(result), *(curve if reliability else [])])
    sys.stdout.write(text.rstrip() + "\n")


def _save_pictures(result: Evaluation, pictures: Pictures) -> None:
    """Write the pictures that are wanted."""
    from sudoku_vision.output.save import save
    from sudoku_vision.vision.decode import SURE

    if pictures.sheet is not None:
        from sudoku_vision.workshop.evaluation.contact_sheet import contact_sheet

        save(pictures.sheet, contact_sheet(result.failures))
    if pictures.reliability is not None:
        from sudoku_vision.workshop.evaluation.reliability import draw_reliability, pairs_by_folder, pairs_of

        save(pictures.reliability, draw_reliability(pairs_by_folder(result, pairs_of), sure=SURE))
