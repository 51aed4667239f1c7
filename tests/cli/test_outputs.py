"""Where results go: files, folders and standard output; messages name them."""

import io
import sys
from itertools import islice
from pathlib import Path

import pytest
from conftest import PUZZLE, SOLUTION, Run

from sudoku_vision.output.overlay import step_sheets

pytestmark = pytest.mark.usefixtures("easily_sure")


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("convert -o -", ""),
        ("convert --to line -o bare", "bare"),
        ("convert -o bare", "bare/sudoku.txt"),
        ("convert -o new.d/", "new.d/sudoku.txt"),
        ("convert -o .", "sudoku.txt"),
        ("solve -o bare", "bare/board-solved.png"),
        ("solve -o new.d/", "new.d/board-solved.png"),
    ],
)
def test_the_name_of_the_output_decides_what_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, written: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*call.split(), PUZZLE)
    files = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert (ran.status, files) == (0, [written] if written else [])


@pytest.mark.parametrize(
    "call",
    [
        "solve a.jpg -o a.jpg",
        "check a.jpg -o hard",
        "hint a.jpg -o soft",
        "explain a.jpg -o a.jpg",
        "explain step-001.png -o .",
        "solve 01-photo.jpg --debug-dir .",
        "convert a.txt -o .",
        "puzzles a.txt -o hard",
    ],
)
def test_sources_are_never_overwritten_under_any_name(
    run: Run, tmp_path: Path, photo_file: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.chdir(tmp_path)
    figures = step_sheets.step_figures  # two of sixty steps are enough
    monkeypatch.setattr(step_sheets, "step_figures", lambda sheet: islice(figures(sheet), 2))
    command, source, *words = call.split()
    path = Path("a.jpg" if source == "." else source)
    text = PUZZLE.replace("0", ".").encode()
    path.write_bytes(text if path.suffix == ".txt" else photo_file.read_bytes())
    hard, soft = path.with_stem("hard"), path.with_stem("soft")
    hard.hardlink_to(path)
    soft.symlink_to(path)
    names = {"hard": hard, "soft": soft}
    before = path.read_bytes()
    run(command, source, *(names.get(word, word) for word in words))
    assert [name.read_bytes() for name in (path, hard, soft)] == [before] * 3
    assert soft.is_symlink()


@pytest.mark.parametrize(
    ("command", "source", "begins"),
    [
        ("check", "photo.jpg", b"\x89PNG"),
        ("hint", "photo.jpg", b"\x89PNG"),
        ("explain", f"{SOLUTION[:-2]}00", b"%PDF-"),
    ],
)
def test_a_picture_goes_to_standard_output(
    run: Run, photo_file: Path, monkeypatch: pytest.MonkeyPatch, command: str, source: str, begins: bytes
) -> None:
    monkeypatch.chdir(photo_file.parent)
    binary = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(binary))
    ran = run(command, source, "-o", "-")
    assert binary.getvalue().startswith(begins) and ran.err  # where the text goes


@pytest.mark.skipif(sys.platform == "win32", reason="no file can be called so there")
def test_control_characters_in_names_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b]0;title\x07\u202e.txt"
    path.write_text(f"{PUZZLE}\n{PUZZLE}\n")
    (tmp_path / "b\x1b[2J.txt").write_text("nothing")
    for command in ("solve", "rate", "hint"):
        ran = run(command, path, tmp_path / "b\x1b[2J.txt")
        assert not {"\x1b", "\x07", "\u202e"} & set(ran.out + ran.err)
        assert r"a\x1b]0;title\x07\u202e.txt" in ran.out
        assert r"b\x1b[2J.txt: this is not a picture" in ran.err
