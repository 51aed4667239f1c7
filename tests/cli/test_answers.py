"""``hint``, ``explain`` and ``rate`` answer for boards as people have them, or say why they can't."""

import json
from pathlib import Path
from typing import get_args, get_type_hints

import numpy as np
import pytest
from conftest import PUZZLE, Run
from examples import EASY, JIGSAW, REGIONS, SOLVED
from pdf_pages import pdf_pages

from sudoku_vision.cli.options import Options
from sudoku_vision.output.drawing.puzzle_figure import draw_grid
from sudoku_vision.page import solved_board
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.sudoku.logic import explain, hint, next_steps, rate
from sudoku_vision.sudoku.logic.methods import METHODS
from sudoku_vision.sudoku.rules import UNITS
from sudoku_vision.values import Image
from sudoku_vision.vision.load import load_photo
from workshop.rendering import Drawing

CLASH = "55" + EASY[2:]
NONE = "531" + EASY[3:]
MANY = EASY[:9] + "0" * 72


def without_singles(puzzle: str) -> str:
    """The puzzle, filled in as far as singles lead."""
    digits = list(puzzle)
    for step in explain(puzzle).steps:
        for cell, digit in step.placements:
            digits[cell] = str(digit)
        if step.eliminations:
            break
    return "".join(digits)


def test_a_hint_reveals_as_much_as_is_asked_for(run: Run, tmp_path: Path) -> None:
    ran = run("hint", EASY)
    assert (ran.status, ran.out) == (0, f"Hidden single: {hint(EASY)}\n")
    for tell in ("name", "place"):
        out = run("hint", "--tell", tell, EASY).out
        assert out.startswith("Hidden single") and "the digit" not in out
    first, second = run("hint", without_singles(PUZZLE)).out.splitlines()
    assert "cross out" in first and second.startswith("Then: ") and ", which gives r" in second
    full = run("hint", SOLVED)
    assert full.status == 0 and "nothing is left" in full.out
    assert "no picture is written" in run("hint", SOLVED, "-o", tmp_path / "none.png").out
    assert run("hint", CLASH, "-o", tmp_path / "none.png").status == 1 and not [*tmp_path.iterdir()]


def test_an_explanation_is_a_numbered_list_and_the_solution(run: Run) -> None:
    ran = run("explain", EASY)
    lines = ran.out.splitlines()
    assert ran.status == 0
    assert lines[0].startswith(" 1. ")
    assert f"Solved in {EASY.count('0')} steps, by logic alone." in lines
    digits = [char for line in lines[-13:] for char in line if char.isdigit()]
    assert "".join(digits) == SOLVED


def test_an_explanation_says_where_logic_ends(run: Run) -> None:
    hard = "800000000003600070070090200050007000000045700000160030001000068008500017090000400"
    out = run("explain", hard).out
    assert "Trial: Suppose that r" in out and "where logic ends." in out


def test_an_explanation_goes_by_the_method_that_is_asked_for(run: Run) -> None:
    lines = run("explain", "--method", "rows", EASY).out.splitlines()
    assert lines[0] == "Pass 1, row 1:" and lines[1].startswith(" 1. ")
    crook = run("explain", "--method", "crook", "--json", EASY).pages[0]
    assert crook["method"] == "crook" and crook["headings"][0] == [0, "Forced numbers"]
    assert list(get_args(get_type_hints(Options)["method"])) == list(METHODS)


def test_ratings_are_a_line_each(run: Run) -> None:
    ran = run("rate", EASY, PUZZLE)
    assert ran.status == 0
    first, second = ran.out.splitlines()
    assert first.startswith(f"{EASY}: easy, score ")
    assert second.startswith(
        f"{PUZZLE}: {rate(PUZZLE).name}, score {rate(PUZZLE).score}, hardest technique: "
    )


@pytest.mark.parametrize("command", ["hint", "explain", "rate"])
@pytest.mark.parametrize(
    ("board", "status", "word", "message"),
    [
        (CLASH, 1, "clash", "r1c1, r1c2"),
        (NONE, 1, "none", "no solution"),
        (EASY[:80], 2, "malformed", "80"),
        ("no-such-file.txt", 3, "error", "there is no such file"),
    ],
)
def test_boards_without_an_answer_are_reported(
    run: Run, command: str, board: str, status: int, word: str, message: str
) -> None:
    ran = run(command, board)
    assert ran.status == status
    assert message in ran.err and not ran.out
    answer = run(command, "--json", board).pages[0]
    assert answer["status"] == word
    assert message in answer["message"]


def test_with_several_solutions_only_steps_that_hold_for_all_are_shown(run: Run) -> None:
    several = PUZZLE.replace("8", "0", 1)
    assert run("rate", several).status == 1
    hints, steps = run("hint", "--next", "60", several), run("explain", several)
    assert "Nothing more is certain." in hints.out
    assert all(ran.status == 1 and "several solutions" in ran.out + ran.err for ran in (hints, steps))
    assert run("explain", "--json", MANY).pages[0]["solution"] is None


def test_json_holds_the_steps_and_what_they_lead_to(run: Run) -> None:
    board = without_singles(PUZZLE)
    answer = run("hint", "--json", board).pages[0]
    assert (answer["status"], answer["board"]) == ("one", board)
    assert answer["hint"]["eliminations"] and not answer["hint"]["placements"]
    assert answer["leads_to"][-1]["placements"]
    explained = run("explain", "--json", PUZZLE).pages[0]
    assert len(explained["solution"]) == 81 and explained["steps"]
    assert run("rate", "--json", PUZZLE).pages[0]["score"] == rate(PUZZLE).score


def test_a_page_that_is_full_is_rated_and_explained_from_its_clues(run: Run, tmp_path: Path) -> None:
    cells = zip(EASY, SOLVED, strict=True)
    page = tmp_path / "full.txt"  # HoDoKu marks entries with a plus
    page.write_text(f":0000:x:{''.join(digit if clue != '0' else '+' + digit for clue, digit in cells)}:::")
    rated, explained = run("rate", "--json", page).pages[0], run("explain", "--json", page).pages[0]
    assert (rated["start"], rated["score"]) == ("clues", rate(EASY).score)
    assert explained["start"] == "clues" and len(explained["steps"]) == EASY.count("0")
    left = run("rate", "--json", page, "--start", "entries").pages[0]
    assert (left["start"], left["score"]) == ("entries", 0)


def test_a_half_solved_page_is_rated_as_a_puzzle_with_the_rest_beside_it(run: Run, tmp_path: Path) -> None:
    begun = "".join(
        f"+{digit}" if place < 9 and clue == "0" else clue
        for place, (clue, digit) in enumerate(zip(EASY, SOLVED, strict=True))
    )
    page = tmp_path / "begun.txt"
    page.write_text(f":0000:x:{begun}:::")
    rest = rate(SOLVED[:9] + EASY[9:])
    rated = run("rate", "--json", page).pages[0]
    assert (rated["start"], rated["score"], rated["rest"]) == ("clues", rate(EASY).score, rest.to_dict())
    assert f"; the rest: {rest.name}, score {rest.score}\n" in run("rate", page).out
    for start in ("clues", "entries"):
        assert "rest" not in run("rate", "--json", page, "--start", start).pages[0]
    plain = run("rate", "--json", EASY).pages[0]
    assert plain["start"] == "entries" and "rest" not in plain


def test_a_hint_can_use_pencil_marks_and_names_misleading_ones(run: Run, tmp_path: Path) -> None:
    hard = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"
    marks = ["", "1", "", "19", *[""] * 77]  # the right digits are 1 and 7
    board = json.dumps({"puzzle": hard, "marks": marks})
    plain, marked = run("hint", board), run("hint", "--marks", board, "-o", tmp_path / "hint.png")
    assert "Naked single: " not in plain.out and "marks" not in plain.out
    assert "Your pencil marks are used as the candidates of their cells." in marked.out
    assert "The marks at r1c4 lack the right digit, and are left out here." in marked.out
    assert "r1c2" in marked.out and (tmp_path / "hint.png").exists()
    answer = run("hint", "--marks", "--json", board).pages[0]
    assert answer["lost_marks"] == [3] and answer["marks"][1:4] == ["1", "", ""]
    assert answer["hint"]["placements"] == [[1, 1]]
    assert "There are no pencil marks." in run("hint", "--marks", EASY).out


def test_a_photo_is_shown_before_a_hint(run: Run, photo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for sure, status in ((0.5, 0), (1.1, 1)):
        monkeypatch.setattr("sudoku_vision.vision.decode.confidence.SURE", sure)
        ran = run("hint", photo_file)
        assert ran.status == status
        assert ("The reading may be wrong" in ran.out) == bool(status)
        lines = ran.out.splitlines()
        assert lines[0] == "Read from the picture:"
        digits = [char for line in lines[1:14] for char in line if char.isdigit() or char == "."]
        assert "".join(digits).replace(".", "0") == PUZZLE
        assert run("hint", PUZZLE).out.splitlines()[0] in lines[14:]
    answer = run("hint", "--json", photo_file).pages[0]
    assert (answer["reading"], "The reading may be wrong" in answer["message"]) == ("uncertain", True)


def test_a_hint_is_drawn_into_the_photo(
    run: Run, photo_file: Path, drawing: Drawing, easily_sure: None, tmp_path: Path
) -> None:
    out = tmp_path / "hint.png"
    assert run("hint", photo_file, "-o", out, "--json").pages[0]["output"] == str(out)
    picture, answers = load_photo(out).pixels, tmp_path / "answers.png"
    assert run("solve", photo_file, "-o", answers).status == 0
    height, width = drawing.pixels.shape[:2]
    assert picture.shape[0] > height and picture.shape[1] == width  # its sentence stands below the photo
    picture = picture[:height]

    def inked(pixels: Image) -> float:
        darker = load_photo(photo_file).pixels.astype(int) - pixels
        return float(np.mean(darker.max(axis=2) > 160))  # digits, and no wash

    assert 0 < inked(picture) < 0.2 * inked(load_photo(answers).pixels)


def test_a_hint_for_a_board_in_text_is_drawn_as_far_as_it_is_revealed(run: Run, tmp_path: Path) -> None:
    pictures = []
    for words in ("--tell name", "--tell place", "--tell step", "--next 3"):
        assert run("hint", EASY, *words.split(), "-o", tmp_path / "hint.png").status == 0
        pictures.append(load_photo(tmp_path / "hint.png").pixels.astype(int))
    plain, grid = draw_grid(solved_board(NamedBoard(EASY), "board", 1).grids[0])
    name, place, step, first = (picture[: len(plain)] for picture in pictures)
    assert np.ptp(name, axis=2).max() < 20, "ink, and no colour"
    assert (name - place).any() and (name - place).max() < 160, "washes, and no digit"
    ink = (plain - step).max(axis=2) > 160  # digits, no wash
    crossings = grid.lattice.crossings
    centres = ((crossings[:-1, :-1] + crossings[1:, 1:]).reshape(81, 2) / 2).astype(int)
    inked = {cell for cell, (x, y) in enumerate(centres) if ink[y - 20 : y + 21, x - 20 : x + 21].any()}
    found = hint(EASY)
    assert found is not None and inked <= set(UNITS[found.units[0]]), "the others of it are crossed out"
    assert {cell for cell, _ in found.placements} < inked and not any(int(EASY[cell]) for cell in inked)
    single, several = pictures[2:]
    assert several.shape[0] > 2.9 * single.shape[0] and several.shape[1] == single.shape[1]
    third = several[-single.shape[0] :][: len(plain)]
    filled = sum(len(step.placements) for step in next_steps(EASY, 2))
    assert np.array_equal(first, step) and filled == 2 and (third != step).any()


def test_the_next_steps_go_on_from_one_another(run: Run, tmp_path: Path) -> None:
    board = without_singles(PUZZLE)
    lines = run("hint", "--next", "4", board).out.splitlines()
    assert [line[:3] for line in lines] == ["1. ", "2. ", "3. ", "4. "]
    assert lines[0].endswith(run("hint", board).out.splitlines()[0])
    answer = run("hint", "--next", "4", "--json", board).pages[0]
    assert [line.split(": ", 1)[1] for line in lines] == [step["text"] for step in answer["next"]]
    assert answer["next"][0] == answer["hint"]
    names = run("hint", "--next", "2", "--tell", "name", board).out
    assert len(names.splitlines()) == 2 and ":" not in names
    rest = run("hint", "--next", "9", EASY[:80] + "9").out
    assert len(rest.splitlines()) == 9
    last = run("hint", "--next", "3", SOLVED[:79] + "00").out.splitlines()
    assert len(last) == 3 and last[2] == "That fills the board."


def test_a_hint_whose_candidates_are_already_struck_out_is_not_repeated(run: Run) -> None:
    board = without_singles(PUZZLE)
    given: set[str] = set()
    struck = [""] * 81
    for _ in range(4):
        asked = json.dumps({"puzzle": board, "struck": struck})
        answer = run("hint", "--marks", "--json", asked).pages[0]["hint"]
        if answer["placements"]:
            break
        assert answer["text"] not in given
        given.add(answer["text"])
        for cell, digit in answer["eliminations"]:
            assert str(digit) not in struck[cell]
            struck[cell] += str(digit)
    assert given


@pytest.mark.parametrize("command", ["hint", "explain", "rate"])
def test_answers_about_a_jigsaw_name_its_rules(run: Run, command: str) -> None:
    regions, rules = ("--regions", REGIONS), {"name": "jigsaw", "regions": REGIONS}
    impossible = "33" + JIGSAW[2:]
    for board in (JIGSAW, impossible):
        assert run(command, "--json", board, *regions).pages[0]["rules"] == rules
    assert all("rules" not in run(command, "--json", board).pages[0] for board in (PUZZLE, impossible))


BLANK = 8
NEARLY = SOLVED[:-BLANK] + "0" * BLANK


def test_pages_of_steps_have_the_same_words_as_the_text(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "steps.pdf"
    ran = run("explain", NEARLY, "55" + NEARLY[2:], SOLVED[:-1] + "0", "-o", out)
    assert ran.status == 1 and ran.out.count(f"Written: {out}") == 1, "one file holds the steps of all boards"
    text = " ".join(" ".join(page.words for page in pdf_pages(out.read_bytes(), 10)).split())
    assert f"Solved in {BLANK} steps, by logic alone. Difficulty: easy" in text
    assert text.count("Solved in") == 2
    assert all(step.text in text for step in explain(NEARLY).steps[:3])


def test_a_sheet_of_lines_and_one_of_pixels_hold_all_steps(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "steps.svg", tmp_path / "steps.png"
    assert run("explain", NEARLY, "-o", svg).status == 0
    assert run("explain", NEARLY, "-o", png).status == 0
    assert svg.read_text().count("Full house") == BLANK
    height, width = load_photo(png).pixels.shape[:2]
    assert width == 1240 and height > BLANK * width / 5


def test_a_folder_gets_each_step_and_board(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.output.overlay.step_sheets.STEP_DPI", 20)
    out = tmp_path / "steps"
    assert run("explain", NEARLY, "-o", out).status == 0
    assert [path.name for path in sorted(out.iterdir())] == [f"step-{n:03d}.png" for n in range(1, BLANK + 1)]
    book = tmp_path / "book.txt"
    book.write_text(f"{SOLVED[:79]}00\n{SOLVED[:78]}000\n")
    answer = run("explain", book, "-o", tmp_path / "books", "--json").pages
    names = [str(tmp_path / "books" / f"book-board{number}") for number in (1, 2)]
    assert [one["output"] for one in answer] == names
    assert [len(list(Path(name).iterdir())) for name in names] == [2, 3]


def test_too_many_steps_for_one_picture(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.cli.board_run._MAX_PIXELS", 1e5)
    ran = run("explain", NEARLY, "-o", tmp_path / "steps.png")
    assert ran.status == 1 and "Name a .pdf, or a folder." in ran.err
