"""Draw pictures of boards for training in many typefaces and handwritings, with the class of each cell.

Whole boards are drawn instead of single cells, because the reader corrects the light and the strength of ink
over the whole page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator

from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Floats
from sudoku_vision.vision.results import Lattice, Photo
from workshop.rendering.conditions import Conditions
from workshop.rendering.hands import Writer, in_typeface, many_hands, new_hand, of_database
from workshop.rendering.kinds import one_of, random_close_up
from workshop.rendering.picture import draw
from workshop.rendering.printed_grid import MarkBox
from workshop.rendering.typefaces import Typeface
from workshop.rendering.writing import Writing
from workshop.training.samples import WRITTEN, Classes
from workshop.training.sources import Sources

_CLUES = (0.25, 0.6)  # range of the share of a board's cells that have a clue
_WRITTEN, _WRITTEN_SHARES = (0.0, 0.08, 0.5, 1.0), (0.35, 0.15, 0.3, 0.2)
"""The share of the cells without a clue that get a written digit is one of the first numbers, chosen for each
page. The second numbers are the probabilities of the shares."""
_IN_A_TYPEFACE, _WITH_A_PEN = 0.3, 0.35
"""Share of pages on which written digits are in a typeface, and share on which they are strokes of a pen. On
the other pages, they are pictures from a database."""
_TYPED = 0.25  # share of app pages with typed entries; the others have more handwriting to learn from
_JITTER = (0.6, 1.7)  # range of ``Writing.jitter`` on app pages
_TWO_FACES = 0.25  # share of pages whose clues are in two typefaces
_MARKS_BY_HAND = 0.3  # share of pages whose pencil marks are in a handwritten typeface


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """A drawn photo of a board."""

    photo: Photo
    lattice: Lattice  # ``exact`` with small random errors, as in found grids
    classes: Classes  # (81,) int64: the class of each cell
    exact: Lattice  # the lattice as it was drawn
    mark_boxes: tuple[MarkBox, ...]


def draw_board(sources: Sources, rng: Generator, conditions: Conditions | None = None) -> DrawnBoard:
    """Draw one board with a random typeface and writer of *sources*, by default under random *conditions*."""
    conditions = conditions or random_close_up(rng)
    face = _face(sources.print_faces, rng)
    writing = _writing(conditions.writing, sources, face, rng)
    second = None
    if conditions.slip is not None and rng.random() < _TWO_FACES:
        second = _face(sources.print_faces, rng)
    grid_style = replace(conditions.grid, typeface=face)
    conditions = replace(conditions, grid=grid_style, writing=writing, second_face=second)
    printed, written = _digits(rng)
    drawing = draw(rng, conditions, puzzles=[printed], written=[written])
    grid, *_ = (*drawing.grids, *drawing.cut)
    classes = (printed + written).astype(np.int64)
    if not writing.typed:
        classes[written > 0] += WRITTEN - 1
    lattice = Lattice(misplaced(grid.lattice.crossings, rng))
    return DrawnBoard(Photo(drawing.pixels), lattice, classes.ravel(), grid.lattice, grid.mark_boxes)


def _digits(rng: Generator) -> tuple[Board, Board]:
    """Return random clues and written digits that follow no rules, both (9, 9) int8, 0 for none."""
    digits = rng.integers(1, 10, (9, 9)).astype(np.int8)
    clue = rng.random((9, 9)) < rng.uniform(*_CLUES)
    entry = ~clue & (rng.random((9, 9)) < rng.choice(_WRITTEN, p=_WRITTEN_SHARES))
    return np.where(clue, digits, np.int8(0)), np.where(entry, digits, np.int8(0))


def _writing(writing: Writing, sources: Sources, face: Typeface, rng: Generator) -> Writing:
    """Return *writing* with a random writer or, on some app pages, typed in *face*, as the clues are."""
    if writing.typed and rng.random() < _TYPED:
        return replace(writing, typeface=face)
    if writing.typed:
        marks = replace(writing.marks, typed=True)
        writing = replace(writing, typed=False, marks=marks, jitter=float(rng.uniform(*_JITTER)))
    if sources.hand_faces and rng.random() < _MARKS_BY_HAND:
        face = _face(sources.hand_faces, rng)
    return replace(writing, typeface=face, writer=_writer(sources, rng))


def _face(designs: Sequence[Sequence[Typeface]], rng: Generator) -> Typeface:
    return one_of(rng, one_of(rng, designs))


def _writer(sources: Sources, rng: Generator) -> Writer:
    kind = rng.random()
    if kind < _IN_A_TYPEFACE and sources.hand_faces:
        return in_typeface(_face(sources.hand_faces, rng))
    complete = set(range(1, 10)) <= set(sources.labels.tolist())
    if kind < _IN_A_TYPEFACE + _WITH_A_PEN or not complete:
        return many_hands(new_hand(rng).pen)
    return of_database(sources.strokes, sources.labels, float(rng.normal(0, 1)))


def misplaced(crossings: Floats, rng: Generator) -> Floats:
    """Return *crossings* (10, 10, 2) with random errors of a few hundredths of a cell, as in found grids."""
    cell = float(np.linalg.norm(crossings[0, 9] - crossings[0, 0])) / 9
    strength = rng.choice([0.008, 0.015, 0.03])
    coarse = rng.normal(0, 1, (3, 3, 2)).astype(np.float32)
    smooth = cv2.resize(coarse, (10, 10), interpolation=cv2.INTER_LINEAR)
    shift = rng.normal(0, 1, 2).astype(np.float32)
    noise = rng.normal(0, 0.5, crossings.shape).astype(np.float32)
    return np.asarray(crossings + strength * cell * (smooth + 0.7 * shift + noise), np.float32)
