"""The status of a page tells of its least sure grid."""

from __future__ import annotations

import pytest

from sudoku_vision.results import GridStatus, least_sure_status


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
