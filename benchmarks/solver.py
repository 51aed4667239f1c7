r"""The solver side by side with others, in one run: how fast, how often of one mind, and are the bars met.

    python benchmarks/solver.py [--peers PYTHON] [--data FOLDER] [--rounds N] [--budget SECONDS] [--broken N]

* Every solver works in a process of its own (``benchmarks/solver_peers.py``), through the lists of puzzles in
  rounds, by turns. What counts is processor time; of each puzzle, the best of the rounds.
* Two are compared on the puzzles that both took on: a slow one leaves a list when its budget is spent, and a
  puzzle after ``LIMIT`` seconds (a time-out, which counts with the time that it had).
* Norvig's method, the package's core and its compiled kernel run in this environment. The others run under
  PYTHON, the interpreter of an environment of their own; what is missing there is left out and said:

      python -m venv PEERS
      PEERS/bin/pip install py-sudoku==2.0.0 dlxsudoku==0.10.3 sudokutools==0.4.0 hodoku-py==0.2.1 \
          python-sat==1.9.dev17 ortools==9.15.6755

* The lists are those of ``../shared/data/puzzles``. All answers of the package are checked against the rules,
  and the status of N boards, made by breaking puzzles, against MiniSat's under PYTHON.

What else pip installs was tried and is far slower than hodoku-py, the fastest: lib-sudoku 2.2, sudoku-rust
1.0.7 and py-libsudoku 1.0.24 (built by hand) take from 0.1 s to minutes for a puzzle of 17 clues. rustoku
0.16 has a wheel for Python 3.12 alone; it is compared where it is found.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sudoku_vision.results import board_text
from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.solver import PEERS, UNITS, Solution, solve
from sudoku_vision.workshop.evaluation.text import aligned

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("SUDOKU_VISION_DATA", ROOT.parent / "shared" / "data")) / "puzzles"
WORKER = ROOT / "benchmarks" / "solver_peers.py"

SEEDS = "seeds.txt"
SUDOKU17, TOP95, TOP1465 = "sudoku17_49158.txt", "norvig_top95.txt", "magictour_top1465.txt"
HARDEST, HARDEST_MORE = "forum_hardest_1106.txt", "forum_hardest_1905_11plus.txt"
LISTS = (SUDOKU17, TOP95, TOP1465, HARDEST, HARDEST_MORE)

OURS = ("core", "core-first", "bulk")
HERE = (*OURS, "norvig")
"""Solvers of this environment; the others are the peers' one's."""
JUDGE = "python-sat-two"
"""Tells one solution from several, and is none of ours."""
INSTALLABLE = ("hodoku-py", "python-sat", "ortools", "dlxsudoku", "sudokutools", "py-sudoku", "rustoku")

SAMPLE = 2000
"""Puzzles taken from a long list, at random."""
ALL_AT_ONCE = "bulk"
"""The solver that works on many puzzles side by side; it takes all of a list in one go."""
PORTION = 50
"""Puzzles after which the next solver has its turn, so that whatever else the machine does slows down all."""
LIMIT = 5.0
"""Seconds for one puzzle."""

NORVIG_BARS = {SUDOKU17: 7.0, TOP95: 7.0, TOP1465: 7.0, HARDEST: 4.0}
"""How many times faster than Norvig's method the core has to be."""
SEED_BARS = (0.15, 0.15, 6.0, 0.3, 0.15)
"""Milliseconds for each board of the seed documents, the best of five."""
SLOWEST_BAR = 0.2
CLASH_BAR = 0.0001
IMPOSSIBLE_BAR = 0.25
BULK_BAR = 0.7
"""Seconds for all of sudoku17 in one thread, compiled."""
INSTALLABLE_BAR = 8.0
"""How many times faster the kernel has to be than the fastest solver that pip installs."""


@dataclass(frozen=True)
class Bar:
    """A figure to be reached: *value* at least, or at most, *bar*."""

    name: str
    value: float
    bar: float
    unit: str
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether it is reached."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def row(self) -> tuple[str, ...]:
        """What is printed of it."""
        side = ">=" if self.at_least else "<="
        return (
            self.name,
            f"{self.value:.4g} {self.unit}",
            f"{side} {self.bar:g}",
            "met" if self.met else "MISSED",
        )


@dataclass
class Record:
    """What a solver made of one list: by puzzle its answer (None: out of time) and its best seconds."""

    answers: dict[str, str | None] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, puzzles: Sequence[str], round_: Sequence[tuple[str | None, float]]) -> None:
        """Take in a round; only as many puzzles as the solver got to."""
        for puzzle, (answer, seconds) in zip(puzzles, round_, strict=False):
            self.answers[puzzle] = answer
            self.seconds[puzzle] = min(seconds, self.seconds.get(puzzle, seconds))

    @property
    def mean(self) -> float:
        """Seconds for a puzzle."""
        return sum(self.seconds.values()) / len(self.seconds)

    @property
    def timeouts(self) -> int:
        """Puzzles not solved within the limit."""
        return sum(answer is None for answer in self.answers.values())


def times_faster(one: Record, other: Record) -> float:
    """How many times faster *one* is than *other*, on the puzzles that both took on."""
    common = one.seconds.keys() & other.seconds.keys()
    return sum(other.seconds[puzzle] for puzzle in common) / sum(one.seconds[puzzle] for puzzle in common)


def agreement(one: Record, other: Record) -> tuple[int, int]:
    """On how many puzzles two give the same answer, of how many that both finished."""
    both = [p for p, answer in other.answers.items() if answer is not None and one.answers.get(p) is not None]
    return sum(one.answers[puzzle] == other.answers[puzzle] for puzzle in both), len(both)


class Worker:
    """A solver in a process of its own."""

    def __init__(self, name: str, python: str) -> None:
        self.name = name
        command = [python, str(WORKER), name]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        self.ready = bool(self._process.stdout and self._process.stdout.readline())

    def why_not(self) -> str:
        """The last line of what a solver said that couldn't be started."""
        said = self._process.communicate()[1].strip()
        return said.splitlines()[-1] if said else "ended without a word"

    def run(self, puzzles: Sequence[str], budget: float) -> list[tuple[str | None, float]]:
        """Solve puzzles until the budget, in processor seconds, is spent."""
        asked = json.dumps({"puzzles": list(puzzles), "seconds": LIMIT, "budget": budget})
        assert self._process.stdin and self._process.stdout
        print(asked, file=self._process.stdin, flush=True)
        answers = self._process.stdout.readline()
        if not answers:
            raise SystemExit(f"solver: {self.name} broke down: {self.why_not()}")
        return [(answer, seconds) for answer, seconds in json.loads(answers)]

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()


Records = Mapping[str, Mapping[str, Record]]
"""By list and by solver."""


def listed(folder: Path, name: str) -> list[str]:
    """The puzzles of a list in random order, the same each time: so the first of them are a fair sample."""
    puzzles = (folder / name).read_text(encoding="ascii").split()
    random.Random(len(puzzles)).shuffle(puzzles)
    return puzzles


def compare(workers: Sequence[Worker], folder: Path, rounds: int, budget: float) -> Records:
    """Let all solvers work through all lists by turns."""
    records: dict[str, dict[str, Record]] = {}
    for name in LISTS:
        puzzles = listed(folder, name)
        records[name] = {worker.name: Record() for worker in workers}
        for _ in range(rounds):
            one_round(workers, puzzles, records[name], budget)
    return records


def one_round(
    workers: Sequence[Worker], puzzles: Sequence[str], records: Mapping[str, Record], budget: float
) -> None:
    """Let the solvers take turns at a list, portion by portion, until their budgets are spent."""
    left = dict.fromkeys((worker.name for worker in workers), budget)
    for start in range(0, min(SAMPLE, len(puzzles)), PORTION):
        for worker in workers:
            portion = puzzles[start : min(start + PORTION, SAMPLE)]
            if worker.name == ALL_AT_ONCE:
                portion = puzzles if start == 0 else []
            if portion and left[worker.name] > 0:
                answers = worker.run(portion, left[worker.name])
                left[worker.name] -= sum(seconds for _, seconds in answers)
                records[worker.name].add(portion, answers)


def comparison(records: Records) -> str:
    """For each list a line for each solver."""
    rows: list[tuple[str, ...]] = [
        ("list", "solver", "puzzles", "µs each", "core is faster", "bulk is faster", "agrees", "time-outs")
    ]
    for name, by_solver in records.items():
        core, bulk = by_solver["core"], by_solver.get("bulk")
        for solver, record in sorted(by_solver.items(), key=lambda item: item[1].mean):
            same, of = agreement(core, record)
            faster = f"{times_faster(bulk, record):.2f} x" if bulk else "-"
            figures = (f"{1e6 * record.mean:.1f}", f"{times_faster(core, record):.2f} x", faster)
            counted = str(len(record.seconds))
            rows.append((name, solver, counted, *figures, f"{same} of {of}", str(record.timeouts)))
    return aligned(rows)


def comparison_bars(records: Records) -> Iterator[Bar]:
    """The bars that lie in comparing."""
    for name, bar in NORVIG_BARS.items():
        faster = times_faster(records[name]["core"], records[name]["norvig"])
        yield Bar(f"core against Norvig's method, {name}", faster, bar, "x", at_least=True)
    for name, by_solver in records.items():
        peers = {solver: record for solver, record in by_solver.items() if solver in INSTALLABLE}
        if "bulk" not in by_solver or not peers:
            continue
        fastest = min(peers, key=lambda solver: times_faster(by_solver["bulk"], peers[solver]))
        faster = times_faster(by_solver["bulk"], peers[fastest])
        yield Bar(f"bulk against {fastest}, {name}", faster, INSTALLABLE_BAR, "x", at_least=True)
    if "bulk" in records[SUDOKU17]:
        seconds = sum(records[SUDOKU17]["bulk"].seconds.values())
        yield Bar("bulk in one thread, all of sudoku17", seconds, BULK_BAR, "s")


def seconds_of(puzzle: str, rounds: int = 1) -> float:
    """Processor seconds that the core takes for a board, the best of the rounds."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        solve(puzzle)
        best = min(best, time.process_time() - started)
    return best


def single_bars(folder: Path) -> Iterator[Bar]:
    """The bars for single boards, all for the core."""
    seeds = (folder / SEEDS).read_text(encoding="ascii").split()
    for number, (seed, bar) in enumerate(zip(seeds, SEED_BARS, strict=True), 1):
        yield Bar(f"seed board {number}, best of 5", 1e3 * seconds_of(seed, 5), bar, "ms")
    for name, count in ((HARDEST, None), (HARDEST_MORE, 2000)):
        slowest = max(map(seconds_of, listed(folder, name)[:count]))
        yield Bar(f"slowest of {count or 'all'}, {name}", slowest, SLOWEST_BAR, "s")
    clue = seeds[0].index("3")
    clash = seeds[0][:clue] + "3" + "3" + seeds[0][clue + 2 :]
    assert solve(clash).status == "clash"
    yield Bar("a clash, best of 5", 1e3 * seconds_of(clash, 5), 1e3 * CLASH_BAR, "ms")
    hard = (broken(puzzle, random.Random(seed)) for seed, puzzle in enumerate(listed(folder, HARDEST) * 4))
    impossible = [board for board in hard if solve(board).status == "none"]
    slowest = max(map(seconds_of, impossible))
    yield Bar(f"slowest of {len(impossible)} hard boards without solution", slowest, IMPOSSIBLE_BAR, "s")


def broken(puzzle: str, rng: random.Random) -> str:
    """A puzzle with one to three changes: a clue taken away, turned into another digit, or added.

    Nine in ten of the digits put in clash with none, so that it takes solving to see what became of it.
    """
    values = list(parse_board(puzzle))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        clues = [cell for cell, value in enumerate(values) if value]
        blanks = [cell for cell, value in enumerate(values) if not value]
        kind = rng.choice(("take", "turn", "add")) if blanks else "take"
        cell = rng.choice(blanks if kind == "add" else clues)
        others = [digit for digit in range(1, 10) if digit != values[cell]]
        values[cell] = 0
        if kind != "take":
            fitting = [digit for digit in others if all(values[peer] != digit for peer in PEERS[cell])]
            values[cell] = rng.choice(fitting if fitting and rng.random() < 0.9 else others)
    return "".join(map(str, values))


def is_answer(puzzle: str, answer: str) -> bool:
    """Whether an answer follows the rules and changes no clue."""
    units = len(answer) == 81 and all({answer[cell] for cell in unit} == set("123456789") for unit in UNITS)
    return units and all(clue in ".0" or clue == digit for clue, digit in zip(puzzle, answer, strict=True))


def status_by_answer(board: str, answer: str) -> str:
    """The status of a board of which a solver gave up to two solutions, one after the other."""
    if answer:
        return "one" if len(answer) == 81 else "many"
    clues = [(cell, mark) for cell, mark in enumerate(board) if mark != "0"]
    clashes = any(board[peer] == mark for cell, mark in clues for peer in PEERS[cell])
    return "clash" if clashes else "none"


def is_right(solution: Solution, board: str, status: str) -> bool:
    """Whether a solution has the status that it should have, and shows as many right answers."""
    shown = [board_text(one) for one in (solution.solution, solution.second) if one is not None]
    right = all(is_answer(board, answer) for answer in shown) and len(set(shown)) == len(shown)
    return right and solution.status == status and len(shown) == {"one": 1, "many": 2}.get(status, 0)


def broken_bar(judge: Worker, folder: Path, count: int) -> Bar:
    """Whether the core is right about boards made by breaking puzzles."""
    rng = random.Random(count)
    source = [puzzle for name in LISTS for puzzle in listed(folder, name)[:SAMPLE]]
    boards = [broken(rng.choice(source), rng) for _ in range(count)]
    answers = [answer or "" for answer, _ in judge.run(boards, float("inf"))]
    statuses = map(status_by_answer, boards, answers)
    right = sum(map(is_right, map(solve, boards), boards, statuses))
    return Bar(f"broken boards right, judged by {judge.name}", right, count, "", at_least=True)


def wrong_answers(records: Records) -> int:
    """Answers of our own that break the rules, change a clue or are missing."""
    ours = [by_solver[name] for by_solver in records.values() for name in OURS if name in by_solver]
    return sum(not is_answer(puzzle, answer or "") for one in ours for puzzle, answer in one.answers.items())


def start(names: Sequence[str], peers: str | None) -> list[Worker]:
    """Start the solvers that can be started, and say of the others why not."""
    workers = []
    for name in names:
        if name not in HERE and not peers:
            continue
        worker = Worker(name, sys.executable if name in HERE or not peers else peers)
        if worker.ready:
            workers.append(worker)
        else:
            print(f"without {name}: {worker.why_not()}")
    return workers


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The solver side by side with others.")
    parser.add_argument("--peers", metavar="PYTHON", help="interpreter that has the other packages")
    parser.add_argument(
        "--data", type=Path, default=DATA, metavar="FOLDER", help=f"lists of puzzles ({DATA})"
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds through each list (3)")
    parser.add_argument(
        "--budget",
        type=float,
        default=3.0,
        metavar="SECONDS",
        help="for one solver on one list and round (3)",
    )
    parser.add_argument(
        "--broken", type=int, default=5000, metavar="N", help="boards broken and judged (5000)"
    )
    options = parser.parse_args(arguments)
    if missing := [name for name in (*LISTS, SEEDS) if not (options.data / name).is_file()]:
        parser.error(f"{options.data} lacks {', '.join(missing)}; say with --data where the lists are")
    workers = start((*HERE, *INSTALLABLE), options.peers)
    records = compare(workers, options.data, options.rounds, options.budget)
    print(comparison(records), end="\n\n")
    for worker in workers:
        worker.close()
    bars = [*comparison_bars(records), *single_bars(options.data)]
    bars.append(Bar("wrong answers of our own", wrong_answers(records), 0, ""))
    for judge in start([JUDGE], options.peers):
        bars.append(broken_bar(judge, options.data, options.broken))
        judge.close()
    print(aligned([bar.row() for bar in bars]))


if __name__ == "__main__":
    main()
