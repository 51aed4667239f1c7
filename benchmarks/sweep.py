"""Count the grids that are found in clean screenshots, by the contrast of the lines between cells.

    python benchmarks/sweep.py [--every N]

A puzzle is drawn as in an app, without blur or noise, in each combination of :data:`AXES`. For each contrast
it counts the grids that are found at their place, and then lists the combinations in which one is not found.
At a contrast of 0, only boxes have lines.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import bench
import numpy as np

from sudoku_vision.values import Floats, Image
from sudoku_vision.vision.locate import locate
from sudoku_vision.vision.results import Photo
from workshop.rendering.canvas import Canvas
from workshop.rendering.typefaces import plain_typeface

CONTRASTS = (0, 2, 5, 8, 13, 20, 30, 50, 80)
"""Contrasts between the lines and the cells, in per cent of the largest possible contrast."""
AXES: dict[str, tuple[Any, ...]] = {
    "cell": (36, 50, 72, 110),  # side of a cell, in pixels
    "box": (1, 2, 3, 4, 5, 6),  # width of the lines round boxes, in pixels
    "frame": ("none", "pale", "dark"),  # a frame round the grid, half a cell wide
    "border": ("drawn", "missing"),
    "theme": ("light", "dark"),
}
PUZZLE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
NEAR = 0.1  # largest distance of a crossing from its true place, in cells


def screenshot(
    contrast: int, cell: int, box: int, frame: str, border: str, theme: str
) -> tuple[Image, Floats]:
    """Return the picture (H, W, 3) of a puzzle, and its crossings (10, 10, 2) in pixels."""
    paper, full = (250, -250) if theme == "light" else (24, 231)

    def shade(share: float) -> tuple[float, float, float]:
        return (paper + share * full,) * 3

    side, start, band = 9 * cell, 2 * cell, cell // 2
    canvas = Canvas.blank(side + 2 * start, side + 4 * start, shade(0))
    surround = {"none": 0.0, "pale": 0.12, "dark": 0.85}[frame]
    ends = (start - band, start - band, start + side + band, start + side + band)
    canvas.rectangle(*ends, shade(surround))
    canvas.rectangle(start, start, start + side, start + side, shade(0))
    places = [start + cell * line for line in range(10)]
    for width, lines, share in ((1, places[1:-1], contrast / 100), (box, places[3:9:3], 1.0)):
        for at in lines:
            low = at - width // 2
            canvas.rectangle(low, start, low + width, start + side, shade(share))
            canvas.rectangle(start, low, start + side, low + width, shade(share))
    if border == "drawn":
        half = box // 2
        for at in (start, start + side):
            canvas.rectangle(at - half, start - half, at - half + box, start + side + box - half, shade(1))
            canvas.rectangle(start - half, at - half, start + side + box - half, at - half + box, shade(1))
    face = plain_typeface()
    for number, digit in enumerate(PUZZLE):
        if digit != "0":
            x, y = (start + cell * (place + 0.5) for place in (number % 9, number // 9))
            canvas.glyph(digit, x, y, 0.55 * cell, face, shade(0.95))
    crossings = np.stack(np.meshgrid(places, places), axis=-1).astype(np.float32)
    return canvas.pixels, crossings


def is_found(pixels: Image, crossings: Floats, cell: int) -> bool:
    """Return whether exactly one grid is found, at its true place."""
    found = locate(Photo(pixels))
    return len(found) == 1 and float(np.abs(found[0].crossings - crossings).max()) < max(1.5, NEAR * cell)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw, locate, and print."""
    parser = bench.parser(__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth combination")
    some = list(product(*AXES.values()))[:: parser.parse_args(arguments).every]
    seen = np.zeros((len(some), len(CONTRASTS)), bool)
    for row, values in enumerate(bench.tracked(some, "locating")):
        for column, contrast in enumerate(CONTRASTS):
            pixels, crossings = screenshot(contrast, *values)
            seen[row, column] = is_found(pixels, crossings, values[0])
    print("contrast", *(f"{contrast:5d}" for contrast in CONTRASTS))
    print("found   ", *(f"{count:5d}" for count in seen.sum(axis=0)), f" of {len(some)}")
    for values, found in zip(some, seen, strict=True):
        if not found.all():
            print(*values, "".join(".x"[int(one)] for one in found))


if __name__ == "__main__":
    main()
