"""The form of the calendar: digits, cells of marks, and the digits of marks that somebody noted."""

from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from labelled_examples import LATTICE, by_fake

from sudoku_vision.errors import UsageError
from sudoku_vision.output.save import save
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import Board
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Reading
from workshop.evaluation.labels import find_labels, read_label, read_mark_table
from workshop.evaluation.metrics import Evaluation, evaluate
from workshop.evaluation.reliability import Pair, entry_pairs_of, pairs_of
from workshop.evaluation.text import evaluation_text
from workshop.rendering import Drawing

TABLE = Path(__file__).parent / "calendar_marks.csv"
BLANKS = [cell for cell in range(81) if PUZZLE[cell] == "0"]
ENTRY, MARKED, UNNOTED = BLANKS[:3]
"""A cell with an entry, one with noted marks, and one with marks that are not noted."""


@pytest.fixture
def folder(tmp_path: Path, drawing: Drawing) -> Path:
    """Make a folder of one photo in the form of the calendar."""
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    save(tmp_path / "images" / "01_28_phone_0.png", drawing.pixels)
    numbers = [int(digit) for digit in PUZZLE]
    numbers[ENTRY] = int(SOLUTION[ENTRY])
    numbers[MARKED] = numbers[UNNOTED] = 10
    rows = [" ".join(map(str, numbers[start : start + 9])) for start in range(0, 81, 9)]
    (tmp_path / "labels" / "01_28_phone_0.txt").write_text("\n".join(rows) + "\n")
    cell = f"r{MARKED // 9 + 1}c{MARKED % 9 + 1}"
    (tmp_path / "marks.csv").write_text(f"puzzle,cell,digits\n01_28,{cell},28\n")
    return tmp_path


def read_as(
    folder: Path,
    status: GridStatus = "solved",
    marks: dict[int, frozenset[int]] | None = None,
    entry: int = int(SOLUTION[ENTRY]),
    solution: Board | None = None,
    clues: dict[int, int] | None = None,
) -> Evaluation:
    """Evaluate a reading with an entry, marks and perhaps more clues."""
    written, puzzle = np.zeros((9, 9), np.int8), board(PUZZLE)
    written.flat[ENTRY] = entry
    for cell, digit in (clues or {}).items():
        puzzle.flat[cell] = digit
    written[puzzle > 0] = 0
    sure = np.where(written.ravel() > 0, 0.8, 0).astype(np.float32)
    sets = [(marks or {}).get(cell, frozenset()) for cell in range(81)]
    full = board(SOLUTION) if solution is None else solution
    reading = Reading(puzzle, written, full, 1, 0.97, marks=tuple(sets), entry_confidence=sure)
    return by_fake([folder], {"01_28_phone_0": [Grid(status, LATTICE, reading)]})


def test_labels_distinguish_digits_and_marks(folder: Path) -> None:
    (picture,) = find_labels(folder)
    (label,) = picture.labels
    assert picture.tags == (folder.name,)
    assert label.clues is None and label.everything is not None
    assert label.everything.flat[ENTRY] == int(SOLUTION[ENTRY])
    assert label.everything.flat[MARKED] == 0
    assert label.marks == {MARKED: {2, 8}, UNNOTED: frozenset()}


def test_another_table_of_marks_may_be_given(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("puzzle,cell,digits\n02_11,r1c1,5\n")
    (label,) = find_labels(folder, other)[0].labels
    assert label.marks == {MARKED: frozenset(), UNNOTED: frozenset()}


def test_marks_that_are_not_claimed_as_digits_leave_a_board_whole(folder: Path) -> None:
    counts = read_as(folder).by_tag()["all"]
    assert (counts["read"], counts["solved"], counts["read_solved"], counts["wrong"]) == (1, 1, 1, 0)
    claimed = read_as(folder, clues={MARKED: int(SOLUTION[MARKED])})
    assert claimed.by_tag()["all"]["read"] == 0
    assert claimed.marks()["as_digits"] == 1
    assert claimed.by_tag()["all"]["wrong"] == 0, "the answer is right all the same"


def test_a_solution_that_contradicts_a_digit_is_wrong(folder: Path) -> None:
    other = board(SOLUTION)
    other.flat[ENTRY] = other.flat[ENTRY] % 9 + 1
    evaluation = read_as(folder, solution=other)
    assert evaluation.by_tag()["all"]["wrong"] == 1
    assert evaluation.roles()["answered"] == 0
    assert read_as(folder, "uncertain", solution=other).by_tag()["all"]["wrong"] == 0


def test_marks_are_counted_by_cells_and_digits(folder: Path) -> None:
    clue = next(cell for cell in BLANKS if cell not in (ENTRY, MARKED, UNNOTED))
    marks = {MARKED: frozenset({2, 5}), UNNOTED: frozenset({7}), clue: frozenset({1})}
    evaluation = read_as(folder, marks=marks)
    assert list(evaluation.marks().values()) == [2, 2, 0, 1, 1, 0, 2, 1, 1]
    text = evaluation_text(evaluation)
    assert "found 2 of 2" in text and "digits read 1 of 2 and 1 more" in text
    assert "right answers 1 of 1" in text


def test_confidences_are_those_of_answers_and_of_entries(folder: Path) -> None:
    right, misread = read_as(folder), read_as(folder, entry=int(SOLUTION[ENTRY]) % 9 + 1)
    for evaluation, fits in ((right, True), (misread, False)):
        assert pairs_of(evaluation.outcomes) == [Pair(0.97, True, True)]
        (entry,) = entry_pairs_of(evaluation.outcomes)
        assert (round(entry.confidence, 3), entry.right) == (0.8, fits)


def test_broken_calendar_labels_are_reported(folder: Path) -> None:
    label = folder / "labels" / "01_28_phone_0.txt"
    label.write_text("11 " * 81)
    with pytest.raises(UsageError, match="81 numbers"):
        read_label(label)
    table = folder / "marks.csv"
    for text, words in (("puzzle,cell\n", "lacks a column"), ("puzzle,cell,digits\n1,r0c1,5\n", "line 2")):
        table.write_text(text)
        with pytest.raises(UsageError, match=words):
            read_mark_table(table)


def test_real_photos_have_marks_where_they_were_noted_and_are_judged_by_them(
    shared_data: Path, tmp_path: Path
) -> None:
    source, table = shared_data / "calendar", read_mark_table(TABLE)
    assert sum(map(len, table.values())) == 113
    for path in (source / "labels").glob("*.txt"):
        assert read_label(path)[1] == set(table.get(path.name[:5], {})), path.name
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
        (path, *_) = sorted((source / name).glob("01_28_*"))
        (tmp_path / name / path.name).symlink_to(path)
    evaluation = evaluate(find_labels(tmp_path, TABLE), read_page)
    counts = evaluation.by_tag()["all"]
    assert (counts["found"], counts["wrong"], evaluation.roles()["answered"]) == (1, 0, 1)
    assert evaluation.marks()["cells"] == len(table["01_28"])
