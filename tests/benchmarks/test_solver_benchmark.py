"""The benchmark of the solver compares like with like, and says what is met and what is not."""

import sys
from pathlib import Path
from typing import Any

import pytest
import solver as benchmark
from examples import PROPER

from sudoku_vision.sudoku.solver import solve


def record(**seconds: float) -> Any:
    """What a solver made of puzzles with these names, each answered by its name."""
    made = benchmark.Record()
    made.add(list(seconds), list(zip(seconds, seconds.values(), strict=True)))
    return made


def test_norvigs_method_gives_the_solution_as_text() -> None:
    answer = benchmark.norvig()
    for puzzle in PROPER:
        assert answer(puzzle) == answer(puzzle.replace("0", ".")) == str(solve(puzzle))
    assert answer("12345678" + "." * 9 + "9" + "." * 63) == ""


def test_what_takes_too_long_is_cut_off_and_the_next_puzzle_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def solver(puzzle: str) -> str:
        while puzzle == "slow":
            pass
        return puzzle

    monkeypatch.setattr(benchmark, "LIMIT", 0.05)
    answers = benchmark.one_by_one(solver, ["slow", "quick"], 10)
    assert [answer for answer, _ in answers] == [None, "quick"]
    assert answers[0][1] > answers[1][1] > 0


def test_solvers_are_compared_on_what_both_took_on() -> None:
    quick, slow = record(a=1.0, b=1.0, c=100.0), record(a=3.0, b=5.0)
    assert benchmark.times_faster(quick, slow) == 4
    assert benchmark.times_faster(slow, quick) == 1 / 4


def test_time_outs_count_neither_for_nor_against_agreement() -> None:
    ours, theirs = record(a=1.0, b=1.0, c=1.0), benchmark.Record()
    theirs.add(["a", "b", "c"], [("a", 1.0), ("wrong", 1.0), (None, 5.0)])
    assert benchmark.agreement(ours, theirs) == (1, 2)
    assert theirs.timeouts == 1


def test_it_runs_and_says_who_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in benchmark.LISTS:
        (tmp_path / name).write_text("\n".join(PROPER))
    monkeypatch.setitem(sys.modules, "hodoku", None)
    benchmark.main(["--data", str(tmp_path), "--rounds", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("without hodoku-py: ")
    assert sum("6 of 6" in line for line in lines) >= 2 * len(benchmark.LISTS)
    assert lines[-1] == "wrong answers of our own: 0"
