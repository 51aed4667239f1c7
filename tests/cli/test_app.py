"""The application: help, a user's mistakes in plain words, and nothing heavier imported than is needed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PUZZLE, Run

NOT_NEEDED = (
    "PIL",  # other kinds of pictures
    "multiprocessing",  # several at a time, and PDF
    "pydantic",  # values that aren't texts
    "rich",  # help
    "scipy",
    "sklearn",  # training
    "ssl",
    "sudoku_vision.workshop.evaluation",
    "sudoku_vision.sudoku.generator",
    "sudoku_vision.sudoku.logic",  # hints
    "sudoku_vision.workshop.rendering",
    "sudoku_vision.workshop.training",
    "sudoku_vision.web",
    "typst",  # printing
    "xml",  # boards as XML
)
"""Modules that take long to load, and what they are for."""

COMMANDS = ("solve", "check", "live", "hint", "explain", "rate", "puzzles", "generate", "convert")


def loaded_after(*arguments: str) -> set[str]:
    """The modules that are loaded when a command has run, in a process of its own."""
    code = (
        "import sys; from sudoku_vision.cli import main\n"
        f"sys.argv = {['sudoku-vision', *arguments]!r}\n"
        "try:\n    main()\n"
        "finally:\n    print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return set(ran.stderr.splitlines()[-1].split())


def test_solving_a_photo_loads_nothing_else(photo_file: Path) -> None:
    assert not loaded_after("solve", str(photo_file)) & set(NOT_NEEDED)


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "PHOTO", "-o", "OUT/a.png"),
        ("solve", "PHOTO", "--debug-dir", "OUT/stages"),
        ("check", "PHOTO", "-o", "OUT/a.png"),
        ("hint", "PHOTO", "-o", "OUT/a.png"),
        ("explain", "PHOTO"),
        ("convert", "PHOTO", "--to", "f-puzzles"),
        ("puzzles", PUZZLE),
        ("generate", "--clues", "35", "-o", "OUT/a.pdf", "--solutions"),
        ("live", "--source", "OUT/none.mp4", "--headless"),
    ],
    ids=lambda words: words[0],
)
def test_no_command_imports_what_only_training_needs(
    tmp_path: Path, photo_file: Path, arguments: tuple[str, ...]
) -> None:
    typed = [word.replace("PHOTO", str(photo_file)).replace("OUT", str(tmp_path)) for word in arguments]
    loaded = loaded_after(*typed)
    assert "sudoku_vision.cli.app" in loaded
    assert not {name.split(".")[0] for name in loaded} & {"sklearn", "scipy"}
    assert not [name for name in loaded if name.startswith("sudoku_vision.workshop")]


def test_help_imports_neither_numpy_nor_opencv() -> None:
    for arguments in (["--help"], ["solve", "--help"], ["solve", "--page", "0", "x"]):
        assert not loaded_after(*arguments) & {"numpy", "cv2", "PIL"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "x", "--page", "0"), "Invalid value for '--page'"),
        (("solve", "x", "--jobs", "1.5"), "Invalid value for '--jobs'"),
        (("solve", "x", "--max-megapixels", "many"), "Invalid value for '--max-megapixels'"),
        (("hint", PUZZLE, "--tell", "all"), "'all' is not one of 'name', 'place', 'step'."),
        (("solve",), "Missing argument 'INPUT'"),
        (("solve", "x", "--jason"), "--json"),
    ],
)
def test_wrong_usage_is_one_plain_line(run: Run, arguments: tuple[str, ...], words: str) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
    assert f"See: sudoku-vision {arguments[0]} --help" in ran.err


LONG = "x" * 3000


@pytest.mark.parametrize(
    "call",
    [
        ("solve", LONG),
        (LONG,),
        ("solve", f"--{LONG}", "x"),
        ("solve", PUZZLE, "--page", LONG),
        ("solve", PUZZLE, "-o", f"{LONG}.png"),
        ("solve", PUZZLE, "-o", "/".join(["y" * 200] * 15) + "/a.png"),
        ("solve", PUZZLE, "--report", f"{LONG}.csv"),
        ("solve", PUZZLE, "--link", LONG),
        ("convert", PUZZLE, "--to", LONG),
        ("evaluate", LONG),
        ("live", "--source", LONG, "--headless"),
        ("live", "--source", "9" * 3000),
    ],
)
def test_what_is_said_has_a_length_whatever_was_typed(run: Run, call: tuple[str, ...]) -> None:
    ran = run(*call)
    assert ran.status != 0
    assert len(ran.err) < 1500 and ran.err.count("\n") == 1


def test_help_names_no_type_of_a_flag_and_lists_options_in_one_order(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    order = ["--output", "--json", "--page", "--overrides", "--corners", "--max-megapixels", "--model"]
    for name in COMMANDS:
        told = run(name, "--help").out
        assert "list[str]" not in told
        listed = [option for option in re.findall(r"^│ (--[a-z-]+)", told, re.MULTILINE) if option in order]
        assert listed == sorted(listed, key=order.index), name


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("module", ["typer", "cv2"])
def test_a_signal_while_the_program_is_loaded_ends_it_without_a_word(
    tmp_path: Path, photo_file: Path, number: int, module: str
) -> None:
    code = f"import os, time; os.kill(os.getpid(), {number:d}); time.sleep(9)"
    (tmp_path / f"{module}.py").write_text(code)
    call = [sys.executable, "-m", "sudoku_vision", "solve", str(photo_file)]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(call, env=variables, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("", "")
    assert ran.returncode in (128 + number, -number)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_that_takes_no_more_is_told_without_a_traceback() -> None:
    call = [sys.executable, "-m", "sudoku_vision", "rate", "--json", PUZZLE]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(call, text=True, check=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, "sudoku-vision: output: no space left on device.\n")
