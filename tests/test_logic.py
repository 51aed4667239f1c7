"""Hints, explanations and ratings are right, easiest first, and said in plain words."""

from __future__ import annotations

import pytest

from sudoku_vision.errors import BoardError, ImproperError
from sudoku_vision.logic import Technique, explain, hint, hints, rate

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
NONE = "531" + EASY[3:]
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_a_full_house_is_told_before_anything_else() -> None:
    step = hint(SOLVED[:80] + ".")
    assert step is not None
    assert step.technique is Technique.FULL_HOUSE
    assert step.placements == ((80, 9),)
    assert step.text == "In box 9, r9c9 is the last blank cell: 9 is the digit that is missing."


def test_nothing_is_left_to_hint_on_a_full_board() -> None:
    assert hint(SOLVED) is None
    assert hints(SOLVED) == ()
    assert explain(SOLVED).status == "one"


def test_an_easy_puzzle_is_explained_digit_by_digit() -> None:
    explanation = explain(EASY)
    board = list(EASY)
    for step in explanation.steps:
        for cell, digit in step.placements:
            board[cell] = str(digit)
    assert "".join(board) == SOLVED
    assert explanation.by_logic


@pytest.mark.parametrize("ask", [hint, hints, explain, rate])
def test_what_is_no_board_is_refused(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(BoardError, match="81 cells"):
        ask("123")


@pytest.mark.parametrize("ask", [hint, hints, rate])
@pytest.mark.parametrize(("board", "words"), [("11" + "0" * 79, "r1c1, r1c2"), (NONE, "no solution")])
def test_a_board_without_a_solution_gets_no_hint(ask: object, board: str, words: str) -> None:
    assert callable(ask)
    with pytest.raises(ImproperError, match=words):
        ask(board)


HARD = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"


def test_every_step_can_be_said_and_the_way_ends_in_the_solution() -> None:
    explanation = explain(HARD)
    assert explanation.solution is not None
    solution = explanation.solution.reshape(81)
    filled = 0
    for step in explanation.steps:
        assert step.text.endswith(".")
        assert all(solution[cell] == digit for cell, digit in step.placements)
        assert all(solution[cell] != digit for cell, digit in step.eliminations)
        filled += len(step.placements)
    assert filled == HARD.count("0")
