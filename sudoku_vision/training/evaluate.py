"""Evaluate: how well labelled pictures are read, and whether *solved* is ever said of a wrong reading.

Vocabulary: a label is one puzzle of a picture. It is *found* if a grid of the result is matched to it, *read*
if all 81 cells are right (the printed clues; blank where a person wrote), *wrong* if it is called solved
though it was not read. *False* is a grid claimed in a picture that holds none.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_vision.errors import OpenError
from sudoku_vision.load import load_photo
from sudoku_vision.results import Board, GridResult, PageResult, Photo
from sudoku_vision.training.labels import Label, LabelledPicture, find_labels

if TYPE_CHECKING:
    from sudoku_vision.training.reliability import Pair

Reader = Callable[[Photo], PageResult]
"""What is measured: reads one photo."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of one label, or, with ``label`` None, a grid that no label stands for."""

    picture: LabelledPicture
    label: Label | None
    grid: GridResult | None

    @property
    def read(self) -> bool:
        """Whether all 81 cells are right."""
        return self.label is not None and self.grid is not None and is_read(self.label, self.grid)

    @property
    def all_read(self) -> bool | None:
        """Whether print and handwriting together are right; None if the label does not say."""
        if self.label is None or self.label.everything is None:
            return None
        return self.grid is not None and np.array_equal(merged(self.grid), self.label.everything)

    @property
    def solved(self) -> bool:
        """Whether it is called solved."""
        return self.grid is not None and self.grid.status == "solved"

    @property
    def false(self) -> bool:
        """Whether a grid is claimed where there is none at all."""
        return self.label is None and not self.picture.labels

    @property
    def wrong(self) -> bool:
        """Whether it is called solved though it was not read."""
        if self.label is not None and self.grid is not None and self.label.clues is None:
            return self.solved and misreads_clue(self.label, self.grid)
        return self.solved and not self.read and (self.label is not None or self.false)

    @property
    def failed(self) -> bool:
        """Whether it belongs on the contact sheet."""
        return self.false or (self.label is not None and not self.read)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All pictures and outcomes, and the seconds that each picture took."""

    pictures: tuple[LabelledPicture, ...]
    outcomes: tuple[Outcome, ...]
    seconds: tuple[float, ...]

    def by_tag(self) -> dict[str, dict[str, Any]]:
        """The figures of everything together under ``all``, then of each tag."""
        tags = sorted({tag for picture in self.pictures for tag in picture.tags})
        figures = {"all": {"pictures": len(self.pictures), **_figures(self.outcomes)}}
        for tag in tags:
            count = sum(tag in picture.tags for picture in self.pictures)
            outcomes = [o for o in self.outcomes if tag in o.picture.tags]
            figures[tag] = {"pictures": count, **_figures(outcomes)}
        return figures

    def to_dict(self) -> dict[str, Any]:
        """Everything that is printed, for JSON."""
        return {
            "tags": self.by_tag(),
            "median_seconds": round(statistics.median(self.seconds), 4) if self.seconds else None,
            "failures": [_failure(outcome) for outcome in self.outcomes if outcome.failed],
        }


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Counts over some outcomes."""
    labelled = [o for o in outcomes if o.label is not None]
    both = [o for o in labelled if o.all_read is not None]
    return {
        "puzzles": len(labelled),
        "found": sum(o.grid is not None for o in labelled),
        "read": sum(o.read for o in labelled),
        "solved": sum(o.solved for o in labelled),
        "wrong": sum(o.wrong for o in outcomes),
        "false": sum(o.false for o in outcomes),
        "handwriting": len(both),
        "handwriting_read": sum(bool(o.all_read) for o in both),
    }


def _failure(outcome: Outcome) -> dict[str, Any]:
    """One failure in words."""
    grid, label = outcome.grid, outcome.label
    return {
        "picture": str(outcome.picture.path),
        "status": "not found" if grid is None else grid.status,
        "confidence": None if grid is None else round(grid.confidence, 4),
        "cells": None if grid is None or label is None else int(differing(label, grid).sum()),
        "wrong": outcome.wrong,
        "false": outcome.false,
    }


def merged(grid: GridResult) -> Board:
    """Print and handwriting of a grid together."""
    return np.where(grid.puzzle > 0, grid.puzzle, grid.written).astype(np.int8)


def differing(label: Label, grid: GridResult) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Cells (9, 9) that were not read right."""
    read = grid.puzzle if label.clues is not None else merged(grid)
    return np.asarray(read != label.board)


def misreads_clue(label: Label, grid: GridResult) -> bool:
    """Whether a clue contradicts a label that does not tell print from handwriting."""
    return label.everything is not None and bool(
        ((grid.puzzle != label.everything) & (grid.puzzle != 0)).any()
    )


def is_read(label: Label, grid: GridResult) -> bool:
    """Whether a grid says what the label says, in all 81 cells."""
    return not differing(label, grid).any()


def match(labels: Sequence[Label], grids: Sequence[GridResult]) -> list[tuple[int, int]]:
    """Pairs (label, grid) of those that agree best, each used once."""
    pairs = [
        (int(differing(label, grid).sum()), i, j)
        for i, label in enumerate(labels)
        for j, grid in enumerate(grids)
    ]
    matched: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in matched and j not in matched.values():
            matched[i] = j
    return sorted(matched.items())


def outcomes_of(picture: LabelledPicture, grids: Sequence[GridResult]) -> list[Outcome]:
    """What became of the labels of one picture, and the grids that are left over."""
    partner = dict(match(picture.labels, grids))
    found = [
        Outcome(picture, label, grids[partner[i]] if i in partner else None)
        for i, label in enumerate(picture.labels)
    ]
    left = [grid for j, grid in enumerate(grids) if j not in partner.values()]
    return found + [Outcome(picture, None, grid) for grid in left]


def evaluate(
    pictures: Iterable[LabelledPicture], read: Reader, *, step: Callable[[], Any] = lambda: None
) -> Evaluation:
    """Read all *pictures* and compare; *step* is called after each.

    A picture that can't be opened counts as one whose puzzles were not found.
    """
    outcomes: list[Outcome] = []
    seconds = []
    pictures = tuple(pictures)
    for picture in pictures:
        try:
            page = read(load_photo(picture.path))
        except OpenError:
            outcomes += outcomes_of(picture, [])
        else:
            outcomes += outcomes_of(picture, page.grids)
            seconds.append(page.seconds)
        step()
    return Evaluation(pictures, tuple(outcomes), tuple(seconds))


def table(evaluation: Evaluation) -> str:
    """The figures as a table of text."""
    head = ("tag", "pictures", "puzzles", "found", "read", "", "solved", "wrong", "false", "handwriting")
    rows: list[tuple[str, ...]] = [head]
    for tag, f in evaluation.by_tag().items():
        share = f"{100 * f['read'] / f['puzzles']:.1f} %" if f["puzzles"] else ""
        written = f"{f['handwriting_read']} of {f['handwriting']}" if f["handwriting"] else ""
        keys = ("pictures", "puzzles", "found", "read", "solved", "wrong", "false")
        counts = [str(f[key]) for key in keys]
        rows.append((tag, *counts[:4], share, *counts[4:], written))
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def failures_text(evaluation: Evaluation) -> str:
    """One line a failure."""
    lines = []
    for failure in evaluation.to_dict()["failures"]:
        what = "a grid where there is none" if failure["false"] else failure["status"]
        cells = f", {failure['cells']} cells differ" if failure["cells"] else ""
        mark = "WRONG " if failure["wrong"] else ""
        sure = "" if failure["confidence"] is None else f", confidence {failure['confidence']:.3f}"
        lines.append(f"{mark}{failure['picture']}: {what}{cells}{sure}")
    return "\n".join(lines)


def run(
    folders: Sequence[Path],
    *,
    sheet: Path | None = None,
    reliability: Path | None = None,
    drawn: int = 210,
    as_json: bool = False,
    model_path: Path | None = None,
) -> Evaluation:
    """Evaluate folders, print the figures, and write the contact sheet of the failures: the command.

    *reliability* is where the picture goes of how far confidence holds, over the folders and so many *drawn*
    pictures.
    """
    from sudoku_vision.cli.show import progress
    from sudoku_vision.decode import SURE
    from sudoku_vision.digits import load_model
    from sudoku_vision.pipeline import read_photo
    from sudoku_vision.save import check_ending, save
    from sudoku_vision.training.reliability import draw_reliability, reliability_dict, reliability_text

    for path in (sheet, reliability):
        if path is not None:
            check_ending(path)
    model = load_model(model_path)
    pictures = [picture for folder in folders for picture in find_labels(folder)]

    def read(photo: Photo) -> PageResult:
        return read_photo(photo, model=model)

    with progress(len(pictures), "reading") as step:
        result = evaluate(pictures, read, step=step)
    pairs = None if reliability is None else _pairs(result, read, drawn)
    if as_json:
        figures = {} if pairs is None else {"reliability": reliability_dict(pairs)}
        _print(json.dumps({**result.to_dict(), **figures}, indent=2))
    else:
        _print(table(result))
        _print(f"\nmedian time {1000 * statistics.median(result.seconds or (0.0,)):.1f} ms a picture")
        _print("\n" + failures_text(result))
        if pairs is not None:
            _print("\n" + reliability_text(pairs))
    if sheet is not None:
        from sudoku_vision.training.sheet import contact_sheet

        save(sheet, contact_sheet([outcome for outcome in result.outcomes if outcome.failed]))
    if reliability is not None and pairs is not None:
        save(reliability, draw_reliability(pairs, sure=SURE))
    return result


def _pairs(evaluation: Evaluation, read: Reader, drawn: int) -> dict[str, list[Pair]]:
    """How sure and how right the program was: of what was evaluated, and of pictures *drawn* for it."""
    from sudoku_vision.cli.show import progress
    from sudoku_vision.training.reliability import drawn_outcomes, pairs_of

    with progress(drawn, "drawing and reading") as step:
        outcomes = drawn_outcomes(drawn, read, step=step)
    return {"labelled": pairs_of(evaluation.outcomes), "drawn": pairs_of(outcomes, all_labelled=True)}


def _print(text: str) -> None:
    sys.stdout.write(text.rstrip() + "\n")
