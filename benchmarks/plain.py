"""How many hard puzzles are read and solved if they are drawn without perspective, light or noise.

    python benchmarks/plain.py [LIST] [--first N] [--rules NAME --made N]

Each puzzle of LIST (by default, the hardest puzzles known) is drawn with cells of 50 pixels, and read. With
``--rules``, N minimal puzzles are made instead, and their rules are read from the picture, too. It prints the
puzzles that are not solved, and counts the pages by status; *wrong* counts those with another answer. Times
are those of drawing and reading.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import bench
import numpy as np

from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, puzzle_figure
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_array, board_text, parse_board
from sudoku_vision.sudoku.generator.boards import random_full_board, take_away
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.sudoku.rules import rules_from
from sudoku_vision.sudoku.solver import searcher, solve
from sudoku_vision.vision.results import Photo

HARDEST = bench.DATA / "puzzles" / "forum_hardest_1106.txt"
DPI = 156  # 50 pixels a cell


def listed(path: Path, first: int | None) -> Iterator[PrintablePuzzle]:
    """Yield the *first* puzzles of a list (all if None), with their solutions."""
    for puzzle in bench.puzzles(path)[:first]:
        yield PrintablePuzzle(board_array(parse_board(puzzle)), solve(puzzle).solution)


def made(name: str, count: int) -> Iterator[PrintablePuzzle]:
    """Yield *count* minimal puzzles for the rules of a *name*; each jigsaw has other regions."""
    rng = np.random.default_rng(0)
    while count:
        rules = rules_from(name, random_regions(rng) if "jigsaw" in name else "")
        if solve("0" * 81, rules=rules).solution is None:
            continue
        solution = random_full_board(rng, rules)
        values, find = solution.ravel().tolist(), searcher(rules)
        for cell in rng.permutation(81).tolist():
            take_away(values, (cell,), find)
        yield PrintablePuzzle(board_array(values), solution, rules=rules)
        count -= 1


def outcome(item: PrintablePuzzle) -> str:
    """Draw and read a puzzle, and return its status, or "wrong" if another answer is called solved."""
    page = read_page(Photo(raster(puzzle_figure(item), DPI)))
    if page.status != "solved":
        return page.status
    answers = [board_text(grid.solution) for grid in page.grids if grid.solution is not None]
    return "solved" if item.solution is not None and answers == [board_text(item.solution)] else "wrong"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw, read, and print."""
    parser = bench.parser(__doc__)
    parser.add_argument("list", nargs="?", type=Path, default=HARDEST, help="a puzzle a line")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N puzzles of the list")
    parser.add_argument("--rules", metavar="NAME", help="make puzzles of these rules instead")
    parser.add_argument("--made", type=int, default=12, metavar="N", help="how many (12)")
    options = parser.parse_args(arguments)
    puzzles = made(options.rules, options.made) if options.rules else listed(options.list, options.first)
    found: Counter[str] = Counter()
    times = []
    for item in puzzles:
        started = time.process_time()
        status = outcome(item)
        times.append(time.process_time() - started)
        found[status] += 1
        if status != "solved":
            print(status, board_text(item.puzzle), item.rules.regions if item.rules.is_jigsaw else "")
    counts = ", ".join(f"{count} {status}" for status, count in found.most_common())
    print(f"{found.total()} puzzles: {counts}")
    print(f"drawn and read in {np.median(times):.2f} s, at most {max(times):.2f} s")


if __name__ == "__main__":
    main()
