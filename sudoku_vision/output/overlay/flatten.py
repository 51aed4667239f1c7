"""Turn shapes on a grid into primitives for a photo or a web page, and primitives into elements of figures.

Lengths of shapes are in cells. Lengths of primitives are in the unit of the lattice: pixels or millimetres. A
tag with words lies above or below the grid. If the picture has no room there, the tag is moved into it.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from sudoku_vision.geometry import CROSSINGS, Homography, Points, area, homography_of_square, project
from sudoku_vision.output.drawing.figure import BLACK, WHITE, Area, Colour, Element, Line, Point, box, mixed
from sudoku_vision.output.overlay.background_fill import FAR
from sudoku_vision.output.overlay.shapes import FRAME_WIDTH, DrawnDigit, Fade, Shape, Stroke, Tag, Wash
from sudoku_vision.output.overlay.stroke_font import PEN_PATHS, WIDTH
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.texts import ENGLISH, say
from sudoku_vision.values import Floats
from sudoku_vision.vision.results import Lattice

DARK_STRENGTH = 0.4  # factor for the opacity of highlights on dark paper, where colours are seen better
_LINE_ROOM, _SUM_ROOM = 0.06, 0.22
"""In a killer, ink is covered only inside of a cage's line and below its sum. The first value is the width
that the line needs at each edge of a cell, the second the height that the sum needs at the top, in cells."""
_MIN_HEIGHT = 0.1  # minimum height of the path of the pen that writes a digit, in cells
_BOLD = 0.25  # a digit is in bold type if its strokes are wider than this, in heights of the pen's path
_INSET = 0.06  # in a figure, nothing is covered in this share of a cell at each edge: grid lines lie there

_TAG_HEIGHT = 0.62  # height of a tag above or below the grid, in cells
_NARROW = 0.3  # height of a tag that reaches into the grid, in cells; such a tag hides no digit
MIN_TAG_HEIGHT = 14.0  # minimum height of a tag, in pixels
LETTERS, _ROOM, RIM = 0.72, 0.3, 0.06
"""Shares of a tag's height: em of its letters, space before and after its words, width of a rim around it."""
_GAP = 0.08  # gap between a frame and its tag, in cells
_BRIGHT = 150.0  # if the colour of a tag is brighter than this, 0..255, its letters are black


@dataclass(frozen=True, eq=False)
class PenDigit:
    """A digit of a grid, written with a pen.

    The path of the pen lies in a box that is 1 high and begins at (0, 0). ``matrix`` (3, 3) maps the box into
    the picture. ``size``: height of the box in the picture. ``strokes``: the strokes in the order of
    painting; the unit of their widths is the height of the box.
    """

    shape: DrawnDigit
    matrix: Homography
    size: float
    strokes: tuple[Stroke, ...]


class Cover(NamedTuple):
    """A patch of paper that covers ink in a ``cell`` (0..80).

    ``corners`` (4, 2): the corners of the patch. ``strength``: opacity of this paper, 0..1.
    """

    cell: int
    corners: Floats
    strength: float


@dataclass(frozen=True, eq=False)
class Label:
    """A ``tag`` and its place in a picture. Lengths are in pixels. ``corner`` (2,) is the top left corner.

    ``along`` and ``down`` (2,) are unit vectors: along the words, and at a right angle to them.
    """

    tag: Tag
    corner: Points
    along: Points
    down: Points
    width: float
    height: float

    @property
    def corners(self) -> Points:
        """The corners (4, 2) of the tag, clockwise from the top left of the words."""
        right, down = self.width * self.along, self.height * self.down
        corners: Points = self.corner + np.array([0 * right, right, right + down, down])
        return corners


Primitive: TypeAlias = Line | Area | PenDigit | Cover | Label


def flatten(
    shapes: Iterable[Shape],
    lattice: Lattice,
    *,
    pixel: float = 0.0,
    room: tuple[int, int] | None = None,
    language: str = ENGLISH,
) -> list[Primitive]:
    """Return the primitives of *shapes* on the grid at *lattice*, in the order of painting.

    *pixel*: side of a pixel in the unit of the lattice. Strokes are never thinner than this. *room*: width
    and height of the picture, in which tags are placed; None to leave tags out.
    """
    cell_size = lattice.cell_size
    flat: list[Primitive] = []
    for shape in shapes:
        match shape:
            case DrawnDigit():
                flat.append(_pen_digit(shape, lattice, pixel))
            case Line(places, width):
                points = points_in_photo(lattice, places).tolist()
                flat.append(replace(shape, points=points, width=width * cell_size))
            case Wash(cells, colour, strength, dark):
                quads = [lattice.cell(*divmod(cell, 9)).tolist() for cell in cells]
                flat.append(Area(quads, colour, strength, "screen" if dark else "multiply"))
            case Fade(cell, strength, rules):
                flat.append(Cover(cell, ink_corners(lattice, cell, rules), strength))
            case Tag():
                said = replace(shape, words=say(shape.words, language))
                if room and (label := place_tag(said, lattice, room)):
                    flat.append(label)
    return flat


def ink_corners(lattice: Lattice, cell: int, rules: Rules) -> Floats:
    """Return the corners (4, 2) of the part of a *cell* (0..80) that has no lines and no sum of a cage."""
    quad = lattice.cell(*divmod(cell, 9))
    if not rules.cages:
        return quad
    top = _SUM_ROOM if any(cage.cells[0] == cell for cage in rules.cages) else _LINE_ROOM
    part = box(_LINE_ROOM, top, 1 - _LINE_ROOM, 1 - _LINE_ROOM)
    return project(np.array(part, np.float32), homography_of_square(quad))


def laid_colour(area: Area) -> Colour:
    """Return the colour to blend with the picture: by "multiply" on light paper, by "screen" on dark paper.

    It is the colour of *area*, mixed with white (on dark paper, with black). The lower the opacity of *area*,
    the more white or black is in the mixture.
    """
    if area.blend == "screen":
        return mixed(BLACK, area.colour, DARK_STRENGTH * area.opacity)
    return mixed(WHITE, area.colour, area.opacity)


def points_in_photo(lattice: Lattice, places: Sequence[Point]) -> Floats:
    """Return the points (N, 2) float32 in the photo at *places* (u, v), which are in lattice units."""
    units = np.array(places, np.float64).reshape(-1, 2)
    if (units == np.rint(units)).all():
        columns, rows = units.astype(int).T
        return np.asarray(lattice.crossings[rows, columns], np.float32)
    cells = np.clip(np.floor(units), 0, 8).astype(int)
    points = np.empty(units.shape, np.float32)
    for column, row in set(map(tuple, cells.tolist())):
        here = (cells == (column, row)).all(axis=1)
        within = (units[here] - (column, row)).astype(np.float32)
        points[here] = project(within, homography_of_square(lattice.cell(row, column)))
    return points


def _pen_digit(shape: DrawnDigit, lattice: Lattice, pixel: float) -> PenDigit:
    """Return the primitive of a digit. Its ``matrix`` is not finite if the cell's corners are not known."""
    quad = lattice.cell(*divmod(shape.cell, 9))
    side = math.sqrt(max(area(quad), 1e-12))
    height = max(shape.style.height - shape.style.weight, _MIN_HEIGHT)
    x, y = shape.style.middle
    box_in_cell = np.array([[height, 0, x - height * WIDTH / 2], [0, height, y - height / 2], [0, 0, 1]])
    strokes = tuple(replace(one, width=one.width / height) for one in shape.strokes(pixel / side))
    return PenDigit(shape, homography_of_square(quad) @ box_in_cell, height * side, strokes)


def place_tag(tag: Tag, lattice: Lattice, size: tuple[int, int]) -> Label | None:
    """Return where a *tag* lies in a picture of *size* (width, height); None if the lattice is not known."""
    from sudoku_vision.output.drawing.text_metrics import text_width

    cell, crossings = lattice.cell_size, lattice.crossings.astype(np.float64)
    top, bottom = crossings[0], crossings[9]
    length = float(np.linalg.norm(top[9] - top[0]))
    if not (np.isfinite(crossings).all() and np.abs(crossings).max() < FAR and cell > 0 and length > 0):
        return None
    shape = text_width(tag.words, 1, bold=True) * LETTERS + 2 * _ROOM
    highest = min(max(length, MIN_TAG_HEIGHT) / shape, min(size) / shape)
    for height in (_TAG_HEIGHT * cell, _NARROW * cell):
        height = min(max(height, MIN_TAG_HEIGHT), highest)
        above = _beside(tag, top, -1, (shape * height, height), cell)
        below = _beside(tag, bottom, 1, (shape * height, height), cell)
        best = min((above, below), key=lambda label: float(np.abs(_shift(label, size)).max()))
        if not _shift(best, size).any():
            break
    return replace(best, corner=best.corner + _shift(best, size))


def _beside(tag: Tag, edge: Points, outwards: int, size: tuple[float, float], cell: float) -> Label:
    """Return the label of a *tag* beside the top or the bottom edge of a grid. Lengths are in pixels.

    *edge* (10, 2): the points of the edge. *outwards*: -1 for a tag above the edge, 1 for a tag below it.
    *size*: width and height of the tag. *cell*: side of a cell.
    """
    along = (edge[9] - edge[0]) / max(float(np.linalg.norm(edge[9] - edge[0])), 1e-9)
    down = np.array([-along[1], along[0]])
    bulge = outwards * ((edge - edge[0]) @ down * outwards).max()
    start = bulge + outwards * (FRAME_WIDTH / 2 + _GAP) * cell - (size[1] if outwards < 0 else 0)
    return Label(tag, edge[0] + start * down, along, down, *size)


def _shift(label: Label, size: tuple[int, int]) -> Points:
    """Return how many pixels (x, y) a tag must be moved so that it lies in a picture of *size*."""
    low, high = label.corners.min(axis=0), label.corners.max(axis=0)
    return np.asarray(np.maximum(-low, 0) - np.maximum(high - (np.array(size) - 1.0), 0))


def letter_colour(colour: Colour) -> Colour:
    """Return the colour of letters on a tag of *colour*: white, or black if the tag is bright."""
    blue, green, red = colour
    return BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > _BRIGHT else WHITE


def straight_lattice(cell: float) -> Lattice:
    """Return the lattice of a straight upright grid at (0, 0); its cells are *cell* wide."""
    return Lattice((cell * CROSSINGS).reshape(10, 10, 2).astype(np.float32))


def vector_elements(
    primitives: Iterable[Primitive], *, paper: Colour = WHITE, in_type: bool = False
) -> Iterator[Element]:
    """Yield *primitives*, in millimetres, as elements of a figure. Labels are left out.

    *paper*: the colour that covers ink. *in_type*: whether digits are text of a font. Otherwise, they are
    lines. Hollow digits are always lines.
    """
    from sudoku_vision.output.drawing import puzzle_figure  # loads fonts, which no photo needs

    for one in primitives:
        match one:
            case PenDigit(shape) if in_type and not shape.hollow:
                pen = one.strokes[-1]
                x, y = project(np.array([WIDTH / 2, 0.5]), one.matrix).tolist()
                height, is_bold = one.size * (1 + pen.width), pen.width > _BOLD
                yield puzzle_figure.digit(shape.digit, (x, y), height, pen.colour or BLACK, bold=is_bold)
            case PenDigit(shape):
                for stroke in one.strokes:
                    for path in PEN_PATHS[shape.digit]:
                        points = project(np.array(path), one.matrix).tolist()
                        yield Line(points, stroke.width * one.size, stroke.colour or paper)
            case Cover(_, corners, strength):
                inner = corners + 2 * _INSET * (corners.mean(axis=0) - corners)
                yield Area([inner.tolist()], paper, strength)
            case Line() | Area():
                yield one
