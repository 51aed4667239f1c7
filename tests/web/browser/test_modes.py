"""Learning from a photo: a hint bit by bit, a check of what was written, the steps, and no spoiling."""

import json
import re

import pytest
from conftest import PUZZLE, SOLUTION
from PIL import Image as Pillow
from playwright.sync_api import Route, expect

from browser.pictures import clues_of
from browser.test_solving import read_board
from browser.visits import Visit

CLEAN = "clean_sheet.png"
PRINTS = """() => {
  window.print = () => { window.paper = document.getElementById("printed").innerText; };
}"""
"""Has the page remember what it prints."""


def enter(visit: Visit, mode: str) -> None:
    visit.press(f"mode-{mode}")
    expect(visit.page.locator(f"#panel-{mode}")).not_to_have_attribute("hidden", re.compile(""))


def test_a_hint_tells_where_to_look_then_what_for_then_the_step(phone: Visit) -> None:
    phone.read(CLEAN)
    page, onward = phone.page, phone.page.locator("#hint-next")
    shapes = page.locator("#layer-ink > g > *, #layer-multiply > g > *")
    enter(phone, "hint")
    expect(onward).to_have_text("Show me what to look for")
    title, text = page.locator("#status-title"), page.locator("#status-text")
    expect(title).to_have_text("Hint")
    expect(text).to_have_text(re.compile(r"^Look in (row|column|box) \d\.$"))
    expect(page.locator("#board .looked")).to_have_count(9)
    expect(page.locator("#layer-multiply path")).to_have_count(1)
    expect(shapes).to_have_count(1)
    onward.click()
    expect(title).to_have_text(re.compile("single|house", re.I))
    with phone.context.expect_page() as opened:
        page.locator("#hint-page").click()
    expect(opened.value.locator("h1")).to_have_text(title.inner_text())
    expect(opened.value.locator("img")).to_have_js_property("complete", True)
    assert opened.value.locator("img").evaluate("(one) => one.naturalWidth")
    opened.value.close()
    expect(shapes).to_have_count(1)
    onward.click()
    expect(page.locator("#hint-text")).to_have_text(re.compile(r"r\dc\d"))
    expect(page.locator("#live")).to_have_text(re.compile(r"r\dc\d"))  # read to those who don't see
    phone.expect_drawn(1)
    assert shapes.count() > 1
    expect(onward).to_have_text("Write it in, next hint")
    first = page.locator("#layer-ink g[data-cell]").get_attribute("data-cell")
    onward.press("Enter")
    expect(onward).to_have_text("Show me what to look for")
    expect(onward).to_be_focused()
    entered = page.locator("#board .entry")
    expect(entered).to_have_count(1)
    assert entered.get_attribute("data-cell") == first
    phone.expect_drawn(1)
    phone.press("undo")
    expect(entered).to_have_count(0)


def test_what_was_written_is_checked(phone: Visit) -> None:
    phone.read("handwriting.jpg", "")
    page = phone.page
    expect(page.locator("#mode-check")).to_have_attribute("aria-selected", "true")  # nothing is spoiled
    findings = page.locator("#check-list li")
    expect(page.locator("#status-text")).to_have_text("18 digits are right. One is wrong. 32 cells are left.")
    expect(findings).to_have_count(1)
    expect(page.locator("#board .right")).to_have_count(18)
    expect(page.locator("#board .wrong")).to_have_count(1)
    expect(page.locator("#board .clashing")).to_have_count(0)
    expect(findings.first).to_have_text(re.compile(r"^Row \d, column \d: \d is wrong$"))
    page.locator("#check-answers").check()
    expect(findings.first).to_have_text(re.compile(r"^Row \d, column \d: \d is wrong, \d is right$"))
    findings.first.locator("button").tap()
    expect(page.locator("#pad")).to_be_visible()


def test_the_steps_lead_to_the_end(phone: Visit) -> None:
    phone.read(CLEAN)
    enter(phone, "steps")
    page, steps = phone.page, phone.page.locator("#step-list li")
    expect(steps.first).to_be_visible()
    count = steps.count()
    expect(page.locator("#status-text")).to_have_text(f"{count} steps to the solution.")
    assert count >= clues_of(CLEAN).count("0")
    expect(page.locator("#step-number")).to_have_text(f"Step 1 of {count}")
    phone.press("step-next")
    expect(page.locator("#step-number")).to_have_text(f"Step 2 of {count}")
    expect(page.locator("#live")).to_contain_text(f"Step 2 of {count}. ")
    phone.press("step-previous")
    expect(page.locator("#step-number")).to_have_text(f"Step 1 of {count}")
    steps.last.locator("button").click()
    expect(page.locator("#step-number")).to_have_text(f"Step {count} of {count}")
    expect(page.locator("#step-next")).to_be_disabled()
    phone.expect_drawn(clues_of(CLEAN).count("0"))
    expect(steps.last.locator("button")).to_have_attribute("aria-current", "step")


def test_what_was_erased_on_paper_contradicts_nothing(phone: Visit) -> None:
    """A 6 that can still be seen in row 5, where another 6 is right: it is asked about, and blames nobody."""
    phone.read("half_solved.jpg", "uncertain")
    page = phone.page
    expect(page.locator("#doubt-list")).to_contain_text("r5c3: did you write 6 or nothing?")
    expect(page.locator("#check-list li")).to_have_count(0)
    phone.press("mode-solve")
    expect(page.locator("#status-text")).to_have_text("33 cells are left.")
    expect(page.locator("#board .clashing")).to_have_count(0)
    phone.press("mode-check")
    page.get_by_role("button", name="nothing").click()
    expect(page.locator("#status-text")).to_have_text("Everything is right. 34 cells are left.")
    assert not page.locator("#doubts").is_visible()


def test_what_was_written_on_paper_is_checked_as_a_person_goes_on(phone: Visit) -> None:
    phone.read("handwriting.jpg", "")
    page = phone.page
    phone.press("mode-solve")
    expect(page.locator("#board .wrong")).to_have_count(0)
    page.locator("#solve-check").check()
    expect(phone.cell(6, 9)).to_have_class(re.compile(r"\bwrong\b"))
    expect(page.locator("#status-text")).to_contain_text("Wrong: r6c9.")


def test_the_picture_is_saved_with_the_sentence_and_the_board_is_printed_alone(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.press("mode-steps")
    expect(page.locator("#step-text")).not_to_be_empty()
    with page.expect_download() as download:
        phone.press("save-picture")
    with Pillow.open(download.value.path()) as saved:
        assert saved.height > saved.width == page.locator("#photo").evaluate("(one) => one.naturalHeight")
    phone.press("mode-solve")
    phone.enter(0, 4)
    phone.cell(1, 3).tap()
    page.keyboard.type("c12")
    phone.press("pad-close")
    page.evaluate(PRINTS)
    phone.press("print-board")
    digits = "".join(page.evaluate("window.paper").split())
    clues = clues_of(CLEAN)
    assert digits == f"4{clues[:2]}12{clues[2:]}".replace("0", "")


def test_the_time_is_shown_unless_that_is_not_wished(phone: Visit) -> None:
    phone.read(CLEAN)
    clock = phone.page.locator("#clock")
    expect(clock).to_be_hidden()
    phone.press("mode-solve")
    expect(clock).to_have_text(re.compile(r"^0:0\d$"))
    phone.press("settings-open")
    phone.page.locator("#settings-time").uncheck()
    expect(clock).to_be_hidden()


@pytest.mark.slow
def test_nothing_spoils_the_puzzle_for_who_asked_so(phone: Visit) -> None:
    page = phone.page
    phone.press("settings-open")
    page.locator("#settings-hide").check()
    phone.press("settings-close")
    assert "hideAnswers" in page.evaluate("JSON.stringify(localStorage)")
    page.reload()
    expect(page.locator("body[data-ready=true]")).to_be_attached()
    phone.choose(CLEAN)
    phone.expect_status("read")
    phone.expect_drawn(0)
    expect(page.locator("#board .answer")).to_have_count(0)
    words = page.locator("#work").inner_text() + page.locator("#live").inner_text()
    assert "Solved" not in words
    for mode in ("solve", "hint", "check", "answers"):
        enter(phone, mode)
        phone.expect_drawn(0)
    phone.press("show-answers")
    phone.expect_status("solved")
    phone.expect_drawn(clues_of(CLEAN).count("0"))
    phone.press("show-answers")
    phone.expect_status("read")
    phone.expect_drawn(0)


def test_a_toast_stays_while_an_answer_arrives(desktop: Visit) -> None:
    page, held = desktop.page, list[Route]()
    page.route("**/api/check", lambda route: held.append(route))
    with page.expect_request("**/api/check"):
        desktop.read("handwriting.jpg", "")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    page.evaluate("() => { window.setTimeout = () => 0; }")  # no toast leaves by itself
    desktop.press("copy-board")
    expect(page.locator("#toast")).to_contain_text("didn't allow copying")
    waiting = page.locator("#status-text").inner_text()
    held[0].continue_()
    expect(page.locator("#status-text")).not_to_have_text(waiting)
    expect(page.locator("#toast")).to_contain_text("didn't allow copying")


def test_good_pencil_marks_are_said_to_be_good(phone: Visit) -> None:
    marks = ["" if clue != "0" else right for clue, right in zip(PUZZLE, SOLUTION, strict=True)]
    read_board(phone, json.dumps({"puzzle": PUZZLE, "marks": marks}), "nothing_written")
    enter(phone, "check")
    phone.page.locator("#check-marks").check()
    expect(phone.page.locator("#status-text")).to_contain_text("All pencil marks are good.")
