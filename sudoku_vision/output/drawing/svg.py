"""Write a figure as SVG, for browsers and drawing programs: lines as lines, words as words.

Fonts are named and not embedded: those that are named first are as wide, letter by letter, as the one that
the package measures with, and every line of words says how wide it is, for whoever shows it with another.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

import cv2
import numpy as np

from sudoku_vision.escape_control import visible
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.figure import (
    Area,
    Element,
    Figure,
    Line,
    Picture,
    Point,
    Squares,
    Text,
    runs_of,
)
from sudoku_vision.output.drawing.typesetting import text_width

FAMILIES = "Arimo, 'Liberation Sans', Arial, Helvetica, sans-serif"

_DIGITS = 3  # after the point: a thousandth of a millimetre


def svg(figure: Figure, *, title: str = "") -> str:
    """Return *figure* as an SVG document, as large as it says, on white; *title* is what it is called."""
    width, height = _number(figure.width), _number(figure.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family={quoteattr(FAMILIES)} stroke-miterlimit="10">'
    )
    lines = [head]
    lines += [f"<title>{escape(visible(title))}</title>"] if title else []
    lines.append(f'<rect width="{width}" height="{height}" fill="#fff"/>')
    lines += map(_element, figure.elements)
    return "\n".join([*lines, "</svg>", ""])


def _element(element: Element) -> str:
    match element:
        case Line():
            ends = ' stroke-linecap="round" stroke-linejoin="round"' if element.round else ""
            return (
                f'<path d="{_path(element.points, closed=element.closed)}" fill="none" '
                f'stroke="{_colour(element.colour)}" stroke-width="{_number(element.width)}"{ends}/>'
            )
        case Area():
            opacity = f' fill-opacity="{_number(element.opacity)}"' if element.opacity < 1 else ""
            path = _path(element.points, closed=True)
            return f'<path d="{path}" fill="{_colour(element.colour)}"{opacity}/>'
        case Text():
            return _text(element)
        case Squares():
            return _squares(element)
        case Picture():
            return _picture(element)


def _text(text: Text) -> str:
    (x, y), weight = map(_number, text.place), ' font-weight="700"' if text.bold else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    width = _number(text_width(text.words, text.size, bold=text.bold))
    length = f' textLength="{width}" lengthAdjust="spacingAndGlyphs"' if len(text.words) > 1 else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{_number(text.size)}"{weight}{anchor}{length} '
        f'fill="{_colour(text.colour)}">{escape(visible(text.words))}</text>'
    )


def _squares(squares: Squares) -> str:
    """Draw dark runs as one path, in units of a small square."""
    (left, top), step = squares.corner, squares.side / len(squares.dark)
    runs = "".join(f"M{column} {row}h{length}v1h-{length}z" for row, column, length in runs_of(squares.dark))
    place = f"translate({_number(left)} {_number(top)}) scale({step:.6f})"
    return f'<path transform="{place}" d="{runs}" fill="{_colour(squares.colour)}"/>'


def _picture(picture: Picture) -> str:
    done, packed = cv2.imencode(".png", picture.pixels)
    if not done:
        raise ValueError("OpenCV packs no PNG")
    data = base64.b64encode(np.asarray(packed).tobytes()).decode()
    x, y, width, height = map(_number, (*picture.corner, picture.width, picture.height))
    return (
        f'<image x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{data}"/>'
    )


def _path(points: Iterable[Point], *, closed: bool) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points) + ("z" if closed else "")


def _colour(colour: Colour) -> str:
    blue, green, red = (min(max(round(channel), 0), 255) for channel in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _number(value: float) -> str:
    return f"{round(value, _DIGITS) + 0.0:.{_DIGITS}f}".rstrip("0").rstrip(".")
