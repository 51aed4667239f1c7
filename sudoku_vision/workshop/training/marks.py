"""Train the reader of pencil marks: what tells marks from digits, and which digits the marks are.

It learns from drawn boards (:mod:`.mark_samples`) and from labelled photos of half-solved pages, whose marks
are known as sets of digits by cell. Which piece of ink is which of them is told by reading it with what was
learnt from the drawn boards, under the condition that it comes to just that set (a forced alignment, as it is
usual in speech recognition).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.results import Floats
from sudoku_vision.vision.digits.handwriting import StrokeDictionary
from sudoku_vision.vision.digits.mark_reader import (
    DIGIT,
    MARKS,
    MarkReader,
    describe_pieces,
    likeliest_pieces,
)
from sudoku_vision.vision.digits.network import Layers, forward
from sudoku_vision.workshop.training.fitting import best_temperature, fit_network
from sudoku_vision.workshop.training.handwriting import learn_dictionary
from sudoku_vision.workshop.training.mark_samples import MarkBoard
from sudoku_vision.workshop.training.settings import Hyperparameters, Steps

_CENTRES = 32  # pieces of strokes in the dictionary
_KIND, _SHAPES = Hyperparameters((48,), 12), Hyperparameters((160,), 10)
_PHOTO_COPIES = 2  # times that cells of photos are learnt from: there are few of them
_DESCRIBED = 1000  # pieces described at once, to bound the memory
_IMPOSSIBLE = -1e3  # log-probability of a digit that is known not to stand there
_SAME_PIECE = 0.02  # cells by which the sides of two pieces differ that may count as one

COUNTS = (
    *("cells", "found", "digit_cells", "digits_as_marks"),
    *("noted", "whole", "digits", "digits_read", "digits_extra"),
)
"""What is counted of ``cells`` of marks and of ``digit_cells``: how many were taken for marks. Of the cells
whose marks are ``noted``: how many were read ``whole``, and how many of their ``digits`` were read, and
others beside."""


def fit_mark_reader(
    drawn: Sequence[MarkBoard],
    check: Sequence[MarkBoard],
    photos: Sequence[MarkBoard],
    seed: int,
    steps: Steps,
) -> MarkReader:
    """Fit a reader to *drawn* boards and to *photos*; its temperatures are those that suit *check* best."""
    dictionary = learn_dictionary(np.concatenate([b.pieces.images for b in drawn]), _CENTRES, seed)
    shapes = _fit_shapes(drawn, dictionary, seed, steps, "Learning marks from drawn boards")
    reader = MarkReader((), dictionary, shapes)
    if photos:
        photos = [labelled_by_reading(board, reader) for board in photos]
        shapes = _fit_shapes(
            [*drawn, *_PHOTO_COPIES * list(photos)], dictionary, seed, steps, "Learning marks from everything"
        )
    boards = [*drawn, *_PHOTO_COPIES * list(photos)]
    kind = _fit_kind(boards, seed, steps)
    kinds = np.concatenate([board.kinds for board in boards])
    share = float((kinds == MARKS).sum() / (kinds >= DIGIT).sum())
    return _calibrated(MarkReader(kind, dictionary, shapes, share=share), check)


def _fit_kind(boards: Sequence[MarkBoard], seed: int, steps: Steps) -> Layers:
    features = np.concatenate([board.features for board in boards])
    kinds = np.concatenate([board.kinds for board in boards])
    return fit_network(features, kinds, 3, _KIND, seed, steps, "Telling marks from digits")


def _fit_shapes(
    boards: Sequence[MarkBoard], dictionary: StrokeDictionary, seed: int, steps: Steps, name: str
) -> Layers:
    features, labels = _settled_pieces(boards, dictionary)
    return fit_network(features, labels, 10, _SHAPES, seed, steps, name)


def _settled_pieces(
    boards: Sequence[MarkBoard], dictionary: StrokeDictionary
) -> tuple[Floats, NDArray[np.int64]]:
    """Return descriptions and labels of the pieces of boards that have one; raises UsageError for none."""
    found = [
        (describe_pieces(board.pieces, dictionary)[board.labels >= 0], board.labels[board.labels >= 0])
        for board in boards
        if len(board.pieces)
    ]
    if not found:
        raise UsageError("No pencil marks were drawn to learn from.", "Draw more boards.")
    return np.concatenate([features for features, _ in found]), np.concatenate(
        [labels for _, labels in found]
    )


def _calibrated(reader: MarkReader, check: Sequence[MarkBoard]) -> MarkReader:
    """Return the reader at the temperatures under which what *check* holds is likeliest."""
    kinds = np.concatenate([board.kinds for board in check])
    outputs = forward(reader.kind, np.concatenate([board.features for board in check]))
    features, labels = _settled_pieces(check, reader.dictionary)
    shapes = forward(reader.shapes, features)
    return replace(
        reader,
        kind_temperature=best_temperature(lambda temperature: outputs / np.float32(temperature), kinds),
        shape_temperature=best_temperature(lambda temperature: shapes / np.float32(temperature), labels),
    )


def labelled_by_reading(board: MarkBoard, reader: MarkReader) -> MarkBoard:
    """Return a board with the pieces labelled of those cells that can be read as the marks they hold."""
    pieces = board.pieces
    if not len(pieces):
        return board
    logs = reader.shape_logs(pieces).astype(np.float64)
    for cell, digits in board.marks.items():
        absent = [0 if digit in digits else digit for digit in range(10)]
        own = pieces.cells == cell
        logs[np.ix_(own, [digit for digit in absent if digit])] = _IMPOSSIBLE
    chosen = likeliest_pieces(pieces, logs)
    labels = np.full(len(pieces), -1, np.int64)
    for cell, digits in board.marks.items():
        own = np.flatnonzero(pieces.cells == cell)
        marks = own[chosen[own]]
        read = (1 + logs[marks, 1:].argmax(axis=1)).tolist()
        if set(read) == set(digits) and len(read) == len(digits):
            labels[own] = _labels_beside(pieces.boxes[own], pieces.boxes[marks])
            labels[marks] = read
    return replace(board, labels=labels)


def _labels_beside(boxes: Floats, marks: Floats) -> NDArray[np.int64]:
    """Return 0 for boxes (N, 4) that are no mark, -1 for those that nearly are one of *marks* (M, 4)."""
    apart = np.abs(boxes[:, None] - marks[None]).max(axis=2).min(axis=1)
    return np.where(apart < _SAME_PIECE, -1, 0)


def measure_marks(reader: MarkReader, boards: Sequence[MarkBoard]) -> dict[str, int]:
    """Return how the cells and marks of boards are read, each cell alone: the counts of :data:`COUNTS`."""
    total: Counter[str] = Counter()
    for board in boards:
        total.update(_counts(reader, board))
    return {name: int(total[name]) for name in COUNTS}


def _counts(reader: MarkReader, board: MarkBoard) -> Mapping[str, int]:
    told = reader.kinds(board.features).argmax(axis=1)
    marks, inked = board.kinds == MARKS, board.kinds == DIGIT
    counts = {
        "cells": marks.sum(),
        "found": (told[marks] == MARKS).sum(),
        "digit_cells": inked.sum(),
        "digits_as_marks": (told[inked] == MARKS).sum(),
    }
    known = {cell: digits for cell, digits in board.marks.items() if digits}
    if not known or not len(board.pieces):
        return counts
    shares = reader.contents(board.pieces).digits
    read = {cell: frozenset((1 + np.flatnonzero(shares[cell] > 0.5)).tolist()) for cell in known}
    return counts | {
        "noted": len(known),
        "whole": sum(read[cell] == digits for cell, digits in known.items()),
        "digits": sum(map(len, known.values())),
        "digits_read": sum(len(read[cell] & digits) for cell, digits in known.items()),
        "digits_extra": sum(len(read[cell] - digits) for cell, digits in known.items()),
    }
