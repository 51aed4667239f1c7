"""Hard puzzles, drawn plainly and read: how many are answered like the same board as text.

    python benchmarks/plain.py [LIST] [--first N] [--rules NAME --made N] [--missing]

Each puzzle of LIST, 81 characters a line (by default the hardest known), is drawn flat, 50 pixels a cell, and
read. With ``--rules``, N minimal puzzles are made instead, and their rules are read from the picture, too. It
counts the pages by status; *wrong* are those with another answer. Times are those of drawing and reading.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle, puzzle_figure
from sudoku_vision.output.drawing.raster import raster
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import board_array, board_text, parse_board
from sudoku_vision.sudoku.generator.thinning import random_full_board, take_away
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.sudoku.rules import rules_from
from sudoku_vision.sudoku.solver import searcher, solve
from sudoku_vision.vision.results import Photo

DATA = Path(os.environ.get("SUDOKU_VISION_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
HARDEST = DATA / "puzzles" / "forum_hardest_1106.txt"
DPI = 156  # 50 pixels a cell


def listed(path: Path, first: int | None) -> Iterator[PrintablePuzzle]:
    """Yield the *first* puzzles of a list (all if None), with their solutions."""
    for line in islice(path.read_text().split(), first):
        yield PrintablePuzzle(board_array(parse_board(line)), solve(line).solution)


def made(name: str, count: int) -> Iterator[PrintablePuzzle]:
    """Yield minimal puzzles of the rules of a *name*; each jigsaw has its own regions."""
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
    """Return the status of a puzzle, drawn and read; "wrong" if another answer is called solved."""
    page = read_page(Photo(raster(puzzle_figure(item), DPI)))
    if page.status != "solved":
        return page.status
    answers = [board_text(grid.solution) for grid in page.grids if grid.solution is not None]
    return "solved" if item.solution is not None and answers == [board_text(item.solution)] else "wrong"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw, read, and print."""
    parser = argparse.ArgumentParser(description="How many hard puzzles are solved, drawn plainly.")
    parser.add_argument("list", nargs="?", type=Path, default=HARDEST, help="a puzzle a line")
    parser.add_argument("--first", type=int, metavar="N", help="the first N of the list alone")
    parser.add_argument("--rules", metavar="NAME", help="make puzzles of these rules instead")
    parser.add_argument("--made", type=int, default=12, metavar="N", help="how many (12)")
    parser.add_argument("--missing", action="store_true", help="print those that are not solved")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    puzzles = made(options.rules, options.made) if options.rules else listed(options.list, options.first)
    found: Counter[str] = Counter()
    times = []
    for item in puzzles:
        started = time.process_time()
        status = outcome(item)
        times.append(time.process_time() - started)
        found[status] += 1
        if options.missing and status != "solved":
            print(status, board_text(item.puzzle), item.rules.regions if item.rules.is_jigsaw else "")
    counts = ", ".join(f"{count} {status}" for status, count in found.most_common())
    print(f"{found.total()} puzzles: {counts}")
    print(f"drawn and read in {np.median(times):.2f} s, at most {max(times):.2f} s")


if __name__ == "__main__":
    main()
