"""No work is lost: Back and forward, a wrong file, a reload, a closed tab; and it is forgotten by wish."""

import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect
from serving import until

from browser.pictures import clues_of
from browser.visits import SAMPLES, Visit

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
    expect(visit.cell(1, 1)).to_have_attribute("aria-label", re.compile(", 4, written by you"))
    expect(visit.cell(1, 3)).to_have_attribute("aria-label", re.compile("marks 6$"))
    visit.expect_clues(clues_of(CLEAN))
    expect(visit.page.locator("#board .answer")).to_have_count(0)


def test_back_leads_to_the_start_and_forward_again(begun: Visit) -> None:
    page = begun.page
    page.go_back()
    expect(page.locator("#start")).to_be_visible()
    page.go_forward()
    expect_begun(begun)
    begun.press("home", "resume")
    expect_begun(begun)
    expect(page.locator("#photo")).to_be_visible()
    assert page.locator("#photo").evaluate("(one) => one.naturalWidth") > 400


def test_a_puzzle_goes_on_without_the_service_and_with_it_again(begun: Visit) -> None:
    page = begun.page
    begun.allow("Failed to load resource")
    page.route("**/api/solve*", lambda route: route.abort())
    page.reload()
    expect_begun(begun)
    write(begun, 1, 4, 7)
    expect(begun.cell(1, 4)).to_have_text("7")
    begun.press("pad-close", "mode-answers")
    expect(page.locator("#problem")).to_have_attribute("data-code", "gone")
    page.unroute("**/api/solve*")
    begun.press("problem-again")
    begun.expect_status("solved")
    begun.expect_drawn(clues_of(CLEAN).count("0"))
    expect(page.locator("#mode-answers")).to_have_attribute("aria-selected", "true")


def test_the_progress_is_copied_and_goes_along_in_links(begun: Visit) -> None:
    page = begun.page
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    begun.press("copy-board")
    assert page.evaluate("window.copied") == "+4" + clues_of(CLEAN)[1:]
    page.locator("#sites summary").click()
    expect(page.locator("#site-list a[href*='sudokuwiki.org/sudoku.htm?bd=S9B']")).to_have_count(1)
    begun.press("undo")
    expect(page.locator("#sites")).not_to_have_attribute("open", "")  # its links had the digits of before


def test_back_leads_from_a_second_photo_to_the_first(begun: Visit) -> None:
    page = begun.page
    with page.expect_file_chooser() as chooser:
        begun.press("new-photo")
    assert chooser.value.element.get_attribute("capture") == "environment"  # which opens the camera
    chooser.value.set_files(SAMPLES / OTHER)
    begun.expect_clues(clues_of(OTHER))
    page.go_back()
    expect_begun(begun)
    expect(page.locator("#photo")).to_have_js_property("naturalWidth", 800)
    page.go_forward()
    begun.expect_clues(clues_of(OTHER))


def test_back_leads_from_the_live_camera_to_the_start(phone: Visit) -> None:
    page, camera = phone.page, phone.page.locator("#camera")
    phone.press("live-camera")
    expect(camera).to_be_visible()
    page.go_back()
    expect(camera).to_be_hidden()
    expect(page.locator("#start")).to_be_visible()
    phone.press("live-camera")
    page.keyboard.press("Escape")
    expect(camera).to_be_hidden()
    page.wait_for_function("() => history.state === null")


def test_a_file_that_fails_leaves_the_puzzle_as_it_was(begun: Visit, tmp_path: Path) -> None:
    begun.allow("Failed to load resource")
    page = begun.page
    path = tmp_path / "letter.png"
    path.write_bytes(b"no picture")
    page.locator("#choose-file-input").set_input_files(path)
    expect(page.locator("#problem")).to_be_visible()
    expect_begun(begun)
    begun.press("home")
    begun.choose(path)
    expect(page.locator("#problem")).to_be_visible()
    expect(page.locator("#start")).to_be_visible()
    begun.press("resume")
    expect_begun(begun)
    begun.press("undo")
    expect(begun.cell(1, 3)).to_have_attribute("aria-label", re.compile("empty$"))


def test_who_leaves_a_reading_finds_the_puzzle_as_it_was(begun: Visit) -> None:
    page = begun.page
    page.route("**/api/solve*", lambda _: None)  # which never answers
    begun.press("home")
    begun.choose(OTHER)
    expect(page.locator("#reading-cancel")).to_be_visible()
    page.go_back()
    expect(page.locator("#start")).to_be_visible()
    begun.press("resume")
    expect_begun(begun)
    page.locator("#choose-file-input").set_input_files(SAMPLES / OTHER)
    begun.press("reading-cancel")
    expect_begun(begun)
    begun.press("home")
    begun.choose(OTHER)
    begun.press("home")
    expect(page.locator("#start")).to_be_visible()
    begun.press("resume")
    expect_begun(begun)


def test_a_reload_gives_no_answers_away(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-hint")
    phone.page.reload()
    expect(phone.page.locator("#hint-next")).to_be_visible()
    expect(phone.page.locator("#board .answer")).to_have_count(0)
    phone.press("home")
    phone.read(OTHER)  # another puzzle opens in its own mode
    expect(phone.page.locator("#mode-answers")).to_have_attribute("aria-selected", "true")


def test_a_reload_and_a_new_tab_go_on(begun: Visit) -> None:
    page = begun.page
    page.reload()
    expect_begun(begun)
    expect(page.locator("#photo")).to_be_visible()  # a page of ours in the place of the photo
    begun.press("undo")
    expect(begun.cell(1, 3)).to_have_attribute("aria-label", re.compile("empty$"))
    assert not [one for one in begun.requests if one.url.endswith("/settle")]  # so it works offline
    begun.press("redo")
    other = new_window(begun)
    other.press("resume")
    expect_begun(other)
    assert not other.troubles


def new_window(visit: Visit) -> Visit:
    """Open the page in another window of the same browser."""
    other = Visit(visit.context, visit.context.new_page(), visit.origin, visit.has_touch)
    other.watch()
    other.open(f"{visit.origin}/")
    return other


def test_two_windows_write_into_one_puzzle(begun: Visit) -> None:
    other = new_window(begun)
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
        other.page.locator("#pad-undo").dispatch_event("click")
    expect(other.cell(1, 4)).to_have_text("")
    expect_begun(other)
    assert not other.troubles


def write(visit: Visit, row: int, column: int, digit: int) -> None:
    """Write a digit, in a window that may lie behind another, where taps are slow."""
    visit.cell(row, column).dispatch_event("click")
    for key in ("entry", digit):
        visit.page.locator(f"#pad-{key}").dispatch_event("click")


def test_corrections_of_the_photo_are_kept(phone: Visit) -> None:
    phone.read(CLEAN)
    answer = phone.cell(1, 1).inner_text()
    phone.cell(1, 1).tap()
    phone.press("pad-more", "pad-clue", f"pad-{answer}")
    corrected = re.compile(f", {answer}, clue, corrected by you")
    expect(phone.cell(1, 1)).to_have_attribute("aria-label", corrected)
    phone.page.reload()
    expect(phone.cell(1, 1)).to_have_attribute("aria-label", corrected)


def test_the_last_puzzles_are_listed_and_forgotten(begun: Visit) -> None:
    page = begun.page
    begun.press("home")
    begun.read(OTHER)
    page.go_back()
    kept = page.locator("#kept-list li")
    expect(kept).to_have_count(2)
    expect(kept.first).to_contain_text(re.compile(rf"\d \w+ {date.today().year}"))  # as in Britain
    kept.nth(1).locator(".kept-open").tap()
    expect_begun(begun)
    begun.press("home")
    kept.nth(0).locator(".icon-button").tap()
    expect(kept).to_have_count(1)
    begun.press("kept-forget")
    expect(kept).to_have_count(0)
    expect(page.locator("#forgotten p")).to_have_text("Forgotten.")
    begun.press("forgotten-undo")
    expect(kept).to_have_count(2)
    expect(kept.nth(0).locator(".own")).to_contain_text(["4"])
    begun.press("kept-forget")
    page.evaluate("history.replaceState(null, '')")
    page.reload()
    expect(page.locator(READY)).to_be_attached()
    expect(page.locator("#resume")).to_be_hidden()


def test_nothing_is_kept_where_that_is_wished(phone: Visit) -> None:
    page = phone.page
    phone.press("settings-open")
    page.locator("#settings-keep").uncheck()
    phone.press("settings-close")
    phone.read(CLEAN)
    page.reload()
    expect(page.locator(READY)).to_be_attached()
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("#resume")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('sudoku-vision-grids')") is None


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
    expect(page.locator("#settings-photo")).not_to_be_checked()
    page.locator("#settings-photo").check()
    phone.press("settings-close")
    phone.read(OTHER)
    width = page.locator("#photo").evaluate("(one) => one.naturalWidth")
    until(lambda: page.evaluate(KEPT_PHOTOS) == 1)
    page.reload()
    phone.expect_status("solved")
    phone.expect_clues(clues_of(OTHER))
    assert page.locator("#photo").evaluate("(one) => [one.src.slice(0, 5), one.naturalWidth]") == [
        "blob:",
        width,
    ]
    assert page.evaluate(KEPT_PHOTOS) == 1
    phone.press("home", "kept-forget")
    assert page.evaluate(KEPT_PHOTOS) == 0
    phone.press("forgotten-undo")
    assert page.evaluate(KEPT_PHOTOS) == 1
