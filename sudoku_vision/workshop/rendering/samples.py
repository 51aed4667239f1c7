"""Draw the project's sample pictures: ``python -m sudoku_vision.workshop.rendering.samples sample_images``.

Every sample has its own settings and seed, and uses the bundled fonts alone, so the folder can be drawn again
at any time. Beside the pictures go ``labels.csv`` (what stands in them) and ``README.md`` (what each is for).
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures

from sudoku_vision.output.save import write_atomically
from sudoku_vision.results import Image, Marks, board_text, marks_text
from sudoku_vision.workshop.rendering.negatives import draw_negative
from sudoku_vision.workshop.rendering.picture import Drawing, DrawnGrid, draw
from sudoku_vision.workshop.rendering.sample_catalogue import Sample, samples

MOST_BYTES = 240_000  # a sample must stay small enough to live in the repository
_TURNED_BY_EXIF = 6  # orientation "turn a quarter clockwise to see it upright"
_ORIENTATION_TAG = 0x0112

LABEL_COLUMNS = ("id", "file", "tags", "printed", "all", "marks", "notes")


def draw_sample(sample: Sample) -> Drawing:
    """Return the picture of *sample* with its truth, as it is seen upright."""
    rng = np.random.default_rng(sample.seed)
    if sample.negative is not None:
        return draw_negative(rng, sample.negative, sample.conditions)
    return draw(rng, sample.conditions)


def encode_sample(sample: Sample, pixels: Image) -> bytes:
    """Return the bytes of the file, a JPEG at the best quality that stays below :data:`MOST_BYTES`."""
    picture = Pictures.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
    exif = Pictures.Exif()
    if sample.exif:
        picture = picture.transpose(Pictures.Transpose.ROTATE_90)
        exif[_ORIENTATION_TAG] = _TURNED_BY_EXIF
    if sample.file.endswith(".png"):
        return _encoded(partial(picture.save, format="PNG", optimize=True))
    for quality in range(90, 40, -5):
        data = _encoded(partial(picture.save, format="JPEG", quality=quality, exif=exif))
        if len(data) <= MOST_BYTES:
            break
    return data


def _encoded(save: Callable[[io.BytesIO], None]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()


def label_rows(number: int, sample: Sample, grids: Sequence[DrawnGrid]) -> list[dict[str, str]]:
    """Rows of ``labels.csv``: one a puzzle, or one without boards for a picture that holds none."""
    name = f"s{number:02d}"
    row = dict.fromkeys(LABEL_COLUMNS, "")
    row |= {"id": name, "file": sample.file, "tags": sample.tags, "notes": sample.notes}
    if not grids:
        return [row]
    rows = []
    for rank, grid in enumerate(grids):
        both = board_text(np.where(grid.puzzle > 0, grid.puzzle, grid.written))
        boards = {
            "printed": board_text(grid.puzzle),
            "all": both if grid.written.any() else "",
            "marks": _marks_label(grid.marks),
        }
        rows.append(row | boards | {"id": name if len(grids) == 1 else f"{name}{'abcd'[rank]}"})
    return rows


def _marks_label(marks: Marks) -> str:
    """Return marks as the table of labels has them: ``r1c2:28 r9c9:147``."""
    cells = [(cell, digits) for cell, digits in enumerate(marks_text(marks)) if digits]
    return " ".join(f"r{cell // 9 + 1}c{cell % 9 + 1}:{digits}" for cell, digits in cells)


def write_samples(folder: Path) -> list[Path]:
    """Draw all samples into *folder*, with ``labels.csv`` and ``README.md``; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, written = [], []
    for number, sample in enumerate(samples(), start=1):
        drawing = draw_sample(sample)
        path = folder / sample.file
        write_atomically(path, encode_sample(sample, drawing.pixels))
        rows += label_rows(number, sample, drawing.grids)
        written.append(path)
    labels, readme = folder / "labels.csv", folder / "README.md"
    text = io.StringIO()
    table = csv.DictWriter(text, LABEL_COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_atomically(labels, text.getvalue().encode())
    write_atomically(readme, readme_text().encode())
    return [*written, labels, readme]


def readme_text() -> str:
    """Return the table that says what each sample is for."""
    lines = [
        "# Sample pictures",
        "",
        "Drawn by the project's own renderer with the fonts that it bundles; none is anybody's photo.",
        "`python -m sudoku_vision.workshop.rendering.samples sample_images` draws them again.",
        "`labels.csv` holds what stands in each: `printed` are the clues, `all` the clues and what was",
        "written or entered, `marks` the pencil marks; a row tagged `negative` holds no sudoku; several rows",
        "of a file are several puzzles.",
        "",
        "| picture | what it is for |",
        "|---|---|",
    ]
    lines += [f"| [{sample.file}]({sample.file}) | {sample.purpose} |" for sample in samples()]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the samples into the folder named on the command line."""
    parser = argparse.ArgumentParser(description="Draw the sample pictures.")
    parser.add_argument("folder", type=Path)
    cv2.setNumThreads(1)
    write_samples(parser.parse_args(arguments).folder)


if __name__ == "__main__":
    main()
