"""Solve sudokus from photos.

>>> from sudoku_vision import solve_photo
>>> page = solve_photo("photo.jpg", "solved.png")  # doctest: +SKIP
>>> page.status, page.grids[0].solution  # doctest: +SKIP

``solve_photo``, ``read_pages`` and ``check`` take whatever holds a picture; ``solve``,
``hint`` and the like a board of 81 characters or a 9x9 array. Importing this package is light: OpenCV comes
with the first picture.
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
    OutOfMemoryError,
    OverridesError,
    PixelsError,
    SaveError,
    SourceError,
    SudokuVisionError,
    TooLargeError,
    UsageError,
    WindowError,
    explained_imports,
)

if TYPE_CHECKING:
    from sudoku_vision.api.hints import Hint, hint
    from sudoku_vision.api.page import CheckedPage, Page
    from sudoku_vision.api.photos import check, read_pages, read_photo, solve_photo
    from sudoku_vision.api.printing import print_puzzles
    from sudoku_vision.live.draw import Annotator
    from sudoku_vision.live.tracked_grid import TrackedGrid
    from sudoku_vision.live.tracker import Tracker
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
    from sudoku_vision.results import (
        DigitScores,
        Doubt,
        GridResult,
        Lattice,
        PageResult,
        Photo,
        Reading,
        Written,
    )
    from sudoku_vision.sudoku.bulk import solve_many
    from sudoku_vision.sudoku.generator import Puzzle, generate
    from sudoku_vision.sudoku.logic import Rating, Step
    from sudoku_vision.sudoku.logic.explain import Explanation, explain, rate
    from sudoku_vision.sudoku.rules import Rules
    from sudoku_vision.sudoku.solver import Solution, Statistics, count_solutions, is_unique, solve
    from sudoku_vision.sudoku.verdicts import Check
    from sudoku_vision.vision.decode.grid import Grid
    from sudoku_vision.vision.digits import CellClassifier, load_model

__version__ = "0.1.0"

__all__ = [
    "Annotator",
    "BoardError",
    "CameraError",
    "CellClassifier",
    "Check",
    "CheckedPage",
    "DigitScores",
    "Doubt",
    "Explanation",
    "GenerateError",
    "Grid",
    "GridResult",
    "Hint",
    "ImproperError",
    "Lattice",
    "MissingExtraError",
    "MissingLibraryError",
    "ModelError",
    "OpenError",
    "OutOfMemoryError",
    "OverridesError",
    "Page",
    "PageResult",
    "Photo",
    "PixelsError",
    "PrintablePuzzle",
    "Puzzle",
    "Rating",
    "Reading",
    "Rules",
    "SaveError",
    "Solution",
    "SourceError",
    "Statistics",
    "Step",
    "SudokuVisionError",
    "TooLargeError",
    "TrackedGrid",
    "Tracker",
    "UsageError",
    "WindowError",
    "Written",
    "check",
    "count_solutions",
    "explain",
    "generate",
    "hint",
    "is_unique",
    "load_model",
    "print_puzzles",
    "rate",
    "read_pages",
    "read_photo",
    "solve",
    "solve_many",
    "solve_photo",
]

_MODULES = {
    "api.hints": ("Hint", "hint"),
    "api.page": ("CheckedPage", "Page"),
    "api.photos": ("check", "read_pages", "read_photo", "solve_photo"),
    "api.printing": ("print_puzzles",),
    "live.draw": ("Annotator",),
    "live.tracked_grid": ("TrackedGrid",),
    "live.tracker": ("Tracker",),
    "output.drawing.puzzle_figure": ("PrintablePuzzle",),
    "results": (
        *("DigitScores", "Doubt", "GridResult", "Lattice", "PageResult", "Photo", "Reading", "Written"),
    ),
    "sudoku.bulk": ("solve_many",),
    "sudoku.generator": ("Puzzle", "generate"),
    "sudoku.rules": ("Rules",),
    "sudoku.logic": ("Explanation", "Rating", "Step", "explain", "rate"),
    "sudoku.solver": ("Solution", "Statistics", "count_solutions", "is_unique", "solve"),
    "sudoku.verdicts": ("Check",),
    "vision.decode.grid": ("Grid",),
    "vision.digits": ("CellClassifier", "load_model"),
}
"""Modules, and the public names that are imported from them the first time that they are asked for."""

_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name from its module the first time that it is asked for."""
    from importlib import import_module

    if name in _MODULE_OF:
        with explained_imports():
            return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, too, before they are imported."""
    return sorted({*globals(), *__all__})
