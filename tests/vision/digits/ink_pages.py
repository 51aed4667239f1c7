"""Flat pages whose digits have colours of their own, and what a classifier says that is sure of them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sudoku_vision.results import Board, DigitScores, Floats, Lattice, Photo
from sudoku_vision.vision.digits.print_vs_handwriting import InkMeasurements, measure_ink
from sudoku_vision.vision.rectify import coarse_view, even, remove_lines, straighten

SIDE = 40  # of a drawn cell, in pixels
Colour = tuple[int, int, int]
Bools = NDArray[np.bool_]
WHITE, BLACK, GREY = (255, 255, 255), (25, 25, 25), (150, 150, 150)
BLUE, GREEN, RED = (200, 90, 30), (40, 140, 40), (40, 40, 210)
NIGHT, PALE, SKY = (30, 28, 28), (235, 235, 235), (250, 160, 100)


def picture(
    board: Board,
    colours: dict[int, Colour],
    paper: Colour,
    shades: dict[int, Colour] | None = None,
    widths: dict[int, int] | None = None,
) -> tuple[Photo, Lattice]:
    """A flat *board* whose digits have the *colours* of their cells, a little noisy, as JPEG leaves it.

    *shades* are colours of cells, *widths* those of the strokes of their digits: 1 regular, 2 bold, as where
    none is named.
    """
    image = np.full((9 * SIDE + 40, 9 * SIDE + 40, 3), paper, np.uint8)
    for cell, colour in (shades or {}).items():
        x, y = 20 + cell % 9 * SIDE, 20 + cell // 9 * SIDE
        image[y : y + SIDE, x : x + SIDE] = colour
    for index in range(10):
        at, end = 20 + index * SIDE, 20 + 9 * SIDE
        cv2.line(image, (at, 20), (at, end), GREY, 3 if index % 3 == 0 else 1)
        cv2.line(image, (20, at), (end, at), GREY, 3 if index % 3 == 0 else 1)
    for cell, colour in colours.items():
        place = (20 + cell % 9 * SIDE + 11, 20 + cell // 9 * SIDE + 30)
        digit = str(board.reshape(81)[cell])
        cv2.putText(
            image,
            digit,
            place,
            cv2.FONT_HERSHEY_SIMPLEX,
            0.9,
            colour,
            (widths or {}).get(cell, 2),
            cv2.LINE_AA,
        )
    noise = np.random.default_rng(5).normal(0, 1.5, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    stored = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    places = np.arange(10) * SIDE + 20.0
    crossings = np.stack(np.meshgrid(places, places), axis=2).astype(np.float32)
    return Photo(np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)), Lattice(crossings)


def cells_of(photo: Photo, lattice: Lattice) -> Floats:
    """The clean ink of the cells, (81, S, S)."""
    return remove_lines(even(straighten(photo, lattice)))


def inks_of(photo: Photo, lattice: Lattice) -> InkMeasurements:
    """The inks of the cells."""
    straight = straighten(photo, lattice)
    return measure_ink(straight, remove_lines(even(straight)), coarse_view(straight))


def read(board: Board, written: Floats | float = 1e-4) -> DigitScores:
    """What a classifier says that is sure of the digits; *written* is its verdict of handwriting."""
    answers = np.full((81, 10), 1e-5)
    answers[np.arange(81), board.reshape(81)] = 1.0
    logs = np.log(answers / answers.sum(axis=1, keepdims=True)).astype(np.float32)
    return DigitScores(logs, np.broadcast_to(np.float32(written), (81,)).astype(np.float32))


def halves(solution: Board, seed: int, given: int = 28, others: int = 20) -> tuple[Board, Bools, Bools]:
    """A board with two sorts of digits, by chance: the board, and where either sort stands, (81,)."""
    order = np.random.default_rng(seed).permutation(81)
    first, second = np.zeros(81, bool), np.zeros(81, bool)
    first[order[:given]] = True
    second[order[given : given + others]] = True
    board = np.where((first | second).reshape(9, 9), solution, 0).astype(np.int8)
    return board, first, second


def coloured(first: Bools, second: Bools, one: Colour, other: Colour) -> dict[int, Colour]:
    """The colour of every digit."""
    colours = dict.fromkeys(map(int, np.flatnonzero(first)), one)
    return colours | dict.fromkeys(map(int, np.flatnonzero(second)), other)
