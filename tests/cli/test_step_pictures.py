"""``explain -o`` draws the steps: pages, a long sheet, or a folder with a picture a step."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PUZZLE, Run

from sudoku_vision.sudoku.logic import explain
from sudoku_vision.vision.load import load_photo

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
NEARLY = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = "55" + EASY[2:]


def text_of(path: Path) -> str:
    pypdfium2 = pytest.importorskip("pypdfium2", reason="the extra formats is not installed")
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]
    return " ".join(" ".join(pages).split())


def test_steps_are_drawn_on_pages_that_say_what_the_text_says(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "steps.pdf"
    ran = run("explain", EASY, "-o", out)
    assert ran.status == 0 and ran.out.endswith(f"Written: {out}\n")
    text = text_of(out)
    assert f"Solved in {EASY.count('0')} steps, by logic alone. Difficulty: easy" in text
    assert all(step.text in text for step in explain(EASY).steps[:3])


def test_a_sheet_of_lines_and_one_of_pixels_hold_all_steps(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "steps.svg", tmp_path / "steps.png"
    assert run("explain", EASY, "-o", svg).status == 0
    assert run("explain", EASY, "-o", png).status == 0
    assert svg.read_text().count("fits only in") == sum(
        "fits only in" in step.text for step in explain(EASY).steps
    )
    height, width = load_photo(png).pixels.shape[:2]
    assert width == 1240 and height > 10 * width


def test_a_folder_gets_a_picture_a_step_and_one_within_it_for_each_of_several_boards(
    run: Run, tmp_path: Path, photo_file: Path, easily_sure: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_vision.output.overlay.step_sheets.STEP_DPI", 20)  # sixty pictures, small ones
    out = tmp_path / "steps"
    assert run("explain", photo_file, "-o", out).status == 0
    count = len(explain(PUZZLE).steps)
    assert [path.name for path in sorted(out.iterdir())] == [f"step-{n:03d}.png" for n in range(1, count + 1)]
    book = tmp_path / "book.txt"
    book.write_text(f"{NEARLY[:79]}00\n{NEARLY[:78]}000\n")
    told = run("explain", book, "-o", tmp_path / "books", "--json").pages
    names = [str(tmp_path / "books" / f"book-board{number}") for number in (1, 2)]
    assert [one["output"] for one in told] == names
    assert [len(list(Path(name).iterdir())) for name in names] == [2, 3]


def test_a_file_holds_the_steps_of_all_boards(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "both.pdf"
    ran = run("explain", EASY, CLASH, PUZZLE, "-o", out)
    assert ran.status == 1 and ran.out.count(f"Written: {out}") == 1
    assert text_of(out).count("Solved in") == 2


def test_what_can_not_be_written_is_said_before_any_work(
    run: Run, tmp_path: Path, photo_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for out, said in [
        (tmp_path / "steps.doc", "the ending '.doc' is unknown"),
        (tmp_path / "no" / "steps.pdf", "its folder does not exist"),
        (photo_file, "overwrite the file that is read"),
    ]:
        ran = run("explain", photo_file, "-o", out)
        assert ran.status != 0 and said in ran.err and not ran.out
    ran = run("explain", EASY, "-o", "-", "--json")
    assert ran.status == 2 and "can't take both" in ran.err
    monkeypatch.setattr("sudoku_vision.cli.explain._MOST_PIXELS", 1e6)
    ran = run("explain", EASY, "-o", tmp_path / "steps.png")
    assert ran.status == 1 and "Name a .pdf, or a folder." in ran.err
