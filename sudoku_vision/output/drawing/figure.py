"""A figure describes a sheet to print with lines, areas and words, without pixels.

A :class:`Figure` is a sheet with elements on it; later elements are drawn over earlier ones. Lengths are in
millimetres. Points (x, y) are measured from the top left corner, x to the right and y downwards. Colours are
(blue, green, red), each 0..255. Three functions write figures, in three forms that look the same:

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
    """A line through ``points``, ``width`` wide, with round ends and corners.

    If it is ``closed``, it returns to its first point. A straight line may be dashed: ``dashes`` are the
    lengths of a dash, without its round ends, and of the gap after it.
    """

    points: Sequence[Point]
    width: float
    colour: Colour = BLACK
    closed: bool = False
    dashes: tuple[float, float] | None = None


@dataclass(frozen=True)
class Area:
    """Filled polygons that don't overlap.

    ``opacity`` is 0..1; with 1, the polygons hide everything behind them. ``blend``: in which way the colour
    is laid on a photo, so that print shows through. When a figure is written, ``blend`` is ignored, because
    it makes no difference on white paper.
    """

    polygons: Sequence[Sequence[Point]]
    colour: Colour = BLACK
    opacity: float = 1.0
    blend: Literal["normal", "multiply", "screen"] = "normal"


@dataclass(frozen=True)
class Text:
    """A line of words; ``size`` is the size of the letters (the em).

    ``place`` is a point on the base line of the words. ``anchor`` says whether it is the start, the middle or
    the end of the words.
    """

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


def moved(element: Element, right: float, down: float) -> Element:
    """Return a copy of *element* that lies *right* mm farther right, and *down* mm farther down."""

    def by(points: Sequence[Point]) -> list[Point]:
        return [(x + right, y + down) for x, y in points]

    match element:
        case Line():
            return replace(element, points=by(element.points))
        case Area():
            return replace(element, polygons=[by(polygon) for polygon in element.polygons])
        case Text():
            return replace(element, place=by([element.place])[0])
