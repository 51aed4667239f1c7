"""Metrics: the outcome of each label, and counts of outcomes. Terms: see :mod:`workshop.evaluation`."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import OpenError, TaskError
from sudoku_vision.page import Page
from sudoku_vision.parallel import SerialExecutor, map_in_order
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.sudoku.solver import count_solutions
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.verdicts import check
from workshop.evaluation.labels import Label, LabelledPicture

Cells = NDArray[np.bool_]  # a set of cells as (9, 9) bool
Reader = Callable[[Photo], Page]  # the function that is measured


@dataclass(frozen=True, eq=False)
class Outcome:
    """A label and the grid that was found for it.

    ``grid`` is None if no grid was found for the label. ``label`` is None if the grid has no label.
    """

    picture: LabelledPicture
    label: Label | None
    grid: Grid | None

    @property
    def read(self) -> bool:
        """Whether all 81 cells and the rules of the puzzle were read right."""
        known = self.label is not None and self.grid is not None
        return known and not self.misread.any() and self.has_rules

    @property
    def all_read(self) -> bool | None:
        """Whether all printed and written digits were read right; None if the handwriting isn't labelled."""
        if self.label is None or self.label.everything is None:
            return None
        return self.grid is not None and np.array_equal(self.grid.board, self.label.everything)

    @property
    def solved(self) -> bool:
        """Whether the program calls the grid solved."""
        return self.grid is not None and self.grid.status == "solved"

    @property
    def false(self) -> bool:
        """Whether a grid was found in a picture without labels.

        In a picture with the tag ``killer``, a grid that was read as a killer is not false.
        """
        killer = "killer" in self.picture.tags and self.grid is not None and bool(self.grid.rules.cages)
        return self.label is None and not self.picture.labels and not killer

    @property
    def has_rules(self) -> bool:
        """Whether the grid was read with the rules of its label; True if the label's rules are not known."""
        rules = None if self.label is None else self.label.rules
        return rules is None or (self.grid is not None and self.grid.rules == rules)

    @property
    def contradicted(self) -> bool:
        """Whether the solution differs from a labelled clue.

        If the clues are not known, the solution is compared with all labelled digits.
        """
        if self.label is None or self.grid is None or self.grid.solution is None:
            return False
        board = self.label.board
        return bool(((self.grid.solution != board) & (board != 0)).any())

    @property
    def answered(self) -> bool:
        """Whether the grid has the solution of the labelled puzzle, even if a clue is misread.

        If the clues are not known, the solution must have all labelled digits. Photos without known clues
        show calendar pages, and people wrote only right digits on them.
        """
        label, grid = self.label, self.grid
        if label is None or grid is None or grid.solution is None or self.contradicted or not self.has_rules:
            return False
        return label.clues is None or count_solutions(label.clues, rules=label.rules or CLASSIC) == 1

    @property
    def wrong(self) -> bool:
        """Whether the grid is called solved although its answer is not right."""
        label, grid = self.label, self.grid
        if not self.solved or grid is None:
            return False
        if label is not None and label.clues is None:
            if label.marks is not None:
                return self.contradicted
            return bool(((grid.puzzle != label.board) & (grid.puzzle != 0)).any())
        return not self.read and not self.answered and (label is not None or self.false)

    @property
    def failed(self) -> bool:
        """Whether the label was not read right, or a grid was found in a picture without labels."""
        return self.false or (self.label is not None and not self.read)

    @property
    def misread(self) -> Cells:
        """The cells that were not read right, (9, 9) bool."""
        if self.label is None or self.grid is None:
            return np.zeros((9, 9), bool)
        return misread_cells(self.label, self.grid)

    def to_dict(self) -> dict[str, Any]:
        """Return the status and the mistakes for JSON."""
        grid = self.grid
        return {
            "picture": str(self.picture.path),
            "status": "not found" if grid is None else grid.status,
            "confidence": None if grid is None else round(grid.confidence, 4),
            "cells": None if grid is None or self.label is None else int(self.misread.sum()),
            "mistakes": mistakes(self),
            "wrong": self.wrong,
            "false": self.false,
        }


def counts_of(pictures: int, outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Return the counts of *outcomes* by name.

    ``handwriting``: puzzles whose handwriting is labelled. ``handwriting_read``: those of them in which all
    printed and written digits were read right. ``read_solved``: puzzles that were read right and called
    solved.
    """
    labelled = [outcome for outcome in outcomes if outcome.label is not None]
    return {
        "pictures": pictures,
        "puzzles": len(labelled),
        "found": sum(outcome.grid is not None for outcome in labelled),
        "read": sum(outcome.read for outcome in labelled),
        "solved": sum(outcome.solved for outcome in labelled),
        "wrong": sum(outcome.wrong for outcome in outcomes),
        "false": sum(outcome.false for outcome in outcomes),
        "handwriting": sum(outcome.all_read is not None for outcome in labelled),
        "handwriting_read": sum(outcome.all_read is True for outcome in labelled),
        "read_solved": sum(outcome.read and outcome.solved for outcome in labelled),
    }


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The pictures that were read, all outcomes, and the time in ``seconds`` that each picture took.

    ``unopened``: the pictures that could not be read, each with the reason.
    """

    pictures: tuple[LabelledPicture, ...]
    outcomes: tuple[Outcome, ...]
    seconds: tuple[float, ...]
    unopened: tuple[tuple[LabelledPicture, str], ...] = ()

    @property
    def failures(self) -> list[Outcome]:
        """The failures, the worst first."""
        failed = [outcome for outcome in self.outcomes if outcome.failed]
        return sorted(failed, key=lambda outcome: (not outcome.wrong, not outcome.false))

    @property
    def median_seconds(self) -> float | None:
        """The median time for reading a picture, in seconds."""
        return statistics.median(self.seconds) if self.seconds else None

    def by_origin(self) -> dict[str, list[Outcome]]:
        """Return the outcomes of each folder's pictures, by the name of the folder."""
        origins: dict[str, list[Outcome]] = {picture.tags[0]: [] for picture in self.pictures}
        for outcome in self.outcomes:
            origins[outcome.picture.tags[0]].append(outcome)
        return origins

    def by_tag(self) -> dict[str, dict[str, int]]:
        """Return the counts of :func:`counts_of` for all pictures, and for each tag.

        If the pictures are from several folders, there are also the counts for each folder.
        """
        origins = self.by_origin()
        tags = sorted({tag for picture in self.pictures for tag in picture.tags[1:]})
        counts = {"all": counts_of(len(self.pictures), self.outcomes)}
        for tag in dict.fromkeys([*(origins if len(origins) > 1 else ()), *tags]):
            outcomes = [outcome for outcome in self.outcomes if tag in outcome.picture.tags]
            counts[tag] = counts_of(sum(tag in picture.tags for picture in self.pictures), outcomes)
        return counts

    def marks(self) -> dict[str, int]:
        """Return counts for pencil marks.

        A *mark cell* has only pencil marks in the label. ``cells``: all mark cells. ``found``: mark cells in
        which marks were read. ``as_digits``: mark cells in which a digit was read. ``false``: other cells in
        which marks were read. The :func:`noted_counts` are for ``found`` cells whose digits are labelled.
        """
        known = [(label.marks, grid) for label, grid in self._labelled if label.marks is not None]
        read = [(marks, grid) for marks, grid in known if grid is not None]
        found = [
            (marks[cell], grid.marks[cell]) for marks, grid in read for cell in marks if grid.marks[cell]
        ]
        return {
            "cells": sum(len(marks) for marks, _ in known),
            "found": len(found),
            "as_digits": sum(bool(grid.board.flat[cell]) for marks, grid in read for cell in marks),
            "false": sum(map(bool, chain(*(grid.marks for _, grid in read)))) - len(found),
            **noted_counts([(truth, those) for truth, those in found if truth]),
        }

    def roles(self) -> dict[str, int]:
        """Return counts of puzzles, right solutions, clues, entries, and confusions of clues with entries.

        Clues and entries are counted only if the label has both print and handwriting.
        """
        known = [
            (label.clues > 0, (label.clues == 0) & (label.everything > 0), grid)
            for label, grid in self._labelled
            if grid is not None and label.clues is not None and label.everything is not None
        ]
        return {
            "puzzles": len(self._labelled),
            "answered": sum(outcome.answered for outcome in self.outcomes),
            "entries": sum(int(entry.sum()) for _, entry, _ in known),
            "entries_as_clues": sum(int((entry & (grid.puzzle > 0)).sum()) for _, entry, grid in known),
            "clues": sum(int(clue.sum()) for clue, _, _ in known),
            "clues_as_entries": sum(int((clue & (grid.written > 0)).sum()) for clue, _, grid in known),
        }

    def verdicts(self) -> dict[str, int]:
        """Return counts of the entries in solved grids: those that ``check`` calls right, wrong and unclear.

        ``right_false`` and ``wrong_false`` count the entries that ``check`` calls right or wrong by mistake.
        """
        total = dict.fromkeys(("right", "right_false", "wrong", "wrong_false", "unclear"), 0)
        for label, grid in self._labelled:
            if label.everything is None or grid is None or grid.status != "solved":
                continue
            assert grid.solution is not None
            marks, truth = check(grid), label.everything.ravel()
            fits = truth == grid.solution.ravel()
            total["right"] += len(marks.right)
            total["right_false"] += sum(not fits[cell] for cell in marks.right)
            total["wrong"] += len(marks.wrong)
            total["wrong_false"] += sum(bool(fits[cell] or not truth[cell]) for cell in marks.wrong)
            total["unclear"] += len(marks.unclear)
        return total

    @property
    def _labelled(self) -> list[tuple[Label, Grid | None]]:
        return [(one.label, one.grid) for one in self.outcomes if one.label is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return all figures and failures for JSON."""
        median = self.median_seconds
        return {
            "tags": self.by_tag(),
            "verdicts": self.verdicts(),
            "marks": self.marks(),
            "roles": self.roles(),
            "median_seconds": None if median is None else round(median, 4),
            "failures": [outcome.to_dict() for outcome in self.failures],
            "not_opened": [{"picture": str(picture.path), "message": why} for picture, why in self.unopened],
        }


def noted_counts(noted: Sequence[tuple[frozenset[int], frozenset[int]]]) -> dict[str, int]:
    """Return counts for cells whose pencil marks are known. *noted*: true marks and read marks of each cell.

    ``noted``: all these cells. ``whole``: cells without a mistake. ``digits``: all true marks.
    ``digits_read``: true marks that were read. ``digits_extra``: read digits that are no true marks.
    """
    return {
        "noted": len(noted),
        "whole": sum(read == truth for truth, read in noted),
        "digits": sum(len(truth) for truth, _ in noted),
        "digits_read": sum(len(truth & read) for truth, read in noted),
        "digits_extra": sum(len(read - truth) for truth, read in noted),
    }


def misread_cells(label: Label, grid: Grid) -> Cells:
    """Return a mask (9, 9) bool of the cells in which *grid* differs from *label*."""
    read = grid.puzzle if label.clues is not None else grid.board
    return np.asarray(read != label.board)


def mistakes(outcome: Outcome) -> list[str]:
    """Return a text for each misread cell.

    For example, ``r6c9: blank (7 by hand) for 7`` means that a printed 7 was read as handwriting.
    """
    grid, label = outcome.grid, outcome.label
    if grid is None or label is None:
        return []
    every = grid.board
    read = every if label.clues is None else grid.puzzle
    words = []
    for row, column in np.argwhere(outcome.misread):
        seen = _content(read[row, column], every[row, column])
        noted = 0 if label.everything is None else label.everything[row, column]
        words.append(f"r{row + 1}c{column + 1}: {seen} for {_content(label.board[row, column], noted)}")
    return words


def _content(printed: int, either: int) -> str:
    """Return the content of a cell in words. *either*: its digit, printed or handwritten; 0 for none."""
    return str(printed) if printed else f"blank ({either} by hand)" if either else "blank"


def outcomes_of(picture: LabelledPicture, grids: Sequence[Grid]) -> list[Outcome]:
    """Return an outcome for each label of a picture, and for each grid without a label.

    Each label is paired with at most one grid. The fewer cells differ in a pair, the earlier it is formed.
    """
    labels = picture.labels
    pairs = sorted(
        (int(misread_cells(label, grid).sum()), i, j)
        for i, label in enumerate(labels)
        for j, grid in enumerate(grids)
    )
    partner: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in partner and j not in partner.values():
            partner[i] = j
    found = [
        Outcome(picture, label, grids[partner[i]] if i in partner else None) for i, label in enumerate(labels)
    ]
    left = [grid for j, grid in enumerate(grids) if j not in partner.values()]
    return found + [Outcome(picture, None, grid) for grid in left]


def evaluate(
    pictures: Iterable[LabelledPicture],
    read: Reader,
    *,
    executor: Executor | None = None,
    send_files: bool = False,
    step: Callable[[], object] = lambda: None,
) -> Evaluation:
    """Read all *pictures* with the function *read*, and compare the results with the labels.

    If an *executor* is given, its workers read the pictures. If *send_files* is true, the workers get the
    content of the files, otherwise their paths. *step* is called after each picture.
    """
    opened: list[LabelledPicture] = []
    outcomes: list[Outcome] = []
    seconds: list[float] = []
    unopened: list[tuple[LabelledPicture, str]] = []
    items = ((picture, _file_of(picture) if send_files else None) for picture in pictures)
    for (picture, _), reading in map_in_order(executor or SerialExecutor(), partial(_read, read), items):
        try:
            page = reading.result()
        except OpenError as error:
            unopened.append((picture, str(error)))
        except TaskError as error:
            unopened.append((picture, f"{picture.path}: {error}"))
        else:
            opened.append(picture)
            outcomes += outcomes_of(picture, page.grids)
            seconds.append(page.seconds)
        step()
    return Evaluation(tuple(opened), tuple(outcomes), tuple(seconds), tuple(unopened))


def _file_of(picture: LabelledPicture) -> bytes | None:
    """Return the bytes of a picture's file; None if there is no file. Opening will then raise OpenError."""
    return picture.path.read_bytes() if picture.path.is_file() else None


def _read(read: Reader, item: tuple[LabelledPicture, bytes | None]) -> Page:
    picture, data = item
    return read(picture.open(data))
