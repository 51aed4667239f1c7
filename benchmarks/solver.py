"""Measure the speed of the package's solvers, compared with Norvig's method, and check their answers.

    python benchmarks/solver.py [--rounds N] [--count N]

``core`` solves one puzzle after another in Python. ``bulk`` solves a whole list in one thread of the compiled
kernel. Both prove that a solution is the only one. In several rounds, ``core`` and Norvig's method solve the
same N random puzzles of each list. They take turns after :data:`PORTION` puzzles. For each puzzle, the
shortest processor time of all rounds is used. An answer is wrong if it breaks the rules or changes a clue.
"""

import random
import time
from collections.abc import Callable, Sequence

import bench

from sudoku_vision.errors import MissingExtraError
from sudoku_vision.sudoku.bulk import solve_many
from sudoku_vision.sudoku.rules import UNITS
from sudoku_vision.sudoku.solver import solve
from workshop.evaluation.text import aligned

Solve = Callable[[str], str]
"""A function of a puzzle that returns its solution: 81 digits, or "" if it finds none."""
Best = dict[str, tuple[float, str]]  # by puzzle: the shortest time in seconds, and the answer

LISTS = (
    *("sudoku17_49158.txt", "norvig_top95.txt", "magictour_top1465.txt"),
    *("forum_hardest_1106.txt", "forum_hardest_1905_11plus.txt"),
)
PORTION = 50
"""Number of puzzles after which the next solver takes its turn. So other work on the machine slows all
solvers equally."""
HEAD = ("list", "puzzles", "core, µs", "slowest, ms", "Norvig's / core", "bulk, µs", "core / bulk", "wrong")


def norvig() -> Solve:
    """Return Norvig's method, which finds one solution and doesn't look for others.

    It is written from his essay "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html). The candidates of a
    square are a string. Two rules call each other. First, the last candidate of a square is eliminated from
    the square's peers. Second, if a digit has only one place in a unit, it is assigned to this place. Then a
    square with the fewest candidates is chosen. Each of its candidates is tried on a copy of the grid.
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


def in_turn(solvers: Sequence[Solve], puzzles: Sequence[str], rounds: int) -> list[Best]:
    """Let *solvers* solve *puzzles* in turn. Return the best times and the answers of each solver."""
    found: list[Best] = [{} for _ in solvers]
    for start in [*range(0, len(puzzles), PORTION)] * rounds:
        for solver, best in zip(solvers, found, strict=True):
            for puzzle in puzzles[start : start + PORTION]:
                started = time.process_time()
                answer = solver(puzzle)
                spent = time.process_time() - started
                best[puzzle] = min(spent, best.get(puzzle, (spent,))[0]), answer
    return found


def all_at_once(puzzles: Sequence[str], rounds: int) -> tuple[float, list[str]] | None:
    """Return the kernel's mean time for a puzzle in seconds, and its answers; None without the kernel."""
    try:
        solve_many(puzzles[:1], jobs=1, engine="kernel")  # unmeasured: it loads and compiles the kernel
    except MissingExtraError:
        return None
    spent = []
    for _ in range(rounds):
        started = time.process_time()
        answers = [str(found) for found in solve_many(puzzles, jobs=1, engine="kernel")]
        spent.append(time.process_time() - started)
    return min(spent) / len(puzzles), answers


def is_answer(puzzle: str, answer: str) -> bool:
    """Return whether an answer obeys the rules and has the clues of the puzzle."""
    units = len(answer) == 81 and all({answer[cell] for cell in unit} == set("123456789") for unit in UNITS)
    return units and all(clue in ".0" or clue == digit for clue, digit in zip(puzzle, answer, strict=True))


def compared(name: str, puzzles: Sequence[str], count: int, rounds: int) -> tuple[str, ...]:
    """Return a row with the columns of :data:`HEAD`. *name*: the list from which *puzzles* come."""
    some = random.Random(len(puzzles)).sample(puzzles, min(count, len(puzzles)))
    core, other = in_turn((lambda puzzle: str(solve(puzzle)), norvig()), some, rounds)
    ours, theirs = (sum(seconds for seconds, _ in best.values()) / len(some) for best in (core, other))
    answers = [(puzzle, answer) for puzzle, (_, answer) in core.items()]
    kernel, bulk = all_at_once(puzzles, rounds), ("-", "-")
    if kernel is not None:
        answers += zip(puzzles, kernel[1], strict=True)
        bulk = f"{1e6 * kernel[0]:.1f}", f"{ours / kernel[0]:.1f}"
    slowest = 1000 * max(seconds for seconds, _ in core.values())
    wrong = sum(not is_answer(puzzle, answer) for puzzle, answer in answers)
    times = f"{1e6 * ours:.1f}", f"{slowest:.1f}", f"{theirs / ours:.1f}"
    return (name, str(len(some)), *times, *bulk, str(wrong))


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve the puzzles of all lists, and print a table of the times."""
    parser = bench.parser(__doc__)
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds through each list (3)")
    parser.add_argument("--count", type=int, default=400, metavar="N", help="puzzles of each list (400)")
    options = parser.parse_args(arguments)
    lists = {name: bench.puzzles(name) for name in LISTS}
    print(aligned([HEAD, *(compared(name, lists[name], options.count, options.rounds) for name in lists)]))


if __name__ == "__main__":
    main()
