"""Pages and grids as programs get them: drawn, saved, pickled, settled, printed, read only once."""

import io
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board, packed
from PIL import Image as Pillow

from sudoku_vision import Page, PrintablePuzzle, check, generate, print_puzzles, read_pages, solve_photo
from sudoku_vision.api.answers import HintRequest, request_of_grid
from sudoku_vision.errors import (
    ImproperError,
    MissingExtraError,
    OutOfMemoryError,
    OverridesError,
    SaveError,
    TooLargeError,
    UsageError,
)
from sudoku_vision.output.drawing.puzzle_figure import draw_grid
from sudoku_vision.output.overlay import overlay, overlay_check
from sudoku_vision.output.save import encode
from sudoku_vision.page import board_of, solved_board
from sudoku_vision.sudoku.board import Board, board_text
from sudoku_vision.sudoku.formats import NamedBoard, read_boards
from sudoku_vision.vision.grid import NO_PLACE, Grid
from sudoku_vision.vision.load import load_photo
from sudoku_vision.vision.results import GridStatus, Reading, Written
from workshop.rendering import Drawing

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"


@pytest.fixture(scope="module")
def page(drawing: Drawing) -> Page:
    return solve_photo(drawing.pixels, channels="bgr")


@pytest.fixture(scope="module")
def half_solved() -> Page:
    """A page on which a person has written and marked."""
    return solve_photo(SAMPLES / "half_solved.jpg")


def grids(page: Page) -> Any:
    return page.to_dict()["grids"]


def test_a_page_is_an_image_and_a_file(page: Page, drawing: Drawing, tmp_path: Path) -> None:
    image = page.image()
    assert np.array_equal(image, overlay(drawing.pixels, page.grids))
    assert np.array_equal(page.image(channels="rgb"), image[..., ::-1])
    page.save(tmp_path / "solved.png")
    assert np.array_equal(load_photo(tmp_path / "solved.png").pixels, image)
    solve_photo(drawing.pixels, tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == (tmp_path / "solved.png").read_bytes()
    with pytest.raises(SaveError):
        page.save(tmp_path / "no" / "folder.png")
    with pytest.raises(UsageError, match="channels"):
        page.image(channels="hsv")  # type: ignore[arg-type]


def test_a_photo_is_never_overwritten(page: Page, photo_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(photo_file.parent)
    Path("hard.jpg").hardlink_to(photo_file)
    before = photo_file.read_bytes()
    solved, opened = solve_photo("photo.jpg"), Pillow.open(photo_file)
    opened.load()
    for overwrite in (
        lambda: solve_photo(photo_file, "photo.jpg"),
        lambda: solve_photo(opened, "hard.jpg"),
        lambda: solved.save("hard.jpg"),
        lambda: check(solved).save(photo_file),
        lambda: page.without_photo().save(photo_file, photo="hard.jpg"),
    ):
        with pytest.raises(UsageError, match="overwrite the file that is read"):
            overwrite()
    assert photo_file.read_bytes() == Path("hard.jpg").read_bytes() == before


@pytest.mark.parametrize("where", ["overlay.overlay", "save.save"])
def test_full_memory_is_said(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(f"sudoku_vision.output.{where}", full)
    with pytest.raises(OutOfMemoryError, match="too large for this memory"):
        page.save(tmp_path / "solved.png")
    assert not any(tmp_path.iterdir())


def test_a_page_may_leave_its_photo_out(page: Page, drawing: Drawing) -> None:
    bare = page.without_photo()
    assert bare.photo is None and bare.grids is page.grids
    assert solve_photo(drawing.pixels, keep_photo=False).photo is None
    with pytest.raises(UsageError, match="photo="):
        bare.image()
    assert np.array_equal(bare.image(photo=drawing.pixels), page.image())
    assert "<img" not in bare._repr_html_()


def test_a_pickle_is_whole_and_small_without_the_photo(page: Page, drawing: Drawing) -> None:
    large = cv2.resize(drawing.pixels, (4000, 4000), interpolation=cv2.INTER_CUBIC)
    reduced = load_photo(encode(np.asarray(large, np.uint8), ".jpg"))
    assert reduced.reduced is not None
    assert np.array_equal(pickle.loads(pickle.dumps(reduced)).pixels, reduced.pixels)
    copy = pickle.loads(pickle.dumps(page))
    assert np.array_equal(copy.image(), page.image())
    assert grids(copy.with_overrides({1: 0})) == grids(page.with_overrides({1: 0}))
    assert len(pickle.dumps(page.without_photo())) < 30_000


def test_pages_and_grids_print_in_short_and_as_their_board(page: Page, half_solved: Page) -> None:
    assert repr(page).startswith("Page('<array>', solved, 1 grid, ") and "photo" not in page.to_dict()
    assert repr(page.grids) == f"(Grid(solved, 17 clues, confidence {page.grids[0].confidence:.3f}),)"
    assert str(page.grids[0]).splitlines()[1] == "| 4 . . | . . . | 8 . 5 |"
    (grid,) = half_solved.grids
    assert grid.written.any()
    (board,) = read_boards(str(grid).encode())
    assert np.array_equal(board.clues, grid.puzzle + grid.written)
    assert str(grid).isascii()


@pytest.mark.parametrize("said", [{0: 0}, {1: Written(4)}, {0: Written(), 80: Written(3)}, {1: 9}])
def test_a_grid_is_settled_as_reading_with_the_same_overrides(
    page: Page, drawing: Drawing, monkeypatch: pytest.MonkeyPatch, said: dict[int, int | Written]
) -> None:
    expected = solve_photo(drawing.pixels, overrides=said)
    monkeypatch.setattr("sudoku_vision.pipeline.locate", None)  # what reads a picture again fails
    settled = page.with_overrides(said)
    assert grids(settled) == grids(expected)
    assert (settled.status, settled.message) == (expected.status, expected.message)
    assert settled.grids[0].to_dict() == page.grids[0].with_overrides(said).to_dict()
    assert expected.grids[0].overrides == settled.grids[0].overrides == said
    assert grids(page)[0]["puzzle"] == PUZZLE  # the first page is as it was


def test_overrides_add_up_and_what_they_say_against_the_clues_is_named(page: Page) -> None:
    assert "clashes" not in page.to_dict()["grids"][0]
    said = page.with_overrides({1: 4})
    assert (said.status, said.grids[0].clashes) == ("no_solution", (0, 1))
    assert "r1c2" in said.message
    assert said.to_dict()["grids"][0]["clashes"] == [0, 1]
    (grid,) = page.grids
    stepwise = grid.with_overrides({0: 0}).with_overrides({1: Written(1), 0: 4})
    assert stepwise.to_dict() == grid.with_overrides("r1c1=4,r1c2=w1").to_dict()
    assert grid.with_overrides({}).to_dict() == grid.to_dict()
    for wrong in ({81: 1}, {0: 20}, {"r1c0": 4}, {3: {0: 4}}, "2:r1c1=4"):
        with pytest.raises(OverridesError):
            grid.with_overrides(wrong)
        with pytest.raises(OverridesError):
            page.with_overrides(wrong)


def test_grids_are_settled_by_their_places() -> None:
    page = solve_photo(SAMPLES / "two_puzzles.jpg")
    assert len(page.grids) == 2
    row, column = np.argwhere(page.grids[1].puzzle > 0)[0].tolist()
    said = {1: {9 * row + column: 0}}
    settled = page.with_overrides(said)
    assert settled.grids[0] is page.grids[0]
    assert settled.grids[1].puzzle[row, column] == 0
    with pytest.raises(OverridesError, match="which one"):
        page.with_overrides(said[1])


def test_a_grid_becomes_a_table_of_pandas(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    table = page.grids[0].to_frame()
    assert isinstance(table, pandas.DataFrame)
    assert "".join(map(str, table["puzzle"])) == PUZZLE
    assert "".join(map(str, table["solution"])) == SOLUTION
    assert table.iloc[80][["row", "column"]].tolist() == [9, 9]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        page.grids[0].to_frame()


def test_entries_are_checked_from_a_picture_or_a_page(half_solved: Page, tmp_path: Path) -> None:
    checked = check(half_solved)
    assert checked.page is half_solved and checked.grids[0].right and not checked.grids[0].wrong
    assert check(SAMPLES / "half_solved.jpg").to_dict()["grids"] == checked.to_dict()["grids"]
    assert np.array_equal(checked.image(), overlay_check(half_solved._own_photo(None), checked.grids))
    assert (checked.image() != half_solved.image()).any()
    checked.save(tmp_path / "marked.png", answers=True, marks=True)
    assert (tmp_path / "marked.png").stat().st_size > 1000
    assert "right" in checked._repr_html_()
    cell = int(checked.grids[0].right[0])
    other = int(half_solved.grids[0].written.flat[cell]) % 9 + 1
    wrong = check(half_solved, overrides={cell: Written(other)})
    assert wrong.status == "wrong" and wrong.grids[0].wrong == (cell,)


def test_a_hint_goes_on_from_a_page_in_its_photo(half_solved: Page, page: Page, no_sudoku: Drawing) -> None:
    hint = half_solved.hint(marks=True)
    assert hint is not None and hint.photo is half_solved.photo
    assert hint.image(caption=False).shape == half_solved.image().shape
    assert len(hint.image()) > len(half_solved.image())
    with pytest.raises(UsageError, match="no grid 1"):
        page.hint(1)
    with pytest.raises(UsageError, match="no grid 0"):
        solve_photo(no_sudoku.pixels).hint()
    with pytest.raises(ImproperError):
        page.with_overrides({0: 0, 6: 0, 8: 0}).hint()


def test_all_pages_of_a_document(drawing: Drawing, no_sudoku: Drawing) -> None:
    pictures = [Pillow.fromarray(np.ascontiguousarray(one.pixels[..., ::-1])) for one in (drawing, no_sudoku)]
    data = packed(pictures[0], "TIFF", save_all=True, append_images=pictures[1:])
    first, second = read_pages(io.BytesIO(data))
    assert [(one.page, one.status) for one in (first, second)] == [(1, "solved"), (2, "no_grid")]
    assert first.photo is not None and second.grids == ()
    assert solve_photo(data, page=2).status == "no_grid"
    *pages, rest = read_pages(data, max_pages=1, keep_photo=False)
    assert [one.status for one in pages] == ["solved"] and pages[0].photo is None
    assert rest.status == "error" and "more than 1 pages" in rest.message
    broken, sound = read_pages(data, max_megapixels=0.1)
    assert (broken.status, sound.status) == ("error", "no_grid") and "megapixels" in broken.message
    (alone,) = read_pages(no_sudoku.pixels)
    assert alone.status == "no_grid"
    with pytest.raises(TooLargeError):  # there is no page at all
        next(read_pages(drawing.pixels, max_megapixels=0.1))


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (500, 1), (9, 9), (40, 40)])
def test_pictures_too_small_to_hold_a_grid(shape: tuple[int, ...]) -> None:
    page = solve_photo(np.zeros(shape, np.uint8))
    assert page.status == "no_grid"
    assert page.image().shape[:2] == shape[:2]
    assert "<img" in page._repr_html_()


def test_a_book_has_its_puzzles_and_their_solutions(tmp_path: Path) -> None:
    made, own = generate(seed=3), PrintablePuzzle(board(PUZZLE), board(SOLUTION), name="My own")
    print_puzzles([made, PUZZLE, own], tmp_path / "book.pdf", title="Ours", per_page=2, solutions=True)
    *pages, solved = read_pages(tmp_path / "book.pdf")
    assert [board_text(grid.puzzle) for page in pages for grid in page.grids] == [str(made), PUZZLE, PUZZLE]
    assert [grid.solution is not None for page in pages for grid in page.grids] == [True] * 3
    assert board_text(solved.grids[1].board) == board_text(solved.grids[2].board) == SOLUTION


# What hints go on from.


def asked_about(status: GridStatus, entries: dict[int, int]) -> HintRequest:
    """What is asked about a grid of a picture with digits in some cells (0..80)."""
    written = board("".join(str(entries.get(cell, 0)) for cell in range(81)))
    return request_of_grid(Grid(status, NO_PLACE, Reading(board(PUZZLE), written, board(SOLUTION), 1, 0.99)))


def test_wrong_entries_are_left_out_and_named_and_there_must_be_a_single_solution() -> None:
    asked = asked_about("solved", {1: 1, 2: 9})
    assert asked.board.flat[1] == 1 and asked.board.flat[2] == 0
    assert asked.warnings() == ("What is filled in at r1c3 is wrong, and left out here.",)
    unsure = asked_about("uncertain", {2: 9}).warnings()
    assert "please check" in unsure[0] and "probably wrong" in unsure[1]
    statuses: dict[GridStatus, str] = {"many_solutions": "many", "no_solution": "none"}
    for status, word in (statuses | {"unreadable": "unreadable"}).items():
        with pytest.raises(ImproperError) as error:
            asked_about(status, {})
        assert error.value.status == word


def test_placed_digits_of_a_board_in_text_may_leave_one_solution() -> None:
    clues = "0" + PUZZLE[1:]
    one = NamedBoard(clues, board("4" + "0" * 80))
    asked = request_of_grid(solved_board(one, "board").grids[0], in_text=True)
    assert asked.board.flat[0] == 4 and asked.cautions == ()


def test_a_board_in_text_lies_in_the_drawing_of_it(puzzle: Board) -> None:
    page = solved_board(NamedBoard(puzzle, uncertain=True), "board", 3)
    assert (page.status, page.page, page.grids[0].confidence) == ("uncertain", 3, 1.0)
    pixels, grid = draw_grid(page.grids[0])
    ink = [pixels[tuple(np.rint(point[::-1]).astype(int))].max() for point in grid.lattice.corners]
    assert max(ink) < 80, "its corners lie on its lines"
    assert board_of(replace(grid, status="solved")) == NamedBoard(puzzle)
