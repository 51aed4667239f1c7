"""The focus never falls back to the page as a whole: it goes to the cell, the opener, the next question."""

import json

import pytest
from playwright.sync_api import Route, expect

from browser.visits import SAMPLES, Visit

pytestmark = pytest.mark.slow

CLEAN = "clean_sheet.png"


def test_done_escape_and_cancel_lead_back(phone: Visit) -> None:
    page = phone.page
    page.route("**/api/solve?*", lambda route: None)
    phone.choose(CLEAN)
    phone.press("reading-cancel")
    expect(phone.find("#choose-file-input")).to_be_focused()
    expect(phone.find("#toast")).to_have_text("Cancelled.")
    page.unroute("**/api/solve?*")
    phone.read(CLEAN)
    phone.cell(3, 4).tap()
    phone.press("pad-close")
    expect(phone.cell(3, 4)).to_be_focused()
    phone.cell(5, 6).tap()
    phone.find("#pad-5").focus()
    page.keyboard.press("Escape")
    expect(phone.find("#pad")).to_be_hidden()
    expect(phone.cell(5, 6)).to_be_focused()
    for escapes in (False, True):
        phone.press("mark-corners")
        expect(phone.find("#corner-1")).to_be_focused()
        if escapes:
            page.keyboard.press("Escape")
        else:
            phone.press("corners-cancel")
        expect(phone.find("#mark-corners")).to_be_focused()
    phone.press("settings-open")
    page.keyboard.press("Escape")
    expect(phone.find("#settings-open")).to_be_focused()


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
    questions = phone.find("#doubt-list p")
    expect(questions).to_have_count(1 + len(cells))
    expect(questions.first).to_have_text("3 digits: printed or written?")
    page.get_by_role("button", name="All printed").press("Enter")
    expect(phone.find("#toast")).to_have_text("3 cells are now certain. Solved.")
    expect(phone.find("#status-title")).to_be_focused()
    assert [part[:4] for part in overrides[0].split(",")] == [f"r1c{cell + 1}" for cell in cells]
    phone.press("undo")
    expect(phone.find("#toast")).to_contain_text("Taken back.")
