"""Tiles: a board drawn cell by cell, and lines of text on pictures that are for judging the program."""

import cv2
import numpy as np

from sudoku_vision.output.drawing.colours import INK, WHITE, Colour
from sudoku_vision.results import Floats, Image, Lattice

TILE = 72  # side of a drawn cell in pixels

_TILE_LINE: Colour = (150, 150, 150)  # between cells of a box: the ink of a cell must not be lost in it
_DARKEST = 215  # grey levels that full ink is darker than paper, so that lines still stand out from it

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_TITLE_HEIGHT, _TITLE_BASE_LINE, _TITLE_INDENT = 30, 21, 8  # pixels
_NARROWEST_TITLE = 240  # pixels: below, its words would be too small to read
_TITLE_SCALE, _LABEL_SCALE = 0.6, 0.4  # of OpenCV's font, whose capitals are 22 pixels tall at 1
_LABEL_HEIGHT, _LABEL_MARGIN = 13, 4  # pixels


def draw_board(cells: Floats) -> Image:
    """Draw cells (81, S, S), 0 for paper and 1 for ink, as one board, TILE pixels a cell."""
    tiles = [cv2.resize(cell, (TILE, TILE), interpolation=cv2.INTER_LINEAR) for cell in cells]
    ink = np.clip(np.array(tiles).reshape(9, 9, TILE, TILE).transpose(0, 2, 1, 3), 0, 1)
    grey = (255 - _DARKEST * ink.reshape(9 * TILE, 9 * TILE)).astype(np.uint8)
    image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    for line in range(1, 9):
        width, colour = (3, INK) if line % 3 == 0 else (1, _TILE_LINE)
        cv2.line(image, (line * TILE, 0), (line * TILE, 9 * TILE), colour, width)
        cv2.line(image, (0, line * TILE), (9 * TILE, line * TILE), colour, width)
    cv2.rectangle(image, (1, 1), (9 * TILE - 2, 9 * TILE - 2), INK, 3)
    return image


def draw_empty_board() -> Image:
    """Draw a board with nothing in its cells, TILE pixels a cell."""
    return draw_board(np.zeros((81, 8, 8), np.float32))


def board_lattice() -> Lattice:
    """Return the lattice of a board drawn by :func:`draw_board`."""
    x, y = np.meshgrid(np.arange(10), np.arange(10))
    return Lattice((np.stack([x, y], axis=-1) * TILE).astype(np.float32))


def titled(image: Image, text: str) -> Image:
    """Return a picture (H, W, 3) with a line of *text* on a white strip above it."""
    width = max(image.shape[1], _NARROWEST_TITLE)
    size = _fitting_scale(text, _TITLE_SCALE, width - 2 * _TITLE_INDENT)
    strip = np.full((_TITLE_HEIGHT, width, 3), 255, np.uint8)
    cv2.putText(strip, text, (_TITLE_INDENT, _TITLE_BASE_LINE), _FONT, size, INK, 1, cv2.LINE_AA)
    padded = cv2.copyMakeBorder(image, 0, 0, 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=WHITE)
    return np.vstack([strip, np.asarray(padded, np.uint8)])


def label_tile(image: Image, cell: int, text: str, colour: Colour) -> None:
    """Write a small *text* on white along the lower edge of *cell* 0..80 of a drawn board, in place."""
    row, column = divmod(cell, 9)
    left, bottom = column * TILE + _LABEL_MARGIN, (row + 1) * TILE - _LABEL_MARGIN
    width = TILE - 2 * _LABEL_MARGIN
    size = _fitting_scale(text, _LABEL_SCALE, width)
    image[bottom - _LABEL_HEIGHT : bottom + 1, left - 1 : left + width] = WHITE
    cv2.putText(image, text, (left, bottom - 2), _FONT, size, colour, 1, cv2.LINE_AA)


def reduced(image: Image, longest_side: int) -> tuple[Image, float]:
    """Return a picture with no side above *longest_side* pixels, and the scale that it was reduced by."""
    scale = longest_side / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def _fitting_scale(text: str, scale: float, width: int) -> float:
    """Return *scale*, or as much less as *text* needs to fit into *width* pixels."""
    widest = cv2.getTextSize(text, _FONT, scale, 1)[0][0]
    return min(scale, scale * width / max(widest, 1))
