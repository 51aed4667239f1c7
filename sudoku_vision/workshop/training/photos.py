"""Cut cells for training from labelled photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudoku_vision.results import Floats, Lattice
from sudoku_vision.vision.digits.cascade import DigitModel
from sudoku_vision.vision.digits.features import describe
from sudoku_vision.vision.digits.glyphs import Glyphs, cut_glyphs
from sudoku_vision.vision.rectify import rectify
from sudoku_vision.workshop.training.boards import misplaced
from sudoku_vision.workshop.training.calendar import calendar_boards
from sudoku_vision.workshop.training.classes import Classes, digits_of, is_written, ten_answers
from sudoku_vision.workshop.training.dataset import LabelledBoard, is_calendar, labelled_boards
from sudoku_vision.workshop.training.progress import Steps
from sudoku_vision.workshop.training.samples import Samples, described
from sudoku_vision.workshop.training.warping import warped

_LEAST = 1e-6  # probability, so that one wrong label does not decide
_PRINT_WARPED = 0.2  # share of the printed digits of a filled-in page that are warped with the written ones


@dataclass(frozen=True, eq=False)
class RealBoard:
    """The glyphs of one labelled photo, turned upright, and its classes (81,).

    ``shaken`` are the glyphs once more, cut out through a lattice that lies slightly off; ``warped`` are
    samples of what is written, each as another hand might have written it.
    """

    name: str
    source: str
    glyphs: Glyphs
    classes: Classes
    shaken: Glyphs
    warped: tuple[Samples, ...] = ()


def upright_boards(
    photos: Sequence[Path], model: DigitModel, copies: int, seed: int, steps: Steps
) -> list[RealBoard]:
    """Cut the cells of labelled photos, each turned the way under which its labels are likeliest.

    What is written by hand is warped *copies* times. The *model* tells turns, and what a calendar prints.
    """
    boards = list(labelled_boards(folder for folder in photos if not is_calendar(folder)))
    for folder in filter(is_calendar, photos):
        boards += calendar_boards(folder, model, steps)
    rng = np.random.default_rng([seed, len(boards)])
    numbers = steps(len(boards), "Cutting cells from photos")
    return [_cut_board(boards[index], model, copies, rng) for index in numbers]


def _cut_board(board: LabelledBoard, model: DigitModel, copies: int, rng: np.random.Generator) -> RealBoard:
    """Cut the cells of one labelled photo."""
    turn = upright_turn(board, model)
    cells = _cells(board, turn, board.lattice.crossings)
    off = _cells(board, turn, misplaced(board.lattice.crossings, rng))
    written = is_written(board.classes)
    copied = []
    for _ in range(copies if written.any() else 0):
        glyphs = cut_glyphs(warped(off if rng.random() < 0.5 else cells, rng))
        chosen = np.flatnonzero(written | ((board.classes > 0) & (rng.random(81) < _PRINT_WARPED)))
        copied.append(described(glyphs.select(chosen), board.classes[chosen]))
    return RealBoard(
        board.name, board.source, cut_glyphs(cells), board.classes, cut_glyphs(off), tuple(copied)
    )


def upright_turn(board: LabelledBoard, model: DigitModel) -> int:
    """Return the quarter turns counter-clockwise under which the labels of a board are likeliest."""
    scores = []
    for turn in range(4):
        glyphs = cut_glyphs(_cells(board, turn, board.lattice.crossings))
        answers = ten_answers(model.first_stage(describe(glyphs)))
        scores.append(np.log(answers[np.arange(81), digits_of(board.classes)] + _LEAST).sum())
    return int(np.argmax(scores))


def _cells(board: LabelledBoard, turn: int, crossings: Floats) -> Floats:
    return rectify(board.photo, Lattice(crossings).turned(turn))
