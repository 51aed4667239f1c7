"""Read puzzles under covers: fingers, hands, things, glare, shadows, strokes of ink, stains.

    python benchmarks/covers.py FOLDER... [--each N] [--seed S] [--only KIND...] [--jobs N] [--keep FOLDER]

If a labelled picture is rightly called solved, it is read again under N covers of each kind. *Wrong* counts
the covered pictures that are called solved, but with another solution. It must be almost 0. If a cover hides
a clue, the right status is *uncertain*, but it can also be *many solutions* or *no solution*. ``--keep``
saves the pictures that count as wrong.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import bench
import numpy as np

from sudoku_vision.output.save import save
from sudoku_vision.parallel import map_in_order, open_executor
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Photo
from workshop.evaluation.labels import LabelledPicture, find_labels
from workshop.evaluation.metrics import outcomes_of
from workshop.progress import tracked
from workshop.rendering.covers import KINDS, covered, random_cover

OUTCOMES = ("solved", "wrong", "uncertain", "many_solutions", "no_solution", "unreadable", "not found")
"""Outcomes of a puzzle under a cover. ``wrong``: it is called solved, but with a wrong solution."""


def read_covered(
    kinds: Sequence[str], each: int, seed: int, keep: Path | None, picture: LabelledPicture
) -> dict[str, Counter[str]]:
    """Read a picture under covers of all *kinds*, and count the outcomes by kind.

    *each*: number of covers of each kind. A picture that isn't rightly solved without covers gives no
    outcomes.
    """
    photo = picture.open()
    good = [
        one.grid
        for one in outcomes_of(picture, read_page(photo).grids)
        if one.grid is not None and one.solved and one.answered and not one.wrong
    ]
    found = {kind: Counter[str]() for kind in kinds}
    for kind in kinds if good else ():
        for number in range(each):
            name = zlib.crc32(picture.path.name.encode())
            rng = np.random.default_rng([seed, name, KINDS.index(kind), number])
            clues = np.flatnonzero(good[0].puzzle).tolist()
            cover = random_cover(kind, good[0].lattice, clues, photo.pixels, rng)
            spoilt = covered(photo.pixels, cover)
            outcome = outcome_of(good[0], read_page(Photo(spoilt)).grids)
            found[kind].update(["pictures", outcome])
            if outcome == "wrong" and keep is not None:
                save(keep / f"{picture.tags[0]}-{picture.path.stem}-{kind}-{number}.png", spoilt)
    return found


def outcome_of(expected: Grid, grids: Sequence[Grid]) -> str:
    """Return the outcome for one grid under a cover.

    *expected*: the grid as it was read without the cover. *grids*: all grids that were found under the cover.
    """
    found = bench.nearest(expected.lattice.crossings, grids)
    if found is None or found[0] > expected.lattice.cell_size:
        return "not found"
    grid = found[1]
    if grid.status != "solved" or grid.solution is None:
        return grid.status
    return "solved" if (grid.solution == expected.solution).all() else "wrong"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the pictures under covers, and print a table of the outcomes."""
    parser = bench.parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--each", type=int, default=1, metavar="N", help="covers of each kind for a picture (1)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--only", nargs="+", default=KINDS, choices=KINDS, metavar="KIND", help="some kinds")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes (one a core)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="save what was wrongly called solved")
    options = parser.parse_args(arguments)
    pictures = [one for folder in options.folders for one in find_labels(folder) if one.labels]
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    work = partial(read_covered, options.only, options.each, options.seed, options.keep)
    counts = {kind: Counter[str]() for kind in options.only}
    with open_executor(options.jobs, task_seconds=None) as executor:
        done = map_in_order(executor, work, pictures)
        for _, (_, met) in zip(tracked(pictures, "covering and reading"), done, strict=True):
            for kind, outcomes in met.result().items():
                counts[kind].update(outcomes)
    print(bench.counts_table(counts, ("pictures", *OUTCOMES)))


if __name__ == "__main__":
    from covers import main as run  # worker processes can import ``covers``, but not the main script

    run()
