"""What is seen live: answers on the paper, outlines that tell the state, and words for the person.

* A grid whose reading is sure has its answers, or one hint, in the blank cells, drawn as into a photo.
* Every grid is outlined in a colour that tells its state; one without an answer says it in words, too.
* Where there is no grid, the corners of a frame show where to hold one.
* How the clues are printed is measured once a puzzle: from frame to frame answers move, nothing else changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from sudoku_vision.drawing.colours import Colour
from sudoku_vision.live.report import FrameState
from sudoku_vision.live.tracker import AtOnce, Seen
from sudoku_vision.logic import Step, hint
from sudoku_vision.overlay.colours import SURE_COLOURS, UNSURE_COLOURS, choose_colour
from sudoku_vision.overlay.hint import overlay_hint
from sudoku_vision.overlay.ink import draw_digits, draw_frame, draw_path, points_in_cell
from sudoku_vision.overlay.print import PrintStyle, measure_print
from sudoku_vision.results import Board, Floats, GridResult, Image, Lattice, board_text

STATE_COLOURS: dict[FrameState, Colour] = {
    "looking": (235, 235, 235),
    "reading": (0, 165, 255),
    "sure": (70, 170, 20),
    "unsolvable": (40, 30, 225),
}
"""White, amber, green and red, in blue, green, red: of outlines."""

REMEMBERED = 64
"""Puzzles whose print and hint are remembered: more than anyone shows, and a long run does not grow."""

_LOOKING_FOR_HINT = "Looking for a hint ..."
_NOTHING_LEFT = "Nothing is left to find."

_FINDER_SIDE, _FINDER_ARM, _FINDER_WIDTH = 0.7, 0.12, 0.007
"""Of the corners that show where to hold a grid: side in picture heights, length and width in sides."""

_LINE_WIDTH = 0.03
"""Width of a line of the debug view, in cells."""
_READ_HEIGHT, _READ_WEIGHT, _READ_PLACE = 0.26, 0.045, (0.17, 0.2)
"""How what is read stands in a cell in the debug view, in cells: in its corner, off the print."""
_READ_COLOURS: tuple[Colour, Colour] = ((205, 80, 0), (170, 20, 110))
"""Of printed digits, blue, and of written ones, violet, in the debug view."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_WHITE: Colour = (255, 255, 255)
_DARK: Colour = (40, 40, 40)
_SHADE = 0.28
"""Share of its light that the picture keeps behind words."""
_LINES_IN_HEIGHT = 28
"""Lines of words that a picture is high, so that they can be read in a small one and a large one."""

_T = TypeVar("_T")
_Key = tuple[int, str]


@dataclass(frozen=True)
class View:
    """What is shown in the picture; the keys switch it.

    ``answers`` of grids that are sure; ``hint``: one hint instead. ``debug``: the lattice of every grid, and
    what is read of it so far.
    """

    answers: bool = True
    hint: bool = False
    debug: bool = False


@dataclass(frozen=True, eq=False)
class _AnswerStyle:
    """How a puzzle is drawn in all frames: the print of its clues, and the colour of its answers."""

    print_style: PrintStyle
    colour: Colour


def annotate(pixels: Image, seen: Sequence[Seen], view: View | None = None) -> Image:
    """Draw one frame by itself; :class:`Annotator` draws the frames of a film, all alike."""
    return Annotator().annotate(pixels, seen, view)


class Annotator:
    """Draws the frames of one film, so that a puzzle looks the same in all of them."""

    def __init__(self, jobs: Executor | None = None) -> None:
        """*jobs* looks for hints beside the frames, as some take long; without, it is done within them."""
        self._jobs = jobs or AtOnce()
        self._styles: dict[_Key, _AnswerStyle] = {}
        self._hints: dict[_Key, Future[Step | None]] = {}

    def annotate(self, pixels: Image, seen: Sequence[Seen], view: View | None = None) -> Image:
        """Draw what was *seen* in a frame, (H, W, 3) uint8 BGR, into a copy of it."""
        view = view or View()
        picture, words = pixels.copy(), list[str]()
        if not seen:
            _draw_finder(picture)
        for each in seen:
            if each.state == "sure" and each.grid is not None:
                picture, said = self._draw_sure(picture, pixels, each.number, each.grid, view)
                words += said
            if view.debug:
                _draw_debug(picture, each)
            draw_frame(picture, each.lattice, STATE_COLOURS[each.state])
        for each in seen:
            _draw_label(picture, each.lattice, _label(each, view))
        return write_lines(picture, words, bottom=False)

    def _draw_sure(
        self, picture: Image, pixels: Image, number: int, grid: GridResult, view: View
    ) -> tuple[Image, list[str]]:
        """Draw the answers of a grid or a hint, and give the words that go with it."""
        answers = grid.answers
        if grid.solution is None or answers is None or not (view.answers or view.hint):
            return picture, []
        key = number, board_text(grid.puzzle)
        style = _remembered(self._styles, key, lambda: _measured(pixels, grid))
        if not view.hint:
            draw_digits(picture, grid.lattice, answers, style.print_style, style.colour)
            return picture, []
        board = filled(grid, grid.solution)
        found = _remembered(self._hints, key, lambda: self._jobs.submit(hint, board))
        if not found.done():
            return picture, [_LOOKING_FOR_HINT]
        step = found.result()
        if step is None:
            return picture, [_NOTHING_LEFT]
        name = step.technique.name
        words = f"{name[:1].upper()}{name[1:]}: {step.text}"
        return overlay_hint(picture, grid, board, step, print_style=style.print_style), [words]


def filled(grid: GridResult, solution: Board) -> Board:
    """The puzzle with what a person has rightly written into it, (9, 9) int8: what a hint goes on from."""
    right = (grid.written == solution) & ~np.isin(np.arange(81), grid.reading.unclear).reshape(9, 9)
    return np.where(right, grid.written, grid.puzzle).astype(np.int8)


def write_lines(picture: Image, lines: Sequence[str], *, bottom: bool = True) -> Image:
    """Write *lines* on a darkened strip at the bottom or top of *picture*, in place, and give it back.

    What is too long for a line is broken between words.
    """
    height, width = picture.shape[:2]
    size, step = _letters(height)
    broken = [part for line in lines for part in _broken(_plain(line), width - step, size)]
    if not broken:
        return picture
    strip = min(height, round(step * (len(broken) + 0.5)))
    top = height - strip if bottom else 0
    _darken(picture[top : top + strip])
    for place, line in enumerate(broken):
        at = (step // 2, top + round(step * (place + 1)))
        cv2.putText(picture, line, at, _FONT, size, _WHITE, 1, cv2.LINE_AA)
    return picture


def _measured(pixels: Image, grid: GridResult) -> _AnswerStyle:
    print_style = measure_print(pixels, grid.lattice, grid.puzzle)
    return _AnswerStyle(print_style, choose_colour(SURE_COLOURS, print_style))


def _remembered(store: dict[_Key, _T], key: _Key, make: Callable[[], _T]) -> _T:
    """What *store* holds under *key*, made where it is missing; the oldest goes where it is full."""
    if key not in store:
        store[key] = make()
        if len(store) > REMEMBERED:
            del store[next(iter(store))]
    return store[key]


def _draw_finder(picture: Image) -> None:
    """Show where to hold a grid: the corners of a square, light with a dark edge."""
    height, width = picture.shape[:2]
    side = _FINDER_SIDE * min(height, width)
    middle = np.array([width / 2, height / 2], np.float32)
    arm = np.array([[0.5 - _FINDER_ARM, 0.5], [0.5, 0.5], [0.5, 0.5 - _FINDER_ARM]], np.float32)
    for turn in np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]], np.float32):
        corner = middle + side * turn * arm
        draw_path(picture, corner, _DARK, 2 * _FINDER_WIDTH * side)
        draw_path(picture, corner, STATE_COLOURS["looking"], _FINDER_WIDTH * side)


def _draw_debug(picture: Image, seen: Seen) -> None:
    """Draw the lattice of a grid and, small, what is read in its cells; a cell in doubt is ringed."""
    lattice, colour = seen.lattice, STATE_COLOURS[seen.state]
    for line in range(10):
        width = (2 if line % 3 == 0 else 1) * _LINE_WIDTH * lattice.cell_size
        draw_path(picture, lattice.crossings[line], colour, width)
        draw_path(picture, lattice.crossings[:, line], colour, width)
    if seen.grid is None:
        return
    read = PrintStyle(_READ_HEIGHT, _READ_WEIGHT, _READ_PLACE)
    for board, ink in zip((seen.grid.puzzle, seen.grid.written), _READ_COLOURS, strict=True):
        draw_digits(picture, lattice, board, read, ink)
    for doubt in seen.grid.doubts:
        ring = points_in_cell(lattice, doubt.cell, _RING)
        draw_path(picture, ring, UNSURE_COLOURS[0], _LINE_WIDTH * lattice.cell_size, closed=True)


_angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_RING: Floats = (0.5 + 0.4 * np.stack([np.cos(_angles), np.sin(_angles)], axis=1)).astype(np.float32)
"""A ring, as places (N, 2) in the unit square of a cell."""


def _label(seen: Seen, view: View) -> str:
    """The word at a grid: why it has no answer, and in the debug view all that is known."""
    words = ""
    if seen.state == "unsolvable" and seen.grid is not None:
        words = "no solution" if seen.grid.status == "no_solution" else "several solutions"
    elif seen.state != "sure":
        words = seen.state
    if not view.debug:
        return words
    confidence = f", confidence {seen.grid.confidence:.2f}" if seen.grid is not None else ""
    return f"grid {seen.number}: {words or seen.state}{confidence}, cells of {seen.lattice.cell_size:.0f} px"


def _draw_label(picture: Image, lattice: Lattice, words: str) -> None:
    """Write a word on a darkened patch above a grid, within the picture."""
    if not words:
        return
    height, width = picture.shape[:2]
    size, step = _letters(height)
    wide = cv2.getTextSize(words, _FONT, size, 1)[0][0] + step // 2
    x, y = lattice.corners.min(axis=0)
    left = int(np.clip(x, 0, max(0, width - wide)))
    top = int(np.clip(y - 1.6 * step, 0, max(0, height - step)))
    _darken(picture[top : top + step, left : left + wide])
    at = (left + step // 4, top + round(0.75 * step))
    cv2.putText(picture, words, at, _FONT, size, _WHITE, 1, cv2.LINE_AA)


def _letters(height: int) -> tuple[float, int]:
    """Size of the letters (1 is 22 pixels high) and distance of the lines, in a picture so high."""
    step = max(14, round(height / _LINES_IN_HEIGHT))
    return 0.62 * step / 22, step


def _broken(line: str, width: int, size: float) -> list[str]:
    """*line* in parts that are at most *width* pixels wide, broken between words where there are several."""
    parts: list[str] = []
    for word in line.split(" "):
        longer = f"{parts[-1]} {word}" if parts else word
        if parts and cv2.getTextSize(longer, _FONT, size, 1)[0][0] <= width:
            parts[-1] = longer
        else:
            parts.append(word)
    return parts


def _plain(line: str) -> str:
    """*line* in the letters that OpenCV's font has."""
    return line.encode("ascii", "replace").decode("ascii")


def _darken(patch: Image) -> None:
    patch[:] = cv2.convertScaleAbs(patch, alpha=_SHADE)
