"""Draws answers, outlines of grids, and words into the frames of a film.

* In a grid that is sure, the answers, a hint or verdicts on a person's digits are drawn as in a photo.
* Every grid has an outline in the colour of its state. If a grid has no answer, words above it say why.
* Nothing is drawn over a hand that covers the page.
* If no grid is seen, the corners of a square show where to hold the page.
* Colour and size of a puzzle's clues are measured only once. So its answers look the same in all frames.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np

from sudoku_vision.live.tracker import FrameState, TrackedGrid
from sudoku_vision.output.drawing.figure import BLACK, BLUE, INK, Colour, Figure
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import LEADING, text_lines
from sudoku_vision.output.overlay.answer_drawing import RING, check_shapes, grid_shapes, sign_shapes
from sudoku_vision.output.overlay.hint_drawing import step_style, steps_shapes
from sudoku_vision.output.overlay.print_style import UNSURE_COLOURS, PrintStyle, grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_path, draw_shapes
from sudoku_vision.output.overlay.shapes import Shapes, Tag, board_shapes, frame, grid_lines, uncovered
from sudoku_vision.parallel import SerialExecutor
from sudoku_vision.sudoku.board import NO_MARKS, board_text
from sudoku_vision.sudoku.logic import hint
from sudoku_vision.sudoku.logic.steps import Step
from sudoku_vision.values import Image
from sudoku_vision.vision.load import Source, frame_pixels
from sudoku_vision.vision.verdicts import check

STATE_COLOURS: dict[FrameState, Colour] = {
    "looking": (235, 235, 235),
    "reading": (0, 165, 255),
    "sure": (70, 170, 20),
    "unsolvable": (40, 30, 225),
}
"""Colours (BGR) of outlines by the state of the grid. ``looking``: colour of the square that is drawn if no
grid is seen."""

MAX_REMEMBERED = 64  # maximum number of puzzles whose print styles and hints are stored

_FINDER_SIDE, _FINDER_ARM, _FINDER_WIDTH = 0.7, 0.12, 0.007
"""The corners of a square show where to hold the page. The first number is the side of the square, as a share
of the shorter side of the picture. The others are the length and the width of the lines at the corners, as
shares of the square's side."""
_DIGITS = PrintStyle(height=0.26, weight=0.045, middle=(0.17, 0.2))
"""Style of the digits in the debug view: small, in the corner of the cell."""
_WRITTEN: Colour = (170, 20, 110)  # violet, for digits that are read as handwriting; printed digits are blue

_T = TypeVar("_T")
_Key = tuple[int, str]  # number of a grid, and its clues as text (for hints: its clues and entries)

_SHADE = 0.28  # the brightness of the picture behind words is multiplied by this
_EM, _MIN_EM = 1 / 34, 13.0
"""Size of the letters: the em as a share of the picture's height, and the smallest readable em in pixels."""
_STRIP_MARGIN = 0.1  # height of the margins above and below a line of words, in em


@dataclass(frozen=True)
class AnnotationOptions:
    """Options for what is drawn into the picture. A person changes these options with keys.

    A ``hint`` replaces the ``answers``. The verdicts of a ``check`` replace answers and hint. All three are
    drawn only in grids that are sure. ``debug`` draws the lattices, and the digits that were read so far.
    """

    answers: bool = True
    hint: bool = False
    check: bool = False
    debug: bool = False


class Annotator:
    """Draws into the frames of one film."""

    def __init__(self, jobs: Executor | None = None) -> None:
        """*jobs* searches for hints in the background. Without *jobs*, a frame waits for its hint."""
        self._jobs = jobs or SerialExecutor()
        self._styles: dict[_Key, PrintStyle] = {}
        self._hints: dict[_Key, Future[Step | None]] = {}

    def annotate(
        self, pixels: Source, grids: Sequence[TrackedGrid], options: AnnotationOptions | None = None
    ) -> Image:
        """Return a copy of a frame in which all *grids* are drawn with their answers, outlines and words.

        *pixels* is the frame, in any form that :meth:`Tracker.update` takes. Returns (H, W, 3) uint8 BGR.
        """
        options, pixels = options or AnnotationOptions(), frame_pixels(pixels)
        picture, lines = pixels.copy(), list[str]()
        if not grids:
            _draw_finder(picture)
        for grid in grids:
            shapes, words = self.shapes(pixels, grid, options)
            lines += words
            shapes += _debug_shapes(grid) if options.debug else ()
            draw_shapes(picture, grid.lattice, (*shapes, *_tag(grid, debug=options.debug)))
        return write_lines(picture, lines, bottom=False)

    def shapes(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions | None = None
    ) -> tuple[Shapes, tuple[str, ...]]:
        """Return what to draw on a *grid* in a frame (H, W, 3) uint8 BGR, and lines of text about it."""
        shapes, words = self._sure_shapes(pixels, grid, options or AnnotationOptions())
        return uncovered((*shapes, frame(STATE_COLOURS[grid.state])), grid.occluded), words

    def _sure_shapes(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions
    ) -> tuple[Shapes, tuple[str, ...]]:
        """Return the shapes of the answers, the hint or the verdicts (see *options*), and lines of text."""
        result = grid.result
        if grid.state != "sure" or result is None or result.solution is None:
            return (), ()
        if not (options.answers or options.hint or options.check):
            return (), ()
        key = grid.number, board_text(result.puzzle)
        print_style = _remembered(self._styles, key, lambda: grid_print(pixels, result))
        if options.check:
            checked = check(result)
            unclear = f", {len(checked.unclear)} not clear" if checked.unclear else ""
            words = f"{len(checked.right)} right, {len(checked.wrong)} wrong{unclear}, {checked.left} left"
            return check_shapes(checked, print_style), (words,)
        if options.hint:
            return self._hint_shapes(grid, print_style)
        return grid_shapes(result, print_style), ()

    def hint(self, grid: TrackedGrid) -> Future[Step | None]:
        """Return a future of the next step of a sure *grid*. Its result is None if the grid is full."""
        assert grid.result is not None
        board, clues, rules = check(grid.result).board, grid.result.puzzle, grid.result.rules
        key = grid.number, board_text(board)
        asked = board, NO_MARKS, clues
        return _remembered(self._hints, key, lambda: self._jobs.submit(hint, *asked, rules=rules))

    def _hint_shapes(self, grid: TrackedGrid, print_style: PrintStyle) -> tuple[Shapes, tuple[str, ...]]:
        found = self.hint(grid)
        if not found.done():
            return (), ("Looking for a hint ...",)
        step = found.result()
        if step is None or grid.result is None:
            return (), ("Nothing is left to find.",)
        words = f"{step.technique.title}: {step.text}"
        style, rules = step_style(grid.result, print_style), grid.result.rules
        ((_, shapes, _),) = steps_shapes(check(grid.result).board, [step], style, rules)
        return shapes, (words,)


def _remembered(store: dict[_Key, _T], key: _Key, make: Callable[[], _T]) -> _T:
    """Return the value of *key* in *store*. If the key is missing, the result of *make* is stored first.

    If the store is full, its oldest value is deleted.
    """
    if key not in store:
        store[key] = make()
        if len(store) > MAX_REMEMBERED:
            del store[next(iter(store))]
    return store[key]


def _draw_finder(picture: Image) -> None:
    height, width = picture.shape[:2]
    side = _FINDER_SIDE * min(height, width)
    middle = np.array([width / 2, height / 2], np.float32)
    arm = np.array([[0.5 - _FINDER_ARM, 0.5], [0.5, 0.5], [0.5, 0.5 - _FINDER_ARM]], np.float32)
    for turn in np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]], np.float32):
        corner = middle + side * turn * arm
        draw_path(picture, corner, INK, 2 * _FINDER_WIDTH * side)  # dark rim: visible on a light table
        draw_path(picture, corner, STATE_COLOURS["looking"], _FINDER_WIDTH * side)


def _tag(grid: TrackedGrid, *, debug: bool) -> Shapes:
    """Return the tag of a grid: why it has no answer. In the debug view, the tag also has measurements."""
    words, result = "", grid.result
    if grid.state == "unsolvable" and result is not None:
        words = "no solution" if result.status == "no_solution" else "several solutions"
    elif grid.state != "sure":
        words = grid.state
    if debug:
        confidence = "" if result is None else f", confidence {result.confidence:.2f}"
        size = grid.lattice.cell_size
        words = f"grid {grid.number}: {words or grid.state}{confidence}, cells of {size:.0f} px"
    status = "unreadable" if result is None else result.status
    return (Tag(status, words, STATE_COLOURS[grid.state]),) if words else ()


def _debug_shapes(grid: TrackedGrid) -> Shapes:
    """Return the lines of a grid, the digits that were read, and rings around doubtful cells."""
    lines = grid_lines(STATE_COLOURS[grid.state])
    if grid.result is None:
        return lines
    rings = sign_shapes((doubt.cell for doubt in grid.result.doubts), RING, UNSURE_COLOURS[0])
    printed = board_shapes(grid.result.puzzle, _DIGITS, BLUE)
    written = board_shapes(grid.result.written, _DIGITS, _WRITTEN)
    return (*lines, *printed, *written, *rings)


def write_lines(picture: Image, lines: Sequence[str], *, bottom: bool = True) -> Image:
    """Write *lines* on a dark strip at the bottom or top of *picture*, and return this same picture."""
    height, width = picture.shape[:2]
    em = max(_MIN_EM, _EM * height)
    strip = np.vstack([picture[:0], *(_strip(line, width, em) for line in lines)])[:height]
    patch = picture[height - len(strip) :] if bottom else picture[: len(strip)]
    patch[:] = np.maximum(cv2.convertScaleAbs(patch, alpha=_SHADE), strip)
    return picture


@lru_cache(maxsize=8)
def _strip(line: str, width: int, em: float) -> Image:
    """Return the words of a *line* in white on black, in a picture (H, *width*, 3)."""
    words = text_lines([(line, False)], em / 2, _STRIP_MARGIN * em, width - em, em, BLACK)
    height = round((LEADING * len(words) + 2 * _STRIP_MARGIN) * em)
    return 255 - raster(Figure(width, height, words))
