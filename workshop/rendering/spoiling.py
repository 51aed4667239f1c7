"""Draw flaws of paper: print on the back, irregular texture, specks and creases."""

from textwrap import wrap

import cv2
import numpy as np
from numpy.random import Generator
from PIL import Image as Pictures
from PIL import ImageDraw

from sudoku_vision.output.drawing.figure import Colour
from sudoku_vision.values import Floats
from workshop.rendering.canvas import MIN_EM, Canvas
from workshop.rendering.printed_grid import PrintedGrid
from workshop.rendering.typefaces import Mask, Typeface

_WORDS = (
    "the of and a to in is was for on that by with it as at from his her they were had not but have "
    "this be or which one all their has been more when would out up time some first council minister "
    "market people police city after years government said two new over week report season team house "
    "price road water company court school weather north south summer winter railway bridge museum "
    "garden river festival election budget match victory number digits every row column box contains "
    "puzzle answer tomorrow yesterday page solution difficulty moderate expert without guessing only "
    "logic is needed fill grid so that each line "
)
_MOTTLE_TILE = (128, 192)  # height and width of a paper texture that is repeated, in pixels
_SPECK_OFF = 0.35  # largest offset of a speck from the middle of its cell along each axis, in cells
_SPECK_AXES = (0.01, 0.07)  # range of the half axes of an elliptic stain, in cells
_SCRATCH = 0.2  # standard deviation of the length of a scratch along each axis, in cells
_CREASES = (4, 40)  # range of the number of creases on a crumpled sheet
_CREASE_FADE = (0.1, 1.2)  # range of the distance, in cells, at which the shade of a crease falls to 1/e
_CREASE_LENGTH = (0.4, 2.5)  # range of the length of a crease, in cells
_SHADES = (0.4, 1.6)  # range of the brightness factors for a crumpled sheet; 1 for a flat sheet


def add_ghost(canvas: Canvas, strength: float, size: float, face: Typeface, rng: Generator) -> None:
    """Draw text that shines through from the back of the page: mirrored, blurred and pale.

    *strength*: opacity of the ink, 0..1. *size*: smallest font size in pixels.
    """
    if strength <= 0:
        return
    letter = size * rng.uniform(1, 3)
    half = max(5, round(letter / 2))  # half the size is enough, because the text is blurred
    width, height = canvas.width // 2, canvas.height // 2
    lines = wrapped(random_words(rng, 300), max(8, round(2.1 * width / half)))[:12]
    block = paragraph_mask(lines, width, half, 1.3, face)[:, ::-1]
    sheet = np.tile(block, (-(-height // len(block)), 1))[:height]
    soft = cv2.GaussianBlur(sheet, (0, 0), max(0.6, size * 0.05))
    soft = cv2.resize(soft, (canvas.width, canvas.height), interpolation=cv2.INTER_LINEAR)
    canvas.ink(np.asarray(soft, np.uint8), 0, 0, (40, 40, 40), strength)


def random_words(rng: Generator, count: int) -> str:
    """Return a text of *count* random words."""
    vocabulary = _WORDS.split()
    text = " ".join(vocabulary[place] for place in rng.integers(0, len(vocabulary), count).tolist())
    return text[:1].upper() + text[1:] + "."


def wrapped(text: str, letters: int) -> list[str]:
    """Divide a text into lines of at most *letters* characters. A longer word gets a line of its own."""
    return wrap(text, letters, break_long_words=False, break_on_hyphens=False)


def paragraph_mask(lines: list[str], width: int, size: int, leading: float, face: Typeface) -> Mask:
    """Return lines of text as a mask (H, *width*) uint8 of ink.

    *size*: font size in pixels. *leading*: distance from one line to the next, in font sizes.
    """
    step = max(1, round(size * leading))
    picture = Pictures.new("L", (max(width, 1), max(step * len(lines), 1)))
    pen = ImageDraw.Draw(picture)
    font = face.font(max(size, MIN_EM))
    for place, line in enumerate(lines):
        pen.text((0, place * step + size), line, fill=255, font=font, anchor="ls")
    return np.asarray(picture)


def add_mottle(canvas: Canvas, grain: float, rng: Generator) -> None:
    """Add the texture of cheap paper to *canvas*. *grain*: strength of the texture in grey levels."""
    if grain <= 0:
        return
    rows, columns = _MOTTLE_TILE
    tile = np.round(rng.normal(0, grain, _MOTTLE_TILE)).astype(np.int16)
    tile = np.asarray(cv2.blur(tile, (2, 2)), np.int16)
    height, width = canvas.pixels.shape[:2]
    mottle = np.tile(tile, (-(-height // rows), -(-width // columns)))[:height, :width, None]
    canvas.pixels[:] = np.clip(canvas.pixels + mottle, 0, 255).astype(np.uint8)


def add_specks(canvas: Canvas, grid: PrintedGrid, share: float, colour: Colour, rng: Generator) -> None:
    """Draw a stain or a scratch into some blank cells of *grid*. *share*: their share of all blank cells."""
    if share <= 0:
        return
    blank = np.argwhere((grid.puzzle == 0) & (grid.written == 0))
    for row, column in blank[rng.random(len(blank)) < share].tolist():
        x, y = grid.middle(row, column, rng.uniform(-_SPECK_OFF, _SPECK_OFF, 2).tolist())
        mask = _speck(round(grid.cell), rng)
        canvas.ink(mask, x - mask.shape[1] / 2, y - mask.shape[0] / 2, colour, rng.uniform(0.2, 0.8))


def _speck(cell: int, rng: Generator) -> Mask:
    """Return a mask, two cells wide and high, with a stain or a scratch. *cell*: side of a cell in pixels."""
    mask = np.zeros((2 * cell, 2 * cell), np.uint8)
    if rng.random() < 0.5:
        axes = np.maximum(1, rng.uniform(*_SPECK_AXES, 2) * cell).astype(int).tolist()
        cv2.ellipse(mask, (cell, cell), axes, rng.uniform(0, 180), 0, 360, 255, -1)
    else:
        end = (np.array([cell, cell]) + rng.normal(0, _SCRATCH, 2) * cell).astype(int).tolist()
        cv2.line(mask, (cell, cell), end, 255, 1, cv2.LINE_AA)
    return mask


def add_crumples(canvas: Canvas, cell: float, strength: float, rng: Generator) -> None:
    """Shade *canvas* like a crumpled sheet: brighter or darker on one side of each crease.

    *cell*: side of a cell in pixels. *strength*: 0..1.
    """
    if strength <= 0:
        return
    height, width = canvas.pixels.shape[:2]
    y, x = np.mgrid[0:height:2, 0:width:2].astype(np.float32)
    x, y = (x - width / 2) / cell, (y - height / 2) / cell
    reach = max(width, height) / cell / 2
    field = np.ones_like(x)
    for _ in range(int(rng.integers(*_CREASES))):
        field += rng.normal(0, strength) * _crease(x, y, reach, rng)
    shade = cv2.resize(np.clip(field, *_SHADES), (width, height), interpolation=cv2.INTER_LINEAR)
    canvas.pixels[:] = np.clip(canvas.pixels * shade[:, :, None], 0, 255).astype(np.uint8)


def _crease(x: Floats, y: Floats, reach: float, rng: Generator) -> Floats:
    """Return how strongly, 0..1, a random crease shades points. *x*, *y*: their coordinates in cells."""
    middle, angle = rng.uniform(-reach, reach, 2).astype(np.float32), rng.uniform(0, np.pi)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    across = cos * (x - middle[0]) + sin * (y - middle[1])
    along = cos * (y - middle[1]) - sin * (x - middle[0])
    fade, length = np.float32(rng.uniform(*_CREASE_FADE)), np.float32(rng.uniform(*_CREASE_LENGTH))
    shade = np.exp(-np.maximum(across, 0) / fade - (along / length) ** 2)
    return np.asarray(np.where(across > 0, shade, 0), np.float32)
