"""How long it takes to say that there is no grid, or none to read: all contents, beside one with a sudoku.

    python benchmarks/no_grid.py [--size WIDTHxHEIGHT,...] [--only CONTENT,...] [--data FOLDER]

Each picture is read as by ``solve``, loading left out; *of a hit* is its time over that of a newspaper photo
of the same size on which the sudoku is found. Contents that are hard on one stage or the other are drawn:
noise, dots, stripes, squared paper; grids without sense: empty ones, three of them as a cube, scribbles; and
pages as people photograph them: text, tables, other puzzles. One core; times are processor time, the least of
some runs. None may take more than 15 times as long as the sudoku.

With ``--data`` the pictures of a folder are measured instead, each beside a sudoku of its size, files both;
the slowest are named.
"""

from __future__ import annotations

from sudoku_vision.blas import start_with_one_thread

start_with_one_thread()  # before NumPy is loaded

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
from drawn.negatives import NegativeKind, draw_negative

from sudoku_vision.output.save import save
from sudoku_vision.pipeline import read_photo
from sudoku_vision.results import Image, Photo
from sudoku_vision.vision.digits import CellClassifier, load_model
from sudoku_vision.vision.load import load_photo
from sudoku_vision.workshop.rendering import Conditions, draw

Size = tuple[int, int]
"""Width and height in pixels."""

SIZES: tuple[Size, ...] = ((640, 480), (4000, 3000))
DRAWN: Size = (640, 480)
"""Size at which pages are drawn; larger ones are enlarged from it, for speed."""
RUNS = 3
SLOWEST = 20
SEED = 12


def noise(size: Size) -> Image:
    """Return grey levels by chance, (H, W, 3)."""
    return np.random.default_rng(SEED).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)


def soft_noise(size: Size) -> Image:
    """Return noise in patches of a few pixels, as of gravel and carpets, (H, W, 3)."""
    soft = cv2.GaussianBlur(noise(size).astype(np.float32), (0, 0), 2)
    return np.clip(128 + 6 * (soft - 128), 0, 255).astype(np.uint8)


def dots(size: Size, step: int) -> Image:
    """Return a black pixel every *step* pixels either way, (H, W, 3)."""
    pixels = np.full((size[1], size[0], 3), 255, np.uint8)
    pixels[::step, ::step] = 0
    return pixels


def stripes(size: Size, step: int) -> Image:
    """Return a black column every *step* pixels, (H, W, 3)."""
    pixels = np.full((size[1], size[0], 3), 255, np.uint8)
    pixels[:, ::step] = 0
    return pixels


def squares(size: Size, step: int) -> Image:
    """Return squared paper of *step* pixels, (H, W, 3)."""
    return np.minimum(stripes(size, step), stripes((size[1], size[0]), step).transpose(1, 0, 2))


def chequers(size: Size, step: int) -> Image:
    """Return black and white squares of *step* pixels, (H, W, 3)."""
    row, column = np.mgrid[: size[1], : size[0]] // step
    return np.repeat((255 * ((row + column) % 2)).astype(np.uint8)[..., None], 3, axis=2)


def grid(side: int, scribbles: int = 0) -> Image:
    """Return a grid with no digits in it, but so many lines in each cell by chance, (side, side, 3)."""
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
    """Return so many faces of a cube, grids without digits, in grain, (H, W, 3)."""
    high, face = min(size), grid(600, scribbles)
    centre, corners = (
        np.array([0.5, 0.5]),
        [np.array([np.sin(t), np.cos(t)]) for t in np.arange(6) * np.pi / 3],
    )
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


def page(size: Size, kind: NegativeKind) -> Image:
    """Return a newspaper page with something else than a sudoku, (H, W, 3)."""
    conditions = Conditions(size=DRAWN, layout="newspaper")
    return enlarged(draw_negative(np.random.default_rng(SEED), kind, conditions).pixels, size)


def hit(size: Size) -> Image:
    """Return a newspaper page with a sudoku, (H, W, 3)."""
    return enlarged(
        draw(np.random.default_rng(SEED), Conditions(size=DRAWN, layout="newspaper")).pixels, size
    )


def enlarged(pixels: Image, size: Size) -> Image:
    """Return a picture of another size."""
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def contents() -> Iterator[tuple[str, Callable[[Size], Image]]]:
    """Yield the name and the painter of each content, the picture with a sudoku left out."""
    yield "blank", lambda size: np.full((size[1], size[0], 3), 230, np.uint8)
    yield "noise", noise
    yield "soft noise", soft_noise
    for name, paint, steps in (
        ("dots", dots, (2, 3, 6, 12)),
        ("stripes", stripes, (2, 3, 8, 16)),
        ("squares", squares, (4, 8, 16, 32)),
        ("chequers", chequers, (1, 4, 16, 40)),
    ):
        for step in steps:
            yield f"{name} {step}", partial(paint, step=step)
    for number, name in ((1, "face"), (3, "cube")):
        yield f"empty {name}", partial(faces, number=number)
        yield f"scribbled {name}", partial(faces, number=number, scribbles=4)
    for kind in get_args(NegativeKind):
        yield kind, partial(page, kind=kind)


def seconds(picture: Image | Path, model: CellClassifier) -> tuple[float, str]:
    """Return the processor time that reading a picture takes, and what it is called."""
    best, status = np.inf, ""
    for _ in range(RUNS):
        start = time.process_time()
        source = picture if isinstance(picture, Path) else Photo(picture)
        status = read_photo(source, model=model).status
        best = min(best, time.process_time() - start)
    return float(best), status


def measure_folder(folder: Path, model: CellClassifier) -> None:
    """Print the slowest pictures of a folder, against a sudoku of the same size in such a file."""
    hits: dict[tuple[Size, str], float] = {}
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in (".jpg", ".jpeg", ".png", ".webp"):
            continue
        key = load_photo(path).size, path.suffix
        if key not in hits:
            with tempfile.TemporaryDirectory() as drawn:
                plain = Path(drawn) / f"hit{path.suffix}"
                save(plain, hit(key[0]))
                hits[key] = seconds(plain, model)[0]
        taken, status = seconds(path, model)
        found.append((taken / hits[key], 1000 * taken, path.name, status))
    for ratio, taken, name, status in sorted(found, reverse=True)[:SLOWEST]:
        print(f"{name:<28}{taken:7.0f} ms {ratio:5.1f} of a hit  {status}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How long it takes to say that there is no grid.")
    parser.add_argument("--size", default=",".join(f"{w}x{h}" for w, h in SIZES), metavar="WxH,...")
    parser.add_argument("--only", metavar="CONTENT,...", help="these contents alone")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the pictures of a folder instead")
    options = parser.parse_args(arguments)
    only = options.only.split(",") if options.only else None
    cv2.setNumThreads(1)
    model = load_model()
    if options.data is not None:
        measure_folder(options.data, model)
        return
    for width, height in (map(int, size.split("x")) for size in options.size.split(",")):
        size = (width, height)
        reference, status = seconds(hit(size), model)
        print(f"{width}x{height}\n{'sudoku':<14}{1000 * reference:7.0f} ms {'':>14}  {status}", flush=True)
        for name, paint in contents():
            if only is None or name in only:
                taken, status = seconds(paint(size), model)
                ratio = taken / reference
                print(f"{name:<14}{1000 * taken:7.0f} ms {ratio:5.1f} of a hit  {status}", flush=True)


if __name__ == "__main__":
    main()
