"""What is seen live: answers on the paper, outlines that tell the state, and words for the person.

* A grid whose reading is sure has its answers, or one hint, in the blank cells, drawn as into a photo.
* Every grid is outlined in a colour that tells its state.
* How the clues are printed is measured once a puzzle: from frame to frame answers move, nothing else changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudoku_vision.live.watch import Seen
from sudoku_vision.overlay.ink import draw_digits, draw_frame
from sudoku_vision.overlay.look import Colour, Print, choose_colour, measure_print
from sudoku_vision.overlay.palette import SURE_COLOURS
from sudoku_vision.results import GridResult, Image, board_text

LiveState = Literal["looking", "reading", "sure", "unsolvable"]
"""What a frame comes to: no grid in it, or the state of its best grid."""

STATE_COLOURS: dict[LiveState, Colour] = {
    "looking": (225, 225, 225),
    "reading": (0, 165, 255),
    "sure": (70, 170, 20),
    "unsolvable": (40, 30, 225),
}
"""Light grey, amber, green and red, in blue, green, red: of outlines."""

HELP = "q quit   space freeze   s save   r read afresh   h hint   a answers   c camera   d debug   t timings"
"""The keys, in a line."""


@dataclass(frozen=True)
class View:
    """What is shown besides the frame and the outlines; the keys switch it.

    ``hint``: one hint instead of the whole answer. ``debug``: the lattice, and what is read so far.
    ``help``: the line of keys. ``timings``: frames per second and the time of each stage.
    """

    answers: bool = True
    hint: bool = False
    debug: bool = False
    help: bool = False
    timings: bool = False


@dataclass(frozen=True, eq=False)
class _Look:
    """How a puzzle is drawn in all frames: the print of its clues, and the colour of its answers."""

    print: Print
    colour: Colour


def state_of(seen: Sequence[Seen]) -> LiveState:
    """The state of the best grid, sure ones first; ``looking`` where there is none."""
    order: tuple[LiveState, ...] = ("sure", "unsolvable", "reading")
    return min((grid.state for grid in seen), key=order.index, default="looking")


def annotate(pixels: Image, seen: Sequence[Seen], view: View | None = None) -> Image:
    """Draw one frame by itself; of a film, :class:`Annotator` draws its frames alike."""
    return Annotator().annotate(pixels, seen, view)


class Annotator:
    """Draws the frames of one film, so that a puzzle looks the same in all of them."""

    def __init__(self) -> None:
        self._looks: dict[tuple[int, str], _Look] = {}

    def annotate(self, pixels: Image, seen: Sequence[Seen], view: View | None = None) -> Image:
        """Draw what was *seen* in a frame, (H, W, 3) uint8 BGR, into a copy of it."""
        view = view or View()
        picture = pixels.copy()
        for grid in seen:
            draw_frame(picture, grid.lattice, STATE_COLOURS[grid.state])
            if grid.state == "sure" and grid.grid and grid.grid.solution is not None and view.answers:
                look = self._look(pixels, grid.number, grid.grid)
                answers = np.where((grid.grid.puzzle == 0) & (grid.grid.written == 0), grid.grid.solution, 0)
                draw_digits(picture, grid.lattice, answers.astype(np.int8), look.print, look.colour)
        return picture

    def _look(self, pixels: Image, number: int, grid: GridResult) -> _Look:
        key = number, board_text(grid.puzzle)
        if key not in self._looks:
            print_ = measure_print(pixels, grid.lattice, grid.puzzle)
            self._looks[key] = _Look(print_, choose_colour(SURE_COLOURS, print_))
        return self._looks[key]
