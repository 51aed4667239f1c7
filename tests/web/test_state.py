"""A state brings a grid back just as it was read, and nothing but one of our own is taken."""

import base64
from dataclasses import replace

import numpy as np
import pytest
from drawn_grids import draw_jigsaw
from examples import REGIONS
from handler_samples import KEY, SAMPLES, handler, state_of
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_vision import solve_photo
from sudoku_vision.errors import StateError, UsageError
from sudoku_vision.output.overlay.print_style import PrintStyle
from sudoku_vision.output.save import encode
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.vision.decode.overrides import CellOverrides
from sudoku_vision.vision.grid import NO_PLACE
from sudoku_vision.vision.results import Written
from sudoku_vision.web.state import MAX_TEXT, GridState, pack, unpack

NAMES = ("half_solved.jpg", "pencil.jpg", "handwriting.jpg")


@pytest.mark.parametrize("name", NAMES)
def test_a_settled_grid_is_what_the_picture_gives_with_the_same_overrides(name: str) -> None:
    rng = np.random.default_rng(len(name))
    kept = unpack(state_of(name), KEY)
    for count in (0, 1, 5):
        overrides: CellOverrides = {
            int(cell): (*range(10), Written(), Written(3), Written(8))[rng.integers(13)]
            for cell in rng.choice(81, count, replace=False)
        }
        (read,) = solve_photo(SAMPLES / name, overrides=overrides).grids
        assert kept.grid(overrides).to_dict() == read.to_dict()


def test_a_board_in_text_comes_back_with_all_that_was_placed_and_marked(puzzle: Board) -> None:
    blank = int(np.flatnonzero(puzzle.ravel() == 0)[0])
    placed = np.zeros((9, 9), np.int8)
    placed.flat[blank] = 7
    other = int(np.flatnonzero(puzzle.ravel() == 0)[1])
    marks = tuple(frozenset({1, 9}) if cell == other else frozenset[int]() for cell in range(81))
    board = NamedBoard(puzzle, placed, uncertain=True, marks=marks)
    kept = unpack(pack(GridState(NO_PLACE, (10, 20), PrintStyle(), board), KEY), KEY)
    assert kept.in_text and kept.board == board
    assert kept.grid().status == "uncertain"
    killer = replace(board, rules=Rules(diagonal=True, cages=[(10, [0, 1, 9]), (45, range(72, 81))]))
    assert unpack(pack(replace(kept, board=killer), KEY), KEY).board == killer


def test_a_jigsaw_of_a_photo_is_settled_by_the_regions_that_were_read() -> None:
    pixels = draw_jigsaw()
    (view,) = handler().solve(encode(pixels, ".png"))["view"]["grids"]
    kept = unpack(view["state"], KEY)
    (read,) = solve_photo(pixels, overrides={0: Written()}).grids
    assert read.status == "solved" and read.rules == Rules(REGIONS)
    assert kept.grid({0: Written()}).to_dict() == read.to_dict()
    assert kept.grid(rules=CLASSIC).status == "no_solution"


@settings(max_examples=40)
@given(
    st.text(max_size=200) | st.binary(max_size=200).map(lambda data: base64.urlsafe_b64encode(data).decode())
)
def test_other_texts_are_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(StateError, match="picture again"):
        unpack(text, KEY)


def test_forged_cut_and_foreign_states_are_refused() -> None:
    text = state_of("newspaper.jpg")
    data = bytearray(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    forged = []
    for place in (0, 1, 16, 17, 400, len(data) - 1):
        altered = bytearray(data)
        altered[place] ^= 1
        forged.append(base64.urlsafe_b64encode(altered).decode().rstrip("="))
    for wrong in (
        *forged,
        text[:-4],
        text[: len(text) // 2],
        text + "AAAA",
        "A" * (MAX_TEXT + 1),
        "ä" + text[1:],
    ):
        with pytest.raises(StateError):
            unpack(wrong, KEY)
    with pytest.raises(StateError):
        unpack(text, b"the key after the next start")
    assert issubclass(StateError, UsageError)
