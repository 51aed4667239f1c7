"""Compare the speed and the answers of the package's solver with those of other solvers.

    python benchmarks/solver.py [--peers PYTHON] [--data FOLDER] [--rounds N] [--budget SECONDS]

* Every solver has its own process (``benchmarks/solver_peers.py``). The solvers take turns at the lists of
  puzzles, in several rounds. For each puzzle, the shortest processor time of the rounds counts.
* Two solvers are compared on the puzzles that both worked on. A solver stops with a list when its budget is
  spent, and with a puzzle after ``LIMIT`` seconds, which then count as its time.
* Norvig's method, the package's core and its compiled kernel run in this environment. The fastest solver that
  pip installs runs under PYTHON, the interpreter of its own environment:

      python -m venv PEERS
      PEERS/bin/pip install hodoku-py==0.2.1

The lists are in ``../shared/data/puzzles``. All answers of the package are checked against the rules.
py-sudoku, dlxsudoku, sudokutools, ortools, MiniSat, lib-sudoku, sudoku-rust and py-libsudoku are far slower
than hodoku-py.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bench

from sudoku_vision.sudoku.rules import UNITS
from sudoku_vision.sudoku.solver import solve
from workshop.evaluation.text import aligned

DATA = bench.DATA / "puzzles"
WORKER = Path(__file__).with_name("solver_peers.py")

SUDOKU17, TOP95, TOP1465 = "sudoku17_49158.txt", "norvig_top95.txt", "magictour_top1465.txt"
HARDEST, HARDEST_MORE = "forum_hardest_1106.txt", "forum_hardest_1905_11plus.txt"
LISTS = (SUDOKU17, TOP95, TOP1465, HARDEST, HARDEST_MORE)

OURS = ("core", "bulk")
HERE = (*OURS, "norvig")
"""Solvers that run in this environment."""
PEERS = ("hodoku-py",)

SAMPLE = 2000  # number of puzzles that are taken from a longer list
ALL_AT_ONCE = "bulk"  # this solver works on many puzzles at the same time, so it is called with a whole list
PORTION = 50
"""After so many puzzles, the next solver has its turn: other work of the machine slows down all of them."""
LIMIT = 5.0  # longest time for one puzzle, in seconds


@dataclass
class Record:
    """A solver's results for a list: the answer to each puzzle, None if it took too long; its best time."""

    answers: dict[str, str | None] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, puzzles: Sequence[str], round_: Sequence[tuple[str | None, float]]) -> None:
        """Add the answers and times of a round; the solver may have reached fewer puzzles than *puzzles*."""
        for puzzle, (answer, seconds) in zip(puzzles, round_, strict=False):
            self.answers[puzzle] = answer
            self.seconds[puzzle] = min(seconds, self.seconds.get(puzzle, seconds))

    @property
    def mean(self) -> float:
        """The mean time of a puzzle in seconds."""
        return sum(self.seconds.values()) / len(self.seconds)

    @property
    def timeouts(self) -> int:
        """The number of puzzles that took longer than the limit."""
        return sum(answer is None for answer in self.answers.values())


def times_faster(one: Record, other: Record) -> float:
    """Return how many times faster *one* is than *other* on the puzzles that both worked on."""
    common = one.seconds.keys() & other.seconds.keys()
    return sum(other.seconds[puzzle] for puzzle in common) / sum(one.seconds[puzzle] for puzzle in common)


def agreement(one: Record, other: Record) -> tuple[int, int]:
    """Return on how many puzzles two solvers agree, and how many both finished."""
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
        """Return the last line of the solver's error."""
        error = self._process.communicate()[1].strip()
        return error.splitlines()[-1] if error else "ended without a message"

    def run(self, puzzles: Sequence[str], budget: float) -> list[tuple[str | None, float]]:
        """Return the answers and times of puzzles, until *budget* seconds of processor time are spent."""
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
"""The records by list and by solver."""


def listed(folder: Path, name: str) -> list[str]:
    """Return the puzzles of a list in a random order that is always the same."""
    puzzles = bench.puzzles(folder / name)
    random.Random(len(puzzles)).shuffle(puzzles)
    return puzzles


def compare(workers: Sequence[Worker], folder: Path, rounds: int, budget: float) -> Records:
    """Let all solvers work on all lists, in turn."""
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
    """Let the solvers take turns at a list until their budgets are spent."""
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
    """Return a table with a line for each list and solver."""
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


def slowest(folder: Path) -> Iterator[str]:
    """Yield a line about the slowest puzzle of each list of the hardest puzzles."""
    for name in (HARDEST, HARDEST_MORE):
        taken = []
        for puzzle in listed(folder, name)[:SAMPLE]:
            started = time.process_time()
            solve(puzzle)
            taken.append(time.process_time() - started)
        yield f"slowest of {len(taken)} for the core, {name}: {1000 * max(taken):.0f} ms"


def is_answer(puzzle: str, answer: str) -> bool:
    """Return whether an answer obeys the rules and keeps the clues."""
    units = len(answer) == 81 and all({answer[cell] for cell in unit} == set("123456789") for unit in UNITS)
    return units and all(clue in ".0" or clue == digit for clue, digit in zip(puzzle, answer, strict=True))


def wrong_answers(records: Records) -> int:
    """Count our own answers that break the rules, change a clue or are missing."""
    ours = [by_solver[name] for by_solver in records.values() for name in OURS if name in by_solver]
    return sum(
        not is_answer(puzzle, answer or "") for record in ours for puzzle, answer in record.answers.items()
    )


def start(names: Sequence[str], peers: str | None) -> list[Worker]:
    """Start the solvers, and print why some could not be started."""
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
    parser = bench.parser(__doc__)
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
    options = parser.parse_args(arguments)
    if missing := [name for name in LISTS if not (options.data / name).is_file()]:
        parser.error(f"{options.data} lacks {', '.join(missing)}; give the folder of the lists with --data")
    workers = start((*HERE, *PEERS), options.peers)
    records = compare(workers, options.data, options.rounds, options.budget)
    for worker in workers:
        worker.close()
    print(comparison(records), *slowest(options.data), sep="\n")
    print(f"wrong answers of our own: {wrong_answers(records)}")


if __name__ == "__main__":
    main()
