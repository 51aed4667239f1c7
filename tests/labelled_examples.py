"""Labelled folders, and readers with given answers, for the tests of evaluation."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sudoku_vision.page import Page
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Lattice, Photo, Reading
from workshop.evaluation.labels import find_labels
from workshop.evaluation.metrics import Evaluation, evaluate

BLANK = np.zeros((9, 9), np.int8)
LATTICE = Lattice(np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32) * 40 + 40)


def dat(text: str) -> str:
    rows = [" ".join(text[i : i + 9]) for i in range(0, 81, 9)]
    return "\n".join(["a phone", "640x480:24 JPG", *rows]) + " \n"


def grid(puzzle: Board, status: GridStatus, written: Board = BLANK) -> Grid:
    return Grid(status, LATTICE, Reading(puzzle, written, None, 1, 0.9))


def misread(puzzle: Board) -> Board:
    other = puzzle.copy()
    other[0, 0] = 1
    return other


def by_fake(folders: Sequence[Path], grids: dict[str, list[Grid]]) -> Evaluation:
    """Evaluate folders with a reader that gives the grids of a picture's name."""

    def read(photo: Photo) -> Page:
        return Page(photo.source, 1, "no_grid", "", tuple(grids[Path(photo.source).stem]), 0.02)

    return evaluate([picture for folder in folders for picture in find_labels(folder)], read)
