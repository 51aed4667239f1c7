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
    shown: list[str] = visit.find("[data-text]").evaluate_all("(all) => all.map((one) => one.textContent)")
    return shown


def test_german_is_spoken_throughout(open_visit: OpenVisit) -> None:
    visit = open_visit("phone", locale="de-DE")
    assert visit.find("html").get_attribute("lang") == "de"
    expect(visit.find("h1").first).to_have_text("Fotografiere ein Sudoku.")
    visit.read("newspaper.jpg")
    expect(visit.find("#status-title")).to_have_text("Gelöst")
    expect(visit.cell(1, 1)).to_have_accessible_name(re.compile(r"^Zeile 1, Spalte 1, \d, Lösung$"))
    german = texts_shown(visit)
    visit.press("settings-open")
    visit.find("#settings-language").select_option("en")
    visit.press("settings-close")
    expect(visit.find("#status-title")).to_have_text("Solved")
    assert visit.find("html").get_attribute("lang") == "en"
    same = {one for one, other in zip(texts_shown(visit), german, strict=True) if one == other}
    assert same <= {"", "English", "Deutsch", "Sudoku Vision", "Diagonal", "Jigsaw", "Killer"}
    visit.page.reload()
    expect(visit.find("h1").first).to_have_text("Photograph a sudoku.")


def test_steps_and_their_reasons_are_told_in_every_language(phone: Visit) -> None:
    """Changed while they are looked at, too; what the service says is in the words of the phone.page."""
    phone.read("clean_sheet.png")
    phone.press("mode-steps")
    sentences: list[str] = []
    for code in language_names():
        phone.press("settings-open")
        phone.find("#settings-language").select_option(code)
        phone.press("settings-close")
        cell = say(Sentence("cell.short", {"row": r"\d", "column": r"\d"}), code)
        expect(phone.find("#step-text")).to_have_text(re.compile(f"{cell}.{{20}}"))
        expect(phone.find("#step-list .step").first).to_have_text(re.compile(cell))
        expect(phone.find("html")).to_have_attribute("lang", code)
        sentences.append(phone.find("#step-text").inner_text())
    assert len(set(sentences)) == len(language_names())


def test_light_and_dark_are_chosen_and_a_board_in_text_is_dark_in_the_dark(open_visit: OpenVisit) -> None:
    visit = open_visit("phone", color_scheme="dark")
    expect(visit.find("html")).to_have_attribute("data-theme", "dark")
    visit.paste(clues_of("newspaper.jpg"))
    with Pillow.open(BytesIO(visit.find("#photo-frame").screenshot())) as seen:
        assert np.median(np.asarray(seen.convert("L"))) < 60
    visit.press("settings-open")
    visit.find("#settings-theme").select_option("light")
    expect(visit.find("html")).to_have_css("background-color", "rgb(241, 243, 246)")
    visit.page.reload()
    expect(visit.find("html")).to_have_css("color-scheme", "light")


BROKEN = """() => [...document.querySelectorAll("#modes span")].filter((word) => {
  const range = document.createRange();
  range.selectNodeContents(word);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
}).map((word) => word.textContent)"""
"""The names of the tabs that stand on several lines."""
SHOWN_WHOLE = "(one) => one.scrollHeight <= one.offsetHeight"
KEYS_BY_ROW = """() => {
  const rows = Object.groupBy(document.querySelectorAll("#pad-digits button"), (key) => key.offsetTop);
  return Object.values(rows).map((row) => row.length);
}"""
"""How many keys of the pad stand in each of its rows."""


def test_windows_of_every_width_are_used(open_visit: OpenVisit) -> None:
    """No tab name breaks, a tablet has the board beside the words, the bar stands over what lies below it."""
    visit = open_visit("desktop", locale="es-ES")
    page = visit.page

    def edge(name: str, across: float, down: float = 0) -> tuple[float, float]:
        return visit.place_in(visit.find(f"#{name}"), across, down)

    visit.read("newspaper.jpg")
    for width in (700, 820, 900, 1000, 1180):
        page.set_viewport_size({"width": width, "height": 1180})
        assert page.evaluate(BROKEN) == []
    page.set_viewport_size({"width": 820, "height": 1180})
    assert edge("board", 0)[0] > edge("status", 1)[0]
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert abs(edge("home", 0)[0] + 8 - edge("stage", 0)[0]) < 8
    page.set_viewport_size({"width": 844, "height": 390})
    visit.press("mode-solve")
    visit.cell(1, 1).click()
    assert visit.find("#pad").evaluate(SHOWN_WHOLE)
    assert edge("pad-blank", 0, 1)[1] <= 390
    visit.press("pad-more")
    assert visit.find("#pad").evaluate(SHOWN_WHOLE)
    for width, rows in ((390, [5, 5]), (1024, [5, 5]), (1280, [10])):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(KEYS_BY_ROW) == rows
    page.set_viewport_size({"width": 844, "height": 390})
    visit.press("home")
    visit.read("two_puzzles.jpg")
    assert edge("grids", 0, 1)[1] <= 390
