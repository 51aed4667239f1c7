"""Drawn pictures come again from their seed, and are judged by what was drawn."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import board
from labelled_examples import BLANK

from sudoku_vision.results import GridResult, Lattice, PageResult, Photo, Reading
from sudoku_vision.workshop.evaluation.contact_sheet import contact_sheet
from sudoku_vision.workshop.evaluation.drawn import HARD_KINDS, drawn_pictures, recipes
from sudoku_vision.workshop.evaluation.evaluate import evaluate_drawn
from sudoku_vision.workshop.evaluation.labels import LabelledPicture
from sudoku_vision.workshop.evaluation.metrics import Evaluation
from sudoku_vision.workshop.evaluation.reliability import Pair, groups_of, pairs_of


@pytest.fixture(scope="module")
def pictures() -> list[LabelledPicture]:
    """Two drawn pictures."""
    return list(drawn_pictures(2, seed=3))


def test_drawn_pictures_come_again_and_of_every_kind(pictures: list[LabelledPicture]) -> None:
    again, other = next(drawn_pictures(1, seed=3)), next(drawn_pictures(1, seed=4))
    first = pictures[0].open().pixels
    assert pictures[0].tags != pictures[1].tags
    assert np.array_equal(first, again.open().pixels)
    assert not np.array_equal(first, other.open().pixels)
    assert all(picture.labels for picture in pictures)


def test_half_solved_pages_and_hard_roles_are_drawn_by_wish_with_their_marks() -> None:
    hard = list(drawn_pictures(3, seed=3, kinds=HARD_KINDS))
    assert [picture.tags for picture in hard] == [("drawn", kind) for kind in HARD_KINDS[:3]]
    assert hard[0].labels[0].marks
    assert hard[2].labels[0].marks == {}


def test_drawn_pictures_are_judged_by_what_was_drawn(pictures: list[LabelledPicture]) -> None:
    steps = []
    truth = {picture.path.as_posix(): picture.labels[0].board for picture in pictures}
    crossings = np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=-1).astype(np.float32) * 20

    def read(photo: Photo) -> PageResult:
        reading = Reading(truth[photo.source], BLANK, None, 1, 0.97)
        found = GridResult("solved", Lattice(crossings), reading)
        return PageResult(photo.source, 1, "solved", "", (found,), 0.01)

    outcomes = evaluate_drawn(recipes(2, seed=3), read, step=lambda: steps.append(1))
    assert pairs_of(outcomes, all_labelled=True) == [Pair(0.97, True, True)] * 2
    assert len(steps) == 2
    assert all(outcome.picture.photo is None for outcome in outcomes)
    truth = dict.fromkeys(truth, board("0" * 81))
    evaluation = Evaluation((), (), (), drawn=tuple(evaluate_drawn(recipes(2, seed=3), read)))
    assert len(evaluation.failures) == 2
    assert all(outcome.picture.photo is not None for outcome in evaluation.failures)
    assert contact_sheet(evaluation.failures).shape[0] > 360
    assert groups_of(evaluation) == {"drawn": [Pair(0.97, False, True)] * 2}
