"""Train the reader of pencil marks, which finds the cells with marks and the digits of the marks.

The label of a photo has the digits of the marks in each cell, but not the places of the marks. To find the
places, a reader that has learnt from drawn boards reads each cell. Only results with exactly the labelled
digits are allowed (a forced alignment, as in speech recognition).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sudoku_vision.errors import UsageError
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.mark_reader import (
    BLANK,
    DIGIT,
    MARKS,
    MarkReader,
    describe_kind,
    describe_pieces,
    likeliest_pieces,
)
from sudoku_vision.vision.digits.mark_segmentation import Pieces, cut_pieces, fine_cells
from sudoku_vision.vision.digits.model_files import load_model
from sudoku_vision.vision.digits.network import forward
from sudoku_vision.vision.digits.strokes import StrokeDictionary
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.vision.results import Lattice, Photo
from workshop.evaluation.metrics import noted_counts
from workshop.progress import tracked
from workshop.rendering import HALF_SOLVED_KINDS, random_conditions
from workshop.rendering.kinds import closer, one_of, random_close_up
from workshop.rendering.printed_grid import MarkBox
from workshop.training.boards import DrawnBoard, draw_board
from workshop.training.digits import learn_dictionary
from workshop.training.fitting import best_temperature, fit_network
from workshop.training.photos import LabelledBoard, find_boards, labelled_pictures, with_models_of_others
from workshop.training.settings import Hyperparameters, Inputs, Settings, Trained
from workshop.training.sources import Sources, gather_sources

_HALF_SOLVED = 0.55  # share of the drawn boards that look like real half-solved pages
_AT_MARK, _OFF_MARK = 0.22, 0.33
"""Limits for the distance of a piece of ink from a drawn mark. Below the first limit, the piece is the mark.
Above the second, it isn't. The distance is the largest of the four distances between corresponding sides of
the two boxes, divided by the mark's height."""
_MIN_HEIGHT = 0.1  # for the limits above, a mark with a smaller height, in cells, counts as this high
_UNSETTLED = -1  # label of a piece if it is uncertain whether it is a mark; the training doesn't use it

_CENTRES = 32  # number of typical pieces of strokes in the dictionary
_KIND, _SHAPES = Hyperparameters((48,), 12), Hyperparameters((160,), 10)
_PHOTO_COPIES = 2  # number of times that each cell of a photo is used, because there are far more drawn cells
_IMPOSSIBLE = -1e3  # log-probability of a mark's digit if the label of the cell lacks this digit
_SAME_PIECE = 0.02  # pieces count as the same if their boxes' sides differ by less than this, in cells


@dataclass(frozen=True, eq=False)
class MarkBoard:
    """The training data from one board."""

    features: Floats  # (N, KIND_FEATURES), of the board's cells with ink
    kinds: NDArray[np.int64]  # (N,), of the board's cells with ink
    pieces: Pieces  # the pieces of ink in the board's cells with marks
    labels: NDArray[np.int64]  # of each piece: 1..9 if it is one mark, 0 if it isn't, -1 if that is uncertain
    marks: Mapping[int, frozenset[int]]  # for each cell with marks, the digits; empty if they are not known
    source: str = ""  # a text that all photos of one puzzle share


def train_marks(inputs: Inputs, settings: Settings) -> Trained:
    """Train the reader of pencil marks; raises UsageError if no photo has labelled marks."""
    labelled = labelled_pictures(inputs.photos, inputs.marks_table)
    pictures = [picture for picture in labelled if picture.labels[0].marks is not None]
    if inputs.photos and not pictures:
        raise UsageError(
            "The labels of these photos have no places of pencil marks.",
            "It takes images/NAME.jpg and labels/NAME.txt, or a labels.csv with marks.",
        )
    model, seed = load_model(), settings.seed
    kept, held = gather_sources(inputs.fonts, inputs.handwriting, seed)
    drawn = drawn_mark_boards(kept, settings.boards, model, [seed, 0], "Drawing boards with marks")
    check = drawn_mark_boards(held, settings.held_boards, model, [seed, 1], "Drawing boards to check on")
    real = labelled_mark_boards(find_boards(pictures, model), model)
    others = with_models_of_others(
        real, inputs.folds, seed, lambda seen: fit_mark_reader(drawn, check, seen, seed)
    )
    reader = fit_mark_reader(drawn, check, real, seed)
    metrics = {"held_drawn": measure_marks([(reader, board) for board in check])}
    if others:
        metrics["photos_folds"] = measure_marks(others)
    return Trained(reader, metrics, len(real))


def drawn_mark_boards(
    sources: Sources, count: int, model: DigitModel, seed: Sequence[int], name: str
) -> list[MarkBoard]:
    """Draw *count* boards, most of them with pencil marks, and return the training data from them.

    The answers of *model* are a part of the features. A board depends only on *seed* and on its number.
    """
    rngs = (np.random.default_rng([*seed, number]) for number in tracked(range(count), name))
    return [_from_drawing(draw_marked_board(sources, rng), model) for rng in rngs]


def draw_marked_board(sources: Sources, rng: Generator) -> DrawnBoard:
    """Draw one board in a close-up."""
    half_solved = rng.random() < _HALF_SOLVED
    kind = one_of(rng, HALF_SOLVED_KINDS)
    conditions = closer(random_conditions(rng, kind)) if half_solved else random_close_up(rng)
    return draw_board(sources, rng, conditions)


def _from_drawing(board: DrawnBoard, model: DigitModel) -> MarkBoard:
    cells = {box.cell for box in board.mark_boxes}
    marks = {cell: frozenset(box.digit for box in board.mark_boxes if box.cell == cell) for cell in cells}
    made = _mark_board(board.photo, board.lattice, board.exact, board.classes > 0, marks, model)
    return replace(made, labels=labels_by_place(made.pieces, board.mark_boxes))


def _mark_board(
    photo: Photo,
    lattice: Lattice,
    exact: Lattice,
    digits: NDArray[np.bool_],
    marks: Mapping[int, frozenset[int]],
    model: DigitModel,
) -> MarkBoard:
    """Return the training data from a photo. All its pieces of ink have the label -1.

    *exact*: the lattice with which the pieces are cut out. *digits* (81,): whether a cell has a digit.
    """
    kinds = np.where(digits, DIGIT, BLANK)
    kinds[list(marks)] = MARKS
    cells = rectify(photo, lattice)
    features, found, _ = describe_kind(cells, model.classify(cells))
    pieces = cut_pieces(fine_cells(photo, exact), sorted(marks))
    return MarkBoard(features[found], kinds[found], pieces, np.full(len(pieces), _UNSETTLED), marks)


def labels_by_place(pieces: Pieces, boxes: Sequence[MarkBox]) -> NDArray[np.int64]:
    """Return a label of each piece: the digit of the mark at the same place, 0 for none, -1 if uncertain."""
    labels = np.zeros(len(pieces), np.int64)
    nearest = np.full(len(pieces), np.inf)
    for box in boxes:
        own = np.flatnonzero(pieces.cells == box.cell)
        apart = np.abs(pieces.boxes[own] - np.array(box[2:])).max(axis=1, initial=0)
        apart = apart / max(box.bottom - box.top, _MIN_HEIGHT)
        nearer = apart < nearest[own]
        nearest[own[nearer]] = apart[nearer]
        labels[own[nearer]] = box.digit
    return np.where(nearest < _AT_MARK, labels, np.where(nearest > _OFF_MARK, 0, _UNSETTLED))


def labelled_mark_boards(boards: Sequence[LabelledBoard], model: DigitModel) -> list[MarkBoard]:
    """Return the training data from labelled photos. All pieces of ink have the label -1."""
    found = []
    for board in boards:
        marks = board.label.marks or {}
        made = _mark_board(board.photo, board.lattice, board.lattice, board.digits > 0, marks, model)
        found.append(replace(made, source=board.source))
    return found


def fit_mark_reader(
    drawn: Sequence[MarkBoard],
    check: Sequence[MarkBoard],
    photos: Sequence[MarkBoard],
    seed: int,
) -> MarkReader:
    """Return a reader that is fitted to *drawn* boards and *photos*, and calibrated on the boards *check*."""
    dictionary = learn_dictionary(np.concatenate([b.pieces.images for b in drawn]), _CENTRES, seed)
    pieces = _settled_pieces(drawn, dictionary)
    shapes = fit_network(*pieces, 10, _SHAPES, seed, "Learning marks from drawn boards")
    reader = MarkReader((), dictionary, shapes)
    boards = list(drawn)
    if photos:
        boards += _PHOTO_COPIES * [labelled_by_reading(board, reader) for board in photos]
        pieces = _settled_pieces(boards, dictionary)
        shapes = fit_network(*pieces, 10, _SHAPES, seed, "Learning marks from everything")
    features = np.concatenate([board.features for board in boards])
    kinds = np.concatenate([board.kinds for board in boards])
    kind = fit_network(features, kinds, 3, _KIND, seed, "Telling marks from digits")
    share = float((kinds == MARKS).sum() / (kinds >= DIGIT).sum())
    return _calibrated(MarkReader(kind, dictionary, shapes, share=share), check)


def _settled_pieces(
    boards: Sequence[MarkBoard], dictionary: StrokeDictionary
) -> tuple[Floats, NDArray[np.int64]]:
    """Return features and labels of the pieces whose label isn't -1; raise UsageError if there are none."""
    found = [
        (describe_pieces(board.pieces, dictionary)[board.labels >= 0], board.labels[board.labels >= 0])
        for board in boards
        if len(board.pieces)
    ]
    if not found:
        raise UsageError("No pencil marks were drawn to learn from.", "Draw more boards.")
    features, labels = zip(*found, strict=True)
    return np.concatenate(features), np.concatenate(labels)


def _calibrated(reader: MarkReader, check: Sequence[MarkBoard]) -> MarkReader:
    """Return *reader* with the temperatures that make its log loss on the boards *check* smallest."""
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
    """Return *board* with labels for its pieces of ink.

    The pieces in a cell get labels only if *reader* finds each labelled digit exactly once in the cell.
    """
    pieces = board.pieces
    if not len(pieces):
        return board
    logs = reader.shape_logs(pieces).astype(np.float64)
    for cell, digits in board.marks.items():
        absent = [0 if digit in digits else digit for digit in range(10)]
        own = pieces.cells == cell
        logs[np.ix_(own, [digit for digit in absent if digit])] = _IMPOSSIBLE
    chosen = likeliest_pieces(pieces, logs)
    labels = np.full(len(pieces), _UNSETTLED, np.int64)
    for cell, digits in board.marks.items():
        own = np.flatnonzero(pieces.cells == cell)
        marks = own[chosen[own]]
        read = (1 + logs[marks, 1:].argmax(axis=1)).tolist()
        if set(read) == set(digits) and len(read) == len(digits):
            apart = np.abs(pieces.boxes[own, None] - pieces.boxes[marks]).max(axis=2).min(axis=1)
            labels[own] = np.where(apart < _SAME_PIECE, _UNSETTLED, 0)
            labels[marks] = read
    return replace(board, labels=labels)


def measure_marks(read: Sequence[tuple[MarkReader, MarkBoard]]) -> dict[str, int]:
    """Return counts over boards. In *read*, each board has the reader that reads it.

    ``cells``: cells with marks. ``found``: cells whose marks were recognised. ``digit_cells``: cells with a
    digit. ``digits_as_marks``: cells whose digit was mistaken for marks. Further counts are those of
    :func:`~workshop.evaluation.metrics.noted_counts`, for the cells whose marks are known.
    """
    kinds = [(board.kinds, reader.kinds(board.features).argmax(axis=1) == MARKS) for reader, board in read]
    noted = []
    for reader, board in read:
        known = {cell: digits for cell, digits in board.marks.items() if digits}
        if known and len(board.pieces):
            shares = reader.contents(board.pieces).digits
            for cell, digits in known.items():
                noted.append((digits, frozenset((1 + np.flatnonzero(shares[cell] > 0.5)).tolist())))
    return {
        "cells": sum(int((kind == MARKS).sum()) for kind, _ in kinds),
        "found": sum(int(((kind == MARKS) & marked).sum()) for kind, marked in kinds),
        "digit_cells": sum(int((kind == DIGIT).sum()) for kind, _ in kinds),
        "digits_as_marks": sum(int(((kind == DIGIT) & marked).sum()) for kind, marked in kinds),
        **noted_counts(noted),
    }
