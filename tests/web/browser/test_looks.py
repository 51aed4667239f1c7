"""How the page looks: in German, in the dark, without motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.pictures import clues_of
from browser.visits import OpenVisit, Visit

pytestmark = pytest.mark.slow


def texts_shown(visit: Visit) -> list[str]:
    told: list[str] = visit.page.locator("[data-text]").evaluate_all(
        "(all) => all.map((one) => one.textContent)"
    )
    return told


def test_german_is_spoken_throughout(open_visit: OpenVisit) -> None:
    visit = open_visit("phone", locale="de-DE")
    page = visit.page
    assert page.locator("html").get_attribute("lang") == "de"
    expect(page.locator("h1").first).to_have_text("Fotografiere ein Sudoku.")
    visit.read("newspaper.jpg")
    expect(page.locator("#status-title")).to_have_text("Gelöst")
    expect(visit.cell(1, 1)).to_have_attribute("aria-label", re.compile(r"^Zeile 1 Spalte 1, \d, Lösung$"))
    german = texts_shown(visit)
    page.locator("#settings-open").tap()
    page.locator("#settings-language").select_option("en")
    page.locator("#settings-close").tap()
    expect(page.locator("#status-title")).to_have_text("Solved")
    assert page.locator("html").get_attribute("lang") == "en"
    same = {one for one, other in zip(texts_shown(visit), german, strict=True) if one == other}
    assert same <= {"", "English", "Deutsch", "Sudoku Vision"}
    page.reload()
    expect(page.locator("h1").first).to_have_text("Photograph a sudoku.")


def brightness(visit: Visit, selector: str, what: str) -> float:
    """How bright a colour of an element is, 0..255."""
    told = visit.page.locator(selector).evaluate(f"(one) => getComputedStyle(one).{what}")
    return sum(float(one) for one in re.findall(r"[\d.]+", told)[:3]) / 3


def test_dark_is_dark_and_light_is_light(phone: Visit) -> None:
    for colours, dark in (("light", False), ("dark", True)):
        phone.page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        assert (brightness(phone, "html", "backgroundColor") < 60) == dark
        assert (brightness(phone, "body", "color") > 180) == dark


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_left_out_where_it_is_not_wanted(motion: str, open_visit: OpenVisit) -> None:
    visit = open_visit("phone", reduced_motion=motion)
    lasting = "document.getAnimations().some((one) => one.effect.getComputedTiming().duration > 1)"
    assert visit.page.evaluate(lasting) == (motion == "no-preference")
    visit.read("newspaper.jpg")
    expect(visit.page.locator("#layer-ink g[data-cell]")).to_have_count(clues_of("newspaper.jpg").count("0"))
    assert visit.page.evaluate(lasting) == (motion == "no-preference")
