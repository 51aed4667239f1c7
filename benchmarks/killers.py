"""How well drawn killers are read: their cages, their sums and their answers.

    python benchmarks/killers.py [--count N] [--only DESIGN...] [--fonts FOLDER...] [--held] [--scale S]

N screenshots and N photos are drawn. They have the designs of cages in turn. For each design, these
pictures are counted: *found* (recognised as a killer), *cages* (all cages are right), *sums* (all sums are
right, too), *solved* (called solved with the right answer), *wrong* (called solved with another answer) and
*uncertain* (found, but not called solved). The last column is the processor time for a picture, in seconds.
The typefaces are divided into two halves: ``--held`` draws with the second half instead of the first.
``--scale`` draws larger pictures, with unchanged blur and noise. At scale 1, photos have 0.75 to 1.5
megapixels; phones take larger photos.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import bench
import numpy as np
from drawn.pages import draw_page

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.results import Photo
from workshop import Kind
from workshop.progress import tracked
from workshop.rendering import Drawing, random_conditions
from workshop.rendering.kinds import CAGE_DESIGNS, killer_conditions, one_of
from workshop.rendering.typefaces import Typeface, bundled_typefaces
from workshop.training.sources import find_typefaces, split_families

SCREENS: tuple[Kind, ...] = ("screenshot_light", "screenshot_dark")
PHOTOS: tuple[Kind, ...] = ("newspaper", "book", "sheet", "screen_photo")
COUNTS = ("found", "cages", "sums", "solved", "wrong", "uncertain")
_HELD_SHARE, _SPLIT = 0.5, 0  # share of typefaces for ``--held``, and the seed with which they are chosen


def draw_killer(
    number: int, design: str, kinds: Sequence[Kind], faces: Sequence[Typeface], scale: float = 1.0
) -> Drawing:
    """Draw a killer sudoku whose cages have a *design*. The kind of picture is a random one of *kinds*.

    *number*: a part of the random seed. *scale*: factor for the usual width and height.
    """
    rng = np.random.default_rng([number, len(kinds), list(CAGE_DESIGNS).index(design)])
    base = random_conditions(rng, one_of(rng, kinds))
    width, height = base.size
    base = replace(base, size=(round(scale * width), round(scale * height)))
    family = one_of(rng, sorted({face.family for face in faces}))
    face = one_of(rng, [face for face in faces if face.family == family])
    return draw_page(rng, killer_conditions(rng, base, design, face))


def counts(page: Page, drawing: Drawing) -> Counter[str]:
    """Return the :data:`COUNTS` for a *page* that was read from a *drawing* of one killer."""
    found = [grid for grid in page.grids if grid.rules.cages]
    met: Counter[str] = Counter(pictures=1)
    truth = drawing.grids[0] if drawing.grids else drawing.cut[0]
    for grid in found[:1]:
        cells = {cage.cells for cage in grid.rules.cages} == {cage.cells for cage in truth.cages}
        right = bench.is_answered(grid, truth)
        solved = grid.status == "solved"
        sums = grid.rules.cages == truth.cages
        met.update(found=1, cages=cells, sums=sums, solved=solved and right, uncertain=not solved)
    met["wrong"] = sum(one.status == "solved" and not bench.is_answered(one, truth) for one in page.grids)
    return met


def main() -> None:
    """Draw and read the pictures, and print the figures."""
    parser = bench.parser(__doc__)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--only", nargs="+", choices=CAGE_DESIGNS, default=list(CAGE_DESIGNS))
    parser.add_argument("--fonts", nargs="+", type=Path, default=[])
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    known = (*bundled_typefaces(), *find_typefaces(options.fonts))
    printed = [
        face for face in known if not face.handwritten and not face.slanted and 300 <= face.weight <= 700
    ]
    faces = split_families(printed, _HELD_SHARE, _SPLIT)[options.held]
    model = load_model()
    met: dict[str, dict[str, float]] = {}
    for name, kinds in (("screens", SCREENS), ("photos", PHOTOS)):
        by_design = {f"{name}, {design}": Counter[str]() for design in (*options.only, "all")}
        for number in tracked(range(options.count), name):
            design = options.only[number % len(options.only)]
            drawing = draw_killer(number, design, kinds, faces, options.scale)
            started = time.process_time_ns()
            page = read_page(Photo(drawing.pixels), model=model)
            spent = time.process_time_ns() - started
            for part in (design, "all"):
                by_design[f"{name}, {part}"].update(counts(page, drawing), nanoseconds=spent)
        for row, of in by_design.items():
            met[row] = {**of, "seconds": round(of["nanoseconds"] / 1e9 / max(1, of["pictures"]), 2)}
    print(bench.counts_table(met, ("pictures", *COUNTS, "seconds"), summed=False))


if __name__ == "__main__":
    main()
