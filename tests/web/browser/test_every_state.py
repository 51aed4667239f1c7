"""Every state of the page, in windows large and small: axe finds nothing, nothing is cut off or too small."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from browser.states import walk
from browser.visits import DEVICES, OpenVisit

pytestmark = pytest.mark.slow

WINDOWS: dict[str, dict[str, Any]] = {
    **DEVICES,
    "of 320 pixels": {**DEVICES["phone"], "viewport": {"width": 320, "height": 640}},
    "enlarged to 200 %": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    "text of 200 %": {
        **DEVICES["phone"],
        "viewport": {"width": 360, "height": 740},
        "script": """addEventListener("DOMContentLoaded", () => {
            document.documentElement.style.fontSize = "200%";
        })""",
    },
}
"""Windows in which no page may be wider than what is seen, the last ones as WCAG 1.4.10 and 1.4.4 ask."""

AXE = """(rules) => axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `axe ${id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > width + 1)
    .map((one) => `too wide: ${one.tagName} ${one.id} ${one.className}`);
}"""
CUT_OFF = """() => [...document.querySelectorAll("button, h1, h2, p:not(#live, #toast), label")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).overflow !== "visible").map((one) => `cut off: ${one.id || one.textContent}`)"""
SMALL = """(least) => [...document.querySelectorAll("button, summary, select, input, a[href]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(".skip"))
  .map((one) => [(one.closest("label") ?? one).getBoundingClientRect(), one])
  .filter(([box]) => box.width && Math.min(box.width, box.height) < least)
  .map(([box, one]) => `too small: ${one.id || one.outerHTML} ${box.width} x ${box.height}`)"""
FINGER = 31
"""Pixels that anything to be tapped must have each way; 24 are asked for by WCAG 2.5.8."""


@pytest.mark.parametrize("window", WINDOWS)
def test_every_state_fits_and_can_be_used(window: str, open_visit: OpenVisit, tmp_path: Path) -> None:
    visit = open_visit("desktop", **WINDOWS[window])
    page = visit.page
    page.evaluate(AXE_SCRIPT)
    found: list[str] = []
    for state in walk(visit, tmp_path):
        problems = page.evaluate(WIDE) + page.evaluate(CUT_OFF)
        if window in DEVICES:
            problems += axe_in_both_colours(page)
        if window != "desktop":
            problems += page.evaluate(SMALL, FINGER)
        found += [f"{state}: {one}" for one in problems]
    assert not found, "\n".join(found)


def axe_in_both_colours(page: Page) -> list[str]:
    """What axe complains of: by all its rules in the light, of contrasts in the dark."""
    found: list[str] = page.evaluate(AXE, None)
    page.emulate_media(color_scheme="dark")
    found += page.evaluate(AXE, ["color-contrast"])
    page.emulate_media(color_scheme="light")
    return found
