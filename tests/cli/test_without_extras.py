"""Where no extra is installed, a command that needs one says so in a line, and all others work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
for name in ("av cryptography dask distributed fastapi ifaddr multipart numba pillow_heif pypdfium2"
             " python_multipart segno starlette typst uvicorn websockets").split():
    sys.modules[name] = None  # as if it were not installed
from sudoku_vision.cli import main
sys.exit(main())
"""
BOARD = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"


def run(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a command in *folder*, in which pictures lie that no extra can open."""
    (folder / "a.heic").write_bytes(HEIC)
    (folder / "a.pdf").write_bytes(b"%PDF-1.4\n")
    command = [sys.executable, "-c", CODE, *line.split()]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("serve", "web"),
        ("serve --lan --https", "web"),
        ("solve a.heic", "formats"),
        ("check a.pdf", "formats"),
        ("solve a.heic --cluster tcp://127.0.0.1:9", "cluster"),
        (f"explain {BOARD} -o steps.pdf", "print"),
        ("generate -o book.pdf", "print"),
        (f"convert {BOARD} --to pdf -o page.pdf", "print"),
    ],
)
def test_a_command_that_needs_an_extra_says_in_a_line_how_to_get_it(
    tmp_path: Path, line: str, extra: str
) -> None:
    ran = run(tmp_path, line)
    told = f"In the folder of sudoku-vision, run: pip install '.[{extra}]'\n"
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.startswith("sudoku-vision: ") and ran.stderr.endswith(told), ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        f"solve {BOARD} -o page.png",
        f"hint {BOARD} -o hint.png",
        f"rate {BOARD}",
        f"puzzles {BOARD}",
        "generate -d easy",
        f"convert {BOARD} --to sdk",
    ],
)
def test_what_needs_no_extra_works_without(tmp_path: Path, line: str) -> None:
    ran = run(tmp_path, line)
    assert ran.returncode == 0 and "Traceback" not in ran.stderr, ran.stderr
    assert ran.stdout
