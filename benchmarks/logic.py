"""Measure the logic: whether its steps are right, how far they lead, how long they take.

    python benchmarks/logic.py sound [--count N] [--rules jigsaw|diagonal|killer]
    python benchmarks/logic.py claims [--count N] [--seconds N] [--rules jigsaw|diagonal|killer]
    python benchmarks/logic.py solved
    python benchmarks/logic.py speed [--count N]

* ``sound`` compares every step of N puzzles (5,000) with the solutions, in about 2 minutes.
* ``claims`` checks every sentence on N boards (500) of each technique, for at most 60 seconds a technique by
  default. With ``--rules``, ``sound`` and ``claims`` use only generated puzzles; half of them are minimal.
* ``solved`` counts the puzzles of each list that can be solved without trial and error.
* ``speed`` measures the processor time of rating a puzzle, for each difficulty.

The lists are in ``puzzles`` in the folder of the data: ``../shared/data``, or ``SUDOKU_VISION_DATA``.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import bench
import numpy as np
from logic_claims import Sight, false_claims

from sudoku_vision.sudoku.board import board_text, parse_board
from sudoku_vision.sudoku.generator import numbered_puzzle
from sudoku_vision.sudoku.generator.constraints import Constraints
from sudoku_vision.sudoku.logic import rate
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import needed_steps, take, walk
from sudoku_vision.sudoku.logic.steps import DIFFICULTIES, Step, Technique
from sudoku_vision.sudoku.logic.techniques import TECHNIQUES, technique_named
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers
from sudoku_vision.sudoku.rules import CLASSIC, Rules
from sudoku_vision.sudoku.solver import searcher
from workshop.rendering.boards import random_puzzle

SOUND_LISTS = {
    "magictour_top1465.txt": 1465,
    "sudoku17_49158.txt": 1200,
    "norvig_top95.txt": 95,
    "forum_hardest_1106.txt": 120,
    "forum_hardest_1905_11plus.txt": 120,
}
"""The number of puzzles that come from each list if 5,000 are wanted. The other puzzles are generated."""

RATED_LISTS = {
    "magictour_top1465.txt": 120,
    "sudoku17_49158.txt": 80,
    "norvig_top95.txt": 30,
    "forum_hardest_1106.txt": 10,
    "forum_hardest_1905_11plus.txt": 10,
}
"""For the 500 puzzles that are rated: how many come from each list. The other puzzles are generated."""

MAX_BOARDS = 2  # a puzzle gives this number of boards at most for each technique
CLUES = (20, 22, 24, 25, 26, 27, 28, 29, 30, 32, 34, 36)
"""Numbers of clues for generated puzzles: as usual in newspapers, and some lower numbers."""


def sample(count: int, lists: dict[str, int], seed: int) -> list[str]:
    """Return *count* puzzles in random order. *lists*: how many come from each list; others are generated."""
    rng = random.Random(seed)
    picked = [puzzle for name, many in lists.items() for puzzle in rng.sample(bench.puzzles(name), many)]
    puzzles = list(dict.fromkeys(picked))  # a puzzle in several lists is used only once
    rng = random.Random(seed + 1)
    for _ in range(count - len(puzzles)):
        clues, own = rng.choice(CLUES), np.random.default_rng(rng.getrandbits(32))
        puzzles.append(board_text(random_puzzle(own, clues)[0]))
    rng.shuffle(puzzles)
    return puzzles[:count]


def by_rules(name: str, seed: int, count: int) -> Iterator[tuple[str, Rules]]:
    """Yield *count* puzzles, each with its rules. *name*: the name of the rules.

    Most of the classic puzzles come from :data:`SOUND_LISTS`. All other puzzles are generated.
    """
    if name == "classic":
        scale = count / 5000
        lists = {name: max(1, round(many * scale)) for name, many in SOUND_LISTS.items()}
        yield from ((puzzle, CLASSIC) for puzzle in sample(count, lists, seed))
        return
    many, few = (
        Constraints(level, symmetry="none", rules=name, minimal=level is None) for level in ("medium", None)
    )
    for number in range(1, count + 1):
        puzzle = numbered_puzzle(few if number % 2 else many, seed, number)
        yield str(puzzle), puzzle.rules


def measure_soundness(count: int, name: str) -> None:
    """Compare the steps of *count* puzzles with the solutions, and print the steps that contradict them."""
    steps: Counter[Technique] = Counter()
    wrong = 0
    for puzzle, rules in by_rules(name, 5, count):
        values = parse_board(puzzle)
        solution = searcher(rules)(values, 2).solutions[0]
        board = Candidates(values, rules=rules)
        for step in walk(board, TECHNIQUES):
            steps[step.technique] += 1
            right = all(solution[cell] == digit for cell, digit in step.placements)
            right &= all(solution[cell] != digit for cell, digit in step.eliminations)
            if not right:
                wrong += 1
                print(f"WRONG {puzzle}: {step}")
                break
        assert wrong or tuple(board.values) == solution, puzzle
    print(f"{count} puzzles, {sum(steps.values())} steps, {wrong} of them wrong")
    for technique in TECHNIQUES:
        print(f"  {technique.name:30} {steps[technique]:8}")


def measure_claims(count: int, seconds: float, name: str) -> None:
    """Check all sentences of steps on *count* boards of each technique. Print the false sentences."""
    puzzles = list(by_rules(name, 7, 5000 if name == "classic" else count))
    total: Counter[Technique] = Counter()
    false: Counter[Technique] = Counter()
    for technique in TECHNIQUES:
        began, boards = time.monotonic(), 0
        for puzzle, rules in puzzles:
            for values, steps in boards_of(technique, puzzle, rules):
                boards += 1
                sight = Sight(values, parse_board(puzzle), rules)
                for step in steps:
                    total[step.technique] += 1
                    wrong = false_claims(sight, step)
                    if wrong:
                        false[step.technique] += 1
                        board = "".join(map(str, values))
                        print(f"FALSE {board}: {step.technique}: {step} ({'; '.join(wrong)})")
                    sight.do(step)
            if boards >= count or time.monotonic() - began > seconds:
                break
        print(f"  {technique.name:30} {boards:5} boards", flush=True)
    print(f"{sum(total.values())} steps, {sum(false.values())} of them false")
    for technique in TECHNIQUES:
        print(f"  {technique.name:30} {total[technique]:8} steps {false[technique]:5} false")


def boards_of(
    technique: Technique, puzzle: str, rules: Rules
) -> Iterator[tuple[list[int], tuple[Step, ...]]]:
    """Yield boards of a puzzle on which *technique* is used, each with the steps up to its first use.

    *technique* is tried before all other techniques except the singles. In the usual order, few boards would
    need it.
    """
    easier = (one for one in TECHNIQUES if one.order < technique.order)
    allowed = tuple(dict.fromkeys((*TECHNIQUES[:3], technique, *easier)))
    clues, boards = parse_board(puzzle), 0
    board = Candidates(clues, rules=rules)
    while board.blank and boards < MAX_BOARDS:
        board = Candidates(board.values, clues, rules)  # with all candidates, as if the board were typed in
        filled, steps = board.values[:], list[Step]()
        for step in walk(board, allowed):
            steps.append(with_blockers(board, step))
            if step.technique == technique and not any(one.technique == technique for one in steps[:-1]):
                yield filled, needed_steps(steps)
                boards += 1
            if step.placements:
                take(board, step)
                break
        else:
            return


def measure_solved() -> None:
    """Count the puzzles that logic alone solves."""
    for name in ("magictour_top1465.txt", "norvig_top95.txt", "forum_hardest_1106.txt"):
        ratings = [rate(puzzle) for puzzle in bench.puzzles(name)]
        by_logic = sum(technique_named("trial") not in rating.counts for rating in ratings)
        names = Counter(rating.name for rating in ratings)
        print(f"{name}: {by_logic} of {len(ratings)} by logic alone; {dict(names)}")


def measure_speed(count: int) -> None:
    """Print the time of a rating, for each difficulty."""
    seconds: dict[str, list[float]] = {name: [] for name in DIFFICULTIES}
    for puzzle in sample(count, RATED_LISTS, seed=11):
        started = time.process_time()
        rating = rate(puzzle)
        seconds[rating.name].append(1000 * (time.process_time() - started))
    for name, times in seconds.items():
        if times:
            middle, most = np.percentile(times, (50, 99))
            print(f"{name:8} {len(times):4} puzzles, median {middle:6.1f} ms, 99 % under {most:6.1f} ms")


def main() -> None:
    """Run the measurement that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    rules: dict[str, Any] = {"choices": ("classic", "jigsaw", "diagonal", "killer"), "default": "classic"}
    sound, claims, solved, speed = map(commands.add_parser, ("sound", "claims", "solved", "speed"))
    for command, count in ((sound, 5000), (claims, 500), (speed, 500)):
        command.add_argument("--count", type=int, default=count)
    claims.add_argument("--seconds", type=float, default=60)
    for command in (sound, claims):
        command.add_argument("--rules", **rules)
    sound.set_defaults(run=lambda asked: measure_soundness(asked.count, asked.rules))
    claims.set_defaults(run=lambda asked: measure_claims(asked.count, asked.seconds, asked.rules))
    solved.set_defaults(run=lambda _: measure_solved())
    speed.set_defaults(run=lambda asked: measure_speed(asked.count))
    asked = parser.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    main()
