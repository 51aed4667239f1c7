"""How the command starts: what a photo doesn't need isn't loaded, and what is typed is checked as ever."""

from __future__ import annotations

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


def test_solving_a_photo_loads_nothing_else(photo_file: Path) -> None:
    code = (
        "import atexit, sys\n"
        f"sys.argv = ['sudoku-vision', 'solve', {str(photo_file)!r}]\n"
        f"atexit.register(lambda: print('LOADED', [m for m in {NOT_NEEDED!r} if m in sys.modules]))\n"
        "from sudoku_vision.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "solved" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "LOADED []"


def test_a_number_of_jobs_is_taken_without_the_library_that_checks_types() -> None:
    code = (
        "import atexit, sys\n"
        f"sys.argv = ['sudoku-vision', 'solve', {PUZZLE!r}, '--jobs', '1']\n"
        "atexit.register(lambda: print('LOADED', 'pydantic' in sys.modules))\n"
        "from sudoku_vision.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "LOADED False"


def test_drawing_into_a_photo_loads_nothing_to_print_with(photo_file: Path, tmp_path: Path) -> None:
    code = (
        "import atexit, sys\n"
        f"sys.argv = ['sudoku-vision', 'solve', {str(photo_file)!r}, '-o', {str(tmp_path / 'out.png')!r}]\n"
        "printing = ('typst', 'segno')\n"
        "atexit.register(lambda: print('LOADED', [m for m in printing if m in sys.modules]))\n"
        "from sudoku_vision.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (tmp_path / "out.png").exists()
    assert ran.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        (["--page", "x"], "must be a whole number"),
        (["--page", "0"], "greater than or equal to 1"),
        (["--jobs", "1.5"], "must be a whole number"),
        (["--max-megapixels", "many"], "must be a number"),
        (["--jason"], "--json"),
    ],
)
def test_what_is_no_value_of_an_option_is_told(run: Run, typed: list[str], word: str) -> None:
    ran = run("solve", PUZZLE, *typed)
    assert ran.status == 2
    assert word in ran.err


def test_values_of_options_are_taken(run: Run) -> None:
    ran = run("solve", "--page", "1", "--json", "--max-megapixels", "1", PUZZLE)
    assert [page["status"] for page in ran.pages] == ["solved"]
    assert run("--version").out.startswith("sudoku-vision ")
