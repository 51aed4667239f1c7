"""Pictures that the page is shown: what stands in the samples, and pictures made for one purpose."""

import csv
from pathlib import Path

from conftest import packed
from PIL import Image as Pillow
from PIL import ImageChops

from browser.visits import SAMPLES
from sudoku_vision import solve_photo

FOUR_OR_SEVEN = (45, 4)
"""A cell of the clean sheet, and its clue, which may be a 7 where one is printed over it."""
_A_SEVEN = 55


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
    """Return the clean sheet as PNG, a paler 7 printed over one of its clues."""
    picture = sample("clean_sheet.png")
    lattice = solve_photo(SAMPLES / "clean_sheet.png").grids[0].lattice

    def square(cell: int) -> tuple[int, int, int, int]:
        x, y = lattice.cell(*divmod(cell, 9)).mean(axis=0).tolist()
        return round(x - 28), round(y - 28), round(x + 28), round(y + 28)

    ours, seven = picture.crop(square(FOUR_OR_SEVEN[0])), picture.crop(square(_A_SEVEN))
    paler = Pillow.blend(seven, Pillow.new("RGB", seven.size, "white"), 0.22)
    picture.paste(ImageChops.darker(ours, paler), square(FOUR_OR_SEVEN[0]))
    return packed(picture, "PNG")


def document(path: Path, *names: str) -> Path:
    """Write samples as the pages of a PDF."""
    first, *rest = map(sample, names)
    first.save(path, "PDF", save_all=True, append_images=rest)
    return path
