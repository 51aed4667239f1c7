"""How pages without a sudoku are read: which are claimed to have one, and how long the reading takes.

    python benchmarks/negatives.py [--count N] [--only KIND...]

* N pages of each kind are drawn. They look like newspaper photos, screenshots and the other :data:`KINDS`
  in turn. For each kind of page, the statuses are counted. A page is *claimed* if a puzzle was returned.
* Other pictures make one stage of reading slow: noise, dots, stripes, squared paper, and cubes with an empty
  or scribbled grid on one or three sides. These pictures and one page of each kind are read in two sizes.
  The time for a picture is the shortest processor time of :data:`RUNS` runs. A newspaper page with a sudoku
  is read in the same sizes. The time for each picture is also printed as a multiple of the time for this
  page (*of a hit*). No multiple may be above 15. The time of loading a picture isn't included.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

import bench
import cv2
import numpy as np
from drawn.negatives import NEGATIVE_KINDS, draw_negative
from drawn.pages import draw_page

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.results import Photo
from sudoku_vision.vision.status import STATUS_ORDER
from workshop.progress import tracked
from workshop.rendering import KINDS, Conditions, random_conditions

Size = tuple[int, int]  # width and height in pixels
Reading = tuple[str, int, Page]  # the kind and the seed of a drawn page, and the result of reading it

HARMLESS = ("no_grid", "unreadable")
"""Statuses of pages and grids in which no digits were read. They are right for a page without a sudoku."""
SIZES: tuple[Size, ...] = ((640, 480), (4000, 3000))
DRAWN: Size = (640, 480)  # the size in which pages are drawn; for other sizes, they are scaled
RUNS = 3
SEED = 12
PATTERNS = {
    "dots": (2, 3, 6, 12),
    "stripes": (2, 3, 8, 16),
    "squares": (4, 8, 16, 32),
    "chequers": (1, 4, 16, 40),
}


def read_pages(kinds: Sequence[str], count: int, read: Callable[[Photo], Page]) -> Iterator[Reading]:
    """Draw and read *count* pages of each kind."""
    for kind, seed in tracked(list(product(kinds, range(count))), "drawing and reading"):
        rng = np.random.default_rng(seed)
        conditions = random_conditions(rng, KINDS[seed % len(KINDS)])
        yield kind, seed, read(Photo(draw_negative(rng, kind, conditions).pixels))


def is_claimed(page: Page) -> bool:
    """Return whether reading a page returned a puzzle."""
    return any(grid.status not in HARMLESS for grid in page.grids)


def table(readings: Sequence[Reading]) -> str:
    """Return a table with a row for each kind of page, and a column for each status that occurs."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind, *_ in readings}
    for kind, _, page in readings:
        counts[kind].update({"pages": 1, "claimed": int(is_claimed(page)), page.status: 1})
    met = [status for status in STATUS_ORDER if any(of[status] for of in counts.values())]
    return bench.counts_table(counts, ("pages", "claimed", *met))


def noise(size: Size) -> Image:
    """Return random grey levels, (H, W, 3)."""
    return np.random.default_rng(SEED).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)


def soft_noise(size: Size) -> Image:
    """Return noise in patches of a few pixels, similar to gravel or a carpet, (H, W, 3)."""
    soft = cv2.GaussianBlur(noise(size).astype(np.float32), (0, 0), 2)
    return np.clip(128 + 6 * (soft - 128), 0, 255).astype(np.uint8)


def pattern(size: Size, kind: str, step: int) -> Image:
    """Return black dots, stripes, lines of squared paper or chequers on white, (H, W, 3).

    *step*, in pixels: the period of the pattern or, for chequers, the side of a square.
    """
    row, column = np.mgrid[: size[1], : size[0]]
    across, down = column % step == 0, row % step == 0
    kinds = {"dots": across & down, "stripes": across, "squares": across | down}
    black = (row // step + column // step) % 2 == 0 if kind == "chequers" else kinds[kind]
    return np.repeat(np.where(black, np.uint8(0), np.uint8(255))[..., None], 3, axis=2)


def grid(side: int, scribbles: int = 0) -> Image:
    """Return a grid without digits, (*side*, *side*, 3).

    *scribbles*: number of random points in each cell. Lines connect the points.
    """
    rng, pixels = np.random.default_rng(SEED), np.full((side, side, 3), 255, np.uint8)
    places = np.linspace(0.03, 0.97, 10) * side
    for number, place in enumerate(places):
        width = max(1, side // (150 if number % 3 == 0 else 450))
        for ends in ((places[[0, -1]], [place] * 2), ([place] * 2, places[[0, -1]])):
            cv2.polylines(pixels, [np.array(ends).T.astype(np.int32)], False, (0, 0, 0), width)
    for x, y in np.stack(np.meshgrid(places[:9], places[:9]), axis=-1).reshape(-1, 2):
        points = rng.uniform(0.2, 0.8, (scribbles, 2)) * (places[1] - places[0]) + (x, y)
        cv2.polylines(pixels, [points.astype(np.int32)], False, (0, 0, 0), max(1, side // 150))
    return pixels


def faces(size: Size, number: int, scribbles: int = 0) -> Image:
    """Return a noisy picture (H, W, 3) of a cube that shows *number* sides. Each side is a :func:`grid`."""
    high, face, centre = min(size), grid(600, scribbles), np.array([0.5, 0.5])
    corners = [np.array([np.sin(t), np.cos(t)]) for t in np.arange(6) * np.pi / 3]
    pixels = np.full((size[1], size[0], 3), 255, np.uint8)
    for first in range(0, 2 * number, 2):
        round_it = [centre + 0.45 * corners[(first + step) % 6] for step in range(3)]
        quad = np.array([centre, *round_it], np.float32) * high
        flat = np.array([[0, 0], [0, 600], [600, 600], [600, 0]], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, quad)
        seen = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_AREA, borderValue=(255, 255, 255))
        pixels = np.minimum(pixels, np.asarray(seen, np.uint8))
    grain = np.random.default_rng(SEED).normal(0, 4, pixels.shape)
    return np.clip(pixels + grain, 0, 255).astype(np.uint8)


def newspaper(size: Size, kind: str = "") -> Image:
    """Return a newspaper page (H, W, 3). *kind*: what it shows instead of a sudoku; "" for a sudoku."""
    conditions, rng = Conditions(size=DRAWN, layout="newspaper"), np.random.default_rng(SEED)
    drawing = draw_negative(rng, kind, conditions) if kind else draw_page(rng, conditions)
    return np.asarray(cv2.resize(drawing.pixels, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def contents() -> Iterator[tuple[str, Callable[[Size], Image]]]:
    """Yield the name of each kind of picture, and the function that draws this kind."""
    yield "blank", lambda size: np.full((size[1], size[0], 3), 230, np.uint8)
    yield "noise", noise
    yield "soft noise", soft_noise
    for name, steps in PATTERNS.items():
        for step in steps:
            yield f"{name} {step}", partial(pattern, kind=name, step=step)
    for number, name in ((1, "face"), (3, "cube")):
        yield f"empty {name}", partial(faces, number=number)
        yield f"scribbled {name}", partial(faces, number=number, scribbles=4)
    for kind in NEGATIVE_KINDS:
        yield kind, partial(newspaper, kind=kind)


def seconds(picture: Image, model: CellClassifier) -> tuple[float, str]:
    """Return the processor time for reading a picture, in seconds, and the status of the result."""
    best, status = np.inf, ""
    for _ in range(RUNS):
        start = time.process_time()
        status = read_page(Photo(picture), model=model).status
        best = min(best, time.process_time() - start)
    return float(best), status


def measure_times(size: Size, kinds: Sequence[str], model: CellClassifier) -> None:
    """Print the reading time of each of *kinds*, and its ratio to the reading time of a sudoku."""
    print(f"{size[0]}x{size[1]}")
    painters = {"sudoku": newspaper, **dict(contents())}
    reference = 0.0
    for name in ("sudoku", *kinds):
        taken, status = seconds(painters[name](size), model)
        reference = reference or taken
        print(f"{name:<14}{1000 * taken:7.0f} ms {taken / reference:5.1f} of a hit  {status}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read pages and pictures without a sudoku, and print statuses and times."""
    parser = bench.parser(__doc__)
    parser.add_argument("--count", type=int, default=20, metavar="N", help="pages of each kind (20)")
    every = [name for name, _ in contents()]
    parser.add_argument("--only", nargs="+", default=every, choices=every, metavar="KIND", help="some kinds")
    options = parser.parse_args(arguments)
    model = load_model()
    kinds = [kind for kind in NEGATIVE_KINDS if kind in options.only]
    readings = list(read_pages(kinds, options.count, lambda photo: read_page(photo, model=model)))
    print(table(readings))
    for kind, seed, page in readings:
        if is_claimed(page):
            print(f"{kind} {seed}: {page.status}")
    for size in SIZES:
        measure_times(size, options.only, model)


if __name__ == "__main__":
    main()
