"""The sample pictures: small, labelled, and the same as what the code draws."""

import csv
import io

import make_samples as tool
import numpy as np
import pytest
from make_samples import FOLDER
from PIL import Image as Pictures
from PIL import ImageOps

from sudoku_vision.sudoku.board import board_array, parse_board
from sudoku_vision.sudoku.solver import count_solutions
from workshop.evaluation.labels import label_rows


def _labels() -> list[dict[str, str]]:
    with (FOLDER / "labels.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_folder_holds_every_sample_and_its_table() -> None:
    assert {row["file"] for row in _labels()} == {sample.file for sample in tool.SAMPLES}
    readme = (FOLDER / "README.md").read_text("utf-8")
    for sample in tool.SAMPLES:
        assert (FOLDER / sample.file).stat().st_size <= tool.MAX_BYTES
        assert f"[{sample.file}]({sample.file})" in readme


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
    number, sample = next(pair for pair in enumerate(tool.SAMPLES, 1) if pair[1].file == name)
    drawing = tool.draw_sample(sample)
    rows = label_rows(f"s{number:02d}", sample.file, sample.tags, drawing.grids, sample.notes)
    assert rows == [row for row in _labels() if row["file"] == name]
    again = Pictures.open(io.BytesIO(tool.encode_sample(sample, drawing.pixels)))
    with Pictures.open(FOLDER / name) as stored:
        difference = np.abs(np.asarray(again.convert("RGB"), int) - np.asarray(stored.convert("RGB"), int))
    assert difference.mean() < 1.5  # codecs and OpenCV versions differ a little


def test_the_turned_sample_is_upright_once_its_tag_is_obeyed() -> None:
    sample = next(sample for sample in tool.SAMPLES if sample.exif)
    with Pictures.open(FOLDER / sample.file) as stored:
        assert stored.size == sample.conditions.size[::-1]
        upright = ImageOps.exif_transpose(stored)
    assert upright.size == sample.conditions.size
