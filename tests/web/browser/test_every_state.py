"""Every state of the page, in windows large and small: axe finds nothing, nothing is cut off or too small."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from browser.pictures import sheet_in_doubt
from browser.visits import DEVICES, NO_COPIES, OpenVisit, Visit

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


# A walk through what the page can look like, one state after the other.


def walk(visit: Visit, folder: Path) -> Iterator[str]:
    """Bring the page into each of its states, and give the state's name each time."""
    yield "start"
    visit.press("settings-open")
    expect(visit.find("#settings")).to_be_visible()
    yield "settings"
    visit.page.keyboard.press("Escape")
    visit.press("type-board")
    expect(visit.find("#typing")).to_be_visible()
    yield "typing"
    visit.press("home")
    yield from _reading(visit)
    yield from _problem(visit, folder)
    yield from _grid_in_doubt(visit, folder)
    yield from _modes(visit)
    yield "start with puzzles"
    visit.read("two_puzzles.jpg")
    yield "several puzzles"
    _start_again(visit)
    visit.read("no_sudoku_table.jpg", "no_grid")
    yield "no grid"
    visit.press("mark-corners")
    expect(visit.find("#corners-panel")).to_be_visible()
    yield "corners"


def _start_again(visit: Visit) -> None:
    visit.press("home")
    expect(visit.find("#start")).to_be_visible()


def _reading(visit: Visit) -> Iterator[str]:
    page = visit.page
    page.route("**/api/solve?*", lambda route: None)
    visit.choose("clean_sheet.png")
    expect(visit.find("#reading")).to_be_visible()
    page.evaluate("document.getElementById('reading-sent').hidden = false")  # as while it is being sent
    yield "reading"
    visit.press("reading-cancel")
    expect(visit.find("#toast")).to_be_visible()
    yield "toast"
    page.unroute("**/api/solve?*")


def _problem(visit: Visit, folder: Path) -> Iterator[str]:
    visit.allow("Failed to load resource")
    path = folder / "letter.pdf"
    path.write_bytes(b"no picture")
    visit.choose(path)
    expect(visit.find("#problem")).to_be_visible()
    yield "problem"
    visit.press("problem-close")


def _grid_in_doubt(visit: Visit, folder: Path) -> Iterator[str]:
    visit.read(sheet_in_doubt(folder), "uncertain")
    yield "in doubt"
    visit.cell(6, 1).click()
    expect(visit.find("#pad")).to_be_visible()
    yield "pad"
    visit.page.keyboard.press("p")
    visit.page.keyboard.press("8")
    yield "pad of the photo"
    visit.page.keyboard.press("Control+z")
    visit.press("pad-close")
    visit.find("#doubt-list .choice").first.click()
    visit.expect_status("solved")
    yield "solved"
    _start_again(visit)


def _modes(visit: Visit) -> Iterator[str]:
    visit.read("handwriting.jpg", "")
    page = visit.page
    yield "check of what was written"
    page.evaluate(NO_COPIES)
    visit.press("copy-board")
    digits = visit.find("#board-digits")
    expect(digits).to_be_focused()
    assert page.evaluate("document.getSelection().toString()") == digits.input_value()
    expect(visit.find("#toast")).to_contain_text("didn't allow copying")
    yield "copying is not allowed"
    visit.press("mode-solve", "solve-notes")
    visit.find("#solve-check").check()
    yield "solving"
    visit.cell(1, 1).click()
    visit.press("pad-8")
    expect(visit.find("#board .entry.clashing.wrong")).to_be_visible()
    yield "contradiction"
    page.keyboard.press("n")
    yield "pad for notes"
    page.keyboard.press("Control+z")
    page.keyboard.press("Shift+ArrowDown")
    for key in "c15v4":
        page.keyboard.press(key)
    yield "several cells with notes and colours"
    visit.cell(2, 2).click()
    yield "what the chosen cell lights up"
    page.keyboard.press("?")
    yield "shortcuts"
    visit.press("keys-close", "pad-close", "mode-hint")
    for words in ("Show me what to look for", "Show me the step"):
        expect(visit.find("#hint-next")).to_have_text(words)
        visit.press("hint-next")
    expect(visit.find("#hint-text")).not_to_be_empty()
    yield "hint"
    visit.press("mode-check")
    expect(visit.find("#check-list li").first).to_be_visible()
    yield "check"
    visit.press("mode-steps")
    expect(visit.find("#step-text")).not_to_be_empty()
    visit.press("step-next")
    yield "steps"
    visit.press("rules-jigsaw")
    expect(visit.find("#pad-colour")).to_have_attribute("aria-pressed", "true")
    yield "regions"
    visit.press("pad-close", "rules-diagonal")
    expect(visit.find("#rules-name")).to_be_visible()
    yield "diagonal"
    _start_again(visit)
