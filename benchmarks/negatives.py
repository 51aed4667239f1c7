"""What is claimed of pages that hold no sudoku: drawn tables, other puzzles, walls and floors.

    python benchmarks/negatives.py [--count N] [--only KIND,...]

N pages of each kind are drawn under the conditions of every kind of real picture in turn: newspapers, books,
photos of screens, screenshots. Of each kind is counted what the page was called. *Claimed* are those of which
a puzzle was given out, whatever it was called: only ``no_grid``, and ``unreadable``, which gives no digits,
are right here.
"""

from __future__ import annotations

from sudoku_vision.blas import start_with_one_thread

start_with_one_thread()  # before NumPy is loaded

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from drawn.negatives import NEGATIVE_KINDS, NegativeKind, draw_negative

from sudoku_vision.cli.progress import progress
from sudoku_vision.pipeline import read_photo
from sudoku_vision.results import STATUS_ORDER, PageResult, Photo
from sudoku_vision.vision.digits import load_model
from sudoku_vision.workshop.evaluation.text import aligned
from sudoku_vision.workshop.rendering import KINDS, random_conditions

HARMLESS = ("no_grid", "unreadable")
"""What a page without a sudoku may be called: no digits are given out."""


@dataclass(frozen=True, eq=False)
class Claim:
    """One page: its kind, its seed, and what was said of it."""

    kind: NegativeKind
    seed: int
    page: PageResult

    @property
    def claimed(self) -> bool:
        """Whether a puzzle was given out."""
        return any(grid.status not in HARMLESS for grid in self.page.grids)


def measure(
    kinds: Sequence[NegativeKind],
    count: int,
    read: Callable[[Photo], PageResult],
    *,
    step: Callable[[], Any] = lambda: None,
) -> list[Claim]:
    """Draw and read *count* pages of each kind; *step* is called after each."""
    claims = []
    for kind in kinds:
        for seed in range(count):
            rng = np.random.default_rng(seed)
            conditions = random_conditions(rng, KINDS[seed % len(KINDS)])
            page = read(Photo(draw_negative(rng, kind, conditions).pixels))
            claims.append(Claim(kind, seed, page))
            step()
    return claims


def table(claims: Sequence[Claim]) -> str:
    """A line for each kind, a column for each status that was met."""
    met = [status for status in STATUS_ORDER if any(claim.page.status == status for claim in claims)]
    rows = [("", "pages", "claimed", *(status.replace("_", " ") for status in met))]
    kinds = list(dict.fromkeys(claim.kind for claim in claims))
    for name, some in [(k, [c for c in claims if c.kind == k]) for k in kinds] + [("all", list(claims))]:
        called = Counter(claim.page.status for claim in some)
        counts = (len(some), sum(claim.claimed for claim in some), *(called[status] for status in met))
        rows.append((name, *map(str, counts)))
    return aligned(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and draw what was asked for."""
    parser = argparse.ArgumentParser(description="What is claimed of pages that hold no sudoku.")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="pages of each kind (20)")
    parser.add_argument("--only", metavar="KIND,...", help=f"some of {', '.join(NEGATIVE_KINDS)}")
    options = parser.parse_args(arguments)
    wanted = NEGATIVE_KINDS if options.only is None else options.only.split(",")
    kinds = [kind for kind in NEGATIVE_KINDS if kind in wanted]
    if options.count < 1 or not kinds:
        parser.error("there is nothing to measure")
    cv2.setNumThreads(1)
    model = load_model()
    with progress(options.count * len(kinds), "drawing and reading") as bar:
        claims = measure(kinds, options.count, lambda photo: read_photo(photo, model=model), step=bar.advance)
    print(table(claims))
    for claim in claims:
        if claim.claimed:
            print(f"{claim.kind} {claim.seed}: {claim.page.status}")


if __name__ == "__main__":
    main()
