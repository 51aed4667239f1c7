"""What spoils a sheet of paper: mottle, specks of dirt, the shading of crumples."""

import cv2
import numpy as np

from sudoku_vision.output.drawing.canvas import Canvas
from sudoku_vision.output.drawing.colours import Colour
from sudoku_vision.output.drawing.typefaces import Mask
from sudoku_vision.results import Floats
from sudoku_vision.workshop.rendering.printed_grid import PrintedGrid

_MOTTLE_TILE = (128, 192)  # pixels (height, width): drawn once and laid again and again
_SPECK_OFF = 0.35  # in cells: how far from the middle of its cell a speck may lie
_SPECK_AXES = (0.01, 0.07)  # in cells: half axes of a stain
_SCRATCH = 0.2  # in cells: spread of the length of a scratch each way
_CREASES = (4, 40)  # how many short creases a crumpled sheet has
_CREASE_FADE = (0.1, 1.2)  # in cells: how far the shade of a crease reaches to its one side
_CREASE_LENGTH = (0.4, 2.5)  # in cells
_SHADES = (0.4, 1.6)  # darkest and brightest that crumples make the paper


def add_mottle(canvas: Canvas, grain: float, rng: np.random.Generator) -> None:
    """Lay the mottle of cheap paper, *grain* grey levels strong, on *canvas*, in place."""
    if grain <= 0:
        return
    rows, columns = _MOTTLE_TILE
    tile = np.round(rng.normal(0, grain, _MOTTLE_TILE)).astype(np.int16)
    tile = np.asarray(cv2.blur(tile, (2, 2)), np.int16)
    height, width = canvas.pixels.shape[:2]
    mottle = np.tile(tile, (-(-height // rows), -(-width // columns)))[:height, :width, None]
    canvas.pixels[:] = np.clip(canvas.pixels + mottle, 0, 255).astype(np.uint8)


def add_specks(
    canvas: Canvas, grid: PrintedGrid, share: float, colour: Colour, rng: np.random.Generator
) -> None:
    """Put stains and scratches into a *share* of the blank cells of *grid*."""
    if share <= 0:
        return
    blank = np.argwhere((grid.puzzle == 0) & (grid.written == 0))
    for row, column in blank[rng.random(len(blank)) < share]:
        off = rng.uniform(-_SPECK_OFF, _SPECK_OFF, 2)
        x, y = grid.middle(int(row), int(column), (float(off[0]), float(off[1])))
        mask = _speck(round(grid.cell), rng)
        canvas.ink(mask, x - mask.shape[1] / 2, y - mask.shape[0] / 2, colour, float(rng.uniform(0.2, 0.8)))


def _speck(cell: int, rng: np.random.Generator) -> Mask:
    """A stain or a scratch in a square of two cells, of which each side has *cell* pixels."""
    mask = np.zeros((2 * cell, 2 * cell), np.uint8)
    if rng.random() < 0.5:
        axes = np.maximum(1, rng.uniform(*_SPECK_AXES, 2) * cell).astype(int)
        cv2.ellipse(mask, (cell, cell), (int(axes[0]), int(axes[1])), rng.uniform(0, 180), 0, 360, 255, -1)
    else:
        end = (np.array([cell, cell]) + rng.normal(0, _SCRATCH, 2) * cell).astype(int)
        cv2.line(mask, (cell, cell), (int(end[0]), int(end[1])), 255, 1, cv2.LINE_AA)
    return mask


def add_crumples(canvas: Canvas, cell: float, strength: float, rng: np.random.Generator) -> None:
    """Shade *canvas* as a crumpled sheet is; *cell* is the side of a cell in pixels.

    Each crease is brighter or darker on one side of a short line, and fades away from it.
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


def _crease(x: Floats, y: Floats, reach: float, rng: np.random.Generator) -> Floats:
    """How strongly one crease shades each place, 0..1; *x* and *y* in cells from the middle."""
    middle, angle = rng.uniform(-reach, reach, 2), rng.uniform(0, np.pi)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    across = cos * (x - np.float32(middle[0])) + sin * (y - np.float32(middle[1]))
    along = cos * (y - np.float32(middle[1])) - sin * (x - np.float32(middle[0]))
    fade, length = np.float32(rng.uniform(*_CREASE_FADE)), np.float32(rng.uniform(*_CREASE_LENGTH))
    shade = np.exp(-np.maximum(across, 0) / fade - (along / length) ** 2)
    return np.asarray(np.where(across > 0, shade, 0), np.float32)
