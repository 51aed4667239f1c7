"""The colours of answers, frames and marks; of several the first are for light, the last for dark paper."""

from __future__ import annotations

from sudoku_vision.overlay.print import Colour

SURE_COLOURS: tuple[Colour, ...] = (
    (205, 80, 0),
    (60, 140, 0),
    (170, 20, 110),
    (120, 240, 120),
    (255, 190, 60),
)
"""Cool: blue, green, violet, and for dark paper, which tries the last first, light green and sky blue."""

UNSURE_COLOURS: tuple[Colour, ...] = ((0, 95, 225), (0, 65, 180), (20, 20, 215), (60, 190, 255))
"""Warm: orange, rust, red, and for dark paper amber."""

FRAME_COLOURS: dict[str, Colour] = {
    "many_solutions": (190, 40, 160),
    "no_solution": (30, 20, 215),
    "unreadable": (125, 125, 125),
}
"""Violet: several answers. Red: none. Grey: not read."""

RIGHT_COLOURS: tuple[Colour, ...] = ((60, 140, 0), (120, 240, 120))
WRONG_COLOURS: tuple[Colour, ...] = ((20, 20, 215), (110, 110, 255))
"""Of marks, for light and for dark paper."""
