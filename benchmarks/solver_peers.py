"""The solvers that ``benchmarks/solver.py`` compares, each in a process of its own, the package's among them.

    PYTHON benchmarks/solver_peers.py NAME

On standard input comes a line of JSON for each list of puzzles, ``{"puzzles": [...], "seconds": limit for
one, "budget": limit for all}``; on standard output goes a line for each, ``[[answer, seconds], ...]``, as far
as the budget reached. An answer is 81 digits, empty where the solver said that there is none, and null where
the limit cut it off. Seconds are processor time of this process, taken around nothing but the call, with the
puzzle as text and the answer as text; whatever a solver can prepare once is prepared before.

PYTHON has to find only the solver that is named: packages are imported where they are used.
"""

from __future__ import annotations

import importlib
import json
import signal
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from types import FrameType
from typing import Any

Solve = Callable[[str], str]
Answers = list[tuple["str | None", float]]

ROOT = Path(__file__).resolve().parents[1]
CELLS = range(81)
UNITS = [
    *([9 * row + column for column in range(9)] for row in range(9)),
    *([9 * row + column for row in range(9)] for column in range(9)),
    *(
        [9 * (top + row) + left + column for row in range(3) for column in range(3)]
        for top in (0, 3, 6)
        for left in (0, 3, 6)
    ),
]


EASY = "53467891267219534819834256785976142342685379171392485696153728428741963534528617."


class TooLong(BaseException):
    """The limit for one puzzle has passed; no Exception, since some solvers catch these."""


def norvig() -> Solve:
    """Norvig's method; finds one solution and doesn't look for others.

    Written from his essay "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html). The digits that a square
    may take are a string. Two rules are applied through each other as far as they lead: a digit that is the
    only one left in a square is eliminated from its peers, and one that has a single place left in a unit is
    put there. Then the digits of a square that has fewest are tried in turn, each on a copy.
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
    """The package's pure core as people call it: proves that a solution is the only one."""
    solve = _ours("solver").solve
    return lambda puzzle: str(solve(puzzle))


def core_first() -> Solve:
    """The pure core, content with the first solution."""
    parse, search = _ours("board").parse_board, _ours("solver").search
    return lambda puzzle: "".join(map(str, (*search(parse(puzzle), 1).solutions, ())[0]))


def bulk() -> Callable[[Sequence[str]], list[str]]:
    """The package's compiled kernel in one thread; proves that a solution is the only one."""
    bulk = _ours("bulk")
    return lambda puzzles: [str(found) for found in bulk.solve_many(puzzles, jobs=1, engine="kernel")]


def _ours(module: str) -> Any:
    sys.path.insert(0, str(ROOT))
    return importlib.import_module(f"sudoku_vision.sudoku.{module}")


def hodoku() -> Solve:
    """The solver in C within hodoku-py's generator; proves that a solution is the only one."""
    solver = importlib.import_module("hodoku.generator.generator").SudokuGenerator()

    def solve(puzzle: str) -> str:
        solver.solve_string(puzzle.replace(".", "0"))
        return str(solver.get_solution_as_string())

    return solve


def _literal(cell: int, digit: int) -> int:
    return 9 * cell + digit


def _clauses() -> list[list[int]]:
    """The rules in conjunctive normal form: every cell and every unit holds each digit exactly once."""
    exactly_one = [[_literal(cell, digit) for digit in range(1, 10)] for cell in CELLS]
    exactly_one += [[_literal(cell, digit) for cell in unit] for unit in UNITS for digit in range(1, 10)]
    either = {(-one, -other) for group in exactly_one for one, other in combinations(group, 2)}
    return exactly_one + [list(clause) for clause in sorted(either)]


def minisat() -> Solve:
    """MiniSat 2.2 of python-sat, kept from puzzle to puzzle, the clues as assumptions; finds one solution."""
    solver = importlib.import_module("pysat.solvers").Minisat22(bootstrap_with=_clauses())

    def solve(puzzle: str) -> str:
        return _of_literals(solver.get_model()) if solver.solve(assumptions=_clues(puzzle)) else ""

    return solve


def _clues(puzzle: str) -> list[int]:
    return [_literal(cell, digit) for cell, digit in enumerate(_digits(puzzle)) if digit]


def _of_literals(model: Sequence[int]) -> str:
    return "".join(str((literal - 1) % 9 + 1) for literal in model if 0 < literal <= _literal(80, 9))


def _digits(puzzle: str) -> list[int]:
    return [int(mark) if mark in "123456789" else 0 for mark in puzzle]


ONE_BY_ONE: dict[str, Callable[[], Solve]] = {
    "core": core,
    "core-first": core_first,
    "norvig": norvig,
    "hodoku-py": hodoku,
    "python-sat": minisat,
}
TOGETHER = {"bulk": bulk}


def one_by_one(solve: Solve, puzzles: Sequence[str], seconds: float, budget: float) -> Answers:
    """Solve puzzle by puzzle, each for *seconds* at most, until *budget* seconds are spent.

    The limit alone goes by the clock on the wall: a timer of processor time makes its clock a coarse one.
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
    """Solve all puzzles in one call, whose time is shared out evenly."""
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
    solve([EASY] if name in TOGETHER else EASY)  # whatever is loaded or compiled at first is, by now
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
