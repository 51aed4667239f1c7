"""Programs are told the same of a board, wherever it comes from."""

from __future__ import annotations

from conftest import PUZZLE, board

from sudoku_vision.api.board_pages import solved_board
from sudoku_vision.api.hint_request import HintRequest
from sudoku_vision.api.json_output import (
    board_answer,
    explained,
    explanation_data,
    hint_data,
    page_answer,
    rating_data,
)
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.logic import hints, rate

ASKED = HintRequest(board(PUZZLE), board(PUZZLE), ("Look first.",))


def test_a_board_in_text_has_no_corners_and_the_time_comes_last() -> None:
    page = solved_board(NamedBoard(PUZZLE), "board").to_dict()
    told = page_answer(page, in_text=True, output="solved.png")
    assert told["grids"][0]["corners"] is None and told["output"] == "solved.png"
    assert list(told)[-1] == "seconds"
    assert page_answer(page, in_text=False)["grids"] == page["grids"]


def test_cautions_are_said_with_the_answer() -> None:
    told = board_answer("board", None, ASKED, {"message": "And more."})
    assert told == {"source": "board", "reading": None, "message": "Look first. And more.", "output": None}


def test_a_hint_tells_the_steps_that_it_leads_to() -> None:
    steps = hints(ASKED.board)
    data = hint_data(ASKED, steps)
    assert data["hint"] == steps[0].to_dict() and len(data["leads_to"]) == len(steps) - 1
    assert "marks" not in data and len(hint_data(ASKED, steps, marks=True)["marks"]) == 81


def test_explanations_and_ratings_name_their_boards() -> None:
    found = explained(ASKED)
    for data in (explanation_data(ASKED, found), rating_data(ASKED, rate(ASKED.board))):
        assert (data["puzzle"], data["board"], data["status"]) == (PUZZLE, PUZZLE, "one")
