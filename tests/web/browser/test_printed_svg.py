"""A puzzle printed as SVG, as a browser shows it: it is read again as it was solved."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PUZZLE, SOLUTION, Run
from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_a_printed_svg_is_read_again_from_the_screen(chromium: Browser, run: Run, tmp_path: Path) -> None:
    printed, seen = tmp_path / "solved.svg", tmp_path / "seen.png"
    assert run("solve", PUZZLE, "-o", printed).status == 0
    page = chromium.new_page(viewport={"width": 400, "height": 400}, device_scale_factor=2)
    page.goto(printed.as_uri())
    page.screenshot(path=seen)
    page.close()
    (grid,) = run("solve", "--json", seen).pages[0]["grids"]
    assert (grid["status"], grid["puzzle"]) == ("solved", PUZZLE)
    read = zip(grid["puzzle"], grid["written"], strict=True)
    assert "".join(str(int(clue) + int(answer)) for clue, answer in read) == SOLUTION
