"""Metrics: what became of each label, and how many were found, read, solved and wrongly called solved.

Values and counting alone; the words are explained in :mod:`sudoku_vision.workshop.evaluation`.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Board, GridResult
from sudoku_vision.sudoku.verdicts import check
from sudoku_vision.workshop.evaluation.labels import Label, LabelledPicture
from sudoku_vision.workshop.evaluation.mark_metrics import MarkCounts, mark_counts, misread_marks
from sudoku_vision.workshop.evaluation.roles import RoleCounts, contradicts, is_answered, role_counts

Cells = NDArray[np.bool_]
"""Some cells of a board, (9, 9)."""


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
        return self.grid is not None and np.array_equal(all_digits(self.grid), self.label.everything)

    @property
    def solved(self) -> bool:
        """Whether it is called solved."""
        return self.grid is not None and self.grid.status == "solved"

    @property
    def false(self) -> bool:
        """Whether a grid is claimed where there is none at all."""
        return self.label is None and not self.picture.labels

    @property
    def answered(self) -> bool:
        """Whether its solution is right, even where an entry was taken for a clue."""
        return self.label is not None and self.grid is not None and is_answered(self.label, self.grid)

    @property
    def wrong(self) -> bool:
        """Whether it is called solved though the answer is not right."""
        if self.label is not None and self.grid is not None and self.label.clues is None:
            if self.label.marks is not None:
                return self.solved and contradicts(self.label, self.grid)
            return self.solved and misreads_clue(self.label, self.grid)
        misread = self.solved and not self.read and (self.label is not None or self.false)
        return misread and not self.answered

    @property
    def failed(self) -> bool:
        """Whether it belongs on the contact sheet."""
        return self.false or (self.label is not None and not self.read)

    @property
    def misread(self) -> Cells:
        """The cells (9, 9) that were not read right; none without a label or a grid."""
        if self.label is None or self.grid is None:
            return np.zeros((9, 9), bool)
        return misread_cells(self.label, self.grid)

    @property
    def misread_marks(self) -> Cells:
        """The cells (9, 9) whose pencil marks were not read right; none where nobody noted them."""
        if self.label is None or self.grid is None:
            return np.zeros((9, 9), bool)
        return misread_marks(self.label, self.grid)

    @property
    def misread_handwriting(self) -> Cells:
        """The other cells (9, 9) whose handwriting was not read right; none where it is not known."""
        if self.label is None or self.grid is None or self.label.everything is None:
            return np.zeros((9, 9), bool)
        wrong: Cells = (all_digits(self.grid) != self.label.everything) & ~self.misread
        return wrong

    def to_dict(self) -> dict[str, Any]:
        """Return what went wrong, for JSON."""
        grid = self.grid
        return {
            "picture": str(self.picture.path),
            "turn": self.picture.turn,
            "status": "not found" if grid is None else grid.status,
            "confidence": None if grid is None else round(grid.confidence, 4),
            "cells": None if grid is None or self.label is None else int(self.misread.sum()),
            "mistakes": mistakes(self),
            "wrong": self.wrong,
            "false": self.false,
        }


@dataclass(frozen=True)
class Counts:
    """How many pictures and puzzles there were, and what became of the puzzles.

    ``read_solved`` are those that were read and called solved. ``handwriting`` are the puzzles of which it is
    known what a person wrote, ``handwriting_read`` those of them of which print and handwriting are all
    right.
    """

    pictures: int
    puzzles: int
    found: int
    read: int
    solved: int
    wrong: int
    false: int
    handwriting: int
    handwriting_read: int
    read_solved: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name, for JSON."""
        return asdict(self)


def counts_of(pictures: int, outcomes: Sequence[Outcome]) -> Counts:
    """Count the *outcomes* of so many *pictures*."""
    labelled = [outcome for outcome in outcomes if outcome.label is not None]
    both = [outcome for outcome in labelled if outcome.all_read is not None]
    return Counts(
        pictures=pictures,
        puzzles=len(labelled),
        found=sum(outcome.grid is not None for outcome in labelled),
        read=sum(outcome.read for outcome in labelled),
        solved=sum(outcome.solved for outcome in labelled),
        wrong=sum(outcome.wrong for outcome in outcomes),
        false=sum(outcome.false for outcome in outcomes),
        handwriting=len(both),
        handwriting_read=sum(bool(outcome.all_read) for outcome in both),
        read_solved=sum(outcome.read and outcome.solved for outcome in labelled),
    )


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

    @property
    def median_seconds(self) -> float | None:
        """The median time of a picture in seconds, None where none was read."""
        return statistics.median(self.seconds) if self.seconds else None

    def by_origin(self) -> dict[str, list[Outcome]]:
        """Return the outcomes by the folder that they come from."""
        origins: dict[str, list[Outcome]] = {picture.tags[0]: [] for picture in self.pictures if picture.tags}
        for outcome in self.outcomes:
            if outcome.picture.tags:
                origins[outcome.picture.tags[0]].append(outcome)
        return origins

    def by_tag(self) -> dict[str, Counts]:
        """Return the counts of all under ``all``, of each folder if there are several, of each tag."""
        origins = self.by_origin()
        tags = sorted({tag for picture in self.pictures for tag in picture.tags[1:]})
        counts = {"all": counts_of(len(self.pictures), self.outcomes)}
        for tag in dict.fromkeys([*(origins if len(origins) > 1 else ()), *tags]):
            pictures = sum(tag in picture.tags for picture in self.pictures)
            counts[tag] = counts_of(pictures, [one for one in self.outcomes if tag in one.picture.tags])
        return counts

    def marks(self) -> MarkCounts:
        """Count the pencil marks, where the labels tell them."""
        return mark_counts(_pairs(self.outcomes))

    def roles(self) -> RoleCounts:
        """Count right answers, and digits that were taken for clues or entries that they are not."""
        return role_counts(_pairs(self.outcomes))

    def verdicts(self) -> dict[str, int]:
        """Count the marks on written digits, where the label has them: how many of a kind, how many false.

        *Right* is false of a digit that is not what the solution has, *wrong* of one that is, or of no digit.
        """
        counts: Counter[str] = Counter()
        for outcome in self.outcomes:
            if outcome.all_read is not None and outcome.solved:
                counts += _verdicts(outcome)
        return {kind: counts[kind] for kind in ("right", "right_false", "wrong", "wrong_false", "unclear")}

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is printed, for JSON."""
        median = self.median_seconds
        return {
            "tags": {tag: counts.to_dict() for tag, counts in self.by_tag().items()},
            "verdicts": self.verdicts(),
            "marks": self.marks().to_dict(),
            "roles": self.roles().to_dict(),
            "median_seconds": None if median is None else round(median, 4),
            "failures": [outcome.to_dict() for outcome in self.failures],
            "not_opened": [{"picture": str(one.path), "message": why} for one, why in self.unopened],
        }


def _pairs(outcomes: Iterable[Outcome]) -> list[tuple[Label, GridResult | None]]:
    """The labels, each with the grid that stands for it, if one was found."""
    return [(outcome.label, outcome.grid) for outcome in outcomes if outcome.label is not None]


def _verdicts(outcome: Outcome) -> Counter[str]:
    """Count the marks on the written digits of a solved grid."""
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


def all_digits(grid: GridResult) -> Board:
    """Return print and handwriting of a grid together, (9, 9) int8."""
    return np.where(grid.puzzle > 0, grid.puzzle, grid.written).astype(np.int8)


def misread_cells(label: Label, grid: GridResult) -> Cells:
    """Return the cells (9, 9) that were not read right."""
    read = grid.puzzle if label.clues is not None else all_digits(grid)
    return np.asarray(read != label.board)


def is_read(label: Label, grid: GridResult) -> bool:
    """Tell whether a grid says what the label says, in all 81 cells."""
    return not misread_cells(label, grid).any()


def misreads_clue(label: Label, grid: GridResult) -> bool:
    """Tell whether a clue contradicts a label that does not tell print from handwriting."""
    return label.everything is not None and bool(
        ((grid.puzzle != label.everything) & (grid.puzzle != 0)).any()
    )


def mistakes(outcome: Outcome) -> list[str]:
    """Name the cells that were not read right, each in words: ``r6c9: blank (7 by hand) for 7``."""
    grid, label = outcome.grid, outcome.label
    if grid is None or label is None:
        return []
    every = all_digits(grid)
    read = np.where(label.clues is None, every, grid.puzzle)
    words = []
    for row, column in np.argwhere(outcome.misread):
        seen = _content(read[row, column], every[row, column])
        noted = 0 if label.everything is None else label.everything[row, column]
        words.append(f"r{row + 1}c{column + 1}: {seen} for {_content(label.board[row, column], noted)}")
    return words


def _content(printed: int, either: int) -> str:
    """Say what stands in a cell: its printed digit, or none; *either* is that or the one by hand."""
    return str(printed) if printed else f"blank ({either} by hand)" if either else "blank"


def match(labels: Sequence[Label], grids: Sequence[GridResult]) -> list[tuple[int, int]]:
    """Return pairs (label, grid), by their numbers, of those that agree best, each used once."""
    pairs = [
        (int(misread_cells(label, grid).sum()), i, j)
        for i, label in enumerate(labels)
        for j, grid in enumerate(grids)
    ]
    matched: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in matched and j not in matched.values():
            matched[i] = j
    return sorted(matched.items())


def outcomes_of(picture: LabelledPicture, grids: Sequence[GridResult]) -> list[Outcome]:
    """Return what became of the labels of one picture, and the grids that are left over."""
    partner = dict(match(picture.labels, grids))
    found = [
        Outcome(picture, label, grids[partner[i]] if i in partner else None)
        for i, label in enumerate(picture.labels)
    ]
    left = [grid for j, grid in enumerate(grids) if j not in partner.values()]
    return found + [Outcome(picture, None, grid) for grid in left]
