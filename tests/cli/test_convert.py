"""``sudoku-vision convert``, links from ``solve``, and the ways to name boards on the command line."""

import json
from pathlib import Path

import pytest
from conftest import PUZZLE, SOLUTION, Run
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_solve import uncertain_page

from sudoku_vision.sudoku.board import NO_MARKS
from sudoku_vision.sudoku.formats import (
    FORMATS,
    SITES,
    NamedBoard,
    link,
    read_boards,
    write_board,
    write_boards,
)
from sudoku_vision.sudoku.rules import CLASSIC

DOTS = PUZZLE.replace("0", ".")
pytestmark = pytest.mark.usefixtures("easily_sure")


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture shows one puzzle that may be read wrongly."""
    monkeypatch.setattr("sudoku_vision.pipeline.read_page", uncertain_page)


@pytest.mark.parametrize("name", [*FORMATS, *SITES])
def test_a_board_is_converted_into_every_format_and_back(run: Run, tmp_path: Path, name: str) -> None:
    ran = run("convert", DOTS, "--to", name)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == write_board(DOTS, name)
    file = tmp_path / "board"
    file.write_text(ran.out, encoding="utf-8")
    assert run("convert", file).out == f"{PUZZLE}\n"


def test_the_ending_of_the_output_chooses_the_format(run: Run, tmp_path: Path) -> None:
    for name, form in FORMATS.items():
        for ending in form.endings:
            out = tmp_path / f"board{ending}"
            assert run("convert", DOTS, "-o", out).status == 0
            assert out.read_text(encoding="utf-8") == write_board(DOTS, name)


def test_several_boards_go_into_one_file_or_a_folder(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "all.csv"
    assert run("convert", PUZZLE, SOLUTION, "-o", out).status == 0
    assert len(read_boards(out.read_bytes())) == 2
    for where in ((), ("-o", tmp_path / "two.sdk")):
        ran = run("convert", PUZZLE, SOLUTION, "--to", "sdk", *where)
        assert (ran.status, ran.out) == (2, "") and "can't hold 2 boards" in ran.err
    assert not (tmp_path / "two.sdk").exists()
    boards = [NamedBoard(PUZZLE, name="A/b c"), NamedBoard(SOLUTION), NamedBoard(PUZZLE)]
    book = tmp_path / "book.jsonl"
    book.write_text(write_boards(boards, "jsonl"))
    ran = run("convert", book, "--to", "sdk", "-o", f"{tmp_path / 'out'}/")
    assert (ran.status, ran.out, ran.err) == (0, f"Written: {tmp_path / 'out'}/\n", "")
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == ["A-b-c.sdk", "book-2.sdk", "book.sdk"]
    assert read_boards(files[0].read_bytes()) == [NamedBoard(PUZZLE, name="A/b c")]


def test_one_bad_input_never_stops_the_rest(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text(f"{PUZZLE}\n{PUZZLE[:-1]}\n")
    ran = run("convert", broken, tmp_path / "none.txt", PUZZLE)
    assert (ran.status, ran.out) == (1, f"{PUZZLE}\n")
    assert f"{broken}: line 2: a board has 81 cells, this one has 80" in ran.err
    assert "none.txt: there is no such file" in ran.err


def test_digits_that_a_format_can_not_tell_from_clues_are_left_out_with_a_message(run: Run) -> None:
    hodoku = f":0000:x:+1{DOTS[1:]}:::"
    ran = run("convert", hodoku)
    assert ran.out == "0" + PUZZLE[1:] + "\n"
    assert "one board are left out: line can't tell them" in ran.err
    assert run("convert", hodoku, "--to", "hodoku").err == ""


def test_pencil_marks_go_to_the_formats_that_have_a_place_for_them(run: Run) -> None:
    marks = ["" if digit != "0" else "28" for digit in PUZZLE]
    answer = json.dumps({"puzzle": PUZZLE, "marks": marks})
    assert json.loads(run("convert", answer, "--to", "jsonl").out)["marks"] == marks
    (board,) = read_boards(run("convert", answer, "--to", "sudokuwiki.org").out)
    assert board.marks[PUZZLE.index("0")] == {2, 8}
    assert "pencil marks of one board are left out: line has no place for them" in run("convert", answer).err
    ran = run("solve", answer, "--link", "sudokuwiki.org")
    assert "?bd=S9B" in ran.out


def test_all_candidates_are_noted_where_there_is_a_place_for_them(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "game.opensudoku"
    assert run("convert", PUZZLE, "-o", str(output), "--fill-marks").status == 0
    (board,) = read_boards(output.read_bytes())
    for cell, digit in enumerate(map(int, PUZZLE)):
        seen = {int(PUZZLE[peer]) for peer in CLASSIC.peers[cell]}
        assert board.marks[cell] == (set() if digit else set(range(1, 10)) - seen)


@pytest.mark.usefixtures("unsure")
def test_an_uncertain_reading_is_converted_with_a_caution(run: Run, photo_file: Path) -> None:
    ran = run("convert", photo_file)
    assert (ran.status, ran.out) == (1, f"{PUZZLE}\n")
    call = '--overrides "r3c5=8,r4c1=blank"'
    assert f"Look at r3c5, r4c1, and say what is printed there, as in: {call}" in ran.err


# Links and text in solve


@pytest.mark.parametrize("site", SITES)
def test_solve_prints_the_link_of_a_picture(run: Run, photo_file: Path, site: str) -> None:
    ran = run("solve", photo_file, "--link", site)
    assert (ran.status, ran.err) == (0, "")
    assert link(PUZZLE, site) in ran.out.split()
    assert "│ 4 . . │" in ran.out
    (page,) = run("solve", photo_file, "--json", "--link", site).pages
    assert page["grids"][0]["link"] == link(PUZZLE, site)


@pytest.mark.usefixtures("unsure")
def test_the_link_of_an_uncertain_reading_comes_with_a_caution(run: Run, photo_file: Path) -> None:
    ran = run("solve", photo_file, "--link", "sudoku.coach")
    assert link(PUZZLE, "sudoku.coach") in ran.out
    assert "look at the clues before you use the link" in ran.err
    assert "before you use" in run("solve", photo_file, "--link", "sudoku.coach", "--json").err


def test_solve_takes_boards_in_text_as_pages(run: Run, tmp_path: Path, photo_file: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(f"{PUZZLE}\n{'0' * 81}\n")
    ran = run("solve", file, "--link", "sudoku.coach")
    assert ran.status == 1
    assert f"{file}, board 1: solved" in ran.out and f"{file}, board 2: many solutions" in ran.out
    assert "4 1 7 │ 3 6 9 │ 8 2 5" in ran.out and link(PUZZLE, "sudoku.coach") in ran.out
    ran = run("solve", PUZZLE, photo_file)
    assert (ran.status, ran.err, ran.out.count("solved, confidence")) == (0, "", 1)
    clash = run("solve", f"55{PUZZLE[2:]}")
    assert clash.status == 1 and "stands twice: look at r1c1, r1c2" in clash.out
    (page,) = run("solve", file, "--page", 2, "--json").pages
    assert (page["page"], page["status"]) == (2, "many_solutions")
    ran = run("solve", file, "--page", 3)
    assert (ran.status, ran.out) == (3, "") and "there is no board 3, boards here: 2" in ran.err


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=200))  # no argument has a NUL
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@example("[" * 300)
def test_any_argument_is_boards_or_gives_an_error_of_this_package(run: Run, argument: str) -> None:
    ran = run("convert", "--", argument)
    assert ran.status in (0, 1, 2, 3)
    assert ran.out if ran.status < 2 else ran.err.count("\n") == 1 and "failed inside" not in ran.err


MARKED = (*NO_MARKS[:3], frozenset({2, 9}), *NO_MARKS[4:])
BEGUN = NamedBoard(PUZZLE, placed="01" + "0" * 79, name="For Sunday", marks=MARKED)


@pytest.mark.parametrize("name", ["mine.pdf", "mine.png"])
def test_a_begun_board_is_printed_with_its_entries_and_marks(run: Run, tmp_path: Path, name: str) -> None:
    if name == "mine.pdf":
        pytest.importorskip("pypdfium2")
    source, out = tmp_path / "begun.sdk", tmp_path / name
    source.write_text(write_boards([BEGUN], "sdk"))
    ran = run("convert", source, "-o", out)
    assert (ran.status, ran.out, ran.err) == (0, f"Written: {out}\n", "")
    (grid,) = run("solve", "--json", out).pages[0]["grids"]
    read = zip(grid["puzzle"], grid["written"], strict=True)  # which is which is another matter
    assert [int(clue) + int(entry) for clue, entry in read] == (BEGUN.clues + BEGUN.placed).ravel().tolist()
    assert grid["marks"][3] == "29"


def test_several_boards_become_pages_or_numbered_pictures(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    pytest.importorskip("segno")
    lists = tmp_path / "two.sdm"
    lists.write_text(f"{PUZZLE}\n{SOLUTION[:40]}{'0' * 41}\n")
    pages = ("--per-page", 1, "--paper", "a5", "--title", "Mine", "--qr", "sudoku.coach")
    assert run("convert", lists, "-o", tmp_path / "two.pdf", *pages).status == 0
    answer = run("solve", "--json", tmp_path / "two.pdf").pages
    assert [grid["puzzle"] for page in answer for grid in page["grids"]] == lists.read_text().split()
    assert run("convert", lists, "-o", tmp_path / "two.svg").status == 0
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["two-1.svg", "two-2.svg"]


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_a_folder_gets_a_file_of_each_board(run: Run, tmp_path: Path, kind: str) -> None:
    lists = tmp_path / "two.sdm"
    lists.write_text(f"{PUZZLE}\n{SOLUTION}\n")
    assert run("convert", lists, "--to", kind, "-o", f"{tmp_path}/out/").status == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [f"two-2.{kind}", f"two.{kind}"]
