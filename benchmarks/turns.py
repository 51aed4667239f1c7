"""How well turned pictures are read: by quarter turns, and by angles in between.

    python benchmarks/turns.py FOLDER...

A FOLDER holds labelled pictures. For angles that are not quarter turns, a picture is turned about its middle
on a larger canvas. The canvas around the picture continues the colours of its edges, or is grey or white, in
turn. For each angle, these puzzles are counted: found, read (all 81 cells are right), called solved, and
*wrong* (called solved but not read). Below, the puzzles that were not read are listed.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import bench
import cv2
import numpy as np

from sudoku_vision.page import Page
from sudoku_vision.pipeline import read_page
from sudoku_vision.values import Image
from sudoku_vision.vision.digits import load_model
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.results import Photo
from workshop.evaluation.labels import LabelledPicture, find_labels
from workshop.evaluation.metrics import Outcome, counts_of, outcomes_of
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
) -> dict[int, list[Outcome]]:
    """Read each picture at each angle, and return the outcomes by angle."""
    found: dict[int, list[Outcome]] = {angle: [] for angle in angles}
    for number, picture in enumerate(tracked(pictures, "turning and reading")):
        photo = load_photo(picture.path)
        for place, angle in enumerate(angles):
            page = read(Photo(turned(photo.pixels, angle, FILLS[(number + place) % 3]), photo.source))
            found[angle] += [one for one in outcomes_of(picture, page.grids) if one.label is not None]
    return found


def table(found: Mapping[int, Sequence[Outcome]]) -> str:
    """Return a line for each angle, and a line for all angles."""
    counts = {f"{angle:+d}": Counter(counts_of(0, outcomes)) for angle, outcomes in found.items()}
    return bench.counts_table(counts, ("puzzles", "found", "read", "solved", "wrong"))


def failures(found: Mapping[int, Sequence[Outcome]]) -> str:
    """Return a line for each puzzle that was not read."""
    failed = [(angle, one) for angle, outcomes in found.items() for one in outcomes if not one.read]
    return "\n".join(f"{angle:+d} degrees: {failures_text([one])}" for angle, one in failed)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the turned pictures, and print the counts and the failures."""
    parser = bench.parser(__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="labelled pictures")
    options = parser.parse_args(arguments)
    pictures = [picture for folder in options.folders for picture in find_labels(folder)]
    model = load_model()
    found = measure(pictures, ANGLES, lambda photo: read_page(photo, model=model))
    print(f"{table(found)}\n\n{failures(found)}".rstrip())


if __name__ == "__main__":
    main()
