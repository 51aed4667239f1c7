"""No work is lost: Back and forward, a wrong file, a reload, a closed tab; and it is forgotten by wish."""

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect
from serving import until

from browser.pictures import clues_of
from browser.visits import COPIES, SAMPLES, Visit

pytestmark = pytest.mark.slow

CLEAN = "clean_sheet.png"
OTHER = "newspaper.jpg"
READY = "body[data-ready=true]"


@pytest.fixture
def begun(phone: Visit) -> Visit:
    """A puzzle into whose first cell a 4 is written, and noted in the next one a 6."""
    phone.read(CLEAN)
    assert clues_of(CLEAN)[0] == "0" == clues_of(CLEAN)[2]
    phone.cell(1, 1).tap()
    phone.press("pad-4")
    phone.cell(1, 3).tap()
    phone.press("pad-note", "pad-6", "pad-close")
    expect_begun(phone)
    return phone


def expect_begun(visit: Visit) -> None:
    """Wait until the work done on the puzzle is there, and no answer."""
    expect(visit.cell(1, 1)).to_have_accessible_name(re.compile(", 4, written by you"))
    expect(visit.cell(1, 3)).to_have_accessible_name(re.compile("marks 6$"))
    visit.expect_clues(clues_of(CLEAN))
    expect(visit.find("#board .answer")).to_have_count(0)


def test_back_and_forward_lead_to_the_start_and_from_photo_to_photo(begun: Visit) -> None:
    page = begun.page
    page.go_back()
    expect(begun.find("#start")).to_be_visible()
    page.go_forward()
    expect_begun(begun)
    begun.press("home", "resume")
    expect_begun(begun)
    expect(begun.find("#photo")).to_have_js_property("naturalWidth", 800)
    with page.expect_file_chooser() as chooser:
        begun.press("new-photo")
    assert chooser.value.element.get_attribute("capture") == "environment"  # which opens the camera
    chooser.value.set_files(SAMPLES / OTHER)
    begun.expect_clues(clues_of(OTHER))
    page.go_back()
    expect_begun(begun)
    expect(begun.find("#photo")).to_have_js_property("naturalWidth", 800)
    page.go_forward()
    begun.expect_clues(clues_of(OTHER))


def test_a_puzzle_goes_on_without_the_service_and_with_it_again(begun: Visit) -> None:
    page = begun.page
    begun.allow("Failed to load resource")
    page.route("**/api/solve*", lambda route: route.abort())
    page.reload()
    expect_begun(begun)
    write(begun, 1, 4, 7)
    expect(begun.cell(1, 4)).to_have_text("7")
    begun.press("pad-close", "mode-answers")
    expect(begun.find("#problem")).to_have_attribute("data-code", "gone")
    page.unroute("**/api/solve*")
    begun.press("problem-again")
    begun.expect_status("solved")
    begun.expect_drawn(clues_of(CLEAN).count("0"))
    expect(begun.find("#mode-answers")).to_have_attribute("aria-selected", "true")


def test_the_progress_is_copied_and_goes_along_in_links(begun: Visit) -> None:
    begun.page.evaluate(COPIES)
    begun.press("copy-board")
    assert begun.page.evaluate("window.copied") == "+4" + clues_of(CLEAN)[1:]
    begun.find("#sites summary").click()
    expect(begun.find("#site-list a[href*='sudokuwiki.org/sudoku.htm?bd=S9B']")).to_have_count(1)
    begun.press("undo")
    expect(begun.find("#sites")).not_to_have_attribute("open", "")  # its links had the digits of before


def test_back_leads_from_the_live_camera_to_the_start(phone: Visit) -> None:
    page, camera = phone.page, phone.find("#camera")
    phone.press("live-camera")
    expect(camera).to_be_visible()
    page.go_back()
    expect(camera).to_be_hidden()
    expect(phone.find("#start")).to_be_visible()
    phone.press("live-camera")
    page.keyboard.press("Escape")
    expect(camera).to_be_hidden()
    page.wait_for_function("() => history.state === null")


def test_a_file_that_fails_or_a_reading_that_is_left_leaves_the_puzzle_as_it_was(
    begun: Visit, tmp_path: Path
) -> None:
    begun.allow("Failed to load resource")
    path = tmp_path / "letter.png"
    path.write_bytes(b"no picture")
    begun.find("#choose-file-input").set_input_files(path)
    expect(begun.find("#problem")).to_be_visible()
    expect_begun(begun)
    begun.press("home")
    begun.choose(path)
    expect(begun.find("#problem")).to_be_visible()
    expect(begun.find("#start")).to_be_visible()
    begun.press("resume")
    expect_begun(begun)
    begun.page.route("**/api/solve*", lambda _: None)  # which never answers
    begun.press("home")
    begun.choose(OTHER)
    expect(begun.find("#reading-cancel")).to_be_visible()
    begun.page.go_back()
    expect(begun.find("#start")).to_be_visible()
    begun.press("resume")
    expect_begun(begun)
    begun.find("#choose-file-input").set_input_files(SAMPLES / OTHER)
    begun.press("reading-cancel")
    expect_begun(begun)
    begun.press("home")
    begun.choose(OTHER)
    begun.press("home")
    expect(begun.find("#start")).to_be_visible()
    begun.press("resume")
    expect_begun(begun)
    begun.press("undo")
    expect(begun.cell(1, 3)).to_have_accessible_name(re.compile("empty$"))


def test_a_reload_gives_no_answers_away(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-hint")
    phone.page.reload()
    expect(phone.find("#hint-next")).to_be_visible()
    expect(phone.find("#board .answer")).to_have_count(0)
    phone.press("home")
    phone.read(OTHER)  # another puzzle opens in its own mode
    expect(phone.find("#mode-answers")).to_have_attribute("aria-selected", "true")


def test_a_reload_goes_on(begun: Visit) -> None:
    begun.page.reload()
    expect_begun(begun)
    expect(begun.find("#photo")).to_be_visible()  # a page of ours in the place of the photo
    begun.press("undo")
    expect(begun.cell(1, 3)).to_have_accessible_name(re.compile("empty$"))
    assert not [one for one in begun.requests if one.url.endswith("/settle")]  # so it works offline


def test_two_windows_of_a_browser_write_into_one_puzzle(begun: Visit) -> None:
    other = Visit(begun.context, begun.context.new_page(), begun.origin, begun.has_touch)
    other.watch()
    other.open(f"{begun.origin}/")
    other.press("resume")
    expect_begun(other)
    write(other, 1, 4, 7)
    expect(begun.cell(1, 4)).to_have_text("7")
    begun.page.evaluate("addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    write(other, 2, 3, 8)
    write(begun, 2, 4, 9)  # which has not heard of the 8
    for visit in (begun, other):
        for row, column, digit in ((1, 4, 7), (2, 3, 8), (2, 4, 9)):
            expect(visit.cell(row, column)).to_have_text(str(digit))
    for _ in range(3):
        other.find("#pad-undo").dispatch_event("click")
    expect(other.cell(1, 4)).to_have_text("")
    expect_begun(other)
    assert not other.troubles


def write(visit: Visit, row: int, column: int, digit: int) -> None:
    """Write a digit, in a window that may lie behind another, where taps are slow."""
    visit.cell(row, column).dispatch_event("click")
    for key in ("entry", digit):
        visit.find(f"#pad-{key}").dispatch_event("click")


def test_the_last_puzzles_are_listed_and_forgotten(begun: Visit) -> None:
    page = begun.page
    begun.press("home")
    begun.read(OTHER)
    page.go_back()
    kept = begun.find("#kept-list li")
    expect(kept).to_have_count(2)
    expect(kept.first).to_contain_text(re.compile(rf"\d \w+ {date.today().year}"))  # as in Britain
    kept.nth(1).locator(".kept-open").tap()
    expect_begun(begun)
    begun.press("home")
    kept.nth(0).locator(".icon-button").tap()
    expect(kept).to_have_count(1)
    begun.press("kept-forget")
    expect(kept).to_have_count(0)
    expect(begun.find("#forgotten p")).to_have_text("Forgotten.")
    begun.press("forgotten-undo")
    expect(kept).to_have_count(2)
    expect(kept.nth(0).locator(".own")).to_contain_text(["4"])
    begun.press("kept-forget")
    page.evaluate("history.replaceState(null, '')")
    page.reload()
    expect(begun.find(READY)).to_be_attached()
    expect(begun.find("#resume")).to_be_hidden()


KEPT_PHOTOS = """async () => {
  const made = (await indexedDB.databases()).some((one) => one.name === "sudoku-vision");
  return made ? new Promise((done) => {
    const opening = indexedDB.open("sudoku-vision");
    opening.onsuccess = () => {
      const count = opening.result.transaction("photos").objectStore("photos").count();
      count.onsuccess = () => { opening.result.close(); done(count.result); };
    };
  }) : 0;
}"""
"""The number of photos that the browser keeps."""


def test_the_photo_is_kept_where_that_is_allowed_and_forgotten_with_its_puzzle(phone: Visit) -> None:
    page = phone.page
    phone.press("settings-open")
    expect(phone.find("#settings-photo")).not_to_be_checked()
    phone.find("#settings-photo").check()
    phone.press("settings-close")
    phone.read(OTHER)
    width = phone.find("#photo").evaluate("(one) => one.naturalWidth")
    until(lambda: page.evaluate(KEPT_PHOTOS) == 1)
    page.reload()
    phone.expect_status("solved")
    phone.expect_clues(clues_of(OTHER))
    expect(phone.find("#photo")).to_have_attribute("src", re.compile("^blob:"))
    expect(phone.find("#photo")).to_have_js_property("naturalWidth", width)
    assert page.evaluate(KEPT_PHOTOS) == 1
    phone.press("home", "kept-forget")
    assert page.evaluate(KEPT_PHOTOS) == 0
    phone.press("forgotten-undo")
    assert page.evaluate(KEPT_PHOTOS) == 1
