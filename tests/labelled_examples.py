"""Labelled folders, and readers with given answers, for the tests of evaluation."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from conftest import PUZZLE, SOLUTION

from sudoku_vision.output.save import save
from sudoku_vision.page import Page
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Lattice, Photo, Reading
from workshop.evaluation.labels import find_labels
from workshop.evaluation.metrics import Evaluation, evaluate
from workshop.rendering import Drawing

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


def labelled_folder(folder: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """Fill a folder: one puzzle, two of one picture, and a picture that holds none."""
    images = folder / "images"
    images.mkdir(parents=True)
    for name, pixels in (("one", drawing.pixels), ("two", drawing.pixels), ("none", no_sudoku.pixels)):
        save(images / f"{name}.png", pixels)
    rows = [
        "id,file,tags,printed,all",
        f"1,one.png,photo;blur,{PUZZLE},",
        f"2,two.png,photo,{PUZZLE},{SOLUTION}",
        f"3,two.png,photo;second,{SOLUTION},",
        "4,none.png,negative,,",
    ]
    (folder / "labels.csv").write_text("\n".join(rows) + "\n")
    return folder


def by_fake(folders: Sequence[Path], grids: dict[str, list[Grid]]) -> Evaluation:
    """Evaluate folders with a reader that gives the grids of a picture's name."""

    def read(photo: Photo) -> Page:
        return Page(photo.source, 1, "no_grid", "", tuple(grids[Path(photo.source).stem]), 0.02)

    return evaluate([picture for folder in folders for picture in find_labels(folder)], read)
