"""Charts: figures as a picture of lines, dots and letters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw

from sudoku_vision.output.drawing.colours import INK, WHITE, Colour
from sudoku_vision.output.drawing.typefaces import plain_typeface
from sudoku_vision.results import Image


class Chart:
    """A picture of lines, dots and letters, drawn twice as large and reduced, so that edges are smooth.

    Places are (x, y) and lengths in pixels of the finished picture of *width* x *height*.
    """

    _FINER = 2  # times as large; reduced again, an edge has five shades of grey

    def __init__(self, width: int, height: int) -> None:
        self._sheet = Pictures.new("RGB", (width * self._FINER, height * self._FINER), _as_pillow(WHITE))
        self._draw = ImageDraw.Draw(self._sheet)

    def line(
        self,
        points: Sequence[tuple[float, float]],
        colour: Colour,
        width: float = 1.0,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line through *points*; *dash* gives the lengths of dash and gap."""
        for start, end in _dashed(points, dash) if dash else pairwise(points):
            self._draw.line(
                [self._at(start), self._at(end)], _as_pillow(colour), max(1, round(width * self._FINER))
            )
        if dash is None:
            for point in points[1:-1]:
                self.dot(point, width / 2, colour)

    def area(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon([self._at(point) for point in points], _as_pillow(colour))

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """Fill a rectangle."""
        if right > left and bottom > top:
            self._draw.rectangle([self._at((left, top)), self._at((right, bottom))], _as_pillow(colour))

    def dot(
        self, place: tuple[float, float], radius: float, colour: Colour, rim: Colour | None = None
    ) -> None:
        """Draw a round dot, with a *rim* of another colour if one is given."""
        (x, y), reach = self._at(place), radius * self._FINER
        outline, width = (_as_pillow(rim), self._FINER) if rim else (None, 0)
        self._draw.ellipse([x - reach, y - reach, x + reach, y + reach], _as_pillow(colour), outline, width)

    def text(
        self,
        place: tuple[float, float],
        words: str,
        size: float = 13,
        colour: Colour = INK,
        anchor: str = "lm",
        *,
        bold: bool = False,
    ) -> float:
        """Write words at a place, *size* pixels to the em, and return their width.

        *anchor* is as Pillow has it: l, m, r across and t, m, s (the base line) down.
        """
        font = plain_typeface(bold=bold).font(round(size * self._FINER))
        self._draw.text(self._at(place), words, _as_pillow(colour), font, anchor)
        return float(font.getlength(words)) / self._FINER

    def picture(self, pixels: Image, left: float, top: float) -> None:
        """Lay a picture (H, W, 3) uint8 BGR, meant for H/2 x W/2 pixels, with its corner at a place."""
        x, y = self._at((left, top))
        self._sheet.paste(Pictures.fromarray(np.ascontiguousarray(pixels[:, :, ::-1])), (round(x), round(y)))

    def pixels(self) -> Image:
        """Return the finished picture (height, width, 3) uint8 BGR."""
        small = self._sheet.reduce(self._FINER)
        return np.ascontiguousarray(np.asarray(small, np.uint8)[:, :, ::-1])

    def _at(self, place: tuple[float, float]) -> tuple[float, float]:
        return place[0] * self._FINER, place[1] * self._FINER


def _as_pillow(colour: Colour) -> tuple[int, int, int]:
    """Return a colour as Pillow has it: red, green, blue."""
    blue, green, red = (round(channel) for channel in colour)
    return red, green, blue


def _dashed(
    points: Sequence[tuple[float, float]], dash: tuple[float, float]
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Cut a line through *points* into dashes, each piece of it from its start."""
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        for start in np.arange(0, length, sum(dash)):
            a, b = start / length, min(1.0, (start + dash[0]) / length)
            yield (x0 + a * (x1 - x0), y0 + a * (y1 - y0)), (x0 + b * (x1 - x0), y0 + b * (y1 - y0))
