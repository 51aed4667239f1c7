"""How pages without a sudoku are read: drawn tables, other puzzles, walls and floors.

    python benchmarks/negatives.py [--count N] [--only KIND...]

N pages of each kind are drawn, under the conditions of each kind of real pictures in turn. For each kind it
counts the statuses of the pages. On a *claimed* page, a puzzle was returned, although there is none.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import bench
import numpy as np
from drawn.negatives import NEGATIVE_KINDS, draw_negative

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import STATUS_ORDER
from workshop.rendering import KINDS, random_conditions

HARMLESS = ("no_grid", "unreadable")
"""Statuses without digits, which are right for a page without a sudoku."""


@dataclass(frozen=True, eq=False)
class Claim:
    """A page: its kind, the seed of its drawing, and what was read."""

    kind: str
    seed: int
    page: Page

    @property
    def claimed(self) -> bool:
        """Whether a puzzle was returned."""
        return any(grid.status not in HARMLESS for grid in self.page.grids)


def measure(kinds: Sequence[str], count: int, read: Callable[[Photo], Page]) -> list[Claim]:
    """Draw and read *count* pages of each kind."""
    claims = []
    for kind, seed in bench.tracked(list(product(kinds, range(count))), "drawing and reading"):
        rng = np.random.default_rng(seed)
        conditions = random_conditions(rng, KINDS[seed % len(KINDS)])
        page = read(Photo(draw_negative(rng, kind, conditions).pixels))
        claims.append(Claim(kind, seed, page))
    return claims


def table(claims: Sequence[Claim]) -> str:
    """Return a line for each kind, with a column for each status that occurs."""
    counts: dict[str, Counter[str]] = {claim.kind: Counter() for claim in claims}
    for claim in claims:
        counts[claim.kind].update({"pages": 1, "claimed": claim.claimed, claim.page.status: 1})
    met = [status for status in STATUS_ORDER if any(of[status] for of in counts.values())]
    return bench.counts_table(counts, ("pages", "claimed", *met))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = bench.parser(__doc__)
    parser.add_argument("--count", type=int, default=20, metavar="N", help="pages of each kind (20)")
    every = NEGATIVE_KINDS
    parser.add_argument("--only", nargs="+", default=every, choices=every, metavar="KIND", help="some kinds")
    options = parser.parse_args(arguments)
    model = load_model()
    claims = measure(options.only, options.count, lambda photo: read_page(photo, model=model))
    print(table(claims))
    for claim in claims:
        if claim.claimed:
            print(f"{claim.kind} {claim.seed}: {claim.page.status}")


if __name__ == "__main__":
    main()
