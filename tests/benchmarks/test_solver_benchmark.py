"""The benchmark of the solver compares like with like, and says what is met and what is not."""

from __future__ import annotations

import importlib.util
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_vision.sudoku.solver import solve

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"

# Made with this project's solver: clues taken from random full grids while one solution remained.
PUZZLES = (
    "000054310500370006000000000860030007040700000900006000000000060094000705083060002",
    "790000000034000000658030000001006048000900050870400001010000006000700014500000097",
    "895020310000030900310080200050046003000002005006870000000090840000450002407001000",
    "480073090003006578070009000800000916001084000000000300908205400507008000300607859",
    "010500780900003000807000000700000000500004003002060070000005209000100000240000560",
)


def load(name: str) -> Any:
    """A benchmark, which is a script and no part of the package."""
    spec = importlib.util.spec_from_file_location(f"{name}_benchmark", BENCHMARKS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


benchmark = load("solver")
peers = load("solver_peers")


def record(**seconds: float) -> Any:
    """What a solver made of puzzles with these names, each answered by its name."""
    made = benchmark.Record()
    made.add(list(seconds), list(zip(seconds, seconds.values(), strict=True)))
    return made


@pytest.fixture
def alarm() -> Iterator[None]:
    """The handler by which a worker stops a solver."""
    before = signal.signal(signal.SIGALRM, peers._stop)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ["core", "core_first", "norvig"])
def test_solvers_of_this_environment_give_the_solution_as_text(name: str) -> None:
    answer = getattr(peers, name)()
    for puzzle in PUZZLES:
        assert answer(puzzle) == answer(puzzle.replace("0", ".")) == str(solve(puzzle))
    assert answer("12345678" + "." * 9 + "9" + "." * 63) == ""


def test_the_rules_as_clauses_let_through_solutions_and_nothing_else() -> None:
    clauses = peers._clauses()
    right = str(solve(PUZZLES[0]))
    swapped = right.translate(str.maketrans("12", "21"))
    for board, lawful in ((right, True), (swapped, True), (right[1] + right[0] + right[2:], False)):
        true = set(peers._clues(board))
        assert all(any((literal > 0) == (abs(literal) in true) for literal in c) for c in clauses) is lawful


def test_what_takes_too_long_is_cut_off_and_the_next_puzzle_taken(alarm: None) -> None:
    def solver(puzzle: str) -> str:
        while puzzle == "slow":
            pass
        return puzzle

    answers = peers.one_by_one(solver, ["slow", "quick"], 0.05, 10)
    assert [answer for answer, _ in answers] == [None, "quick"]
    assert answers[0][1] > answers[1][1] > 0


def test_a_spent_budget_ends_the_list(alarm: None) -> None:
    answers = peers.one_by_one(lambda puzzle: str(sum(range(10**5))), ["puzzle"] * 1000, 10, 0.01)
    assert 1 <= len(answers) < 1000


def test_solvers_are_compared_on_what_both_took_on() -> None:
    quick, slow = record(a=1.0, b=1.0, c=100.0), record(a=3.0, b=5.0)
    assert benchmark.times_faster(quick, slow) == 4
    assert benchmark.times_faster(slow, quick) == 1 / 4


def test_the_best_round_of_each_puzzle_counts() -> None:
    made = record(a=3.0, b=1.0)
    made.add(["a", "b"], [("a", 2.0), ("b", 9.0)])
    assert made.seconds == {"a": 2.0, "b": 1.0}
    assert made.mean == 1.5


def test_time_outs_count_neither_for_nor_against_agreement() -> None:
    ours, theirs = record(a=1.0, b=1.0, c=1.0), benchmark.Record()
    theirs.add(["a", "b", "c"], [("a", 1.0), ("wrong", 1.0), (None, 5.0)])
    assert benchmark.agreement(ours, theirs) == (1, 2)
    assert theirs.timeouts == 1


def test_a_bar_is_met_or_missed() -> None:
    assert benchmark.Bar("slowest", 0.1, 0.2, "s").row() == ("slowest", "0.1 s", "<= 0.2", "met")
    assert benchmark.Bar("faster", 6.9, 7, "x", at_least=True).row()[-1] == "MISSED"


def test_broken_puzzles_come_in_all_kinds() -> None:
    boards = [benchmark.broken(PUZZLES[seed % 5], random.Random(seed)) for seed in range(200)]
    statuses = {solve(board).status for board in boards}
    assert statuses == {"one", "many", "none", "clash"}
    assert sum(board in PUZZLES for board in boards) < 5, "seldom one change undoes another"


def test_a_judge_that_gives_up_to_two_solutions_tells_the_status() -> None:
    one = str(solve(PUZZLES[0]))
    assert benchmark.status_by_answer(PUZZLES[0], one) == "one"
    assert benchmark.status_by_answer("0" * 81, 2 * one) == "many"
    assert benchmark.status_by_answer("12345678" + "0" * 9 + "9" + "0" * 63, "") == "none"
    assert benchmark.status_by_answer("11" + "0" * 79, "") == "clash"


def test_a_right_answer_has_its_status_and_keeps_the_clues() -> None:
    puzzle, other = PUZZLES[:2]
    assert benchmark.is_right(solve(puzzle), puzzle, "one")
    assert not benchmark.is_right(solve(puzzle), puzzle, "many")
    assert not benchmark.is_right(solve(other), puzzle, "one")


def test_it_runs_says_who_is_missing_and_prints_the_bars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (*benchmark.LISTS, benchmark.SEEDS):
        (tmp_path / name).write_text("\n".join(PUZZLES))
    monkeypatch.setattr(benchmark, "HERE", ("core", "norvig"))
    monkeypatch.setattr(benchmark, "INSTALLABLE", ("rustoku",))
    monkeypatch.setattr(benchmark, "JUDGE", "core")
    benchmark.main(["--data", str(tmp_path), "--peers", sys.executable, "--rounds", "1", "--broken", "0"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "without rustoku: ModuleNotFoundError: No module named 'rustoku'"
    assert sum("5 of 5" in line for line in lines) == 2 * len(benchmark.LISTS)
    assert sum(line.startswith("core against Norvig's method") for line in lines) == 4
    assert any(line.startswith("wrong answers of our own") and line.endswith("met") for line in lines)


def test_lists_that_are_not_there_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        benchmark.main(["--data", str(tmp_path)])
    assert "lacks sudoku17_49158.txt" in capsys.readouterr().err
