"""Learning from a photo: a hint bit by bit, a check of what was written, the steps, and no spoiling."""

import json
import re

import pytest
from conftest import PUZZLE, SOLUTION
from PIL import Image as Pillow
from playwright.sync_api import Route, expect

from browser.pictures import clues_of
from browser.visits import NO_COPIES, Visit

CLEAN = "clean_sheet.png"
PRINTS = """() => {
  window.print = () => { window.paper = document.getElementById("printed").innerText; };
}"""
"""Has the page remember what it prints."""


def test_a_hint_tells_where_to_look_then_what_for_then_the_step(phone: Visit) -> None:
    phone.read(CLEAN)
    onward = phone.find("#hint-next")
    shapes = phone.find("#layer-ink > g > *, #layer-multiply > g > *")
    phone.press("mode-hint")
    expect(onward).to_have_text("Show me what to look for")
    title, text = phone.find("#status-title"), phone.find("#status-text")
    expect(title).to_have_text("Hint")
    expect(text).to_have_text(re.compile(r"^Look in (row|column|box) \d\.$"))
    expect(phone.find("#board .looked")).to_have_count(9)
    expect(phone.find("#layer-multiply path")).to_have_count(1)
    expect(shapes).to_have_count(1)
    onward.click()
    expect(title).to_have_text(re.compile("single|house", re.I))
    with phone.context.expect_page() as opened:
        phone.find("#hint-page").click()
    expect(opened.value.locator("h1")).to_have_text(title.inner_text())
    expect(opened.value.locator("img")).to_have_js_property("complete", True)
    assert opened.value.locator("img").evaluate("(one) => one.naturalWidth")
    opened.value.close()
    expect(shapes).to_have_count(1)
    onward.click()
    expect(phone.find("#hint-text")).to_have_text(re.compile(r"r\dc\d"))
    expect(phone.find("#live")).to_have_text(re.compile(r"r\dc\d"))  # read to those who don't see
    phone.expect_drawn(1)
    assert shapes.count() > 1
    expect(onward).to_have_text("Write it in, next hint")
    first = phone.find("#layer-ink g[data-cell]").get_attribute("data-cell")
    onward.press("Enter")
    expect(onward).to_have_text("Show me what to look for")
    expect(onward).to_be_focused()
    entered = phone.find("#board .entry")
    expect(entered).to_have_count(1)
    assert entered.get_attribute("data-cell") == first
    phone.expect_drawn(1)
    phone.press("undo")
    expect(entered).to_have_count(0)


def test_what_was_written_is_checked(phone: Visit) -> None:
    phone.read("handwriting.jpg", "")
    expect(phone.find("#mode-check")).to_have_attribute("aria-selected", "true")  # nothing is spoiled
    findings = phone.find("#check-list li")
    expect(phone.find("#status-text")).to_have_text("18 digits are right. One is wrong. 32 cells are left.")
    expect(findings).to_have_count(1)
    expect(phone.find("#board .right")).to_have_count(18)
    expect(phone.find("#board .wrong")).to_have_count(1)
    expect(phone.find("#board .clashing")).to_have_count(0)
    expect(findings.first).to_have_text(re.compile(r"^Row \d, column \d: \d is wrong$"))
    phone.find("#check-answers").check()
    expect(findings.first).to_have_text(re.compile(r"^Row \d, column \d: \d is wrong, \d is right$"))
    findings.first.locator("button").tap()
    expect(phone.find("#pad")).to_be_visible()
    phone.press("pad-close", "mode-solve")
    expect(phone.find("#board .wrong")).to_have_count(0)
    phone.find("#solve-check").check()  # as a person goes on
    expect(phone.cell(6, 9)).to_have_class(re.compile(r"\bwrong\b"))
    expect(phone.find("#status-text")).to_contain_text("Wrong: r6c9.")


def test_the_steps_lead_to_the_end(phone: Visit) -> None:
    phone.read(CLEAN)
    phone.press("mode-steps")
    steps = phone.find("#step-list li")
    expect(steps.first).to_be_visible()
    count = steps.count()
    expect(phone.find("#status-text")).to_have_text(f"{count} steps to the solution.")
    assert count >= clues_of(CLEAN).count("0")
    expect(phone.find("#step-number")).to_have_text(f"Step 1 of {count}")
    phone.press("step-next")
    expect(phone.find("#step-number")).to_have_text(f"Step 2 of {count}")
    expect(phone.find("#live")).to_contain_text(f"Step 2 of {count}. ")
    phone.press("step-previous")
    expect(phone.find("#step-number")).to_have_text(f"Step 1 of {count}")
    steps.last.locator("button").click()
    expect(phone.find("#step-number")).to_have_text(f"Step {count} of {count}")
    expect(phone.find("#step-next")).to_be_disabled()
    phone.expect_drawn(clues_of(CLEAN).count("0"))
    expect(steps.last.locator("button")).to_have_attribute("aria-current", "step")


def test_what_was_erased_on_paper_contradicts_nothing(phone: Visit) -> None:
    """A 6 that can still be seen in row 5, where another 6 is right: it is asked about, and blames nobody."""
    phone.read("half_solved.jpg", "uncertain")
    expect(phone.find("#doubt-list")).to_contain_text("r5c3: did you write 6 or nothing?")
    expect(phone.find("#check-list li")).to_have_count(0)
    phone.press("mode-solve")
    expect(phone.find("#status-text")).to_have_text("33 cells are left.")
    expect(phone.find("#board .clashing")).to_have_count(0)
    phone.press("mode-check")
    phone.page.get_by_role("button", name="nothing").click()
    expect(phone.find("#status-text")).to_have_text("Everything is right. 34 cells are left.")
    assert not phone.find("#doubts").is_visible()


def test_the_picture_is_saved_with_the_sentence_and_the_board_is_printed_alone(phone: Visit) -> None:
    phone.read(CLEAN)
    page = phone.page
    phone.press("mode-steps")
    expect(phone.find("#step-text")).not_to_be_empty()
    with page.expect_download() as download:
        phone.press("save-picture")
    with Pillow.open(download.value.path()) as saved:
        assert saved.height > saved.width == phone.find("#photo").evaluate("(one) => one.naturalHeight")
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
    clock = phone.find("#clock")
    expect(clock).to_be_hidden()
    phone.press("mode-solve")
    expect(clock).to_have_text(re.compile(r"^0:0\d$"))
    phone.press("settings-open")
    phone.find("#settings-time").uncheck()
    expect(clock).to_be_hidden()


@pytest.mark.slow
def test_nothing_spoils_the_puzzle_for_who_asked_so(phone: Visit) -> None:
    phone.press("settings-open")
    phone.find("#settings-hide").check()
    phone.press("settings-close")
    assert "hideAnswers" in phone.page.evaluate("JSON.stringify(localStorage)")
    phone.page.reload()
    expect(phone.find("body[data-ready=true]")).to_be_attached()
    phone.choose(CLEAN)
    phone.expect_status("read")
    phone.expect_drawn(0)
    expect(phone.find("#board .answer")).to_have_count(0)
    words = phone.find("#work").inner_text() + phone.find("#live").inner_text()
    assert "Solved" not in words
    for mode in ("solve", "hint", "check", "answers"):
        phone.press(f"mode-{mode}")
        expect(phone.find(f"#panel-{mode}")).not_to_have_attribute("hidden", re.compile(""))
        phone.expect_drawn(0)
    phone.press("show-answers")
    phone.expect_status("solved")
    phone.expect_drawn(clues_of(CLEAN).count("0"))
    phone.press("show-answers")
    phone.expect_status("read")
    phone.expect_drawn(0)


def test_a_toast_stays_while_an_answer_arrives_and_nothing_old_is_said_till_then(desktop: Visit) -> None:
    page, held = desktop.page, list[Route]()
    page.route("**/api/check", lambda route: held.append(route))
    with page.expect_request("**/api/check"):
        desktop.read("handwriting.jpg", "")
    page.evaluate(NO_COPIES)
    page.evaluate("() => { window.setTimeout = () => 0; }")  # no toast leaves by itself
    desktop.press("copy-board")
    expect(desktop.find("#toast")).to_contain_text("didn't allow copying")
    expect(desktop.find("#status-title")).to_have_text("Check")
    expect(desktop.find("#status-text")).to_have_text("Checking what is written")
    held[0].continue_()
    expect(desktop.find("#status-text")).to_contain_text("18 digits are right.")
    expect(desktop.find("#toast")).to_contain_text("didn't allow copying")


def test_good_pencil_marks_are_said_to_be_good(phone: Visit) -> None:
    marks = ["" if clue != "0" else right for clue, right in zip(PUZZLE, SOLUTION, strict=True)]
    phone.paste(json.dumps({"puzzle": PUZZLE, "marks": marks}), "nothing_written")
    phone.press("mode-check")
    phone.find("#check-marks").check()
    expect(phone.find("#status-text")).to_contain_text("All pencil marks are good.")


def test_a_full_page_is_told_by_its_entries_and_a_side_that_is_cut_off(desktop: Visit) -> None:
    """The page's own words about frames of a camera."""
    clues, full, blank, entries = "1" * 29 + "0" * 52, "1" * 81, "0" * 81, "0" * 29 + "1" * 52
    grid = {"puzzle": clues, "solution": full, "crossings": [[[x, y] for x in range(10)] for y in range(10)]}
    said = {
        ("sure", 20, entries): "52 entries, all right.",
        ("sure", 20, entries[:-2] + "25"): "52 entries, 2 of them wrong.",
        ("sure", 20, blank): "Solved. 52 answers are drawn in.",
        ("reading", 9, blank): "Show the whole grid: a side of it is cut off.",
        ("reading", 20, blank): "Reading. Hold still for a moment.",
    }
    answers = [
        {"state": state, "size": [width, 20], "grids": [{**grid, "state": state, "written": written}]}
        for state, width, written in said
    ]
    sentences = """async (answers) => {
      await (await import("/static/language.js")).chooseLanguage("en");
      const { sentenceOfAnswer } = await import("/static/live.js");
      return answers.map((answer) => sentenceOfAnswer(answer, "answers"));
    }"""
    assert desktop.page.evaluate(sentences, answers) == list(said.values())
