"""The house as a whole: what its tests and its metadata promise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

SKIPPING = """
import pytest

@pytest.fixture
def shared_data():
    pytest.skip("this part of them is missing")

def test_photos(shared_data):
    pass

def test_something_else():
    pytest.skip("not here")
"""


@pytest.mark.parametrize("at_hand", [True, False])
def test_tests_of_real_photos_may_only_be_skipped_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_hand: bool
) -> None:
    (tmp_path / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    monkeypatch.setenv("SUDOKU_VISION_DATA", str(tmp_path if at_hand else tmp_path / "nowhere"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode != 0) == at_hand, ran.stdout
    assert ("1 skipped, 1 error" if at_hand else "2 skipped") in ran.stdout
