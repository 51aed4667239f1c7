"""Where results go: files, folders, standard output, and that they are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PUZZLE, Run

from sudoku_vision.cli.outputs import Target, find_target
from sudoku_vision.errors import SaveError, UsageError
from sudoku_vision.vision.load import load_photo

pytestmark = pytest.mark.usefixtures("easily_sure")


@pytest.mark.parametrize(
    ("out", "bare_is_folder", "target"),
    [
        (None, True, Target()),
        ("-", True, Target(is_standard_output=True)),
        ("a.png", True, Target(Path("a.png"), is_file=True)),
        ("bare", True, Target(Path("bare"), is_folder=True)),
        ("bare", False, Target(Path("bare"), is_file=True)),
        ("new.d/", False, Target(Path("new.d/"), is_folder=True)),
        (".", False, Target(Path(), is_folder=True)),
    ],
)
def test_what_the_output_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str | None, bare_is_folder: bool, target: Target
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_target(out, bare_is_folder=bare_is_folder) == target
    assert not list(tmp_path.iterdir())


def test_what_is_read_is_never_overwritten_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(PUZZLE)
    with pytest.raises(UsageError, match="would overwrite the list itself"):
        find_target(f"../{tmp_path.name}/a.txt", ["a.txt"], noun="list")
    with pytest.raises(SaveError, match="is a folder"):
        find_target(str(tmp_path), folders=False)


@pytest.mark.parametrize("command", ["solve", "check", "hint"])
def test_what_was_written_is_named(run: Run, photo_file: Path, tmp_path: Path, command: str) -> None:
    suffix = {"solve": "solved", "check": "checked", "hint": "hint"}[command]
    written = tmp_path / "out" / f"photo-{suffix}.jpg"
    ran = run(command, photo_file, "-o", tmp_path / "out")  # a bare name is a folder
    assert ran.status == 0
    assert f"Written: {written}\n" in ran.out
    (height, width, _), (before, wide, _) = (load_photo(path).pixels.shape for path in (written, photo_file))
    assert width == wide and (height > before if command == "hint" else height == before)  # its sentence
    (told,) = run(command, photo_file, "-o", written.with_name("one.png"), "--json").pages
    assert told["output"] == str(written.with_name("one.png"))
    (told,) = run(command, photo_file, "--json").pages
    assert told["output"] is None


@pytest.mark.parametrize(
    ("command", "begins"), [("check", b"\x89PNG"), ("hint", b"\x89PNG"), ("explain", b"%PDF-")]
)
def test_a_picture_goes_to_standard_output(photo_file: Path, command: str, begins: bytes) -> None:
    call = [sys.executable, "-m", "sudoku_vision", command, str(photo_file), "-o", "-"]
    done = subprocess.run(call, capture_output=True, check=False)
    assert done.returncode in (0, 1)
    assert done.stdout.startswith(begins)
    assert done.stderr  # where the text goes


def test_standard_output_takes_one_picture_and_no_json_beside_it(run: Run, photo_file: Path) -> None:
    for wrong in ([photo_file, photo_file, "-o", "-"], [photo_file, "-o", "-", "--json"]):
        ran = run("solve", *wrong)
        assert (ran.status, ran.out) == (2, "")


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
