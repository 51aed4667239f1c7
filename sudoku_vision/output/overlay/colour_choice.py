"""The colours of answers, frames and signs, and the choice of a colour that differs from paper and ink.

In each tuple of colours, the first are for light paper, and the last, in reverse order, for dark paper.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.figure import BLACK, WHITE, Colour, mixed
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.values import Floats

SURE_COLOURS: tuple[Colour, ...] = ((205, 80, 0), (60, 140, 0), (45, 95, 0), (120, 240, 120), (255, 190, 60))
"""Cool colours of sure answers: blue, green, dark green; light green and sky blue for dark paper."""
UNSURE_COLOURS: tuple[Colour, ...] = ((0, 95, 225), (0, 65, 180), (20, 20, 215), (60, 190, 255))
"""Warm colours of answers that may be wrong: orange, rust, red; amber for dark paper."""
FRAME_COLOURS: dict[str, Colour] = {
    "many_solutions": (190, 40, 160),
    "no_solution": (30, 20, 215),
    "unreadable": (125, 125, 125),
}
"""Colours of frames by the status of a grid: violet, red and grey."""
RIGHT_COLOURS: tuple[Colour, ...] = ((60, 140, 0), (45, 95, 0), (120, 240, 120))
WRONG_COLOURS: tuple[Colour, ...] = ((20, 20, 215), (110, 110, 255))
VISIBLE_DIFFERENCE = 26.0
"""Smallest difference between two colours, in CIE 1976 Lab, that a person sees at a glance. Between a digit
and the paper, only the lightness counts, because the eye hardly sees the hue of fine strokes."""
ANOTHER_HAND = 56.0
"""Minimum difference, in CIE 1976 Lab, between the colour of answers and the ink of entries. Blue answers
differ by 35 to 54 from blue pens, which is not enough, and by 64 and more from pencil."""
_GROUND_SHARE = 0.8  # share of white (or black) in the background of hollow digits; the rest is paper
_HALF_LIGHT = 50.0  # lightness of paper in CIE 1976 Lab, 0..100, below which it counts as dark

_BGR_TO_XYZ = np.array(
    [[0.180423, 0.357580, 0.412453], [0.072169, 0.715160, 0.212671], [0.950227, 0.119193, 0.019334]]
)
_BGR_TO_XYZ /= _BGR_TO_XYZ.sum(axis=1, keepdims=True)
"""Matrix from linear BGR (sRGB, D65) to CIE XYZ, scaled so that white becomes (1, 1, 1)."""

VISIONS = (
    np.eye(3),
    np.array(
        [[1.051998, -0.048116, -0.003882], [0.099216, 0.786281, 0.114503], [-0.204868, 1.052583, 0.152286]]
    ),
    np.array(
        [[0.968881, 0.042940, -0.011820], [0.047413, 0.672501, 0.280085], [-0.227968, 0.860646, 0.367322]]
    ),
)
"""Matrices that turn linear BGR into what people see: most people, and those with protanopia and
deuteranopia (G. M. Machado and others, IEEE TVCG 15, 2009, severity 1)."""


@lru_cache(maxsize=64)
def choose_colour(
    colours: tuple[Colour, ...], print_style: PrintStyle, *, ink: bool = True, entries: bool = False
) -> Colour:
    """Return the first of *colours* that differs enough from paper and ink; if none does, the best one.

    The difference must be enough for colour-blind people, too. *ink*, *entries*: whether the ink of clues or
    of entries counts.
    """
    ordered = colours[::-1] if on_dark_paper(print_style) else colours
    lightness = lab_of(np.array([print_style.paper, *ordered], np.float32))[:, 0]
    apart = np.abs(lightness[1:] - lightness[0]) / VISIBLE_DIFFERENCE
    if ink:
        apart = np.minimum(apart, _apart(print_style.ink, ordered, VISIBLE_DIFFERENCE))
    if entries and print_style.entry_ink:
        apart = np.minimum(apart, _apart(print_style.entry_ink, ordered, ANOTHER_HAND))
    good = np.flatnonzero(apart >= 1)
    return ordered[int(good[0] if good.size else np.argmax(apart))]


def _apart(ink: Colour, colours: tuple[Colour, ...], difference: float) -> Floats:
    """Return the differences (N,) float32 of N *colours* from an *ink*; a difference of 1 is enough.

    1 stands for *difference* for most people, and for :data:`VISIBLE_DIFFERENCE` for colour-blind people.
    """
    seen = [lab_of(np.array([ink, *colours], np.float32), vision) for vision in VISIONS]
    apart = [np.linalg.norm(lab[1:] - lab[0], axis=1) for lab in seen]
    blind = np.min(apart[1:], axis=0) / VISIBLE_DIFFERENCE
    return np.asarray(np.minimum(apart[0] / difference, blind), np.float32)


@lru_cache(maxsize=16)
def hollow_ground(print_style: PrintStyle) -> Colour:
    """Return the background of hollow digits: lighter than light paper, darker than dark paper."""
    to = BLACK if on_dark_paper(print_style) else WHITE
    return mixed(print_style.paper, to, _GROUND_SHARE)


@lru_cache(maxsize=16)
def on_dark_paper(print_style: PrintStyle) -> bool:
    """Return whether the paper is dark."""
    return bool(lab_of(np.array([print_style.paper], np.float32))[0, 0] < _HALF_LIGHT)


def lab_of(colours: Floats, vision: NDArray[np.float64] = VISIONS[0]) -> Floats:
    """Convert BGR colours (N, 3), 0..255, to CIE Lab (N, 3), as seen with a *vision* of :data:`VISIONS`."""
    # OpenCV would first make tables for whole pictures, which takes longer than reading several photos.
    shares = colours / 255
    light = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    x, y, z = (np.clip(light @ vision.T, 0, 1) @ _BGR_TO_XYZ.T).T
    fx, fy, fz = (
        np.where(part > 216 / 24389, np.cbrt(part), part * (24389 / 27 / 116) + 16 / 116)
        for part in (x, y, z)
    )
    return np.asarray(np.stack([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)], axis=-1), np.float32)
