"""The progress bar: out of the way of what is printed, and silent where nobody sees it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import PUZZLE, run_on_a_terminal

from sudoku_vision.cli.progress import counted, progress


def test_progress_is_silent_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(counted(3, "Counting")) == [0, 1, 2]
    with progress(3, "working") as bar, bar.cleared():
        bar.advance()
    assert capfd.readouterr() == ("", "")


def screen_of(columns: int, *arguments: str) -> list[str]:
    """Run a command on a terminal of so many columns, and return the lines that stand there afterwards."""
    printed, _ = run_on_a_terminal(columns, "xterm-256color", *arguments)
    return as_shown(printed)


def as_shown(printed: str) -> list[str]:
    """What a terminal shows of the codes that it is sent: text, line ends, lines erased, the cursor up."""
    lines: list[list[str]] = [[]]
    row = column = 0
    for piece in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[^\x1b]", printed):
        if piece == "\n":
            row, column = row + 1, 0
            lines += [[] for _ in range(row + 1 - len(lines))]
        elif piece == "\r":
            column = 0
        elif piece == "\x1b[2K":
            lines[row] = []
        elif piece.endswith("A") and len(piece) > 1:
            row = max(0, row - int(piece[2:-1] or 1))
        elif len(piece) == 1:
            lines[row] += [" "] * (column + 1 - len(lines[row]))
            lines[row][column] = piece
            column += 1
    return ["".join(line).rstrip() for line in lines]


@pytest.mark.parametrize("command", ["solve", "check", "hint", "rate"])
def test_the_bar_is_off_the_terminal_while_results_are_printed(tmp_path: Path, command: str) -> None:
    files = [tmp_path / f"{name}.txt" for name in "abcd"]
    for file in files:
        file.write_text(PUZZLE)
    shown = screen_of(80, command, *map(str, files))
    piped_like = [line for line in shown if "━" not in line]
    assert len(piped_like) == len(shown), "a bar was left behind"
    for file in files:
        assert sum(line.startswith(str(file)[:20]) and file.stem in line for line in shown) >= 1
    heading = re.compile(rf"{re.escape(str(tmp_path))[:20]}.*")
    assert all(re.fullmatch(heading, line) for line in shown if str(tmp_path)[:20] in line)
