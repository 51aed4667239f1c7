"""Draw and cut what the reader of pencil marks learns from: cells of every kind, and pieces of marks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.grid import MarkBox
from sudoku_vision.results import Floats, Lattice, Photo
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.mark_features import describe_kind
from sudoku_vision.vision.digits.mark_reader import BLANK, DIGIT, MARKS
from sudoku_vision.vision.digits.mark_segmentation import Pieces, cut_pieces, fine_cells
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.workshop.rendering import HALF_SOLVED_KINDS, half_solved_conditions
from sudoku_vision.workshop.rendering.close_up import closer, random_close_up
from sudoku_vision.workshop.training.boards import DrawnBoard, draw_board
from sudoku_vision.workshop.training.photos import LabelledBoard
from sudoku_vision.workshop.training.settings import Steps
from sudoku_vision.workshop.training.sources import Sources

_HALF_SOLVED = 0.55  # share of drawn boards that are half-solved pages; the rest are close-ups of any kind
_AT_MARK, _OFF_MARK = 0.22, 0.33
"""A piece is a mark if none of its sides lies further off than the first, in heights of the mark; beyond the
second, it is none."""
_LEAST_HEIGHT = 0.1  # cells: distances are told against marks of this height at least
_UNSETTLED = -1  # label of a piece that is neither quite a mark nor plainly none


@dataclass(frozen=True, eq=False)
class MarkBoard:
    """What one board teaches.

    ``features`` (N, KIND_FEATURES) and ``kinds`` (N,) of its cells with ink; ``pieces`` of its cells of
    marks, and their ``labels``: 0 no single mark, 1..9, -1 not settled. ``marks``: the digits by cell, if
    known.
    ``source``: the same for photos of one puzzle.
    """

    features: Floats
    kinds: NDArray[np.int64]
    pieces: Pieces
    labels: NDArray[np.int64]
    marks: Mapping[int, frozenset[int]]
    source: str = ""


def drawn_mark_boards(
    sources: Sources, count: int, model: DigitModel, seed: Sequence[int], steps: Steps, name: str
) -> list[MarkBoard]:
    """Draw boards, most of them with pencil marks; *model* reads them as it will when they are told apart.

    Each board follows from *seed* and its number alone.
    """
    rngs = (np.random.default_rng([*seed, number]) for number in steps(count, name))
    return [_from_drawing(draw_marked_board(sources, rng), model) for rng in rngs]


def draw_marked_board(sources: Sources, rng: np.random.Generator) -> DrawnBoard:
    """Draw one board: a half-solved page seen close, or a close-up of any kind."""
    half_solved = rng.random() < _HALF_SOLVED
    kind = HALF_SOLVED_KINDS[int(rng.integers(len(HALF_SOLVED_KINDS)))]
    conditions = closer(half_solved_conditions(rng, kind)) if half_solved else random_close_up(rng)
    return draw_board(sources, rng, conditions)


def _from_drawing(board: DrawnBoard, model: DigitModel) -> MarkBoard:
    marked = {box.cell for box in board.mark_boxes}
    marks = {cell: frozenset(box.digit for box in board.mark_boxes if box.cell == cell) for cell in marked}
    features, kinds = _kinds(board.photo, board.lattice, board.classes > 0, marked, model)
    pieces = cut_pieces(fine_cells(board.photo, board.exact), sorted(marked))
    return MarkBoard(features, kinds, pieces, labels_by_place(pieces, board.mark_boxes), marks)


def _kinds(
    photo: Photo, lattice: Lattice, digits: NDArray[np.bool_], marked: Collection[int], model: DigitModel
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the descriptions and kinds of the cells with ink; *digits* (81,): where any stand."""
    kinds = np.where(digits, DIGIT, BLANK)
    kinds[list(marked)] = MARKS
    cells = rectify(photo, lattice)
    features, found = describe_kind(cells, model.classify(cells))
    return features[found], kinds[found]


def labels_by_place(pieces: Pieces, boxes: Sequence[MarkBox]) -> NDArray[np.int64]:
    """Return the labels (N,) of pieces by where the marks were drawn."""
    labels = np.zeros(len(pieces), np.int64)
    nearest = np.full(len(pieces), np.inf)
    for box in boxes:
        own = np.flatnonzero(pieces.cells == box.cell)
        apart = np.abs(pieces.boxes[own] - np.array(box[2:])).max(axis=1, initial=0)
        apart = apart / max(box.bottom - box.top, _LEAST_HEIGHT)
        nearer = apart < nearest[own]
        nearest[own[nearer]] = apart[nearer]
        labels[own[nearer]] = box.digit
    return np.where(nearest < _AT_MARK, labels, np.where(nearest > _OFF_MARK, 0, _UNSETTLED))


def labelled_mark_boards(boards: Sequence[LabelledBoard], model: DigitModel) -> list[MarkBoard]:
    """Cut the marks of labelled photos; their pieces are not labelled yet (:func:`.labelled_by_reading`)."""
    found = []
    for board in boards:
        features, kinds = _kinds(board.photo, board.lattice, board.digits > 0, board.marks, model)
        pieces = cut_pieces(fine_cells(board.photo, board.lattice), sorted(board.marks))
        unsettled = np.full(len(pieces), _UNSETTLED)
        found.append(MarkBoard(features, kinds, pieces, unsettled, board.marks, board.source))
    return found
