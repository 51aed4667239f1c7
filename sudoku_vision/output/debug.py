"""Draw a numbered debug picture for each stage of reading. A title stands above each picture."""

from collections.abc import Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from sudoku_vision.output.drawing.figure import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    RED,
    WHITE,
    Colour,
    Figure,
    Line,
    Text,
    box,
)
from sudoku_vision.output.drawing.puzzle_figure import digits, lines
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width
from sudoku_vision.output.overlay.shape_pixels import draw_path, draw_shapes
from sudoku_vision.output.overlay.shapes import grid_lines
from sudoku_vision.output.save import check_place, make_folder, reduced, save
from sudoku_vision.sudoku.rules import CLASSIC
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.results import DigitScores, Lattice, Photo, Reading

LONGEST_SIDE = 1600  # longest side of a debug picture, in pixels
SURE = 0.99  # a digit with at least this probability is labelled as sure
TILE = 72  # side of a cell in a drawn board, in pixels

_SOLUTION: Colour = (205, 205, 205)
_DARKEST = 215  # full ink is drawn this many grey levels darker than white paper
_MIN_DOT = 4  # minimum radius of the dot at the top left of a grid, in pixels
_REPAIR_RIM = 3  # distance between the red frame of a repaired cell and the edge of the cell, in pixels
_PALETTE: tuple[Colour, ...] = (GREEN, RED, BLUE, (170, 20, 110), ORANGE, (150, 140, 0))
_TITLE_HEIGHT, _TITLE_EM, _MIN_TITLE = 30, 18, 240
"""Height of the strip with a title, size of the letters, and minimum width of the strip, in pixels."""
_LABEL_HEIGHT, _LABEL_EM, _LABEL_MARGIN = 14, 12, 4
"""Height of a cell's label, size of the letters, and gap between label and cell edges, in pixels."""


class DebugSink(Protocol):
    """An object that takes a debug picture of each stage of reading, in the order of the stages."""

    def add(self, name: str, image: Image) -> None:
        """Take the picture (H, W, 3) uint8 BGR of the stage *name*."""


class DebugFolder:
    """Writes ``01-photo.jpg``, ``02-lattice.jpg`` ... into a folder. Never overwrites a file in *sources*."""

    def __init__(self, folder: str | Path, sources: Iterable[str] = ()) -> None:
        self.folder, self._sources = Path(folder), tuple(sources)
        self.count = 0
        make_folder(self.folder)

    def add(self, name: str, image: Image) -> None:
        """Write *image* to the next file, reduced if a side is longer than ``LONGEST_SIDE``."""
        self.count += 1
        path = self.folder / f"{self.count:02d}-{name}.jpg"
        check_place(path, self._sources)
        save(path, reduced(image, LONGEST_SIDE)[0])


def draw_photo(photo: Photo) -> Image:
    """Return the upright photo, with its size written above it."""
    height, width = photo.pixels.shape[:2]
    return titled(reduced(photo.pixels, LONGEST_SIDE)[0], f"photo: {width} x {height} pixels, upright")


def draw_proposals(photo: Photo, quads: Sequence[Floats] | Floats) -> Image:
    """Return the photo with *quads* drawn. Each is the outline (4, 2) of a possible grid."""
    image, scale = reduced(photo.pixels.copy(), LONGEST_SIDE)
    for quad, colour in zip(quads, cycle(_PALETTE), strict=False):
        draw_path(image, np.asarray(quad, np.float32) * scale, colour, 2, closed=True)
    return titled(image, f"proposals: {len(quads)} places where a grid may lie")


def draw_lattice(photo: Photo, lattices: Sequence[Lattice]) -> Image:
    """Return the photo with the lines of every grid, and with a dot at the top left of each puzzle."""
    image, scale = reduced(photo.pixels.copy(), LONGEST_SIDE)
    for lattice, colour in zip(lattices, cycle(_PALETTE), strict=False):
        small = Lattice(lattice.crossings * scale)
        draw_shapes(image, small, grid_lines(colour))
        x, y = np.nan_to_num(small.crossings[0, 0])
        radius = max(_MIN_DOT, round(float(np.nan_to_num(small.cell_size)) / 6))
        cv2.circle(image, (round(float(x)), round(float(y))), radius, colour, -1, cv2.LINE_AA)
    scores = ", ".join(f"{lattice.score:.2f}" for lattice in lattices)
    return titled(image, f"lattice: grids found: {len(lattices)}, share of lines seen: {scores or 'none'}")


def draw_cells(cells: Floats, scores: DigitScores) -> Image:
    """Draw the rectified cells (81, S, S). Each has a label: the likeliest digit, and its probability in %.

    The label of a sure digit is green. The label of an unsure digit is orange, and also shows the second
    likeliest digit. Cells that are surely blank have no label.
    """
    image = draw_board(cells)
    probabilities = np.exp(scores.log_probs)
    for cell in range(81):
        first, second = (int(digit) for digit in np.argsort(-probabilities[cell])[:2])
        share = float(probabilities[cell, first])
        if first == 0 and share > SURE:
            continue
        text = f"{first or 'blank'}:{100 * share:.0f}"
        if share < SURE:
            text += f" {second or 'blank'}:{100 * probabilities[cell, second]:.0f}"
        if first and scores.written[cell] > 0.5:
            text += " w"
        row, column = divmod(cell, 9)
        left, bottom = column * TILE + _LABEL_MARGIN, (row + 1) * TILE - _LABEL_MARGIN
        colour = GREEN if share >= SURE else ORANGE
        label = _strip(text, TILE - 2 * _LABEL_MARGIN, _LABEL_HEIGHT, _LABEL_EM, colour)
        image[bottom - _LABEL_HEIGHT : bottom, left : left + label.shape[1]] = label
    return titled(image, "cells: likeliest digit and its probability in %, w = written by hand")


def draw_reading(cells: Floats, reading: Reading) -> Image:
    """Draw the rectified cells (81, S, S) beside the board that was read from them.

    Printed digits are black, handwritten digits blue, and answers grey. Red digits replace digits that looked
    likelier, but broke the rules.
    """
    elements = [*lines(TILE, reading.rules)]
    solution = np.zeros((9, 9), np.int8) if reading.solution is None else reading.solution
    blank = (reading.puzzle == 0) & (reading.written == 0)
    repaired = np.isin(np.arange(81), reading.repaired).reshape(9, 9)
    for board, colour in (
        (np.where(blank & ~repaired, solution, 0), _SOLUTION),
        (np.where(repaired, 0, reading.puzzle), INK),
        (np.where(repaired, 0, reading.written), BLUE),
        (np.where(repaired, reading.puzzle + reading.written, 0), RED),
    ):
        elements += digits(board, TILE, colour)
    for row, column in (divmod(cell, 9) for cell in reading.repaired):
        left, top, side = column * TILE + _REPAIR_RIM, row * TILE + _REPAIR_RIM, TILE - 2 * _REPAIR_RIM
        elements.append(Line(box(left, top, left + side, top + side), 2, RED, closed=True))
    gap = np.full((9 * TILE, TILE // 3, 3), 255, np.uint8)
    pictures = draw_board(cells), gap, raster(Figure(9 * TILE, 9 * TILE, elements))
    counts = f"confidence {reading.confidence:.3f}, {len(reading.repaired)} repaired"
    return titled(np.hstack(pictures), f"reading: {reading.solutions_in_words}, {counts}")


def draw_board(cells: Floats) -> Image:
    """Return a picture of the whole board from its *cells* (81, S, S), in which 0 is paper and 1 is ink."""
    tiles = [cv2.resize(cell, (TILE, TILE), interpolation=cv2.INTER_LINEAR) for cell in cells]
    ink = np.clip(np.array(tiles).reshape(9, 9, TILE, TILE).transpose(0, 2, 1, 3), 0, 1)
    grey = (255 - _DARKEST * ink.reshape(9 * TILE, 9 * TILE)).astype(np.uint8)
    image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.minimum(image, raster(Figure(9 * TILE, 9 * TILE, [*lines(TILE, CLASSIC)])))


def titled(image: Image, text: str) -> Image:
    """Return a picture (H, W, 3) with a line of *text* above it."""
    width = max(image.shape[1], _MIN_TITLE)
    padded = cv2.copyMakeBorder(image, 0, 0, 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=WHITE)
    return np.vstack([_strip(text, width, _TITLE_HEIGHT, _TITLE_EM, INK), np.asarray(padded, np.uint8)])


def _strip(text: str, width: int, height: int, em: float, colour: Colour) -> Image:
    """Return a white strip (height, width, 3) with *text*, in letters of at most *em* pixels."""
    em = min(em, (width - em) / max(text_width(text, 1), 1e-6))
    words = Text(text, (em / 2, (height + CAP_HEIGHT * em) / 2), em, colour)
    return raster(Figure(width, height, [words]))
