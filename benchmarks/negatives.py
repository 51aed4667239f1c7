"""How pages without a sudoku are read: drawn tables, other puzzles, walls and floors.

    python benchmarks/negatives.py [--count N] [--only KIND...]

N pages of each kind are drawn, under the conditions of all kinds of real pictures in turn. For each kind it
counts the statuses of the pages. *Claimed* are pages of which a puzzle was returned, whatever its status:
only ``no_grid``, and ``unreadable``, which has no digits, are right here.
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
from drawn.negatives import NEGATIVE_KINDS, draw_negative

from sudoku_vision.cli.reporter import progress
from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import STATUS_ORDER
from workshop.evaluation.text import aligned
from workshop.rendering import KINDS, random_conditions

HARMLESS = ("no_grid", "unreadable")
"""Right statuses of a page without a sudoku: no digits are returned."""


@dataclass(frozen=True, eq=False)
class Claim:
    """One page: its kind, its seed, and what was read."""

    kind: str
    seed: int
    page: Page

    @property
    def claimed(self) -> bool:
        """Whether a puzzle was returned."""
        return any(grid.status not in HARMLESS for grid in self.page.grids)


def measure(
    kinds: Sequence[str],
    count: int,
    read: Callable[[Photo], Page],
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
    """Return a line for each kind, with a column for each status that occurs."""
    met = [status for status in STATUS_ORDER if any(claim.page.status == status for claim in claims)]
    rows = [("", "pages", "claimed", *(status.replace("_", " ") for status in met))]
    kinds = list(dict.fromkeys(claim.kind for claim in claims))
    for name, some in [(k, [c for c in claims if c.kind == k]) for k in kinds] + [("all", list(claims))]:
        called = Counter(claim.page.status for claim in some)
        counts = (len(some), sum(claim.claimed for claim in some), *(called[status] for status in met))
        rows.append((name, *map(str, counts)))
    return aligned(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How pages without a sudoku are read.")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="pages of each kind (20)")
    every = NEGATIVE_KINDS
    parser.add_argument("--only", nargs="+", default=every, choices=every, metavar="KIND", help="some kinds")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    model = load_model()
    with progress(options.count * len(options.only), "drawing and reading") as bar:
        claims = measure(
            options.only, options.count, lambda photo: read_page(photo, model=model), step=bar.advance
        )
    print(table(claims))
    for claim in claims:
        if claim.claimed:
            print(f"{claim.kind} {claim.seed}: {claim.page.status}")


if __name__ == "__main__":
    main()
