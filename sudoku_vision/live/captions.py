"""Captions: words in a picture, on darkened strips and patches, legible whatever lies below them."""

from collections.abc import Sequence

import cv2
import numpy as np

from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.results import Image, Lattice

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_FONT_HEIGHT = 22  # height of OpenCV's capitals at scale 1, in pixels
_WHITE: Colour = (255, 255, 255)
_SHADE = 0.28  # share of its light that the picture keeps behind words
_LINES_IN_HEIGHT = 28
"""Lines of words that a picture is high, so that they can be read in a small one and a large one."""
_MIN_LINE = 14  # height of a line at least, in pixels: smaller letters can't be read
_CAPITALS = 0.62  # height of the capitals, in lines
_STRIP_MARGIN = 0.5  # added to a strip, in lines, so that the letters don't touch its edge
_LABEL_ABOVE, _LABEL_BASE = 1.6, 0.75
"""Of a label, in lines: how far it begins above its grid, and where its letters stand."""


def write_lines(picture: Image, lines: Sequence[str], *, bottom: bool = True) -> Image:
    """Write *lines* on a darkened strip at the bottom or top of *picture*, in place, and return it.

    What is too long for a line is broken between words.
    """
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
        cv2.putText(picture, line, at, _FONT, scale, _WHITE, 1, cv2.LINE_AA)
    return picture


def write_label(picture: Image, lattice: Lattice, words: str) -> None:
    """Write *words* on a darkened patch above a grid, in place, and always within the picture."""
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
    cv2.putText(picture, words, at, _FONT, scale, _WHITE, 1, cv2.LINE_AA)


def _letters(height: int) -> tuple[float, int]:
    """Return OpenCV's scale of the letters, and the height of a line in pixels, for a picture so high."""
    line_height = max(_MIN_LINE, round(height / _LINES_IN_HEIGHT))
    return _CAPITALS * line_height / _FONT_HEIGHT, line_height


def _wrapped(line: str, width: int, scale: float) -> list[str]:
    """Break *line* between words into parts that are at most *width* pixels wide; one word stays whole.

    They are in the letters that OpenCV's font has.
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
