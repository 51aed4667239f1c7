"""Figures: describe a print with lines, areas and words, without pixels.

A :class:`Figure` is a sheet with elements on it, later ones over earlier ones. Lengths are in millimetres,
from the top left corner, x to the right and y downwards; colours are (blue, green, red) in 0..255. One
of three painters writes the figure; all of them draw the same:

==============================  ==============================================================
:func:`.typst_pdf.pdf`          pages of a document, letters as text, fonts embedded
:func:`.svg.svg`                a vector picture for browsers and drawing programs
:func:`.raster.raster`          pixels, with any number to the inch
==============================  ==============================================================
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from sudoku_vision.output.drawing.colours import BLACK, Colour

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A line through *points*, ``width`` wide, with round ends and corners; ``closed``: back to its start."""

    points: Sequence[Point]
    width: float
    colour: Colour = BLACK
    closed: bool = False


@dataclass(frozen=True)
class Area:
    """Filled polygons that don't overlap; ``opacity`` 0..1: 1 hides everything below them.

    ``blend``: how the colour is laid on a photo, so that print shows through. On white paper it makes no
    difference.
    """

    polygons: Sequence[Sequence[Point]]
    colour: Colour = BLACK
    opacity: float = 1.0
    blend: Literal["normal", "multiply", "screen"] = "normal"


@dataclass(frozen=True)
class Text:
    """A line of words, ``size`` to the em; ``place`` is the point of the base line at the ``anchor``."""

    words: str
    place: Point
    size: float
    colour: Colour = BLACK
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "start"


Element: TypeAlias = Line | Area | Text


@dataclass(frozen=True)
class Figure:
    """A white sheet, ``width`` by ``height`` millimetres, and what is drawn on it, in this order."""

    width: float
    height: float
    elements: Sequence[Element] = ()


def box(left: float, top: float, right: float, bottom: float) -> tuple[Point, Point, Point, Point]:
    """Return the corners of a rectangle, clockwise from the top left."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def moved(element: Element, right: float, down: float) -> Element:
    """Return an *element* moved by *right* and *down*."""

    def by(points: Sequence[Point]) -> list[Point]:
        return [(x + right, y + down) for x, y in points]

    match element:
        case Line():
            return replace(element, points=by(element.points))
        case Area():
            return replace(element, polygons=[by(polygon) for polygon in element.polygons])
        case Text():
            return replace(element, place=by([element.place])[0])
