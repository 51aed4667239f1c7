"""The focus never falls back to the page as a whole: it goes to the cell, the opener, the next question."""

import json

import pytest
from playwright.sync_api import Route, expect

from browser.visits import SAMPLES, Visit

pytestmark = pytest.mark.slow

CLEAN = "clean_sheet.png"


def test_done_escape_and_cancel_lead_back(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.cell(3, 4).tap()
    phone.press("pad-close")
    expect(phone.cell(3, 4)).to_be_focused()
    phone.cell(5, 6).tap()
    page.locator("#pad-5").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#pad")).to_be_hidden()
    expect(phone.cell(5, 6)).to_be_focused()
    for escapes in (False, True):
        phone.press("mark-corners")
        expect(page.locator("#corner-1")).to_be_focused()
        if escapes:
            page.keyboard.press("Escape")
        else:
            phone.press("corners-cancel")
        expect(page.locator("#mark-corners")).to_be_focused()
    phone.press("settings-open")
    page.keyboard.press("Escape")
    expect(page.locator("#settings-open")).to_be_focused()


def test_a_reading_that_is_cancelled_leads_to_what_began_it(phone: Visit) -> None:
    page = phone.page
    page.route("**/api/solve?*", lambda route: None)
    phone.choose(CLEAN)
    phone.press("reading-cancel")
    expect(page.locator("#choose-file-input")).to_be_focused()
    expect(page.locator("#toast")).to_have_text("Cancelled.")


def test_many_doubts_of_one_kind_are_settled_in_one_step(phone: Visit) -> None:
    cells = (1, 4, 5)
    overrides: list[str] = []

    def settled(route: Route) -> None:
        overrides.append(json.loads(route.request.post_data or "")["overrides"])
        route.continue_()

    page = phone.page
    photo = (SAMPLES / CLEAN).read_bytes()
    kind = {"Content-Type": "image/png"}
    answer = page.request.post(f"{phone.origin}/api/solve", data=photo, headers=kind).json()
    grid = answer["grids"][0]
    grid["doubts"] = [
        {"cell": cell, "row": 1, "column": cell + 1, "kind": "role", "digits": [int(grid["puzzle"][cell])]}
        for cell in cells
    ]
    page.route("**/api/solve?*", lambda route: route.fulfill(json=answer))
    page.route("**/api/settle", settled)
    phone.read(CLEAN)
    questions = page.locator("#doubt-list p")
    expect(questions).to_have_count(1 + len(cells))
    expect(questions.first).to_have_text("3 digits: printed or written?")
    page.get_by_role("button", name="All printed").press("Enter")
    expect(page.locator("#toast")).to_have_text("3 cells are now certain. Solved.")
    expect(page.locator("#status-title")).to_be_focused()
    assert [part[:4] for part in overrides[0].split(",")] == [f"r1c{cell + 1}" for cell in cells]
    phone.press("undo")
    expect(page.locator("#toast")).to_contain_text("Taken back.")
