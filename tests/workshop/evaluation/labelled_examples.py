"""Labelled folders and readers that say what they are told, for the tests of evaluation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from conftest import PUZZLE, SOLUTION

from sudoku_vision.output.save import save
from sudoku_vision.results import Board, GridResult, GridStatus, Lattice, PageResult, Photo, Reading
from sudoku_vision.workshop.evaluation.labels import find_labels
from sudoku_vision.workshop.evaluation.metrics import Evaluation, evaluate
from sudoku_vision.workshop.rendering import Drawing

BLANK = np.zeros((9, 9), np.int8)


def dat(text: str) -> str:
    rows = [" ".join(text[i : i + 9]) for i in range(0, 81, 9)]
    return "\n".join(["a phone", "640x480:24 JPG", *rows]) + " \n"


def grid(puzzle: Board, status: GridStatus, written: Board = BLANK) -> GridResult:
    crossings = np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32) * 20 + 10
    return GridResult(status, Lattice(crossings), Reading(puzzle, written, None, 1, 0.9))


def misread(puzzle: Board) -> Board:
    other = puzzle.copy()
    other[0, 0] = 1
    return other


def labelled_folder(folder: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """Fill a folder: one puzzle, two of one picture, and a picture that holds none."""
    images = folder / "images"
    images.mkdir(parents=True)
    save(images / "one.png", drawing.pixels)
    save(images / "two.png", drawing.pixels)
    save(images / "none.png", no_sudoku.pixels)
    rows = [
        "id,file,tags,printed,all",
        f"1,one.png,photo;blur,{PUZZLE},",
        f"2,two.png,photo,{PUZZLE},{SOLUTION}",
        f"3,two.png,photo;second,{SOLUTION},",
        "4,none.png,negative,,",
    ]
    (folder / "labels.csv").write_text("\n".join(rows) + "\n")
    return folder


def by_fake(folder: Path, grids: dict[str, list[GridResult]]) -> Evaluation:
    """Evaluate with a reader that says what it is told, by the picture's name."""

    def read(photo: Photo) -> PageResult:
        found = tuple(grids[Path(photo.source).stem])
        return PageResult(photo.source, 1, "no_grid", "", found, 0.02)

    return evaluate(find_labels(folder), read)
