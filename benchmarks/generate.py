"""How long puzzles take to make, by difficulty: processor seconds of one core.

    python benchmarks/generate.py [--seeds N] [--symmetry NAME,...] [--minimal] [--clues N]

Each line tells, for one symmetry and difficulty: for how many seeds a puzzle was found, seconds of the median
seed and of the slowest, puzzles looked at on the way, by the median, and the fewest, median and most clues.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from statistics import median

from sudoku_vision.cli.progress import progress
from sudoku_vision.errors import GenerateError, SudokuVisionError
from sudoku_vision.sudoku.generator import Constraints, Puzzle, series
from sudoku_vision.sudoku.generator.constraints import SYMMETRIES
from sudoku_vision.sudoku.logic import DIFFICULTIES
from sudoku_vision.workshop.evaluation.text import aligned

HEAD = ("symmetry", "difficulty", "met", "median s", "worst s", "tries", "clues")


@dataclass(frozen=True, eq=False)
class Made:
    """What came of one seed: the ``puzzle`` or None, ``seconds`` of the processor, puzzles looked at."""

    puzzle: Puzzle | None
    seconds: float
    tries: int


def make(constraints: Constraints, seed: int) -> Made:
    """Make the first puzzle of a seed."""
    counter = count()
    begun = time.process_time()
    try:
        puzzle: Puzzle | None = next(series(constraints, seed, advance=lambda _: next(counter)))
    except GenerateError:
        puzzle = None
    return Made(puzzle, time.process_time() - begun, next(counter))


def row(constraints: Constraints, made: Sequence[Made]) -> tuple[str, ...]:
    """One line of the table."""
    met = [one.puzzle for one in made if one.puzzle is not None]
    clues = sorted(puzzle.clues for puzzle in met)
    return (
        constraints.symmetry,
        constraints.difficulty or "any",
        f"{len(met)}/{len(made)}",
        f"{median(one.seconds for one in made):.3f}",
        f"{max(one.seconds for one in made):.3f}",
        f"{median(one.tries for one in made):.0f}",
        f"{clues[0]} / {median(clues):.0f} / {clues[-1]}" if clues else "",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How long puzzles take to make.")
    parser.add_argument("--seeds", type=int, default=30, metavar="N", help="puzzles of each kind (30)")
    parser.add_argument("--symmetry", default="point,none", metavar="NAME,...", help="point,none; or all")
    parser.add_argument("--minimal", action="store_true", help="ask for minimal puzzles")
    parser.add_argument("--clues", type=int, metavar="N", help="ask for so many clues")
    options = parser.parse_args(arguments)
    symmetries = SYMMETRIES if options.symmetry == "all" else options.symmetry.split(",")
    try:
        kinds = [
            Constraints(difficulty, options.clues, symmetry, options.minimal)
            for symmetry in symmetries
            for difficulty in (None, *DIFFICULTIES)
        ]
    except SudokuVisionError as error:
        parser.error(str(error))
    rows: list[tuple[str, ...]] = [HEAD]
    with progress(len(kinds) * options.seeds, "generating") as bar:
        for constraints in kinds:
            made = []
            for seed in range(options.seeds):
                made.append(make(constraints, seed))
                bar.advance()
            rows.append(row(constraints, made))
    print(aligned(rows))


if __name__ == "__main__":
    main()
