"""A figure describes a sheet to print. It holds lines, areas and words, but no pixels.

Lengths are in millimetres. Points (x, y) are measured from the top left corner, y downwards. Figures are
written by :func:`.pdf_files.pdf`, :func:`.svg.svg` and :func:`.raster.raster`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from sudoku_vision.sudoku.rules import Rules

Point = tuple[float, float]
Colour = tuple[float, float, float]  # blue, green and red, each from 0 to 255

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
INK: Colour = (40, 40, 40)
GREEN: Colour = (60, 140, 0)
RED: Colour = (20, 20, 215)
BLUE: Colour = (205, 80, 0)
ORANGE: Colour = (0, 105, 235)
PINK: Colour = (205, 205, 255)
YELLOW: Colour = (190, 245, 255)


@dataclass(frozen=True)
class Line:
    """A line through ``points``, ``width`` wide, with round ends and corners.

    A ``closed`` line returns to its first point. ``dashes`` is only for straight lines. It holds the length
    of a dash, without its round ends, and the length of the gap after the dash.
    """

    points: Sequence[Point]
    width: float
    colour: Colour = BLACK
    closed: bool = False
    dashes: tuple[float, float] | None = None


@dataclass(frozen=True)
class Area:
    """Filled polygons that don't overlap. ``opacity``: 0..1. ``blend``: the blend mode over a photo."""

    polygons: Sequence[Sequence[Point]]
    colour: Colour = BLACK
    opacity: float = 1.0
    blend: Literal["normal", "multiply", "screen"] = "normal"


@dataclass(frozen=True)
class Text:
    """A line of words; ``size`` is the em. ``anchor``: which point of its base line lies at ``place``."""

    words: str
    place: Point
    size: float
    colour: Colour = BLACK
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"


Element: TypeAlias = Line | Area | Text


@dataclass(frozen=True)
class Figure:
    """A white sheet, ``width`` by ``height`` millimetres, with ``elements`` in the order of drawing."""

    width: float
    height: float
    elements: Sequence[Element] = ()


def box(left: float, top: float, right: float, bottom: float) -> tuple[Point, Point, Point, Point]:
    """Return the corners of a rectangle, clockwise from the top left."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def runs(flags: Iterable[bool]) -> list[list[int]]:
    """Return the runs of true *flags*, each as two indices: its first flag, and the first flag after it."""
    found: list[list[int]] = np.flatnonzero(np.diff([0, *flags, 0])).reshape(-1, 2).tolist()
    return found


def moved(elements: Iterable[Element], right: float, down: float) -> Iterator[Element]:
    """Yield copies of *elements* that are moved by *right* and *down* mm."""

    def by(points: Sequence[Point]) -> list[Point]:
        return [(x + right, y + down) for x, y in points]

    for element in elements:
        match element:
            case Line():
                yield replace(element, points=by(element.points))
            case Area():
                yield replace(element, polygons=[by(polygon) for polygon in element.polygons])
            case Text():
                yield replace(element, place=by([element.place])[0])


def below_sum(y: float) -> float:
    """Return *y* (0..1 from the top of a cell) moved down, because a cage's sum needs room at the top."""
    return 0.2 + 0.75 * y


def mark_place(digit: int, step: float, rules: Rules) -> Point:
    """Return the place (x, y), 0..1, of a pencil mark in its cell. *step*: distance between two marks.

    Marks stand in three rows of three, with 1 at the top left. In a killer, they leave room for the sums.
    """
    row, column = divmod(digit - 1, 3)
    y = 0.5 + step * (row - 1)
    return 0.5 + step * (column - 1), 0.26 + 0.7 * y if rules.cages else y


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours. *share*: the share of the *other* colour, 0..1."""
    a, b, c = (first + share * (second - first) for first, second in zip(one, other, strict=True))
    return (a, b, c)


def hex_colour(colour: Colour) -> str:
    """Return a colour as text of the form ``#rrggbb``."""
    blue, green, red = (min(max(round(channel), 0), 255) for channel in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
