"""How well turned pictures are read: by quarter turns, and by angles in between.

    python benchmarks/turns.py FOLDER...

A FOLDER holds labelled pictures. For angles that are not quarter turns, a picture is turned about its middle
on a larger canvas. The canvas around the picture continues the colours of its edges, or is grey or white, in
turn. For each angle, these puzzles are counted: found, read (all 81 cells are right), called solved, and
*wrong* (called solved but not read). Below, the puzzles that were not read are listed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import bench
import cv2
import numpy as np

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.results import Photo
from workshop.evaluation.labels import LabelledPicture, find_labels
from workshop.evaluation.metrics import Evaluation, evaluate
from workshop.evaluation.text import failures_text
from workshop.progress import tracked

ANGLES = (0, 90, 180, 270, -45, -37, -30, -22, -15, -7, 7, 15, 22, 30, 37, 45)
"""Angles in degrees, counter-clockwise."""

FILLS = ("edge", "grey", "white")
LEVELS = {"grey": 128, "white": 255}


def turned(pixels: Image, angle: int, fill: str) -> Image:
    """Turn a picture (H, W, 3) by *angle* degrees counter-clockwise; *fill* is one of :data:`FILLS`."""
    quarters, rest = divmod(angle, 90)
    if not rest:
        return np.ascontiguousarray(np.rot90(pixels, quarters))
    height, width = pixels.shape[:2]
    centre = ((width - 1) / 2, (height - 1) / 2)
    matrix = cv2.getRotationMatrix2D(centre, angle, 1.0)
    across, down = np.abs(matrix[:, :2]) @ (width, height)
    size = (int(np.ceil(across)), int(np.ceil(down)))
    matrix[:, 2] += ((size[0] - width) / 2, (size[1] - height) / 2)
    border = cv2.BORDER_REPLICATE if fill == "edge" else cv2.BORDER_CONSTANT
    level = LEVELS.get(fill, 0)
    canvas = cv2.warpAffine(
        pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=border, borderValue=(level, level, level)
    )
    return np.asarray(canvas, np.uint8)


def measure(
    pictures: Sequence[LabelledPicture], angles: Sequence[int], read: Callable[[Photo], Page]
) -> dict[str, Evaluation]:
    """Read each picture at each angle, and return the results by angle."""
    found = {}
    for place, angle in enumerate(tracked(angles, "turning and reading")):
        fills = islice(cycle(FILLS), place % len(FILLS), None)

        def read_turned(photo: Photo, angle: int = angle, fills: Iterator[str] = fills) -> Page:
            return read(Photo(turned(photo.pixels, angle, next(fills)), photo.source))

        found[f"{angle:+d}"] = evaluate(pictures, read_turned)
    return found


def report(found: Mapping[str, Evaluation]) -> str:
    """Return a line for each angle, a line for all angles, and a line for each puzzle that was not read."""
    counts = {angle: result.by_tag()["all"] for angle, result in found.items()}
    table = bench.counts_table(counts, ("puzzles", "found", "read", "solved", "wrong"))
    failed = [f"{angle} degrees:\n{failures_text(of.failures)}" for angle, of in found.items() if of.failures]
    return "\n\n".join([table, *failed])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the turned pictures, and print the counts and the failures."""
    parser = bench.parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="labelled pictures")
    options = parser.parse_args(arguments)
    pictures = [picture for folder in options.folders for picture in find_labels(folder)]
    print(report(measure(pictures, ANGLES, partial(read_page, model=load_model()))))


if __name__ == "__main__":
    main()
