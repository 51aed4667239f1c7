"""Evaluate: how well labelled pictures are read, and whether *solved* is ever said of a wrong reading.

Vocabulary: a label is one puzzle of a picture. It is *found* if a grid of the result is matched to it, *read*
if all 81 cells are right (the printed clues; blank where a person wrote), *wrong* if it is called solved
though it was not read. *False* is a grid claimed in a picture that holds none. *With handwriting* counts,
where the label says what a person wrote, the puzzles of which print and handwriting are all right. *Verdicts*
are what ``sudoku-vision check`` says of the digits that a person wrote, and which of them are false.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_vision.check import check
from sudoku_vision.errors import OpenError
from sudoku_vision.evaluation.chart import aligned
from sudoku_vision.evaluation.labels import Label, LabelledPicture, find_labels
from sudoku_vision.results import Board, GridResult, PageResult, Photo

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
    """The pictures that were opened, all outcomes, and the seconds that each picture took.

    ``unopened`` are the pictures that could not be opened, and why; they count nowhere else. ``drawn`` is
    what became of pictures drawn to look at the confidences; only what is wrong of them is a failure.
    """

    pictures: tuple[LabelledPicture, ...]
    outcomes: tuple[Outcome, ...]
    seconds: tuple[float, ...]
    unopened: tuple[tuple[LabelledPicture, str], ...] = ()
    drawn: tuple[Outcome, ...] = ()

    @property
    def failures(self) -> list[Outcome]:
        """What failed, the worst first: wrongly called solved, then claimed where there is nothing."""
        failed = [outcome for outcome in self.drawn if outcome.wrong]
        failed += [outcome for outcome in self.outcomes if outcome.failed]
        return sorted(failed, key=lambda outcome: (not outcome.wrong, not outcome.false))

    def by_origin(self) -> dict[str, list[Outcome]]:
        """The outcomes by the folder that they come from."""
        origins: dict[str, list[Outcome]] = {picture.tags[0]: [] for picture in self.pictures if picture.tags}
        for outcome in self.outcomes:
            if outcome.picture.tags:
                origins[outcome.picture.tags[0]].append(outcome)
        return origins

    def by_tag(self) -> dict[str, dict[str, Any]]:
        """The figures of all together under ``all``, of each folder if there are several, of each tag."""
        origins = self.by_origin()
        tags = sorted({tag for picture in self.pictures for tag in picture.tags[1:]})
        figures = {"all": {"pictures": len(self.pictures), **_figures(self.outcomes)}}
        for tag in dict.fromkeys([*(origins if len(origins) > 1 else ()), *tags]):
            count = sum(tag in picture.tags for picture in self.pictures)
            outcomes = [o for o in self.outcomes if tag in o.picture.tags]
            figures[tag] = {"pictures": count, **_figures(outcomes)}
        return figures

    def verdicts(self) -> dict[str, int]:
        """The marks on written digits, where the label has them: how many of a kind, and how many are false.

        *Right* is false of a digit that is not what the solution has, *wrong* of one that is, or of no digit.
        """
        counts: Counter[str] = Counter()
        for outcome in self.outcomes:
            if outcome.all_read is not None and outcome.solved:
                counts += _verdicts(outcome)
        return {kind: counts[kind] for kind in ("right", "right_false", "wrong", "wrong_false", "unclear")}

    def to_dict(self) -> dict[str, Any]:
        """Everything that is printed, for JSON."""
        return {
            "tags": self.by_tag(),
            "verdicts": self.verdicts(),
            "median_seconds": round(statistics.median(self.seconds), 4) if self.seconds else None,
            "failures": [_failure(outcome) for outcome in self.failures],
            "not_opened": [{"picture": str(one.path), "message": why} for one, why in self.unopened],
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


def _verdicts(outcome: Outcome) -> Counter[str]:
    """The marks on the written digits of a solved grid."""
    grid, label = outcome.grid, outcome.label
    assert grid is not None and grid.solution is not None
    assert label is not None and label.everything is not None
    marks, truth = check(grid), label.everything.reshape(81)
    fits = truth == grid.solution.reshape(81)
    return Counter(
        right=len(marks.right),
        right_false=sum(not fits[cell] for cell in marks.right),
        wrong=len(marks.wrong),
        wrong_false=sum(bool(fits[cell] or not truth[cell]) for cell in marks.wrong),
        unclear=len(marks.unclear),
    )


def _failure(outcome: Outcome) -> dict[str, Any]:
    """One failure in words."""
    grid, label = outcome.grid, outcome.label
    return {
        "picture": str(outcome.picture.path),
        "turn": outcome.picture.turn,
        "status": "not found" if grid is None else grid.status,
        "confidence": None if grid is None else round(grid.confidence, 4),
        "cells": None if grid is None or label is None else int(differing(label, grid).sum()),
        "mistakes": mistakes(outcome),
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


def mistakes(outcome: Outcome) -> list[str]:
    """The cells that were not read right, each in words: ``r6c9: blank (7 by hand) for 7``."""
    grid, label = outcome.grid, outcome.label
    if grid is None or label is None:
        return []
    read = np.where(label.clues is None, merged(grid), grid.puzzle)
    words = []
    for row, column in np.argwhere(differing(label, grid)):
        seen = _digit(read[row, column], merged(grid)[row, column])
        right = _digit(
            label.board[row, column], 0 if label.everything is None else label.everything[row, column]
        )
        words.append(f"r{row + 1}c{column + 1}: {seen} for {right}")
    return words


def _digit(printed: int, everything: int) -> str:
    """What is in a cell, in words."""
    return str(printed) if printed else f"blank ({everything} by hand)" if everything else "blank"


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


def table(evaluation: Evaluation) -> str:
    """The figures as a table of text."""
    head = ("tag", "pictures", "puzzles", "found", "read", "", "solved", "wrong", "false", "with handwriting")
    rows: list[tuple[str, ...]] = [head]
    for tag, f in evaluation.by_tag().items():
        share = f"{100 * f['read'] / f['puzzles']:.1f} %" if f["puzzles"] else ""
        written = f"{f['handwriting_read']} of {f['handwriting']}" if f["handwriting"] else ""
        keys = ("pictures", "puzzles", "found", "read", "solved", "wrong", "false")
        counts = [str(f[key]) for key in keys]
        rows.append((tag, *counts[:4], share, *counts[4:], written))
    return aligned(rows)


def verdicts_text(evaluation: Evaluation) -> str:
    """One line on the marks of ``sudoku-vision check``, empty where nobody noted what is written."""
    of = evaluation.verdicts()
    if not any(of.values()):
        return ""
    return (
        f"written digits called right {of['right']}, falsely {of['right_false']}; "
        f"called wrong {of['wrong']}, falsely {of['wrong_false']}; not clear {of['unclear']}"
    )


def failures_text(failures: Iterable[Outcome]) -> str:
    """One line a failure."""
    lines = []
    for failure in map(_failure, failures):
        status = failure["status"].replace("_", " ")
        what = f"a grid where there is none, {status}" if failure["false"] else status
        mark = "WRONG " if failure["wrong"] else ""
        sure = "" if failure["confidence"] is None else f", confidence {failure['confidence']:.3f}"
        turned = f", turned {90 * failure['turn']}" if failure["turn"] else ""
        cells = f"; {shortened(failure['mistakes'])}" if failure["mistakes"] else ""
        lines.append(f"{mark}{failure['picture']}{turned}: {what}{sure}{cells}")
    return "\n".join(lines)


def shortened(words: Sequence[str], most: int = 4) -> str:
    """Some of the *words*, and how many more there are."""
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more} more" if more > 0 else "")


def run(
    folders: Sequence[Path],
    *,
    sheet: Path | None = None,
    reliability: Path | None = None,
    drawn: int = 210,
    as_json: bool = False,
    model_path: Path | None = None,
    turns: Sequence[int] = (0,),
) -> Evaluation:
    """Evaluate folders, print the figures, and write the contact sheet of the failures: the command.

    *reliability* is where the picture goes of how far confidence holds, over the folders and so many *drawn*
    pictures. *turns* are the quarter turns clockwise in which every picture is read. Raises
    :class:`~sudoku_vision.errors.OpenError` if no picture can be opened.
    """
    from sudoku_vision.cli.model import named_model
    from sudoku_vision.decode import SURE
    from sudoku_vision.evaluation.reliability import (
        draw_reliability,
        groups_of,
        reliability_dict,
        reliability_text,
    )
    from sudoku_vision.pipeline import read_photo
    from sudoku_vision.save import check_output, save

    for path in (sheet, reliability):
        if path is not None:
            check_output(path)
    model = named_model(model_path)

    def read(photo: Photo) -> PageResult:
        return read_photo(photo, model=model)

    result, groups = _evaluated(folders, turns, read), None
    if reliability is not None:
        result = replace(result, drawn=tuple(_drawn(drawn, read)))
        groups = groups_of(result)
    if as_json:
        figures = {} if groups is None else {"reliability": reliability_dict(groups)}
        _print(json.dumps({**result.to_dict(), **figures}, indent=2))
    else:
        words = [table(result), verdicts_text(result), _time(result), failures_text(result.failures)]
        words += [] if groups is None else [reliability_text(groups)]
        _print("\n\n".join(filter(None, words)))
    if sheet is not None:
        from sudoku_vision.evaluation.contact_sheet import contact_sheet

        save(sheet, contact_sheet(result.failures))
    if reliability is not None and groups is not None:
        save(reliability, draw_reliability(groups, sure=SURE))
    return result


def _evaluated(folders: Sequence[Path], turns: Sequence[int], read: Reader) -> Evaluation:
    """Evaluate folders, and say what could not be opened; raises OpenError if nothing could."""
    from sudoku_vision.cli.show import complain, progress

    pictures = [picture for folder in folders for picture in find_labels(folder)]
    pictures = [picture.turned(turn) if turn else picture for turn in turns for picture in pictures]
    with progress(len(pictures), "reading") as step:
        result = evaluate(pictures, read, step=step)
    for _, why in result.unopened:
        complain(f"not opened, and counted nowhere: {why}")
    if not result.pictures:
        raise OpenError("None of the labelled pictures could be opened.", "Look at the messages above.")
    return result


def _drawn(count: int, read: Reader) -> list[Outcome]:
    """What became of so many drawn pictures."""
    from sudoku_vision.cli.show import progress
    from sudoku_vision.evaluation.reliability import drawn_outcomes

    with progress(count, "drawing and reading") as step:
        return drawn_outcomes(count, read, step=step)


def _time(evaluation: Evaluation) -> str:
    return f"median time {1000 * statistics.median(evaluation.seconds):.1f} ms a picture"


def _print(text: str) -> None:
    sys.stdout.write(text.rstrip() + "\n")
