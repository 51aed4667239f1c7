"""Real cells for training from a calendar: puzzles filled in by hand, several photos of each.

The form is that of ``calendar``. Pictures are of the same puzzle where their
names begin alike (``01_04_iphone_14_0`` and ``01_04_honor_view_10_1``: that of January 4). Which of the
digits are printed the labels don't say. It is told by all photos of a puzzle together, and by the rules: the
printed digits alone have one solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import DigitScores, Floats, Lattice, Photo
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.vision.digits.classifier import CellClassifier
from sudoku_vision.vision.digits.read import read_cells
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.locate import locate
from sudoku_vision.workshop.evaluation.calendar import labelled_texts, read_label
from sudoku_vision.workshop.training.classes import WRITTEN, Classes
from sudoku_vision.workshop.training.dataset import LabelledBoard
from sudoku_vision.workshop.training.progress import Steps

_NAME_PARTS = 2  # of a picture's name, which say what puzzle it shows: month and day


@dataclass(frozen=True, eq=False)
class _Read:
    """One photo as a classifier reads it: ``digits`` (81,) as labelled, ``written`` (81,) as read."""

    picture: Path
    photo: Photo
    lattice: Lattice
    digits: NDArray[np.int8]
    written: Floats


def calendar_boards(folder: Path, classifier: CellClassifier, steps: Steps) -> list[LabelledBoard]:
    """Return the boards of a calendar whose grid is found and whose clues are certain, upright.

    *classifier* tells which lattice and turn the labels fit best, and what looks written; a cell of pencil
    marks alone is a blank one. Photos of a puzzle are one source.
    """
    pairs = list(labelled_texts(folder))
    found = [_read(*pairs[index], classifier) for index in steps(len(pairs), "Reading the calendar")]
    read = [photo for photo in found if photo is not None]
    boards = []
    for source, group in groupby(read, key=lambda one: puzzle_of(one.picture)):
        photos = list(group)
        classes = _classes(photos)
        if classes is not None:
            boards += [
                LabelledBoard(f"{folder.name}/{one.picture.stem}", one.photo, one.lattice, classes, source)
                for one in photos
            ]
    return boards


def puzzle_of(picture: Path) -> str:
    """Return what puzzle a picture shows, by its name."""
    return "_".join(picture.stem.split("_")[:_NAME_PARTS])


def _read(picture: Path, label: Path, classifier: CellClassifier) -> _Read | None:
    """Return a photo with the lattice and turn under which its labels are likeliest; None without a grid."""
    digits, marked = read_label(label)
    known = np.array([cell for cell in range(81) if cell not in marked])
    photo = load_photo(picture)
    best, best_likelihood = None, -np.inf
    for lattice in locate(photo):
        for turn, scores in read_cells(photo, lattice, classifier).likely_scores.items():
            likelihood = _log_likelihood(scores, digits.ravel(), known)
            if likelihood > best_likelihood:
                best_likelihood = likelihood
                best = _Read(picture, photo, lattice.turned(turn), digits.ravel(), scores.written)
    return best


def _log_likelihood(scores: DigitScores, digits: NDArray[np.int8], known: NDArray[np.intp]) -> float:
    return float(scores.log_probs[known, digits[known]].sum())


def _classes(photos: Sequence[_Read]) -> Classes | None:
    """Return the classes (81,) of a puzzle from its photos; None where labels or rules speak against it."""
    digits = photos[0].digits
    if any((one.digits != digits).any() for one in photos):
        return None
    by_hand = np.mean([one.written for one in photos], axis=0) > 0.5
    if solve(np.where(by_hand, 0, digits).reshape(9, 9)).status != "one":
        return None
    classes = digits.astype(np.int64)
    classes[by_hand & (digits > 0)] += WRITTEN - 1
    return classes
