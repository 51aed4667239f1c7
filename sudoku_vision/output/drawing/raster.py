"""Draw a figure in pixels, with smooth edges."""

from collections.abc import Iterator

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw

from sudoku_vision.geometry import Points
from sudoku_vision.output.drawing.figure import Area, Element, Figure, Line, Text
from sudoku_vision.output.drawing.text_metrics import letter_places, plain_font, text_width
from sudoku_vision.values import Image

MM_PER_INCH = 25.4

_FINER = 8  # an element is drawn larger by this factor, and then reduced; so its edges are smooth
_LARGE = 512  # if both sides of an element are longer than this, in pixels, _FINER is halved to save memory
_SHIFT = 4  # OpenCV draws with coordinates in 1 / 2**_SHIFT pixels


def raster(figure: Figure, dpi: float = MM_PER_INCH) -> Image:
    """Return *figure* as a picture (H, W, 3) uint8 BGR, by default with one pixel for each millimetre."""
    dots = dpi / MM_PER_INCH
    pixels = np.full((round(figure.height * dots), round(figure.width * dots), 3), 255, np.uint8)
    for element in figure.elements:
        _draw(pixels, element, dots)
    return pixels


def _draw(pixels: Image, element: Element, dots: float) -> None:
    """Draw an element into a picture, in place. *dots*: number of pixels in a millimetre."""
    match element:
        case Line():
            paths = [points * dots for points in _pieces(element)]
            half = element.width * dots / 2
            corners = np.concatenate([points + side for points in paths for side in (-half, half)])
        case Area():
            paths = [np.array(polygon, np.float64) * dots for polygon in element.polygons]
            corners = np.concatenate(paths)
        case Text():
            paths, corners = [], _text_corners(element, dots)
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int), pixels.shape[1::-1])
    width, height = (int(side) for side in high - low)
    if width <= 0 or height <= 0:
        return
    finer = _FINER if min(width, height) <= _LARGE else _FINER // 2
    if isinstance(element, Text):
        finer = _FINER // 2  # half of _FINER is enough, because Pillow itself draws smooth edges
        mask = _text_mask(element, (width * finer, height * finer), corners[0] - low, dots, finer)
    else:
        mask = np.zeros((height * finer, width * finer), np.uint8)
        # In OpenCV, (0, 0) is the middle of the first pixel. In figures, it is the corner of the sheet.
        fine = [((points - low) * finer - 0.5) * (1 << _SHIFT) for points in paths]
        scaled = [np.rint(points).astype(np.int32) for points in fine]
        if isinstance(element, Line):
            thickness = max(1, round(element.width * dots * finer - 1))  # OpenCV draws one pixel more
            cv2.polylines(mask, scaled, element.closed, 255, thickness, cv2.LINE_8, _SHIFT)
        else:
            cv2.fillPoly(mask, scaled, 255, shift=_SHIFT)
    opacity = element.opacity if isinstance(element, Area) else 1.0
    share = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA) * np.float32(opacity / 255)
    patch = pixels[low[1] : high[1], low[0] : high[0]]
    colour = np.clip(np.asarray(element.colour, np.float32), 0, 255)
    patch[:] = (patch + share[:, :, None] * (colour - patch) + 0.5).astype(np.uint8)


def _text_corners(text: Text, dots: float) -> Points:
    """Return points (3, 2) in pixels: start of a text's base line, top left and bottom right of its box."""
    em, share = text.size * dots, {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    width = text_width(text.words, em, bold=text.bold)
    x, y = text.place[0] * dots - share * width, text.place[1] * dots
    return np.array([(x, y), (x - 0.1 * em, y - 1.1 * em), (x + width + 0.1 * em, y + 0.3 * em)])


def _text_mask(text: Text, size: tuple[int, int], start: Points, dots: float, finer: int) -> Image:
    """Return a mask with a *text* that is enlarged by the factor *finer*. Ink is 255.

    *size*: width and height of the mask. *start*: start of the base line, in pixels before enlarging.
    """
    picture = Pictures.new("L", size)
    em = text.size * dots * finer
    font, pen = plain_font(max(1, round(em)), bold=text.bold), ImageDraw.Draw(picture)
    x, y = float(start[0]) * finer, float(start[1]) * finer
    places = letter_places(text.words, em, bold=text.bold)
    for place, letter in zip(places, text.words, strict=False):  # Pillow would round these distances
        pen.text((x + place, y), letter, fill=255, font=font, anchor="ls")
    return np.asarray(picture)


def _pieces(line: Line) -> Iterator[Points]:
    """Yield the points (N, 2) of a line, or those of each of its dashes, in mm."""
    points = np.array(line.points, np.float64)
    if line.dashes is None:
        yield points
        return
    (dash, gap), (start, end) = line.dashes, points
    length = np.hypot(*(end - start))
    for begin in np.arange(0, length, dash + gap):
        ends = np.array([begin, min(begin + dash, length)]) / length
        yield start + np.outer(ends, end - start)
