"""The command line, end to end: exit status, JSON, messages, and every kind of bad input."""

import json
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, Run, board, png_header
from examples import JIGSAW, REGIONS
from pdf_pages import pdf_pages
from PIL import Image as Pillow

from sudoku_vision import pipeline
from sudoku_vision.cli import main
from sudoku_vision.errors import SaveError
from sudoku_vision.output.save import save
from sudoku_vision.page import Page
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.results import Doubt, Photo, Reading
from workshop.rendering import Drawing

pytestmark = pytest.mark.usefixtures("easily_sure")


@pytest.fixture
def empty_page(tmp_path: Path, no_sudoku: Drawing) -> Path:
    path = tmp_path / "table.png"
    save(path, no_sudoku.pixels)
    return path


def test_a_solved_photo_prints_its_puzzle_and_solution_and_exits_with_0(run: Run, photo_file: Path) -> None:
    ran = run("solve", photo_file)
    assert (ran.status, ran.err) == (0, "")
    assert "solved" in ran.out and "├───────┼───────┼───────┤" in ran.out
    assert "│ 4 . . │ . . . │ 8 . 5 │   │ 4 1 7 │ 3 6 9 │ 8 2 5 │" in ran.out


def test_json_is_as_promised(run: Run, photo_file: Path) -> None:
    ran = run("solve", "--json", photo_file, PUZZLE)
    page, typed = ran.pages
    assert ran.status == 0
    assert list(page) == list(typed) == ["source", "page", "status", "message", "grids", "output", "seconds"]
    assert (page["source"], page["page"], page["status"]) == (str(photo_file), 1, "solved")
    assert page["message"] == ""
    assert 0 < page["seconds"] < 10
    (grid,) = page["grids"]
    keys = ["status", "corners", "puzzle", "written", "solution", "marks", "confidence"]
    assert list(grid) == [*keys, "entries", "repaired", "doubts"]
    assert (grid["puzzle"], grid["solution"], grid["written"]) == (PUZZLE, SOLUTION, "0" * 81)
    assert np.array(grid["corners"]).shape == (4, 2)
    assert 0.99 < grid["confidence"] <= 1
    assert grid["marks"] == [""] * 81
    assert grid["entries"] == grid["repaired"] == grid["doubts"] == []
    in_text = {"corners": None, "confidence": typed["grids"][0]["confidence"]}
    assert typed["source"] == PUZZLE and list(typed["grids"][0].items()) == list((grid | in_text).items())


def test_a_program_without_standard_input_has_nothing_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["sudoku-vision", "solve", "-"])
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit, match="3"):
        main()


def test_a_picture_without_sudoku_is_no_grid_and_1(run: Run, empty_page: Path, tmp_path: Path) -> None:
    ran = run("solve", "--json", empty_page, "-o", tmp_path / "out.png")
    assert ran.status == 1
    assert (ran.pages[0]["status"], ran.pages[0]["grids"]) == ("no_grid", [])
    assert ran.pages[0]["message"]
    assert not (tmp_path / "out.png").exists()
    assert "no grid" in run("solve", empty_page).out
    assert "give its corners with --corners" in ran.pages[0]["message"]


def test_a_folder_is_solved_into_a_folder(run: Run, photo_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    for name in ("a.jpg", "b.jpg"):
        (folder / name).write_bytes(photo_file.read_bytes())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.jpg").write_bytes(photo_file.read_bytes())
    ran = run("solve", "--json", folder, tmp_path / "other" / "*.jpg", "-o", tmp_path / "out")
    assert ran.status == 0
    assert [Path(page["source"]).name for page in ran.pages] == ["a.jpg", "b.jpg", "a.jpg"]
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["a-solved-2.jpg", "a-solved.jpg", "b-solved.jpg"]


def test_debug_pictures_are_numbered(run: Run, photo_file: Path, tmp_path: Path) -> None:
    assert run("solve", photo_file, "--debug-dir", tmp_path / "debug").status == 0
    names = sorted(path.name for path in (tmp_path / "debug").iterdir())
    assert names[0] == "01-photo.jpg"
    assert len(names) >= 5
    assert {name[3:-4] for name in names} >= {"photo", "lattice", "cells", "reading", "overlay"}
    assert [int(name[:2]) for name in names] == list(range(1, len(names) + 1))
    assert run("solve", photo_file, photo_file, "--debug-dir", tmp_path / "two").status == 0
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["photo", "photo-2"]


def test_each_bad_input_gets_one_line_and_stops_nothing(run: Run, photo_file: Path, tmp_path: Path) -> None:
    data = {
        "text.jpg": b"Dear reader",
        "cut.jpg": photo_file.read_bytes()[:9000],
        "empty.png": b"",
        "huge.png": png_header(20_000, 10_000),
    }
    bad = {
        **{"missing.jpg": "no such file", "bare": "holds no pictures", "*.bmp": "no file matches"},
        **dict(zip(data, ("not a picture", "truncated", "empty", "--max-megapixels"), strict=True)),
    }
    folder = tmp_path / "bad"
    (folder / "bare").mkdir(parents=True)
    for name, content in data.items():
        (folder / name).write_bytes(content)
    ran = run("solve", "--json", *(folder / name for name in bad), photo_file)
    assert ran.status == 1
    assert [page["status"] for page in ran.pages] == ["error"] * len(bad) + ["solved"]
    *lines, closing = ran.err.splitlines()
    assert len(lines) == len(bad)
    assert "8 pictures: 1 solved, 7 not opened" in closing  # for a folder is among them
    for line, page, (name, words) in zip(lines, ran.pages, bad.items(), strict=False):
        assert line == f"sudoku-vision: {page['message']}"
        assert words in line and line.count(". ") >= 1
        assert page["source"] == str(folder / name)


def test_an_internal_error_affects_one_picture_only(
    run: Run, photo_file: Path, empty_page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(str(photo_file), 1, "solved", "", (), 0.01)
    monkeypatch.setattr(pipeline, "read_page", Mock(side_effect=[ZeroDivisionError("oh"), page]))
    ran = run("solve", "--json", empty_page, photo_file)
    assert ran.status == 1
    assert [page["status"] for page in ran.pages] == ["error", "solved"]
    assert "ZeroDivisionError: oh" in ran.err


def uncertain_page(photo: Photo, *, grids: int = 1, **_: Any) -> Page:
    """A page whose grids are read with two doubts each."""
    doubts = (Doubt(22, (8, 3), (0.61, 0.35)), Doubt(27, (0, 7), (0.9, 0.1)))
    reading = Reading(board(PUZZLE), board("0" * 81), board(SOLUTION), 1, 0.6, doubts=doubts)
    grid = Grid("uncertain", NO_PLACE, reading)
    return Page(photo.source, photo.page, "uncertain", "Please check.", (grid,) * grids, 0.01)


def test_cells_in_doubt_can_be_settled(run: Run, photo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_vision.pipeline.read_page", uncertain_page)
    ran = run("solve", photo_file)
    assert ran.status == 1
    assert "r3c5: 8 (61 %) or 3 (35 %)\n" in ran.out
    assert "r4c1: blank (90 %) or 7 (10 %)\n" in ran.out
    assert '--overrides "r3c5=8,r4c1=blank"' in ran.out
    first, second = run("solve", "--json", photo_file).pages[0]["grids"][0]["doubts"]
    place = {"cell": 22, "row": 3, "column": 5, "kind": "clue"}
    assert first == {**place, "digits": [8, 3], "probabilities": [0.61, 0.35]}
    assert (second["cell"], second["digits"]) == (27, [0, 7])


def test_entries_have_their_own_doubts(run: Run, photo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two right entries, a wrong one and an unclear one; it is unclear whether another digit is a clue."""
    solution, blanks = board(SOLUTION).ravel(), np.flatnonzero(board(PUZZLE).ravel() == 0)
    written = np.zeros(81, np.int8)
    written[blanks[:4]] = [*solution[blanks[:2]], *(solution[blanks[2:4]] % 9 + 1)]
    unclear, read = int(blanks[3]), int(written[blanks[3]])
    doubts = (
        Doubt(0, (4, 0), (0.8, 0.2), entry=4, kind="role"),
        Doubt(unclear, (read, 0), (0.6, 0.4), entry=read, kind="entry"),
    )
    reading = Reading(
        board(PUZZLE), written.reshape(9, 9), board(SOLUTION), 1, 0.998, doubts=doubts, unclear=(unclear,)
    )

    def solved_page(photo: Photo, **_: Any) -> Page:
        grid = Grid("solved", NO_PLACE, reading)
        return Page(photo.source, photo.page, "solved", "", (grid,), 0.01)

    monkeypatch.setattr("sudoku_vision.pipeline.read_page", solved_page)
    ran = run("solve", photo_file)
    assert ran.status == 0
    assert "solved, confidence of the clues 0.998; 2 of 4 entries right, 1 not clear\n" in ran.out
    wrong = int(blanks[2])
    assert f"  Wrong: {written[wrong]} at r{wrong // 9 + 1}c{wrong % 9 + 1}\n" in ran.out
    place = f"r{unclear // 9 + 1}c{unclear % 9 + 1}"
    assert "  Clue or not, the answer is the same:\n    r1c1: 4 (80 %) or written (20 %)\n" in ran.out
    assert f"  Entries in doubt:\n    {place}: looks like {read} (60 %) or blank (40 %)\n" in ran.out
    assert f'--overrides "r1c1=4,{place}=w{read}"' in ran.out


@pytest.fixture
def document(tmp_path: Path, drawing: Drawing) -> Path:
    """A TIFF of a page with one puzzle, and one with the same twice, in reading order."""
    one, path = np.ascontiguousarray(drawing.pixels[..., ::-1]), tmp_path / "pages.tif"
    two = Pillow.fromarray(np.concatenate([one, one], axis=1))
    Pillow.fromarray(one).save(path, save_all=True, append_images=[two])
    return path


@pytest.mark.parametrize("command", ["solve", "check"])
def test_the_way_to_settle_a_doubt_names_picture_page_and_grid_where_needed(
    run: Run, photo_file: Path, document: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def hints(*paths: object) -> list[str]:
        lines = run(command, *paths).out.splitlines()
        return [line.split("for example: ")[1] for line in lines if "for example: " in line]

    cells = "r3c5=8,r4c1=blank"
    monkeypatch.setattr("sudoku_vision.pipeline.read_page", uncertain_page)
    assert hints(photo_file) == [f'--overrides "{cells}"']
    assert hints(document) == [f'--page {page} --overrides "{cells}"' for page in (1, 2)]
    assert hints(document, "--page", 2) == [f'--page 2 --overrides "{cells}"']
    assert hints(photo_file, photo_file)[0] == f'sudoku-vision {command} {photo_file} --overrides "{cells}"'
    monkeypatch.setattr("sudoku_vision.pipeline.read_page", lambda photo, **_: uncertain_page(photo, grids=2))
    assert hints(photo_file) == [f'--overrides "{grid}:{cells}"' for grid in (1, 2)]
    message = hints(photo_file, "--overrides", "2:r1c1=4")
    assert message == [f'--overrides "2:r1c1=4,{grid}:{cells}"' for grid in (1, 2)]
    assert hints(photo_file, "--overrides", "r1c1=4")[0] == f'--overrides "1:r1c1=4,1:{cells}"'


def test_overrides_go_to_the_page_and_the_grid_that_they_name(run: Run, document: Path) -> None:
    for overrides, puzzles in (
        ("2:r1c1=blank,r1c2=1", [PUZZLE, "01" + PUZZLE[2:]]),
        ("2:r1c2=1,1:r1c1=blank", ["0" + PUZZLE[1:], "41" + PUZZLE[2:]]),
    ):
        (page,) = run("solve", "--json", document, "--page", 2, "--overrides", overrides).pages
        assert (page["page"], [grid["puzzle"] for grid in page["grids"]]) == (2, puzzles)


def test_a_missing_page_is_reported_and_stops_nothing(run: Run, photo_file: Path, document: Path) -> None:
    ran = run("solve", "--json", photo_file, document, "--page", 2)
    assert ran.status == 1
    assert [(page["page"], page["status"]) for page in ran.pages] == [(2, "error"), (2, "solved")]
    assert "there is no page 2, pages here: 1." in ran.err
    assert run("solve", document, "--page", 3).status == 3


def test_corners_are_taken_at_their_word(run: Run, photo_file: Path, drawing: Drawing) -> None:
    corners = drawing.grids[0].lattice.corners
    words = ",".join(f"{number:.0f}" for number in corners.ravel())
    (page,) = run("solve", "--json", photo_file, "--corners", words).pages
    assert page["grids"][0]["puzzle"] == PUZZLE
    assert np.abs(np.array(page["grids"][0]["corners"]) - corners).max() < 3


@pytest.mark.parametrize(
    ("source", "ending"), [("board", ".pdf"), ("board", ".svg"), ("photo", ".svg"), ("board", ".png")]
)
def test_boards_are_set_afresh(run: Run, tmp_path: Path, photo_file: Path, source: str, ending: str) -> None:
    out = tmp_path / f"clean{ending}"
    ran = run("solve", PUZZLE if source == "board" else photo_file, "-o", out, "--json")
    assert (ran.status, ran.pages[0]["output"]) == (0, str(out))
    data = out.read_bytes()
    if ending == ".svg":
        assert data.count(b"<text") == 81 and b"<image" not in data
        return
    assert ending == ".png" or (b"/Subtype/Image" not in data and len(data) < 20_000)
    pytest.importorskip("pypdfium2")
    expect_answers(run("solve", "--json", out).pages[0]["grids"][0])


def expect_answers(grid: dict[str, Any]) -> None:
    """The clues of a printed puzzle are its clues, and its answers its entries."""
    assert grid["puzzle"] == PUZZLE
    read = zip(grid["puzzle"], grid["written"], strict=True)
    assert "".join(str(int(clue) + int(answer)) for clue, answer in read) == SOLUTION


def test_a_pdf_gets_its_answers_on_its_own_pages(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    from sudoku_vision.output.drawing.figure import Figure, Text
    from sudoku_vision.output.drawing.pdf_files import pdf
    from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
    from sudoku_vision.output.drawing.puzzle_pages import PageStyle, page_figures

    book, out = tmp_path / "book.pdf", tmp_path / "solved.pdf"
    (puzzles,) = page_figures([PrintablePuzzle(board(PUZZLE))] * 2, PageStyle("a5", 2, title="Sunday"))
    book.write_bytes(pdf([Figure(210, 297, [Text("No puzzle here", (20, 40), 8)]), puzzles, puzzles]))
    answer = run("solve", book, "-o", out, "--json").pages
    assert [page["output"] for page in answer] == [None, str(out), str(out)]
    before, after = (pdf_pages(path.read_bytes(), 10) for path in (book, out))
    assert [(page.size, page.words) for page in after] == [(page.size, page.words) for page in before]
    again = run("solve", out, "--json").pages
    assert [page["status"] for page in again] == ["no_grid", "solved", "solved"]
    for grid in (grid for page in again for grid in page["grids"]):
        expect_answers(grid)


def test_a_pdf_that_can_not_be_written_into_is_reported_and_counted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, photo_file: Path
) -> None:
    pytest.importorskip("pypdfium2")
    fail = Mock(side_effect=SaveError("book.pdf: it can't be written into.", "Name a folder."))
    monkeypatch.setattr("sudoku_vision.output.drawing.pdf_files.stamp_pdf", fail)
    assert run("check", photo_file, "-o", tmp_path / "book.pdf").status == 0
    ran = run("solve", tmp_path / "book.pdf", "-o", tmp_path / "solved.pdf")
    assert ran.status == 1
    assert "can't be written into" in ran.err
    assert not (tmp_path / "solved.pdf").exists()


def test_a_jigsaw_in_text_is_solved_by_its_regions(run: Run, tmp_path: Path) -> None:
    ran = run("solve", "--json", JIGSAW, "--regions", REGIONS)
    (grid,) = ran.pages[0]["grids"]
    rules = {"name": "jigsaw", "regions": REGIONS}
    assert (ran.status, grid["status"], grid["rules"]) == (0, "solved", rules)
    book = tmp_path / "book.jsonl"
    book.write_text(json.dumps({"puzzle": JIGSAW, "rules": rules}))
    assert "├───────┐   ┌───┐   ┌───┴───┘   │   │" in run("solve", book).out
    assert run("solve", JIGSAW).status == 1
