"""Code that all benchmarks use. If it is imported before NumPy, NumPy and OpenCV use only one thread."""

from sudoku_vision.blas import start_with_one_thread

start_with_one_thread()

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from sudoku_vision.values import Floats
from sudoku_vision.vision.grid import Grid
from workshop.evaluation.text import aligned
from workshop.rendering import DrawnGrid

cv2.setNumThreads(1)

DATA = Path(os.environ.get("SUDOKU_VISION_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
G = TypeVar("G", Grid, DrawnGrid)


def parser(docstring: str | None) -> argparse.ArgumentParser:
    """Return a parser of arguments. Its help shows the first line of a module's *docstring*."""
    return argparse.ArgumentParser(description=(docstring or "").split("\n", maxsplit=1)[0])


def puzzles(name: str) -> list[str]:
    """Return the puzzles, 81 digits each, in the list file *name*. Lines with # at the start are comments."""
    path = DATA / "puzzles" / name
    if not path.is_file():
        sys.exit(f"There is no list {path}. Let SUDOKU_VISION_DATA name the folder of the data.")
    lines = path.read_text("ascii").splitlines()
    return [line[:81].replace(".", "0") for line in lines if line.strip() and line[0] != "#"]


def nearest(crossings: Floats, grids: Iterable[G]) -> tuple[float, G] | None:
    """Return (distance, grid) of the grid whose middle is nearest to the middle of *crossings* (10, 10, 2).

    The distance is in pixels. Without grids, the result is None.
    """
    middle = np.mean(crossings, axis=(0, 1))
    apart = ((float(np.linalg.norm(one.lattice.crossings.mean(axis=(0, 1)) - middle)), one) for one in grids)
    return min(apart, key=lambda pair: pair[0], default=None)


def is_answered(grid: Grid | None, truth: DrawnGrid) -> bool:
    """Return whether a *grid* has the solution of the drawn grid *truth*."""
    solution = None if grid is None else grid.solution
    return solution is not None and np.array_equal(solution, truth.solution)


def counts_table(
    counts: Mapping[str, Mapping[str, float]], names: Sequence[str], *, summed: bool = True
) -> str:
    """Return a table with a row for each key of *counts*, and a column for each of *names*.

    If *summed* is true, a last row has the sums of the columns.
    """
    rows = [(row, *(str(met.get(name, 0)) for name in names)) for row, met in counts.items()]
    if summed:
        rows.append(("all", *(str(sum(met.get(name, 0) for met in counts.values())) for name in names)))
    return aligned([("", *(name.replace("_", " ") for name in names)), *rows])
