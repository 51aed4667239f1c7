"""Runs one of the solvers that ``benchmarks/solver.py`` compares, in a process of its own.

    PYTHON benchmarks/solver_peers.py NAME

Standard input has a line of JSON for each list of puzzles: ``{"puzzles": [...], "seconds": limit for one,
"budget": limit for all}``. Standard output gets a line ``[[answer, seconds], ...]`` for each list; the list
is shorter if the budget is spent. An answer is 81 digits, empty if the solver found none, or null if it took
too long. Seconds are the processor time of the call, without preparations that are made only once.

PYTHON needs only the package of this solver: packages are imported where they are used.
"""

import importlib
import json
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

Solve = Callable[[str], str]
Answers = list[tuple["str | None", float]]

ROOT = Path(__file__).resolve().parents[1]
UNITS = [
    *([9 * row + column for column in range(9)] for row in range(9)),
    *([9 * row + column for row in range(9)] for column in range(9)),
    *([cell for cell in range(81) if 3 * (cell // 27) + cell % 9 // 3 == box] for box in range(9)),
]
EASY = "53467891267219534819834256785976142342685379171392485696153728428741963534528617."


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


def core() -> Solve:
    """Return the package's solver in pure Python, which proves that a solution is the only one."""
    solve = _ours("solver").solve
    return lambda puzzle: str(solve(puzzle))


def bulk() -> Callable[[Sequence[str]], list[str]]:
    """Return the package's compiled solver in one thread, which proves that a solution is the only one."""
    bulk = _ours("bulk")
    return lambda puzzles: [str(found) for found in bulk.solve_many(puzzles, jobs=1, engine="kernel")]


def _ours(module: str) -> Any:
    sys.path.insert(0, str(ROOT))
    return importlib.import_module(f"sudoku_vision.sudoku.{module}")


def hodoku() -> Solve:
    """Return the C solver of hodoku-py's generator, which proves that a solution is the only one."""
    solver = importlib.import_module("hodoku.generator.generator").SudokuGenerator()

    def solve(puzzle: str) -> str:
        solver.solve_string(puzzle.replace(".", "0"))
        return str(solver.get_solution_as_string())

    return solve


ONE_BY_ONE: dict[str, Callable[[], Solve]] = {
    "core": core,
    "norvig": norvig,
    "hodoku-py": hodoku,
}
TOGETHER = {"bulk": bulk}


def one_by_one(solve: Solve, puzzles: Sequence[str], seconds: float, budget: float) -> Answers:
    """Solve puzzle by puzzle, each for at most *seconds*, until *budget* seconds are spent.

    The limit for a puzzle is wall time: with a timer of processor time, this clock would be less exact.
    """
    answers: Answers = []
    for puzzle in puzzles:
        answer = None
        signal.setitimer(signal.ITIMER_REAL, seconds)
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
    return answers


def together(solve: Callable[[Sequence[str]], list[str]], puzzles: Sequence[str]) -> Answers:
    """Solve all puzzles in one call, and give each an equal share of its time."""
    started = time.process_time()
    answers = solve(puzzles)
    spent = time.process_time() - started
    return [(answer, spent / len(puzzles)) for answer in answers]


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooLong


def main() -> None:
    """Answer each line of standard input."""
    name = sys.argv[1]

    signal.signal(signal.SIGALRM, _stop)
    make = ONE_BY_ONE.get(name) or TOGETHER[name]
    solve: Any = make()
    solve([EASY] if name in TOGETHER else EASY)  # so that everything is loaded and compiled
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        puzzles = asked["puzzles"]
        if name in TOGETHER:
            answers = together(solve, puzzles)
        else:
            answers = one_by_one(solve, puzzles, asked["seconds"], asked["budget"])
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
