"""Ratings by other packages for ``benchmarks/logic.py``; it runs in their environment, without this package.

    PEERS/bin/python benchmarks/logic_peers.py hodoku|pencilmark SECONDS < puzzles > ratings

It reads a puzzle a line and writes a line of JSON: ``{"puzzle": ..., "rating": number, "seconds": ...}``.
Each puzzle has its own process, which is ended after SECONDS of processor time: then the rating is null.

hodoku-py (GPL) and pencilmark (MIT) are only called: ``pip install hodoku-py==0.2.1 pencilmark==1.0.0rc1``.
"""

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable


def hodoku_rater() -> Callable[[str], float]:
    """Return HoDoKu's rater: the sum of the scores of its steps."""
    solver = importlib.import_module("hodoku").Solver
    return lambda puzzle: float(solver().solve(puzzle).score)


def pencilmark_rater() -> Callable[[str], float]:
    """Return Pencilmark's rater: a difficulty from 0 on, which ``max_seconds`` does not change."""
    pencilmark = importlib.import_module("pencilmark")
    return lambda puzzle: float(pencilmark.rate(puzzle, fields=["difficulty"], max_seconds=0.1)["difficulty"])


RATERS = {"hodoku": hodoku_rater, "pencilmark": pencilmark_rater}


def rated(rate: Callable[[str], float], puzzle: str, seconds: int) -> dict[str, object]:
    """Return the rating of one puzzle, computed in a child process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        started = time.process_time()
        answer = {"rating": rate(puzzle), "seconds": round(time.process_time() - started, 3)}
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    nothing: dict[str, object] = {"rating": None, "seconds": None}
    return {"puzzle": puzzle, **(json.loads(data) if data else nothing)}


def main() -> None:
    """Rate the puzzles of standard input."""
    name, seconds = sys.argv[1], int(sys.argv[2])
    rate = RATERS[name]()
    for line in sys.stdin:
        print(json.dumps(rated(rate, line.strip(), seconds)), flush=True)


if __name__ == "__main__":
    main()
