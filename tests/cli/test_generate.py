"""``sudoku-vision generate``: puzzles to standard output, text files, pictures and pages."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, started

from sudoku_vision.cli import generate as generate_command
from sudoku_vision.errors import ClusterError, GenerateError
from sudoku_vision.parallel import open_executor
from sudoku_vision.sudoku import generator
from sudoku_vision.sudoku.formats import read_boards
from sudoku_vision.sudoku.logic import rate
from sudoku_vision.sudoku.logic.techniques import technique_named
from sudoku_vision.sudoku.rules import rules_from
from sudoku_vision.sudoku.solver import solve

QUICK = ("--clues", 30)


def test_a_line_of_81_digits_for_every_puzzle(run: Run) -> None:
    ran = run("generate", *QUICK, "--count", 3, "--seed", 5)
    lines = ran.out.splitlines()
    assert (ran.status, ran.err, len(set(lines))) == (0, "", 3)
    assert all(solve(line).status == "one" and 81 - line.count("0") == 30 for line in lines)


def test_json_has_everything_about_a_puzzle(run: Run) -> None:
    (answer,) = run("generate", "-d", "medium", "--symmetry", "diagonal", "--seed", 2, "--json").pages
    rating = rate(answer["puzzle"])
    assert (answer["difficulty"], answer["score"]) == (rating.name, rating.score) == ("medium", rating.score)
    assert answer["solution"] == str(solve(answer["puzzle"]))
    assert answer["clues"] == 81 - answer["puzzle"].count("0")
    assert (answer["symmetry"], answer["seed"], answer["number"]) == ("diagonal", 2, 1)


def test_other_rules_are_in_the_lines_and_files(run: Run, tmp_path: Path) -> None:
    asked = ("generate", *QUICK, "--rules", "jigsaw", "--seed", 5)
    (answer,) = run(*asked, "--json").pages
    assert str(solve(answer["puzzle"], rules=rules_from(**answer["rules"]))) == answer["solution"]
    ran = run(*asked, "-o", tmp_path / "p.jsonl")
    (line,), (kept,) = (read_boards(text) for text in (run(*asked).out, (tmp_path / "p.jsonl").read_bytes()))
    assert ran.status == 0 and line == kept and line.rules == rules_from(**answer["rules"])


@pytest.mark.parametrize("technique", ["naked pair", pytest.param("X-wing", marks=pytest.mark.slow)])
def test_puzzles_need_the_technique_that_is_asked_for_and_none_harder(run: Run, technique: str) -> None:
    made = run("generate", "--technique", technique.upper(), "--seed", 1).out.split()
    assert [rate(puzzle).hardest for puzzle in made] == [technique_named(technique)]


def test_text_files_hold_what_would_be_printed(run: Run, tmp_path: Path) -> None:
    printed = run("generate", *QUICK, "-n", 2, "--seed", 5).out.splitlines()
    for name in ("p.txt", "p.sdm", "p.csv", "p.jsonl", "p.json", "p.opensudoku"):
        ran = run("generate", *QUICK, "-n", 2, "--seed", 5, "-o", tmp_path / name)
        assert (ran.status, ran.out, ran.err) == (0, f"Written: {tmp_path / name}\n", "")
        boards = read_boards((tmp_path / name).read_bytes())
        assert ["".join(map(str, board.clues.flat)) for board in boards] == printed


@pytest.mark.parametrize("name", ["p.png", "p.pdf"])
def test_drawn_puzzles_can_be_solved(run: Run, tmp_path: Path, name: str) -> None:
    if name == "p.pdf":
        pytest.importorskip("pypdfium2")
    (answer,) = run("generate", "-d", "easy", "--seed", 3, "--json", "-o", tmp_path / name).pages
    ran = run("solve", "--json", tmp_path / name)
    assert ran.status == 0
    (grid,) = ran.pages[0]["grids"]
    assert grid["status"] == "solved"
    assert (grid["puzzle"], grid["solution"]) == (answer["puzzle"], answer["solution"])


def test_pages_hold_all_puzzles_and_their_solutions(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2")
    out = tmp_path / "p.pdf"
    options = ("--solutions", "--per-page", 2, "--paper", "letter", "--title", "For Sunday", "--json")
    answer = run("generate", *QUICK, "-n", 3, "--seed", 1, *options, "-o", out).pages
    pages = run("solve", "--json", out).pages
    read = [[grid["puzzle"] for grid in page["grids"]] for page in pages]
    puzzles = [one["puzzle"] for one in answer]
    assert read == [puzzles[:2], puzzles[2:], puzzles]
    assert [grid["written"].count("0") for grid in pages[2]["grids"]] == [30] * 3


def test_a_folder_gets_a_picture_of_each_puzzle_and_solution(run: Run, tmp_path: Path) -> None:
    ran = run("generate", *QUICK, "-n", 2, "--seed", 1, "--solutions", "-o", f"{tmp_path}/new/")
    assert ran.status == 0
    names = {path.name for path in (tmp_path / "new").iterdir()}
    assert names == {f"puzzle-{number}{kind}.png" for number in (1, 2) for kind in ("", "-solution")}


@pytest.mark.parametrize(
    ("error", "status"),
    [(KeyboardInterrupt(), 130), (GenerateError("None found."), 1), (ClusterError("It is gone."), 3)],
)
def test_puzzles_made_before_an_error_are_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def some(*arguments: Any, **options: Any) -> Iterator[generator.Puzzle]:
        puzzles = generator.series(*arguments, **options)
        yield next(puzzles)
        yield next(puzzles)
        raise error

    monkeypatch.setattr("sudoku_vision.cli.generate.series", some)
    ran = run("generate", *QUICK, "-n", 9, "-o", tmp_path / "p.sdm")
    assert ran.status == status
    assert "2 of 9 puzzles written" in ran.err
    assert len(read_boards((tmp_path / "p.sdm").read_bytes())) == 2


def test_a_terminal_shows_how_to_make_them_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    first = run("generate", *QUICK, "--symmetry", "none")
    again = first.err.splitlines()[0].partition("again: ")[2]
    ran = run("generate", *QUICK, "--symmetry", "none", *again.split(), "--json")
    assert json.loads(ran.out)["puzzle"] == first.out.strip()


def test_the_puzzles_are_the_same_with_several_processes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_command, "_SOON", 0.05)
    call = ["generate", *QUICK, "--json", "--seed", "7", "--count", "12"]
    alone = run(*call, "--jobs", 1)
    assert len(alone.out.splitlines()) == 12
    shared = run(*call, "--jobs", 2)
    assert (shared.status, shared.out, shared.err) == (alone.status, alone.out, alone.err)


def test_a_puzzle_that_is_not_found_ends_the_series(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def numbered(constraints: Any, seed: int, number: int) -> generator.Puzzle:
        if number == 3:
            raise GenerateError("None found.")
        return generator.numbered_puzzle(constraints, seed, number)

    monkeypatch.setattr(generate_command, "_SOON", 0.0)
    monkeypatch.setattr(generate_command, "numbered_puzzle", numbered)
    monkeypatch.setattr(generate_command, "open_executor", lambda *_, **__: open_executor(1))
    ran = run("generate", *QUICK, "--seed", 5, "--count", 5, "--jobs", 2)
    assert (ran.status, len(ran.out.splitlines())) == (1, 2)
    assert "None found." in ran.err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
def test_ctrl_c_leaves_what_was_made_and_no_process(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.txt"
    call = ("generate", "--json", "--seed", 7, "--count", 100_000, "--jobs", 2, "-o", out)
    with started(*call) as process:
        assert process.stdout is not None and process.stderr is not None
        for _ in range(60):  # some of them by other processes
            assert process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        printed = 60 + len(process.stdout.readlines())
        assert process.wait(20) == 130
        message = process.stderr.read()
    written = len(out.read_text().splitlines())
    assert written - printed in (0, 1)  # perhaps it was about to be printed
    assert message == f"sudoku-vision: {out}: {written} of 100000 puzzles written.\n"
    end = time.monotonic() + 20
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < end:  # what the system's library starts takes a moment to end
            os.killpg(process.pid, 0)
            time.sleep(0.02)
