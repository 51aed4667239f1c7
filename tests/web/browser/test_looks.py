"""How the page looks: in German, in the dark, without motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

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
    expect(visit.cell(1, 1)).to_have_attribute("aria-label", re.compile(r"^Zeile 1 Spalte 1, \d, Lösung$"))
    german = texts_shown(visit)
    visit.press("settings-open")
    page.locator("#settings-language").select_option("en")
    visit.press("settings-close")
    expect(page.locator("#status-title")).to_have_text("Solved")
    assert page.locator("html").get_attribute("lang") == "en"
    same = {one for one, other in zip(texts_shown(visit), german, strict=True) if one == other}
    assert same <= {"", "English", "Deutsch", "Sudoku Vision", "Diagonal", "Jigsaw"}
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
