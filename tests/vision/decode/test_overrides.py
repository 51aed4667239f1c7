"""A person's word: cells and corners given by hand overrule what the program saw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION
from test_decode import PUZZLES, SOLUTIONS, clean, doubtful, scores, with_another_answer

from sudoku_vision.errors import UsageError
from sudoku_vision.pipeline import read_photo
from sudoku_vision.results import Doubt, Photo, Written, board_text
from sudoku_vision.vision.decode import decode, grid_status
from sudoku_vision.vision.decode.overrides import (
    Said,
    apply_overrides,
    by_grid,
    parse_corners,
    parse_overrides,
    read_overrides,
    settling,
)
from sudoku_vision.workshop.rendering import Drawing

pytestmark = pytest.mark.usefixtures("easily_sure")


def corners_of(drawing: Drawing) -> str:
    """The true corners of a drawing, as they are written on the command line."""
    return ",".join(f"{number:.1f}" for number in drawing.grids[0].lattice.corners.ravel())


def test_overrides_are_read_with_rows_and_columns_from_one() -> None:
    assert parse_overrides("r3c5=8,r4c1=blank") == {None: {22: 8, 27: 0}}
    assert parse_overrides(" R9C9 = 1 , r1c1=0") == {None: {80: 1, 0: 0}}
    assert parse_overrides("r1c2=written,r1c3=W") == {None: {1: Written(), 2: Written()}}
    assert parse_overrides("r1c2=w7,r1c3=Written8") == {None: {1: Written(7), 2: Written(8)}}
    assert parse_overrides("2:r3c5=8, r4c1=blank,1:r1c1=2") == {1: {22: 8, 27: 0}, 0: {0: 2}}


def test_a_cell_is_named_by_its_doubt_or_its_number() -> None:
    text = "r1c2=w7,r1c3=written,r3c6=blank,all=printed"
    said: dict[Any, int | Written | str] = {1: Written(7), 2: Written(), 23: 0, "all": "printed"}
    doubts: dict[Any, Any] = {
        Doubt(1, (7,), (1.0,)): Written(7),
        Doubt(2, (7,), (1.0,)): Written(),
        Doubt(23, (0,), (1.0,)): 0,
    }
    assert read_overrides(text) == read_overrides(said) == {None: said}
    assert read_overrides(doubts) == read_overrides({cell: said[cell] for cell in (1, 2, 23)})
    assert read_overrides({1: said}) == {1: said}
    assert read_overrides({np.int64(3): np.int8(8)}) == {None: {3: 8}}
    assert read_overrides(None) == read_overrides({}) == {}


@pytest.mark.parametrize(
    "text", ["", "r3c5", "r3c5=10", "r0c5=1", "r3c5=8;r1c1=2", "8", "r3c5=8,", "r10c1=1"]
)
def test_malformed_overrides_are_told_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="r3c5=8,r4c1=blank"):
        parse_overrides(text)


def test_a_cell_is_given_once() -> None:
    with pytest.raises(UsageError, match="all is given twice"):
        parse_overrides("all=printed,r1c1=2,all=written")
    for text in ("r1c1=2,r1c1=3", "1:r1c1=2,2:r1c1=3,1:r1c1=3"):
        with pytest.raises(UsageError, match="r1c1 is given twice"):
            parse_overrides(text)


def test_either_all_cells_name_a_grid_or_none() -> None:
    with pytest.raises(UsageError, match=r"Some of the cells name a grid.*2:r3c5=8"):
        parse_overrides("r1c1=2,2:r1c1=3")


def test_cells_that_name_no_grid_mean_the_only_readable_one() -> None:
    cells: Said = {0: 4}
    assert by_grid({None: cells}, ["uncertain"]) == {0: cells}
    assert by_grid({None: cells}, ["unreadable", "uncertain"]) == {1: cells}
    assert by_grid({0: cells}, ["unreadable", "uncertain"]) == {0: cells}
    assert by_grid({None: cells}, []) == by_grid({4: cells}, []) == {}
    with pytest.raises(UsageError, match="Grids found in this picture: 2"):
        by_grid({None: cells}, ["solved", "uncertain"])
    for place in (-1, 2):
        with pytest.raises(UsageError, match=f"no number {place + 1}"):
            by_grid({place: cells}, ["solved", "uncertain"])


@pytest.mark.parametrize(
    "text", ["", "1,2,3", "1,2,3,4,5,6,7,8,9", "a,b,c,d,e,f,g,h", "1,2,3,4,5,6,7,nan", "1,2,3,4,5,6,7,1e40"]
)
def test_malformed_corners_are_told_with_their_form(text: str) -> None:
    with pytest.raises(UsageError, match="x,y,x,y,x,y,x,y"):
        parse_corners(text)


@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_an_override_settles_a_doubt_whichever_way(number: int) -> None:
    puzzle, ink = PUZZLES[number], clean(PUZZLES[number])
    cell, other = with_another_answer(number)
    doubtful(ink, cell, **{f"d{puzzle[cell]}": 0.55, f"d{other}": 0.45})
    before = decode(scores(ink))
    assert before.confidence < 0.6
    for digit in (puzzle[cell], other):
        after = apply_overrides(scores(ink), {cell: digit}, before.puzzle)
        assert after.confidence > 0.99
        assert after.puzzle[divmod(cell, 9)] == digit
        assert not after.written.any()
        assert not after.doubts


def test_the_word_of_a_person_is_never_repaired() -> None:
    puzzle = PUZZLES[0]
    first = next(cell for cell in range(81) if puzzle[cell])
    reading = decode(scores(clean(puzzle)))
    wrong = puzzle[first] % 9 + 1
    after = apply_overrides(scores(clean(puzzle)), {first: wrong}, reading.puzzle)
    assert after.puzzle[divmod(first, 9)] == wrong
    assert grid_status(after) != "solved"


def test_a_given_digit_of_a_puzzle_by_hand_is_a_clue_like_the_others() -> None:
    puzzle = PUZZLES[1]
    hand = dict.fromkeys(range(81), 0.97)
    first = next(cell for cell in range(81) if puzzle[cell])
    ink = clean(puzzle)
    doubtful(ink, first, **{f"d{puzzle[first]}": 0.5, "d0": 0.5})
    reading = decode(scores(ink, hand))
    after = apply_overrides(scores(ink, hand), {first: puzzle[first]}, reading.puzzle)
    assert tuple(after.puzzle.ravel()) == puzzle
    assert after.confidence > 0.9


def test_a_digit_said_to_be_written_is_no_clue_but_kept() -> None:
    puzzle, solution = PUZZLES[1], SOLUTIONS[1]
    blank = next(cell for cell in range(81) if not puzzle[cell])
    ink = clean(puzzle)
    doubtful(ink, blank, **{f"d{solution[blank]}": 0.99, "d0": 0.01})
    said = scores(ink, {blank: 0.5})
    after = apply_overrides(said, {blank: Written()}, decode(said).puzzle)
    assert tuple(after.puzzle.ravel()) == puzzle
    assert after.written[divmod(blank, 9)] == solution[blank]
    assert after.written.astype(bool).sum() == 1
    assert after.unclear == ()
    after = apply_overrides(said, {blank: 0}, decode(said).puzzle)
    assert not after.written.any()


def test_one_word_says_of_all_digits_in_doubt_that_they_are_clues_or_that_none_is() -> None:
    puzzle, solution = PUZZLES[1], SOLUTIONS[1]
    doubted = [cell for cell in range(81) if not puzzle[cell]][:6]
    ink = clean(puzzle)
    for cell in doubted:
        doubtful(ink, cell, **{f"d{solution[cell]}": 0.9999})
    said = scores(ink, dict.fromkeys(doubted, 0.65))
    before = decode(said)
    assert [doubt.kind for doubt in before.doubts] == ["role"] * 6
    assert settling(before.doubts) == "all=written"
    for role, count in (("printed", 6), ("written", 0)):
        after = apply_overrides(said, parse_overrides(f"all={role}")[None], before.puzzle)
        assert np.count_nonzero(after.puzzle.ravel()[doubted]) == count
        assert np.count_nonzero(after.written) == 6 - count
        assert after.doubts == ()


def test_read_photo_takes_overrides(drawing: Drawing) -> None:
    """A clue that is taken away leaves the rest to be solved, a wrong one is taken at its word."""
    (grid,) = read_photo(Photo(drawing.pixels), overrides={0: 0}).grids
    assert board_text(grid.puzzle) == "0" + PUZZLE[1:]
    (grid,) = read_photo(Photo(drawing.pixels), overrides={1: 1}).grids
    assert grid.puzzle[0, 1] == 1
    assert grid.solution is not None
    assert board_text(grid.solution) == SOLUTION


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        *[({cell: 1}, "is no cell") for cell in (81, -1, (0, 1), (-1, -1), "r1c1", 1.0, None)],
        *[({0: digit}, "nothing that a cell holds") for digit in (10, 14, 20, -1, -2, 1.5, "8", None)],
        ({"all": 1}, "nothing that a cell holds"),
        ({0: {81: 1}}, "is no cell"),
        ({0: {0: 1}, 3: 8}, "says nothing of a grid"),
        ({-1: {0: 1}}, "no number 0"),
    ],
)
def test_overrides_off_the_board_are_wrong_usage(drawing: Drawing, overrides: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_photo(Photo(drawing.pixels), overrides=overrides)


def test_given_corners_say_which_way_up(drawing: Drawing) -> None:
    truth = drawing.grids[0].lattice
    (grid,) = read_photo(Photo(drawing.pixels), corners=truth.corners).grids
    assert board_text(grid.puzzle) == PUZZLE
    pixels = np.ascontiguousarray(np.rot90(drawing.pixels))
    side = drawing.pixels.shape[1] - 1
    turned = np.stack([truth.corners[:, 1], side - truth.corners[:, 0]], axis=-1)
    (grid,) = read_photo(Photo(pixels), corners=turned).grids
    assert board_text(grid.puzzle) == PUZZLE
    assert np.abs(grid.lattice.corners - turned).max() < 3
