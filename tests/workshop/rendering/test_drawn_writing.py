"""Handwriting, pencil marks and corrections: as tall as asked, in their cells, of the digits of the truth."""

import numpy as np
import pytest

from sudoku_vision.sudoku.board import NO_MARKS
from sudoku_vision.sudoku.rules import PEERS
from sudoku_vision.values import Image
from workshop.rendering import (
    MARK_LAYOUTS,
    Conditions,
    Corrections,
    DrawnGrid,
    MarkLayout,
    MarkStyle,
    Writing,
    draw,
    random_puzzle,
)
from workshop.rendering.hands import Writer, in_typeface, many_hands, new_hand, of_database
from workshop.rendering.pencil_marks import choose_marks, mark_places
from workshop.rendering.printed_grid import PrintedGrid
from workshop.rendering.typefaces import bundled_typefaces

BLANK = np.zeros((9, 9), np.int8)
SIZE = (560, 560)


def database() -> Writer:
    """Two bars for each digit, the digit's number of pixels wide."""
    images = np.zeros((18, 28, 28), np.uint8)
    labels = np.tile(np.arange(1, 10), 2)
    for image, label in zip(images, labels, strict=True):
        image[4:24, 8 : 9 + label] = 255
    return of_database(images, labels)


@pytest.mark.parametrize(
    "writer",
    [*map(new_hand, map(np.random.default_rng, range(6))), many_hands(0.1), database()],
)
def test_every_writer_forms_every_digit_as_tall_as_asked(writer: Writer) -> None:
    for one in (writer, in_typeface(bundled_typefaces()[0])):
        for height in (14.0, 40.0):
            masks = [one(digit, height, np.random.default_rng(digit)) for digit in range(1, 10)]
            assert all(mask.dtype == np.uint8 and mask.max() > 150 for mask in masks)
            assert [mask.shape[0] for mask in masks] == pytest.approx([height] * 9, abs=0.15 * height)


def inked(pixels: Image, grid: DrawnGrid, rim: float = 0.1) -> np.ndarray:
    """Return the share of dark pixels of each of the 81 cells, without a rim."""
    first, last = grid.lattice.crossings[:-1, :-1], grid.lattice.crossings[1:, 1:]
    edge = rim * grid.lattice.cell_size
    shares = []
    for (left, top), (right, bottom) in zip(first.reshape(-1, 2), last.reshape(-1, 2), strict=True):
        part = pixels[int(top + edge) : int(bottom - edge), int(left + edge) : int(right - edge)]
        shares.append(float((part.min(axis=2) < 150).mean()))
    return np.array(shares)


@pytest.mark.parametrize("layout", MARK_LAYOUTS)
@pytest.mark.parametrize("height", [0.14, 0.25, 0.45])
def test_marks_stand_inside_their_cell_and_not_on_one_another(layout: MarkLayout, height: float) -> None:
    for count in (1, 4, 9):
        places, tall = mark_places(layout, list(range(1, count + 1)), height)
        assert len(set(places)) == count
        assert 0.08 < tall <= height
        reach = np.abs(places).max(axis=0) + np.array([0.29 * tall, tall / 2])
        assert (reach <= 0.5).all()
        apart = [max(abs(x - u) / 0.5, abs(y - v)) for i, (x, y) in enumerate(places) for u, v in places[:i]]
        assert min(apart, default=1.0) > 0.9 * tall


def test_the_truth_has_the_marks_that_were_drawn_and_they_hide_no_digit() -> None:
    puzzle, _ = random_puzzle(np.random.default_rng(2))
    marks = list(NO_MARKS)
    for cell in np.flatnonzero(puzzle == 0)[:9].tolist():
        marks[cell] = frozenset({2, 8})
    rng, conditions = np.random.default_rng(1), Conditions(SIZE)
    drawing = draw(rng, conditions, puzzles=[puzzle], written=[BLANK], marks=[tuple(marks)])
    (grid,) = drawing.grids
    assert grid.marks == tuple(marks)
    seen = inked(drawing.pixels, grid, 0.06) > 0.003
    assert np.array_equal(seen, (puzzle.ravel() > 0) | np.array([bool(one) for one in marks]))


def test_sensible_marks_are_candidates_and_include_the_right_one() -> None:
    puzzle, solution = random_puzzle(np.random.default_rng(3))
    grid = PrintedGrid(0, 0, 40, puzzle, BLANK, solution)
    marks = choose_marks(grid, MarkStyle(1.0, most=3, sensible=True), np.random.default_rng(4))
    for cell, digits in enumerate(marks):
        assert bool(digits) == (puzzle.flat[cell] == 0)
        assert len(digits) <= 3
        assert not digits & {int(puzzle.flat[peer]) for peer in PEERS[cell]}
        assert not digits or solution.flat[cell] in digits


@pytest.mark.parametrize("kind", ["overwritten", "crossed_out"])
def test_a_corrected_entry_counts_as_its_last_digit(kind: str) -> None:
    puzzle, _ = random_puzzle(np.random.default_rng(6))
    writings = [Writing(share=1.0, corrections=Corrections(**{kind: share})) for share in (0.0, 1.0)]
    drawings = [
        draw(np.random.default_rng(1), Conditions(SIZE, writing=writing), puzzles=[puzzle])
        for writing in writings
    ]
    plain, corrected = (drawing.grids[0] for drawing in drawings)
    assert np.array_equal(corrected.written + puzzle, corrected.solution)
    assert np.array_equal(plain.written, corrected.written)
    more = inked(drawings[1].pixels, corrected) - inked(drawings[0].pixels, plain)
    assert np.median(more[corrected.written.ravel() > 0]) > 0.01
