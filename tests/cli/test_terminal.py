"""The commands on a terminal: the bar is out of the way, and nothing is cut to pieces on a narrow one."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PUZZLE, Run, run_on_a_terminal

from sudoku_vision.cli.inputs import Input
from sudoku_vision.cli.pages import InputPage, doubt_lines
from sudoku_vision.cli.reporter import complain
from sudoku_vision.sudoku.display import PLAIN, TextStyle
from sudoku_vision.vision.results import Doubt


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


@pytest.mark.parametrize("command", ["solve", "rate"])
def test_the_bar_is_off_the_terminal_while_results_are_printed(tmp_path: Path, command: str) -> None:
    files = [tmp_path / f"{name}.txt" for name in "abcd"]
    for file in files:
        file.write_text(PUZZLE)
    shown = screen_of(80, command, *map(str, files))
    assert not [line for line in shown if "━" in line], "a bar was left behind"
    for file in files:
        assert sum(line.startswith(str(file)[:20]) and file.stem in line for line in shown) >= 1
    heading = re.compile(rf"{re.escape(str(tmp_path))[:20]}.*")
    assert all(re.fullmatch(heading, line) for line in shown if str(tmp_path)[:20] in line)


@pytest.fixture
def narrow(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Run a command as on a terminal of 40 columns without colours; gives the lines it prints."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "dumb")

    def call(*words: str) -> list[str]:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        return run(*words).out.splitlines()

    return call


def test_results_fit_a_narrow_terminal(narrow: Callable[..., list[str]]) -> None:
    boards = [line for line in narrow("solve", PUZZLE) if line.startswith("  ")]
    assert (len(boards), {len(line) for line in boards}) == (26, {27})
    name, *grid = narrow("generate", "--seed", "3")
    assert name == "Sudoku 3-1, medium:" and (len(grid), {len(line) for line in grid[:13]}) == (14, {25})
    steps, rating = narrow("explain", PUZZLE), narrow("rate", PUZZLE)
    assert all(len(line) <= 40 for line in steps + rating)
    assert steps[0].startswith(" 1. Hidden single: In box") and steps[1].startswith("    ")
    assert [line.split()[0] for line in rating[1:5]] == ["level", "score", "hardest", "steps"]
    assert len({line[11:].lstrip() == line[11:] for line in rating[1:5]}) == 1  # a small table


def test_help_and_messages_break_between_words(
    narrow: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    helped = [line for line in narrow("convert", "--help") if not line.startswith("  -")]
    assert max(map(len, helped)) <= 38
    assert {"sudokuwiki.org,", "sudokupad.app;"} <= {word for line in helped for word in line.split()}
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    complain("missing.jpg: there is no such file, and it is no board either.")
    assert max(map(len, capsys.readouterr().err.splitlines())) <= 40


def lines_about(doubts: list[Doubt], style: TextStyle = PLAIN) -> list[str]:
    """What is said about doubts, line by line."""
    said = doubt_lines(doubts, 0, InputPage(Input("a")), style)
    return ["".join(text for text, _ in line) for line in said]


def test_doubts_break_between_words_and_their_call_stays_whole() -> None:
    doubts = [Doubt(9 + cell, (5, 6), (0.6, 0.4)) for cell in range(4)] + [Doubt(80, (1, 2), (0.995, 0.003))]
    lines = lines_about(doubts, TextStyle(width=40))
    assert max(map(len, lines[:-1])) <= 40 and lines[-1] == '    --overrides "r2c1=5,r2c2=5,r2c3=5,r2c4=5"'


def test_of_many_doubts_the_gravest_are_named_with_ink_and_answer() -> None:
    roles = [Doubt(cell, (0, 4), (0.6, 0.4), entry=4, kind="role") for cell in range(7)]
    clues = [Doubt(9 + cell, (5, 6), (0.6, 0.4)) for cell in range(6)]
    entry = Doubt(80, (4, 9, 5), (0.94, 0.03, 0.02), entry=9, kind="entry")
    lines = lines_about([*clues, *roles, entry])
    assert lines.count("    and 1 more") == lines.count("    and 2 more") == 1
    assert "    r9c9: looks like 9 (3 %) or 5 (2 %); the answer there is 4 (94 %)" in lines
    call = "all=written,r2c1=5,r2c2=5,r2c3=5,r2c4=5,r2c5=5,r9c9=w4"
    assert lines[-2].endswith(f'--overrides "{call}"') and lines[-1].startswith("  all=printed means")


def test_what_is_nearly_sure_is_named_when_no_other_doubt_is_left() -> None:
    nearly = Doubt(80, (1, 2), (0.995, 0.003))
    for doubts, named in (([Doubt(9, (5, 6), (0.6, 0.4)), nearly], "r2c1=5"), ([nearly], "r9c9=1")):
        lines = lines_about(doubts)
        assert lines[-1].endswith(f'for example: --overrides "{named}"')
    assert lines[1] == "    r9c9: 1 (over 99 %) or 2 (under 1 %)"
