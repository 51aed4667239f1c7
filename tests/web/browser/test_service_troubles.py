"""What goes wrong is reported in sentences, each with a remedy; what can go on by itself does."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from web_service import running_service

from browser.visits import SAMPLES, OpenVisit, Visit

pytestmark = pytest.mark.slow

PHOTO = "newspaper.jpg"
REFUSED = "Failed to load resource"
"""How the console tells of every answer from 400 on."""


def expect_problem(visit: Visit, code: str, message: str, remedy: str) -> None:
    """Wait for a problem of the kind *code*, and see that it comes with its remedy."""
    problem = visit.find("#problem")
    expect(problem).to_be_visible()
    expect(problem).to_have_attribute("data-code", code)
    expect(problem.locator("#problem-message")).to_have_text(re.compile(message))
    expect(problem.locator("#problem-remedy")).to_have_text(re.compile(remedy))
    expect(visit.find("#live")).to_have_text(re.compile(message))
    words = problem.inner_text()
    assert "--" not in words and "pip" not in words


def test_what_can_not_be_read_is_said(desktop: Visit, tmp_path: Path) -> None:
    desktop.allow(REFUSED)
    half = (SAMPLES / "clean_sheet.png").read_bytes()[:2_000]
    for content, code, message, remedy in (
        (b"PK\x03\x04 this is no picture at all" * 50, "not_a_picture", "no picture", "Choose a photo"),
        (half, "damaged_picture", "damaged", "download"),
        (b"", "empty_body", "empty", "another"),
    ):
        path = tmp_path / f"{code}.png"
        path.write_bytes(content)
        desktop.choose(path)
        expect_problem(desktop, code, message, remedy)
        desktop.press("problem-close")
    desktop.read(PHOTO)


def test_a_problem_is_seen_wherever_the_page_is_scrolled_and_ends(phone: Visit, tmp_path: Path) -> None:
    phone.allow(REFUSED)
    problem = phone.find("#problem")
    path = tmp_path / "letter.png"
    path.write_bytes(b"no picture")
    phone.read(PHOTO)
    phone.cell(9, 9).scroll_into_view_if_needed()
    phone.find("#choose-file-input").set_input_files(path)
    expect(problem).to_be_in_viewport(ratio=1)
    phone.press("problem-close")
    phone.page.route("**/api/hint", lambda route: route.abort())
    phone.press("mode-hint")
    expect(problem).to_be_visible()
    expect(phone.find("#status-text")).to_be_empty()  # nothing is being looked for
    phone.press("mode-solve")
    expect(problem).to_be_hidden()


def test_a_file_too_large_is_not_even_sent(desktop: Visit, tmp_path: Path) -> None:
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate(20_000_001)
    desktop.requests.clear()
    desktop.choose(path)
    expect_problem(desktop, "body_too_large", "too large", "smaller")
    assert not [one for one in desktop.requests if one.method == "POST"]


def test_a_restart_of_the_service_costs_nothing_but_time(open_visit: OpenVisit) -> None:
    """The states that it gave out are worth nothing then: the page sends the photo again by itself."""
    with running_service() as first:
        visit = open_visit("desktop", first.address, service_workers="allow")
        visit.allow(REFUSED)
        visit.read(PHOTO)
        visit.page.wait_for_function("() => navigator.serviceWorker.controller")
        answer = visit.cell(1, 1).inner_text()
        first.stop()
        visit.cell(1, 1).click()
        visit.page.keyboard.press("p")
        visit.page.keyboard.press(answer)
        expect_problem(visit, "gone", "doesn.t answer", "running")
        with running_service(port=first.port) as second:
            visit.press("problem-again")
            expect(visit.cell(1, 1)).to_have_accessible_name(re.compile("clue, corrected by you"))
            visit.expect_status("solved")
            visit.press("mode-steps")
            expect(visit.find("#step-number")).to_be_visible()
            second.stop()
    visit.page.reload()  # the page and its puzzle come from the browser
    expect(visit.cell(1, 1)).to_have_accessible_name(re.compile(f", {answer}, clue, corrected by you"))
    expect(visit.find("#mode-solve")).to_have_attribute("aria-selected", "true")
    visit.press("mode-hint")
    expect_problem(visit, "gone", "doesn.t answer", "go on solving meanwhile")
