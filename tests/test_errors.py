"""Errors: one sentence says what a machine lacks, and what to install."""

import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_vision.errors import MissingLibraryError, explained_imports

BARE = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name == "cv2":
            raise ImportError("libGL.so.1: cannot open shared object file", name="cv2")

sys.meta_path.insert(0, Bare())
"""
"""Makes a machine without the libraries that OpenCV needs of one that has them."""


def run_bare(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True)


@pytest.mark.parametrize(
    "arguments",
    [
        *((command, "{photo}") for command in ("solve", "check", "hint", "convert")),
        ("live", "--list"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_says_what_opencv_lacks(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    words = [word.format(photo=tmp_path / "photo.jpg") for word in arguments]
    ran = run_bare(f"from sudoku_vision.cli import main\nsys.argv[1:] = {words!r}\nmain()")
    assert ran.returncode == 3
    assert len(ran.stderr.splitlines()) == 1
    assert "libGL.so.1" in ran.stderr
    assert "apt-get install libgl1 libglib2.0-0" in ran.stderr
    assert "opencv-python-headless" in ran.stderr


def test_the_functions_for_pictures_say_it_too() -> None:
    ran = run_bare(
        "import sudoku_vision\n"
        "try:\n    sudoku_vision.solve_photo\n"
        "except sudoku_vision.MissingLibraryError as error:\n    print(error.exit_code, error)"
    )
    assert ran.stdout.startswith("3 OpenCV can't be loaded (libGL.so.1: ")


def test_without_opencv_its_package_is_named() -> None:
    with pytest.raises(MissingLibraryError, match="pip install opencv-python"), explained_imports():
        raise ModuleNotFoundError("No module named 'cv2'", name="cv2")


def test_other_faults_of_imports_stay_what_they_are() -> None:
    with pytest.raises(ModuleNotFoundError), explained_imports():
        raise ModuleNotFoundError("No module named 'other'", name="other")
