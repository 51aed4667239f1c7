"""Write a figure as SVG.

The file names its fonts, but does not contain them. It states the width of each line of words. If a browser
uses another font, it stretches the words to this width.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from sudoku_vision.output.drawing.figure import Area, Element, Figure, Line, Point, Text, hex_colour
from sudoku_vision.output.drawing.text_metrics import text_width
from sudoku_vision.texts import visible

FAMILIES = "Arimo, 'Liberation Sans', Arial, Helvetica, sans-serif"
_DIGITS = 3  # number of decimal places of a length in mm


def svg(figure: Figure, *, title: str = "") -> str:
    """Return *figure* as an SVG document with a *title*."""
    width, height = _number(figure.width), _number(figure.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="{FAMILIES}" '
        'fill="none" stroke-linecap="round" stroke-linejoin="round">',
        *([f"<title>{escape(visible(title))}</title>"] if title else []),
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *map(svg_element, figure.elements),
    ]
    return "\n".join([*lines, "</svg>", ""])


def svg_element(element: Element) -> str:
    """Return an element of a figure as an element of SVG."""
    colour = hex_colour(element.colour)
    match element:
        case Line():
            path = _path(element.points, closed=element.closed)
            dashes = f' stroke-dasharray="{" ".join(map(_number, element.dashes))}"' if element.dashes else ""
            return f'<path d="{path}" stroke="{colour}" stroke-width="{_number(element.width)}"{dashes}/>'
        case Area():
            opacity = f' fill-opacity="{_number(element.opacity)}"' if element.opacity < 1 else ""
            path = "".join(_path(points, closed=True) for points in element.polygons)
            return f'<path d="{path}" fill="{colour}"{opacity}/>'
        case Text(words, place, size, _, bold):
            (x, y), weight = map(_number, place), ' font-weight="700"' if bold else ""
            anchor = f' text-anchor="{element.anchor}"' if element.anchor != "start" else ""
            width = _number(text_width(words, size, bold=bold))
            length = f' textLength="{width}" lengthAdjust="spacingAndGlyphs"' if len(words) > 1 else ""
            start = f'<text x="{x}" y="{y}" font-size="{_number(size)}"{weight}{anchor}{length}'
            return f'{start} fill="{colour}">{escape(visible(words))}</text>'


def _path(points: Iterable[Point], *, closed: bool) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points) + ("z" if closed else "")


def _number(value: float) -> str:
    return f"{round(value, _DIGITS) + 0.0:.{_DIGITS}f}".rstrip("0").rstrip(".")
