"""Figures: what is drawn said in elements, without a pixel, for paper and for screens of any sharpness.

A :class:`Figure` is a sheet with elements on it, later ones over earlier ones. Lengths are in millimetres,
from the top left corner, x to the right and y downwards; colours are (blue, green, red) in 0..255. It is
written out by one of three backends, which draw the same:

=========================  ==============================================================
:func:`.pdf.pdf`           pages of a document, letters as text, fonts embedded
:func:`.svg.svg`           a vector picture for browsers and drawing programs
:func:`.raster.raster`     pixels, as many to the inch as are wanted
=========================  ==============================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.colours import BLACK, Colour
from sudoku_vision.results import Image

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Line:
    """A line through two or more *points*, *width* wide, with blunt ends and mitred corners.

    ``closed``: it runs back to where it began. ``round``: its ends and corners are, as a pen's.
    """

    points: Sequence[Point]
    width: float
    colour: Colour = BLACK
    closed: bool = False
    round: bool = False


@dataclass(frozen=True)
class Area:
    """What lies within a polygon, filled; ``opacity`` in 0..1 is how much of what lies below it hides."""

    points: Sequence[Point]
    colour: Colour
    opacity: float = 1.0


@dataclass(frozen=True)
class Text:
    """A line of words, ``size`` to the em; ``place`` is on the base line, where the ``anchor`` says.

    What the plain typeface of the package doesn't have is taken from the fonts of this machine.
    """

    words: str
    place: Point
    size: float
    colour: Colour = BLACK
    bold: bool = False
    anchor: Anchor = "start"


@dataclass(frozen=True, eq=False)
class Squares:
    """A square of N by N small ones, of which those are filled that are True in ``dark``, as in a QR code.

    ``corner`` is the top left one, ``side`` that of the whole.
    """

    dark: NDArray[np.bool_]
    corner: Point
    side: float
    colour: Colour = BLACK


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture of ``pixels`` (H, W, 3) uint8 BGR, stretched to a width and a height."""

    pixels: Image
    corner: Point
    width: float
    height: float


Element: TypeAlias = Line | Area | Text | Squares | Picture


@dataclass(frozen=True)
class Figure:
    """A white sheet, ``width`` by ``height`` millimetres, and what is drawn on it, in this order."""

    width: float
    height: float
    elements: Sequence[Element] = ()


def box(left: float, top: float, right: float, bottom: float) -> tuple[Point, Point, Point, Point]:
    """Return the corners of a rectangle, clockwise from the top left."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def runs_of(dark: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return the unbroken runs of True in the rows of *dark* (N, M) as (row, first column, length)."""
    runs: list[tuple[int, int, int]] = []
    for row, cells in enumerate(dark):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], cells.astype(np.int8), [0])))).tolist()
        runs += [(row, first, end - first) for first, end in zip(edges[::2], edges[1::2], strict=True)]
    return runs
