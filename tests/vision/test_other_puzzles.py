"""Other puzzles: killers, samurais and grids of other sizes are named, and no other page is taken for one."""

import numpy as np
import pytest
from drawn.negatives import draw_negative
from drawn_grids import draw_killer

from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.other_puzzles import has_small_sums, sums_by_turn
from sudoku_vision.vision.results import Photo
from workshop import Kind
from workshop.rendering import Conditions, MarkStyle, Writing, draw

slow = pytest.mark.slow
SIZE = "This grid has {0} x {0} cells: only sudokus of 9 x 9 cells can be solved."
MESSAGES = {
    "sudoku4": SIZE.format(4),
    "sudoku6": SIZE.format(6),
    "sudoku16": SIZE.format(16),
    "samurai": "Five grids overlap: this looks like a samurai sudoku",
}


@pytest.mark.parametrize(
    ("kind", "seed"),  # with seed 0, it lies on its side
    [
        *(("sudoku4", 0), ("sudoku6", 3), ("samurai", 0)),
        *(pytest.param(kind, seed, marks=slow) for kind in MESSAGES for seed in (0, 3)),
    ],
)
def test_the_message_names_another_puzzle_and_asks_for_no_better_photo(kind: str, seed: int) -> None:
    page = read_page(Photo(draw_negative(np.random.default_rng(seed), kind).pixels))
    assert page.status not in ("solved", "uncertain")
    assert page.message.startswith(MESSAGES[kind])
    assert page.to_dict()["other"] == page.other


@pytest.mark.parametrize(
    ("kind", "clues", "turns"),
    [("screenshot_light", 0, 1), ("newspaper", 8, 0)],
    ids=["on its side", "clues"],
)
def test_a_killer_whose_cages_are_not_seen_is_named(kind: Kind, clues: int, turns: int) -> None:
    pixels = draw_killer("dashed", kind, clues=clues, only_sums=True).pixels
    page = read_page(Photo(np.ascontiguousarray(np.rot90(pixels, turns))))
    assert (page.status, page.other) == ("no_grid", "killer")
    assert page.message.startswith("Small sums stand in the corners of cells: this looks like a killer")


@pytest.mark.parametrize(("across", "box"), [(4, 2), (6, 3), (12, 4), (16, 4)])
def test_another_size_is_named_where_its_boxes_fill_the_picture_to_its_edge(across: int, box: int) -> None:
    page = read_page(_ruled(across, (across // box, box)))
    assert (page.status, page.other) == ("no_grid", f"{across}x{across}")
    assert read_page(_ruled(across, (across, across))).other == "", "a table without boxes"


def _ruled(across: int, box: tuple[int, int]) -> Photo:
    """Draw lines across the whole picture, thick ones every *box* (rows, columns)."""
    pixels = np.full((40 * across + 2, 40 * across + 2, 3), 255, np.uint8)
    for line in range(across + 1):
        place = slice(40 * line, 40 * line + 2)
        pixels[slice(place.start, place.stop + 3 * (line % box[0] == 0))] = 0
        pixels[:, slice(place.start, place.stop + 3 * (line % box[1] == 0))] = 0
    return Photo(pixels)


@pytest.mark.parametrize(
    "kind",
    [
        *("table", "crossword", "kakuro", "calendar", "tiles"),
        *(pytest.param(kind, marks=slow) for kind in ("text", "chessboard")),
    ],
)
def test_a_page_without_a_sudoku_has_no_grid_and_no_other_puzzle(kind: str) -> None:
    drawing = draw_negative(np.random.default_rng(0), kind)
    assert drawing.grids == () and drawing.pixels.std() > 5
    page = read_page(Photo(drawing.pixels))
    assert (page.status, page.other) == ("no_grid", "")


def test_pencil_marks_in_more_corners_than_a_killer_has_cages_make_no_killer() -> None:
    """Even if there are so few clues that the puzzle has many solutions."""
    writing = Writing(marks=MarkStyle(share=0.8, most=2))
    puzzle = np.zeros((9, 9), np.int8)
    puzzle[[0, 2, 3, 5, 7, 8], [1, 6, 4, 7, 0, 2]] = [3, 7, 8, 5, 1, 6]
    page = read_page(
        Photo(
            draw(
                np.random.default_rng(2), Conditions(size=(480, 480), writing=writing), puzzles=[puzzle]
            ).pixels
        )
    )
    assert page.status == "many_solutions"
    assert page.other == ""


@pytest.mark.parametrize(("corners", "is_killer"), [(range(0), False), (range(1), True), (range(4), False)])
def test_small_sums_are_seen_beside_digits_and_only_in_one_corner(corners: range, is_killer: bool) -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[:, 12:30, 15:25] = 1
    for turn in corners:
        np.rot90(cells, turn, axes=(1, 2))[::3, 5:11, 5:11] = 0.7
    assert has_small_sums(sums_by_turn(cells)) == is_killer


def test_small_digits_that_never_stand_beside_a_digit_are_candidates_and_no_sums() -> None:
    cells = np.zeros((81, 40, 40), np.float32)
    cells[:30, 12:30, 15:25] = 1
    cells[40:70:2, 5:11, 5:11] = 0.7
    digits = np.zeros(81, np.int8)
    assert has_small_sums(sums_by_turn(cells), digits)
    digits[:30] = 7
    assert not has_small_sums(sums_by_turn(cells), digits)
    cells[5, 5:11, 5:11] = 0.7
    assert has_small_sums(sums_by_turn(cells), digits)
