"""Evaluation: counts by folder and tag, mistakes by name, a contact sheet, how well confidence holds."""

import math
from pathlib import Path

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION, board
from hypothesis import example, given
from hypothesis import strategies as st
from labelled_examples import BLANK, LATTICE, by_fake, dat, grid, labelled_folder, misread

from sudoku_vision.output.drawing.figure import GREEN, PINK, RED, YELLOW, Colour
from sudoku_vision.output.save import save
from sudoku_vision.vision.grid import Grid
from sudoku_vision.vision.results import Reading
from workshop.evaluation.contact_sheet import contact_sheet, draw_failure, draw_straightened
from workshop.evaluation.labels import Label, LabelledPicture
from workshop.evaluation.metrics import Evaluation, Outcome, mistakes
from workshop.evaluation.reliability import (
    EDGES,
    Pair,
    binned,
    calibration_error,
    pairs_of,
    reliability_dict,
    reliability_text,
    wilson,
)
from workshop.evaluation.text import counts_text, failures_text, shortened, verdicts_text
from workshop.rendering import Drawing

CLUES, FULL = board(PUZZLE), board(SOLUTION)
ENTRIES = np.where(CLUES == 0, FULL, 0).astype(np.int8)
HONEST = [Pair(0.75, number % 4 > 0) for number in range(40)]
"""Forty grids with confidence 0.75; thirty are right."""


@pytest.fixture
def labelled(tmp_path: Path, drawing: Drawing, no_sudoku: Drawing) -> Path:
    return labelled_folder(tmp_path / "set", drawing, no_sudoku)


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
    assert "called wrong 3, falsely 2; not clear 1" in verdicts_text(result.verdicts())


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


def test_grids_are_matched_to_the_labels_they_agree_with_best(labelled: Path) -> None:
    two = [grid(FULL, "solved"), grid(CLUES, "solved")]
    result = by_fake([labelled], {"one": [], "two": two, "none": []})
    assert [outcome.read for outcome in result.outcomes] == [False, True, True]
    assert result.by_tag()["all"]["wrong"] == 0


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
    (one,) = (one for one in binned(HONEST) if one.count)
    assert (one.low, one.high, one.count, one.right, one.share) == (0.5, 0.8, 40, 30, 0.75)
    assert one.interval[0] < 0.75 < one.interval[1]
    assert calibration_error([one]) == pytest.approx(0)
    assert math.isnan(calibration_error(binned([])))


@given(st.lists(st.floats(0, 1), max_size=60))
@example([0.95, 0.95, 0.95])
def test_every_pair_falls_into_one_bin_and_edges_belong_to_the_upper_one(confidences: list[float]) -> None:
    bins = binned([Pair(confidence, True) for confidence in confidences])
    assert sum(one.count for one in bins) == len(confidences)
    assert all(one.low <= one.mean_confidence <= one.high for one in bins if one.count)
    at_edges = binned([Pair(edge, True) for edge in EDGES])
    assert [one.count for one in at_edges] == [1] * (len(EDGES) - 2) + [2]


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
    groups = {"photos": HONEST, "sure": sure, "all": [*HONEST, *sure]}
    text = reliability_text(groups)
    assert "0.5 to 0.8" in text and "0.999 to 1" in text
    assert [line.split()[0] for line in text.splitlines()[-3:]] == ["photos", "sure", "all"]
    figures = reliability_dict(groups)
    assert figures["sure"]["solved_wrong_at_most"] == pytest.approx(0.1611, abs=1e-4)
    assert (figures["all"]["grids"], figures["all"]["solved"], figures["all"]["solved_wrong"]) == (60, 20, 0)
    assert figures["photos"]["bins"][0]["right"] == 30
    assert "all" in reliability_text({"all": []})
