"""Cut cells for training out of labelled photos.

Labels of calendar pages don't say which digits are printed. So the digit classifier decides this, from its
mean answer for all photos of a puzzle. The photos are used only if the printed digits have exactly one
solution. Some labels are no puzzles: their digits break the rules. Photos with these labels need no solution,
and the classifier decides for each photo alone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.sudoku.solver import solve
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits import read_ink
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.glyphs import Glyphs, cut_glyphs
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import Lattice, Photo
from workshop.evaluation.labels import Label, LabelledPicture, find_labels
from workshop.progress import tracked
from workshop.training.boards import misplaced
from workshop.training.samples import WRITTEN, Classes, Samples, described, is_written, warped

_PRINT_WARPED = 0.2  # share of the printed digits that get warped copies, in photos with handwriting
_NAME_PARTS = 2  # photos with this number of equal first parts of the name, split at _, show the same puzzle
_NEIGHBOURS = 2
"""Photos of random digits have the same ``source`` if their names differ at most in this number of last
characters."""


@dataclass(frozen=True, eq=False)
class LabelledBoard:
    """One photo and its label."""

    name: str
    source: str
    """A text that all photos of one puzzle share. Training and validation must not share a source."""
    photo: Photo
    lattice: Lattice  # turned upright
    label: Label
    digits: NDArray[np.int8]  # (81,): the printed and written digits of the label, 0 for blank
    handwritten: Floats  # (81,): the probability that each digit is handwritten


@dataclass(frozen=True, eq=False)
class RealBoard:
    """The upright glyphs of one labelled photo, and the classes of its cells."""

    name: str
    source: str
    glyphs: Glyphs
    classes: Classes  # (81,)
    shaken: Glyphs  # the same glyphs, cut out with a lattice that is moved a little
    warped: tuple[Samples, ...] = ()  # copies of the handwriting, each with a random change of shape
    is_puzzle: bool = True  # False if the label's digits break the rules


def labelled_pictures(folders: Sequence[Path], marks: Path | None = None) -> list[LabelledPicture]:
    """Return the pictures with exactly one label; raises UsageError if one of *folders* has no labels."""
    found = [picture for folder in folders for picture in find_labels(folder, marks)]
    return [picture for picture in found if len(picture.labels) == 1]


def find_boards(pictures: Sequence[LabelledPicture], model: DigitModel) -> list[LabelledBoard]:
    """Return for each picture the grid, turned upright, that fits its label best.

    The fit is measured with the digit scores of *model*. Pictures without a grid are left out.
    """
    found = [_find_board(picture, model) for picture in tracked(pictures, "Reading labelled photos")]
    return [board for board in found if board is not None]


def _find_board(picture: LabelledPicture, model: DigitModel) -> LabelledBoard | None:
    """Return the grid that fits the label best in the cells without pencil marks; None if none is found."""
    photo, (label,) = picture.open(), picture.labels
    digits = (label.board if label.everything is None else label.everything).ravel()
    known = np.array([cell for cell in range(81) if cell not in (label.marks or {})])
    if label.clues is not None:
        source = board_text(label.clues)
    elif _is_no_puzzle(label):
        source = picture.path.stem[:-_NEIGHBOURS]
    else:
        source = "_".join(picture.path.stem.split("_")[:_NAME_PARTS])
    best, best_likelihood = None, -np.inf
    for lattice in locate(photo):
        for turn, scores in read_ink(photo, lattice, model).turns.by_turn.items():
            likelihood = float(scores.log_probs[known, digits[known]].sum())
            if likelihood > best_likelihood:
                name, best_likelihood = f"{picture.tags[0]}/{picture.path.stem}", likelihood
                upright = lattice.turned(turn)
                best = LabelledBoard(name, source, photo, upright, label, digits, scores.written)
    return best


def cut_boards(boards: Sequence[LabelledBoard], copies: int, seed: int) -> list[RealBoard]:
    """Return the glyphs and classes of all *boards* whose printed digits are known.

    A board is left out if it is uncertain which of its digits are printed. Each handwritten digit gets
    *copies* warped copies.
    """
    by_source: dict[str, list[LabelledBoard]] = defaultdict(list)
    for board in boards:
        by_source[board.source].append(board)
    known = {source: _clues(photos) for source, photos in by_source.items()}
    clues = {b: b.handwritten <= 0.5 if _is_no_puzzle(b.label) else known[b.source] for b in boards}
    certain = [(board, printed) for board, printed in clues.items() if printed is not None]
    rng = np.random.default_rng([seed, len(certain)])
    return [_cut(*one, copies, rng) for one in tracked(certain, "Cutting cells from photos")]


def _is_no_puzzle(label: Label) -> bool:
    """Return whether a *label* doesn't name the clues, and has digits that break the rules."""
    known = label.clues is not None or label.marks is not None or label.everything is None
    return not known and bool(CLASSIC.find_clashes(label.board.ravel().tolist()))


def _clues(photos: Sequence[LabelledBoard]) -> NDArray[np.bool_] | None:
    """Return a mask (81,) of a puzzle's printed digits, judged from its *photos*; None if uncertain."""
    label, digits = photos[0].label, photos[0].digits
    if label.clues is not None:
        return label.clues.ravel() > 0
    printed: NDArray[np.bool_] = np.mean([board.handwritten for board in photos], axis=0) <= 0.5
    alike = all((board.digits == digits).all() for board in photos)
    one = alike and solve(np.where(printed, digits, 0).reshape(9, 9)).status == "one"
    return printed if one else None


def _cut(board: LabelledBoard, printed: NDArray[np.bool_], copies: int, rng: Generator) -> RealBoard:
    """Return the training data from a board. *printed* (81,) is True for cells with a printed digit."""
    classes = board.digits.astype(np.int64)
    classes[~printed & (classes > 0)] += WRITTEN - 1
    cells = rectify(board.photo, board.lattice)
    off = rectify(board.photo, Lattice(misplaced(board.lattice.crossings, rng)))
    written = is_written(classes)
    copied = []
    for _ in range(copies if written.any() else 0):
        glyphs = cut_glyphs(warped(off if rng.random() < 0.5 else cells, rng))
        chosen = np.flatnonzero(written | ((classes > 0) & (rng.random(81) < _PRINT_WARPED)))
        copied.append(described(glyphs.select(chosen), classes[chosen]))
    puzzle = not _is_no_puzzle(board.label)
    return RealBoard(
        board.name, board.source, cut_glyphs(cells), classes, cut_glyphs(off), tuple(copied), puzzle
    )


class _Sourced(Protocol):
    @property
    def source(self) -> str: ...


Sourced = TypeVar("Sourced", bound=_Sourced)
Model = TypeVar("Model")


def with_models_of_others(
    items: Sequence[Sourced], folds: int, seed: int, fit: Callable[[Sequence[Sourced]], Model]
) -> list[tuple[Model, Sourced]]:
    """Divide *items* into *folds*. Return each item with a model that is fitted to all folds but its own.

    All items of one source are in one fold. If *folds* is 0, the result is empty.
    """
    rng = np.random.default_rng(seed)
    counts = Counter(item.source for item in items)
    order = sorted(rng.permutation(sorted(counts)).tolist(), key=lambda source: -counts[source])
    load = [0] * folds
    fold: dict[str, int] = {}
    for source in order if folds else ():
        fold[source] = load.index(min(load))
        load[fold[source]] += counts[source]
    held = [number for number in range(folds) if load[number]]
    models = {number: fit([item for item in items if fold[item.source] != number]) for number in held}
    return [(models[fold[item.source]], item) for item in items if folds]
