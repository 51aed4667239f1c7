"""Figures: what is printed, said in elements without a pixel.

A :class:`Figure` is a sheet with elements on it, later ones over earlier ones. Lengths are in millimetres,
from the top left corner, x to the right and y downwards; colours are (blue, green, red) in 0..255. It is
written out by one of three painters, which draw the same:

==============================  ==============================================================
:func:`.typst_pdf.pdf`          pages of a document, letters as text, fonts embedded
:func:`.svg.svg`                a vector picture for browsers and drawing programs
:func:`.raster.raster`          pixels, as many to the inch as are wanted
==============================  ==============================================================
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from sudoku_vision.output.drawing.colours import BLACK, Colour

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A line through *points*, ``width`` wide, its ends and corners round; a ``closed`` one runs back."""

    points: Sequence[Point]
    width: float
    colour: Colour = BLACK
    closed: bool = False


@dataclass(frozen=True)
class Area:
    """Polygons beside one another, filled; ``opacity`` in 0..1 is how much they hide of what lies below.

    ``blend``: how the colour is laid on a photo, so that print shows through. On white paper it makes no
    difference.
    """

    polygons: Sequence[Sequence[Point]]
    colour: Colour = BLACK
    opacity: float = 1.0
    blend: Literal["normal", "multiply", "screen"] = "normal"


@dataclass(frozen=True)
class Text:
    """A line of words, ``size`` to the em; ``place`` is on the base line, where the ``anchor`` says."""

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
    """Return an *element* as it lies *right* and *down* from where it was."""

    def by(points: Sequence[Point]) -> list[Point]:
        return [(x + right, y + down) for x, y in points]

    match element:
        case Line():
            return replace(element, points=by(element.points))
        case Area():
            return replace(element, polygons=[by(polygon) for polygon in element.polygons])
        case Text():
            return replace(element, place=by([element.place])[0])
