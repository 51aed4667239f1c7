"""Flat pages with coloured digits, and the scores of a classifier that is sure of the digits."""

import cv2
import numpy as np
from flat_boards import LATTICE, Colour, flat_board
from numpy.typing import NDArray

from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Floats
from sudoku_vision.vision.digits.ink_measurements import InkMeasurements, measure_ink
from sudoku_vision.vision.rectify import coarse_view, even, remove_lines, straighten
from sudoku_vision.vision.results import DigitScores, Lattice, Photo

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
    """A flat board with a little noise, stored as JPEG; arguments as for :func:`flat_board`."""
    digits = {cell: str(board.reshape(81)[cell]) for cell in colours}
    image = flat_board(digits, colours, paper, GREY, shades, widths)
    noise = np.random.default_rng(5).normal(0, 1.5, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    stored = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return Photo(np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)), LATTICE


def cells_of(photo: Photo, lattice: Lattice) -> Floats:
    """The clean ink of the cells, (81, S, S)."""
    return remove_lines(even(straighten(photo, lattice)))


def inks_of(photo: Photo, lattice: Lattice) -> InkMeasurements:
    """The inks of the cells."""
    straight = straighten(photo, lattice)
    return measure_ink(straight, remove_lines(even(straight)), coarse_view(straight))


def read(board: Board, written: Floats | float = 1e-4) -> DigitScores:
    """Scores with sure digits; *written* are the probabilities of handwriting."""
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
