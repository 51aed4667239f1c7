"""Debug pictures: one numbered picture for each stage, with a line of text that says what the picture shows.

Each stage gives its picture to a :class:`DebugSink`. :class:`DebugFolder` is the sink that writes the
pictures to files. Without a sink, nothing is drawn.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from sudoku_vision.output.drawing.colours import BLUE, GREEN, INK, ORANGE, RED, WHITE, Colour
from sudoku_vision.output.drawing.figure import Figure, Text
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.output.drawing.text_metrics import CAP_HEIGHT, text_width
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.overlay.shape_pixels import draw_path, draw_shapes
from sudoku_vision.output.overlay.shape_vectors import straight_lattice
from sudoku_vision.output.overlay.shapes import board_shapes
from sudoku_vision.output.save import check_place, make_folder, reduced, save
from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.results import DigitScores, Lattice, Photo, Reading

LONGEST_SIDE = 1600
"""Longest side of a picture in pixels: large enough to judge a stage, small enough for a quick look."""

SURE = 0.99  # a digit with at least this probability is labelled as sure
TILE = 72  # side of a drawn cell in pixels

_SOLUTION: Colour = (205, 205, 205)
_TILE_LINE: Colour = (150, 150, 150)  # colour of thin lines; they are lighter than the ink beside them
_DARKEST = 215  # grey levels from paper, 255, to full ink, which is as dark as the thick lines
_WIDE_CELL = 12  # width of a cell in pixels: if cells are wider, the lines between boxes are drawn thick
_MIN_DOT = 4  # least radius in pixels of the dot at a grid's top left; on a large grid, a sixth of a cell
_PRINT_STYLE = PrintStyle(height=0.6, weight=0.08)
_REPAIR_RIM = 3  # distance from the edge of a tile to the frame of a repaired cell, in pixels
_PALETTE: tuple[Colour, ...] = (GREEN, RED, BLUE, (170, 20, 110), ORANGE, (150, 140, 0))
_TITLE_HEIGHT, _TITLE_EM, _MIN_TITLE = 30, 18, 240
"""Height of a title's strip, size of its letters, and least width of the strip, in pixels: in a narrower
strip, the title could not be read."""
_LABEL_HEIGHT, _LABEL_EM, _LABEL_MARGIN = 14, 12, 4
"""Height of a label's strip, size of its letters, and distance from the edges of its cell, in pixels."""


class DebugSink(Protocol):
    """Receives the pictures of the stages, in the order in which the stages run."""

    def add(self, name: str, image: Image) -> None:
        """Keep one picture (H, W, 3) uint8 BGR under a short *name*."""


class DebugFolder:
    """Writes pictures into a folder as ``01-photo.jpg``, ``02-lattice.jpg`` and so on."""

    def __init__(self, folder: str | Path, sources: Iterable[str] = ()) -> None:
        """Make the *folder* if it is missing; raises :exc:`~sudoku_vision.errors.SaveError` if that fails.

        *sources* are names of files that no picture may overwrite. If a picture would do so, :meth:`add`
        raises :exc:`~sudoku_vision.errors.UsageError`.
        """
        self.folder, self._sources = Path(folder), tuple(sources)
        self.count = 0
        make_folder(self.folder)

    def add(self, name: str, image: Image) -> None:
        """Write one picture to the next file; a large picture is reduced to ``LONGEST_SIDE`` first."""
        self.count += 1
        path = self.folder / f"{self.count:02d}-{name}.jpg"
        check_place(path, self._sources)
        save(path, reduced(image, LONGEST_SIDE)[0])


def draw_photo(photo: Photo) -> Image:
    """Return the upright photo, with its size written above it."""
    height, width = photo.pixels.shape[:2]
    return titled(reduced(photo.pixels, LONGEST_SIDE)[0], f"photo: {width} x {height} pixels, upright")


def draw_proposals(photo: Photo, quads: Sequence[Floats] | Floats) -> Image:
    """Outline the places where a grid may lie, in a copy of the photo.

    *quads* are the corners of these places, (4, 2) each, in pixels of the photo.
    """
    image, scale = reduced(photo.pixels, LONGEST_SIDE)
    image = image.copy()
    for index, quad in enumerate(quads):
        points = np.asarray(quad, np.float32).reshape(-1, 2) * scale
        draw_path(image, points, _PALETTE[index % len(_PALETTE)], 2, closed=True)
    return titled(image, f"proposals: {len(quads)} places where a grid may lie")


def draw_lattice(photo: Photo, lattices: Sequence[Lattice]) -> Image:
    """Draw the lines of every grid that was found; a dot marks the top left corner of each puzzle."""
    image, scale = reduced(photo.pixels, LONGEST_SIDE)
    image = image.copy()
    for index, lattice in enumerate(lattices):
        crossings, colour = lattice.crossings * scale, _PALETTE[index % len(_PALETTE)]
        cell = float(np.linalg.norm(crossings[0, 1] - crossings[0, 0]))
        for line in range(10):
            width = 3 if line % 3 == 0 and cell > _WIDE_CELL else 1
            draw_path(image, crossings[line], colour, width)
            draw_path(image, crossings[:, line], colour, width)
        x, y = np.nan_to_num(crossings[0, 0])
        radius = max(_MIN_DOT, round(cell / 6))
        cv2.circle(image, (round(float(x)), round(float(y))), radius, colour, -1, cv2.LINE_AA)
    scores = ", ".join(f"{lattice.score:.2f}" for lattice in lattices)
    return titled(image, f"lattice: grids found: {len(lattices)}, share of lines seen: {scores or 'none'}")


def draw_cells(cells: Floats, scores: DigitScores) -> Image:
    """Draw the rectified cells (81, S, S), and in each its likeliest digit with the probability in percent.

    Green text is sure. Orange text is doubtful, and gives the second likeliest digit, too. The letter *w*
    stands for handwriting. Cells that are surely blank have no text.
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
        _label_tile(image, cell, text, GREEN if share >= SURE else ORANGE)
    return titled(image, "cells: likeliest digit and its probability in %, w = written by hand")


def draw_reading(cells: Floats, reading: Reading) -> Image:
    """Draw the rectified cells (81, S, S) beside the board that was read from them.

    Printed digits are black, handwritten ones blue, those of repaired cells red. The solution is light grey.
    """
    left, right = draw_board(cells), _draw_read(reading)
    counts = f"confidence {reading.confidence:.3f}, {len(reading.repaired)} repaired"
    text = f"reading: {reading.solutions_in_words}, {counts}"
    gap = np.full((left.shape[0], TILE // 3, 3), 255, np.uint8)
    return titled(np.hstack([left, gap, right]), text)


def _draw_read(reading: Reading) -> Image:
    """Draw the digits of a reading on a plain board, with a red frame round each repaired cell."""
    image = draw_board(np.zeros((81, 8, 8), np.float32))
    lattice = straight_lattice(TILE)
    solution = np.zeros((9, 9), np.int8) if reading.solution is None else reading.solution
    blank = (reading.puzzle == 0) & (reading.written == 0)
    repaired = np.isin(np.arange(81), reading.repaired).reshape(9, 9)
    for board, colour in (
        (np.where(blank & ~repaired, solution, 0), _SOLUTION),
        (np.where(repaired, 0, reading.puzzle), INK),
        (np.where(repaired, 0, reading.written), BLUE),
        (np.where(repaired, reading.puzzle + reading.written, 0), RED),
    ):
        draw_shapes(image, lattice, board_shapes(board.astype(np.int8), _PRINT_STYLE, colour))
    for cell in reading.repaired:
        row, column = divmod(cell, 9)
        left, top, side = column * TILE + _REPAIR_RIM, row * TILE + _REPAIR_RIM, TILE - 2 * _REPAIR_RIM
        cv2.rectangle(image, (left, top), (left + side, top + side), RED, 2)
    return image


def draw_board(cells: Floats) -> Image:
    """Draw cells (81, S, S), 0 for paper and 1 for ink, as one board; each cell is TILE pixels wide."""
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


def titled(image: Image, text: str) -> Image:
    """Return a picture (H, W, 3) with a line of *text* on a white strip above it."""
    width = max(image.shape[1], _MIN_TITLE)
    padded = cv2.copyMakeBorder(image, 0, 0, 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=WHITE)
    return np.vstack([_strip(text, width, _TITLE_HEIGHT, _TITLE_EM, INK), np.asarray(padded, np.uint8)])


def _label_tile(image: Image, cell: int, text: str, colour: Colour) -> None:
    """Write a small *text* on white along the lower edge of *cell* 0..80 of a drawn board, in place."""
    row, column = divmod(cell, 9)
    left, bottom = column * TILE + _LABEL_MARGIN, (row + 1) * TILE - _LABEL_MARGIN
    strip = _strip(text, TILE - 2 * _LABEL_MARGIN, _LABEL_HEIGHT, _LABEL_EM, colour)
    image[bottom - _LABEL_HEIGHT : bottom, left : left + strip.shape[1]] = strip


def _strip(text: str, width: int, height: int, em: float, colour: Colour) -> Image:
    """Return a white strip (height, width, 3) with *text* in size *em*, smaller if there is little room."""
    em = min(em, (width - em) / max(text_width(text, 1), 1e-6))
    words = Text(text, (em / 2, (height + CAP_HEIGHT * em) / 2), em, colour)
    return raster(Figure(width, height, [words]))
