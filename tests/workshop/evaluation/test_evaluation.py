"""Evaluation: counts by folder and tag, mistakes by name, a contact sheet, how well confidence holds."""

from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from hypothesis import example, given
from hypothesis import strategies as st
from labelled_examples import BLANK, LATTICE, by_fake, dat, grid, misread

from sudoku_vision.errors import UsageError
from sudoku_vision.output.drawing.figure import GREEN, PINK, RED, YELLOW, Colour
from sudoku_vision.output.save import save
from sudoku_vision.pipeline import read_page
from sudoku_vision.sudoku.board import Board
from sudoku_vision.sudoku.regions import random_regions
from sudoku_vision.sudoku.rules import Rules
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import GridStatus, Reading
from workshop.evaluation.contact_sheet import contact_sheet, draw_failure, draw_straightened
from workshop.evaluation.labels import (
    Label,
    LabelledPicture,
    find_labels,
    read_dat,
    read_label,
    read_mark_table,
)
from workshop.evaluation.metrics import Evaluation, Outcome, evaluate, mistakes
from workshop.evaluation.reliability import (
    EDGES,
    Pair,
    binned,
    calibration_error,
    entry_pairs_of,
    figures_of,
    pairs_of,
    reliability_text,
    wilson,
)
from workshop.evaluation.text import counts_text, evaluation_text, failures_text, shortened
from workshop.rendering import Drawing

CLUES, FULL = board(PUZZLE), board(SOLUTION)
ENTRIES = np.where(CLUES == 0, FULL, 0).astype(np.int8)
HONEST = [Pair(0.75, number % 4 > 0) for number in range(40)]
"""Forty grids with confidence 0.75; thirty are right."""


def test_read_solved_wrong_and_false_are_counted_by_tag(labelled: Path) -> None:
    two = [grid(FULL, "solved"), grid(BLANK, "unreadable"), grid(CLUES, "uncertain", ENTRIES)]
    grids = {"one": [grid(misread(CLUES), "solved")], "two": two, "none": [grid(CLUES, "solved")]}
    result = by_fake([labelled], grids)
    figures = result.by_tag()
    assert list(figures["all"].values()) == [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]
    assert figures["blur"]["wrong"] == 1
    assert (figures["negative"]["false"], figures["negative"]["wrong"]) == (1, 1)
    assert figures["second"]["read"] == 2
    assert "set" not in figures  # a single folder would have the same counts as all
    head, *rows = counts_text(result).splitlines()
    assert head.split()[:5] == ["tag", "photos", "puzzles", "found", "read"]
    assert max(map(len, [head, *rows])) <= 80
    assert rows[0].split()[:6] == ["all", "3", "3", "3", "2", "66.7"] and rows[0].endswith("1 of 1")
    lines = failures_text(result.failures).splitlines()
    assert len(lines) == 2 and all(line.startswith("WRONG ") for line in lines)
    assert "a grid where there is none" in lines[0]
    assert lines[1].endswith("r1c1: 1 for 4")


def test_a_digit_taken_for_handwriting_is_named_as_such(labelled: Path) -> None:
    puzzle, by_hand = board(PUZZLE), board("4" + "0" * 80)
    puzzle[0, 0], puzzle[0, 1] = 0, 9
    wrong = [grid(puzzle, "uncertain", by_hand)]
    one, two, _ = by_fake([labelled], {"one": wrong, "two": wrong, "none": []}).failures
    assert mistakes(one) == ["r1c1: blank (4 by hand) for 4", "r1c2: 9 for blank"]
    assert mistakes(two) == ["r1c1: blank (4 by hand) for 4", "r1c2: 9 for blank (1 by hand)"]
    assert shortened(["a", "b", "c"], 2) == "a, b and 1 more"


def test_verdicts_on_written_digits_are_judged_by_what_is_written(labelled: Path) -> None:
    """The label has the whole solution: a *wrong* verdict is false, except where it has another digit."""
    noted = FULL.copy()
    noted[0, 1], noted[0, 2], noted[0, 3] = 9, 0, 8
    text = "".join(map(str, noted.ravel()))
    (labelled / "labels.csv").write_text(f"file,printed,all\none.png,{PUZZLE},{text}\n")
    written = ENTRIES.copy()
    written[0, 1], written[0, 2], written[0, 4], written[0, 5] = 9, 5, 5, 2
    reading = Reading(CLUES, written, FULL, 1, 1.0, unclear=(5,))
    result = by_fake([labelled], {"one": [Grid("solved", LATTICE, reading)]})
    assert result.verdicts() == {
        "right": int((CLUES == 0).sum()) - 4,
        "right_false": 1,  # r1c4
        "wrong": 3,
        "wrong_false": 2,  # r1c3, where nothing is written, and r1c5, where the right digit is
        "unclear": 1,
    }
    assert "wrong 3, wrong false 2, unclear 1" in " ".join(evaluation_text(result).split())


def test_folders_are_counted_apart_and_the_worst_comes_first(labelled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    save(other / "lone.png", np.zeros((8, 8, 3), np.uint8))
    (other / "lone.dat").write_text(dat(PUZZLE))
    grids = {"one": [grid(CLUES, "solved")], "two": [], "none": [grid(CLUES, "uncertain")]}
    result = by_fake([labelled, other], grids | {"lone": [grid(misread(CLUES), "solved")]})
    figures = result.by_tag()
    assert list(figures)[:3] == ["all", "set", "other"]
    assert (figures["set"]["puzzles"], figures["set"]["solved"], figures["set"]["wrong"]) == (3, 1, 0)
    assert (figures["other"]["solved"], figures["other"]["wrong"], figures["set"]["false"]) == (1, 1, 1)
    assert [outcome.picture.path.stem for outcome in result.failures] == ["lone", "none", "two", "two"]


def failing(labelled: Path) -> Evaluation:
    grids = {"one": [grid(misread(CLUES), "solved")], "two": [], "none": [grid(CLUES, "uncertain")]}
    return by_fake([labelled], grids)


def test_the_contact_sheet_shows_every_failure(labelled: Path) -> None:
    failures = failing(labelled).failures
    assert len(failures) == 4
    one, two, sheet = (contact_sheet(failures[:count]) for count in (1, 2, 4))
    assert one.shape == two.shape
    assert sheet.shape[0] - one.shape[0] > 300
    assert contact_sheet([]).shape[0] < 60
    wrong, false = failures[:2]
    assert (draw_failure(wrong) != draw_failure(false)).any()


@pytest.mark.parametrize(("written", "colour"), [(False, PINK), (True, YELLOW)])
def test_misread_cells_show_what_was_read_and_the_label(
    labelled: Path, written: bool, colour: Colour
) -> None:
    entries = ENTRIES.copy()
    entries[0, 1] = 9
    read = grid(CLUES, "solved", entries) if written else grid(misread(CLUES), "solved")
    label = Label(CLUES, FULL if written else None)
    outcome = Outcome(LabelledPicture(labelled, (), (label,)), label, read)
    pixels = draw_straightened(failing(labelled).failures[0].picture.open(), outcome).astype(int)
    side = len(pixels) // 9

    def count(wanted: Colour) -> list[int]:
        near = np.abs(pixels - wanted).max(axis=2) < 20
        cells = near.reshape(9, side, 9, side).sum(axis=(1, 3)).ravel()
        return np.flatnonzero(cells > 5).tolist()

    cell = 1 if written else 0
    assert count(RED) == count(GREEN) == [cell]
    assert cell in count(colour)


def test_intervals_are_wilsons() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_an_honest_reader_has_no_calibration_error() -> None:
    (one,) = binned(HONEST)
    assert one == (0.5, 0.8, 40, 0.75, 30)
    assert calibration_error([one]) == pytest.approx(0)
    figures = figures_of(HONEST)
    low, high = figures["bins"][0]["interval"]
    assert (figures["calibration_error"], figures_of([])["calibration_error"]) == (0, None)
    assert low < 0.75 < high


@given(st.lists(st.floats(0, 1), max_size=60))
@example([0.95, 0.95, 0.95])
def test_every_pair_falls_into_one_bin_and_edges_belong_to_the_upper_one(confidences: list[float]) -> None:
    bins = binned([Pair(confidence, True) for confidence in confidences])
    assert sum(one.size for one in bins) == len(confidences)
    assert all(one.low <= one.mean_confidence <= one.high for one in bins)
    at_edges = binned([Pair(edge, True) for edge in EDGES])
    assert [one.size for one in at_edges] == [1] * (len(EDGES) - 2) + [2]


def test_pairs_count_false_grids_and_leave_out_unknown_ones() -> None:
    label, filled = Label(CLUES), Label(None, FULL)
    puzzle, nothing = (LabelledPicture(Path("a.jpg"), (), labels) for labels in ((label,), ()))
    sure, unsure = grid(CLUES, "solved"), grid(CLUES, "uncertain")
    outcomes = [
        Outcome(puzzle, label, sure),
        Outcome(puzzle, label, None),
        Outcome(puzzle, None, unsure),
        Outcome(nothing, None, unsure),
    ]
    assert pairs_of(outcomes) == [Pair(0.9, True, True), Pair(0.9, False)]
    assert pairs_of([Outcome(LabelledPicture(Path("c.jpg"), (), (filled,)), filled, sure)]) == []


def test_the_table_names_bins_groups_and_how_often_solved_may_be_wrong() -> None:
    sure = [Pair(1.0, True, True)] * 20
    pairs = {"photos": HONEST, "sure": sure, "all": [*HONEST, *sure]}
    figures = {name: figures_of(of) for name, of in pairs.items()}
    text = reliability_text(figures)
    assert "0.5 to 0.8" in text and "0.999 to 1" in text
    assert [line.split()[0] for line in text.splitlines()[-3:]] == ["photos", "sure", "all"]
    assert figures["sure"]["solved_wrong_at_most"] == pytest.approx(0.1611, abs=1e-4)
    assert (figures["all"]["grids"], figures["all"]["solved"], figures["all"]["solved_wrong"]) == (60, 20, 0)
    assert figures["photos"]["bins"][0]["right"] == 30
    assert "There are no grids" in reliability_text({"all": figures_of([])})


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


def test_labels_distinguish_digits_and_marks(folder: Path, tmp_path: Path) -> None:
    (picture,) = find_labels(folder)
    (label,) = picture.labels
    assert picture.tags == (folder.name,)
    assert label.clues is None and label.everything is not None
    assert label.everything.flat[ENTRY] == int(SOLUTION[ENTRY])
    assert label.everything.flat[MARKED] == 0
    assert label.marks == {MARKED: {2, 8}, UNNOTED: frozenset()}
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
    text = " ".join(evaluation_text(evaluation).split())
    assert "pencil marks: cells 2, found 2" in text and "digits 2, digits read 1, digits extra 1" in text
    assert "answers: puzzles 1, answered 1" in text


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


# Labels are read in all forms, and broken ones are reported.


def label_of(folder: Path, text: str, name: str = "a.jpg") -> Label:
    folder.mkdir(exist_ok=True)
    (folder / name).touch()
    (folder / "a.dat").write_text(text)
    (picture,) = find_labels(folder)
    assert picture.path == folder / name and picture.tags == (folder.name,)
    return picture.labels[0]


def test_a_table_gives_pictures_tags_and_several_puzzles(labelled: Path, drawing: Drawing) -> None:
    one, two, none = find_labels(labelled)
    assert one.path == labelled / "images" / "one.png"
    assert one.tags == ("set", "photo", "blur")
    assert np.array_equal(one.labels[0].board, CLUES)
    assert two.tags == ("set", "photo", "second")
    assert len(two.labels) == 2
    assert none.labels == ()
    assert np.array_equal(one.open().pixels, drawing.pixels)
    (labelled / "labels.csv").write_text(f"file,printed,all\none.png,,{SOLUTION}\n")
    ((label,),) = (picture.labels for picture in find_labels(labelled))
    assert label.clues is None and np.array_equal(label.board, FULL)


def test_a_dat_file_has_clues_and_a_full_one_those_of_its_twin(tmp_path: Path) -> None:
    photo, mixed = label_of(tmp_path / "photos", dat(PUZZLE)), label_of(tmp_path / "mixed", dat(SOLUTION))
    bare = label_of(tmp_path, "\n".join(dat(PUZZLE).splitlines()[2:]))  # doesn't distinguish print and hand
    assert photo.everything is None and bare.clues is None
    assert np.array_equal(bare.board, CLUES) and np.array_equal(photo.board, CLUES)
    assert mixed.clues is not None and np.array_equal(mixed.clues, CLUES)
    assert mixed.everything is not None and np.array_equal(mixed.everything, FULL)


def test_a_dat_file_with_regions_is_that_of_a_jigsaw(tmp_path: Path) -> None:
    rows = dat(PUZZLE).splitlines()[2:]
    rules = Rules(random_regions(np.random.default_rng(1)))
    regions = [" ".join(rules.regions[row : row + 9]) for row in range(0, 81, 9)]
    label = label_of(tmp_path, "\n".join([*rows, "", *regions]))
    assert rules.is_jigsaw and label.rules == rules
    assert np.array_equal(label.board, board(PUZZLE))
    with pytest.raises(UsageError, match="region 1 has 81"):
        label_of(tmp_path, "\n".join([*rows, "", *["1 " * 9] * 9]))


@pytest.mark.parametrize("name", ["a.jpg", "a.JPG", "a.heic", "a.TIFF"])
def test_a_label_finds_its_picture_of_any_kind(tmp_path: Path, name: str) -> None:
    (tmp_path / "b.dat").write_text(dat(PUZZLE))
    label_of(tmp_path, dat(PUZZLE), name)


def test_broken_labels_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        find_labels(tmp_path / "none")
    with pytest.raises(UsageError, match="no labelled pictures"):
        find_labels(tmp_path)
    (tmp_path / "a.dat").write_text("x\ny\n1 2 3\n")
    with pytest.raises(UsageError, match="81 digits, got '123'"):
        read_dat(tmp_path / "a.dat")
    (tmp_path / "b.dat").mkdir()
    with pytest.raises(UsageError, match="can't be read"):
        read_dat(tmp_path / "b.dat")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("file,digits\na.png,1\n", "lacks a column file or printed"),
        ("", "lacks a column"),
        (f"file,printed\n,{PUZZLE}\n", "line 2 names no file"),
        ("file,printed\na.png,123\n", "81 digits, got '123'"),
        (f"file,printed,marks\na.png,{PUZZLE},r0c1:5\n", "'r0c1:5'"),
    ],
)
def test_a_table_that_is_no_table_of_labels_is_reported(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "labels.csv").write_text(table)
    with pytest.raises(UsageError, match=words):
        find_labels(tmp_path)


def test_the_real_labels_are_all_well_formed(shared_data: Path) -> None:
    folders = [shared_data / "wichtounet" / name for name in ("photos", "mixed", "originals")]
    assert [len(find_labels(folder)) for folder in folders] == [160, 160, 8]
    assert sum(not picture.labels for picture in find_labels(shared_data / "wild")) == 11
