"""What a person wrote is compared with the solution of the clues, and nothing is called wrong lightly."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, board
from drawn_grids import cell_of

from sudoku_vision.output.overlay import overlay_check
from sudoku_vision.page import CheckedPage, Page, check_page
from sudoku_vision.sudoku.board import Board
from sudoku_vision.values import Image
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import GridStatus, Lattice, Reading
from sudoku_vision.vision.verdicts import check
from workshop.rendering import Drawing

ANSWERS = np.where(board(PUZZLE) == 0, board(SOLUTION), 0).astype(np.int8)
RIGHT, WRONG, UNCLEAR = (0, 1), (4, 3), (8, 8)
"""Blank cells of the puzzle, as (row, column)."""


def number(cell: tuple[int, int]) -> int:
    return 9 * cell[0] + cell[1]


def result(
    written: Board | None = None,
    status: GridStatus = "solved",
    lattice: Lattice | None = None,
    unclear: tuple[int, ...] = (),
    marks: Mapping[int, set[int]] = MappingProxyType({}),
) -> Grid:
    """The puzzle as read, with what is written in it, and pencil *marks* by cell."""
    reading = Reading(
        puzzle=board(PUZZLE),
        written=np.zeros((9, 9), np.int8) if written is None else written,
        solution=None if status in ("no_solution", "unreadable") else board(SOLUTION),
        solutions=1,
        confidence=0.999,
        unclear=unclear,
        marks=tuple(frozenset(marks.get(cell, ())) for cell in range(81)),
    )
    return Grid(status, lattice or NO_PLACE, reading)


def page_of(*grids: Grid) -> Page:
    return Page("photo.jpg", 1, "solved", "as it was", tuple(grids), 0.01)


@pytest.fixture
def half_filled() -> Board:
    """One digit right, one wrong, one wrong but not clear."""
    written = np.zeros((9, 9), np.int8)
    written[RIGHT] = ANSWERS[RIGHT]
    written[WRONG] = ANSWERS[WRONG] % 9 + 1
    written[UNCLEAR] = ANSWERS[UNCLEAR] % 9 + 1
    return written


def test_right_and_wrong_digits_are_told_apart_and_hints_go_on_from_what_is_right(half_filled: Board) -> None:
    got = check(result(half_filled, unclear=(number(UNCLEAR), number(RIGHT))))
    assert got.status == "wrong"
    assert (got.right, got.wrong, got.unclear) == ((number(RIGHT),), (number(WRONG),), (number(UNCLEAR),))
    assert got.left == int((ANSWERS > 0).sum()) - 3
    assert not got.complete
    expected = board(PUZZLE)
    expected[RIGHT] = ANSWERS[RIGHT]
    assert np.array_equal(got.board, expected)
    likely = check(result(half_filled, "uncertain"))
    assert (likely.status, set(likely.wrong)) == ("uncertain", {number(WRONG), number(UNCLEAR)})


def test_marks_are_neither_right_nor_wrong_but_may_have_lost_the_right_digit() -> None:
    kept, lost = number(RIGHT), number(WRONG)
    answers = ANSWERS.ravel()
    got = check(result(marks={kept: {int(answers[kept]), 9}, lost: {int(answers[lost]) % 9 + 1}}))
    assert (got.status, got.right, got.wrong) == ("nothing_written", (), ())
    assert got.left == int((ANSWERS > 0).sum())
    assert got.lost_marks == (lost,)
    assert "marks" not in got.to_dict()
    told = got.to_dict(marks=True)
    answer = int(answers[lost])
    assert told["lost_marks"] == [
        {"cell": lost, "row": 5, "column": 4, "marks": str(answer % 9 + 1), "answer": answer}
    ]
    assert told["marks"][lost] == str(answer % 9 + 1)
    assert [cell for cell, marks in enumerate(got.kept_marks) if marks] == [kept]
    for status in ("no_solution", "many_solutions"):
        none = check(result(status=status, marks={lost: {1}}))
        assert none.lost_marks == () and not any(none.kept_marks)


def test_an_empty_puzzle_has_nothing_wrong_and_a_full_one_is_complete() -> None:
    empty, full = check(result()), check(result(ANSWERS))
    assert (empty.status, empty.right, empty.complete) == ("nothing_written", (), False)
    assert (full.status, full.left, full.complete) == ("right", 0, True)
    assert len(full.right) == (ANSWERS > 0).sum()


@pytest.mark.parametrize("status", ["many_solutions", "no_solution", "unreadable"])
def test_clues_that_are_no_proper_puzzle_give_no_verdicts(status: GridStatus, half_filled: Board) -> None:
    got = check(result(half_filled, status))
    assert got.status == status
    assert got.right == got.wrong == got.unclear == ()
    assert json.loads(json.dumps(got.to_dict()))["status"] == status


def test_a_page_is_as_bad_as_its_worst_puzzle(half_filled: Board) -> None:
    good, bad, unread = result(), result(half_filled), result(status="unreadable")
    unsure, full = result(status="uncertain"), result(ANSWERS)
    for grids, status in (
        ([good, bad, unsure], "wrong"),
        ([good, unsure], "uncertain"),
        ([full, good, unread], "right"),
        ([good, unread], "nothing_written"),
        ([unread], "unreadable"),
        ([], "no_grid"),
    ):
        assert check_page(page_of(*grids)).status == status
    assert check_page(page_of(unread)).message == "as it was"


def test_what_is_not_clear_leaves_the_other_verdicts_sure(half_filled: Board) -> None:
    half_filled[WRONG] = 0
    grid = result(half_filled, unclear=(number(UNCLEAR),))
    told = check_page(page_of(grid)).to_dict()
    assert told["status"] == "uncertain" and "The rest is sure" in told["message"]
    unsure = result(half_filled, "uncertain")
    page = replace(page_of(unsure), status="uncertain")
    assert "verdicts are not sure" in CheckedPage(page, (check(unsure),)).message


def marked(before: Image, after: Image, lattice: Lattice) -> dict[int, set[str]]:
    """The cells that were drawn into, and whether greenish or reddish."""
    found: dict[int, set[str]] = {}
    for cell in range(81):
        old, new = (cell_of(picture, lattice, cell, 1).astype(int) for picture in (before, after))
        touched = new[np.abs(new - old).max(axis=2) > 60]
        if len(touched) > 9:
            redness = touched[:, 2] - touched[:, 1]
            found[cell] = {name for name, c in (("green", -redness), ("red", redness)) if (c > 60).sum() > 9}
    return found


def test_the_picture_shows_right_ones_green_and_wrong_ones_red(drawing: Drawing, half_filled: Board) -> None:
    lattice = drawing.grids[0].lattice
    one = check(result(half_filled, lattice=lattice, unclear=(number(UNCLEAR),)))
    before = drawing.pixels.copy()
    after = overlay_check(drawing.pixels, [one])
    assert np.array_equal(before, drawing.pixels)
    found = marked(before, after, lattice)
    assert found == {number(RIGHT): {"green"}, number(WRONG): {"red"}, number(UNCLEAR): {"red"}}
    answers = overlay_check(drawing.pixels, [one], answers=True)
    assert marked(after, answers, lattice) == {number(WRONG): {"red"}}


def test_marks_without_the_right_digit_are_boxed_if_that_is_wished(drawing: Drawing) -> None:
    lattice = drawing.grids[0].lattice
    cell = number(WRONG)
    one = check(result(lattice=lattice, marks={cell: {int(ANSWERS[WRONG]) % 9 + 1}}))
    assert np.array_equal(overlay_check(drawing.pixels, [one]), drawing.pixels)
    boxed = overlay_check(drawing.pixels, [one], marks=True)
    assert marked(drawing.pixels, boxed, lattice) == {cell: {"red"}}
    answered = overlay_check(drawing.pixels, [one], marks=True, answers=True)
    assert marked(boxed, answered, lattice) == {cell: {"red"}}


# The command.


@pytest.fixture
def reads_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[Grid], None]:
    """Let every picture be read as a grid: what is tested here is what is told of it."""
    return lambda grid: monkeypatch.setattr(
        "sudoku_vision.pipeline.read_page", lambda *_, **__: page_of(grid)
    )


def test_the_command_names_the_wrong_cells_and_leaves_with_1(
    run: Run, photo_file: Path, reads_as: Callable[[Grid], None], half_filled: Board
) -> None:
    reads_as(result(half_filled))
    ran = run("check", photo_file)
    assert ran.status == 1
    assert "wrong: 1 right, 2 wrong" in ran.out
    assert f"r5c4: {ANSWERS[WRONG] % 9 + 1} is wrong\n" in ran.out
    assert "should be" not in ran.out
    assert f"is wrong, it should be {ANSWERS[WRONG]}" in run("check", photo_file, "--answers").out


def test_the_command_names_marks_without_the_right_digit_if_asked(
    run: Run, photo_file: Path, reads_as: Callable[[Grid], None]
) -> None:
    wrong = int(ANSWERS[WRONG]) % 9 + 1
    reads_as(result(marks={number(WRONG): {wrong}, number(RIGHT): {int(ANSWERS[RIGHT])}}))
    assert "lack" not in run("check", photo_file).out
    ran = run("check", "--marks", photo_file)
    assert ran.status == 0, "marks are neither right nor wrong"
    assert "marks in 2 cells, 1 of them without the right digit" in ran.out
    lost = f"r5c4: marks {wrong} lack the right digit"
    assert f"{lost}\n" in ran.out
    assert f"{lost}, it should be {ANSWERS[WRONG]}\n" in run("check", "--marks", "--answers", photo_file).out
    assert run("check", "--marks", "--json", photo_file).pages[0]["grids"][0]["lost_marks"][0]["row"] == 5


def test_pencil_marks_are_no_wrong_answers(run: Run) -> None:
    """Of a sample with two dozen right entries and pencil marks; its hand draws a 1 like a 7."""
    picture = Path(__file__).parents[2] / "sample_images" / "pencil.jpg"
    (grid,) = run("check", "--json", picture).pages[0]["grids"]
    assert grid["wrong"] == [] and len(grid["right"]) >= 19
    assert grid["status"] in ("right", "uncertain")


def test_marks_that_may_hold_the_right_digit_have_not_surely_lost_it() -> None:
    cell, answer = number(WRONG), int(ANSWERS[WRONG])
    lost = result(marks={cell: {answer % 9 + 1}})
    possible = result(marks={cell: {answer}}).marks
    unsure = check(replace(lost, reading=replace(lost.reading, possible_marks=possible)))
    assert (check(lost).lost_marks, unsure.lost_marks) == ((cell,), ())
    assert not any(unsure.kept_marks)
