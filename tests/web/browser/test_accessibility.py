"""The page can be used by everyone: axe finds nothing to complain of, in any state, light or dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from browser.states import walk
from browser.visits import Visit

RUN = """(rules) => axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe complains of, all its rules or some."""
    found: list[str] = page.evaluate(RUN, rules)
    return found


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_axe_finds_nothing_in_any_state(device: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    visit: Visit = request.getfixturevalue(device)
    visit.page.evaluate(AXE_SCRIPT)
    found: dict[str, Any] = {}
    for state in walk(visit, tmp_path):
        for colours in ("light", "dark"):
            visit.page.emulate_media(color_scheme=colours)
            complaints = violations(visit.page, None if colours == "light" else ["color-contrast"])
            if complaints:
                found[f"{state}, {colours}"] = complaints
        visit.page.emulate_media(color_scheme="light")
    assert not found, "\n".join(f"{state}: {one}" for state, many in found.items() for one in many)
