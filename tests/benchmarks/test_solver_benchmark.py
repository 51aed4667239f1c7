"""The benchmark of the solver compares like with like, and checks every answer."""

from pathlib import Path

import pytest
import solver as benchmark
from examples import PROPER

from sudoku_vision.sudoku.solver import solve


def test_norvigs_method_gives_the_solution_as_text() -> None:
    answer = benchmark.norvig()
    for puzzle in PROPER:
        assert answer(puzzle) == answer(puzzle.replace("0", ".")) == str(solve(puzzle))
    assert answer("12345678" + "." * 9 + "9" + "." * 63) == ""


def test_it_runs_and_counts_wrong_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in benchmark.LISTS:
        (tmp_path / name).write_text("\n".join(PROPER))
    for wrong in (0, 1):
        benchmark.main(["--data", str(tmp_path), "--rounds", "2", "--count", "4"])
        _, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
        assert [row[0] for row in rows] == list(benchmark.LISTS)
        assert all(row[1] == "4" and float(row[4]) > 1 for row in rows)
        assert {int(row[-1]) > 0 for row in rows} == {bool(wrong)}
        monkeypatch.setattr(benchmark, "solve", lambda _: "1" * 81)
