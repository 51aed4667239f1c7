"""Evaluate: read labelled pictures, from folders or drawn anew, and compare with their labels."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudoku_vision.errors import OpenError
from sudoku_vision.evaluation.labels import LabelledPicture, find_labels
from sudoku_vision.evaluation.metrics import Evaluation, Outcome, outcomes_of
from sudoku_vision.results import PageResult, Photo

Reader = Callable[[Photo], PageResult]
"""What is measured: reads one photo."""

Step = Callable[[], Any]
"""Is called after each picture."""

Progress = Callable[[int, str], AbstractContextManager[Step]]
"""Shows, while it is open, how far so many steps are done; takes their number and a word on what is done."""


@contextlib.contextmanager
def no_progress(_total: int, _words: str) -> Iterator[Step]:
    """Show nothing; stands in where no other :data:`Progress` is given."""
    yield lambda: None


def evaluate_folders(
    folders: Sequence[Path],
    read: Reader,
    *,
    turns: Sequence[int] = (0,),
    marks: Path | None = None,
    progress: Progress = no_progress,
) -> Evaluation:
    """Read the labelled pictures of *folders*, each in all *turns* (quarters clockwise), and compare.

    *marks* is a table of pencil marks for labels that do not tell their digits.

    Raises :class:`~sudoku_vision.errors.UsageError` for a folder without labels or with a broken one.
    """
    pictures = [picture for folder in folders for picture in find_labels(folder, marks)]
    pictures = [picture.turned(turn) if turn else picture for turn in turns for picture in pictures]
    with progress(len(pictures), "reading") as step:
        return evaluate(pictures, read, step=step)


def evaluate(pictures: Iterable[LabelledPicture], read: Reader, *, step: Step = lambda: None) -> Evaluation:
    """Read all *pictures* and compare; *step* is called after each."""
    opened: list[LabelledPicture] = []
    outcomes: list[Outcome] = []
    seconds: list[float] = []
    unopened: list[tuple[LabelledPicture, str]] = []
    for picture in pictures:
        try:
            photo = picture.open()
        except OpenError as error:
            unopened.append((picture, str(error)))
        else:
            page = read(photo)
            opened.append(picture)
            outcomes += outcomes_of(picture, page.grids)
            seconds.append(page.seconds)
        step()
    return Evaluation(tuple(opened), tuple(outcomes), tuple(seconds), tuple(unopened))


def evaluate_drawn(
    pictures: Iterable[LabelledPicture], read: Reader, *, step: Step = lambda: None
) -> list[Outcome]:
    """Return what *read* makes of drawn *pictures*; *step* is called after each.

    The pictures themselves are kept of those alone that are wrongly called solved.
    """
    outcomes = []
    for picture in pictures:
        found = outcomes_of(picture, read(picture.open()).grids)
        kept = picture if any(outcome.wrong for outcome in found) else replace(picture, photo=None)
        outcomes += [replace(outcome, picture=kept) for outcome in found]
        step()
    return outcomes
