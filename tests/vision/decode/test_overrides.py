"""Overrides: cells and corners that a person gives overrule the reading."""

from typing import Any

import numpy as np
import pytest
from conftest import PUZZLE
from test_decode import PUZZLES, SOLUTIONS, clean, clues, doubtful, scores, with_another_answer

from sudoku_vision.errors import UsageError
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.rules import Cage
from sudoku_vision.vision.decode import decode, grid_status
from sudoku_vision.vision.decode.killer import NO_CAGE
from sudoku_vision.vision.decode.overrides import (
    CellOverrides,
    apply_overrides,
    by_grid,
    confirming_overrides,
    parse_corners,
    parse_overrides,
    read_overrides,
)
from sudoku_vision.vision.results import Doubt, Photo, Written
from workshop.rendering import Drawing

pytestmark = pytest.mark.usefixtures("easily_sure")


def test_overrides_are_read_with_rows_and_columns_from_one() -> None:
    assert parse_overrides("r3c5=8,r4c1=blank") == {None: {22: 8, 27: 0}}
    assert parse_overrides(" R9C9 = 1 , r1c1=BLANK") == {None: {80: 1, 0: 0}}
    assert parse_overrides("r1c2=Written,r1c3=w8") == {None: {1: Written(), 2: Written(8)}}
    assert parse_overrides("2:r3c5=8, r4c1=blank,1:r1c1=2") == {1: {22: 8, 27: 0}, 0: {0: 2}}
    cage = {(0,): Cage(12, (1, 0)), 0: 3, (9,): Cage(7, ())}
    assert parse_overrides("r1c1=sum12,cage=r1c2+r1c1,r1c1=3,r2c1=sum7") == {None: cage}
    removed = {(0,): Cage(NO_CAGE, (1, 0)), (2,): Cage(5, (2, 3))}
    assert parse_overrides("nocage=r1c2+r1c1,nocage=r1c3+r1c4,cage=r1c3+r1c4,r1c3=sum5") == {None: removed}


def test_a_cell_is_named_by_its_doubt_or_its_number() -> None:
    text = "r1c2=w7,r1c3=written,r3c6=blank,all=printed"
    cells: dict[Any, int | Written | str] = {1: Written(7), 2: Written(), 23: 0, "all": "printed"}
    doubts: dict[Any, Any] = {Doubt(cell, (7,), (1.0,)): cells[cell] for cell in (1, 2, 23)}
    assert read_overrides(text) == read_overrides(cells) == {None: cells}
    assert read_overrides(doubts) == read_overrides({cell: cells[cell] for cell in (1, 2, 23)})
    assert read_overrides({1: cells}) == {1: cells}
    assert read_overrides({np.int64(3): np.int8(8)}) == read_overrides({"r1c4": 8}) == {None: {3: 8}}
    assert read_overrides(None) == read_overrides({}) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "r3c5=8,r4c1=blank") for text in ("", "r3c5", "r3c5=10", "r0c5=1", "r3c5=8;r1c1=2", "8")),
        *((text, "r3c5=8,r4c1=blank") for text in ("r3c5=8,", "r10c1=1", "r1c1=0", "r1c1=w")),
        ("all=printed,r1c1=2,all=written", "all is given twice"),
        ("r1c1=2,r1c1=3", "r1c1 is given twice"),
        ("1:r1c1=2,2:r1c1=3,1:r1c1=3", "r1c1 is given twice"),
        ("r1c1=2,2:r1c1=3", r"Some of the cells name a grid.*2:r3c5=8"),
    ],
)
def test_malformed_overrides_are_an_error_with_an_example(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_overrides(text)


def test_cells_that_name_no_grid_mean_the_only_readable_one() -> None:
    cells: CellOverrides = {0: 4}
    assert by_grid({None: cells}, ["uncertain"]) == {0: cells}
    assert by_grid({None: cells}, ["unreadable", "uncertain"]) == {1: cells}
    assert by_grid({0: cells}, ["unreadable", "uncertain"]) == {0: cells}
    assert by_grid({None: cells}, []) == by_grid({4: cells}, []) == {}
    for place, message in ((None, "Grids found in this picture: 2"), (-1, "no number 0"), (2, "no number 3")):
        with pytest.raises(UsageError, match=message):
            by_grid({place: cells}, ["solved", "uncertain"])


@pytest.mark.parametrize(
    "text", ["", "1,2,3", "1,2,3,4,5,6,7,8,9", "a,b,c,d,e,f,g,h", "1,2,3,4,5,6,7,nan", "1,2,3,4,5,6,7,1e40"]
)
def test_malformed_corners_are_an_error_with_their_form(text: str) -> None:
    with pytest.raises(UsageError, match="x,y,x,y,x,y,x,y"):
        parse_corners(text)


@pytest.mark.parametrize("number", range(len(PUZZLES)))
def test_an_override_resolves_a_doubt_either_way(number: int) -> None:
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


def test_the_rules_never_overrule_an_override() -> None:
    puzzle = PUZZLES[0]
    first = clues(puzzle)[0]
    reading = decode(scores(clean(puzzle)))
    wrong = puzzle[first] % 9 + 1
    after = apply_overrides(scores(clean(puzzle)), {first: wrong}, reading.puzzle)
    assert after.puzzle[divmod(first, 9)] == wrong
    assert grid_status(after) != "solved"


def test_an_override_of_a_handwritten_puzzle_is_a_clue_like_the_others() -> None:
    puzzle = PUZZLES[1]
    hand = dict.fromkeys(range(81), 0.97)
    first = clues(puzzle)[0]
    ink = clean(puzzle)
    doubtful(ink, first, **{f"d{puzzle[first]}": 0.5, "d0": 0.5})
    reading = decode(scores(ink, hand))
    after = apply_overrides(scores(ink, hand), {first: puzzle[first]}, reading.puzzle)
    assert tuple(after.puzzle.ravel()) == puzzle
    assert after.confidence > 0.9


def test_an_override_makes_a_digit_an_entry() -> None:
    puzzle, solution = PUZZLES[1], SOLUTIONS[1]
    blank = puzzle.index(0)
    ink = clean(puzzle)
    doubtful(ink, blank, **{f"d{solution[blank]}": 0.99, "d0": 0.01})
    before = scores(ink, {blank: 0.5})
    after = apply_overrides(before, {blank: Written()}, decode(before).puzzle)
    assert tuple(after.puzzle.ravel()) == puzzle
    assert after.written.flat[blank] == solution[blank]
    assert np.count_nonzero(after.written) == 1
    assert after.unclear == ()
    assert not apply_overrides(before, {blank: 0}, decode(before).puzzle).written.any()


def test_one_override_makes_all_digits_in_doubt_clues_or_entries() -> None:
    puzzle, solution = PUZZLES[1], SOLUTIONS[1]
    doubted = [cell for cell in range(81) if not puzzle[cell]][:6]
    ink = clean(puzzle)
    for cell in doubted:
        doubtful(ink, cell, **{f"d{solution[cell]}": 0.9999})
    read = scores(ink, dict.fromkeys(doubted, 0.65))
    before = decode(read)
    assert [doubt.kind for doubt in before.doubts] == ["role"] * 6
    assert confirming_overrides(before.doubts) == "all=written"
    for role, count in (("printed", 6), ("written", 0)):
        after = apply_overrides(read, parse_overrides(f"all={role}")[None], before.puzzle)
        assert np.count_nonzero(after.puzzle.ravel()[doubted]) == count
        assert np.count_nonzero(after.written) == 6 - count
        assert after.doubts == ()


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        *[({cell: 1}, "is no cell") for cell in (81, -1, (0, 1), (-1, -1), "r1c10", 1.0, None)],
        *[({0: digit}, "can't be in a cell") for digit in (10, 14, 20, -1, -2, 1.5, "8", None)],
        ({"all": 1}, "can't be in a cell"),
        ({0: {81: 1}}, "is no cell"),
        ({0: {0: 1}, 3: 8}, "are no cells of a grid"),
        ({-1: {0: 1}}, "no number 0"),
    ],
)
def test_impossible_overrides_are_wrong_usage(drawing: Drawing, overrides: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_page(Photo(drawing.pixels), overrides=overrides)


def test_given_corners_show_the_turn(drawing: Drawing) -> None:
    truth = drawing.grids[0].lattice
    (grid,) = read_page(Photo(drawing.pixels), corners=truth.corners).grids
    assert board_text(grid.puzzle) == PUZZLE
    pixels = np.ascontiguousarray(np.rot90(drawing.pixels))
    side = drawing.pixels.shape[1] - 1
    turned = np.stack([truth.corners[:, 1], side - truth.corners[:, 0]], axis=-1)
    (grid,) = read_page(Photo(pixels), corners=turned).grids
    assert board_text(grid.puzzle) == PUZZLE
    assert np.abs(grid.lattice.corners - turned).max() < 3
