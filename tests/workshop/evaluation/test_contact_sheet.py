"""The contact sheet shows every failure: what was read, and what is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from labelled_examples import by_fake, grid, labelled_folder, misread

from sudoku_vision.output.drawing.colours import GREEN, PINK, RED, YELLOW, Colour
from sudoku_vision.results import Image
from sudoku_vision.workshop.evaluation.contact_sheet import contact_sheet, draw_comparison, draw_failure
from sudoku_vision.workshop.rendering import Drawing


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    """A folder with a table: one puzzle, two of one picture, and a picture that holds none."""
    return labelled_folder(tmp_path / "set", drawing, no_sudoku)


def test_the_contact_sheet_shows_every_failure(labelled: Path) -> None:
    puzzle = board(PUZZLE)
    result = by_fake(
        labelled, {"one": [grid(misread(puzzle), "solved")], "two": [], "none": [grid(puzzle, "uncertain")]}
    )
    failures = result.failures
    assert len(failures) == 4
    sheet = contact_sheet(failures)
    one, two = contact_sheet(failures[:1]), contact_sheet(failures[:2])
    assert one.shape == two.shape
    assert sheet.shape[0] - one.shape[0] > 300
    assert contact_sheet([]).shape[0] < 60


def coloured(image: Image, colour: Colour) -> int:
    """Pixels of nearly this colour."""
    return int((np.abs(image.astype(int) - colour).max(axis=2) < 20).sum())


def test_a_failure_shows_where_what_was_read_and_what_is_right(labelled: Path) -> None:
    puzzle = board(PUZZLE)
    grids = {"one": [grid(misread(puzzle), "solved")], "two": [], "none": [grid(puzzle, "uncertain")]}
    misread_one, false, unfound, _ = by_fake(labelled, grids).failures
    board_side = draw_comparison(misread_one).shape[0] // 9
    read, right = draw_comparison(misread_one), draw_comparison(unfound)
    corner = read[:board_side, :board_side]
    assert min(coloured(corner, RED), coloured(corner, GREEN), coloured(corner, PINK)) > 30
    assert coloured(read[board_side:], PINK) == coloured(read[board_side:], GREEN) == 0
    assert coloured(right, GREEN) > 1000
    assert coloured(draw_comparison(false), GREEN) == 0
    assert coloured(draw_failure(misread_one), RED) > coloured(draw_failure(false), RED)


def test_misread_handwriting_is_marked_in_another_colour(labelled: Path) -> None:
    puzzle, full = board(PUZZLE), board(SOLUTION)
    written = np.where(puzzle == 0, full, 0).astype(np.int8)
    written[0, 1] = 9
    second = misread(full)
    grids = {"one": [], "two": [grid(puzzle, "solved", written), grid(second, "uncertain")], "none": []}
    result = by_fake(labelled, grids)
    outcome = next(o for o in result.outcomes if o.label is not None and o.label.everything is not None)
    assert outcome.read and not outcome.all_read
    image = draw_comparison(outcome)
    assert coloured(image, YELLOW) > 1000
    assert coloured(image, PINK) == 0
