"""Solve sudokus from photos.

>>> from sudoku_vision import solve_photo
>>> page = solve_photo("photo.jpg", "solved.png")  # doctest: +SKIP
>>> page.status, page.grids[0].solution  # doctest: +SKIP

``solve_photo``, ``read_pages`` and ``check`` take a picture in any form. ``solve``, ``hint`` and similar
functions take a board, for example 81 characters or a 9x9 array. Importing this package is quick: OpenCV is
loaded only when the first picture is read.
"""

from __future__ import annotations

# Not imported from typing: that import takes long, and Ctrl-C would not be handled before its end.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from sudoku_vision.api.hints import Hint as Hint
    from sudoku_vision.api.hints import hint as hint
    from sudoku_vision.api.photos import check as check
    from sudoku_vision.api.photos import read_pages as read_pages
    from sudoku_vision.api.photos import solve_photo as solve_photo
    from sudoku_vision.api.printing import print_puzzles as print_puzzles
    from sudoku_vision.errors import BoardError as BoardError
    from sudoku_vision.errors import CameraError as CameraError
    from sudoku_vision.errors import GenerateError as GenerateError
    from sudoku_vision.errors import ImproperError as ImproperError
    from sudoku_vision.errors import MissingExtraError as MissingExtraError
    from sudoku_vision.errors import MissingLibraryError as MissingLibraryError
    from sudoku_vision.errors import ModelError as ModelError
    from sudoku_vision.errors import OpenError as OpenError
    from sudoku_vision.errors import OutOfMemoryError as OutOfMemoryError
    from sudoku_vision.errors import OverridesError as OverridesError
    from sudoku_vision.errors import PixelsError as PixelsError
    from sudoku_vision.errors import SaveError as SaveError
    from sudoku_vision.errors import SourceError as SourceError
    from sudoku_vision.errors import SudokuVisionError as SudokuVisionError
    from sudoku_vision.errors import TooLargeError as TooLargeError
    from sudoku_vision.errors import UsageError as UsageError
    from sudoku_vision.errors import WindowError as WindowError
    from sudoku_vision.live.draw import Annotator as Annotator
    from sudoku_vision.live.tracker import TrackedGrid as TrackedGrid
    from sudoku_vision.live.tracker import Tracker as Tracker
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle as PrintablePuzzle
    from sudoku_vision.page import CheckedPage as CheckedPage
    from sudoku_vision.page import Page as Page
    from sudoku_vision.page import PageResult as PageResult
    from sudoku_vision.sudoku.bulk import solve_many as solve_many
    from sudoku_vision.sudoku.generator import Puzzle as Puzzle
    from sudoku_vision.sudoku.generator import generate as generate
    from sudoku_vision.sudoku.logic import Explanation as Explanation
    from sudoku_vision.sudoku.logic import Rating as Rating
    from sudoku_vision.sudoku.logic import explain as explain
    from sudoku_vision.sudoku.logic import rate as rate
    from sudoku_vision.sudoku.logic.steps import Step as Step
    from sudoku_vision.sudoku.rules import Rules as Rules
    from sudoku_vision.sudoku.solver import Solution as Solution
    from sudoku_vision.sudoku.solver import count_solutions as count_solutions
    from sudoku_vision.sudoku.solver import is_unique as is_unique
    from sudoku_vision.sudoku.solver import solve as solve
    from sudoku_vision.sudoku.solver.backtracking import Statistics as Statistics
    from sudoku_vision.vision.digits import CellClassifier as CellClassifier
    from sudoku_vision.vision.digits import load_model as load_model
    from sudoku_vision.vision.grid import Grid as Grid
    from sudoku_vision.vision.grid import GridResult as GridResult
    from sudoku_vision.vision.results import DigitScores as DigitScores
    from sudoku_vision.vision.results import Doubt as Doubt
    from sudoku_vision.vision.results import Lattice as Lattice
    from sudoku_vision.vision.results import Photo as Photo
    from sudoku_vision.vision.results import Reading as Reading
    from sudoku_vision.vision.results import Written as Written
    from sudoku_vision.vision.verdicts import Check as Check

__version__ = "0.1.0"

_MODULES = {
    "api.hints": "Hint hint",
    "page": "CheckedPage Page PageResult",
    "api.photos": "check read_pages solve_photo",
    "api.printing": "print_puzzles",
    "errors": "BoardError CameraError GenerateError ImproperError MissingExtraError MissingLibraryError "
    "ModelError OpenError OutOfMemoryError OverridesError PixelsError SaveError SourceError "
    "SudokuVisionError TooLargeError UsageError WindowError",
    "live.draw": "Annotator",
    "live.tracker": "TrackedGrid Tracker",
    "output.drawing.puzzle_figure": "PrintablePuzzle",
    "vision.results": "DigitScores Doubt Lattice Photo Reading Written",
    "sudoku.bulk": "solve_many",
    "sudoku.generator": "Puzzle generate",
    "sudoku.logic": "Explanation Rating explain rate",
    "sudoku.logic.steps": "Step",
    "sudoku.rules": "Rules",
    "sudoku.solver": "Solution count_solutions is_unique solve",
    "sudoku.solver.backtracking": "Statistics",
    "vision.verdicts": "Check",
    "vision.grid": "Grid GridResult",
    "vision.digits": "CellClassifier load_model",
}
"""The public names of the package, by the module that defines them."""

_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first used."""
    if name in _MODULE_OF:
        from importlib import import_module

        from sudoku_vision.errors import explained_imports

        with explained_imports():
            return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
