"""How the command starts: what a photo doesn't need isn't loaded, and what is typed is checked as ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
