"""Debug pictures: one a stage, numbered, each with a line of text that says what it shows.

A stage hands its picture to a :class:`DebugSink`; :class:`DebugFolder` is the one that writes files. No sink,
None, means that nothing is drawn at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from sudoku_vision.overlay.colours import Colour
from sudoku_vision.overlay.ink import draw_digits, draw_path
from sudoku_vision.overlay.print import PrintStyle
from sudoku_vision.results import DigitScores, Floats, Image, Lattice, Photo, Reading
from sudoku_vision.save import make_folder, save

LONGEST_SIDE = 1600
"""Pictures are reduced to this many pixels: enough to judge a stage, small enough to leaf through."""

TILE = 72
"""Side of a drawn cell in pixels."""

INK: Colour = (40, 40, 40)
GREEN: Colour = (60, 140, 0)
BLUE: Colour = (205, 80, 0)
RED: Colour = (20, 20, 215)
"""The colours, blue, green, red, of all pictures that are for judging the program."""

_PAPER: Colour = (255, 255, 255)
_LINE: Colour = (150, 150, 150)
_ORANGE: Colour = (0, 105, 235)
_PALETTE: tuple[Colour, ...] = (GREEN, RED, BLUE, (170, 20, 110), _ORANGE, (150, 140, 0))

_FONT = cv2.FONT_HERSHEY_SIMPLEX


class DebugSink(Protocol):
    """Takes the pictures of the stages, in the order of the road."""

    def add(self, name: str, image: Image) -> None:
        """Keep one picture (H, W, 3) uint8 BGR under a short *name*."""


class DebugFolder:
    """Writes pictures into a folder as ``01-photo.jpg``, ``02-lattice.jpg`` and so on."""

    def __init__(self, folder: str | Path) -> None:
        """Make the *folder* if need be; raises :exc:`~sudoku_vision.errors.SaveError` if that fails."""
        self.folder = Path(folder)
        self.count = 0
        make_folder(self.folder)

    def add(self, name: str, image: Image) -> None:
        """Write one picture, reduced if it is large."""
        self.count += 1
        save(self.folder / f"{self.count:02d}-{name}.jpg", _reduced(image)[0])


def draw_photo(photo: Photo) -> Image:
    """The photo as it is seen upright, with its size."""
    height, width = photo.pixels.shape[:2]
    return titled(_reduced(photo.pixels)[0], f"photo: {width} x {height} pixels, upright")


def draw_proposals(photo: Photo, quads: Sequence[Floats] | Floats) -> Image:
    """Where a grid may lie: *quads*, each (4, 2) corners in photo pixels."""
    image, scale = _reduced(photo.pixels)
    image = image.copy()
    for index, quad in enumerate(quads):
        points = np.asarray(quad, np.float32).reshape(-1, 2) * scale
        draw_path(image, points, _PALETTE[index % len(_PALETTE)], 2, closed=True)
    return titled(image, f"proposals: {len(quads)} places where a grid may lie")


def draw_lattice(photo: Photo, lattices: Sequence[Lattice]) -> Image:
    """The lines and crossings of every grid found; a dot marks each puzzle's own top left."""
    image, scale = _reduced(photo.pixels)
    image = image.copy()
    for index, lattice in enumerate(lattices):
        _draw_lines(image, lattice.crossings * scale, _PALETTE[index % len(_PALETTE)])
    scores = ", ".join(f"{lattice.score:.2f}" for lattice in lattices)
    return titled(image, f"lattice: grids found: {len(lattices)}, share of lines seen: {scores or 'none'}")


def _draw_lines(image: Image, crossings: Floats, colour: Colour) -> None:
    """Draw the ten lines each way, thick at the boxes, and a dot at the top left."""
    cell = float(np.linalg.norm(crossings[0, 1] - crossings[0, 0]))
    for line in range(10):
        width = 3 if line % 3 == 0 and cell > 12 else 1
        draw_path(image, crossings[line], colour, width)
        draw_path(image, crossings[:, line], colour, width)
    x, y = np.nan_to_num(crossings[0, 0])
    cv2.circle(image, (round(float(x)), round(float(y))), max(4, round(cell / 6)), colour, -1, cv2.LINE_AA)


def draw_cells(cells: Floats, scores: DigitScores) -> Image:
    """The rectified cells (81, S, S), under each its likeliest digit and how probable that is.

    Green is sure, orange doubtful (with the second likeliest), and *w* stands for written by hand.
    """
    image = draw_board(cells)
    probabilities = np.exp(scores.log_probs)
    for cell in range(81):
        first, second = (int(digit) for digit in np.argsort(-probabilities[cell])[:2])
        share = float(probabilities[cell, first])
        if first == 0 and share > 0.99:
            continue
        text = f"{_name(first)}:{100 * share:.0f}"
        if share < 0.99:
            text += f" {_name(second)}:{100 * probabilities[cell, second]:.0f}"
        if first and scores.written[cell] > 0.5:
            text += " w"
        _label(image, cell, text, GREEN if share >= 0.99 else _ORANGE)
    return titled(image, "cells: likeliest digit and its probability in %, w = written by hand")


def _name(digit: int) -> str:
    return str(digit) if digit else "blank"


def draw_reading(cells: Floats, reading: Reading) -> Image:
    """The rectified cells (81, S, S) beside what was read of them.

    Black is printed, blue written by hand, red a repaired cell, light grey the solution.
    """
    left = draw_board(cells)
    right = draw_board(np.zeros((81, 8, 8), np.float32))
    lattice = board_lattice()
    solution = np.zeros((9, 9), np.int8) if reading.solution is None else reading.solution
    blank = (reading.puzzle == 0) & (reading.written == 0)
    repaired = np.isin(np.arange(81), reading.repaired).reshape(9, 9)
    print_style = PrintStyle(height=0.6, weight=0.08)
    for board, colour in (
        (np.where(blank & ~repaired, solution, 0), (205, 205, 205)),
        (np.where(repaired, 0, reading.puzzle), INK),
        (np.where(repaired, 0, reading.written), BLUE),
        (np.where(repaired, reading.puzzle + reading.written, 0), RED),
    ):
        draw_digits(right, lattice, board.astype(np.int8), print_style, colour)
    for cell in reading.repaired:
        row, column = divmod(cell, 9)
        corner = (column * TILE + 3, row * TILE + 3)
        cv2.rectangle(right, corner, (corner[0] + TILE - 6, corner[1] + TILE - 6), RED, 2)
    solutions = ("no solution", "one solution", "several solutions")[min(reading.solutions, 2)]
    text = f"reading: {solutions}, confidence {reading.confidence:.3f}, {len(reading.repaired)} repaired"
    gap = np.full((left.shape[0], TILE // 3, 3), 255, np.uint8)
    return titled(np.hstack([left, gap, right]), text)


def draw_board(cells: Floats) -> Image:
    """Cells (81, S, S), 0 for paper and 1 for ink, as one board with its boxes marked, TILE pixels a cell."""
    tiles = [cv2.resize(cell, (TILE, TILE), interpolation=cv2.INTER_LINEAR) for cell in cells]
    ink = np.clip(np.array(tiles).reshape(9, 9, TILE, TILE).transpose(0, 2, 1, 3), 0, 1)
    grey = (255 - 215 * ink.reshape(9 * TILE, 9 * TILE)).astype(np.uint8)
    image = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    for line in range(1, 9):
        width, colour = (3, INK) if line % 3 == 0 else (1, _LINE)
        cv2.line(image, (line * TILE, 0), (line * TILE, 9 * TILE), colour, width)
        cv2.line(image, (0, line * TILE), (9 * TILE, line * TILE), colour, width)
    cv2.rectangle(image, (1, 1), (9 * TILE - 2, 9 * TILE - 2), INK, 3)
    return image


def board_lattice() -> Lattice:
    """The lattice of a board drawn by :func:`draw_board`."""
    x, y = np.meshgrid(np.arange(10), np.arange(10))
    return Lattice((np.stack([x, y], axis=-1) * TILE).astype(np.float32))


def titled(image: Image, text: str) -> Image:
    """Put a line of *text* on a white strip above a picture (H, W, 3)."""
    width = max(image.shape[1], 240)
    size = min(0.6, 0.6 * (width - 16) / cv2.getTextSize(text, _FONT, 0.6, 1)[0][0])
    strip = np.full((30, width, 3), 255, np.uint8)
    cv2.putText(strip, text, (8, 21), _FONT, size, INK, 1, cv2.LINE_AA)
    padded = cv2.copyMakeBorder(
        image, 0, 0, 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=(255, 255, 255)
    )
    return np.vstack([strip, np.asarray(padded, np.uint8)])


def _label(image: Image, cell: int, text: str, colour: Colour) -> None:
    """Write a small *text* on white along the lower edge of a cell."""
    row, column = divmod(cell, 9)
    left, bottom = column * TILE + 4, (row + 1) * TILE - 4
    widest = cv2.getTextSize(text, _FONT, 0.4, 1)[0][0]
    size = min(0.4, 0.4 * (TILE - 8) / widest)
    image[bottom - 13 : bottom + 1, left - 1 : left + TILE - 8] = _PAPER
    cv2.putText(image, text, (left, bottom - 2), _FONT, size, colour, 1, cv2.LINE_AA)


def _reduced(image: Image) -> tuple[Image, float]:
    """The picture with no side above LONGEST_SIDE, and the scale that it was reduced by."""
    scale = LONGEST_SIDE / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), scale
