"""The sample pictures: small, labelled, and the same as what the code draws."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pictures
from PIL import ImageOps

from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.solver import count_solutions
from sudoku_vision.workshop.rendering.sample_catalogue import samples
from sudoku_vision.workshop.rendering.samples import (
    MOST_BYTES,
    draw_sample,
    encode_sample,
    label_rows,
    readme_text,
)

FOLDER = Path(__file__).parents[3] / "sample_images"


def _labels() -> list[dict[str, str]]:
    with (FOLDER / "labels.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_folder_holds_every_sample_and_its_table() -> None:
    assert {row["file"] for row in _labels()} == {sample.file for sample in samples()}
    assert (FOLDER / "README.md").read_text("utf-8") == readme_text()
    for sample in samples():
        assert (FOLDER / sample.file).stat().st_size <= MOST_BYTES


def test_labels_are_well_posed_puzzles_and_negatives_have_none() -> None:
    for row in _labels():
        assert ("negative" in row["tags"]) == (row["printed"] == "")
        if row["printed"]:
            assert count_solutions(row["printed"]) == 1
        if row["all"]:
            printed, filled = (board_array(parse_board(row[key])) for key in ("printed", "all"))
            assert np.array_equal(filled[printed > 0], printed[printed > 0])


@pytest.mark.parametrize("name", ["clean_sheet.png", "blurred_vga.jpg", "exif_turned.jpg"])
def test_a_sample_drawn_again_is_the_one_in_the_folder(name: str) -> None:
    number, sample = next(pair for pair in enumerate(samples(), 1) if pair[1].file == name)
    drawing = draw_sample(sample)
    assert label_rows(number, sample, drawing.grids) == [row for row in _labels() if row["file"] == name]
    again = Pictures.open(io.BytesIO(encode_sample(sample, drawing.pixels)))
    with Pictures.open(FOLDER / name) as stored:
        difference = np.abs(np.asarray(again.convert("RGB"), int) - np.asarray(stored.convert("RGB"), int))
    assert difference.mean() < 1.5  # codecs and OpenCV versions differ a little


def test_the_turned_sample_is_upright_once_its_tag_is_obeyed() -> None:
    sample = next(sample for sample in samples() if sample.exif)
    with Pictures.open(FOLDER / sample.file) as stored:
        assert stored.size == sample.conditions.size[::-1]
        upright = ImageOps.exif_transpose(stored)
    assert upright.size == sample.conditions.size
