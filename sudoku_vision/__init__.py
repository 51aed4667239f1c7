"""Solve sudokus from photos.

>>> from sudoku_vision import solve_photo
>>> page = solve_photo("photo.jpg", "solved.png")  # doctest: +SKIP
>>> page.status, page.grids[0].solution  # doctest: +SKIP

``solve_photo`` and ``read_photo`` take a picture; ``solve``, ``is_unique`` and ``count_solutions`` a board of
81 characters or a 9x9 array. Importing this package is light: OpenCV comes with the first picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_vision.errors import (
    BoardError,
    CameraError,
    GenerateError,
    ImproperError,
    MissingExtraError,
    MissingLibraryError,
    ModelError,
    OpenError,
    SaveError,
    SudokuVisionError,
    TooLargeError,
    UsageError,
    WindowError,
    explained_imports,
)

if TYPE_CHECKING:
    from sudoku_vision.bulk import solve_many
    from sudoku_vision.generator import Puzzle, generate
    from sudoku_vision.logic import Explanation, Rating, Step, explain, hint, rate
    from sudoku_vision.pipeline import read_photo, solve_photo
    from sudoku_vision.results import GridResult, Lattice, PageResult, Photo, Reading
    from sudoku_vision.solver import Solution, Statistics, count_solutions, is_unique, solve

__version__ = "0.1.0"

__all__ = [
    "BoardError",
    "CameraError",
    "Explanation",
    "GenerateError",
    "GridResult",
    "ImproperError",
    "Lattice",
    "MissingExtraError",
    "MissingLibraryError",
    "ModelError",
    "OpenError",
    "PageResult",
    "Photo",
    "Puzzle",
    "Rating",
    "Reading",
    "SaveError",
    "Solution",
    "Statistics",
    "Step",
    "SudokuVisionError",
    "TooLargeError",
    "UsageError",
    "WindowError",
    "count_solutions",
    "explain",
    "generate",
    "hint",
    "is_unique",
    "rate",
    "read_photo",
    "solve",
    "solve_many",
    "solve_photo",
]

_HOMES = {
    "read_photo": "pipeline",
    "solve_photo": "pipeline",
    "GridResult": "results",
    "Lattice": "results",
    "PageResult": "results",
    "Photo": "results",
    "Reading": "results",
    "Solution": "solver",
    "Statistics": "solver",
    "count_solutions": "solver",
    "is_unique": "solver",
    "solve": "solver",
    "solve_many": "bulk",
    "Puzzle": "generator",
    "generate": "generator",
    "Explanation": "logic",
    "Rating": "logic",
    "Step": "logic",
    "explain": "logic",
    "hint": "logic",
    "rate": "logic",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module the first time that it is asked for."""
    from importlib import import_module

    if name in _HOMES:
        with explained_imports():
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, too, before they are imported."""
    return sorted({*globals(), *__all__})
