"""Pictures that the page is shown: what stands in the samples, and pictures made for one purpose."""

from __future__ import annotations

import csv
from pathlib import Path

from conftest import packed
from PIL import Image as Pillow

from browser.visits import SAMPLES
from sudoku_vision import read_photo

HALF_A_SIX = (21, 6)
"""A cell of the clean sheet, and its clue, that may be a 5 when its left part is nearly gone."""


def clues_of(name: str, puzzle: int = 0) -> str:
    """Return the 81 digits that are printed in a sample."""
    with (SAMPLES / "labels.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["file"] == name]
    return rows[puzzle]["printed"]


def sample(name: str) -> Pillow.Image:
    """Return a sample as a picture."""
    with Pillow.open(SAMPLES / name) as picture:
        return picture.convert("RGB")


def sheet_in_doubt() -> bytes:
    """Return the clean sheet as PNG, the left half of one clue nearly gone: it may be read as another."""
    picture = sample("clean_sheet.png")
    lattice = read_photo(SAMPLES / "clean_sheet.png").grids[0].lattice
    quad = lattice.cell(*divmod(HALF_A_SIX[0], 9))
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    width, height = right - left, bottom - top
    sides = (left + 0.15 * width, top + 0.15 * height, left + 0.42 * width - 1, bottom - 0.15 * height - 1)
    box = (int(sides[0]), int(sides[1]), int(sides[2]), int(sides[3]))
    half = picture.crop(box)
    picture.paste(Pillow.blend(half, Pillow.new("RGB", half.size, "white"), 0.8), box)
    return packed(picture, "PNG")


def document(path: Path, *names: str) -> Path:
    """Write samples as the pages of a PDF."""
    first, *rest = map(sample, names)
    first.save(path, "PDF", save_all=True, append_images=rest)
    return path
