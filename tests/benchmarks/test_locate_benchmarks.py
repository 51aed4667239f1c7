"""The benchmarks of locating: pictures are turned as they say, and what is counted is what happened."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import negatives
import numpy as np
import pytest
import turns

from sudoku_vision.output.save import save
from sudoku_vision.page import Page, solved_board
from sudoku_vision.sudoku.formats import NamedBoard
from sudoku_vision.values import Image
from sudoku_vision.vision.results import Photo
from workshop.evaluation.labels import find_labels

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".replace(".", "0")


def page_of(status: Any, puzzle: str = PUZZLE) -> Page:
    page = solved_board(NamedBoard(puzzle), "")
    grids = () if status == "no_grid" else (replace(page.grids[0], status=status),)
    return replace(page, status=status, grids=grids)


@pytest.fixture
def picture() -> Image:
    """Light paper with a dark square in its top left quarter."""
    pixels = np.full((60, 100, 3), 220, np.uint8)
    pixels[5:25, 10:30] = 30
    return pixels


@pytest.mark.parametrize("angle", [-45, 7, 30])
@pytest.mark.parametrize("fill", ["edge", "grey", "white"])
def test_a_turned_picture_keeps_what_it_shows(picture: Image, angle: int, fill: str) -> None:
    canvas = turns.turned(picture, angle, fill)
    assert canvas.shape[0] > 60
    assert (canvas < 60).any(axis=2).sum() == pytest.approx(400, rel=0.15)  # the whole square
    corner = {"edge": 220, "grey": 128, "white": 255}[fill]
    assert (canvas[0, 0] == corner).all()


def test_turned_readings_are_counted_by_angle(tmp_path: Path, picture: Image) -> None:
    save(tmp_path / "page.png", picture)
    rows = [PUZZLE[start : start + 9] for start in range(0, 81, 9)]
    (tmp_path / "page.dat").write_text("\n".join(["x", "x", *rows]))

    def read(photo: Photo) -> Page:
        """Read right upright, wrongly on its side, nothing otherwise."""
        height, width = photo.pixels.shape[:2]
        if (height, width) == (60, 100):
            return page_of("solved")
        return page_of("solved", "1" + "0" * 80) if height == 100 else page_of("no_grid")

    found = turns.measure(find_labels(tmp_path), (0, 90, 30), read)
    assert [outcomes[0].read for outcomes in found.values()] == [True, False, False]
    assert [outcomes[0].wrong for outcomes in found.values()] == [False, True, False]
    assert turns.table(found).splitlines()[1].split() == ["+0", "1", "1", "1", "100.0", "%", "1", "0"]
    assert turns.failures(found).startswith("+90 degrees: WRONG ")


def test_claims_are_counted_by_kind() -> None:
    pages = map(page_of, ("no_grid", "solved", "unreadable", "no_grid"))
    readings = list(negatives.read_pages(("chessboard", "text"), 2, lambda _: next(pages)))
    assert [negatives.is_claimed(page) for *_, page in readings] == [False, True, False, False]
    assert [line.split()[:3] for line in negatives.table(readings).splitlines()[1:]] == [
        ["chessboard", "2", "1"],
        ["text", "2", "0"],
        ["all", "4", "1"],
    ]


def test_saying_that_there_is_no_grid_is_compared_with_a_hit(capsys: pytest.CaptureFixture[str]) -> None:
    negatives.main(["--size", "320x240", "--only", "blank"])
    sudoku, blank = capsys.readouterr().out.splitlines()[-2:]
    assert sudoku.startswith("sudoku")
    assert blank.startswith("blank")
    assert blank.endswith("of a hit  no_grid")
