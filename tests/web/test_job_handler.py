"""What a worker answers is what the command line prints, and what a browser needs beside it."""

import json
import re
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, packed
from examples import JIGSAW, REGIONS
from handler_samples import KEY, SAMPLES, handler, sample, solved, state_of
from PIL import Image as Pillow

from sudoku_vision import solve_photo
from sudoku_vision.errors import ImproperError, OpenError, UsageError
from sudoku_vision.output.overlay import overlay
from sudoku_vision.sudoku import solver
from sudoku_vision.sudoku.board import board_text
from sudoku_vision.sudoku.generator import generate
from sudoku_vision.sudoku.logic import rate
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.sudoku.solver.backtracking import Search
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.load import load_photo
from sudoku_vision.web.job_handler import JobHandler
from sudoku_vision.web.settings import Limits

BLANK_FIRST = "." + PUZZLE[1:]


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Both say the same but for times and names of files, down to the order of the keys."""
    compared = [key for key in one if key != "view"]
    assert compared == list(other)
    for key in {*compared} - {"seconds", "source", "output"}:
        assert one[key] == other[key], key


@pytest.mark.parametrize("name", ["half_solved.jpg", "two_puzzles.jpg", "no_sudoku_table.jpg"])
def test_a_picture_is_answered_as_on_the_command_line(run: Run, name: str) -> None:
    (page,) = run("solve", "--json", SAMPLES / name).pages
    answer = solved(name)
    same(answer, page)
    assert len(answer["view"]["grids"]) == len(page["grids"]) and answer["view"]["preview"] is None


@pytest.mark.parametrize("board", [PUZZLE, BLANK_FIRST, "55" + "." * 79])
def test_a_board_in_text_is_answered_as_on_the_command_line(run: Run, board: str) -> None:
    (page,) = run("solve", "--json", board).pages
    answer = handler().solve(board.encode(), kind="text")
    same(answer, page)
    assert answer["view"]["preview"].startswith("data:image/jpeg;base64,")
    assert answer["view"]["size"] == [1008, 1008]
    same(handler().board(board, "solve"), page)
    unnamed = handler().solve("\n".join(board[row : row + 9] for row in range(0, 81, 9)).encode("utf-16"))
    assert unnamed["grids"] == answer["grids"] and unnamed["source"] == "board"


def test_overrides_and_corners_are_a_persons_word(run: Run) -> None:
    grid = solved("newspaper.jpg")["grids"][0]
    corners = ",".join(str(value) for point in grid["corners"] for value in point)
    for said, lies in (("r1c1=blank,r2c2=w6", ""), ("", corners)):
        arguments = [f"--overrides={said}"] if said else [f"--corners={lies}"]
        (page,) = run("solve", "--json", *arguments, SAMPLES / "newspaper.jpg").pages
        same(handler().solve(sample("newspaper.jpg"), overrides=said, corners=lies), page)
        if said:
            settled = handler().settle(state_of("newspaper.jpg"), overrides=said)
            assert settled["grid"] == page["grids"][0]
            assert settled["view"]["state"] == state_of("newspaper.jpg")
    view = solved("newspaper.jpg")["view"]["grids"][0]
    assert handler().settle(state_of("newspaper.jpg"))["view"] == view | {"covers": {}}


def test_what_is_written_is_checked_as_the_command_line_checks_it(run: Run) -> None:
    (page,) = run("check", "--json", "--marks", SAMPLES / "half_solved.jpg").pages
    answer = handler().check_photo(sample("half_solved.jpg"), marks=True)
    same(answer, page)
    from_state = handler().check(state_of("half_solved.jpg"), marks=True)
    assert from_state["check"] == page["grids"][0]
    assert from_state["view"] == answer["view"]["grids"][0] | {"covers": {}}


def test_a_question_about_a_killer_makes_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the board as it is now: the clues were solved when they were read."""
    made: list[Rules] = []
    make = solver.searcher

    def counted(rules: Rules) -> Search:
        made.append(rules)
        return make(rules)

    monkeypatch.setattr(solver, "searcher", counted)
    killer = generate(rules="killer", seed=11)
    asked = json.dumps({"puzzle": board_text(killer.puzzle), **killer.rules.to_dict()})
    state = handler().solve(asked.encode(), kind="text")["view"]["grids"][0]["state"]
    assert len(made) == 1
    filled = board_text(killer.solution)[0] + "0" * 80
    assert handler().hint(state, filled=filled)["steps"]
    assert handler().check(state, filled=filled)["check"]["right"] == [0]
    assert len(made) == 2


def test_a_hint_is_that_of_the_command_line_with_a_picture_of_each_step(run: Run) -> None:
    (page,) = run("hint", "--json", "--marks", SAMPLES / "half_solved.jpg").pages
    answer = handler().hint(state_of("half_solved.jpg"), marks=True)
    steps = answer.pop("steps")
    same(answer, page)
    assert len(steps) == 1 + len(page["leads_to"])
    assert steps[0]["text"] == page["hint"]["text"] and steps[0]["view"]["shapes"] and steps[0]["place"]


def test_hints_go_on_from_what_was_filled_in_since(run: Run) -> None:
    answer = handler().hint(state_of("newspaper.jpg"))
    seen, solution = [], solved("newspaper.jpg")["grids"][0]["solution"]
    board = answer["board"]
    for _ in range(3):
        ((cell, digit),) = (answer["leads_to"] or [answer["hint"]])[-1]["placements"]
        assert solution[cell] == str(digit) and board[cell] == "0"
        seen.append(cell)
        board = board[:cell] + str(digit) + board[cell + 1 :]
        answer = handler().hint(state_of("newspaper.jpg"), filled=board)
        assert answer["board"] == board
    assert len(set(seen)) == 3
    blank = board.index("0")
    wrong = board[:blank] + str(int(solution[blank]) % 9 + 1) + board[blank + 1 :]
    assert handler().hint(state_of("newspaper.jpg"), filled=wrong)["board"] == board
    assert handler().hint(state_of("newspaper.jpg"), filled=solution)["hint"] is None


@pytest.mark.parametrize("name", ["newspaper.jpg", ""])
def test_what_was_filled_in_since_is_checked_as_what_is_written(name: str) -> None:
    answer = solved(name) if name else handler().solve(PUZZLE.encode(), kind="text")
    state = answer["view"]["grids"][0]["state"]
    before = handler().check(state)["check"]
    solution = before["solution"]
    one, other = [cell for cell in range(81) if before["puzzle"][cell] == "0"][:2]
    wrong = int(solution[other]) % 9 + 1
    digits = {one: solution[one], other: str(wrong)}
    filled = "".join(digits.get(cell, "0") for cell in range(81))
    answer = handler().check(state, filled=filled)["check"]
    assert (answer["status"], answer["right"], answer["left"]) == ("wrong", [one], before["left"] - 2)
    assert [(mistake["cell"], mistake["written"]) for mistake in answer["wrong"]] == [(other, wrong)]
    hint = handler().hint(state, filled=filled)
    assert hint["board"][one] == solution[one] and hint["board"][other] == "0" and "wrong" in hint["message"]


def test_hints_go_on_from_notes_that_were_made_since() -> None:
    before = handler().hint(state_of("newspaper.jpg"))
    solution = solved("newspaper.jpg")["grids"][0]["solution"]
    notes = ["" if digit != "0" else solution[cell] for cell, digit in enumerate(before["board"])]
    answer = handler().hint(state_of("newspaper.jpg"), notes=notes, marks=True)
    assert answer["marks"] == notes and len(answer["steps"]) == 1
    assert [digit for _, digit in answer["hint"]["placements"]]
    beside = handler().hint(state_of("newspaper.jpg"), notes=notes)
    middle, moved = (lines(one["steps"][0]["view"]) for one in (before, beside))
    assert len(middle) == len(moved) > 0 and not [one for one in middle if one in moved]  # to its own note


def lines(view: Any) -> list[Any]:
    """Return the lines that are drawn, as of crosses."""
    return [shape["svg"] for shape in view["shapes"] if shape["layer"] == "ink" and "cell" not in shape]


def test_the_steps_lead_to_the_solution(run: Run) -> None:
    (page,) = run("explain", "--json", SAMPLES / "half_solved.jpg").pages
    answer = handler().explain(state_of("half_solved.jpg"))
    assert answer.pop("rating") == rate(page["board"]).to_dict()
    drawn = [(step.pop("board"), step.pop("view")) for step in answer["steps"]]
    assert all(step.pop("name") and step.pop("place") for step in answer["steps"])
    same(answer, page)
    assert drawn[0][0] == page["board"] and all(view["shapes"] for _, view in drawn)
    full = handler().explain(state_of("half_solved.jpg"), filled=page["solution"])
    assert (full["start"], full["board"]) == ("clues", full["puzzle"])
    assert len(full["steps"]) > len(drawn)


def test_steps_are_in_the_language_that_is_asked_for() -> None:
    german = handler().hint(state_of("half_solved.jpg"), language="de")
    step = german["steps"][0]
    assert step["text"] == german["hint"]["text"] and re.search(r"Z\dS\d", step["text"])
    assert (step["name"], step["place"]) == ("Letzte Zelle", "in Spalte 5")
    (first, *_) = handler().explain(state_of("half_solved.jpg"), language="de")["steps"]
    assert first["name"] == "Letzte Zelle" and "fehlt noch" in first["text"]
    assert "passt" in handler().board(PUZZLE, "hint", "de")["hint"]["text"]
    unknown = handler().hint(state_of("half_solved.jpg"), language="tlh")
    assert unknown == handler().hint(state_of("half_solved.jpg"))


@pytest.mark.parametrize("what", ["hint", "explain", "rate"])
def test_boards_are_answered_as_on_the_command_line(run: Run, what: str) -> None:
    (answer,) = run(what, "--json", PUZZLE).pages
    same(handler().board(PUZZLE, what), answer)
    for board in (JIGSAW, "33" + JIGSAW[2:]):
        jigsaw = handler().board(board, what, regions=REGIONS)
        assert jigsaw["rules"] == {"name": "jigsaw", "regions": REGIONS}


def test_a_board_in_text_is_settled_checked_and_explained(run: Run) -> None:
    answer = handler().solve(PUZZLE.encode(), kind="text")
    state = answer["view"]["grids"][0]["state"]
    assert handler().settle(state)["grid"] == answer["grids"][0]
    assert handler().settle(state, overrides="r1c1=blank")["grid"]["status"] == "many_solutions"
    wrong = handler().check(state, overrides="r1c2=w9")["check"]
    assert wrong["status"] == "wrong" and wrong["corners"] is None
    assert handler().hint(state)["hint"] == handler().board(PUZZLE, "hint")["hint"]
    assert handler().explain(state)["solution"] == SOLUTION


def test_a_picture_of_the_answers_is_that_of_the_command_line() -> None:
    page = solve_photo(SAMPLES / "newspaper.jpg")
    photo = cv2.imread(str(SAMPLES / "newspaper.jpg"))
    assert photo is not None
    data = handler().picture(sample("newspaper.jpg"), suffix=".png")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None and np.array_equal(picture, overlay(np.asarray(photo, np.uint8), page.grids))
    assert handler().picture(PUZZLE.encode(), kind="text")[:3] == b"\xff\xd8\xff"
    with pytest.raises(ImproperError) as none:
        handler().picture(sample("no_sudoku_table.jpg"))
    assert none.value.status == "no_grid"


def test_a_document_is_answered_page_by_page_with_previews() -> None:
    names = ("clean_sheet.png", "no_sudoku_table.jpg")
    sheet, table = (Pillow.open(SAMPLES / name).convert("RGB") for name in names)
    data = packed(sheet, "TIFF", save_all=True, append_images=[table])
    first, second = handler().solve(data)["pages"]
    assert (first["status"], first["page"]) == ("solved", 1)
    assert (second["status"], second["page"]) == ("no_grid", 2)
    assert first["view"]["preview"] and second["view"]["preview"]
    alone = handler().solve(data, page=2)
    assert alone["status"] == "no_grid" and alone["view"]["preview"]
    with pytest.raises(UsageError, match="several pages"):
        handler().solve(data, overrides="r1c1=5")
    with pytest.raises(OpenError, match="no page 3"):
        handler().solve(data, page=3)


def test_what_is_more_than_may_be_read_at_once_is_left_out_and_said() -> None:
    sheet = Pillow.open(SAMPLES / "clean_sheet.png").convert("L").resize((400, 400))
    three = packed(sheet, "TIFF", save_all=True, append_images=[sheet, sheet])
    few, hurried = (
        JobHandler(load_model(), KEY, limits) for limits in (Limits(pages=2), Limits(job_seconds=0.0))
    )
    for body, asked, pages in (
        (three, few, 2),
        (f"{PUZZLE}\n{PUZZLE}\n{PUZZLE}".encode(), few, 2),
        (three, hurried, 1),
    ):
        answer = asked.solve(body)
        assert [page["status"] for page in answer["pages"]] == ["solved"] * pages
        assert answer["next_page"] == pages + 1
        assert asked.solve(body, page=answer["next_page"])["page"] == pages + 1
    assert handler().solve(three)["next_page"] is None


def test_the_view_lies_on_the_upright_picture() -> None:
    answer = solved("exif_turned.jpg")
    page, photo = solve_photo(SAMPLES / "exif_turned.jpg"), load_photo(sample("exif_turned.jpg"))
    assert answer["view"]["size"] == [photo.pixels.shape[1], photo.pixels.shape[0]]
    (view,), (grid,) = answer["view"]["grids"], page.grids
    assert np.abs(np.array(view["crossings"]) - grid.lattice.crossings).max() < 0.01
    assert grid.answers is not None and view["answers"] == board_text(grid.answers)
    assert not view["clues_by_hand"] and view["unclear"] == []
    look = view["look"]
    assert 0.3 <= look["height"] <= 0.6 and look["colour"].startswith("#") and not look["dark"]
