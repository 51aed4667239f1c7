"""What the logic is worth: are its steps right, how far do they lead, what do they take, do its ratings fit.

    python benchmarks/logic.py sound [--count N]
    python benchmarks/logic.py claims [--count N] [--seconds N]
    python benchmarks/logic.py solved
    python benchmarks/logic.py speed [--count N]
    python benchmarks/logic.py rating --peers PYTHON [--cache FOLDER] [--seconds N]

* ``sound``: every step of N puzzles (5,000) against their solutions (some 2 minutes).
* ``claims``: every sentence on N boards (500) of each technique, as its reader sees them, for at most so many
  seconds (60) a technique.
* ``solved``: how many puzzles of each list need no trial, and how often each technique is used.
* ``speed``: processor time of one rating, by the name of the difficulty.
* ``rating``: rank correlation of the score with those of two others on 500 puzzles, half generated, half from
  the lists; PYTHON is the interpreter of an environment that has ``hodoku-py`` and ``pencilmark``.
  Weights may only be chosen on the *tuning* half, every other puzzle. Takes an hour, nearly all in them;
  what they said is kept in FOLDER.

The lists are those of ``../shared/data/puzzles``, or of the folder that ``SUDOKU_VISION_DATA`` names.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from logic_claims import Sight, false_claims

from sudoku_vision.results import board_text
from sudoku_vision.sudoku.board import parse_board
from sudoku_vision.sudoku.generator import random_puzzle
from sudoku_vision.sudoku.logic import DIFFICULTIES, TECHNIQUES, Step, Technique, rate, technique_named
from sudoku_vision.sudoku.logic.candidates import Candidates
from sudoku_vision.sudoku.logic.engine import needed, take, walk
from sudoku_vision.sudoku.logic.techniques.singles import with_blockers
from sudoku_vision.sudoku.solver import search

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("SUDOKU_VISION_DATA", ROOT.parent / "shared" / "data")) / "puzzles"

SOUND_LISTS = {
    "magictour_top1465.txt": 1465,
    "sudoku17_49158.txt": 1200,
    "norvig_top95.txt": 95,
    "forum_hardest_1106.txt": 120,
    "forum_hardest_1905_11plus.txt": 120,
}
"""Puzzles of each list among 5,000; the others are generated."""

RATED_LISTS = {
    "magictour_top1465.txt": 120,
    "sudoku17_49158.txt": 80,
    "norvig_top95.txt": 30,
    "forum_hardest_1106.txt": 10,
    "forum_hardest_1905_11plus.txt": 10,
}
"""Puzzles of each list among the 500 that are rated."""

CLUES = (20, 22, 24, 25, 26, 27, 28, 29, 30, 32, 34, 36)
"""Clues of generated puzzles: as evenly mixed as papers print them, and some with hardly any too many."""


def listed(name: str) -> list[str]:
    """The puzzles of a list, 81 digits each."""
    lines = (DATA / name).read_text().splitlines()
    return [line.strip()[:81].replace(".", "0") for line in lines if line.strip() and line[0] != "#"]


def generated(rng: random.Random, clues: int) -> str:
    """Return a proper puzzle with so many clues, as near as the generator comes."""
    return board_text(random_puzzle(np.random.default_rng(rng.getrandbits(32)), clues)[0])


def sample(count: int, lists: dict[str, int], seed: int) -> list[str]:
    """So many puzzles in random order, so many of each list, the others generated; the same for a *seed*."""
    rng = random.Random(seed)
    picked = [puzzle for name, many in lists.items() for puzzle in rng.sample(listed(name), many)]
    puzzles = list(dict.fromkeys(picked))  # some are in several lists
    rng = random.Random(seed + 1)
    puzzles += [generated(rng, rng.choice(CLUES)) for _ in range(count - len(puzzles))]
    rng.shuffle(puzzles)
    return puzzles[:count]


def measure_soundness(count: int) -> None:
    """Compare all steps with the solution."""
    scale = count / 5000
    lists = {name: max(1, round(many * scale)) for name, many in SOUND_LISTS.items()}
    steps: Counter[Technique] = Counter()
    wrong = 0
    for puzzle in sample(count, lists, seed=5):
        values = parse_board(puzzle)
        solution = search(values, 2).solutions[0]
        board = Candidates(values)
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


def measure_claims(count: int, seconds: float) -> None:
    """Check what is said on so many boards of each technique, and print what does not hold there."""
    puzzles = sample(5000, SOUND_LISTS, seed=7)
    total: Counter[Technique] = Counter()
    false: Counter[Technique] = Counter()
    for technique in TECHNIQUES:
        began, boards = time.monotonic(), 0
        for puzzle in puzzles:
            for values, steps in boards_of(technique, puzzle):
                boards += 1
                sight = Sight(values, parse_board(puzzle))
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


def boards_of(technique: Technique, puzzle: str) -> Iterator[tuple[list[int], tuple[Step, ...]]]:
    """Yield boards on the way of a puzzle, and the steps there that one of *technique* needs, it the last.

    That technique is tried right after the singles, which makes it far from rare, and none that is harder.
    """
    easier = (one for one in TECHNIQUES if one.order < technique.order)
    allowed = tuple(dict.fromkeys((*TECHNIQUES[:3], technique, *easier)))
    clues, boards = parse_board(puzzle), 0
    board = Candidates(clues)
    while board.blank and boards < MOST_BOARDS:
        board = Candidates(
            board.values, clues
        )  # what has been struck out is not seen on a board that is typed in
        filled, steps = board.values[:], list[Step]()
        for step in walk(board, allowed):
            steps.append(with_blockers(board, step))
            if step.technique == technique and not any(one.technique == technique for one in steps[:-1]):
                yield filled, needed(steps)
                boards += 1
            if step.placements:
                take(board, step)
                break
        else:
            return


MOST_BOARDS = 2
"""Boards of one puzzle among those of a technique."""


def measure_solved() -> None:
    """Count the puzzles that logic alone solves."""
    for name in ("magictour_top1465.txt", "norvig_top95.txt", "forum_hardest_1106.txt"):
        ratings = [rate(puzzle) for puzzle in listed(name)]
        by_logic = sum(technique_named("trial") not in rating.counts for rating in ratings)
        names = Counter(rating.name for rating in ratings)
        print(f"{name}: {by_logic} of {len(ratings)} by logic alone; {dict(names)}")


def measure_speed(count: int) -> None:
    """Print how long a rating takes."""
    seconds: dict[str, list[float]] = {name: [] for name in DIFFICULTIES}
    for puzzle in sample(count, RATED_LISTS, seed=11):
        started = time.process_time()
        rating = rate(puzzle)
        seconds[rating.name].append(1000 * (time.process_time() - started))
    for name, times in seconds.items():
        if times:
            middle, most = np.percentile(times, (50, 99))
            print(f"{name:8} {len(times):4} puzzles, median {middle:6.1f} ms, 99 % under {most:6.1f} ms")


def said_by(peer: str, puzzles: Sequence[str], python: str, seconds: int, folder: Path) -> dict[str, float]:
    """The ratings of another package, where it gives one in time; what it said before is not asked again."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{peer}.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    missing = sorted(set(puzzles) - {line["puzzle"] for line in lines}, key=puzzles.index)
    if missing:
        script = Path(__file__).with_name("logic_peers.py")
        command = [python, str(script), peer, str(seconds)]
        with file.open("a") as out:
            subprocess.run(command, input="\n".join(missing), stdout=out, text=True, check=True)
        lines = [json.loads(line) for line in file.read_text().splitlines()]
    ratings = {line["puzzle"]: line["rating"] for line in lines}
    return {puzzle: ratings[puzzle] for puzzle in puzzles if ratings[puzzle] is not None}


def ranks(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Ranks, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[inverse], np.float64)


def rank_correlation(one: dict[str, float], two: dict[str, float], puzzles: Sequence[str]) -> str:
    """Spearman's rho over those of *puzzles* that both have rated, as ``0.912 (248)``."""
    both = [puzzle for puzzle in puzzles if puzzle in one and puzzle in two]
    first, second = ([side[puzzle] for puzzle in both] for side in (one, two))
    return f"{np.corrcoef(ranks(first), ranks(second))[0, 1]:.3f} ({len(both)})"


def measure_rating(python: str, folder: Path, seconds: int) -> None:
    """Print how the scores agree with those of the others."""
    puzzles = sample(500, RATED_LISTS, seed=2)
    ratings = {puzzle: rate(puzzle) for puzzle in puzzles}
    ours: dict[str, float] = {puzzle: rating.score for puzzle, rating in ratings.items()}
    names: dict[str, float] = {p: DIFFICULTIES.index(rating.name) for p, rating in ratings.items()}
    print("our names:", dict(Counter(rating.name for rating in ratings.values())))
    hodoku, pencilmark = (said_by(p, puzzles, python, seconds, folder) for p in ("hodoku", "pencilmark"))
    for half, part in (("tuning", puzzles[::2]), ("held out", puzzles[1::2]), ("all", puzzles)):
        print(
            f"{half:8}  score with hodoku {rank_correlation(ours, hodoku, part)}, "
            f"with pencilmark {rank_correlation(ours, pencilmark, part)}; "
            f"name with hodoku {rank_correlation(names, hodoku, part)}, "
            f"with pencilmark {rank_correlation(names, pencilmark, part)}; "
            f"the two with one another {rank_correlation(hodoku, pencilmark, part)}"
        )


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("sound").add_argument("--count", type=int, default=5000)
    claims = commands.add_parser("claims")
    claims.add_argument("--count", type=int, default=500)
    claims.add_argument("--seconds", type=float, default=60)
    commands.add_parser("solved")
    commands.add_parser("speed").add_argument("--count", type=int, default=500)
    rating = commands.add_parser("rating")
    rating.add_argument("--peers", required=True, metavar="PYTHON")
    rating.add_argument("--cache", type=Path, default=Path("peer-ratings"), metavar="FOLDER")
    rating.add_argument("--seconds", type=int, default=20, metavar="N")
    asked = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"The lists of puzzles are not here: {DATA}")
    if asked.command == "sound":
        measure_soundness(asked.count)
    elif asked.command == "claims":
        measure_claims(asked.count, asked.seconds)
    elif asked.command == "solved":
        measure_solved()
    elif asked.command == "speed":
        measure_speed(asked.count)
    else:
        measure_rating(asked.peers, asked.cache, asked.seconds)


if __name__ == "__main__":
    main()
