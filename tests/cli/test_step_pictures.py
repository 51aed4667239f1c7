"""``explain -o`` draws the steps: pages, a long sheet, or a folder with a picture a step."""

from pathlib import Path

import pytest
from conftest import Run
from test_answers import SOLVED

from sudoku_vision.sudoku.logic import explain
from sudoku_vision.vision.load import load_photo

BLANK = 8
NEARLY = SOLVED[:-BLANK] + "0" * BLANK
CLASH = "55" + NEARLY[2:]


def text_of(path: Path) -> str:
    pypdfium2 = pytest.importorskip("pypdfium2", reason="the extra formats is not installed")
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]
    return " ".join(" ".join(pages).split())


def test_steps_are_drawn_on_pages_that_say_what_the_text_says(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "steps.pdf"
    ran = run("explain", NEARLY, CLASH, SOLVED[:-1] + "0", "-o", out)
    assert ran.status == 1 and ran.out.count(f"Written: {out}") == 1, "one file holds the steps of all boards"
    text = text_of(out)
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


def test_a_folder_gets_a_picture_a_step_and_one_within_it_for_each_of_several_boards(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_more_steps_than_a_picture_holds_go_to_pages(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.cli.explain._MAX_PIXELS", 1e5)
    ran = run("explain", NEARLY, "-o", tmp_path / "steps.png")
    assert ran.status == 1 and "Name a .pdf, or a folder." in ran.err
