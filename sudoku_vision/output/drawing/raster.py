"""Draw a figure in pixels, edges soft at fractions of a pixel, with the outlines that its PDF has."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import WHITE, Colour
from sudoku_vision.output.drawing.figure import Area, Element, Figure, Line, Picture, Squares, Text, runs_of
from sudoku_vision.output.drawing.typesetting import typeset
from sudoku_vision.results import Image

MM_PER_INCH = 25.4

Points = NDArray[np.float64]
"""Corners (N, 2), in pixels."""

_FINER = 8  # times finer is where it is told what of a pixel is covered
_LARGE = 512  # pixels: what is wider or taller is told four times more coarsely, to take less memory
_SHIFT = 4  # bits of a pixel's fraction, as OpenCV takes corners
_ROUND_CORNERS = 24  # of a polygon that stands for a circle
_MITRE_LIMIT = 10.0  # line widths that a corner may stick out, as in PDF


def raster(figure: Figure, dpi: float) -> Image:
    """Return *figure* as a picture (H, W, 3) uint8 BGR, *dpi* pixels to the inch."""
    dots = dpi / MM_PER_INCH
    canvas = Canvas.blank(round(figure.width * dots), round(figure.height * dots), WHITE)
    for element in figure.elements:
        _draw(canvas, element, dots)
    return canvas.pixels


def _draw(canvas: Canvas, element: Element, dots: float) -> None:
    match element:
        case Line():
            _fill(canvas, _outline(element, dots), element.colour)
        case Area():
            _fill(canvas, [np.array(element.points, np.float64) * dots], element.colour, element.opacity)
        case Text():
            _draw_text(canvas, element, dots)
        case Squares():
            _draw_squares(canvas, element, dots)
        case Picture():
            _draw_picture(canvas, element, dots)


def _draw_text(canvas: Canvas, text: Text, dots: float) -> None:
    line, size = typeset(text.words, bold=text.bold), text.size * dots
    start = text.place[0] * dots - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * line.width * size
    for glyph in line.glyphs:
        x, y = start + glyph.place[0] * size, text.place[1] * dots - glyph.place[1] * size
        contours = [points * (size, -size) + (x, y) for points in glyph.face.contours(glyph.glyph)]
        if contours:
            _fill(canvas, contours, text.colour)


def _draw_squares(canvas: Canvas, squares: Squares, dots: float) -> None:
    step = squares.side * dots / len(squares.dark)
    left, top = (length * dots for length in squares.corner)
    for row, column, length in runs_of(squares.dark):
        edges = (column, row, column + length, row + 1)  # on whole pixels: no seams between the rows
        x0, y0, x1, y1 = (round(at + n * step) for at, n in zip((left, top) * 2, edges, strict=True))
        canvas.rectangle(x0, y0, x1, y1, squares.colour)


def _draw_picture(canvas: Canvas, picture: Picture, dots: float) -> None:
    left, top = (round(length * dots) for length in picture.corner)
    size = (max(1, round(picture.width * dots)), max(1, round(picture.height * dots)))
    shrinks = size[0] < picture.pixels.shape[1]
    drawn = cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    x0, y0 = max(left, 0), max(top, 0)
    part = canvas.pixels[y0 : max(top + size[1], 0), x0 : max(left + size[0], 0)]
    part[:] = drawn[y0 - top : y0 - top + part.shape[0], x0 - left : x0 - left + part.shape[1]]


def _outline(line: Line, dots: float) -> list[Points]:
    """Return what a line covers as polygons, all turning one way: pieces, and corners between them."""
    points, half = np.array(line.points, np.float64) * dots, line.width * dots / 2
    ends = np.roll(points, -1, axis=0) if line.closed else points[1:]
    pieces = [(start, end) for start, end in zip(points, ends, strict=False) if not np.allclose(start, end)]
    covered = [_piece(start, end, half) for start, end in pieces]
    following = [*pieces[1:], *pieces[:1]] if line.closed else pieces[1:]
    if line.round:
        covered += [_circle(half) + point for point in points]
    else:
        covered += [_corner(one, other, half) for one, other in zip(pieces, following, strict=False)]
    return [polygon if _area(polygon) > 0 else polygon[::-1] for polygon in covered]


def _circle(radius: float) -> Points:
    turns = np.linspace(0, 2 * np.pi, _ROUND_CORNERS, endpoint=False)
    return radius * np.column_stack([np.cos(turns), np.sin(turns)])


def _normal(start: Points, end: Points) -> Points:
    along = (end - start) / np.linalg.norm(end - start)
    return np.array([-along[1], along[0]])


def _piece(start: Points, end: Points, half: float) -> Points:
    side = _normal(start, end) * half
    return np.array([start + side, end + side, end - side, start - side])


def _corner(one: tuple[Points, Points], other: tuple[Points, Points], half: float) -> Points:
    """Return the mitred corner between two pieces of a line; blunt where it would stick out too far."""
    first, second = _normal(*one), _normal(*other)
    outer = -half if first[0] * second[1] - first[1] * second[0] > 0 else half
    both = first + second
    length = float(both @ both)
    meeting = one[1]
    corners = [meeting, meeting + outer * first]
    if length > (2 / _MITRE_LIMIT) ** 2:
        corners.append(meeting + outer * 2 * both / length)
    return np.array([*corners, meeting + outer * second])


def _fill(canvas: Canvas, polygons: Sequence[Points], colour: Colour, opacity: float = 1.0) -> None:
    """Fill what lies within closed *polygons* (N, 2) by the nonzero winding rule, as PDF and SVG do."""
    if all(map(_is_upright, polygons)) and (len(polygons) == 1 or opacity == 1):
        for polygon in polygons:
            (left, top), (right, bottom) = polygon.min(axis=0), polygon.max(axis=0)
            canvas.rectangle(left, top, right, bottom, colour, opacity)
        return
    corners = np.concatenate(polygons)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int), (canvas.width, canvas.height))
    if (high <= low).any():
        return
    mask = _covered([points - low for points in polygons], (int(high[0] - low[0]), int(high[1] - low[1])))
    canvas.ink(mask, float(low[0]), float(low[1]), colour, opacity)


def _is_upright(polygon: Points) -> bool:
    """Tell whether a polygon is a rectangle along the rows and columns of pixels."""
    if len(polygon) != 4:
        return False
    steps = np.abs(np.diff(polygon, axis=0, append=polygon[:1])) < 1e-9
    return bool((steps.any(axis=1)).all() and (steps[0] != steps[1]).any())


def _covered(polygons: Sequence[Points], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return how much of each pixel lies within *polygons*, (H, W) uint8, 255 for all of it."""
    width, height = size
    finer = _FINER if max(size) <= _LARGE else _FINER // 4
    winding = np.zeros((height * finer, width * finer), np.int16)
    for points in polygons:
        inside = np.zeros(winding.shape, np.uint8)
        # OpenCV counts from the middle of a pixel, and fills the pixels that an edge runs through, too.
        corners = np.round((points * finer - 0.5) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(inside, [corners], 1, lineType=cv2.LINE_8, shift=_SHIFT)
        winding += inside.astype(np.int16) * np.int16(1 if _area(points) > 0 else -1)
    within = (winding != 0).astype(np.uint8) * 255
    return np.asarray(cv2.resize(within, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _area(points: Points) -> float:
    """Return the signed area of a polygon."""
    x, y = points[:, 0], points[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
