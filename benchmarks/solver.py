"""Compare the speed and the answers of the package's solver with those of other solvers.

    python benchmarks/solver.py [--data FOLDER] [--rounds N] [--budget SECONDS]

* The solvers take turns at the lists of puzzles, in several rounds. For each puzzle, the shortest processor
  time of the rounds counts.
* Two solvers are compared on the puzzles that both worked on. A solver stops with a list when its budget is
  spent, and with a puzzle after ``LIMIT`` seconds, which then count as its time.
* The others are Norvig's method and, if ``pip install hodoku-py==0.2.1`` was run, the fastest solver that pip
  installs.

The lists are in ``../shared/data/puzzles``. All answers of the package are checked against the rules.
py-sudoku, dlxsudoku, sudokutools, ortools, MiniSat, lib-sudoku, sudoku-rust and py-libsudoku are far slower
than hodoku-py.
"""

import importlib
import random
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

import bench

from sudoku_vision.errors import MissingExtraError
from sudoku_vision.sudoku.bulk import solve_many
from sudoku_vision.sudoku.rules import UNITS
from sudoku_vision.sudoku.solver import solve
from workshop.evaluation.text import aligned

Solve = Callable[[str], str]
"""A function that returns the answer to a puzzle: 81 digits, empty if there is none."""
Answers = list[tuple[str | None, float]]
"""Answers, None for a puzzle that took too long, with the seconds of processor time that each took."""

DATA = bench.DATA / "puzzles"

HARDEST = ("forum_hardest_1106.txt", "forum_hardest_1905_11plus.txt")
LISTS = ("sudoku17_49158.txt", "norvig_top95.txt", "magictour_top1465.txt", *HARDEST)

OURS = ("core", "bulk")
"""Solvers of the package, which prove that a solution is the only one."""
EASY = "53467891267219534819834256785976142342685379171392485696153728428741963534528617."

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


class TooLong(BaseException):
    """A puzzle took too long. This is no Exception, because some solvers catch all exceptions."""


def norvig() -> Solve:
    """Return Norvig's method, which finds one solution and doesn't look for others.

    It is written from his essay "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html). The candidates of a
    square are a string. Two rules call each other: the last candidate of a square is eliminated from its
    peers, and a digit with only one place in a unit is assigned to it. Then the candidates of a square with
    the fewest of them are tried in turn, each on a copy.
    """
    squares = [row + column for row in "ABCDEFGHI" for column in "123456789"]
    named = [[squares[cell] for cell in unit] for unit in UNITS]
    units = {square: [unit for unit in named if square in unit] for square in squares}
    peers = {square: {peer for unit in units[square] for peer in unit} - {square} for square in squares}

    def assign(values: dict[str, str], square: str, digit: str) -> bool:
        return all(eliminate(values, square, other) for other in values[square].replace(digit, ""))

    def eliminate(values: dict[str, str], square: str, digit: str) -> bool:
        if digit not in values[square]:
            return True
        left = values[square] = values[square].replace(digit, "")
        if not left or (len(left) == 1 and not all(eliminate(values, peer, left) for peer in peers[square])):
            return False
        for unit in units[square]:
            places = [place for place in unit if digit in values[place]]
            if not places or (len(places) == 1 and not assign(values, places[0], digit)):
                return False
        return True

    def search(values: dict[str, str]) -> dict[str, str] | None:
        undecided = [square for square in squares if len(values[square]) > 1]
        if not undecided:
            return values
        square = min(undecided, key=lambda square: len(values[square]))
        for digit in values[square]:
            copy = values.copy()
            if assign(copy, square, digit) and (found := search(copy)):
                return found
        return None

    def solve(puzzle: str) -> str:
        values = dict.fromkeys(squares, "123456789")
        clues = (
            (square, digit) for square, digit in zip(squares, puzzle, strict=True) if digit in "123456789"
        )
        if not all(assign(values, square, digit) for square, digit in clues):
            return ""
        return "".join((search(values) or {}).values())

    return solve


def hodoku() -> Solve:
    """Return the C solver of hodoku-py's generator, which proves that a solution is the only one."""
    solver = importlib.import_module("hodoku.generator.generator").SudokuGenerator()

    def solve(puzzle: str) -> str:
        solver.solve_string(puzzle.replace(".", "0"))
        return str(solver.get_solution_as_string())

    return solve


def one_by_one(solve: Solve, puzzles: Sequence[str], budget: float) -> Answers:
    """Solve puzzle by puzzle, each for at most ``LIMIT`` seconds, until *budget* seconds are spent.

    The limit for a puzzle is wall time: with a timer of processor time, this clock would be less exact.
    """
    answers: Answers = []
    before = signal.signal(signal.SIGALRM, _stop)
    for puzzle in puzzles:
        answer = None
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        started = time.process_time()
        try:
            answer = solve(puzzle)
        except TooLong:
            pass
        finally:
            spent = time.process_time() - started
            signal.setitimer(signal.ITIMER_REAL, 0)
        answers.append((answer, spent))
        budget -= spent
        if budget < 0:
            break
    signal.signal(signal.SIGALRM, before)
    return answers


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def bulk(puzzles: Sequence[str]) -> Answers:
    """Solve all puzzles in one thread of the compiled kernel; each has an equal share of the time."""
    started = time.process_time()
    answers = [str(found) for found in solve_many(puzzles, jobs=1, engine="kernel")]
    spent = time.process_time() - started
    return [(answer, spent / len(puzzles)) for answer in answers]


Solver = Callable[[Sequence[str], float], Answers]
"""A function that works on puzzles until its budget is spent, in seconds of processor time."""
MAKERS: dict[str, Callable[[], Solve]] = {
    "core": lambda: lambda puzzle: str(solve(puzzle)),
    "norvig": norvig,
    "hodoku-py": hodoku,
}


def solvers() -> dict[str, Solver]:
    """Return the solvers that can be loaded; the names of the others are printed."""
    found: dict[str, Solver] = {}
    for name in (*MAKERS, ALL_AT_ONCE):
        try:
            solver = _solver(name)
            solver([EASY], LIMIT)  # so that everything is loaded and compiled
            found[name] = solver
        except (ImportError, MissingExtraError) as error:
            print(f"without {name}: {error}")
    return found


def _solver(name: str) -> Solver:
    if name == ALL_AT_ONCE:
        return lambda puzzles, _: bulk(puzzles)
    return partial(one_by_one, MAKERS[name]())


Records = Mapping[str, Mapping[str, Record]]
"""The records by list and by solver."""


def listed(folder: Path, name: str) -> list[str]:
    """Return the puzzles of a list in a random order that is always the same."""
    puzzles = bench.puzzles(folder / name)
    random.Random(len(puzzles)).shuffle(puzzles)
    return puzzles


def compare(solvers: Mapping[str, Solver], folder: Path, rounds: int, budget: float) -> Records:
    """Let all solvers work on all lists, in turn."""
    records: dict[str, dict[str, Record]] = {}
    for name in LISTS:
        puzzles = listed(folder, name)
        records[name] = {solver: Record() for solver in solvers}
        for _ in range(rounds):
            one_round(solvers, puzzles, records[name], budget)
    return records


def one_round(
    solvers: Mapping[str, Solver], puzzles: Sequence[str], records: Mapping[str, Record], budget: float
) -> None:
    """Let the solvers take turns at a list until their budgets are spent."""
    left = dict.fromkeys(solvers, budget)
    for start in range(0, min(SAMPLE, len(puzzles)), PORTION):
        for name, solver in solvers.items():
            portion = puzzles[start : min(start + PORTION, SAMPLE)]
            if name == ALL_AT_ONCE:
                portion = puzzles if start == 0 else []
            if portion and left[name] > 0:
                answers = solver(portion, left[name])
                left[name] -= sum(seconds for _, seconds in answers)
                records[name].add(portion, answers)


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
    for name in HARDEST:
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = bench.parser(__doc__)
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
    records = compare(solvers(), options.data, options.rounds, options.budget)
    print(comparison(records), *slowest(options.data), sep="\n")
    print(f"wrong answers of our own: {wrong_answers(records)}")


if __name__ == "__main__":
    main()
