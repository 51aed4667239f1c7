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
from functools import partial
from typing import TypeVar

import cv2
import numpy as np

from sudoku_vision.live.tracked_grid import FrameState, TrackedGrid
from sudoku_vision.output.drawing.figure import BLUE, INK, WHITE, Colour
from sudoku_vision.output.overlay.answer_drawing import RING, check_shapes, grid_shapes, sign_shapes
from sudoku_vision.output.overlay.hint_drawing import hint_shapes
from sudoku_vision.output.overlay.print_style import UNSURE_COLOURS, PrintStyle, grid_print
from sudoku_vision.output.overlay.shape_pixels import draw_path, draw_shapes
from sudoku_vision.output.overlay.shapes import Shapes, board_shapes, frame, uncovered
from sudoku_vision.parallel import SerialExecutor
from sudoku_vision.sudoku.board import NO_MARKS, board_text
from sudoku_vision.sudoku.logic import hint
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.steps import Step
from sudoku_vision.values import Image
from sudoku_vision.vision.load import Source, frame_pixels
from sudoku_vision.vision.results import Lattice, Reading
from sudoku_vision.vision.verdicts import check

STATE_COLOURS: dict[FrameState, Colour] = {
    "looking": (235, 235, 235),
    "reading": (0, 165, 255),
    "sure": (70, 170, 20),
    "unsolvable": (40, 30, 225),
}
"""Colours (BGR) of outlines by the state of the grid. ``looking``: colour of the square that is drawn if no
grid is seen."""

MAX_REMEMBERED = 64  # maximum number of puzzles whose print styles, hints and answers are stored

_FINDER_SIDE, _FINDER_ARM, _FINDER_WIDTH = 0.7, 0.12, 0.007
"""The corners of a square show where to hold the page. Side of the square, as a share of the shorter side of
the picture; length and width of the lines at the corners, as shares of the square's side."""
_LINE_WIDTH = 0.03  # width of a grid line in the debug view, in cells; borders of boxes are twice as wide
_DIGITS = PrintStyle(height=0.26, weight=0.045, middle=(0.17, 0.2))
"""Style of the digits in the debug view: small, in the corner of the cell."""
_WRITTEN: Colour = (170, 20, 110)  # violet, for digits that are read as handwriting; printed digits are blue

_K = TypeVar("_K")
_T = TypeVar("_T")
_Key = tuple[int, str]  # number of a grid, and its clues as text; for hints, its clues and entries

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_FONT_HEIGHT = 22  # height of capital letters in OpenCV's font at scale 1, in pixels
_SHADE = 0.28  # the brightness of the picture behind words is multiplied by this
_LINES_IN_HEIGHT = 28  # number of lines of text that fit into the height of a picture
_MIN_LINE = 14  # smallest height of a line of text, in pixels; smaller letters can't be read
_CAPITALS = 0.62  # height of capital letters, as a share of the height of a line
_STRIP_MARGIN = 0.5  # height of both margins of the dark strip, added up, in lines of text
_LABEL_ABOVE, _LABEL_BASE = 1.6, 0.75
"""Distance from the top of a label down to its grid, and to the base line of its text, in lines of text."""


@dataclass(frozen=True)
class AnnotationOptions:
    """Options for what is drawn into the picture. A person changes these options with keys.

    A ``hint`` replaces the ``answers``. The verdicts of a ``check`` replace answers and hint. All are drawn
    only in grids that are sure. ``debug`` draws the lattices, and the digits that were read so far.
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
        self._answers: dict[Reading, Shapes] = {}

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
            draw_shapes(picture, grid.lattice if grid.result is None else grid.result.lattice, shapes)
            if options.debug:
                _draw_debug_view(picture, grid, STATE_COLOURS[grid.state])
        for grid in grids:
            write_label(picture, grid.lattice, _label(grid, debug=options.debug))
        return write_lines(picture, lines, bottom=False)

    def shapes(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions | None = None
    ) -> tuple[Shapes, tuple[str, ...]]:
        """Return the shapes to draw on a *grid* in a frame (H, W, 3) uint8 BGR, and lines of text about it.

        The places of the shapes are on the lattice of ``grid.result`` or, without a result, of *grid*.
        """
        shapes, words = self._sure_shapes(pixels, grid, options or AnnotationOptions())
        return uncovered((*shapes, frame(STATE_COLOURS[grid.state])), grid.occluded), words

    def _sure_shapes(
        self, pixels: Image, grid: TrackedGrid, options: AnnotationOptions
    ) -> tuple[Shapes, tuple[str, ...]]:
        """Return what *options* ask for: the shapes of answers, a hint or verdicts; and lines of text."""
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
        return _remembered(self._answers, result.reading, lambda: grid_shapes(result, print_style)), ()

    def hint(self, grid: TrackedGrid) -> Future[Step | None]:
        """Return a future with the next step of a *grid* that is sure; with None if the grid is full."""
        assert grid.result is not None
        board, clues = check(grid.result).board, grid.result.puzzle
        key = grid.number, board_text(board)
        by_rules = partial(hint, rules=grid.result.rules)
        return _remembered(self._hints, key, lambda: self._jobs.submit(by_rules, board, NO_MARKS, clues))

    def _hint_shapes(self, grid: TrackedGrid, print_style: PrintStyle) -> tuple[Shapes, tuple[str, ...]]:
        found = self.hint(grid)
        if not found.done():
            return (), ("Looking for a hint ...",)
        step = found.result()
        if step is None or grid.result is None:
            return (), ("Nothing is left to find.",)
        words = f"{step.technique.title}: {step.text}"
        board = Candidates(check(grid.result).board.ravel().tolist(), rules=grid.result.rules)
        return hint_shapes(grid.result, board, step, print_style), (words,)


def _remembered(store: dict[_K, _T], key: _K, make: Callable[[], _T]) -> _T:
    """Return the value of *key* in *store*. If it is missing, *make* it; a full *store* loses the oldest."""
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


def _label(grid: TrackedGrid, *, debug: bool) -> str:
    """Return the text above a grid: why it has no answer, and its measurements in the debug view."""
    words = ""
    if grid.state == "unsolvable" and grid.result is not None:
        words = "no solution" if grid.result.status == "no_solution" else "several solutions"
    elif grid.state != "sure":
        words = grid.state
    if not debug:
        return words
    confidence = f", confidence {grid.result.confidence:.2f}" if grid.result is not None else ""
    size = grid.lattice.cell_size
    return f"grid {grid.number}: {words or grid.state}{confidence}, cells of {size:.0f} px"


def _draw_debug_view(picture: Image, grid: TrackedGrid, colour: Colour) -> None:
    """Draw a grid's lattice in a *colour*, the digits that were read, and rings around doubtful cells."""
    lattice = grid.lattice
    for line in range(10):
        width = (2 if line % 3 == 0 else 1) * _LINE_WIDTH * lattice.cell_size
        draw_path(picture, lattice.crossings[line], colour, width)
        draw_path(picture, lattice.crossings[:, line], colour, width)
    if grid.result is None:
        return
    rings = sign_shapes((doubt.cell for doubt in grid.result.doubts), RING, UNSURE_COLOURS[0])
    printed = board_shapes(grid.result.puzzle, _DIGITS, BLUE)
    written = board_shapes(grid.result.written, _DIGITS, _WRITTEN)
    draw_shapes(picture, lattice, (*printed, *written, *rings))


def write_lines(picture: Image, lines: Sequence[str], *, bottom: bool = True) -> Image:
    """Write *lines* on a dark strip at the bottom or top of *picture*, and return this same picture."""
    height, width = picture.shape[:2]
    scale, line_height = _letters(height)
    wrapped = [part for line in lines for part in _wrapped(line, width - line_height, scale)]
    if not wrapped:
        return picture
    strip = min(height, round(line_height * (len(wrapped) + _STRIP_MARGIN)))
    top = height - strip if bottom else 0
    _darken(picture[top : top + strip])
    for number, line in enumerate(wrapped, 1):
        at = (line_height // 2, top + round(line_height * number))
        cv2.putText(picture, line, at, _FONT, scale, WHITE, 1, cv2.LINE_AA)
    return picture


def write_label(picture: Image, lattice: Lattice, words: str) -> None:
    """Write *words* on a dark patch above a grid. If there is no room above, the patch lies in the grid."""
    if not words:
        return
    height, width = picture.shape[:2]
    scale, line_height = _letters(height)
    wide = cv2.getTextSize(words, _FONT, scale, 1)[0][0] + line_height // 2
    x, y = lattice.corners.min(axis=0)
    left = int(np.clip(x, 0, max(0, width - wide)))
    top = int(np.clip(y - _LABEL_ABOVE * line_height, 0, max(0, height - line_height)))
    _darken(picture[top : top + line_height, left : left + wide])
    at = (left + line_height // 4, top + round(_LABEL_BASE * line_height))
    cv2.putText(picture, words, at, _FONT, scale, WHITE, 1, cv2.LINE_AA)


def _letters(height: int) -> tuple[float, int]:
    """Return OpenCV's font scale and the height of a line in pixels, for a picture of this *height*."""
    line_height = max(_MIN_LINE, round(height / _LINES_IN_HEIGHT))
    return _CAPITALS * line_height / _FONT_HEIGHT, line_height


def _wrapped(line: str, width: int, scale: float) -> list[str]:
    """Break *line* between words into parts of at most *width* pixels; a long word stays whole.

    OpenCV's font has only ASCII characters, so all others become question marks.
    """
    parts: list[str] = []
    for word in line.encode("ascii", "replace").decode("ascii").split(" "):
        longer = f"{parts[-1]} {word}" if parts else word
        if parts and cv2.getTextSize(longer, _FONT, scale, 1)[0][0] <= width:
            parts[-1] = longer
        else:
            parts.append(word)
    return parts


def _darken(patch: Image) -> None:
    patch[:] = cv2.convertScaleAbs(patch, alpha=_SHADE)
