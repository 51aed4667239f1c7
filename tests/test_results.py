"""Results: short and clear when they are shown, and quick to import."""

import pickle
import pydoc
import subprocess
import sys
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from examples import REGIONS

import sudoku_vision
from sudoku_vision import explain, generate, hint, rate, solve
from sudoku_vision.live.tracker import TrackedGrid
from sudoku_vision.output.drawing.puzzle_figure import PrintablePuzzle
from sudoku_vision.page import Page, check_page
from sudoku_vision.sudoku.board import NO_MARKS
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import DigitScores, GridStatus, Lattice, Photo, Reading, Written
from sudoku_vision.vision.status import least_sure_status
from sudoku_vision.vision.verdicts import check


def lattice() -> Lattice:
    x, y = np.meshgrid(np.arange(10), np.arange(10))
    return Lattice((20 * np.stack([x, y], axis=-1)).astype(np.float32), score=0.934)


def grid() -> Grid:
    written = np.zeros((9, 9), np.int8)
    written[0, 1] = 1
    reading = Reading(board(PUZZLE), written, board(SOLUTION), 1, 0.99812)
    return Grid("solved", lattice(), reading)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Photo(np.zeros((480, 640, 3), np.uint8), "photo.jpg"), "Photo('photo.jpg', 640 x 480)"),
        (Photo(np.zeros((4, 6, 3), np.uint8), "scan.pdf", 2), "Photo('scan.pdf', page 2, 6 x 4)"),
        (lattice(), "Lattice((0, 0) (180, 0) (180, 180) (0, 180), score 0.93)"),
        (grid().reading, "Reading(17 clues, 1 written, one solution, confidence 0.998)"),
        (grid(), "Grid(solved, 17 clues, confidence 0.998)"),
        (
            Page("photo.jpg", 1, "solved", "", (grid(),), 0.0412),
            "Page('photo.jpg', solved, 1 grid, 0.04 s)",
        ),
        (
            Page("scan.pdf", 3, "no_grid", "No sudoku was found.", (), 1.5),
            "Page('scan.pdf', page 3, no_grid, 0 grids, 1.50 s)",
        ),
        (check(grid()), "Check(right, 1 right, 0 wrong, 0 unclear, 63 left)"),
        (check_page(Page("a.jpg", 1, "solved", "", (grid(),), 0.1)), "CheckedPage('a.jpg', right, 1 grid)"),
        (PrintablePuzzle(board(PUZZLE)), f"PrintablePuzzle(puzzle='{PUZZLE}')"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_result_is_shown_in_a_few_words(value: object, words: str) -> None:
    assert repr(value) == words


def test_no_help_lists_what_is_empty() -> None:
    documents = {name: pydoc.render_doc(getattr(sudoku_vision, name)) for name in sudoku_vision.__all__}
    assert [name for name, text in documents.items() if "frozenset(), frozenset()" in text] == []
    assert pickle.loads(pickle.dumps(NO_MARKS)) is NO_MARKS


def test_scores_have_no_marks_by_default() -> None:
    scores = DigitScores(np.zeros((81, 10), np.float32), np.zeros(81, np.float32))
    assert (scores.marks.shape, scores.mark_digits.shape) == ((81,), (81, 9))
    assert not scores.marks.any()
    assert not scores.mark_digits.any()
    with pytest.raises(ValueError, match=r"mark_digits must have shape \(81, 9\)"):
        replace(scores, mark_digits=np.zeros((81, 10), np.float32))


def test_marks_are_reported_in_order_and_only_in_cells_without_a_digit() -> None:
    plain = grid()
    assert plain.to_dict()["marks"] == [""] * 81
    marks = list(plain.marks)
    cell = int(np.flatnonzero(plain.puzzle + plain.written == 0)[0])
    clue = int(np.flatnonzero(plain.puzzle)[0])
    marks[cell] = frozenset({8, 2})
    marked = replace(plain, reading=replace(plain.reading, marks=tuple(marks)))
    assert marked.marks[cell] == {2, 8}
    assert marked.to_dict()["marks"] == ["28" if one == cell else "" for one in range(81)]
    marks[clue] = frozenset({5})
    with pytest.raises(ValueError, match="a cell with marks"):
        replace(plain.reading, marks=tuple(marks))
    with pytest.raises(ValueError, match="81 sets, got 3"):
        replace(plain.reading, marks=tuple(marks[:3]))


def test_entries_are_reported_with_their_own_confidence() -> None:
    plain = grid()
    assert plain.to_dict()["entries"] == []
    confidence = np.zeros(81, np.float32)
    confidence[1] = 0.75
    weighed = replace(plain, reading=replace(plain.reading, entry_confidence=confidence))
    entry = {"cell": 1, "row": 1, "column": 2, "digit": 1, "confidence": 0.75}
    assert weighed.to_dict()["entries"] == [entry]


def test_importing_is_light_and_functions_without_pictures_need_no_opencv(photo_file: Path) -> None:
    code = (
        "import sys, sudoku_vision as s;"
        "assert not {'cv2', 'numpy', 'sklearn', 'click'} & set(sys.modules);"
        "import sudoku_vision.sudoku.display as d;"
        f"answer = s.solve({PUZZLE!r}).solution; s.rate({PUZZLE!r}); s.hint({PUZZLE!r});"
        "d.board_lines(answer); s.generate, s.solve_many, s.Lattice;"
        "assert 'cv2' not in sys.modules;"
        f"s.solve_photo({str(photo_file)!r});"
        "assert 'sklearn' not in sys.modules and 'PIL.ImageFont' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("grids", "status"),
    [
        ([], "no_grid"),
        (["solved", "solved"], "solved"),
        (["solved", "uncertain"], "uncertain"),
        (["no_solution", "solved", "many_solutions"], "no_solution"),
        (["unreadable", "solved"], "solved"),
        (["unreadable", "uncertain", "solved"], "uncertain"),
        (["unreadable", "unreadable"], "unreadable"),
    ],
)
def test_a_page_is_as_sure_as_its_least_sure_grid(grids: list[GridStatus], status: str) -> None:
    assert least_sure_status(grids) == status


def test_results_are_values_whose_arrays_cannot_be_written_to() -> None:
    own, one = board(SOLUTION), grid()
    page = Page("photo.jpg", 1, "solved", "", (one,), 0.25)
    values = [
        Photo(np.zeros((480, 640, 3), np.uint8)),
        DigitScores(np.zeros((81, 10), np.float32), np.zeros(81, np.float32)),
        *(one, one.lattice, one.reading, check(one), page),
        *(solve(PUZZLE), rate(PUZZLE), explain(PUZZLE), hint(PUZZLE), PrintablePuzzle(board(PUZZLE))),
        *(generate(difficulty="easy", seed=1), generate(seed=1, rules="jigsaw"), Rules(REGIONS), Written(7)),
        TrackedGrid(1, "sure", one.lattice, one),
    ]
    for value in values:
        for copied in (pickle.loads(pickle.dumps(value)), deepcopy(value), copy(value)):
            assert copied == value and hash(copied) == hash(value) and repr(copied) == repr(value)
            arrays = [array for array in vars(copied).values() if isinstance(array, np.ndarray)]
            assert not any(array.flags.writeable for array in arrays)
    with pytest.raises(ValueError, match="read-only"):
        one.reading.puzzle[0, 0] = 5
    assert one == grid() != replace(one, reading=replace(one.reading, solution=None))
    assert page == replace(page, grids=(grid(),), seconds=0.5) != replace(page, grids=())
    assert len({one, grid()}) == 1 and one.reading not in (one, None)
    reading = replace(one.reading, solution=own)
    assert reading.solution is not None and np.shares_memory(reading.solution, own) and own.flags.writeable
