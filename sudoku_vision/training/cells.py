"""Draw boards as phones see them, to train the digit classifier on.

A board is drawn flat (paper, shades, ghost print, lines, digits, pencil marks, print around it), then seen
through a camera (perspective, bend, blur, light, noise, JPEG), and comes with its lattice, slightly off, as a
locator would find it. The training then sends it down the same road as a real photo, so that drawn cells and
real ones differ in nothing but the drawing. Whole boards rather than cells, because light is evened out and
ink is scaled over the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.drawing.typefaces import Typeface
from sudoku_vision.geometry import CROSSINGS, UNIT_SQUARE, homography_of_square, project
from sudoku_vision.rendering.pen import Hand, new_hand, pen_mask
from sudoku_vision.results import Floats, Image, Lattice, Photo

BLANK, WRITTEN, JUNK = 0, 10, 19
"""Classes: BLANK, printed d is d, written d is WRITTEN - 1 + d, JUNK."""

_MARGIN = 0.7  # paper around the board, in cells
_EM = 72  # font size at which glyphs are drawn once and kept
_HARDNESS, _HARDNESS_SHARES = (0.3, 0.65, 1.0), (0.45, 0.35, 0.2)
"""How hard the camera makes it: most photos are taken so that they can be read, a few hardly can."""


@dataclass(frozen=True, eq=False)
class Sources:
    """What digits are drawn from.

    ``print_faces`` and ``hand_faces`` are typefaces, those of one design together, so that a design in
    twenty weights is met no more often than a design in one; ``strokes`` (N, 28, 28) uint8 are handwritten
    digits, white on black, and ``labels`` (N,) say which.
    """

    print_faces: Sequence[Sequence[Typeface]]
    hand_faces: Sequence[Sequence[Typeface]]
    strokes: Image
    labels: NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """A drawn photo, its lattice as a locator might find it, and the class of each cell, (81,) int64."""

    photo: Photo
    lattice: Lattice
    classes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Style:
    """How one board looks: colours (3,) in 0..1, lengths in cells."""

    screen: bool
    cell: int
    paper: Floats
    ink: Floats
    line: Floats
    pen: Floats
    thin: float
    thick: float
    face: Typeface
    other_face: Typeface
    height: float
    offset: tuple[float, float]
    hand_height: float
    pencil: float
    pencil_height: float
    pencil_ink: Floats
    written: float
    filled: float
    hardness: float


def draw_board(sources: Sources, rng: np.random.Generator) -> DrawnBoard:
    """Draw one board with its own style and camera."""
    style = _style(sources, rng)
    side = round((9 + 2 * _MARGIN) * style.cell)
    canvas = np.empty((side, side, 3), np.float32)
    canvas[:] = style.paper
    _shade(canvas, style, rng)
    if rng.random() < 0.25:
        _ghost_print(canvas, style, rng)
    if rng.random() < 0.6:
        _surroundings(canvas, style, rng)
    _lines(canvas, style, rng)
    classes = _fill(canvas, style, sources, rng)
    photo, crossings = _photograph(canvas, style, rng)
    return DrawnBoard(Photo(photo), Lattice(misplaced(crossings, rng)), classes)


def _style(sources: Sources, rng: np.random.Generator) -> _Style:
    screen = rng.random() < 0.15
    dark_mode = rng.random() < (0.3 if screen else 0.03)
    paper = rng.uniform(0.72, 1.0) * (1 - rng.uniform(0, 0.12, 3))
    ink = rng.uniform(0.0, 0.35, 3) * rng.uniform(0, 1) + rng.choice([0.0, 0.0, 0.1, 0.25])
    kind = rng.random()
    if kind < 0.15:  # red print, pale or strong, in BGR
        ink = np.array([rng.uniform(0.2, 0.6), rng.uniform(0.15, 0.55), rng.uniform(0.7, 0.95)])
    elif kind < 0.24:
        ink = np.array([rng.uniform(0.5, 0.95), rng.uniform(0.1, 0.5), rng.uniform(0.0, 0.35)])
    elif kind < 0.30:  # faint grey
        ink = np.full(3, rng.uniform(0.4, 0.62))
    pens = ([0.1, 0.1, 0.1], [0.75, 0.25, 0.15], [0.2, 0.15, 0.8], [0.45, 0.45, 0.45], [0.3, 0.5, 0.2])
    pen = np.clip(
        np.array(pens[rng.choice(5, p=[0.3, 0.3, 0.15, 0.2, 0.05])]) + rng.normal(0, 0.06, 3), 0, 0.85
    )
    line = np.clip(ink if rng.random() < 0.3 else np.full(3, rng.uniform(0, 0.45)), 0, 0.8)
    if dark_mode:
        paper = rng.uniform(0.02, 0.25) * (1 + rng.uniform(0, 0.6, 3))
        ink, pen = rng.uniform(0.6, 1.0, 3), rng.uniform(0.35, 1.0, 3)
        line = np.full(3, rng.uniform(0.25, 0.7))
    if np.abs(ink - paper).mean() < 0.22:  # what a person can't see need not be learnt
        ink = np.zeros(3) if paper.mean() > 0.4 else np.ones(3)
    thin = rng.uniform(0.012, 0.06)
    height = float(rng.choice([rng.uniform(0.38, 0.75), rng.uniform(0.3, 0.85)]))
    room = (1 - height - thin) / 2
    return _Style(
        screen=screen,
        cell=int(rng.integers(36, 49)),
        paper=paper.astype(np.float32),
        ink=ink.astype(np.float32),
        line=line.astype(np.float32),
        pen=pen.astype(np.float32),
        thin=thin,
        thick=thin * rng.uniform(1.0, 3.0),
        face=_pick(sources.print_faces, rng),
        other_face=_pick(sources.print_faces, rng),
        height=height,
        offset=(rng.normal(0, 0.03), float(np.clip(rng.normal(0, 0.045), -room, room))),
        hand_height=rng.uniform(0.36, 0.8),
        pencil=float(
            rng.choice([0.0, 0.03, 0.3, 0.9], p=[0.4, 0.05, 0.2, 0.35] if screen else [0.65, 0.13, 0.12, 0.1])
        ),
        pencil_height=rng.uniform(0.13, min(0.29, 0.55 * height)),
        pencil_ink=np.clip(pen + rng.uniform(-0.1, 0.3), 0, 1).astype(np.float32),
        written=float(rng.choice([0.0, 0.08, 0.5, 1.0], p=[0.35, 0.15, 0.3, 0.2])),
        filled=rng.uniform(0.25, 0.6),
        hardness=float(rng.choice(_HARDNESS, p=_HARDNESS_SHARES)),
    )


def _fill(canvas: Floats, style: _Style, sources: Sources, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw digits and pencil marks into the cells; return the classes."""
    classes = np.zeros(81, np.int64)
    writer = _writer(sources, rng)
    wobble = rng.uniform(0, 0.04)
    mixed_faces = rng.random() < 0.25
    pen_width = rng.normal(0, 1)
    for cell in range(81):
        digit = int(rng.integers(1, 10))
        middle = _MARGIN + 0.5 + np.array([cell % 9, cell // 9], np.float64)
        if rng.random() < style.filled:
            face = style.other_face if mixed_faces and rng.random() < 0.5 else style.face
            mask = glyph_mask(face, digit)
            place = middle + style.offset + rng.normal(0, 0.008 + wobble / 4, 2)
            _stamp(
                canvas, style, mask, place, style.height, rng.normal(0, 0.7), style.ink, rng.uniform(0.9, 1)
            )
            classes[cell] = digit
        elif rng.random() < style.written:
            classes[cell] = _write(canvas, style, sources, writer, middle, digit, pen_width, rng)
        elif rng.random() < 0.04:
            _speck(canvas, style, middle, rng)
        if rng.random() < style.pencil * (1 if classes[cell] == 0 else 0.03):
            _pencil_marks(canvas, style, sources, middle, rng)
    return classes


def _write(
    canvas: Floats,
    style: _Style,
    sources: Sources,
    writer: Typeface | Hand | None,
    middle: NDArray[np.float64],
    digit: int,
    pen_width: float,
    rng: np.random.Generator,
) -> int:
    """Write one digit by hand; return its class."""
    if isinstance(writer, Typeface):
        mask = glyph_mask(writer, digit)
    elif isinstance(writer, Hand):
        mask = _tight(pen_mask(writer, digit, rng))
    else:
        index = int(rng.integers(len(sources.labels)))
        while sources.labels[index] == 0:
            index = int(rng.integers(len(sources.labels)))
        digit = int(sources.labels[index])
        mask = _stroke_mask(sources.strokes[index], pen_width + rng.normal(0, 0.3))
    if rng.random() < 0.2:  # pencils press unevenly
        mask = _uneven(mask, rng)
    height = style.hand_height * rng.uniform(0.8, 1.2)
    place = middle + rng.normal(0, 0.07, 2)
    ink = np.clip(style.pen + rng.normal(0, 0.03, 3), 0, 1).astype(np.float32)
    _stamp(
        canvas, style, mask, place, height, rng.normal(0, 6), ink, rng.uniform(0.75, 1), rng.normal(0, 0.12)
    )
    return WRITTEN - 1 + digit


def _pick(designs: Sequence[Sequence[Typeface]], rng: np.random.Generator) -> Typeface:
    faces = designs[int(rng.integers(len(designs)))]
    return faces[int(rng.integers(len(faces)))]


def _writer(sources: Sources, rng: np.random.Generator) -> Typeface | Hand | None:
    """Who fills the page in: a handwriting typeface, one drawn hand, or many hands of a database (None)."""
    kind = rng.random()
    if kind < 0.3 and len(sources.hand_faces):
        return _pick(sources.hand_faces, rng)
    if kind < 0.65 or not len(sources.strokes):
        return new_hand(rng)
    return None


@lru_cache(maxsize=32768)
def glyph_mask(face: Typeface, digit: int) -> Image:
    """The ink of a digit at 72 pixels to the em, (H, W) uint8, cut to its box."""
    font = face.font(_EM)
    mask = font.getmask(str(digit), mode="L")
    image = np.asarray(mask, np.uint8).reshape(mask.size[1], mask.size[0])
    return _tight(image)


def _tight(image: Image) -> Image:
    rows, columns = np.flatnonzero(image.max(axis=1) > 40), np.flatnonzero(image.max(axis=0) > 40)
    if not len(rows) or not len(columns):
        return np.full((_EM // 2, _EM // 8), 255, np.uint8)
    return np.ascontiguousarray(image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _stroke_mask(image: Image, width: float) -> Image:
    """A handwritten 28x28 digit, enlarged and made thinner (*width* < 0) or bolder."""
    large = cv2.resize(image, (112, 112), interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), 2.0)
    level = float(np.clip(110 - 40 * width, 40, 190))
    solid = np.clip((large.astype(np.float32) - level) * 8 + 128, 0, 255).astype(np.uint8)
    return _tight(solid)


def _uneven(mask: Image, rng: np.random.Generator) -> Image:
    """A mask whose ink is thin in places."""
    pressure = rng.uniform(rng.uniform(0.2, 0.9), 1.0, (4, 4)).astype(np.float32)
    field = cv2.resize(pressure, mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(mask * field, 0, 255), np.uint8)


def _stamp(
    canvas: Floats,
    style: _Style,
    mask: Image,
    place: NDArray[np.float64],
    height: float,
    angle: float,
    colour: Floats,
    opacity: float,
    slant: float = 0.0,
) -> None:
    """Lay ink of a colour on the canvas through a mask, centred at *place*, *height* cells tall."""
    scale = height * style.cell / mask.shape[0]
    scale = min(scale, 0.9 * style.cell / mask.shape[1])
    turn = np.deg2rad(angle)
    matrix = scale * np.array([[np.cos(turn), -np.sin(turn) - slant], [np.sin(turn), np.cos(turn)]])
    reach = int(np.ceil(0.75 * style.cell))
    centre = place * style.cell
    corner = np.floor(centre).astype(int) - reach
    shift = centre - corner - matrix @ (np.array(mask.shape[::-1]) / 2)
    if (corner < 0).any() or (corner + 2 * reach > canvas.shape[0]).any():
        return
    if scale < 0.6:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.35 / scale), np.uint8)
    ink = cv2.warpAffine(mask, np.c_[matrix, shift], (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR)
    alpha = (ink.astype(np.float32) * (opacity / 255))[:, :, None]
    patch = canvas[corner[1] : corner[1] + 2 * reach, corner[0] : corner[0] + 2 * reach]
    patch += alpha * (colour - patch)


def _pencil_marks(
    canvas: Floats, style: _Style, sources: Sources, middle: NDArray[np.float64], rng: np.random.Generator
) -> None:
    """Small candidate digits, each in its ninth of the cell, or a few along the top."""
    by_hand = len(sources.hand_faces) and style.pencil < 0.2
    face = _pick(sources.hand_faces, rng) if by_hand else style.face
    height = style.pencil_height * rng.uniform(0.97, 1.03)
    digits = np.flatnonzero(rng.random(9) < rng.uniform(0.1, 0.6)) + 1
    in_row = by_hand and rng.random() < 0.5
    for order, digit in enumerate(digits[: 4 if in_row else 9]):
        row, column = divmod(int(digit) - 1, 3)
        spot = (-0.32 + 0.2 * order, -0.3) if in_row else ((column - 1) * 0.29, (row - 1) * 0.29)
        place = middle + spot + rng.normal(0, 0.03 if by_hand else 0.005, 2)
        _stamp(
            canvas,
            style,
            glyph_mask(face, int(digit)),
            place,
            height,
            0,
            style.pencil_ink,
            rng.uniform(0.7, 1),
        )


def _speck(canvas: Floats, style: _Style, middle: NDArray[np.float64], rng: np.random.Generator) -> None:
    """A speck of dirt, a scratch or a stain."""
    centre = (middle + rng.uniform(-0.35, 0.35, 2)) * style.cell
    opacity = rng.uniform(0.2, 0.8)
    size = style.cell
    low = np.floor(centre).astype(int) - size
    if (low < 0).any() or (low + 2 * size > canvas.shape[0]).any():
        return
    mask = np.zeros((2 * size, 2 * size), np.uint8)
    if rng.random() < 0.5:
        axes = np.maximum(1, rng.uniform(0.01, 0.07, 2) * size).astype(int)
        cv2.ellipse(mask, (size, size), (int(axes[0]), int(axes[1])), rng.uniform(0, 180), 0, 360, 255, -1)
    else:
        end = (np.array([size, size]) + rng.normal(0, 0.2, 2) * size).astype(int)
        cv2.line(mask, (size, size), (int(end[0]), int(end[1])), 255, 1, cv2.LINE_AA)
    patch = canvas[low[1] : low[1] + 2 * size, low[0] : low[0] + 2 * size]
    patch += (mask.astype(np.float32) * (opacity / 255))[:, :, None] * (style.ink - patch)


def _shade(canvas: Floats, style: _Style, rng: np.random.Generator) -> None:
    """Shade boxes or single cells."""
    kind = rng.random()
    if kind > 0.3:
        return
    start = _MARGIN * style.cell
    tint = style.paper * rng.uniform(0.6, 0.95) if kind < 0.15 else style.paper * rng.uniform(0.5, 1.0, 3)
    chequered = rng.random() < 0.4
    for row in range(9):
        for column in range(9):
            if (row // 3 + column // 3) % 2 if chequered else rng.random() < 0.12:
                y0, y1 = (round(start + (row + step) * style.cell) for step in (0, 1))
                x0, x1 = (round(start + (column + step) * style.cell) for step in (0, 1))
                canvas[y0:y1, x0:x1] = tint


def _ghost_print(canvas: Floats, style: _Style, rng: np.random.Generator) -> None:
    """Faint mirrored print that shines through from the other side."""
    opacity = rng.uniform(0.03, 0.16)
    height = rng.uniform(0.12, 0.9)
    for _ in range(int(60 / (height + 0.3))):
        mask = np.ascontiguousarray(glyph_mask(style.other_face, int(rng.integers(1, 10)))[:, ::-1])
        place = rng.uniform(0.8, 9 + 2 * _MARGIN - 0.8, 2)
        _stamp(canvas, style, mask, place, height, rng.normal(0, 2), style.ink, opacity)


def _surroundings(canvas: Floats, style: _Style, rng: np.random.Generator) -> None:
    """Print or a bar close around the board."""
    edge = 9 + 2 * _MARGIN
    if rng.random() < 0.3:
        bar = round(rng.uniform(0.2, 0.6) * style.cell)
        canvas[:bar] = rng.uniform(0, 1, 3)
    for _ in range(40):
        along, away = rng.uniform(0.8, edge - 0.8), rng.uniform(0.15, 0.45)
        place = np.array([along, away + 0.0])
        mask = glyph_mask(style.other_face, int(rng.integers(1, 10)))
        height = rng.uniform(0.15, 0.3)
        spot = [place, place[::-1], np.array([along, edge - away]), np.array([edge - away, along])][
            rng.integers(4)
        ]
        inside = np.clip(spot, 0.76, edge - 0.76)
        _stamp(canvas, style, mask, inside, height, 0, style.ink, 1.0) if (inside == spot).all() else None


def _lines(canvas: Floats, style: _Style, rng: np.random.Generator) -> None:
    """Draw the ten lines each way; thin ones may be missing or dotted."""
    start, cell = _MARGIN * style.cell, style.cell
    faint = rng.uniform(0.4, 1.0)
    gap = rng.random() < 0.05
    for index in range(10):
        heavy = index % 3 == 0
        half = (style.thick if heavy else style.thin) * cell / 2
        opacity = 1.0 if heavy else faint
        middle = start + index * cell
        low, high = int(middle - half) - 1, int(middle + half) + 2
        coverage = _line_profile(canvas.shape[0], middle, half)[low:high] * opacity
        ends = np.zeros(canvas.shape[0], np.float32)
        ends[round(start) : round(start + 9 * cell)] = 1
        if gap and not heavy:
            ends[:: max(2, cell // 8)] = 0
        canvas[:, low:high] += (ends[:, None] * coverage)[:, :, None] * (style.line - canvas[:, low:high])
        canvas[low:high] += (coverage[:, None] * ends)[:, :, None] * (style.line - canvas[low:high])


def _line_profile(length: int, centre: float, half: float) -> Floats:
    """How much of each pixel a line covers."""
    low = np.arange(length, dtype=np.float32)
    covered = np.minimum(low + 1, centre + half) - np.maximum(low, centre - half)
    return np.asarray(np.clip(covered, 0, 1), np.float32)


def _photograph(canvas: Floats, style: _Style, rng: np.random.Generator) -> tuple[Image, Floats]:
    """See the canvas through a camera: the photo and the true crossings (10, 10, 2)."""
    target = float(np.exp(rng.uniform(np.log(16 - 6 * style.hardness), np.log(48))))
    if rng.random() < 0.4:
        target = rng.uniform(30, 60)
    if style.screen:
        return _screenshot(canvas, style, rng)
    side = round((9 + 2 * _MARGIN) * target)
    corners = (side * UNIT_SQUARE).astype(np.float32)
    moved = corners + rng.normal(0, rng.choice([0.01, 0.03, 0.07]), (4, 2)).astype(np.float32) * side
    turn = np.deg2rad(rng.normal(0, 4))
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    moved = (moved - side / 2) @ rotation.T
    moved -= moved.min(axis=0)
    width, height = (int(x) + 1 for x in moved.max(axis=0))
    homography = homography_of_square(moved, side=canvas.shape[0])
    blur = 0.45 * style.cell / target
    soft = cv2.GaussianBlur(canvas, (0, 0), blur) if blur > 0.4 else canvas
    image = cv2.warpPerspective(soft, homography, (width, height), borderMode=cv2.BORDER_REPLICATE)
    points = ((_MARGIN + CROSSINGS) * style.cell).astype(np.float32)
    crossings = project(points, homography).reshape(10, 10, 2) - 0.5
    return _degrade(np.asarray(image, np.float32), target, style.hardness, rng), crossings


def _screenshot(canvas: Floats, style: _Style, rng: np.random.Generator) -> tuple[Image, Floats]:
    """A sharp picture straight from a screen, and the true crossings (10, 10, 2)."""
    scale = rng.uniform(0.6, 1.3)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = cv2.resize(canvas, None, fx=scale, fy=scale, interpolation=way)
    scale = image.shape[0] / canvas.shape[0]
    picture = np.clip(image * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        picture = _jpeg(picture, int(rng.uniform(50, 95)))
    at = (_MARGIN + np.arange(10)) * style.cell * scale - 0.5
    return picture, np.stack(np.meshgrid(at, at), axis=2).astype(np.float32)


def _jpeg(picture: Image, quality: int) -> Image:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _degrade(image: Floats, cell: float, hardness: float, rng: np.random.Generator) -> Image:
    """Blur, uneven light, noise, sharpening and JPEG; *cell* is the side of a cell in pixels."""
    height, width = image.shape[:2]
    blur = cell * abs(rng.normal(0, 0.035 * hardness)) + rng.uniform(0, 0.5)
    if blur > 0.3:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.float32)
    if rng.random() < 0.2:
        image = _motion_blur(image, cell * hardness * rng.uniform(0.03, 0.16), rng)
    image = image * _light(height, width, cell, hardness, rng)[:, :, None]
    cast = 1 + rng.normal(0, 0.06, 3).astype(np.float32)
    black = rng.choice([0.0, rng.uniform(0, 0.25 * hardness)])
    exposure = rng.uniform(1 - 0.5 * hardness, 1.05)
    image = (black + (1 - black) * np.clip(image, 0, None)) * cast * exposure
    if rng.random() < 0.3:
        image = np.clip(image, 0, 1) ** rng.uniform(0.6, 1.6)
    image = image * 255 + hardness * _grain(height, width, rng)
    if rng.random() < 0.35:  # phones sharpen what they took
        strength = rng.uniform(0.3, 1.5)
        image = image + strength * (image - cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 1.8)))
    picture = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.85:
        picture = _jpeg(picture, int(rng.uniform(70 - 45 * hardness, 95)))
    return picture


def _grain(height: int, width: int, rng: np.random.Generator) -> Floats:
    """Camera noise in grey levels: fine, or coarse as left by the smoothing of a phone; grey and coloured."""
    strength = abs(rng.normal(0, 4)) + rng.choice([0.0, 0.0, 0.0, 5.0])
    grain = rng.standard_normal((height, width, 3), np.float32) * np.float32(strength / 2)
    grain += rng.standard_normal((height, width, 1), np.float32) * np.float32(strength)
    if rng.random() < 0.4:
        coarse = rng.uniform(0.6, 1.6)
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), coarse), np.float32) * np.float32(1.5 * coarse)
    return grain


def _motion_blur(image: Floats, length: float, rng: np.random.Generator) -> Floats:
    size = 2 * round(length) + 1
    if size < 3:
        return image
    kernel = np.zeros((size, size), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * (size // 2)
    middle = np.array([size // 2, size // 2])
    start, end = (middle - reach).round().astype(int), (middle + reach).round().astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)


def _light(height: int, width: int, cell: float, hardness: float, rng: np.random.Generator) -> Floats:
    """A field of light, about 1: a slope, a vignette, sometimes the edge of a shadow, crumples and moire."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    field = 1 + rng.normal(0, 0.25) * x + rng.normal(0, 0.25) * y
    field -= rng.uniform(0, 0.8) * (x * x + y * y)
    if rng.random() < 0.2:
        angle, place = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        edge = (np.cos(angle) * x + np.sin(angle) * y - place) * width / cell / rng.uniform(0.05, 2)
        field *= 1 - rng.uniform(0.1, 0.2 + 0.4 * hardness) / (1 + np.exp(-np.clip(4 * edge, -30, 30)))
    if rng.random() < 0.15:
        folds = cv2.resize(
            rng.normal(0, 1, (9, 9)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        field *= 1 + hardness * rng.uniform(0.03, 0.12) * folds
    if rng.random() < 0.2:
        field *= 1 + hardness * (_creases(x * width / cell, y * height / cell, rng) - 1)
    if rng.random() < 0.08:
        wave = rng.uniform(0.04, 0.2) * cell
        angle = rng.uniform(0, np.pi)
        phase = 2 * np.pi * (np.cos(angle) * x * width + np.sin(angle) * y * height) / wave
        field *= 1 + hardness * rng.uniform(0.01, 0.07) * np.sin(phase)
    return np.asarray(np.clip(field, 0.15, None), np.float32)


def _creases(x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """Shading of a crumpled page, about 1; *x* and *y* in cells from the middle.

    Each crease is brighter or darker on one side of a short line, and fades away from it.
    """
    field = np.ones_like(x)
    strength = rng.uniform(0.05, 0.3)
    for _ in range(int(rng.integers(4, 40))):
        middle, angle = rng.uniform(-5, 5, 2), rng.uniform(0, np.pi)
        across = np.cos(angle) * (x - middle[0]) + np.sin(angle) * (y - middle[1])
        along = np.cos(angle) * (y - middle[1]) - np.sin(angle) * (x - middle[0])
        side = np.where(across > 0, np.exp(-np.abs(across) / rng.uniform(0.1, 1.2)), 0)
        field += rng.normal(0, strength) * side * np.exp(-((along / rng.uniform(0.4, 2.5)) ** 2))
    field = np.clip(field, 0.4, 1.6)
    return np.asarray(cv2.GaussianBlur(field, (0, 0), 1.0), np.float32)


def misplaced(crossings: Floats, rng: np.random.Generator) -> Floats:
    """Move crossings as an imperfect locator would: smoothly, by up to a few hundredths of a cell."""
    cell = float(np.linalg.norm(crossings[0, 9] - crossings[0, 0])) / 9
    strength = rng.choice([0.008, 0.015, 0.03])
    smooth = cv2.resize(
        rng.normal(0, 1, (3, 3, 2)).astype(np.float32), (10, 10), interpolation=cv2.INTER_LINEAR
    )
    shift = rng.normal(0, 1, 2).astype(np.float32)
    noise = rng.normal(0, 0.5, crossings.shape).astype(np.float32)
    return np.asarray(crossings + strength * cell * (smooth + 0.7 * shift + noise), np.float32)
