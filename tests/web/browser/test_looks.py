"""How the page looks: in German, in the dark, without motion."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image as Pillow
from playwright.sync_api import expect

from browser.pictures import clues_of
from browser.visits import OpenVisit, Visit
from sudoku_vision.texts import Sentence, language_names, say

pytestmark = pytest.mark.slow


def texts_shown(visit: Visit) -> list[str]:
    shown: list[str] = visit.page.locator("[data-text]").evaluate_all(
        "(all) => all.map((one) => one.textContent)"
    )
    return shown


def test_german_is_spoken_throughout(open_visit: OpenVisit) -> None:
    visit = open_visit("phone", locale="de-DE")
    page = visit.page
    assert page.locator("html").get_attribute("lang") == "de"
    expect(page.locator("h1").first).to_have_text("Fotografiere ein Sudoku.")
    visit.read("newspaper.jpg")
    expect(page.locator("#status-title")).to_have_text("Gelöst")
    expect(visit.cell(1, 1)).to_have_attribute("aria-label", re.compile(r"^Zeile 1, Spalte 1, \d, Lösung$"))
    german = texts_shown(visit)
    visit.press("settings-open")
    page.locator("#settings-language").select_option("en")
    visit.press("settings-close")
    expect(page.locator("#status-title")).to_have_text("Solved")
    assert page.locator("html").get_attribute("lang") == "en"
    same = {one for one, other in zip(texts_shown(visit), german, strict=True) if one == other}
    assert same <= {"", "English", "Deutsch", "Sudoku Vision", "Diagonal", "Jigsaw", "Killer"}
    page.reload()
    expect(page.locator("h1").first).to_have_text("Photograph a sudoku.")


def test_steps_and_their_reasons_are_told_in_every_language(phone: Visit) -> None:
    """Changed while they are looked at, too; what the service says is in the words of the page."""
    phone.read("clean_sheet.png")
    page = phone.page
    phone.press("mode-steps")
    sentences: list[str] = []
    for code in language_names():
        phone.press("settings-open")
        page.locator("#settings-language").select_option(code)
        phone.press("settings-close")
        cell = say(Sentence("cell.short", {"row": r"\d", "column": r"\d"}), code)
        expect(page.locator("#step-text")).to_have_text(re.compile(f"{cell}.{{20}}"))
        expect(page.locator("#step-list .step").first).to_have_text(re.compile(cell))
        expect(page.locator("html")).to_have_attribute("lang", code)
        sentences.append(page.locator("#step-text").inner_text())
    assert len(set(sentences)) == len(language_names())


def test_light_and_dark_are_chosen(open_visit: OpenVisit) -> None:
    visit = open_visit("phone", color_scheme="dark")
    page = visit.page
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    visit.press("settings-open")
    page.locator("#settings-theme").select_option("light")
    expect(page.locator("html")).to_have_css("background-color", "rgb(241, 243, 246)")
    page.reload()
    expect(page.locator("html")).to_have_css("color-scheme", "light")


BROKEN = """() => [...document.querySelectorAll("#modes span")].filter((word) => {
  const range = document.createRange();
  range.selectNodeContents(word);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
}).map((word) => word.textContent)"""
"""The names of the tabs that stand on several lines."""
KEYS_BY_ROW = """() => {
  const rows = Object.groupBy(document.querySelectorAll("#pad-digits button"), (key) => key.offsetTop);
  return Object.values(rows).map((row) => row.length);
}"""
"""How many keys of the pad stand in each of its rows."""


def test_windows_of_every_width_are_used(open_visit: OpenVisit) -> None:
    """No tab name breaks, a tablet has the board beside the words, the bar stands over what lies below it."""
    visit = open_visit("desktop", locale="es-ES")
    page = visit.page

    def box(name: str) -> dict[str, float]:
        found = page.locator(f"#{name}").bounding_box()
        assert found is not None
        x, y, width, height = found["x"], found["y"], found["width"], found["height"]
        return {"x": x, "right": x + width, "bottom": y + height, "height": height}

    visit.read("newspaper.jpg")
    for width in (700, 820, 900, 1000, 1180):
        page.set_viewport_size({"width": width, "height": 1180})
        assert page.evaluate(BROKEN) == []
    page.set_viewport_size({"width": 820, "height": 1180})
    assert box("board")["x"] > box("status")["right"]
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert abs(box("home")["x"] + 8 - box("stage")["x"]) < 8
    page.set_viewport_size({"width": 844, "height": 390})
    visit.press("mode-solve")
    visit.cell(1, 1).click()
    assert page.evaluate("document.getElementById('pad').scrollHeight") <= box("pad")["height"]
    assert box("pad-blank")["bottom"] <= 390
    visit.press("pad-more")
    assert page.evaluate("document.getElementById('pad').scrollHeight") <= box("pad")["height"]
    for width, rows in ((390, [5, 5]), (1024, [5, 5]), (1280, [10])):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(KEYS_BY_ROW) == rows
    page.set_viewport_size({"width": 844, "height": 390})
    visit.press("home")
    visit.read("two_puzzles.jpg")
    assert box("grids")["bottom"] <= 390


def test_a_board_in_text_is_dark_in_the_dark(open_visit: OpenVisit) -> None:
    visit = open_visit("desktop", color_scheme="dark")
    page = visit.page
    visit.press("type-board")
    page.locator("#typing-text").fill(clues_of("newspaper.jpg"))
    visit.press("typing-solve")
    visit.expect_status("solved")
    with Pillow.open(BytesIO(page.locator("#photo-frame").screenshot())) as seen:
        assert np.median(np.asarray(seen.convert("L"))) < 60
