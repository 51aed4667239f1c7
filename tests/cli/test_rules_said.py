"""Rules that a person says, or a board brings along, hold for every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import PUZZLE, Run
from examples import JIGSAW, REGIONS


def test_a_jigsaw_in_text_is_solved_by_its_regions(run: Run, tmp_path: Path) -> None:
    ran = run("solve", "--json", JIGSAW, "--regions", REGIONS)
    (grid,) = ran.pages[0]["grids"]
    assert (ran.status, grid["status"], grid["rules"]) == (
        0,
        "solved",
        {"name": "jigsaw", "regions": REGIONS},
    )
    book = tmp_path / "book.jsonl"
    book.write_text(json.dumps({"puzzle": JIGSAW, "rules": grid["rules"]}))
    told = run("solve", book)
    assert "├───────┐   ┌───┐   ┌───┴───┘   │   │" in told.out
    assert run("solve", JIGSAW).status == 1


@pytest.mark.parametrize("command", ["hint", "explain", "rate"])
def test_what_is_said_of_a_jigsaw_names_its_rules(run: Run, command: str) -> None:
    regions, rules = ("--regions", REGIONS), {"name": "jigsaw", "regions": REGIONS}
    impossible = "33" + JIGSAW[2:]
    for board in (JIGSAW, impossible):
        assert run(command, "--json", board, *regions).pages[0]["rules"] == rules
    assert all("rules" not in run(command, "--json", board).pages[0] for board in (PUZZLE, impossible))


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (("--regions", "123"), "81 cells, these are 3"),
        (("--rules", "jigsaw"), "needs its regions"),
        (("--rules", "killer"), "--rules"),
    ],
)
def test_rules_that_are_none_are_a_wrong_call(run: Run, said: tuple[str, str], complaint: str) -> None:
    ran = run("solve", PUZZLE, *said)
    assert ran.status == 2
    assert complaint in ran.err
