"""Pictures that the page is shown: what stands in the samples, and pictures made for one purpose."""

import csv
from pathlib import Path

from PIL import Image as Pillow
from PIL import ImageChops

from browser.visits import SAMPLES
from sudoku_vision import solve_photo

_FOUR, _SEVEN = 45, 55
"""Cells of the clean sheet, and their clues."""


def clues_of(name: str, puzzle: int = 0) -> str:
    """Return the 81 digits that are printed in a sample."""
    with (SAMPLES / "labels.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["file"] == name]
    return rows[puzzle]["printed"]


def sample(name: str) -> Pillow.Image:
    """Return a sample as a picture."""
    with Pillow.open(SAMPLES / name) as picture:
        return picture.convert("RGB")


def sheet_in_doubt(folder: Path) -> Path:
    """Write the clean sheet with a paler 7 printed over the 4 of r6c1; return the file."""
    picture = sample("clean_sheet.png")
    lattice = solve_photo(SAMPLES / "clean_sheet.png").grids[0].lattice

    def square(cell: int) -> tuple[int, int, int, int]:
        x, y = lattice.cell(*divmod(cell, 9)).mean(axis=0).tolist()
        return round(x - 28), round(y - 28), round(x + 28), round(y + 28)

    ours, seven = picture.crop(square(_FOUR)), picture.crop(square(_SEVEN))
    paler = Pillow.blend(seven, Pillow.new("RGB", seven.size, "white"), 0.22)
    picture.paste(ImageChops.darker(ours, paler), square(_FOUR))
    picture.save(folder / "doubt.png")
    return folder / "doubt.png"
